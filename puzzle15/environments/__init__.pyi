from .options import Options as Options
from .single import PuzzleEnv as PuzzleEnv
from .vector import PuzzleVectorEnv as PuzzleVectorEnv
