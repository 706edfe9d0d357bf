"""Runs tests on a build that counts, and prints which lines and branches of the C core and of Python they miss.

    pip install --group coverage ".[test]"
    apt-get install clang llvm libclang-rt-14-dev    # 14 as in `clang --version`
    python .ci/coverage.py -- -m "slow or not slow" tests/c tests/unit

What follows `--` is for pytest; without it, the default tests run. The build and the counts are in
build/coverage/compiled. A second call adds to what the first one has counted, unless the sources have changed.
Where an extra is not installed, what it is for is not tested.

A branch of the C core is one outcome of a condition as the source has it, so `if (a || b)` has four. clang counts them
before it optimizes: however often a function is inlined or compiled, for other levels of instructions or with other
flags, a branch that was taken in one copy was taken. Asserts and constants are no branches.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "coverage" / "compiled"
SOURCE = FOLDER / "source"
NO_CODE = re.compile(r"\s*(?:/\*.*|\*.*|[{}]*)$")
CONSTANT = re.compile(r"(?:true|false|\d+|P15_HAVE_\w+)\b")
COUNTING = ["-fprofile-instr-generate=" + str(FOLDER / "profiles" / "%8m.profraw"), "-fcoverage-mapping"]
FLAGS = [*COUNTING, "-fprofile-update=atomic", "-O2", "-Wno-everything", "-Wno-unknown-warning-option"]

# Each object of the core or of its test programs is kept, because it holds where its counts belong. clang names counts
# of static functions by the last part of their file's name, which another file may have, too.
COMPILER = f"""\
import hashlib, os, shutil, subprocess, sys
arguments = sys.argv[1:]
source = next((each for each in arguments if each.endswith(".c") and ("csrc/" in each or "tests/c/" in each)), None)
if "-c" not in arguments or not source:
    sys.exit(subprocess.call(["clang", "-Qunused-arguments", *arguments, {COUNTING[0]!r}]))
at = arguments.index("-o") + 1
key = hashlib.sha1(" ".join(sorted(each for each in arguments if each != arguments[at])).encode()).hexdigest()[:12]
kept = os.path.join({str(FOLDER / "objects")!r}, key + "-" + os.path.basename(source)[:-2] + ".o")
if not os.path.exists(kept):
    name = os.path.relpath(os.path.abspath(source), {str(SOURCE)!r})
    command = ["clang", *arguments[:at], kept + ".new", *arguments[at + 1 :], *{FLAGS!r}]
    code = subprocess.call([*command, "-Xclang", "-main-file-name", "-Xclang", name])
    if code:
        sys.exit(code)
    os.replace(kept + ".new", kept)
shutil.copy(kept, arguments[at])
"""


def sources():
    """The files of the repository that are compiled, installed or tested."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def build():
    """Install the package into the folder, if it is not that of these sources; the environment of its tests."""
    site, compiler = FOLDER / "site", FOLDER / "compiler.py"
    digest = hashlib.sha1(COMPILER.encode())
    for path in sources():
        if path.parts[len(ROOT.parts)] in ("csrc", "puzzle15", "setup.py", "pyproject.toml"):
            digest.update(path.read_bytes())
    stamp = FOLDER / "stamp"
    environment = {**os.environ, "CC": f"{sys.executable} {compiler}", "PYTHONPATH": str(site)}
    environment["COVERAGE_PROCESS_START"] = str(FOLDER / "settings.ini")
    built = stamp.exists() and stamp.read_text() == digest.hexdigest()
    if not built:
        shutil.rmtree(FOLDER, ignore_errors=True)
    for path in sources():
        (SOURCE / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, SOURCE / path.relative_to(ROOT))
    if built:
        return environment
    (FOLDER / "objects").mkdir(parents=True)
    (FOLDER / "profiles").mkdir()
    compiler.write_text(COMPILER)
    settings = f"[run]\nbranch = true\nparallel = true\nsource = {FOLDER}/site/puzzle15\n"
    settings += f"data_file = {FOLDER}/counts\npatch = subprocess, _exit, fork\n"
    (FOLDER / "settings.ini").write_text(settings)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(site), str(SOURCE)], check=True, env=environment)
    stamp.write_text(digest.hexdigest())
    return environment


def python_files(environment):
    """(file, lines, missed lines, branches, missed ones) of the package, from what coverage.py has counted."""
    command, settings = [sys.executable, "-m", "coverage"], f"--rcfile={FOLDER}/settings.ini"
    subprocess.run([*command, "combine", "--quiet", "--append", settings], cwd=FOLDER, env=environment, check=False)
    subprocess.run(
        [*command, "json", "--quiet", "--ignore-errors", settings, "-o", FOLDER / "python.json"], cwd=FOLDER, check=True
    )
    for path, found in json.loads((FOLDER / "python.json").read_text())["files"].items():
        numbers = found["summary"]
        missed = [f"{start}-{end}" for start, end in found["missing_branches"]]
        name = path[path.rindex("puzzle15/") :] if "puzzle15/" in path else path
        yield name, numbers["num_statements"], found["missing_lines"], numbers["num_branches"], missed


def exported(objects, *options):
    """What llvm-cov says of these objects, as text."""
    command = ["llvm-cov", "export", f"-instr-profile={FOLDER}/c.profdata", *options]
    command += [f"-object={path}" for path in objects]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def asserted(path):
    """The lines of a source that asserts stand on."""
    text, lines = path.read_text(), set()
    for found in re.finditer(r"\bassert\(", text):
        end, depth = found.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        lines.update(range(text.count("\n", 0, found.start()) + 1, text.count("\n", 0, end) + 2))
    return lines


def branches_of(function):
    """(file, place, counts of true and false) of a function's conditions; that in a macro is another at each use."""
    uses = {region[6]: region for region in function["regions"] if region[7] == 1}
    for branch in function["branches"]:
        line, column, _, _, true, false, file = branch[:7]
        place = [(line, column)]
        while file in uses:
            line, column, file = *uses[file][:2], uses[file][5]
            place.append((line, column))
        yield function["filenames"][file], tuple(reversed(place)), (true, false)


def c_files():
    """The same of the C core. The objects of one source differ by their flags, and llvm-cov reads one of them."""
    lines, branches = {}, {}
    profiles = [str(path) for path in (FOLDER / "profiles").glob("*.profraw")]
    subprocess.run(["llvm-profdata", "merge", "-o", FOLDER / "c.profdata", *profiles], check=True)
    groups = {}
    for path in sorted((FOLDER / "objects").glob("*.o")):
        group = groups.setdefault(path.name.partition("-")[2], [])
        group.append(path)
    for number in range(max(map(len, groups.values()))):
        objects = [group[number] for group in groups.values() if number < len(group)]
        for text in exported(objects, "-format=lcov").splitlines():
            kind, _, value = text.partition(":")
            if kind == "SF":
                name = value[value.rindex("/csrc/") + 1 :] if "/csrc/" in value else None
            elif kind == "DA" and name:
                line, count = map(int, value.split(",")[:2])
                counts = lines.setdefault(name, {})
                counts[line] = counts.get(line, 0) + count
        for function in json.loads(exported(objects))["data"][0]["functions"]:
            for path, place, counts in branches_of(function):
                if "/csrc/" in path:
                    counted = branches.setdefault(path[path.rindex("/csrc/") + 1 :], {})
                    counted[place] = tuple(map(sum, zip(counted.get(place, (0, 0)), counts)))
    for name, counts in lines.items():
        source, skipped = (SOURCE / name).read_text().splitlines(), asserted(SOURCE / name)
        counts = {line: count for line, count in counts.items() if not NO_CODE.match(source[line - 1])}
        of_file = [
            (place, counts)
            for place, counts in sorted(branches.get(name, {}).items())
            if place[0][0] not in skipped and not CONSTANT.match(source[place[0][0] - 1], place[0][1] - 1)
        ]
        missed = [f"{place[0][0]}{'TF'[i]}" for place, counts in of_file for i in (0, 1) if not counts[i]]
        yield name, len(counts), sorted(line for line in counts if not counts[line]), 2 * len(of_file), missed


def ranges(numbers):
    """Lines as text: 3, 7-9."""
    parts = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def report(language, files):
    """Print the files that have missed lines or branches, and the totals."""
    files = sorted(files)
    for name, lines, missed, branches, missed_branches in files:
        if missed or missed_branches:
            shares = 100 - 100 * len(missed) / max(lines, 1), 100 - 100 * len(missed_branches) / max(branches, 1)
            print(f"{name:44} {shares[0]:6.1f} % {shares[1]:6.1f} %  {ranges(missed)}")
            if missed_branches:
                print(f"    branches: {', '.join(missed_branches)}")
    lines, branches = sum(row[1] for row in files), sum(row[3] for row in files)
    share = 100 - 100 * sum(len(row[2]) for row in files) / max(lines, 1)
    share_of_branches = 100 - 100 * sum(len(row[4]) for row in files) / max(branches, 1)
    print(f"{language}: {share:.1f} % of {lines:,} lines, {share_of_branches:.1f} % of {branches:,} branches\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("tests", nargs="*", help="arguments of pytest, after --")
    parser.add_argument("--report", action="store_true", help="run nothing; print what was counted before")
    options = parser.parse_args()
    environment, code = build(), 0
    if not options.report:
        command = [sys.executable, "-m", "coverage", "run", f"--rcfile={FOLDER}/settings.ini", shutil.which("pytest")]
        code = subprocess.run([*command, "-q", *options.tests], cwd=SOURCE, env=environment).returncode
    report("Python", python_files(environment))
    report("C", c_files())
    return code


if __name__ == "__main__":
    sys.exit(main())
