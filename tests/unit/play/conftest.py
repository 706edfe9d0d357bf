"""A clock that tests set."""

from types import SimpleNamespace

import pytest


@pytest.fixture
def clock(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr("puzzle15._cli.play.game.time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock
