"""Compile the core for browsers: puzzle15/page/core.wasm, which the page holds. Run it after each change of csrc:

    pip install --group dev             # the compiler, of the version that pyproject.toml names
    python csrc/browser/build.py       # about 15 s
    python csrc/browser/build.py --check

The same sources give the same bytes on every machine. With --check, nothing is written, and other bytes are an error.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "puzzle15" / "page" / "core.wasm"

#: All of these folders, and of others only what they need.
SOURCES = (
    *("browser/*.c", "search/*.c", "search/*/*.c", "learning/network/*.c"),
    *(f"base/{name}.c" for name in ("board", "clock", "cpu", "pages", "status")),
    *(f"tables/{name}.c" for name in ("build", "space", "table")),
    *(f"optimal/{name}.c" for name in ["expander", "fringe", "fsm", "graph", "idastar", "problem", "worker"]),
)
FLAGS = ("--target=wasm32-wasi", "-mexec-model=reactor", "-msimd128", "-std=gnu11", "-O2", "-flto", "-s", "-Icsrc")
LIMITS = ("-Wl,-z,stack-size=262144", f"-Wl,--max-memory={2**30}")


def exports() -> list[str]:
    """The functions that headers of csrc/browser declare, and those that take and give memory."""
    text = "".join(path.read_text() for path in sorted((ROOT / "csrc/browser").glob("*.h")))
    return ["malloc", "free", *sorted(set(re.findall(r"^[\w ]+[ *](p15_\w+)\(", text, re.MULTILINE)))]


def build(path: Path) -> None:
    sources = sorted(str(file.relative_to(ROOT)) for pattern in SOURCES for file in (ROOT / "csrc").glob(pattern))
    wanted = [f"-Wl,--export={name}" for name in exports()]
    command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, *sources, *wanted, *LIMITS, "-o", str(path)]
    subprocess.run(command, check=True, cwd=ROOT)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "core.wasm")
        build(path)
        made = path.read_bytes()
    if sys.argv[1:] != ["--check"]:
        CORE.write_bytes(made)
    elif made != CORE.read_bytes():
        sys.exit(f"{CORE.relative_to(ROOT)}: not what these sources give; run python csrc/browser/build.py")
    print(f"{CORE.relative_to(ROOT)}: {len(made):,} bytes")


if __name__ == "__main__":
    main()
