"""Sliding-tile puzzles of up to 16 cells, solved optimally."""

__version__ = "0.1.0"
