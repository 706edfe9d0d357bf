"""The view of searches: steps, two side by side, links, the question, pictures, and recorded searches."""

import xml.etree.ElementTree as ElementTree

import pytest

from puzzle15 import ALGORITHMS, search
from puzzle15.page import page as page_text
from puzzle15.searches import SearchTree

NEAR, PAPER = "2 3 5/4 0 6/1 7 8", "1 2 0/8 7 3/5 4 6"
SVG = "{http://www.w3.org/2000/svg}"
LOADED = "() => /of [1-9]/.test(document.getElementById('watch-place').textContent)"


class Panel:
    """What somebody sees of one search."""

    def __init__(self, player, number=0):
        self.root = player.page.locator("#watch-searches > section").nth(number)

    def said(self):
        return self.root.locator(".said").inner_text()

    def entries(self):
        return [text.splitlines()[-1] for text in self.root.locator(".entry").all_inner_texts()]


@pytest.fixture
def watch(open_page):
    """A function that opens the view: (player, panel)."""

    def watch(fragment, board="235/406/178", **options):
        player = open_page(f"#board={board}&view=watch&{fragment}", **options)
        player.wait_until(LOADED)
        return player, Panel(player)

    return watch


def test_each_step_shows_what_is_known_by_then(watch):
    player, panel = watch("algorithm=a*")
    player.page.get_by_label("Whole tree").check()  # nothing is out of sight
    expansions = SearchTree()
    search(NEAR, on_expand=expansions.add)
    for expansion in expansions.expansions:
        coming = f"{expansion.g} + {expansion.h} = {expansion.f}"
        assert panel.entries()[0] == coming and f"Next: {coming}. " in panel.said()
        assert panel.root.locator(".trees .way").count() == 0
        before = panel.root.locator(".trees .closed").count()
        player.arrows("R")
        assert panel.said().startswith(f"{expansion.number}. ") and coming in panel.said()
        assert before == expansion.number - 1
    assert expansion.fate == "goal" and panel.root.locator(".trees .node.way").count() == 13
    assert "12 moves after 21 expansions; no solution is shorter" in panel.said()


def test_buttons_keys_and_the_slider(watch):
    player, panel = watch("algorithm=greedy&step=3")
    page, last = player.page, len(recorded("greedy").expansions)
    for act, step in (
        (lambda: player.press("Step"), 4),
        (lambda: player.press("Back"), 3),
        (lambda: player.arrows("RRL"), 4),
        (lambda: page.keyboard.press("End"), last),
        (lambda: page.keyboard.press("Home"), 0),
        (lambda: page.locator("#watch-at").fill("7"), 7),
        (lambda: page.locator("#watch-at").press("ArrowRight"), 8),  # once
        (lambda: page.locator("#watch-back").press(" "), 7),  # the button, not play
    ):
        act()
        assert player.text("watch-place") == f"Step {step} of {last}"
    page.locator("#watch-speed").select_option("10")
    panel.root.locator(".said").click()
    page.keyboard.press(" ")
    player.wait_for("watch-place", f"Step {last} of {last}")
    player.wait_for("watch-play", "Play")
    assert page.locator("#watch-step").is_disabled()


def test_a_game_is_watched_and_not_played(open_page):
    player = open_page("#board=235/406/178")
    player.press("Watch")
    player.wait_until(LOADED)
    player.arrows("RR")
    player.page.keyboard.press(" ")
    player.wait_until("() => document.getElementById('watch-place').textContent === 'Step 3 of 22'")
    player.page.keyboard.press(" ")
    assert player.text("watch-play") == "Play"
    player.page.locator("#to-play").click()
    player.wait_until("() => location.hash === '#board=235/406/178'")


def recorded(algorithm, board=NEAR, limit=1000, **options):
    tree = SearchTree(max_expansions=limit)
    tree.solution = search(board, algorithm=algorithm, on_expand=tree.add, **options)
    return tree


def test_two_side_by_side_and_their_link(watch, open_page):
    player, first = watch("algorithm=a*&ties=fifo&second=ida*&second-heuristic=misplaced&step=5")
    second = Panel(player, 1)
    player.arrows("R")
    player.wait_until("() => location.hash.endsWith('step=6')")
    said = first.said(), second.said(), first.entries(), second.entries()
    assert said[0].startswith("6. ") and said[1].startswith("6. ")
    link = player.page.evaluate("location.hash")
    assert link == "#board=235/406/178&view=watch&algorithm=a*&ties=fifo&second=ida*&second-heuristic=misplaced&step=6"
    again = open_page(link)
    again.wait_until(LOADED)
    panels = Panel(again), Panel(again, 1)
    assert (*(each.said() for each in panels), *(each.entries() for each in panels)) == said
    panels[0].root.get_by_label("Ties").select_option("lifo")
    again.wait_until("() => location.hash.includes('ties=lifo')")
    panels[0].root.get_by_label("Ties").select_option("fifo")
    again.page.get_by_label("Two searches").uncheck()
    again.wait_until("() => location.hash.endsWith('ties=fifo&step=0')")
    first.root.get_by_label("Algorithm").select_option("rbfs")
    player.wait_until(LOADED)
    player.page.wait_for_function("() => document.querySelector('.open-list h3').textContent.startsWith('Open: ')")
    assert first.entries() == [] and "Next" not in first.said() and not first.root.get_by_label("Ties").is_visible()


def test_every_algorithm_can_be_watched_to_its_end(watch):
    player, panel = watch("algorithm=a*")
    chosen = "name => location.hash.includes(`algorithm=${name}&`) && location.hash.endsWith('step=0')"
    for name in ALGORITHMS:
        panel.root.get_by_label("Algorithm").select_option(name)
        player.wait_until(chosen, name)
        assert panel.root.locator("select").nth(2).input_value() == (ALGORITHMS[name].options.get("ties") or "")
        player.page.locator("#watch-at").press("End")
        options = {"max_length": 31} if name == "depth-first" else {}
        solution = recorded(name, **options).solution
        end = "goes on" if recorded(name, **options).truncated else f"after {solution.expanded} expansion"
        assert end in panel.said(), name
        assert player.page.locator("#trouble").is_hidden()


def test_iterations_have_their_bounds(watch):
    player, panel = watch("algorithm=ida*&step=3", board="120/873/546")
    assert "No node is open within the bound 10." in panel.said()
    assert "A new iteration begins with the least f that was cut off: 12." in panel.said()
    player.arrows("R")
    assert panel.root.locator(".trees .node").count() == 3
    assert "Iteration 2, bound 12: 1 expanded. Before: bound 10: 3 expanded." in panel.root.inner_text()


def test_what_is_next_can_be_asked(watch):
    player, panel = watch("algorithm=a*&step=4&quiz=yes")
    tree = recorded("a*")
    board = str(tree.expansions[4].board)
    assert "Which node is next?" in panel.said() and panel.root.locator(".next").count() == 0
    wrong = panel.root.locator(f".entry:not([aria-label$='{board}'])").first
    wrong.click()
    assert panel.said().startswith("No. Next: ") and panel.root.locator(".trees .next").count() == 1
    player.arrows("RL")
    panel.root.locator(f".entry[aria-label$='{board}']").click()
    assert panel.said().startswith("Right. Of 3 nodes with the least f = 10, ")
    player.arrows("RL")
    panel.root.locator(".trees .closed").first.click()
    assert panel.said().startswith("No, that node is not open. Next: ")


def test_the_picture_is_a_file(watch):
    player, panel = watch("algorithm=a*&step=22", viewport={"width": 400, "height": 700})
    with player.page.expect_download() as download:
        panel.root.get_by_role("button", name="Save as SVG").click()
    assert download.value.suggested_filename == "a*-22.svg" or download.value.suggested_filename == "a_-22.svg"
    root = ElementTree.parse(download.value.path()).getroot()
    nodes = [each for each in root.iter(f"{SVG}g") if each.get("class", "").startswith("node ")]
    tree = recorded("a*")
    assert len(nodes) == 1 + sum(len(each.children) for each in tree.expansions)
    assert sum("way" in each.get("class").split() for each in nodes) == 13
    assert "var(" not in ElementTree.tostring(root, "unicode")


def open_text(chromium, path, text):
    path.write_text(text, encoding="utf-8")
    context = chromium.new_context()
    page = context.new_page()
    page.goto(path.as_uri())
    return context, page


def test_a_recorded_search_of_a_function_of_ones_own(chromium, tmp_path):
    tree = recorded("a*", limit=1000, heuristic=lambda board: board.manhattan() // 2, ties="lifo")
    context, page = open_text(chromium, tmp_path / "tree.html", page_text(tree, step=7))
    page.wait_for_function("() => document.getElementById('watch-place').textContent.startsWith('Step 7 of ')")
    panel = page.locator("#watch-searches > section").first
    expansion = tree.expansions[6]
    assert f"7. Expanded: {expansion.g} + {expansion.h} = {expansion.f}." in panel.locator(".said").inner_text()
    coming = tree.expansions[7]
    assert str(coming.board) in panel.locator(".entry").first.get_attribute("aria-label")
    assert tree.title in panel.get_by_label("Algorithm").inner_text()
    page.keyboard.press("End")
    assert f"The answer of the search: {tree.solution}" in panel.locator(".said").inner_text()
    panel.get_by_label("Algorithm").select_option("greedy")
    page.wait_for_function("() => document.querySelector('.said').textContent.includes('Next: h = 8')")
    context.close()


def test_a_notebook_shows_it_in_a_frame(chromium, tmp_path):
    text = page_text(recorded("kantz-a*", limit=30))._repr_html_()
    context, page = open_text(chromium, tmp_path / "notebook.html", f"<!DOCTYPE html><p>notebook</p>{text}")
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    frame = page.frame_locator("iframe")
    frame.locator("#watch-step").click()
    frame.get_by_text("Step 1 of ").wait_for()
    frame.locator("#watch summary").first.click()
    frame.get_by_role("link", name="The order of A*").click()
    frame.get_by_text("Step 0 of 44").wait_for()
    assert not errors and page.locator("p").inner_text() == "notebook"
    context.close()


@pytest.mark.parametrize("size", [(1280, 720), (360, 740)])
@pytest.mark.parametrize("second", ["", "&second=greedy"])
def test_it_fits_the_window(watch, size, second):
    player, panel = watch(f"algorithm=a*&step=9{second}", viewport={"width": size[0], "height": size[1]})
    boxes = [panel.root.locator(name).bounding_box() for name in (".trees .now", ".trees .next", ".entry >> nth=0")]
    boxes.append(player.page.locator("#watch-step").bounding_box())
    for box in boxes:
        for corner, side, most in (("x", "width", size[0]), ("y", "height", size[1])):
            assert 0 <= box[corner] <= most - box[side]
    assert boxes[2]["y"] + boxes[2]["height"] <= boxes[3]["y"]  # nothing lies below the buttons


#: The height of the trees in sight, and below its upper edge: the top of what was expanded, and the lowest node.
HEIGHTS = """root => {
    const top = root.getBoundingClientRect().top, of = node => node.getBoundingClientRect();
    const last = Math.max(...[...root.querySelectorAll('.node')].map(node => of(node).bottom));
    return [root.clientHeight, of(root.querySelector('.now')).top - top, last - top];
}"""


def test_what_was_expanded_and_its_children_are_in_sight(watch):
    """In a tree that is higher than the window, wherever these are its lowest nodes."""
    player, panel = watch("algorithm=greedy")
    trees = panel.root.locator(".trees")
    for height in range(700, 800, 15):  # a level of the tree takes some hundred pixels
        player.page.set_viewport_size({"width": 360, "height": height})
        player.wait_until("([height]) => innerHeight === height", height)
        player.page.keyboard.press("Home")
        depth = 0
        for expansion in recorded("greedy").expansions:
            player.arrows("R")
            seen, first, last = trees.evaluate(HEIGHTS)
            assert first >= 0
            if expansion.g >= depth:
                depth = expansion.g + 1
                assert last <= seen, expansion
        assert trees.evaluate("root => root.scrollTop > 0")


def test_a_wide_tree_moves_sideways(watch):
    player, panel = watch("algorithm=breadth-first", viewport={"width": 360, "height": 740})
    trees, places = panel.root.locator(".trees"), set()
    for _ in range(20):
        player.arrows("R")
        width, scrolled, left, right = trees.evaluate(
            """root => {
                const box = root.querySelector('.now').getBoundingClientRect(), { left } = root.getBoundingClientRect();
                return [root.clientWidth, root.scrollLeft, box.left - left, box.right - left];
            }"""
        )
        assert left >= 0 and right <= width
        places.add(scrolled)
    assert len(places) > 1
