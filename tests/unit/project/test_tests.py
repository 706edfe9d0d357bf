"""What all tests rely on: bounds on time, the signals that act, the end of what hangs; and that none ends too early."""

import ast
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import timing

TESTS = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")


def pytest_of(tmp_path, code, shell='exec "$@"'):
    """(exit code, output) of the tests in some code, with the conftest.py of all tests, started by a script."""
    (tmp_path / "test_it.py").write_text(textwrap.dedent(code))
    words = [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider", "test_it.py"]
    ended = subprocess.run(
        ["sh", "-c", shell, "sh", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS / "helpers")])},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return ended.returncode, ended.stdout


@posix
def test_bounds_on_time_and_signals(tmp_path):
    """Only what is too slow is tried again. Ignored signals act, as of `pytest &` in a script, and under nohup."""
    code, out = pytest_of(
        tmp_path,
        """
        import pytest, signal, time
        from timing import at_most, timed, within
        tries = []

        @timed
        def test_wrong_once():
            tries.append("wrong")
            at_most(2, 1)
            assert tries.count("wrong") > 1

        @timed
        @pytest.mark.parametrize("number", [3])
        def test_slow_once(number):
            tries.append("slow")
            with within(0.3):
                time.sleep(0.5 if tries.count("slow") == 1 else 0)
            at_most(1, 1)

        @timed
        def test_always_slow():
            tries.append("always")
            at_most(2, 1, "times as much")

        @timed  # so it comes last, too
        def test_how_often():
            assert [tries.count(each) for each in ("wrong", "slow", "always")] == [1, 2, 4]

        def test_signals_here():
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            for number in (signal.SIGHUP, signal.SIGTERM):
                signal.raise_signal(number)

        @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGTERM])
        def test_signals_in_a_process(start, number):
            process = start("-c", "print(flush=True); input()")
            process.stdout.readline()
            process.send_signal(number)
            assert process.wait() == -number
        """,
        "trap '' INT HUP TERM; \"$@\" & wait $!",
    )
    assert code == 1 and "2 failed, 6 passed" in out, out
    assert "too slow and tried again: 2" in out and "test_it.py::test_slow_once[3]: 0." in out, out
    assert "TooSlow: 2 times as much: expected at most 1" in out, out


@posix
def test_what_hangs_is_ended(tmp_path):
    """By an exception, which lets it end its processes; what no exception ends ends the run."""
    code, out = pytest_of(
        tmp_path,
        """
        import collections, interrupting, itertools, os, pytest
        interrupting.LIMIT_S, interrupting.GRACE_S = 0.5, 1.0
        processes = []

        def test_waits(start):
            processes.append(start("-c", "input()"))
            try:
                processes[0].stdout.read()
            except Exception:
                pass  # is not what ends it

        def test_after_it():
            with pytest.raises(ProcessLookupError):
                os.kill(processes[0].pid, 0)
            print("ended", file=open("after", "w"))

        def test_hangs_in_c():
            collections.deque(itertools.repeat(0), maxlen=0)

        def test_never_reached():
            print("reached", file=open("after", "a"))
        """,
    )
    assert code == 1 and "in test_hangs_in_c" in out and "passed" not in out, out
    assert (tmp_path / "after").read_text() == "ended\n" and "F." in out, out


def test_processes_are_started_by_the_fixture():
    """So they end in any case. A terminal and the command for mutants start and end theirs themselves."""
    found = {path.name for path in TESTS.rglob("*.py") if "Popen(" in path.read_text()}
    assert found == {"conftest.py", "judging.py", "pseudo_terminal.py", "test_terminal.py", Path(__file__).name}


@pytest.mark.parametrize("ratios, tries", [([1, 9, 1], 1), ([9, 9, 1, *[1] * 5], 2), ([2] * 8 + [1.2] * 5, 3)])
def test_a_ratio_is_too_high_only_if_it_stays_so(monkeypatch, ratios, tries):
    monkeypatch.setattr(timing, "notes", [])
    left = iter(ratios)
    timing.check_pairs(lambda: {"it": next(left), "another": 1}, 1.25)
    assert len(timing.notes) == tries - 1 and next(left, None) is None
    with pytest.raises(timing.TooSlow, match=r"at most 1.25: {'it': \[1.3, 1.3, 1.3\]}"):
        timing.check_pairs(lambda: {"it": 1.3, "another": 1}, 1.25)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is missing")
def test_what_is_compared_with_in_speed(tmp_path):
    def run(*words, code=0):
        ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        assert ended.returncode == code, ended
        return ended.stdout + ended.stderr

    def git(*words):
        return run("git", "-c", "user.name=a", "-c", "user.email=b", *words)

    def parent(code=0):
        said = run(sys.executable, "tests/helpers/parent.py", "out", code=code)
        return said if code else (tmp_path / "out" / "csrc" / "it.c").read_text()

    for folder in ("c", "speed"):
        (tmp_path / "tests" / folder).mkdir(parents=True)
        (tmp_path / "tests" / folder / "it.h").touch()
    (tmp_path / "csrc").mkdir()
    (tmp_path / "tests/helpers").mkdir()
    shutil.copy(TESTS / "helpers/parent.py", tmp_path / "tests/helpers")
    assert "not in a git repository" in parent(1)
    git("init", "-q")
    for content in ("first", "second", "third"):
        (tmp_path / "csrc" / "it.c").write_text(content)
        git("add", "csrc", "tests/c", "tests/speed")
        git("commit", "-q", "-m", content)
        if content == "first":
            assert "no commit with other C sources" in parent(1)
    git("commit", "-q", "-m", "no change of csrc", "--allow-empty")
    assert parent() == "second"
    git("update-ref", "refs/remotes/origin/HEAD", "HEAD~3")
    assert parent() == "first"  # has landed
    git("update-ref", "refs/remotes/origin/HEAD", "HEAD")
    (tmp_path / "csrc" / "it.c").write_text("not committed")
    assert parent() == "third"


def own_returns(function):
    """The lines of the returns of a function, without those of the functions inside."""
    inside = list(function.body)
    while inside:
        node = inside.pop()
        if isinstance(node, ast.Return):
            yield node.lineno
        elif isinstance(node, ast.stmt) and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inside += [*ast.iter_child_nodes(node)]
        elif isinstance(node, (ast.ExceptHandler, getattr(ast, "match_case", ast.ExceptHandler))):
            inside += node.body


def test_what_needs_an_extra_has_its_mark():
    """Without the mark, no stage of `.ci/run` runs it: default tests run without extras."""
    needs = re.compile(r"importorskip\(['\"](matplotlib|PIL|pyarrow|pandas|onnx|nbclient|ipykernel|gymnasium|numba)\b")
    marked = 0
    for path in sorted(TESTS.rglob("test_*.py")):
        if not needs.search(text := path.read_text("utf-8")):
            continue
        tree = ast.parse(text)
        of_all = any(isinstance(each, ast.Assign) and "mark.extra" in ast.unparse(each) for each in tree.body)
        for function in tree.body:
            if getattr(function, "name", "").startswith("test") and needs.search(ast.unparse(function)):
                assert of_all or "mark.extra" in ast.unparse(function), f"{path.name}: {function.name}"
                marked += 1
    assert marked > 10


def test_no_test_returns():
    """It would count as passed. Tests leave out or skip cases."""
    for path in sorted(TESTS.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
        assert tests, path
        assert [(path, test.name) for test in tests if [*own_returns(test)]] == []
