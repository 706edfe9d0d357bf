from .counts import BoardCounts as BoardCounts
from .counts import Stage as Stage
from .functions import ValueFunction as ValueFunction
from .functions import value_iteration as value_iteration
from .learner import LocalValueIteration as LocalValueIteration
from .solutions import LocalSolution as LocalSolution
from .solutions import LocalSolutionBatch as LocalSolutionBatch
from .solutions import Part as Part

ALGORITHM: str
