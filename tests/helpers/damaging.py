"""Damage to files: flipped bits, and things that are no files."""

import os
import socket


def flip(path, place=-1, bits=1):
    """Flip bits of a byte of a file."""
    content = bytearray(path.read_bytes())
    content[place] ^= bits
    path.write_bytes(content)


def bind(path):
    """Make a socket."""
    before = os.getcwd()
    os.chdir(path.parent)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)
    os.chdir(before)


#: What can stand where a file should, and how it is made.
NO_FILES = {
    "folder": os.mkdir,
    "self-link": lambda path: path.symlink_to(path),
    "pipe": os.mkfifo,
    "socket": bind,
    "device": lambda path: path.symlink_to("/dev/zero"),
}
