"""The designs of the networks that can be trained."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NETWORKS", "Design"]


@dataclass(frozen=True)
class Design:
    """The layers of a network, and the defaults of its training.

    Attributes
    ----------
    hidden : tuple of int
        Outputs of the hidden layers.
    quantized : bool
        Whether the first two layers work with integers.
    batch : int
        Boards per step.
    rate : float
        Adam's largest step size.
    dropout : float
        The share of activations that dropout sets to 0.
    """

    hidden: tuple[int, ...]
    quantized: bool = False
    batch: int = 512
    rate: float = 1.5e-3
    dropout: float = 0.0


#: The networks by name.
NETWORKS = {
    "paper": Design((1024, 1024, 512, 128, 64), rate=1e-3, dropout=0.002),
    "tiny": Design((256, 32, 32), quantized=True),
    "small": Design((512, 64, 32), quantized=True),
    "medium": Design((768, 64, 32), quantized=True),
}
