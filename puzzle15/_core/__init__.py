"""The extension modules around csrc, room by room: they own memory, release the GIL, check and convert."""
