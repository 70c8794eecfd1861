"""Rounds and retreats (DAA-11.01, DAA-16.06, DAA-17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import attack

from desert_aa.model.events import BattleEnded, BattleOpened, RoundFought, UnitsLost
from desert_aa.model.orders import ChooseCombat, EndMoves, PressOn, Retreat, TakeLosses

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay


@pytest.mark.rule("DAA-11.01", "DAA-15.07")
@pytest.mark.parametrize(
    ("attackers", "needs"),
    [
        ("uk-inf-1..3", (1, 1, 1)),
        ("uk-inf-1..3 uk-art-1", (1, 1, 2, 2)),
        ("uk-inf-1..3 uk-art-1..2", (1, 2, 2, 2, 2)),
        ("uk-inf-1 uk-art-1..2", (2, 2, 2)),
        ("uk-arm-1 uk-art-1", (2, 3)),
    ],
)
def test_each_gun_lifts_one_infantry_to_two(lay: Lay, attackers: str, needs: tuple[int, ...]) -> None:
    case = attack(lay, attackers, "de-inf-1", " ".join("6" for _ in needs) + ", 6").fight(Retreat("HAB"))
    assert case.needs()[0] == needs


@pytest.mark.rule("DAA-15.07")
def test_a_gun_that_is_lost_lifts_nobody_in_the_next_round(lay: Lay) -> None:
    case = attack(lay, "uk-inf-1 uk-art-1", "de-inf-1", "6 6, 2, 6, 6").go(TakeLosses(["uk-art-1"]), PressOn())
    case.go(Retreat("HAB"))
    assert case.needs() == [(2, 2), (2,), (1,), (2,)]


@pytest.mark.rule("DAA-11.01")
def test_guns_lift_no_infantry_in_defence(lay: Lay) -> None:
    assert attack(lay, "uk-inf-1", "it-inf-1 it-art-1", "6, 6 6").fight(Retreat("HAB")).needs()[1] == (1, 1)


@pytest.mark.rule("DAA-17.01")
@pytest.mark.parametrize("first", ["GSA", "GIR"])
def test_the_attacker_chooses_which_battle_is_next(lay: Lay, first: str) -> None:
    case = lay("HAB uk-inf-1; SIW uk-inf-2; GSA de-inf-1; GIR it-inf-1", dice="6, 6, 6, 6")
    case.attack("uk-inf-1", "HAB GSA").attack("uk-inf-2", "SIW GIR").submit(EndMoves())
    assert case.asked.seat == "england"
    assert case.refused(ChooseCombat("HAB")) == "DAA-17.01"
    second = {"GSA": "GIR", "GIR": "GSA"}[first]
    home = {"GSA": "HAB", "GIR": "SIW"}
    case.submit(ChooseCombat(first)).go(Retreat(home[first]), Retreat(home[second]))
    assert [event.space for event in case.events(BattleOpened)] == [first, second]
    assert [event.attackers for event in case.events(BattleOpened)][0 if first == "GSA" else 1] == ["uk-inf-1"]


@pytest.mark.rule("DAA-17.04")
@pytest.mark.parametrize(("die", "hit"), [(1, True), (3, True), (4, False)])
def test_an_attacker_hits_with_its_value_or_less(lay: Lay, die: int, hit: bool) -> None:
    case = attack(lay, "uk-arm-1", "de-inf-1", f"{die}, 6")
    case.fight(*([] if hit else [Retreat("HAB")]))
    assert ("de-inf-1" in case.units()) is not hit


@pytest.mark.rule("DAA-17.05")
@pytest.mark.parametrize(("die", "hit"), [(1, True), (2, True), (3, False)])
def test_a_defender_hits_with_its_value_or_less(lay: Lay, die: int, hit: bool) -> None:
    case = attack(lay, "uk-arm-1", "de-inf-1", f"6, {die}").fight(*([] if hit else [Retreat("HAB")]))
    assert ("uk-arm-1" in case.units()) is not hit


@pytest.mark.rule("DAA-17.05", "DAA-17.07")
def test_a_defender_just_hit_fires_back_before_it_is_taken_off(lay: Lay) -> None:
    case = attack(lay, "uk-inf-1", "de-inf-1", "1, 2").fight()
    assert not case.units()
    assert [event.units for event in case.events(RoundFought, UnitsLost)[1:]] == [["de-inf-1"], ["uk-inf-1"]]
    assert (case.holder("GSA"), case.events(BattleEnded)[0].outcome) == ("germany", "destroyed")


@pytest.mark.rule("DAA-17.08", "DAA-16.06")
def test_rounds_go_on_until_one_side_is_gone(lay: Lay) -> None:
    case = attack(lay, "uk-arm-1", "de-inf-1", "6, 6, 6, 6, 3, 6").fight(PressOn(), PressOn())
    assert [event.round for event in case.events(RoundFought)] == [1, 2, 3]
    assert case.at("GSA") == "uk-arm-1"


@pytest.mark.rule("DAA-17.08", "DAA-16.06")
def test_an_attack_ends_when_the_attacker_is_gone(lay: Lay) -> None:
    case = attack(lay, "uk-arm-1", "de-inf-1", "6, 1").fight()
    assert (case.at("GSA"), case.holder("GSA")) == ("de-inf-1", "germany")
    assert case.events(BattleEnded)[0].outcome == "held"


def from_three_sides(lay: Lay, dice: str, **options: str) -> Case:
    case = lay("HAB uk-inf-1; BUQ uk-inf-2; MIN uk-arm-1; GSA de-inf-1", dice=dice, **options)
    case.attack("uk-inf-1", "HAB GSA").attack("uk-inf-2", "BUQ GSA").attack("uk-arm-1", "MIN HAB GSA")
    return case.submit(EndMoves()).to(Retreat)


@pytest.mark.rule("DAA-17.09", "DAA-R16", "DAA-16.06")
@pytest.mark.parametrize("back", ["HAB", "BUQ"])
def test_all_ground_attackers_pull_back_to_one_space_that_some_of_them_left(lay: Lay, back: str) -> None:
    case = from_three_sides(lay, "6 6 6, 6")
    for other in ("SIW", "MIN", "GUB"):  # friendly but not left by anybody; not a neighbour; the enemy's
        assert case.refused(Retreat(other)) == "DAA-17.09"
    case.submit(Retreat(back))
    assert case.at(back) == "uk-arm-1 uk-inf-1 uk-inf-2"
    assert case.at("GSA") == "de-inf-1"


@pytest.mark.rule("DAA-R16")
def test_by_option_each_attacker_goes_back_the_way_it_came(lay: Lay) -> None:
    case = from_three_sides(lay, "6 6 6, 6", retreat_rule="own_origin")
    assert case.refused(Retreat("HAB")) in {"DAA-17.09", "DAA-R16"}
    case.submit(Retreat())
    assert [case.where(unit) for unit in ("uk-inf-1", "uk-inf-2", "uk-arm-1")] == ["HAB", "BUQ", "HAB"]


@pytest.mark.rule("DAA-17.09")
def test_a_retreat_comes_after_a_round_not_before(lay: Lay) -> None:
    case = attack(lay, "uk-arm-1", "de-inf-1", "6, 6")
    assert case.wants(Retreat)
    assert case.needs() == [(3,), (2,)]
    case.submit(Retreat("HAB"))


@pytest.mark.rule("DAA-17.10")
def test_the_defence_is_never_asked_to_retreat(lay: Lay) -> None:
    # Two rounds, in the second of which one of two like defenders falls: nobody but England decides anything.
    case = attack(lay, "uk-arm-1", "de-inf-1..2", "6, 6 6, 1, 6 6")
    for order in (PressOn(), Retreat("HAB")):
        assert [decision.seat for decision in case.game.waiting()] == ["england"]
        case.submit(order)
    assert len(case.at("GSA").split()) == 1


@pytest.mark.rule("DAA-17.09")
def test_planes_stay_behind_a_retreat_and_land_later(lay: Lay) -> None:
    case = attack(lay, "uk-inf-1 uk-ftr-1", "de-inf-1", "6 6, 6").fight(Retreat("HAB"))
    assert (case.where("uk-inf-1"), case.where("uk-ftr-1")) == ("HAB", "GSA")
    case.shift("uk-ftr-1", "GSA HAB MIN")
    assert case.where("uk-ftr-1") == "MIN"


@pytest.mark.rule("DAA-17.12")
def test_partners_defend_as_one_force(lay: Lay) -> None:
    case = attack(lay, "uk-inf-1", "de-inf-1 it-inf-1 it-ftr-1", "6, 6 6 6").fight(Retreat("HAB"))
    assert case.needs()[1] == (1, 2, 3)


@pytest.mark.rule("DAA-18.06")
def test_stacks_have_no_limit(lay: Lay) -> None:
    case = lay("HAB uk-inf-1..30; MIN uk-inf-31..60 uk-arm-1..20").shift("uk-inf-31..60 uk-arm-1..20", "MIN HAB")
    assert len(case.at("HAB").split()) == 80


@pytest.mark.rule("DAA-17.01", "DAA-R56")
def test_raids_and_battles_are_chosen_from_and_a_raid_goes_first(lay: Lay) -> None:
    case = lay("SIB de-bom-1 de-inf-1; MAT uk-inf-1; GSA de-inf-2; HAB uk-inf-2", "germany", dice="6, 6, 6, 6, 6")
    case.attack("de-bom-1", "SIB MAT", raid=True).attack("de-inf-1", "SIB MAT").attack("de-inf-2", "GSA HAB")
    case.submit(EndMoves())
    assert list(case.asked.options.values()) == [ChooseCombat("HAB"), ChooseCombat("MAT")]
    case.submit(ChooseCombat("MAT")).submit(ChooseCombat("MAT")).go(Retreat("SIB"), Retreat("GSA"))
    assert [purpose for purpose, _ in case.rolls()] == [
        "raid.MAT",
        "attack.MAT",
        "defence.MAT",
        "attack.HAB",
        "defence.HAB",
    ]
