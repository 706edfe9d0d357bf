"""How fast is the page in one file, in Chromium: to open, to its first hint, and to further hints?

    python bench/at_scale/page.py [--loads N] [--boards N]

Needs the group `browser`, and Chromium at the path in PUZZLE15_CHROMIUM or as a command. Times of loading count
from the start of the navigation. The hint is asked for
when the board is drawn, and is there when its distance is proved.
The hints are of random 15-puzzles, one after another, each with all optimal moves.
"""

import argparse
import os
import shutil
import statistics
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from puzzle15 import Board
from puzzle15.page import page

CHROMIUM = os.environ.get("PUZZLE15_CHROMIUM") or shutil.which("chromium")

#: Notes when the first board is painted, presses Hint then, and notes when its answer is there.
WATCH = """(() => {
    window.times = {};
    const look = () => {
        const now = performance.now();
        const distance = document.getElementById("distance")?.textContent ?? "";
        if (!times.board && document.querySelector("#board .tile")) {
            requestAnimationFrame(() => {
                times.board = performance.now();
                document.getElementById("hint").click();
            });
            times.board = now;
        } else if (times.board && /[0-9]/.test(distance)) return (times.hint = now);
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})();"""

HINTS = """async boards => {
    const goal = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    const times = [];
    await puzzle15.exact.ask({ kind: "hint", board: boards[0], goal });
    for (const board of boards) {
        const begun = performance.now();
        const { moves } = await puzzle15.exact.ask({ kind: "hint", board, goal });
        if (!moves) throw new Error(board);
        times.push(performance.now() - begun);
    }
    return times;
}"""


def loads(browser, address, count):
    """Milliseconds to the first board and to the first hint, of `count` first visits."""
    for _ in range(count):
        context = browser.new_context()
        opened = context.new_page()
        opened.add_init_script(WATCH)
        opened.goto(address)
        opened.wait_for_function("() => times.hint", timeout=60_000)
        yield opened.evaluate("() => [times.board, times.hint]")
        context.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--loads", type=int, default=11)
    parser.add_argument("--boards", type=int, default=200)
    args = parser.parse_args()
    text = page()
    print(f"the file has {len(text.encode()):,} bytes")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "puzzle15.html")
        path.write_text(text, encoding="utf-8")
        flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        times = list(loads(browser, path.as_uri(), args.loads))
        for name, column in zip(("first board", "first hint"), zip(*times)):
            print(f"{name:12} median {statistics.median(column):6.0f} ms, least {min(column):6.0f} ms")
        opened = browser.new_page()
        opened.goto(path.as_uri())
        hints = np.array(opened.evaluate(HINTS, [str(Board.random(seed)) for seed in range(args.boards)]))
        middle, high = np.percentile(hints, [50, 99])
        print(
            f"{len(hints)} hints   median {middle:6.1f} ms, 99th percentile {high:6.0f} ms, most {hints.max():6.0f} ms"
        )
        browser.close()


if __name__ == "__main__":
    main()
