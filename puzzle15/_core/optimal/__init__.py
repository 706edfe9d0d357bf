"""The extension modules around csrc/optimal."""
