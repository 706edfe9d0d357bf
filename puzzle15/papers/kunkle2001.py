"""D. R. Kunkle, "Solving the 8 puzzle in a minimum number of moves" (2001).

This module holds the program that the paper describes, ``python -m puzzle15.papers.kunkle2001 < FILE``, and reproduces
its results.

The program is A* with a sorted open list, where a new board goes behind boards of equal f. The paper says in two
places how it treats a board that it meets again: children that are already on a list are removed (section 2.1), and of
equal boards the one with the fewest moves is kept (2.2). This module reads them together: a child is removed unless it
took fewer moves than the board on the list. Otherwise it is added, and the old board stays on the list and is examined
later. With the children in the order down, up, left, right, this gives every count and every move of the paper.

Only the last pair distinguishes the readings. The paper has 10,804 and 9,176 examined states there. Removing such
children, too, gives 10,126 and 8,614; replacing the board on the list gives 10,708 and 9,110.

>>> solve("134 8b5 726", "123 8b4 765", "none")
Answer(moves='DRUULD', examined=69)
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Optional, Union

from ..board import Board, BoardLike
from ..errors import BoardError, UnsolvableError
from ..heuristics import Heuristic, HeuristicLike
from ..heuristics import heuristic as heuristic_of
from ..system.figures import save_bars
from ..system.streams import drop_output, open_closed_streams, read_lines, write_message
from .reproduction import Progress, Row, Rows

__all__ = ["HEURISTICS", "PAIRS", "Answer", "main", "reproduce", "solve"]

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
_SIDE = 3

# Blank cell -> (letter, the letter that undoes it, next blank cell), in the order of the children.
_STEPS = tuple(
    tuple(
        (letter, back, (row + rows) * _SIDE + col + cols)
        for letter, back, rows, cols in (("D", "U", 1, 0), ("U", "D", -1, 0), ("L", "R", 0, -1), ("R", "L", 0, 1))
        if 0 <= row + rows < _SIDE and 0 <= col + cols < _SIDE
    )
    for row in range(_SIDE)
    for col in range(_SIDE)
)


class Answer(NamedTuple):
    """The program's answer to a pair."""

    moves: str
    """The directions in which the blank moves."""

    examined: int
    """States whose children were made; the goal is not among them."""


class _Node(NamedTuple):
    """A board on the open or the closed list."""

    tiles: bytes
    blank: int
    g: int
    letter: str
    parent: Optional[_Node]


def solve(start: BoardLike, goal: BoardLike, heuristic: Union[HeuristicLike, Heuristic] = "reversal") -> Answer:
    """An optimal solution of an 8-puzzle, as the paper's program finds it.

    Parameters
    ----------
    start, goal : board
        Boards of 3x3 cells.
    heuristic : {"none", "manhattan", "reversal"}, callable or Heuristic
        "none" is 0 at the goal and 1 elsewhere. "reversal" is the Manhattan distance plus 2 for every pair of
        neighbours that stand on each other's goal cells. A function of one's own, or any other heuristic, is as for
        `puzzle15.search`.

    Returns
    -------
    Answer
        Of boards with equal f, the one that came first is examined first.

    Raises
    ------
    BoardError
        If one of them is not a 3x3 board.
    UnsolvableError
        If no moves lead from the start to the goal.
    """
    start, goal = Board(start, _SHAPE), Board(goal, _SHAPE)
    if not start.is_solvable(goal):
        raise UnsolvableError(f"no moves lead from {start} to {goal}: half of all arrangements cannot be reached")
    estimate = _estimate(heuristic, goal)
    target = bytes(goal.tiles)
    root = _Node(bytes(start.tiles), start.blank, 0, "", None)
    buckets = {estimate(root.tiles): deque([root])}  # the open list, by f
    least_g = {root.tiles: 0}  # of every board on either list
    examined = 0
    while True:
        f = min(buckets)
        node = buckets[f].popleft()
        if not buckets[f]:
            del buckets[f]
        if node.tiles == target:
            letters = []
            while node.parent is not None:
                letters.append(node.letter)
                node = node.parent
            return Answer("".join(reversed(letters)), examined)
        examined += 1
        g = node.g + 1
        for letter, back, cell in _STEPS[node.blank]:
            if back == node.letter:
                continue
            tiles = bytearray(node.tiles)
            tiles[node.blank], tiles[cell] = tiles[cell], 0
            child = bytes(tiles)
            if least_g.get(child, g + 1) <= g:
                continue
            least_g[child] = g
            buckets.setdefault(g + estimate(child), deque()).append(_Node(child, cell, g, letter, node))


def _estimate(heuristic: Union[HeuristicLike, Heuristic], goal: Board) -> Callable[[bytes], int]:
    """The h of a board, as a function of its tiles."""
    if heuristic == "none":
        target = bytes(goal.tiles)
        return lambda tiles: int(tiles != target)
    given = heuristic.toward(goal) if isinstance(heuristic, Heuristic) else heuristic_of(heuristic, goal=goal)
    return lambda tiles: given(Board(tiles, goal.shape))


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


def reproduce(*, plots: Optional[Path], progress: Progress) -> list[Row]:
    """Run the six pairs with each of the three heuristics; compare moves, lengths and examined states."""
    rows = Rows()
    counts: dict[str, list[float]] = {heuristic: [] for heuristic in HEURISTICS}
    for done, heuristic in enumerate(HEURISTICS):
        for (start, goal), moves, examined in zip(PAIRS, _MOVES[heuristic], _EXAMINED[heuristic]):
            case = f"{start}, {heuristic}" if goal == PAIRS[0][1] else f"{start} to {goal}, {heuristic}"
            progress(done / len(HEURISTICS), case)
            answer = solve(start, goal, heuristic)
            counts[heuristic].append(answer.examined)
            if moves is None:  # the paper's search gave up
                within = "yes" if answer.examined <= _GIVEN_UP_AFTER else "no"
                rows.equal(case, f"solved within {_GIVEN_UP_AFTER:,}", "no", within)
                rows.beside(case, "length", None, len(answer.moves), "given up in the paper")
                note = "nearly all of the 181,440 there are"
                rows.beside(case, "states examined", None, answer.examined, note)
                continue
            note = "10,805 in the text of section 4.2" if examined == 10804 else ""
            rows.equal(case, "moves of the blank", moves, answer.moves)
            rows.equal(case, "length", len(moves), len(answer.moves))
            rows.equal(case, "states examined", examined, answer.examined, note)
    if plots is not None:
        marks = {heuristic: examined[: len(PAIRS)] for heuristic, examined in _EXAMINED.items()}
        pairs = [f"{start}\nto {goal}" for start, goal in PAIRS]
        title, file = "Kunkle 2001: A* on six 8-puzzles", plots / "kunkle-examined.png"
        save_bars(file, pairs, counts, marks=marks, title=title, label="states examined")
    return rows


# ---------------------------------------------------------------- the program ---


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Solve the pairs on standard input, and return the exit code.

    It is 0 if all pairs were solved, 1 if a pair could not be read or solved, and 130 if interrupted.
    """
    parser = argparse.ArgumentParser(
        prog="python -m puzzle15.papers.kunkle2001",
        description="Solve 8-puzzles with the fewest moves, as in Kunkle's paper of 2001. Standard input holds "
        "pairs of lines, a start and a goal, such as '134 8b5 726' and '123 8b4 765'. Blank lines and # comments are "
        "skipped. For each pair the program prints the moves of the blank, their number, and the number of states "
        "examined. A pair that cannot be read is reported on standard error, and the program goes on with the next.",
        epilog="exit codes: 0 success; 1 a pair could not be read or solved; 2 usage error; 130 interrupted",
    )
    parser.add_argument(
        "--heuristic",
        choices=HEURISTICS,
        default="reversal",
        help="the heuristic; reversal is manhattan with a penalty for reversed tiles (default: reversal)",
    )
    args = parser.parse_args(argv)
    open_closed_streams()
    failed = False
    try:
        for first, start, goal in _pairs(read_lines(sys.stdin)):
            failed |= not _answer(first, start, goal, args.heuristic)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has had enough
        pass
    finally:
        drop_output()
    return int(failed)


def _pairs(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str, Optional[str]]]:
    """(line number of the start, start, goal); the goal is None if the input ends before it."""
    for number, start in lines:
        _, goal = next(lines, (0, None))
        yield number, start, goal


def _answer(first: int, start: str, goal: Optional[str], heuristic: str) -> bool:
    """Answer the pair that begins on this line; returns whether it was solved."""
    try:
        if goal is None:
            raise BoardError(f"{start!r}: a start without a goal; write the goal on the next line")
        answer = solve(start, goal, heuristic)
    except UnsolvableError:
        text, solved = f"{start} to {goal}\nunsolvable: no moves lead from the one to the other\n", False
    except BoardError as error:
        write_message(f"error: the pair of line {first}: {error}\n")
        return False
    else:
        solved = True
        text = (
            f"{start} to {goal}\nmoves of the blank: {' '.join(answer.moves) or 'none'}\n"
            f"number of moves: {len(answer.moves)}\nstates examined: {answer.examined}\n"
        )
    print(text, flush=True)
    return solved


if __name__ == "__main__":
    sys.exit(main())
