"""What people see: pages, the contrast of colours, and how much colours differ, also without one kind of cones."""

import math
from html.parser import HTMLParser

#: What people see who lack one kind of cones, in linear RGB: the matrices for severity 1.0 of Machado, Oliveira and
#: Fernandes, "A physiologically-based model for simulation of color vision deficiency", IEEE TVCG 15 (6), 2009.
MATRICES = """
all cones   : 1 0 0  0 1 0  0 0 1
protanopia  : 0.152286 1.052583 -0.204868  0.114503 0.786281 0.099216  -0.003882 -0.048116 1.051998
deuteranopia: 0.367322 0.860646 -0.227968  0.280085 0.672501 0.047413  -0.011820 0.042940 0.968881
tritanopia  : 1.255528 -0.076749 -0.178779  -0.078411 0.930809 0.147602  0.004733 0.691367 0.303900
"""
ROWS = [line.split(":") for line in MATRICES.strip().splitlines()]
SIGHT = {name.strip(): list(zip(*[map(float, numbers.split())] * 3)) for name, numbers in ROWS}


def linear(colour):
    """Linear RGB of ``#rrggbb``."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]


def contrast(one, other):
    """The contrast ratio of WCAG 2."""
    low, high = sorted(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(some))) for some in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(colour, sight):
    """CIELAB of a colour as somebody sees it, under the white of sRGB."""
    red, green, blue = (min(1, max(0, sum(w * c for w, c in zip(row, linear(colour))))) for row in SIGHT[sight])
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0888
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one, other, sight):
    """The distance in CIELAB; 2.3 is what can just be seen."""
    return math.dist(lab(one, sight), lab(other, sight))


class Page(HTMLParser):
    """The elements and texts of a page, in which each element that was opened is closed."""

    EMPTY = {"meta", "input"}

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert not self.open
        self.tags = {tag for tag, _ in self.elements}

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    def with_tag(self, name):
        return [attributes for tag, attributes in self.elements if tag == name]

    def with_class(self, name):
        return [attributes for _, attributes in self.elements if name in attributes.get("class", "").split()]
