"""A small battlefield that several test files draw: seven columns of six hexes with one of everything."""

import re
from xml.etree import ElementTree as ET

import msgspec

from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.map import HexMap
from sandtable.viewer.hexes.picture import HexArea, HexArrow, HexCounter, HexEntry, HexMark, HexPicture, HexTray, Tab
from sandtable.viewer.picture import Power
from sandtable.viewer.style import ALARM

RED = Power("red", "Reds", "R", "#c04040", "#e0a0a0")
BLUE = Power("blue", "Blues", "B", "#4040c0", "#a0a0e0")
PINNED = Tab("P", "pinned", "warning")

WOODS = ("0202", "0203", "0302")
GROUND = HexMap(
    id="field",
    grid=HexGrid(7, 6),
    terrain={
        **dict.fromkeys(WOODS, ("woods",)),
        "0505": ("slope",),
        "0504": ("hilltop",),
        "0601": ("town",),
    },
    hexsides={
        "0202/0203": ("woods",),
        "0202/0302": ("woods",),
        "0504/0505": ("crest",),
        "0104/0105": ("stream",),
        "0104/0204": ("stream", "ford"),
        "0101/0201": ("road",),
        "0201/0301": ("road",),
    },
    places={"Hill 1": ("0504", "0505")},
)


def counter(ident: str, number: str, owner: str = "red", **more: object) -> HexCounter:
    """Return a tank counter with the fields ``more`` replaced."""
    plain = HexCounter(ident, owner, number, "tank", "PzII", "t", ("2A", "5", "[3]", "15"), type_words="tank")
    return msgspec.structs.replace(plain, **more)


def picture(**more: object) -> HexPicture:
    """Return the battlefield with two tanks, a gun with infantry, a wreck, and plotted orders of two units."""
    counters = (
        counter("94", "0402", tabs=(Tab("D2", "disrupted, level 2"),)),
        counter("105", "0605", "blue", order="A2"),
        counter("38", "0703", "blue", symbol="gun", name="25mm", letter="g", facing="E", type_words="gun"),
        counter("26", "0703", "blue", symbol="infantry", name="Inf", letter="i", type_words="infantry"),
    )
    whole = HexPicture(
        title="A test",
        subtitle="Turn 2",
        ground=GROUND,
        powers=(RED, BLUE),
        counters=counters,
        marks=(HexMark("wreck", "0404", note="a wreck", letter="x"),),
        arrows=(HexArrow("move", "blue", ("0605", "0604", "0603")), HexArrow("fire", "red", ("0402", "0605"))),
        areas=(HexArea("goal", ("0504", "0505"), note="the goal"),),
        trays=(HexTray("Reds to come", (counter("95", ""),)),),
        legend=(HexEntry(PINNED, "pinned"), HexEntry("fire", "fire plotted"), HexEntry("leave", "ways out")),
        corner_words=("attack", "range", "defence", "movement"),
        notes=("A note.",),
    )
    return msgspec.structs.replace(whole, **more)


SVG = "{http://www.w3.org/2000/svg}"


def tree(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)  # noqa: S314 - our own drawing


def texts(drawing: str) -> list[str]:
    """Return the visible texts of an SVG."""
    return [each.text or "" for each in tree(drawing).iter(f"{SVG}text") if each.get("aria-hidden") is None]


def named(drawing: str, attribute: str) -> list[str]:
    """Return the values of an attribute in an SVG, in order."""
    return [each.get(attribute, "") for each in tree(drawing).iter() if each.get(attribute)]


def tip_of(drawing: str) -> tuple[int, int]:
    """Return the tip of the only arrow of a gun in an SVG."""
    paths = [each.get("d", "") for each in tree(drawing).iter(f"{SVG}path") if each.get("fill") == ALARM]
    (arrow,) = filter(None, paths)
    _, tip, _ = (point.split() for point in re.findall(r"-?\d+ -?\d+", arrow))
    return int(tip[0]), int(tip[1])


def sheet(drawing: str) -> str:
    """Return the text map itself, between the rules."""
    lines = drawing.splitlines()
    start, end = [number for number, line in enumerate(lines) if line and set(line) == {"-"}][:2]
    return "\n".join(lines[start + 1 : end]) + "\n"
