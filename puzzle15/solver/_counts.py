"""`Counts`: the nodes of a search by layer, as papers report them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from .._system.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIDES = ("start", "goal")


@dataclass(frozen=True, eq=False)
class Counts:
    """The nodes that a search expanded, and the children that it made of them, by layer.

    The layer of a node is its f = g + h, whatever the algorithm compares, or its g. A child is counted in the layer of
    its parent. The sums are `Solution.expanded` and `Solution.generated`, without those of ``prove=True``.

    Attributes
    ----------
    expanded, generated : ndarray of uint64, shape (S, F)
        ``expanded[side, f]``: nodes with this f. A search from both ends has two sides, start and goal.
    expanded_by_g, generated_by_g : ndarray of uint64, shape (S, G), or None
        ``expanded_by_g[side, g]``: nodes with this g. None of ida* with Manhattan distance where an iteration is large:
        it counts whole trees at once, whose nodes have many g.
    shortest : int or None
        C*, the length of a shortest solution; None if the search did not prove it.
    expanded_to_first, expanded_to_best : int or None
        Nodes that were expanded until the first solution was found, and until the answer was. The nodes after them
        proved that it is a shortest one. None without a solution.
    reopened : int or None
        Expanded nodes that were opened again, because a shorter path to them was found; of rbfs and sma*, nodes that
        were expanded again. None of registered algorithms.

    Examples
    --------
    >>> from puzzle15 import search
    >>> counts = search("8 6 7/2 5 4/3 0 1", algorithm="mm", counts=True).counts
    >>> counts.expanded.sum(axis=1).tolist(), counts.expanded_below, counts.expanded_at
    ([3351, 1903], 5254, 0)
    >>> counts.expanded_to_first, counts.expanded_to_best
    (4284, 4284)
    >>> counts.to_dict()["by_f"][0]
    {'side': 'start', 'f': 21, 'expanded': 3, 'generated': 5}
    """

    expanded: NDArray[np.uint64]
    generated: NDArray[np.uint64]
    expanded_by_g: Optional[NDArray[np.uint64]]
    generated_by_g: Optional[NDArray[np.uint64]]
    shortest: Optional[int]
    expanded_to_first: Optional[int]
    expanded_to_best: Optional[int]
    reopened: Optional[int]

    @classmethod
    def from_kernel(cls, answer: dict[str, Any], sides: int, shortest: Optional[int], solved: bool) -> Counts:
        """Return the counts in the answer of `puzzle15._core.search.searches`."""
        (expanded, generated), (by_g, generated_by_g) = (_trimmed(layers, sides) for layers in answer["layers"])
        first, best = (answer[name] if solved else None for name in ("expanded_to_first", "expanded_to_best"))
        return cls(expanded, generated, by_g, generated_by_g, shortest, first, best, answer["reopened"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and self.to_dict() == other.to_dict()

    @property
    def expanded_below(self) -> Optional[int]:
        """int or None: expanded nodes with f < C*."""
        return None if self.shortest is None else int(self.expanded[:, : self.shortest].sum())

    @property
    def expanded_at(self) -> Optional[int]:
        """int or None: expanded nodes with f = C*."""
        return None if self.shortest is None else int(self.expanded[:, self.shortest : self.shortest + 1].sum())

    def to_dict(self) -> dict[str, Any]:
        """The counts as plain values, which JSON can hold; ``by_f`` and ``by_g`` are rows, for `pandas.DataFrame`.

        >>> from puzzle15 import search
        >>> search("1 2 3/0 5 6/4 7 8", counts=True).counts.to_dict()["by_g"][1]
        {'side': 'start', 'g': 1, 'expanded': 1, 'generated': 1}
        """
        names = ("shortest", "expanded_below", "expanded_at", "expanded_to_first", "expanded_to_best", "reopened")
        by_f, by_g = (self.expanded, self.generated), (self.expanded_by_g, self.generated_by_g)
        return {**{name: getattr(self, name) for name in names}, "by_f": _rows("f", *by_f), "by_g": _rows("g", *by_g)}


def _trimmed(layers: Optional[bytes], sides: int) -> Any:
    """Expanded and generated nodes by side and layer, without the layers beyond the last node."""
    if layers is None:
        return None, None
    counts = np.frombuffer(layers, dtype=np.uint64).reshape(2, -1, 2)[:sides]
    used = np.flatnonzero(counts.any(axis=(0, 2)))
    counts = counts[:, : used[-1] + 1 if len(used) else 0]
    return counts[..., 0].copy(), counts[..., 1].copy()


def _rows(name: str, expanded: Any, generated: Any) -> Optional[list[dict[str, Any]]]:
    """Return the layers that have nodes, as records."""
    if expanded is None:
        return None
    return [
        {"side": _SIDES[at[0]], name: int(at[1]), "expanded": int(expanded[at]), "generated": int(generated[at])}
        for at in zip(*np.nonzero(expanded))
    ]
