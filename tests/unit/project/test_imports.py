"""What is imported when: packages import a name when it is first used, and a command imports only what it needs."""

import ast
import importlib
import subprocess

import pytest
from readmes import ROOT

import puzzle15

PACKAGE = ROOT / "puzzle15"
LAZY = [stub.parent for stub in sorted(PACKAGE.rglob("__init__.pyi"))]
EASY = "1 2 3/4 5 6/7 0 8"


def words(text):
    return set(text.split())


def all_of(folder):
    return importlib.import_module(".".join(folder.relative_to(PACKAGE.parent).parts)).__all__


def test_packages_offer_what_their_stubs_list():
    assert len(LAZY) >= 13
    for folder in LAZY:
        package = importlib.import_module(".".join(folder.relative_to(PACKAGE.parent).parts))
        offered = []
        lines = ast.parse((folder / "__init__.pyi").read_text(encoding="utf-8")).body
        for line in lines:
            if isinstance(line, ast.AnnAssign):  # a constant of __init__.py
                continue
            (name,) = line.names
            assert isinstance(line, ast.ImportFrom) and name.name == name.asname
            module = importlib.import_module("." * line.level + (line.module or ""), package.__name__)
            assert getattr(package, name.name) is getattr(module, name.name)
            offered += [name.name] if line.module else []
        assert package.__all__ == offered and set(offered) <= set(dir(package))
        with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'nonsense'"):
            package.nonsense  # noqa: B018 - asking is the test


def test_what_users_see():
    shown = {name for name in dir(puzzle15) if not name.startswith("_")}
    packages = words("board dataset environments errors heuristics learning nodes page papers searches solver tables")
    assert shown == packages | words(
        "ALGORITHMS Board Heuristic Hint LocalValueIteration SearchBatch SearchOptions SearchTree Solution "
        "SolutionBatch Solver build_tables check_heuristic compare compare_many heuristic register search search_many "
        "solve"
    )


MOST_PUBLIC = 150

#: Modules whose names are public beside those of the packages: programs, papers, examples, and what needs PyTorch.
PROGRAMS = {
    "learning.gather",
    "learning.train",
    "solver.check_certificate",
    *(f"papers.{paper.module}" for paper in puzzle15.papers.PAPERS.values()),
}
MODULES = {"errors", "dataset.torch", "searches.examples", *PROGRAMS}


def test_what_is_public():
    """Names that stubs list, and modules without an underscore; there are not many."""
    names = [name for folder in LAZY if folder.name[0] != "_" for name in all_of(folder)]
    assert 100 < len(names) <= MOST_PUBLIC
    found = set()
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[-1] != "__init__" and not any(part.startswith("_") for part in parts):
            found.add(".".join(parts[:2]))
    assert found == MODULES


#: A process runs these lines. ``imported`` gives the modules that came since the process began.
STEPS = """
import io, sys
before = set(sys.modules)
imported = lambda: set(sys.modules) - before
def run(*words):
    from puzzle15._cli import main
    sys.stdout = sys.stderr = io.StringIO()
    try:
        code = main(words)
    finally:
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    return code
def show(code):
    print([code, *sorted(imported())])
"""


@pytest.fixture
def steps(python):
    """What each line, which shows an exit code, has imported: [(exit code, set of modules)]."""

    def steps(*lines):
        ended = python("-c", "\n".join([STEPS, *lines]), stdin=subprocess.DEVNULL)
        assert ended.returncode == 0, ended.stderr
        return [(code, set(modules)) for code, *modules in map(ast.literal_eval, ended.stdout.splitlines())]

    return steps


def test_parsing_imports_little(steps):
    lines = [f"show(run({given}))" for given in ("'--version'", "'--help'", "'slove'", "")]
    ended = steps(*lines)
    assert [code for code, _ in ended] == [0, 0, 2, 2]
    modules = ended[-1][1]
    assert "numpy" not in modules
    assert {name.removeprefix("puzzle15.") for name in modules if name.startswith("puzzle15.")} <= words(
        "_cli _cli.console _cli.parser errors _system _system.import_guard _system.interruption _system.lazy "
        "_system.streams _system.version"
    )


#: What takes long to import, and is not needed to solve one board, or for a hint.
HEAVY = words(
    "asyncio bz2 concurrent.futures decimal difflib email fractions hashlib http importlib.metadata "
    "importlib.resources json logging lzma multiprocessing numpy pickle platform random secrets shutil socket ssl "
    "subprocess tempfile unittest zipfile puzzle15._core.learning puzzle15._core.search puzzle15.dataset "
    "puzzle15.learning._ann puzzle15.papers puzzle15.tables._building"
)


def test_one_board_needs_no_numpy(steps, tmp_path):
    """One process runs all of it, so what the last line has not imported, no line has."""
    puzzle15.build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path)
    files = ", '--partition', '1-4/5-8', '--tables', '.'"
    ended = steps(
        *(f"show(run({command!r}, {EASY!r}{files}))" for command in ("solve", "hint")),
        *(f"show(run({command!r}, {EASY!r}))" for command in ("solve", "hint")),
        "import puzzle15",
        f"show(puzzle15.solve({EASY!r}).moves)",
        f"show(run('draw', {EASY!r}, 'L'))",
        f"show(run('draw', {EASY!r}, '--hint'))",
        f"show(run('show', {EASY!r}, '--along', 'L'))",
        f"show(run('play', {EASY!r}))",
    )
    assert [code for code, _ in ended] == [0, 0, 0, 0, "L", 0, 0, 0, 0]
    with_files, drawn, played = ended[1][1], ended[-2][1], ended[-1][1]
    assert "puzzle15.solver._solver" in with_files
    assert "puzzle15.tables._construction" not in with_files
    assert "puzzle15._pictures" in drawn and not drawn & HEAVY
    assert "puzzle15._cli.play.session" in played
    assert not played & {
        "numpy",
        "multiprocessing",
        "json",
        "curses",
        "puzzle15._cli.play.terminal",
        "puzzle15.dataset",
    }


FIRST_HINT = """
import http.client
from urllib.parse import urlsplit
from puzzle15.page import Server
with Server(tables=".") as server:
    line = http.client.HTTPConnection(urlsplit(server.address).netloc)
    line.request("POST", "/api/hint", '{"board": "%s"}', {"Content-Type": "application/json"})
    show(line.getresponse().status)
"""


def test_the_first_hint_of_the_server_does_not_wait_for_numpy(steps):
    ((status, modules),) = steps(FIRST_HINT % EASY)
    assert status == 200 and "numpy" not in modules


def test_everything_is_there_after_one_import(steps):
    lines = [
        "import contextlib, puzzle15",
        "from puzzle15 import *",
        "assert Board and solve and __version__",
        "with contextlib.redirect_stdout(io.StringIO()) as text: help(puzzle15)",
        "assert 'Solver' in text.getvalue()",
        "show([getattr(puzzle15, name).__name__ for name in dir(puzzle15) if name[0] != '_' and name != 'ALGORITHMS'])",
    ]
    ((names, _),) = steps(*lines)
    assert {"Solver", "solve", "puzzle15.learning", "puzzle15.tables"} <= set(names)
