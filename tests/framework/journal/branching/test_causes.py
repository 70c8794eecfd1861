"""Orders and rolls from which a record follows, and the texts of a record that are names."""

from typing import Any

import pytest
from growth import growth_faults

from sandtable.journal.branching.causes import RULE_ID, about, names_in, names_of, orders_behind, rolls_behind
from sandtable.kernel.decisions import Order
from sandtable.kernel.events import Event, PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, SealRecord

NOBODY = frozenset[str]()


class Rallied(Event, frozen=True):
    """A unit rallied, by a die that was rolled before its owner answered."""

    die: int


class GoOn(Order, frozen=True):
    """An answer in between."""


ROLL = RollRecord(1, "1/rally/1", 6, (4,), "X-1")
OTHER = RollRecord(2, "1/panic/1", 6, (2,), "X-1")
ASKED = OrderRecord(3, "red", GoOn())
SEAL = SealRecord(2, "00")


@pytest.mark.parametrize(
    ("before", "die", "found"),
    [
        ([ROLL], 4, [ROLL]),
        ([ROLL], 5, []),
        ([ROLL, OTHER], 4, []),  # only the last roll counts
        ([], 4, []),
        ([ROLL, SEAL], 4, []),  # a die of another phase
        ([OTHER, SEAL, ROLL], 4, [ROLL]),
    ],
)
def test_event_with_its_die_follows_from_the_last_roll(before: list[Any], die: int, found: list[RollRecord]) -> None:
    assert rolls_behind([*before, ASKED, EventRecord(4, Rallied(die))], NOBODY) == found


SIDES = frozenset(("red", "blue"))


class Move(Order, frozen=True):
    """Move units to a location."""

    units: list[str]


class Done(Order, frozen=True):
    """End the moves."""


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
    """Return the numbers of the orders behind the last of ``known``; without ``phases`` all are in one phase."""
    where = {each.n: (1, "move") for each in known} | (phases or {})
    return [each.n for each in orders_behind(known, where, common)]


EARLIER = {1: (1, "plot"), 2: (1, "plot"), **dict.fromkeys(range(3, 6), (1, "fight"))}
LATER = {1: (1, "plot"), **dict.fromkeys(range(2, 4), (1, "fight"))}
BOTH = [move(1, "tank", by="red"), move(2, "tank", by="blue")]
TWO = [move(1, "tank"), move(2, "gun")]
NINE = [f"u{number:02}" for number in range(9)]
NAMED = ["a1", "b1", "c1", "d1"]
MANY = [move(number, "a1", "b1") for number in range(1, 9)]
GROUP = [move(2, "a1", missing=3), move(3, "b1", by="blue", missing=2), move(4, "c1", missing=1)]
Phases = dict[int, tuple[int, str]]


@pytest.mark.parametrize(
    ("known", "phases", "numbers"),
    [
        # an order follows from itself; the last order of the phase is enough if it names what the record names
        ([move(1, "tank"), move(2, "tank")], {}, [2]),
        ([move(1, "tank"), move(2, "tank", "gun"), hit(3, "tank")], {}, [2]),
        # if the last order has no name in common, orders of the phase that have come first
        ([*TWO, done(3), hit(4, "tank")], {}, [1, 3]),
        ([move(1, "tank"), done(2), hit(3, "tank")], {1: (1, "other")}, [1]),
        ([move(1, "tank"), done(2), hit(3, "tank")], {1: (0, "move")}, [2]),
        # without an order in the phase: orders of the turn with a name in common
        ([*TWO, hit(3, "tank")], EARLIER, [1]),
        ([*TWO, hit(3, "tank")], EARLIER | {3: (2, "fight")}, []),
        # names of sides do not count
        ([move(1, "tank"), done(2), hit(3, "tank", "red")], {2: (1, "other")}, [1]),
        ([move(1, "red"), done(2), hit(3, "red")], {}, [2]),
        # of several seats with a name in common, the acting seat counts
        ([*BOTH, hit(3, "tank")], EARLIER, [1, 2]),
        ([*BOTH, hit(3, "tank", side="blue")], EARLIER, [2]),
        ([*BOTH, hit(3, "tank", side="blue", power="red")], EARLIER, [1]),
        ([*BOTH, hit(3, "tank", side="green")], EARLIER, [1, 2]),
        # a record with more than eight names follows from no order of another phase
        ([move(1, "u00"), hit(2, *NINE[:8])], LATER, [1]),
        ([move(1, "u00"), done(2), hit(3, *NINE[:8])], LATER, [1]),
        ([move(1, "u00"), done(2), hit(3, *NINE)], LATER, [2]),
        # names since the last roll are the last resort
        ([*TWO, roll(3, "tank"), hit(4)], EARLIER, [1]),
        ([*TWO, roll(3, "gun"), hit(4, "mud")], EARLIER, [2]),
        ([*TWO, roll(3, "tank"), hit(4, "gun"), hit(5)], EARLIER, [1, 2]),
        ([*TWO, hit(3, "tank"), hit(4)], EARLIER, []),  # without a roll
        ([*TWO, roll(3, "tank"), SealRecord(4, "00"), hit(5)], EARLIER, []),
        # orders with at least half of the most common names count
        ([move(1, "a1"), move(2, "a1", "b1"), done(3), hit(4, *NAMED)], {}, [1, 2, 3]),
        ([move(1, "a1"), move(2, "a1", "b1", "c1"), done(3), hit(4, *NAMED)], {}, [2, 3]),
        ([*MANY, done(9), hit(10, *NAMED)], {}, [3, 4, 5, 6, 7, 8, 9]),
        ([move(1, *NAMED), *MANY[1:], done(9), hit(10, *NAMED)], {}, [1, 4, 5, 6, 7, 8, 9]),
        # a complete sealed group counts
        ([done(1), *GROUP, hit(5, "zz")], {}, [2, 3, 4]),
        ([done(1), *GROUP, hit(5, "a1")], {}, [2, 3, 4]),
        ([*GROUP, hit(5, "zz")], {}, [2, 3, 4]),
        ([*GROUP[:2], hit(4, "zz")], {}, [3]),  # the group is not complete
        ([move(1, "a1", missing=2), move(2, "b1", missing=1), *GROUP[2:], hit(5, "zz")], {}, [4]),
    ],
)
def test_causing_orders_of_a_record_are_found(known: list[Any], phases: Phases, numbers: list[int]) -> None:
    assert behind(known, phases) == numbers


def test_names_of_sides_count_unless_excluded() -> None:
    assert behind([move(1, "red"), done(2), hit(3, "red")], common=NOBODY) == [1, 2]


@pytest.mark.parametrize("last", [TurnBegan(2), PhaseBegan("a"), PhaseEnded("a", 1)])
def test_event_of_the_sequence_of_play_has_no_causes(last: Event) -> None:
    known = [move(1, "tank"), roll(2, "tank"), EventRecord(3, last)]
    assert behind(known) == []
    assert rolls_behind(known, NOBODY) == []


def test_seal_has_no_causes() -> None:
    known = [move(1, "tank"), roll(2), SealRecord(3, "00")]
    assert behind(known) == []
    assert rolls_behind(known, NOBODY) == []
    assert rolls_behind([roll(1), move(2, "tank")], NOBODY) == []
    assert behind([roll(1, "tank"), hit(2, "tank")]) == []


def test_order_without_a_known_phase_causes_nothing() -> None:
    known = [move(1, "tank"), hit(2, "tank")]
    for now in ((0, ""), (0, "setup"), (1, "move")):
        assert orders_behind(known, {2: now}, SIDES) == []
    assert orders_behind(known, {}, SIDES) == []


SHOTS = [roll(1, "tank"), move(2, "tank"), roll(3, "tank"), roll(4, "gun"), hit(5, "mud")]
NAMELESS = [roll(1), hit(2, "mud"), roll(3), roll(4), hit(5, "rain")]


@pytest.mark.parametrize(
    ("known", "numbers"),
    [
        # rolls since the last order with a name in common
        ([*SHOTS, hit(6, "tank")], [3]),
        ([*SHOTS, hit(6, "tank", "gun")], [3, 4]),
        (SHOTS[:4], [4]),
        ([*(roll(number, "tank") for number in range(1, 9)), hit(9, "tank")], [3, 4, 5, 6, 7, 8]),
        # without one, the last consecutive rolls
        ([*NAMELESS, hit(6, "tank")], [3, 4]),
        ([roll(1), roll(2), hit(3, "tank")], [1, 2]),
        ([roll(1), SealRecord(2, "0"), hit(3, "tank")], []),
        ([hit(1, "mud"), hit(2, "tank")], []),
    ],
)
def test_causing_rolls_of_a_record_are_found(known: list[Any], numbers: list[int]) -> None:
    assert [each.n for each in rolls_behind(known, NOBODY)] == numbers


def test_roll_with_only_common_names_counts_as_nameless() -> None:
    assert [each.n for each in rolls_behind([*SHOTS, hit(6, "tank")], frozenset({"tank"}))] == [3, 4]


def test_texts_of_two_letters_are_names_except_rules_and_aside_fields() -> None:
    fields = {
        "type": "Hit",
        "rule": "Alpha",
        "phase": "Beta",
        "unit": "tank",
        "letter": "x",
        "why": "by DAA-17.04",
        "number": 3,
        "losses": {"gun": {"at": "HQ"}, "q": ["m1", ["m2"]]},
    }
    assert names_in(fields) == {"tank", "gun", "at", "HQ", "m1", "m2"}
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
def test_rule_ids_are_found_in_texts(text: str, found: list[str]) -> None:
    assert RULE_ID.findall(text) == found


def test_about_keeps_the_lines_that_contain_given_names() -> None:
    order = {"type": "Plan", "plots": {"t1": "north", "t2": "south"}, "note": "x"}
    assert about(order, {"t1"}) == {"type": "Plan", "plots": {"t1": "north"}, "note": "x"}
    assert about(order, {"t1", "t2"})["plots"] == order["plots"]
    assert about(order, {"t9"}) == order
    assert about("plain", {"plain"}) == "plain"


@pytest.mark.full
@pytest.mark.parametrize("kind", ["events", "group", "orders"])
def test_causes_of_a_record_are_found_in_linear_time(kind: str) -> None:
    def records(size: int) -> list[Any]:
        event = EventRecord(2 * size + 9, Hit([f"u{size}"]))
        if kind == "events":
            return [ASKED, *(EventRecord(number, Hit(["x"])) for number in range(4, 4 + 8 * size)), event]
        missing = range(size, 0, -1) if kind == "group" else [0] * size
        return [*(OrderRecord(n, "red", GoOn(), each) for n, each in enumerate(missing, start=1)), event]

    def read(known: list[Any]) -> None:
        rolls_behind(known, NOBODY)
        orders_behind(known, dict.fromkeys(range(2 * len(known) + 9), (1, "fire")), NOBODY)

    assert not list(growth_faults(records, read, 4_000))


class Plot(Order, frozen=True):
    """Write a secret line for each unit."""

    lines: dict[str, str]


class AllMoved(Event, frozen=True):
    """Units moved at once."""

    hexes: dict[str, str]


PLOTTED = dict.fromkeys((1, 2, 3), (1, "plot")) | {4: (1, "movement")}
REDS, BLUES = [f"r{number}" for number in range(6)], [f"b{number}" for number in range(6)]


def plotted(*units: str, secret: bool = True) -> list[Any]:
    """Return the plots of both sides, after an order of the same turn, and the movement of ``units``."""
    red, blue = (Plot(dict.fromkeys(own, "A3")) for own in (REDS, BLUES))
    first, second = (2, 1) if secret else (0, 0)
    return [
        move(1, "gun"),
        OrderRecord(2, "red", red, first),
        OrderRecord(3, "blue", blue, second),
        EventRecord(4, AllMoved({unit: f"h{place:02}" for place, unit in enumerate(units)})),
    ]


@pytest.mark.parametrize(
    ("known", "numbers"),
    [
        (plotted(*REDS, *BLUES), [2, 3]),
        (plotted(*BLUES), [3]),  # only orders of the group with a line for a moved unit
        (plotted(*REDS, *BLUES, "stranger"), [2, 3]),  # a unit without a line may move because of panic
        (plotted(*REDS, *(f"s{number}" for number in range(9))), []),
        (plotted(*REDS, *BLUES, secret=False), []),
    ],
)
def test_movement_of_many_units_follows_from_their_plots(known: list[Any], numbers: list[int]) -> None:
    assert behind(known, PLOTTED) == numbers
