"""Functions of one's own as heuristics: the same nodes as ours, what they are told, what becomes of their mistakes."""

import pickle
from functools import partial

import numpy as np
import own_heuristics
import pytest
import readmes
from own_heuristics import EDGE, FAR, HARDER, KORF, NEAR, SMALL
from searching import INFORMED, answer, some_boards

from puzzle15 import Board, heuristic, search
from puzzle15._system import sendable
from puzzle15._system.sendable import import_file
from puzzle15.errors import HeuristicError
from puzzle15.heuristics import HeuristicFunction, heuristic_function
from puzzle15.heuristics._evaluation import full_name
from puzzle15.searches import ALGORITHMS, SearchTree, compare

PAGE = readmes.ROOT / "puzzle15/heuristics/OWN_HEURISTICS.md"


def taxicab(**claims):
    return HeuristicFunction(
        own_heuristics.taxicab, **{"admissible": True, "consistent": True, "goal": "any", **claims}
    )


def for_korf():
    return HeuristicFunction(lambda boards: own_heuristics.taxicab(boards, np.arange(16)), goal=KORF)


def half_more(boards, goal):
    return own_heuristics.taxicab(boards, goal) + 0.5


def as_list(boards, goal):
    return [int(value) for value in own_heuristics.taxicab(boards, goal)]


# ---------------------------------------------------------------- the same nodes

FORMS = [
    taxicab(),
    HeuristicFunction(half_more, admissible=True, goal="any"),
    HeuristicFunction(as_list, admissible=True, goal="any"),
    [taxicab(), "manhattan"],
    ["misplaced", taxicab(), "zero"],
]


@pytest.mark.parametrize("algorithm", INFORMED)
def test_the_same_nodes_as_ours(algorithm):
    boards = [("1 5 2/4 0 3/7 8 6", None), ("1 2 3/5 0 6/4 7 8", "1 2 3/4 0 5/6 7 8"), (NEAR, None), (HARDER, None)]
    for batch in (None, 7, 64) if "batch" in ALGORITHMS[algorithm].options else (None,):
        # one by one, a hard board takes long
        for (start, goal), given in zip(boards, [FORMS, FORMS[:2], FORMS[2:], FORMS[:1] if batch == 64 else []]):
            options = {"goal": goal, "algorithm": algorithm, "batch": batch}
            ours = answer(search(start, heuristic="manhattan", **options))
            assert ours["expanded"]
            for h in given:
                assert answer(search(start, heuristic=h, **options)) == ours


# ---------------------------------------------------------------- what a function is told


class Witness:
    """A heuristic that remembers how it was called."""

    def __init__(self):
        self.calls = []

    def __call__(self, boards, *goal):
        self.calls.append((boards, *goal))
        return np.zeros(len(boards), dtype=int)

    @property
    def sizes(self):
        return [len(call[0]) for call in self.calls]


@pytest.mark.parametrize("goal", [None, KORF, EDGE, "1 2 3/8 0 4/7 6 5"])
def test_boards_as_the_user_sees_them(goal):
    """Also where tables turn and rename them."""
    goal = Board.goal() if goal is None else Board(goal)
    witness = Witness()
    boards = some_boards(goal, 30)
    h = heuristic([HeuristicFunction(witness, goal="any"), "tables:embedded"], goal=goal)
    assert h.many(boards).tolist() == heuristic("tables:embedded", goal=goal).many(boards).tolist()
    ((given, target),) = witness.calls
    assert given.dtype == target.dtype == np.uint8 and given.flags.writeable and target.flags.writeable
    assert given.tolist() == [list(board.tiles) for board in boards] and target.tolist() == list(goal.tiles)
    start = boards[0]
    search(start, goal=goal, heuristic=h, max_nodes=50)
    assert witness.calls[1][0].tolist() == [list(start.tiles)]
    children = {tuple(child.tiles) for _, child in start.neighbours()}
    assert {tuple(row) for row in witness.calls[3][0].tolist()} <= children


def test_children_of_a_batch_are_evaluated_together():
    sizes = {}
    for batch in (1, 64):
        witness = Witness()
        search(HARDER, heuristic=HeuristicFunction(witness, batch=batch), max_nodes=2000)
        assert max(witness.sizes) <= 3 * batch + 1
        sizes[batch] = witness.sizes
    assert len(sizes[1]) > 20 * len(sizes[64])
    witness = Witness()
    search(HARDER, heuristic=HeuristicFunction(witness, batch=64), batch=1, max_nodes=2000)  # the option goes before
    assert witness.sizes == sizes[1]


def test_the_largest_batches():
    """The children of a batch are more than a network is given at once."""
    board, limits = "15 14 8 12/10 11 9 13/2 6 1 5/3 7 4 0", {"max_nodes": 60_000}
    for batch, name in ((16384, "manhattan"), (4096, "ann")):
        sizes, many = [], heuristic(name).many

        def own(boards, sizes=sizes, many=many):
            sizes.append(len(boards))
            return many(boards)

        own = HeuristicFunction(own, admissible=name == "manhattan")
        ours = answer(search(board, heuristic=name, batch=batch, **limits))
        assert answer(search(board, heuristic=own, batch=batch, **limits)) == ours
        assert max(sizes) > 1.5 * batch and sum(sizes) > 50_000


def test_levels_and_arrays_are_evaluated_together():
    witness = Witness()
    search(HARDER, algorithm="beam", width=500, heuristic=witness, max_nodes=3000)
    assert max(witness.sizes) > 300
    witness = Witness()
    heuristic(witness).many(np.tile(np.array(Board(HARDER).tiles), (10_000, 1)))
    assert max(witness.sizes) > 2000 and sum(witness.sizes) == 10_000


def test_which_algorithms_evaluate_the_children_of_many_nodes_together():
    """Those that go depth by depth, and no others unless they are asked for a batch."""
    for algorithm in INFORMED:
        witness = Witness()
        search(HARDER, algorithm=algorithm, heuristic=HeuristicFunction(witness, goal="any"), max_nodes=500)
        assert (max(witness.sizes) > 4) == (algorithm in ("beam", "breadth-first-heuristic", "beam-stack")), algorithm


def test_a_function_may_change_what_it_is_given():
    def careless(boards, goal):
        values = own_heuristics.taxicab(boards, goal)
        boards[:] = 0
        goal[:] = 0
        return values

    own = search(HARDER, heuristic=HeuristicFunction(careless, goal="any", admissible=True))
    assert answer(own) == answer(search(HARDER))


def test_the_trace_tells_the_values_of_functions():
    tree = SearchTree()
    tree.solution = search(NEAR, heuristic=taxicab(), on_expand=tree.add)
    assert [one.h for one in tree.expansions] == heuristic("manhattan").many(
        [e.board for e in tree.expansions]
    ).tolist()
    assert tree.title.endswith("of a* with taxicab")


# ---------------------------------------------------------------- one board at a time


GOAL_3X3 = (1, 2, 3, 4, 5, 6, 7, 8, 0)

#: What people write first, and what an array makes of each.
OF_ONE_BOARD = {
    "truth value": lambda board: sum(a != b and a != 0 for a, b in zip(board, GOAL_3X3)),
    "tuple": lambda board: {GOAL_3X3: 0}.get(tuple(board), 1),
    "method": lambda board: board.manhattan(),
    "index": lambda board: 0 if board[8] == 0 else 1,
    "a number per cell": lambda board: board[0] != 1 and board[0] * 0 + 1,
    "a number for all": lambda board: len(board) - 9,
    "rows": lambda board: (board.to_array() != np.reshape(GOAL_3X3, (3, 3))).sum() // 2,
    "float": lambda board: board.manhattan() / 2,
    "with a goal": lambda board, goal: sum(a != b != 0 for a, b in zip(board, goal)),
}


@pytest.mark.parametrize("name", OF_ONE_BOARD)
def test_a_function_of_one_board(name):
    function, goal = OF_ONE_BOARD[name], "any" if name == "with a goal" else None
    boards = [Board(FAR), *some_boards(Board(SMALL), 20)]
    goals = [Board(SMALL)] if goal else []
    expected = [function(board, *goals) * 1 for board in boards]
    expected = np.rint(expected).astype(int).tolist()
    for count in (1, 9, 20):  # nine are as many boards as cells
        own = HeuristicFunction(lambda *given: function(*given) * 1, goal=goal)
        h = heuristic(own, shape=(3, 3))
        assert h.many(boards[:count]).tolist() == expected[:count] and own.takes == "board"
        assert h(FAR) == expected[0]
    told = HeuristicFunction(lambda *given: function(*given) * 1, goal=goal, takes="board")
    for algorithm in ("a*", "ida*", "beam"):
        start = "1 2 3/0 5 6/4 7 8"
        one, other = (answer(search(start, algorithm=algorithm, heuristic=each)) for each in (h, told))
        assert one == other


def test_which_functions_are_told_apart_at_the_first_call():
    calls = []

    def seen(boards):
        calls.append(type(boards))
        return own_heuristics.home_last(boards)

    own = HeuristicFunction(seen)
    heuristic(own, shape=(3, 3)).many([FAR, SMALL])
    assert own.takes == "array" and calls == [np.ndarray]
    assert pickle.loads(pickle.dumps(HeuristicFunction(own_heuristics.home_last, takes="array"))).takes == "array"
    assert heuristic(heuristic_function(takes="board")(lambda board: board.manhattan()))(NEAR) == 9
    with pytest.raises(ValueError, match="takes 'boards': expected 'array' or 'board', or None"):
        HeuristicFunction(len, takes="boards")


@pytest.mark.parametrize("takes", [None, "array", "board"])
def test_an_exception_has_a_note_of_what_the_function_was_given(takes):
    def wrong(board):
        return board.nothing

    with pytest.raises(AttributeError) as caught:
        search(FAR, heuristic=HeuristicFunction(wrong, takes=takes))
    notes = " and ".join(caught.value.__notes__)
    assert ("heuristic 'wrong' was given an array of shape (1, 9), a row of cells" in notes) == (takes != "board")
    assert (f"heuristic 'wrong' was given one Board, {FAR}" in notes) == (takes == "board")
    assert ("given one Board instead, it raised AttributeError: 'Board' object has no" in notes) == (takes is None)


def test_what_is_no_number_of_a_board():
    for value in (None, "7", True, [1], np.zeros(1)):
        own = HeuristicFunction(lambda board, value=value: value, name="mine", takes="board")
        with pytest.raises(
            HeuristicError, match=f"'mine': it returned .* for the board {FAR}; expected one integer or"
        ):
            search(FAR, heuristic=own)


# ---------------------------------------------------------------- claims


def test_nothing_is_claimed_by_default():
    for own in (own_heuristics.home_last, own_heuristics.Scaled(1), lambda boards: own_heuristics.home_last(boards)):
        h = heuristic(own, shape=(3, 3))
        assert not h.admissible and not h.consistent and h.batch == 1
        solution = search(FAR, heuristic=h, batch=64)
        assert solution.status == "solved" and not solution.optimal and solution.lower_bound == 21
    assert search(FAR, heuristic=own_heuristics.in_batches).optimal
    assert heuristic(own_heuristics.Scaled(1)).name == "Scaled"
    assert HeuristicFunction(partial(own_heuristics.taxicab, goal=None)).name == "partial"


def test_claims_of_a_maximum():
    claims = taxicab(batch=8)
    h = heuristic([claims, "linear-conflict", own_heuristics.in_batches])
    assert (h.name, h.admissible, h.consistent, h.batch) == ("max(taxicab,linear-conflict,in_batches)", True, True, 64)
    h = heuristic(["manhattan", own_heuristics.home_last])
    assert (h.name, h.admissible, h.consistent, h.batch) == ("max(manhattan,home_last)", False, False, 1)
    assert full_name([claims, "Manhattan"]) == "max(taxicab,manhattan)"
    assert not heuristic([taxicab(consistent=False)]).consistent


def test_a_false_claim_is_told():
    twice = HeuristicFunction(own_heuristics.Scaled(2), name="twice", admissible=True)
    with pytest.raises(HeuristicError, match=f"'twice': claims .* the board {FAR} needs 4. moves at least, and 31 are"):
        search(FAR, heuristic=twice)


def test_floats_are_rounded():
    values, boards = [0.2, 1.5, 2.9], [SMALL, "1 2 3/4 5 6/7 0 8", FAR]
    for admissible, rounded in ((True, np.floor(values)), (False, np.rint(values))):
        own = HeuristicFunction(lambda boards: np.array(values, dtype=np.float32), admissible=admissible)
        assert heuristic(own, shape=(3, 3)).many(boards).tolist() == rounded.tolist()


def test_claims_that_are_not_possible():
    for claims, message in (
        ({"batch": 0}, "batch 0: expected a whole number from 1 to 16384"),
        ({"admissible": "no"}, "admissible 'no': expected True or False"),
        ({"consistent": 1}, "consistent 1: expected True or False"),
        ({"goal": "1 2 3"}, "1 2 3"),
    ):
        with pytest.raises(ValueError, match=message):
            heuristic_function(**claims)(own_heuristics.home_last)
    with pytest.raises(TypeError, match="unexpected keyword"):
        heuristic_function(perfect=True)(own_heuristics.home_last)
    with pytest.raises(TypeError, match="heuristic 5: expected a function"):
        HeuristicFunction(5)


# ---------------------------------------------------------------- goals


def test_goals_of_functions():
    one = HeuristicFunction(own_heuristics.home_last, goal=Board.goal((3, 3)))
    assert heuristic(one).goal == Board.goal((3, 3)) and search("1 2 3/0 5 6/4 7 8", heuristic=one).length == 3
    with pytest.raises(ValueError, match="'home_last': it is for the goal 1 2 3/4 5 6/7 8 0, not for"):
        search("0 1 2/3 4 5/6 7 8", goal="1 0 2/3 4 5/6 7 8", heuristic=one)
    solution = search("1 2 6 3/4 5 0 7/8 9 10 11/12 13 14 15", heuristic=for_korf())  # the goal is the heuristic's
    assert solution.goal == Board(KORF) and solution.length == 3


def test_the_same_heuristic_toward_another_goal():
    korf = Board(KORF)
    for given in ("max(manhattan,walking-distance)", [taxicab(), "reversal"], "tables:embedded"):
        h = heuristic(given)
        other = h.toward(KORF)
        assert (other.goal, other.name, other.admissible) == (korf, h.name, h.admissible)
        boards = some_boards(korf, 9)
        assert other.many(boards).tolist() == heuristic(given, goal=korf).many(boards).tolist()
        assert h.toward(Board.goal()) is h
    with pytest.raises(ValueError, match="'home_last': it is for the goal .* not for 0 1 2"):
        heuristic(own_heuristics.home_last).toward(KORF)
    with pytest.raises(ValueError, match="networks are for 4x4"):
        heuristic("ann").toward("1 2 3 4/5 6 7 8/9 10 0 11/12 13 14 15")
    assert heuristic("ann").toward(KORF).goal == korf
    with pytest.raises(ValueError, match="3x3 board; expected a 4x4"):
        heuristic("manhattan").toward(FAR)


# ---------------------------------------------------------------- compared, and sent away


def test_comparisons_with_functions():
    own = ["manhattan", own_heuristics.in_batches, taxicab()]
    solutions = list(compare("1 5 2/4 0 3/7 8 6", algorithms=["a*", "greedy", "bfs"], heuristics=own, batch=1))
    assert [one.heuristic for one in solutions] == ["manhattan", "in_batches", "taxicab"] * 2 + [None]
    assert answer(solutions[0]) == answer(solutions[1]) == answer(solutions[2])
    (only,) = compare(NEAR, algorithms="a*", heuristics=own_heuristics.in_batches)
    assert only.heuristic == "in_batches"
    (only,) = compare(NEAR, algorithms="a*", heuristics=[heuristic(taxicab())])
    assert only.length == 9
    (only,) = compare("1 2 6 3/4 5 0 7/8 9 10 11/12 13 14 15", algorithms="a*", heuristics=for_korf())
    assert only.goal == Board(KORF)
    for two in ([taxicab(), taxicab()], ["manhattan", taxicab(name="manhattan")]):
        with pytest.raises(ValueError, match="heuristics: two are called '(taxicab|manhattan)'; give one of them"):
            compare(FAR, heuristics=two)
    with pytest.raises(ValueError, match="it cannot be a part of another one"):
        heuristic([heuristic("manhattan"), "zero"])


def test_files_that_other_processes_cannot_import(monkeypatch, tmp_path):
    """A file that has changed is not run: its function would give other answers."""
    file = tmp_path / "mine.py"
    file.write_text("here = __file__\n\ndef corner(boards):\n    return boards[:, 0]\n")
    assert import_file(str(file)).here == str(file)
    content = pickle.dumps(HeuristicFunction(import_file(str(file)).corner))
    monkeypatch.setattr(sendable, "_imported", {})
    assert pickle.loads(content)(np.eye(2)).tolist() == [1, 0]
    monkeypatch.setattr(sendable, "_imported", {})
    file.write_text("raise ZeroDivisionError\n")
    for reason in ("mine.py has changed since it was sent", "No such file"):
        with pytest.raises(pickle.UnpicklingError, match=f"'corner': this process cannot import corner .*{reason}"):
            pickle.loads(content)(np.eye(2))
        file.unlink(missing_ok=True)


# ---------------------------------------------------------------- the examples of the page


def check_example(defined):
    ours = search(HARDER, heuristic="manhattan", batch=256)
    assert answer(defined["solution"]) == answer(ours) and defined["solution"].optimal
    for batch in (1, 64):
        assert answer(search(HARDER, heuristic=defined["own"], batch=batch)) == answer(search(HARDER, batch=batch))


@pytest.mark.extra
def test_the_example_of_pytorch(tmp_path, monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    defined = readmes.example(PAGE, "torch")
    check_example(defined)

    def with_gradients(boards):
        return defined["network"](torch.from_numpy(boards))

    with pytest.raises(RuntimeError, match="detach"):
        search(HARDER, heuristic=with_gradients)


@pytest.mark.extra
def test_the_example_of_onnx(tmp_path, monkeypatch):
    pytest.importorskip("onnxruntime")
    onnx = pytest.importorskip("onnx")
    helper, kinds = onnx.helper, onnx.TensorProto
    at, to = np.arange(16)[:, None], (np.arange(16)[None, :] - 1) % 16
    moves = abs(at // 4 - to // 4) + abs(at % 4 - to % 4)
    moves[:, 0] = 0
    nodes = [
        helper.make_node("Cast", ["boards"], ["tiles"], to=kinds.INT64),
        helper.make_node("Add", ["tiles", "rows"], ["places"]),
        helper.make_node("Gather", ["table", "places"], ["each"]),
        helper.make_node("ReduceSum", ["each", "axes"], ["moves"], keepdims=0),
    ]
    constants = {"rows": np.arange(16) * 16, "table": moves.astype(np.float32).ravel(), "axes": np.array([1])}
    graph = helper.make_graph(
        nodes,
        "taxicab",
        [helper.make_tensor_value_info("boards", kinds.UINT8, ["n", 16])],
        [helper.make_tensor_value_info("moves", kinds.FLOAT, ["n"])],
        [onnx.numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, str(tmp_path / "taxicab.onnx"))
    monkeypatch.chdir(tmp_path)
    check_example(readmes.example(PAGE, "onnxruntime"))
