"""Whole games by mail: every side's program makes the same log, which proves itself."""

from pathlib import Path

import pytest
from mail_players import FOLDER, Players

import sandtable as st
from sandtable.errors import PlayError
from sandtable.mail.packets import OpenedOrder, SealedCommitment, SentLink, SentOrder
from sandtable.mail.terms import check_by_mail
from sandtable.plugin.manager import Rulesets


@pytest.mark.parametrize("ruleset", ["tictactoe", pytest.param("triad", marks=pytest.mark.full)])
def test_all_sides_end_with_the_same_verified_log(ruleset: str, tmp_path: Path) -> None:
    players = Players(tmp_path, ruleset)
    players.play()
    logs = {players.log(side) for side in players.sides}
    assert len(logs) == 1
    log = tmp_path / players.sides[-1] / "game.jsonl"
    verdict = st.verify(log, deep=True, plugins_dir=FOLDER)
    assert verdict.verdict == "verified"
    assert st.read_log(log).header.dice == "shared"


@pytest.mark.full
def test_turn_of_kampfpanzer_takes_at_most_five_packets(tmp_path: Path) -> None:
    players = Players(tmp_path, "kampfpanzer", Rulesets(), "captain")
    sent = players.play()
    with players.folder(players.sides[0]) as folder:
        assert folder.game is not None
        assert folder.game.is_over
        assert len(sent) <= 5 * folder.game.state.turn
    sizes = sorted(len(each.read_bytes()) for each in (tmp_path / players.sides[0]).glob("packet-*.txt"))
    assert sizes[len(sizes) // 2] < 2_000
    assert players.log(players.sides[0]) == players.log(players.sides[1])
    assert st.verify(tmp_path / players.sides[0] / "game.jsonl", deep=True).verdict == "verified"


@pytest.mark.full
def test_no_sealed_order_is_opened_before_all_are_committed(tmp_path: Path) -> None:
    players = Players(tmp_path, "triad")
    kinds = [[type(item) for item in packet.items] for packet in players.play(3)]
    assert kinds == [[SealedCommitment], [SealedCommitment], [SealedCommitment, OpenedOrder]]


@pytest.mark.full
def test_order_of_crossing_packets_has_no_effect(tmp_path: Path) -> None:
    players = Players(tmp_path, "triad")
    first = players.pack("north")
    assert first is not None
    for side in ("south", "west"):
        players.take(side, first)
    south, west = players.pack("south"), players.pack("west")
    assert south is not None
    assert west is not None
    for packet in (west, south):
        players.take("north", packet)
    players.take("south", west)
    players.take("west", south)
    players.play()
    assert len({players.log(side) for side in players.sides}) == 1


@pytest.mark.full
def test_link_is_given_only_for_a_roll_that_is_due(tmp_path: Path) -> None:
    players = Players(tmp_path, "triad")
    for packet in players.play():
        links = [item.epoch for item in packet.items if isinstance(item, SentLink)]
        answers = [item for item in packet.items if isinstance(item, SentOrder)]
        assert links == sorted(set(links))
        assert len(links) <= len(answers) + 1


@pytest.mark.parametrize("ruleset", ["toy", "league3", "desert_aa", "damos", "khamsin", "axis_attack"])
def test_game_that_needs_a_keeper_is_refused_with_its_secret(ruleset: str) -> None:
    with pytest.raises(PlayError, match="needs a keeper of"):
        check_by_mail(Rulesets().load(ruleset).prepare())
