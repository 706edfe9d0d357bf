"""`compare_many`, which runs several searches on a set of boards, and the table of means that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from .. import _pictures
from .._system.lazy import np
from .._system.quantities import format_size
from .._system.workers import Workers
from ..board import BoardLike, BoardsLike
from ..board._notation import listed
from ..board._packing import OnError
from ..board._solvability import pack_solvable
from ..errors import OptionError
from ._algorithms import algorithm_of
from ._comparison import Heuristics, goal_of_heuristics, make_searches
from ._many import SearchBatch, common_goal, search_packed
from ._options import CALLBACKS, CommonFields, takes_fields
from ._registering import refutation

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

#: The columns of a table, and how each is written.
_COLUMNS: dict[str, Callable[[Any], str]] = {
    "algorithm": str,
    "heuristic": str,
    "distance": str,
    "boards": "{:,}".format,
    "solved": "{:.0%}".format,
    "optimal": "{:.0%}".format,
    "length": "{:.2f}".format,
    "expanded": "{:,.1f}".format,
    "generated": "{:,.1f}".format,
    "seconds": "{:.6f}".format,
    "memory": lambda count: format_size(int(count)),
}


class Comparison(Sequence[SearchBatch]):
    """The answers of several searches on a set of boards: ``comparison[i]`` is the `SearchBatch` of the search i.

    A slice is a comparison of some of the searches; it keeps the distances that the others proved.

    Attributes
    ----------
    names : list of (str, str or None)
        The algorithm and the heuristic of each search.
    distances : ndarray of int32, shape (N,)
        The distance of each board, as far as any of the searches proved it; -1 where none did.

    Examples
    --------
    >>> boards = ["8 6 7/2 5 4/3 0 1", "1 2 3/0 5 6/4 7 8", "1 2 3/4 0 5/7 8 6"]
    >>> comparison = compare_many(boards, ["a*", "greedy"], heuristics="manhattan")
    >>> comparison.to_dict()["expanded"], comparison.to_dict(by_distance=True)["distance"]
    ([2244.3333333333335, 36.333333333333336], [2, 3, 31, 2, 3, 31])
    """

    def __init__(
        self,
        batches: Sequence[SearchBatch],
        names: Sequence[tuple[str, Optional[str]]],
        distances: Optional[NDArray[np.int32]] = None,
    ) -> None:
        self._batches, self.names = tuple(batches), [*names]
        if distances is None:
            distances = np.max([np.where(batch.optimal, batch.lengths, -1) for batch in batches], axis=0)
        self.distances = distances.astype(np.int32)

    def __len__(self) -> int:
        return len(self._batches)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Comparison(self._batches[index], self.names[index], self.distances)
        return self._batches[index]

    def rows(self, *, by_distance: bool = False) -> Iterator[dict[str, Any]]:
        """Yield one record per search, or per search and distance.

        Parameters
        ----------
        by_distance : bool
            Whether to divide the boards by their distance; those whose distance nobody proved come first, with None.

        Yields
        ------
        dict
            ``algorithm``, ``heuristic``; ``distance``, which is None for all boards; ``boards``, their number;
            ``solved`` and ``optimal``, the shares of boards with a solution, and with one that is proved to be a
            shortest one. Then means over the boards with a solution, None if there are none: ``length``, ``expanded``,
            ``generated``, ``seconds``; and ``memory``, the most bytes that the nodes of one of all boards took.
        """
        parts: list[tuple[Optional[int], Any]] = [(None, slice(None))]
        if by_distance:
            parts = [(None if each < 0 else int(each), self.distances == each) for each in np.unique(self.distances)]
        for (algorithm, heuristic), batch in zip(self.names, self._batches):
            for distance, part in parts:
                solved = batch.solved[part]
                columns: list[Any] = [batch.lengths, batch.expanded, batch.generated, batch.seconds]
                means = [float(column[part][solved].mean()) if solved.any() else None for column in columns]
                yield {
                    "algorithm": algorithm,
                    "heuristic": heuristic,
                    "distance": distance,
                    "boards": len(solved),
                    "solved": float(solved.mean()) if len(solved) else None,
                    "optimal": float(batch.optimal[part].mean()) if len(solved) else None,
                    **dict(zip(("length", "expanded", "generated", "seconds"), means)),
                    "memory": int(batch.memory_bytes[part].max(initial=0)),
                }

    def to_dict(self, *, by_distance: bool = False) -> dict[str, list[Any]]:
        """Return `rows` as columns, for `pandas.DataFrame`."""
        rows = [*self.rows(by_distance=by_distance)]
        return {name: [row[name] for row in rows] for name in _COLUMNS}

    def table(self, *, by_distance: bool = False) -> str:
        """Return `rows` as text, with a line above them."""
        columns = {
            name: [name, *("-" if value is None else _COLUMNS[name](value) for value in values)]
            for name, values in self.to_dict(by_distance=by_distance).items()
            if by_distance or name != "distance"
        }
        widths = [max(map(len, cells)) for cells in columns.values()]
        lines = []
        for cells in zip(*columns.values()):
            texts = [cell.ljust(width) for cell, width in zip(cells[:2], widths)]
            lines.append("  ".join([*texts, *(cell.rjust(width) for cell, width in zip(cells[2:], widths[2:]))]))
        return "\n".join(lines)

    def plot(self, path: Union[str, Any]) -> None:
        """Draw the mean expansions of each search by distance into a .png, .svg or .pdf file; it needs matplotlib.

        Only boards with a proved distance are drawn, and of each search those with a solution.
        """
        from .._pictures import figures

        figures.check_file(path)
        figure, [axes] = figures.new_panels([""], 1, 7.0, 4.4)
        for number, name in enumerate(self.names):
            rows = [row for row in self[number : number + 1].rows(by_distance=True) if row["expanded"] is not None]
            known = [(row["distance"], max(row["expanded"], 1.0)) for row in rows if row["distance"] is not None]
            if known:
                axes.plot(*zip(*known), marker=".", label=" with ".join(filter(None, name)))
        axes.set(yscale="log", xlabel="distance", ylabel="mean expansions")
        axes.xaxis.get_major_locator().set_params(integer=True)
        figures.save_panels(figure, path, f"{len(self.distances):,} boards")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and (self.names, self._batches) == (other.names, other._batches)

    def _repr_html_(self) -> str:
        columns = self.to_dict()
        del columns["distance"]
        rows = (
            [value if isinstance(value, str) else _rounded(value) for value in row] for row in zip(*columns.values())
        )
        return _pictures.table_html([*columns], rows, f"{len(self.distances):,} boards.")

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<Comparison of {len(self)} searches on {len(self.distances):,} boards>"


def _rounded(value: Any) -> Any:
    return round(value, 6) if isinstance(value, float) else value


@takes_fields(CommonFields)
def compare_many(
    boards: BoardsLike,
    algorithms: Union[str, Sequence[str], None] = None,
    *,
    heuristics: Optional[Heuristics] = None,
    goal: Optional[BoardLike] = None,
    shape: Optional[Sequence[int]] = None,
    workers: Workers = 1,
    on_error: OnError = "raise",
    progress: Optional[Callable[[int, int], Any]] = None,
    **fields: Unpack[CommonFields],
) -> Comparison:
    """Run several searches on each board of a set.

    Parameters
    ----------
    boards, on_error, progress
        As for `puzzle15.search_many`; `progress` counts the boards of all searches.
    algorithms, heuristics, goal, shape, workers, **fields
        As for `puzzle15.compare`, with its limits for each search of one board. No function is called during a search.

    Returns
    -------
    Comparison
        A sequence of one `SearchBatch` per search, and a table of their means.

    Raises
    ------
    BoardError, UnsolvableError, ValueError, AlgorithmError
        As `puzzle15.compare` and `puzzle15.search_many` do.

    Examples
    --------
    >>> from puzzle15.board import KORF_GOAL, korf100
    >>> easiest = sorted(korf100(), key=lambda each: each.length)[:2]
    >>> comparison = compare_many([each.board for each in easiest], ["ida*"], heuristics=["tables"], goal=KORF_GOAL)
    >>> comparison.to_dict()["length"], [batch.lengths.tolist() for batch in comparison]
    ([41.5], [[41, 42]])
    """
    called = [name for name in CALLBACKS if fields.get(name) is not None]
    if called:
        raise OptionError(f"{called[0]}: compare_many() calls no function during a search; compare() does")
    boards = boards if hasattr(boards, "__len__") else listed(boards, "board")
    target = common_goal(boards, goal_of_heuristics(heuristics) if goal is None else goal, shape)
    searches = make_searches(compare_many, target, algorithms, heuristics, workers, fields)
    if not searches:
        raise OptionError("algorithms and heuristics: expected at least one search; there are none")
    packed, errors = pack_solvable(boards, target, on_error)
    batches: list[SearchBatch] = []
    total = len(searches) * len(packed)

    def count(done: int, _: int) -> None:
        if progress:
            progress(len(batches) * len(packed) + done, total)

    for search in searches:
        batches.append(search_packed(search, packed, errors, workers, count))
        _refuse_refuted(batches)
    return Comparison(batches, [(search.algorithm.name, search.heuristic_name) for search in searches])


def _refuse_refuted(batches: Sequence[SearchBatch]) -> None:
    """Raise AlgorithmError if a solution is shorter than the lower bound of a registered algorithm."""
    lengths = np.array([np.where(batch.lengths < 0, np.iinfo(np.int32).max, batch.lengths) for batch in batches])
    shortest = lengths.min(axis=0)
    for batch in batches:
        if len(batch) and algorithm_of(batch[0].algorithm).function is not None:
            for index in np.flatnonzero(batch.lower_bounds > shortest).tolist():
                solution = batch[index]
                raise refutation(solution.algorithm, solution.board, solution.lower_bound, int(shortest[index]))
