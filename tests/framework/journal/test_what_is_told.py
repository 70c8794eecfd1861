"""Numbers and rules that a person goes by: of the record where a log ends, of the record that is explained."""

from collections.abc import Callable

import pytest

from sandtable.journal.explain import explain
from sandtable.journal.file.log import parse_log
from sandtable.journal.fold import read_records
from sandtable.journal.record import Recorded
from sandtable.journal.verification.verify import verify
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, SealRecord
from sandtable.plugin.manager import Prepared, Rulesets


@pytest.mark.parametrize("torn", [0, 20])
def test_where_a_log_ends_the_record_that_is_missing_is_named(game: Recorded, prepared: Prepared, torn: int) -> None:
    lines = game.data.splitlines(keepends=True)
    kind = "damaged tail" if torn else "file ends early"
    for whole in range(1, len(lines) - 1):  # the header, and so many records
        found = verify(parse_log(b"".join(lines[:whole]) + lines[whole][:torn], "log"), prepared).first_difference
        assert found is not None
        assert (found.kind, found.record) == (kind, whole)


@pytest.mark.full
def test_a_record_is_explained_by_the_rule_that_it_cites(record: Callable[..., Recorded], rulesets: Rulesets) -> None:
    log = parse_log(record(ruleset="toy").data, "log")
    records = read_records(log, rulesets.load("toy").prepare().ruleset)
    cited = {each.n: each.rule for each in records if isinstance(each, RollRecord)}
    cited |= {each.n: each.event.rule for each in records if isinstance(each, EventRecord) and each.event.rule}
    assert {type(records[number - 1]) for number in cited} == {RollRecord, EventRecord}
    for number, rule in cited.items():
        found = explain(log, number, rulesets)
        assert found.rule == rule
        assert rule in found.rules
    order = next(each for each in records if isinstance(each, OrderRecord))
    assert explain(log, order.n, rulesets).rule == "TOY-1"  # an order: the rule of the question that it answers


def test_what_each_face_would_have_come_to_is_told_and_one_of_them_fell(
    record: Callable[..., Recorded], rulesets: Rulesets
) -> None:
    """TOY-3: one die that hits on 1 to 3 comes to one thing, or to another."""
    log = parse_log(record(ruleset="toy").data, "log")
    records = read_records(log, rulesets.load("toy").prepare().ruleset)
    single = next(each for each in records if isinstance(each, RollRecord) and len(each.dice) == 1)
    (roll,) = explain(log, single.n, rulesets).rolls
    assert sorted(face for row in roll.otherwise for (face,) in row.faces) == [1, 2, 3, 4, 5, 6]
    assert sum(row.fell for row in roll.otherwise) == 1
    assert single.dice in next(row for row in roll.otherwise if row.fell).faces


def test_of_many_dice_each_is_told_by_itself(record: Callable[..., Recorded], rulesets: Rulesets) -> None:
    """TOY-3: three dice fall in 216 ways; those that would have come to something else are named, die by die."""
    log = parse_log(record(ruleset="toy").data, "log")
    records = read_records(log, rulesets.load("toy").prepare().ruleset)
    several = [each for each in records if isinstance(each, RollRecord) and len(each.dice) == 3]
    told = [explain(log, each.n, rulesets).rolls[0] for each in several]
    assert all(roll.otherwise for roll in told)
    mattered = [(roll, row) for roll in told for row in roll.otherwise if row.die]
    assert mattered
    for roll, row in mattered:
        assert row.fell == (roll.dice in row.faces)
        assert {each[: row.die - 1] + each[row.die :] for each in row.faces} == {
            roll.dice[: row.die - 1] + roll.dice[row.die :]
        }


def test_a_record_between_two_phases_is_told_with_both(record: Callable[..., Recorded], rulesets: Rulesets) -> None:
    log = parse_log(record(ruleset="toy").data, "log")
    records = read_records(log, rulesets.load("toy").prepare().ruleset)
    seals = [each.n for each in records if isinstance(each, SealRecord)]
    told = [explain(log, number, rulesets) for number in seals[:2]]
    assert all(each.phase == "" and all(each.between) for each in told)
    assert all(each.decided == () for each in told)


def test_what_else_could_have_been_ordered_was_legal_where_it_was_asked(
    record: Callable[..., Recorded], rulesets: Rulesets
) -> None:
    log = parse_log(record(ruleset="toy").data, "log")
    records = read_records(log, rulesets.load("toy").prepare().ruleset)
    order = next(each for each in records if isinstance(each, OrderRecord) and type(each.order).__name__ == "Commit")
    (decided,) = explain(log, order.n, rulesets).decided
    assert {each["troops"] for each in decided.others} == {0, 1, 2, 3} - {order.order.troops}
    assert not decided.more
    assert not decided.only
