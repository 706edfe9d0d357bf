"""A session on the whole screen of a terminal: show it, then wait for a key or for what goes on without one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple, Optional

from ..board import Board, Shape, format_board, format_moves
from ..pictures import board_box, colour_numbers
from .game import Replay
from .keys import Click, KeyReader, meaning_of
from .review import review_lines
from .session import Session
from .spans import Line, Span, clipped, clock_text, painted, plain, styled, wrapped

__all__ = ["Picture", "draw", "play_on_screen"]

#: Where a cell is on the screen: (top, left, bottom, right), ends excluded.
_Area = tuple[int, int, int, int]

_ESCAPE_S = 0.05  # after this time an escape is a key, not the begin of one
_PANEL = 24  # columns beside the board
_GAP = "   "
_ARROWS = {"U": "↑", "D": "↓", "L": "←", "R": "→"}
_TOO_SMALL = "This terminal is too small for the game. Make it larger, or press q to quit."


def play_on_screen(
    session: Session,
    source: int,
    target: int,
    *,
    encoding: str = "utf-8",
    ascii_only: bool = False,
    colours: Optional[str] = "rows",
) -> None:
    """Play until the player quits or the terminal is gone, and leave the terminal as it was, whatever happens.

    Parameters
    ----------
    session : Session
    source, target : int
        The descriptors of the terminal: where keys come from, and where the screen is written.
    encoding : str
        Of what is written.
    ascii_only : bool
        Whether only characters of ASCII are written.
    colours : {"rows", "rings", "plain"}, optional
        As for `puzzle15.pictures.board_fragment`; None for a terminal without colours.
    """
    from .terminal import Terminal  # Windows has none

    reader = KeyReader()
    with closing(Terminal(source, target, encoding)) as terminal:
        session.thinker.wake = terminal.wake
        terminal.open()
        while not session.has_ended:
            session.go_on()
            columns, rows = terminal.size
            picture = draw(session, columns, rows, ascii_only=ascii_only, colours=colours or "plain")
            terminal.show([painted(line, colours is not None) for line in picture.lines])
            data = terminal.read(_ESCAPE_S if reader.is_waiting else session.wait_s)
            if data is None:
                return
            for key in reader.feed(data):
                if key == "ctrl-l":
                    terminal.forget()
                elif isinstance(key, Click):
                    cell = picture.cell_at(key.row, key.col)
                    if cell is not None:
                        session.slide(cell)
                elif key.isdecimal():
                    session.type(key)
                else:
                    session.do(meaning_of(key, session.mode))


class Picture(NamedTuple):
    """The lines of a screen, and where on it the cells of the board are."""

    lines: Sequence[Line]
    cells: Sequence[_Area] = ()

    def cell_at(self, row: int, col: int) -> Optional[int]:
        """The cell at a row and a column of the screen, if there is one."""
        for cell, (top, left, bottom, right) in enumerate(self.cells):
            if top <= row < bottom and left <= col < right:
                return cell
        return None


def draw(session: Session, columns: int, rows: int, *, ascii_only: bool = False, colours: str = "rows") -> Picture:
    """The screen of a session in a terminal of this size: at most `rows` lines.

    The last column stays free, because some terminals begin a new line after it. In a small terminal the board is
    small, or there is only a sentence.
    """
    columns -= 1
    prompt = [] if session.mode in ("help", "paused") else _prompt(session, columns)
    if session.mode == "help":
        what = "a tile" if session.convention == "tile" else "the blank"
        picture = Picture([[Span(line)] for line in _HELP.format(what=what).splitlines()])
    elif session.mode == "paused":
        picture = Picture([_title(session), [], [Span("The game is paused. Press any key to go on.")]])
    elif session.is_over and session.replay is None:
        review = review_lines(session, columns, rows - len(prompt) - 3, ascii_only)
        picture = Picture([_title(session), [], *review, [], *prompt])
    elif session.games:
        picture = _playing(session, prompt, columns, rows, ascii_only, colours)
    else:
        picture = Picture([_title(session), [], *prompt])
    if len(picture.lines) > rows or max(len(plain(line)) for line in picture.lines) > columns:
        return Picture([[Span(line[:columns])] for line in wrapped(_TOO_SMALL.split(" "), columns)][:rows])
    return picture


# ---------------------------------------------------------------- the board


class _Size(NamedTuple):
    """Columns and rows of spaces around a number, and whether there are lines between the cells."""

    beside: int
    above: int
    framed: bool

    def areas(self, shape: Shape) -> list[_Area]:
        """Where the cells of a board are, below one line of title."""
        wide, high, line = _digits(shape) + 2 * self.beside, 1 + 2 * self.above, int(self.framed)
        corners = [
            (1 + line + row * (high + line), line + col * (wide + line))
            for row in range(shape[0])
            for col in range(shape[1])
        ]
        return [(top, left, top + high, left + wide) for top, left in corners]


_SIZES = (_Size(2, 1, True), _Size(1, 0, True), _Size(1, 0, False))


def _digits(shape: Shape) -> int:
    return len(str(shape[0] * shape[1] - 1))


def _board_lines(session: Session, size: _Size, ascii_only: bool, colours: str) -> list[Line]:
    """The lines of the board. Tiles at home are bold; those of a hint have arrows, where they fit."""
    board, goal = session.board, session.goal
    rows, cols = board.shape
    digits = _digits(board.shape)
    if size.framed:
        text = board_box(board.tiles, board.shape, ascii_only=ascii_only, padding=(size.beside, size.above))
    else:
        text = ["".join(f" {board[row, col] or '':>{digits}} " for col in range(cols)) for row in range(rows)]
    hint = session.hint.moves if session.mode == "playing" and session.hint is not None else ""
    hinted = {board.move(move).blank: move for move in hint}  # the blank takes the tile's cell
    numbers = colour_numbers(board.shape, colours, goal.tiles)
    lines: list[list[Span]] = [[] for _ in text]
    done = [0] * len(text)  # columns of each line
    for cell, (top, left, bottom, right) in enumerate(size.areas(board.shape)):
        tile = board[cell]
        style = f"{'home' if tile == goal[cell] else 'tile'} {numbers[tile]}" if tile else ""
        for row in range(top - 1, bottom - 1):
            inner = text[row][left:right]
            if cell in hinted and top <= row == bottom - 2 and session.convention == "tile":
                arrow = hinted[cell] if ascii_only else _ARROWS[hinted[cell]]
                inner = arrow.rjust(digits).center(right - left)
            lines[row] += [Span(text[row][done[row] : left]), Span(inner, "hint" if cell in hinted else style)]
            done[row] = right
    return [[*line, Span(text[row][done[row] :])] for row, line in enumerate(lines)]


def _playing(
    session: Session, prompt: Sequence[Line], columns: int, rows: int, ascii_only: bool, colours: str
) -> Picture:
    """The board in the largest size that leaves space for the panel beside it, or else below it."""
    panel = _panel(session, ascii_only)
    below: list[Line] = [
        [Span(line)] for line in wrapped([" ".join(plain(row).split()) for row in panel], columns, "  ")
    ]
    for beside in (True, False):
        for size in _SIZES:
            board = _board_lines(session, size, ascii_only, colours)
            block = _side_by_side(board, panel, _goal(session), rows - 1 - len(prompt)) if beside else [*board, *below]
            lines = [_title(session), *block, *[[]] * (1 + len(block) + len(prompt) < rows), *prompt]
            free = columns - _PANEL - len(_GAP) if beside else columns
            if len(lines) <= rows and len(plain(board[0])) <= free:
                return Picture([clipped(line, columns) for line in lines], size.areas(session.board.shape))
    return Picture(lines)


def _side_by_side(board: Sequence[Line], panel: Sequence[Line], goal: Sequence[Line], rows: int) -> list[Line]:
    """The panel on the right of the board, and the goal below it if there is space."""
    if len(panel) + 1 + len(goal) <= rows:
        panel = [*panel, *[[]] * max(len(board) - len(panel) - len(goal), 1), *goal]
    blank = [Span(" " * len(plain(board[0])))]
    return [
        [*(board[row] if row < len(board) else blank), Span(_GAP), *(panel[row] if row < len(panel) else [])]
        for row in range(max(len(board), len(panel)))
    ]


# ---------------------------------------------------------------- what stands around it


def _title(session: Session) -> Line:
    rows, cols = session.goal.shape
    return [Span(f"{rows * cols - 1}-puzzle", "title"), Span(f"  {rows}x{cols}", "quiet")]


def _row(name: str, value: str, style: str = "") -> Line:
    return [Span(f"{name:10}", "quiet"), Span(value, style)]


def _panel(session: Session, ascii_only: bool) -> list[Line]:
    """The figures beside the board."""
    if session.replay is not None:
        return _replay_panel(session, session.replay, ascii_only)
    game = session.game
    lines = [
        _row("time", clock_text(game.seconds)),
        _row("moves", str(len(game.moves))),
        _row("shortest", _distance_text(session, game.start)),
    ]
    if session.shows_distance or session.hint is not None:
        lines.append(_row("to go", _distance_text(session, game.board)))
        left, shortest = session.distance_of(game.board), session.distance_of(game.start)
        if left is not None and shortest is not None:
            lines.append(_row("lost", str(len(game.moves) + left - shortest)))
    if game.hints:
        lines.append(_row("hints", str(game.hints)))
    if session.wants_hint:
        hint = session.hint
        if hint is None:
            lines += [[], _row("hint", session.thinker.text)]
        elif not hint.moves:
            lines += [[], _row("hint", "none was found in time")]
        else:
            lines += [[], _row("hint", " or ".join(_directions(session, hint.moves, ascii_only)), "title")]
    return lines


def _replay_panel(session: Session, replay: Replay, ascii_only: bool) -> list[Line]:
    following = replay.moves[replay.shown : replay.shown + 1]
    stopped = ", stopped" if replay.wait_s is None else ""
    return [
        [Span("A shortest solution", "title")],
        [],
        _row("move", f"{replay.shown} of {len(replay.moves)}"),
        _row("to go", str(len(replay.moves) - replay.shown)),
        _row("next", "".join(_directions(session, following, ascii_only))),
        _row("pace", f"{replay.tiles_per_second:g} tiles per second{stopped}"),
    ]


def _directions(session: Session, moves: str, ascii_only: bool) -> list[str]:
    letters = format_moves(moves, convention=session.convention)
    return [letter if ascii_only else f"{_ARROWS[letter]} {letter}" for letter in letters]


def _distance_text(session: Session, board: Board) -> str:
    """Moves of a shortest solution, or why they are not known."""
    distance = session.distance_of(board)
    if distance is not None:
        return str(distance)
    solution = session.solution_of(board)
    return session.thinker.text if solution is None else f"at least {solution.lower_bound}"


def _goal(session: Session) -> list[Line]:
    """The goal, small."""
    grid = format_board(session.goal.tiles, session.goal.shape, "grid", blank=".")
    return [_row("" if row else "goal", line) for row, line in enumerate(grid.splitlines())]


_PLAYING_KEYS = "arrows move|? hint|u undo|y redo|i distance|p pause|n new|r restart|g give up|c all keys|q quit"
_KEYS = {
    "drawing": "q quit",
    "playing": _PLAYING_KEYS,
    "over": "v watch a shortest solution|r same board again|n new board|q quit",
    "replay": "space go or stop|left, right step|up, down pace|esc back|n new board|q quit",
    "confirm": "y yes|any other key no",
    "distance": "enter draw|a any board|esc back",
}


def _prompt(session: Session, columns: int) -> list[Line]:
    """The game's message or question, and the keys."""
    mode, text = session.mode, session.message
    if mode == "confirm":
        text = session.unconfirmed
    elif mode == "drawing":
        text = f"A board is being drawn: {session.thinker.text}"
    elif mode == "distance":
        now = "any board" if session.distance is None else str(session.distance)
        text = f"{text} Distance of the new board (now: {now}): {session.typed}_".lstrip()
    keys = wrapped(_KEYS[mode].split("|"), columns, "   ")
    return [*(styled(text, columns) or [[]]), *([Span(line, "quiet")] for line in keys)]


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
