"""Runs tests of the page and of players with counts, and prints which lines and blocks of their JavaScript they miss.

    pip install --group browser ".[test]" && python .ci/coverage_javascript.py

What follows `--` is for pytest; without it, the tests are those under node and those in Chromium, and 90 % of the lines
must have run. The counts are in build/coverage/javascript, and a second call adds to what the first one has counted,
unless the sources have changed.

A block is what V8 counts: a function, a branch, or what follows a statement that may leave it.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import sys
import uuid
from functools import partialmethod
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Page

import puzzle15
from puzzle15._pictures.pages import player_html
from puzzle15.page import _assembling as assembling

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "coverage" / "javascript"
PACKAGE = Path(puzzle15.__file__).parent
TESTS = ["-m", "extra or not extra", "tests/unit/page", "tests/unit/pictures/test_in_a_browser.py", "tests/browser"]
LEAST = 0.9  # of the lines
COMMENT = re.compile(r"(?:^|(?<=\s))//[^\n]*|/\*.*?\*/", re.DOTALL | re.MULTILINE)

# What node runs first: it counts, and keeps the counts with the texts of the scripts at its end.
NODE_COUNTS = """\
const session = new (require("node:inspector").Session)();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
process.on("exit", () => {
    session.post("Debugger.enable");
    session.post("Profiler.takePreciseCoverage", (_, { result }) => {
        const own = result.filter(({ url }) => !url.startsWith("node:"));
        for (const script of own)
            session.post("Debugger.getScriptSource", { scriptId: script.scriptId }, (_, found) => {
                script.text = found?.scriptSource;
            });
        const name = `${process.pid}-${Date.now()}.json`;
        require("node:fs").writeFileSync(require("node:path").join(FOLDER, name), JSON.stringify(own));
    });
});
"""


def count_node(folder):
    """Let a program count that is found before node; a test cannot tell the difference."""
    node, programs = shutil.which("node"), folder / "programs"
    if node is not None:
        programs.mkdir(exist_ok=True)
        first, program = programs / "counts.js", programs / "node"
        first.write_text(f"const FOLDER = {json.dumps(str(folder))};\n{NODE_COUNTS}")
        program.write_text(f'#!/bin/sh\nexec "{node}" --require "{first}" "$@"\n')
        program.chmod(0o755)
        os.environ["PATH"] = os.pathsep.join([str(programs), os.environ["PATH"]])


def count_chromium(folder):
    """Let each page count, and keep that before it is left or closed. Its workers do not: node runs their code."""
    sessions = {}  # by pages

    def begin(context, new_page):
        page = new_page(context)
        session = sessions[page] = context.new_cdp_session(page)
        session.send("Profiler.enable")
        session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})
        return page

    def keep(page):
        counts = sessions[page].send("Profiler.takePreciseCoverage")
        (folder / f"{uuid.uuid4()}.json").write_text(json.dumps(counts["result"]))

    def leave(page, method, *args, **options):
        keep(page)
        return method(page, *args, **options)

    def close(context, method):
        for page in context.pages:
            keep(page)
        method(context)

    for kind, name, act in (
        (BrowserContext, "new_page", begin),
        (BrowserContext, "close", close),
        (Page, "goto", leave),
        (Page, "reload", leave),
    ):
        setattr(kind, name, partialmethod(act, getattr(kind, name)))


class Source:
    """A file of the package, whose `text` stands in scripts line for line, and what is known of its characters."""

    def __init__(self, path, before, text):
        self.name = path.relative_to(PACKAGE.parent).as_posix()
        self.before, self.text = before, text
        code = COMMENT.sub(lambda found: re.sub(r"\S", " ", found[0]), text)
        self.is_code = np.array([each.isalnum() or each in "_$\"'`" for each in code])
        self.ran = np.zeros(len(text), dtype=bool)
        self.blocks = {}  # their ends by their starts

    def add(self, script, ran, blocks):
        """Add the counts of a script, if it holds this source: whether each character ran, and the blocks."""
        at = script.find(self.before + self.text)
        if at < 0:
            return
        at += len(self.before)
        self.ran |= ran[at : at + len(self.text)]
        for start, end in blocks:
            start, end = start - at, end - at
            if start >= 0 and end <= len(self.text) and self.is_code[start:end].any():
                self.blocks[start] = min(end, self.blocks.get(start, end))

    def lines(self):
        """Whether each line with code has run, by its number."""
        ends = np.flatnonzero(np.array(list(self.text)) == "\n")
        parts = zip(np.split(self.is_code, ends), np.split(self.ran, ends))
        return {number: bool(ran[code].any()) for number, (code, ran) in enumerate(parts, 1) if code.any()}

    def missed_blocks(self):
        """The line of each block that has not run."""
        missed = (at for at, end in self.blocks.items() if not (self.ran & self.is_code)[at:end].any())
        return sorted(self._line(at) for at in missed)

    def _line(self, at):
        return self.text.count("\n", 0, at + int(self.is_code[at:].argmax())) + 1


def sources():
    folder = PACKAGE / "page" / "source"
    for path in sorted(folder.rglob("*.js")):
        first, text = assembling._wrapped(path.relative_to(folder).as_posix()).split("\n", 1)
        yield Source(path, f"{first}\n", "".join(text.splitlines(keepends=True)[:-2]))
    for path in sorted((PACKAGE / "_pictures").glob("*.js")):
        yield Source(path, "", path.read_text(encoding="utf-8"))


def scripts():
    """The texts of the scripts in pages, by their lengths; of a script in a browser only its length is known."""
    pages = puzzle15.page.page() + player_html([1, 2, 3, 0], (2, 2), ["D"])
    return {len(text): text for text in re.findall("<script>(.*?)</script>", pages, re.DOTALL)}


def merge(folder, parts):
    """Add the counts in a folder to the sources."""
    known = scripts()
    for path in folder.glob("*.json"):
        for script in json.loads(path.read_text()):
            ranges = [each for function in script["functions"] for each in function["ranges"]]
            blocks = sorted({(each["startOffset"], each["endOffset"], each["count"]) for each in ranges}, key=_nested)
            text = script.get("text") or known.get(blocks[0][1])
            if text is None:
                continue
            ran = np.zeros(len(text), dtype=bool)
            for start, end, count in blocks:
                ran[start:end] = count > 0
            for part in parts:
                part.add(text, ran, [(start, end) for start, end, _ in blocks])


def _nested(block):
    """The order in which a block follows those around it."""
    return block[0], -block[1]


def spans(numbers):
    """Numbers in a row as ranges: [1, 2, 3, 7] is 1-3 7."""
    begins = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    return " ".join(f"{begin}-{end}" if end > begin else f"{begin}" for begin, end in zip(begins, ends))


def report(parts):
    """Print a table, and return the share of the lines that have run."""
    row = "{:44} {:>6} {:>6} {:>6} {:>7} {:>6} {:>6}  {}"
    print(
        row.format("file", "lines", "missed", "%", "blocks", "missed", "%", "missed lines; lines with a missed block")
    )
    total = np.zeros(4, dtype=int)
    for part in parts:
        lines, blocks = part.lines(), part.missed_blocks()
        missed = [number for number, ran in lines.items() if not ran]
        within = sorted({number for number in blocks if number not in missed})
        words = "; ".join(filter(None, [spans(missed), " ".join(f"{number}b" for number in within)]))
        figures = np.array([len(lines), len(missed), len(part.blocks), len(blocks)])
        print(row.format(part.name, *_figures(figures), words))
        total += figures
    print(row.format("all", *_figures(total), ""))
    return float(1 - total[1] / total[0])  # a bool of numpy would be no exit code


def _figures(figures):
    for all_, missed in figures.reshape(2, 2):
        yield from (all_, missed, f"{100 * (1 - missed / max(all_, 1)):.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("tests", nargs="*", help="arguments of pytest, after --")
    options = parser.parse_args()
    parts = list(sources())
    folder = FOLDER / hashlib.sha1("".join(part.text for part in parts).encode()).hexdigest()[:12]
    for each in FOLDER.glob("*"):
        if each != folder:
            shutil.rmtree(each)
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(ROOT)
    sys.path = [each for each in sys.path if Path(each) != Path(__file__).parent]  # beside this is another `coverage`
    count_node(folder)
    count_chromium(folder)
    code = pytest.main(["-q", "-n0", *(options.tests or TESTS)])
    merge(folder, parts)
    share = report(parts)
    return code or (not options.tests and share < LEAST)


if __name__ == "__main__":
    sys.exit(main())
