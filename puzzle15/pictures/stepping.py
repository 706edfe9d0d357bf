"""Search trees as a page that steps through the expansions; `stepping.css` and `stepping.js` lie beside this module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps
from pathlib import Path
from typing import Any

from .page import html_page
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
    style, script = (Path(__file__).with_name(f"stepping.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    drawn = tree_svg(trees, title=title, **picture)
    data = dumps(list(steps), separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return html_page(
        title,
        f"<style>\n{style}</style>\n"
        f'<div class="tree" tabindex="0" role="group" aria-label="The tree">{drawn}</div>\n'
        f"{_CONTROLS.format(last=len(steps))}"
        f'<script type="application/json" id="steps">{data}</script>\n<script>\n{script}</script>\n',
    )


_CONTROLS = """<div class="steps">
<div class="buttons">
<button type="button" id="first" title="Home">First</button>
<button type="button" id="back" title="left arrow">Back</button>
<button type="button" id="play" title="space">Play</button>
<button type="button" id="next" title="right arrow">Next</button>
<button type="button" id="last" title="End">Last</button>
<input type="range" id="step" min="1" max="{last}" value="{last}" aria-label="Expansion">
<output id="place" for="step"></output>
</div>
<div id="says" aria-live="polite"><p></p><ul></ul></div>
</div>
"""
