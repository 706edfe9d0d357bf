"""Compiles and runs the plain C test programs, and reads the sources.

A program asserts with CHECK (check.h), prints nothing when all is well, and returns 0. Warnings are errors here, so
this is also where the C core is held to strict C11. Slow are the runs under sanitizers, and nightly the large sweeps.
"""

import re

import pytest
from compiling import CSRC, FLAGS, HEADERS, PROGRAMS, ROOT, SOURCES, compiler, run

# -------------------------------------------------------------------------------------------------- the programs


#: Runs under sanitizers alone: Python tests of searches hold most of what it does.
LONG = ["test_searches"]


def runs():
    for program, path in PROGRAMS.items():
        if program not in LONG:
            yield pytest.param("plain", program)
        yield pytest.param("sanitized", program, marks=pytest.mark.slow)
        if "is_slow(" in path.read_text():
            yield pytest.param("sweeps", program, marks=pytest.mark.nightly)


@pytest.mark.parametrize("kind, program", list(runs()))
def test_program(kind, program, c_programs):
    assert c_programs.outputs[program, kind].result() == ""


# --------------------------------------------------------------------------------------- what the compiler can see


def test_each_header_stands_alone(tmp_path):
    """Sources that begin with their headers show it of these; the others are compiled here."""
    files = []
    for header in HEADERS:
        source, include = (CSRC / header).with_suffix(".c"), f'#include "{header}"\n'
        if not (source.exists() and source.read_text().startswith(include)):
            files.append(tmp_path / header.replace("/", "-").replace(".h", ".c"))
            files[-1].write_text(f"{include}int main(void) {{ return 0; }}\n")
    run([*compiler(), *FLAGS, f"-I{CSRC}", "-fsyntax-only", *files])


def test_each_header_may_be_included_twice():
    texts = [(CSRC / header).read_text() for header in HEADERS]
    guards = [re.search(r"^#ifndef (\w+)\n#define \1\n(?s:.*)\n#endif\n\Z", text, re.M)[1] for text in texts]
    assert len(set(guards)) == len(HEADERS)


LEVELS = ["plain", "v3", "v4", "vnni"]

#: The sources that pick a compilation; others do so by the macro of the header at the end.
PICKING = [source for source in SOURCES if re.search("P15_TARGET_|P15_BY_LEVEL", (CSRC / source).read_text())]
PICKING.append("base/cpu.h")


@pytest.mark.parametrize("source", PICKING)
def test_every_level_runs_the_best_compilation(source):
    """Of every hot function: at no level a slower kind than at the level below, or than there is."""
    text = (CSRC / source).read_text()
    if source == "base/cpu.h":
        text = re.search(r"#define P15_COMPILE_BY_LEVEL(?s:.*?)\n\n", text)[0]
        text = text.replace("##", "").replace(" parameters", "()")
    defined = set(re.findall(rf"\bstatic \w+ (\w+_(?:{'|'.join(LEVELS)}))\(", text))
    tables = re.findall(r"P15_BY_LEVEL\(([^)]*)\)", text)
    picked = [re.split(r"[\s,]+", table.strip()) for table in tables]
    assert picked and not re.search(r"(?:[=!]=|\bcase) *P15_CPU_", text)
    for names in picked:
        stem = names[0].removesuffix("_plain")
        best = "plain"
        for level, name in zip(LEVELS, names):
            best = level if f"{stem}_{level}" in defined else best
            assert name == f"{stem}_{best}", (level, name)
    assert defined == {name for names in picked for name in names}


def test_five_sources_pick_a_compilation():
    assert len(PICKING) == 5


# ------------------------------------------------------------------------------------------ declarations for Cython


def declarations(text):
    """(header, declaration, members) of everything that a file of puzzle15/_core takes from C, one line each.

    Only enums and structs have members. Types of functions are left out: C checks these where they are used.
    """
    text = re.sub(r'#.*| {4}"""\n(?s:.*?)"""\n', "", text)
    text = re.sub(r",\n\s+", ", ", text)
    for header, block in re.findall(r'^cdef extern from "([\w/]+\.h)"(?: nogil)?:\n((?:(?: {4}.*)?\n)+)', text, re.M):
        lines = block.splitlines()
        for number, line in enumerate(lines):
            if line.startswith("    ") and not line.startswith("     "):
                members = []
                for member in lines[number + 1 :]:
                    if not member.startswith("        "):
                        break
                    names = [member.strip()] if "struct" in line else member.strip().split(", ")
                    members += [] if member.strip() == "pass" else names
                if not re.match(r"ctypedef .*\(", line.strip()):
                    yield header, line.strip(), members


def assertions(declaration, members):
    """C that compiles if the header says the same."""

    def same(type_of, expected):
        return f'_Static_assert(_Generic({type_of}, {expected}: 1, default: 0), "{declaration}");'

    declaration = declaration.replace("bint", "int")
    function = re.fullmatch(r"(.*?[ *])(\w+)\((.*)\)(?: noexcept nogil)?", declaration)
    record = re.fullmatch(r"ctypedef struct (\w+):", declaration)
    kind = re.fullmatch(r"ctypedef enum (\w+):", declaration)
    array = re.fullmatch(r"ctypedef (\w+) (\w+)((?:\[\w+\])*)", declaration)
    constant = re.fullmatch(r"const (\w+) (\w+)", declaration)
    if function:
        yield same(f"&{function[2]}", f"{function[1]}(*)({function[3] or 'void'})")
    elif record:
        for member in members:
            type_of, declarators = re.fullmatch(r"((?:const )?\w+) (.*)", member.replace("bint", "int")).groups()
            for pointers, name, dimensions in re.findall(r"(\**)(\w+)((?:\[[\w +]+\])*)(?:, |$)", declarators):
                yield same(f"&(({record[1]} *)0)->{name}", f"{type_of} {pointers}(*){dimensions}")
    elif kind:
        yield from (f"static const {kind[1]} copy_of_{name} = {name};" for name in members)
    elif declaration == "enum:":
        yield from (f"static const long long copy_of_{name} = {name};" for name in members)  # may be above INT_MAX
    elif array:
        yield same(f"({array[2]} *)0", f"{array[1]} (*){array[3]}")
    elif constant:
        yield same(constant[2], constant[1])
    else:
        raise AssertionError(f"what is {declaration!r}?")


def test_cython_is_told_what_the_headers_say(tmp_path):
    """A bool that is taken for an int is read with what else its register holds: a loop may have no end."""
    sources, count = [], 0
    for file in sorted((ROOT / "puzzle15" / "_core").rglob("*.p[xy][dx]")):
        found = [each for each in declarations(file.read_text()) if "/" in each[0]]
        lines = [f'#include "{header}"' for header in dict.fromkeys(header for header, _, _ in found)]
        lines += [line for _, declaration, members in found for line in assertions(declaration, members)]
        sources.append(tmp_path / f"declared{len(sources)}.c")
        sources[-1].write_text("\n".join([*lines, "int main(void) { return 0; }\n"]))
        count += len(found)
    assert count > 120 and len(sources) > 12
    run([*compiler(), *FLAGS, "-Wno-unused", f"-I{CSRC}", "-fsyntax-only", *sources])
