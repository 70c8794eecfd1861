"""Anti-tank guns: DAA-7."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import minutes

from desert_aa.model.events import FlakFired, GunsFired, MinesStruck, RoundFought, UnitsLost
from desert_aa.model.orders import DesignateGuns, EndMoves, Retreat, TakeLosses
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.records import OrderRecord, RollRecord

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay
    from transcripts import Transcript

    from sandtable.kernel.decisions import Roll


def charge(lay: Lay, tanks: int, defence: str, dice: str = "", others: str = "", **options: str) -> Case:
    """English tanks, and ``others``, go from Habata into Gabr Saleh; stops where the guns are told off."""
    ids = f"uk-arm-1..{tanks} {others}"
    case = lay(f"HAB {ids}; GSA {defence}", "england", dice=dice, **options)
    case.attack(ids, "HAB GSA").submit(EndMoves())
    return case


@pytest.mark.rule("DAA-7.01", "DAA-7.05")
@pytest.mark.parametrize("guns", [[], ["de-art-2"], ["de-art-1", "de-art-3"], ["de-art-1", "de-art-2", "de-art-3"]])
def test_the_owner_tells_off_all_his_guns_or_some_or_none(lay: Lay, guns: list[str]) -> None:
    # Every shot misses with 6; guns that were told off do not roll in defence, the others do, on 2.
    shots = " ".join("6" * len(guns))
    answers = " ".join("6" * (3 - len(guns)))
    case = charge(lay, 3, "de-art-1..3", f"{shots}, 6 6 6, {answers}")
    assert case.asked.seat == "germany"
    case.go(DesignateGuns(guns), Retreat("HAB"))
    fired = [event.guns for event in case.events(GunsFired)]
    assert fired == ([guns] if guns else [])


@pytest.mark.rule("DAA-7.02")
def test_attacking_guns_are_no_anti_tank_guns(lay: Lay) -> None:
    # England attacks German tanks with guns of its own: nobody is asked, and the guns roll on 2 with the others.
    case = charge(lay, 1, "de-arm-1..2", "6 6, 6 6", others="uk-art-1")
    assert not case.wants(DesignateGuns)
    case.go(Retreat("HAB"))
    assert case.needs() == [(2, 3), (2, 2)]
    assert not case.events(GunsFired)


@pytest.mark.rule("DAA-7.03")
def test_guns_shoot_at_armour_and_nothing_else(lay: Lay) -> None:
    # One tank and three infantry: the shot that hits takes the tank.
    case = charge(lay, 1, "de-art-1", "1, 6 6 6", others="uk-inf-1..3")
    case.go(DesignateGuns(["de-art-1"]), Retreat("HAB"))
    assert case.events(UnitsLost)[0].units == ["uk-arm-1"]
    assert case.events(GunsFired)[0].tanks == ["uk-arm-1"]


@pytest.mark.rule("DAA-7.04")
def test_a_gun_that_has_fired_sits_out_the_rest_of_the_fight(lay: Lay) -> None:
    # Shot misses; two rounds in which the infantry alone answers; the artillery is not heard again.
    case = charge(lay, 1, "de-art-1 de-inf-1", "6, 6, 6, 6, 6")
    case.go(DesignateGuns(["de-art-1"])).to(Retreat)
    case.until(lambda case: len(case.events(RoundFought)) == 2).go(Retreat("HAB"))
    assert case.needs() == [(3,), (3,), (2,), (3,), (2,)]


@pytest.mark.rule("DAA-7.06", "DAA-R27")
def test_no_more_guns_are_told_off_than_there_are_tanks(lay: Lay) -> None:
    case = charge(lay, 2, "de-art-1..3", "6 6, 6 6, 6")
    assert case.refused(DesignateGuns(["de-art-1", "de-art-2", "de-art-3"])) in {"DAA-7.06", "DAA-R27"}
    case.go(DesignateGuns(["de-art-1", "de-art-2"]), Retreat("HAB"))
    assert case.needs() == [(3, 3), (3, 3), (2,)]


@pytest.mark.rule("DAA-7.06", "DAA-17.12")
@pytest.mark.parametrize(
    ("tanks", "german", "italian"), [(1, 1, 0), (1, 0, 1), (2, 1, 1), (2, 2, 0), (3, 1, 2), (3, 2, 1)]
)
def test_partners_tell_off_no_more_guns_than_there_are_tanks_for_both(
    lay: Lay, tanks: int, german: int, italian: int
) -> None:
    """Germany says first how many of its two guns; what is left of the tanks is for those of Italy."""
    guns = german + italian
    dice = " ".join("6" * guns) + ", " + " ".join("6" * tanks) + (", " + " ".join("6" * (4 - guns)))
    case = charge(lay, tanks, "de-art-1..2 it-art-1..2", dice)
    against = f"artillery as anti-tank guns against {tanks} tanks"
    assert (case.asked.power, case.asked.prompt) == ("germany", f"tell off up to {min(2, tanks)} {against}")
    case.submit(DesignateGuns([f"de-art-{number + 1}" for number in range(german)]))
    if tanks > german:
        left = min(2, tanks - german)
        assert (case.asked.power, case.asked.prompt) == ("italy", f"tell off up to {left} {against}")
        assert case.asked.options.count() == {1: 3, 2: 4}[left]
        case.submit(DesignateGuns([f"it-art-{number + 1}" for number in range(italian)]))
    assert case.asked.power == "england"
    case.submit(Retreat("HAB"))


@pytest.mark.rule("DAA-7.06")
def test_two_guns_do_not_fire_at_one_tank(lay: Lay) -> None:
    # Two guns, two tanks, both shots hit: two tanks are gone, not one.
    case = charge(lay, 2, "de-art-1..2", "1 1")
    case.go(DesignateGuns(["de-art-1", "de-art-2"]))
    assert case.units().keys() == {"de-art-1", "de-art-2"}


@pytest.mark.rule("DAA-R27")
def test_by_option_surplus_guns_are_told_off_and_their_shots_are_lost(lay: Lay) -> None:
    case = charge(lay, 1, "de-art-1..3", "6, 6", at_surplus="wasted")
    case.go(DesignateGuns(["de-art-1", "de-art-2", "de-art-3"]), Retreat("HAB"))
    assert case.needs() == [(3,), (3,)]  # one shot, one attack, no answer: all three are spent


@pytest.mark.rule("DAA-R27")
def test_by_option_surplus_guns_fire_second_shots(lay: Lay) -> None:
    # The first shot at the only tank misses, a second one hits.
    case = charge(lay, 1, "de-art-1..2", "6 3", at_surplus="double_up")
    case.go(DesignateGuns(["de-art-1", "de-art-2"]))
    assert "uk-arm-1" not in case.units()


@pytest.mark.rule("DAA-R27", "DAA-7.06")
def test_by_option_two_hits_on_one_tank_do_not_cost_another(lay: Lay) -> None:
    # Three guns, two tanks: the first and third shot are at the same tank, and both hit; the other tank lives.
    case = charge(lay, 2, "de-art-1..3", "1 6 1, 6", at_surplus="double_up")
    case.go(DesignateGuns(["de-art-1", "de-art-2", "de-art-3"]), Retreat("HAB"))
    assert len([unit for unit in case.units() if unit.startswith("uk")]) == 1


@pytest.mark.rule("DAA-7.07", "DAA-R34", "DAA-9.05")
def test_mines_come_first_then_flak_then_guns_then_the_rounds(lay: Lay) -> None:
    # Two tanks and a fighter against infantry, a gun and flak in a mined space.
    # Mines 6 6; flak 6; gun 6; attack 6 6 6; infantry answers 6.
    case = lay(
        "HAB uk-arm-1..2 uk-ftr-1; GSA de-inf-1 de-art-1 de-aa-1",
        dice="6 6, 6, 6, 6 6 6, 6",
        mines={"GSA": "germany"},
    )
    case.attack("uk-arm-1..2 uk-ftr-1", "HAB GSA").fight(DesignateGuns(["de-art-1"]), Retreat("HAB"))
    order = [type(event) for event in case.events(MinesStruck, FlakFired, GunsFired, RoundFought)]
    assert order == [MinesStruck, FlakFired, GunsFired, RoundFought]
    assert case.needs() == [(3, 3), (1,), (3,), (3, 3, 3), (2,)]


@pytest.mark.rule("DAA-7.08")
@pytest.mark.parametrize(("die", "hit"), [(1, True), (3, True), (4, False), (6, False)])
def test_an_anti_tank_shot_hits_on_three_or_less(lay: Lay, die: int, hit: bool) -> None:
    case = charge(lay, 1, "de-art-1", f"{die}" + ("" if hit else ", 6"))
    case.go(DesignateGuns(["de-art-1"]))
    if not hit:
        case.go(Retreat("HAB"))
    assert ("uk-arm-1" in case.units()) is not hit


@pytest.mark.rule("DAA-7.09")
def test_a_tank_hit_leaves_at_once_and_never_rolls(lay: Lay) -> None:
    case = charge(lay, 2, "de-art-1 de-inf-1", "3, 6, 6").go(DesignateGuns(["de-art-1"]), Retreat("HAB"))
    assert case.needs() == [(3,), (3,), (2,)]  # one shot; one tank attacks; the infantry answers


@pytest.mark.rule("DAA-R28")
def test_the_attacker_has_no_say_in_which_tank_is_shot(lay: Lay) -> None:
    # Tanks that came different ways, one of them pushed: after the hit England is asked nothing before its dice.
    case = lay("HAB uk-arm-1; RUW uk-arm-2; GSA de-art-1", dice="1, 6")
    case.attack("uk-arm-1", "HAB GSA").attack("uk-arm-2", "RUW MIN HAB GSA").submit(EndMoves())
    assert case.asked.seat == "germany"
    case.submit(DesignateGuns(["de-art-1"]))
    assert case.needs() == [(3,), (3,)]
    case.go(Retreat("HAB"))


@pytest.mark.rule("DAA-R29")
def test_a_spent_gun_may_be_given_up_as_a_loss(lay: Lay) -> None:
    case = charge(lay, 1, "de-art-1 de-inf-1", "6, 3, 6").go(DesignateGuns(["de-art-1"]))
    case.go(TakeLosses(["de-art-1"]), Retreat("HAB"))
    assert case.at("GSA") == "de-inf-1"


@pytest.mark.rule("DAA-R29")
def test_by_option_a_spent_gun_is_out_of_the_battle(lay: Lay) -> None:
    # The tank hits, and the infantry is all that can be lost: Germany is not asked, the attacker is next.
    case = charge(lay, 1, "de-art-1 de-inf-1", "6, 3, 6", at_casualty="excluded").submit(DesignateGuns(["de-art-1"]))
    assert (case.asked.seat, case.at("GSA")) == ("england", "de-art-1 uk-arm-1")
    case.submit(Retreat("HAB"))


@pytest.mark.rule("DAA-R30")
def test_spent_guns_alone_are_fought_and_make_no_reply(lay: Lay) -> None:
    # The shot misses; the tank misses; the tank hits: no defence roll in either round.
    case = charge(lay, 1, "de-art-1", "6, 6, 3").go(DesignateGuns(["de-art-1"]))
    case.fight()
    assert case.needs() == [(3,), (3,), (3,)]
    assert (case.at("GSA"), case.holder("GSA")) == ("uk-arm-1", "england")


@pytest.mark.rule("DAA-R31")
@pytest.mark.parametrize(("option", "need"), [("three", 3), ("two", 2)])
def test_italian_guns_hit_on_three_or_by_option_on_two(lay: Lay, option: str, need: int) -> None:
    case = charge(lay, 1, "it-art-1", f"{need}", at_italy=option).go(DesignateGuns(["it-art-1"]))
    assert "uk-arm-1" not in case.units()
    case = charge(lay, 1, "it-art-1", f"{need + 1}, 6", at_italy=option).go(DesignateGuns(["it-art-1"]))
    assert "uk-arm-1" in case.go(Retreat("HAB")).units()


@pytest.mark.rule("DAA-R31")
def test_the_option_for_italian_guns_leaves_german_guns_alone(lay: Lay) -> None:
    case = charge(lay, 1, "de-art-1", "3", at_italy="two").go(DesignateGuns(["de-art-1"]))
    assert "uk-arm-1" not in case.units()


@pytest.mark.rule("DAA-R32")
def test_england_has_anti_tank_guns_too(lay: Lay) -> None:
    case = lay("GSA de-arm-1; HAB uk-art-1", "germany", dice="3").attack("de-arm-1", "GSA HAB").submit(EndMoves())
    assert (case.asked.seat, case.wants(DesignateGuns)) == ("england", True)
    case.submit(DesignateGuns(["uk-art-1"]))
    assert case.units().keys() == {"uk-art-1"}


@pytest.mark.rule("DAA-R33")
def test_guns_are_told_off_unseen_before_any_roll(lay: Lay) -> None:
    case = charge(lay, 1, "de-art-1 de-aa-1", "6, 6, 6 6", others="uk-ftr-1")
    assert case.wants(DesignateGuns)
    assert case.asked.secret
    assert case.needs() == []  # not even flak has fired
    case.go(DesignateGuns(["de-art-1"]), Retreat("HAB"))
    assert case.needs() == [(1,), (3,), (3, 3)]


@pytest.mark.rule("DAA-R33", "DAA-7.01")
def test_the_choice_of_guns_is_kept_from_the_attacker_until_they_fire(lay: Lay) -> None:
    # All that England sees of the log up to the die of flak, which comes ahead of the guns.
    seen = []
    for guns, dice in ((["de-art-1"], "6, 6, 6 6, 6"), (["de-art-2"], "6, 6, 6 6, 6"), ([], "6, 6 6, 6 6")):
        case = charge(lay, 1, "de-art-1..2 de-aa-1", dice, others="uk-ftr-1")
        case.go(DesignateGuns(guns), Retreat("HAB"))
        records = case.game.records
        flak = next(place for place, record in enumerate(records) if isinstance(record, RollRecord))
        seen.append(seen_records(records[: flak + 1], case.prepared, "allies"))
    assert seen[0] == seen[1] == seen[2]
    orders = [record.order for record in seen[0] if isinstance(record, OrderRecord)]
    assert [type(order).__name__ for order in orders] == ["BuyUnits", "MoveUnits", "EndMoves"]


@pytest.mark.rule("DAA-R27", "DAA-7.06")
@pytest.mark.parametrize(
    ("option", "dice"),
    [
        ("double_up", "6 3 6, 6"),
        ("double_up", "6 6 3, 6"),
        ("double_up", "3 3 6"),
        ("wasted", "6 3, 6"),
    ],
)
def test_more_guns_than_tanks(lay: Lay, rolls: list[Roll], option: str, dice: str, transcript: Transcript) -> None:
    case = lay("HAB uk-arm-1..2; GSA de-art-1..3", dice=dice, at_surplus=option).attack("uk-arm-1..2", "HAB GSA")
    case.submit(EndMoves()).submit(DesignateGuns(["de-art-1", "de-art-2", "de-art-3"]))
    transcript(minutes([*case.events(GunsFired), case.events(UnitsLost)[0], rolls[0]]))
