"""The extension modules around csrc/base."""
