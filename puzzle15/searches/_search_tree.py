"""`SearchTree`, which keeps what a search did, and draws it."""

from __future__ import annotations

from typing import Any, Optional

from .. import _pictures
from .._pictures.palette import Colours
from .._system.quantities import count_text, whole
from ..solver import Solution
from ._expansions import Expansion


class SearchTree:
    """The first expansions of a search: ``search(board, on_expand=tree.add)`` fills it. Notebooks show a picture.

    `puzzle15.page.page(tree)` is a page that goes through the expansions.

    Parameters
    ----------
    max_expansions : int
        How many it keeps, at least 1. One takes about a kilobyte.

    Attributes
    ----------
    max_expansions : int
    expansions : list of Expansion
        In the order of the search.
    truncated : bool
        Whether the search went on after the last one.
    solution : Solution, optional
        The answer of the search, which the caller sets; with it, pictures name the algorithm and mark the solution.

    Examples
    --------
    >>> from puzzle15.searches import search
    >>> tree = SearchTree(max_expansions=30)
    >>> tree.solution = search("1 2 3/4 5 0/7 8 6", on_expand=tree.add)
    >>> tree.title, tree.svg()[:35]
    ('the only expansion of a* with manhattan', '<svg xmlns="http://www.w3.org/2000/')
    >>> [(child.move, child.h, child.fate) for child in tree.expansions[0].children]
    [('D', 2, 'open'), ('R', 2, 'open'), ('U', 0, 'open')]
    """

    def __init__(self, *, max_expansions: int = 10_000) -> None:
        self.max_expansions = whole("max_expansions", max_expansions, 1)
        self.expansions: list[Expansion] = []
        self.truncated = False
        self.solution: Optional[Solution] = None

    def add(self, expansion: Expansion) -> bool:
        """Keep an expansion, or return False: then the search records no more."""
        if len(self.expansions) >= self.max_expansions:
            self.truncated = True
            return False
        self.expansions.append(expansion)
        return True

    @property
    def title(self) -> str:
        """str: how many expansions of which search these are."""
        return str(self._drawing()["title"])

    def svg(self, *, colours: Colours = "plain") -> _pictures.Svg:
        """Return the tree as a textbook draws it: one SVG picture, light or dark as the reader's system is.

        Each board has its ``g + h = f`` beneath it. There is one tree per iteration or per side of the search.

        Parameters
        ----------
        colours : {"rows", "rings", "plain"}
            What the colour of a tile shows: the row or the ring of its goal cell, or nothing.

        Raises
        ------
        ValueError
            If the tree has no expansion, or if there are no such colours.
        """
        return _pictures.tree_svg(**self._drawing(), colours=colours)

    def _repr_svg_(self) -> Optional[str]:
        return self.svg() if self.expansions else None

    def _drawing(self) -> dict[str, Any]:
        from ._drawing import draw

        return draw(self.expansions, self.solution)

    def __repr__(self) -> str:
        more = ", truncated" if self.truncated else ""
        return f"<SearchTree: {count_text(len(self.expansions), 'expansion')}{more}>"
