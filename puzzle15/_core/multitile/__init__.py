"""The extension module around csrc/multitile."""
