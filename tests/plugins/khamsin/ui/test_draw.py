"""The map of the campaign: the complete board, and of the enemy only what the side knows."""

import re
import xml.etree.ElementTree as ET

import msgspec
import pytest
from tests.plugins.khamsin.cases import AXIS, Lay
from tests.plugins.khamsin.games import SIDES, change_secrets, crusader, played
from tests.plugins.khamsin.modules import board as board_of
from tests.plugins.khamsin.rooms import wells

from khamsin.fog.views import view
from khamsin.model.cards import ENEMY, Board
from khamsin.model.forces import allowance, cost, mobility
from khamsin.model.state import Engagement, KhamsinState
from khamsin.ui.draw import draw, picture_of
from khamsin.ui.layout import layout_of
from sandtable.board.areas.map import AreaMap
from sandtable.errors import PlayError
from sandtable.viewer.picture import Picture, Place


def test_the_map_in_text_has_tracks_and_says_so() -> None:
    drawn = str(draw(view(wells(), AXIS), board_of("teaching"), "text"))
    assert ".. track   == road" in drawn
    assert "...\n" in drawn.partition("East Well")[0], "from the Ridge to East Well"


def test_an_area_tells_of_leaders_and_a_formation_of_companies() -> None:
    state = wells(panzer_rgt="ridge", brandt="ridge")
    assert "here: Panzer Regiment and Brandt" in str(draw(view(state, AXIS), state.board, "text", "ridge"))
    assert "two companies of" in str(draw(view(state, AXIS), state.board, "text", "panzer"))


def test_more_is_told_of_a_formation_an_area_a_leader(lay: Lay) -> None:
    case = lay("15_pz_div sidi_rezegh armor=12; rommel gambut; 7_armd_bde gabr_saleh")
    board = case.state.board

    def about(focus: str) -> str:
        return draw(case.game.view("axis"), board, "text", focus) or ""

    assert "attrition 12 armor + 0 general = 12" in about("15_pz_div")
    assert "in reach, with points:" in about("15th Panzer Division")
    assert "Rommel: Gambut" in about("rommel")
    assert "to Gambut: " in about("Sidi Rezegh")
    with pytest.raises(PlayError, match="no formation or leader that this side knows more of"):
        about("7_armd_bde")


MODULES = ("crusader", "crusader_full", "teaching", "fixture")


def drawn(state: KhamsinState, board: Board, side: str, style: str = "svg") -> str:
    drawing = draw(view(state, side), board, style)
    assert drawing is not None
    return drawing


def picture(side: str = "axis") -> Picture:
    state, board = crusader()
    return picture_of(view(state, side), board)


def place(side: str, area: str) -> Place:
    return next(each for each in picture(side).places if each.id == area)


@pytest.mark.full
@pytest.mark.parametrize("module", MODULES)
def test_every_area_and_connector_is_drawn_inside_the_frame(module: str) -> None:
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
def test_every_area_stands_on_the_text_map(module: str) -> None:
    prepared, game = played(module)
    sheet = drawn(game.state, prepared.board, "umpire", "text").split("-" * 100)[1]
    assert [name for name in prepared.board.names.values() if name[:12].strip() not in sheet] == []


def test_a_map_that_is_not_known_is_spread_by_its_own_places() -> None:
    board = board_of("teaching")
    at = layout_of(board.map).at
    assert at["west_well"][0] < at["ridge"][0] < at["east_well"][0]
    assert at["ridge"][1] < at["west_well"][1] < at["ford"][1]


def test_a_map_with_an_area_that_is_not_placed_by_hand_is_spread_as_a_whole() -> None:
    known = board_of("crusader").map
    assert layout_of(known).coast
    first, *others = known.areas
    renamed = AreaMap(known.id, (msgspec.structs.replace(first, id="aaa"), *others), ())
    assert not layout_of(renamed).coast


def test_own_formations_stand_with_strength_class_and_plight() -> None:
    (worn, fresh) = place("axis", "gambut").counters
    assert (worn.symbol, worn.owner, worn.count, worn.mark) == ("armour", "axis", 3, "C")
    assert worn.note.startswith("OUT OF SUPPLY")
    assert (fresh.symbol, fresh.count, fresh.mark, fresh.note) == ("armour", 3, "", "")
    assert [each.symbol for each in place("axis", "sidi_azeiz").counters] == ["recon"]
    assert [(each.symbol, each.count) for each in place("axis", "belhamed").counters] == [("artillery", 0)]
    assert "Rommel" in " ".join(each.name for each in place("axis", "acroma").counters)


@pytest.mark.rule("KH-6.03", "KH-6.05")
def test_reports_show_companies_where_recon_looked_and_else_only_that_the_enemy_is_there() -> None:
    seen = place("axis", "gabr_saleh").counters
    assert [(each.symbol, each.owner, each.count, each.mark) for each in seen] == [
        ("infantry", "allies", 2, "?"),
        ("armour", "allies", 3, "?"),
    ]
    assert "reported at the end of turn 2" in seen[0].note
    assert not place("axis", "tobruk").counters
    assert ("seen", "enemies reported at the end of turn 2") in [
        (each.kind, each.note) for each in place("axis", "tobruk").badges
    ]


@pytest.mark.rule("KH-R59")
def test_contact_shows_the_enemy_s_companies_until_all_is_settled() -> None:
    state, board = crusader()
    at = {each.id: each for each in picture_of(view(state, "axis"), board).places}["sidi_rezegh"]
    assert [(each.owner, each.symbol, each.count) for each in at.counters] == [
        ("axis", "infantry", 3),
        ("allies", "armour", 2),
    ]
    assert any(each.kind == "battle" for each in at.badges)
    state.engagements["sidi_rezegh"].settled = True
    at = {each.id: each for each in picture_of(view(state, "axis"), board).places}["sidi_rezegh"]
    assert [each.owner for each in at.counters] == ["axis"]


@pytest.mark.rule("KH-6.08")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("style", ["svg", "text", "report"])
def test_secrets_of_the_enemy_leave_no_trace(side: str, style: str) -> None:
    state, board = crusader()
    before = drawn(state, board, side, style)
    change_secrets(state, ENEMY[side])
    assert drawn(state, board, side, style) == before


def test_orders_are_arrows_for_who_gave_them() -> None:
    assert [(each.owner, each.path) for each in picture("axis").moves] == [("axis", ("gambut", "gasr_el_arid"))]
    assert [each.owner for each in picture("allies").moves] == ["allies"]
    assert {each.owner for each in picture("umpire").moves} == {"axis", "allies"}


def test_control_supply_fortresses_objectives_and_interdiction_show() -> None:
    tobruk, halfaya = place("axis", "tobruk"), place("axis", "halfaya")
    assert (tobruk.owner, tobruk.value) == ("allies", 5)
    assert [each.kind for each in tobruk.badges] == ["supply", "fortress", "seen"]
    assert "interdicted" in [each.kind for each in halfaya.badges]
    assert [each.kind for each in place("axis", "bir_el_gubi").badges] == ["works", "seen"]
    assert [each.kind for each in place("axis", "tmimi").badges] == ["base", "supply", "entry"]


@pytest.mark.rule("KH-2.04")
def test_supply_areas_that_events_opened_or_closed() -> None:
    state, board = crusader()
    state.supply_on, state.supply_off = ["axis:el_adem"], ["allies:tobruk"]
    at = {each.id: [badge.kind for badge in each.badges] for each in picture_of(view(state, "axis"), board).places}
    assert "supply" in at["el_adem"]
    assert "supply" not in at["tobruk"]


def test_kinds_of_connector_differ() -> None:
    assert {each.kind for each in picture().links} == {"road", "trail", "desert", "steep"}
    assert {each.text for each in picture().legend if each.kind == "link"} == {"road", "track", "desert", "escarpment"}
    state, board = crusader()
    assert {"20 10", "3 9", "2 12"} == set(re.findall(r'stroke-dasharray="([^"]+)"', drawn(state, board, "axis")))


def test_an_engagement_on_a_connector_shows_at_both_ends() -> None:
    state, board = crusader()
    state.engagements = {
        "gambut~tobruk": Engagement("gambut~tobruk", "gambut", "tobruk", {"axis": [], "allies": []},
                                    companies={"allies": {"armour": 1}})
    }  # fmt: skip
    shown = picture_of(view(state, "axis"), board)
    at = [each.id for each in shown.places if any(badge.kind == "battle" for badge in each.badges)]
    assert at == ["gambut", "tobruk"]
    assert "Enemy there: 1 armour company" in shown.notes


def test_a_style_that_is_not_known_is_left_to_others() -> None:
    state, board = crusader()
    assert draw(view(state, "axis"), board, "stereo") is None


@pytest.mark.rule("KH-8.09", "KH-8.12")
def test_the_text_map_tells_the_ways_on_and_what_they_cost() -> None:
    state, board = crusader()
    text = drawn(state, board, "axis", "text")
    assert "Ways on, in movement points of this turn" in text
    below = " ".join(text.partition("Ways on")[2].split())
    for key, formation in state.formations.items():
        if formation.side != "axis" or formation.standing != "map":
            continue
        kind = mobility(state, key)
        head = f"{board.names[formation.area]}, {kind.replace('_', '-')} {allowance(state, key)}: "
        assert head in below
        row = below.partition(head)[2]
        for near in board.neighbours[formation.area]:
            points = cost(state, key, formation.area, near)
            assert f"{board.names[near]} {points} ({board.kind_between[formation.area, near]})" in row
    assert "Ways on of " in drawn(state, board, "umpire", "text")
