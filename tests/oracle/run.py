"""Compares every public way to ask with the oracle, for as long as you like; each comparison can be repeated.

python tests/oracle/run.py --seconds 3600 --seed 7
python tests/oracle/run.py --seed 7 --number 41 "all solutions"
"""

import argparse
import itertools
import sys
import tempfile
import time
import traceback
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent


def compare(name, seed, number, folder, check):
    """One problem, asked in one way."""
    from problems import draw
    from ways import WAYS

    function, options = WAYS[name]
    function(draw(seed, name, number, folder, **options), check)


def main():
    from problems import Check
    from ways import LEFT_OUT, WAYS

    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("ways", nargs="*", metavar="WAY", help=f"all by default: {', '.join(WAYS)}")
    parser.add_argument("--seconds", type=float, default=60, help="for all ways together (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another one draws other problems (default: %(default)s)")
    parser.add_argument("--number", type=int, help="only the problem of this number")
    options = parser.parse_args()
    if unknown := set(options.ways) - set(WAYS):
        parser.error(f"no such way: {', '.join(sorted(unknown))}")
    names = options.ways or [name for name in WAYS if name not in LEFT_OUT]
    for name in set(WAYS) - set(names) if not options.ways else ():
        print(f"left out, for want of gymnasium or node: {name}")
    checks, failures = {name: Check() for name in names}, dict.fromkeys(names, 0)
    spent, problems = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    with tempfile.TemporaryDirectory() as folder:
        try:
            for number in [options.number] if options.number is not None else itertools.count():
                for name in names:
                    start = time.monotonic()
                    if spent[name] > options.seconds / len(names):
                        continue
                    try:
                        compare(name, options.seed, number, Path(folder), checks[name])
                    except Exception:
                        failures[name] += 1
                        print(f'--seed {options.seed} --number {number} "{name}"\n{traceback.format_exc()}', flush=True)
                    spent[name] += time.monotonic() - start
                    problems[name] += 1
                if all(spent[name] > options.seconds / len(names) for name in names):
                    break
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr)
    print(f"{'way':28}{'problems':>10}{'comparisons':>14}{'failures':>10}")
    for name in names:
        print(f"{name:28}{problems[name]:>10,}{checks[name].count:>14,}{failures[name]:>10,}")
    total = sum(check.count for check in checks.values())
    print(f"{'all':28}{sum(problems.values()):>10,}{total:>14,}{sum(failures.values()):>10,}")
    return int(any(failures.values()))


if __name__ == "__main__":
    sys.path[:0] = [str(TESTS / name) for name in ("helpers", "twins")]
    sys.exit(main())
