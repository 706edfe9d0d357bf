"""Boards as PNG."""

import io

import pytest

from puzzle15.pictures import Look, write_png

pytestmark = pytest.mark.extra


@pytest.mark.parametrize("shape, size, pixels", [((2, 2), 100, (100, 100)), ((2, 8), 328, (328, 88))])
def test_a_picture(shape, size, pixels):
    pytest.importorskip("matplotlib")
    tiles = range(shape[0] * shape[1])
    plain, hinted = io.BytesIO(), io.BytesIO()
    write_png(plain, tiles, shape, Look(size))
    write_png(hinted, tiles, shape, Look(size), hint="UL")
    data = plain.getvalue()
    assert data.startswith(b"\x89PNG") and data != hinted.getvalue()
    assert tuple(int.from_bytes(data[at : at + 4], "big") for at in (16, 20)) == pixels
