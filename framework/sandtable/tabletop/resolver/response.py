"""A picture of the responses of the resolver SR-1: ``python -m sandtable.tabletop.resolver.response > response.svg``.

It is drawn from exact odds, not from samples, and all its coordinates are integers.
"""

import sys
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from sandtable.tabletop.brief import Brief, Company, Party
from sandtable.tabletop.resolver.constants import SR1, table_key
from sandtable.tabletop.resolver.logit import MILLION, ln_ratio, logistic
from sandtable.tabletop.resolver.odds import chances, won_by
from sandtable.tabletop.rosters import roster

INK, FAINT, GRID = "#222222", "#666666", "#dddddd"
LINES = ("#1b4f72", "#b9770e", "#7d3c98", "#1e8449")
POINTS = ("#1b4f72", "#2e86c1", "#aed6f1", "#fad7a0", "#dc7633", "#943126")
"""Colors of 6, 5, 4, 3, 2 and 1 victory points."""

WIDTH, HEIGHT = 960, 1010
RATIOS = range(50, 201, 5)
"""Own points relative to the enemy's, in percent."""

MISSIONS = (
    "Free for All",
    "Encounter",
    "Breakthrough",
    "Total Victory",
    "Hasty Assault",
    "The Cauldron",
    "Breakout",
    "Fighting Withdrawal",
    "Hold the Line",
    "No Retreat",
    "The Big Push",
    "Trench Fight",
)
PAIRS = (("armor", "armor"), ("armor", "infantry"), ("infantry", "infantry"))


_OPENING = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    ' font-family="Helvetica, Arial, sans-serif" role="img">'
)


def picture() -> str:
    """Return the picture as one SVG document."""
    parts = [
        _OPENING,
        "<title>How the statistical resolver SR-1 responds</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        _text(20, 34, "How the statistical resolver SR-1 responds", 20, weight="bold"),
        *_wins(60, 90, 380, 300),
        *_splits(540, 90, 380, 300),
        *_missions(170, 500, 300, 440),
        *_others(690, 500, 230, 440),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _text(x: int, y: int, text: str, size: int = 12, anchor: str = "start", **more: str) -> str:
    weight = f' font-weight="{more["weight"]}"' if "weight" in more else ""
    color = more.get("fill", INK)
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{color}"{weight}>{escape(text)}</text>'
    )


def _line(points: Sequence[tuple[int, int]], color: str, width: int = 2) -> str:
    path = " ".join(f"{x},{y}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width}"/>'


def _box(x: int, y: int, width: int, height: int, color: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{color}"/>'


def _x_of(ratio: int, left: int, width: int) -> int:
    """Return the x coordinate of a ratio on a logarithmic axis from 50 to 200 percent."""
    return left + (ln_ratio(ratio, 50) * width) // ln_ratio(200, 50)


def _axes(left: int, top: int, width: int, height: int, title: str) -> Iterable[str]:
    yield _text(left, top - 14, title, 14, weight="bold")
    for percent in range(0, 101, 25):
        y = top + height - height * percent // 100
        yield _line([(left, y), (left + width, y)], GRID, 1)
        yield _text(left - 6, y + 4, f"{percent} %", 11, "end", fill=FAINT)
    for ratio, name in ((50, "1:2"), (67, "2:3"), (80, "4:5"), (100, "1:1"), (125, "5:4"), (150, "3:2"), (200, "2:1")):
        x = _x_of(ratio, left, width)
        yield _line([(x, top), (x, top + height)], GRID, 1)
        yield _text(x, top + height + 16, name, 11, "middle", fill=FAINT)
    yield _text(left + width // 2, top + height + 36, "points, own to enemy", 12, "middle")


def _wins(left: int, top: int, width: int, height: int) -> Iterable[str]:
    """Draw the probability of winning by the ratio of points, with a line for each number of re-rolls."""
    yield from _axes(left, top, width, height, "Probability of winning, by points and re-rolls")
    for rerolls, color in enumerate(LINES):
        points = []
        for ratio in RATIOS:
            chance = logistic(SR1.exponent * ln_ratio(ratio, 100) + 1000 * SR1.reroll * rerolls)
            points.append((_x_of(ratio, left, width), top + height - height * chance // MILLION))
        yield _line(points, color)
        y = top + height - 20 - 18 * (len(LINES) - 1 - rerolls)
        yield _line([(left + width - 130, y - 4), (left + width - 106, y - 4)], color, 3)
        yield _text(
            left + width - 98, y, ("no re-roll", "1 re-roll")[rerolls] if rerolls < 2 else f"{rerolls} re-rolls"
        )


def _splits(left: int, top: int, width: int, height: int) -> Iterable[str]:
    """Draw the shares of own victory points, 6 at the top to 1 at the bottom, by the ratio of points."""
    yield from _axes(left, top, width, height, "Own victory points, by points")
    edges: list[list[tuple[int, int]]] = [[] for _ in range(7)]
    for ratio in RATIOS:
        odds = SR1.exponent * ln_ratio(ratio, 100)
        own, enemy = won_by(odds), won_by(-odds)
        total, sums = 0, [0]
        for share in (*own, *reversed(enemy)):
            total += share
            sums.append(total)
        for edge, share in zip(edges, sums, strict=True):
            edge.append((_x_of(ratio, left, width), top + height * share // max(1, total)))
    for place, color in enumerate(POINTS):
        outline = [*edges[place], *reversed(edges[place + 1])]
        path = " ".join(f"{x},{y}" for x, y in outline)
        yield f'<polygon points="{path}" fill="{color}" stroke="#ffffff" stroke-width="1"/>'
    for place, name in enumerate(("6-1", "5-2", "4-3", "3-4", "2-5", "1-6")):
        middle = len(RATIOS) * (20 if place < 3 else 8) // 30
        x, y = edges[place][middle][0], (edges[place][middle][1] + edges[place + 1][middle][1]) // 2
        yield _text(x, y + 4, name, 13, "middle", weight="bold", fill="#222222" if place in {2, 3} else "#ffffff")


def _battle(mission: str, archetypes: tuple[str, str], *, alter: dict[str, Any] | None = None) -> Brief:
    """Return a battle of equal companies of 1,500 points; the first attacks. ``alter`` changes a company or party."""
    company_fields = {"supplied", "skill", "motivation"}
    parties = {}
    for side, archetype in zip(("a", "b"), archetypes, strict=True):
        own = (alter or {}) if side == "a" else {}
        platoons = roster(archetype, 1500, int(str(own.get("afv_less", 0))), stand_less=bool(own.get("stand_less")))
        inner = {name: value for name, value in own.items() if name in company_fields}
        company = Company(side, side, archetype, "", archetype, 1500, platoons, **inner)
        outer = {name: value for name, value in own.items() if name in {"air", "rerolls", "extras"}}
        parties[side] = Party(side, side, side, (company,), 1500, **outer)
    roles: dict[str, Any] = {} if table_key(mission) in SR1.without_roles else {"attacker": "a", "defender": "b"}
    mud = int(str((alter or {}).get("mud", 0)))
    return Brief("picture", "", 1, "", "", mission, parties, mud=mud, **roles)


def _bar(x: int, y: int, width: int, chance: int, color: str, height: int = 9) -> Iterable[str]:
    """Draw a probability (millionths) as a bar on a scale of ``width``, with its percentage next to the scale."""
    yield _box(x, y, width, height, "#f2f2f2")
    yield _box(x, y, width * chance // MILLION, height, color)
    tenths = (chance * 1000 + MILLION // 2) // MILLION
    yield _text(x + width + 6, y + height // 2 + 4, f"{tenths // 10}.{tenths % 10} %", 10, fill=FAINT)


def _missions(left: int, top: int, width: int, height: int) -> Iterable[str]:
    """Draw the attacker's probability of winning by mission and kinds of companies, with equal points."""
    yield _text(left - 150, top - 14, "Attacker's probability of winning, by mission, equal points", 14, weight="bold")
    step = height // len(MISSIONS)
    for row, mission in enumerate(MISSIONS):
        y = top + 4 + row * step
        yield _text(left - 8, y + step // 2 + 1, mission, 12, "end")
        for place, pair in enumerate(PAIRS):
            chance = chances(_battle(mission, pair))["a"]
            yield from _bar(left, y + place * 10, width, chance, LINES[place])
    middle = left + width // 2
    yield _line([(middle, top), (middle, top + height)], FAINT, 1)
    yield _text(middle, top + height + 14, "50 %", 11, "middle", fill=FAINT)
    for place, (own, enemy) in enumerate(PAIRS):
        x = left - 150 + place * 160
        yield _box(x, top + height + 26, 10, 10, LINES[place])
        yield _text(x + 16, top + height + 35, f"{own} on {enemy}")


CHANGES: tuple[tuple[str, dict[str, object]], ...] = (
    ("1 re-roll", {"rerolls": 1}),
    ("2 re-rolls", {"rerolls": 2}),
    ("air: sporadic", {"air": "sporadic"}),
    ("air: limited", {"air": "limited"}),
    ("air: priority", {"air": "priority"}),
    ("out of supply", {"supplied": False}),
    ("one vehicle fewer per platoon", {"afv_less": 1}),
    ("two vehicles fewer per platoon", {"afv_less": 2}),
    ("one stand fewer per platoon", {"stand_less": True}),
    ("smoke, 3 platoons", {"extras": {"smoke": 3}}),
    ("counterbattery", {"extras": {"counterbattery": 1}}),
    ("night attack", {"extras": {"night_attack": 1}}),
    ("aerial bombardment", {"extras": {"aerial_bombardment": 1}}),
)


def _others(left: int, top: int, width: int, height: int) -> Iterable[str]:
    """Draw the other factors for one of two equal armored companies."""
    yield _text(left - 160, top - 14, "Other effects on one of two equal tank companies", 14, weight="bold")
    step = height // len(CHANGES)
    for row, (name, alter) in enumerate(CHANGES):
        chance = chances(_battle("Free for All", ("armor", "armor"), alter=alter))["a"]
        y = top + 4 + row * step
        yield _text(left - 8, y + 16, name, 12, "end")
        yield from _bar(left, y + 6, width, chance, LINES[chance < MILLION // 2], 14)
    middle = left + width // 2
    yield _line([(middle, top), (middle, top + height)], FAINT, 1)
    yield _text(middle, top + height + 14, "50 %", 11, "middle", fill=FAINT)


if __name__ == "__main__":
    sys.stdout.write(picture())
