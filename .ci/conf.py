"""The site of the documentation. From the root of the repository, with the group `docs`:

    sphinx-build -W -c .ci . build/site

Its pages are the READMEs, where they lie, and the guide. What stands in the code is made from it, into build/reference:
a page for each package, from its stub and its docstrings, and a page of the commands, from their parsers.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import os
import re
import shlex
from pathlib import Path

os.environ["COLUMNS"] = "88"  # of the help

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.domains.python import PyXRefRole

import puzzle15
from puzzle15._cli import main
from puzzle15._cli.parser import make_whole_parser
from puzzle15.page import page

ROOT = Path(__file__).parents[1]
MADE = ROOT / "build" / "reference"
PACKAGES = [name for name in dir(puzzle15) if inspect.ismodule(getattr(puzzle15, name)) and not name.startswith("_")]

project, author, version = "puzzle15", "the authors of puzzle15", puzzle15.__version__
project_copyright = f"{author}; MIT licence"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
include_patterns = [
    "*/README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "tests/data/README.md",
    "puzzle15/**.md",
    "build/reference/*",
]
exclude_patterns = [".*"]  # caches
root_doc = "puzzle15/guide/index"
html_theme, html_title = "furo", f"puzzle15 {version}"
html_copy_source = False
smartquotes = False  # "" in a docstring is what one types
myst_heading_anchors = 4
default_role = "name"  # see `refer`
autodoc_typehints = "none"  # the docstrings say the types
autodoc_member_order = "bysource"
# Types are words, such as "shape (N,)", and lead nowhere; so attributes are shown as parameters are.
napoleon_use_param = napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "params_style")]


def public_names(package: str) -> dict[str, Path]:
    """Return the names in the stub of a package, and the files that define them; of `errors`, all exceptions."""
    module = importlib.import_module(f"puzzle15.{package}")
    file = Path(module.__file__)
    if package == "errors":
        return {name: file for name, each in vars(module).items() if getattr(each, "__module__", "") == module.__name__}
    lines = re.findall(r"(?m)^from \.(\S+) import \w+ as (\w+)$", file.with_suffix(".pyi").read_text(encoding="utf-8"))
    return {name: file.with_name(f"{where}.py") for where, name in lines}


PUBLIC = {package: public_names(package) for package in PACKAGES}
KNOWN = {name for names in PUBLIC.values() for name in names}


def page_of(package: str) -> str:
    """Return the page of a package: its docstring, then its names with theirs; those of data are comments."""
    title = f"puzzle15.{package}"
    lines = [title, "=" * len(title), "", f".. automodule:: {title}", ""]
    for name, file in PUBLIC[package].items():
        member = getattr(importlib.import_module(title), name)
        if inspect.isclass(member):  # fields of named tuples are among its attributes
            fields = ", ".join(getattr(member, "_fields", ()))
            lines += [f".. autoclass:: {title}.{name}", "   :members:", f"   :exclude-members: {fields}", ""]
        elif callable(member):
            lines += [f".. autofunction:: {title}.{name}", ""]
        else:
            comment = re.search(rf"(?m)((?:^#: .*\n)+){name}\b", file.read_text(encoding="utf-8"))
            lines += [f".. py:data:: {title}.{name}", "", *re.sub("(?m)^#:", "  ", comment[1]).splitlines(), ""]
    return "\n".join(lines)


def refer(role, raw, text, *where):
    """Read `text` in a docstring: a public name leads to its description; anything else is code."""
    first = text.removeprefix("puzzle15.").partition(".")[0]
    if first in KNOWN or first in PACKAGES:
        return PyXRefRole()("py:obj", raw, text, *where)
    return [nodes.literal(raw, text)], []


def link_names(app, doctree) -> None:
    """Let a public name that a page has as code lead to its description.

    A word such as `solve` may be a command; `solve(..)` and `puzzle15.solve` are not.
    """
    if app.env.docname.startswith("build/"):
        return
    for literal in list(doctree.findall(nodes.literal)):
        found = re.fullmatch(r"(puzzle15\.)?(?:(\w+)\.)?(\w+)((?:\.\w+)?)(\(.*\))?", literal.astext())
        root, package, name, member, call = found.groups() if found else (None,) * 5
        if package in KNOWN:
            package, name, member = None, package, f".{name}"
        homes = [each for each in PACKAGES if name in PUBLIC[each] and package in (None, each)]
        word = re.fullmatch("[a-z0-9]+", name or "") and not (root or package or call)
        if homes and (not word or name in ("search", "register")) and not isinstance(literal.parent, nodes.reference):
            target = f"puzzle15.{homes[0]}.{name}{member}"
            link = pending_xref("", refdomain="py", reftype="obj", reftarget=target, refdoc=app.env.docname)
            literal.replace_self(link)
            link += literal


def help_of_commands() -> str:
    """Return the page of the commands: the help of each."""
    blocks = ["# Commands\n\n`puzzle15 COMMAND --help` prints these texts.\n"]
    for command in make_whole_parser()[1]:
        blocks.append(f"## {command.prog.split()[-1]}\n\n```text\n{command.format_help()}```\n")
    return "\n".join(blocks)


def make_pages() -> None:
    """Write the pages that are made from the code. Those that have not changed stay, and are not read again."""
    pages = {f"{package}.rst": page_of(package) for package in PACKAGES}
    pages["api.md"] = "\n".join(["# Python", "", "```{toctree}", *PACKAGES, "```", ""])
    pages["commands.md"] = help_of_commands()
    MADE.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        file = MADE / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def draw_slides(app, page_name, source) -> None:
    """In the lesson, draw each slide that a comment names, by its command, and show it there."""
    named = re.findall(r"<!-- (slide-\S+): (.*) -->", source[0]) if page_name == "puzzle15/guide/lesson" else ()
    for name, what in named:
        (command,) = re.findall(rf"(?m)^puzzle15 (.* -o) {re.escape(name)}$", source[0])
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert main([*shlex.split(command), str(MADE / name)]) == 0
        source[0] = source[0].replace(f"<!-- {name}: {what} -->", f"![{what}](/build/reference/{name})")


def finish(app, error) -> None:
    """Add what is not a page of the documentation: the page to play on, and an address for the whole site."""
    if not error:
        (Path(app.outdir) / "page.html").write_text(page(), encoding="utf-8")
        first = f'<meta http-equiv="refresh" content="0; url={root_doc}.html"><a href="{root_doc}.html">puzzle15</a>\n'
        (Path(app.outdir) / "index.html").write_text(first, encoding="utf-8")


def setup(app) -> None:
    """Connect the above with Sphinx."""
    make_pages()
    app.add_role("name", refer)
    app.connect("doctree-read", link_names)
    app.connect("source-read", draw_slides)
    app.connect("build-finished", finish)
