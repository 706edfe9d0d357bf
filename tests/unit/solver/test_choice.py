"""Which tables are chosen: the mean bound of a choice against boards, and the best one against nodes."""

import json
import os
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
import twins
from solving import check_path, walk

import puzzle15
from puzzle15 import Board, Solver
from puzzle15 import _cli as cli
from puzzle15.board._orientation import home_cell
from puzzle15.errors import TableMissingError
from puzzle15.solver import _choice as choice
from puzzle15.solver._choice import choices, embedded_choice
from puzzle15.tables import find_tables
from puzzle15.tables._file import file_name
from puzzle15.tables._partitions import goal_cells, parse_partition, partition_name

EASY = Board("1 5 3 4/2 6 8 12/9 10 7 11/13 14 15 0")
SMALL = "1-4/5-8/9-12/13-15"
HISTOGRAMS = json.loads((Path(__file__).parents[2] / "data" / "pdb_histograms.json").read_text("ascii")).values()


def homes():
    for rows, cols in [(4, 4), (3, 4), (4, 3), (2, 5), (2, 6), (5, 2)]:
        for home in sorted({home_cell(cell, (rows, cols)) for cell in range(rows * cols)}):
            yield (rows, cols), home


@pytest.mark.parametrize("shape, home", list(homes()), ids=lambda value: str(value).replace(" ", ""))
@pytest.mark.sweep(2)
def test_the_known_means_of_embedded_tables(shape, home, tmp_path):
    """As the headers of the same tables in files tell them; exact where the goal has its blank in a corner."""
    picked = embedded_choice(shape, home)
    for lookup in picked.lookups:
        puzzle15.build_tables(partition_name(lookup.partition, home), shape=shape, home=home, tables=tmp_path)
    ranked = choices(find_tables(tmp_path)[0], shape, home)
    exact = max(round(each.mean_bound, 2) for each in ranked if not each.embedded)
    assert abs(exact - picked.mean_bound) < (0.001 if home == shape[0] * shape[1] - 1 else 1.2)


def test_every_embedded_choice_has_a_mean():
    for shape in twins.SHAPES:
        for home in {home_cell(cell, shape) for cell in range(shape[0] * shape[1])}:
            mean = embedded_choice(shape, home).mean_bound
            assert mean == float("inf") if shape[0] * shape[1] <= 9 else 28 < mean < 80


@pytest.mark.parametrize("home, format", [("corner", "zero-aware"), ("center", "classic"), ("edge", "zero-aware")])
@pytest.mark.sweep(1)
def test_worse_tables_do_not_replace_the_embedded_ones(home, format, tmp_path, rng):
    goal = Board.goal(home=home_cell(home, (4, 4)))
    for part in (SMALL, "6-6-3"):
        puzzle15.build_tables(part, home=home, format=format, tables=tmp_path)
    assert Solver(goal=goal, tables=tmp_path).open_tables.embedded
    named = Solver(goal=goal, tables=tmp_path, format=format)
    assert not named.open_tables.embedded and named.open_tables.partitions[0] == "1-3/4,7-8,11-12,15/5-6,9-10,13-14"
    boards = [walk(rng, goal, 80)[1] for _ in range(20)]
    nodes = {
        solver: int(Solver(solver, goal=goal, tables=tmp_path).solve_many(boards).generated.sum())
        for solver in (SMALL, None)
    }
    assert nodes[SMALL] > 1.5 * nodes[None]


def test_better_tables_do_replace_the_embedded_ones(tmp_path):
    puzzle15.build_tables(shape=(3, 4), tables=tmp_path)
    assert Solver(shape=(3, 4), tables=tmp_path).open_tables.partitions == ["1-3,5-7,9-10/4,8,11", "1-8/9-11"]
    assert Solver(shape=(3, 4), tables=tmp_path, reflection=False).open_tables.partitions == ["1-3,5-7,9-10/4,8,11"]


def test_embedded_tables_are_not_built_to_be_compared(tables_7_8, monkeypatch):
    def build(*_):
        raise AssertionError("built embedded tables")

    monkeypatch.setattr("puzzle15.tables._construction.table_in_memory", build)
    assert Solver(tables=tables_7_8).open_tables.partitions == ["1-8/9-15"]


@pytest.mark.parametrize(
    "installed, expected",
    [
        ([], None),
        (["A zero-aware 1"], None),
        (["A zero-aware"], ("zero-aware", "A")),
        (["A classic"], ("classic", "A")),
        (["B zero-aware", "B classic"], None),
        (["A zero-aware", "B zero-aware"], ("zero-aware", "AB")),
        (["B zero-aware", "A classic"], ("classic", "A")),
        (["A classic", "A zero-aware", "B classic"], ("zero-aware", "A")),
    ],
)
def test_the_first_partition_that_is_named_decides_the_format(installed, expected, tmp_path, monkeypatch):
    """A and B are asked for, in this order; the number is that of the tables that are there, of two."""
    shape, names = (2, 4), {"A": "1-3/4-7", "B": "1-4/5-7"}
    tables = []
    for name, format, *count in map(str.split, installed):
        tables += puzzle15.build_tables(names[name], shape=shape, format=format, tables=tmp_path)[: int(*count or "2")]
    wanted = {name: parse_partition(text, shape, 7)[0] for name, text in names.items()}
    finder = choice.Finder(Board.goal(shape), tmp_path)
    monkeypatch.setattr(finder, "_listed", (tables, []))
    monkeypatch.setattr(choice, "parse_partition", lambda *_: list(wanted.values()))
    found = finder._installed("A", None, True, False)
    parts = found and dict.fromkeys(
        name for lookup in found.lookups for name in "AB" if lookup.partition == wanted[name]
    )
    assert (found and (found.format, "".join(parts))) == expected


# ---------------------------------------------------------------- what a solver uses


def test_without_any_table(no_tables):
    assert not no_tables.exists()
    for solver in (Solver(), Solver("embedded"), Solver(tables=no_tables)):
        assert solver.open_tables.embedded and solver.open_tables.format == "zero-aware"
        check_path(solver.solve(EASY))
    assert not no_tables.exists()


@pytest.mark.parametrize("goal", [Board.goal(), Board.goal((3, 4), 3), Board.goal((4, 4), 1), Board.goal((4, 4), 5)])
@pytest.mark.sweep(2)
def test_missing_tables_say_how_to_build_them(goal, tmp_path, capsys):
    """The command in the message, run as it stands, mends it."""
    folder = tmp_path / "my tables"
    partition = "5-5-5" if goal.shape == (4, 4) else "1-4/5-7/8-11"
    multi_tile = {"partition": "1-3/4,5", "metric": "mtm"}
    for options in ({"partition": partition}, {"partition": partition, "format": "classic"}, multi_tile):
        with pytest.raises(TableMissingError) as caught:
            Solver(goal=goal, tables=folder, **options)
        assert isinstance(caught.value, FileNotFoundError)
        message = str(caught.value)
        assert str(folder) in message and options["partition"] in message
        command = shlex.split(message.partition("build them: ")[2])
        assert command[:2] == ["puzzle15", "build"]
        assert cli.main([*command[1:], "--quiet"]) == 0
        solver = Solver(goal=goal, tables=folder, **options)
        assert not solver.open_tables.embedded and solver.metric == options.get("metric", "stm")
        assert solver.distance(goal) == 0
    with pytest.raises(TableMissingError, match="puzzle15 build .*--format classic"):
        Solver(goal=goal, tables=tmp_path, format="classic")


def test_a_damaged_header_is_a_missing_table_that_says_why(tmp_path):
    first = puzzle15.build_tables("5-5-5", tables=tmp_path)[0]
    first.path.write_bytes(first.path.read_bytes()[:5000])
    with pytest.raises(TableMissingError, match=f"{first.path.name}.*bytes instead of"):
        Solver("5-5-5", tables=tmp_path)
    assert Solver(tables=tmp_path).open_tables.embedded


def test_the_best_installed_tables(tables_7_8, tmp_path):
    """Of the classic 7-8 tables, which are not read, the files have a header, and nothing but holes behind it."""
    small = "1-2,5,9,13/3-4,7-8,12/6,10-11,14-15"
    named = {small: "5-5-5", "1-3/4,7-8,11-12,15/5-6,9-10,13-14": "6-6-3", "1-8/9-15": "7-8"}

    def picked(**options):
        tables = Solver(tables=tmp_path, check="never", **options).open_tables
        name = named.get("/".join(sorted(tables.partitions[0].split("/"))))
        return "embedded" if tables.embedded else f"{name} {tables.format}"

    assert picked() == "embedded"
    for partition, format in (("5-5-5", "classic"), ("5-5-5", "zero-aware"), ("6-6-3", "zero-aware")):
        puzzle15.build_tables(partition, format=format, tables=tmp_path)
    assert picked() == "embedded"  # with more lookups
    assert picked(format="classic") == "5-5-5 classic" and picked(format="zero-aware") == "6-6-3 zero-aware"
    files, _ = find_tables(tables_7_8)
    for file in files:
        counts = next(each["counts"] for each in HISTOGRAMS if goal_cells(each["tiles"], (4, 4), 15) == file.cells)
        path = tmp_path / file_name((4, 4), "classic", file.cells, file.region)
        classic = replace(file, path=path, format="classic", counts=tuple(counts))
        path.write_bytes(classic.header())
        os.truncate(path, classic.file_bytes)
    assert picked() == "7-8 classic"
    for file in files:
        (tmp_path / file.path.name).symlink_to(file.path)
    assert picked() == "7-8 zero-aware" and picked(format="classic") == "7-8 classic"
    assert picked(partition="5-5-5") == "5-5-5 zero-aware" and picked(partition="embedded") == "embedded"
    assert picked(partition="5-5-5", format="classic") == "5-5-5 classic"
    with pytest.raises(TableMissingError, match="6-6-3"):
        picked(partition="6-6-3", format="classic")
    for options in ({"goal": Board.goal((4, 4), 1)}, {"shape": (3, 4)}):  # tables of others do not count
        assert picked(**options) == "embedded"


@pytest.mark.slow
def test_one_folder_for_homes_with_the_same_cells(tmp_path):
    """Patterns on the same cells that shut the blank in on one side or the other."""
    both = [(Board.goal(), "12,15/1-8/9-11,13,14"), (Board.goal((4, 4), 10), "11,14/1-8/9,10,12,13,15")]
    for goal, partition in both:
        files = puzzle15.build_tables(partition, home=goal.blank, tables=tmp_path)
        assert files[0].cells == 1 << 11 | 1 << 14
    for goal, partition in both:
        solver = Solver(partition, goal=goal, tables=tmp_path)
        for depth, level in enumerate(twins.levels_of_arrays((4, 4), goal.tiles, 7)):
            assert (solver.distance_many(level) == depth).all()
