"""The text map: its content, its width, and that names cannot control the terminal."""

import msgspec
import pytest
from battlefield import sheet

from sandtable.viewer.areas.text import areas_text, place_lines
from sandtable.viewer.picture import Badge, Counter, LegendEntry, Link, Picture, Place, Power

RED = Power("red", "Reds", "R", "#c04040", "#e0a0a0")
BLUE = Power("blue", "Blues", "B", "#4040c0", "#a0a0e0")
TOBRUK = Place(
    "TOB",
    100,
    200,
    "Tobruk",
    "TOB",
    "red",
    3,
    badges=(Badge("city", letter="*"), Badge("mine", "M", "m", "a minefield")),
    counters=(
        Counter("infantry", "red", 3, "i", "infantry"),
        Counter("artillery", "red", 1, "a", "artillery"),
        Counter("fighter", "red", 1, "f", "fighter"),
        Counter("bomber", "red", 2, "b", "bombers"),
        Counter("infantry", "blue", 1, "i_", "infantry", note="laid down", down=True),
    ),
)
ELSEWHERE = Place("ELS", 700, 200, "Elsewhere", "ELS", "blue", 0)
HILLS = Place("HIL", 400, 420, "Hills", "HIL", ground="closed")


def picture(**more: object) -> Picture:
    whole = Picture("A test", 800, 500, (TOBRUK, ELSEWHERE, HILLS), (Link("TOB", "ELS", "road"),), (RED, BLUE))
    legend = (LegendEntry("counter", "infantry", "infantry", "i"), LegendEntry("ground", "closed", "closed"))
    return msgspec.structs.replace(whole, legend=legend, subtitle="Turn 2", **more)


def test_block_shows_code_signs_owner_value_and_units() -> None:
    assert place_lines(TOBRUK, picture()) == ("TOB*m R3", "3i 1a 1f", "2b", "B:1i_")
    assert place_lines(ELSEWHERE, picture()) == ("ELS B",)
    assert place_lines(HILLS, picture()) == ("HIL ///",)
    closed = msgspec.structs.replace(picture(), legend=(LegendEntry("ground", "closed", "closed", "XXX"),))
    assert place_lines(HILLS, closed) == ("HIL XXX",)


def test_text_map_has_every_block_and_the_road() -> None:
    rows = sheet(areas_text(picture())).splitlines()
    for text in ("TOB*m R3", "3i 1a 1f", "2b", "B:1i_", "ELS B", "HIL ///"):
        assert sum(text in row for row in rows) == 1
    west, east = (next(row.index(code) for row in rows if code in row) for code in ("TOB", "ELS"))
    road = [column for row in rows for column, letter in enumerate(row) if letter == "="]
    assert len(road) > 40
    assert west < min(road) <= max(road) < east + 6
    assert "=" not in areas_text(picture(links=()))
    assert areas_text(picture()) == areas_text(picture())


def test_table_lists_units_by_holder_and_place() -> None:
    lines = areas_text(picture()).splitlines()
    at = lines.index("Reds: 1 space, value 3")
    assert lines[at + 1].split(maxsplit=3)[:3] == ["TOB", "Tobruk", "3"]
    told = " ".join(f"{lines[at + 1]} {lines[at + 2]}".split()[3:])
    assert told == ("3 infantry, 1 artillery, 1 fighter, 2 bombers; Blues: 1 infantry (laid down); a minefield")
    assert lines[at + 3 : at + 5] == ["Blues: 1 space, value 0", "  nothing at: ELS Elsewhere"]


def test_sea_fills_the_space_without_land() -> None:
    coast = ((0, 250), (800, 250), (800, 500), (0, 500))
    rows = sheet(areas_text(picture(places=(HILLS,), coast=coast))).splitlines()
    middle = len(rows) // 2
    assert all("~" in row for row in rows[: middle - 1])
    assert not any("~" in row for row in rows[middle + 1 :])


@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_no_line_exceeds_the_width(width: int) -> None:
    many = tuple(
        msgspec.structs.replace(TOBRUK, id=f"P{n}", sublabel=f"P{n}", x=n * 40, y=n * 20, label=f"Place number {n}")
        for n in range(20)
    )
    lines = areas_text(picture(places=many, notes=("one",)), width).splitlines()
    assert max(map(len, lines)) <= width
    assert lines[0].endswith("Turn 2")


def test_color_is_used_only_on_request() -> None:
    assert "\x1b" not in areas_text(picture())
    coloured = areas_text(picture(), color=True)
    assert "\x1b[38;2;192;64;64m" in coloured
    assert coloured.count("\x1b[38;2;") == coloured.count("\x1b[0m")


def test_names_cannot_control_the_terminal() -> None:
    nasty = "a\x1b[2Jb\rc\u202ed\x9be"
    badge, counter = Badge("x", nasty, nasty, nasty), Counter("infantry", "red", 1, nasty, nasty, nasty, nasty)
    spiked = Place(nasty, 100, 100, nasty, nasty, "red", 1, badges=(badge,), counters=(counter,))
    legend = (LegendEntry("badge", "x", nasty, nasty, nasty),)
    power = Power("red", nasty, "\x1b", "#c04040", "#e0a0a0")
    whole = Picture(nasty, 800, 500, (spiked,), (), (power,), nasty, legend=legend, notes=(nasty,), value_word=nasty)
    drawing = areas_text(whole)
    assert not {"\x1b", "\r", "\u202e", "\x9b"} & set(drawing)
    assert "a?[2Jb?c?d?e" in drawing
