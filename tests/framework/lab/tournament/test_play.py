"""A single game: seats, forfeits, budgets."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tournaments import HEAP, TEXT, stage_of

from sandtable.errors import PlayError, RulesetError
from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import Header
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import Stream
from sandtable.lab.tournament import play as playing
from sandtable.lab.tournament.payloads import log_of
from sandtable.lab.tournament.play import Played, play_planned
from sandtable.lab.tournament.preparing import configured, player_of
from sandtable.lab.tournament.schedule import opening
from sandtable.lab.tournament.store import Store
from sandtable.players.players import makers
from sandtable.plugin.manager import Rulesets

Play = Callable[..., Store]
FORFEITS = {"crasher": "crash", "cheat": "illegal"}


def played(text: str, rulesets: Rulesets, number: int = 0) -> Played:
    stage = stage_of(text, rulesets)
    return play_planned(stage, opening(stage.tournament, stage.sides)[number])


def header_of(log: bytes) -> Header:
    return parse_log(log, "log").header


def test_game_row_matches_its_log(rulesets: Rulesets) -> None:
    one = played(TEXT, rulesets)
    assert one.row.verdicts == {"bold": "ok", "blind": "ok"}
    header = header_of(one.log)
    assert header.players["red"] == "brave"
    assert header.players["blue"] == "random"
    assert one.row.winner in {"bold", "blind", ""}
    assert one.row.head.encode() == one.log[-67:-3]
    assert sum(one.row.decisions.values()) == one.log.count(b'"kind":"order"')


def test_games_of_a_pair_have_the_same_dice(rulesets: Rulesets) -> None:
    keys = {header_of(played(TEXT, rulesets, number).log).key for number in (0, 1)}
    assert len(keys) == 1


def test_three_sides_have_their_players_and_settings(rulesets: Rulesets) -> None:
    one = played(HEAP, rulesets)
    assert header_of(one.log).players == {"ant": "random", "bee": "b", "cat": "tuned", "umpire": "random"}
    assert b'"by":"bee","order":{"type":"Take","stones":2}' in one.log
    assert b'"by":"cat","order":{"type":"Take","stones":2}' not in one.log


@pytest.mark.parametrize("bad", FORFEITS)
def test_failing_player_forfeits_and_the_log_is_kept(bad: str, rulesets: Rulesets) -> None:
    one = played(HEAP.replace('player = "random"', f'player = "{bad}"', 1), rulesets)
    assert one.row.verdicts == {"a": FORFEITS[bad], "b": "ok", "c": "ok"}
    assert (one.row.ending, one.row.outcome, one.row.winner) == ("forfeit", "draw", "")
    stage = stage_of(HEAP, rulesets)
    plan = opening(stage.tournament, stage.sides)[0]
    again = log_of(one.body, stage.prepared[0], plan.seed, "open", one.row.head, "game 0")
    assert again == one.log
    assert verify(parse_log(again, "x"), stage.prepared[0]).verdict == "verified so far"


def test_opponent_wins_a_forfeit(rulesets: Rulesets) -> None:
    one = played(TEXT + "[budget]\ndecisions = 2\n", rulesets)
    assert "time" in one.row.verdicts.values()
    (late,) = (name for name, verdict in one.row.verdicts.items() if verdict == "time")
    assert one.row.decisions[late] == 2
    assert one.row.winner == ({"bold", "blind"} - {late}).pop()


@pytest.mark.full
def test_command_plays_a_side(rulesets: Rulesets, tmp_path: Path) -> None:
    text = TEXT.replace('player = "brave"', f'command = ["{sys.executable}", "-c", "raise SystemExit(3)"]')
    one = played(text, rulesets)
    assert one.row.verdicts["bold"] in {"start", "crash"}
    assert one.row.winner == "blind"
    assert header_of(one.log).players["red"] == "bold"


def test_failing_rules_forfeit_no_game(rulesets: Rulesets, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RulesetError("the phase fell over")

    monkeypatch.setattr(playing, "play_guarded", fails)
    with pytest.raises(
        PlayError, match=r"game 0 \(seed m/1\) of 'Skirmishes' failed: the phase fell over: the rules of"
    ):
        played(TEXT, rulesets)


def test_player_of_a_variant_precedes_ruleset_and_default(rulesets: Rulesets) -> None:
    stage = stage_of(TEXT, rulesets)
    entrant = replace(stage.entrant("bold"), players={"*": "x", "toy": "y", "toy+dusk": "z"})
    contests = [replace(stage.tournament.contests[0], ruleset=name) for name in ("toy+dusk", "toy", "skirmish")]
    assert [player_of(entrant, contest) for contest in contests] == ["z", "y", "x"]


def test_search_entrant_gets_settings_and_node_budget(rulesets: Rulesets) -> None:
    text = HEAP.replace('player = "random"', 'player = "search"\nsettings = { nodes = 20 }', 1)
    one = played(text, rulesets)
    few = played(text + "[budget]\nnodes = 25\n", rulesets)
    assert header_of(one.log).players["ant"] == "a"
    assert one.row.verdicts == few.row.verdicts == {"a": "ok", "b": "ok", "c": "ok"}
    stage = stage_of(text, rulesets)
    searcher = configured(
        makers(stage.prepared[0].installed)["search"]("ant", Stream(b""), None), stage.entrant("a"), 25
    )
    assert (searcher.nodes, searcher.game_nodes) == (20, 25)  # type: ignore[attr-defined]  # a search bot


@pytest.mark.full
def test_search_nodes_are_stored_in_the_row(rulesets: Rulesets, play: Play) -> None:
    text = HEAP.replace('player = "random"', 'player = "search"\nsettings = { nodes = 20 }', 1)
    one = played(text, rulesets).row
    assert set(one.nodes) == {"a"}
    assert 0 < one.nodes["a"] <= 20 * one.decisions["a"]
    assert set(one.decisions) == {"a", "b", "c"}
    store = play(text)
    assert store.game(0)[1] == one
    assert {name for _, row in store.games() for name in row.nodes} == {"a"}
