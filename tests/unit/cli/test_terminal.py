"""The progress bar, with a clock and a stream of the test's own; durations."""

import io
import sys

import pytest

from puzzle15._cli.console import Progress, format_duration, say, write_message


class Stream(io.StringIO):
    """Standard error, a terminal or not, that raises an error from the second line on if one is given."""

    def __init__(self, live=False, error=None):
        super().__init__()
        self.isatty, self.error, self.lines = lambda: live, error, 0

    def flush(self):
        self.lines += 1
        if self.lines > 1 and self.error:
            raise self.error


@pytest.fixture
def show(monkeypatch):
    """What progress shows: of steps that take so many seconds each, as (share, what)."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])

    def show(steps, title="build", takes=0.0, stream=None, term="xterm", columns=200, **options):
        monkeypatch.setenv("TERM", term)
        monkeypatch.setenv("COLUMNS", str(columns))
        stream = stream or Stream()
        monkeypatch.setattr("sys.stderr", stream)
        with Progress(title, **options) as progress:
            for share, what in steps:
                progress.update(share, what)
                now[0] += takes
        progress.update(0.5, "tiles 1-8: level 99")  # it has ended
        return stream.getvalue()

    return show


LEVELS = [(level / 200, f"tiles 1-8: level {level}") for level in range(1, 100)]
LEVELS += [(0.5, "tiles 1-8: done"), (0.5, "tiles 9-15: level 1"), (0.6, "tiles 9-15: level 2")]
FIRST = f"build: [{'-' * 24}]   0 %  tiles 1-8: level 1"
SECOND = f"build: [{'#' * 6}{'-' * 18}]  25 %  tiles 1-8: level 9  (30 s, 1:30 min left)"


def test_a_terminal_shows_one_line_redrawn(show):
    steps = [(0.0, "tiles 1-8: level 1"), (0.25, "tiles 1-8: level 9")]
    assert show(steps, takes=30, stream=Stream(True)).split("\r\x1b[K") == ["", FIRST, SECOND, ""]
    steps = [(n / 1000, f"tiles {n // 10}: level {n}") for n in range(1000)]
    assert 9 <= show(steps, takes=0.001, stream=Stream(True)).count("build") <= 11  # ten times a second at most
    assert len(show([(0.5, "a" * 100)], stream=Stream(True), columns=30).replace("\r\x1b[K", "")) == 29


def test_other_output_hides_the_line(monkeypatch):
    for live, begin, end in ((True, "\r\x1b[K", "\r\x1b[K"), (False, "", "\n")):
        monkeypatch.setattr("sys.stderr", Stream(live))
        with Progress("compare") as progress:
            say("there is none yet")
            for run in ("a*: 1", "ida*: 2"):
                progress.update(None, run)
                say("so")
                say("and so")
            shown = [f"{begin}compare: {run}{end}puzzle15: so\npuzzle15: and so\n" for run in ("a*: 1", "ida*: 2")]
            assert sys.stderr.getvalue() == "".join(["puzzle15: there is none yet\n", *shown])


def test_elsewhere_lines_say_what_begins_and_what_is_done(show):
    assert show(LEVELS, takes=0.125).splitlines() == [
        "build:   0 %  tiles 1-8: level 1",
        "build:  20 %  tiles 1-8: level 41  (5.0 s, 19 s left)",
        "build:  40 %  tiles 1-8: level 81  (10 s, 15 s left)",
        "build:  50 %  tiles 1-8: done  (12 s, 12 s left)",
        "build:  50 %  tiles 9-15: level 1  (12 s, 12 s left)",
    ]
    steps = [(None, f"{boards} boards") for boards in range(0, 1200, 100)]
    assert show(steps, "solve", takes=1) == "solve: 500 boards  (5.0 s)\nsolve: 1000 boards  (10 s)\n"
    lines = show([(share, f"tiles {share}: level 1") for share in (0.5, 0.25, 7.0)]).splitlines()
    assert [line.split()[1] for line in lines] == ["50", "50", "100"]  # never back, and within bounds
    assert show(LEVELS[:1], stream=Stream(True), term="dumb") == "build:   0 %  tiles 1-8: level 1\n"
    assert show(LEVELS, stream=Stream(True), quiet=True) == ""


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("error", [BrokenPipeError(), OSError(28, "No space left on device"), ValueError("closed")])
def test_a_stream_that_breaks_stops_no_work(show, error, live):
    stream = Stream(live, error)
    show([(step / 10, f"tiles {step}: level 1") for step in range(10)], takes=1, stream=stream)
    assert stream.lines == 2  # and no more


def test_no_stream_at_all(monkeypatch, capsys):
    closed = io.StringIO()
    closed.close()
    for stream in (None, closed):
        monkeypatch.setattr("sys.stderr", stream)
        with Progress("build") as progress:
            progress.update(0.5, "tiles 1: level 1")
        assert not write_message("so") and capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "seconds, text",
    [(0, "0 µs"), (0.00025, "250 µs"), (0.9996, "1.0 s"), (9.96, "10 s"), (59.6, "1:00 min"), (3600, "1:00 h")],
)
def test_durations(seconds, text):
    assert format_duration(seconds) == text
