"""The map of the campaign: the complete board, and only known facts of the enemy."""

import re
import xml.etree.ElementTree as ET

import msgspec
import pytest
from tests.plugins.khamsin.cases import AXIS, NewCase
from tests.plugins.khamsin.games import SIDES, change_secrets, crusader, played
from tests.plugins.khamsin.modules import board as board_of
from tests.plugins.khamsin.procedures import wells
from transcripts import Transcript

from khamsin.fog.views import view
from khamsin.model.cards import ENEMY, Board
from khamsin.model.forces import allowance, cost, mobility
from khamsin.model.state import Engagement, KhamsinState
from khamsin.ui.draw import draw, picture_of
from khamsin.ui.layout import layout_of
from sandtable.board.areas.map import AreaMap
from sandtable.errors import PlayError
from sandtable.viewer.picture import Picture


def test_text_map_shows_the_teaching_module(transcript: Transcript) -> None:
    transcript(str(draw(view(wells(), AXIS), board_of("teaching"), "text")))


@pytest.mark.parametrize("focus", ["ridge", "panzer", "brandt"])
def test_focus_describes_an_area_a_formation_or_a_leader(focus: str, transcript: Transcript) -> None:
    state = wells(panzer_rgt="ridge", brandt="ridge")
    transcript(str(draw(view(state, AXIS), state.board, "text", focus)))


def test_focus_accepts_ids_and_titles_of_own_pieces(new_case: NewCase, transcript: Transcript) -> None:
    case = new_case("15_pz_div sidi_rezegh armor=12; rommel gambut; 7_armd_bde gabr_saleh")
    drawings = {name: draw(case.game.view("axis"), case.state.board, "text", name) or "" for name in FOCUSES}
    transcript("\n\n".join(drawings.values()))
    assert drawings["15_pz_div"] == drawings["15th Panzer Division"]
    with pytest.raises(PlayError, match="7_armd_bde"):
        draw(case.game.view("axis"), case.state.board, "text", "7_armd_bde")


FOCUSES = ("15_pz_div", "15th Panzer Division", "rommel", "Sidi Rezegh")
MODULES = ("crusader", "crusader_full", "teaching", "fixture")


def drawn(state: KhamsinState, board: Board, side: str, style: str = "svg") -> str:
    drawing = draw(view(state, side), board, style)
    assert drawing is not None
    return drawing


def picture(side: str = "axis") -> Picture:
    state, board = crusader()
    return picture_of(view(state, side), board)


def described(picture: Picture) -> str:
    """Return the places, counters, moves, legend and notes of a picture, one line each."""
    rows = []
    for it in picture.places:
        badges = [f"{each.kind} ({each.note})" if each.note else each.kind for each in it.badges]
        counters = [
            f"{each.owner} {each.symbol} {each.count} {each.mark}: {each.name}, {each.note}" for each in it.counters
        ]
        rows += [f"{it.id}: {it.owner} {it.value} {'; '.join(badges)}", *(f"  {each}" for each in counters)]
    rows += [f"{each.owner}: {' '.join(each.path)}" for each in picture.moves]
    rows += [f"{each.kind}: {each.text}" for each in picture.legend]
    return "\n".join([*rows, *picture.notes])


@pytest.mark.rule("KH-6.03", "KH-6.05", "KH-R59")
@pytest.mark.parametrize("side", [*SIDES, "umpire"])
def test_picture_shows_everything_known_to_a_side(side: str, transcript: Transcript) -> None:
    transcript(described(picture(side)))


@pytest.mark.rule("KH-2.04", "KH-R59")
def test_picture_shows_event_supply_areas_and_connector_engagements(transcript: Transcript) -> None:
    state, board = crusader()
    state.supply_on, state.supply_off = ["axis:el_adem"], ["allies:tobruk"]
    state.engagements["sidi_rezegh"].settled = True
    state.engagements["gambut~tobruk"] = Engagement(
        "gambut~tobruk", "gambut", "tobruk", {"axis": [], "allies": []}, companies={"allies": {"armor": 1}}
    )
    transcript(described(picture_of(view(state, "axis"), board)))


@pytest.mark.full
@pytest.mark.parametrize("module", MODULES)
def test_picture_frames_every_area_and_connector(module: str) -> None:
    prepared, game = played(module)
    drawing = drawn(game.state, prepared.board, "axis")
    ET.fromstring(drawing)  # noqa: S314 - our own drawing
    assert sorted(re.findall(r'data-place="(\w+)"', drawing)) == sorted(prepared.board.areas)
    layout = layout_of(prepared.board.map)
    assert all(0 < x < layout.width and 0 < y < layout.height for x, y in layout.at.values())
    assert len({layout.at[area] for area in prepared.board.areas}) == len(prepared.board.areas)
    shown = picture_of(view(game.state, "axis"), prepared.board)
    assert len(shown.links) == len(prepared.board.map.connectors)


@pytest.mark.parametrize("module", MODULES)
def test_text_map_names_every_area(module: str) -> None:
    prepared, game = played(module)
    sheet = drawn(game.state, prepared.board, "umpire", "text").split("-" * 100)[1]
    assert [name for name in prepared.board.names.values() if name[:12].strip() not in sheet] == []


def test_layout_of_an_unknown_map_follows_its_coordinates() -> None:
    board = board_of("teaching")
    at = layout_of(board.map).at
    assert at["west_well"][0] < at["ridge"][0] < at["east_well"][0]
    assert at["ridge"][1] < at["west_well"][1] < at["ford"][1]


def test_layout_ignores_known_positions_if_an_area_is_unknown() -> None:
    known = board_of("crusader").map
    assert layout_of(known).coast
    first, *others = known.areas
    renamed = AreaMap(known.id, (msgspec.structs.replace(first, id="aaa"), *others), ())
    assert not layout_of(renamed).coast


@pytest.mark.rule("KH-6.08")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("style", ["svg", "text", "report"])
def test_picture_does_not_depend_on_enemy_secrets(side: str, style: str) -> None:
    state, board = crusader()
    before = drawn(state, board, side, style)
    change_secrets(state, ENEMY[side])
    assert drawn(state, board, side, style) == before


def test_picture_distinguishes_connector_kinds() -> None:
    assert {each.kind for each in picture().links} == {"road", "trail", "desert", "steep"}
    assert {each.text for each in picture().legend if each.kind == "link"} == {"road", "track", "desert", "escarpment"}
    state, board = crusader()
    assert {"20 10", "3 9", "2 12"} == set(re.findall(r'stroke-dasharray="([^"]+)"', drawn(state, board, "axis")))


def test_draw_returns_none_for_an_unknown_style() -> None:
    state, board = crusader()
    assert draw(view(state, "axis"), board, "stereo") is None


@pytest.mark.rule("KH-8.09", "KH-8.12")
def test_text_map_lists_neighboring_areas_with_costs() -> None:
    state, board = crusader()
    text = drawn(state, board, "axis", "text")
    assert "Movement costs in this turn" in text
    below = " ".join(text.partition("Movement costs")[2].split())
    for key, formation in state.formations.items():
        if formation.side != "axis" or formation.standing != "map":
            continue
        kind = mobility(state, key)
        head = f"{board.names[formation.area]}, {kind.replace('_', '-')} {allowance(state, key)}: "
        assert head in below
        row = below.partition(head)[2]
        for near in board.neighbors[formation.area]:
            points = cost(state, key, formation.area, near)
            assert f"{board.names[near]} {points} ({board.kind_between[formation.area, near]})" in row
    assert "Movement costs of " in drawn(state, board, "umpire", "text")
