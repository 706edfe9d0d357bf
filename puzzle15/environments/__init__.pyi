from ._gym import PuzzleEnv as PuzzleEnv
from ._gym import PuzzleVectorEnv as PuzzleVectorEnv
from ._options import Options as Options
