"""The coast road: free extra spaces, cut supply, relief (DAA-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.conftest import Case, Changed, Lay, ready, set_up
from tests.plugins.desert_aa.positions import minutes

from desert_aa.model import events as told
from desert_aa.model.events import UnitsCut, UnitsStoodUp
from desert_aa.model.orders import BuyUnits, PlaceUnits, Retreat
from desert_aa.model.state import Unit
from desert_aa.movement.supply import behind_on_own_path, blocked_units

if TYPE_CHECKING:
    from transcripts import Transcript

STOPPED = {"DAA-6.04", "DAA-6.05", "DAA-4.09", "DAA-4.03"}
"""The rules that may be cited against moving a unit whose supply is cut."""


@pytest.mark.rule("DAA-6.02")
@pytest.mark.parametrize(
    ("unit", "path"), [("uk-inf-1", "ALA FUK MAT"), ("uk-art-1", "ALA FUK MAT"), ("uk-arm-1", "ALA FUK MAT SIB")]
)
def test_the_extra_space_on_the_road_is_free(lay: Lay, unit: str, path: str) -> None:
    case = lay(f"ALA {unit}").shift(unit, path)
    assert case.where(unit) == path.rsplit(maxsplit=1)[-1]
    assert case.condition(unit) == "advanced"
    back = " ".join(reversed(path.split()))
    case.to_turn("england")
    assert case.condition(unit) == "ready"
    case.shift(unit, back)
    assert case.where(unit) == "ALA"


@pytest.mark.rule("DAA-6.02")
def test_the_road_is_free_in_combat_movement_as_well(lay: Lay) -> None:
    case = lay("TOB de-inf-1", "germany").attack("de-inf-1", "TOB BDI BUQ").fight()
    assert (case.holder("BUQ"), case.condition("de-inf-1")) == ("germany", "advanced")


@pytest.mark.rule("DAA-6.02")
def test_the_road_gives_no_space_beyond_the_extra_one(lay: Lay) -> None:
    case = lay("ALA uk-inf-1 uk-arm-1")
    assert case.no_shift("uk-inf-1", "ALA FUK MAT SIB") in {"DAA-4.02", "DAA-16.02"}
    assert case.no_shift("uk-arm-1", "ALA FUK MAT SIB BUQ") in {"DAA-5.01", "DAA-16.02"}


@pytest.mark.rule("DAA-R18")
@pytest.mark.parametrize(
    ("unit", "path", "extra_leg", "whole_move"),
    [
        ("uk-inf-1", "ALA FUK MAT", "advanced", "advanced"),
        ("uk-inf-1", "RUW FUK MAT", "advanced", "extended"),
        ("uk-inf-1", "MAT FUK RUW", "extended", "extended"),
        ("uk-arm-1", "HAB MIN FUK ALA", "advanced", "extended"),
        ("uk-arm-1", "SIB MAT FUK RUW", "extended", "extended"),
    ],
)
def test_how_much_of_the_move_must_follow_the_road(
    lay: Lay, unit: str, path: str, extra_leg: str, whole_move: str
) -> None:
    start = path.split(maxsplit=1)[0]
    assert lay(f"{start} {unit}").shift(unit, path).condition(unit) == extra_leg
    assert lay(f"{start} {unit}", road_rule="whole_move").shift(unit, path).condition(unit) == whole_move


@pytest.mark.rule("DAA-6.01", "DAA-R18")
def test_a_desert_track_between_two_road_spaces_is_not_the_road(lay: Lay, changed: Changed) -> None:
    track = changed({"connectors": [{"between": ["ALX", "FUK"], "kind": "desert"}]})
    case = lay("MAT uk-inf-1", scenario=track).shift("uk-inf-1", "MAT FUK ALX")
    assert case.condition("uk-inf-1") == "extended"


@pytest.mark.rule("DAA-R19", "DAA-10.01")
@pytest.mark.parametrize(("option", "condition"), [("yes", "advanced"), ("no", "extended")])
def test_flak_on_the_road(lay: Lay, option: str, condition: str) -> None:
    case = lay("ALA uk-aa-1", road_flak=option).shift("uk-aa-1", "ALA FUK MAT")
    assert (case.where("uk-aa-1"), case.condition("uk-aa-1")) == ("MAT", condition)


def advanced_to_bardia(lay: Lay, units: str = "", **options: str) -> Case:
    case = lay(f"MAT uk-arm-1; {units}", control={"england": "BDI"}, **options)
    return case.shift("uk-arm-1", "MAT SIB BUQ BDI")


@pytest.mark.rule("DAA-6.03", "DAA-6.04", "DAA-R22")
@pytest.mark.parametrize(
    ("start", "blocker", "condition"),
    [
        ("GSA", "BUQ", "cut"),  # one road space behind
        ("HAB", "SIB", "cut"),  # two behind
        ("MIN", "MAT", "ready"),  # three behind: too far
        ("GUB", "TOB", "ready"),  # one ahead: no rear
        ("GSA", "HAB", "ready"),  # beside the road
    ],
)
def test_an_enemy_one_or_two_road_spaces_behind_cuts_supply(lay: Lay, start: str, blocker: str, condition: str) -> None:
    case = advanced_to_bardia(lay, f"{start} de-inf-1")
    case.to_turn("germany")
    if blocker == "TOB":
        case.shift("de-inf-1", "GUB TOB")
    else:
        case.attack("de-inf-1", f"{start} {blocker}")
    case.to_turn("england")
    assert case.where("de-inf-1") == blocker
    assert case.condition("uk-arm-1") == condition


@pytest.mark.rule("DAA-6.03", "DAA-R23")
def test_the_cut_is_made_when_the_enemy_turn_ends_and_the_unit_is_laid_flat(lay: Lay) -> None:
    case = advanced_to_bardia(lay, "GSA de-inf-1").to_turn("germany")
    case.attack("de-inf-1", "GSA BUQ").to_phase("noncombat_move")
    assert case.condition("uk-arm-1") == "advanced"
    case.to_turn("italy")
    assert case.condition("uk-arm-1") == "cut"
    (event,) = case.events(UnitsCut)
    assert event.units == {"uk-arm-1": "BUQ"}


@pytest.mark.rule("DAA-6.03")
@pytest.mark.parametrize("blocker", ["de-inf-1", "it-inf-1"])
def test_every_enemy_power_can_cut(lay: Lay, blocker: str) -> None:
    case = advanced_to_bardia(lay, f"GSA {blocker}").to_turn({"de": "germany", "it": "italy"}[blocker[:2]])
    case.attack(blocker, "GSA BUQ").to_turn("england")
    assert case.condition("uk-arm-1") == "cut"


@pytest.mark.rule("DAA-6.03")
def test_axis_units_are_cut_in_the_turn_of_england(lay: Lay) -> None:
    # The Italian's rear is towards Tripoli: Bardia, then Tobruk.
    case = lay("TOB it-arm-1; GSA uk-inf-1", "italy", control={"italy": "BUQ SIB"})
    case.shift("it-arm-1", "TOB BDI BUQ SIB").to_turn("england")
    case.attack("uk-inf-1", "GSA BDI").to_turn("germany")
    assert case.condition("it-arm-1") == "cut"


@pytest.mark.rule("DAA-6.05")
def test_a_cut_unit_serves_the_penalty(lay: Lay) -> None:
    case = advanced_to_bardia(lay, "GSA de-inf-1").to_turn("germany")
    case.attack("de-inf-1", "GSA BUQ").to_turn("england")
    assert case.no_attack("uk-arm-1", "BDI BUQ") in STOPPED
    assert case.no_shift("uk-arm-1", "BDI BUQ") in STOPPED | {"DAA-18.02"}
    assert case.condition("uk-arm-1") == "cut"
    case.to_turn("germany")
    assert case.condition("uk-arm-1") == "ready"


@pytest.mark.rule("DAA-6.06", "DAA-6.07")
def test_a_unit_is_free_in_non_combat_movement_once_the_blocker_is_destroyed(lay: Lay) -> None:
    case = advanced_to_bardia(lay, "GSA de-inf-1; HAB uk-inf-1", dice="1, 6").to_turn("germany")
    case.attack("de-inf-1", "GSA BUQ").to_turn("england")
    assert case.no_attack("uk-arm-1", "BDI TOB") in STOPPED
    case.attack("uk-inf-1", "HAB BUQ").fight()
    assert case.condition("uk-arm-1") == "ready"
    case.shift("uk-arm-1", "BDI BUQ SIB")
    assert case.where("uk-arm-1") == "SIB"


@pytest.mark.rule("DAA-6.06")
def test_a_blocker_that_survives_the_attack_keeps_the_unit_down(lay: Lay) -> None:
    case = advanced_to_bardia(lay, "GSA de-inf-1; HAB uk-inf-1", dice="6, 6").to_turn("germany")
    case.attack("de-inf-1", "GSA BUQ").to_turn("england")
    case.attack("uk-inf-1", "HAB BUQ").fight(Retreat("HAB"))
    assert case.condition("uk-arm-1") == "cut"


@pytest.mark.rule("DAA-R26")
def test_a_blocker_that_stays_costs_one_turn_only(lay: Lay) -> None:
    case = advanced_to_bardia(lay, "GSA de-inf-1").to_turn("germany")
    case.attack("de-inf-1", "GSA BUQ").to_turn("england").to_turn("germany").to_turn("england")
    assert case.at("BUQ") == "de-inf-1"
    assert case.condition("uk-arm-1") == "ready"
    case.attack("uk-arm-1", "BDI GUB")
    assert len(case.events(UnitsCut)) == 1


@pytest.mark.rule("DAA-R20")
def test_a_unit_that_used_no_free_space_is_not_cut(lay: Lay) -> None:
    case = lay("SIB uk-arm-1; HAB uk-inf-1; GSA de-inf-1", control={"england": "BDI"})
    case.shift("uk-arm-1", "SIB BUQ BDI").shift("uk-inf-1", "HAB SIB")  # two spaces, one space
    case.to_turn("germany").attack("de-inf-1", "GSA BUQ").to_turn("england")
    assert (case.condition("uk-arm-1"), case.condition("uk-inf-1")) == ("ready", "ready")


@pytest.mark.rule("DAA-R20")
def test_a_free_advance_is_safe_once_its_power_has_played_again(lay: Lay) -> None:
    case = advanced_to_bardia(lay, "GSA de-inf-1").to_turn("england").to_turn("germany")
    case.attack("de-inf-1", "GSA BUQ").to_turn("england")
    assert case.condition("uk-arm-1") == "ready"


@pytest.mark.rule("DAA-R21")
@pytest.mark.parametrize(
    ("rear", "west", "east"), [("own_capital", "advanced", "cut"), ("own_path", "cut", "advanced")]
)
def test_which_way_the_rear_lies(lay: Lay, rear: str, west: str, east: str) -> None:
    # English infantry goes east, towards Cairo: Matruh, Fuka, El Alamein. Before it lies Alexandria, behind it Fuka.
    for start, blocker, condition in (("RUW", "FUK", west), ("NAT", "ALX", east)):
        case = lay(f"MAT uk-inf-1; {start} de-inf-1", rear_direction=rear).shift("uk-inf-1", "MAT FUK ALA")
        case.to_turn("germany").attack("de-inf-1", f"{start} {blocker}").to_turn("italy")
        assert case.condition("uk-inf-1") == condition


@pytest.mark.rule("DAA-R21", "DAA-R22")
@pytest.mark.parametrize(
    ("path", "space", "behind"),
    [
        ("MAT SIB BUQ BDI", "BDI", ("BUQ", "SIB")),
        ("MAT SIB BUQ BDI", "BUQ", ("SIB", "MAT")),  # it fell back by a space
        ("HAB MIN FUK ALA", "ALA", ("FUK",)),  # Minqar Qaim is off the road, and counts as one of two
        ("MIN FUK ALA", "ALA", ("FUK",)),
        ("HAB MIN RUW", "RUW", ()),
        ("MAT SIB BUQ BDI", "GUB", ()),  # it fell back where it had not come from
        ("", "BDI", ()),
    ],
)
def test_the_rear_on_the_way_by_which_a_unit_came(path: str, space: str, behind: tuple[str, ...]) -> None:
    unit = Unit("england", "armour", space, path=path.split())
    assert behind_on_own_path(ready("western_desert").board, unit) == behind


@pytest.mark.rule("DAA-6.03", "DAA-R24")
def test_the_nearest_of_two_blockers_is_named_and_planes_and_friends_block_nothing() -> None:
    prepared = ready("western_desert")
    units = (
        "BDI uk-arm-1..2; BUQ de-inf-1; SIB it-inf-1 uk-inf-1; TOB de-arm-1; ALA uk-arm-3; ALX de-ftr-1; FUK uk-inf-2"
    )
    state = set_up(prepared, units, "england")
    state.place_board(prepared.board)
    for unit in ("uk-arm-1", "uk-arm-3", "de-arm-1"):
        state.units[unit].condition = "advanced"
    assert blocked_units(state, "england", "advanced") == {"uk-arm-1": "BUQ"}
    assert blocked_units(state, "germany", "advanced") == {}
    assert blocked_units(state, "england", "cut") == {}
    state.units["de-inf-1"].space = "ALX"
    assert blocked_units(state, "england", "advanced") == {"uk-arm-1": "SIB", "uk-arm-3": "ALX"}


@pytest.mark.rule("DAA-R23")
@pytest.mark.parametrize(("option", "stopped"), [("enemy_turn_end", True), ("own_turn_start", False)])
def test_a_cut_once_made_stays_unless_it_is_looked_for_at_the_own_start(lay: Lay, option: str, stopped: bool) -> None:
    # An Italian tank drives to Sidi Barrani; England blocks Bardia; Germany kills the blocker before Italy plays again.
    case = lay(
        "TOB it-arm-1; GSA uk-inf-1; GUB de-inf-1", "italy", dice="1, 6", control={"italy": "BUQ SIB"}, cut_test=option
    )
    case.shift("it-arm-1", "TOB BDI BUQ SIB").to_turn("england")
    case.attack("uk-inf-1", "GSA BDI").to_turn("germany")
    case.attack("de-inf-1", "GUB BDI").to_turn("italy")
    if stopped:
        assert case.no_attack("it-arm-1", "SIB MAT") in STOPPED
    else:
        case.attack("it-arm-1", "SIB MAT")


@pytest.mark.rule("DAA-R23")
def test_a_cut_looked_for_at_the_own_start_costs_that_very_turn(lay: Lay) -> None:
    case = advanced_to_bardia(lay, "GSA de-inf-1", cut_test="own_turn_start").to_turn("germany")
    case.attack("de-inf-1", "GSA BUQ").to_turn("italy")
    assert case.condition("uk-arm-1") == "advanced"
    case.to_turn("england")
    assert case.condition("uk-arm-1") == "cut"
    assert case.no_attack("uk-arm-1", "BDI TOB") in STOPPED
    case.to_turn("germany")
    assert case.condition("uk-arm-1") == "ready"


@pytest.mark.rule("DAA-R24")
def test_an_enemy_that_arrives_as_a_reinforcement_cuts(lay: Lay) -> None:
    # Germany holds the zone of Matruh, two road spaces behind Buq Buq.
    case = lay("MIN uk-inf-1", control={"germany": "MAT"}, state={"cash": {"axis": 3, "allies": 0}})
    case.shift("uk-inf-1", "MIN SIB BUQ").to_turn("germany")
    case.go(BuyUnits({"infantry": 1}), PlaceUnits({"MAT": {"infantry": 1}})).to_turn("england")
    assert case.at("MAT") == "de-inf-1"
    assert case.condition("uk-inf-1") == "cut"


@pytest.mark.rule("DAA-R24")
@pytest.mark.parametrize(("blocker", "condition"), [("de-ftr-1", "ready"), ("de-aa-1", "cut")])
def test_planes_do_not_cut_but_flak_does(lay: Lay, blocker: str, condition: str) -> None:
    case = lay(f"HAB uk-inf-1; SIB {blocker}", control={"germany": "SIB", "england": "BDI"})
    case.shift("uk-inf-1", "HAB BUQ BDI")
    assert case.condition("uk-inf-1") == "advanced"
    case.to_turn("england")
    assert case.condition("uk-inf-1") == condition


@pytest.mark.rule("DAA-R25")
@pytest.mark.parametrize(("option", "condition"), [("side", "ready"), ("controller", "cut")])
def test_whether_a_partner_may_clear_the_road(lay: Lay, option: str, condition: str) -> None:
    case = lay(
        "TOB it-arm-1; GSA uk-inf-1; GUB de-inf-1",
        "italy",
        dice="1, 6",
        control={"italy": "BUQ SIB"},
        cut_relief=option,
    )
    case.shift("it-arm-1", "TOB BDI BUQ SIB").to_turn("england")
    case.attack("uk-inf-1", "GSA BDI").to_turn("germany")
    case.attack("de-inf-1", "GUB BDI").to_turn("italy").to_phase("noncombat_move")
    assert case.condition("it-arm-1") == condition


@pytest.mark.rule("DAA-R25")
@pytest.mark.parametrize("option", ["side", "controller"])
def test_the_owner_may_clear_the_road_under_either_option(lay: Lay, option: str) -> None:
    case = advanced_to_bardia(lay, "GSA de-inf-1; HAB uk-inf-1", dice="1, 6", cut_relief=option).to_turn("germany")
    case.attack("de-inf-1", "GSA BUQ").to_turn("england").attack("uk-inf-1", "HAB BUQ").fight()
    assert case.condition("uk-arm-1") == "ready"
    assert [event.units for event in case.events(UnitsStoodUp)] == [["uk-arm-1"]]


@pytest.mark.rule("DAA-R25")
def test_both_rear_spaces_must_be_clear(lay: Lay) -> None:
    case = lay("MAT uk-arm-1; GSA de-inf-1..2; MIN uk-inf-1", dice="1, 6", control={"england": "BDI", "germany": "HAB"})
    case.shift("uk-arm-1", "MAT SIB BUQ BDI").to_turn("germany")
    case.attack("de-inf-1", "GSA BUQ").attack("de-inf-2", "GSA HAB SIB").to_turn("england")
    case.attack("uk-inf-1", "MIN SIB").fight()
    assert (case.at("SIB"), case.at("BUQ")) == ("uk-inf-1", "de-inf-1")
    assert case.condition("uk-arm-1") == "cut"


@pytest.mark.rule("DAA-6.03", "DAA-6.05", "DAA-R15")
@pytest.mark.parametrize(
    ("owner", "unit", "path", "power", "blocker", "way"),
    [
        ("england", "uk-arm-1", "MAT SIB BUQ BDI", "germany", "de-inf-1", "GSA BUQ"),  # England plays next round
        ("england", "uk-arm-1", "MAT SIB BUQ BDI", "italy", "it-inf-1", "GSA BUQ"),  # in the same round
        ("italy", "it-arm-1", "TOB BDI BUQ SIB", "england", "uk-inf-1", "GSA BDI"),
        ("germany", "de-arm-1", "TOB BDI BUQ SIB", "england", "uk-inf-1", "GSA BDI"),
    ],
)
def test_until_when_a_unit_that_was_cut_lies(
    lay: Lay, owner: str, unit: str, path: str, power: str, blocker: str, way: str, transcript: Transcript
) -> None:
    control = {"england": "BDI"} if owner == "england" else {"italy": "BUQ SIB"}
    case = lay(f"{path[:3]} {unit}; GSA {blocker}", owner, control=control).shift(unit, path).to_turn(power)
    now = case.state.turn
    case.attack(blocker, way).until(lambda case: bool(case.events(told.UnitsCut)))
    transcript(f"round {now}\n{minutes(case.events(told.UnitsCut))}")


@pytest.mark.rule("DAA-6.03", "DAA-4.10", "DAA-6.06", "DAA-14.07")
def test_partners_are_cut_together_and_stand_up_one_by_one(lay: Lay, transcript: Transcript) -> None:
    """England blocks Bardia behind an Italian and two Germans; Germany clears it, the Italian lies one turn."""
    units, held = "TOB it-arm-1 de-arm-1..2; GSA uk-inf-1; GUB de-inf-1", {"italy": "BUQ SIB"}
    case = lay(units, "italy", dice="1, 6", control=held, cut_relief="controller")
    case.shift("it-arm-1", "TOB BDI BUQ SIB").to_turn("england")
    for unit in ("de-arm-1", "de-arm-2"):
        case.state.units[unit].space, case.state.units[unit].condition = "SIB", "advanced"
    case.attack("uk-inf-1", "GSA BDI").to_turn("germany").attack("de-inf-1", "GUB BDI").fight()
    assert len(case.events(told.UnitsStoodUp)) == 1
    case.to_turn("italy").to_turn("england")
    transcript(minutes(case.events(told.PowerTurnBegan, told.UnitsCut, told.UnitsStoodUp)))
