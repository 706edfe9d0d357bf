"""D. R. Kunkle, "Solving the 8 puzzle in a minimum number of moves" (2001).

The program is A* with a sorted open list, where a new board goes behind boards of equal f. The paper says in two places
how it treats a board that it meets again: children that are already on a list are removed (section 2.1), and of
equal boards the one with the fewest moves is kept (2.2). This module reads them together: a child is removed unless it
took fewer moves than the board on the list. Otherwise it is added, and the old board stays on the list and is examined
later. With the children in the order down, up, left, right, this gives every count and every move of the paper.

Only the last pair distinguishes the readings. The paper has 10,804 and 9,176 examined states there. Removing such
children, too, gives 10,126 and 8,614; replacing the board on the list gives 10,708 and 9,110.

The heuristic of the blind search is always 0 in section 2.2, and 1 except at the goal in sections 3 and 4. The counts
are those of the second, which is named "none" here.

The paper's program reads pairs of boards, a start and a goal, each on a line of its own. So does this module::

    python -m puzzle15.papers.kunkle2001 --heuristic manhattan < tests.txt

>>> solve("134 8b5 726", "123 8b4 765", "none")
Answer(moves='DRUULD', examined=69)
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple, Optional

from .._pictures.figures import save_bars
from .._system import streams
from ..board import Board, BoardLike, neighbours
from ..board._solvability import check_solvable
from ..errors import BoardError, Puzzle15Error, UnsolvableError
from ..heuristics import Heuristic, HeuristicLike
from ..heuristics import heuristic as heuristic_of
from ._reproduction import Progress, Row

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
    """Return an optimal solution of an 8-puzzle, as the paper's program finds it.

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
    """Return the h of a board."""
    if heuristic == "none":
        return lambda board: int(board != goal)
    return heuristic.toward(goal) if isinstance(heuristic, Heuristic) else heuristic_of(heuristic, goal=goal)


# ---------------------------------------------------------------- the program ---


def solve_pairs(lines: Iterable[str], heuristic: HeuristicLike = "reversal") -> Iterator[str]:
    """Solve the pair of each two lines, and describe its solution; lines without text are skipped.

    >>> list(solve_pairs(["134 8b5 726", "123 8b4 765", "213 8b4 765", "123 8b4 765"]))
    ['134 8b5 726 to 123 8b4 765: D R U U L D, 6 moves, 6 states examined', \
'213 8b4 765 to 123 8b4 765: no moves lead to the goal']
    """
    boards = (line.strip() for line in lines if line.strip())
    for start in boards:
        goal = next(boards, None)
        if goal is None:
            raise BoardError(f"{start}: expected a goal on the line after it")
        try:
            moves, examined = solve(start, goal, heuristic)
        except UnsolvableError:
            yield f"{start} to {goal}: no moves lead to the goal"
        else:
            yield f"{start} to {goal}: {' '.join(moves)}, {len(moves)} moves, {examined} states examined"


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the program on standard input, and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m puzzle15.papers.kunkle2001",
        description="Solve pairs of boards: a start and a goal, line by line.",
    )
    parser.add_argument("--heuristic", choices=HEURISTICS, default=HEURISTICS[-1], help="(default: %(default)s)")
    options = parser.parse_args(arguments)
    try:
        for text in solve_pairs(sys.stdin, options.heuristic):
            print(text, flush=True)
    except Puzzle15Error as error:
        streams.write_message(f"kunkle2001: {error}\n")
        return 1
    return 0


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


_ALL_STATES, _REACHABLE = 362_880, 181_440


def reproduce(*, plots: Optional[Path], progress: Progress) -> Iterator[Row]:
    """Run the six pairs with each of the three heuristics; compare moves, lengths and examined states."""
    counts: dict[str, list[int]] = {heuristic: [] for heuristic in HEURISTICS}
    for done, heuristic in enumerate(HEURISTICS):
        for (start, goal), moves, examined in zip(PAIRS, _MOVES[heuristic], _EXAMINED[heuristic]):
            case = f"{start}, {heuristic}" if goal == PAIRS[0][1] else f"{start} to {goal}, {heuristic}"
            progress(done / len(HEURISTICS), case)
            answer = solve(start, goal, heuristic)
            counts[heuristic].append(answer.examined)
            if moves is None or examined is None:  # the paper's search gave up
                within = "yes" if answer.examined <= _GIVEN_UP_AFTER else "no"
                yield Row(case, f"solved within {_GIVEN_UP_AFTER:,}", "no", within)
                yield Row(case, "length", None, len(answer.moves))
                note = f"of the {_REACHABLE:,} that can be reached"
                yield Row(case, "states examined", None, answer.examined, note=note)
                continue
            note = "10,805 in the text of section 4.2" if examined == 10804 else ""
            if heuristic == "none":
                note = f"{solve(start, goal, 'zero').examined:,} if h is always 0"
            yield Row(case, "moves of the blank", moves, answer.moves)
            yield Row(case, "length", len(moves), len(answer.moves))
            yield Row(case, "states examined", examined, answer.examined, note=note)
    yield from _claims(*counts.values())
    if plots is not None:
        marks = {heuristic: examined[: len(PAIRS)] for heuristic, examined in _EXAMINED.items()}
        pairs = [f"{start}\nto {goal}" for start, goal in PAIRS]
        title, file = "Kunkle 2001: A* on six 8-puzzles", plots / "kunkle-examined.png"
        save_bars(file, pairs, counts, marks=marks, title=title, label="states examined")


def _claims(none: Sequence[int], manhattan: Sequence[int], reversal: Sequence[int]) -> Iterator[Row]:
    """Yield what sections 4.2 and 4.3 say of these counts."""
    fewer = [many / few for many, few in zip(none, manhattan)][:-1]
    gains = [100 * (many / few - 1) for many, few in zip(manhattan, reversal)]
    different = [0, 1, 2, 4]  # the fourth pair is the third one the other way round, and has its counts
    case = "section 4.2, Manhattan distance"
    note = f"without the last pair, and with one of the pairs that are inverse; with both, {mean(fewer):.1f}"
    yield Row(case, "times fewer states than the blind search", 25, round(mean(fewer[n] for n in different)), note=note)
    of_all, ratio = 25 * 10_805 / _ALL_STATES, none[-1] / manhattan[-1]
    yield Row(
        case,
        "share of all states in 25 times 10,805",
        "over 2/3",
        25 * 10_805 / _REACHABLE,
        f"of {_ALL_STATES:,} arrangements it is {of_all:.2f}, but only half of them can be reached; the blind search "
        f"examines {ratio:.1f} times as many, not 25",
    )
    case = "section 4.3, reversal penalty"
    gain, hard = mean(gains[n] for n in (1, 2, 5)), mean(gains[n] for n in (2, 5))
    why = f"the average of all pairs that are not trivial; that of the two harder ones is {hard:.1f}"
    yield Row(case, "gain on pairs that are not trivial, %", 16, round(gain), why)
    yield Row(case, "gain on the last pair, %", 18, round(gains[-1]), note=f"{gains[-1]:.1f}")


if __name__ == "__main__":
    sys.exit(main())
