"""Boards and solutions as HTML, with the styles and scripts beside this module inside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from pathlib import Path

from .._system.quantities import count_text
from .loop import check_speed, slide_seconds
from .palette import css_variables
from .svg import DEFAULT_LOOK, Look, board_svg

_PAGE_RULES = (
    ".p15-page{margin:0;padding:16px;text-align:center;color:var(--text);background:var(--page)}"
    ".p15-page h1{font:1.1rem system-ui,sans-serif}"
    ".p15-page .p15-player{text-align:left}"
)
_TABLE_RULES = (
    ".p15-table{border-collapse:collapse;font:14px/1.4 system-ui,sans-serif;font-variant-numeric:tabular-nums}"
    ".p15-table,.p15-table caption{color:var(--text);background:var(--page)}"
    ".p15-table caption{caption-side:bottom;text-align:left;padding:6px 8px}"
    ".p15-table th,.p15-table td{padding:3px 8px;text-align:left;border-bottom:1px solid var(--control)}"
    ".p15-table .n{text-align:right}"
)
_NARROWEST = 280  # pixels of a player, for the buttons side by side
_BUTTONS = {"First": "Home", "Back": "left arrow", "Play": "space", "Next": "right arrow", "Last": "End"}


def html_page(title: str, picture: str) -> str:
    """A document that shows one picture below its title, light or dark. A player in it listens to all keys of the page.

    >>> "<h1>1 &lt; 2</h1><p>picture</p></main>" in html_page("1 < 2", "<p>picture</p>")
    True
    """
    heading = escape(title)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{heading}</title>'
        f"<style>{css_variables('.p15-page')}{_PAGE_RULES}</style></head>\n"
        f'<body class="p15-page"><main><h1>{heading}</h1>{picture}</main></body></html>\n'
    )


def table_html(header: Sequence[str], rows: Iterable[Sequence[object]], caption: str) -> str:
    """Return a table with a caption below it; numbers stand to the right, None is empty, and every text is escaped.

    >>> table = table_html(["board", "length"], [["1 2/3 0", 0], ["<x>", None]], "2 boards")
    >>> print(table[table.index("<tbody>") : table.index("</tbody>")])
    <tbody><tr><td>1 2/3 0</td><td class="n">0</td></tr><tr><td>&lt;x&gt;</td><td></td></tr>
    """
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "".join(f"<tr>{''.join(map(_table_cell, row))}</tr>" for row in rows)
    return (
        f"<style>{css_variables('.p15-table')}{_TABLE_RULES}</style>"
        f'<table class="p15-table"><caption>{escape(caption)}</caption><thead><tr>{names}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _table_cell(value: object) -> str:
    if value is None:
        return "<td></td>"
    return f'<td class="n">{value:,}</td>' if isinstance(value, (int, float)) else f"<td>{escape(str(value))}</td>"


def player_html(
    tiles: Sequence[int],
    shape: tuple[int, int],
    moves: Sequence[str],
    look: Look = DEFAULT_LOOK,
    *,
    distances: Sequence[int] = (),
    caption: str = "",
    tiles_per_second: float = 2.0,
) -> str:
    """Return a ``<div>`` that plays moves with buttons, a slider and keys, for a page or a notebook.

    Each move is one letter or, for a multi-tile move, several equal ones; `tiles_per_second` is the number of moves per
    second. Without moves the player shows the board and the caption below it; without tiles the caption alone.
    `distances` are those before the first move and after each one, if they are known. Without scripts a reader still
    sees the board, the moves and the caption.

    >>> player_html([1, 2, 3, 0], (2, 2), ["D", "R"], caption="a < b")[:44]
    '<div class="p15-player" role="group" aria-la'
    """
    check_speed(tiles_per_second)
    parts = [f"<style>{css_variables('.p15-player')}{_beside('player.css')}</style>"]
    parts += [board_svg(tiles, shape, look)] if tiles else []
    parts += [f"<p>{escape(caption)}</p>"] if caption else []
    label, style, data = "Sliding-tile board", f"--wide:{max(_NARROWEST, look.size):g}px", ""
    if moves:
        label += f" and {count_text(len(moves), 'move')}"
        style += f";--slide:{slide_seconds(tiles_per_second):.3g}s"
        game = {
            "tiles": list(tiles),
            "cols": shape[1],
            "moves": " ".join(moves),
            "distances": list(distances),
            "delay": round(1000 / tiles_per_second),
        }
        data = f' data-lm-suppress-shortcuts="true" data-game="{escape(_json(game))}"'
        text = "".join(move[0] + (str(len(move)) if len(move) > 1 else "") for move in moves)
        parts += [
            f'<p class="p15-moves"><span></span><b></b><span>{escape(text)}</span></p>',
            '<p class="p15-status" aria-live="polite"></p>',
            f'<div class="p15-controls" hidden>{_controls(len(moves))}</div>',
            f'<script>(() => {{\n"use strict";\n{_beside("player.js")}}})();</script>',
        ]
    return f'<div class="p15-player" role="group" aria-label="{label}" style="{style}"{data}>{"".join(parts)}</div>'


def _controls(last: int) -> str:
    buttons = "".join(
        f'<button type="button" class="p15-{name.lower()}" title="{key}">{name}</button>'
        for name, key in _BUTTONS.items()
    )
    return f'{buttons}<input class="p15-slider" type="range" min="0" max="{last}" value="0" aria-label="Move">'


def _json(value: object) -> str:
    import json  # pictures without data do not wait for it

    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@cache
def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
