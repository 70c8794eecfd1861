"""Calculations of events and owners of dice, in worked examples and sampled games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.conftest import Changed, Lay, Prepare, installed
from tests.plugins.desert_aa.positions import minutes

from desert_aa.model import events
from desert_aa.model.orders import BuyUnits, DesignateGuns, Retreat
from sandtable.kernel.events import UNSET, Calculation, Event, GameEnded
from sandtable.kernel.questions import place_of
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord
from sandtable.testing.fuzz import fuzz_game

if TYPE_CHECKING:
    from transcripts import Transcript

    from sandtable.kernel.decisions import Roll


def calculated(event: Event) -> dict[str, Calculation]:
    """Return the calculations of an event by name."""
    found: Any = getattr(event, "calculations", UNSET)
    return {} if found is UNSET else {each.name: each for each in found}


GUNS_OF_ITALY = "HAB uk-arm-1; GSA it-art-1"
HELD_BY_ITALY = {"control": {"italy": "GSA"}}
MINED = {"mines": {"GSA": "germany"}, "control": {"germany": "GSA"}}
FIGHTS: dict[str, tuple[str, str, str, str, dict[str, Any], list[Any]]] = {
    "one gun lifts one of two infantry": (
        "HAB uk-inf-1..2 uk-art-1; GSA de-inf-1..2",
        "england",
        "HAB GSA",
        "1 2 2, 1 6",
        {},
        [],
    ),
    "an Italian gun": (
        GUNS_OF_ITALY,
        "england",
        "HAB GSA",
        "3",
        HELD_BY_ITALY | {"at_italy": "three"},
        [DesignateGuns(["it-art-1"])],
    ),
    "an Italian gun by option": (
        GUNS_OF_ITALY,
        "england",
        "HAB GSA",
        "2",
        HELD_BY_ITALY | {"at_italy": "two"},
        [DesignateGuns(["it-art-1"])],
    ),
    "a first incursion is swept": ("HAB uk-inf-1..2", "england", "HAB GSA", "3 4, 2", MINED, []),
    "a first incursion is not swept": ("HAB uk-inf-1..2", "england", "HAB GSA", "3 4, 3", MINED, []),
    "a third space of armor": ("GSA de-arm-1", "germany", "GSA HAB MIN RUW", "", {}, []),
    "more hits than units": ("HAB uk-arm-1..2; GSA de-inf-1", "england", "HAB GSA", "1 1, 6", {}, []),
}


@pytest.mark.rule("DAA-11.01", "DAA-15.01", "DAA-15.02", "DAA-17.04", "DAA-17.06")
@pytest.mark.rule("DAA-7.08", "DAA-R31", "DAA-9.02", "DAA-9.06", "DAA-4.03", "DAA-5.01", "DAA-16.02")
@pytest.mark.parametrize("fight", FIGHTS.values(), ids=FIGHTS)
def test_figures_of_a_battle_have_calculations(
    lay: Lay, rolls: list[Roll], fight: tuple[Any, ...], transcript: Transcript
) -> None:
    """The transcript has the steps of every figure with their rules, and the unit of each die."""
    units, power, path, dice, more, orders = fight
    movers = units.partition(";")[0].split(" ", 1)[1]
    case = lay(units, power, dice=dice, **more).attack(movers, path).fight(*orders)
    transcript(minutes([*case.events(*CALCULATED), *rolls]))


CALCULATED = (
    events.RoundFought, events.GunsFired, events.MinesStruck, events.MinefieldSwept, events.SweepFailed,
    events.UnitsMoved, events.UnitsLost,
)  # fmt: skip


@pytest.mark.rule("DAA-3.03", "DAA-3.05", "DAA-14.02", "DAA-14.04")
def test_prices_and_income_have_calculations(lay: Lay, transcript: Transcript) -> None:
    case = lay("TOB it-inf-1", "italy", state={"cash": {"axis": 20, "allies": 20}})
    case.go(BuyUnits({"infantry": 3, "armor": 1})).to_turn("england")
    transcript(minutes(case.events(events.UnitsBought, events.IncomeCollected)))


@pytest.mark.rule("DAA-17.09")
def test_purposes_of_decisions_differ_by_battle(lay: Lay) -> None:
    case = lay("HAB uk-inf-1; GSA de-inf-1; MIN uk-inf-2; SIW it-inf-1", dice="6, 6, 6, 6")
    case.attack("uk-inf-1", "HAB GSA").attack("uk-inf-2", "MIN SIW").fight(Retreat("HAB"), Retreat("MIN"))
    given = [record for record in case.game.records if isinstance(record, OrderRecord)]
    purposes = [place_of(record.asked).rpartition("/")[2] for record in given]
    assert [each for each in purposes if each.startswith("press_on")] == ["press_on.GSA", "press_on.SIW"]


OTHERS = (
    {"mine_auto": "manual", "mine_reveal": "immediate", "mine_alloc": "owner_chooses", "penalty_by": "declared"},
    {"at_surplus": "double_up", "at_italy": "two", "aa_overflight": "yes", "tbr_hit": "four"},
    {"mine_secrecy": "all_secret", "axis_treasury": "per_nation", "multi_defense": "proportional"},
)


@pytest.mark.rule("DAA-R63")
@pytest.mark.parametrize("options", [{}, *(pytest.param(each, marks=pytest.mark.full) for each in OTHERS)])
def test_figures_of_events_equal_their_calculations(
    prepare: Prepare, changed: Changed, options: dict[str, str]
) -> None:
    rules = {row.id for row in installed().hook.ruleset_index()}
    rich = changed({"treasury": {"axis": 40, "allies": 40, "bonus": 30}, "scenario": {"round_limit": 5}}, "frontier")
    for seed in range(3):
        records = fuzz_game(prepare(rich, **options), f"calculations {seed}").game.records
        happened = [record.event for record in records if isinstance(record, EventRecord)]
        for event in happened:
            check(event, rules)
        for roll in (record for record in records if isinstance(record, RollRecord)):
            assert len(roll.units) == (0 if "/sweep." in roll.label else len(roll.dice))
        ended = happened[-1]
        if isinstance(ended, GameEnded) and ended.ending == "round_limit":
            last = [event for event in happened if isinstance(event, events.IncomeCollected)][-1]
            richer = calculated(last)["margin"].total
            assert ended.outcome == ("draw" if not richer else "axis" if richer > 0 else "allies")


def check(event: Event, rules: set[str]) -> None:
    """Check that the figures of an event equal its calculations, and that their rules are in the index."""
    for name, each in calculated(event).items():
        assert {rule for _, _, rule in each.steps} <= rules, each
        figure = getattr(event, name, None)
        assert figure is None or each.total == figure, event
        if name.startswith("left."):
            assert each.total >= 0, event
        elif name.startswith("beyond."):
            assert each.total == 1, event
    if isinstance(event, events.UnitsLost) and calculated(event):
        assert calculated(event)["lost"].total == len(event.units), event
    if isinstance(event, events.MinefieldSwept | events.SweepFailed) and "margin" in calculated(event):
        assert (calculated(event)["margin"].total >= 0) == isinstance(event, events.MinefieldSwept)
