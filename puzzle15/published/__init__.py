"""Published facts: the standard boards of the literature, and the numbers of boards at each distance."""

from typing import TYPE_CHECKING

from ..system.doors import on_demand

if TYPE_CHECKING:
    from .distances import check_bound, depth_counts, farthest
    from .korf import KORF_GOAL, KorfBoard, korf100
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        distances="check_bound depth_counts farthest",
        korf="KORF_GOAL KorfBoard korf100",
    )

__all__ = ["KORF_GOAL", "KorfBoard", "check_bound", "depth_counts", "farthest", "korf100"]
