"""The fuzz driver: it plays games, ends repeated decisions, and distinguishes crash, dead end and endless."""

from collections import Counter
from typing import Any

import pytest

from sandtable.errors import RulesetError
from sandtable.kernel.decisions import Decision, Roll
from sandtable.kernel.dice import ChanceDice, Stream
from sandtable.kernel.events import GameEnded
from sandtable.kernel.options import Form, OneOf, Refusal
from sandtable.kernel.play.game import Game
from sandtable.kernel.sequence import Phase, Procedure
from sandtable.plugin.manager import Prepared
from sandtable.testing import fuzz_game, random_order
from sandtable.testing.fuzz import DeadEndError, EndlessError, Ledger, fuzz, play_on
from sandtable.testing.scratch import Said, Say, ask, scratch_rules


class Table:
    """The part of Prepared that the driver uses."""

    def __init__(self, *turn: Any) -> None:
        self.ruleset = scratch_rules(*turn)

    def new_game(self, dice: Any) -> Game:
        return Game(self.ruleset, self.ruleset.state_type(), dice)


def verdict_of(*turn: Any, bound: int = 500) -> tuple[str, str]:
    played = fuzz_game(Table(*turn), "seed", bound=bound)  # type: ignore[arg-type]  # as much of a Prepared as is used
    return played.verdict, played.detail


def ends(_: Any) -> Procedure:
    yield ask("red", "a", "b")
    yield GameEnded("red", "done", "X-9")


def fails(_: Any) -> Procedure:
    yield ask("red", "a")
    raise KeyError("x")


def starves(_: Any) -> Procedure:
    yield Decision("red", "choose", OneOf([]), "X-1")


def refuses(_: Any) -> Procedure:
    yield Decision("red", "choose", Form(Say, {"word": OneOf(["a"])}, lambda _: Refusal("X-1", "never")), "X-1")


def stranger(_: Any) -> Procedure:
    yield ask("green", "a")


def rolls(_: Any) -> Procedure:
    yield Roll(1, 6, "x", "X-6")


def talks_on(_: Any) -> Procedure:
    while True:
        yield Said("and")


def asks_on(_: Any) -> Procedure:
    yield ask("red", "a")


def does_nothing(_: Any) -> Procedure:
    yield from ()


PLACE = f"test_fuzz.py:{fails.__code__.co_firstlineno + 2}, in fails"


@pytest.mark.parametrize(
    ("turn", "verdict", "detail"),
    [
        (ends, "ended", ""),
        (
            fails,
            "crash",
            f"after record 3: RulesetError: scratch failed after record 3 in fails < walk: KeyError: 'x' ({PLACE})",
        ),
        (starves, "dead end", "after record 2: red must 'choose' (X-1), but has no option"),
        (refuses, "dead end", "after record 2: red must 'choose' (X-1), but has no option"),
        (stranger, "dead end", "after record 2: 'green' must 'say something', but there is no such seat"),
        (talks_on, "endless", "more than 500 records without an end"),
        (asks_on, "endless", "more than 500 records without an end"),
        (Phase("nothing", does_nothing, repeats=True), "endless", "more than 500 records without an end"),
    ],
)
def test_fuzzed_turn_has_its_verdict(turn: Any, verdict: str, detail: str) -> None:
    assert verdict_of(turn) == (verdict, detail)


def test_pending_roll_without_dice_is_a_dead_end() -> None:
    game = Table(rolls).new_game(ChanceDice())
    with pytest.raises(DeadEndError, match="no seat can answer"):
        next(play_on(game, {}))


def test_same_seed_gives_the_same_game(ford: Prepared) -> None:
    one, other = (list(fuzz(ford, 5)) for _ in range(2))
    assert [each.game.records for each in one] == [each.game.records for each in other]
    assert [each.seed for each in one] == ["fuzz/0", "fuzz/1", "fuzz/2", "fuzz/3", "fuzz/4"]
    assert len({len(each.game.records) for each in one}) > 1
    assert all(each.ended for each in one)
    assert str(one[0]).startswith("game fuzz/0: ended, ")


def test_given_orders_match_the_records(ford: Prepared) -> None:
    played = fuzz_game(ford, "x")
    records = played.game.records
    assert all(records[number - 1].order == order for _, order, number in played.given)
    assert all(records[number - 1].by == seat for seat, _, number in played.given)


def test_done_is_drawn_with_probability_one_quarter() -> None:
    decision = ask("red", *"abcdefgh", done=Say("done"))
    stream = Stream(b"x")
    orders = Counter(random_order(decision, stream) == Say("done") for _ in range(4_000))
    assert 900 < orders[True] < 1_100


def test_form_without_a_sample_is_listed_completely() -> None:
    def numbers(order: Say) -> Refusal | None:
        return None if order.word == "79" else Refusal("X-1", "no")

    options = Form(Say, {"word": OneOf([str(number) for number in range(5_000)])}, numbers)
    assert random_order(Decision("red", "guess", options), Stream(b"x")) == Say("79")
    never = Form(Say, {"word": OneOf(["a"])}, lambda _: Refusal("X-1", "no"))
    with pytest.raises(DeadEndError):
        random_order(Decision("red", "guess", never), Stream(b"x"))


def test_ledger_refuses_more_records_than_its_limit() -> None:
    ledger = Ledger(2)
    ledger.append(1)
    ledger.append(2)
    with pytest.raises(EndlessError, match="more than 2 records"):
        ledger.append(3)
    assert ledger == [1, 2]
    assert not isinstance(EndlessError(""), RulesetError)
