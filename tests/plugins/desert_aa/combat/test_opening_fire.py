"""Anti-tank guns: DAA-7."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.positions import minutes, numbers_in
from tests.plugins.desert_aa.rows import Row, play, row

from desert_aa.model.events import GunsFired, UnitsLost
from desert_aa.model.orders import DesignateGuns, EndMoves, Retreat
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.records import OrderRecord, RollRecord

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay
    from transcripts import Transcript

    from sandtable.kernel.decisions import Roll


def charge(lay: Lay, tanks: int, defense: str, dice: str = "", others: str = "", **options: str) -> Case:
    """Return a case in which English tanks and ``others`` attack Gabr Saleh, before guns are designated."""
    ids = f"uk-arm-1..{tanks} {others}"
    case = lay(f"HAB {ids}; GSA {defense}", "england", dice=dice, **options)
    case.attack(ids, "HAB GSA").submit(EndMoves())
    return case


@pytest.mark.rule("DAA-7.01", "DAA-7.05")
@pytest.mark.parametrize("guns", [[], ["de-art-2"], ["de-art-1", "de-art-3"], ["de-art-1", "de-art-2", "de-art-3"]])
def test_owner_designates_all_some_or_no_guns(lay: Lay, guns: list[str]) -> None:
    # Every shot misses with 6. Designated guns do not roll in defense; the others roll on 2.
    shots = " ".join("6" * len(guns))
    answers = " ".join("6" * (3 - len(guns)))
    case = charge(lay, 3, "de-art-1..3", f"{shots}, 6 6 6, {answers}")
    assert case.asked.seat == "germany"
    case.go(DesignateGuns(guns), Retreat("HAB"))
    fired = [event.guns for event in case.events(GunsFired)]
    assert fired == ([guns] if guns else [])


def guns(rules: str, name: str, tanks: int, defense: str, *steps: str, others: str = "", **setup: Any) -> Any:
    """Return a row in which tanks and ``others`` attack Gabr Saleh. Its steps begin when guns are designated."""
    ids = f"uk-arm-1..{tanks} {others}".strip()
    return row(rules, name, f"HAB {ids}; GSA {defense}", f"attack {ids}: HAB GSA", "end", *steps, **setup)


GUNS = [
    # England attacks German tanks with guns: no designation, and the guns roll on 2 with the other units.
    guns("DAA-7.02", "attacking guns are not anti-tank guns", 1, "de-arm-1..2", "wants guns = False", "go retreat HAB",
         "needs = 2 3, 2 2", "count GunsFired = 0", others="uk-art-1", dice="6 6, 6 6"),
    # One tank and three infantry: the hit destroys the tank.
    guns("DAA-7.03", "guns shoot at armor and nothing else", 1, "de-art-1", "go guns de-art-1; retreat HAB",
         "lost = uk-arm-1", "targets = uk-arm-1", others="uk-inf-1..3", dice="1, 6 6 6"),
    # The shot misses. In two rounds only the infantry rolls, and the artillery does not roll again.
    guns("DAA-7.04", "a gun that has fired sits out the rest of the fight", 1, "de-art-1 de-inf-1", "guns de-art-1",
         "rounds 2", "go retreat HAB", "needs = 3, 3, 2, 3, 2", dice="6, 6, 6, 6, 6"),
    guns("DAA-7.06 DAA-R27", "no more guns are designated than there are tanks", 2, "de-art-1..3",
         "refuse guns de-art-1..3 = DAA-7.06 DAA-R27", "go guns de-art-1..2; retreat HAB", "needs = 3 3, 3 3, 2",
         dice="6 6, 6 6, 6"),
    # Two guns, two tanks, both shots hit: two tanks are gone, not one.
    guns("DAA-7.06", "two guns do not fire at one tank", 2, "de-art-1..2", "guns de-art-1..2",
         "units = de-art-1 de-art-2", dice="1 1"),
    # One shot and one attack roll, but no defense roll: all three guns are spent.
    guns("DAA-R27", "by option surplus guns are designated and their shots are lost", 1, "de-art-1..3",
         "go guns de-art-1..3; retreat HAB", "needs = 3, 3", dice="6, 6", at_surplus="wasted"),
    # The first shot at the only tank misses, a second one hits.
    guns("DAA-R27", "by option surplus guns fire second shots", 1, "de-art-1..2", "guns de-art-1..2",
         "where uk-arm-1 = -", dice="6 3", at_surplus="double_up"),
    # Three guns, two tanks: the first and third shot hit the same tank, and the other survives.
    guns("DAA-R27 DAA-7.06", "by option two hits on one tank do not cost another", 2, "de-art-1..3",
         "go guns de-art-1..3; retreat HAB", "size HAB = 1", dice="1 6 1, 6", at_surplus="double_up"),
    # Mines 6 6; flak 6; gun 6; attack 6 6 6; defending infantry 6.
    guns("DAA-7.07 DAA-R34 DAA-9.05", "mines come first, then flak, then guns, then rounds", 2,
         "de-inf-1 de-art-1 de-aa-1", "go guns de-art-1; retreat HAB", "rolls = mines flak guns attack defence",
         "happened = MinesStruck FlakFired GunsFired RoundFought", "needs = 3 3, 1, 3, 3 3 3, 2", others="uk-ftr-1",
         dice="6 6, 6, 6, 6 6 6, 6", mines={"GSA": "germany"}),
    *(guns("DAA-7.08", f"an anti-tank shot of {die} hits", 1, "de-art-1", "guns de-art-1", "where uk-arm-1 = -",
           dice=die) for die in "13"),
    *(guns("DAA-7.08", f"an anti-tank shot of {die} misses", 1, "de-art-1", "go guns de-art-1; retreat HAB",
           "where uk-arm-1 = HAB", dice=f"{die}, 6") for die in "46"),
    # One shot, then one tank attacks and the infantry defends.
    guns("DAA-7.09", "a tank that is hit is lost immediately and never rolls", 2, "de-art-1 de-inf-1",
         "go guns de-art-1; retreat HAB", "needs = 3, 3, 2", dice="3, 6, 6"),
    # The tanks have different paths, and one is pushed. After the hit England decides nothing before its dice.
    row("DAA-R28", "the attacker has no say in which tank is shot", "HAB uk-arm-1; RUW uk-arm-2; GSA de-art-1",
        "attack uk-arm-1: HAB GSA; uk-arm-2: RUW MIN HAB GSA", "end", "asked = germany", "guns de-art-1",
        "needs = 3, 3", "go retreat HAB", dice="1, 6"),
    guns("DAA-R29", "a spent gun may be given up as a loss", 1, "de-art-1 de-inf-1",
         "go guns de-art-1; lose de-art-1; retreat HAB", "at GSA = de-inf-1", dice="6, 3, 6"),
    # The tank hits, and only the infantry can be lost: Germany does not choose, and the attacker is next.
    guns("DAA-R29", "by option a spent gun is out of the battle", 1, "de-art-1 de-inf-1", "guns de-art-1",
         "asked = england", "at GSA = de-art-1 uk-arm-1", "retreat HAB", dice="6, 3, 6", at_casualty="excluded"),
    # The shot misses, the tank misses, then it hits: there is no defense roll in either round.
    guns("DAA-R30", "spent guns alone are fought and make no reply", 1, "de-art-1", "guns de-art-1", "fight",
         "needs = 3, 3, 3", "at GSA = uk-arm-1", "holder GSA = england", dice="6, 6, 3"),
    *(guns("DAA-R31", f"an Italian gun hits on {need}", 1, "it-art-1", "guns it-art-1", "where uk-arm-1 = -",
           dice=f"{need}", at_italy=option) for option, need in (("three", 3), ("two", 2))),
    *(guns("DAA-R31", f"an Italian gun misses with {need + 1}", 1, "it-art-1", "go guns it-art-1; retreat HAB",
           "where uk-arm-1 = HAB", dice=f"{need + 1}, 6", at_italy=option)
      for option, need in (("three", 3), ("two", 2))),
    guns("DAA-R31", "the option for Italian guns leaves German guns alone", 1, "de-art-1", "guns de-art-1",
         "where uk-arm-1 = -", dice="3", at_italy="two"),
    row("DAA-R32", "England has anti-tank guns too", "GSA de-arm-1; HAB uk-art-1", "attack de-arm-1: GSA HAB", "end",
        "asked = england", "wants guns = True", "guns uk-art-1", "units = uk-art-1", dice="3"),
]  # fmt: skip


@pytest.mark.rule("DAA-7.02", "DAA-7.03", "DAA-7.04", "DAA-7.06", "DAA-7.07", "DAA-7.08", "DAA-7.09", "DAA-9.05")
@pytest.mark.rule("DAA-R27", "DAA-R28", "DAA-R29", "DAA-R30", "DAA-R31", "DAA-R32", "DAA-R34")
@pytest.mark.parametrize("row", GUNS)
def test_anti_tank_guns_follow_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-7.06", "DAA-17.12")
@pytest.mark.parametrize(
    ("tanks", "german", "italian"), [(1, 1, 0), (1, 0, 1), (2, 1, 1), (2, 2, 0), (3, 1, 2), (3, 2, 1)]
)
def test_partners_together_assign_one_gun_to_each_tank(lay: Lay, tanks: int, german: int, italian: int) -> None:
    """Germany first designates some of its two guns. Italy's guns may fire at the remaining tanks."""
    guns = german + italian
    dice = " ".join("6" * guns) + ", " + " ".join("6" * tanks) + (", " + " ".join("6" * (4 - guns)))
    case = charge(lay, tanks, "de-art-1..2 it-art-1..2", dice)
    assert (case.asked.power, numbers_in(case.asked.prompt)) == ("germany", [min(2, tanks), tanks])
    case.submit(DesignateGuns([f"de-art-{number + 1}" for number in range(german)]))
    if tanks > german:
        left = min(2, tanks - german)
        assert (case.asked.power, numbers_in(case.asked.prompt)) == ("italy", [left, tanks])
        assert case.asked.options.count() == {1: 3, 2: 4}[left]
        case.submit(DesignateGuns([f"it-art-{number + 1}" for number in range(italian)]))
    assert case.asked.power == "england"
    case.submit(Retreat("HAB"))


@pytest.mark.rule("DAA-R33")
def test_guns_are_designated_in_secret_before_any_roll(lay: Lay) -> None:
    case = charge(lay, 1, "de-art-1 de-aa-1", "6, 6, 6 6", others="uk-ftr-1")
    assert case.expects(DesignateGuns)
    assert case.asked.secret
    assert case.needs() == []  # before flak fires
    case.go(DesignateGuns(["de-art-1"]), Retreat("HAB"))
    assert case.needs() == [(1,), (3,), (3, 3)]


@pytest.mark.rule("DAA-R33", "DAA-7.01")
def test_designated_guns_are_hidden_from_the_attacker_until_they_fire(lay: Lay) -> None:
    # England's view of the log up to the die of flak, which fires before the guns.
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
def test_surplus_guns_fire_or_are_wasted_by_option(
    lay: Lay, rolls: list[Roll], option: str, dice: str, transcript: Transcript
) -> None:
    case = lay("HAB uk-arm-1..2; GSA de-art-1..3", dice=dice, at_surplus=option).attack("uk-arm-1..2", "HAB GSA")
    case.submit(EndMoves()).submit(DesignateGuns(["de-art-1", "de-art-2", "de-art-3"]))
    transcript(minutes([*case.events(GunsFired), case.events(UnitsLost)[0], rolls[0]]))
