"""Refusals of moves: the rule and the sentence, on the map of Frontier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.positions import LONG, position

from desert_aa.model.orders import BuyUnits, EndMoves, MoveUnits
from desert_aa.model.state import DesertState, Minefield
from desert_aa.movement.ground import Ground
from desert_aa.movement.options import CombatMoves, NonCombatMoves
from sandtable.errors import IllegalOrder
from sandtable.kernel.dice import Stream

if TYPE_CHECKING:
    from desert_aa.movement.routes import MoveSpace


def move(units: str, path: str, *, raid: bool = False) -> MoveUnits:
    return MoveUnits(units.split(), path.split(), raid)


def lying(state: DesertState) -> None:
    state.units["uk-inf-3"].condition = "cut"
    state.units["uk-inf-4"].condition = "extended"


def attacks() -> MoveSpace:
    """England, whose second infantry unit has its orders; a known minefield in Tell Nimr."""
    units = "OAS uk-inf-1..4 uk-arm-1 uk-aa-1; RAS uk-inf-5 uk-ftr-1 uk-bom-1; BTR de-inf-1; WAZ it-aa-1; MGH it-inf-1"
    mine = Minefield("germany", known=True)
    ground = Ground(position(units, "england", mines={"TEL": mine}, tweak=lying))
    ground.take(["uk-inf-2"])
    return CombatMoves.on(ground)


def tired(state: DesertState) -> None:
    lying(state)
    state.units["uk-arm-1"].moved = 1
    state.units["uk-bom-1"].moved = 2
    state.captured, state.taken_flak = ["OAS"], ["uk-aa-4"]


def marches(only: str = "") -> MoveSpace:
    """England behind its lines, where a space holds one gun; it took the oasis this turn."""
    units = "RAS uk-inf-1..4 uk-arm-1 uk-aa-1; KHA uk-aa-2 uk-ftr-1; MSH uk-aa-3 uk-inf-5; OAS uk-aa-4 uk-bom-1"
    ground = Ground(position(units, "england", tweak=tired, aa_limit="one_per_space"))
    ground.take(["uk-inf-2"])
    return NonCombatMoves.on(ground, only)


WANTED = "name the path: the space the units stand in, then each space they enter"


NO_MOVES: list[tuple[Any, str, str]] = [
    (BuyUnits(), "DAA-16.02", "BuyUnits cannot be ordered here: MoveUnits or EndMoves is wanted"),
    (MoveUnits([], ["OAS", "TEL"]), "DAA-16.02", "name the units that move, by id"),
    (MoveUnits("uk-inf-1", ["OAS", "TEL"]), "DAA-16.02", "name the units that move, by id"),  # type: ignore[arg-type]
    (MoveUnits([1], ["OAS", "TEL"]), "DAA-16.02", "name the units that move, by id"),  # type: ignore[list-item]
    (move("uk-inf-1 uk-arm-1 uk-inf-1", "OAS TEL"), "DAA-16.02", "a unit is named twice"),
    (move("uk-inf-1", "OAS"), "DAA-16.02", WANTED),
    (MoveUnits(["uk-inf-1"], "OAS TEL"), "DAA-16.02", WANTED),  # type: ignore[arg-type]
    (MoveUnits(["uk-inf-1"], ["OAS", 2]), "DAA-16.02", WANTED),  # type: ignore[list-item]
    (MoveUnits(["uk-inf-1"], ["OAS", "TEL"], 1), "DAA-13.01", "raid is either true or false"),  # type: ignore[arg-type]
    (move("uk-inf-9", "OAS TEL"), "DAA-16.02", "there is no unit 'uk-inf-9'"),
    (move(LONG, "OAS TEL"), "DAA-16.02", f"there is no unit '{'x' * 40}'"),
    (move("de-inf-1", "BTR RAS"), "DAA-16.09", "de-inf-1 belongs to Germany: it is the turn of England"),
    (move("uk-inf-1", "RAS BTR"), "DAA-16.02", "uk-inf-1 stands in OAS: its path cannot start in RAS"),
    (move("uk-inf-1", f"{LONG} BTR"), "DAA-16.02", f"uk-inf-1 stands in OAS: its path cannot start in {'x' * 40}"),
    (move("uk-inf-1 uk-inf-5", "OAS TEL"), "DAA-16.02", "uk-inf-5 stands in RAS: its path cannot start in OAS"),
]


NO_ATTACKS: list[tuple[Any, str, str]] = [
    *NO_MOVES,
    (move("uk-aa-1", "OAS TEL"), "DAA-15.06", "uk-aa-1 is flak: it moves in the non-combat phase only"),
    (move("uk-inf-3", "OAS TEL"), "DAA-6.05", "uk-inf-3 is laid down: it makes no combat move this turn"),
    (move("uk-inf-4", "OAS TEL"), "DAA-4.09", "uk-inf-4 is laid down: it makes no combat move this turn"),
    (move("uk-inf-2", "OAS TEL"), "DAA-16.01", "uk-inf-2 has its combat move already"),
    (move("uk-inf-1", "OAS WAZ", raid=True), "DAA-13.01", "only bombers raid: infantry cannot"),
    (move("uk-ftr-1", "RAS MSH", raid=True), "DAA-13.05", "only bombers raid: a fighter cannot go along"),
    (move("uk-inf-1", "OAS KHA RAS BTR"), "DAA-4.02", "infantry moves 2 spaces at most, its extra space included"),
    (move("uk-arm-1", "OAS KHA MSH RAS BTR"), "DAA-5.01", "armour moves 3 spaces at most, its extra space included"),
    (move("uk-inf-1", "OAS SHO"), "DAA-11.03", "infantry may not enter SHO: Shott el Milh is closed to land units"),
    (move("uk-inf-1", "OAS MSH"), "DAA-16.02", "MSH is not next to OAS: over land that touches KHA, RAS, TEL, WAZ"),
    (
        move("uk-arm-1", f"OAS RAS {LONG}"),
        "DAA-16.02",
        f"{'x' * 40} is not next to RAS: over land that touches BTR, KHA, MSH, OAS",
    ),
    (move("uk-arm-1", "OAS WAZ MGH"), "DAA-16.03", "armour must stop in WAZ: enemy units are there"),
    (move("uk-arm-1", "OAS TEL MGH"), "DAA-8.12", "armour must stop in TEL: it enters a declared minefield"),
    (
        move("uk-inf-1", "OAS KHA"),
        "DAA-16.01",
        "a combat move enters enemy ground: other moves wait for the non-combat phase",
    ),
    (
        move("uk-ftr-1", "RAS OAS RAS OAS TEL MGH"),
        "DAA-15.04",
        "the flight is 5 spaces long: this fighter can fly 4 more this turn",
    ),
    (
        move("uk-bom-1", "RAS OAS RAS OAS RAS OAS TEL MGH"),
        "DAA-15.05",
        "the flight is 7 spaces long: this bomber can fly 6 more this turn",
    ),
    (
        move("uk-ftr-1", "RAS MGH"),
        "DAA-12.04",
        "no flight leads from RAS to MGH: from there planes reach BTR, KHA, MSH, OAS, SHO",
    ),
    (
        move("uk-ftr-1", f"RAS {LONG}"),
        "DAA-12.04",
        f"no flight leads from RAS to {'x' * 40}: from there planes reach BTR, KHA, MSH, OAS, SHO",
    ),
    (
        move("uk-bom-1", "RAS BTR", raid=True),
        "DAA-13.01",
        "BTR cannot be raided: it is no enemy zone with units in it",
    ),
    (
        move("uk-bom-1", "RAS OAS WAZ", raid=True),
        "DAA-13.01",
        "WAZ cannot be raided: it is no enemy zone with units in it",
    ),
    (
        move("uk-bom-1", "RAS KHA", raid=True),
        "DAA-13.01",
        "KHA cannot be raided: it is no enemy zone with units in it",
    ),
    (move("uk-ftr-1", "RAS OAS WAZ"), "DAA-16.10", "planes have nothing to attack in WAZ, and take no ground"),
    (move("uk-ftr-1", "RAS OAS TEL"), "DAA-16.10", "planes have nothing to attack in TEL, and take no ground"),
    (
        move("uk-ftr-1", "RAS BTR TEL MGH"),
        "DAA-18.03",
        "the fighter would have 1 spaces left to land: the nearest is 2 spaces from MGH",
    ),
    (
        move("uk-bom-1 uk-ftr-1", "RAS BTR TEL MGH"),
        "DAA-18.03",
        "the fighter would have 1 spaces left to land: the nearest is 2 spaces from MGH",
    ),
]


NO_MARCHES: list[tuple[Any, str, str]] = [
    (move("uk-inf-3", "RAS KHA"), "DAA-6.05", "uk-inf-3 is laid down: it does not move this turn"),
    (move("uk-inf-4", "RAS KHA"), "DAA-4.09", "uk-inf-4 is laid down: it does not move this turn"),
    (move("uk-inf-2", "RAS KHA"), "DAA-18.01", "uk-inf-2 has made its non-combat move"),
    (move("uk-arm-1", "RAS KHA"), "DAA-18.01", "uk-arm-1 moved in the combat phase: it has no second move"),
    (move("uk-aa-4", "OAS KHA"), "DAA-18.05", "uk-aa-4 was captured this turn: it stays where it is"),
    (move("uk-bom-1", "OAS WAZ", raid=True), "DAA-13.01", "a raid is a combat move"),
    (
        move("uk-inf-1", "RAS OAS TEL"),
        "DAA-18.02",
        "infantry may not enter TEL in the non-combat phase: Germany holds it",
    ),
    (move("uk-aa-1", "RAS MSH KHA RAS"), "DAA-10.01", "flak moves 2 spaces at most, its extra space included"),
    (move("uk-aa-1", "RAS MSH"), "DAA-8.05", "MSH can hold one flak gun only"),
    (move("uk-inf-5 uk-aa-3", "MSH KHA"), "DAA-8.05", "KHA can hold one flak gun only"),
    (
        move("uk-bom-1", "OAS KHA MSH RAS KHA MSH"),
        "DAA-15.05",
        "the flight is 5 spaces long: this bomber can fly 4 more this turn",
    ),
    (move("uk-ftr-1", "KHA RAS SHO"), "DAA-11.03", "no plane may end its flight over SHO: that is closed terrain"),
    (move("uk-ftr-1", "KHA RAS BTR"), "DAA-12.02", "no plane may land in BTR: Germany holds it"),
    (move("uk-ftr-1", "KHA OAS"), "DAA-12.03", "no plane may land in OAS: it was taken this turn"),
]


@pytest.mark.rule("DAA-16.02", "DAA-16.10", "DAA-13.01", "DAA-18.03")
@pytest.mark.parametrize(
    ("order", "rule", "reason"), NO_ATTACKS, ids=[f"{each[1]} {each[2][:50]}" for each in NO_ATTACKS]
)
def test_why_a_combat_move_is_refused(order: Any, rule: str, reason: str) -> None:
    assert attacks().why_not(order) == (rule, reason)


@pytest.mark.rule("DAA-18.01", "DAA-18.02", "DAA-18.05", "DAA-12.02", "DAA-12.03", "DAA-R50")
@pytest.mark.parametrize(
    ("order", "rule", "reason"), NO_MARCHES, ids=[f"{each[1]} {each[2][:50]}" for each in NO_MARCHES]
)
def test_why_a_non_combat_move_is_refused(order: Any, rule: str, reason: str) -> None:
    assert marches().why_not(order) == (rule, reason)


@pytest.mark.rule("DAA-8.05", "DAA-R50")
def test_two_guns_do_not_go_together_where_a_space_holds_one() -> None:
    state = position("RAS uk-aa-1..2", "england", aa_limit="one_per_space")
    refusal = NonCombatMoves.on(Ground(state)).why_not(move("uk-aa-1 uk-aa-2", "RAS MSH"))
    assert refusal == ("DAA-8.05", "MSH can hold one flak gun only")
    state = position("RAS uk-aa-1..2", "england")
    assert NonCombatMoves.on(Ground(state)).why_not(move("uk-aa-1 uk-aa-2", "RAS MSH")) is None


@pytest.mark.rule("DAA-16.05", "DAA-R10")
def test_foot_stops_on_enemy_ground() -> None:
    space = CombatMoves.on(Ground(position("OAS uk-inf-1 uk-art-1", "england")))
    for unit, kind in (("uk-inf-1", "infantry"), ("uk-art-1", "artillery")):
        reason = f"{kind} must stop in TEL: Germany holds it, and only armour blitzes"
        assert space.why_not(move(unit, "OAS TEL BTR")) == ("DAA-16.05", reason)


@pytest.mark.rule("DAA-11.04")
def test_nothing_crosses_the_sand_sea() -> None:
    state = position("SIW uk-inf-1 uk-ftr-1; GIA it-inf-1", "england", "western_desert")
    space = CombatMoves.on(Ground(state))
    reason = "infantry may not enter GSS: Great Sand Sea is closed to land units"
    assert space.why_not(move("uk-inf-1", "SIW GSS")) == ("DAA-11.04", reason)
    reason = "no plane may fly over GSS: nothing crosses Great Sand Sea"
    assert space.why_not(move("uk-ftr-1", "SIW GSS GIA")) == ("DAA-11.04", reason)


@pytest.mark.rule("DAA-18.03", "DAA-12.03")
def test_no_plane_sets_out_that_could_land_nowhere() -> None:
    taken = {"captured": ["RAS", "MSH", "OAS", "KHA"]}
    state = position(
        "RAS uk-bom-1; BTR de-inf-1", "england", tweak=lambda state: setattr(state, "captured", taken["captured"])
    )
    reason = "the bomber would have 5 spaces left to land: there is none it can reach"
    assert CombatMoves.on(Ground(state)).why_not(move("uk-bom-1", "RAS BTR")) == ("DAA-18.03", reason)


@pytest.mark.rule("DAA-12.01", "DAA-R58")
def test_by_option_no_plane_lands_with_its_partner() -> None:
    state = position("WAZ it-ftr-1", "italy", air_land_ally="own_only")
    reason = "no plane of Italy may land in TEL: its partner holds it"
    assert NonCombatMoves.on(Ground(state)).why_not(move("it-ftr-1", "WAZ TEL")) == ("DAA-12.01", reason)


@pytest.mark.rule("DAA-18.03")
def test_a_plane_in_the_air_lands_before_anything_else() -> None:
    space = marches("uk-bom-1")
    assert space.why_not(EndMoves()) == ("DAA-18.03", "uk-bom-1 must land first")
    reason = "uk-bom-1 must land first: uk-inf-1 cannot move now"
    assert space.why_not(move("uk-inf-1", "RAS KHA")) == ("DAA-18.03", reason)
    assert marches().why_not(EndMoves()) is None


def test_what_was_drawn_or_judged_is_not_judged_again() -> None:
    space = attacks()
    drawn, wrong = space.sample(Stream(b"one")), move("uk-aa-1", "OAS TEL")
    space.check(drawn)
    for value in (None, wrong):
        assert not space.is_legal(value)
        with pytest.raises(IllegalOrder):
            space.check(value)
    assert space.is_legal(move("uk-inf-1", "OAS TEL"))
    assert space.drawn == move("uk-inf-1", "OAS TEL")
    rest = space.without(["uk-inf-1", "uk-arm-1", "uk-inf-5"])
    assert rest.leaders == {"RAS": ["uk-bom-1", "uk-ftr-1"]}
    assert rest.drawn is None
    fresh = attacks()
    assert not fresh.is_legal(None)
