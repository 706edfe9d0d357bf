"""The tour: what the notebook and the pictures of the README show is what the program makes."""

from pathlib import Path

import pytest

TOUR = Path(__file__).parent.parent.parent / "bench" / "tour.py"


@pytest.mark.extra
def test_the_tour_shows_what_the_program_makes(python):
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    ended = python(TOUR, "--check")
    assert ended.returncode == 0, ended.stdout + ended.stderr
