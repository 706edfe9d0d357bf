"""Runs tests on a build that counts, and prints which lines and branches of the C core and of Python they miss.

    pip install --group coverage ".[test]" && python .ci/coverage.py -- -m "slow or not slow" tests/c tests/unit

What follows `--` is for pytest; without it, the default tests run. The build and the counts are in
build/coverage/compiled. A second call adds to what the first one has counted, unless the sources have changed.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "coverage" / "compiled"
SOURCE = FOLDER / "source"
INLINED, PLAIN = "P15_INLINE static inline", "P15_INLINE static __attribute__((unused, noinline))"
FLAGS = ["--coverage", "-O1", "-fprofile-update=prefer-atomic"]

# Each object is compiled where its counts stay, also that of a test program in a temporary folder.
COMPILER = f"""\
import hashlib, os, shutil, subprocess, sys
arguments = sys.argv[1:]
if "-c" in arguments and any("csrc/" in each and each.endswith(".c") for each in arguments):
    at = arguments.index("-o") + 1
    source = next(each for each in arguments if each.endswith(".c"))
    key = hashlib.sha1(" ".join(sorted(each for each in arguments if each != arguments[at])).encode()).hexdigest()[:12]
    kept = os.path.join({str(FOLDER / "objects")!r}, key + "-" + os.path.basename(source)[:-2] + ".o")
    own = kept + "." + str(os.getpid())
    if not os.path.exists(kept):
        code = subprocess.call(["gcc", *arguments[: at], kept, *arguments[at + 1 :], *{FLAGS!r}])
        if code:
            sys.exit(code)
    shutil.copy(kept, arguments[at])
    sys.exit(0)
sys.exit(subprocess.call(["gcc", *arguments, "--coverage"]))
"""


def sources():
    """The files of the repository that are compiled, installed or tested."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def build():
    """Install the package into the folder, if it is not that of these sources; the environment of its tests."""
    site, compiler = FOLDER / "site", FOLDER / "compiler.py"
    digest = hashlib.sha1()
    for path in sources():
        if path.parts[len(ROOT.parts)] in ("csrc", "puzzle15", "setup.py", "pyproject.toml"):
            digest.update(path.read_bytes())
    stamp = FOLDER / "stamp"
    environment = {**os.environ, "CC": f"{sys.executable} {compiler}", "PYTHONPATH": str(site)}
    environment["COVERAGE_PROCESS_START"] = str(FOLDER / "settings.ini")
    if stamp.exists() and stamp.read_text() == digest.hexdigest():
        return environment
    shutil.rmtree(FOLDER, ignore_errors=True)
    (FOLDER / "objects").mkdir(parents=True)
    compiler.write_text(COMPILER)
    settings = f"[run]\nbranch = true\nparallel = true\nsource = {FOLDER}/site/puzzle15\n"
    settings += f"data_file = {FOLDER}/counts\npatch = subprocess\n"
    (FOLDER / "settings.ini").write_text(settings)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    for path in sources():
        (SOURCE / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, SOURCE / path.relative_to(ROOT))
    # A function that is inlined has its branches at each place, and each place would need all of them.
    header = SOURCE / "csrc" / "base" / "cpu.h"
    header.write_text(
        header.read_text().replace(f"#define {INLINED} __attribute__((always_inline))", f"#define {PLAIN}")
    )
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
        missed = numbers["num_branches"] - numbers["covered_branches"]
        name = path[path.rindex("puzzle15/") :] if "puzzle15/" in path else path
        yield name, numbers["num_statements"], found["missing_lines"], numbers["num_branches"], missed


def c_files():
    """The same of the C core; gcovr adds up the programs and modules that a source is compiled into."""
    command = [sys.executable, "-m", "gcovr", "--root", SOURCE, "--filter", f"{SOURCE}/csrc/", "--gcov-ignore-errors"]
    command += ["--exclude-unreachable-branches", "--merge-mode-functions=separate", "--json", FOLDER / "c.json"]
    subprocess.run([*command, FOLDER / "objects"], cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
    for found in json.loads((FOLDER / "c.json").read_text())["files"]:
        lines = {line["line_number"]: line["count"] for line in found["lines"] if not line.get("gcovr/noncode")}
        branches = [branch["count"] for line in found["lines"] for branch in line["branches"]]
        missed = sorted(number for number, count in lines.items() if count == 0)
        yield found["file"], len(lines), missed, len(branches), sum(count == 0 for count in branches)


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
    """Print the files that have missed lines, and the totals."""
    files = sorted(files)
    for name, lines, missed, branches, missed_branches in files:
        if missed or missed_branches:
            shares = 100 - 100 * len(missed) / max(lines, 1), 100 - 100 * missed_branches / max(branches, 1)
            print(f"{name:44} {shares[0]:6.1f} % {shares[1]:6.1f} %  {ranges(missed)}")
    lines, branches = sum(row[1] for row in files), sum(row[3] for row in files)
    share = 100 - 100 * sum(len(row[2]) for row in files) / max(lines, 1)
    share_of_branches = 100 - 100 * sum(row[4] for row in files) / max(branches, 1)
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
