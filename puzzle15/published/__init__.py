"""Published facts: the standard boards of the literature, and the numbers of boards at each distance."""

from .distances import check_bound, depth_counts, farthest
from .korf import KORF_GOAL, KorfBoard, korf100

__all__ = ["KORF_GOAL", "KorfBoard", "check_bound", "depth_counts", "farthest", "korf100"]
