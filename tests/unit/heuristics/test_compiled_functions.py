"""Compiled functions as heuristics: the same nodes as ours, boards as the user sees them, mistakes, other processes."""

import copy
import ctypes
import pickle
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from types import ModuleType

import numpy as np
import pytest
import readmes
import twins
from compiling import compiler, run
from own_heuristics import EDGE, FAR, HARDER, KORF, NEAR, SMALL
from searching import INFORMED, answer, check_children, near, some_boards

from puzzle15 import Board, heuristic, search, search_many
from puzzle15._system.sendable import import_file
from puzzle15.errors import HeuristicError
from puzzle15.heuristics import HeuristicFunction, check_heuristic, heuristic_function
from puzzle15.searches import SearchTree, unregister

SOURCE = """
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
static int away(int cols, int a, int b) { return abs(a / cols - b / cols) + abs(a % cols - b % cols); }
static int tile_of(uint64_t board, int cell) { return (int)(board >> (4 * cell) & 15); }
static int cell_of(uint64_t board, int tile, int cells) {
    for (int cell = 0; cell < cells; cell++) if (tile_of(board, cell) == tile) return cell;
    return -1;
}
/* data: the rows and the columns of the shape */
int32_t manhattan(uint64_t board, uint64_t goal, void *data) {
    const int32_t *shape = data;
    int sum = 0, cells = shape[0] * shape[1];
    for (int tile = 1; tile < cells; tile++)
        sum += away(shape[1], cell_of(board, tile, cells), cell_of(goal, tile, cells));
    return sum;
}
int32_t manhattan_child(uint64_t parent, uint64_t goal, void *data, int32_t value,
                        int32_t tile, int32_t from, int32_t to) {
    const int32_t *shape = data;
    int cells = shape[0] * shape[1], home = cell_of(goal, tile, cells);
    if (tile_of(parent, from) != tile || tile_of(parent, to) != 0) return -7;
    return value - away(shape[1], from, home) + away(shape[1], to, home);
}
/* A number that depends on every cell and on the goal. */
int32_t mixed(uint64_t board, uint64_t goal, void *data) {
    (void)data;
    return (int32_t)((board * 0x9E3779B97F4A7C15u ^ goal * 0xC2B2AE3D27D4EB4Fu) >> 58);
}
int32_t mixed_child(uint64_t parent, uint64_t goal, void *data, int32_t value,
                        int32_t tile, int32_t from, int32_t to) {
    uint64_t moved = (uint64_t)tile;
    return mixed(parent ^ moved << (4 * from) ^ moved << (4 * to), goal, data) + 0 * value;
}
/* data: the board for which it returns a wrong number, and this number */
int32_t wrong_once(uint64_t board, uint64_t goal, void *data) {
    const int64_t *wrong = data;
    (void)goal;
    return board == (uint64_t)wrong[0] ? (int32_t)wrong[1] : 0;
}
/* data: milliseconds that it takes */
int32_t slow(uint64_t board, uint64_t goal, void *data) {
    struct timespec time = {0, 1000000 * *(const int64_t *)data};
    nanosleep(&time, NULL);
    return (int32_t)(board + goal) & 1;
}
int32_t wrong_child(uint64_t parent, uint64_t goal, void *data, int32_t value,
                        int32_t tile, int32_t from, int32_t to) {
    (void)value;
    return mixed_child(parent, goal, data, 0, tile, from, to) + 1000;
}
"""
ON_3X3, ON_4X4 = (np.array(shape, dtype=np.int32) for shape in ((3, 3), (4, 4)))
CLAIMS = {"admissible": True, "consistent": True, "goal": "any"}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A library of the functions above."""
    try:
        command = compiler()
    except pytest.fail.Exception:
        pytest.skip("no C compiler, which compiles the heuristics of these tests")
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "own.c").write_text(SOURCE)
    run([*command, "-O1", "-shared", "-fPIC", folder / "own.c", "-o", folder / "own.so"])
    return folder / "own.so"


@pytest.fixture(scope="module")
def lib(path):
    return ctypes.CDLL(str(path))


def capsule_of(function, name):
    """A capsule, which keeps its name as long as this process lives."""
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    kept = ctypes.create_string_buffer(name)
    KEPT.append(kept)
    return new(ctypes.cast(function, ctypes.c_void_p), ctypes.cast(kept, ctypes.c_char_p), None)


KEPT = []
PAGE = readmes.ROOT / "puzzle15/heuristics/COMPILED.md"


@pytest.mark.parametrize("word", ["ctypes", pytest.param("numba", marks=pytest.mark.extra)])
def test_the_examples_of_the_readme(word, path, tmp_path, monkeypatch):
    pytest.importorskip(word)
    monkeypatch.chdir(tmp_path)
    (source,) = [block for block in readmes.blocks(PAGE, "c") if "#include" in block]
    (tmp_path / "own.c").write_text(source)
    strict = ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"]
    run([*compiler(), *strict, "-shared", "-fPIC", "own.c", "-o", "own.so"])
    taxicab = readmes.example(PAGE, word)["taxicab"]
    for algorithm in ("ida*", "a*"):
        own = search(HARDER, algorithm=algorithm, heuristic=taxicab)
        assert answer(own) == answer(search(HARDER, algorithm=algorithm)) and own.optimal


# ---------------------------------------------------------------- the same nodes


@pytest.mark.parametrize("with_child", [False, True])
@pytest.mark.parametrize("algorithm", INFORMED)
def test_the_same_nodes_as_ours(algorithm, with_child, lib):
    boards = [("1 5 2/4 0 3/7 8 6", None), ("1 2 3/5 0 6/4 7 8", "1 2 3/4 0 5/6 7 8"), (NEAR, None), (HARDER, None)]
    for start, goal in boards:
        data = ON_3X3 if len(start) < 20 else ON_4X4
        own = HeuristicFunction(lib.manhattan, child=lib.manhattan_child if with_child else None, data=data, **CLAIMS)
        ours = answer(search(start, goal=goal, algorithm=algorithm, heuristic="manhattan"))
        assert answer(search(start, goal=goal, algorithm=algorithm, heuristic=own)) == ours and ours["expanded"]
    tree = SearchTree()
    search(NEAR, algorithm=algorithm, heuristic=own, on_expand=tree.add)
    manhattan = heuristic("manhattan")
    assert all(one.h == manhattan(one.board) for one in tree.expansions) or algorithm in ("mm", "mme", "nbs")


def mixed_twin(board, goal):
    mask = (1 << 64) - 1
    return (board.packed * 0x9E3779B97F4A7C15 & mask ^ goal.packed * 0xC2B2AE3D27D4EB4F & mask) >> 58


@pytest.mark.parametrize("goal", [SMALL, "1 2 3/8 0 4/7 6 5", KORF, EDGE])
@pytest.mark.parametrize("with_child", [False, True])
def test_boards_as_the_user_sees_them(goal, with_child, lib):
    """Also where tables turn and rename them; and children of children."""
    goal = Board(goal)
    own = HeuristicFunction(lib.mixed, child=lib.mixed_child if with_child else None, goal="any")
    boards = some_boards(goal, 40)
    expected = np.array([mixed_twin(board, goal) for board in boards])
    assert heuristic(own, goal=goal).many(boards).tolist() == expected.tolist()
    for name in ("tables:embedded", "linear-conflict"):
        h = heuristic([name, own], goal=goal)
        assert h.many(boards).tolist() == np.maximum(expected, heuristic(name, goal=goal).many(boards)).tolist()
        assert h(boards[0]) == h.many(boards[:1])[0]
        check_children(h, np.random.default_rng(3), boards[1], 60)


def test_any_number_of_threads(lib):
    own = HeuristicFunction(lib.manhattan, child=lib.manhattan_child, data=ON_3X3, **CLAIMS)
    boards = some_boards(Board(SMALL), 40)
    one, two = (search_many(boards, algorithm="ida*", heuristic=own, workers=workers) for workers in (1, 2))
    ours = search_many(boards, algorithm="ida*")
    assert one.expanded.tolist() == two.expanded.tolist() == ours.expanded.tolist()
    assert [twins.replay((3, 3), b.tiles, s.moves) for b, s in zip(boards, two)] == [Board(SMALL).tiles] * 40


# ---------------------------------------------------------------- pointers


def test_pointers_of_each_kind(lib):
    kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p)
    shape = (ctypes.c_int32 * 2)(3, 3)
    given = [lib.manhattan, ctypes.cast(lib.manhattan, kind)]
    given += [capsule_of(lib.manhattan, name) for name in (b"int (uint64_t, uint64_t, void *)", b"my.own.name")]
    for function in given:
        pointers = ctypes.pointer(shape), ctypes.byref(shape), ctypes.cast(shape, ctypes.c_void_p)
        for data in (ON_3X3, shape, *pointers, ctypes.c_char_p(bytes(shape)), capsule_of(shape, b"shape")):
            own = HeuristicFunction(function, data=data, name="own")
            assert heuristic(own, shape=(3, 3))(FAR) == 21
    assert heuristic(lib.mixed)(NEAR) == heuristic([capsule_of(lib.mixed, b"")])(NEAR)
    assert heuristic(lib.mixed).name == "mixed" and not heuristic(lib.mixed).admissible
    noted = heuristic_function(admissible=True, name="noted")(lib.wrong_once)
    assert heuristic(noted).admissible and heuristic(noted).name == "noted"


def test_pointers_of_numba_cffi_and_scipy(path, lib):
    there = {name for name in ("numba", "cffi", "scipy") if find_spec(name)}
    if not there:
        pytest.skip("none of numba, cffi and scipy is installed")
    if "numba" in there:
        import numba

        last_cell = numba.cfunc("int32(uint64, uint64, voidptr)")(lambda board, goal, data: board & 15)
        assert heuristic(last_cell)(NEAR) == 5
        with pytest.raises(TypeError, match=r"it is int64\(uint64, uint64, pointer\); expected int32\(uint64,"):
            heuristic(numba.cfunc("int64(uint64, uint64, voidptr)")(lambda board, goal, data: 0))
    if "cffi" in there:
        import cffi

        ffi = cffi.FFI()
        ffi.cdef("int32_t mixed(uint64_t, uint64_t, void *);")
        mixed = ffi.addressof(ffi.dlopen(str(path)), "mixed")
        assert heuristic(mixed)(NEAR) == heuristic(lib.mixed)(NEAR)
        with pytest.raises(TypeError, match=r"it is int32\(int32\); expected"):
            heuristic(ffi.cast("int(*)(int)", mixed))
        shape = ffi.new("int32_t[2]", [3, 3])
        for data in (shape, ffi.addressof(shape)):
            assert heuristic(HeuristicFunction(lib.manhattan, data=data), shape=(3, 3))(FAR) == 21
        for wrong in (ffi.cast("uintptr_t", 5), ffi, ffi.typeof("int")):
            with pytest.raises(TypeError, match="data .*: expected a C-contiguous array"):
                HeuristicFunction(mixed, data=wrong)
    if "scipy" in there:
        from scipy import LowLevelCallable

        capsule = capsule_of(lib.manhattan, b"int (uint64_t, uint64_t, void *)")
        own = LowLevelCallable(capsule, ON_3X3.ctypes.data_as(ctypes.c_void_p))
        assert heuristic(own, shape=(3, 3))(FAR) == 21


@pytest.mark.parametrize("attribute", ["native_name", "address"])
def test_a_function_with_one_attribute_of_numba_is_one_of_python(attribute):
    def zero(board):
        return 0

    setattr(zero, attribute, 8)
    assert search("8 6 7/2 5 4/3 0 1", heuristic=zero, max_nodes=100).lower_bound < 31


def test_functions_of_another_type(lib):
    c = ctypes
    for kind in (
        c.CFUNCTYPE(c.c_uint8, c.c_uint64, c.c_uint64, c.c_void_p),
        c.CFUNCTYPE(c.c_int32, c.c_uint64, c.c_void_p),
        c.CFUNCTYPE(c.c_int32, c.c_uint64, c.c_uint32, c.c_void_p),
        c.CFUNCTYPE(None, c.c_uint64, c.c_uint64, c.c_void_p),
        c.CFUNCTYPE(c.c_int32, c.c_uint64, c.c_uint64, c.py_object),  # which would be taken for an object
        c.CFUNCTYPE(c.c_int32, c.c_uint64, c.c_uint64, c.c_double),
        c.CFUNCTYPE(c.c_int32),
    ):
        with pytest.raises(TypeError, match=r"it is .*; expected int32\(uint64, uint64, pointer\)"):
            HeuristicFunction(c.cast(lib.mixed, kind))
    with pytest.raises(TypeError, match="null pointer"):
        HeuristicFunction(c.CFUNCTYPE(c.c_int32, c.c_uint64, c.c_uint64, c.c_void_p)(0))
    with pytest.raises(TypeError, match="expected int32"):
        HeuristicFunction(capsule_of(lib.mixed, b"double (double, void *)"))
    for wrong in (len, 5, ON_3X3):
        with pytest.raises(TypeError, match="expected a compiled function, int32"):
            HeuristicFunction(lib.mixed, child=wrong)
    # ctypes would take numbers for addresses, and keep no text.
    for wrong in ([1], np.zeros((4, 4))[:, ::2], 5, 2**64, True, 1.5, "text", b"text", c.c_int(5), c.c_uint64(5)):
        with pytest.raises(TypeError, match=f"data {type(wrong).__name__}: expected a C-contiguous array"):
            HeuristicFunction(lib.mixed, data=wrong)
    with pytest.raises(ValueError, match="child and data are for compiled functions"):
        HeuristicFunction(len, data=ON_3X3)
    with pytest.raises(ValueError, match="takes 'array': a compiled function takes a packed board"):
        HeuristicFunction(lib.mixed, takes="array")
    with pytest.raises(ValueError, match="'mixed': it is for the goal 1 2 3/4 5 6/7 8 0, not for"):
        heuristic(HeuristicFunction(lib.mixed, goal=SMALL), goal="0 1 2/3 4 5/6 7 8")


def test_callbacks_into_python_are_refused(lib):
    """Whatever a Python function raises there would be printed, and count as 0: an interrupt, too."""
    kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p)
    callback = kind(lambda board, goal, data: 0)
    callbacks = [callback, ctypes.cast(callback, kind)]
    if find_spec("cffi"):
        import cffi

        callbacks.append(cffi.FFI().callback("int32_t(uint64_t, uint64_t, void *)", lambda board, goal, data: 0))
    for each in callbacks:
        for arguments in ({"function": each}, {"function": lib.mixed, "child": each}):
            with pytest.raises(TypeError, match="it calls a Python function, .* give a Python function itself"):
                HeuristicFunction(**arguments)


def test_the_name_of_a_capsule_may_be_any_bytes(lib):
    assert heuristic(capsule_of(lib.mixed, b"\xff\xfe"))(NEAR) == heuristic(lib.mixed)(NEAR)


# ---------------------------------------------------------------- wrong numbers


@pytest.mark.parametrize("number", [-1, 256, -(2**31), 2**31 - 1])
def test_a_number_that_is_no_value(number, lib):
    """Of a board in the middle of a search; other boards can be searched before and afterwards."""
    start = near(Board(SMALL), 5, 6)
    middle = start.neighbours()[0][1]
    data = np.array([middle.packed, number], dtype=np.int64)
    h = heuristic(HeuristicFunction(lib.wrong_once, name="mine", data=data, goal="any"), shape=(3, 3))
    message = f"heuristic 'mine': it returned {number} for the board {middle}; expected a number from 0 to 255"
    for algorithm in INFORMED:
        assert h(start) == 0
        for call in (lambda name=algorithm: search(start, algorithm=name, heuristic=h), lambda: h(middle)):
            with pytest.raises(HeuristicError, match=message):
                call()
    with pytest.raises(HeuristicError, match=message):
        h.many([start, middle])
    data[0] = 0
    assert all(search(start, algorithm=name, heuristic=h).status in ("solved", "failed") for name in INFORMED)


def test_wrong_numbers_of_children_and_of_the_second_of_two(lib):
    right = HeuristicFunction(lib.mixed, name="right")
    wrong = HeuristicFunction(lib.mixed, child=lib.wrong_child, name="wrong")
    h = heuristic([right, "tables:embedded", wrong])
    assert h(NEAR) == heuristic([right, "tables:embedded"])(NEAR)
    children = " or ".join(str(child) for _, child in Board(NEAR).neighbours())
    with pytest.raises(HeuristicError, match="'wrong': it returned 10.. for the board") as caught:
        search(NEAR, heuristic=h, max_nodes=4)
    assert str(caught.value).split("board ")[1].split(";")[0] in children
    assert search(NEAR, heuristic=heuristic([right, "tables:embedded"])).length == 9


@pytest.mark.parametrize("goal", [SMALL, "1 2 3/8 0 4/7 6 5"])
def test_a_child_that_disagrees_with_its_board_is_not_stable(goal, lib):
    good = HeuristicFunction(lib.manhattan, child=lib.manhattan_child, data=ON_3X3, **CLAIMS)
    assert check_heuristic([good, "linear-conflict"], goal=goal)
    bad = HeuristicFunction(lib.manhattan, child=lib.mixed_child, data=ON_3X3, **CLAIMS)
    report = check_heuristic(bad, goal=goal)
    assert not report and not report.trials[0].stable
    change = report.trials[0].changes[0]
    assert (change.h, change.again) == (
        heuristic("manhattan", goal=goal)(change.board),
        mixed_twin(change.board, Board(goal)),
    )


def test_limits_with_a_slow_function(lib):
    """A limit acts after few calls, however long each of them takes."""
    data = np.array([5], dtype=np.int64)  # milliseconds
    for algorithm in ("ida*", "rbfs", "a*"):
        own = HeuristicFunction(lib.slow, data=data)
        solution = search(HARDER, algorithm=algorithm, heuristic=own, time_limit_s=0.2)
        assert solution.status == "limit" and 4 <= solution.generated < 200


# ---------------------------------------------------------------- other processes


def test_other_processes_import_the_module_or_the_file(tmp_path, path, lib, monkeypatch):
    """Also a function of Python and an algorithm; and search_many sends them to its workers."""
    (tmp_path / "compiled_ones.py").write_text(
        textwrap.dedent(f"""\
            import ctypes
            import numpy as np
            from puzzle15.heuristics import HeuristicFunction
            from puzzle15.searches import register
            lib = ctypes.CDLL({str(path)!r})
            bare = lib.mixed
            mine = HeuristicFunction(
                lib.manhattan, child=lib.manhattan_child, data=np.array([3, 3], dtype=np.int32), admissible=True)

            def blank(boards):
                return boards.argmin(axis=1)

            @register(name=__name__)
            def left(start, goal, heuristic, progress):
                progress(expanded=heuristic(start))
                return "LL"
            """)
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import compiled_ones

    file = import_file(str(tmp_path / "compiled_ones.py"))
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for ones in (compiled_ones, file):
            sent = heuristic([ones.mine, "zero"], shape=(3, 3)), heuristic(ones.bare, shape=(3, 3))
            assert [pool.submit(h, FAR).result() for h in sent] == [21, mixed_twin(Board(FAR), Board(SMALL))]
            own = {"algorithm": ones.__name__, "heuristic": [ones.blank, ones.mine]}
            assert search_many(["1 2 3/4 5 6/0 7 8"] * 3, **own, workers=pool).expanded.tolist() == [6] * 3
            unregister(ones.__name__)
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(compiled_ones.mine))))
    assert again == compiled_ones.mine and again.admissible and heuristic(again, shape=(3, 3))(FAR) == 21


def test_the_data_of_a_low_level_callable(lib):
    """What is given beside it replaces its own."""

    class LowLevelCallable:  # as SciPy calls it
        function, user_data = lib.manhattan, ON_4X4

    assert heuristic(LowLevelCallable(), shape=(4, 4))(NEAR) == Board(NEAR).manhattan()
    assert heuristic(HeuristicFunction(LowLevelCallable(), data=ON_3X3), shape=(3, 3))(FAR) == 21
    LowLevelCallable.user_data = 5
    with pytest.raises(TypeError, match="data int: expected a C-contiguous array"):
        heuristic(LowLevelCallable())


def test_the_name_by_which_one_is_sent(lib, monkeypatch, no_cloudpickle):
    """That in a module goes before that in `__main__`; and a function is not sent without its child."""
    module = ModuleType("module_of_compiled_ones")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    module.bare = lib.mixed
    with_child = HeuristicFunction(lib.mixed, child=lib.mixed_child)
    with pytest.raises(pickle.PicklingError, match="no module has this compiled function"):
        pickle.dumps(with_child)
    module.mine = with_child
    monkeypatch.setattr(sys.modules["__main__"], "mine", with_child, raising=False)
    for own, name in ((with_child, "mine"), (HeuristicFunction(lib.mixed), "bare")):
        assert own.function.__reduce__()[1] == (module.__name__, name)
        assert pickle.loads(pickle.dumps(own)).has_child == own.has_child


def test_what_has_no_name_cannot_be_sent(lib, no_cloudpickle):
    own = HeuristicFunction(lib.manhattan, data=ON_3X3, name="own")
    with pytest.raises(pickle.PicklingError, match="'own': other processes cannot receive it .no module has this"):
        pickle.dumps(own)
    for other in (copy.copy(own), copy.deepcopy(own)):
        assert other == own and heuristic(other, shape=(3, 3))(FAR) == 21
