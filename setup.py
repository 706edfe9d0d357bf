"""Builds the extension modules; everything else about the package is in pyproject.toml.

Environment:

PUZZLE15_DEBUG=1
    Assertions and Cython's bounds checks on, ``-O0 -g``.
PUZZLE15_SANITIZE=address,undefined
    Compile and link with these sanitizers.  Python itself has none, so the
    runtime must be preloaded: ``LD_PRELOAD=$(gcc -print-file-name=libasan.so)``.

Either one rebuilds everything; after it, a normal build in place needs ``--force``.
"""

import os
import sys
from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

# Every C source, csrc/p15_<name>.c, in the order of the layers.
C_SOURCES = ["status", "board", "space", "table", "build", "automaton", "idastar", "walking", "evaluator", "deepening",
             "pages", "closed", "open", "bestfirst", "bidirectional", "local", "value_iteration"]

# Extension module puzzle15.<name> -> the C sources that it calls, at any depth.
EXTENSIONS = {
    "_board": ["status", "board"],
    "_tables": ["status", "board", "space", "table", "build"],
    "_search": ["status", "board", "space", "table", "automaton", "idastar"],
    "_evaluator": ["status", "board", "space", "table", "automaton", "idastar", "walking", "evaluator"],
    "_deepening": ["status", "board", "space", "table", "automaton", "idastar", "walking", "evaluator", "deepening"],
    "_bestfirst": ["status", "board", "space", "table", "automaton", "idastar", "walking", "evaluator", "pages",
                   "closed", "open", "bestfirst", "bidirectional", "local"],
    "_value_iteration": ["status", "board", "value_iteration"],
}

DEBUG = os.environ.get("PUZZLE15_DEBUG") == "1"
SANITIZE = os.environ.get("PUZZLE15_SANITIZE", "")
# Objects of one kind of build must not be taken for those of another.
BUILD_BASE = "build" + "/debug" * DEBUG + "/sanitize" * bool(SANITIZE)

if sys.platform == "win32":
    compile_args = ["/std:c11", "/Od" if DEBUG else "/O2"]
    link_args = []
else:
    # No -march: what is built here must run on any processor of its kind.
    # Python's own flags often hold -g, which would make the modules five times as big.
    compile_args = ["-std=c11", "-fvisibility=hidden"]
    compile_args += ["-O0", "-g"] if DEBUG else ["-O3", "-g0"]
    link_args = []
    if SANITIZE:
        flags = [f"-fsanitize={SANITIZE}", "-fno-omit-frame-pointer"]
        compile_args += flags
        link_args += flags


def extension(name, units):
    unknown = set(units) - set(C_SOURCES)
    if unknown:
        raise SystemExit(f"setup.py: {name} names C sources that are not listed: {unknown}")
    return Extension(
        f"puzzle15.{name}",
        sources=[f"puzzle15/{name}.pyx", *(f"csrc/p15_{unit}.c" for unit in units)],
        include_dirs=["csrc"],
        depends=["setup.py", *glob("csrc/*.h"), *glob("puzzle15/*.pxd")],
        # Python's own flags may define NDEBUG.
        define_macros=[] if DEBUG else [("NDEBUG", "1")],
        undef_macros=["NDEBUG"] if DEBUG else [],
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )


setup(
    ext_modules=cythonize(
        [extension(name, units) for name, units in EXTENSIONS.items()],
        build_dir=f"{BUILD_BASE}/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "embedsignature": True,
            "embedsignature.format": "python",
        },
    ),
    options={
        "build": {"build_base": BUILD_BASE},
        "build_ext": {"force": bool(DEBUG or SANITIZE)},
    },
)
