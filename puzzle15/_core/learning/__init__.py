"""The extension modules around csrc/learning."""
