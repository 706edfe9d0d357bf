"""A whole HTML document around a picture."""

from __future__ import annotations

from html import escape

from .palette import css_variables

__all__ = ["html_page"]

_RULES = (
    ".p15-page{margin:0;padding:16px;text-align:center;color:var(--text);background:var(--page)}"
    ".p15-page h1{font:1.1rem system-ui,sans-serif}"
    ".p15-page .p15-player{text-align:left}"
)


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
        f"<style>{css_variables('.p15-page')}{_RULES}</style></head>\n"
        f'<body class="p15-page"><main><h1>{heading}</h1>{picture}</main></body></html>\n'
    )
