"""The extension modules around csrc/search."""
