"""The commands that answer lines (apply, moves, convert, check) and scramble."""

import pytest
from shell import EASY, GOAL, UNSOLVABLE, check_lines, read_records, rows, write_lines

from puzzle15 import Board, Solver, solve
from puzzle15._cli import runner
from puzzle15.board import parse_moves
from puzzle15.board._notation import BOARD_STYLES

WHY = (
    f"each move exchanges the blank with a tile; an odd number of exchanges makes it the goal {GOAL}, "
    "but the blank gets to its place in an even number of moves"
)


def records(result):
    return read_records(result[1])


#: Command lines, and what they print.
ANSWERS = r"""
apply EASY L => GOAL\n
apply 1234567_8 l1 => GOAL\n
apply EASY R --convention blank => GOAL\n
apply EASY '' => EASY\n
apply GOAL D2 --along => GOAL\n1 2 3/4 5 0/7 8 6\n1 2 0/4 5 3/7 8 6\n
apply '1 2 3 4 5 0' D --shape 2x3 => 1 2 0/4 5 3\n
moves URDL2 ll => URDL2\nL2\n
moves --invert URDL2 '' => R2ULD\n\n
moves --invert URDL2 --no-digits => RRULD\n
moves --simplify LR 'U L R D' UDR3L => \n\nR2\n
moves --simplify --invert UDR3L => L2\n
moves --length '' URDL9 => 0\n12\n
moves --length --simplify UDR3L => 2\n
convert EASY --to hex --blank b => 1234567b8\n
convert EASY --to commas --blank 9 => 1,2,3,4,5,6,7,9,8\n
convert URDL2U 'urd l' => URDL2U\nURDL\n
convert URDL2U --no-digits => URDLLU\n
convert URDL2U --to-convention blank => DLUR2D\n
convert DLUR2D --from-convention blank --to-convention tile => URDL2U\n
convert DLUR2D --from-convention blank => DLUR2D\n
check 12345678_ GOAL => solvable\nsolvable\n
check '0 1 2/3 4 5/6 7 8' --goal korf => solvable\n
"""


def test_answers(run):
    for words, answer in rows(ANSWERS):
        assert run(*words) == (0, answer, "")


def test_apply_to_lines(run, tmp_path):
    boards = [Board.random(seed, shape) for seed, shape in enumerate([(3, 3), (4, 4), (2, 5)] * 20)]
    moves = [board.legal_moves()[0] for board in boards]
    file = write_lines(tmp_path, *(f"{board}\t{letter} # a comment" for board, letter in zip(boards, moves)))
    expected = [str(board.apply(letter)) for board, letter in zip(boards, moves)]
    for words, stdin in ((["-i", file], ""), ([], file.read_text()), (["-i", "-"], file.read_text())):
        code, out, err = run("apply", *words, stdin=stdin)
        assert (code, out.splitlines(), err) == (0, expected, "")


def test_bad_lines_of_apply_stay_in_their_place(run):
    given = [f"{EASY}\tL", "# nothing", "", "nonsense\tL", EASY, f"{GOAL}\t\r", f"{GOAL}\tU", f"{GOAL}\tQ", "1 2 3\tR"]
    text = "\n".join([*given, "error: of before", ""])
    code, out, err = run("apply", stdin=text)
    illegal = f"error: moves 'U': move 1 (U) is illegal on {GOAL}, where D R are legal"
    answers = [
        GOAL,
        "error: 'nonsense': cannot read 'n'..",
        f"error: '{EASY}': expected a board, a tab and moves",
        GOAL,
    ]
    answers += [illegal, "error: moves 'Q': cannot read 'Q' at the beginning..", "error: '1 2 3': 3 numbers.."]
    check_lines(out, *answers, "error: of before")
    assert (code, err) == (1, "puzzle15: bad lines: 6 of 8; the first is line 4\n")
    assert run("apply", "--quiet", stdin=text) == (1, out, "")


#: Command lines and their records, without what is null.
RECORDS = {
    "apply EASY r --along --convention blank": {
        "given": f"{EASY}\tr",
        **{"board": EASY, "moves": "R", "convention": "blank", "after": GOAL, "along": [EASY, GOAL]},
    },
    "moves UDR3L --simplify": {"given": "UDR3L", "moves": "UDRRRL", "result": "RR", "length": 2, "metric": "stm"},
    "moves UR3 --metric mtm": {"given": "UR3", "moves": "URRR", "result": "URRR", "length": 2, "metric": "mtm"},
    "convert U2 --from-convention blank": {"given": "U2", "moves": "UU", "convention": "blank"},
    "check EASY": {"given": EASY, "board": EASY, "solvable": True, "goal": GOAL},
    "check UNSOLVABLE": {
        **{"given": UNSOLVABLE, "board": UNSOLVABLE, "solvable": False, "goal": GOAL},
        **{"reason": WHY, "exchange": [7, 8], "mended": GOAL},
    },
}


@pytest.mark.parametrize("command", RECORDS)
def test_records(run, command):
    ((words, _),) = rows(command)
    (record,) = records(run(*words, "--json"))
    assert {name: value for name, value in record.items() if value is not None} == RECORDS[command]
    (bad,) = records(run(words[0], *["--along"] * ("--along" in words), "--json", stdin="Q\tQ\n"))
    assert list(bad) == list(record) and bad == dict.fromkeys(bad) | {"given": "Q\tQ", "error": bad["error"]}


def test_blank_lines_are_solutions_of_no_moves(run):
    text = "LR\n\n# a comment\nUDU # another\n  \nU2X\nerror: of before\nD"
    code, out, err = run("moves", "--simplify", stdin=text)
    bad = "moves 'U2X': cannot read 'X' after 'U2'; write letters U D L R, each with at most one digit 1 .. 9 behind it"
    assert code == 1 and out.splitlines() == ["", "", "U", "", f"error: {bad} to repeat it", "error: of before", "D"]
    assert err == "puzzle15: bad lines: 2 of 7; the first is line 6\n"
    assert run("moves", stdin="") == (0, "", "")


@pytest.mark.parametrize("style", BOARD_STYLES)
def test_every_style_there_and_back(run, style):
    boards = [Board.random(seed) for seed in range(5)]
    words = ["--grids"] if style == "grid" else []
    code, out, err = run("convert", "--to", style, *map(str, boards))
    end = "\n\n" if style == "grid" else "\n"
    assert (code, out, err) == (0, "".join(format(board, style) + end for board in boards), "")
    assert run("convert", *words, stdin=out) == (0, "".join(f"{board}\n" for board in boards), "")
    assert [record["board"] for record in records(run("convert", "--to", style, "--json", *map(str, boards)))] == [
        format(board, style) for board in boards
    ]


def test_a_blank_that_a_shape_does_not_have(run):
    code, out, _ = run("convert", EASY, Board.goal(), "--blank", "9")
    assert code == 1 and out.startswith("1 2 3/4 5 6/7 9 8\nerror: blank '9': expected one of 0 _ . - x b 16 in style ")


def test_lines_of_each_kind(run):
    """Boards with a tile 13 begin with d, too."""
    board = Board([13, 10, *[tile for tile in range(16) if tile not in (13, 10)]], (4, 4))
    code, out, err = run("convert", stdin=f"{board:hex}\n\nD2l\n{EASY}\tLLR\ndlx\n{EASY}\tQ\n \t\n")
    bad = "error: moves 'dlx': cannot read 'X' after 'DL'..", "error: moves 'Q': cannot read 'Q' at the beginning.."
    check_lines(out, str(board), "", "D2L", f"{EASY}\tL2R", *bad, "")
    assert (code, err) == (1, "puzzle15: bad lines: 2 of 7; the first is line 5\n")


@pytest.mark.parametrize("shape", [(3, 3), (3, 4), (2, 3)])
def test_solutions_for_korfs_goal_become_ours(run, shape):
    """The converted board's shortest solution is as long, and the converted solution solves it."""
    korf, ours = Solver(goal=Board.goal(shape, 0)), Solver(shape=shape)
    for seed in range(5):
        board = Board.random(seed, goal=Board.goal(shape, 0))
        solution = korf.solve(board)
        code, out, _ = run("convert", f"{board}\t{solution.moves}", "--from-goal", "korf")
        converted, moves = out.rstrip("\n").split("\t")
        assert code == 0 and ours.distance(converted) == solution.length == len(parse_moves(moves))
        assert Board(converted).apply(moves) == Board.goal(shape)
        back = run("convert", out.rstrip("\n"), "--to-goal", "blank-first", "--no-digits")[1]
        assert back == f"{board}\t{solution.moves}\n"
        blank = run("convert", solution.moves, "--from-goal", "korf", "--to-convention", "blank")[1]
        assert Board(converted).apply(blank, convention="blank") == Board.goal(shape)


def test_goals_that_are_given_as_boards(run):
    goals = "1 0 2/3 4 5/6 7 8", "1 2 3/4 5 0/6 7 8"
    words = ["--from-goal", goals[0], "--to-goal", goals[1]]
    code, out, _ = run("convert", *words, f"{goals[0]}\tU")
    board, letter = out.rstrip("\n").split("\t")
    assert code == 0 and board == goals[1]
    assert run("convert", *words, str(Board(goals[0]).apply("U")))[1] == f"{Board(goals[1]).apply(letter)}\n"
    code, out, _ = run("convert", *words, str(Board.goal()))
    assert code == 1 and "expected a 3x3 one, the shape of the goal" in out


def test_grids(run):
    text = "# boards\n1 2 3\n4 5 6\n7 0 8\n\n\n 1  2\n 3  _\tR\n \n1 2\n3\n\n1230"
    code, out, err = run("convert", "--grids", stdin=text)
    answers = out.splitlines()
    assert code == 1 and answers[:2] == [EASY, "1 2/3 0\tR"] and answers[3:] == ["1 2/3 0"]
    assert answers[2].startswith("error: '1 2 3': its rows have 2 and 1 numbers")
    assert err == "puzzle15: bad lines: 1 of 4; the first is line 10\n"
    assert run("convert", "--to", "grid", f"{EASY}\tL", "U2")[1] == "1 2 3\n4 5 6\n7 0 8\tL\n\nU2\n"


def test_check(run):
    code, out, err = run("check", EASY, UNSOLVABLE, "1 2 3")
    assert (code, err) == (1, "") and out.splitlines() == [
        "solvable",
        f"unsolvable\texchange 7 and 8\t{GOAL}\t{WHY}",
        "error: '1 2 3': 3 numbers, but a flat list has 4, 9 or 16, and no board more than 16",
    ]
    text = f"{UNSOLVABLE}\n\n{Board.goal()}\nx\n[{UNSOLVABLE.replace('/', ' ')}]\n{Board.random(1, (2, 3))}\n"
    code, out, err = run("check", stdin=text)
    kinds = [line.split("\t")[0].split(":")[0] for line in out.splitlines()]
    assert code == 1 and kinds == ["unsolvable", "solvable", "error", "unsolvable", "solvable"]
    assert err == "puzzle15: bad lines: 1 of 5; the first is line 4\npuzzle15: unsolvable boards: 2\n"


def test_check_for_other_goals(run):
    assert run("check", GOAL, "--goal", UNSOLVABLE)[1].startswith(f"unsolvable\texchange 7 and 8\t{UNSOLVABLE}\t")
    code, out, _ = run("check", GOAL, "--shape", "4x4")
    assert code == 1 and "a 3x3 board; expected a 4x4 one, the shape of the goal" in out


def test_scramble(run):
    assert run("scramble", "--seed", "1") == (0, f"{Board.random(1)}\n", "")
    code, out, err = run("scramble", "--count", "100", "--shape", "3x3", "--goal", "korf")
    boards = [Board(line) for line in out.splitlines()]
    assert code == 0 and len(set(boards)) > 95 and all(board.is_solvable(Board.goal((3, 3), 0)) for board in boards)
    seed = err.split()[2]
    assert err == f"puzzle15: --seed {seed} draws the same boards again\n"
    words = ["--shape", "3x3", "--goal", "korf", "--seed", seed]
    assert run("scramble", "--count", "100", *words) == (0, out, "")
    assert run("scramble", "--count", "40", *words)[1].splitlines() == out.splitlines()[:40]


def test_scrambles_as_moves(run):
    """The moves make the board from the goal, and are as few as can be."""
    words = ["scramble", "--seed", "5", "--shape", "3x3", "--count", "20", "--quiet"]
    boards, moves = run(*words)[1].splitlines(), run(*words, "--as-moves")[1].splitlines()
    records = read_records(run(*words, "--as-moves", "--json")[1])
    assert len(boards) == len(moves) == len(records) == 20
    for board, letters, record in zip(boards, moves, records):
        assert str(Board.goal((3, 3)).apply(letters)) == board == record["board"]
        assert parse_moves(letters) == record["moves"] and record["convention"] == "tile"
        assert len(record["moves"]) == solve(board).length


def test_scrambles_that_are_rare(run):
    """It says how rare, ends in time, and draws from the farthest boards that are known."""
    code, out, err = run("scramble", "--distance", "80", "--count", "3")
    assert code == 0 and Board(out.splitlines()[0]).legal_moves() and out.count("\n") == 3
    assert "; 17 of 10,461,394,944,000 boards are 80 moves from the goal; 14 are known\n" in err
    code, out, err = run("scramble", "--distance", "75", "--time-limit", "0.01")
    rare = "1,508,596 of 10,461,394,944,000 boards are 75 moves from the goal"
    assert (code, out) == (1, "") and f"error: --time-limit: 0 of 1 boards were drawn in time; {rare}" in err
    words = ["--count", "2", "--distance", "75", "--time-limit", "0.01", "-o", "new"]
    code, _, err = run("label", *words, "--quiet")
    assert (
        code == 1 and f"error: --time-limit: the boards were not labelled in time; {rare}; go on with --resume" in err
    )


def test_scrambles_at_distances_and_by_walks(run):
    words = ["scramble", "--count", "200", "--shape", "3x3", "--seed", "1", "--json"]
    for option, distances in ((["--distance", "18-20"], {18, 19, 20}), (["--walk", "4"], {4})):
        code, out, err = run(*words, *option)
        drawn = records((code, out, err))
        found = set(Solver(shape=(3, 3)).distance_many([record["board"] for record in drawn]).tolist())
        assert (code, err, drawn[0]["distance"]) == (0, "", None) and found == distances
    code, out, err = run("scramble", "--count", "3", "--seed", "2", "--distance", "52", "--json")
    assert code == 0 and "puzzle15 build" in err
    for record in records((code, out, err)):
        assert record["distance"] == 52 == Solver().distance(record["board"])
        assert (record["distribution"], record["metric"], record["seed"]) == ("distance:52", "stm", 2)


def test_lines_that_are_too_long_or_many(run, tmp_path, monkeypatch):
    file = tmp_path / "boards.txt"
    file.write_bytes(f"{Board.goal()}\n".encode() * 2_500 + b"b\xffd\n" + f"{Board.goal()}\n".encode() * 2_499)
    for words, answer in ((["convert", "--to", "hex"], "123456789abcdef0"), (["check"], "solvable")):
        code, out, err = run(*words, "-i", file)
        answers = out.splitlines()
        assert code == 1 and answers.pop(2_500).startswith("error: ") and answers == [answer] * 4_999
        assert err == "puzzle15: bad lines: 1 of 5,000; the first is line 2,501\n"
    monkeypatch.setattr(runner, "LONGEST", 100)
    code, out, _ = run("moves", "--simplify", stdin="LR\n" + "U" * 200 + "\nUD\n")
    assert code == 1 and out.splitlines()[::2] == ["", ""]
    assert out.splitlines()[1].startswith("error: 'UUUU") and "a line of more than 100 characters" in out
