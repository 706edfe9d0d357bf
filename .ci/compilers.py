"""Compiles the C core by clang for each system and processor that it is meant for, and runs its tests on this one.

Warnings are errors. In the tests, undefined behaviour is a trap; those for 64-bit ARM run under qemu where it is
installed. clang comes from the package `ziglang`.

    python .ci/compilers.py [--compile] [TARGET..]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests/helpers"))
from compiling import C_TESTS, CSRC, PROGRAMS, SMALL_PIECES, SOURCES, linking, sources_of

CLANG = [sys.executable, "-m", "ziglang", "cc"]
FLAGS = ["-std=c11", "-g0", "-UNDEBUG", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
FLAGS += [f"-I{CSRC}", f"-I{C_TESTS}", SMALL_PIECES]
SANITIZER = ["-fsanitize=undefined", "-fsanitize-trap=undefined"]

#: For each target the command that runs the test programs. The first one is this machine.
TARGETS = {"x86_64-linux-gnu": [], "aarch64-linux-musl": ["qemu-aarch64-static"], "x86_64-windows-gnu": ["wine"]}

#: What is not tried under emulation: it takes long there, or (pages) more memory than there is.
NOT_EMULATED = {"test_multi_search", "test_pages", "test_searches", "test_table", "test_worker"}


def run(command, **options):
    """Run a command; if it fails, end with what it said."""
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if ended.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nended with {ended.returncode}\n{ended.stdout}")


def check(target, folder, pool, compile_only):
    """Compile everything for one target; where test programs can run, compile, link and run them, too."""
    runner = TARGETS[target]
    runs = not compile_only and all(map(shutil.which, runner))
    programs = set(PROGRAMS) - (NOT_EMULATED if runner else set()) if runs else set()
    paths = [*(CSRC / name for name in SOURCES), *(PROGRAMS[name] for name in sorted(programs))]
    objects = {path: folder / f"{number}-{path.stem}.o" for number, path in enumerate(paths)}
    clang = [*CLANG, "-target", target]
    kind = ["-O1", *SANITIZER] if programs else ["-O0", "-fno-sanitize=all", "-Wno-unused-command-line-argument"]

    def compile_one(path):
        run([*clang, *FLAGS, *kind, "-c", path, "-o", objects[path]])

    def link_and_run(name):
        parts = [objects[path] for path in (PROGRAMS[name], *sources_of(PROGRAMS[name]))]
        run([*clang, *SANITIZER, *parts, "-pthread", *linking(name), "-o", folder / name])
        run([*runner, folder / name])

    list(pool.map(compile_one, paths))
    list(pool.map(link_and_run, sorted(programs)))
    print(f"{target}: {len(SOURCES)} sources compiled, {len(programs)} test programs run", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"{', '.join(TARGETS)} (default: all)")
    parser.add_argument("--compile", action="store_true", help="run no tests")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        for target in args.targets or TARGETS:
            part = Path(folder, target)
            part.mkdir()
            check(target, part, pool, args.compile)


if __name__ == "__main__":
    main()
