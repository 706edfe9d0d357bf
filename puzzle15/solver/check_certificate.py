"""Check what ``puzzle15 solve --certificate FILE`` wrote: python check_certificate.py FILE --tables FOLDER

This file needs Python 3.10, numpy, and nothing of puzzle15. Of each certificate, one JSON object per line, it checks

1. that board and goal have one shape, and that `length` moves lead from one to the other;
2. that each table is the file with this SHA-256, for these tiles; that the patterns of a lookup share no tile, and that
   its cell map is a symmetry. So if the tables are right, the sum of its values is at most the moves that are left;
3. that the iterations begin with the largest sum for the board, leave out no bound, and end with `length`; and that a
   search, which cuts off by these sums (without tables, on up to 9 cells, by nothing), finds no shorter solution.

``--check-tables`` computes all entries of the tables again; otherwise they are taken as right, and the verdict says so.
Exit status: 0, all certificates are accepted; 1, one is rejected, or there is none; 2, wrong usage."""

import argparse
import hashlib
import json
import re
import struct
import sys
from functools import lru_cache
from itertools import permutations
from math import factorial
from pathlib import Path

import numpy as np

KNOWN = {"format": "puzzle15 certificate", "version": 1, "metric": "stm", "convention": "tile"}
CERTIFICATE = {name: type(value) for name, value in KNOWN.items()} | {"board": str, "goal": str, "length": int}
CERTIFICATE |= {"moves": str, "tables": list, "lookups": list, "iterations": list}
TABLE = {"file": str, "sha256": str, "format": str, "cells": list, "home": int}
LOOKUP = {"tables": list, "cell_to": list}
ITERATION = {"bound": int, "expanded": int, "generated": int}
LETTERS = "DRLU"  # how a tile moves when the blank moves to its neighbour 0 above, 1 left, 2 right, 3 below
LONGEST_LINE, MOST_TOGETHER = 100_000, 1 << 17  # bytes; boards, more than a 3x3 puzzle has at one depth


def require(condition, why):
    if not condition:
        raise ValueError(why)


def check_fields(value, fields, what):
    require(type(value) is dict, f"{what} is not an object, or has a field twice")
    for name in sorted(fields.keys() ^ value.keys()):
        require(False, f"{what}: the field {name[:40]!r} is {'missing' if name in fields else 'unknown'}")
    for name, kind in fields.items():
        require(type(value[name]) is kind, f"{what}: {name} is not of type {kind.__name__}")
        require(kind is not int or 0 <= value[name] < 1 << 63, f"{what}: {name} is out of range")


def check_numbers(values, least, most, end, what):
    good = least <= len(values) <= most and all(type(each) is int and 0 <= each < end for each in values)
    require(good and len({*values}) == len(values), f"{what}: expected {least} to {most} different numbers below {end}")


def read_board(text, what):
    """Return (shape, the cell of each tile); tile 0 is the blank."""
    require(len(text) < 60 and re.fullmatch(r"(\d+ )+\d+(/(\d+ )+\d+)+", text, re.ASCII), f"{what}: not a board")
    rows = [row.split(" ") for row in text.split("/")]
    tiles, shape = sum(rows, []), (len(rows), len(rows[0]))
    require(len(tiles) <= 16 and all(len(row) == shape[1] for row in rows), f"{what}: wrong shape")
    numbers = [str(tile) for tile in range(len(tiles))]
    require(sorted(tiles) == sorted(numbers), f"{what}: a tile is missing or occurs twice")
    return shape, np.array([[tiles.index(tile) for tile in numbers]], dtype=np.uint8)


@lru_cache(None)
def neighbours(shape):
    """Return [cell, direction]: the cell there, or -1."""
    cells, (rows, cols) = np.arange(shape[0] * shape[1]), shape
    inside = (cells >= cols, cells % cols > 0, cells % cols < cols - 1, cells < (rows - 1) * cols)
    return np.array([np.where(there, cells + by, -1) for there, by in zip(inside, (-cols, -1, 1, cols))]).T


def slide(boards, to):
    """Return (the boards after their blanks went to cells `to`, the tiles that moved); boards[i, tile] is a cell."""
    boards, tiles = boards.copy(), (boards == to[:, None]).argmax(axis=1)
    boards[np.arange(len(boards)), tiles], boards[:, 0] = boards[:, 0], to
    return boards, tiles


def numbers_of(boards):
    """Return a number for each board; those of different boards differ."""
    places = 4 * boards.astype(np.uint64)
    return sum((np.uint64(tile) << places[:, tile] for tile in range(1, boards.shape[1])), np.uint64(0))


@lru_cache(None)
class Space:
    """How tables number placements of k tiles. A *map* has the bits of their cells. A map and a region, whose cells the
    blank reaches without moving one of them, are a *block*. Maps are ordered by (high byte, colour of the low byte, low
    byte), the blocks of a map by their lowest cells. The order of the tiles is a *row*."""

    def __init__(self, shape, k):
        cells, near = np.arange(shape[0] * shape[1]), neighbours(shape)
        self.k, self.edges = k, [(cell, end) for cell in cells.tolist() for end in near[cell].tolist() if end >= 0]
        self.colour = (cells // shape[1] + cells % shape[1]) & 1
        maps = np.arange(1 << len(cells))
        held = maps[:, None] >> cells & 1
        maps = maps[np.lexsort((maps & 255, (held * self.colour)[:, :8].sum(axis=1) & 1, maps >> 8))]
        maps = maps[held[maps].sum(axis=1) == k]
        free = held[maps] == 0
        lowest, before = np.where(free, cells, 0), None  # lowest cell of the region
        while before is None or (lowest != before).any():
            before = lowest.copy()
            for cell, end in self.edges:
                both = free[:, cell] & free[:, end]
                lowest[both, cell] = np.minimum(lowest[both, cell], lowest[both, end])
        first = free & (lowest == cells)
        numbers = np.cumsum(first).reshape(first.shape) - 1
        self.map_of = np.repeat(maps, first.sum(axis=1)).tolist()  # [block]
        self.block = np.full((len(held), len(cells)), -1)  # [map, cell of the blank]
        self.block[maps] = np.where(free, np.take_along_axis(numbers, lowest, axis=1), -1)
        self.weight = np.array([1, k, *(k * (k - 1) * factorial(k - 1 - place) for place in range(2, k))])

    def rows(self, at):
        """Return the rows of placements: at[.., label] is the cell of a tile, and labels are in the goal's order."""
        before = at[:, None, :] < at[:, :, None]  # [.., a, b]: b stands before a
        smaller = (~before & np.tri(self.k, k=-1, dtype=bool)).sum(axis=2, dtype=np.uint8)  # labels, and stand behind
        return (self.weight[before.sum(axis=2, dtype=np.uint8)] * smaller).sum(axis=1)


@lru_cache(None)
class Table:
    """The fewest moves of the tiles with the goal cells `cells`, when the blank goes `home`; moves of others do not
    count. The value is odd if the map has another colour than the goal's, and its bit is (value >> 1) & 1."""

    def __init__(self, path, shape, cells, home):
        self.cells, self.space, map = list(cells), Space(shape, len(cells)), sum(1 << cell for cell in cells)
        self.goal_block, self.is_right = self.space.block[map, home], None
        self.homes = np.flatnonzero(self.space.block[map] == self.goal_block).tolist()
        require(path.is_file(), f"table {path.name}: there is no such file in the folder {path.parent}")
        data = np.memmap(path, dtype=np.uint8, mode="r")
        head = struct.pack("<IIBBBBHH", 1, 4096, 1, *shape, len(cells), map, sum(1 << cell for cell in self.homes))
        lines = factorial(len(cells)), (len(self.space.map_of) + 63) // 64 * 8
        same = data[:24].tobytes() == b"P15TABLE" + head and len(data) == 4096 + lines[0] * lines[1]
        require(same, f"table {path.name}: the file is for other tiles, another home, or has another format or size")
        self.sha256, self.bits = hashlib.sha256(data).hexdigest(), data[4096:].reshape(lines)

    def values(self, at, blank, before):
        """Return the values of placements that had the values `before` until a tile of the pattern moved."""
        blocks = self.space.block[(1 << at.astype(np.int64)).sum(axis=1), blank]
        bits = self.bits[self.space.rows(at), blocks >> 3] >> (blocks & 7).astype(np.uint8) & 1
        odd = (self.space.colour[at].sum(axis=1) + self.space.colour[self.cells].sum()) & 1
        return before + 1 - ((before - 2 * bits.astype(np.int64) - odd + 1) & 3)

    def check(self):
        """Find all distances to the goal, lowering them until no move lowers one; set whether all bits are right."""
        labels, block, unknown = np.array([*permutations(range(self.space.k))]), self.space.block, 200
        labels = labels[np.argsort(self.space.rows(labels.argsort(axis=1)))]  # [row, place]

        @lru_cache(None)
        def rows_after(place, to):  # [row]: the row after the tile on a place went to another place
            after = np.insert(np.delete(labels, place, axis=1), to, labels[:, place], axis=1)
            return self.space.rows(after.argsort(axis=1))

        @lru_cache(None)
        def moves(here):  # out of a block: (the block there, the tile's place, its place there)
            map = self.space.map_of[here]
            out = [(free, tile) for free, tile in self.space.edges if block[map, free] == here and map >> tile & 1]
            rests = [(map ^ 1 << tile, (1 << tile) - 1, (1 << free) - 1, free, tile) for free, tile in out]
            return [(block[r | 1 << a, b], (r & p).bit_count(), (r & q).bit_count()) for r, p, q, a, b in rests]

        far, lowered = np.full((len(self.space.map_of), len(self.bits)), unknown, dtype=np.uint8), {self.goal_block}
        far[self.goal_block, 0] = 0
        while lowered:
            lowered, ready = set(), lowered
            for here in ready:
                for end, place, to in moves(here):
                    lower = (far[here] if place == to else far[here][rows_after(to, place)]) + np.uint8(1)
                    if (lower < far[end]).any():
                        np.minimum(far[end], lower, out=far[end])
                        lowered.add(end)
        self.is_right = True
        for part in range(0, len(far), 64):
            bits = np.unpackbits(self.bits[:, part // 8 : part // 8 + 8], axis=1, bitorder="little").T
            right = np.where(far[part : part + 64] == unknown, 0, far[part : part + 64] >> 1 & 1)
            self.is_right &= bool((bits[: len(right)] == right).all() and not bits[len(right) :].any())


class Sums:
    """The lookups of a certificate: each adds up the values of tables on a board, and the largest sum is h."""

    def __init__(self, lookups, tables, shape, goal):
        self.uses, self.parts, near = [], [], neighbours(shape)
        for each in lookups:
            check_fields(each, LOOKUP, "a lookup")
            check_numbers(each["tables"], 1, 16, len(tables), "a lookup: tables")
            check_numbers(each["cell_to"], len(near), len(near), len(near), "a lookup: cell_to")
            to, chosen = np.array(each["cell_to"]), [tables[number] for number in each["tables"]]
            same = np.sort(near[to]) == np.sort(np.where(near < 0, -1, to[near]))  # the images of neighbours
            require(same.all(), "a lookup: cell_to is not a symmetry of the board")
            cells = sum((table.cells for table in chosen), [])
            require(len({*cells}) == len(cells), "a lookup: its patterns share a tile, so their values do not add up")
            require(all(to[goal[0, 0]] in table.homes for table in chosen), "a lookup: a table is for another home")
            tile_at = np.argsort(to[goal[0]])  # the tile whose goal cell comes there
            self.parts.append(range(len(self.uses), len(self.uses) + len(chosen)))
            self.uses += [(table, tile_at[table.cells], to) for table in chosen]

    def after(self, boards, tiles, values):
        """Return the values of boards that had others until a tile moved."""
        values = values.copy()
        for use, (table, own, to) in enumerate(self.uses):
            rows = np.flatnonzero(np.isin(tiles, own))
            values[rows, use] = table.values(to[boards[rows][:, own]], to[boards[rows, 0]], values[rows, use])
        require((values >= 0).all(), "a table is wrong: it gives a negative value")
        return values

    def h(self, values):
        return np.max([values[:, part].sum(axis=1) for part in self.parts] or [0 * values.sum(axis=1)], axis=0)


def search_again(shape, start, goal, sums, values, bound):
    """Raise ValueError if there is a solution of at most so many moves; return how many boards were made.

    Many boards of one depth are searched at once. One of equal boards is kept, and no move is undone. So no shortest
    solution is lost: its boards cannot be reached in fewer moves, and the one that is kept goes on along it."""
    near, made, stack = neighbours(shape), 0, [(0, start, np.array([9]), values)]
    while stack:
        depth, boards, last, values = stack.pop()
        require((boards != goal).any(axis=1).all(), f"not shortest: {depth} moves solve the board, too")
        rows, direction = np.nonzero((near[boards[:, 0]] >= 0) & (np.arange(4) != 3 - last[:, None]))
        boards, tiles = slide(boards[rows], near[boards[rows, 0], direction])
        values, depth = sums.after(boards, tiles, values[rows]), depth + 1
        numbers, first, same = np.unique(numbers_of(boards), return_index=True, return_inverse=True)
        require((values == values[first][same]).all(), "a table is wrong: its value depends on the way to a board")
        made, first = made + len(first), first[depth + sums.h(values[first]) <= bound]
        for part in np.split(first, range(MOST_TOGETHER, len(first), MOST_TOGETHER)):
            stack += [(depth, boards[part], direction[part], values[part])] if len(part) else []
    return made


def check(certificate, table_of):
    """Return what a certificate proves; raise ValueError if it proves nothing."""
    check_fields(certificate, CERTIFICATE, "the certificate")
    for name, value in KNOWN.items():
        require(certificate[name] == value, f"{name} is not {value!r}")
    (shape, start), (goal_shape, goal) = (read_board(certificate[name], name) for name in ("board", "goal"))
    require(shape == goal_shape, "board and goal have different shapes")
    near, boards, tiles, length = neighbours(shape), [start], [], len(certificate["moves"])
    require(length == certificate["length"] < 256, f"length is not the number of moves, {length}, or more than 255")
    for number, letter in enumerate(certificate["moves"], 1):
        to = near[boards[-1][0, :1], LETTERS.find(letter)]
        require(letter in LETTERS and to[0] >= 0, f"move {number} is illegal")
        board, tile = slide(boards[-1], to)
        boards, tiles = [*boards, board], [*tiles, tile]
    require((boards[-1] == goal).all(), "the moves do not lead to the goal")
    require(len(certificate["tables"]) <= 32 and len(certificate["lookups"]) <= 16, "too many tables or lookups")
    tables = [table_of(shape, entry) for entry in certificate["tables"]]
    sums = Sums(certificate["lookups"], tables, shape, goal)
    require(sums.uses or len(near) <= 9, "tables are missing: without them, boards have up to 9 cells")
    values = np.zeros((1, len(sums.uses)), dtype=np.int16)  # of the goal
    for left, (board, tile) in enumerate(zip(boards[-2::-1], tiles[::-1]), 1):
        values = sums.after(board, tile, values)
        require(sums.h(values)[0] <= left, "a table is wrong: its values exceed the moves that are left")
    for each in certificate["iterations"]:
        check_fields(each, ITERATION, "an iteration")
    bounds = [each["bound"] for each in certificate["iterations"]]
    h = int(sums.h(values)[0]) if sums.uses else min([*bounds[:1], length])
    right = [*range(h, length + 1, 2)] if length and h % 2 == length % 2 else []
    require(bounds == right and (right or not length), f"the bounds of the iterations are not {h}, {h + 2} .. {length}")
    made = sum(search_again(shape, start, goal, sums, values, bound - 1) for bound in bounds[1 if sums.uses else -1 :])
    trust = "" if all(table.is_right for table in tables) else ", if its tables are right"
    return f"{length} moves are the fewest{trust} ({made:,} boards)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("certificates", type=argparse.FileType("rb"))
    parser.add_argument("--tables", type=Path, default=Path(), metavar="FOLDER", help="where the tables are")
    parser.add_argument("--check-tables", action="store_true", help="compute the tables again; this can take minutes")
    arguments, failed, number = parser.parse_args(), 0, 0

    def table_of(shape, entry):
        check_fields(entry, TABLE, "a table")
        require(re.fullmatch(r"[\w-]{1,60}\.p15", entry["file"], re.ASCII), "a table: file is not the name of a table")
        require(entry["format"] == "zero-aware", "a table: format is not 'zero-aware'")
        check_numbers([*entry["cells"], entry["home"]], 2, 9, len(neighbours(shape)), "a table: cells and home")
        require(entry["cells"] == sorted(entry["cells"]), "a table: cells are not in order")
        table = Table(arguments.tables / entry["file"], shape, tuple(entry["cells"]), entry["home"])
        require(table.sha256 == entry["sha256"], f"table {entry['file']}: the file has another SHA-256")
        if arguments.check_tables and table.is_right is None:
            print(f"checking all entries of {entry['file']}, SHA-256 {table.sha256}", file=sys.stderr, flush=True)
            table.check()
        require(table.is_right is not False, f"table {entry['file']}: an entry is wrong")
        return table

    for number, line in enumerate(iter(lambda: arguments.certificates.readline(LONGEST_LINE), b""), 1):
        try:
            require(len(line) < LONGEST_LINE, f"the line has more than {LONGEST_LINE:,} bytes")
            claim = json.loads(line, object_pairs_hook=lambda pairs: len(dict(pairs)) == len(pairs) and dict(pairs))
            print(f"{number}: accepted: {check(claim, table_of)}", flush=True)
        except (ValueError, RecursionError, OSError) as error:  # of `require`, or that the line is not JSON
            failed += 1
            print(f"{number}: rejected: {' '.join(str(error).split())[:200]}", flush=True)
    return int(failed > 0 or not number)


if __name__ == "__main__":
    sys.exit(main())
