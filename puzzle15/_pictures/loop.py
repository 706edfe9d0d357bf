"""Moves of a board as an SVG that plays them by itself, again and again, without a script, such as for a README."""

from __future__ import annotations

from binascii import crc32
from collections.abc import Sequence

from .._system.quantities import count_text
from ..errors import OptionError
from .palette import colour_numbers
from .svg import (
    DEFAULT_LOOK,
    Look,
    Svg,
    board_extent,
    board_fragment,
    board_size,
    board_title,
    cell_centre,
    describe_board,
    moving_tiles,
    stylesheet,
)

_LINE = 24  # the height of the text below the board
_FIRST_S, _LAST_S = 1.0, 2.0  # how long the first and the last board stand still


def moves_svg(
    tiles: Sequence[int],
    shape: tuple[int, int],
    moves: Sequence[str],
    look: Look = DEFAULT_LOOK,
    *,
    tiles_per_second: float = 2.0,
) -> Svg:
    """Return a picture that plays moves, at least one, with the number of moves made below the board.

    With reduced motion, it shows the first board. In a page, the pointer on the picture stops it. The arguments are
    those of `puzzle15._pictures.player_html`.

    >>> picture = moves_svg([1, 2, 3, 0], (2, 2), ["D", "R"])
    >>> picture.count("@keyframes"), "1 of 2" in picture
    (3, True)
    """
    check_speed(tiles_per_second)
    width, height = board_extent(shape)
    scale = board_size(shape, look.size)[0] / width
    # Pictures in one page have animations of their own names; those of one name are the same.
    name = f"p15-{crc32(repr((tiles, shape, moves, tiles_per_second)).encode()):08x}"
    fragment = board_fragment(tiles, shape, look._replace(size=max(width, height)))
    counts = "".join(
        f'<text x="{width // 2}" y="{_LINE * number + 15}">{number} of {len(moves)}</text>'
        for number in range(len(moves) + 1)
    )
    rules = _animations(name, tiles, shape, moves, tiles_per_second)
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="{name}" width="{scale * width:.4g}" '
        f'height="{scale * (height + _LINE):.4g}" viewBox="0 0 {width} {height + _LINE}">'
        f"<title>{board_title(shape)}, and {count_text(len(moves), 'move')}</title>"
        f"<desc>{describe_board(tiles, shape)} Moves: {', '.join(moves)}.</desc>"
        f"{stylesheet(colour_numbers(shape, look.colours, look.goal)[1:])}"
        f"<style>@media(prefers-reduced-motion:no-preference){{{rules}}}"
        f".{name}:hover *{{animation-play-state:paused}}</style>"
        f'<g class="p15"><rect width="{width}" height="{height + _LINE}" rx="8"/></g>{fragment}'
        f'<svg class="p15" y="{height}" width="{width}" height="{_LINE}"><g class="n">{counts}</g></svg></svg>'
    )


def check_speed(tiles_per_second: float) -> None:
    """ValueError for a speed at which moves cannot be followed."""
    if not 0.1 <= tiles_per_second <= 50:
        raise OptionError(f"tiles_per_second={tiles_per_second!r}: expected a number of moves per second, 0.1 .. 50")


def slide_seconds(tiles_per_second: float) -> float:
    return min(0.25, 0.8 / tiles_per_second)


def _animations(
    name: str, tiles: Sequence[int], shape: tuple[int, int], moves: Sequence[str], tiles_per_second: float
) -> str:
    """Return the rules that move the tiles, and the numbers below them."""
    delay, slide = 1 / tiles_per_second, slide_seconds(tiles_per_second)
    total = _FIRST_S + delay * len(moves) + _LAST_S

    def share(seconds: float) -> str:
        return f"{100 * seconds / total:.6g}%"

    board, beside = list(tiles), moving_tiles(shape[1])
    slides = {tile: [(0.0, cell)] for cell, tile in enumerate(tiles) if tile}  # per tile: when it slides, and to where
    for number, move in enumerate(moves):
        for letter in move:
            blank = board.index(0)
            cell = blank + beside[letter]
            slides[board[cell]].append((_FIRST_S + delay * number, blank))
            board[blank], board[cell] = board[cell], 0
    rules = []
    for index, steps in enumerate(slides.values(), 1):
        if len(steps) == 1:
            continue
        frames = []
        for (start, cell), (end, _) in zip(steps, [*steps[1:], (total, 0)]):
            x, y = cell_centre(cell, shape)
            arrival = start + slide if start else 0.0
            frames.append(f"{share(arrival)},{share(end)}{{transform:translate({x}px,{y}px)}}")
        rules.append(
            f"@keyframes {name}-{index}{{{''.join(frames)}}}"
            f".{name} .p15>[class^=c]:nth-of-type({index}){{animation:{name}-{index} {total:g}s infinite}}"
        )
    first, last = share(_FIRST_S), share(total - _LAST_S)
    rules.append(
        f"@keyframes {name}{{0%,{first}{{transform:none}}{last},to{{transform:translateY({-_LINE * len(moves)}px)}}}}"
        f".{name} .n{{animation:{name} {total:g}s steps({len(moves)},start) infinite}}"
    )
    return "".join(rules)
