"""One name for one thing: the arguments of all public functions have the names of the table in guide/conventions.md.

The terms of guide/glossary.md are those that the pages use.
"""

import importlib
import inspect
import re
from dataclasses import is_dataclass

import pytest
from readmes import READMES, ROOT, text_of

PACKAGE = ROOT / "puzzle15"
README = PACKAGE / "guide" / "conventions.md"
GLOSSARY = PACKAGE / "guide" / "glossary.md"

#: The packages that list public names. What the root offers, a package offers, too.
PACKAGES = sorted(stub.parent.name for stub in PACKAGE.glob("*/__init__.pyi"))


def vocabulary():
    """(the options, {a name that they must not have: what they are called})"""
    rows = re.findall(r"^\| (`\w+`) \|.*\|([^|]*)\|$", text_of(README), flags=re.MULTILINE)
    options, others = [], {}
    for option, names in rows:
        options.append(option.strip("`"))
        for name in re.findall(r"`(\w+)`", names):
            others.setdefault(name, []).append(options[-1])
    return options, others


def functions(owner, title):
    """(title, function) of all that users can call of a public thing."""
    if not inspect.isclass(owner):
        if inspect.isroutine(owner):
            yield title, owner
        return
    # What a dataclass or a named tuple is made of are its attributes, which keep their names.
    record = is_dataclass(owner) or issubclass(owner, tuple)
    for name in dir(owner):
        found = inspect.getattr_static(owner, name)
        function = getattr(found, "__func__", found)  # of class methods and static ones
        hidden = name.startswith("_") and name not in ("__init__", "__new__", "__call__")
        if (
            hidden
            or (record and name in ("__init__", "__new__"))
            or not (inspect.isroutine(function) and callable(function))
        ):
            continue
        if (getattr(function, "__module__", None) or "").startswith("puzzle15"):
            yield f"{title}.{name}", function


def public():
    """(title, function) of all public functions and methods."""
    for name_of_package in PACKAGES:
        package = importlib.import_module(f"puzzle15.{name_of_package}")
        for name in package.__all__:
            try:
                owner = getattr(package, name)
            except ImportError:
                continue  # an extra is missing
            yield from functions(owner, f"{name_of_package}.{name}")


def offences(title, function):
    """What the arguments of a function are called, or where they stand, although they may not."""
    options, others = vocabulary()
    try:
        arguments = list(inspect.signature(function).parameters.values())
    except ValueError:  # a function in C
        return
    if arguments and arguments[0].name in ("self", "cls", "_cls"):
        del arguments[0]
    for place, argument in enumerate(arguments):
        name = argument.name
        if name in others and not inspect.isclass(function):
            yield f"{title}({name}): call it {' or '.join(others[name])}"
        by_place = argument.kind in (argument.POSITIONAL_ONLY, argument.POSITIONAL_OR_KEYWORD)
        option = name in options or name.startswith("max_")
        if option and by_place and place > 0 and argument.default is not argument.empty:
            yield f"{title}({name}): it is an option; take it by name only"


def test_the_table_is_read():
    options, others = vocabulary()
    assert {"workers", "tables", "folder", "max_length", "max_memory", "progress", "on_error"} <= set(options)
    assert others["threads"] == ["workers"] and others["directory"] == ["tables", "folder"]
    assert not set(options) & set(others)


def test_arguments_have_the_names_of_the_table():
    found = sorted({offence for title, function in public() for offence in offences(title, function)})
    assert not found, "\n".join(["", *found])


def test_batches_take_the_limits_of_single_calls():
    """They also take workers and report progress, unless a board takes microseconds and has no limits."""
    options = {title: set(inspect.signature(function).parameters) for title, function in public()}
    missing = []
    for title in sorted(title for title in options if title.endswith("_many")):
        one = options[title[: -len("_many")]]
        wanted = {name for name in one if name.startswith("max_") or name == "time_limit_s"}
        wanted |= {"workers", "progress", "on_error"} if wanted or "workers" in one else set()
        missing += [f"{title} does not take {name}" for name in sorted(wanted - options[title])]
    assert not missing, "\n".join(["", *missing])


def test_what_takes_many_boards_has_a_form_for_one():
    titles = {title for title, _ in public()}
    lonely = {title for title in titles if title.endswith("_many") and title[: -len("_many")] not in titles}
    lonely |= {
        title for title in titles if title.endswith(".many") and f"{title.rpartition('.')[0]}.__call__" not in titles
    }
    assert not lonely
    assert {"solver.Solver.solve_many", "heuristics.Heuristic.many"} <= titles


def test_terms_are_explained_once_and_used():
    rows = re.findall(r"^\| ([^|]+?)(?: \[.*\])? \| .* \|$", text_of(GLOSSARY), flags=re.MULTILINE)
    terms = [term for row in rows if row != "term" for term in row.split(", ")]
    assert len(terms) > 40 and len(terms) == len(set(terms))
    pages = " ".join(" ".join(text_of(path).split()) for path in READMES if path != GLOSSARY)
    unused = [term for term in terms if not re.search(rf"\b{term}", pages, flags=re.IGNORECASE)]
    assert unused == []


@pytest.mark.parametrize(
    "function, expected",
    [
        (lambda board, threads=1: 0, ["f(threads): call it workers"]),
        (lambda board, workers=1: 0, ["f(workers): it is an option; take it by name only"]),
        (lambda board, *, limit=1: 0, ["f(limit): call it max_length or max_nodes or max_expansions"]),
        (lambda tables=None, *, workers=1, progress=None: 0, []),
        (lambda self, tables, max_nodes=5: 0, ["f(max_nodes): it is an option; take it by name only"]),
    ],
)
def test_offences_are_found(function, expected):
    assert list(offences("f", function)) == expected
