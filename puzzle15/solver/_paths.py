"""Packed solutions of many boards: two bits per move, move i in bits 2 (i % 4) of byte i // 4, and 0 after the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._system.lazy import np
from .._system.threads import slices
from ..board import blank_cells, neighbours, slide

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..board import Shape

_ROWS = 1 << 14  # paths that are changed together: some megabytes


def turn_paths(lengths: NDArray[np.uint8], to: bytes, paths: NDArray[np.uint8]) -> None:
    """Replace every move m of packed paths by to[m]."""
    if to == bytes(range(4)):
        return
    four = np.array([sum(to[byte >> bit & 3] << bit for bit in (0, 2, 4, 6)) for byte in range(256)], dtype=np.uint8)
    for rows in slices(len(paths), _ROWS):
        left = lengths[rows, None].astype(np.int16) - 4 * np.arange(paths.shape[1], dtype=np.int16)  # from a byte on
        paths[rows] = four[paths[rows]] & ((1 << 2 * left.clip(0, 4)) - 1).astype(np.uint8)


def follow_paths(
    packed: NDArray[np.uint64], lengths: NDArray[np.uint8], paths: NDArray[np.uint8], shape: Shape
) -> tuple[NDArray[np.uint64], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint32]]:
    """The boards along every path, the goal left out, path after path: (boards, lengths, paths, index of the path)."""
    counts = np.maximum(lengths, 1).astype(np.int64)
    row, beside = np.cumsum(counts) - counts, neighbours(shape).astype(np.int64)
    boards = np.empty(counts.sum(), dtype=np.uint64)
    left, rest = np.empty(len(boards), dtype=np.uint8), np.empty((len(boards), paths.shape[1] // 8), dtype="<u8")
    at, moves, blank = np.arange(len(packed)), np.ascontiguousarray(paths).view("<u8"), blank_cells(packed, shape)
    for step in range(counts.max(initial=0)):
        here = row[at] + step
        boards[here], left[here], rest[here] = packed, lengths[at] - step, moves
        on = counts[at] > step + 1
        at, packed, moves, blank = at[on], packed[on], moves[on], blank[on]
        to = beside[blank, (moves[:, 0] & 3).astype(np.int64)]
        packed, blank = slide(packed, blank, to), to
        moves, following = moves >> np.uint64(2), moves[:, 1:] << np.uint64(62)
        moves[:, :-1] |= following
    return boards, left, rest.view(np.uint8), np.repeat(np.arange(len(counts), dtype=np.uint32), counts)
