"""The German air unit (AGC-4.4)."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case, names, react, total
from tests.plugins.damos.conftest import Lay

from damos.model import events
from damos.model.orders import ChoosePlan, Decline, EndPhase, KeepBenefit, Reroll, UseAir
from damos.model.state import DamosState
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Order

# --- the air unit ---


def supported(lay: Lay, german: str = "2816 I1:6", soviet: str = "2815 i1:6", **more: Any) -> Case:
    """Attack from 2816 and stop at the decision about the air unit."""
    case = lay(german=german, soviet=soviet, **more).march("I1", "2815", ChoosePlan("standard"))
    return case.to(UseAir)


@pytest.mark.rule("AGC-4.4a")
@pytest.mark.parametrize(("start", "offered"), [("2812", True), ("2811", False)])
def test_the_air_unit_supports_combats_within_five_hexes_of_a_railhead(lay: Lay, start: str, offered: bool) -> None:
    target = f"28{int(start[2:]) - 1}"
    case = lay(f"{start} I1:6; {target} i1:6", dice="attack 1; defense 1; attrition *")
    case.march("I1", target, ChoosePlan("standard"))
    case.until(lambda case: case.accepts(UseAir) or bool(case.events(events.CombatDecided)))
    assert case.accepts(UseAir) == offered


@pytest.mark.rule("AGC-4.4a", "AGC-1.2b")
@pytest.mark.parametrize(("position", "side", "path", "reaction", "dice", "column"), [
    ("2816 I1:6; 2815 i1:6", "soviet", "2816", [], "attack 1; defense 33; air 66", "defense"),
    ("2816 H1:6; 2815 i1:6", "german", "2815", [], "attack 44; defense 1; air 66", "attack"),
    ("2816 A1:6; 2814 a1:6", "soviet", "2815", [react("A1", "2816 2815")],
     "reaction 66; attack 1; defense 44; air 66", "defense"),
])  # fmt: skip
def test_the_air_unit_supports_defenses_allies_and_reactions(
    lay: Lay, position: str, side: str, path: str, reaction: list[Order], dice: str, column: str
) -> None:
    german, soviet = position.split("; ")
    case = lay(position, side=side, dice=dice)
    case.march(names(german if side == "german" else soviet), path, *(reaction or [ChoosePlan("standard")])).to(UseAir)
    assert case.pending.seat == "german"
    case.submit(UseAir(shift=True, reroll=False)).rest()
    assert getattr(case.one(events.CombatResolved), f"{column}_column") == 5


@pytest.mark.rule("AGC-4.4b", "R-DM-58")
@pytest.mark.parametrize(("option", "dice"), [("shifted_column_decides", 2), ("original_dice", 1)])
def test_an_air_shift_moves_one_column_to_the_right(lay: Lay, option: str, dice: int) -> None:
    faces = {"attack": "4" * dice, "defense": "1", "air": "66"}
    case = supported(lay, dice=faces, air_shift_dice=option).submit(UseAir(shift=True, reroll=False)).rest()
    result = case.one(events.CombatResolved)
    assert (result.attack_column, len(result.attack_dice)) == (5, dice)
    assert result.on_defender == ("2" if dice == 2 else "1")


@pytest.mark.rule("R-DM-58")
def test_an_air_shift_stops_at_the_last_column(lay: Lay) -> None:
    case = supported(lay, "2816 I1:24", dice={"attack": "111", "defense": "1", "air": "*"})
    if case.allows(UseAir(shift=True, reroll=False)):
        case.submit(UseAir(shift=True, reroll=False))
    result = case.rest().one(events.CombatResolved)
    assert (result.attack_column, len(result.attack_dice), result.on_defender) == (12, 3, "2")


@pytest.mark.rule("AGC-4.4c", "R-DM-84")
def test_an_air_reroll_counts_even_if_it_is_worse(lay: Lay) -> None:
    case = supported(lay, dice={"attack": "5", "defense": "1", "reroll": "2", "air": "66"})
    case.submit(UseAir(shift=False, reroll=True)).to(Reroll).submit(Reroll(1)).rest()
    again = case.one(events.DieRerolled)
    assert (again.side, again.number, again.before, again.after) == ("german", 1, 5, 2)
    assert case.one(events.CombatResolved).attack_dice == [2]
    assert case.one(events.CombatResolved).on_defender == "0h"


@pytest.mark.rule("R-DM-84", "AGC-4.4c")
@pytest.mark.parametrize(("option", "dice"), [("own_die", 2), ("any_die", 3)])
def test_own_dice_or_any_dice_can_be_rerolled_by_option(lay: Lay, option: str, dice: int) -> None:
    faces = {"attack": "11", "defense": "6", "reroll": "2", "air": "*"}
    case = supported(lay, "2816 I1:7", dice=faces, air_reroll_side=option)
    case.submit(UseAir(shift=False, reroll=True)).to(Reroll)
    assert len(case.offered(Reroll)) == dice
    again = case.submit(Reroll(dice)).rest().one(events.DieRerolled)
    assert (again.side, again.number, again.before, again.after) == (
        ("german", 2, 1, 2) if option == "own_die" else ("soviet", 1, 6, 2)
    )
    resolved = case.one(events.CombatResolved)
    assert (resolved.attack_dice, resolved.defense_dice) == (([1, 2], [6]) if option == "own_die" else ([1, 1], [2]))


@pytest.mark.rule("AGC-4.4a", "AGC-4.4b", "AGC-4.4c")
def test_an_unused_air_unit_gives_both_benefits(lay: Lay) -> None:
    case = supported(lay, dice={"attack": "11", "defense": "1", "reroll": "6", "air": "66"})
    case.submit(UseAir(shift=True, reroll=True)).to(Reroll).submit(Reroll(2)).rest()
    assert (case.one(events.AirUsed).shift, case.one(events.AirUsed).reroll) == (True, True)
    assert case.one(events.CombatResolved).attack_dice == [1, 6]


def checks(lay: Lay, air: str, turn: int = 4, option: str = "literal", keep: str = "reroll") -> tuple[Case, list[str]]:
    """Use the air unit in one combat after the other, and return the case and the outcomes of the checks."""
    starts, targets = ("2816", "2716", "2916"), ("2815", "2615", "2915")
    german = "; ".join(f"{hex_} I{number}:6" for number, hex_ in enumerate(starts, 1))
    soviet = "; ".join(f"{hex_} i{number}:9" for number, hex_ in enumerate(targets, 1))
    rolls = air.split(",")
    case = lay(
        german=german,
        soviet=soviet,
        turn=turn,
        air_success_cost=option,
        dice={"attack": "*", "defense": "*", "reroll": "*", "air": air},
    )
    for number, target in list(enumerate(targets, 1))[: len(rolls)]:
        case.march(f"I{number}", target, ChoosePlan("standard")).to(UseAir).submit(case.offered(UseAir)[0])
        case.until(lambda case: case.accepts(KeepBenefit) or isinstance(case.pending.done, EndPhase))
        if case.accepts(KeepBenefit):
            case.submit(KeepBenefit(keep))
        case.rest()
    return case, [event.outcome for event in case.events(events.AirChecked)]


@pytest.mark.rule("AGC-4.4d", "AGC-4.4e", "R-DM-85")
@pytest.mark.parametrize(("air", "turn", "option", "outcomes", "benefit"), [
    ("33", 4, "literal", ["one_benefit"], "reroll"), ("23", 4, "literal", ["nothing"], ""),
    ("23,23", 4, "literal", ["nothing", "grounded"], ""), ("23,33", 4, "literal", ["nothing", "one_benefit"], "reroll"),
    ("22", 2, "literal", ["one_benefit"], "reroll"), ("12", 2, "literal", ["nothing"], ""),
    ("66", 10, "literal", ["one_benefit"], "reroll"), ("56", 10, "literal", ["nothing"], ""),
    ("66", 11, "literal", ["nothing"], ""), ("66", 4, "swapped", ["kept"], ""),
    ("11", 4, "swapped", ["one_benefit"], "reroll"), ("11,11", 4, "swapped", ["one_benefit", "grounded"], "reroll"),
])  # fmt: skip
def test_the_air_unit_wears_out_by_failed_checks(
    lay: Lay, air: str, turn: int, option: str, outcomes: list[str], benefit: str
) -> None:
    """By option, a success has no effect and a failure costs a benefit."""
    case, found = checks(lay, air, turn, option)
    assert found == outcomes
    assert {event.needed for event in case.events(events.AirChecked)} == {2 + turn}
    assert [event.benefit for event in case.events(events.AirChecked)][-1] in {"", benefit}
    failures = sum(sum(event.dice) < 2 + turn for event in case.events(events.AirChecked))
    unit = case.state.air
    assert (unit.benefit, unit.ready, unit.failures) == (benefit, "grounded" not in outcomes, failures)


@pytest.mark.rule("AGC-4.4d")
@pytest.mark.parametrize("keep", ["shift", "reroll"])
def test_the_air_unit_keeps_one_benefit_after_a_good_check(lay: Lay, keep: str) -> None:
    case, _ = checks(lay, "66", keep=keep)
    case.march("I2", "2615", ChoosePlan("standard")).to(UseAir)
    assert case.offered(UseAir) == [UseAir(shift=keep == "shift", reroll=keep == "reroll")]
    with pytest.raises(IllegalOrder, match=f"but only for its {keep}"):
        case.game.submit(UseAir(shift=True, reroll=True))
    case.go(Decline()).rest()
    assert case.state.air.benefit == keep


@pytest.mark.rule("AGC-4.4e")
def test_a_grounded_air_unit_returns_on_the_next_turn(lay: Lay) -> None:
    case, _ = checks(lay, "11,11")
    case.march("I3", "2915", ChoosePlan("standard"))
    case.until(lambda case: case.accepts(UseAir) or isinstance(case.pending.done, EndPhase))
    assert not case.accepts(UseAir)
    case.rest()
    case.to_turn(5).to_phase("german.operations")
    assert (case.state.air.ready, case.state.air.failures, case.state.air.benefit) == (True, 0, "")


@pytest.mark.rule("AGC-4.4d")
def test_an_air_unit_that_is_not_used_makes_no_check(lay: Lay) -> None:
    case = supported(lay, dice={"attack": "1", "defense": "1"}).go(Decline()).rest()
    assert case.never(events.AirUsed, events.AirChecked)


# --- special cases ---


@pytest.mark.rule("AGC-4.4b", "DM-8.5a", "R-DM-58")
def test_an_additional_die_of_an_air_shift_suffers_from_lack_of_supply(lay: Lay) -> None:
    """Four hexes from the railhead the air unit is in range, but the force has no supply: two dice, -4."""
    case = lay("3216 I1:6; 3215 i1:6", dice="attack 66; defense 1; air 66").march("I1", "3215", ChoosePlan("standard"))
    case.to(UseAir).submit(UseAir(shift=True, reroll=False)).rest()
    result = case.one(events.CombatResolved)
    assert total(result.attack_modifiers) == -4
    assert (result.attack_total, result.attack_column) == (8, 5)


@pytest.mark.rule("AGC-4.4a")
def test_the_air_unit_stays_grounded_in_the_soviet_player_turn(lay: Lay) -> None:
    """It is one unit for both player turns."""

    def grounded(state: DamosState) -> None:
        state.air.ready = False

    case = lay("2816 I1:6; 2815 i1:6", side="soviet", dice="attack 1; defense 3", tweak=grounded)
    case.march("i1", "2816", ChoosePlan("standard"))
    case.until(lambda case: case.accepts(UseAir) or bool(case.events(events.CombatDecided)))
    assert not case.accepts(UseAir)
