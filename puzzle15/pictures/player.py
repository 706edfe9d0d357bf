"""Moves of a board as HTML that plays them: with buttons, a slider and keys, and with all it needs inside.

`player.js` and `player.css` lie beside this module. Without scripts a reader still sees the board, the moves and the
text. Nothing has an id, so a page, such as a notebook, can hold any number of players.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Optional

from .palette import css_variables
from .speed import check_speed, slide_seconds
from .svg import board_svg

__all__ = ["player_html"]


def player_html(
    tiles: Sequence[int],
    shape: tuple[int, int],
    moves: Sequence[str],
    *,
    distances: Sequence[int] = (),
    caption: str = "",
    tiles_per_second: float = 2.0,
    size: float = 240,
    colours: str = "rows",
    numbers: bool = True,
    goal: Optional[Sequence[int]] = None,
) -> str:
    """A ``<div>`` that plays moves, to be placed in a page or shown by a notebook.

    Parameters
    ----------
    tiles, shape, size, colours, numbers, goal
        As for `puzzle15.pictures.board_fragment`.
    moves : sequence of str
        Legal moves, each one letter or, for a multi-tile move, several equal ones. Without moves there is nothing to
        play, and it shows the board and the caption; without tiles the caption alone.
    distances : sequence of int
        The distance to the goal before the first move and after each one; nothing if they are not known.
    caption : str
        Text below the board.
    tiles_per_second : float
        The number of moves per second; of a multi-tile move all tiles slide at once.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> player_html([1, 2, 3, 0], (2, 2), ["D", "R"], caption="a < b")[:65]
    '<div class="p15-player" role="group" aria-label="Sliding-tile boa'
    """
    check_speed(tiles_per_second)
    parts = [_style()]
    if tiles:
        parts.append(board_svg(tiles, shape, size=size, colours=colours, numbers=numbers, goal=goal))
    label, style, data = "Sliding-tile board", f"--wide:{max(_NARROWEST, size):g}px", ""
    if caption:
        parts.append(f"<p>{escape(caption)}</p>")
    if moves:
        label += f" and {len(moves)} moves"
        style += f";--slide:{slide_seconds(tiles_per_second):.3g}s"
        game = {
            "tiles": list(tiles),
            "cols": shape[1],
            "moves": " ".join(moves),
            "distances": list(distances),
            "delay": round(1000 / tiles_per_second),
        }
        data = f' data-lm-suppress-shortcuts="true" data-game="{escape(json.dumps(game, separators=(",", ":")))}"'
        parts += [
            f'<p class="p15-moves"><span></span><b></b><span>{escape(_text_of(moves))}</span></p>',
            '<p class="p15-status" aria-live="polite"></p>',
            f'<div class="p15-controls" hidden>{_BUTTONS}<input class="p15-slider" type="range" min="0" '
            f'max="{len(moves)}" value="0" aria-label="Move"></div><script>{_beside("player.js")}</script>',
        ]
    return f'<div class="p15-player" role="group" aria-label="{label}" style="{style}"{data}>{"".join(parts)}</div>'


def _text_of(moves: Sequence[str]) -> str:
    """Moves as text; a digit tells how many equal letters a multi-tile move has.

    >>> _text_of(["L", "L", "DD"])
    'LLD2'
    """
    return "".join(move[0] + (str(len(move)) if len(move) > 1 else "") for move in moves)


_NARROWEST = 280  # pixels, for the buttons side by side

_BUTTONS = "".join(
    f'<button type="button" class="p15-{word.lower()}">{word}</button>'
    for word in ("First", "Back", "Play", "Next", "Last")
)


def _style() -> str:
    return f"<style>{css_variables('.p15-player')}{_beside('player.css')}</style>"


@cache
def _beside(name: str) -> str:
    """A file beside this module."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
