from .gym import PuzzleEnv as PuzzleEnv
from .gym import PuzzleVectorEnv as PuzzleVectorEnv
from .options import Options as Options
