"""What benchmarks and programs of this folder share: boards, tables, compiled programs, new processes, pictures."""

import contextlib
import datetime
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

import figures
import numpy as np

from puzzle15 import Board, build_tables
from puzzle15._cli.tables import _INSTRUCTIONS
from puzzle15._core.base import board
from puzzle15._pictures.figures import new_figure
from puzzle15._pictures.palette import DARK, LIGHT
from puzzle15._system.machine import processor_count

#: Curves of pictures by colour: in light mode, in dark mode.
CURVES = {LIGHT.accent: DARK.accent, "#b3541e": "#f5a35c", "#2e7d32": "#7fc97f", "#8e44ad": "#c9a0dc"}


def random_board(seed, shape=(4, 4)):
    """The board of a seed, uniform over those that reach the default goal, for all benchmarks and the signature."""
    tiles = np.random.default_rng(seed).permutation(shape[0] * shape[1]).tolist()
    if not Board(tiles, shape).is_solvable():
        one, two = tiles.index(1), tiles.index(2)
        tiles[one], tiles[two] = 2, 1
    return Board(tiles, shape)


def random_boards(count, shape=(4, 4)):
    """The packed boards of the seeds 0 .. count-1."""
    return np.array([random_board(seed, shape).packed for seed in range(count)], dtype=np.uint64)


@contextlib.contextmanager
def tables_7_8(folder=None):
    """The folder of the 7-8 tables, which are built there, or in a temporary folder."""
    with tempfile.TemporaryDirectory() as temporary:
        build_tables("7-8", tables=folder or temporary)
        yield Path(folder or temporary)


def compiled(source, folder, *options):
    """The path of a program of one C file, compiled into a folder."""
    compiler = next(filter(shutil.which, [os.environ.get("CC", "cc"), "gcc", "clang"]))
    binary = Path(folder) / source.stem
    subprocess.run([compiler, *options, "-std=c11", source, "-o", binary], check=True)
    return binary


def in_new_process(code, folder, *words):
    """The words that Python code prints; it runs in a folder, because the source folder holds another puzzle15."""
    command = [sys.executable, "-c", code, str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout.split()


def machine(note=None):
    """What figures depend on: processor, cores and instructions as in `puzzle15 info`, the day, the C core's commit."""
    cores = f"{figures.model()}, {processor_count()} cores, {_INSTRUCTIONS[board.cpu()]}; {datetime.date.today()}"
    words = ["git", "-C", Path(__file__).parents[1], "log", "-1", "--abbrev=8", "--format=C core of commit %h"]
    commit = ""
    with contextlib.suppress(OSError):  # without git
        commit = subprocess.run([*words, "csrc/*.[ch]"], capture_output=True, text=True).stdout.strip()
    return "; ".join(filter(None, [cores, commit, note]))


def panels(titles, note, *, columns=2, height=2.7):
    """A figure of 720 pixels, its panels, and a note below them; no text is smaller than 11 pixels."""
    from matplotlib import rcParams

    rcParams.update({"font.size": 9, "axes.titlesize": 9.5, "xtick.labelsize": 8.5, "ytick.labelsize": 8.5})
    for part in ("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color"):
        rcParams[part] = LIGHT.text
    rows = -(-len(titles) // columns)
    figure = new_figure(7.5, height * rows + 0.6)
    axes = [figure.add_subplot(rows, columns, place + 1) for place in range(len(titles))]
    for each, title in zip(axes, titles):
        each.set_title(title)
        each.spines[["top", "right"]].set_visible(False)
        each.set_prop_cycle(color=list(CURVES))
    figure.supxlabel(note, fontsize=8.5)
    return figure, axes


def save(figure, path, title, description):
    """Store a figure. As SVG, equal figures are equal files, which are light or dark as the reader's system is."""
    from matplotlib import rc_context

    if Path(path).suffix.lower() != ".svg":
        figure.savefig(path, dpi=110)
        return
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": title}), io.StringIO() as file:  # text as text
        figure.savefig(file, format="svg", metadata={"Date": None})
        text = file.getvalue()
    dark = "".join(
        f'[style*="{what}: {light}"]{{{what}:{other}!important}}'
        for light, other in {LIGHT.page: DARK.page, LIGHT.text: DARK.text, **CURVES}.items()
        for what in ("fill", "stroke")
    )
    words = f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
    style = f"<style>@media(prefers-color-scheme:dark){{{dark}}}</style>"
    text = re.sub(r" *<metadata>.*</metadata>\n", "", text, flags=re.DOTALL)
    Path(path).write_text(re.sub(r"(<svg [^>]*)>", rf'\1 role="img">{words}{style}', text, count=1), encoding="utf-8")
