"""The rows of the table in README.md that benchmarks write: ``pytest bench --write-figures``.

A row keeps its words and units; its numbers are replaced in their order.
"""

import platform
import re
from pathlib import Path

README = Path(__file__).with_name("README.md")
NUMBER = r"\d[\d.,]*\b"

#: The beginning of each row: its benchmarks, each with the numbers that follow from what it has measured. These are
#: ``seconds``, the median, and its ``extra_info``.
FIGURES = {
    "open them for the first time": {"bench_open.py::test_first_in_a_process": lambda m: [m.open_ms_median]},
    "Korf's 100 boards, one thread": {
        "bench_solving.py::test_korf100[1]": lambda m: [1e3 * m.seconds, round(m.boards * m.mean_generated)]
    },
    "1,000 random boards, one thread": {
        "bench_solving.py::test_many[1]": lambda m: [m.seconds, round(m.mean_generated)]
    },
    "the same, two threads": {"bench_solving.py::test_many[2]": lambda m: [1000 / m.seconds]},
    "a hint, 1,000 random boards together, one thread": {
        "bench_hints.py::test_hints[1]": lambda m: [m.seconds],
        "bench_hints.py::test_hints[2]": lambda m: [m.seconds],
    },
    "count all shortest solutions": {"bench_hints.py::test_counts_of_all_solutions": lambda m: [m.seconds]},
    "analyse a random walk": {"bench_hints.py::test_analyses_of_random_walks[the goal]": lambda m: [m.seconds]},
    "the same, from a random board": {
        "bench_hints.py::test_analyses_of_random_walks[random boards]": lambda m: [10 * m.seconds]
    },
    "build the tables for multi-tile": {"bench_multi_tile.py::test_build": lambda m: [m.seconds, m.bytes / 1e6]},
    "300 random boards in multi-tile moves, one thread": {
        "bench_multi_tile.py::test_many[1]": lambda m: [1e3 / 300 * m.seconds],
        "bench_multi_tile.py::test_many[2]": lambda m: [1e3 / 300 * m.seconds],
    },
    "a hard board of 70 moves, two threads": {
        "bench_solving.py::test_a_hard_board": lambda m: [m.seconds, m.generated]
    },
    "100 random boards without tables": {
        "bench_solving.py::test_embedded": lambda m: [10 * m.seconds],
        "bench_open.py::test_embedded_first_in_a_process": lambda m: [m.open_ms_median / 1e3],
    },
    "`ida*` with Manhattan distance": {"bench_deepening.py::test_trees[1M to 20M-9]": lambda m: [m.million_per_s]},
    "the same, 10 boards of 200": {"bench_deepening.py::test_trees[200M to 400M-3]": lambda m: [m.million_per_s]},
    "a plain recursive loop in C": {"bench_deepening.py::test_plain_loop": lambda m: [m.million_per_s]},
    "`a*` with Manhattan distance": {
        "bench_bestfirst.py::test_a_star[larger-g]": lambda m: [m.expansions_per_s / 1e6, m.bytes_per_node]
    },
    "`a*` that tells a function": {"bench_bestfirst.py::test_recorded_a_star": lambda m: [m.us_per_expansion]},
    r"`a*` and a plain A\* in C": {
        "bench_bestfirst.py::test_a_star_on_the_same_boards": lambda m: [m.expansions_per_s / 1e6],
        "bench_bestfirst.py::test_plain_a_star": lambda m: [m.expansions_per_s / 1e6],
    },
    "local value iteration, one thread": {
        "bench_local_vi.py::test_learning[1]": lambda m: [1e3 * m.seconds],
        "bench_local_vi.py::test_learning[5]": lambda m: [m.seconds],
    },
    "100,000 random boards": {
        "bench_local_vi.py::test_some_solution[1]": lambda m: [m.seconds],
        "bench_local_vi.py::test_some_solution[5]": lambda m: [m.seconds],
    },
}


def shown(number):
    """Counts exactly, and two digits of all others: 209,210,529; 28; 0.21."""
    return f"{number:,}" if isinstance(number, int) else f"{float(f'{number:.2g}'):,.15g}"


def replaced(text, row, numbers, mark=""):
    """The text of README.md with other numbers in the row of this beginning."""
    found = re.findall(rf"^\| {re.escape(row)}[^|\n]* \| ([^|\n]*) \|", text, flags=re.M)
    words = re.split(NUMBER, re.sub(r" \([^)]*\)$", "", found[0])) if len(found) == 1 else []
    if len(words) != len(numbers) + 1:
        raise ValueError(
            f"{README}: expected one row that begins with {row!r} and gives {len(numbers)} numbers: {found}"
        )
    figure = words[0] + "".join(shown(number) + word for number, word in zip(numbers, words[1:])) + mark
    return re.sub(rf"^(\| {re.escape(row)}[^|\n]* \| )[^|\n]*", lambda start: f"{start[1]}{figure} ", text, flags=re.M)


def model():
    """The name of this machine's processor, such as "AMD EPYC 7763 64-Core Processor"."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*: (.*)", info.read_text() if info.exists() else "", flags=re.M)
    return found[1] if found else platform.machine()


def processor():
    """Its short name, such as "EPYC"."""
    found = re.search(r"\b(Xeon|EPYC|Ryzen|Core)\b", model())
    return found[1] if found else model()


def rewritten(text, measured, processor):
    """The text of README.md with the numbers of the rows whose benchmarks have all run."""
    usual = text.partition("## Figures\n")[2].partition(";")[0]  # figures of this processor have no mark
    mark = "" if processor in usual else f" ({processor})"
    for row, benchmarks in FIGURES.items():
        if measured.keys() >= benchmarks.keys():
            numbers = [number for name, numbers in benchmarks.items() for number in numbers(measured[name])]
            text = replaced(text, row, numbers, mark)
    return text


def write(measured):
    new = README.with_name("README.md.new")
    new.write_text(rewritten(README.read_text(encoding="utf-8"), measured, processor()), encoding="utf-8")
    new.replace(README)
