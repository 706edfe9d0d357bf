"""A session on the whole screen of a terminal: show it, then wait for a key or for what goes on without one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import zip_longest
from typing import Any, NamedTuple, Optional

from ..._pictures.boxes import board_box
from ...board import Board, Shape, format_moves
from ...board._notation import format_board
from .keys import Click, KeyReader
from .review import review_lines
from .session import Session
from .text import bold, clock_text, dim, fitted, plain, wrapped

#: Where a cell is on the screen: (top, left, bottom, right), ends excluded.
_Area = tuple[int, int, int, int]

_LOOK_S = 0.05  # between two looks at what goes on without a key; after this time an escape is a key of its own
_IDLE_S = 0.25  # the same while nothing but the clock and the size of the terminal can change
_PANEL = 24  # columns beside the board
_GAP = "   "
_ARROWS = {"U": "↑", "D": "↓", "L": "←", "R": "→"}
_TOO_SMALL = "This terminal is too small for the game. Make it larger, or press q to quit."


def play_on_screen(session: Session, source: int, target: int, encoding: str = "utf-8") -> None:
    """Play until the player quits or the terminal is gone, and leave the terminal as it was, whatever happens.

    Keys come from the descriptor `source`, and the screen is written to `target` in this encoding.
    """
    from .terminal import Terminal  # Windows has none

    reader = KeyReader()
    with closing(Terminal(source, target, encoding)) as terminal:
        terminal.open()
        while not session.has_ended:
            session.go_on()
            picture = draw(session, *terminal.size)
            terminal.show(picture.lines)
            data = terminal.read(_LOOK_S if reader.is_waiting or session.thinker.question else _IDLE_S)
            if data is None:
                return
            for key in reader.feed(data):
                if key == "ctrl-l":
                    terminal.forget()
                elif isinstance(key, Click):
                    cell = picture.cell_at(key.row, key.col)
                    if cell is not None:
                        session.slide(cell)
                else:
                    session.press(key)


class Picture(NamedTuple):
    """The lines of a screen, and where on it the cells of the board are."""

    lines: Sequence[str]
    cells: Sequence[_Area] = ()

    def cell_at(self, row: int, col: int) -> Optional[int]:
        """Return the cell at a row and a column of the screen, if there is one."""
        areas = enumerate(self.cells)
        inside = (cell for cell, (top, left, bottom, right) in areas if top <= row < bottom and left <= col < right)
        return next(inside, None)


def draw(session: Session, columns: int, rows: int) -> Picture:
    """Return the screen of a session in a terminal of this size: at most `rows` lines.

    The last column stays free, because some terminals begin a new line after it. In a small terminal the board is
    small, or there is only a sentence.
    """
    columns -= 1
    prompt = _prompt(session, columns)
    title = bold(f"{len(session.goal) - 1}-puzzle") + dim("  {}x{}".format(*session.goal.shape))
    if session.mode == "help":
        what = "a tile" if session.convention == "tile" else "the blank"
        picture = Picture(_HELP.format(what=what).splitlines())
    elif session.mode == "paused":
        picture = Picture([title, "", "The game is paused. Press any key to go on."])
    elif session.is_over and not session.is_replay:
        review = review_lines(session, columns, rows - len(prompt) - 3)
        picture = Picture([title, "", *review, "", *prompt])
    elif session.games:
        picture = _playing(session, title, prompt, columns, rows)
    else:
        picture = Picture([title, "", *prompt])
    if len(picture.lines) > rows or max(len(plain(line)) for line in picture.lines) > columns:
        return Picture([line[:columns] for line in wrapped(_TOO_SMALL.split(), columns)][:rows])
    return picture


#: Spaces beside and above the numbers of a board.
_SIZES = ((2, 1), (1, 0))


def _areas(shape: Shape, beside: int, above: int) -> list[_Area]:
    """Return where the cells of a board are, below one line of title."""
    wide, high = len(str(shape[0] * shape[1] - 1)) + 2 * beside, 1 + 2 * above
    corners = [(2 + row * (high + 1), 1 + col * (wide + 1)) for row in range(shape[0]) for col in range(shape[1])]
    return [(top, left, top + high, left + wide) for top, left in corners]


def _playing(session: Session, title: str, prompt: list[str], columns: int, rows: int) -> Picture:
    """Return the board in the largest size that leaves space for the panel beside it, or else below it."""
    panel, board, goal = _panel(session), session.board, session.goal
    below = wrapped([" ".join(plain(line).split()) for line in panel], columns, "  ")
    look: Any = {"ascii_only": session.ascii_only, "colours": session.colours, "goal": goal.tiles}
    lines: list[str] = []
    for beside in (True, False):
        for size in _SIZES:
            box = board_box(board.tiles, board.shape, **look, padding=size)
            width = len(plain(box[0]))
            block = [*box, *below]
            if beside:
                shown = _with_goal(panel, goal, len(box), rows - 1 - len(prompt))
                pairs = zip_longest(box, shown)
                block = [f"{left or ' ' * width}{_GAP}{right or ''}" for left, right in pairs]
            lines = [title, *block, *[""] * (1 + len(block) + len(prompt) < rows), *prompt]
            if len(lines) <= rows and width <= (columns - _PANEL - len(_GAP) if beside else columns):
                return Picture([fitted(line, columns) for line in lines], _areas(board.shape, *size))
    return Picture(lines)


def _with_goal(panel: list[str], goal: Board, height: int, rows: int) -> list[str]:
    """Return the panel, and the goal below it, at the foot of a board of this height, if there is space."""
    grid = format_board(goal.tiles, goal.shape, "grid", blank=".").splitlines()
    small = [_row("" if row else "goal", line) for row, line in enumerate(grid)]
    if len(panel) + 1 + len(small) > rows:
        return panel
    return [*panel, *[""] * max(height - len(panel) - len(small), 1), *small]


# ---------------------------------------------------------------- what stands around the board


def _row(name: str, value: str) -> str:
    return dim(f"{name:10}") + value


def _panel(session: Session) -> list[str]:
    """Return the figures beside the board."""
    if session.is_replay:
        solution, step = session.solution, session.step
        following = "".join(_directions(session, solution[step : step + 1]))
        counts = [_row("move", f"{step} of {len(solution)}"), _row("to go", str(len(solution) - step))]
        return [bold("A shortest solution"), "", *counts, _row("next", following)]
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
        text = session.thinker.text
        if session.hint is not None:
            moves = _directions(session, session.hint.best_moves)
            text = bold(" or ".join(moves)) or "none was found in time"
        lines += ["", _row("hint", text)]
    return lines


def _directions(session: Session, moves: str) -> list[str]:
    letters = format_moves(moves, convention=session.convention)
    return [letter if session.ascii_only else f"{_ARROWS[letter]} {letter}" for letter in letters]


def _distance_text(session: Session, board: Board) -> str:
    """Return the number of moves of a shortest solution, or why it is not known."""
    distance = session.distance_of(board)
    if distance is not None:
        return str(distance)
    solution = session.solution_of(board)
    return session.thinker.text if solution is None else f"at least {solution.lower_bound}"


_KEYS = {
    "drawing": "q quit",
    "playing": "arrows move|? hint|u undo|y redo|i distance|p pause|n new|r restart|g give up|c all keys|q quit",
    "over": "v watch a shortest solution|r same board again|n new board|q quit",
    "replay": "right or space: next move|left: back|esc back|n new board|q quit",
    "confirm": "y yes|any other key no",
    "distance": "enter draw|a any board|esc back",
    "help": "",
    "paused": "",
}


def _prompt(session: Session, columns: int) -> list[str]:
    """Return the game's message or question, and the keys."""
    mode, text = session.mode, session.message
    if mode == "confirm":
        text = session.unconfirmed
    elif mode == "drawing":
        text = f"A board is being drawn: {session.thinker.text}"
    elif mode == "distance":
        now = "any board" if session.distance is None else str(session.distance)
        text = f"{text} Distance of the new board (now: {now}): {session.typed}_"
    keys = wrapped(_KEYS[mode].split("|"), columns, "   ")
    return [*(map(bold, wrapped(text.split(), columns) or [""])), *map(dim, keys)]


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
Then v shows a shortest solution: right or space makes its next move, and left
takes it back.

Press any key to go on."""
