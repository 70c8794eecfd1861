"""Events explain their figures, and dice have owners: worked examples and sampled games."""

from __future__ import annotations

from typing import Any

import pytest
from tests.plugins.desert_aa.conftest import Case, Changed, Lay, Prepare, installed

from desert_aa.model import events
from desert_aa.model.orders import BuyUnits, DesignateGuns, Retreat
from sandtable.kernel.events import UNSET, Calculation, Event, GameEnded
from sandtable.kernel.questions import place_of
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord
from sandtable.testing.fuzz import fuzz_game


def calculated(event: Event) -> dict[str, Calculation]:
    """Return the calculations of an event by name."""
    found: Any = getattr(event, "calculations", UNSET)
    return {} if found is UNSET else {each.name: each for each in found}


def thrown(case: Case, purpose: str) -> tuple[str, ...]:
    """Return whose the dice of the last roll for a purpose were."""
    rolls = [record for record in case.game.records if isinstance(record, RollRecord)]
    return next(record.units for record in reversed(rolls) if f"/{purpose}/" in record.label)


@pytest.mark.rule("DAA-11.01", "DAA-15.01", "DAA-15.02", "DAA-17.04")
def test_one_gun_lifts_one_of_two_infantry(lay: Lay) -> None:
    case = lay("HAB uk-inf-1..2 uk-art-1; GSA de-inf-1..2", dice="1 2 2, 1 6")
    case.attack("uk-inf-1..2 uk-art-1", "HAB GSA").fight()
    fought = case.events(events.RoundFought)[0]
    assert thrown(case, "attack.GSA") == ("uk-inf-1", "uk-inf-2", "uk-art-1")
    assert thrown(case, "defence.GSA") == ("de-inf-1", "de-inf-2")
    assert calculated(fought)["attack_hits"].steps == (
        ("england infantry x1 on 2", 1, "DAA-11.01"),
        ("england infantry x1 on 1", 0, "DAA-15.01"),
        ("england artillery x1 on 2", 1, "DAA-15.02"),
    )
    assert calculated(fought)["defence_hits"].steps == (("germany infantry x2 on 2", 1, "DAA-15.01"),)


@pytest.mark.rule("DAA-7.08", "DAA-R31")
@pytest.mark.parametrize(("option", "need", "rule"), [("three", 3, "DAA-7.08"), ("two", 2, "DAA-R31")])
def test_guns_of_partners_need_what_is_theirs(lay: Lay, option: str, need: int, rule: str) -> None:
    case = lay("HAB uk-arm-1; GSA it-art-1", dice=f"{need}", at_italy=option, control={"italy": "GSA"})
    case.attack("uk-arm-1", "HAB GSA").fight(DesignateGuns(["it-art-1"]))
    fired = case.events(events.GunsFired)[0]
    assert thrown(case, "guns.GSA") == ("it-art-1",)
    assert calculated(fired)["hits"].steps == ((f"gun x1 on {need}", 1, rule),)


@pytest.mark.rule("DAA-9.02", "DAA-9.06")
@pytest.mark.parametrize(("face", "event"), [(2, events.MinefieldSwept), (3, events.SweepFailed)])
def test_a_first_incursion_and_the_die_that_sweeps(lay: Lay, face: int, event: type[Event]) -> None:
    case = lay("HAB uk-inf-1..2", dice=f"3 4, {face}", mines={"GSA": "germany"}, control={"germany": "GSA"})
    case.attack("uk-inf-1..2", "HAB GSA").fight()
    assert thrown(case, "mines.GSA") == ("uk-inf-1", "uk-inf-2")
    assert calculated(case.events(events.MinesStruck)[0])["hits"].steps == (("unit x2 on 3", 1, "DAA-9.02"),)
    steps = (("needs at most", 2, "DAA-9.06"), ("die", -face, "DAA-9.06"))
    assert calculated(case.events(event)[0])["margin"].steps == steps


@pytest.mark.rule("DAA-3.03", "DAA-3.05", "DAA-14.02", "DAA-14.04")
def test_prices_and_income(lay: Lay) -> None:
    case = lay("TOB it-inf-1", "italy", state={"cash": {"axis": 20, "allies": 20}})
    case.go(BuyUnits({"infantry": 3, "armour": 1}))
    bought = calculated(case.events(events.UnitsBought)[0])["cost"]
    assert sorted(bought.steps) == [("armour x1 at 4", 4, "DAA-3.05"), ("infantry x3 at 2", 6, "DAA-3.03")]
    case.to_turn("england")
    collected = case.income()[0]
    board = case.prepared.board
    wanted = {space: board.value[space] for space, power in case.state.control.items() if power == "italy"}
    steps = calculated(collected)["amount"].steps
    assert {space: amount for space, amount, _ in steps} == {space: worth for space, worth in wanted.items() if worth}


@pytest.mark.rule("DAA-4.03", "DAA-5.01", "DAA-16.02")
def test_a_third_space_of_armour_is_beyond_its_range(lay: Lay) -> None:
    case = lay("GSA de-arm-1", "germany").attack("de-arm-1", "GSA HAB MIN RUW").fight()
    moved = calculated(case.events(events.UnitsMoved)[0])
    assert moved["beyond.armour"].steps == (("spaces", 3, "DAA-16.02"), ("range", -2, "DAA-15.03"))
    assert moved["stands_up"].total == case.events(events.UnitsMoved)[0].stands_up


@pytest.mark.rule("DAA-17.06")
def test_hits_beyond_the_last_unit_are_lost_on_nobody(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..2; GSA de-inf-1", dice="1 1, 6").attack("uk-arm-1..2", "HAB GSA").fight()
    lost = calculated(case.events(events.UnitsLost)[0])["lost"]
    assert lost.steps == (("hits", 2, "DAA-17.06"), ("nobody left", -1, "DAA-17.06"))


@pytest.mark.rule("DAA-17.09")
def test_pressing_on_in_one_battle_is_another_question_than_in_the_next(lay: Lay) -> None:
    case = lay("HAB uk-inf-1; GSA de-inf-1; MIN uk-inf-2; SIW it-inf-1", dice="6, 6, 6, 6")
    case.attack("uk-inf-1", "HAB GSA").attack("uk-inf-2", "MIN SIW").fight(Retreat("HAB"), Retreat("MIN"))
    given = [record for record in case.game.records if isinstance(record, OrderRecord)]
    purposes = [place_of(record.asked).rpartition("/")[2] for record in given]
    assert [each for each in purposes if each.startswith("press_on")] == ["press_on.GSA", "press_on.SIW"]


@pytest.mark.rule("DAA-R63")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mine_auto": "manual", "mine_reveal": "immediate", "mine_alloc": "owner_chooses", "penalty_by": "declared"},
        {"at_surplus": "double_up", "at_italy": "two", "aa_overflight": "yes", "tbr_hit": "four"},
        {"mine_secrecy": "all_secret", "axis_treasury": "per_nation", "multi_defense": "proportional"},
    ],
)
def test_the_figures_of_events_are_what_their_calculations_come_to(
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
    """See that the figures of an event are what its calculations come to, and that their rules are in the index."""
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
