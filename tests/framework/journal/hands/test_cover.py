"""The rule of cover, record by record: which orders are signed, and what may follow an open hand."""

from typing import Any

import msgspec
import pytest

from sandtable.journal.file.log import MAX_CHANGES
from sandtable.journal.hands.cover import Cover, CoverFault
from sandtable.journal.hands.inputs import SignedLine, digest_of, hand_message

KEYS = {seat: f"{number:064x}" for number, seat in enumerate(("north", "south", "umpire"), start=1)}
GAME = "0011223344556677"


def head(number: int) -> str:
    return f"{number:064x}"


def check(public: str, message: bytes, signature: str) -> bool:
    return signature == f"by {public}"


class Table:
    """A log that is written record by record; signatures are marks of their key."""

    def __init__(self, **keys: str) -> None:
        self.cover = Cover(GAME, keys or KEYS, head, check)
        self.number = 0

    def put(self, kind: str, **fields: Any) -> CoverFault | None:
        self.number += 1
        record = {"kind": kind, "n": self.number, **fields}
        return self.cover.take(msgspec.json.decode(msgspec.json.encode(record), type=SignedLine))

    def order(self, by: str, what: str = "a", label: str = "1/p/q/1", **fields: Any) -> CoverFault | None:
        return self.put("order", by=by, order={"type": what}, asked=f"{label}#0", **fields)

    def sealed(self, by: str, missing: int, own: str = "c") -> CoverFault | None:
        return self.put("order", by=by, missing=missing, own=own)

    def hand(self, by: str, **fields: Any) -> CoverFault | None:
        hand = self.cover.open[by]
        signed = {"from": hand.start, "items": digest_of(hand.entries), "signature": f"by {self.cover.keys[by]}"}
        return self.put("hand", by=by, **signed | fields)

    def change(self, by: str, signatures: dict[str, str], **fields: Any) -> CoverFault | None:
        key = f"{self.number + 100:064x}"
        return self.put("key", **{"by": by, "key": key, "proof": f"by {key}", "signatures": signatures, **fields})


def fault_in(fault: CoverFault | None, record: int, field: str = "by") -> bool:
    return fault is not None and (fault.record, fault.field) == (record, field)


def test_message_has_the_fields_of_the_log_format() -> None:
    assert hand_message(GAME, "italy", 16, "ab", "cd") == b"sandtable hand\n%b\nitaly\n16\nab\ncd\n" % GAME.encode()


@pytest.mark.parametrize("kind", ["order", "undo", "ruling", "end", "close"])
def test_no_record_of_another_seat_follows_an_unsigned_order(kind: str) -> None:
    table = Table()
    assert table.order("north") is None
    assert fault_in(table.put(kind, by="south", order={}), 1)
    own = Table()
    own.order("umpire")
    expected = kind in ("order", "undo")
    assert (own.put(kind, by="umpire", order={}) is None) == expected


def test_hand_begins_at_its_first_question() -> None:
    for start, field in ((0, ""), (1, "from"), (-1, "from")):
        table = Table()
        table.order("north")
        fault = table.hand("north", **{"from": start})
        assert (fault.field if fault else "") == field


def test_orders_of_a_group_begin_before_it_and_are_due_after_it() -> None:
    table = Table()
    assert table.sealed("north", 2) is None
    assert table.sealed("south", 1) is None
    assert [table.cover.open[seat].start for seat in ("north", "south")] == [0, 0]
    assert table.hand("north") is None
    assert fault_in(table.order("south"), 2)
    assert fault_in(Table().sealed("north", 2, own=""), 1, "own")


def amended(later: tuple[str, ...] = ("b", "c"), **keys: str) -> Table:
    """Return a game of north in which the umpire replaced the first order, after which ``later`` came."""
    table = Table(**keys)
    for what in ("a", *later):
        table.order("north", what)
    table.hand("north")
    assert table.put("ruling", by="umpire", amends=1) is None
    assert table.order("north", "z") is None
    return table


def test_umpire_signs_a_replaced_order_and_later_ones_stay_signed() -> None:
    table = amended()
    assert [*table.cover.open] == ["umpire"]
    assert table.hand("umpire") is None
    assert table.order("north", "b") is None
    assert table.order("north", "c") is None
    assert not table.cover.open
    table.order("north", "c")
    assert [*table.cover.open] == ["north"]


def test_umpire_without_a_key_signs_no_replaced_order() -> None:
    table = amended(north=KEYS["north"])
    assert not table.cover.open
    table.order("north", "b")
    assert not table.cover.open


@pytest.mark.parametrize("change", [{"what": "x"}, {"label": "1/p/q/2"}, {"by": "south"}])
def test_different_order_after_a_ruling_and_later_orders_are_signed(change: dict[str, str]) -> None:
    table = amended()
    table.hand("umpire")
    seat = change.get("by", "north")
    table.order(**{"by": "north", "what": "b", **change})
    assert [*table.cover.open] == [seat]
    table.hand(seat)
    table.order("north", "c")
    assert [*table.cover.open] == ["north"]


def test_hidden_order_is_repeated_only_with_its_commitment() -> None:
    for own, is_open in (("c", False), ("d", True)):
        table = Table()
        table.order("north")
        table.put("order", by="north", secret=True, own="c")
        table.hand("north")
        table.put("ruling", by="umpire", amends=1)
        table.order("north")
        table.hand("umpire")
        table.put("order", by="north", secret=True, own=own)
        assert bool(table.cover.open) == is_open


def test_withdrawn_ruling_restores_the_orders_from_before_it() -> None:
    table = amended()
    ruling = table.number - 1
    table.hand("umpire")
    table.order("north", "x")
    table.hand("north")
    assert table.put("ruling", by="umpire", amends=ruling + 1, withdraws=ruling) is None
    table.order("north", "a")
    table.hand("umpire")
    table.order("north", "b")
    table.order("north", "c")
    assert not table.cover.open


def test_old_key_or_after_a_loss_all_others_sign_a_new_key() -> None:
    lost = {"reason": "lost"}
    marks = {seat: f"by {key}" for seat, key in KEYS.items()}
    only = {seat: {seat: mark} for seat, mark in marks.items()}
    good: list[tuple[dict[str, str], dict[str, str]]] = [
        (only["north"], {}),
        (only["south"], lost),
        (only["umpire"], lost),
    ]
    for signatures, more in good:
        table = Table()
        assert table.change("north", signatures, **more) is None
        assert table.cover.keys["north"] not in KEYS.values()
        assert fault_in(Table().change("north", signatures, **more, proof="by nobody"), 1, "key")
        assert fault_in(Table().change("north", dict.fromkeys(signatures, "by nobody"), **more), 1, "key")
    for signatures, more in (({}, {}), (only["north"], lost), (only["south"], {}), (marks, lost)):
        assert fault_in(Table().change("north", signatures, **more), 1, "key")
    assert fault_in(Table().change("west", {"west": "by nobody"}), 1, "key")


def test_new_key_replaces_the_old_one_for_later_orders() -> None:
    table = Table()
    table.change("north", {"north": f"by {KEYS['north']}"})
    table.order("north")
    assert fault_in(table.hand("north", signature=f"by {KEYS['north']}"), 3, "signature")
    table.number = 2
    assert table.hand("north") is None


def test_number_of_key_changes_is_limited() -> None:
    table = Table()
    for _ in range(MAX_CHANGES):
        assert table.change("north", {"north": f"by {table.cover.keys['north']}"}) is None
    assert fault_in(table.change("north", {"north": f"by {table.cover.keys['north']}"}), MAX_CHANGES + 1, "key")
