"""The sources of the page, as far as they can be checked without a browser; tests/browser plays on it."""

import re
from pathlib import Path

import pytest
from sight import contrast

import puzzle15
from puzzle15._pictures.palette import DARK, LIGHT
from puzzle15.page import page

FOLDER = Path(puzzle15.__file__).parent / "page" / "source"
FILES = {file.relative_to(FOLDER).as_posix(): file.read_text(encoding="utf-8") for file in FOLDER.rglob("*.*")}
SCRIPTS = {name: text for name, text in FILES.items() if name.endswith(".js")}
HTML = FILES["index.html"]


def test_the_security_policy_holds_nothing_back():
    assert not re.search(r"style=|\son\w+=", HTML)
    for name, text in FILES.items():
        assert not re.search(
            r"\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|setAttribute\(.style", text
        ), name
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|url\(|@import", text), name


def test_scripts_find_every_element_that_they_name():
    there = re.findall(r'\bid="([\w-]+)"', HTML)
    assert len(there) == len(set(there))
    named = re.findall(r'\bpage\("([\w-]+)"\)', "".join(SCRIPTS.values()))
    assert len(named) > 40
    assert set(named) <= set(there)
    assert set(re.findall(r'(?:for|aria-(?:labelledby|describedby))="([\w-]+)', HTML)) <= set(there)


def test_every_source_is_in_the_page():
    html = "".join(re.findall(r'(?:href|src)="([\w./]+)"', HTML))
    imported = {Path(name).name for text in SCRIPTS.values() for name in re.findall(r' from "([./\w]+)"', text)}
    for name in FILES.keys() - {"index.html", "core/worker.js"}:  # which assembling.py adds
        assert name in html or name.rpartition("/")[2] in imported, name


def test_the_colours_are_those_of_pictures():
    names = ["page", "tray", "text", "accent", *(f"row-{row}" for row in range(8))]
    colours = [(mode.page, mode.tray, mode.text, mode.accent, *mode.tiles[:8]) for mode in (LIGHT, DARK)]
    text = page()
    for name, light, dark in zip(names, *colours):
        assert text.count(f"--{name}: light-dark({light}, {dark});") == 1


@pytest.mark.parametrize("mode", [0, 1])
def test_every_text_has_contrast(mode):
    colours = {name: pair[mode] for name, *pair in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", page())}
    pairs = [("text", "page"), ("text", "panel"), ("muted", "page"), ("muted", "panel"), ("on-accent", "accent")]
    pairs += [("accent", "page"), ("wrong", "page"), ("wrong", "panel"), *(("text", f"row-{row}") for row in range(8))]
    for front, back in pairs:
        assert contrast(colours[front], colours[back]) >= 4.5, (front, back)
    assert contrast(colours["line"], colours["page"]) >= 3  # the borders of buttons and fields
    assert contrast(colours["line"], colours["panel"]) >= 3
