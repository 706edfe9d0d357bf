"""Certificates for the tests of the checker: good ones of many kinds, and the same with one fault."""

import copy
import json
import shlex

from solving import random_goal

from puzzle15 import Board, Solver
from puzzle15._cli import main
from puzzle15.board import random_walk, unpack_boards
from puzzle15.solver._certificate import Certifier

#: Shape, tables, home of the goal's blank, and the most moves of the walks that make boards; None: any boards.
KINDS = [
    ((3, 3), "embedded", None, None),
    ((3, 3), "1-4/5-8", 8, None),
    ((2, 2), "embedded", None, None),
    ((2, 4), "embedded", None, None),
    ((3, 2), "embedded", None, None),
    ((2, 5), "embedded", 4, 60),
    ((3, 4), "1-6/7-11", 11, 60),
    ((4, 3), "1-6/7-11", 0, 60),
    ((4, 4), "5-5-5", 15, 60),
    ((4, 4), "5-5-5", 1, 40),
    ((4, 4), "5-5-5", 9, 40),
]


def certifiers(rng, folder, kinds=KINDS):
    """(solver, certifier, the most moves of walks) of each kind, whose tables are files in the folder."""
    for shape, partition, home, most in kinds:
        goal = random_goal(rng, shape, home)
        solver = Solver(partition, goal=goal, tables=folder, build=partition != "embedded")
        certifier = Certifier(solver)
        if (command := certifier.build_command(folder)) is not None:
            assert main([*shlex.split(command)[1:], "--quiet"]) == 0
        yield solver, certifier, most


def made(rng, solver, certifier, most):
    """The certificate of a random board."""
    if most is None:
        board = Board.random(rng, goal=solver.goal)
    else:
        packed = random_walk(1, int(rng.integers(most)), rng, goal=solver.goal)
        board = Board(unpack_boards(packed, solver.shape)[0], solver.shape)
    return json.loads(certifier.line(solver.solve(board)))


# Faults change a certificate, and return False if they cannot.


def _swap(values, rng, count):
    """Exchange entries in a circle."""
    chosen = rng.choice(len(values), count, replace=False)
    kept = [values[index] for index in chosen]
    for index, value in zip(chosen, [*kept[1:], kept[0]]):
        values[index] = value


def _swapped_tiles(field, count):
    def fault(good, rng):
        rows = [row.split(" ") for row in good[field].split("/")]
        tiles = sum(rows, [])
        if len(tiles) < 6:
            return False
        _swap(tiles, rng, count)
        width = len(rows[0])
        good[field] = "/".join(" ".join(tiles[at : at + width]) for at in range(0, len(tiles), width))

    return fault


def wrong_move(good, rng):
    if not good["moves"]:
        return False
    at = int(rng.integers(len(good["moves"])))
    letters = [letter for letter in "UDLR" if letter != good["moves"][at]]
    good["moves"] = good["moves"][:at] + str(rng.choice(letters)) + good["moves"][at + 1 :]


def detour(good, rng):
    """A solution that is two moves longer, with the bound that it needs."""
    at = int(rng.integers(len(good["moves"]) + 1))
    letter, _ = next(iter(Board(good["board"]).apply(good["moves"][:at]).neighbours()))
    back = {"U": "D", "D": "U", "L": "R", "R": "L"}[letter]
    good["moves"] = good["moves"][:at] + letter + back + good["moves"][at:]
    if not good["length"]:
        good["iterations"].append({"bound": 0, "expanded": 1, "generated": 2})
    good["length"] += 2
    good["iterations"].append({"bound": good["length"], "expanded": 1, "generated": 2})


def detour_in_one_iteration(good, rng):
    """The same, and as if no iteration had been needed before the last."""
    detour(good, rng)
    del good["iterations"][:-1]


def cut_off(good, rng):
    """The last move is missing, and the length and the bounds fit."""
    if not good["moves"]:
        return False
    good["moves"], good["length"] = good["moves"][:-1], good["length"] - 1


def wrong_length(good, rng):
    good["length"] += int(rng.choice([-2, -1, 1, 2]))


def wrong_bound(good, rng):
    if not good["iterations"]:
        return False
    good["iterations"][int(rng.integers(len(good["iterations"])))]["bound"] += int(rng.choice([-2, -1, 1, 2]))


def missing_iteration(good, rng):
    if not good["iterations"] or (not good["tables"] and len(good["iterations"]) > 1):
        return False
    del good["iterations"][int(rng.integers(len(good["iterations"])))]


def repeated_iteration(good, rng):
    if not good["iterations"]:
        return False
    at = int(rng.integers(len(good["iterations"])))
    good["iterations"].insert(at, good["iterations"][at])


def earlier_iteration(good, rng):
    if not good["tables"] or not good["iterations"]:
        return False
    first = good["iterations"][0]
    good["iterations"].insert(0, first | {"bound": max(first["bound"] - 2, 0)})


def further_iteration(good, rng):
    good["iterations"].append({"bound": good["length"] + 2, "expanded": 1, "generated": 1})


def _objects(good):
    yield good
    for name in ("tables", "lookups", "iterations"):
        yield from good[name]


def _any_object(good, rng):
    objects = [*_objects(good)]
    return objects[int(rng.integers(len(objects)))]


def missing_field(good, rng):
    each = _any_object(good, rng)
    del each[str(rng.choice(sorted(each)))]


def unknown_field(good, rng):
    _any_object(good, rng)["further"] = 1


def wrong_type(good, rng):
    each = _any_object(good, rng)
    name = str(rng.choice(sorted(each)))
    others = [None, True, 1.0, "1", [None], {}, [[1]], {"1": 1}, 10**40, -1]
    others = [value for value in others if type(value) is not type(each[name]) or type(value) is int]
    if type(each[name]) is list:
        others.append([*each[name], None])
    each[name] = others[int(rng.integers(len(others)))]


def wrong_kind(good, rng):
    name = str(rng.choice(["format", "version", "metric", "convention"]))
    good[name] = {"format": "certificate", "version": 2, "metric": "mtm", "convention": "blank"}[name]


def wrong_shape(good, rng):
    name = str(rng.choice(["board", "goal"]))
    rows = good[name].split("/")
    change = int(rng.integers(3))
    tiles = " ".join(rows).split(" ")
    width = len(rows)
    if change == 0 and len(rows) != len(rows[0].split(" ")):  # the shape upright
        good[name] = "/".join(" ".join(tiles[at : at + width]) for at in range(0, len(tiles), width))
    elif change == 1:
        good[name] = " ".join(tiles)
    else:
        good[name] = "/".join(rows[:-1])


def wrong_hash(good, rng):
    if not good["tables"]:
        return False
    table = good["tables"][int(rng.integers(len(good["tables"])))]
    at = int(rng.integers(64))
    digit = "1" if table["sha256"][at] == "0" else "0"
    table["sha256"] = table["sha256"][:at] + digit + table["sha256"][at + 1 :]


def wrong_file(good, rng):
    """Two tables exchange their files, with their hashes; or the file lies elsewhere, or is none."""
    if not good["tables"]:
        return False
    first, *others = good["tables"]
    if others and rng.integers(2):
        for name in ("file", "sha256"):
            first[name], others[0][name] = others[0][name], first[name]
    else:
        first["file"] = str(rng.choice(["../" + first["file"], "other.p15", "/dev/zero", "", "x" * 200 + ".p15", "."]))


def wrong_cells(good, rng):
    if not good["tables"]:
        return False
    table = good["tables"][int(rng.integers(len(good["tables"])))]
    most = good["board"].count("/") + good["board"].count(" ") + 1
    change = int(rng.integers(4))
    if change == 0:
        table["cells"] = table["cells"][1:]
    elif change == 1:
        table["cells"][-1] = most
    elif change == 2:
        table["cells"].reverse()
    else:
        table["home"] = table["cells"][0]


def wrong_symmetry(good, rng):
    if not good["lookups"]:
        return False
    lookup = good["lookups"][int(rng.integers(len(good["lookups"])))]
    change = int(rng.integers(3))
    if change == 0:
        _swap(lookup["cell_to"], rng, 2)
    elif change == 1:
        lookup["cell_to"] = lookup["cell_to"][::-1]  # half a turn: a symmetry that moves the home
    else:
        lookup["cell_to"] = [cell + 1 for cell in lookup["cell_to"]]


def overlapping_patterns(good, rng):
    """A table that is added up twice."""
    if not good["lookups"]:
        return False
    lookup = good["lookups"][int(rng.integers(len(good["lookups"])))]
    good["tables"].append(copy.deepcopy(good["tables"][lookup["tables"][0]]))
    lookup["tables"].append(int(rng.choice([len(good["tables"]) - 1, lookup["tables"][0]])))


def no_such_table(good, rng):
    if not good["lookups"]:
        return False
    good["lookups"][0]["tables"][0] = len(good["tables"]) + int(rng.integers(2)) * 10**9


def without_tables(good, rng):
    if not good["tables"] or len(good["lookups"][0]["cell_to"]) <= 9:
        return False
    good["lookups"] = []


FAULTS = [
    _swapped_tiles("board", 2),
    _swapped_tiles("board", 3),
    _swapped_tiles("goal", 2),
    _swapped_tiles("goal", 3),
    *(wrong_move, detour, detour_in_one_iteration, cut_off, wrong_length, wrong_bound, missing_iteration),
    *(repeated_iteration, earlier_iteration, further_iteration, missing_field, unknown_field, wrong_type, wrong_kind),
    *(wrong_shape, wrong_hash, wrong_file, wrong_cells, wrong_symmetry, overlapping_patterns, no_such_table),
    without_tables,
]


def faulty(good, fault, rng):
    """The certificate with a fault, as a line; None if it cannot have this one."""
    bad = copy.deepcopy(good)
    if fault(bad, rng) is False or bad == good:
        return None
    return json.dumps(bad)


#: What is no certificate, from a line that is one.
TEXTS = [
    lambda line: line + line,
    lambda line: line + " x",
    lambda line: line[:-1],
    lambda line: line[1:],
    lambda line: f"[{line}]",
    lambda line: line.replace('"version": 1', '"version": 1, "version": 1'),
    lambda line: line.replace('"length": ', '"length": 0'),
    lambda line: line.replace('"version": 1', '"version": NaN'),
    lambda line: line.replace('"version": 1', '"version": ' + "9" * 5000),
    lambda line: line.replace('"moves": "', '"moves": "' + "UD" * 60_000),
    lambda line: line.replace('"moves": "', '"moves": "' + "UD" * 40_000),
    lambda line: line.replace('"board": "', '"board": "' + "1 " * 20_000),
    lambda line: "[" * 90_000,
    lambda line: "",
    lambda line: "null",
    lambda line: "\x00\xff" + line,
    lambda line: "x",
]
