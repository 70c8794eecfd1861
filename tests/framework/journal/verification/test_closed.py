"""Closed records: their known fields, and the sides they can be sealed for."""

import pytest
from rechained import rechained, tables_of

from sandtable.journal.file.log import parse_log
from sandtable.journal.record import Recorded
from sandtable.journal.verification.matching import ClosedRecord, known_records, opened_orders, strange_holders
from sandtable.journal.verification.verify import verify
from sandtable.plugin.manager import Prepared


def test_closed_orders_are_known_by_seat_group_and_holder(toy_game: Recorded, toy: Prepared) -> None:
    lines = tables_of(toy_game.data)
    orders = [place for place, line in enumerate(lines) if line["kind"] == "order" and line.get("opened")]
    for place in orders:
        lines[place]["opened"] = {}
    known = known_records(parse_log(rechained(lines), "log"), toy.ruleset)
    for place in orders:
        closed, whole = known[place - 1], toy_game.game.records[place - 1]
        assert isinstance(closed, ClosedRecord)
        assert (closed.n, closed.by, closed.missing, closed.secret) == (place, whole.by, whole.missing, whole.secret)
        assert strange_holders(closed, toy.ruleset) == ""
    assert opened_orders(known) == opened_orders(toy_game.game.records)


@pytest.mark.parametrize(
    "record",
    [
        ClosedRecord(1, "order", "north", 1, sealed={"south": "0"}),
        ClosedRecord(1, "order", "north", sealed={"north": "0"}),
        ClosedRecord(1, "order", "north", 1),
        ClosedRecord(1, "roll", sealed={"north": "0", "south": "0"}),
        ClosedRecord(1, "event", sealed={"east": "0"}),
        ClosedRecord(1, "event"),
        ClosedRecord(1, "seal", sealed={"north": "0"}),
    ],
    ids=lambda each: f"{each.kind} for {' '.join(each.sealed)}",
)
def test_record_cannot_be_sealed_for_other_sides(record: ClosedRecord, toy: Prepared) -> None:
    assert strange_holders(record, toy.ruleset)


def test_order_sealed_for_the_enemy_after_a_closed_order_is_false(toy_game: Recorded, toy: Prepared) -> None:
    lines = tables_of(toy_game.data)
    first, *_, last = [place for place, line in enumerate(lines) if line["kind"] == "order" and line.get("opened")]
    lines[first]["opened"] = {}
    other = "south" if "north" in lines[last]["sealed"] else "north"
    lines[last]["sealed"], lines[last]["opened"] = {other: "0" * 64}, {}
    verdict = verify(parse_log(rechained(lines), "log"), toy)
    assert (verdict.verdict, verdict.exit_code) == ("false", 1), verdict.text
    assert verdict.first_difference is not None
    assert (verdict.first_difference.record, verdict.first_difference.field) == (last, "sealed")
