"""The map of the desert: all of the board is drawn, except secrets of the enemy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hash_seeds import outputs
from tests.plugins.desert_aa.conftest import shipped_one

import desert_aa
from desert_aa.fog.views import view
from desert_aa.model.state import Battle, DesertState, Minefield, Plan, Unit
from desert_aa.ui.draw import LAYOUTS, draw, picture_of, sheet_of
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.plugin.manager import Installed
from sandtable.plugin.scenarios import Scenario, merged, scenario_of
from sandtable.viewer.areas.places import name_lines
from sandtable.viewer.areas.svg import areas_svg

if TYPE_CHECKING:
    from transcripts import Transcript

    from desert_aa.model.board import Board
    from sandtable.viewer.picture import Place


@pytest.mark.parametrize(
    ("scenario", "tracks"),
    [
        ("frontier", "KHA-MSH, KHA-OAS, KHA-RAS, MGH-WAZ, OAS-RAS, OAS-TEL, OAS-WAZ, TEL-WAZ"),
        ("western_desert", "type view SPACE for those of a space"),
    ],
)
def test_text_map_lists_the_desert_tracks_below(scenario: str, tracks: str) -> None:
    ready = shipped_one(scenario, ())
    game = ready.new_game(KeyedDice(key_from_seed("map")))
    game.start()
    assert (draw(game.view("axis"), ready.board, "text") or "").endswith(f"\nDesert tracks: {tracks}\n")


def installed() -> Installed:
    return Installed("desert_aa", desert_aa, "test")


def opening(scenario: str | Scenario = "western_desert", **options: str) -> tuple[DesertState, Board]:
    prepared = installed().prepare(scenario, options)
    state = prepared.new_game(KeyedDice(bytes(32))).state
    assert isinstance(state, DesertState)
    return state, prepared.board


def drawn(state: DesertState, board: Board, side: str, style: str = "svg") -> str:
    drawing = draw(view(state, side), board, style)
    assert drawing is not None
    return drawing


def place_of(state: DesertState, board: Board, side: str, space: str) -> Place:
    return next(place for place in picture_of(view(state, side), board).places if place.id == space)


@pytest.mark.parametrize("scenario", [pytest.param("western_desert", marks=pytest.mark.full), "frontier"])
def test_every_area_and_connector_is_drawn(scenario: str) -> None:
    state, board = opening(scenario)
    drawing = drawn(state, board, "axis")
    assert sorted(re.findall(r'data-place="(\w+)"', drawing)) == list(board.map.ids)
    at = sheet_of(board).at
    for link in board.map.connectors:
        (ax, ay), (bx, by) = at[link.a], at[link.b]
        start, end = (f"M{ax} {ay}C", f" {bx} {by}") if link.kind == "road" else (f"M{ax} {ay}L{bx} {by}", "")
        assert re.search(f'd="{start}[^"]*{end}"', drawing), link


@pytest.mark.parametrize("scenario", ["western_desert", "frontier"])
def test_text_map_has_every_area_and_its_table_every_unit(scenario: str) -> None:
    state, board = opening(scenario)
    drawing = drawn(state, board, "umpire", "text")
    _, sheet, key = drawing.split("-" * 100 + "\n")
    table = key.split("\n\n", 1)[1]
    assert [area for area in board.map.ids if not re.search(rf"\b{area}\b", sheet)] == []
    units = sum(int(number) for number in re.findall(r"(\d+) (?:infantry|artillery|armor|fighter|bomber|flak)", table))
    assert units == len(state.units)


@pytest.mark.rule("DAA-8.03")
@pytest.mark.parametrize("style", [pytest.param("svg", marks=pytest.mark.full), "text"])
def test_hidden_enemy_minefield_is_not_drawn(style: str) -> None:
    state, board = opening(mine_secrecy="all_secret")
    before = {side: drawn(state, board, side, style) for side in ("axis", "allies")}
    state.minefields["GSA"] = Minefield("germany")
    assert drawn(state, board, "allies", style) == before["allies"]
    assert drawn(state, board, "axis", style) != before["axis"]
    state.minefields["GSA"].known = True
    assert drawn(state, board, "allies", style) != before["allies"]


@pytest.mark.full
@pytest.mark.rule("DAA-8.03")
def test_space_of_a_minefield_is_hidden_but_its_number_is_drawn() -> None:
    drawings = []
    for space in ("GSA", "HAC"):
        state, board = opening()
        state.minefields[space] = Minefield("germany")
        drawings.append([drawn(state, board, "allies", style) for style in ("svg", "text")])
    assert drawings[0] == drawings[1]
    assert "Minefields: Germany 1 laid" in drawings[0][1]


def described(state: DesertState, board: Board, side: str, spaces: str) -> str:
    """Return the drawn spaces: owner, value and ground, badges, counters."""
    lines = []
    for space in spaces.split():
        place = place_of(state, board, side, space)
        lines.append(f"{space}: owner={place.owner} value={place.value} ground={place.ground}")
        lines += [f"  badge {badge.kind}: {badge.note}" for badge in place.badges]
        for each in place.counters:
            lines.append(f"  counter {each.owner} {each.count} {each.letter} mark={each.mark} down={each.down}")
    return "\n".join(lines)


def busy(state: DesertState) -> None:
    """Set known and hidden minefields, units in every condition, captured ground, battles and a raid."""
    state.minefields = {"GSA": Minefield("germany"), "HAC": Minefield("italy", known=True, entries=1)}
    conditions = enumerate(("ready", "ready", "extended", "cut", "advanced"))
    state.units = {f"de-inf-{number}": Unit("germany", "infantry", "TOB", name) for number, name in conditions}
    state.units["it-arm-1"] = Unit("italy", "armor", "TOB")
    state.control["TMI"] = "england"
    state.combats, state.raids = {"TOB": ["uk-inf-1"]}, {"BEN": ["uk-bom-1"]}
    state.battle = Battle("GUB", ["uk-arm-1"], ["de-arm-1"])


def test_spaces_are_described_at_the_start_and_during_a_game(transcript: Transcript) -> None:
    """Spaces have cities, zones, capitals, values, owners and closed ground, and later the marks of battles."""
    state, board = opening()
    before = described(state, board, "axis", "TRI TMI GSS DEH QAT JEB")
    busy(state)
    transcript(f"{before}\n\n{described(state, board, 'axis', 'GSA HAC TOB TMI BEN GUB SIB')}")


@pytest.mark.full
def test_battles_and_ordered_moves_are_drawn() -> None:
    state, board = opening()
    quiet = drawn(state, board, "allies")
    busy(state)
    fought = drawn(state, board, "allies")
    state.phasing_power = "england"
    state.plans = [Plan(["uk-inf-1"], ["SIB", "BUQ"])]
    assert len({quiet, fought, drawn(state, board, "allies")}) == 3
    assert "Ordered: 1 unit SIB-BUQ" in drawn(state, board, "allies", "text").splitlines()


def test_drawing_has_head_and_notes(transcript: Transcript) -> None:
    """The head has turn, phase, viewer, the money that the side knows, and the result."""
    state, board = opening(mine_secrecy="all_secret")
    state.waiting["germany"] = {"armor": 2}
    state.turn, state.phase, state.phasing_side, state.phasing_power = 3, "germany.combat", "axis", "germany"
    pictures = [picture_of(view(state, "allies"), board)]
    state.outcome, state.ending = "axis", "capital_captured"
    pictures.append(picture_of(view(state, "umpire"), board))
    assert pictures[1].subtitle in drawn(state, board, "umpire", "text").splitlines()[0]
    transcript("\n\n".join("\n".join([each.subtitle, *each.notes]) for each in pictures))


@pytest.mark.rule("DAA-11.03", "DAA-11.04")
def test_text_map_distinguishes_closed_land_from_planes_only() -> None:
    ready = shipped_one("western_desert", ())
    game = ready.new_game(KeyedDice(key_from_seed("map")))
    game.start()
    state: Any = game.state
    shown = draw(view(state, "axis"), ready.board, "text") or ""
    for space, letters, words in (("QAT", "///", "planes only"), ("GSS", "XXX", "closed to all")):
        assert f"{space} {letters}" in shown
        assert f"{letters} {words}" in shown


def test_unknown_style_is_not_drawn() -> None:
    state, board = opening()
    assert draw(view(state, "axis"), board, "oil on canvas") is None


def changed(changes: dict[str, Any]) -> Scenario:
    return scenario_of(merged(installed().scenario("frontier").data, changes), "changed.toml", own=True)


def test_markup_in_a_users_scenario_stays_text() -> None:
    state, board = opening(changed({"areas": {"OAS": {"name": "<script>alert(1)</script>"}}}))
    drawing = drawn(state, board, "axis")
    assert "<script" not in drawing
    assert "&lt;script&gt;" in drawing


def test_unknown_map_is_laid_out_by_longitude_and_latitude() -> None:
    new = {"name": "New", "terrain": "desert", "owner": "italy", "lon_milli": 24250, "lat_milli": 31300}
    data = merged(installed().scenario("frontier").data, {"areas": {"NEW": new}})
    data["connectors"] = [*data["connectors"], {"between": ["NEW", "WAZ"], "kind": "desert"}]
    state, board = opening(scenario_of(data, "changed.toml", own=True))
    at = sheet_of(board).at
    assert len(set(at.values())) == len(board.map.ids) == 10
    assert at["MGH"][0] < at["BTR"][0] < at["MSH"][0]
    assert at["BTR"][1] < at["OAS"][1]
    assert len(re.findall("data-place=", drawn(state, board, "axis"))) == 10


def box(place: Place) -> tuple[int, int, int, int]:
    """Return the rectangle of a place on the sheet, with its name, marks and counters."""
    lines = name_lines(place.label)
    half = max(max(map(len, lines)) * 8, len(place.counters[:4]) * 23, 60)
    rows = -(-len(place.counters) // 4)
    return place.x - half, place.y - 20 - 25 * len(lines), place.x + half, place.y + 15 + 47 * rows


@pytest.mark.parametrize("scenario", ["western_desert", "frontier"])
def test_drawn_places_do_not_overlap_at_the_start(scenario: str) -> None:
    state, board = opening(scenario)
    boxes = {place.id: box(place) for place in picture_of(view(state, "umpire"), board).places}
    clashes = [
        (a, b)
        for a, (left, top, right, low) in boxes.items()
        for b, (other_left, other_top, other_right, other_low) in boxes.items()
        if a < b and left < other_right and other_left < right and top < other_low and other_top < low
    ]
    assert clashes == []


@pytest.mark.parametrize("name", LAYOUTS)
def test_sheet_has_every_area_inside_its_frame(name: str) -> None:
    _, board = opening(name)
    sheet = LAYOUTS[name]
    assert sheet_of(board) is sheet
    assert sorted(sheet.at) == list(board.map.ids)
    assert all(80 < x < sheet.width - 80 and 80 < y < sheet.height - 80 for x, y in sheet.at.values())


SCRIPT = """
import sys
from test_draw import drawn, opening
state, board = opening()
for style in ("svg", "text"):
    sys.stdout.write(drawn(state, board, "axis", style))
"""


@pytest.mark.full
def test_drawings_do_not_depend_on_the_hash_seed() -> None:
    (output,) = outputs(SCRIPT, __file__)
    assert len(output) > 100_000


def test_drawing_does_not_change_the_state() -> None:
    state, board = opening()
    before = msgspec.msgpack.encode(state)
    assert areas_svg(picture_of(view(state, "axis"), board)) == areas_svg(picture_of(view(state, "axis"), board))
    assert msgspec.msgpack.encode(state) == before
