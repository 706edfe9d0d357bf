from ._ann import AnnDistance as AnnDistance
from ._ann import network_names as network_names
from ._local_solutions import LocalSolution as LocalSolution
from ._local_solutions import LocalSolutionBatch as LocalSolutionBatch
from ._local_vi import LocalValueIteration as LocalValueIteration
from ._value_functions import ValueFunction as ValueFunction
from ._value_functions import value_iteration as value_iteration

LOCAL_VALUE_ITERATION: str
