"""Rows of texts as an HTML table, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .palette import css_variables

__all__ = ["table_html"]

_WIDE = 40  # characters; longer texts may be broken

_RULES = (
    ".p15-table{border-collapse:collapse;font:14px/1.4 system-ui,sans-serif;font-variant-numeric:tabular-nums;"
    "color:var(--text);background:var(--page)}"
    ".p15-table caption{caption-side:bottom;text-align:left;padding:6px 8px;color:var(--text);background:var(--page)}"
    ".p15-table th,.p15-table td{padding:3px 8px;text-align:left;white-space:nowrap;"
    "border-bottom:1px solid var(--control)}"
    ".p15-table .n{text-align:right}.p15-table .w{min-width:20em;white-space:normal;overflow-wrap:anywhere}"
)


def table_html(header: Sequence[str], rows: Iterable[Sequence[object]], caption: str) -> str:
    """A table; numbers stand to the right, None is empty, and every text is escaped.

    Parameters
    ----------
    header : sequence of str
        The name of each column.
    rows : iterable of sequence
        Texts, numbers and None.
    caption : str
        What stands below the table.

    Examples
    --------
    >>> table = table_html(["board", "length"], [["1 2/3 0", 0], ["<x>", None]], "2 boards")
    >>> print(table[table.index("<tbody>") : table.index("</tbody>")])
    <tbody><tr><td>1 2/3 0</td><td class="n">0</td></tr><tr><td>&lt;x&gt;</td><td></td></tr>
    """
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return (
        f"<style>{css_variables('.p15-table')}{_RULES}</style>"
        f'<table class="p15-table"><caption>{escape(caption)}</caption><thead><tr>{names}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _cell(value: object) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, (int, float)):
        return f'<td class="n">{value:,}</td>'
    text = str(value)
    wide = ' class="w"' if len(text) > _WIDE else ""
    return f"<td{wide}>{escape(text)}</td>"
