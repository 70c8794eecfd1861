"""Cards dealt by dice that no side sees; an event after a secret roll does not reveal it."""

from typing import Any

import pytest

from sandtable.errors import PlayError, RulesetError
from sandtable.kernel.dealing import deal, last_secret_roll
from sandtable.kernel.decisions import Roll
from sandtable.kernel.events import GameEnded
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord, SealRecord
from sandtable.kernel.sequence import Procedure
from sandtable.testing.scratch import Said, Say, ask, said, scratch_game


def dealt(deck: Any, hands: dict[str, int], *places: int, **facts: Any) -> tuple[list[Roll], dict[str, list[Any]]]:
    """Return the rolls for a deal whose dice show ``places``, and the hands."""
    dealing, rolls, dice = deal(deck, hands, **facts), [], [None, *((place,) for place in places)]
    for fell in dice:
        try:
            rolls.append(dealing.send(fell))
        except StopIteration as stop:
            hands_dealt: dict[str, list[Any]] = stop.value
            return rolls, hands_dealt
    raise AssertionError("more cards are rolled for than were told")


def test_each_card_is_a_roll_over_the_remaining_ones() -> None:
    deck = ["a", "b", "c", "d"]
    rolls, hands = dealt(deck, {"north": 2, "": 1, "south": 1}, 2, 3, 1, rule="X-6")
    assert rolls == [
        Roll(1, 4, "deal:north", "X-6", side="umpire"),
        Roll(1, 3, "deal:north", "X-6", side="umpire"),
        Roll(1, 2, "deal:table", "X-6", side="umpire"),
    ]
    assert hands == {"north": ["b", "d"], "": ["a"], "south": ["c"]}
    assert deck == ["a", "b", "c", "d"]


def test_deck_may_be_dealt_in_part_but_not_beyond_its_size() -> None:
    rolls, hands = dealt("abc", {"north": 1, "south": 0}, 3, purpose="draw")
    assert (rolls, hands) == ([Roll(1, 3, "draw:north", side="umpire")], {"north": ["c"], "south": []})
    assert dealt("a", {"north": 1}) == ([], {"north": ["a"]})
    with pytest.raises(PlayError, match=r"^3 cards cannot be dealt from 2$"):
        dealt("ab", {"north": 1, "south": 2})


SECRET = RollRecord(4, "1/p/panic/1", 6, (3,), side="red")
OPEN = RollRecord(5, "1/p/weather/1", 6, (3,))
NONE = RollRecord(6, "1/p/none/1", 6, (), side="red")
ORDER = OrderRecord(3, "red", Say("go"))


@pytest.mark.parametrize(
    ("trail", "source"),
    [
        ([], ""),
        ([ORDER, SECRET], "1/p/panic/1"),
        ([ORDER, SECRET, OPEN, NONE, EventRecord(7, Said("x")), SealRecord(8, "")], "1/p/panic/1"),
        ([SECRET, SECRET.__class__(5, "1/p/panic/2", 6, (1,), side="blue")], "1/p/panic/2"),
        ([SECRET, ORDER, OPEN], ""),
        ([ORDER, OPEN, NONE], ""),
        ([OPEN], ""),
    ],
)
def test_source_of_a_leak_is_the_newest_secret_roll(trail: list[Any], source: str) -> None:
    assert last_secret_roll(trail) == source


@pytest.mark.parametrize("side", ["red", ""])
def test_undeclared_event_after_a_secret_roll_is_refused(side: str) -> None:
    def panic(_: Any) -> Procedure:
        (die,) = yield Roll(1, 6, "panic", "X-6", side=side)
        yield Said(f"fell {die}")
        yield GameEnded("red", "time", "X-9")

    if not side:
        assert scratch_game(panic, undeclared=(Said,)).is_over
        return
    assert scratch_game(panic).is_over
    expected = (
        r"^scratch: the event Said follows the secret roll 1/panic/panic/1, so declare its visibility: use "
        r'@game.event\(seen_by="all"\), the field that names the side, or \(\) for none$'
    )
    with pytest.raises(RulesetError, match=expected):
        scratch_game(panic, undeclared=(Said,))


def test_undeclared_event_after_an_order_is_accepted() -> None:
    def panic(_: Any) -> Procedure:
        yield Roll(1, 6, "panic", "X-6", side="red")
        yield ask("red", "go")
        yield Said("gone")
        yield ask("red", "end")

    game = scratch_game(panic, undeclared=(Said,))
    game.submit(Say("go"))
    assert said(game) == ["gone"]
