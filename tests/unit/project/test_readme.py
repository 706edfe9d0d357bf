"""What the READMEs show: their Python runs, their commands parse, their links lead somewhere."""

import ast
import doctest
import json
import re
import runpy
import shlex
from types import SimpleNamespace

import pytest
from readmes import READMES, ROOT, console_examples, name, shell_lines, text_of

from puzzle15 import Board, Solver
from puzzle15._cli.parser import COMMANDS as ALL
from puzzle15._cli.parser import make_parser
from puzzle15.environments import _simulation as simulation
from puzzle15.heuristics._names import FORMS
from puzzle15.papers import PAPERS
from puzzle15.searches._algorithms import ALGORITHMS, EXAMPLES, algorithm_of

README = READMES[0]
BENCH = ROOT / "bench"
BENCHMARKS = sorted((BENCH / "benchmarks").glob("bench_*.py"))


def commands(path):
    """Every ``puzzle15 ..`` of the shell and console blocks, and of the text where it stands alone."""
    lines = [*shell_lines(path), *(command for command, _ in console_examples(path))]
    lines += re.findall(r"`(puzzle15 [^`]*)`", text_of(path))
    for line in lines:
        words = shlex.shlex(line, posix=True, punctuation_chars=True)
        words.whitespace_split = True
        command: list = []
        for word in [*words, ";"]:
            if re.fullmatch(r"[;&|<>]+", word):
                if command[:1] == ["puzzle15"]:
                    yield command[1:]
                command = []
            else:
                command.append(word)


@pytest.mark.parametrize("path", READMES, ids=name)
def test_python(path):
    """As ``python -m doctest`` runs it: without ellipses, and with the fence after the last output."""
    result = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted or not re.search("^>>> ", text_of(path), flags=re.MULTILINE)


COMMANDS = [words for path in READMES for words in commands(path) if not {"COMMAND", "NAME", "--help"} & set(words)]


def test_commands(monkeypatch):
    monkeypatch.chdir(BENCH / "benchmarks")  # where own_algorithms.py is
    parser = make_parser()
    for words in COMMANDS:
        try:
            args = parser.parse_args(words)
        except SystemExit:
            pytest.fail(f"not a command: {' '.join(words)}")
        if args.command == "solve":
            list(map(Board, args.boards or ()))


def test_every_command_is_shown():
    assert {words[0] for words in COMMANDS} == {name for name, *_ in ALL}


def format_algorithms(examples: bool = False) -> str:
    """The table of all algorithms in the README, or that of the examples, as Markdown."""
    rows = [("algorithm", "what it does", "shortest solutions?", "what it remembers", "options"), ("---",) * 5]
    own = [name for name, kind in ALGORITHMS.items() if kind.function is None]
    for kind in map(algorithm_of, EXAMPLES if examples else own):
        options = ", ".join(f"`{name}`" for name in kind.options if not name.startswith("on_"))
        summary = re.sub(r"(?<=like )[^ ,]+", r"`\g<0>`", kind.summary)
        shortest = "; ".join(filter(None, (kind.shortest, kind.remark)))
        rows.append((f"`{kind.name}`", summary, shortest, kind.memory, options))
    return "\n".join(f"| {' | '.join(row)} |".replace("| ---", "|---").replace("--- |", "---|") for row in rows)


def test_tables_are_those_of_the_package():
    assert format_algorithms() in text_of(ROOT / "puzzle15/searches/README.md")
    assert format_algorithms(examples=True) in text_of(ROOT / "puzzle15/searches/examples/README.md")
    rows = "\n".join(f"| `{form}` | {what} |" for form, what in FORMS.items())
    assert rows in text_of(ROOT / "puzzle15/heuristics/README.md")


OWN = re.findall(r"^def \w+\(.*\bprogress\b", text_of(BENCH / "benchmarks/own_algorithms.py"), flags=re.MULTILINE)
#: A number in texts, and how many there are.
COUNTED = {
    r"(\w+) textbook (?:search )?algorithms(?! that)": sum(kind.function is None for kind in ALGORITHMS.values()),
    r"(\w+) more(?: as examples|\]\(examples)": len(EXAMPLES),
    r"(\w+) (?:textbook )?algorithms that are written": len(OWN),
    r"(\w+) papers (?:that are )?run again": len(PAPERS),
}


@pytest.mark.parametrize("phrase", COUNTED)
def test_numbers_of_things_are_those_of_the_package(phrase):
    numbers = {"five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10}
    texts = "\n".join(map(text_of, [*READMES, ROOT / "CHANGELOG.md"]))
    found = {each.lower() for each in re.findall(phrase, texts)}
    assert found and {int(numbers.get(each, each)) for each in found} == {COUNTED[phrase]}


def test_every_package_is_described():
    packages = {path.parent.name for path in (ROOT / "puzzle15").glob("*/__init__.py")}
    table = text_of(ROOT / "puzzle15/guide/conventions.md").partition("\n## Packages\n")[2]
    described = set(re.findall(r"^\| \[?`(\w+)`", table, flags=re.MULTILINE))
    assert described == packages | {"errors"}


def test_every_benchmark_begins_with_its_question():
    silent = [
        path.name for path in BENCHMARKS if "?" not in ast.get_docstring(ast.parse(text_of(path))).split("\n\n")[0]
    ]
    assert len(BENCHMARKS) > 10 and silent == []


def test_benchmarks_that_figures_name_are_there():
    there = [f"{path.stem} {' '.join(re.findall('def (test_.*)[(]', text_of(path)))}" for path in BENCHMARKS]
    named = {word for path in READMES for word in re.findall(r"`pytest bench -k (\w+)`", text_of(path))}
    assert len(named) > 5 and [word for word in named if not any(word in names for names in there)] == []


#: (README, text, title) of the links that quote a figure: ``[1.5 s](bench/README.md#figures "build the 7-8 tables")``.
QUOTED = [
    (name(path), *found)
    for path in READMES
    for found in re.findall(r'\[([^]]*)\]\([^) ]*bench/README\.md#figures "([^"]*)"\)', text_of(path))
]


def test_figures_are_those_of_the_benchmarks():
    rows = re.findall(r"^\| ([^|]*) \| ([^|]*) \|", text_of(ROOT / "bench/README.md"), flags=re.MULTILINE)
    for path, text, title in QUOTED:
        (figure,) = [figure for what, figure in rows if what.startswith(title)]
        assert re.search(rf"(?<![\d.,]){re.escape(text)}(?!\w)", figure), (path, text, title)


BY_BENCHMARKS = SimpleNamespace(**runpy.run_path(str(BENCH / "figures.py")))


@pytest.mark.parametrize("row", BY_BENCHMARKS.FIGURES)
def test_benchmarks_write_the_numbers_of_their_row_and_nothing_else(row):
    class Measured:
        def __init__(self, file):
            self.source = text_of(BENCH / "benchmarks" / file) + text_of(BENCH / "conftest.py")

        def __getattr__(self, what):
            assert what == "seconds" or f"{what}=" in self.source or f'"{what}"' in self.source
            return 1e6

    text = text_of(BENCH / "README.md")
    measured = {name: Measured(name.partition("::")[0]) for name in BY_BENCHMARKS.FIGURES[row]}
    for processor, mark in [("Xeon", ""), ("EPYC", " (EPYC)")]:
        after = BY_BENCHMARKS.rewritten(text, measured, processor).splitlines()
        assert len(after) == len(text.splitlines())
        ((old, new),) = (pair for pair in zip(text.splitlines(), after) if pair[0] != pair[1])
        (what, figure, command), (new_what, new_figure, new_command) = old.split(" | "), new.split(" | ")
        assert (what, command) == (new_what, new_command) and what.startswith(f"| {row}")
        unmarked = re.sub(BY_BENCHMARKS.NUMBER, "#", figure.replace(" (EPYC)", ""))
        assert re.sub(BY_BENCHMARKS.NUMBER, "#", new_figure) == unmarked + mark
    for benchmark in measured:
        file, _, function = benchmark.partition("::")
        assert f"def {function.partition('[')[0]}(" in text_of(BENCH / "benchmarks" / file)
        assert re.search(r"-k (\w+)", command)[1] in benchmark
    _, *others = measured  # when one of several has not run, the row stays
    assert BY_BENCHMARKS.rewritten(text, dict.fromkeys(others), "EPYC") == text


def test_all_other_rows_are_edited_by_hand():
    rows = re.findall(r"^\| ([^|]*) \| [^|]* \| `pytest bench -k", text_of(BENCH / "README.md"), flags=re.MULTILINE)
    (other,) = (row for row in rows if not row.startswith(tuple(BY_BENCHMARKS.FIGURES)))
    assert other.startswith("steps of 10,000 15-puzzles") and len(rows) == len(BY_BENCHMARKS.FIGURES) + 1


@pytest.mark.parametrize("row, numbers", [("no such row", [1]), ("the same", [1]), ("Korf's 100 boards", [1, 2, 3])])
def test_a_row_that_does_not_fit_is_named(row, numbers):
    with pytest.raises(ValueError, match=f"one row that begins with .{row}. and gives {len(numbers)} numbers"):
        BY_BENCHMARKS.replaced(text_of(BENCH / "README.md"), row, numbers)


def test_the_first_page_has_no_figures_of_its_own():
    prose = re.sub(r"^```.*?^```$|\[[^]]*\]\([^)]*\)", "", text_of(README), flags=re.MULTILINE | re.DOTALL)
    assert re.findall(r"\d[\d.,]* (?:ms|s|MB|seconds|minutes|hours)\b", prose) == []
    assert sum(path == "README.md" for path, _, _ in QUOTED) >= 6


def test_the_vector_says_how_many_boards_a_thread_takes():
    source = text_of(ROOT / "puzzle15/environments/_gym.py")  # whose import needs gymnasium
    assert f"Each takes at least {simulation._LEAST_PER_THREAD:,} boards." in source


def test_the_answer_of_the_server():
    readme = text_of(ROOT / "puzzle15/guide/embedding.md")
    (request,) = re.findall(r"-d '([^']*)' \S*/api/hint", readme)
    answer = re.findall(r"^```json\n(.*?)^```$", readme, flags=re.MULTILINE | re.DOTALL)[0]
    hint = Solver(shape=(3, 3)).hint(json.loads(request)["board"]).to_dict()
    assert json.loads(answer) == {**hint, "seconds": json.loads(answer)["seconds"]}


#: (README, file, heading) of every link to a file of the repository.
LINKS = [
    (path, *found)
    for path in READMES
    for found in re.findall(r"\]\((?!https?:)([^)# ]*)#?([^) ]*)[^)]*\)", text_of(path))
]


def anchors(path):
    """The headings, as links name them."""
    headings = re.findall(r"^#+ (.*)$", text_of(path), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_somewhere_and_to_every_readme():
    linked = set()
    for path, file, heading in LINKS:
        target = path.parent / file if file else path
        readme = target / "README.md" if target.is_dir() else target
        assert target.exists(), (path, file)
        assert not heading or heading in anchors(readme), (path, heading)
        linked.add(target.resolve())
    assert set(READMES[1:]) <= linked
