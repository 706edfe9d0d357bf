"""Pages in one file: HTML, style, modules, the compiled core and data put together, so that a page loads nothing."""

from __future__ import annotations

import base64
import gzip
import json
import posixpath
import re
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Optional

from .._core.search.evaluator import KINDS
from .._core.search.searches import KERNELS, MAX_BOUND
from .._pictures.palette import DARK, LIGHT
from ..board import Board, Orientation, Shape, farthest
from ..searches import ALGORITHMS, Algorithm, SearchOptions
from ..searches._algorithms import TIES
from ..solver._choice import embedded_choice
from ..solver._scrambling import known_boards
from ..tables._partitions import transform_cells
from ._recording import record_of

if TYPE_CHECKING:
    from ..searches import SearchTree

_IMPORT = re.compile(r'^import \{ (.*) \} from "([./\w]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const|let) (\w+))", re.MULTILINE)
_SHAPES = sorted((rows * cols, rows, cols) for rows in range(2, 9) for cols in range(2, 9) if rows * cols <= 16)
_HEURISTICS = (*KINDS, "tables")
_MAX_BYTES = 256 * 1024**2  # of the nodes of a textbook search
_FROM_H = 2**32 - 1  # as a first bound: h of the board, csrc/search/deepening/deepening.h


class Page(str):
    """A page: its text as HTML, which a notebook shows in a frame."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        text = escape(self.replace("<head>", '<head><base href="about:srcdoc">', 1))  # where links of the page lead
        return f'<iframe srcdoc="{text}" width="100%" height="720" style="border: 0"></iframe>'


def page(tree: Optional[SearchTree] = None, *, step: int = 0) -> Page:
    """Return the page on which puzzles are played, solved and searched: about half a megabyte of HTML.

    It begins with a game, or with a recorded search after some of its expansions, which need not be one of the page's.

    >>> text = page()
    >>> text[:15], "https:" in text
    ('<!DOCTYPE html>', False)
    """
    data = {
        "tables": _tables(),
        "algorithms": _algorithms(),
        "heuristics": _HEURISTICS,
        "ties": {name: SearchOptions("a*", ties=name).for_kernel(Board.goal())["ties"] for name in TIES},
        "max_bytes": _MAX_BYTES,
        "shapes": {f"{rows}x{cols}": farthest((rows, cols), count - 1) for count, rows, cols in _SHAPES},
        "hardest": [str(board) for board in known_boards(80, Board.goal())],
    }
    compressed = gzip.compress(files(__package__).joinpath("core.wasm").read_bytes(), mtime=0)
    core = base64.b64encode(compressed).decode("ascii")
    start = "" if tree is None else _json(record_of(tree, step))
    texts = {"data": _json(data), "core": core, "worker": _bundle("core/worker.js"), "start": start}
    return Page(assemble("index.html", texts))


def assemble(html: str, texts: dict[str, str]) -> str:
    """A page from a file of `source`, with its style sheets, its modules, and each text in the element of its id."""
    text = _source(html)
    text = text.replace('<style id="palette"></style>', f"<style>\n{_colours()}\n</style>")
    text = re.sub(r'<link rel="stylesheet" href="(\S+)">', lambda found: f"<style>\n{_source(found[1])}</style>", text)
    text = re.sub(
        r'<script type="module" src="(\S+)"></script>',
        # Not a module, which would wait for the rest of the file: the board is drawn before the core is read.
        lambda found: f'<script>\n"use strict";\n{_bundle(found[1])}</script>',
        text,
    )
    for name, content in texts.items():
        place = f'<script type="text/plain" id="{name}"></script>'
        assert place in text and "</script" not in content
        text = text.replace(place, f'<script type="text/plain" id="{name}">{content}</script>')
    return text


def _colours() -> str:
    """Return the colours of pictures as variables of CSS, light and dark."""
    colours = {name: (getattr(LIGHT, name), getattr(DARK, name)) for name in ("page", "tray", "text", "accent")}
    colours |= {f"row-{row}": pair for row, pair in enumerate(zip(LIGHT.tiles[:8], DARK.tiles))}
    rules = (f"--{name}: light-dark({light}, {dark});" for name, (light, dark) in colours.items())
    return f":root {{ {' '.join(rules)} }}"


@cache
def _source(name: str) -> str:
    return files(__package__).joinpath("source", *name.split("/")).read_text(encoding="utf-8")


def _bundle(entry: str) -> str:
    """Return a module and all that it imports as one script: each module is a function, whose exports are its value."""
    order: list[str] = []

    def visit(path: str) -> None:
        for found in _IMPORT.finditer(_source(path)):
            visit(_imported(path, found[2]))
        if path not in order:
            order.append(path)

    visit(entry)
    return "".join(map(_wrapped, order))


def _imported(path: str, name: str) -> str:
    """Return the path of a module, from its name in another module."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name))


def _wrapped(path: str) -> str:
    text = _source(path)
    exports = _EXPORT.findall(text)

    def take(found: re.Match[str]) -> str:
        return f"const {{ {found[1].replace(' as ', ': ')} }} = {_value(_imported(path, found[2]))};\n"

    text = _EXPORT.sub("", _IMPORT.sub(take, text))
    return f"const {_value(path)} = (() => {{\n{text}return {{ {', '.join(exports)} }};\n}})();\n"


def _value(path: str) -> str:
    """Return the name of a module's exports."""
    return re.sub(r"\W", "_", path)


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")


def _tables() -> dict[str, list[Any]]:
    """The lookups of each shape and home: the goal cells of each pattern as bits, and the symmetry in hexadecimals."""

    def lookups(shape: Shape, home: int) -> list[Any]:
        turned = Orientation(Board.goal(shape, home))
        back = [turned.cell_to.index(cell) for cell in range(len(turned.cell_to))]
        return [
            [
                [transform_cells(back, cells) for cells in partition],
                "".join(f"{back[symmetry[cell]]:x}" for cell in turned.cell_to),
            ]
            for partition, symmetry in embedded_choice(shape, turned.home).lookups
        ]

    return {f"{rows}x{cols}": [lookups((rows, cols), home) for home in range(count)] for count, rows, cols in _SHAPES}


def _algorithms() -> list[dict[str, Any]]:
    names = ("name", "summary", "f", "shortest", "memory", "bidirectional", "informed", "for_large")
    return [
        {
            **{name: getattr(algorithm, name) for name in names},
            "ties": algorithm.options.get("ties"),
            **_numbers(algorithm),
        }
        for algorithm in ALGORITHMS.values()
        if algorithm.function is None
    ]


def _numbers(algorithm: Algorithm) -> dict[str, Any]:
    """The options of the kernel by name: those that all goals share, and by shape and home those that they do not."""

    fixed = {"kernel": KERNELS.index(algorithm.kernel), "promises": int(algorithm.optimal)}
    if algorithm.kernel == "deepening":
        fixed |= {"first_bound": _FROM_H, "last_bound": MAX_BOUND}
    if algorithm.memory == "a table":
        fixed["table_bytes"] = algorithm.default_memory or _MAX_BYTES

    def numbers(shape: Shape, home: int) -> dict[str, int]:
        depth = farthest(shape, home) if algorithm.takes("max_length") else None
        own = SearchOptions(algorithm.name, max_length=depth).for_kernel(Board.goal(shape, home))
        return {**fixed, **{name: int(value) for name, value in own.items() if name != "batch"}}

    every = {f"{rows}x{cols}": [numbers((rows, cols), home) for home in range(count)] for count, rows, cols in _SHAPES}
    first = every["2x2"][0]
    own = [name for name in first if len({each[name] for of in every.values() for each in of}) > 1]
    by_goal = {shape: [{name: each[name] for name in own} for each in of] for shape, of in every.items()}
    return {"numbers": first, "by_goal": by_goal} if own else {"numbers": first}
