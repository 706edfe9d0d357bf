"""The name of local value iteration: those who list algorithms need no more of it."""

__all__ = ["ALGORITHM"]

#: Used like the names of `puzzle15.searches`.
ALGORITHM = "local-value-iteration"
