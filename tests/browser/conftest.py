"""A real Chromium on the page of a real `puzzle15 serve`.

Every page that a test opens must stay silent in the console and must ask no other server than that one.
"""

import subprocess
import sys
from pathlib import Path

import pytest

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
        """The text of the element with an id, such as made, distance, shortest, words."""
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
def server(chromium, tmp_path_factory):
    """The address of a server with the embedded tables."""
    folder = tmp_path_factory.mktemp("serve")
    command = [sys.executable, "-m", "puzzle15", "serve", "--port", "0", "--tables", str(folder / "none")]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.fixture
def open_page(chromium, server):
    """A function that opens the page: with a fragment of the address, and options of a playwright context."""
    contexts, errors, asked = [], [], []

    def watch(page):
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        # Chromium itself notes each refusal of the interface, which the page tells in a sentence.
        page.on(
            "console",
            lambda message: (
                message.type not in ("error", "warning")
                or (message.text.startswith("Failed to load resource") and "/api/" in message.location["url"])
                or errors.append(message.text)
            ),
        )

    def open_page(fragment="", **options):
        context = chromium.new_context(**{"viewport": DESKTOP, "color_scheme": "light", **options})
        contexts.append(context)
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        watch(page)
        page.goto(server + fragment)
        # The page is ready when it knows the distance of its board.
        page.wait_for_function("() => /[0-9]/.test(document.getElementById('distance').textContent)")
        return Player(page)

    open_page.asked = asked
    yield open_page
    for context in contexts:
        context.close()
    assert not errors
    assert asked and all(url.startswith(server) for url in asked)
