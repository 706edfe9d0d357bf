"""Compiles the fuzzers in C: the core once, and each fuzzer with the files that it needs.

As a program, it says which clang there is, and ends with 1 if there is none that has libFuzzer.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))
from compiling import C_TESTS, CSRC, FLAGS, NOT_OPTIMIZED, included_by, sources_of

HERE = Path(__file__).parent

#: A fuzzer in C -> its source.
FUZZERS = {path.stem: path for path in sorted(HERE.glob("*.c"))}

_SANITIZERS = "address,undefined"

#: Comparisons are not traced: that takes two thirds of the time, and no fuzzer here looks for long constants.
_COVERAGE = ["-fno-sanitize-coverage=trace-cmp"]
_FLAGS = [*FLAGS, "-O1", "-g1", "-UNDEBUG", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"]
_CLANGS = ["clang", *(f"clang-{version}" for version in range(30, 10, -1))]


def run(command):
    """Run a command, whose output is shown if it fails."""
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ended.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{ended.stdout}")


def clang(folder):
    """The command of a clang that has libFuzzer: $CLANG, or what the system has; None if there is none."""
    program = folder / "nothing.c"
    program.write_text("int LLVMFuzzerTestOneInput(const char *data, unsigned long size) { return !data && size; }\n")
    for name in filter(None, (os.environ.get("CLANG"), *_CLANGS)):
        command = [name, "-fsanitize=fuzzer,address", program, "-o", folder / "nothing"]
        if shutil.which(name) and subprocess.run(command, capture_output=True).returncode == 0:
            return name
    return None


def build(command, names, folder):
    """The programs of some fuzzers, by name. Only what has changed is compiled."""
    version = subprocess.run([command, "--version"], capture_output=True).stdout
    objects = {}

    def compile_one(source):
        parts = [source, Path(__file__), *sorted(included_by(source, sources=False))]
        state = hashlib.sha256(b"".join([version, *(part.read_bytes() for part in parts)])).hexdigest()
        path = folder / f"{source.stem}-{state[:16]}.o"
        if not path.exists():
            level = ["-O0"] if source.stem in NOT_OPTIMIZED else []
            flags = [
                *_FLAGS,
                *level,
                f"-fsanitize=fuzzer-no-link,{_SANITIZERS}",
                *_COVERAGE,
                f"-I{CSRC}",
                f"-I{C_TESTS}",
            ]
            run([command, *flags, "-c", source, "-o", path.with_suffix(".new")])
            path.with_suffix(".new").replace(path)
        objects[source] = path

    needed = {name: [FUZZERS[name], *sources_of(FUZZERS[name])] for name in names}
    programs = {name: folder / name for name in names}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, sorted({source for sources in needed.values() for source in sources})))
    for name, sources in needed.items():
        parts = [objects[source] for source in sources]
        run([command, f"-fsanitize=fuzzer,{_SANITIZERS}", *parts, "-pthread", "-lm", "-o", programs[name]])
    return programs


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        found = clang(Path(folder))
    print(found or "there is no clang with libFuzzer")
    sys.exit(found is None)
