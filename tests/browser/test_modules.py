"""The page's own rules of boards and moves, against those of the package."""

import pytest

from puzzle15 import Board
from puzzle15.heuristics import NAMES
from puzzle15.searches import ALGORITHMS
from puzzle15.serve.interface.endpoints import SHAPES


@pytest.fixture
def page(open_page):
    return open_page("#board=123/456/780").page


BOARDS = """async texts => {
    const { Board } = await import("./core/board.js");
    return texts.map(text => {
        const board = Board.parse(text);
        const slides = board.tiles.map((_, cell) => board.slide(cell));
        const moves = board.legalMoves();
        const after = moves.map(each => `${board.apply(each)}`);
        return [`${board}`, board.toLink(), board.equals(Board.goal(board.shape)), after, moves, slides]; }) }"""


def test_boards_move_as_those_of_the_package(page):
    boards = [Board.goal((rows, cols)) for rows in range(2, 9) for cols in range(2, 9) if rows * cols <= 16]
    boards += [Board.random(seed, goal=board) for seed, board in enumerate(boards)]
    for board, found in zip(boards, page.evaluate(BOARDS, list(map(str, boards)))):
        text, link, is_goal, after, moves, slides = found
        assert (text, is_goal) == (str(board), board.is_goal())
        assert link == "/".join("".join(f"{int(tile):x}" for tile in row.split()) for row in text.split("/"))
        assert sorted(moves) == sorted(board.legal_moves())
        assert after == [str(board.apply(letter)) for letter in moves]
        for cell, slide in enumerate(slides):
            assert board.apply(slide)[cell] == 0 if slide else not in_line(board, cell)


def in_line(board, cell):
    (row, col), (gap_row, gap_col) = (divmod(each, board.shape[1]) for each in (cell, board.blank))
    return cell != board.blank and (row == gap_row or col == gap_col)


def test_no_question_asks_for_more_time_than_the_server_allows(page):
    ask = "import('./interface.js').then(({ ask }) => ask('hint', { board: '867254301' }, { seconds: 1000 }))"
    assert page.evaluate(ask)["distance"] == 31


def test_the_page_offers_all_searches_and_shapes(open_page):
    player = open_page("#board=123/456/780&view=race")
    player.page.get_by_label("a*", exact=True).wait_for()
    boxes = "boxes => boxes.map(box => box.value)"
    assert player.page.locator("#algorithms input").evaluate_all(boxes) == list(ALGORITHMS)
    assert player.page.locator("#heuristics input").evaluate_all(boxes) == [*NAMES, "tables", "ann"]
    shapes = player.page.locator("#shape option").evaluate_all("options => options.map(option => option.value)")
    assert sorted(shapes) == sorted(SHAPES)
