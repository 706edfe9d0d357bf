"""What four papers published: every figure that must be equal is, and what is known of those that need not be."""

import re
from collections import Counter, deque
from functools import cache
from itertools import combinations, islice, permutations, product

import numpy as np
import pytest
import readmes

from puzzle15 import Board, LocalValueIteration
from puzzle15.papers import PAPERS, bischoff2013, kantz2005, kunkle2001, reproduce, spagnoletto
from puzzle15.searches.examples import path_list

#: The table of the README: how many figures of each paper are equal, differ with a cause, and without one.
README = (readmes.ROOT / "puzzle15" / "papers" / "README.md").read_text()
VERDICTS = {
    name: [*map(int, counts)] for name, *counts in re.findall(r"\| `(\w+)` .* (\d+) \| (\d+) \| (\d+) \|", README)
}


@pytest.mark.parametrize(
    "name, options",
    [("kantz", {}), ("kunkle", {}), ("bischoff", {"boards": 500})],
)
@pytest.mark.sweep(1)
def test_verdicts_are_those_of_the_readme(name, options):
    assert list(VERDICTS) == list(PAPERS)
    told = []
    found = Counter(row.verdict for row in reproduce(name, progress=lambda share, what: told.append(share), **options))
    assert [found[verdict] for verdict in ("equal", "cause", "no cause")] == VERDICTS[name]
    assert told == sorted(told) and 0 <= told[0] <= told[-1] < 1


# ---------------------------------------------------------------- Kunkle 2001, "Results" ---


def test_kunkles_moves_lead_to_the_goal():
    for heuristic in kunkle2001.HEURISTICS:
        for (start, goal), moves in zip(kunkle2001.PAIRS, kunkle2001._MOVES[heuristic]):
            assert moves is None or Board(start).apply(moves, convention="blank") == Board(goal)


def examined_when_a_known_child_is(treated, start, goal, heuristic):
    """States that A* with first-in-first-out ties examines, by what becomes of a child that is known already:
    "dropped", whatever its way; "replaces" the open one if its way is shorter."""
    start, goal = Board(start), Board(goal)
    estimate = kunkle2001._estimate(heuristic, goal)
    buckets, least = {estimate(start): deque([(start, 0)])}, {start: 0}
    examined = 0
    while True:
        board, g = buckets[min(f for f in buckets if buckets[f])].popleft()
        if board == goal:
            return examined
        if g > least[board]:  # replaced
            continue
        examined += 1
        for child in sorted((child for _, child in board.neighbours()), key=lambda child: child.blank):
            if child in least and (treated == "dropped" or least[child] <= g + 1):
                continue
            least[child] = g + 1
            buckets.setdefault(g + 1 + estimate(child), deque()).append((child, g + 1))


@pytest.mark.parametrize(
    ("treated", "heuristic", "examined"),
    [
        ("dropped", "manhattan", 10126),
        ("replaces", "reversal", 9110),
        ("dropped", "reversal", 8614),
        ("replaces", "manhattan", 10708),
    ],
)
@pytest.mark.slow
def test_kunkles_last_pair_read_otherwise(treated, heuristic, examined):
    """Facts of this project: what the paper's 10,804 and 9,176 are not."""
    counts = [examined_when_a_known_child_is(treated, *pair, heuristic) for pair in kunkle2001.PAIRS]
    assert counts == [*kunkle2001._EXAMINED[heuristic][:-1], examined]


# ---------------------------------------------------------------- Kantz 2005, "Sample Runs" ---


def test_kantzs_paths_are_of_legal_moves():
    kept = kantz2005.search(*kantz2005._HARD, path_list.best_first(cache(kantz2005._f)))
    for result in (kept, *(run.run() for run in kantz2005._RUNS)):
        assert len(set(result.boards)) == len(result.boards)
        for before, after in islice(zip(result.boards, result.boards[1:]), 1000):
            assert Board(after) in [child for _, child in Board(before).neighbours()]
    assert kept.boards == kantz2005._RUNS[-1].run().boards


def test_kantzs_profile_fits_itself():
    """An expansion leaves out the board before alone. With old paths first at ties, its counts come near."""
    old_first = kantz2005._count_calls(old_first=True)
    for calls in (kantz2005._PROFILE, kantz2005._count_calls(), old_first):
        assert calls["SWAP"] - calls["OUT-COUNT"] == calls["NEXT-BOARDS"] - 1 == calls["TREE-SEARCH"] - 2
    assert [old_first[name] for name in ("NEXT-BOARDS", "SWAP", "OUT-COUNT", "F")] == [165, 456, 292, 17_788]


def orders_of_kantzs_beam():
    """How many pairs of an order of the moves and a rule for ties sort boards alike: by the order that a beam gives to
    the blank's steps, by steps and costs. A rule has one order for two or three boards, by which costs are equal."""
    patterns = [
        p for n in (2, 3) for p in product(range(n), repeat=n) if set(p) == {*range(max(p) + 1)} and max(p) < n - 1
    ]
    sorts = [[o for o in permutations(range(len(p))) if [p[i] for i in o] == sorted(p)] for p in patterns]
    found = Counter()
    for order in permutations((-3, -1, 1, 3)):
        for rule in product(*sorts):
            table = {}
            for pattern, places in zip(patterns, rule):
                for steps in combinations(order, len(pattern)):
                    table[frozenset(zip(steps, pattern))] = tuple(steps[place] for place in places)
            found[frozenset(table.items())] += 1
    return found


@pytest.mark.nightly
def test_no_order_of_kantzs_beam_gives_its_printed_path_and_its_count(monkeypatch):
    """Rules that answer alike for the boards that a search meets are searched once."""
    beam = kantz2005._RUNS[4]
    printed = [kantz2005._tiles(text) for text in beam.first_boards.split()]
    children = kantz2005._next_boards
    monkeypatch.setattr(kantz2005, "_next_boards", cache(lambda tiles: [*children(tiles)]))

    @cache
    def order_of(board, new):
        """Return the order of new boards after one, or the question about it for the table; and the steps to them."""
        costs = [*map(kantz2005.out_count, new)]
        steps = [each.index(0) - board.index(0) for each in new]
        if len({*costs}) < len(new):
            return None, frozenset(zip(steps, [sorted({*costs}).index(cost) for cost in costs])), steps
        return sorted(range(len(new)), key=costs.__getitem__), None, steps

    def run(table):
        """Return the expansions, or None if no open path begins as printed; and what was asked, with the answers."""
        asked, expansions = {}, 0

        def combine(new, others):
            nonlocal expansions
            if new:
                order, question, steps = order_of(new[0].parent.board, tuple([path.board for path in new]))
                if question is not None:
                    order = [steps.index(step) for step in asked.setdefault(question, table[question])]
                others.extendleft([new[place] for place in reversed(order)])
            while len(others) > 3:
                others.pop()
            expansions += 1
            if expansions == 20:
                fronts = [[each.board for each in path.back()][::-1][:10] for path in others]
                if not any(front == printed[: len(front)] for front in fronts):
                    return deque()
            return others if expansions < beam.expansions + 1 else deque()

        found = kantz2005.search(*beam.ends, combine)
        return (None if expansions == 20 else found.expansions), asked

    begin, known = 0, {}  # known: either {"expansions": what was found}, or {"asks": question, answer: the same..}
    for program, count in orders_of_kantzs_beam().items():
        table, place = dict(program), known
        while "asks" in place:
            place = place.setdefault(table[place["asks"]], {})
        if not place:
            expansions, asked = run(table)
            place = known
            for question, answer in asked.items():
                assert place.setdefault("asks", question) == question
                place = place.setdefault(answer, {})
            place["expansions"] = expansions
        if place["expansions"] is not None:
            assert place["expansions"] != beam.expansions
            begin += count
    assert begin == 6_784  # the others cannot begin as printed


# ---------------------------------------------------------------- Spagnoletto, section 2.5 ---

AVERAGES = {
    ("stack", "depth"): 60,
    ("stack", "states visited"): 703,
    ("queue", "depth"): 8.7,
    ("queue", "states visited"): 580,
}


@pytest.fixture(scope="module")
def spagnolettos():
    """The rows by case and quantity, of a fifth of the samples."""
    return {(row.case, row.quantity): row for row in reproduce("spagnoletto", samples=10)}


@pytest.mark.nightly
def test_spagnolettos_averages(spagnolettos):
    """They lie among those of samples of boards of 16 random moves, with misplaced tiles."""
    for (rule, quantity), average in AVERAGES.items():
        row = spagnolettos[f"{spagnoletto.FITTED.name}, {rule}", quantity]
        least, most = row.remark.partition("median ")[2].partition(", ")[2].partition(", up to ")[0].split(" to ")
        assert (row.paper, row.verdict) == (average, "equal")
        assert float(least.replace(",", "")) < average < float(most.replace(",", ""))


@pytest.mark.nightly
def test_spagnolettos_averages_are_not_those_of_other_boards(spagnolettos):
    for (rule, quantity), average in AVERAGES.items():
        row = spagnolettos[f"uniform boards, Manhattan, {rule}", quantity]
        assert row.here > 3 * average and row.verdict == "cause"

    def tried(name):
        row = spagnolettos[f"tried: {name}, Manhattan", "depth, states; by queue"]
        return [float(number) for number in row.here.replace(";", ",").split(", ")]

    assert 45 < tried("50 random moves")[0] < 75 and 28 < tried("50 random moves")[2] < 42
    assert 7 < tried("19 random moves")[2] < 11 and tried("19 random moves")[3] < 580 / 4


@pytest.mark.nightly
def test_spagnolettos_claims(spagnolettos):
    assert all(row.verdict != "no cause" for row in spagnolettos.values())
    for case, of in (spagnoletto.UNIFORM, 10), (spagnoletto.FITTED, 100):
        a_star = spagnolettos[case.name, "A*: more states than the queue"]
        assert (a_star.here, a_star.verdict) == (("yes", "equal") if case.walk is None else ("no", "cause"))
        assert spagnolettos[case.name, "A*: solved within 100M"].here.endswith(f" of {of}")
    for rule in ("stack", "queue"):
        ended = spagnolettos[f"{spagnoletto.FITTED.name}, {rule}", "literal pseudo-code ends within 2,000"].here
        assert 50 < int(ended.split()[0]) < 85


def test_spagnolettos_figures_without_random_boards():
    rows = {(row.case, row.quantity): row for row in spagnoletto._facts()}
    figure_4 = rows["the board of Figure 4", "Manhattan distance"]
    assert (figure_4.paper, figure_4.here, figure_4.remark) == (8, 18, "misplaced tiles: 8")
    assert rows["all boards", "number at distance 60"].here == 317_373_604_363
    assert rows["all boards", "average optimal length"].here == pytest.approx(52.59, abs=0.005)
    stack, queue = (
        rows[f"the board of Figure 4, {rule}", "live, E-, dead nodes at the end"].here for rule in ("stack", "queue")
    )
    assert (stack, queue) == ("18,237, 1, 18,208", "1,912, 1, 1,866")


# ---------------------------------------------------------------- Bischoff et al. 2013 ---


def test_bischoffs_figures():
    """Theorems 2 and 3 and section 4, typed once more."""
    assert [str(share) for share in bischoff2013._CLASSES] == ["1/2304", "763/11520", "11/60", "1/12", "2/3"]
    assert bischoff2013._BOUNDS == (142, 220, 248, 255, 288)
    assert bischoff2013._STATES[9, 13] == 10080 and bischoff2013._MOST[9, 13] == 34
    assert len(bischoff2013._STATES) == 11 and len(bischoff2013._MOST) == 23


@pytest.mark.parametrize(
    "order, all_boards, s5", [("RLDU", 123.33, 128.68), ("ULRD", 123.13, 128.43), ("LDUR", 122.79, 128.12)]
)
def test_bischoffs_averages_by_the_order_of_moves(order, all_boards, s5):
    """123.35 and 128.71 in the paper, whose standard errors are 0.06 and 0.07."""
    counts = LocalValueIteration(move_order=order).count_boards()
    assert (round(counts.mean(), 2), round(counts.mean(5), 2)) == (all_boards, s5)


@pytest.mark.extra
def test_bischoffs_figure_2_has_moves_and_minutes_as_the_paper(monkeypatch):
    pytest.importorskip("matplotlib")
    drawn = []
    monkeypatch.setattr(bischoff2013, "save_panels", lambda figure, *_: drawn.append(figure))
    learner = LocalValueIteration()
    batch, counts = learner.solve_many([learner.goal.apply(moves) for moves in ("", "R")]), learner.count_boards()
    bischoff2013._draw_figure_2([bischoff2013._Run(n, 30.0 * n, counts, batch, 0.0) for n in range(1, 6)], None)
    moves, minutes, _ = drawn[0].axes
    assert [line.get_ydata().tolist() for line in moves.lines[::2]] == [[1] * 5, [0.5] * 5]
    assert minutes.lines[0].get_ydata().tolist() == [0.5, 1, 1.5, 2, 2.5]


def test_the_most_moves_of_random_boards():
    """Of two boards with 0 or 1 moves, three times out of four."""
    lengths = np.array([0, 1, 1, 1])
    average, most = bischoff2013._moves("", bischoff2013._Moves(0.5, 1), np.array([5, 5]), 2, lengths)
    assert (average.here, average.error, average.note) == (
        0.5,
        pytest.approx(8**-0.5),
        "4 random boards: 0.75 (+1.0)",
    )
    assert (most.here, most.error, most.quantity) == (0.75, pytest.approx(0.1875**0.5), "most moves of 2 boards")
