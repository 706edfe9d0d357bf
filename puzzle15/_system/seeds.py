"""Random input: wherever users may choose random numbers, they give an int or a `numpy.random.Generator`."""

from __future__ import annotations

from typing import Optional, Union

from .lazy import np
from .quantities import whole

#: An int always gives the same random numbers; a generator is drawn from.
Seed = Union[int, "np.random.Generator"]


def random_generator(seed: Optional[Seed] = None) -> np.random.Generator:
    """The generator that a user gives, or a new one: from an int always the same, from None another each time."""
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.Generator(np.random.PCG64(None if seed is None else whole("seed", seed)))


def seed_number(seed: Seed) -> int:
    """The int that a user gives, or one that a generator draws, for random numbers that are not numpy's."""
    if hasattr(seed, "integers"):  # numpy is not imported for an int
        return int(seed.integers(2**63))
    return whole("seed", seed)
