"""The extension module around csrc/nodes."""
