"""The fuzzer that shrinks: a planted fault comes back as the shortest game that shows it, and as a test."""

from typing import Any

import pytest

from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import make_header
from sandtable.journal.record import log_bytes
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import tictactoe
from sandtable.testing.fuzzing import shrinking
from sandtable.testing.fuzzing.shrinking import fuzz_case, shrink


def no_draws(game: Game) -> str:
    return "a draw" if game.state.outcome == "draw" else ""


@pytest.mark.full
def test_failing_game_is_shrunk_to_four_orders(ford: Prepared) -> None:
    def front_stays(game: Game) -> str:
        state: Any = game.state
        return "" if state.front == 3 else f"the front is in {state.front}"

    found = shrink(ford, front_stays)
    assert found is not None
    assert found.problem.startswith("the front is in")
    assert len(found.orders) == 4, "two ambushes, and one battle"
    orders: list[Any] = [order for _, order in found.orders]
    assert {order.space for order in orders[:2]} == {1}, "the first of the options"
    assert sum(order.troops for order in orders[2:]) == 1, "and a single troop"


def test_sound_game_has_nothing_to_shrink(ford: Prepared) -> None:
    assert shrink(ford, examples=10) is None


@pytest.mark.full
def test_found_failure_is_a_log_and_a_test_to_paste(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = Installed("tictactoe", tictactoe, "").prepare()
    found = shrink(prepared, no_draws, examples=1_000)
    assert found is not None
    assert len(found.orders) == 9
    header = make_header(prepared, dict.fromkeys(prepared.ruleset.seats, "fuzz"), KeyedDice(key_from_seed(found.seed)))
    assert parse_log(log_bytes(header, found.game)[0], "its log").records == len(found.game.records)

    class Only:
        def load(self, _: str) -> Installed:
            return Installed("tictactoe", tictactoe, "")

    monkeypatch.setattr("sandtable.plugin.manager.Rulesets", Only)
    source = found.as_test("tictactoe")
    names: dict[str, Any] = {}
    exec(source, names)  # noqa: S102 - it is what an author would paste
    names["test_found_by_the_fuzzer"]()  # the rules do not fail; the property did
    with pytest.raises(AssertionError, match="a draw"):
        fuzz_case("tictactoe", seed=found.seed, orders=found.orders, wrong=no_draws)
    assert shrinking.KEYS == 16
