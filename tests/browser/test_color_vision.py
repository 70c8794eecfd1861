"""Sides on the maps of all rulesets in five kinds of color vision: no two can be told apart by hue alone."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from color_vision import VISIONS, Color, percent_different
from msgspec.structs import replace

from sandtable.plugin.manager import Rulesets
from sandtable.viewer import side_marks
from sandtable.viewer.areas.svg import areas_svg
from sandtable.viewer.hexes.drawing.counters import DROP, SIZE
from sandtable.viewer.hexes.layout import HexLayout
from sandtable.viewer.hexes.picture import HexArea, HexArrow, HexCounter, HexPicture
from sandtable.viewer.hexes.svg import hexes_svg
from sandtable.viewer.picture import Counter, Move, Picture, Power

pytestmark = [pytest.mark.browser, pytest.mark.full]

READABLE = 28
"""The size of a counter in pixels: the smallest at which a table opens."""
LEAST = 6.0
"""Minimum percentage of the pixels of a counter and its hex that differ between two sides."""
RASTER = """async ([svg, width, height, x, y, size]) => {
  const image = new Image();
  image.src = "data:image/svg+xml," + encodeURIComponent(svg);
  await image.decode();
  const canvas = new OffscreenCanvas(width, height), context = canvas.getContext("2d");
  context.drawImage(image, 0, 0, width, height);
  return [...context.getImageData(x, y, size, size).data];
}"""
FULL = ("poland", "agc", "frontier")
"""The scenarios in the full set; all others are in the campaign."""
SCENARIOS = [
    pytest.param(name, each, marks=() if each in FULL else pytest.mark.slow)
    for name in Rulesets().ids()
    for each in Rulesets().load(name).scenarios()
]


class Shot(NamedTuple):
    """A drawing, the point of its middle of interest, and the size of a counter and of the square around the point."""

    svg: str
    x: int
    y: int
    counter: int
    square: int


def first_picture(ruleset: str, scenario: str) -> Any:
    """Return the picture at the beginning of a scenario for the umpire, or None if the ruleset draws none."""
    prepared = Rulesets().load(ruleset).prepare(scenario)
    state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    picture = prepared.installed.ui.picture
    return picture(prepared.ruleset.view(state, "umpire"), prepared.board) if picture else None


def on_hexes(picture: HexPicture, owner: str) -> Shot:
    """Draw one counter of a side with an arrow and the hexes that it holds, in the middle of the map."""
    center = HexLayout(picture.ground, None).center
    middle = min(center, key=lambda each: (abs(center[each][0] - 1200) + abs(center[each][1] - 1200), each))
    near = [each for each in picture.ground.around[middle] if each]
    trays = [each for tray in picture.trays for each in tray.counters]
    known = next(iter((*picture.counters, *trays)))
    counter = HexCounter("1", owner, middle, known.symbol, "", "", known.corners, caption="1")
    arrow, held = HexArrow("move", owner, (middle, near[0])), HexArea("held", (middle, *near), owner)
    drawn = hexes_svg(replace(picture, counters=(counter,), arrows=(arrow,), areas=(held,), marks=(), trays=()))
    x, y = center[middle]
    return Shot(drawn, x, y + DROP, SIZE, 68)


def on_areas(picture: Picture, owner: str) -> Shot:
    """Draw one counter of a side in the first open place, and a move out of it."""
    place = next(each for each in picture.places if each.ground == "open")
    other = next(each for each in picture.places if each.ground == "open" and each.id != place.id)
    places = [replace(each, counters=(), badges=()) for each in picture.places]
    places[picture.places.index(place)] = replace(place, counters=(Counter("infantry", owner, 1),), badges=())
    drawn = areas_svg(replace(picture, places=tuple(places), moves=(Move(owner, (place.id, other.id)),)))
    return Shot(drawn, place.x, place.y + 42, 45, 45)


def same_color(power: Power) -> Power:
    return replace(power, color="#b9b3a0", tint="#b9b3a0")


def pixels(tab: Any, shot: Shot) -> list[Color]:
    """Return the pixels of the square of a drawing, with the counter at its smallest size."""
    left, top, wide, high = map(int, shot.svg.split('viewBox="')[1].split('"')[0].split())
    scale = READABLE / shot.counter
    width, height, size = (round(each * scale) for each in (wide, high, shot.square))
    sized = shot.svg.replace("<svg ", f'<svg width="{width}" height="{height}" ', 1)
    x, y = (round((at - start) * scale - size / 2) for at, start in ((shot.x, left), (shot.y, top)))
    data = tab.evaluate(RASTER, [sized, width, height, x, y, size])
    return [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 4)]


def lookalikes(tab: Any, picture: Any) -> Iterator[str]:
    """Yield the pairs of sides whose counters look the same in some color vision, or would in one color."""
    draw = on_hexes if isinstance(picture, HexPicture) else on_areas
    gray = replace(picture, powers=tuple(map(same_color, picture.powers)))
    sides = [power.id for power in picture.powers]
    seen, plain = ({each: pixels(tab, draw(drawn, each)) for each in sides} for drawn in (picture, gray))
    for one, other in combinations(sides, 2):
        if percent_different(plain[one], plain[other], "grey") < LEAST:
            yield f"{one} and {other} without color"
        yield from (
            f"{one} and {other} in {vision} vision"
            for vision in VISIONS
            if percent_different(seen[one], seen[other], vision) < LEAST
        )


@pytest.fixture(scope="module")
def tab(chromium: Any) -> Iterator[Any]:
    """Return an empty page, to draw on."""
    context = chromium.new_context()
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(("ruleset", "scenario"), SCENARIOS)
def test_sides_differ_by_more_than_hue(ruleset: str, scenario: str, tab: Any) -> None:
    picture = first_picture(ruleset, scenario)
    if picture is None:  # a sheet of figures in words
        return
    assert list(lookalikes(tab, picture)) == []


def test_sides_without_marks_look_alike(tab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The armies of Poland 1939 were one gray to red-green-weak eyes before sides had marks."""
    monkeypatch.setattr(side_marks, "MARKS", side_marks.MARKS[:1])
    found = list(lookalikes(tab, first_picture("kampfpanzer", "poland")))
    assert "germans and poles without color" in found
    assert "germans and poles in protan vision" in found
