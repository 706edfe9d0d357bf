"""D. R. Kunkle, "Solving the 8 puzzle in a minimum number of moves" (2001).

The program is A* with a sorted open list, where a new board goes behind boards of equal f. The paper says in two places
how it treats a board that it meets again: children that are already on a list are removed (section 2.1), and of
equal boards the one with the fewest moves is kept (2.2). This module reads them together: a child is removed unless it
took fewer moves than the board on the list. Otherwise it is added, and the old board stays on the list and is examined
later. With the children in the order down, up, left, right, this gives every count and every move of the paper.

Only the last pair distinguishes the readings. The paper has 10,804 and 9,176 examined states there. Removing such
children, too, gives 10,126 and 8,614; replacing the board on the list gives 10,708 and 9,110.

>>> solve("134 8b5 726", "123 8b4 765", "none")
Answer(moves='DRUULD', examined=69)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Optional

from ..board import Board, BoardLike, neighbours
from ..heuristics import Heuristic, HeuristicLike
from ..heuristics import heuristic as heuristic_of
from ..searches import check_solvable
from ..system.figures import save_bars
from .reproduction import Progress, Row, beside

#: H_TYPE 0, 1 and 2 of the paper.
HEURISTICS = ("none", "manhattan", "reversal")

#: The tests of the paper: start and goal.
PAIRS = (
    ("134 8b5 726", "123 8b4 765"),
    ("231 7b8 654", "123 8b4 765"),
    ("231 8b4 765", "123 8b4 765"),
    ("123 8b4 765", "231 8b4 765"),
    ("283 1b4 765", "123 8b4 765"),
    ("876 1b5 234", "123 8b4 765"),
)

_SHAPE = (3, 3)

#: The directions of the blank in the order of the children, by letter.
_DIRECTIONS = {"D": 3, "U": 0, "L": 1, "R": 2}
_NEXT_CELLS = neighbours(_SHAPE).tolist()


class Answer(NamedTuple):
    """The directions in which the blank moves, and the number of states whose children were made, without the goal."""

    moves: str
    examined: int


class _Node(NamedTuple):
    """A board on the open or the closed list, packed: objects would take three times as long."""

    packed: int
    blank: int
    g: int
    letter: str
    parent: Optional[_Node]


def solve(start: BoardLike, goal: BoardLike, heuristic: HeuristicLike = "reversal") -> Answer:
    """An optimal solution of an 8-puzzle, as the paper's program finds it.

    Parameters
    ----------
    start, goal : board
        Boards of 3x3 cells; BoardError or UnsolvableError if they are not, or if no moves lead to the goal.
    heuristic : {"none", "manhattan", "reversal"} or another heuristic, as for `puzzle15.search`
        "none" is 0 at the goal and 1 elsewhere.

    Returns
    -------
    Answer
    """
    start, goal = Board(start, _SHAPE), Board(goal, _SHAPE)
    check_solvable(start, goal)
    estimate = _estimate(heuristic, goal)
    buckets = {estimate(start): deque([_Node(start.packed, start.blank, 0, "", None)])}  # the open list, by f
    least_g = {start.packed: 0}  # of every board on either list
    examined = 0
    while True:
        f = min(buckets)
        node = buckets[f].popleft()
        if not buckets[f]:
            del buckets[f]
        if node.packed == goal.packed:
            letters = []
            while node.parent is not None:
                letters.append(node.letter)
                node = node.parent
            return Answer("".join(reversed(letters)), examined)
        examined += 1
        g = node.g + 1
        for letter, direction in _DIRECTIONS.items():
            cell = _NEXT_CELLS[node.blank][direction]
            if cell < 0 or _DIRECTIONS.get(node.letter) == 3 - direction:
                continue
            tile = node.packed >> 4 * cell & 15
            child = node.packed ^ tile << 4 * cell ^ tile << 4 * node.blank
            if least_g.get(child, g + 1) > g:
                least_g[child] = g
                f = g + estimate(Board._of(child, _SHAPE))
                buckets.setdefault(f, deque()).append(_Node(child, cell, g, letter, node))


def _estimate(heuristic: HeuristicLike, goal: Board) -> Callable[[Board], int]:
    """The h of a board."""
    if heuristic == "none":
        return lambda board: int(board != goal)
    return heuristic.toward(goal) if isinstance(heuristic, Heuristic) else heuristic_of(heuristic, goal=goal)


# ---------------------------------------------------------------- what the paper found ---

_INFORMED = ["DRUULD", "RULDRDLLURULDR", "RULLDRRULDLURRDL", "LURRDLLURDRULLDR", "ULDR", "DLURRDLUURDDLUULDDRUULDRRULD"]
#: Moves of the blank, and examined states, by heuristic and in the order of PAIRS (section 4, "Results").
_MOVES: dict[str, Sequence[Optional[str]]] = {
    "none": ["DRUULD", "RULDRDLLURULDR", "ULDRURDLLURDRULD", "URDLULDRRULDLURD", "ULDR", None],
    "manhattan": _INFORMED,
    "reversal": _INFORMED,
}
_EXAMINED: dict[str, Sequence[Optional[int]]] = {
    "none": [69, 3685, 9137, 9137, 21, None],
    "manhattan": [6, 70, 292, 292, 4, 10804],
    "reversal": [6, 61, 257, 257, 4, 9176],
}
_GIVEN_UP_AFTER = 100_000


def reproduce(*, plots: Optional[Path], progress: Progress) -> Iterator[Row]:
    """Run the six pairs with each of the three heuristics; compare moves, lengths and examined states."""
    counts: dict[str, list[float]] = {heuristic: [] for heuristic in HEURISTICS}
    for done, heuristic in enumerate(HEURISTICS):
        for (start, goal), moves, examined in zip(PAIRS, _MOVES[heuristic], _EXAMINED[heuristic]):
            case = f"{start}, {heuristic}" if goal == PAIRS[0][1] else f"{start} to {goal}, {heuristic}"
            progress(done / len(HEURISTICS), case)
            answer = solve(start, goal, heuristic)
            counts[heuristic].append(answer.examined)
            if moves is None:  # the paper's search gave up
                within = "yes" if answer.examined <= _GIVEN_UP_AFTER else "no"
                yield Row(case, f"solved within {_GIVEN_UP_AFTER:,}", "no", within)
                yield beside(case, "length", None, len(answer.moves), "given up in the paper")
                note = "nearly all of the 181,440 there are"
                yield beside(case, "states examined", None, answer.examined, note)
                continue
            note = "10,805 in the text of section 4.2" if examined == 10804 else ""
            yield Row(case, "moves of the blank", moves, answer.moves)
            yield Row(case, "length", len(moves), len(answer.moves))
            yield Row(case, "states examined", examined, answer.examined, note)
    if plots is not None:
        marks = {heuristic: examined[: len(PAIRS)] for heuristic, examined in _EXAMINED.items()}
        pairs = [f"{start}\nto {goal}" for start, goal in PAIRS]
        title, file = "Kunkle 2001: A* on six 8-puzzles", plots / "kunkle-examined.png"
        save_bars(file, pairs, counts, marks=marks, title=title, label="states examined")
