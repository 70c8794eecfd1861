"""The leagues of three and seven sides: their rules, and the faults of many sides that the contract suite finds."""

import re
from pathlib import Path
from typing import Any

import pytest

import sandtable as st
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import CloseRecord
from sandtable.plugin.manager import Rulesets
from sandtable.testing import check_ruleset
from sandtable.testing.contract import Finding
from sandtable.testing.leagues import rules, seven, three
from sandtable.testing.leagues.rules import GUARD, Act, Write

THREE, SEVEN = ("red", "green", "blue"), ("red", "orange", "yellow", "green", "cyan", "blue", "violet")


def season(game: Game, aims: dict[str, str]) -> None:
    """Let all sides that are left write to each other, and give the orders ``aims``, or guard."""
    while (asked := game.waiting()) and isinstance(asked[0].options.sample(st.Stream(b"")), Write):
        game.submit(next(iter(asked[0].options.values())), asked[0].seat)
    for decision in asked:
        game.submit(Act(aims.get(decision.seat, GUARD)), decision.seat)


def played(*seasons: dict[str, str], name: str = "league3", **options: str) -> Game:
    """Return a game after ``seasons``."""
    game = st.new_game(st.load(name), seed="a", options=options)
    for aims in seasons:
        season(game, aims)
    return game


def strength(game: Game) -> dict[str, int]:
    state: Any = game.state
    found: dict[str, int] = state.strength
    return found


def result(game: Game) -> tuple[str, str, dict[str, int]]:
    close = game.records[-1]
    assert isinstance(close, CloseRecord)
    return close.outcome, close.ending, close.shares


@pytest.mark.rule("LE-1")
def test_letter_is_seen_by_its_reader_and_writer_alone() -> None:
    game = played()
    for side, to in (("red", "blue"), ("green", "red"), ("blue", "red")):
        game.submit(Write(to, "peace"), side)
    seen: dict[str, Any] = {side: game.view(side) for side in (*THREE, "public")}
    assert seen["red"]["mail"] == {"green": "peace", "blue": "peace"}
    assert seen["blue"]["mail"] == {"red": "peace"}
    assert seen["green"] == seen["public"] | {"sent": ["red"]}
    assert (seen["public"]["mail"], seen["public"]["sent"]) == ({}, [])


@pytest.mark.rule("LE-3")
def test_each_guard_stops_one_attack() -> None:
    assert strength(played({"red": "blue"})) == {"red": 2, "green": 2, "blue": 2}
    assert strength(played({"red": "blue", "green": "blue"}))["blue"] == 1


@pytest.mark.rule("LE-4")
def test_eliminated_side_is_not_asked_again_and_shares_no_draw() -> None:
    fight = {"red": "blue", "green": "blue", "blue": "red"}
    game = played(fight)
    assert strength(game) == {"red": 1, "green": 2, "blue": 0}
    assert {decision.seat for decision in game.waiting()} <= {"red", "green"}
    for _ in range(3):
        season(game, {})
    assert result(game) == ("draw", "winter", {"red": 500, "green": 500, "blue": 0})


@pytest.mark.rule("LE-5")
def test_last_surviving_side_wins_the_whole_game() -> None:
    game = played({"red": "blue", "green": "blue", "blue": "red"}, {"green": "red", "red": "green"})
    assert result(game) == ("green", "alone", {})


@pytest.mark.rule("LE-5")
def test_sides_eliminated_together_share_a_draw() -> None:
    around = {"red": "green", "green": "blue", "blue": "red"}
    assert result(played(around, around)) == ("draw", "mutual", {"red": 334, "green": 333, "blue": 333})


@pytest.mark.rule("LE-6a")
def test_game_by_strength_is_won_by_the_strongest_with_its_share() -> None:
    game = played({"red": "blue", "green": "blue"}, {"blue": "red", "green": "red"}, {}, {}, score="strength")
    assert result(game) == ("green", "winter", {"red": 250, "green": 500, "blue": 250})


@pytest.mark.rule("LE-6a")
def test_seven_sides_of_equal_strength_share_the_game_by_points() -> None:
    game = played({}, {}, {}, {}, name="league7", score="strength")
    assert result(game) == ("draw", "winter", dict(zip(SEVEN, [143] * 6 + [142], strict=True)))


FAULTS = {
    "mail is recorded for those who got some": (
        "secrets_are_kept",
        "    for side in sides:\n        yield MailOpened",
        "    for side in [each for each in sides if mail[each]]:\n        yield MailOpened",
        "notices it: .* closed records",
    ),
    "a letter is a record for its reader alone": (
        "secrets_are_kept",
        "            mail[order.to][side] = order.text\n",
        "            yield MailOpened(order.to, {side: order.text})\n",
        "notices it: .* closed record",
    ),
    "a view shows who got mail": (
        "secrets_are_kept",
        'return {"strength"',
        'return {"busy": [each for each, mail in league.mail.items() if mail], "strength"',
        "notices it: its view: busy",
    ),
    "all sides read all mail": (
        "secrets_are_kept",
        'game.event(seen_by="side", reveals=True)',
        "game.event(seen_by=lambda event, side: event)",
        "a record of its log: event",
    ),
    "a deal forgets the mail": (
        "secrets_are_dealt_again",
        "[side] if writer in view",
        "unknown if writer in view",
        r"looks different to \w+: mail",
    ),
    "shares of survivors add up to more": (
        "seats_exist",
        'yield st.GameEnded("draw", "winter", "LE-6", shares=st.equal_shares(left(league), list(league.strength)))',
        'yield st.GameEnded("draw", "winter", "LE-6", shares=dict.fromkeys(left(league), 400))',
        "shares are 0 or more and add up to 1000",
    ),
    "an eliminated side shares the draw": (
        "seats_exist",
        ', "LE-6", shares=st.equal_shares(left(league), list(league.strength)))',
        ', "LE-6")',
        r"(\w+) was eliminated, but has a share of \d+",
    ),
    "an eliminated side has a stated share": (
        "seats_exist",
        ', "LE-6", shares=st.equal_shares(left(league), list(league.strength)))',
        ', "LE-6", shares=st.equal_shares(list(league.strength), list(league.strength)))',
        r"(\w+) was eliminated, but has a share of \d+",
    ),
    "the strongest of a draw wins": (
        "seats_exist",
        'outcome = best[0] if len(best) == 1 else "draw"',
        'outcome = "draw"',
        "the outcome is draw, but the largest share is that of",
    ),
}
"""Each fault: the check that must find it, what is replaced in the rules, by what, and what the check must say."""


def found_by(check: str, source: str, name: str, folder: Path) -> Finding:
    """Return the finding of ``check`` for the league with the rules ``source`` in one module."""
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    (finding,) = check_ruleset(Rulesets(folder).load(name), games=12, checks=[check])
    return finding


@pytest.mark.full
@pytest.mark.parametrize("sides", [THREE, SEVEN], ids=["three", "seven"])
@pytest.mark.parametrize("fault", FAULTS)
def test_planted_fault_of_many_sides_is_found(fault: str, sides: tuple[str, ...], tmp_path: Path) -> None:
    check, old, new, told = FAULTS[fault]
    text = Path(rules.__file__).read_text(encoding="utf-8")
    assert old in text
    name = f"faulty{len(sides)}"
    source = f"{text.replace(old, new)}\n\ngame = league('{name}', 'Faulty', {sides})\n"
    finding = found_by(check, source, name, tmp_path)
    assert not finding.ok, finding.detail
    assert re.search(told, finding.detail), finding.detail


def test_leagues_have_three_and_seven_sides() -> None:
    assert three.game.ruleset_manifest().sides == THREE
    assert seven.game.ruleset_manifest().sides == SEVEN
