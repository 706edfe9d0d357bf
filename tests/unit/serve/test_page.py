"""The files of the page, as far as they can be checked without a browser; tests/browser plays on it."""

import posixpath
import re
from pathlib import Path

import pytest
from sight import contrast

import puzzle15
from puzzle15.pictures import DARK, LIGHT
from puzzle15.serve import server

FOLDER = Path(puzzle15.__file__).parent / "serve" / "page"
PATHS = {file.name: file for file in FOLDER.iterdir() if file.suffix != ".md"}
PATHS["core/answers.js"] = PATHS.pop("answers.js")
PATHS.update((name, FOLDER.parent.parent / "page" / "source" / name) for name in server._MODULES)
FILES = {name: file.read_text(encoding="utf-8") for name, file in PATHS.items()}
SCRIPTS = {name: text for name, text in FILES.items() if name.endswith(".js")}
HTML, STYLES = FILES["index.html"], FILES["page.css"]


def test_everything_comes_from_this_server():
    for name, text in FILES.items():
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|url\(|@import", text), name


def test_the_security_policy_holds_nothing_back():
    assert not re.search(r"<style|style=|<script(?![^>]* src=)|\son\w+=", HTML)
    assert not any(
        re.search(r"\beval\(|new Function|innerHTML|setAttribute\(.style", text) for text in SCRIPTS.values()
    )


def test_every_file_that_is_asked_for_is_there():
    asked = {*re.findall(r'(?:href|src)="([\w.]+)"', HTML), *(used for name in SCRIPTS for used in used_by(name))}
    assert asked - {"api"} | {"index.html"} == set(FILES)


def used_by(name):
    """The scripts that a script imports."""
    found = re.findall(r'from "(\.+/.+?)"', SCRIPTS[name])
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), used)) for used in found]


def test_a_script_uses_scripts_below_it_in_the_readme():
    order = re.findall(r"^\| `([\w/]+\.js)`", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(order) == set(SCRIPTS)
    for name in SCRIPTS:
        for used in used_by(name):
            assert order.index(used) > order.index(name), (name, used)


def test_scripts_find_every_element_that_they_name():
    there = re.findall(r'\bid="([\w-]+)"', HTML)
    assert len(there) == len(set(there))
    named = re.findall(r'\bpage\("([\w-]+)"\)', "".join(SCRIPTS.values()))
    assert len(named) > 50
    assert set(named) <= set(there)
    assert set(re.findall(r'(?:for|aria-(?:labelledby|describedby))="([\w-]+)', HTML)) <= set(there)


def test_the_colours_are_those_of_pictures():
    names = ["page", "tray", "text", "accent", *(f"row-{row}" for row in range(8))]
    colours = [(mode.page, mode.tray, mode.text, mode.accent, *mode.tiles[:8]) for mode in (LIGHT, DARK)]
    for name, light, dark in zip(names, *colours):
        assert f"--{name}: light-dark({light}, {dark});" in STYLES


@pytest.mark.parametrize("mode", [0, 1])
def test_every_text_has_contrast(mode):
    colours = {name: pair[mode] for name, *pair in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", STYLES)}
    pairs = [("text", "page"), ("text", "panel"), ("muted", "page"), ("muted", "panel"), ("on-accent", "accent")]
    pairs += [("accent", "page"), ("wrong", "page"), ("wrong", "panel"), *(("text", f"row-{row}") for row in range(8))]
    for front, back in pairs:
        assert contrast(colours[front], colours[back]) >= 4.5, (front, back)
    assert contrast(colours["line"], colours["page"]) >= 3  # the borders of buttons and fields
    assert contrast(colours["line"], colours["panel"]) >= 3
