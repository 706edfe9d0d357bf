"""The extension modules around csrc/tables."""
