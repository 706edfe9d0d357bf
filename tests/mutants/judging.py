"""Runs the tests that could see a mutant, in a copy of the sources, until one of them fails.

The copy is `build/mutants/tree`. Its core is compiled with assertions, in one set of objects for the test programs in C
and for the extension modules, so a mutant costs only what includes its file. A test in Python that fails is run again
without the mutant: it counts only if it passes then, and if it took too long, only if it takes a third of that then.
A leak in the core counts as a test that fails.
"""

import ast
import contextlib
import functools
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from compiling import FLAGS, NOT_OPTIMIZED, PLAIN, compiler, included_by, linking, sources_of
from mutating import language_of

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "mutants"
TREE = FOLDER / "tree"
RUN = FOLDER / "run"

#: A test of a mutant may take as many times its time without it, and as many seconds more; but at least the limit.
TIMES, SECONDS, LIMIT = 3, 10, 60

#: All tests of a mutant together, for those that hang before the first test begins.
MOST_SECONDS = 1800

#: Of programs in C that include a file, so many are run; those of the file's folder and with the fewest sources first.
MOST_PROGRAMS = 8

#: So many files of tests are run first.
FIRST_FILES = 3

#: Tests in Python of folders of csrc, the nearest first.
CORE_TESTS = {
    "base": ["unit/board", "unit/core/test_kernels.py", "unit/core/test_levels.py", "property", "oracle"],
    "nodes": ["unit/nodes", "oracle"],
    "tables": ["unit/tables", "golden/test_histograms.py", "golden/test_signature.py", "oracle"],
    "optimal": ["golden/test_signature.py", "unit/solver", "oracle"],
    "multitile": ["unit/solver/test_multi_tile.py", "oracle"],
    "learning/environment": ["unit/environments", "oracle"],
    "learning/network": ["unit/core/test_networks.py", "unit/learning/test_ann.py", "unit/learning", "oracle"],
    "learning/value_iteration": ["unit/core/test_value_iteration.py", "unit/learning", "oracle"],
    "search/heuristics": ["unit/heuristics", "unit/learning/test_ann.py", "unit/searches", "oracle"],
    "search": ["unit/searches", "unit/heuristics", "unit/learning/test_ann.py", "oracle"],
    "browser": [],  # tests of the page use the core that ziglang has compiled
}

#: Tests of each package, where they are not the folder of its name.
PACKAGE_TESTS = {
    "_cli": ["unit/cli", "unit/play"],
    "_core": ["unit/core"],
    "_pictures": ["unit/pictures"],
    "_system": ["unit/system", "unit/parallel"],
    "board": ["unit/board", "property/test_board_properties.py"],
    "papers": ["golden/test_reproduction.py", "golden/test_papers.py"],
}

#: Tests of what modules of all packages promise.
OF_ALL = ["oracle/test_oracle.py", "unit/parallel/test_workers.py"]

#: Of a script of the page: what node runs, and what a browser does; those named after its folder come first.
PAGE_TESTS = ["unit/page/test_core.py", "unit/page/test_watch.py", "unit/page/test_source.py", "browser"]


def run(command, seconds=None, **options):
    """Return (exit code, output) of a command, with None for the code if the time was not enough."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}
    process = subprocess.Popen(list(map(str, command)), cwd=TREE, start_new_session=True, **streams, **options)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def must(command):
    code, output = run(command)
    if code:
        sys.exit(f"{' '.join(map(str, command))}\n{output}")


# ------------------------------------------------------------------------------------------------------ the copy


def sources():
    """Return the files of the repository, relative to its root."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted(name for name in listed if (ROOT / name).is_file())


def prepare():
    """Make the copy equal to the sources, whatever an earlier run left in it, and compile what has changed."""
    for name in sources():
        kept = TREE / name
        if not kept.exists() or kept.read_bytes() != (ROOT / name).read_bytes():
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, kept)
    there = set(sources())
    for kept in [*TREE.glob("csrc/**/*.[ch]"), *TREE.glob("puzzle15/**/*.py"), *TREE.glob("tests/**/*.[ch]")]:
        if kept.relative_to(TREE).as_posix() not in there:
            kept.unlink()
    digest = hashlib.sha1()
    for name in sources():
        if name.startswith(("csrc/", "tests/c/", "setup.py", "puzzle15/_core/")):
            digest.update(name.encode() + (ROOT / name).read_bytes())
    stamp = FOLDER / "stamp"
    if not stamp.exists() or stamp.read_text() != digest.hexdigest():
        print("compiling the copy ...", file=sys.stderr, flush=True)
        stamp.unlink(missing_ok=True)
        shutil.rmtree(FOLDER / "objects", ignore_errors=True)
        must([sys.executable, "setup.py", "-q", "build_ext", "--inplace"])
        stamp.write_text(digest.hexdigest())
    for folder in (FOLDER / "objects", RUN):
        folder.mkdir(exist_ok=True)
    link_modules({})


@contextlib.contextmanager
def in_place(mutant):
    """Let a mutant take the place of its source. Its time is unique, so no compiled Python is taken for it."""
    path = TREE / mutant.file
    content, times = path.read_bytes(), (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    try:
        path.write_bytes(mutant.applied(content))
        os.utime(path, (time.time() + 3600, time.time() + 3600))
        yield
    finally:
        path.write_bytes(content)
        os.utime(path, ns=times)


# ------------------------------------------------------------------------------------------------------- objects


@functools.cache
def includes(source):
    return included_by(source, TREE, sources=False) | {source}


def core_sources():
    return sorted(TREE.glob("csrc/**/*.c"))


def compile_to(source, path):
    """Compile a source. Returns what the compiler says if it does not compile."""
    flags = [each for each in FLAGS if not each.startswith("-W")] + ["-Werror=return-type", *PLAIN, "-fPIC"]
    level = ["-O0"] if source.stem in NOT_OPTIMIZED else []
    places = [f"-I{TREE}/csrc", f"-I{TREE}/tests/c", "-fvisibility=hidden", "-fno-omit-frame-pointer"]
    code, output = run([*compiler(), *flags, *level, *places, "-c", source, "-o", path])
    return output if code else None


def object_of(source):
    """Return the object of a source without a mutant, compiled once."""
    path = FOLDER / "objects" / (source.relative_to(TREE).as_posix().replace("/", "-") + ".o")
    if not path.exists():
        wrong = compile_to(source, path.with_suffix(".new"))
        assert wrong is None, wrong
        path.with_suffix(".new").replace(path)
    return path


def link_modules(changed):
    """Link the extension modules of the copy with the core, some of whose objects have changed."""
    archive = FOLDER / "core.a"
    archive.unlink(missing_ok=True)
    must(["ar", "qcs", archive, *(changed.get(each) or object_of(each) for each in core_sources())])
    for module in TREE.glob("puzzle15/_core/**/*.so"):
        name = (module.parent / module.name.partition(".")[0]).relative_to(TREE).as_posix()
        [own] = TREE.glob(f"build/temp.*/build/cython/{name}.o")
        must([*compiler(), "-shared", own, archive, "-lm", "-o", module.with_suffix(".linked")])
        module.with_suffix(".linked").replace(module)


# --------------------------------------------------------------------------------------------- runs of tests


class Known:
    """Seconds that tests take without a mutant, and those that fail even then; kept in a file."""

    def __init__(self):
        self.path = FOLDER / "known.json"
        self.seconds, self.failing = json.loads(self.path.read_text()) if self.path.exists() else ({}, [])

    def measure(self, name, command, **options):
        """Run a test without a mutant, unless that was done before. Returns whether it passes."""
        if name not in self.seconds:
            start = time.monotonic()
            code, _ = run(command, **options)
            self.seconds[name] = time.monotonic() - start
            if code:
                print(f"fails without a mutant, and is left out: {name}", file=sys.stderr)
                self.failing.append(name)
            self.path.write_text(json.dumps([self.seconds, self.failing], indent=1))
        return name not in self.failing

    def limit(self, names):
        """Return the seconds that one of these tests may take, as far as they are known."""
        return max([LIMIT, *(TIMES * self.seconds.get(name, 0) + SECONDS for name in names)])


#: Ends pytest while Python is there, whose objects own memory of the core. Leaks of other processes do not count.
LOOK_FOR_LEAKS = """
gc.collect()
ctypes.CDLL(None).__lsan_do_recoverable_leak_check()
sys.stdout.flush()
os._exit(code)
"""


def pytest_command(files, limit=600, leaks=False):
    """Return the command of some test files, each of whose tests may take so many seconds."""
    own = "import ctypes, gc, os, sys, pytest; sys.path.append('tests/helpers'); import interrupting\n"
    own += "os.environ.pop('LD_PRELOAD', None)\n"
    own += f"interrupting.LIMIT_S, interrupting.GRACE_S = {limit}, 2; code = int(pytest.main())\n"
    own += LOOK_FOR_LEAKS if leaks else "sys.exit(code)"
    options = ["-q", "-n0", "-p", "no:cacheprovider", "--tb=line"]
    if any("tests/browser/" in file for file in files):
        options += ["-m", "not slow or extra"]  # all tests in a browser are slow ones, left out by default
    return [sys.executable, "-P", "-c", own, *options, *files]


def settings(folder):
    """Return options of a process that tests the copy; the large tables of a run are in the folder."""
    added = {"PYTHONPATH": str(TREE), "PYTHONDONTWRITEBYTECODE": "1", "PUZZLE15_TEST_RUN": str(folder)}
    return {"env": {**os.environ, **added}}


@functools.cache
def leak_sanitizer():
    """Return the library of LeakSanitizer."""
    return run([*compiler(), "-print-file-name=liblsan.so"])[1].strip()


# ------------------------------------------------------------------------------------------------------ verdicts


class Judge:
    """Says of each mutant: killed, timed out, alive, same code, or does not compile; and by which test."""

    def __init__(self, quick=False):
        self.known, self.quick = Known(), quick

    def verdict(self, mutant):
        with tempfile.TemporaryDirectory(dir=FOLDER) as work:
            self.work = Path(work)
            return {"c": self.in_c, "python": self.in_python, "javascript": self.in_javascript}[
                language_of(mutant.file)
            ](mutant)

    def in_python(self, mutant):
        try:
            mutated = compile(mutant.applied((TREE / mutant.file).read_bytes()), mutant.file, "exec")
        except SyntaxError as error:
            return "does not compile", str(error)
        if mutated == compile((TREE / mutant.file).read_bytes(), mutant.file, "exec"):
            return "same code", ""
        name = mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        code = f"import doctest, importlib, sys; each = importlib.import_module({name!r})\n"
        code += "sys.exit(min(1, doctest.testmod(each, optionflags=doctest.ELLIPSIS).failed))"
        doctests = [sys.executable, "-P", "-c", code]
        with in_place(mutant):
            code, _ = run(doctests, LIMIT, **settings(RUN))
        if code != 0 and self.known.measure(name, doctests, **settings(RUN)):
            return "timed out" if code is None else "killed", "its own doctests"
        return self.by_pytest(mutant, tests_of_module(mutant))

    def in_javascript(self, mutant):
        copy = self.work / "mutant.mjs"
        copy.write_bytes(mutant.applied((TREE / mutant.file).read_bytes()))
        code, output = run(["node", "--check", copy])
        if code:
            return "does not compile", output
        if "/_pictures/" in mutant.file:
            return self.by_pytest(mutant, expand(["unit/pictures"]))
        folder = mutant.file.split("/")[-2]
        return self.by_pytest(mutant, sorted(expand(PAGE_TESTS), key=lambda file: folder not in file))

    def in_c(self, mutant):
        changed, path = {}, TREE / mutant.file
        users = [source for source in core_sources() if path in includes(source)]
        programs = programs_of(path)
        folder = path.parent.relative_to(TREE / "csrc").as_posix()
        tests = expand(CORE_TESTS.get(folder) or CORE_TESTS[folder.partition("/")[0]])
        with in_place(mutant):
            same = bool(users)
            for source in users:
                changed[source] = self.work / (source.relative_to(TREE).as_posix().replace("/", "-") + ".o")
                wrong = compile_to(source, changed[source])
                if wrong is not None:
                    return "does not compile", wrong
                same = same and changed[source].read_bytes() == object_of(source).read_bytes()
            if same:
                return "same code", ""
        for program in programs:
            for source in (program, *sources_of(program, TREE)):
                object_of(source)
            name = program.relative_to(TREE).as_posix()
            with in_place(mutant):
                limit = max(LIMIT, TIMES * self.known.seconds.get(name, 0) + SECONDS)
                found = self.program(program, changed, limit, path in includes(program))
            if found != "passed" and (self.seconds_of(program) * TIMES <= limit or found == "killed"):
                return found, name
        if not tests or not users:
            return "alive", ""
        return self.by_pytest(mutant, tests, changed)

    def seconds_of(self, program):
        """Return the seconds that a program takes without a mutant."""
        name = program.relative_to(TREE).as_posix()
        if name not in self.known.seconds:
            if self.program(program, {}, None, False) != "passed":
                sys.exit(f"{name} fails without a mutant")
            self.known.measure(name, [self.work / program.stem])
        return self.known.seconds[name]

    def program(self, program, changed, limit, again):
        """Link and run a program, and compile it again if it includes the mutant itself."""
        own = self.work / f"{program.stem}.own.o" if again else object_of(program)
        if again and compile_to(program, own) is not None:
            return "killed"
        objects = [changed.get(source) or object_of(source) for source in sources_of(program, TREE)]
        command = [*compiler(), own, *objects, "-pthread", *linking(program.stem), "-fsanitize=leak"]
        command += ["-o", self.work / program.stem]
        if run(command)[0]:
            return "killed"
        code, output = run([self.work / program.stem], limit)
        return "timed out" if code is None else "killed" if code or output else "passed"

    def by_pytest(self, mutant, files, objects=None):
        """Run tests, those of a few files first, until one fails that passes without the mutant."""
        for some in filter(None, (files[:FIRST_FILES], files[FIRST_FILES:] if not self.quick else [])):
            while True:
                limit = self.limit(some)
                with in_place(mutant):
                    if objects:
                        link_modules(objects)
                    try:
                        verdict, test = self.pytest(some, leaks=bool(objects))
                    finally:
                        if objects:
                            link_modules({})
                if verdict == "alive":
                    break
                passes = "::" not in test or self.known.measure(test, pytest_command([test]), **settings(RUN))
                if passes and (verdict != "timed out" or self.known.limit([test]) <= limit):
                    return verdict, test
        return "alive", ""

    def limit(self, files):
        """Return the seconds that a test of these files may take."""
        return self.known.limit([name for name in self.known.seconds if name.partition("::")[0] in files])

    def pytest(self, files, leaks):
        """Run tests until one fails. They see the large tables of the run, but change none of them."""
        left_out = [f"--deselect={name}" for name in self.known.failing if name.partition("::")[0] in files]
        folder = Path(tempfile.mkdtemp(dir=self.work)) / "run"
        shutil.copytree(RUN, folder, copy_function=os.link)
        command = [*pytest_command(files, self.limit(files), leaks), "-x", *left_out]
        options = settings(folder)
        if leaks:
            options["env"] |= {"LD_PRELOAD": leak_sanitizer(), "PYTHONMALLOC": "malloc"}
            options["env"]["LSAN_OPTIONS"] = f"log_path={self.work / 'leaks'}:handle_segv=0"
        code, output = run(command, MOST_SECONDS, **options)
        if code in (0, 5) and any(b" in p15_" in path.read_bytes() for path in self.work.glob("leaks.*")):
            return "killed", f"a leak in {', '.join(files)}"
        if code in (0, 5):
            return "alive", ""
        if code is None:
            return "timed out", ", ".join(files)
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)
        late = "TimeLimit" in output or "Timeout (" in output
        return "timed out" if late else "killed", failed[1] if failed else f"pytest ended with {code}"


def expand(names):
    """Return the test files of some folders and files of tests, in this order."""
    paths = [TREE / "tests" / name for name in names]
    files = [file for path in paths for file in (sorted(path.glob("**/test_*.py")) if path.is_dir() else [path])]
    return [*dict.fromkeys(file.relative_to(TREE).as_posix() for file in files)]


def users_of(stem):
    """Return the packages that import a module of `_system`."""
    imported = re.compile(rf"_system\.{stem} import|_system import .*\b{stem}\b")
    paths = [path for path in TREE.glob("puzzle15/*/**/*.py") if imported.search(path.read_text())]
    return sorted({path.relative_to(TREE).parts[1] for path in paths} - {"_system"})


def tests_of_module(mutant):
    """Return test files: of the module's package, and those that name it; those that name most of what it has first.

    What `_system` has is used by others, whose tests are among them.
    """
    parts = mutant.file.removesuffix(".py").split("/")
    package = parts[1] if len(parts) > 2 else ""
    packages = [package, *(users_of(parts[-1]) if package == "_system" else [])]
    own = expand(name for each in packages if each for name in PACKAGE_TESTS.get(each, [f"unit/{each}"]))
    tree = ast.parse((TREE / mutant.file).read_bytes())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = {node.name for node in ast.walk(tree) if isinstance(node, kinds)} - {"__init__", "__repr__"}
    inside = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    inside = {node.name for node in inside if node.lineno <= mutant.line <= node.end_lineno}
    texts = {file: (TREE / file).read_text() for file in expand(["unit", "golden", "property", "oracle"])}
    folder, stem = ".".join(parts[:-1]), parts[-1]
    dotted = re.compile(rf"\b{re.escape(folder)}\.{stem}\b|from {re.escape(folder)} import .*\b{stem}\b")

    def rank(file):
        words = set(re.findall(r"\w+", texts[file]))
        of_module = stem in words or stem.strip("_") in file.rpartition("/")[2]
        return (not of_module, -len(words & inside), -len(words & names), len(texts[file]))

    files = [file for file in texts if (file in own or dotted.search(texts[file])) and "unit/project/" not in file]
    return [*dict.fromkeys(sorted(files, key=rank) + expand(OF_ALL))]


@functools.cache
def programs_of(path):
    """Return the programs in C that use a source or header, those nearest to it first."""
    found = []
    for program in sorted(TREE.glob("tests/c/**/test_*.c")):
        needed = {program, *included_by(program, TREE)}
        if path in needed:
            found.append((program.parent.name != path.parent.name, len(needed), program))
    return [program for _, _, program in sorted(found)[:MOST_PROGRAMS]]
