"""The text map of hexes: its content, its width, and that names cannot control the terminal."""

import pytest
from battlefield import counter, picture, sheet

from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.map import HexMap
from sandtable.viewer.hexes.picture import HexMark, Part
from sandtable.viewer.hexes.text import hexes_text

WHOLE = """\
      01 02 03 04 05 06 07
01     +     +     .     .
        \\ + /   .     #
02     .     %     .     .
          %  !Rt94    .
03     .     .     .  +Bi26
          %     .     .
04     .     .     ^     .
       ~: .     x  '  .
05     .     .     ,     .
          .     .   Bt105
06     .     .     .     .
          .     .     .
      01 02 03 04 05 06 07
"""


def test_map_shows_terrain_sides_roads_and_counters() -> None:
    drawing = hexes_text(picture())
    assert sheet(drawing) == WHOLE
    assert drawing == hexes_text(picture())
    key = drawing.split("-" * 120)[-1].split("\n\n")[0]
    signs = "R Reds, B Blues, t tank, g gun, i infantry, % woods, ~ stream, : ford, ' crest, x wreck"
    for sign in signs.split(", "):
        assert sign in key, sign
    assert "bridge" not in key
    assert "+ | / \\ road" in key


def test_odd_columns_may_be_shifted_down() -> None:
    other = HexMap("other", HexGrid(3, 2, lower_columns="odd"), {"0101": ("woods",), "0202": ("town",)})
    assert sheet(hexes_text(picture(ground=other, counters=(), marks=(), areas=()))) == (
        "      01 02 03\n01        .\n       %     .\n02        #\n       .     .\n      01 02 03\n"
    )
    assert sheet(hexes_text(picture(part=Part(4, 2, 6, 3)))) == (
        "      04 05 06\n02        .\n    !Rt94    .\n03        .\n       .     .\n      04 05 06\n"
    )


def test_forces_are_listed_below_the_map_side_by_side() -> None:
    lines = hexes_text(picture()).splitlines()
    head = next(line for line in lines if line.startswith("Reds: "))
    assert head.split("   ")[0].rstrip() == "Reds: 1 on the map"
    assert head.endswith("Blues: 3 on the map")
    place = lines.index(head)
    assert lines[place + 1].startswith("  0402 PzII 94     2A 5 [3] 15    disrupted, level 2")
    assert lines[place + 1].endswith("0605 PzII 105    2A 5 [3] 15    A2")
    assert lines[place + 2].strip() == "0703 Inf 26      2A 5 [3] 15"
    assert lines[place + 3].strip() == "0703 25mm 38     2A 5 [3] 15    facing E"
    assert "Reds to come (1): PzII 95" in lines
    assert "the goal: 0504-0505" in lines
    assert lines[-1] == "A note."


@pytest.mark.full
@pytest.mark.parametrize("width", [40, 80, 100, 120, 160])
def test_no_line_exceeds_the_width(width: int) -> None:
    long = picture(title="A very long title " * 12, notes=("many words " * 40,))
    assert max(map(len, hexes_text(long, width).splitlines())) <= width
    big = HexMap("big", HexGrid(99, 30))
    lines = hexes_text(picture(ground=big, title="Big", areas=()), width).splitlines()
    assert max(map(len, lines)) <= width
    assert any(line.rstrip().endswith(" 99") for line in lines)


def test_marker_is_in_its_hex_or_after_the_counter() -> None:
    held = picture(marks=(HexMark("wreck", "0402", letter="x"), HexMark("impact", "0101", letter="L")))
    rows = hexes_text(held).splitlines()
    assert any("!Rt94x" in row for row in rows)
    assert any(row.startswith("01     L") for row in rows)


def test_color_is_used_only_on_request() -> None:
    assert "\x1b" not in hexes_text(picture())
    coloured = hexes_text(picture(), color=True)
    assert "\x1b[38;2;192;64;64mRt94\x1b[0m" in coloured
    assert "\x1b[38;2;64;64;192mBt105\x1b[0m" in coloured


def test_control_characters_in_names_are_not_printed() -> None:
    nasty = "\x1b[2J\x07\u202e"
    shown = picture(title=nasty, notes=(nasty,), counters=(counter(nasty, "0402", name=nasty, note=nasty),))
    drawing = hexes_text(shown)
    assert not {"\x1b", "\x07", "\u202e"} & set(drawing)
