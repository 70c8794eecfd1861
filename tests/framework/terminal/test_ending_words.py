"""``resign`` and ``draw`` at a prompt: three sides, secrets on the screen, games that use these words themselves."""

import contextlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console as Screen

from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.endings import check_ending
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EndRecord, OrderRecord
from sandtable.players.players import FirstPlayer
from sandtable.plugin.manager import Installed, Prepared, Rulesets
from sandtable.terminal.console import Console
from sandtable.terminal.hotseat import ConsolePlayer, play_with_people
from sandtable.terminal.prompt import CLEAR, EndRequested, PlayerLeft, eliminated
from sandtable.testing.leagues import three

KEY = key_from_seed("endings")
SOURCE = """
import sandtable as st

game = st.Ruleset("cards", title="Cards", sides=("a", "b", "c"), rules="CA-1  Do something.")

@game.state
class Table(st.State, kw_only=True):
    pass

@game.order
class {name}(st.Order, frozen=True):
    cards: {kind}

@game.order
class Wait(st.Order, frozen=True):
    pass

@game.phase("CA-1")
def hands(state):
    for side in ("a", "b", "c"):
        space = st.AnyOf([st.OneOf([Wait()]), st.Form({name}, {{"cards": {space}}})])
        yield st.Decision(side, "do something", space, "CA-1")
    if state.turn == 9:
        yield st.GameEnded("draw", "dusk")
"""


@pytest.fixture
def cards(tmp_path: Path) -> Callable[..., Prepared]:
    """Return a function that makes a game of three sides with an order of that name, whose field has that space."""

    def made(name: str = "Play", kind: str = "int", space: str = "st.Range(0, 90)") -> Prepared:
        (tmp_path / "cards.py").write_text(SOURCE.format(name=name, kind=kind, space=space))
        return Rulesets(tmp_path).load("cards").prepare()

    return made


def played(
    prepared: Prepared,
    *lines: str,
    people: tuple[str, ...] = ("a", "b", "c"),
    terminal: bool = False,
    ends: bool = True,
) -> tuple[EndRecord | None, Game, str]:
    """Play with people who type ``lines``; return the ending that they made, the game, and what was shown."""
    typed, out = iter(lines), io.StringIO()
    screen = Screen(file=out, highlight=False, markup=False, soft_wrap=True, width=200, force_terminal=terminal)

    def read(prompt: str) -> str | None:
        line = next(typed, None)
        out.write(f"{prompt}{line}\n")
        return line

    console, game = Console(prepared, read, screen), prepared.new_game(KeyedDice(KEY))
    console.hotseat.ends = ends
    players: dict[str, Any] = {seat: FirstPlayer() for seat in prepared.ruleset.seats}
    players |= {seat: ConsolePlayer(console, seat) for seat in people}
    with contextlib.suppress(PlayerLeft):
        try:
            play_with_people(game, players, console)
        except EndRequested as end:
            return end.record, game, out.getvalue()
    return None, game, out.getvalue()


def orders(game: Game) -> list[str]:
    return [f"{each.by} {each.order!r}" for each in game.records if isinstance(each, OrderRecord)]


def test_draw_among_three_sides_needs_both_others(cards: Callable[..., Prepared]) -> None:
    prepared = cards()
    end, _, shown = played(prepared, "wait", "draw", "yes", "no", "draw", "y", "YES")
    assert end is not None
    check_ending(end, prepared.ruleset)
    assert (end.by, end.how, end.outcome, end.sides) == ("b", "agreed_draw", "draw", ("a", "b", "c"))
    asked = [line for line in shown.splitlines() if "offers a draw" in line]
    assert [line.split(":")[0] for line in asked] == ["a", "c", "a", "c"]
    assert "refused: c does not agree to a draw" in shown


def test_first_refusal_ends_the_offer(cards: Callable[..., Prepared]) -> None:
    end, game, shown = played(cards(), "draw", "maybe", "wait")
    assert end is None
    assert shown.count("offers a draw") == 1
    assert orders(game) == ["a Wait()"]


@pytest.mark.parametrize("word", ["resign", "draw"])
def test_game_that_cannot_be_ended_at_its_prompt_continues(skirmish: Installed, word: str) -> None:
    end, _, shown = played(skirmish.prepare(), word, "yes", people=("red", "blue"), ends=False)
    assert end is None
    assert "refused: this game cannot be ended at a prompt" in shown
    assert "yes or no" not in shown


def test_draw_needs_a_person_of_every_side(cards: Callable[..., Prepared]) -> None:
    end, _, shown = played(cards(), "draw", people=("a", "b"))
    assert end is None
    assert "no person plays c at this terminal, and a bot never agrees to a draw" in shown
    assert "yes or no" not in shown


def test_resignation_of_one_of_three_sides_is_refused_at_once(cards: Callable[..., Prepared]) -> None:
    end, game, shown = played(cards(), "resign", "wait")
    assert end is None
    assert "a resignation ends a game of two sides only" in shown
    assert "yes or no" not in shown
    assert orders(game) == ["a Wait()"]


@pytest.mark.parametrize(("name", "word"), [("Draw", "draw"), ("DrawMany", "draw"), ("Resign", "resign")])
def test_word_that_begins_an_order_of_the_game_is_that_order(
    cards: Callable[..., Prepared], name: str, word: str
) -> None:
    end, game, shown = played(cards(name), word, "3")
    assert end is None
    assert "yes or no" not in shown
    assert "never agrees to a draw" not in shown
    assert orders(game) == [f"a {name}(cards=3)"]


def test_word_in_a_line_of_the_menu_is_that_line(cards: Callable[..., Prepared]) -> None:
    end, game, _ = played(cards("Play", "str", "st.OneOf(['draw', 'hold'])"), "draw")
    assert end is None
    assert orders(game) == ["a Play(cards='draw')"]


def test_part_of_a_word_in_the_menu_is_not_an_order(cards: Callable[..., Prepared]) -> None:
    end, _, shown = played(cards("Play", "str", "st.OneOf(['withdraw', 'hold'])"), "draw", "no")
    assert end is None
    assert "b: a offers a draw: yes or no" in shown


def test_word_that_names_a_choice_of_a_part_is_that_choice(cards: Callable[..., Prepared]) -> None:
    space = "st.OneOf([str(n) for n in range(40)] + ['draw'])"
    end, game, _ = played(cards("Play", "str", space), "play", "draw")
    assert end is None
    assert orders(game) == ["a Play(cards='draw')"]


def test_word_that_names_some_of_several_is_that_choice(cards: Callable[..., Prepared]) -> None:
    space = "st.SomeOf([str(n) for n in range(10)] + ['draw'], 0, 9)"
    end, game, _ = played(cards("Play", "list[str]", space), "play", "draw")
    assert end is None
    assert orders(game) == ["a Play(cards=['draw'])"]


def test_part_of_an_order_may_be_left_by_resigning(skirmish: Installed) -> None:
    end, game, _ = played(skirmish.prepare("", {"money": "60"}), "resign", "yes", people=("red",))
    assert end is not None
    assert (end.by, end.how, end.outcome) == ("red", "resignation", "blue")
    assert not orders(game)


def test_offer_of_a_draw_hides_secrets_from_other_players(skirmish: Installed) -> None:
    lines = ("buy 2 guns", "buy 2 guns", "draw", "no", "", "bold", "", "wary")
    end, game, shown = played(skirmish.prepare(), *lines, people=("red", "blue"), terminal=True)
    assert end is None
    before, after = shown.split("blue: red offers a draw")
    assert before.endswith(CLEAR), "red's screen is cleared before blue answers"
    assert "The next screen is only for red" in after.split("does not agree")[0]
    assert [each.split()[0] for each in orders(game)][2:4] == ["red", "blue"]


def test_eliminated_side_need_not_agree_and_has_no_share_of_the_draw() -> None:
    prepared = Installed("league3", three, "the league").prepare()
    letter, strike = '{"type": "Write", "to": "nobody", "text": "peace"}', '{"type": "Act", "aim": "blue"}'
    lines = (letter, letter, strike, strike, "draw", "yes")
    end, game, shown = played(prepared, *lines, people=("red", "green"))
    assert end is not None
    assert eliminated(game) == {"blue"}
    assert end.shares == {"red": 500, "green": 500, "blue": 0}
    check_ending(end, prepared.ruleset)
    assert [line.split(":")[0] for line in shown.splitlines() if "offers a draw" in line] == ["green"]
