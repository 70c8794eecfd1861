"""Closed records: their known fields, their kinds, and changes in what is open of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cutting import chain_in
from rechained import rechained, tables_of

from sandtable.errors import LogDamaged
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import Recorded, play_recorded
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.matching import ClosedRecord, known_records, opened_orders, strange_kind
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Prepared, Rulesets


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
        assert strange_kind(closed) == ""
    assert opened_orders(known) == opened_orders(toy_game.game.records)


@pytest.mark.parametrize(
    ("record", "fits"),
    [
        (ClosedRecord(1, "closed"), True),
        (ClosedRecord(1, "event"), True),
        (ClosedRecord(1, "order", "north", 1), True),
        (ClosedRecord(1, "order", "north", secret=True), True),
        (ClosedRecord(1, "order", "north"), False),
        (ClosedRecord(1, "roll"), False),
        (ClosedRecord(1, "seal"), False),
    ],
    ids=str,
)
def test_only_some_kinds_of_records_can_be_closed(record: ClosedRecord, fits: bool) -> None:
    assert (strange_kind(record) == "") is fits


def test_open_order_written_as_closed_after_a_closed_order_is_false(toy_game: Recorded, toy: Prepared) -> None:
    lines = tables_of(toy_game.data)
    first = next(place for place, line in enumerate(lines) if line["kind"] == "order" and line.get("opened"))
    last = next(place for place, line in enumerate(lines) if place > first and line["kind"] == "seal")
    lines[first]["opened"] = {}
    lines[last]["root"], lines[last]["digest"] = "0" * 64, "0" * 64
    verdict = verify(parse_log(rechained(lines), "log"), toy)
    assert (verdict.verdict, verdict.exit_code) == ("false", 1), verdict.text
    assert verdict.first_difference is not None
    assert (verdict.first_difference.record, verdict.first_difference.field) == (last, "kind")


def opened_places(lines: list[dict[str, Any]], kind: str) -> list[int]:
    return [place for place, line in enumerate(lines) if line["kind"] == kind and "umpire" in line.get("opened", {})]


@pytest.mark.parametrize("mode", ["open", "host"])
def test_closed_record_changed_in_the_opening_and_root_is_named(
    mode: str, record: Callable[..., Recorded], toy: Prepared
) -> None:
    """With the key, its line must be that of the rules; without it, what is open."""
    data = record("a", mode, "toy").data
    for is_known in (True, False):
        lines = tables_of(data)
        if not is_known:
            for line in (lines[0], lines[-1]):
                line.get("opened", {}).pop("umpire", None)
        place = next(
            each for each in opened_places(lines, "closed") if "space" in lines[each]["opened"]["umpire"]["event"]
        )
        lines[place]["opened"]["umpire"]["event"]["space"] += 1
        found = verify(parse_log(rechained(lines), "log"), toy).first_difference
        assert found is not None
        assert (found.record, found.field) == (place, "event.space")


def test_part_shown_to_a_side_differently_or_withheld_is_false(toy_game: Recorded, toy: Prepared) -> None:
    data = slice_log(parse_log(toy_game.data, "log"), toy, "north")
    lines = tables_of(data)
    place = next(n for n, line in enumerate(lines) if "event" in line.get("opened", {}).get("north", {}))
    shown = lines[place]["opened"]["north"]
    for change in ({"event": {**shown["event"], "side": "south"}}, None):
        lines[place]["opened"]["north"] = {key: shown[key] for key in ("salt", "at", "path")} | (change or {})
        verdict = verify(parse_log(rechained(lines), "log"), toy, side="north")
        assert verdict.first_difference is not None
        assert verdict.first_difference.record == place


@pytest.mark.parametrize(
    "steps",
    [
        [b'{"kind":"closed","n":1,"root":"%b"', b'{"kind":"closed","n":2,"root":"%b"'],
        [b'{"kind":"closed","n":1,"last":1,"root":"%b"'],
        [b'{"kind":"closed","n":1,"last":0,"root":"%b"'],
        [b'{"kind":"closed","n":1,"root":"%b","by":"north"'],
        [b'{"kind":"closed","n":1,"root":"%b0"'],
    ],
    ids=["two in a row", "last is first", "last before first", "other field", "long root"],
)
def test_closed_step_has_only_one_form(toy_game: Recorded, steps: list[bytes]) -> None:
    header = parted(chain_in(toy_game.data)[0][:-1])[0]
    data = chain([header, *(step % (b"0" * 64) for step in steps)], START)[0]
    with pytest.raises(LogDamaged, match="the closed step is not in canonical form"):
        parse_log(data, "log")


def test_side_has_only_one_place_in_the_tree(toy_game: Recorded, toy: Prepared) -> None:
    """A keeper could otherwise show a side two different openings of one commitment."""
    lines = tables_of(slice_log(parse_log(toy_game.data, "log"), toy, "north"))
    place = next(n for n, line in enumerate(lines) if n and "north" in line.get("opened", {}))
    frame = lines[place]["opened"]["north"]
    for change in ({"at": 1}, {"path": "0" * 64 + frame["path"]}, {"at": 2, "path": "0" * 64 + frame["path"]}):
        lines[place]["opened"]["north"] = {**frame, **change}
        found = verify(parse_log(rechained(lines), "log"), toy, side="north").first_difference
        assert found is not None
        assert (found.kind, found.record, found.field) == ("altered record", place, "opening for north")
    lines[place]["opened"] = {"east": frame}
    assert verify(parse_log(rechained(lines), "log"), toy, side="north").verdict == "false"


KUHN = Path(__file__).parents[4] / "docs" / "examples" / "kuhn" / "steps" / "3"


def test_slice_is_run_up_to_a_closed_roll() -> None:
    """The deal of a game of cards is closed before any order."""
    prepared = Rulesets(KUHN).load("kuhn").prepare()
    names, dice = name_seats(prepared, {}), make_dice("open", key_from_seed("a"))
    players = seat_players(prepared, names, dice.key)
    log = parse_log(play_recorded(prepared, players, dice, make_header(prepared, names, dice)).data, "log")
    for side in prepared.ruleset.viewers:
        verdict = verify(parse_log(slice_log(log, prepared, side), side), prepared, side=side)
        assert (verdict.verdict, verdict.exit_code) == ("verified so far", 0), verdict.text
        assert "the rules were run up to record " in verdict.note
