"""The extension modules around csrc, folder by folder: they own memory, release the GIL, check and convert.

Calls that take long act on Ctrl-C and on the end of their team (`puzzle15._system`) within a tenth of a second, and
leave nothing behind when they are interrupted.
"""
