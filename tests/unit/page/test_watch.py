"""How the page watches a search, run by node on what Python's searches did: the order, and nothing of the future."""

import json
import shutil
import subprocess
from functools import cache

import pytest

from puzzle15 import ALGORITHMS, Board, search
from puzzle15.page import _assembling as assembling
from puzzle15.page._recording import record_of, trace_of
from puzzle15.searches import SearchTree
from puzzle15.searches._algorithms import TIES

pytestmark = pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")

NEAR, PAPER, FAR = "2 3 5/4 0 6/1 7 8", "1 2 0/8 7 3/5 4 6", "8 6 7/2 5 4/3 0 1"
BOARDS = [NEAR, PAPER, FAR, "5 1 2 3/9 6 7 0/13 10 8 4/15 12 11 14"]
STACK = ("depth-first", "iterative-deepening", "ida*")
TIED = ("a*", "weighted-a*", "greedy", "branch-and-bound")


def node(entry, script, given):
    """What a script writes that has the exports of a module of the page, and `given`."""
    start = f"const given = {json.dumps(given)};\n{assembling._bundle(entry)}"
    text = f"{start}console.log(JSON.stringify((() => {{ {script} }})()));"
    ran = subprocess.run(["node", "-"], input=text, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@cache
def recorded(board, algorithm, limit=400, **options):
    tree = SearchTree(max_expansions=limit)
    if algorithm == "depth-first":
        options["max_length"] = 30
    tree.solution = search(board, algorithm=algorithm, on_expand=tree.add, max_nodes=100_000, **options)
    return tree


def given(board, algorithm, limit=400, ties=None):
    """A search as the page has it: a row of the registry, and its expansions."""
    tree = recorded(board, algorithm, limit, **({"ties": ties} if ties else {}))
    row = {"name": algorithm, "f": ALGORITHMS[algorithm].f, "ties": ties}
    return {"algorithm": row, "expansions": trace_of(tree.expansions)}


ORDERED = [*((name, None) for name in (*STACK, "breadth-first")), *((name, ties) for name in TIED for ties in TIES)]


@pytest.mark.parametrize("algorithm, ties", ORDERED, ids=str)
def test_the_first_of_the_open_list_is_the_next_expansion(algorithm, ties):
    given_ = [given(board, algorithm, ties=ties) for board in BOARDS]
    script = """
        const { Growth } = watch_growth_js, { nextOf, ruleOf, rulesOf } = watch_open_list_js;
        return given.map(({ algorithm, expansions }) => {
            const [rule] = rulesOf(algorithm), growth = new Growth(expansions, 0, algorithm);
            const coming = expansions.map(() => {
                const { node, bound } = nextOf(growth, rule);
                growth.advance();
                return node ? [node.board, node.g] : bound;
            });
            const found = ruleOf(expansions, { ...algorithm, ties: algorithm.ties && "larger-g" });
            return { coming, rule, found, end: nextOf(growth, rule) };
        });"""
    for board, each, answer in zip(BOARDS, given_, node("watch/open_list.js", script, given_)):
        expected = []
        for expansion in each["expansions"]:
            begins = expected and expansion["g"] == 0
            expected.append(expansion["bound"] if begins else [expansion["board"], expansion["g"]])
        assert answer["coming"] == expected
        assert answer["rule"] == (ties or ("stack" if algorithm in STACK else "fifo")) and answer["found"]
        tree = recorded(board, algorithm, 400, **({"ties": ties} if ties else {}))
        assert ("node" in answer["end"] or "bound" in answer["end"]) == tree.truncated


@pytest.mark.parametrize("algorithm, ties", [each for each in ORDERED if each[0] not in STACK], ids=str)
def test_the_reason_is_true(algorithm, ties):
    script = """
        const { algorithm, expansions } = given, growth = new watch_growth_js.Growth(expansions, 0, algorithm);
        const { nextOf, openList, rulesOf } = watch_open_list_js, [rule] = rulesOf(algorithm);
        return expansions.map(() => {
            const told = [nextOf(growth, rule).why, openList(growth, rule).map(({ f, g, h }) => ({ f, g, h }))];
            growth.advance();
            return told;
        });"""
    compared = "h" if algorithm == "branch-and-bound" else ALGORITHMS[algorithm].f[:1].replace("g", "f")
    compared = "g" if algorithm == "breadth-first" else compared
    for why, (first, *others) in node("watch/open_list.js", script, given(FAR, algorithm, ties=ties))[1:]:
        equal = [first, *(each for each in others if each[compared] == first[compared])]
        same = sum(each["h"] == first["h"] for each in equal)
        largest = f"largest g = {first['g']}" if algorithm == "a*" else f"least h = {first['h']}"
        if not others:
            assert why == "It is the only open node."
        elif len(equal) == 1:
            assert why == f"It has the least {compared}: {first[compared]}."
        else:
            assert why.startswith(f"Of {len(equal)} nodes with the least {compared} = {first[compared]}, it ")
            end = {"fifo": "was made first.", "lifo": "was made last."}.get(ties or "fifo")
            if end is None and same < len(equal):
                end = f"has the {largest}." if same == 1 else f"is the one made last of {same} with the {largest}."
            assert why.endswith(f", it {end or 'was made last.'}")


def test_other_orders_are_found_to_be_other_ones():
    tree = given(NEAR, "a*", ties="larger-g")
    order = [*tree["expansions"][:3], tree["expansions"][4], tree["expansions"][3], *tree["expansions"][5:]]
    script = "return given.map(({ algorithm, expansions }) => watch_open_list_js.ruleOf(expansions, algorithm));"
    other = given(NEAR, "mm")
    assert node("watch/open_list.js", script, [tree, {**tree, "expansions": order}, other]) == ["larger-g", None, None]


GROWN = """
    const { Growth, stateOf } = watch_growth_js, { nextOf, openList, rulesOf } = watch_open_list_js;
    const told = ({ nodes, iterations, path, best, last, bound }) => ({
        nodes: nodes.map((node) => ({ ...node, state: stateOf(node) })),
        iterations, path: [...path], best, last, bound });
"""


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_nothing_of_the_future_is_known(algorithm):
    """A later expansion that is looked at fails here; and a step back is as if the later ones had never been."""
    script = f"""{GROWN}
        const {{ algorithm, expansions }} = given, [rule] = rulesOf(algorithm);
        const growth = new Growth(expansions, 0, algorithm);
        const {{ children, goal, ...root }} = expansions[0];
        for (let step = 0; step <= expansions.length; step++) {{
            const known = new Growth(step ? expansions.slice(0, step) : [root], step, algorithm);
            if (JSON.stringify(told(known)) !== JSON.stringify(told(growth))) return step;
            if (rule) [openList, nextOf].map((look) => look(known, rule));
            if (step < expansions.length) growth.advance();
        }}
        return "equal";"""
    assert node("watch/open_list.js", script, given(PAPER, algorithm, 100)) == "equal"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_step_has_the_nodes_numbers_and_bounds_of_the_search(algorithm):
    script = f"""{GROWN}
        const {{ algorithm, expansions }} = given;
        return expansions.map((_, at) => told(new Growth(expansions, at + 1, algorithm)));"""
    tree = recorded(PAPER, algorithm, 60)
    steps = node("watch/open_list.js", script, given(PAPER, algorithm, 60))
    forgets = algorithm in ("rbfs", "sma*")  # later, they expand a node again
    for expansion, step in zip(tree.expansions, steps[: 5 if forgets else None]):
        last = step["nodes"][step["last"]["index"]]
        assert (last["board"], last["turns"], last["g"], last["f"]) == (
            str(expansion.board), [expansion.number], expansion.g, expansion.f)  # fmt: skip
        assert last["goal"] == (expansion.fate == "goal") and step["bound"] == expansion.bound
        children = [step["nodes"][index] for index in last["children"]]
        assert [(it["board"], it["move"], it["f"]) for it in children] == [
            (str(it.board), it.move, it.f) for it in expansion.children
        ]
        for child, made in zip(children, expansion.children):
            fate = "open" if algorithm.startswith("beam") and made.fate == "dropped" else made.fate
            assert child["fate"] == fate and child["made"] == expansion.number
        parent = last["parent"]
        assert expansion.parent == (None if parent is None else step["nodes"][parent]["turns"][-1])
    assert not any(step["path"] for step in steps if step["best"] is None)
    if not tree.truncated and tree.solution.moves is not None:
        path = {steps[-1]["nodes"][index]["board"] for index in steps[-1]["path"]}
        assert path == {str(board) for board in tree.solution.boards()}
    if not tree.truncated and tree.solution.iterations:
        iterations = [{"bound": bound, "expanded": expanded} for bound, expanded, _ in tree.solution.iterations]
        assert steps[-1]["iterations"] == iterations


def test_what_a_beam_drops_shows_when_its_level_ends():
    tree = recorded(FAR, "beam", 40, width=3)
    states = "growth.nodes.filter(({ fate }) => fate === 'dropped').length"
    script = f"""{GROWN}
        const {{ algorithm, expansions }} = given, growth = new Growth(expansions, 0, algorithm);
        return expansions.map(() => (growth.advance(), {states}));"""
    row = {"name": "beam", "f": "h", "ties": None}
    shown = node("watch/open_list.js", script, {"algorithm": row, "expansions": trace_of(tree.expansions)})
    for at, expansion in enumerate(tree.expansions):
        before = [each for each in tree.expansions[: at + 1] if each.g < expansion.g]
        assert shown[at] == sum(child.fate == "dropped" for each in before for child in each.children)
    assert shown[-1] > 10


def test_branch_and_bound_cuts_open_nodes_when_it_has_a_solution():
    script = f"""{GROWN}
        const {{ algorithm, expansions }} = given, growth = new Growth(expansions, 0, algorithm), cuts = [];
        while (growth.step < expansions.length) {{
            const open = growth.open();
            growth.advance();
            const cut = open.filter(({{ fate }}) => fate === "cut");
            if (cut.length) cuts.push([growth.step, growth.best.g, Math.min(...cut.map(({{ f }}) => f))]);
        }}
        return cuts;"""
    tree = recorded(FAR, "branch-and-bound", 10_000)
    goals = [(each.number, each.g) for each in tree.expansions if each.fate == "goal"]
    cuts = node("watch/open_list.js", script, given(FAR, "branch-and-bound", 10_000))
    assert len(goals) > 1 and [(number, g) for number, g, _ in cuts] == goals and all(f >= g for _, g, f in cuts)


def test_the_open_list_is_as_long_as_the_search_says():
    script = f"""{GROWN}
        return given.map(({{ algorithm, expansions }}) => {{
            const growth = new Growth(expansions, 0, algorithm);
            return Math.max(...expansions.map(() => (growth.advance(), openList(growth, "fifo").length)));
        }});"""
    names = ("a*", "greedy", "breadth-first")
    most = node("watch/open_list.js", script, [given(NEAR, name, 10_000) for name in names])
    assert most == pytest.approx([recorded(NEAR, name, 10_000).solution.largest_open for name in names], abs=3)


def test_places_are_tidy():
    children = [[1, 2, 3], [4], [5, 6, 7], [], [8, 9], [10], [], [], [], [11], [], [], []]  # two trees
    parents = {child: parent for parent, brood in enumerate(children) for child in brood}
    nodes = [{"index": at, "children": brood, "parent": parents.get(at)} for at, brood in enumerate(children)]
    places = node("watch/layout.js", "return watch_layout_js.placed(given);", nodes)
    assert [place["depth"] for place in places] == [0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 0]
    assert min(place["x"] for place in places) == 0
    for at, place in enumerate(places):
        below = [places[child]["x"] for child in children[at]]
        assert not below or place["x"] == pytest.approx((min(below) + max(below)) / 2)
        for other, each in enumerate(places[:at]):
            least = 1 if parents.get(at) == parents.get(other) else 1.2
            assert each["depth"] != place["depth"] or each["x"] <= place["x"] - least + 1e-9


def test_the_lessons_have_the_numbers_of_the_search():
    told = "({ answer, ...lesson }) => ({ ...lesson, answer: answer(lesson.searches) })"
    lessons = node("watch/lessons.js", f"return watch_lessons_js.LESSONS.map({told});", None)
    assert len(lessons) == 3
    for lesson in lessons:
        for numbers in lesson["searches"]:
            options = {name: numbers.pop(name) for name in ("algorithm", "ties") if name in numbers}
            solution = search(lesson["board"], **options)
            iterations = numbers.pop("iterations", [])
            assert iterations == [[bound, expanded] for bound, expanded, _ in solution.iterations]
            assert {name: getattr(solution, name) for name in numbers} == numbers
            told = [*numbers.values(), *(number for iteration in iterations for number in iteration)]
            assert all(str(number) in lesson["answer"] for number in told)


def test_a_record_is_that_of_its_search():
    tree = recorded(PAPER, "weighted-a*", 20, weight="4/3")
    record = record_of(tree, 7)
    assert record["fragment"] == (
        "#board=1%202%200/8%207%203/5%204%206&goal=1%202%203/4%205%206/7%208%200&view=watch&algorithm=recorded&step=7"
    )
    assert record["title"] == tree.title and record["says"] == "The search goes on."
    assert (record["name"], record["f"], len(record["expansions"])) == ("weighted-a*", "g + weight h", 20)
    for name, row in ALGORITHMS.items():
        f = {"anytime-a*": "g + h", "ara*": "g + h"}.get(name, row.f)
        assert record_of(recorded(PAPER, name, 60))["f"] == f


def test_a_search_without_its_solution_has_a_goal():
    korf = Board("0 1 2/3 4 5/6 7 8")
    for goal, algorithm, board, limit in (
        (Board.goal((3, 3)), "a*", PAPER, 5),
        (korf, "a*", "1 4 2/3 0 5/6 7 8", 50),
        (korf, "mm", "1 4 2/3 0 5/6 7 8", 50),
        (Board("3 1 2/4 0 5/6 7 8"), "a*", "3 1 2/4 0 5/6 7 8", 1),
    ):
        tree = SearchTree(max_expansions=limit)
        search(board, algorithm=algorithm, goal=goal, on_expand=tree.add)
        assert record_of(tree)["goal"] == str(goal) and record_of(tree)["name"] == ""
