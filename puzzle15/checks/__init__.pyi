from .claims import check_heuristic as check_heuristic
from .report import Change as Change
from .report import HeuristicReport as HeuristicReport
from .report import Jump as Jump
from .report import Overestimate as Overestimate
from .report import Trial as Trial
