"""What the screen of a terminal shows of a session, as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Optional

from ..board import Board, Shape, format_board, format_moves
from ..pictures import board_box, colour_numbers
from .curve import curve
from .replay import Replay
from .session import Session
from .spans import Line, Span, clipped, plain, width

__all__ = ["Picture", "count_text", "draw", "look_back"]


class Picture(NamedTuple):
    """The lines of a screen, and where on it the cells of the board are: (top, left, bottom, right), ends excluded."""

    lines: Sequence[Line]
    cells: Sequence[tuple[int, int, int, int]] = ()

    def cell_at(self, row: int, col: int) -> Optional[int]:
        """The cell at a row and a column of the screen, if there is one."""
        for cell, (top, left, bottom, right) in enumerate(self.cells):
            if top <= row < bottom and left <= col < right:
                return cell
        return None


class _Size(NamedTuple):
    """Columns and rows of spaces around a number, and whether there are lines between the cells."""

    beside: int
    above: int
    framed: bool

    def cell(self, shape: Shape) -> tuple[int, int]:
        """Columns and rows of a cell."""
        return _digits(shape) + 2 * self.beside, 1 + 2 * self.above


_SIZES = (_Size(2, 1, True), _Size(1, 0, True), _Size(1, 0, False))
_PANEL = 24  # columns beside the board
_GAP = "   "
_LOWEST_CURVE, _HIGHEST_CURVE = 3, 10
_ARROWS = {"U": "↑", "D": "↓", "L": "←", "R": "→"}
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
        return Picture([[Span(line[:columns])] for line in _wrapped(_TOO_SMALL.split(" "), columns, " ")][:rows])
    return picture


# ---------------------------------------------------------------- a game, or a replay


def _playing(session: Session, columns: int, rows: int, ascii_only: bool, colours: str) -> Picture:
    """The board in the largest size that leaves room for what belongs beside it, or else below it."""
    shape = session.board.shape
    prompt = _prompt(session, columns)
    panel = _panel(session, ascii_only)
    for beside in (True, False):
        for size in _SIZES:
            board = _board(session, size, ascii_only, colours)
            if beside:
                block = _side_by_side(board, panel, _goal(session), rows - 1 - len(prompt))
            else:
                block = [
                    *board,
                    *([Span(line)] for line in _wrapped([_squeezed(line) for line in panel], columns, "  ")),
                ]
            lines = [_title(session), *block, *prompt]
            room = columns - _PANEL - len(_GAP) if beside else columns
            if len(lines) <= rows and width(board[0]) <= room:
                lines[len(lines) - len(prompt) : len(lines) - len(prompt)] = [[]] * (len(lines) < rows)
                return Picture([clipped(line, columns) for line in lines], _cells(shape, size, 1))
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


def _board(session: Session, size: _Size, ascii_only: bool, colours: str) -> list[Line]:
    """The board. Tiles are bold at home; those that a hint moves have an arrow where there is room."""
    board, goal = session.board, session.goal
    wide, _ = size.cell(board.shape)
    if size.framed:
        text = board_box(board.tiles, board.shape, ascii_only=ascii_only, padding=(size.beside, size.above))
    else:
        rows, cols = board.shape
        text = [
            "".join(f"{board[row, col] or '':>{_digits(board.shape)}}".center(wide) for col in range(cols))
            for row in range(rows)
        ]
    hinted = {}
    if session.mode == "playing" and session.hint is not None:
        hinted = {board.move(move).blank: move for move in session.hint.moves}  # the blank takes the tile's cell
    numbers = colour_numbers(board.shape, colours, goal.tiles)
    pieces: list[list[tuple[int, Span]]] = [[] for _ in text]
    for cell, (top, left, bottom, right) in enumerate(_cells(board.shape, size)):
        tile = board[cell]
        style = (
            "hint" if cell in hinted else f"{'home' if tile == goal[cell] else 'tile'} {numbers[tile]}" if tile else ""
        )
        for row in range(top, bottom):
            inner = text[row][left:right]
            if cell in hinted and top < row == bottom - 1 and session.convention == "tile":
                arrow = hinted[cell] if ascii_only else _ARROWS[hinted[cell]]
                inner = arrow.rjust(_digits(board.shape)).center(wide)
            pieces[row].append((left, Span(inner, style)))
    return [_assembled(line, some) for line, some in zip(text, pieces)]


def _assembled(text: str, pieces: Sequence[tuple[int, Span]]) -> Line:
    """A line with spans in the place of what stood at their columns."""
    spans, done = [], 0
    for begin, span in pieces:
        spans += [Span(text[done:begin]), span]
        done = begin + len(span.text)
    return [*spans, Span(text[done:])]


def _cells(shape: Shape, size: _Size, down: int = 0) -> list[tuple[int, int, int, int]]:
    """(top, left, bottom, right) of each cell, of a board whose first line has the number `down`."""
    wide, high = size.cell(shape)
    line = int(size.framed)
    corners = [
        (down + line + row * (high + line), line + col * (wide + line))
        for row in range(shape[0])
        for col in range(shape[1])
    ]
    return [(top, left, top + high, left + wide) for top, left in corners]


def _digits(shape: Shape) -> int:
    return len(str(shape[0] * shape[1] - 1))


def _panel(session: Session, ascii_only: bool) -> list[Line]:
    """What is told beside the board."""
    if session.replay is not None:
        return _replay_panel(session, session.replay, ascii_only)
    game, known = session.game, session.knowledge.distance
    lines = [
        _row("time", _clock_text(game.seconds)),
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
        return _row("hint", _thinking(session))
    if not hint.moves:
        return _row("hint", "none was found in time")
    letters = format_moves(hint.moves, session.convention)
    value = " or ".join(letters if ascii_only else [f"{_ARROWS[letter]} {letter}" for letter in letters])
    return [Span("hint      ", "quiet"), Span(value, "title")]


def _distance_text(session: Session, board: Board) -> str:
    """Moves of a shortest solution, or why they are not known."""
    distance = session.knowledge.distance(board)
    if distance is not None:
        return str(distance)
    solution = session.knowledge.solution(board)
    return _thinking(session) if solution is None else f"at least {solution.lower_bound}"


def _thinking(session: Session) -> str:
    seconds = int(session.knowledge.thinker.seconds)
    return "thinking ..." + (f" {seconds} s" if seconds else "")


def _replay_panel(session: Session, replay: Replay, ascii_only: bool) -> list[Line]:
    letters = format_moves(replay.moves[replay.place : replay.place + 1], session.convention)
    return [
        [Span("A shortest solution", "title")],
        [],
        _row("move", f"{replay.place} of {len(replay.moves)}"),
        _row("to go", str(len(replay.moves) - replay.place)),
        _row("next", letters if ascii_only or not letters else f"{_ARROWS[letters]} {letters}"),
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
        text = f"A board is being drawn: {_thinking(session)}"
    elif mode == "distance":
        now = "any board" if session.distance is None else str(session.distance)
        asked = f"Distance of the new board (now: {now}): {session.typed}_"
        text = f"{text} {asked}" if text else asked
    said: list[Line] = [[Span(piece, "title")] for piece in _wrapped(text.split(" "), columns, " ")]
    return [*(said or [[]]), *([Span(piece, "quiet")] for piece in _wrapped(_KEYS[mode], columns, "   "))]


def _wrapped(pieces: Sequence[str], columns: int, gap: str) -> list[str]:
    """Pieces in as many lines as they need."""
    lines = [""]
    for piece in filter(None, pieces):
        if lines[-1] and len(lines[-1]) + len(gap) + len(piece) > columns:
            lines.append("")
        lines[-1] += gap * bool(lines[-1]) + piece
    return [line for line in lines if line]


# ---------------------------------------------------------------- after a game


def _over(session: Session, columns: int, rows: int, ascii_only: bool) -> list[Line]:
    prompt = _prompt(session, columns)
    return [_title(session), [], *look_back(session, columns, rows - len(prompt) - 3, ascii_only), [], *prompt]


def look_back(session: Session, columns: int, rows: int, ascii_only: bool = False) -> list[Line]:
    """What became of a game: a summary, the curve of the distances, and as many moves that cost as there is room."""
    lines: list[Line] = [[Span(line, "title")] for line in _wrapped(_summary(session).split(" "), columns, " ")]
    analysis = session.analysis
    if analysis is None:
        return [*lines, [], [Span(f"The game is being analysed: {_thinking(session)}")]]
    if not analysis.distances:
        return [*lines, [], [Span("The game was not analysed: a limit was reached.")]]
    convention = session.convention
    mistakes = [
        f"move {mistake.number:3}: {format_moves(mistake.move, convention)} lost {mistake.lost}, better was "
        f"{format_moves(mistake.finish, convention, compress=True)}"
        for mistake in analysis.mistakes
    ]
    room = rows - len(lines) - 4  # for the curve and the mistakes: two lines stand above the curve, two below it
    most = min(_HIGHEST_CURVE, max(analysis.distances))
    high = max(min(room - min(len(mistakes), room // 2), most), _LOWEST_CURVE)
    shown = mistakes[: max(room - high, 0)]
    if 0 < len(shown) < len(mistakes):
        shown[-1] = f"and {len(mistakes) - len(shown) + 1} more moves that cost"
    costly = {mistake.number for mistake in analysis.mistakes}
    told = "distance after each move" + ("; ^ marks moves that cost" if costly else "")
    if analysis.status != "solved":
        told += f"; a limit was reached after move {len(analysis.distances) - 1}"
    *bars, marks, numbers = curve(analysis.distances, costly, columns, high, ascii_only)
    lines += [
        [],
        [Span(told, "quiet")],
        *([Span(bar)] for bar in bars),
        [Span(marks, "loss")],
        [Span(numbers, "quiet")],
    ]
    return [*lines, *(clipped([Span(line)], columns) for line in shown)]


def _summary(session: Session) -> str:
    """What became of a game, in a sentence or two."""
    game, made = session.game, len(session.game.moves)
    shortest = session.knowledge.distance(game.start)
    begin = "Given up after" if session.has_given_up else "Solved in"
    text = f"{begin} {count_text(made, 'move')} ({_clock_text(game.seconds)})"
    if shortest is None:
        text += "."
    elif session.has_given_up:
        text += f". A shortest solution has {count_text(shortest, 'move')}."
    elif made == shortest:
        text += ": no solution is shorter."
    else:
        text += f". A shortest solution has {count_text(shortest, 'move')}, {made - shortest} fewer."
    helps = [f"took {count_text(game.hints, 'hint')}"] * bool(game.hints)
    helps += [f"took back {count_text(game.undone, 'move')}"] * bool(game.undone)
    return f"{text} You {' and '.join(helps)}." if helps else text


def count_text(number: int, what: str) -> str:
    """A number of things.

    >>> count_text(1, "move"), count_text(2, "move")
    ('1 move', '2 moves')
    """
    return f"{number} {what}{'s' * (number != 1)}"


def _clock_text(seconds: float) -> str:
    """Minutes and seconds, as clocks show them.

    >>> _clock_text(75.9), _clock_text(3600)
    ('1:15', '60:00')
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


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
