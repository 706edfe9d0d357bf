"""A whole HTML document around a picture."""

from __future__ import annotations

from html import escape

from .palette import css_variables

__all__ = ["html_page"]


def html_page(title: str, picture: str) -> str:
    """A document that shows one picture, light or dark. A player in it listens to all keys of the page.

    >>> print(html_page("1 < 2", "<p>picture</p>")[-44:])
    <main><p>picture</p></main></body></html>
    <BLANKLINE>
    """
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{escape(title)}</title>'
        f"<style>{css_variables('.p15-page')}.p15-page{{margin:0;padding:16px;text-align:center;color:var(--text);"
        "background:var(--page)}.p15-page .p15-player{text-align:left}</style></head>\n"
        f'<body class="p15-page"><main>{picture}</main></body></html>\n'
    )
