"""Explanations of records of complete games."""

import shutil
import subprocess
from pathlib import Path

import pytest

from sandtable.errors import LogError
from sandtable.journal.explain import explain
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import read_records
from sandtable.kernel.dice import roll_dice
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, SealRecord
from sandtable.plugin.manager import Prepared, Rulesets


@pytest.mark.full
def test_record_is_explained_by_the_rule_that_it_cites(toy_log: Log, toy: Prepared, rulesets: Rulesets) -> None:
    records = read_records(toy_log, toy.ruleset)
    cited = {each.n: each.rule for each in records if isinstance(each, RollRecord)}
    cited |= {each.n: each.event.rule for each in records if isinstance(each, EventRecord) and each.event.rule}
    assert {type(records[number - 1]) for number in cited} == {RollRecord, EventRecord}
    for number, rule in cited.items():
        found = explain(toy_log, number, rulesets)
        assert found.rule == rule
        assert rule in found.rules
    order = next(each for each in records if isinstance(each, OrderRecord))
    assert explain(toy_log, order.n, rulesets).rule == "TOY-1"  # an order has the rule of its question


def test_result_of_each_face_is_shown_and_one_was_rolled(toy_log: Log, toy: Prepared, rulesets: Rulesets) -> None:
    """TOY-3: one die that hits on 1 to 3 has two results."""
    records = read_records(toy_log, toy.ruleset)
    single = next(each for each in records if isinstance(each, RollRecord) and len(each.dice) == 1)
    (roll,) = explain(toy_log, single.n, rulesets).rolls
    assert sorted(face for row in roll.otherwise for (face,) in row.faces) == [1, 2, 3, 4, 5, 6]
    assert sum(row.fell for row in roll.otherwise) == 1
    assert single.dice in next(row for row in roll.otherwise if row.fell).faces


def test_record_between_two_phases_names_both(toy_log: Log, toy: Prepared, rulesets: Rulesets) -> None:
    records = read_records(toy_log, toy.ruleset)
    seals = [each.n for each in records if isinstance(each, SealRecord)]
    found = [explain(toy_log, number, rulesets) for number in seals[:2]]
    assert all(each.phase == "" and all(each.between) for each in found)
    assert all(each.decided == () for each in found)


def test_explain_shows_order_procedure_and_rules(log: Log, rulesets: Rulesets) -> None:
    found = explain(log, 6, rulesets)
    assert found.what["event"]["type"] == "Marked"
    (order,) = found.decided
    assert order.record == 5
    assert order.asked == "mark a cell"
    assert order.rule == "T3-1"
    assert order.order not in order.others
    assert len(order.others) == 8 - (5 - 3) // 2
    assert [frame.procedure for frame in found.procedures] == ["play"]
    assert found.rules["T3-1"]
    with pytest.raises(LogError, match="has records 1 to"):
        explain(log, 1000, rulesets)


@pytest.mark.full
def test_every_record_of_the_toy_can_be_explained(toy_log: Log, rulesets: Rulesets) -> None:
    for number in range(1, toy_log.records + 1):
        found = explain(toy_log, number, rulesets)
        for roll in found.rolls:
            key = bytes.fromhex(toy_log.header.key)
            assert roll_dice(key, roll.label, len(roll.dice), roll.sides) == roll.dice
            assert roll.label in roll.command


@pytest.mark.full
def test_printed_command_computes_the_die(toy_log: Log, rulesets: Rulesets) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    rolls = [roll for n in range(1, toy_log.records + 1) for roll in explain(toy_log, n, rulesets).rolls]
    printed = subprocess.run(["sh", "-c", rolls[0].command], capture_output=True, text=True, check=True).stdout
    word = int(printed.split()[-1][:8], 16)
    assert word % rolls[0].sides + 1 == rolls[0].dice[0]


REPLAYS = Path(__file__).parents[3] / "replays"


def golden(name: str) -> Log:
    return read_log(REPLAYS / name)


def test_roll_is_traced_to_the_orders_of_its_units() -> None:
    """The dice of an attack follow from the moves that brought the units there, and from the end of the moves."""
    found = explain(golden("desert_aa/draw-round_limit.jsonl"), 33, Rulesets())
    assert found.rule == "DAA-17.04"
    assert [each.record for each in found.decided] == [21, 23, 25]
    assert found.decided[0].order["units"] == ["it-arm-1", "it-inf-3"]
    assert found.decided[0].more
    assert [roll.record for roll in found.rolls] == [33]


def test_only_the_relevant_line_of_a_plot_is_shown() -> None:
    found = explain(golden("kampfpanzer/british-reached-arras.jsonl"), 29, Rulesets())
    assert [each.by for each in found.decided] == ["germans"]  # the target's plot changes nothing in this phase
    assert found.decided[0].order["plots"] == {"113": "N 3433/66"}
    assert all(set(each["plots"]) == {"113"} for each in found.decided[0].others)


def test_event_of_the_sequence_of_play_has_no_order() -> None:
    found = explain(golden("desert_aa/draw-round_limit.jsonl"), 306, Rulesets())
    assert found.what["event"]["type"] == "PhaseEnded"
    assert found.decided == ()
    assert found.rolls == ()


def test_explanation_for_a_side_hides_secret_records() -> None:
    log = golden("desert_aa/draw-round_limit.jsonl")
    rulesets = Rulesets()
    assert explain(log, 4, rulesets, "axis").decided[0].by == "italy"
    with pytest.raises(LogError, match="allies may not see record 4"):
        explain(log, 4, rulesets, "allies")
    other = explain(log, 33, rulesets, "allies").decided[0]
    assert other.by == "italy"
    assert other.others == ()
