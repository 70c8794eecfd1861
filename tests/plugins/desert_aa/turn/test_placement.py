"""Where new units and minefields are placed: DAA-3, DAA-8, DAA-14.06."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.positions import LONG, layer, position, rich

from desert_aa.model import events as told
from desert_aa.model.orders import BuyUnits, PlaceMinefields, PlaceUnits
from desert_aa.turn.placement import why_no_mine, why_no_zone

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Changed, Lay
    from transcripts import Transcript


@pytest.mark.rule("DAA-R50")
def test_by_option_a_second_gun_finds_no_room_in_a_zone(lay: Lay) -> None:
    case = lay("MAT uk-aa-1; ALX uk-aa-2", state={"cash": {"axis": 0, "allies": 10}}, aa_limit="one_per_space")
    case.submit(BuyUnits({"aa_gun": 2})).to_turn("germany")
    # Suez alone has room, for one of the two; the other waits.
    assert case.at("SUE") == "uk-aa-3"
    assert case.state.waiting["england"] == {"aa_gun": 1}


@pytest.mark.rule("DAA-R50", "DAA-18.06")
def test_flak_may_be_massed(lay: Lay) -> None:
    case = lay("", state={"cash": {"axis": 0, "allies": 20}}).submit(BuyUnits({"aa_gun": 4})).to(PlaceUnits)
    assert len(case.submit(PlaceUnits({"MAT": {"aa_gun": 4}})).at("MAT").split()) == 4


@pytest.mark.rule("DAA-8.01", "DAA-R35")
def test_a_minefield_is_bought_and_laid_away_from_the_zones(lay: Lay) -> None:
    case = layer(lay, "england", 2).submit(PlaceMinefields(["HAB", "SIW"]))
    assert {space: mine.power for space, mine in case.state.minefields.items()} == {"HAB": "england", "SIW": "england"}
    assert case.state.cash["allies"] == 40 - 2 * 8 + 24


@pytest.mark.rule("DAA-8.01")
def test_no_more_minefields_are_laid_than_were_bought(lay: Lay) -> None:
    case = layer(lay, "england")
    assert case.refused(PlaceMinefields(["HAB", "SIW"])) == "DAA-8.01"


@pytest.mark.rule("DAA-8.05")
def test_a_space_has_room_for_one_minefield(lay: Lay) -> None:
    case = layer(lay, "england", 2, mines={"HAB": "england"})
    assert case.refused(PlaceMinefields(["HAB"])) == "DAA-8.05"
    assert case.refused(PlaceMinefields(["MIN", "MIN"])) == "DAA-8.05"


@pytest.mark.rule("DAA-8.05", "DAA-R43")
def test_partners_do_not_mine_a_space_twice(lay: Lay) -> None:
    assert layer(lay, "germany", mines={"GSA": "italy"}).refused(PlaceMinefields(["GSA"])) == "DAA-8.05"


@pytest.mark.rule("DAA-8.06")
@pytest.mark.parametrize("space", ["GSA", "QAT", "GSS"])
def test_ground_that_the_side_does_not_hold_cannot_be_mined(lay: Lay, space: str) -> None:
    assert layer(lay, "england").refused(PlaceMinefields([space])) == "DAA-8.06"


@pytest.mark.rule("DAA-8.07")
def test_cities_and_the_road_cannot_be_mined(lay: Lay, changed: Changed) -> None:
    for space in ("FUK", "MAT"):  # road; road and city
        assert layer(lay, "england").refused(PlaceMinefields([space])) == "DAA-8.07"
    oasis = changed({"areas": {"SIW": {"city": True}}})
    assert layer(lay, "england", scenario=oasis).refused(PlaceMinefields(["SIW"])) == "DAA-8.07"


@pytest.mark.rule("DAA-R35")
def test_by_option_mines_are_tied_to_the_zones(lay: Lay) -> None:
    # In the teaching game England may mine one of its zones, and the oasis, which is none.
    free = layer(lay, "england", scenario="frontier").submit(PlaceMinefields(["OAS"]))
    assert set(free.state.minefields) == {"OAS"}
    tied = lay("", "england", state={"cash": {"axis": 9, "allies": 16}}, scenario="frontier", mine_place="rz_only")
    tied.submit(BuyUnits({"minefield": 2})).to_turn("germany")
    assert set(tied.state.minefields) == {"KHA"}  # there is no choice, and no place for the other


@pytest.mark.rule("DAA-R36")
def test_a_partner_s_ground_may_be_mined_unless_an_option_forbids_it(lay: Lay) -> None:
    assert layer(lay, "italy").submit(PlaceMinefields(["GSA"])).state.minefields["GSA"].power == "italy"
    case = layer(lay, "italy", mine_allied_space="refused")
    assert case.refused(PlaceMinefields(["GSA"])) in {"DAA-R36", "DAA-8.06"}
    case.submit(PlaceMinefields(["GIR"]))


@pytest.mark.rule("DAA-3.09", "DAA-3.11", "DAA-14.06", "DAA-R05", "DAA-R04")
def test_where_new_units_do_not_come_in(transcript: Transcript) -> None:
    rows: list[tuple[str, str, dict[str, str]]] = [
        *(("england", space, {}) for space in ("MSH", "RAS", LONG, "WAZ", "KHA")),
        ("england", "KHA", {"rz_new": "at_once"}),
        ("germany", "WAZ", {}),
        ("germany", "WAZ", {"rz_scope": "per_nation"}),
        ("italy", "WAZ", {"rz_scope": "per_nation"}),
    ]
    lines = []
    for power, space, options in rows:
        state = position("", power, tweak=lambda state: setattr(state, "captured", ["KHA"]), **options)
        lines.append(f"{power} {space} {options}: {why_no_zone(state, power, space)}")
    transcript("\n".join(lines))


@pytest.mark.rule("DAA-8.06", "DAA-8.07", "DAA-R35", "DAA-R36")
def test_where_no_minefield_is_laid(transcript: Transcript) -> None:
    rows: list[tuple[str, str, dict[str, str]]] = [
        *(("england", space, {}) for space in ("OAS", "SHO", LONG, "WAZ", "MSH", "RAS")),
        ("germany", "WAZ", {}),
        ("germany", "WAZ", {"mine_allied_space": "refused"}),
        ("italy", "WAZ", {"mine_allied_space": "refused"}),
        ("england", "OAS", {"mine_place": "rz_only"}),
        ("england", "KHA", {"mine_place": "rz_only"}),
    ]
    found = [(*row, why_no_mine(position("", row[0], **row[2]), *row[:2])) for row in rows]
    transcript("\n".join(f"{power} {space} {options}: {refusal}" for power, space, options, refusal in found))


@pytest.mark.rule("DAA-3.02", "DAA-R04")
@pytest.mark.parametrize("power", ["italy", "germany"])
def test_new_units_come_in_at_all_three_zones_of_the_side(lay: Lay, power: str) -> None:
    case = rich(lay, power).submit(BuyUnits({"infantry": 3, "fighter": 1})).to(PlaceUnits)
    case.submit(PlaceUnits({"TRI": {"infantry": 1}, "SIR": {"infantry": 1, "fighter": 1}, "BEN": {"infantry": 1}}))
    assert [len(case.at(zone).split()) for zone in ("TRI", "SIR", "BEN")] == [1, 2, 1]


@pytest.mark.rule("DAA-R04")
def test_by_option_each_axis_power_uses_its_own_zones_only(lay: Lay) -> None:
    italy = rich(lay, "italy", rz_scope="per_nation").submit(BuyUnits({"infantry": 1})).to(PlaceUnits)
    assert italy.refused(PlaceUnits({"BEN": {"infantry": 1}})) in {"DAA-3.11", "DAA-R04"}
    italy.submit(PlaceUnits({"TRI": {"infantry": 1}}))
    # Germany holds Benghazi alone: there is nothing to choose.
    germany = rich(lay, "germany", rz_scope="per_nation").submit(BuyUnits({"infantry": 1})).to_turn("italy")
    assert germany.at("BEN") == "de-inf-1"


@pytest.mark.rule("DAA-3.09", "DAA-3.13")
def test_zones_are_the_only_doors_to_the_map(lay: Lay) -> None:
    doors = {}
    for power in ("germany", "england"):
        case = rich(lay, power).submit(BuyUnits({"infantry": 1})).to(PlaceUnits)
        options = case.asked.options
        spaces = case.prepared.board.spaces
        doors[power] = {space for space in spaces if options.is_legal(PlaceUnits({space: {"infantry": 1}}))}
        assert case.refused(PlaceUnits({"HUN": {"infantry": 1}})) == "DAA-3.09"
    assert doors == {"germany": {"TRI", "SIR", "BEN"}, "england": {"MAT", "ALX", "SUE"}}


@pytest.mark.rule("DAA-3.10", "DAA-3.11", "DAA-14.06", "DAA-R05")
def test_a_captured_zone_serves_its_captor_from_his_next_turn_on(lay: Lay) -> None:
    case = rich(lay, "england", units="BUN uk-inf-1").submit(BuyUnits({"infantry": 1}))
    case.attack("uk-inf-1", "BUN SIR").fight().to(PlaceUnits)
    assert case.holder("SIR") == "england"
    assert case.refused(PlaceUnits({"SIR": {"infantry": 1}})) in {"DAA-14.06", "DAA-R05"}
    case.submit(PlaceUnits({"SUE": {"infantry": 1}}))
    case.to_turn("germany").submit(BuyUnits({"infantry": 1})).to(PlaceUnits)
    assert case.refused(PlaceUnits({"SIR": {"infantry": 1}})) == "DAA-3.11"
    case.to_turn("england").submit(BuyUnits({"artillery": 1})).to(PlaceUnits)
    case.submit(PlaceUnits({"SIR": {"artillery": 1}}))
    assert case.at("SIR") == "uk-art-1 uk-inf-1"


@pytest.mark.rule("DAA-R05")
def test_by_option_a_captured_zone_serves_at_once(lay: Lay) -> None:
    case = rich(lay, "england", units="BUN uk-inf-1", rz_new="at_once").submit(BuyUnits({"artillery": 1}))
    case.attack("uk-inf-1", "BUN SIR").fight().to(PlaceUnits).submit(PlaceUnits({"SIR": {"artillery": 1}}))
    assert case.at("SIR") == "uk-art-1 uk-inf-1"


@pytest.mark.rule("DAA-R06")
def test_units_without_a_zone_wait_off_the_map(lay: Lay) -> None:
    case = lay("HUN it-inf-1", "italy", control={"england": "TRI SIR BEN"}, victory_time="hold_one_round")
    case.submit(BuyUnits({"infantry": 2})).to_turn("england")
    assert set(case.units()) == {"it-inf-1"}
    assert case.state.waiting["italy"] == {"infantry": 2}
    case.to_turn("italy").attack("it-inf-1", "HUN SIR").to_turn("italy").to_turn("england")
    assert case.state.waiting["italy"] == {}
    assert len(case.at("SIR").split()) == 3


def cash(amount: int) -> dict[str, Any]:
    return {"cash": {"axis": amount, "allies": amount}}


@pytest.mark.rule("DAA-R50", "DAA-R06")
def test_by_option_guns_for_which_there_is_no_room_are_not_asked_about(lay: Lay) -> None:
    case = lay("MAT uk-aa-1; ALX uk-aa-2; SUE uk-aa-3", state=cash(5), aa_limit="one_per_space")
    case.submit(BuyUnits({"aa_gun": 1})).to_turn("germany")
    assert case.state.waiting["england"] == {"aa_gun": 1}
    assert case.events(told.UnitsArrived) == []
