"""Pages of search trees in a real Chromium: each step shows what was there by then; buttons, slider and keys."""

import pytest

from puzzle15 import search
from puzzle15.searches import SearchTree

pytestmark = pytest.mark.extra


def recorded(algorithm="a*", limit=30, board="2 3 5/4 0 6/1 7 8"):
    tree = SearchTree(max_expansions=limit)
    tree.solution = search(board, algorithm=algorithm, on_expand=tree.add)
    return tree


def place(page):
    return int(page.locator(".p15-place").inner_text().split(" of ")[0])


def numbers(page, selector):
    """The numbers of the expansions of the boards that are shown and fit a selector."""
    return page.locator(f".n[data-made]{selector}").evaluate_all(
        "all => all.filter(node => getComputedStyle(node).visibility === 'visible').map(node => +node.dataset.number)"
    )


@pytest.mark.parametrize("algorithm", ["a*", "ida*", "bidirectional"])
def test_each_step_shows_what_was_made_by_then(show, algorithm):
    tree = recorded(algorithm)
    page = show(tree.html())
    shown = 0
    for expansion in tree.expansions:
        assert place(page) == expansion.number
        assert numbers(page, ".now") == [expansion.number]
        shown += (expansion.parent is None) + len(expansion.children)
        assert len(numbers(page, "")) == shown
        assert len(numbers(page, ".fresh")) == len(expansion.children)
        badges = page.locator("[data-made] .k text").evaluate_all(
            "all => all.filter(text => getComputedStyle(text).visibility === 'visible').map(text => +text.textContent)"
        )
        assert sorted(badges) == list(range(1, expansion.number + 1))
        assert str(expansion.board) in page.locator(".p15-status p").inner_text()
        items = page.locator(".p15-status li").all_inner_texts()
        assert [item[0] for item in items[: len(expansion.children)]] == [child.move for child in expansion.children]
        page.keyboard.press("ArrowRight")
    assert place(page) == len(tree.expansions)


def test_buttons_slider_and_keys(show):
    page = show(recorded().html())
    for click, expected in [("last", 22), ("back", 21), ("first", 1), ("back", 1), ("next", 2)]:
        page.click(f".p15-{click}")
        assert place(page) == expected
    page.locator(".p15-slider").fill("9")
    assert place(page) == 9
    page.focus(".p15-slider")
    page.keyboard.press("ArrowRight")  # once
    assert place(page) == 10
    page.focus(".p15-back")
    page.keyboard.press(" ")  # the button, not play
    assert place(page) == 9 and page.locator(".p15-play").inner_text() == "Play"
    page.focus(".tree")
    for key, expected in [("Home", 1), ("ArrowLeft", 1), ("End", 22)]:
        page.keyboard.press(key)
        assert place(page) == expected


def test_it_plays_silently_and_stops_at_the_end(show):
    page = show(recorded().html())
    page.locator(".p15-slider").fill("20")
    page.focus(".tree")
    page.keyboard.press(" ")
    assert page.locator(".p15-play").inner_text() == "Pause"
    assert page.locator(".p15-status").get_attribute("aria-live") == "off"
    page.wait_for_function("document.querySelector('.p15-play').textContent === 'Play'", timeout=10_000)
    assert place(page) == 22 and page.locator(".p15-status").get_attribute("aria-live") == "polite"
    page.keyboard.press(" ")  # from the start again
    assert place(page) == 1
    page.keyboard.press(" ")
    assert page.locator(".p15-play").inner_text() == "Play"


def test_the_board_of_a_step_is_scrolled_to(show):
    page = show(recorded(limit=60, board="8 6 7/2 5 4/3 0 1").html(), reduced_motion="reduce")
    for step in (60, 1, 35):
        page.locator(".p15-slider").fill(str(step))
        inside = page.evaluate(
            """() => {
                const place = name => document.querySelector(name).getBoundingClientRect();
                const [node, view] = [place(".now"), place(".tree")];
                return node.left >= view.left && node.right <= view.right
                    && node.top >= view.top && node.bottom <= view.bottom;
            }"""
        )
        assert inside, step


@pytest.mark.parametrize("algorithm", ["a*", "weighted-a*", "ida*"])
def test_no_text_lies_on_another_or_beyond_the_picture(show, algorithm):
    page = show(recorded(algorithm, 40, "5 1 2 3/9 6 7 0/13 10 8 4/15 12 11 14").svg())
    boxes = page.locator("svg text:not(.p15 text)").evaluate_all(
        "all => all.map(text => text.getBoundingClientRect()).map(box => [box.left, box.top, box.right, box.bottom])"
    )
    svg = page.locator("svg").bounding_box()
    assert len(boxes) > 100
    for index, (left, top, right, bottom) in enumerate(boxes):
        assert left >= svg["x"] and right <= svg["x"] + svg["width"] and bottom <= svg["y"] + svg["height"]
        for other in boxes[:index]:
            over = min(right, other[2]) - max(left, other[0]), min(bottom, other[3]) - max(top, other[1])
            assert min(over) <= 3, (boxes[index], other)  # the boxes of lines one above the other touch


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_in_the_way_of_those_who_see_or_move_otherwise(show, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for algorithm in ("ida*", "bidirectional"):
        page = show(recorded(algorithm).html(), color_scheme=scheme)
        page.keyboard.press("End")
        assert axe.run(page).response["violations"] == []
