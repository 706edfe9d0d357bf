"""Compiles the C core and its test programs by clang, for each system and processor that they are meant for.

Warnings are errors, and undefined behaviour is a trap. The programs run where this machine, or an emulator on it, can
run them; a line for each target says whether they did. clang comes from the package `ziglang`.

    python .ci/compilers.py [TARGET..]
"""

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from compiling import C_TESTS, CSRC, PROGRAMS, SMALL_PIECES, SOURCES, sources_of

CLANG = [sys.executable, "-m", "ziglang", "cc"]
FLAGS = ["-std=c11", "-O1", "-g0", "-UNDEBUG", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
FLAGS += ["-fsanitize=undefined", "-fsanitize-trap=undefined", f"-I{CSRC}", f"-I{C_TESTS}", SMALL_PIECES]

#: A target -> the programs that can run what is made for it; None: this machine.
#: The C library of the second is linked in, so that an emulator needs no files of its system.
TARGETS = {
    "x86_64-linux-gnu": None,
    "aarch64-linux-musl": ["qemu-aarch64", "qemu-aarch64-static"],
    "x86_64-windows-gnu": ["wine64", "wine"],
}

#: Programs that use what a system lacks.
LEFT_OUT = {"x86_64-windows-gnu": {"test_pages"}}  # getrlimit


def run(command, **options):
    """Run a command; if it fails, end with what it said."""
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if ended.returncode:
        sys.exit(f"{' '.join(map(str, command))}\nended with {ended.returncode}\n{ended.stdout}")


def check(target, folder, pool):
    """Compile, link and run everything for one target."""
    programs = [name for name in PROGRAMS if name not in LEFT_OUT.get(target, ())]
    paths = [*(CSRC / name for name in SOURCES), *(PROGRAMS[name] for name in programs)]
    objects = {path: folder / f"{number}-{path.stem}.o" for number, path in enumerate(paths)}

    def compile_one(path):
        run([*CLANG, "-target", target, *FLAGS, "-c", path, "-o", objects[path]])

    def link(name):
        parts = [objects[path] for path in (PROGRAMS[name], *sources_of(name))]
        run(
            [
                *CLANG,
                "-target",
                target,
                "-fsanitize=undefined",
                "-fsanitize-trap=undefined",
                *parts,
                "-pthread",
                "-o",
                folder / name,
            ]
        )

    list(pool.map(compile_one, paths))
    list(pool.map(link, programs))
    runners = TARGETS[target]
    runner = [] if runners is None else [path for path in map(shutil.which, runners) if path][:1]
    if runners is None or runner:
        list(pool.map(lambda name: run([*runner, folder / name]), programs))
        ran = f"run by {runner[0]}" if runner else "run"
    else:
        ran = f"not run, because none of {', '.join(runners)} is there"
    print(
        f"{target}: {len(SOURCES)} sources and {len(programs)} test programs compiled, the programs {ran}", flush=True
    )


def main():
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        for target in sys.argv[1:] or TARGETS:
            part = Path(folder, target)
            part.mkdir()
            check(target, part, pool)


if __name__ == "__main__":
    main()
