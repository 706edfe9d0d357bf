"""Changes the sources a little, one change at a time, and says which changes no test notices.

python tests/mutants/run.py --count 60 --seed 7
python tests/mutants/run.py --only csrc/base/board.c:40:17:operator

A mutant differs from its source in one operator, constant or statement. Files are drawn by their lines of code, but for
those that hold only data; of a file, first a line, then one of its mutants. Tests that could see the mutant run until
one fails, or takes three times as long as without it. A mutant in C whose objects are those of the source is left out,
like one that does not compile: another is drawn for it. Nothing is changed but a copy in build/mutants.

Exit codes: 0; 1 a mutant lives.
"""

import argparse
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))
from judging import ROOT, Judge, prepare, sources
from mutating import has_functions, language_of, lines_of_code, mutants_of

LANGUAGES = ["c", "python", "javascript"]
VERDICTS = ["killed", "timed out", "alive", "same code", "does not compile"]
TRIED = VERDICTS[:3]


def is_mutated(name):
    kinds = {"csrc": (".c", ".h"), "puzzle15": (".py", ".js")}.get(name.partition("/")[0], ())
    return bool(kinds) and name.endswith(kinds)


def sample(seed, languages):
    """Yield mutants, in an order that depends on the seed and the sources alone."""
    draw = random.Random(seed)
    files = {name: (ROOT / name).read_bytes() for name in sources() if is_mutated(name)}
    files = {name: text for name, text in files.items() if language_of(name) in languages and has_functions(name, text)}
    weights, found, drawn = [lines_of_code(name, text) for name, text in files.items()], {}, set()
    for _ in range(100 * sum(weights)):
        [name] = draw.choices(list(files), weights)
        if name not in found:
            found[name] = {}
            for mutant in mutants_of(name, files[name]):
                found[name].setdefault(mutant.line, []).append(mutant)
        if found[name]:
            mutant = draw.choice(draw.choice(list(found[name].values())))
            if mutant.id not in drawn:
                drawn.add(mutant.id)
                yield mutant


def around(mutant, more=3):
    """Return the lines around a mutant, that in its line marked."""
    lines = (ROOT / mutant.file).read_text(encoding="utf-8").splitlines()
    first = max(mutant.line - 1 - more, 0)
    return "\n".join(
        f"  {'>' if number == mutant.line else ' '} {number:4} {line}"
        for number, line in enumerate(lines[first : mutant.line + more], first + 1)
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=60, help="mutants to try (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no other mutant after this time")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other mutants (default: %(default)s)")
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="may be repeated; by default all")
    parser.add_argument("--only", metavar="ID", action="append", help="try this mutant; may be repeated")
    parser.add_argument("--quick", action="store_true", help="run only the few files of tests that are nearest")
    parser.add_argument("--list", action="store_true", help="print the mutants, and try none")
    options = parser.parse_args()
    if options.only:
        files = {each.split(":")[0] for each in options.only}
        files = sorted(files & {name for name in sources() if is_mutated(name)})
        every = [each for name in files for each in mutants_of(name, (ROOT / name).read_bytes())]
        mutants = [each for each in every if each.id in options.only]
        if unknown := set(options.only) - {each.id for each in mutants}:
            parser.error(f"no such mutant: {', '.join(sorted(unknown))}")
    else:
        mutants = sample(options.seed, options.language or LANGUAGES)
    if options.list:
        for _, mutant in zip(range(options.count), mutants):
            print(f"{mutant.id}  {mutant}")
        return 0
    return try_all(mutants, options.count, options.seconds, Judge(options.quick))


def try_all(mutants, count, seconds, judge):
    for number in (signal.SIGINT, signal.SIGTERM):  # also where a script that says `&` had SIGINT ignored
        signal.signal(number, signal.default_int_handler)
    prepare()
    found, alive, tried, start = Counter(), [], 0, time.monotonic()
    try:
        for mutant in mutants:
            if tried == count or time.monotonic() - start > seconds:
                break
            begun = time.monotonic()
            verdict, by = judge.verdict(mutant)
            tried += verdict in TRIED
            found[language_of(mutant.file), verdict] += 1
            said = f": {by}" if verdict in TRIED and by else ""
            print(f"{mutant.id}  {mutant}  {verdict}{said}  ({time.monotonic() - begun:.0f} s)", flush=True)
            if verdict == "alive":
                print(around(mutant), flush=True)
                alive.append(mutant)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    rows = [["language", "tried", "share killed", *VERDICTS]]
    for name, languages in [*((each, [each]) for each in LANGUAGES), ("all", LANGUAGES)]:
        counts = [sum(found[each, verdict] for each in languages) for verdict in VERDICTS]
        of = sum(counts[:3])
        rows.append([name, str(of), f"{(counts[0] + counts[1]) / of:.0%}" if of else "", *map(str, counts)])
    widths = [max(map(len, column)) for column in zip(*rows)]
    print()
    for row in rows:
        print(row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:])), sep="  ")
    for mutant in alive:
        print(f"\n--only {mutant.id}  {mutant}\n{around(mutant)}")
    return int(bool(alive))


if __name__ == "__main__":
    sys.exit(main())
