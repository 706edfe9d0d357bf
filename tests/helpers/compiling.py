"""Compiles and runs the C programs of the tests."""

import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
CSRC = ROOT / "csrc"
C_TESTS = TESTS / "c"

SOURCES = sorted(str(path.relative_to(CSRC)) for path in CSRC.rglob("*.c"))
HEADERS = sorted(str(path.relative_to(CSRC)) for path in CSRC.rglob("*.h"))

#: A test program -> its source.
PROGRAMS = {path.stem: path for path in sorted(C_TESTS.rglob("test_*.c"))}

#: Each long job has many pieces: csrc/base/pieces.h.
SMALL_PIECES = "-DP15_PIECE=64"

FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread", SMALL_PIECES]

#: Optimized, so the compiler sees memory that is used as another type.
PLAIN = ("-O1", "-fstrict-aliasing", "-Wstrict-aliasing=2", "-Wno-maybe-uninitialized")

SANITIZED = (*PLAIN, "-g1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

#: Sources that take longer to optimize than to run.
NOT_OPTIMIZED = ["dense"]

#: Flags of the sanitized programs that need another sanitizer.
SPECIAL = dict.fromkeys(["test_shared_builds", "test_threads"], ("-O1", "-g1", "-fsanitize=thread"))


def compiler():
    """The C compiler's command, as a list: $CC, or what the system has."""
    for name in filter(None, (os.environ.get("CC"), "cc", "gcc", "clang")):
        command = name.split()
        if shutil.which(command[0]):
            return command
    pytest.fail("the C tests need a C compiler with AddressSanitizer and UBSan: install gcc or clang, or set CC")


def run(command, text=None, env=None):
    """What a command prints when it is given a text; the test fails if the command does."""
    result = subprocess.run(command, input=text, capture_output=True, text=True, env=env)
    output = result.stdout + result.stderr
    assert result.returncode == 0, f"{' '.join(map(str, command))}\n{output}"
    return output


def sources_of(program, root=ROOT):
    """The C sources that a program needs: those of the headers that it includes, directly or not."""
    found = included_by(program, root)
    inside = {root / "csrc" / name for name in re.findall(r'#include "([^"]+\.c)"', program.read_text())}
    return sorted(path for path in found - inside if path.suffix == ".c")


def included_by(program, root=ROOT, sources=True):
    """The headers that a program includes, directly or not, and with `sources` the sources of these headers, too."""
    found, waiting = set(), [program]
    while waiting:
        path = waiting.pop()
        for name in re.findall(r'#include "([^"]+)"', path.read_text()):
            folders = (root / "csrc", root / "tests/c", path.parent)
            included = next((folder / name for folder in folders if (folder / name).exists()), program)
            for file in {included, *([included.with_suffix(".c")] if sources else [])} - {program}:
                if file.exists() and file not in found:
                    found.add(file)
                    waiting.append(file)
    return found


def linking(program):
    """Flags of the linker: a program with a function `__wrap_malloc` has the core call that instead of `malloc`."""
    names = re.findall(r"\b__wrap_(\w+)\([^)]*\) {", PROGRAMS[program].read_text())
    return ["-lm", *(f"-Wl,--wrap={name}" for name in names)]


class Programs:
    """Compiles each C file once for each set of flags, and links and runs each program once, on some threads.

    Parameters
    ----------
    runs : list of (str, str)
        Programs, and what each does: "plain", "sanitized", or "sweeps" for its large sweeps, without sanitizers.
    threads : int
    """

    def __init__(self, runs, threads):
        self.folder = Path(tempfile.mkdtemp(prefix="puzzle15-c-"))
        self.pool, self.command = ThreadPoolExecutor(threads), compiler()
        self.objects = {}  # (source, flags) -> future path
        #: What each run prints, as a future. A run is submitted after its objects, so it never waits for a later one.
        self.outputs = {}
        for program, kind in runs:
            flags = SPECIAL.get(program, SANITIZED) if kind == "sanitized" else PLAIN
            objects = [self.object(source, flags) for source in [PROGRAMS[program], *sources_of(PROGRAMS[program])]]
            run = self.pool.submit(self.output, self.folder / f"{program}-{kind}", objects, flags, program)
            self.outputs[program, kind] = run

    def object(self, source, flags):
        if (source, flags) not in self.objects:
            path = self.folder / f"{len(self.objects)}-{source.stem}.o"
            self.objects[source, flags] = self.pool.submit(self.compile, source, flags, path)
        return self.objects[source, flags]

    def compile(self, source, flags, path):
        level = ["-O0"] if source.stem in NOT_OPTIMIZED else []
        run([*self.command, *FLAGS, *flags, *level, f"-I{CSRC}", f"-I{C_TESTS}", "-c", source, "-o", path])
        return path

    def output(self, path, objects, flags, program):
        run([*self.command, *FLAGS, *flags, *(each.result() for each in objects), *linking(program), "-o", path])
        return run([path, *(["slow"] if path.name.endswith("sweeps") else [])])

    def stop(self):
        """Run nothing more, and remove what was compiled."""
        self.pool.shutdown(cancel_futures=True)
        shutil.rmtree(self.folder, ignore_errors=True)
