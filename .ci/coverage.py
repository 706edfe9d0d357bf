"""Runs tests on a build that counts, and prints which lines and branches of the C core and of Python they miss.

    pip install --group coverage ".[test]" && python .ci/coverage.py -- -m "slow or not slow" tests/c tests/unit

What follows `--` is for pytest; without it, the default tests run. The build, the counts and the report in HTML are in
build/coverage, and a second call adds to what the first one has counted, unless the sources have changed.
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
FOLDER = ROOT / "build" / "coverage"
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
    settings = "[run]\nbranch = true\nparallel = true\nsigterm = true\nsource = puzzle15\n"
    settings += f"data_file = {FOLDER}/counts\npatch = subprocess\n"
    (FOLDER / "settings.ini").write_text(settings)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    copy = FOLDER / "source"
    for path in sources():
        (copy / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy / path.relative_to(ROOT))
    subprocess.run([*command, "--target", str(site), str(copy)], check=True, env=environment)
    stamp.write_text(digest.hexdigest())
    return environment


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("tests", nargs="*", help="arguments of pytest, after --")
    options = parser.parse_args()
    environment = build()
    copy = FOLDER / "source"
    command = [sys.executable, "-m", "coverage", "run", f"--rcfile={FOLDER}/settings.ini"]
    command += [shutil.which("pytest"), "-q"]
    code = subprocess.run([*command, *options.tests], cwd=copy, env=environment).returncode
    python = [sys.executable, "-m", "coverage"]
    rc = f"--rcfile={FOLDER}/settings.ini"
    subprocess.run([*python, "combine", "--quiet", "--append", rc], cwd=FOLDER, check=False)
    subprocess.run([*python, "json", "--quiet", rc, "-o", str(FOLDER / "python.json")], cwd=copy, check=True)
    report = json.loads((FOLDER / "python.json").read_text())
    gcovr = [sys.executable, "-m", "gcovr", "--root", str(copy), "--filter", str(copy / "csrc"), "--gcov-ignore-errors"]
    gcovr += ["--exclude-unreachable-branches", "--merge-mode-functions=separate", "--json", str(FOLDER / "c.json")]
    subprocess.run([*gcovr, "--txt", str(FOLDER / "c.txt"), str(FOLDER / "objects")], cwd=copy, check=True)
    print((FOLDER / "c.txt").read_text()[-200:], report["totals"])
    return code


if __name__ == "__main__":
    sys.exit(main())
