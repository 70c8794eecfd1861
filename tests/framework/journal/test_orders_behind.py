"""From which orders a record follows, as ``explain`` tells it; and which texts of a record are names."""

from typing import Any

import pytest

from sandtable.journal.branching.causes import RULE_ID, about, names_in, names_of, orders_behind, rolls_behind
from sandtable.kernel.decisions import Order
from sandtable.kernel.events import Event, PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, SealRecord

NOBODY = frozenset[str]()
SIDES = frozenset(("red", "blue"))


class Move(Order, frozen=True):
    """Bring units to a place."""

    units: list[str]


class Done(Order, frozen=True):
    """End of the moves."""


class Hit(Event, frozen=True):
    """Units were hit."""

    units: list[str]
    side: str = ""
    power: str = ""
    rule: str = "X-1"


def move(n: int, *units: str, by: str = "red", missing: int = 0) -> OrderRecord[Any]:
    return OrderRecord(n, by, Move(list(units)), missing)


def done(n: int, by: str = "red") -> OrderRecord[Any]:
    return OrderRecord(n, by, Done())


def hit(n: int, *units: str, **more: str) -> EventRecord[Any]:
    return EventRecord(n, Hit(list(units), **more))


def roll(n: int, *units: str, dice: tuple[int, ...] = (3,)) -> RollRecord:
    return RollRecord(n, f"1/fight/shot.{n}/1", 6, dice, units=units)


def behind(known: list[Any], phases: dict[int, tuple[int, str]] | None = None, common: Any = SIDES) -> list[int]:
    """Return the numbers of the orders behind the last of ``known``; all is in one phase, unless ``phases`` tells."""
    where = {each.n: (1, "move") for each in known} | (phases or {})
    return [each.n for each in orders_behind(known, where, common)]


def test_an_order_follows_from_nothing_but_itself() -> None:
    assert behind([move(1, "tank"), move(2, "tank")]) == [2]


@pytest.mark.parametrize("last", [TurnBegan(2), PhaseBegan("a"), PhaseEnded("a", 1)])
def test_what_the_sequence_of_play_makes_follows_from_no_order_and_no_roll(last: Event) -> None:
    known = [move(1, "tank"), roll(2, "tank"), EventRecord(3, last)]
    assert behind(known) == []
    assert rolls_behind(known, NOBODY) == []


def test_a_seal_follows_from_no_order_and_no_roll() -> None:
    known = [move(1, "tank"), roll(2), SealRecord(3, "00")]
    assert behind(known) == []
    assert rolls_behind(known, NOBODY) == []
    assert rolls_behind([roll(1), move(2, "tank")], NOBODY) == []
    assert behind([roll(1, "tank"), hit(2, "tank")]) == []


def test_the_last_order_of_the_phase_is_enough_where_it_names_what_the_record_names() -> None:
    assert behind([move(1, "tank"), move(2, "tank", "gun"), hit(3, "tank")]) == [2]


def test_where_the_last_order_names_nothing_of_it_those_of_the_phase_that_do_come_first() -> None:
    assert behind([move(1, "tank"), move(2, "gun"), done(3), hit(4, "tank")]) == [1, 3]
    assert behind([move(1, "tank"), done(2), hit(3, "tank")], {1: (1, "other")}) == [1]
    assert behind([move(1, "tank"), done(2), hit(3, "tank")], {1: (0, "move")}) == [2]


def test_without_an_order_in_the_phase_it_is_those_of_the_turn_that_name_it() -> None:
    elsewhere = {1: (1, "plot"), 2: (1, "plot"), 3: (2, "fight"), 4: (2, "fight")}
    known = [move(1, "tank"), move(2, "gun"), hit(3, "tank")]
    assert behind(known, elsewhere | {3: (1, "fight")}) == [1]
    assert behind(known, elsewhere) == []  # another turn


def test_of_an_order_of_which_nobody_knows_when_it_was_given_nothing_follows() -> None:
    known = [move(1, "tank"), hit(2, "tank")]
    for now in ((0, ""), (0, "setup"), (1, "move")):
        assert orders_behind(known, {2: now}, SIDES) == []
    assert orders_behind(known, {}, SIDES) == []


def test_names_that_tell_nothing_do_not_count() -> None:
    known = [move(1, "tank"), done(2), hit(3, "tank", "red")]
    assert behind(known, {2: (1, "other")}) == [1]
    assert behind([move(1, "red"), done(2), hit(3, "red")]) == [2]
    assert behind([move(1, "red"), done(2), hit(3, "red")], common=NOBODY) == [1, 2]


def test_of_several_seats_that_name_it_the_one_whose_doing_it_is_counts() -> None:
    phases = {1: (1, "plot"), 2: (1, "plot"), 3: (1, "fight")}
    known = [move(1, "tank", by="red"), move(2, "tank", by="blue")]
    assert behind([*known, hit(3, "tank")], phases) == [1, 2]
    assert behind([*known, hit(3, "tank", side="blue")], phases) == [2]
    assert behind([*known, hit(3, "tank", side="blue", power="red")], phases) == [1]
    assert behind([*known, hit(3, "tank", side="green")], phases) == [1, 2]


def test_a_record_that_names_more_than_eight_follows_from_no_order_of_another_phase() -> None:
    names = [f"u{number:02}" for number in range(9)]
    phases = {1: (1, "plot"), 2: (1, "fight"), 3: (1, "fight")}
    assert behind([move(1, "u00"), hit(2, *names[:8])], phases) == [1]
    assert behind([move(1, "u00"), done(2), hit(3, *names[:8])], phases) == [1]
    assert behind([move(1, "u00"), done(2), hit(3, *names)], phases) == [2]


def test_what_was_named_since_the_last_roll_helps_where_nothing_else_does() -> None:
    phases = {1: (1, "plot"), 2: (1, "plot"), 3: (1, "fight"), 4: (1, "fight"), 5: (1, "fight")}
    known = [move(1, "tank"), move(2, "gun")]
    assert behind([*known, roll(3, "tank"), hit(4)], phases) == [1]
    assert behind([*known, roll(3, "gun"), hit(4, "mud")], phases) == [2]
    assert behind([*known, roll(3, "tank"), hit(4, "gun"), hit(5)], phases) == [1, 2]
    assert behind([*known, hit(3, "tank"), hit(4)], phases) == []  # nothing was rolled
    assert behind([*known, roll(3, "tank"), SealRecord(4, "00"), hit(5)], phases) == []


def test_of_orders_that_share_names_those_with_half_of_the_most_are_near() -> None:
    named = ["a1", "b1", "c1", "d1"]
    assert behind([move(1, "a1"), move(2, "a1", "b1"), done(3), hit(4, *named)]) == [1, 2, 3]
    assert behind([move(1, "a1"), move(2, "a1", "b1", "c1"), done(3), hit(4, *named)]) == [2, 3]
    many = [move(number, "a1", "b1") for number in range(1, 9)]
    assert behind([*many, done(9), hit(10, *named)]) == [3, 4, 5, 6, 7, 8, 9]
    assert behind([move(1, *named), *many[1:], done(9), hit(10, *named)]) == [1, 4, 5, 6, 7, 8, 9]


def test_a_sealed_group_is_behind_what_follows_from_it() -> None:
    group = [move(2, "a1", missing=3), move(3, "b1", by="blue", missing=2), move(4, "c1", missing=1)]
    assert behind([done(1), *group, hit(5, "zz")]) == [2, 3, 4]
    assert behind([done(1), *group, hit(5, "a1")]) == [2, 3, 4]
    assert behind([*group, hit(5, "zz")]) == [2, 3, 4]
    assert behind([*group[:2], hit(4, "zz")]) == [3]  # it is not complete
    assert behind([move(1, "a1", missing=2), move(2, "b1", missing=1), *group[2:], hit(5, "zz")]) == [4]


def test_rolls_since_the_last_order_that_name_it_are_behind_a_record() -> None:
    known = [roll(1, "tank"), move(2, "tank"), roll(3, "tank"), roll(4, "gun"), hit(5, "mud")]
    assert [each.n for each in rolls_behind([*known, hit(6, "tank")], NOBODY)] == [3]
    assert [each.n for each in rolls_behind([*known, hit(6, "tank", "gun")], NOBODY)] == [3, 4]
    assert [each.n for each in rolls_behind([*known, hit(6, "tank")], frozenset({"tank"}))] == [3, 4]
    assert [each.n for each in rolls_behind(known[:4], NOBODY)] == [4]
    eight = [roll(number, "tank") for number in range(1, 9)]
    assert [each.n for each in rolls_behind([*eight, hit(9, "tank")], NOBODY)] == [3, 4, 5, 6, 7, 8]


def test_where_none_names_it_the_last_rolls_with_nothing_between_are_behind_it() -> None:
    known = [roll(1), hit(2, "mud"), roll(3), roll(4), hit(5, "rain")]
    assert [each.n for each in rolls_behind([*known, hit(6, "tank")], NOBODY)] == [3, 4]
    assert [each.n for each in rolls_behind([roll(1), roll(2), hit(3, "tank")], NOBODY)] == [1, 2]
    assert [each.n for each in rolls_behind([roll(1), SealRecord(2, "0"), hit(3, "tank")], NOBODY)] == []
    assert [each.n for each in rolls_behind([hit(1, "mud"), hit(2, "tank")], NOBODY)] == []


def test_texts_of_two_letters_and_more_are_names_but_for_rules_and_fields_that_name_nothing() -> None:
    told = {
        "type": "Hit",
        "rule": "Alpha",
        "phase": "Beta",
        "unit": "tank",
        "letter": "x",
        "why": "by DAA-17.04",
        "number": 3,
        "losses": {"gun": {"at": "HQ"}, "q": ["m1", ["m2"]]},
    }
    assert names_in(told) == {"tank", "gun", "at", "HQ", "m1", "m2"}
    assert names_in({"n": 1, "kind": "event", "event": {"unit": "tank", "type": "Hit"}}) == {"tank"}
    assert names_in({"order": {"unit": "tank", "type": "Hit"}}) == {"unit", "tank"}
    assert names_in([("ab", "c"), "de"]) == {"ab", "de"}
    assert names_of(RollRecord(1, "2/a.fight/shot:tank/1", 6, (1,), units=("u1",))) == {
        "2", "a", "fight", "shot", "tank", "1", "u1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("by DAA-17.04 and R-DAA-R16a.", ["DAA-17.04", "R-DAA-R16a"]),
        ("C-KP-3", ["C-KP-3"]),
        ("A1B2C-9.1.2", ["A1B2C-9.1.2"]),
        ("no rule: daa-1, TOOLONG-1, DAA-", []),
    ],
)
def test_ids_of_rules_are_found_in_texts(text: str, found: list[str]) -> None:
    assert RULE_ID.findall(text) == found


def test_of_an_order_the_lines_about_some_names_are_kept() -> None:
    order = {"type": "Plan", "plots": {"t1": "north", "t2": "south"}, "note": "x"}
    assert about(order, {"t1"}) == {"type": "Plan", "plots": {"t1": "north"}, "note": "x"}
    assert about(order, {"t1", "t2"})["plots"] == order["plots"]
    assert about(order, {"t9"}) == order
    assert about("plain", {"plain"}) == "plain"
