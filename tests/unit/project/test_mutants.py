"""What tests/mutants changes in a source of each language, what it leaves alone, and the tests that it runs."""

import ast
import subprocess

import pytest
from judging import pytest_command
from mutating import has_functions, lines_of_code, mutants_of
from readmes import ROOT

PYTHON = '''
"""Counts, 1 + 1."""
LIMIT: "int | None" = 3

def count(items, *, all=False):
    """Return 1 < 2."""
    if not items or len(items) <= LIMIT:  # or so
        return 1 << 2
    self.seen += len(items) - 1
    found = (items[0]  # and
        + 1)
    return found is not None
'''

C = """
#include <stdint.h>
#define TWICE(x) ((x) * 2 + 1)
static_assert(sizeof(int) >= 4, "1 < 2");
/* 1 < 2 */
static int count(const uint8_t *items, int n) {
    assert(n > 0);
    int found = 0x0f; // 1 + 1
    for (int i = 0; i < n; i++) {
        if (!items[i] || n == -1) continue;
        found += 1u << items[i];
        note(&found, "a < b");
    }
    return found;
}
"""

JAVASCRIPT = """
const text = `1 + ${2}`, pattern = /[/<] + 1/g;
export function count(items) {
  let found = items.length / 2;
  for (const item of items) if (item === 1 && !found) break;
  found = found > 3 ? true : -found; // a < b
  this.seen = items.map((each) => each >>> 1);
  return found;
}
"""


def changes(file, text):
    found = mutants_of(file, text.encode())
    assert len({each.id for each in found}) == len(found)
    for each in found:
        changed = each.applied(text.encode())
        assert changed != text.encode() and changed.count(b"\n") <= text.count("\n")
    return [(each.line, str(each)) for each in found]


def test_python():
    assert changes("puzzle15/it.py", PYTHON) == [
        (3, "3 -> 4"),
        (5, "False -> True"),
        (7, "not -> nothing"),
        (7, "or -> and"),
        (7, "<= -> <"),
        (8, "return 1 << 2 -> pass"),
        (8, "1 -> 2"),
        (8, "<< -> >>"),
        (8, "2 -> 3"),
        (9, "self.seen += len(items) - 1 -> pass"),
        (9, "+= -> -="),
        (9, "- -> +"),
        (9, "1 -> 2"),
        (10, "0 -> 1"),
        (11, "+ -> -"),
        (11, "1 -> 2"),
        (12, "return found is not None -> pass"),
        (12, "is not -> is"),
    ]


def test_c():
    assert changes("csrc/it.c", C) == [
        (8, "0x0f -> 0x10"),
        (9, "0 -> 1"),
        (9, "< -> <="),
        (10, "! -> nothing"),
        (10, "|| -> &&"),
        (10, "== -> !="),
        (10, "1 -> 2"),
        (10, "continue -> nothing"),
        (11, "found += 1u << items[i] -> nothing"),
        (11, "+= -> -="),
        (11, "1u -> 2u"),
        (11, "<< -> >>"),
        (12, 'note(&found, "a < b") -> nothing'),
        (14, "return found -> nothing"),
    ]


def test_javascript():
    assert changes("puzzle15/page/source/it.js", JAVASCRIPT) == [
        (4, "2 -> 3"),
        (5, "=== -> !=="),
        (5, "1 -> 2"),
        (5, "&& -> ||"),
        (5, "! -> nothing"),
        (5, "break -> nothing"),
        (6, "found = found > 3 ? true : -found -> nothing"),
        (6, "> -> >="),
        (6, "3 -> 4"),
        (6, "true -> false"),
        (7, "this.seen = items.map((each) => each >>> 1) -> nothing"),
        (7, ">>> -> <<"),
        (7, "1 -> 2"),
        (8, "return found -> nothing"),
    ]


def test_mutants_of_python_compile_and_differ():
    content = (ROOT / "puzzle15/board/_packing.py").read_bytes()
    before, found = ast.dump(ast.parse(content)), mutants_of("puzzle15/board/_packing.py", content)
    assert len(found) > 50
    for mutant in found[::3]:
        assert ast.dump(ast.parse(mutant.applied(content))) != before, mutant.id


@pytest.mark.parametrize("file", ["it.py", "it.c", "it.js"])
def test_files_that_hold_only_data_are_known(file):
    text = {"py": PYTHON, "c": C, "js": JAVASCRIPT}[file.rpartition(".")[2]]
    assert has_functions(file, text.encode()) and not has_functions(file, b"")
    assert 7 <= lines_of_code(file, text.encode()) <= 12


@pytest.mark.slow
def test_tests_in_a_browser_are_run():
    """They are slow, which pytest leaves out by default."""
    file = "tests/browser/test_file.py"
    command = [*pytest_command([file]), "--collect-only"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert f"{file}: " in found.stdout or f"{file}::" in found.stdout, found.stdout + found.stderr
