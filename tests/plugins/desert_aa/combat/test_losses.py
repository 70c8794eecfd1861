"""Losses and the division of hits (DAA-17.06, DAA-R64)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.conftest import Lay, ready, set_up
from tests.plugins.desert_aa.positions import GSA, attack, minutes

from desert_aa.combat.losses import by_proportion
from desert_aa.model import events as told
from desert_aa.model.orders import EndMoves, Retreat, TakeLosses

if TYPE_CHECKING:
    from transcripts import Transcript

    from desert_aa.model.state import DesertState


@pytest.mark.rule("DAA-17.06")
def test_each_side_picks_its_own_losses_one_for_each_hit(lay: Lay) -> None:
    case = attack(lay, "uk-inf-1 uk-arm-1..2", "de-inf-1 de-arm-1..2", "6 1 1, 1 6 6").to(TakeLosses)
    assert case.asked.seat == "germany"
    assert case.refused(TakeLosses(["de-inf-1"])) == "DAA-17.06"  # two hits
    assert case.refused(TakeLosses(["de-inf-1", "uk-inf-1"])) == "DAA-17.06"
    case.submit(TakeLosses(["de-inf-1", "de-arm-2"]))
    assert case.asked.seat == "england"
    case.submit(TakeLosses(["uk-arm-1"])).go(Retreat("HAB"))
    assert set(case.units()) == {"de-arm-1", "uk-inf-1", "uk-arm-2"}


@pytest.mark.rule("DAA-R64", "DAA-17.12")
@pytest.mark.parametrize(("holder", "loss"), [("germany", "it-inf-1"), ("italy", "de-inf-1"), ("italy", "it-inf-1")])
def test_the_holder_of_the_space_picks_the_losses_of_both_partners(lay: Lay, holder: str, loss: str) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1 it-inf-1", dice="1, 6 6", control={holder: "GSA"})
    case.attack("uk-arm-1", "HAB GSA").submit(EndMoves()).to(TakeLosses)
    assert case.asked.seat == holder
    case.go(TakeLosses([loss]), Retreat("HAB"))
    assert loss not in case.units()


@pytest.mark.rule("DAA-R64")
@pytest.mark.parametrize(("option", "german", "italian"), [("space_owner", 3, 0), ("proportional", 2, 1)])
def test_by_option_hits_are_divided_in_proportion(lay: Lay, option: str, german: int, italian: int) -> None:
    # Four Germans and two Italians take three hits. Germany, which holds the space, would rather lose the Italians;
    # in proportion two hits fall on its own and one on Italy, and nobody has a choice.
    case = lay("HAB uk-arm-1..3; GSA de-inf-1..4 it-inf-1..2", dice="1 1 1, 6 6 6 6 6 6", multi_defense=option)
    case.attack("uk-arm-1..3", "HAB GSA").submit(EndMoves())
    if option == "space_owner":
        case.submit(TakeLosses(["de-inf-1", "it-inf-1", "it-inf-2"]))
    case.submit(Retreat("HAB"))
    left = [unit_id[:2] for unit_id in case.units()]
    assert (left.count("de"), left.count("it")) == (german, italian)


@pytest.mark.rule("DAA-R65")
def test_planes_may_be_given_up_for_hits_from_the_ground(lay: Lay) -> None:
    case = attack(lay, "uk-inf-1 uk-ftr-1", "de-inf-1 de-ftr-1", "1 6, 1 6")
    case.go(TakeLosses(["de-ftr-1"]), TakeLosses(["uk-ftr-1"]), Retreat("HAB"))
    assert set(case.units()) == {"uk-inf-1", "de-inf-1"}


@pytest.mark.rule("DAA-R64", "DAA-17.12")
@pytest.mark.parametrize(
    ("germans", "italians", "hits", "holder", "shares"),
    [
        (4, 2, 3, "germany", (2, 1)),
        (2, 1, 1, "italy", (1, 0)),  # 2/3 to 1/3
        (1, 2, 2, "italy", (1, 1)),  # 2/3 to 4/3: the larger part left over is Germany's
        (3, 2, 4, "germany", (2, 2)),  # 12/5 to 8/5
        (1, 1, 1, "germany", (1, 0)),  # halves: the holder's
        (1, 1, 1, "italy", (0, 1)),
        (3, 2, 9, "germany", (3, 2)),
        (5, 4, 7, "germany", (4, 3)),  # 35/9 to 28/9
        (2, 2, 3, "italy", (1, 2)),
    ],
)
def test_hits_on_partners_are_divided(
    germans: int, italians: int, hits: int, holder: str, shares: tuple[int, int]
) -> None:
    prepared = ready("western_desert")
    state = set_up(prepared, f"GSA de-inf-1..{germans} it-inf-1..{italians}", "england", control={holder: GSA})
    units = sorted(state.units)
    assert [(power, hit) for power, _, hit in by_proportion(state, GSA, units, hits)] == [
        ("germany", shares[0]),
        ("italy", shares[1]),
    ]


@pytest.mark.rule("DAA-R64", "DAA-17.06")
def test_why_each_partner_loses_fewer_than_there_were_hits(lay: Lay, transcript: Transcript) -> None:
    case = lay("HAB uk-arm-1..4; GSA de-inf-1..2 it-inf-1", dice="3 3 3 3, 6 6 6", multi_defense="proportional")
    case.attack("uk-arm-1..4", "HAB GSA").fight()
    transcript(minutes(case.events(told.UnitsLost)))


@pytest.mark.rule("DAA-17.06")
def test_when_all_fall_the_cheapest_are_named_first(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..5; GSA de-inf-2 de-inf-1 de-arm-1 it-arm-1 it-inf-1", dice="3 3 3 3 3, 6 6 6 6 6")
    case.attack("uk-arm-1..5", "HAB GSA").fight()
    assert case.events(told.UnitsLost)[0].units == ["it-inf-1", "de-inf-1", "de-inf-2", "it-arm-1", "de-arm-1"]


def other(**facts: Any) -> Any:
    """Return what changes the second German infantry unit."""

    def tweak(state: DesertState) -> None:
        for fact, value in facts.items():
            setattr(state.units["de-inf-2"], fact, value)

    return tweak


@pytest.mark.rule("DAA-17.06", "DAA-R29")
@pytest.mark.parametrize(
    ("tweak", "asked"),
    [
        (other(), False),
        (other(condition="extended", stands_up=2), True),
        (other(condition="cut", stands_up=3), True),
        (other(condition="advanced", path=["TOB", "BDI", GSA]), True),
        (other(path=["TOB", "BDI", GSA]), False),  # how it came is the past, for its supply cannot be cut
    ],
)
def test_losses_are_asked_for_where_units_differ(lay: Lay, tweak: Any, asked: bool) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1..2", dice="1, 6 6", tweak=tweak)
    case.attack("uk-arm-1", "HAB GSA").submit(EndMoves())
    assert case.wants(TakeLosses) is asked
    case.go(*([TakeLosses(["de-inf-2"])] if asked else []), Retreat("HAB"))
    assert case.at(GSA) == ("de-inf-1" if asked else "de-inf-2")


@pytest.mark.rule("DAA-17.06")
@pytest.mark.parametrize(("second", "asked"), [("HAB", False), ("BUQ", True)])
def test_attackers_that_came_another_way_differ(lay: Lay, second: str, asked: bool) -> None:
    case = lay(f"HAB uk-inf-1; {second} uk-inf-2; GSA de-inf-1", dice="6 6, 1")
    case.attack("uk-inf-1", "HAB GSA").attack("uk-inf-2", f"{second} GSA").submit(EndMoves())
    assert case.wants(TakeLosses) is asked
    case.go(*([TakeLosses(["uk-inf-1"])] if asked else []), Retreat(second))
    assert case.at(second) == "uk-inf-2"
