"""Builds the extension modules; everything else about the package is in pyproject.toml.

Environment:

PUZZLE15_DEBUG=1
    Assertions and Cython's bounds checks on, ``-O1 -g1``, and long jobs in small pieces (csrc/base/pieces.h).
PUZZLE15_SANITIZE=address,undefined
    Compile and link with these sanitizers.  Python itself has none, so their libraries must be preloaded.

Either one rebuilds everything; after it, a normal build in place needs ``--force``.  csrc/README.md says how to run
tests with both.

``python -m build --wheel -C--build-option=--py-limited-api=cp311`` makes one wheel for Python 3.11 and all later ones.
Its calls take a microsecond longer; CONTRIBUTING.md has the figures.

The C core needs gcc or clang: on Windows those of MinGW-w64.  Microsoft's compiler has C11 atomics only as an
experiment, so it is refused.
"""

import os
import shutil
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from glob import glob
from multiprocessing import get_start_method, set_start_method
from os.path import getsize as size

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

C_SOURCES = sorted(glob("csrc/**/*.c", recursive=True))

# Extension modules: each .pyx of puzzle15/_core.
MODULES = sorted(glob("puzzle15/_core/*/*.pyx"))

DEBUG = os.environ.get("PUZZLE15_DEBUG") == "1"
SANITIZE = os.environ.get("PUZZLE15_SANITIZE", "")
# Objects of one kind of build must not be taken for those of another.
BUILD_BASE = "build" + "/debug" * DEBUG + "/sanitize" * bool(SANITIZE)

# No -march: what is built here must run on any processor of its kind.
# Python's own flags often hold -g, which would make the modules five times as big.
compile_args = ["-std=c11", "-fvisibility=hidden"]
compile_args += ["-O1", "-g1", "-DP15_PIECE=64"] if DEBUG else ["-O3", "-g0"]
link_args = [] if DEBUG or SANITIZE else ["-s"]  # without the names of what no other module calls
if SANITIZE:
    flags = [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
    compile_args += flags
    link_args += flags

HEADERS = glob("csrc/**/*.h", recursive=True)
# Python's own flags may define NDEBUG.
DEFINED = [] if DEBUG else [("NDEBUG", "1")]
UNDEFINED = ["NDEBUG"] if DEBUG else []


class build_what_is_there(build_py):
    """Copies the modules; what an earlier build left of deleted ones would be installed, so it goes."""

    def run(self):
        built = [*self.get_outputs(), *self.get_finalized_command("build_ext").get_outputs()]
        left = glob(os.path.join(self.build_lib, "puzzle15", "**"), recursive=True)
        for path in set(map(os.path.abspath, filter(os.path.isfile, left))) - set(map(os.path.abspath, built)):
            os.remove(path)
        super().run()


class build_core_and_ext(build_ext):
    """Translates the modules, and compiles the C core once, into an archive that they are linked with."""

    def finalize_options(self):
        """Use Python's limited API if the wheel is to be for several versions of Python."""
        super().finalize_options()
        version = self.get_finalized_command("bdist_wheel").py_limited_api
        if version:
            self.build_temp = os.path.join(self.build_temp, version)
            for module in self.extensions:
                module.py_limited_api = True
                module.define_macros = [*DEFINED, ("Py_LIMITED_API", f"0x03{int(version[3:]):02x}0000")]

    def run(self):
        """Only a build waits for Cython; an sdist and metadata do without."""
        sources = {module.name: module.sources for module in translated(self.extensions)}
        for module in self.extensions:
            module.sources = sources[module.name]
            if module.py_limited_api:
                check_import_of_inspect(module.sources[0])
        super().run()

    def build_extensions(self):
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            sys.exit(
                "error: this Python is free-threaded, which puzzle15 was never tested with; use one with a global lock"
            )
        if self.compiler.compiler_type == "msvc":
            sys.exit(
                "error: the compiler is Microsoft's; puzzle15 needs gcc or clang, because its C core uses C11 atomics: "
                "install MinGW-w64, run `python setup.py build --compiler=mingw32 bdist_wheel`, and install the wheel"
            )
        command = self.compiler.compiler_so[0]
        if shutil.which(command) is None:
            sys.exit(
                f"error: there is no C compiler {command}; install gcc (apt install build-essential python3-dev, or "
                "dnf install gcc python3-devel), clang (on macOS: xcode-select --install) or, on Windows, MinGW-w64; "
                "or name the one that you have: CC=clang pip install ."
            )
        core = self.build_core()
        for module in self.extensions:
            module.extra_objects.append(core)
            module.depends.append(core)
        self.extensions.sort(key=lambda module: size(module.sources[0]), reverse=True)
        super().build_extensions()

    def build_core(self):
        """The path of the archive, which serves all Pythons; what is older than its source or a header is compiled."""
        folder = os.path.join(self.get_finalized_command("build").build_base, f"core.{self.plat_name}")
        settings = max(os.path.getmtime(path) for path in [*HEADERS, "setup.py"])
        objects = self.compiler.object_filenames(C_SOURCES, output_dir=folder)

        def is_old(pair):
            source, compiled = pair
            return (
                self.force
                or not os.path.exists(compiled)
                or os.path.getmtime(compiled) < max(settings, os.path.getmtime(source))
            )

        old = sorted((source for source, _ in filter(is_old, zip(C_SOURCES, objects))), key=size, reverse=True)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda source: self.compile_one(source, folder), old))
        archive = os.path.join(folder, self.compiler.library_filename("p15"))
        if old or not os.path.exists(archive):
            if os.path.exists(archive):
                os.remove(archive)  # ar would keep what is no source any more
            self.compiler.create_static_lib(objects, "p15", output_dir=folder)
        return archive

    def compile_one(self, source, folder):
        self.compiler.compile(
            [source],
            output_dir=folder,
            include_dirs=["csrc"],
            macros=DEFINED + [(name,) for name in UNDEFINED],
            extra_postargs=compile_args,
        )


def extension(source):
    return Extension(
        os.path.splitext(source)[0].replace("\\", "/").replace("/", "."),
        sources=[source],
        include_dirs=["csrc"],
        depends=["setup.py", *HEADERS, *glob("puzzle15/_core/**/*.pxd", recursive=True)],
        define_macros=DEFINED,
        undef_macros=UNDEFINED,
        # No loop over nodes is in there: calls are as fast, and compiling takes half of the time.
        extra_compile_args=compile_args if DEBUG else [*compile_args, "-O1"],
        extra_link_args=link_args,
    )


# What Cython would otherwise put into each module: half of it, for memoryviews.  cythonize writes the source.
SHARED = extension("puzzle15/_core/shared.c")


def translated(modules):
    if sys.platform == "linux":
        set_start_method("fork", force=True)  # which is no longer Python's choice from 3.14 on
    return cythonize(
        modules,
        build_dir=f"{BUILD_BASE}/cython",
        # Processes that are not forked would run this file again.
        nthreads=os.cpu_count() if get_start_method() == "fork" else 0,
        shared_utility_qualified_name=SHARED.name,
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "embedsignature": True,
            "embedsignature.format": "python",
        },
    )


def check_import_of_inspect(path):
    """Add the check that Cython 3.1 to 3.3 forget: if Ctrl-C ended the import of `inspect`, the module crashed."""
    line, check = 'inspect = PyImport_ImportModule("inspect");\n', "    if (!inspect) return -1;\n"
    with open(path, encoding="utf-8") as file:
        code = file.read()
    checked = code.replace(line + check, line).replace(line, line + check)
    if checked != code:  # else it would be compiled again
        with open(path, "w", encoding="utf-8") as file:
            file.write(checked)


# Completions and a man page, where .ci/wheels.py has written them.
SHELL_FILES = [(os.path.dirname(path), [path]) for path in glob("share/**", recursive=True) if os.path.isfile(path)]

setup(
    cmdclass={"build_ext": build_core_and_ext, "build_py": build_what_is_there},
    ext_modules=[*map(extension, MODULES), SHARED],
    data_files=SHELL_FILES,
    options={
        "build": {"build_base": BUILD_BASE},
        # The modules share no object file, so they may be compiled at the same time.
        "build_ext": {"force": bool(DEBUG or SANITIZE), "parallel": os.cpu_count()},
    },
)
