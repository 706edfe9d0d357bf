"""Wrong words, options and boards: one line that says what was expected, an exit code, and no file."""

import re
from importlib.util import find_spec

import pytest
from shell import EASY, FAR, error_of, read_records, rows

from puzzle15 import __version__
from puzzle15._cli.parser import COMMANDS, make_parser
from puzzle15.heuristics._names import FORMS
from puzzle15.searches import unregister
from puzzle15.searches._algorithms import ALGORITHMS, EXAMPLES

#: Command lines, in which names stand for boards, and parts of the errors: wrong usage, exit code 2.
USAGE = """
analyse FAR => expected a board and moves: puzzle15 analyse
analyse 8 6 7/2 5 4/3 0 1 DRUL => quote it: puzzle15 analyse "8 6 7/2 5 4/3 0 1" DRUL
apply EASY => expected a board and moves: puzzle15 apply "
build --max-memory much => a size such as 256M
build 5-5 => partition '5-5': the sizes add up to 10 instead of 15; expected a name (7-8,
build --home 16 => cells 0 .. 15
build --home attic => center, corner, edge
build --patterns => such as 1-4/5-8
build --max-memory 1M => takes at least
build 1-8/8-15 => tile 8 named twice
build 1-9/10-15 => at most 8 tiles
check GOAL --goal '1 2 3' => 3 numbers
check-heuristic manhattan --boards 0 => at least 1
check-heuristic => required
check-heuristic manhatan => did you mean 'manhattan'
compare EASY --output no/such/nodes.png => is not a folder
compare EASY --algorithms astar,dikstra => expected one of
compare EASY --output nodes.txt => ends in .png, .svg, .pdf
convert --from-goal korf --to-goal nowhere => nowhere
convert --from-goal korf --to-goal '1 2 3/4 0 5/6 7 8' => blanks lie alike
convert EASY --blank q => expected one of 0 _ . - x b, or the number of cells
draw THREE -o a.bmp => a.bmp: expected a name that ends in .svg, .html, .png
draw THREE --size 5 -o a.svg => argument --size: '5': expected a number from 16 to 4096
draw THREE U -o a.png => a.png: a .png file holds one board; expected .svg, .html or .gif for moves
draw 1 2/3 0 U2 -o x.svg => quote it: puzzle15 draw "1 2/3 0" U2
draw -o a.svg => no board: expected one as an argument or on standard input
draw THREE -o no/a.svg => cannot write no/a.svg: no is not a folder
draw THREE --speed fast -o a.svg => argument --speed: 'fast': expected a number from 0.1 to 50
draw THREE U --solve -o a.svg => expected at most one of MOVES, --solve and --hint
frobnicate => invalid choice
hint '[1,' '2,' '3,' '0]' => quote it: puzzle15 hint "[1, 2, 3, 0]"
hint --shape 2x9 12345670 => argument --shape: shape 2x9: expected 2 .. 8 rows and columns, and at most 16
moves U R2 => a line of moves is one argument; quote it: puzzle15 moves "U R2"
moves U -i moves.txt => name one of them
play --distance 32 FAR => --distance 32: expected 1 .. 31
serve --port 8k => argument --port: '8k': expected a whole number
solve FAR --max-length 1k => argument --max-length: '1k': expected a whole number
tree FAR -o a.svg --expansions 1b => argument --expansions: '1b': expected a whole number
label => expected --output FOLDER, or --check WHAT
label --quiet -o new => add --count
label --quiet -o new --count 0 => count 0: expected a whole number of at least 1
label --quiet -o new --count 9 --shard 0 => shard 0: expected a whole number of at least 1
label --quiet -o new --count 9 --chunks-per-task 0 => --chunks-per-task 0: expected a whole number of
label --check new --chunks-per-task 2 => --chunks-per-task: cannot be used with --check
label --quiet -o new --count 5 --sample 3 => --sample: cannot be used with --output
label --quiet -o new --count 5 --distance far => several distances such as distance:10,20-30
label --quiet -o new --count 5 --distance 81 => distance 81: expected 0 .. 80
label --quiet -o new --count 5 --seed -1 => expected a whole number of at least 0
label --quiet -o new --count 5 --workers 2 --dask tcp://h:1 => --workers: cannot be used with --dask
label --check new --count 5 --resume => --count, --resume: cannot be used with --check
label --check new => new: expected labelled boards
label --quiet -o . --count 5 => not empty
label --check a-file --count 3 => --count: cannot be used with --check
label --check a-file --file-format parquet => --file-format: cannot be used with --check
label --check . --goal korf => --goal: cannot be used with --check
play --seed x => expected a whole number
play --distance 0 => expected a whole number of at least 1
play FAR NEAR => unrecognized arguments: 1 2 3/4 5 6/0 7 8
reproduce --boards 5 => --boards: name a paper, too
reproduce korf => invalid choice: 'korf'
reproduce spagnoletto --boards 0 => at least 1
scramble --walk 5 --distance 5 => not allowed with
scramble --walk x => expected uniform, walk:N
scramble --distance 32 --shape 3x3 => expected 0 .. 31
scramble --count few => such as 5000
scramble --distance far => distances such as distance:10,20-30,50=2.5
serve --port http => 'http': expected a whole number
serve --workers 0 => expected a whole number
serve --time-limit soon => expected seconds
serve board => unrecognized arguments: board
serve --tables a-file => is not a folder
serve --workers 9999 => expected a whole number from 1 to 1024
serve --host 'no such host' => port 8015 of no such host
serve --host LONG => expected an address of this machine
serve --port 65536 => cannot listen at port 65536 of 127.0.0.1
serve --host 192.0.2.1 => expected an address of this machine
slove => 'slove'; did you mean solve? (try: puzzle15 --help)
solve EASY --algorithm local-value-iteration --initial-size 0 => at least 1
solve --all --algorithm astar FAR => --all: leave out --algorithm
solve --algorithm astar --max-length 9 EASY => --max-length: a* does not use it
solve EASY --heuristic zero => --heuristic: add --algorithm
solve EASY --counts --json => --counts: add --algorithm
solve EASY --counts --algorithm mm => --counts: add --json or --csv
compare EASY --counts => --counts: add --json or --csv
solve EASY --algorithm local-value-iteration --max-nodes 9 => --max-nodes: local-value-iteration
solve EASY --algorithm astar --plain --workers 2 => --plain: leave out --algorithm
solve --time-limit nan EASY => expected seconds
solve --partition 8-8 --shape 4x4 => the sizes add up to 16
solve --max-nodes few EASY => such as 5000
solve EASY --algorithm astar --width 3 => width: a* does not use it; beam, beam-stack do
solve EASY --algorithm local-value-iteration --move-order ULRR => --move-order 'ULRR': expected each of the letters
solve EASY --algorithm local-value-iteration --initial-size 16 => expected a whole number from 1 to 8
solve --goal nowhere EASY => nowhere
solve --workers 0 EASY => at least 1
solve EASY --algorithm dijkstra => so it is breadth-first
solve --goal '1 2 3/4 5 6/7 8 8' EASY => tile 8 occurs twice
solve EASY --algorithm astar --move-order ULRR => each of the letters
solve --all -i x --dask tcp://x:1 => --dask: cannot be used with --all
solve EASY --dask tcp://x:1 => from a file
solve --set korf100 --workers 2 --dask tcp://x:1 => --workers: cannot be used with --dask
solve --set korf100 --max-nodes 2 --time-limit 3 --dask tcp://x:1 => --time-limit: cannot be used with
solve --set korf100 --algorithm astar --dask tcp://x:1 => --dask: leave out --algorithm
solve --metrc mtm => unrecognized arguments: --metrc; did you mean --metric? (try: puzzle15 solve --help)
solve --max-solutions 3 FAR => --max-solutions: add --all
solve --convention tiles => argument --convention: invalid choice: 'tiles'; did you mean tile?
solve --algorithm depth-first 123456789abcdef0 => error: --max-length: depth-first needs one
solve FAR --algorithm anytime-astar --weight-step 1 => --weight-step: anytime-a* does not use it; ara* does
solve FAR --algorithm arastar --weight-step 0 => --weight-step '0': expected a positive number
solve FAR --algorithm arastar --weight-step x => --weight-step 'x': expected a positive number
solve FAR --algorithm beam-stack --width 0 => 0
solve EASY --algorithm weighted-astar --weight 0.5 => at least 1
solve --shape 9x9 EASY => at most 16 cells
solve EASY --algorithm astar --partition 7-8 => tables:7-8
solve 1 2 3 4 5 6 7 8 b => a board is one argument; quote it: puzzle15 solve "1 2 3 4 5 6 7 8 b"
solve EASY --ties fifo --max-memory 1G => --ties, --max-memory: add --algorithm
solve --algorithm astar --workers 2 EASY => --workers: expected boards from a file
solve EASY --algorithm weighted-astar --weight heavy => such as 1.25
solve --partition 7-8 --shape 3x3 => of the 4x4 board
solve HARD --algorithm local-value-iteration --initial-size 9 => 29,059,430,400 states
solve --pattern 1-3 --workers 2 EASY => --workers: cannot be used with --pattern
solve --pattern 1-9 EASY => '1-9' names no tiles of 1 .. 8
solve --all --max-length 9 EASY => --max-length: cannot be used with --all
solve --set korf100 EASY => name one of them
solve -i no/such/file => cannot read no/such/file
solve EASY --algorithm local-value-iteration --ties fifo => --ties: local-value-iteration does not use it
solve EASY --algorithm breadth-first --heuristic zero => breadth-first does not use it
solve --shape square EASY => such as 4x4
subproblem 3,16 => '16' names no tiles of 1 .. 15
subproblem 3 --fixed 9 --shape 3x3 => '9' names no tiles of 1 .. 8
subproblem 3,4 --fixed 1-3 => tiles {3,4}, fixed {1,2,3}: expected at least one tile, and none twice
subproblem three => expected tiles such as
subproblem 1-15 => 20,922,789,888,000 states
subproblem --fixed 1 --convention blank => --fixed, --convention: add TILES
subproblem '' => expected tiles such as
subproblem 3 --initial-size 2 => --initial-size: leave it out, or TILES
subproblem --initial-size 9 --shape 3x3 => --initial-size 9: expected a whole number from 1 to 8
subproblem --move-order UUUU => --move-order 'UUUU': expected each of the letters
subproblem 3 --move-order UUUU => --move-order 'UUUU': expected each of the letters
subproblem --goal '1 2 3/4 0 5/6 7 8' => blank in a corner
tree MIDDLE -o t.svg --heuristic guess => heuristic 'guess': expected one of zero
tree MIDDLE -o tree.png => tree.png: expected a name that ends in .svg, .html
tree MIDDLE -o t.svg --expansions 2001 => --expansions 2001: expected at most 2000
tree MIDDLE -o t.svg --algorithm bfs --heuristic zero => none of breadth-first uses one
tree MIDDLE -o t.svg --expansions 0 => argument --expansions: '0': expected a whole number of at least 1
"""

#: Boards that fail: exit code 1.
FAILURES = """
draw xx -o a.svg => 'xx':
draw THREE UU -o a.svg => moves 'UU': move 2 (U) is illegal
draw UNSOLVABLE --solve -o a.svg => 1 2 3/4 5 6/8 7 0 cannot reach the goal
draw HARD --solve --max-nodes 1000 --quiet -o a.svg => limit: at least
draw HARD --hint --max-nodes 1000 --quiet -o a.svg => limit: at least
tree UNSOLVABLE -o t.svg => cannot reach the goal
tree '1 2 3/4 5 6/8 8 0' -o t.svg => tile 8 occurs twice
tree FAR -o t.svg --time-limit 0 => nothing was expanded: a limit stopped the search at once
tree FAR -o t.svg --max-memory 0 => nothing was expanded: a limit stopped the search at once
play xx => 2 numbers
play UNSOLVABLE => cannot reach the goal
"""


CASES = [(*row, code) for code, text in enumerate((FAILURES, USAGE), 1) for row in rows(text)]


@pytest.mark.parametrize("command", sorted({words[0] for words, _, _ in CASES}))
def test_what_cannot_be(run, tmp_path, command):
    (tmp_path / "a-file").touch()
    for words, message, code in CASES:
        if words[0] == command and ("a.png" not in words or find_spec("matplotlib")):
            assert message in error_of(run(*words), code), words
    assert [path.name for path in tmp_path.iterdir()] == ["a-file"]


def test_what_is_no_mistake(run):
    code, out, err = run()
    assert (code, out) == (2, "") and "COMMAND" in err
    assert run("--version") == (0, f"puzzle15 {__version__}\n", "")
    assert run("solve", "1,2,3,0", "1,2/0,3", "--quiet") == (0, "0\t\n1\tL\n", "")


def test_errors_have_tracebacks_for_developers(run, monkeypatch, tmp_path):
    monkeypatch.setenv("PUZZLE15_DEBUG", "1")
    with pytest.raises(FileNotFoundError):
        run("solve", FAR, "--partition", "1-4/5-8", "--tables", tmp_path)


@pytest.mark.parametrize("error", [ValueError, RuntimeError, TypeError])
@pytest.mark.parametrize("has_note", [False, True])
def test_a_fault_of_puzzle15_shows_where_it_is(run, monkeypatch, error, has_note):
    """It is neither a wrong option nor, with a note of somebody else's, an error of a user's function."""

    def fail(*_, **__):
        fault = error("time_limit_s: operands could not be broadcast together")
        if has_note:
            fault.__notes__ = ["of a library"]
        raise fault

    monkeypatch.setattr("puzzle15._cli.options.Solver", fail)
    with pytest.raises(error, match="^time_limit_s"):
        run("solve", EASY)
    monkeypatch.setattr("puzzle15._cli.notation.format_moves", fail)
    with pytest.raises(error, match="^time_limit_s"):
        run("moves", "UR")


def test_the_name_of_a_file_is_not_an_option(run, tmp_path):
    (tmp_path / "my_boards.csv").write_text("1,2,3\n")
    assert error_of(run("label", "--check", "my_boards.csv"), 2).startswith("puzzle15: error: my_boards.csv: line 1: ")


def test_a_library_that_cannot_be_loaded(run, monkeypatch):
    """As numpy says it where there is too little memory: a page of advice, and the cause behind it."""

    def fail(*_, **__):
        try:
            raise ImportError("libblas.so: failed to map segment from shared object")
        except ImportError as error:
            raise ImportError("IMPORTANT:\n\nPLEASE READ THIS\n") from error

    monkeypatch.setattr("puzzle15._cli.options.Solver", fail)
    assert "error: a library cannot be loaded: libblas.so: failed to map segment" in error_of(run("solve", EASY), 3)


def test_help(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    names = [name for name, *_ in COMMANDS]
    assert all(name in run("--help")[1] for name in names)
    for name in names:
        code, out, err = run(name, "--help")
        assert (code, err) == (0, "") and "usage: puzzle15" in out and "examples:" in out
        own = set(re.findall(r"^  (?:-\w.*, )?(--[a-z-]+)", out, re.MULTILINE))
        words = " ".join(out.partition("examples:")[0].split())
        others = {option for before, option in re.findall(r"(?:([\w-]+) )?(--[a-z-]+)", words) if before not in names}
        assert others - own == set(), name


@pytest.mark.parametrize("columns, widest", [(80, 80), (200, 88)])
def test_help_has_one_width_and_one_way_to_say_a_default(run, monkeypatch, columns, widest):
    monkeypatch.setenv("COLUMNS", str(columns))
    for name in ["", *(name for name, *_ in COMMANDS)]:
        out = run(*name.split(), "--help")[1]
        assert max(map(len, out.splitlines())) <= widest, name
        said = re.findall(r"\([^()]*\bdefault\b[^()]*|\bby default\b", " ".join(out.split()))
        assert all(each.startswith("(default: ") for each in said), name


def test_an_option_has_one_word_for_its_value():
    (commands,) = (action for action in make_parser()._actions if action.choices)
    words = {}
    for name, *_ in COMMANDS:
        commands.choices[name].fill()
        for action in commands.choices[name]._actions:
            for option in action.option_strings[-1:]:
                words.setdefault(option, set()).add(action.metavar or str(action.choices))
    several = {option: values for option, values in words.items() if len(values) > 1}
    assert several == {"--output": {"FILE", "FOLDER"}, "--along": {"None", "MOVES"}}
    assert words["--distance"] == {"D"} and words["--seed"] == {"SEED"} and words["--tables"] == {"FOLDER"}


def test_help_has_groups_where_there_are_many_options(run):
    def groups(name):
        out = run(name, "--help")[1].replace("optional arguments:", "options:")  # as Python 3.9 says
        return re.findall(r"^([a-z].*):$", out, re.MULTILINE)

    usual = ["positional arguments", "options", "input", "goal, shape and moves", "tables", "limits and threads"]
    assert groups("solve") == [*usual, "output", "textbook searches", "examples"]
    assert groups("hint") == [*usual, "output", "examples"]
    assert groups("verify") == ["options", "examples"]
    out = run("solve", "--help")[1]
    assert out.index("limits and threads:") < out.index("--max-nodes") < out.index("output:") < out.index("--csv")


def test_lists_of_names(run, tmp_path, monkeypatch):
    """The registry's algorithms, and a function of one's own; the heuristics; in a terminal of any width."""
    code, out, err = run("algorithms")
    assert (code, err) == (0, "")
    assert re.findall(r"^(\S+): ", out, re.MULTILINE) == [*ALGORITHMS, *EXAMPLES]
    assert "a*: expand the node with the least g + h first\n    shortest: if h is admissible; remembers every" in out
    assert "No such file" in error_of(run("algorithms", "arastar", "own.py:nothing"), 2)
    lines = run("algorithms", "arastar")[1].splitlines()
    assert lines[0].startswith("ara*: search like weighted-a*") and lines[-1].endswith("--weight 2, --weight-step 0.2")
    assert re.findall(r"^(\S+?): ", run("heuristics")[1], re.MULTILINE)[:3] == ["zero", "misplaced", "manhattan"]
    assert [record["name"] for record in read_records(run("heuristics", "--json")[1])] == list(FORMS)
    (tmp_path / "own.py").write_text("def mine(start, goal, heuristic, progress): ...")
    (record,) = read_records(run("algorithms", "own.py:mine", "--json")[1])
    assert (record["name"], record["summary"], record["shortest"]) == ("own.py:mine", "", "no")
    unregister("own.py:mine")
    for columns in (1, 30, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        for words in ("algorithms", "algorithms astar", "heuristics"):
            assert max(map(len, run(*words.split())[1].splitlines())) <= max(columns - 1, 20)
