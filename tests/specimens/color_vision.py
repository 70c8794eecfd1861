"""Five kinds of color vision, and how far two pictures differ in each.

Matrices for full protanopia, deuteranopia and tritanopia: Machado, Oliveira and Fernandes (2009), in linear RGB.
Differences are CIE 1976 distances in L*a*b*.
"""

from collections.abc import Sequence
from functools import lru_cache

Color = tuple[int, int, int]
Matrix = tuple[tuple[float, float, float], ...]

GREY = (0.2126, 0.7152, 0.0722)
VISIONS: dict[str, Matrix] = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "grey": (GREY, GREY, GREY),
}
TO_XYZ: Matrix = ((0.4124, 0.3576, 0.1805), GREY, (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)


def _times(matrix: Matrix, color: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, color, strict=True)) for row in matrix]


@lru_cache(maxsize=1 << 16)
def lab(color: Color, vision: str) -> tuple[float, float, float]:
    """Return a color as a person with that color vision sees it, in L*a*b*."""
    linear = [each / 255 / 12.92 if each <= 10 else ((each / 255 + 0.055) / 1.055) ** 2.4 for each in color]
    seen = [min(1.0, max(0.0, each)) for each in _times(VISIONS[vision], linear)]
    x, y, z = (each / white for each, white in zip(_times(TO_XYZ, seen), WHITE, strict=True))
    fx, fy, fz = (each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116 for each in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: Color, other: Color, vision: str) -> float:
    """Return the distance of two colors; below 10 they are hard to tell apart on a small counter."""
    pairs = zip(lab(one, vision), lab(other, vision), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def percent_different(one: Sequence[Color], other: Sequence[Color], vision: str, least: float = 20) -> float:
    """Return the percentage of the pixels of two pictures that differ by at least ``least``."""
    differ = sum(distance(a, b, vision) >= least for a, b in zip(one, other, strict=True))
    return 100 * differ / len(one)
