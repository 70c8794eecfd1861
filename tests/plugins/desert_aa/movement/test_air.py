"""Planes: DAA-11.02 to DAA-11.04, DAA-12, and how they move and attack (DAA-16.07, DAA-16.10, DAA-18.03)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import minutes

from desert_aa.model import events as told
from desert_aa.model.events import BattleEnded, SpaceCaptured, UnitsLost
from desert_aa.model.orders import EndMoves, MoveUnits, Retreat, TakeLosses

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay
    from transcripts import Transcript

    from desert_aa.model.state import DesertState

ROAD = "SUE CAI ALX ALA FUK MAT SIB BUQ"


def along(spaces: int) -> str:
    """Return a path from Suez so many spaces down the road."""
    return " ".join(ROAD.split()[: spaces + 1])


@pytest.mark.rule("DAA-11.02", "DAA-15.04", "DAA-15.05")
@pytest.mark.parametrize(("unit", "reach", "rule"), [("uk-ftr-1", 4, "DAA-15.04"), ("uk-bom-1", 6, "DAA-15.05")])
def test_how_far_planes_fly(lay: Lay, unit: str, reach: int, rule: str) -> None:
    case = lay(f"SUE {unit}")
    assert case.no_shift(unit, along(reach + 1)) == rule
    case.shift(unit, along(reach))
    assert case.where(unit) == ROAD.split()[reach]


@pytest.mark.rule("DAA-11.02", "DAA-3.06", "DAA-3.07")
@pytest.mark.parametrize(
    ("unit", "path"), [("it-ftr-1", "TRI HOM BUE SIR NOF"), ("it-bom-1", "TRI HOM BUE SIR NOF AGH BRE")]
)
def test_italian_planes_fly_as_far_as_others(lay: Lay, unit: str, path: str) -> None:
    case = lay(f"TRI {unit}", "italy").shift(unit, path)
    assert case.where(unit) == path.rsplit(maxsplit=1)[-1]
    refused = lay(f"TRI {unit}", "italy").no_shift(unit, path + {"it-ftr-1": " AGH", "it-bom-1": " AGE"}[unit])
    assert refused in {"DAA-15.04", "DAA-15.05", "DAA-16.02", "DAA-11.02"}


@pytest.mark.rule("DAA-16.07")
def test_a_plane_has_one_range_for_the_way_out_and_the_way_home(lay: Lay) -> None:
    # Three spaces to Bardia: one is left to fly home.
    case = lay("MAT uk-ftr-1; BDI de-inf-1", dice="6, 6").attack("uk-ftr-1", "MAT SIB BUQ BDI").fight(Retreat())
    assert case.no_shift("uk-ftr-1", "BDI BUQ SIB") in {"DAA-15.04", "DAA-16.07"}
    case.shift("uk-ftr-1", "BDI BUQ")
    assert case.where("uk-ftr-1") == "BUQ"


@pytest.mark.rule("DAA-16.07", "DAA-18.03")
def test_an_attack_from_which_no_plane_could_return_is_refused(lay: Lay) -> None:
    case = lay("FUK uk-ftr-1 uk-bom-1; BDI de-inf-1", dice="6, 6")
    assert case.no_attack("uk-ftr-1", "FUK MAT SIB BUQ BDI") in {"DAA-18.03", "DAA-16.07"}
    case.attack("uk-bom-1", "FUK MAT SIB BUQ BDI").fight(Retreat())


@pytest.mark.rule("DAA-12.01")
@pytest.mark.parametrize("end", ["HAB", "SIW", "RUW"])
def test_planes_land_wherever_their_power_holds_the_ground(lay: Lay, end: str) -> None:
    path = {"HAB": "MIN HAB", "SIW": "MIN SIW", "RUW": "MIN RUW"}[end]
    assert lay("MIN uk-ftr-1").shift("uk-ftr-1", path).where("uk-ftr-1") == end


@pytest.mark.rule("DAA-12.01")
def test_planes_land_on_ground_taken_in_an_earlier_turn(lay: Lay) -> None:
    case = lay("HAB uk-inf-1 uk-ftr-1").attack("uk-inf-1", "HAB GSA").to_turn("england").shift("uk-ftr-1", "HAB GSA")
    assert case.where("uk-ftr-1") == "GSA"


@pytest.mark.rule("DAA-12.02")
def test_planes_do_not_land_on_enemy_ground(lay: Lay) -> None:
    assert lay("HAB uk-ftr-1").no_shift("uk-ftr-1", "HAB GSA") == "DAA-12.02"
    assert lay("HAB uk-ftr-1; GSA de-inf-1").no_shift("uk-ftr-1", "HAB GSA") == "DAA-12.02"


@pytest.mark.rule("DAA-12.03")
def test_planes_do_not_land_on_ground_taken_this_turn(lay: Lay) -> None:
    case = lay("HAB uk-inf-1 uk-ftr-1").attack("uk-inf-1", "HAB GSA").fight()
    assert case.holder("GSA") == "england"
    assert case.no_shift("uk-ftr-1", "HAB GSA") == "DAA-12.03"


@pytest.mark.rule("DAA-12.04", "DAA-R59")
@pytest.mark.parametrize("path", ["ALX MAT", "ALX SUE", "TRI BEN", "BEN DER"])
def test_no_flight_leads_over_water_or_off_the_connectors(lay: Lay, path: str) -> None:
    start = path.split(maxsplit=1)[0]
    power, unit = ("england", "uk-bom-1") if start == "ALX" else ("germany", "de-bom-1")
    assert lay(f"{start} {unit}", power).no_shift(unit, path) in {"DAA-12.04", "DAA-R59"}


@pytest.mark.rule("DAA-R60", "DAA-11.03")
def test_planes_cross_the_qattara_depression(lay: Lay) -> None:
    assert lay("HAB uk-ftr-1").shift("uk-ftr-1", "HAB QAT NAT").where("uk-ftr-1") == "NAT"


@pytest.mark.rule("DAA-R60", "DAA-11.03")
def test_planes_cross_the_jebel_akhdar_to_attack(lay: Lay) -> None:
    case = lay("MEK de-ftr-1; BAR uk-inf-1", "germany", dice="6, 6").attack("de-ftr-1", "MEK JEB BAR").fight(Retreat())
    assert case.needs() == [(3,), (2,)]


@pytest.mark.rule("DAA-R60", "DAA-11.03")
@pytest.mark.parametrize(
    ("start", "closed", "power"), [("HAB", "QAT", "england"), ("MEK", "JEB", "germany"), ("GIA", "GSS", "italy")]
)
def test_no_plane_ends_over_closed_terrain(lay: Lay, start: str, closed: str, power: str) -> None:
    unit = {"england": "uk-ftr-1", "germany": "de-ftr-1", "italy": "it-ftr-1"}[power]
    case = lay(f"{start} {unit}", power)
    assert case.no_shift(unit, f"{start} {closed}") in {"DAA-11.03", "DAA-11.04", "DAA-R60"}
    assert case.state.board.closed[closed]


@pytest.mark.rule("DAA-R60", "DAA-11.03")
def test_no_plane_attacks_what_is_closed(lay: Lay) -> None:
    assert lay("HAB uk-ftr-1; GSA de-inf-1").no_attack("uk-ftr-1", "HAB QAT") != ""


@pytest.mark.rule("DAA-11.04")
@pytest.mark.parametrize(
    ("unit", "path"), [("it-bom-1", "GIA GSS SIW"), ("it-bom-1", "GIR GSS GIA"), ("it-ftr-1", "TRI DEH HUN")]
)
def test_nothing_flies_over_the_great_sand_sea_or_the_dehan_ubari(lay: Lay, unit: str, path: str) -> None:
    case = lay(f"{path.split(maxsplit=1)[0]} {unit}; SIW uk-inf-1", "italy")
    assert case.no_attack(unit, path) == "DAA-11.04"
    assert case.no_shift(unit, path) == "DAA-11.04"


@pytest.mark.rule("DAA-R58")
def test_axis_planes_land_with_their_partner_unless_an_option_forbids_it(lay: Lay) -> None:
    assert lay("TOB de-ftr-1", "germany").shift("de-ftr-1", "TOB TMI DER").where("de-ftr-1") == "DER"
    own_only = lay("TOB de-ftr-1", "germany", air_land_ally="own_only")
    assert own_only.no_shift("de-ftr-1", "TOB TMI DER") in {"DAA-R58", "DAA-12.01"}
    assert own_only.shift("de-ftr-1", "TOB TMI").where("de-ftr-1") == "TMI"


@pytest.mark.rule("DAA-R58", "DAA-18.03")
def test_by_option_a_plane_that_could_only_land_with_its_partner_does_not_attack(lay: Lay) -> None:
    # From Giarabub to Buq Buq and back is four spaces, and Germany holds all ground within two of Buq Buq.
    for option, allowed in (("allowed", True), ("own_only", False)):
        case = lay("GIR it-ftr-1; BUQ uk-inf-1", "italy", control={"germany": "GIR TEN"}, air_land_ally=option)
        legal = case.to_phase("combat_move").asked.options.is_legal(MoveUnits(["it-ftr-1"], ["GIR", "GSA", "BUQ"]))
        assert legal is allowed


@pytest.mark.rule("DAA-16.10", "DAA-R66")
def test_planes_win_a_battle_alone_and_take_no_ground(lay: Lay) -> None:
    case = lay("HAB uk-ftr-1; GSA de-inf-1", dice="3, 6").attack("uk-ftr-1", "HAB GSA").fight()
    assert "de-inf-1" not in case.units()
    assert case.holder("GSA") == "germany"
    assert not case.events(SpaceCaptured)
    assert [event.outcome for event in case.events(BattleEnded)] == ["cleared"]


@pytest.mark.rule("DAA-16.10")
def test_planes_do_not_take_an_empty_space(lay: Lay) -> None:
    assert lay("HAB uk-ftr-1").no_attack("uk-ftr-1", "HAB GSA") == "DAA-16.10"


@pytest.mark.rule("DAA-R66", "DAA-17.11")
def test_when_only_planes_are_left_the_space_stays_with_the_defence(lay: Lay) -> None:
    # Infantry and fighter against infantry: both sides hit, England gives up its infantry.
    case = lay("HAB uk-inf-1 uk-ftr-1; GSA de-inf-1", dice="1 6, 2").attack("uk-inf-1 uk-ftr-1", "HAB GSA")
    case.fight(TakeLosses(["uk-inf-1"]))
    assert (case.at("GSA"), case.holder("GSA")) == ("uk-ftr-1", "germany")


@pytest.mark.rule("DAA-18.03")
def test_planes_that_attacked_must_land_before_the_turn_goes_on(lay: Lay) -> None:
    case = lay("HAB uk-ftr-1; GSA de-inf-1", dice="6, 6").attack("uk-ftr-1", "HAB GSA").fight(Retreat())
    case.to_phase("noncombat_move").submit(EndMoves())
    assert case.phase == "noncombat_move"
    assert case.refused(EndMoves()) == "DAA-18.03"
    case.submit(MoveUnits(["uk-ftr-1"], ["GSA", "HAB"]))
    assert case.where("uk-ftr-1") == "HAB"


@pytest.mark.rule("DAA-18.03")
@pytest.mark.parametrize(("moved", "lost"), [(4, True), (3, False)])
def test_a_plane_that_reaches_no_landing_place_is_lost(lay: Lay, moved: int, lost: bool) -> None:
    def aloft(state: DesertState) -> None:
        """Non-combat movement of England, with a fighter over Gabr Saleh that has flown so far already."""
        state.position = 1 + 6 + 3
        state.units["uk-ftr-1"].moved = moved
        state.units["uk-ftr-1"].path = ["HAB", "GSA"]

    case = lay("GSA uk-ftr-1", control={"germany": "GSA"}, tweak=aloft)
    assert case.state.phase == "england.noncombat_move"
    case.to_turn("germany")
    assert ("uk-ftr-1" not in case.units()) is lost
    assert [event.cause for event in case.events(UnitsLost)] == (["no_landing"] if lost else [])


@pytest.mark.rule("DAA-18.01")
def test_planes_that_attacked_may_fly_on_with_what_range_is_left(lay: Lay) -> None:
    case = lay("HAB uk-bom-1; GSA de-inf-1", dice="6, 6").attack("uk-bom-1", "HAB GSA").fight(Retreat())
    case.shift("uk-bom-1", "GSA HAB MIN FUK ALA ALX")
    assert case.where("uk-bom-1") == "ALX"


@pytest.mark.rule("DAA-16.07")
def test_what_flights_leave_of_the_range(lay: Lay, transcript: Transcript) -> None:
    """Two bombers and a fighter strike Gabr Saleh from two fields; one bomber and the fighter go on together."""
    case = lay("HAB uk-bom-1 uk-ftr-1; MIN uk-bom-2; GSA it-inf-1", dice="1 6 6, 6", control={"italy": "GSA"})
    case.attack("uk-bom-1 uk-ftr-1", "HAB GSA").attack("uk-bom-2", "MIN HAB GSA").fight()
    case.shift("uk-bom-1 uk-bom-2 uk-ftr-1", "GSA HAB")
    transcript(minutes(case.events(told.UnitsMoved)))


@pytest.mark.rule("DAA-18.03")
def test_a_plane_that_is_lost_keeps_no_other_from_landing(lay: Lay) -> None:
    """Over Gabr Saleh the bomber has no space left; one fighter has one and no choice, the other has two."""

    def aloft(state: DesertState) -> None:
        state.position = 1 + 6 + 3
        for unit, moved in (("uk-bom-1", 6), ("uk-ftr-1", 3), ("uk-ftr-2", 2)):
            state.units[unit].moved, state.units[unit].path = moved, ["HAB", "GSA"]

    held = {"germany": "GSA BUQ", "italy": "SIW"}
    case = lay("GSA uk-bom-1 uk-ftr-1..2", control=held, tweak=aloft).submit(EndMoves())
    assert case.events(told.UnitsLost) == [told.UnitsLost("GSA", ["uk-bom-1"], "no_landing", "DAA-18.03")]
    assert (case.where("uk-ftr-1"), case.asked.prompt) == ("HAB", "land uk-ftr-2")
    case.to_turn("germany")
    assert case.where("uk-ftr-2") in {"HAB", "MIN", "SIB"}
