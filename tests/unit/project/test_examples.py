"""The examples of all help texts, and the shell lines of the READMEs: each is run, as it stands where that is cheap."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest
import readmes

from puzzle15 import Board, build_tables
from puzzle15._cli.parser import COMMANDS, make_whole_parser

#: What is replaced before a line is run, and why.
REPLACED = [
    (r"--count \S+", "--count 20", "fewer boards"),
    (r"--boards \d+", "--boards 5", "fewer boards"),
    (r"(reproduce cahlik)", r"\1 --boards 1", "fewer boards"),
    (r"--time-limit 60", "--time-limit 0.1", "sooner"),
    (r"--time-limit 5 ", "--time-limit 120 ", "other tests run beside it"),
    (r"--dask \S+", "", "no cluster"),
    (r"^puzzle15 verify(?! --tables)", "puzzle15 verify --tables tables", "small tables"),
    (r"--open", "", "no browser"),
    (r">+ ~/\S+", "> answers.txt", "no home"),
    (r"\| python -m", f"| {sys.executable} -m", "this Python"),
    (r"own\.py:mine", "manhattan", "no file of one's own"),
    (
        r"^(puzzle15 serve[^#]*).*",
        r"\1 --port 0 > address & until [ -s address ]; do sleep 0.1; done; kill $!; cat address",
        "it serves until somebody ends it",
    ),
    *([] if find_spec("matplotlib") else [(r"(compare|reproduce)(.*) -o \S+", r"\1\2", "no matplotlib")]),
    *([] if find_spec("matplotlib") else [(r"--histogram \S+", "", "no matplotlib")]),
    *([] if find_spec("pyarrow") else [(r"--file-format parquet", "", "no pyarrow")]),
]
#: Lines that are not run: other programs; training, which needs an extra and takes minutes; all of Korf's node
#: counts, which take a minute; fuzzers, which have tests and a stage of their own.
LEFT_OUT = (
    r"pytest|pip install|export |curl|python check_|/fuzz/|python -m puzzle15\.learning\.|--set korf100 --algorithm"
)


def examples():
    """The lines of the help texts."""
    for parser in make_whole_parser()[1]:
        _, _, lines = parser.epilog.partition("examples:\n")
        yield from (line.strip() for line in lines.splitlines() if line.startswith("  "))


def shell_lines():
    """Those of the READMEs."""
    for path in readmes.READMES:
        yield from (line for line in readmes.shell_lines(path) if not re.search(LEFT_OUT, line))


#: Lines that take many seconds.
LONG = r"build --metric mtm|reproduce (cahlik|bischoff)"

LINES = list(dict.fromkeys([*examples(), *shell_lines()]))


def test_every_command_has_examples():
    shown = {line.split()[1] for line in examples() if line.startswith("puzzle15 ")}
    assert shown == {name for name, *_ in COMMANDS}
    assert len(LINES) > 40


@pytest.fixture
def shell(request, monkeypatch, tmp_path, tables_7_8):
    """Run a line of shell in a folder with boards, tables and the examples' commands: (exit code, output, errors).

    One command alone runs in this process, which saves its start.
    """
    folder, programs = tmp_path / "folder of tables", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    folders = [tables_7_8]
    if "cahlik" in request.node.name:  # it needs classic tables
        folders.append(request.getfixturevalue("classic_7_8"))
    for table in [table for each in folders for table in each.iterdir()]:
        (folder / table.name).symlink_to(table)
    build_tables("1-4/5-8", shape=(3, 3), tables=tmp_path / "tables")
    boards = [Board.goal().apply("DRDRUL"), Board.random(1), Board.random(2)]
    (tmp_path / "boards.txt").write_text("".join(f"{board}\n" for board in boards))
    shutil.copy(readmes.ROOT / "bench/benchmarks/own_algorithms.py", tmp_path)
    moves = [board.legal_moves()[0] for board in boards]
    (tmp_path / "games.txt").write_text("".join(f"{board}\t{letter}\n" for board, letter in zip(boards, moves)))
    (tmp_path / "solutions.txt").write_text("".join(f"{letter}\n" for letter in moves))
    (tmp_path / "published.csv").write_text("0,1,2,3,4,5,6,7,8,cost\n1,2,5,3,4,0,6,7,8,3\n3,1,2,0,4,5,6,7,8,1\n")
    for name, script in {
        "puzzle15": f'exec "{sys.executable}" -m puzzle15 "$@"',
        "generate_boards": "cat boards.txt",
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    run = request.getfixturevalue("run")
    monkeypatch.setenv("PUZZLE15_TABLES", str(folder))
    monkeypatch.setenv("PATH", str(programs), prepend=os.pathsep)

    def shell(line):
        if line.startswith("puzzle15") and not re.search(r"[|<>&;#]", line):
            return run(*shlex.split(line)[1:])
        ended = subprocess.run(
            ["sh", "-c", line],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return ended.returncode, ended.stdout, ended.stderr

    return shell


@pytest.mark.skipif(sys.platform == "win32", reason="no POSIX shell")
@pytest.mark.sweep(6)
@pytest.mark.parametrize(
    "line", [pytest.param(line, marks=[pytest.mark.nightly] * bool(re.search(LONG, line))) for line in LINES]
)
def test_a_line(shell, tmp_path, line):
    if "--check" in line:
        assert shell("puzzle15 label --count 20 -o boards --quiet")[0] == 0
    for pattern, replacement, _ in REPLACED:
        line = re.sub(pattern, replacement, line)
    code, out, err = shell(line)
    assert code == 0, err
    assert "error" not in err and "Traceback" not in err
    assert out or (tmp_path / "answers.txt").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="no POSIX shell")
@pytest.mark.parametrize(
    "path", [path for path in readmes.READMES if readmes.blocks(path, "console")], ids=readmes.name
)
def test_console(shell, path):
    """What a README shows as output is what comes out, one command after the other."""
    for command, shown in readmes.console_examples(path):
        code, out, err = shell(command)
        assert code == 0, err
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        shown, said = (text.replace("\t", " TAB ") for text in (shown, out + err))  # which is no other white space
        assert doctest.OutputChecker().check_output(shown, said, flags), (command, said)
