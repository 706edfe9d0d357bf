"""Certificates: the checker, alone in a folder and without puzzle15, accepts good ones and nothing else."""

import hashlib
import json
import re
import runpy
import shutil
import signal
import sys
from pathlib import Path

import pytest
from certifying import FAULTS, KINDS, TEXTS, certifiers, faulty, made

import puzzle15
from puzzle15 import Solver
from puzzle15.solver._certificate import Certifier

CHECKER = Path(puzzle15.__file__).parent / "solver" / "check_certificate.py"
#: Runs the checker where `import puzzle15` fails.
ALONE = """
import runpy, sys
sys.modules["puzzle15"] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture
def verdicts(capsys, monkeypatch, tmp_path):
    """Check lines with tables of a folder: (exit code, the verdict on each line, the reasons)."""

    def verdicts(lines, folder, *options):
        path = tmp_path / "lines.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        monkeypatch.setattr(sys, "argv", [str(CHECKER), str(path), "--tables", str(folder), *options])
        capsys.readouterr()
        code = runpy.run_path(str(CHECKER))["main"]()
        found = [line.split(": ", 2) for line in capsys.readouterr().out.splitlines()]
        return code, [verdict for _, verdict, _ in found], [why for *_, why in found]

    return verdicts


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


def test_the_checker_is_short_and_independent():
    source = CHECKER.read_text(encoding="utf-8")
    assert source.count("\n") <= 300
    imported = {line.split()[1] for line in source.splitlines() if line.startswith(("import ", "from "))}
    assert imported - {"numpy"} <= sys.stdlib_module_names


def test_a_copy_of_the_checker_needs_nothing_else(python, rng, folder, tmp_path):
    (each,) = certifiers(rng, folder, [KINDS[1]])
    good = made(rng, *each)
    (tmp_path / "copy").mkdir()
    shutil.copy(CHECKER, tmp_path / "copy")
    (tmp_path / "lines.jsonl").write_text(f"{json.dumps(good)}\n{json.dumps(good | {'length': 99})}\n")
    words = ["-c", ALONE, f"copy/{CHECKER.name}", "lines.jsonl", "--tables", folder]
    ended = python(*words)
    assert (ended.returncode, ended.stderr) == (1, "")
    first, second = ended.stdout.splitlines()
    assert first.startswith("1: accepted: ") and second.startswith("2: rejected: length is not the number of moves")
    (tmp_path / "lines.jsonl").write_text(json.dumps(good))
    assert python(*words).returncode == 0


def test_good_ones_and_each_fault(verdicts, rng, folder):
    kinds = [kind for kind in KINDS if kind[0] in [(3, 3), (3, 2), (3, 4)]]
    good = [made(rng, *each) for each in certifiers(rng, folder, kinds) for _ in range(2)]
    code, found, why = verdicts(map(json.dumps, good), folder)
    assert code == 0 and found == ["accepted"] * len(good), why
    bad = [(fault, line) for fault in FAULTS for each in good if (line := faulty(each, fault, rng))]
    code, found, why = verdicts([line for _, line in bad], folder)
    assert {fault for fault, _ in bad} == {*FAULTS}
    assert code == 1 and [each for each, verdict in zip(bad, found) if verdict != "rejected"] == []
    assert all(0 < len(each) <= 200 for each in why)
    print(f"{len(good)} good, {len(bad)} with one of {len(FAULTS)} faults")


def test_what_is_no_certificate(verdicts, rng, folder):
    (each,) = certifiers(rng, folder, KINDS[:1])
    line = json.dumps(made(rng, *each))
    lines = [change(line) for change in TEXTS]
    code, found, _ = verdicts(lines, folder)
    assert line not in lines and code == 1 and {*found} == {"rejected"} and len(found) >= len(lines)
    assert verdicts([], folder)[:2] == (1, [])


@pytest.mark.parametrize("name", ["board", "goal"])
def test_a_board_with_a_tile_twice(verdicts, rng, folder, name):
    (each,) = certifiers(rng, folder, KINDS[:1])
    good = made(rng, *each)
    twice = {**good, name: re.sub(r"\b1\b", "2", good[name])}
    code, found, [why] = verdicts([json.dumps(twice)], folder)
    assert code == 1 and found == ["rejected"] and "a tile is missing or occurs twice" in why


def test_wrong_tables(verdicts, rng, folder, tmp_path):
    """A byte of a table is another one. Its hash notices that, and if the certificate has the new hash, the check."""
    (each,) = certifiers(rng, folder, [KINDS[1]])
    good = [made(rng, *each) for _ in range(3)]
    code, found, why = verdicts(map(json.dumps, good), folder, "--check-tables")
    assert code == 0 and not any(" if " in each for each in why)
    assert all(" if its tables are right" in each for each in verdicts(map(json.dumps, good), folder)[2])
    wrong = tmp_path / "wrong"
    for number in range(8):
        shutil.copytree(folder, wrong, dirs_exist_ok=True)
        table = good[0]["tables"][number % 2]
        path = wrong / table["file"]
        content = bytearray(path.read_bytes())
        content[int(rng.integers(4096, len(content))) if number else 17] ^= 1 << int(rng.integers(8))
        path.write_bytes(content)
        assert verdicts(map(json.dumps, good), wrong)[:2] == (1, ["rejected"] * 3)
        for certificate in good:
            certificate["tables"][number % 2] = table | {"sha256": hashlib.sha256(content).hexdigest()}
        code, found, why = verdicts(map(json.dumps, good), wrong, "--check-tables")
        assert (code, found) == (1, ["rejected"] * 3), (number, why)
        for certificate in good:
            certificate["tables"][number % 2] = table
    wrong.joinpath(good[0]["tables"][0]["file"]).unlink()
    assert verdicts(map(json.dumps, good), wrong)[:2] == (1, ["rejected"] * 3)


def test_tables_whose_bits_are_all_wrong(verdicts, rng, folder, tmp_path):
    """One move from the goal, a value is less than 0."""
    (each,) = certifiers(rng, folder, [KINDS[1]])
    good = made(rng, *each)
    for table in good["tables"]:
        content = bytearray((folder / table["file"]).read_bytes())
        content[4096:] = bytes(byte ^ 255 for byte in content[4096:])
        (tmp_path / table["file"]).write_bytes(content)
        table["sha256"] = hashlib.sha256(content).hexdigest()
    code, found, [why] = verdicts([json.dumps(good)], tmp_path)
    assert (code, found) == (1, ["rejected"]) and "a negative value" in why


def test_two_tables_of_different_patterns_that_share_a_tile(verdicts, rng, tmp_path):
    solver = Solver("1-4/5-8", shape=(3, 3), tables=tmp_path, build=True)
    other = Solver("1-3/4-8", shape=(3, 3), tables=tmp_path, build=True)
    good = made(rng, solver, Certifier(solver), None)
    good["tables"][1] = made(rng, other, Certifier(other), None)["tables"][1]
    code, _, why = verdicts([json.dumps(good)], tmp_path)
    assert code == 1 and "share a tile" in why[0]


@pytest.mark.parametrize("kind", KINDS[:2])
def test_a_detour_from_the_goal(verdicts, rng, folder, kind):
    ((solver, certifier, _),) = certifiers(rng, folder, [kind])
    good = json.loads(certifier.line(solver.solve(solver.goal)))
    assert verdicts([json.dumps(good)], folder)[:2] == (0, ["accepted"])
    bad = [faulty(good, fault, rng) for fault in FAULTS if fault.__name__.startswith("detour")]
    code, found, why = verdicts(bad, folder)
    assert found == ["rejected"] * 2 and "not shortest: 0 moves solve the board, too" in why


def test_solvers_without_certificates():
    with pytest.raises(ValueError, match="metric 'mtm': certificates are for single-tile moves; expected 'stm'"):
        Certifier(Solver(shape=(3, 3), metric="mtm"))


def test_usage(python, tmp_path):
    for words in ([], ["missing.jsonl"], ["file.jsonl", "--nonsense"]):
        assert python(CHECKER, *words).returncode == 2
    assert "puzzle15 solve --certificate" in python(CHECKER, "--help").stdout


def test_solve_writes_them(run, verdicts, tmp_path):
    lines = ["8 6 7/2 5 4/3 0 1", "no board", "1 2 3/4 5 6/7 8 0", "2 3 5/4 0 6/1 7 8"]
    (tmp_path / "boards.txt").write_text("\n".join(lines))
    code, out, err = run("solve", "-i", "boards.txt", "--certificate", "boards.jsonl", "--quiet")
    assert code == 1 and len(out.splitlines()) == 4
    written = (tmp_path / "boards.jsonl").read_text().splitlines()
    code, found, why = verdicts(written, tmp_path)
    assert (code, found) == (0, ["accepted"] * 3), why
    code, _, err = run("solve", "0 15 8 3/12 11 7 4/14 10 6 5/9 13 2 1", "--max-nodes=9", "--certificate", "none.jsonl")
    assert code == 1 and (tmp_path / "none.jsonl").read_text() == ""
    assert "to write the same as files: puzzle15 build --patterns " in err


@pytest.mark.parametrize(
    "words, why",
    [
        ("--metric mtm", "--metric: cannot be used with --certificate"),
        ("--all", "--all: cannot be used with --certificate"),
        ("--pattern 1-3", "--pattern: cannot be used with --certificate"),
        ("--algorithm a*", "--algorithm: cannot be used with --certificate"),
        ("--partition 1-4/5-8 --format classic --build --tables .", "format 'classic': certificates need tables"),
    ],
)
def test_what_has_no_certificates(run, words, why, tmp_path):
    code, out, err = run("solve", "8 6 7/2 5 4/3 0 1", "--certificate", "file.jsonl", *words.split())
    assert (code, out) == (2, "") and why in err and not (tmp_path / "file.jsonl").exists()


@pytest.mark.parametrize("name", ["missing/file.jsonl", ".", "x" * 300])
def test_files_that_cannot_be_written(run, name):
    code, out, err = run("solve", "8 6 7/2 5 4/3 0 1", "--certificate", name)
    assert (code, out) == (2, "") and f"error: cannot write {name}" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_device_without_room_is_named(run):
    code, _, err = run("solve", "8 6 7/2 5 4/3 0 1", "--certificate", "/dev/full")
    assert code == 3 and err.endswith("puzzle15: error: /dev/full: No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_an_interrupted_command_leaves_nothing(start, tmp_path):
    process = start("-m", "puzzle15", "solve", "--certificate", "file.jsonl", "--quiet")
    process.stdin.write(b"8 6 7/2 5 4/3 0 1\n")
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130 and [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("count", [100, pytest.param(1_000, marks=pytest.mark.nightly)])
@pytest.mark.slow
def test_many(count, verdicts, rng, folder, tables_7_8):
    """So many certificates are accepted, and half as many with one fault each are not."""
    shutil.copytree(tables_7_8, folder, dirs_exist_ok=True)
    kinds = [*KINDS, ((4, 4), "7-8", 15, None), ((4, 4), "7-8", 0, None)]
    makers = [*certifiers(rng, folder, kinds), *certifiers(rng, folder, kinds)]
    good = [made(rng, *makers[number % len(makers)]) for number in range(count)]
    code, found, why = verdicts(map(json.dumps, good), folder)
    assert code == 0 and found == ["accepted"] * count, [each for each in zip(found, why) if each[0] != "accepted"]
    bad, number = [], 0
    while len(bad) < count // 2:
        number += 1
        if line := faulty(good[int(rng.integers(count))], FAULTS[number % len(FAULTS)], rng):
            bad.append(line)
    code, found, why = verdicts(bad, folder)
    assert code == 1 and [line for line, verdict in zip(bad, found) if verdict != "rejected"] == []
    print(f"accepted {len(good)} of {len(good)}; with one fault, accepted 0 of {len(bad)}")
