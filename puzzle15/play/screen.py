"""What the screen of a terminal shows of a session, as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Optional

from ..board import Board, format_board, format_moves
from .replay import Replay
from .review import review_lines
from .session import Session
from .spans import Line, Span, clipped, plain, width
from .texts import clock_text, thinking_text, wrapped
from .tiles import ARROWS, SIZES, Area, areas, board_lines

__all__ = ["Picture", "draw"]


class Picture(NamedTuple):
    """The lines of a screen, and where on it the cells of the board are."""

    lines: Sequence[Line]
    cells: Sequence[Area] = ()

    def cell_at(self, row: int, col: int) -> Optional[int]:
        """The cell at a row and a column of the screen, if there is one."""
        for cell, (top, left, bottom, right) in enumerate(self.cells):
            if top <= row < bottom and left <= col < right:
                return cell
        return None


_PANEL = 24  # columns beside the board
_GAP = "   "
_TOO_SMALL = "This terminal is too small for the game. Make it larger, or press q to quit."


def draw(session: Session, columns: int, rows: int, *, ascii_only: bool = False, colours: str = "rows") -> Picture:
    """The screen of a session.

    Parameters
    ----------
    session : Session
    columns, rows : int
        The size of the terminal. The last column stays free: some terminals begin a new line after it.
    ascii_only : bool
        Whether to draw without other characters than those of ASCII.
    colours : {"rows", "rings", "plain"}
        What the colour of a tile tells; see `puzzle15.pictures.colour_numbers`.

    Returns
    -------
    Picture
        At most `rows` lines. In a small terminal the board is small, or there is only a sentence.
    """
    columns -= 1
    if session.mode == "help":
        picture = Picture(_help(session))
    elif session.mode == "paused":
        picture = Picture([_title(session), [], [Span("The game is paused. Press any key to go on.")]])
    elif session.mode == "over" or session.is_over and session.replay is None:
        picture = Picture(_over(session, columns, rows, ascii_only))
    elif session.games:
        picture = _playing(session, columns, rows, ascii_only, colours)
    else:
        picture = Picture([_title(session), [], *_prompt(session, columns)])
    if len(picture.lines) > rows or max(map(width, picture.lines)) > columns:
        return Picture([[Span(line[:columns])] for line in wrapped(_TOO_SMALL.split(" "), columns)][:rows])
    return picture


# ---------------------------------------------------------------- a game, or a replay


def _playing(session: Session, columns: int, rows: int, ascii_only: bool, colours: str) -> Picture:
    """The board in the largest size that leaves room for what belongs beside it, or else below it."""
    shape = session.board.shape
    prompt = _prompt(session, columns)
    panel = _panel(session, ascii_only)
    hint = session.hint.moves if session.mode == "playing" and session.hint is not None else ""
    for beside in (True, False):
        for size in SIZES:
            board = board_lines(
                session.board,
                session.goal,
                size,
                hint=hint,
                arrows=session.convention == "tile",
                ascii_only=ascii_only,
                colours=colours,
            )
            if beside:
                block = _side_by_side(board, panel, _goal(session), rows - 1 - len(prompt))
            else:
                block = [
                    *board,
                    *([Span(line)] for line in wrapped([_squeezed(line) for line in panel], columns, "  ")),
                ]
            lines = [_title(session), *block, *prompt]
            room = columns - _PANEL - len(_GAP) if beside else columns
            if len(lines) <= rows and width(board[0]) <= room:
                lines[len(lines) - len(prompt) : len(lines) - len(prompt)] = [[]] * (len(lines) < rows)
                return Picture([clipped(line, columns) for line in lines], areas(shape, size, 1))
    return Picture(lines)


def _side_by_side(board: Sequence[Line], panel: Sequence[Line], goal: Sequence[Line], rows: int) -> list[Line]:
    """The panel on the right of the board, and the goal below it if there is room."""
    if len(panel) + 1 + len(goal) <= rows:
        panel = [*panel, *[[]] * max(len(board) - len(panel) - len(goal), 1), *goal]
    blank = [Span(" " * width(board[0]))]
    return [
        [*(board[row] if row < len(board) else blank), Span(_GAP), *(panel[row] if row < len(panel) else [])]
        for row in range(max(len(board), len(panel)))
    ]


def _squeezed(line: Line) -> str:
    return " ".join(plain(line).split())


def _title(session: Session) -> Line:
    rows, cols = session.goal.shape
    return [Span(f"{rows * cols - 1}-puzzle", "title"), Span(f"  {rows}x{cols}", "quiet")]


def _panel(session: Session, ascii_only: bool) -> list[Line]:
    """What is told beside the board."""
    if session.replay is not None:
        return _replay_panel(session, session.replay, ascii_only)
    game, known = session.game, session.knowledge.distance
    lines = [
        _row("time", clock_text(game.seconds)),
        _row("moves", str(len(game.moves))),
        _row("shortest", _distance_text(session, game.start)),
    ]
    if session.shows_distance or session.hint is not None:
        lines.append(_row("to go", _distance_text(session, game.board)))
        left, shortest = known(game.board), known(game.start)
        if left is not None and shortest is not None:
            lines.append(_row("lost", str(len(game.moves) + left - shortest)))
    if game.hints:
        lines.append(_row("hints", str(game.hints)))
    if session.wants_hint:
        lines += [[], _hint_row(session, ascii_only)]
    return lines


def _row(name: str, value: str) -> Line:
    return [Span(f"{name:10}", "quiet"), Span(value)]


def _hint_row(session: Session, ascii_only: bool) -> Line:
    hint = session.hint
    if hint is None:
        return _row("hint", thinking_text(session.knowledge.thinker))
    if not hint.moves:
        return _row("hint", "none was found in time")
    letters = format_moves(hint.moves, session.convention)
    value = " or ".join(letters if ascii_only else [f"{ARROWS[letter]} {letter}" for letter in letters])
    return [Span("hint      ", "quiet"), Span(value, "title")]


def _distance_text(session: Session, board: Board) -> str:
    """Moves of a shortest solution, or why they are not known."""
    distance = session.knowledge.distance(board)
    if distance is not None:
        return str(distance)
    solution = session.knowledge.solution(board)
    return thinking_text(session.knowledge.thinker) if solution is None else f"at least {solution.lower_bound}"


def _replay_panel(session: Session, replay: Replay, ascii_only: bool) -> list[Line]:
    letters = format_moves(replay.moves[replay.place : replay.place + 1], session.convention)
    return [
        [Span("A shortest solution", "title")],
        [],
        _row("move", f"{replay.place} of {len(replay.moves)}"),
        _row("to go", str(len(replay.moves) - replay.place)),
        _row("next", letters if ascii_only or not letters else f"{ARROWS[letters]} {letters}"),
        _row("pace", f"{replay.tiles_per_second:g} tiles per second" + ("" if replay.is_playing else ", stopped")),
    ]


def _goal(session: Session) -> list[Line]:
    """The goal, small."""
    grid = format_board(session.goal.tiles, session.goal.shape, "grid", blank=".")
    return [_row("goal", line) if not row else _row("", line) for row, line in enumerate(grid.splitlines())]


_KEYS = {
    "drawing": ["q quit"],
    "playing": [
        "arrows move",
        "? hint",
        "u undo",
        "y redo",
        "i distance",
        "p pause",
        "n new",
        "r restart",
        "g give up",
        "c all keys",
        "q quit",
    ],
    "over": ["v watch a shortest solution", "r same board again", "n new board", "q quit"],
    "replay": ["space go or stop", "left, right step", "up, down pace", "esc back", "n new board", "q quit"],
    "confirm": ["y yes", "any other key no"],
    "distance": ["enter draw", "a any board", "esc back"],
}


def _prompt(session: Session, columns: int) -> list[Line]:
    """What the game says, and the keys."""
    mode, text = session.mode, session.message
    if mode == "confirm":
        text = session.unconfirmed
    elif mode == "drawing":
        text = f"A board is being drawn: {thinking_text(session.knowledge.thinker)}"
    elif mode == "distance":
        now = "any board" if session.distance is None else str(session.distance)
        asked = f"Distance of the new board (now: {now}): {session.typed}_"
        text = f"{text} {asked}" if text else asked
    said: list[Line] = [[Span(piece, "title")] for piece in wrapped(text.split(" "), columns)]
    return [*(said or [[]]), *([Span(piece, "quiet")] for piece in wrapped(_KEYS[mode], columns, "   "))]


# ---------------------------------------------------------------- after a game


def _over(session: Session, columns: int, rows: int, ascii_only: bool) -> list[Line]:
    prompt = _prompt(session, columns)
    return [_title(session), [], *review_lines(session, columns, rows - len(prompt) - 3, ascii_only), [], *prompt]


# ---------------------------------------------------------------- help

_HELP = """\
A move slides one tile into the blank. Bring the tiles into the goal's order.

arrows           move {what} in this direction
h j k l, a s w d the same: left, down, up, right
L D U R          the same in capital letters, as solutions are written
a click          slide a tile and those between it and the blank; each tile
                 counts as one move
?                hint: all first moves of shortest solutions
i                show the distance after each move, or hide it
u, backspace     take back a move
y, ctrl-r        make it again
p, space         pause; the board is hidden
n                new board, at a distance that you choose
r                begin again at the same board
g                give up: see the analysis and a shortest solution
c, f1            these keys
q, ctrl-d        quit; ctrl-c quits at once, ctrl-z suspends

After a game, the distance after each move is shown, and which moves cost.
Then v shows a shortest solution: space goes on or stops, left and right
step, up and down change the pace, home and end go to the ends.

Press any key to go on."""


def _help(session: Session) -> list[Line]:
    what = "a tile" if session.convention == "tile" else "the blank"
    return [[Span(line)] for line in _HELP.format(what=what).splitlines()]
