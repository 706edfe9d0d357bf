"""The page's own rules of boards and moves, against those of the package."""

import random

import pytest

from puzzle15 import Board, Solver, published
from puzzle15.heuristics import NAMES
from puzzle15.searches import ALGORITHMS


@pytest.fixture
def page(open_page):
    return open_page("#board=123/456/780").page


BOARDS = """async texts => {
    const { Board } = await import("./board.js");
    return texts.map(text => {
        const board = Board.parse(text);
        const slides = board.tiles.map((_, cell) => board.slide(cell));
        const moves = board.legalMoves();
        const after = moves.map(each => `${board.apply(each)}`);
        return [`${board}`, board.toLink(), board.isGoal(), after, moves, slides]; }) }"""


def test_boards_move_as_those_of_the_package(page):
    shapes = page.evaluate("import('./board.js').then(({ SHAPES }) => SHAPES)")
    assert sorted(shapes) == sorted(f"{r}x{c}" for r in range(2, 9) for c in range(2, 9) if r * c <= 16)
    boards = [Board.goal(tuple(map(int, shape.split("x")))) for shape in shapes]
    boards += [Board.random(seed, goal=board) for seed, board in enumerate(boards)]
    links = ["/".join("".join(f"{tile:x}" for tile in row) for row in rows(board)) for board in boards]
    for given in (links, list(map(str, boards))):
        for board, link, found in zip(boards, links, page.evaluate(BOARDS, given)):
            text, own_link, is_goal, after, moves, slides = found
            assert (text, own_link, is_goal) == (str(board), link, board.is_goal())
            assert sorted(moves) == sorted(board.legal_moves())
            assert after == [str(board.apply(letter)) for letter in moves]
            for cell, slide in enumerate(slides):
                assert board.apply(slide)[cell] == 0 if slide else not in_line(board, cell)


def rows(board):
    cols = board.shape[1]
    return [list(board)[cell : cell + cols] for cell in range(0, len(board), cols)]


def in_line(board, cell):
    (row, col), (gap_row, gap_col) = (divmod(each, board.shape[1]) for each in (cell, board.blank))
    return cell != board.blank and (row == gap_row or col == gap_col)


def test_no_other_text_is_a_board(page):
    texts = ["", "/", "123", "1 2 3", "12/33", "12/34", "1 2/3 x", "12/3", "123/456/789", "12 30"]
    texts.append("1234/5678/9abc/def0/")
    parsed = page.evaluate(
        "texts => import('./board.js').then(({ Board }) => texts.map(text => Board.parse(text) && 'board'))", texts
    )
    assert parsed == [None] * len(texts)


def test_the_largest_distances_are_the_published_ones(page):
    found = page.evaluate(
        "import('./board.js').then(({ SHAPES, largestDistance }) => SHAPES.map(each => [each, largestDistance(each)]))"
    )
    for shape, distance in found:
        rows, cols = sorted(map(int, shape.split("x")))
        assert len(published.depth_counts((rows, cols))) == distance + 1


def test_costly_moves_are_those_of_the_analysis(page):
    solver, draw = Solver(goal=Board.goal((3, 3))), random.Random(15)
    for seed in range(5):
        start = board = Board.random(seed, goal=Board.goal((3, 3)))
        moves = ""
        for _ in range(20):
            moves += draw.choice(board.legal_moves())
            board = start.apply(moves)
        analysis = solver.analyse(start, moves)
        found = page.evaluate(
            "given => import('./distances.js').then(({ costlyMoves }) => costlyMoves(...given))",
            [moves, list(analysis.distances)],
        )
        assert found == [
            {"number": mistake.number, "letter": mistake.move, "lost": mistake.lost} for mistake in analysis.mistakes
        ]


def test_no_question_asks_for_more_time_than_the_server_allows(page):
    ask = "import('./interface.js').then(({ ask }) => ask('hint', { board: '867254301' }, { seconds: 1000 }))"
    assert page.evaluate(ask)["distance"] == 31


def test_the_race_offers_all_searches(open_page):
    player = open_page("#board=123/456/780&view=race")
    player.page.get_by_label("a*", exact=True).wait_for()
    boxes = "boxes => boxes.map(box => box.value)"
    assert player.page.locator("#algorithms input").evaluate_all(boxes) == list(ALGORITHMS)
    assert player.page.locator("#heuristics input").evaluate_all(boxes) == [*NAMES, "tables", "ann"]
    takes = player.page.evaluate("import('./interface.js').then(({ fieldsOf }) => fieldsOf('search'))")
    for name, fields in takes["properties"]["algorithm"]["x-takes"].items():
        assert ("heuristic" in fields, "max_length" in fields) == (ALGORITHMS[name].informed, name == "depth-first")
