import contextlib
import io
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs
from rich.console import Console as Screen
from transcripts import Transcript

from sandtable.kernel.dice import KeyedDice, ManualDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import text_of
from sandtable.kernel.records import OrderRecord, RollRecord, UndoRecord
from sandtable.players.players import FirstPlayer, seat_players
from sandtable.plugin.manager import Installed, Prepared, Rulesets
from sandtable.terminal.console import Console
from sandtable.terminal.hotseat import ConsolePlayer, last_known_record, play_with_people
from sandtable.terminal.menu import read_typed
from sandtable.terminal.prompt import CLEAR, PlayerLeft, partner_before, read_line
from sandtable.terminal.prose import HELP, line_meant
from sandtable.terminal.staff import Staff, is_kept
from sandtable.testing import tictactoe, toy
from sandtable.viewer.style import paper, room_for

KEY = key_from_seed("console")
Session = Callable[..., tuple[Game, str]]


def session(
    prepared: Prepared,
    *lines: str,
    dice: KeyedDice | None = None,
    terminal: bool = False,
    staff: Staff | None = None,
    **names: str,
) -> tuple[Game, str]:
    """Play with a person who types ``lines`` and then leaves; return the game and what was shown."""
    typed = iter(lines)
    out = io.StringIO()
    screen = Screen(file=out, highlight=False, markup=False, soft_wrap=True, width=100, force_terminal=terminal)

    def read(prompt: str) -> str | None:
        line = next(typed, None)
        out.write(f"{prompt}{line}\n")
        return line

    console = Console(prepared, read, screen, staff=staff)
    game = prepared.new_game(dice or KeyedDice(KEY))
    people = seat_players(prepared, names or {"red": "human"}, KEY, lambda seat: ConsolePlayer(console, seat))
    with contextlib.suppress(PlayerLeft):
        play_with_people(game, people, console)
    return game, out.getvalue()


def given(game: Game, seat: str = "red") -> list[Any]:
    return [record.order for record in game.records if isinstance(record, OrderRecord) and record.by == seat]


MARCH = '{"type": "March", "path": ["mill", "ford"], "speed": 1}'
MUSTERED = "buy 2 guns", "buy 2 guns"
RICH = {"money": "60"}
SESSIONS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "numbers_and_words": (["3", "bold", "stay"], {}),
    "an_empty_line": ([""], {}),
    "an_empty_line_at_a_part": (["", "", "1 guns"], {"options": RICH}),
    "help_of_a_word": (["help undo", "help elephants"], {}),
    "notation_and_json": (["buy 3 infantry", '{"type": "Plot", "stance": "wary"}'], {}),
    "illegal_orders": (["99", "frobnicate", "buy many guns", "buy 9 guns"], {}),
    "illegal_json": (
        [
            '{"type": "Stay"}',
            '{"type": "Fly"}',
            "{" * 5_000,
            '{"type": "Muster", "units": {"guns": 2}, "x": 1}',
        ],
        {},
    ),
    "why_after_a_refusal": (["buy 9 guns", "why"], {}),
    "why_before_a_refusal": (["why"], {}),
    "help_view_and_options": (["help", "view", "view the Ford", "options"], {}),
    "undo": (["3", "bold", MARCH, "undo", "stay"], {}),
    "undo_refused": (["undo", "3", "undo", "bold"], {}),
    "step_by_step": (["options", "tank=1", "guns 3", "bold"], {"options": RICH}),
    "a_whole_order_for_a_part": (['{"type": "Muster", "units": {"guns": 1}}'], {"options": RICH}),
    "back": (["back", "1 guns"], {"options": RICH}),
    "sealed_orders_of_others": (["3", "why"], {"blue": "human", "red": "first"}),
    "repeat_to_end": (["1", *(["bold", "stay", "press: on yes", "press: on yes", "press: on yes"] * 3)], {}),
    "odds": (["3", "bold", "odds stay", "odds nonsense", "odds"], {}),
    "curtain": ([*MUSTERED, "bold", "", "wary"], {"terminal": True, "red": "human", "blue": "human"}),
    "left_at_the_curtain": ([*MUSTERED, "bold", "quit"], {"terminal": True, "red": "human", "blue": "human"}),
    "no_curtain_in_a_pipe": ([*MUSTERED, "bold", "wary"], {"red": "human", "blue": "human"}),
    "staff": (["staff", "staff"], {"staff": lambda _: FirstPlayer()}),
    "no_staff": (["staff"], {}),
}


@pytest.mark.parametrize("name", SESSIONS)
def test_console_session_matches_its_transcript(name: str, skirmish: Installed, transcript: Transcript) -> None:
    lines, more = SESSIONS[name]
    options = {key: value for key, value in more.items() if key != "options"}
    game, shown = session(skirmish.prepare("", more.get("options")), *lines, **options)
    orders = [f"{each.by}: {each.order!r}" for each in game.trail if isinstance(each, OrderRecord)]
    shown = re.sub(r"(that JSON is no order of \w+): .*", r"\1", shown.replace("\x1b", "ESC"))
    transcript("\n".join([shown, "orders that count:", *orders]))


def test_resumed_side_is_shown_events_since_its_last_order(prepared: Prepared) -> None:
    game, _ = session(prepared, "3", "bold", "stay")
    side_of = prepared.ruleset.side_of
    last = {record.by: record.n for record in game.records if isinstance(record, OrderRecord)}
    assert {seat: last_known_record(game, side_of, seat, game.number) for seat in last} == last
    game.records[:] = [record for record in game.records if getattr(record, "by", "") != "red"]
    assert last_known_record(game, side_of, "red", game.number) == 0, "it has never been asked: all is news"
    assert last_known_record(prepared.new_game(KeyedDice(KEY)), side_of, "red", 7) == 7, "a game that begins"


def test_physical_dice_are_typed_by_the_umpire(prepared: Prepared) -> None:
    players: dict[str, Any] = {"red": "brave", "blue": "brave", "umpire": "human"}
    game, shown = session(prepared, "1 2", "3", "7 1", "3 4", dice=ManualDice(KEY), terminal=False, **players)
    rolls = [record for record in game.records if isinstance(record, RollRecord)]
    assert [(record.dice, record.by) for record in rolls] == [((1, 2), "umpire"), ((3, 4), "umpire")]
    assert "umpire: roll 2d6 for 1/battle/fire.red/1 (SK-4.1)" in shown
    assert "7 is not a whole number from 1 to 6" in shown


@pytest.fixture
def tictactoe_with(tmp_path: Any) -> Callable[[str], Prepared]:
    """Return a function that makes a ruleset without notation and narrator, with ``more`` source added."""

    def made(more: str = "") -> Prepared:
        (tmp_path / "tictactoe.py").write_text(f"from sandtable.testing.tictactoe import *\n{more}")
        return Rulesets(tmp_path).load("tictactoe").prepare()

    return made


def test_ruleset_without_notation_uses_the_usual_one(tictactoe_with: Callable[[str], Prepared]) -> None:
    game, shown = session(tictactoe_with(""), "?", "mark 9", "mark 4", "4", "5", x="human", o="first")
    assert "type for example: mark 0" in shown
    assert "refused: mark 9 cannot be chosen here" in shown
    assert [order.cell for order in given(game, "x")] == [4, 5]
    assert "   5  mark: cell 5" in shown, "a line has the number of its order, whatever lines are gone"
    assert "'4' is not an order" in shown
    assert "  Marked: side=x, cell=4 [T3-1]" in shown, "events without a narrator are shown as in replay"
    game, shown = session(tictactoe_with(""), "view", "why", "5", x="human")
    assert '"cells": [' in shown
    assert "o: mark: cell" in shown
    assert game.number > 4


def test_ruleset_notation_takes_precedence_over_menu_numbers(tictactoe_with: Callable[[str], Prepared]) -> None:
    own = """
from sandtable import Ui

@hookimpl
def ruleset_ui():
    return Ui(read_order=lambda text: Mark(int(text)) if text.isdigit() else None)
"""
    game, shown = session(tictactoe_with(own), "4", "4", "5", x="human", o="first")
    assert [order.cell for order in given(game, "x")] == [4, 5]
    assert "refused: mark 4 cannot be chosen here" in shown
    assert "   5  mark: cell 5" in shown, "the menu has the numbers that the notation has"


def test_lines_come_from_a_pipe_and_are_echoed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("one\n\x1b[2J\x9b\u202e\n"))
    monkeypatch.setattr(sys, "stderr", out := io.StringIO())
    assert [read_line("red: ") for _ in range(3)] == ["one\n", "\x1b[2J\x9b\u202e\n", None]
    assert out.getvalue() == "red: one\nred: \\x1b[2J\\x9b\\u202e\nred: "


def test_printed_line_has_no_control_codes_or_line_breaks(prepared: Prepared) -> None:
    out = io.StringIO()
    asked: list[str] = []
    screen = Screen(file=out, highlight=False, markup=False, soft_wrap=True, width=100, force_terminal=True)
    console = Console(prepared, asked.append, screen)
    console.terminal.say("a \x1b[2J\x07\u202e\nFORGED :bomb: [red]", "red")
    console.terminal.say("x" * 500_000)
    with pytest.raises(PlayerLeft):
        console.terminal.read("place \x1b]0;owned\x07")
    first, second, *rest = out.getvalue().splitlines()
    assert first == "\x1b[31ma \\x1b[2J\\x07\\u202e\\nFORGED :bomb: [red]\x1b[0m"
    assert len(second) < 11_000
    assert [line.strip() for line in rest] == ["(500,000 characters)"]
    assert asked == ["place \\x1b]0;owned\\x07: "]


def test_lines_on_a_terminal_are_wrapped_at_blanks(prepared: Prepared) -> None:
    out = io.StringIO()
    console = Console(prepared, lambda _: None, Screen(file=out, width=40, force_terminal=True, soft_wrap=True))
    console.terminal.say("  staff phase     let it answer all of this phase")
    assert out.getvalue() == "  staff phase     let it answer all of\n    this phase\n"


def test_drawing_fits_the_terminal_width() -> None:
    assert (room_for(100), room_for(50)) == (100, 50)
    with paper(80):
        assert (room_for(100), room_for(50)) == (80, 50)
    with paper(20):
        assert room_for(100) == 60, "narrower than this nothing can be drawn"


def test_at_a_terminal_lines_are_read_with_editing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    typed = iter(["one"])

    def typing(prompt: str) -> str:
        for line in typed:
            return line
        raise EOFError

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr("builtins.input", typing)
    assert read_line("> ") == "one"
    assert read_line("> ") is None


def test_nothing_is_written_to_stdout(prepared: Prepared, capsys: pytest.CaptureFixture[str]) -> None:
    console = Console(prepared, lambda prompt: None)
    game = prepared.new_game(KeyedDice(KEY))
    with pytest.raises(PlayerLeft):
        play_with_people(game, {"red": ConsolePlayer(console, "red"), "blue": FirstPlayer()}, console)
    assert capsys.readouterr().out == ""
    assert HELP


def test_game_without_secrets_never_clears_the_screen() -> None:
    open_game = Installed("tictactoe", tictactoe, "built in").prepare()
    game, shown = session(open_game, "1", "2", "3", terminal=True, x="human", o="human")
    assert len(given(game, "x")) == 2
    assert CLEAR not in shown


# --- the staff ---


def test_staff_continues_until_the_phase_is_over(prepared: Prepared) -> None:
    game, _ = session(prepared, "staff phase", staff=lambda _: FirstPlayer())
    phases = {phase_of(each) for each in game.trail if isinstance(each, OrderRecord) and each.by == "red"}
    assert len(phases) == 1
    assert game.state.phase not in phases


def test_undo_stops_the_staff_and_returns_to_the_phase() -> None:
    seats: dict[str, Any] = {"allies": "human", "axis": "first", "umpire": "first"}
    game, _ = session(game_rules(), "save", "staff phase", "undo", staff=lambda _: FirstPlayer(), **seats)
    undone = game.records[-1]
    assert isinstance(undone, UndoRecord)
    order = game.records[undone.to - 1]
    assert isinstance(order, OrderRecord)
    assert game.state.phase == phase_of(order)


def phase_of(order: OrderRecord[Any]) -> str:
    """Return the phase in which an order was given."""
    return text_of(order.asked).split("/")[1]  # type: ignore[arg-type]  # an order of a person answers a question


def test_staff_gives_no_order_that_is_reserved_for_the_person() -> None:
    """After "but infantry" it gives no order that names infantry, and ends no decision of the kind it was left."""
    prepared = game_rules()
    game = prepared.new_game(KeyedDice(KEY))
    game.start()
    (asked,) = (each for each in game.waiting() if each.seat == "italy")
    infantry, armor = (
        read_typed(prepared, asked, text)
        for text in ("place italy 1 infantry BTR; as said", "place italy 1 armor BTR; as said")
    )
    left = ["phase", "but", "infantry"]
    assert [is_kept(each, asked, left, asked) for each in (infantry, armor)] == [True, False]
    assert not is_kept(infantry, asked, ["phase"], asked)
    ending = structs.replace(asked, done=armor)
    assert is_kept(armor, ending, left, asked)
    assert not is_kept(armor, structs.replace(ending, purpose="other"), left, asked)


# --- one person in two seats ---


def test_person_in_two_seats_is_shown_events_once() -> None:
    lines = ("save", "buy nothing", "end", "end")
    game, shown = session(game_rules(), *lines, axis="human", england="first", umpire="first")
    assert game.pending is not None
    assert shown.count("The Axis receives an opening grant of 12 IPC.") == 1
    assert "germany: " in shown, "the second seat was asked"


def test_odds_of_an_order_cover_the_dice_that_it_causes() -> None:
    """TOY-3: what north commits is rolled for at once; what south commits beside it, sealed, is drawn by chance."""
    _, shown = session(Installed("toy", toy, "").prepare(), "1", 'odds {"type": "Commit", "troops": 3}', north="human")
    lines = shown[shown.index("odds {") :].splitlines()[1:]
    assert any("%" in line for line in lines)
    assert any(line.strip().startswith("method: ") for line in lines)


def test_person_in_two_seats_may_undo_either_order() -> None:
    game: Any = game_rules().new_game(KeyedDice(KEY))
    game.start()
    game.submit(read_typed(game_rules(), game.waiting()[0], "save"), "italy")
    assert partner_before(game, "germany", ["italy", "germany"]) == "italy"
    assert partner_before(game, "germany", ["germany"]) == "germany", "a bot has Italy"
    assert partner_before(game, "england", ["italy", "england"]) == "england"


def game_rules() -> Prepared:
    return Rulesets().load("desert_aa").prepare("frontier")


def test_partial_word_does_not_choose_a_line_that_ends_a_phase() -> None:
    labels = ["end strategic movement", "march from Minsk"]
    assert line_meant("strat", labels) == 0
    assert line_meant("strat", labels, whole=[0]) is None, "half of another order ended the phase"
    assert line_meant("end", labels, whole=[0]) == 0
    assert line_meant("minsk", labels, whole=[0]) == 1
