"""Makes the tour again: runs ``tour.ipynb``, stores its outputs in it, and draws the pictures of the README.

    python bench/tour.py            # needs the group `tour`
    python bench/tour.py --check    # write nothing; name what would change, and end with 1 if anything would
    python bench/tour.py --page     # photograph the page, too: needs the group `browser`, and Chromium

Nothing that it shows depends on the machine: neither times, nor tables that somebody has built. The photograph does, by
its fonts.
"""

import argparse
import difflib
import os
import shutil
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from puzzle15 import Board, Solver, search
from puzzle15.page import page
from puzzle15.searches import SearchTree

BENCH = Path(__file__).parent
NOTEBOOK = BENCH / "tour.ipynb"
PICTURES = BENCH / "pictures"
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def notebook():
    """The notebook as text, with the outputs that its cells have now."""
    book = nbformat.read(NOTEBOOK, as_version=4)
    # Elsewhere than among the sources, which have no compiled extensions.
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(book, timeout=120, coalesce_streams=True, resources={"metadata": {"path": folder}}).execute()
    for number, cell in enumerate(book.cells):
        cell.id, cell.metadata = f"cell-{number}", {}
        for output in cell.get("outputs", ()):
            if len(output.get("data", ())) > 1:  # a picture says it better, and the same on every machine
                del output.data["text/plain"]
    book.metadata = KERNEL
    return nbformat.writes(book) + "\n"


def pictures():
    """The text of each picture, by its name."""
    board = Board("5 3 8 9/0 2 4 1/7 10 14 13/12 11 6 15")
    solver = Solver()
    tree = SearchTree(max_expansions=30)  # the example of N. Nilsson, Principles of Artificial Intelligence, 1980
    start, goal = "2 8 3/1 6 4/7 0 5", "1 2 3/8 0 4/7 6 5"
    tree.solution = search(start, goal=goal, algorithm="a*", heuristic="misplaced", on_expand=tree.add)
    return {
        "board.svg": board.svg(hint=solver.hint(board).best_moves),
        "solution.svg": solver.solve(board).svg(tiles_per_second=4),
        "tree.svg": tree.svg(),
    }


def photograph(path):
    """The page with a hint, as a browser shows it."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("PUZZLE15_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder, "puzzle15.html")
        file.write_text(page(), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        shown = browser.new_page(viewport={"width": 1000, "height": 640})
        shown.goto(f"{file.as_uri()}#board=867/254/301")
        for words in ("Press Hint again", "Hint: move 5.", "Hint: move 5 down."):
            shown.get_by_role("button", name="Hint", exact=True).click()
            shown.locator("#words").filter(has_text=words).wait_for()
        shown.wait_for_timeout(500)  # until nothing moves
        shown.screenshot(path=path)
        browser.close()


def main():
    parser = argparse.ArgumentParser(description="Make the tour again.")
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 if anything would change")
    parser.add_argument("--page", action="store_true", help="photograph the page, too")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PUZZLE15_TABLES"] = (
            folder  # no tables: which of several shortest solutions is found depends on them
        )
        made = {NOTEBOOK: notebook(), **{PICTURES / name: f"{text}\n" for name, text in pictures().items()}}
    changed = 0
    for path, text in made.items():
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if text != before:
            changed += 1
            print(f"{path.relative_to(BENCH)} has changed:")
            difference = difflib.unified_diff(
                before.splitlines(), text.splitlines(), "stored", "made", n=0, lineterm=""
            )
            print(*(line[:200] for line in difference), sep="\n")
            if not args.check:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
    if args.page:
        photograph(PICTURES / "page.png")
    print(f"{len(made)} files, {changed} {'would change' if args.check else 'changed'}")
    return 1 if args.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
