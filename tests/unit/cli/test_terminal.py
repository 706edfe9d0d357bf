"""The progress bar, with a clock and a stream of the test's own; durations."""

import io

import pytest

from puzzle15.cli.console import Progress, format_duration, write_message


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def show(clock):
    """The lines that progress shows: of steps that take so many seconds each, as (share, what)."""

    def show(steps, title="build", takes=0.0, **options):
        stream = io.StringIO()
        with Progress(title, stream, clock=clock, **options) as progress:
            for share, what in steps:
                progress.update(share, what)
                clock.now += takes
        return stream.getvalue().splitlines()

    return show


def test_a_terminal_shows_one_line_redrawn(clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with Progress("build", stream, clock=clock) as progress:
        progress.update(0.0, "tiles 1-8: level 1")
        clock.now += 30
        progress.update(0.25, "tiles 1-8: level 9")
    first = f"build: [{'-' * 24}]   0 %  tiles 1-8: level 1"
    second = f"build: [{'#' * 6}{'-' * 18}]  25 %  tiles 1-8: level 9  (30 s, 1:30 min left)"
    assert stream.getvalue().split("\r\x1b[K") == ["", first, second, ""]


def test_a_terminal_is_redrawn_ten_times_a_second_at_most(show):
    drawn = "".join(show([(n / 1000, f"tiles {n // 10}: level {n}") for n in range(1000)], takes=0.001, live=True))
    assert 9 <= drawn.count("build") <= 11


def test_a_hidden_line_comes_back(clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    stream = io.StringIO()
    with Progress("compare", stream, live=True, clock=clock) as progress:
        progress.hide()  # there is none yet
        for run in ("a*", "ida*"):
            progress.update(None, run)
            progress.hide()
            progress.hide()
    assert stream.getvalue().split("\r\x1b[K") == ["", "compare: a*", "", "compare: ida*", ""]
    plain = io.StringIO()
    with Progress("compare", plain, live=False, clock=clock) as progress:
        progress.update(None, "a*: running")
        progress.hide()
    assert plain.getvalue() == "compare: a*: running\n"


def test_a_line_is_cut_to_the_width(clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    stream = io.StringIO()
    Progress("build", stream, live=True, clock=clock).update(0.5, "a" * 100)
    assert len(stream.getvalue().removeprefix("\r\x1b[K")) == 29


def test_elsewhere_lines_say_what_begins_and_what_is_done(show):
    steps = [(level / 200, f"tiles 1-8: level {level}") for level in range(1, 100)]
    steps += [(0.5, "tiles 1-8: done"), (0.5, "tiles 9-15: level 1"), (0.6, "tiles 9-15: level 2")]
    assert show(steps, takes=0.125) == [
        "build:   0 %  tiles 1-8: level 1",
        "build:  20 %  tiles 1-8: level 41  (5.0 s, 19 s left)",
        "build:  40 %  tiles 1-8: level 81  (10 s, 15 s left)",
        "build:  50 %  tiles 1-8: done  (12 s, 12 s left)",
        "build:  50 %  tiles 9-15: level 1  (12 s, 12 s left)",
    ]


def test_work_without_a_share_is_told_now_and_then(show):
    steps = [(None, f"{boards} boards") for boards in range(0, 1200, 100)]
    assert show(steps, "solve", takes=1) == ["solve: 500 boards  (5.0 s)", "solve: 1000 boards  (10 s)"]


def test_a_share_never_goes_back_and_stays_within_bounds(show):
    lines = show([(share, f"tiles {share}: level 1") for share in (0.5, 0.25, 7.0)])
    assert [line.split()[1] for line in lines] == ["50", "50", "100"]


def test_a_dumb_terminal_gets_lines(clock, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    stream = Terminal()
    Progress("build", stream, clock=clock).update(0.5, "tiles 1-8: level 1")
    assert stream.getvalue() == "build:  50 %  tiles 1-8: level 1\n"


def test_quiet_and_ended_bars_show_nothing(clock):
    stream = io.StringIO()
    with Progress("build", stream, live=True, quiet=True, clock=clock) as progress:
        progress.update(0.5, "tiles 1-8: level 1")
    with Progress("build", stream, live=True, clock=clock) as progress:
        pass
    progress.update(0.5, "tiles 1-8: level 1")
    assert stream.getvalue() == ""


class Broken(io.StringIO):
    """A stream that raises from the second time on."""

    def __init__(self, error):
        super().__init__()
        self.error, self.tries = error, 0

    def flush(self):
        self.tries += 1
        if self.tries > 1:
            raise self.error


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize(
    "error", [BrokenPipeError(), OSError(28, "No space left on device"), ValueError("closed file")]
)
def test_a_stream_that_breaks_stops_no_work(clock, error, live):
    stream = Broken(error)
    with Progress("build", stream, live=live, clock=clock) as progress:
        for step in range(10):
            progress.update(step / 10, f"tiles {step}: level 1")
            clock.now += 1
    assert stream.tries == 2  # and no more


def test_no_stream_at_all(clock, monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr", None)
    with Progress("build", clock=clock) as progress:
        progress.update(0.5, "tiles 1: level 1")
    assert not write_message("so") and capsys.readouterr().out == ""
    closed = io.StringIO()
    closed.close()
    with Progress("build", closed, clock=clock) as progress:
        progress.update(0.5, "tiles 1: level 1")


@pytest.mark.parametrize(
    "seconds, text",
    [(0, "0 µs"), (0.00025, "250 µs"), (0.9996, "1.0 s"), (9.96, "10 s"), (59.6, "1:00 min"), (3600, "1:00 h")],
)
def test_durations(seconds, text):
    assert format_duration(seconds) == text
