from .distances import check_bound as check_bound
from .distances import depth_counts as depth_counts
from .distances import farthest as farthest
from .korf import KORF_GOAL as KORF_GOAL
from .korf import KorfBoard as KorfBoard
from .korf import korf100 as korf100
