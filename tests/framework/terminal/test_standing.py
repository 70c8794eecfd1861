"""``standing`` at a prompt: given, listed, withdrawn, refused with a reason, and the messages to the person."""

import contextlib
import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console as Screen
from transcripts import Transcript

from sandtable.journal.standing.answers import StandingOrders
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord, StandingRecord
from sandtable.players.players import FirstPlayer
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.terminal.console import Console
from sandtable.terminal.hotseat import ConsolePlayer, play_with_people
from sandtable.terminal.prompt import PlayerLeft

SPECIMENS = Path(__file__).parents[2] / "specimens"
KEY = key_from_seed("standing")
LOADED = ("0", "north")
"""The lines that red types before its first open question."""


@pytest.fixture(scope="module")
def convoy() -> Prepared:
    return Rulesets(SPECIMENS).load("convoy").prepare()


def played(prepared: Prepared, *lines: str, keeps: bool = True) -> tuple[Game, str]:
    """Play with red, who types ``lines`` and leaves, against first orders; return the game and what was shown."""
    typed, out = iter(lines), io.StringIO()
    screen = Screen(file=out, highlight=False, markup=False, soft_wrap=True, width=120)

    def read(prompt: str) -> str | None:
        line = next(typed, None)
        out.write(f"{prompt}{line}\n")
        return line

    console, game = Console(prepared, read, screen), prepared.new_game(KeyedDice(KEY))
    if keeps:
        StandingOrders(prepared, game)
    players: dict[str, Any] = dict.fromkeys(prepared.ruleset.seats, FirstPlayer())
    with contextlib.suppress(PlayerLeft):
        play_with_people(game, players | {"red": ConsolePlayer(console, "red")}, console)
    return game, out.getvalue()


def marks(game: Game) -> list[tuple[int, str]]:
    """Return the marks of red's orders that count."""
    answers = (each for each in game.trail if isinstance(each, OrderRecord) and each.by == "red")
    return [(each.standing, each.refused) for each in answers if each.standing]


def given(game: Game) -> list[StandingRecord[Any]]:
    return [each for each in game.records if isinstance(each, StandingRecord)]


SESSIONS = {
    "a_bot_answers": ("standing", "standing by careful", "standing"),
    "an_order_answers_until_it_is_not_legal": ("standing answer sail 3", "1", "1"),
    "a_bot_that_fails": ("standing for sail, losses until 2 by SPY", "standing for sail by spy", "1", "standing off"),
    "taken_back_by_number": ("standing for losses by careful", "standing for sail answer sail 2", "standing off 9"),
    "undo_takes_it_back": ("standing answer sail 3", "undo", "standing", "2"),
    "it_cannot_be_understood": ("standing by", "standing off", "standing for red by careful", "standing answer 99"),
    "help": ("help standing",),
}


@pytest.mark.parametrize("name", SESSIONS)
def test_session_with_standing_orders_matches_its_transcript(
    convoy: Prepared, name: str, transcript: Transcript
) -> None:
    game, shown = played(convoy, *LOADED, *SESSIONS[name])
    orders = [
        f"{each.n} {each.by}: {each.order!r} {each.standing} {each.refused}".rstrip()
        for each in game.records
        if isinstance(each, OrderRecord) and each.by == "red"
    ]
    transcript("\n".join([shown, "orders of red:", *orders, "", *map(repr, given(game))]))


def test_staff_is_the_best_bot_of_the_ruleset(convoy: Prepared) -> None:
    game, _ = played(convoy, *LOADED, "standing by staff")
    assert [(each.by, each.purposes, each.policy) for each in given(game)] == [("red", ("sail",), "careful")]
    assert marks(game)[0] == (given(game)[0].n, "")


def test_secret_or_sealed_question_has_no_standing_order(convoy: Prepared) -> None:
    game, shown = played(convoy, "standing by careful", "0", "standing answer north", "standing for sail by careful")
    assert shown.count("refused: standing orders are public: they answer no sealed or secret question") == 2
    assert [each.purposes for each in given(game)] == [("sail",)], "another question can be named"


def test_order_for_another_kind_is_typed_as_json(convoy: Prepared) -> None:
    typed = 'standing for press_on answer {"type":"Press","on":false}'
    game, shown = played(
        convoy, *LOADED, "standing for press_on answer stop", typed, typed.replace("for press_on ", "")
    )
    assert [repr(each.answer) for each in given(game)] == ["Stop()", "Press(on=False)"]
    assert "refused: press False cannot be chosen here" in shown


def test_game_without_standing_orders_states_this(convoy: Prepared) -> None:
    game, shown = played(convoy, *LOADED, "standing", keeps=False)
    assert "refused: this game has no standing orders" in shown
    assert not given(game)


def test_part_of_an_order_is_not_lost_by_a_standing_order(tmp_path: Path) -> None:
    source = (SPECIMENS / "convoy.py").read_text()
    source = source.replace("    tons: int\n", "    tons: int\n    salt: int = 0\n", 1)
    source = source.replace('{"tons": st.Range(0, 9)}', '{"tons": st.Range(0, 99), "salt": st.Range(0, 99)}')
    (tmp_path / "convoy.py").write_text(source)
    prepared = Rulesets(tmp_path).load("convoy").prepare()
    game, shown = played(prepared, "70", "standing for losses by careful", "standing", "5", "north")
    assert "refused: part of this order is written: type back to discard it first" in shown
    assert "you have no standing orders" in shown
    assert not given(game)
    first = next(each.order for each in game.trail if isinstance(each, OrderRecord))
    assert repr(first) == "Load(tons=70, salt=5)"


def test_word_that_begins_an_order_of_the_game_is_that_order(tmp_path: Path) -> None:
    source = (SPECIMENS / "convoy.py").read_text().replace("Stop", "Standing")
    (tmp_path / "convoy.py").write_text(source)
    game, shown = played(Rulesets(tmp_path).load("convoy").prepare(), *LOADED, "standing")
    orders = [each.order for each in game.trail if getattr(each, "by", "") == "red"]
    assert type(orders[-1]).__name__ == "Standing"
    assert "you have no standing orders" not in shown
