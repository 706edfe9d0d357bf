"""Anytime A*, ARA*, breadth-first heuristic and beam-stack search: against their twins, and what they promise."""

import itertools
from fractions import Fraction

import anytime_twins
import pytest
from searching import FAR, cases, check_twin, same

from puzzle15 import Board, Solver, search
from puzzle15._core.search.searches import anytime, beam_stack
from puzzle15.board import KORF_GOAL, farthest, korf100
from puzzle15.board._moves import order_of
from puzzle15.heuristics import heuristic

ANYTIME = ["anytime-a*", "ara*", "beam-stack"]
ALL = [*ANYTIME, "breadth-first-heuristic"]
ROOM = 1 << 30

#: Of these, some stand for their kinds: one value or several, a sum that the kernels add up by themselves or not.
NAMES = [
    "manhattan",
    "max(manhattan,misplaced)",
    pytest.param("misplaced", marks=pytest.mark.slow),
    pytest.param("linear-conflict", marks=pytest.mark.slow),
]


def some(name, steps=16):
    """Cases of this test's shapes."""
    return cases(name, 2, steps, fewer=2, shapes=[(3, 3), (2, 4), (3, 4), (2, 3), (4, 4)])


def check(board, goal, twin, **options):
    solution, _ = check_twin(board, goal, twin, **options)
    assert solution.length == solution.lower_bound
    return solution


def told_by(kernel, board, goal, name, order, **options):
    """What a kernel says is new, as its twin does; h_weight instead of the weight."""
    evaluator, turn, back = heuristic(name, goal=goal).prepare()
    order = bytes(back.index(direction) for direction in order_of(order))
    told = []

    def tell(directions, *rest):
        told.append((len(directions), *rest))

    kernel(evaluator, turn(board), order, on_improvement=tell, max_bytes=ROOM, **options)
    return told


@pytest.mark.parametrize("name", NAMES)
def test_anytime_a_star(name):
    weights = [(1, 1), (2, 1), (2, 3), (Fraction(5, 4), 1), (7, 3)]
    for (weight, batch), (board, goal, start, order) in itertools.product(weights, some(name)):
        news = []
        twin = list(anytime_twins.anytime(*start, news, weight=weight, batch=batch))
        options = {"algorithm": "anytime-a*", "heuristic": name, "weight": weight, "batch": batch}
        check(board, goal, twin, move_order=order, **options)
        g_weight, h_weight = Fraction(weight).denominator, Fraction(weight).numerator
        options = {"g_weight": g_weight, "h_weight": h_weight, "batch": batch}
        told = told_by(anytime, board, goal, name, order, **options)
        assert [(*new[:2], Fraction(new[2], g_weight), *new[3:]) for new in told] == news


@pytest.mark.parametrize("name", NAMES)
def test_ara_star(name):
    weights = [(2, "0.2"), (3, 1), ("5/2", "1/3"), (1, 1)]
    for (weight, step), (board, goal, start, order) in itertools.product(weights, some(name)):
        news = []
        twin = list(anytime_twins.anytime(*start, news, weight=Fraction(weight), step=Fraction(step)))
        options = {"algorithm": "ara*", "heuristic": name, "weight": weight, "weight_step": step}
        check(board, goal, twin, move_order=order, **options)
        parts = Fraction(weight).denominator * Fraction(step).denominator
        weights = {"h_weight": int(parts * Fraction(weight)), "h_step": int(parts * Fraction(step))}
        told = told_by(anytime, board, goal, name, order, g_weight=parts, **weights)
        assert [(*new[:2], Fraction(new[2], parts) or None, *new[3:]) for new in told] == news


@pytest.mark.parametrize("name", [*NAMES, "zero"])
def test_breadth_first_heuristic(name):
    for board, goal, start, order in some(name, 16 if name != "zero" else 12):
        twin = anytime_twins.breadth_first_heuristic(*start)
        options = {"algorithm": "breadth-first-heuristic", "heuristic": name, "move_order": order}
        solution = check(board, goal, twin, **options)
        told = []
        assert same(search(board, goal=goal, on_iteration=told.append, **options)) == same(solution)
        assert tuple(told) == solution.iterations
        assert sum(iteration.generated for iteration in told) == solution.generated


@pytest.mark.parametrize("name", NAMES)
def test_beam_stack(name):
    boards = some(name, 14 if name != "misplaced" else 10)
    for width, (board, goal, start, order) in itertools.product([1, 3, 1000], boards):
        below = farthest(goal.shape, goal.blank) + 1
        if width == 1 and below > 40:
            continue  # too long a way down
        news = []
        twin = list(anytime_twins.beam_stack(*start, news, width=width, below=below))
        check(board, goal, twin, algorithm="beam-stack", heuristic=name, width=width, move_order=order)
        told = told_by(beam_stack, board, goal, name, order, width=width, below=below)
        assert [(*new[:2], None, *new[3:]) for new in told] == news


# ------------------------------------------------------------------------------------------------ what they promise


def test_one_of_korfs_boards_in_little_time():
    """A limit ends them with the best solution and what is proved of it."""
    record = korf100()[2]
    for algorithm in ANYTIME:
        solution = search(record.board, goal=KORF_GOAL, algorithm=algorithm, max_nodes=600_000)
        assert solution.status == "limit" and not solution.optimal
        assert solution.improvements[-1].moves == solution.moves
        assert str(solution).startswith(f"limit: at least {solution.lower_bound} moves, at most {solution.length}: ")


def test_a_heuristic_that_is_not_admissible_proves_no_more_than_manhattan():
    estimate = heuristic("manhattan", shape=(3, 3))
    assert search(FAR, heuristic=estimate).optimal
    estimate.admissible = False
    for algorithm in [*ALL, "a*"]:
        solution = search(FAR, algorithm=algorithm, heuristic=estimate)
        assert (solution.length, solution.optimal, solution.lower_bound) == (31, False, estimate(FAR))
        assert all(better.lower_bound == estimate(FAR) for better in solution.improvements)


def test_the_search_ends_when_the_solution_is_good_enough():
    for algorithm in ANYTIME:
        told = []

        def enough(better, told=told):
            told.append(better)
            return better.ratio > 1.2

        solution = search(
            FAR, algorithm=algorithm, on_improvement=enough, **{"width": 50} if "beam" in algorithm else {}
        )
        assert (solution.status == "limit") == (told[-1].ratio > 1) and tuple(told) == solution.improvements
        assert all(better.ratio > 1.2 for better in told[:-1]) and told[-1].ratio <= 1.2


def test_steps_of_weights():
    weights = [better.weight for better in search(FAR, algorithm="ara*").improvements if better.weight]
    assert [weight for weight, _ in itertools.groupby(weights)] == [2, 1.8, 1.6, 1.4, 1.2, 1]


def test_memory_of_breadth_first_heuristic_search():
    """It remembers two depths, where a* remembers all."""
    board = korf100()[78].board
    few = search(board, goal=KORF_GOAL, algorithm="breadth-first-heuristic")
    many = search(board, goal=KORF_GOAL)
    assert few.length == many.length == 42
    assert few.largest_open + few.largest_closed < (many.largest_open + many.largest_closed) / 2
    assert few.memory_bytes < many.memory_bytes


def test_solutions_beyond_a_relay_layer():
    """Boards of the 2x5 puzzle have up to 55 moves."""
    board, goal = Board([0, 9, 8, 7, 6, 5, 4, 3, 2, 1], (2, 5)), Board.goal((2, 5))
    solution = search(board, algorithm="breadth-first-heuristic")
    assert solution.length == Solver("embedded", shape=(2, 5)).distance(board) > 32
    assert board.apply(solution.moves) == goal
