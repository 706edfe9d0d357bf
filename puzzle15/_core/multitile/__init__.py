"""The extension modules around csrc/multitile."""
