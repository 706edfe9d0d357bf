"""Runs the fuzzers: ``python tests/fuzz/run.py [TARGET ...] [--seconds S | --runs N] [--seed N]``.

Each target begins with its seeds (corpus.py) and a dictionary, and goes on from what covers more. One that fails is
stopped; what made it fail is made shorter, and kept in build/fuzz/broken. Targets in C need clang with libFuzzer. Those
in Python use atheris; where that is not installed, they mutate their seeds without coverage.

Exit codes: 0; 1 a target failed; 3 there is no clang, so those in C were not run.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from building import FUZZERS, HERE, build, clang
from corpus import DICTIONARY, seeds_of

PYTHON = re.findall(r"^def fuzz_(\w+)", (HERE / "python_targets.py").read_text(), flags=re.MULTILINE)
FOLDER = HERE.parents[1] / "build" / "fuzz"

#: Of one input: seconds, after which it counts as a failure; bytes; and memory in MB.
LIMITS = ["-timeout=20", "-rss_limit_mb=2500"]

#: What makes them faster: freed memory stays with the process, and no statistics are kept of rare features.
SETTINGS = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=4:allocator_release_to_os_interval_ms=-1"}
FAST = ["-entropic=0"]
MOST_BYTES = {"board_text": 160, "paths": 200, "board": 160}


def command_of(target, programs):
    return [programs[target]] if target in programs else [sys.executable, HERE / "python_targets.py", target]


def fuzz(target, command, amount, seed):
    """Run one target. Returns its row of the table, and whether it failed."""
    broken = FOLDER / "broken" / target
    with tempfile.TemporaryDirectory() as work:
        corpus, words, given = Path(work, "corpus"), Path(work, "words"), Path(work, "seeds")
        for folder in (corpus, given):
            folder.mkdir()
        for number, content in enumerate(seeds_of(target)):
            (given / f"{number:04}").write_bytes(content)
        words.write_text("".join(f'"{word}"\n' for word in DICTIONARY))
        options = [amount, f"-seed={seed}", f"-dict={words}", "-print_final_stats=1", *LIMITS, *FAST]
        options += [f"-max_len={MOST_BYTES.get(target, 600)}", "-len_control=20", f"-artifact_prefix={broken}/"]
        shutil.rmtree(broken, ignore_errors=True)
        broken.mkdir(parents=True)
        start = time.monotonic()
        ended = subprocess.run(
            [*command, *options, corpus, given],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=work,
            env=SETTINGS,
        )
        seconds = time.monotonic() - start
    output = ended.stdout.decode(errors="replace")
    found = {name: re.findall(pattern, output) for name, pattern in PATTERNS.items()}
    row = [target, *(found[name][-1] if found[name] else "?" for name in PATTERNS), f"{seconds:.0f}"]
    inputs = [path for path in broken.iterdir() if path.name.startswith(("crash-", "oom-", "timeout-", "leak-"))]
    if ended.returncode == 0 and not inputs:
        broken.rmdir()
        return [*row, "0"], False
    (broken / "output").write_text(output)
    print(f"{target}: failed\n{output[-4000:]}", flush=True)
    for path in inputs:
        if path.name.startswith("crash-"):
            shorter = [f"-exact_artifact_path={broken / 'shortest'}", "-minimize_crash=1", "-runs=20000"]
            subprocess.run([*command, *shorter, "-max_total_time=30", path], capture_output=True)
    print(f"{target}: kept in {broken}: {', '.join(sorted(path.name for path in broken.iterdir()))}", flush=True)
    return [*row, "1"], True


PATTERNS = {
    "executions": r"stat::number_of_executed_units: (\d+)",
    "per second": r"stat::average_exec_per_sec: +(\d+)",
    "covered": r"\bcov: (\d+)",
}


def main():
    groups = {"c": list(FUZZERS), "python": PYTHON}
    known = [target for group in groups.values() for target in group]
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"c, python, or some of {', '.join(known)}; by default all"
    )
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--seconds", type=int, default=20, help="of each target; by default 20")
    amount.add_argument("--runs", type=int, help="executions of each target")
    parser.add_argument("--seed", type=int, default=15, help="equal seeds and runs give equal inputs; by default 15")
    given = parser.parse_args()
    if given.seconds < 1 or (given.runs or 0) < 0:  # libFuzzer takes these for no limit
        parser.error("expected at least one second, or no negative number of runs")
    targets = [each for name in given.targets or groups for each in groups.get(name, [name])]
    if unknown := set(targets).difference(known):
        parser.error(f"{', '.join(sorted(unknown))}: expected some of {', '.join(known)}")
    objects = FOLDER / "objects"
    objects.mkdir(parents=True, exist_ok=True)
    in_c = [name for name in targets if name in FUZZERS]
    compiler, programs = clang(objects) if in_c else None, {}
    if compiler:
        programs = build(compiler, in_c, objects)
    rows, failed = [["target", *PATTERNS, "seconds", "failures"]], False
    for target in targets:
        if target not in FUZZERS or compiler:
            limit = f"-runs={given.runs}" if given.runs is not None else f"-max_total_time={given.seconds}"
            row, fails = fuzz(target, command_of(target, programs), limit, given.seed)
            rows.append(row)
            failed |= fails
            print(" ".join(row), flush=True)
    widths = [max(map(len, column)) for column in zip(*rows)]
    print()
    for row in rows:
        print(row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:])), sep="  ")
    if in_c and not compiler:
        print("not run: the targets in C: there is no clang with libFuzzer (Debian: clang and libclang-rt-..-dev)")
    sys.exit(1 if failed else 3 if in_c and not compiler else 0)


if __name__ == "__main__":
    main()
