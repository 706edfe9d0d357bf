"""Search trees as one HTML file that steps through the expansions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from json import dumps
from typing import Any

from .palette import DARK, LIGHT, Mode
from .tree import Tree, tree_svg

__all__ = ["tree_page"]


def tree_page(trees: Sequence[Tree], *, title: str, steps: Sequence[Mapping[str, Any]], **picture: Any) -> str:
    """The picture of `tree_svg` with buttons, a slider and keys that go through the expansions.

    Parameters
    ----------
    trees, title, **picture
        As for `tree_svg`.
    steps : sequence of mappings
        Per expansion, in order, values that JSON can hold. ``says`` is a list of sentences to be shown beside it.

    Returns
    -------
    str
        A whole page, which needs nothing else and asks for nothing.
    """
    style, script = (
        files(__package__).joinpath(f"stepping.{kind}").read_text(encoding="utf-8") for kind in ("css", "js")
    )
    data = dumps(list(steps), separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    drawn = tree_svg(trees, title=title, **picture)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_colours()}{style}</style>\n</head>\n<body>\n"
        f'<main>\n<div class="tree" tabindex="0" role="group" aria-label="the tree">{drawn}</div>\n'
        f"{_CONTROLS.format(title=escape(title), last=len(steps))}</main>\n"
        f'<script type="application/json" id="steps">{data}</script>\n<script>\n{script}</script>\n</body>\n</html>\n'
    )


_CONTROLS = """<div class="steps">
<h1>{title}</h1>
<div class="buttons">
<button type="button" id="first" title="Home">First</button>
<button type="button" id="back" title="left arrow">Back</button>
<button type="button" id="play" title="space">Play</button>
<button type="button" id="next" title="right arrow">Next</button>
<button type="button" id="last" title="End">Last</button>
<input type="range" id="step" min="1" max="{last}" value="{last}" aria-label="expansion">
<output id="place" for="step"></output>
</div>
<div id="says" aria-live="polite"><p></p><ul></ul></div>
</div>
"""


def _colours() -> str:
    """The variables of `stepping.css`."""

    def colours(mode: Mode) -> str:
        return f":root{{--page:{mode.page};--text:{mode.text};--accent:{mode.accent};--tray:{mode.tray}}}"

    return f"{colours(LIGHT)}\n@media(prefers-color-scheme:dark){{{colours(DARK)}}}\n"
