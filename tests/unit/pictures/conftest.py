"""A page in the browser, for the tests of pictures."""

import pytest


@pytest.fixture
def show(chromium):
    """A function that shows HTML; nothing is to be asked for, and nothing is to go wrong."""
    contexts, wrong = [], []

    def show(text, **options):
        contexts.append(chromium.new_context(**options))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text))
        page.on("request", lambda request: wrong.append(request.url))
        page.set_content(text)
        return page

    yield show
    for context in contexts:
        context.close()
    assert not wrong
