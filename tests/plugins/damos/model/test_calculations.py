"""Calculations in events: the worked examples, and every event of random games."""

from collections import Counter
from functools import cache
from typing import Any

import pytest
from tests.plugins.damos.cases import losses, react
from tests.plugins.damos.conftest import Lay
from tests.plugins.damos.positions import installed
from tests.plugins.damos.test_examples import extended_example
from tests.plugins.damos.test_properties import campaign, melee, random_order, some_options

from damos.model import events
from damos.model.orders import ChoosePosture, DeclareAttack, PlanAttack, UseAir
from damos.model.tables import attrition_losses, combat_result, lp_at, lp_number, lp_rank
from sandtable.kernel.dice import Stream
from sandtable.kernel.events import UNSET, Calculation, Event
from sandtable.kernel.questions import place_of
from sandtable.kernel.records import EventRecord, OrderRecord

MAX_ORDERS = 20_000


def calculated(event: Event) -> dict[str, Calculation]:
    """Return the calculations of an event by name."""
    found: Any = getattr(event, "calculations", UNSET)
    return {} if found is UNSET else {each.name: each for each in found}


# --- worked examples ---


@pytest.mark.rule("DM-8.13a", "DM-8.2b", "DM-8.5c", "DM-8.5e", "DM-8.6b", "DM-8.7c")
def test_extended_combat_lists_its_calculations(lay: Lay) -> None:
    case = extended_example(lay)
    case.go(DeclareAttack("2816"), PlanAttack("penetration", ["a1", "i1", "m1"]))
    case.go(react("A1", "2818 2817 2816"), ChoosePosture("counterattack"))
    case.until(lambda case: bool(case.events(events.CombatResolved)))
    found = calculated(case.one(events.CombatResolved))
    assert found["attack_modified"].steps == (("a1 i1 m1", 18, "DM-8.2b"),)
    assert found["attack_column"].steps == (("strength 18", 10, "DM-8.6b"),)
    dice = tuple((f"die {place}", face, "DM-8.2e") for place, face in enumerate((6, 5, 5), 1))
    assert found["attack_total"].steps == (*dice, ("plan", 2, "DM-8.5c"))
    assert found["defense_total"].steps[2:] == (("matrix", -1, "DM-8.5e"),)
    assert found["on_defender"] == Calculation("on_defender", (("table 6", 10, "DM-8.6b"),), ("crt", "18", "16-18"))
    matrix = ("matrix penetration counterattack", 1, "DM-8.4b")
    assert found["on_attacker"].steps == (("table 3", 7, "DM-8.6b"), matrix)
    assert found["on_attacker"].table == ("crt", "11", "11-12")
    spent = calculated(case.events(events.ForceMoved)[-1])["left"]
    assert spent.total == 0
    assert spent.steps[-1][0] == "penetration spends the rest"


@pytest.mark.rule("DM-8.13a", "DM-8.9f", "DM-8.9h", "DM-8.10a", "DM-8.10e")
def test_extended_counterattack_lists_its_calculations(lay: Lay) -> None:
    case = extended_example(lay)
    case.go(DeclareAttack("2816"), PlanAttack("penetration", ["a1", "i1", "m1"]))
    case.go(react("A1", "2818 2817 2816"), ChoosePosture("counterattack"), losses("i1:4"), losses("A1:6"))
    case.go(losses("a1:1 i1:2"), losses("A1:1"))
    case.until(lambda case: bool(case.events(events.CombatDecided)))
    blow = calculated(case.one(events.CounterattackResolved))
    assert blow["counter_strength"].steps == (("A1 M1", 6, "DM-8.2b"),)
    assert blow["attack_strength"].steps == (("a1 i1 m1", 14, "DM-8.2b"),)
    assert blow["on_attacker"] == Calculation("on_attacker", (("table", 3, "DM-8.9h"),), ("counterattack", "6", "1:3"))
    found = calculated(case.one(events.CombatDecided))
    assert found["on_attacker"].steps == (("exchange 4", 4, "DM-8.10a"), ("counterattack", 3, "DM-8.10a"))
    assert found["margin"].steps == (("defender suffered 7", 11, "DM-8.10b"), ("attacker suffered 7", -11, "DM-8.10b"))


@pytest.mark.rule("AGC-4.4b", "R-DM-58")
@pytest.mark.parametrize(("strength", "steps"), [
    (8, (("strength 8", 6, "DM-8.6b"), ("air unit", 1, "AGC-4.4b"))),
    (24, (("strength 24", 12, "DM-8.6b"), ("air unit", 1, "AGC-4.4b"), ("last column", -1, "AGC-4.4b"))),
])  # fmt: skip
def test_the_air_shift_is_a_step_of_the_calculation(
    lay: Lay, strength: int, steps: tuple[tuple[str, int, str], ...]
) -> None:
    case = lay(f"2816 I1:{strength}; 2815 i1:4", dice="attack *; defense *; air 66", turn=3)
    case.attack("I1", "2815", UseAir(shift=True, reroll=False))
    assert calculated(case.one(events.CombatResolved))["attack_column"].steps == steps
    needed = calculated(case.one(events.AirChecked))["needed"]
    assert needed.steps == (("constant", 2, "AGC-4.4d"), ("turn", 3, "AGC-4.4d"))


@pytest.mark.rule("DM-8.2c", "DM-3.0a", "DM-7.0j")
def test_terrain_is_a_step_of_strength_and_movement(lay: Lay) -> None:
    case = lay("2816 I1:8; 2815 i1:4", dice="attack *; defense *", forest="2815", river="2816/2815")
    case.attack("I1", "2815")
    found = calculated(case.one(events.CombatResolved))
    assert found["attack_modified"].steps == (("I1", 8, "DM-8.2b"), ("across river", -2, "DM-8.2c"))
    assert found["defense_modified"].steps == (("i1", 4, "DM-8.2b"), ("forest", 1, "DM-8.2c"))
    moved = calculated(case.events(events.ForceMoved)[0])["left"]
    assert moved.steps[1:] == (("2815 forest", -4, "DM-3.0a"), ("2815 across river", -2, "DM-3.0a"))
    assert moved.steps[0][2] == "DM-2.2d"


@pytest.mark.rule("DM-9.0b", "DM-9.0d", "DM-9.0j", "DM-2.4c")
def test_only_the_owner_sees_the_cell_of_the_attrition_table(lay: Lay) -> None:
    case = lay("3523 I1:6 I2:4 I3:2", dice="attrition 12")
    case.march("I1 I2 I3", "3522 3521 3520").rest()
    rolled = case.one(events.AttritionRolled)
    assert calculated(rolled)["total"].total == rolled.total == 3
    assert calculated(rolled)["overspent"].steps[-1] == ("allowance of the slowest unit", -8, "DM-9.0a")
    assert calculated(rolled)["points"].table == ("attrition_table", "3", "")
    taken = next(each for each in case.events(events.LossesTaken) if each.why == "attrition")
    assert calculated(taken)["points"].table == ("attrition_table", "3", "12-15")
    assert calculated(taken)["points"].total == taken.points == attrition_losses(12, 3)
    seen = case.seen(taken, "soviet")
    assert seen is not None
    assert not calculated(seen)


@pytest.mark.rule("DM-8.0b", "DM-8.2d", "DM-8.8a")
def test_each_decision_names_its_purpose(lay: Lay) -> None:
    case = lay("2816 I1:8 I2:4; 2815 i1:4", dice="attack 11; defense 6")
    case.attack("I1 I2", "2815").rest()
    given = [record for record in case.game.records if isinstance(record, OrderRecord)]
    purposes = [place_of(record.asked).rpartition("/")[2] for record in given]
    expected = ["activate", "move.I1.2816", "plan.2815", "air.2815", "losses.2815.combat.german"]
    assert [each for each in purposes if each in expected][: len(expected)] == expected


# --- every event of random games ---


@cache
def random_events(seed: int) -> tuple[Event, ...]:
    """Return the events of a random game."""
    stream = Stream(b"calculations %d" % seed)
    chosen = some_options(stream) if seed else {}
    game = melee(stream, chosen, turns=2) if seed % 2 else campaign(stream, chosen)
    game.start()
    for _ in range(MAX_ORDERS):
        if game.is_over:
            break
        decision = game.waiting()[0]
        game.submit(random_order(decision, stream), decision.seat)
    return tuple(record.event for record in game.records if isinstance(record, EventRecord))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(8))
def test_each_figure_of_an_event_is_the_total_of_its_calculation(seed: int) -> None:
    rules = {row.id for row in installed().hook.ruleset_index()}
    for event in random_events(seed):
        for name, each in calculated(event).items():
            assert {rule for _, _, rule in each.steps} <= rules, each
            figure = getattr(event, name, None)
            if isinstance(figure, int):
                assert each.total == figure, event
            elif isinstance(event, events.CombatResolved) and isinstance(figure, str):
                assert lp_at(each.total) == figure, event
            elif isinstance(event, events.CombatDecided) and isinstance(figure, str):
                assert each.total == lp_number(figure), event


@pytest.mark.full
@pytest.mark.parametrize("seed", range(8))
def test_each_outcome_agrees_with_its_calculation(seed: int) -> None:
    found = Counter[str]()
    for event in random_events(seed):
        known = calculated(event)
        found[type(event).__name__] += bool(known)
        check_outcome(event, known)
        check_movement(event, known)
    assert found["ForceMoved"] > 10


def check_outcome(event: Event, known: dict[str, Calculation]) -> None:
    """Assert that a combat or a check agrees with its calculations."""
    if isinstance(event, events.CombatDecided) and known:
        margin = known["margin" if "margin" in known else "survivors"].total
        lost = "" if "survivors" in known and not margin else "defender"
        assert event.winner == ("attacker" if margin > 0 else lost), event
    elif isinstance(event, events.AttritionRolled):
        assert known["overspent"].total > 0
    elif isinstance(event, events.DefenderOverwhelmed):
        assert known["margin"].total >= 0
    elif isinstance(event, events.AirChecked):
        assert (known["total"].total < event.needed) == (event.rule == "AGC-4.4e")
    elif isinstance(event, events.CombatResolved):
        cells = (known["on_defender"], event.attack_column), (known["on_attacker"], event.defense_column)
        for cell, column in cells:
            if cell.table and cell.table[1].isdigit():
                assert lp_rank(combat_result(column, int(cell.table[1]), "extrapolate")) == cell.steps[0][1]


def check_movement(event: Event, known: dict[str, Calculation]) -> None:
    """Assert that a move cost what its calculations say."""
    if isinstance(event, events.ForceMoved):
        ground = [amount for _, amount, rule in known["left"].steps if rule == "DM-3.0a"]
        assert sum(ground) == -event.halves
    elif isinstance(event, events.ForceMovedStrategically):
        assert event.halves <= known["allowance"].total
