"""Heuristics by name: their values, what they claim, and the children's values that searches go by."""

import math
import pickle
import shutil

import numpy as np
import pytest
import twins
from searching import H, check_children, values_along, walk
from solving import random_goal

import puzzle15
from puzzle15 import Board, Heuristic, LocalValueIteration, Solver, build_tables, heuristic, search
from puzzle15._core.search.evaluator import KINDS, MAX_PATTERNS, Evaluator
from puzzle15.board import KORF_GOAL, pack_boards, unpack_boards
from puzzle15.errors import BoardError, TableCorruptError, TableMissingError, UnsolvableError
from puzzle15.heuristics import NAMES, check_heuristic
from puzzle15.heuristics._evaluation import full_name
from puzzle15.searches import compare
from puzzle15.tables._file import HEADER_BYTES

TWINS = {
    **H,
    "reversal": lambda *boards: twins.manhattan(*boards) + 2 * twins.reversals(*boards),
    "walking-distance": twins.walking_distance,
}


# ---------------------------------------------------------------- values


def shuffled_lines(rng, goal):
    """A board whose tiles stand in their goal rows, or in their goal columns."""
    tiles = np.array(goal.tiles).reshape(goal.shape)
    for line in tiles if rng.random() < 0.5 else tiles.T:
        rng.shuffle(line)
    return Board(tiles.ravel().tolist(), goal.shape)


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (2, 5), (5, 2), (3, 4), (4, 3), (4, 4), (3, 5), (8, 2)])
@pytest.mark.sweep(3)
def test_boards_equal_their_twins(shape, rng):
    for _ in range(2):
        goal = random_goal(rng, shape)
        # from anywhere, and near the goal, where lines hold many of their own tiles
        boards = [Board.random(rng, goal=goal) for _ in range(25)] + walk(rng, goal, 25)[1]
        boards += [board for _ in range(20) if (board := shuffled_lines(rng, goal)).is_solvable(goal)]
        for name, twin in TWINS.items():
            if name == "walking-distance" and max(shape) > 4 and shape not in [(2, 5), (5, 2)]:
                continue  # its twin lists all states
            h = heuristic(name, goal=goal)
            expected = [twin(shape, board.tiles, goal.tiles) for board in boards]
            assert h.many(boards).tolist() == expected
            assert h(boards[0]) == expected[0]
            assert h(goal) == 0


def test_known_values():
    """A board like Kunkle's example, a row turned around, and Takahashi's largest value in both directions."""
    assert heuristic("reversal", goal="1 2 3/8 0 4/7 6 5")("2 1 3/8 0 4/7 5 6") == 8  # 4 steps and two reversals
    assert heuristic("linear-conflict")("4 3 2 1/5 6 7 8/9 10 11 12/13 14 15 0") == 8 + 6
    assert max(twins.walking_values(4, 4, 3).values()) == 35 and len(twins.walking_values(4, 4, 3)) == 24964
    assert heuristic("walking-distance")("0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1") == 70


def test_the_exact_conflicts_of_a_line():
    """Counting pairs is wrong: two tiles must leave 2 1 4 3, with one conflict each; one must leave 2 3 4 1."""
    h = heuristic("linear-conflict", shape=(4, 4))
    assert h("2 1 4 3/5 6 7 8/9 10 11 12/13 14 15 0") == 4 + 4
    assert h("2 3 4 1/5 6 7 8/9 10 11 12/13 15 14 0") == 6 + 2 + 2 + 2
    row = heuristic("linear-conflict", shape=(2, 8))  # the longest line
    assert row("8 7 6 5 4 3 2 1/9 10 11 12 13 14 15 0") == 32 + 14


@pytest.mark.parametrize("shape", [(2, 7), (7, 2), (2, 8), (8, 2)])
def test_walking_distance_of_many_short_lines(shape, rng):
    """In groups of lines: at least Manhattan, of its parity, and never more than a way that is known."""
    goal = random_goal(rng, shape)
    walking, manhattan = heuristic("walking-distance", goal=goal), heuristic("manhattan", goal=goal)
    boards = [Board.random(rng, goal=goal) for _ in range(300)]
    high, low = walking.many(boards).astype(int), manhattan.many(boards).astype(int)
    assert (high >= low).all() and ((high - low) % 2 == 0).all() and high.mean() > low.mean() + 2
    values = walking.many(walk(rng, goal, 60)[1])
    assert all(value <= moves for moves, value in enumerate(values.tolist()))


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (2, 6), (8, 2), (4, 4)])
def test_children_equal_boards(shape, rng):
    goal = random_goal(rng, shape)
    for name in (*NAMES, "max(misplaced,reversal,linear-conflict,walking-distance)"):
        for start in (goal, Board.random(rng, goal=goal)):
            check_children(heuristic(name, goal=goal), rng, start, 100)


@pytest.mark.parametrize(
    "goal", [None, KORF_GOAL, "1 2 3 4/5 6 7 8/9 10 0 11/12 13 14 15", "1 2 3 4 5/6 0 7 8 9/10 11 12 13 14"]
)
def test_children_of_tables_equal_boards(goal, rng):
    goal = Board.goal() if goal is None else Board(goal)
    h = heuristic("max(tables:embedded, walking-distance)", goal=goal)
    solver = Solver("embedded", goal=goal, shape=goal.shape)
    assert h.prepare()[0].count == solver.open_tables.lookups + 1
    for start in (goal, Board.random(rng, goal=goal)):
        boards = check_children(h, rng, start, 150)
        expected = np.maximum(solver.lower_bound_many(boards), heuristic("walking-distance", goal=goal).many(boards))
        assert h.many(boards).tolist() == expected.tolist()


def test_tables_in_files(small_tables, classic_small_tables, rng):
    boards = [Board.random(rng, goal=Board.goal()) for _ in range(50)]
    for name, folder, format in (
        ("tables", small_tables, None),
        ("tables:5-5-5", small_tables, "zero-aware"),
        ("tables:5-5-5:classic", classic_small_tables, "classic"),
        ("tables:1,2,5,9,13/3,4,7,8,12/6,10,11,14,15:classic", classic_small_tables, "classic"),
    ):
        h = heuristic(name, tables=folder)
        assert heuristic(f"max({name}, manhattan)", tables=folder).name == f"max({name},manhattan)"
        partition = None if name == "tables" else name.split(":")[1]
        solver = Solver(partition, tables=folder, format=format)
        assert h.name == name and h.consistent == (format != "classic") and h.admissible
        assert h.many(boards).tolist() == solver.lower_bound_many(boards).tolist()
        check_children(h, rng, boards[0], 50)
    both = heuristic(["tables:5-5-5", "tables:6-6-3"], tables=small_tables)
    each = [heuristic(f"tables:{p}", tables=small_tables).many(boards) for p in ("5-5-5", "6-6-3")]
    assert both.many(boards).tolist() == np.maximum(*each).tolist()


# ---------------------------------------------------------------- claims


@pytest.mark.parametrize("home", [0, 7, 4], ids=["corner", "edge", "center"])
@pytest.mark.sweep(0, 1)
def test_claims_hold_on_the_whole_8_puzzle(home, rng, tmp_path):
    """Other goals than the canonical ones, for all but the tables' builder."""
    goal = random_goal(rng, (3, 3), home)
    levels = list(twins.levels_of_arrays(goal.shape, goal.tiles, 30 if home == 4 else 31))
    packed, _, _ = pack_boards(np.concatenate(levels), goal.shape)
    distances = np.repeat(np.arange(len(levels)), [len(level) for level in levels])
    assert len(np.unique(packed)) == math.factorial(9) // 2
    values = {}
    for format in ("zero-aware", "classic"):
        build_tables("1-4/5-8", shape=(3, 3), home=home, format=format, tables=tmp_path)
    names = [*NAMES, "tables:embedded", "tables:1-4/5-8", "tables:1-4/5-8:classic"]
    names.append("max(linear-conflict,walking-distance)")
    for name in names:
        h = heuristic(name, goal=goal, tables=tmp_path)
        values[name] = found = h.many(packed).astype(int)
        assert h.admissible and (found <= distances).all() and found[0] == 0
        assert h.consistent == check_heuristic(h).consistent  # which looks at all moves
        assert (found == 0).all() or name == "misplaced" or ((found - distances) % 2 == 0).all()
    order = ("zero", "misplaced", "manhattan", "reversal", "linear-conflict")
    for weaker, stronger in zip(order, order[1:]):
        assert (values[weaker] <= values[stronger]).all()
        assert values[weaker].mean() < values[stronger].mean()
    for stronger in ("walking-distance", "tables:1-4/5-8", "tables:1-4/5-8:classic"):
        assert (values["manhattan"] <= values[stronger]).all()
    assert (values["tables:1-4/5-8:classic"] <= values["tables:1-4/5-8"]).all()
    assert (values["tables:embedded"] == distances).all()
    assert (values[names[-1]] == np.maximum(values["linear-conflict"], values["walking-distance"])).all()


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (4, 4)])
def test_no_heuristic_exceeds_the_distance(shape, rng):
    """Of any board of small puzzles, and of some of the 15-puzzle."""
    goal = random_goal(rng, shape)
    if shape == (4, 4):
        boards = [Board.random(rng, goal=goal) for _ in range(10)]
        distances = Solver("embedded", goal=goal).distance_many(boards)
    else:
        levels = list(twins.levels(shape, goal.tiles))
        boards = [Board(tiles, shape) for level in levels for tiles in level]
        distances = np.repeat(np.arange(len(levels)), [len(level) for level in levels])
    for name in (*NAMES, "tables:embedded"):
        values = heuristic(name, goal=goal).many(boards)
        assert (values <= distances).all()
        assert name in ("zero", "misplaced") or ((distances - values) % 2 == 0).all()


# ---------------------------------------------------------------- names and errors


def test_names_and_attributes():
    assert ("zero", *KINDS) == NAMES
    h = heuristic("manhattan")
    assert (h.name, h.goal, h.shape, h.admissible, h.consistent) == ("manhattan", Board.goal(), (4, 4), True, True)
    assert heuristic("zero", shape=(2, 3)).goal == Board.goal((2, 3))
    assert heuristic("zero", goal="0 1 2/3 4 5").shape == (2, 3)
    several = heuristic(" max( manhattan ,walking-distance,manhattan) ")
    assert several.name == heuristic(("manhattan", "walking-distance")).name == "max(manhattan,walking-distance)"
    assert heuristic(["misplaced", "max(zero,reversal)"]).name == "max(misplaced,zero,reversal)"
    assert heuristic(["manhattan"]).name == "manhattan"
    again = eval(repr(several), {"heuristic": heuristic})
    assert isinstance(again, Heuristic) and (again.name, again.goal) == (several.name, several.goal)
    assert puzzle15.heuristics.heuristic is heuristic


@pytest.mark.parametrize(
    "name, told",
    [
        ("manhatten", "did you mean 'manhattan'"),
        ("linear_conflicts", "did you mean 'linear-conflict'"),
        ("tabels", "did you mean 'tables'"),
        ("xyz", r"'xyz': expected one of zero, .*tables:PARTITION\[:FORMAT\], sum\(.*, ann\[:NETWORK.* or max"),
        ("", "expected one of zero"),
        ("max()", "heuristic '': expected one of"),
        *((given, "^heuristic .*: expected one or several names") for given in (5, None, [5], [], b"zero")),
        ("max(manhattan,walking)", "heuristic 'walking': did you mean 'walking-distance'"),
        ("tables:", "expected tables, tables:PARTITION"),
        ("tables:7-8:", "expected tables, tables:PARTITION"),
        ("tables:1-8", "tile 9, 10, 11, 12, 13, 14, 15 missing"),
        ("tables:embedded:old", "format 'old'"),
        ("tables:embedded:classic:old", "format 'classic:old'"),
        ("sum()", "'' cannot be added to others; expected tables of patterns"),
        ("sum(manhattan)", "'manhattan' cannot be added"),
        ("sum(tables)", "'tables' cannot be added"),
        ("sum(tables:1-4,max(zero))", r"'max\(zero\)' cannot be added"),
        ("sum(tables:1-4:)", "cannot be added"),
        ("sum(tables:1-4:old)", "format 'old': expected zero-aware or classic"),
        ("sum(tables:1-4,tables:4)", "tile 4 is in two patterns, so its moves would count twice"),
        ("sum(tables:1-4/4)", "tile 4 is in two patterns"),
        ("sum(tables:1-9)", "patterns of tables have at most 8"),
        ("sum(tables:16)", "names no tiles of 1 .. 15"),
        ("sum(tables:7-8/some)", "tiles such as"),
    ],
)
def test_unknown_names(name, told):
    with pytest.raises(ValueError, match=told):
        heuristic(name)


def test_more_values_than_a_search_carries():
    goal = "1 2 3 4 5/6 7 0 8 9/10 11 12 13 14"  # kept by four symmetries, and two partitions
    assert heuristic("tables:embedded", goal=goal).prepare()[0].count == 8
    with pytest.raises(ValueError, match=r"max\(tables:embedded,manhattan.*9 values per board.* at most 8"):
        heuristic(["tables:embedded", "manhattan"], goal=goal)


def test_tables_that_are_not_there(tmp_path):
    with pytest.raises(TableMissingError, match="puzzle15 build 7-8 --format classic --tables"):
        heuristic("tables:7-8:classic", tables=tmp_path)
    assert heuristic("tables", tables=tmp_path)._solvers[0].open_tables.embedded


def test_bad_boards(rng):
    for name in ("zero", "manhattan", "tables:embedded"):
        h = heuristic(name, shape=(3, 3))
        with pytest.raises(UnsolvableError, match="^1 2 3/4 5 6/8 7 0 cannot reach the goal 1 2 3/4 5 6/7 8 0"):
            h("1 2 3/4 5 6/8 7 0")
        with pytest.raises(UnsolvableError, match="^board 1: 1 2 3/4 5 6/8 7 0 cannot reach"):
            h.many(["123456780", "123456870", "213456780"])
        with pytest.raises(BoardError, match="board 1"):
            h.many(["123456780", "123456788"])
        with pytest.raises(BoardError):
            h("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0")
        assert h.many([]).shape == (0,)


def test_many_takes_what_boards_come_in(rng):
    h = heuristic("linear-conflict", shape=(3, 3))
    boards = [Board.random(rng, goal=h.goal) for _ in range(10)]
    packed, _, _ = pack_boards(boards)
    expected = [h(board) for board in boards]
    for given in (
        boards,
        [str(board) for board in boards],
        packed,
        unpack_boards(packed, (3, 3)),
        np.array([board.to_array() for board in boards]),
        iter(boards),
    ):
        values = h.many(given)
        assert values.dtype == np.uint8 and values.tolist() == expected


@pytest.mark.parametrize("format", ["zero-aware", "classic"])
@pytest.mark.sweep(1)
def test_damaged_tables_are_told_of_and_do_no_harm(format, tmp_path, rng):
    files = build_tables("1-4/5-8", shape=(3, 3), format=format, tables=tmp_path)
    whole = [table.path.read_bytes() for table in files]
    goal = Board.goal((3, 3))
    told, walks = 0, 0
    for trial in range(0, 30, 2):
        for table, content in zip(files, whole):
            table.path.write_bytes(content)
        h = heuristic(f"max(manhattan,tables:1-4/5-8:{format})", shape=(3, 3), tables=tmp_path)
        for table, content in zip(files, whole):  # once they are open, nobody checks them any more
            data = bytearray(content)
            for place in rng.integers(HEADER_BYTES, len(data), 30 * (trial + 1)).tolist():
                data[place] ^= 1 << int(rng.integers(8))
            table.path.write_bytes(data)
        try:
            evaluator, turn, _ = h.prepare()
            with h.explain_table_errors():
                walks += len(values_along(evaluator, turn(goal), walk(rng, goal, 300)[0])) == 301
            h.many([Board.random(rng, goal=goal) for _ in range(100)])
        except TableCorruptError as error:
            assert f"find the damaged file in {tmp_path}: puzzle15 verify" in str(error)
            told += 1
    assert told > 3 and walks > 3


def test_the_evaluator_checks_what_it_is_given():
    goal = Board.goal((3, 3)).packed
    evaluator = Evaluator((3, 3), goal)
    assert (evaluator.shape, evaluator.goal, evaluator.count, evaluator.board(goal)) == ((3, 3), goal, 0, 0)
    with pytest.raises(ValueError, match=f"heuristic {len(KINDS)}"):
        evaluator.add(len(KINDS))
    with pytest.raises(BoardError, match="goal 0x0"):
        Evaluator((3, 3), 0)
    with pytest.raises(BoardError):
        evaluator.board(0)
    with pytest.raises(UnsolvableError):
        evaluator.board(Board("1 2 3/4 5 6/8 7 0").packed)
    with pytest.raises(ValueError, match="array length 2, expected 1"):
        evaluator.boards(np.zeros(1, np.uint64), np.zeros((2, 1), np.uint8), np.zeros(1, np.uint8))
    with pytest.raises(ValueError, match="1 lookups"):  # of another home
        evaluator.add_lookups(Solver(goal="0 1 2/3 4 5/6 7 8").open_tables.problem)
        Evaluator((3, 3), Board.goal((3, 3), home=0).packed).add_lookups(Solver(shape=(3, 3)).open_tables.problem)
    values, cells = np.zeros(72, np.uint8), range(9)
    for part in (
        (values[:1], [], cells),
        (values, [1, 2, 3, 4, 5, 6, 7, 8, 0, 1], cells),
        (values, [1, 1], cells),
        (values, [1, 9], cells),
        (values, [1, 2], [0, 1, 1, *range(3, 9)]),
    ):
        with pytest.raises(ValueError, match="array|values of"):
            evaluator.add_patterns([(*part, range(len(part[1])), 1, False, 0)])
    with pytest.raises(ValueError, match="array"):
        evaluator.add_patterns([(values, [1, 2], cells, [0, 1], 1, False, 0)] * (MAX_PATTERNS + 1))
    assert evaluator.count == 1  # the lookups


# ---------------------------------------------------------------- in other processes


def test_a_heuristic_is_opened_once_per_process(rng):
    """tests/helpers/makers.py sends others; here is the same object for equal pickles."""
    for name in ("max(manhattan,walking-distance)", "tables"):
        text = pickle.dumps(heuristic(name, goal="0 1 2/3 4 5/6 7 8"))
        arrived = pickle.loads(text)
        assert len(text) < 1000 and not arrived.is_open
        assert pickle.loads(pickle.dumps(arrived)) is arrived and not arrived.is_open
        assert arrived(arrived.goal) == 0 and arrived.is_open and pickle.loads(text) is arrived


def test_a_heuristic_that_arrives_without_its_tables(small_tables, tmp_path):
    shutil.copytree(small_tables, tmp_path / "tables")
    text = pickle.dumps(heuristic("tables:5-5-5", tables=tmp_path / "tables"))
    shutil.rmtree(tmp_path / "tables")
    moved = pickle.loads(text)
    with pytest.raises(TableMissingError, match="on host"):  # when it is used: to raise on arrival would break pools
        moved(Board.goal())
    with pytest.raises(AttributeError, match="nonsense"):
        _ = heuristic("zero").nonsense


def test_names_in_any_case():
    names = {"Manhattan": "manhattan", "LINEAR CONFLICT": "linear-conflict", " walking_distance": "walking-distance"}
    names |= {"Max( Zero , Manhattan )": "max(zero,manhattan)", "Tables:embedded": "tables:embedded"}
    for name, meant in {
        **names,
        "ANN:paper": "ann:paper",
        ("ZERO", "max(zero,Misplaced)"): "max(zero,misplaced)",
    }.items():
        assert full_name(name) == meant == heuristic(name).name
    assert full_name("ann:/A/Network.npz") == "ann:/A/Network.npz"  # but for paths


@pytest.mark.parametrize(
    "name", ["manhattan", "max(zero,pdb:embedded)", "walking-distance", lambda boards: boards[:, 0]]
)
def test_without_a_shape_it_takes_that_of_the_boards(name):
    """Neither a goal nor a shape was asked for, so boards of any shape are evaluated, each for its own goal."""
    h = heuristic(name)
    for made in (h, pickle.loads(pickle.dumps(h))) if isinstance(name, str) else [h]:
        for board in ("1 2/0 3", "8 6 7/2 5 4/3 0 1", Board("1 2 3/0 4 5"), "5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15"):
            expected = heuristic(name, shape=Board(board).shape)
            assert made(board) == made.many([board])[0] == expected(board) == expected.many([board])[0]
            found = search(board, "greedy", heuristic=made, max_nodes=100)
            assert found == search(board, "greedy", heuristic=name, max_nodes=100)
    assert h.shape == (4, 4) and heuristic(h, shape=(2, 2)).shape == (2, 2)
    with pytest.raises(BoardError, match="board 1"):
        h.many(["1 2/0 3", "1 2 3/0 4 5"])


@pytest.mark.parametrize(
    "call",
    [
        Solver().solve,
        lambda board: Solver().solve_many([board]),
        lambda board: Solver().solve_many(Board(board).to_array()[None]),
        heuristic("manhattan", goal=Board.goal()),
        lambda board: heuristic("manhattan", goal=Board.goal()).many([board]),
        lambda board: search(board, goal=Board.goal()),
        lambda board: search(board, heuristic=heuristic("manhattan", goal=Board.goal())),
        LocalValueIteration().solve,
        Board.goal().is_solvable,
        lambda board: compare(board, goal=Board.goal()),
    ],
)
def test_the_goal_of_another_shape_is_named(call):
    """Nobody asked for a shape: the goal has it, by default or not."""
    for board in ("1 2 3/4 5 6/7 0 8", Board("1 2 3/4 5 6/7 0 8"), "1 2 3 4 5 6 7 0 8"):
        with pytest.raises(BoardError) as caught:
            call(board)
        told = str(caught.value).removeprefix("board 0: ")
        role = "board" if "board 1 2 3 4" in told else "goal"
        assert "asked" not in told and f"the shape of the {role} {Board.goal()}" in told
        assert told.startswith(
            ("1 2 3/4 5 6/7 0 8: a 3x3 board; expected a 4x4 one", "an array of 3x3 boards; expected")
        )
