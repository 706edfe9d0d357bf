"""A real Chromium on the page in one file, opened from the disk.

Every page that a test opens must stay silent in the console and must ask nobody.
"""

from pathlib import Path

import pytest

from puzzle15.page import page as page_text

WAIT_MS = 10_000  # far more than anything here takes
ARROWS = {"U": "ArrowUp", "D": "ArrowDown", "L": "ArrowLeft", "R": "ArrowRight"}
DESKTOP = {"width": 1100, "height": 900}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.extra)
            item.add_marker(pytest.mark.slow)


class Player:
    """What somebody sees on a page and does there."""

    def __init__(self, page):
        self.page = page

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def arrows(self, moves):
        """Press an arrow key per letter."""
        for letter in moves:
            self.page.keyboard.press(ARROWS[letter])

    def text(self, name):
        """The text of the element with an id, such as made, hints, distance, words."""
        return self.page.locator(f"#{name}").inner_text()

    def wait_until(self, function, *argument):
        """Wait until a JavaScript function gives something true."""
        self.page.wait_for_function(function, arg=argument)

    def wait_for(self, name, words):
        """Wait until the element with an id says just this, or ends with it after three dots."""
        self.wait_until(
            "([id, words]) => { const text = document.getElementById(id).textContent;"
            " return words.startsWith('...') ? text.endsWith(words.slice(3)) : text === words }",
            *(name, str(words)),
        )

    def board(self):
        """The board as the grid tells it to screen readers, as text."""
        rows = self.page.locator("#board [role=row]").evaluate_all(
            "rows => rows.map(row => [...row.querySelectorAll('button')].map(each => each.getAttribute('aria-label')))"
        )
        return "/".join(" ".join(label.split(",")[0].replace("blank", "0") for label in row) for row in rows)

    def cell(self, tile):
        """The button of a tile."""
        return self.page.locator(f"#board button[aria-label^='{tile},']")

    def hinted(self):
        """The button of the first tile that a hint points at."""
        return self.page.locator("#board button[aria-label*=hint]").first


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """The address of the file."""
    path = tmp_path_factory.mktemp("page") / "puzzle15.html"
    path.write_text(page_text(), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def open_page(chromium, address):
    """A function that opens the page: with a fragment of the address, and options of a playwright context."""
    contexts, errors, asked = [], [], []

    def open_page(fragment="", **options):
        context = chromium.new_context(**{"viewport": DESKTOP, "color_scheme": "light", **options})
        contexts.append(context)
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: message.type in ("error", "warning") and errors.append(message.text))
        page.on("request", lambda request: asked.append(request.url.partition("#")[0]))
        page.goto(address + fragment)
        return Player(page)

    yield open_page
    for context in contexts:
        context.close()
    assert not errors
    assert all(url == address or url.startswith("blob:") for url in asked)
