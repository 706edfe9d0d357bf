"""How long do another program and this one take for the same boards, on one machine, in one run?

    python bench/beside.py BOARDS "./other {file}"
    python bench/beside.py korf100 "./other {board}" --convert "--to flat" --lengths "in (\\d+) moves"

BOARDS is a file with a board per line, or korf100. The shell runs the other program's command: `{file}` stands for
a file with a board per line, in the form that `puzzle15 convert` gives it with the options of --convert; `{board}` for
one board, and then the program is run once for each. The programs take turns, after a round that does not count, and
their lengths must agree. Times are of whole processes.
"""

import argparse
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OURS = [sys.executable, "-m", "puzzle15"]


def run(command, **options):
    """Return what a command prints; if it fails, end with its errors."""
    ended = subprocess.run(command, capture_output=True, text=True, **options)
    if ended.returncode:
        sys.exit(f"{command}\nended with {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def measure(solve):
    """Return (the lengths that a function finds, its seconds)."""
    began = time.perf_counter()
    lengths = solve()
    return lengths, time.perf_counter() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("boards", metavar="BOARDS", help="a file, or korf100")
    parser.add_argument("command", metavar="COMMAND", help="how the other program is run, with {file} or {board}")
    parser.add_argument("--convert", default="", metavar="OPTIONS", help='such as "--to hex --to-goal blank-first"')
    parser.add_argument("--solve", default="", metavar="OPTIONS", help='of ours, such as "--workers 2"')
    parser.add_argument("--lengths", default=r"(?m)^\D*(\d+)", metavar="PATTERN", help="its group is a length")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="how often each runs (default: 5)")
    args = parser.parse_args()
    boards = run([*OURS, "convert", "--set", args.boards, *shlex.split(args.convert)]).splitlines()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "boards.txt")
        file.write_text("".join(f"{board}\n" for board in boards))
        each = {"{board}": boards, "{file}": [str(file)]}
        place = next((place for place in each if place in args.command), None)
        if place is None:
            parser.error("COMMAND: expected {file} or {board} in it")

        def others():
            printed = [run(args.command.replace(place, shlex.quote(given)), shell=True) for given in each[place]]
            return [int(length) for text in printed for length in re.findall(args.lengths, text)]

        def own():
            printed = run([*OURS, "solve", "--set", args.boards, "--quiet", *shlex.split(args.solve)])
            return [int(line.split("\t")[0]) for line in printed.splitlines()]

        rounds = [(measure(others), measure(own)) for _ in range(max(args.rounds, 1) + 1)]
    for (theirs, _), (found, _) in rounds:
        differing = [number for number, pair in enumerate(zip(theirs, found), 1) if pair[0] != pair[1]]
        if differing or len(theirs) != len(found):
            sys.exit(f"{len(theirs)} lengths of theirs, {len(found)} of ours; boards that differ: {differing}")
    print(f"{len(boards)} boards, {sum(found)} moves; seconds: median (least to most) of {args.rounds} rounds")
    seconds = {name: [pair[who][1] for pair in rounds[1:]] for who, name in enumerate([args.command, "puzzle15"])}
    for name, times in seconds.items():
        print(f"{statistics.median(times):10.3f} ({min(times):.3f} to {max(times):.3f})  {name}")
    theirs, ours = map(statistics.median, seconds.values())
    print(f"ratio of the medians: {theirs / ours:.2f}")


if __name__ == "__main__":
    main()
