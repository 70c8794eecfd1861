"""Battles in annexes of a log: packing, size limits, and keys (section 10)."""

import hashlib
import tracemalloc
import zlib
from base64 import b64encode
from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.errors import LogDamaged, LogError, PlayError, RulesetMissing
from sandtable.journal import battles
from sandtable.journal.battles import (
    BattleRecord,
    BattleTerms,
    annex_facts,
    battle_digests,
    battle_key,
    battle_key_in,
    battle_lines,
    battle_of,
    read_battles,
    stage,
    unknown,
)
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.record import Recorded
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.plugin.groups import Battles
from sandtable.plugin.manager import Rulesets

MIB = 1024 * 1024


def log_with(game: Recorded, *annexes: bytes) -> Log:
    head, *rest = game.data.splitlines(keepends=True)
    return parse_log(b"".join([head, *annexes, *rest]), "log")


def packed(data: bytes) -> str:
    return b64encode(zlib.compress(data, 1)).decode()


def test_battle_read_from_its_annex_is_unchanged(game: Recorded) -> None:
    one, two = battle_of("hill", "toy", b"a log\n"), battle_of("mill", "toy", b"another\n")
    assert one == BattleRecord("hill", "toy", hashlib.sha256(b"a log\n").hexdigest(), b"a log\n")
    lines = [annex_line(annex_facts(each)) for each in (one, two)]
    log = log_with(game, lines[0], annex_line({"note": "battle"}), annex_line({"battle": "", "brief": "x"}), lines[1])
    assert list(read_battles(log)) == [one, two]
    assert battle_digests(log) == [one.digest, two.digest]
    assert annex_facts(one) == {"battle": one.digest, "brief": "hill", "ruleset": "toy", "log": annex_facts(one)["log"]}


def test_invalid_battle_annex_is_refused(game: Recorded) -> None:
    facts = {"battle": "0" * 64, "brief": "hill", "ruleset": "toy"}
    for log in ("????", "AAAA", packed(b"x")[:-1], packed(b"x") + "\n"):
        with pytest.raises(LogDamaged, match=r"^log: the battle hill cannot be unpacked: "):
            list(read_battles(log_with(game, annex_line({**facts, "log": log}))))
    strange = annex_line({**facts, "battle": 1})
    marked = annex_line({"battle": "x", "brief": 3})
    assert b'"battle":"' not in strange
    assert list(read_battles(log_with(game, strange))) == []
    with pytest.raises(LogDamaged, match=r"^log: an annex with a battle cannot be read: Expected `str`, got `int`"):
        list(read_battles(log_with(game, marked)))


@pytest.mark.full
def test_battle_unpacks_to_at_most_16_mib(game: Recorded) -> None:
    facts = {"battle": "0" * 64, "brief": "hill", "ruleset": "toy"}
    (most,) = read_battles(log_with(game, annex_line({**facts, "log": packed(bytes(16 * MIB))})))
    assert len(most.data) == 16 * MIB
    with pytest.raises(LogError, match=r"^log: the battle hill unpacks to more than 16 MiB"):
        list(read_battles(log_with(game, annex_line({**facts, "log": packed(bytes(16 * MIB + 1))}))))


def test_battles_of_a_log_unpack_to_at_most_256_mib_in_total(game: Recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    assert battles.MAX_BATTLES == 256 * MIB
    monkeypatch.setattr(battles, "MAX_BATTLES", 3000)
    annexes = [annex_line(annex_facts(battle_of("hill", "toy", bytes([n]) * 1000))) for n in range(4)]
    assert len(list(read_battles(log_with(game, *annexes[:3])))) == 3
    with pytest.raises(LogError, match=r"^log: its battles unpack to more than 0 MiB in total"):
        list(read_battles(log_with(game, *annexes)))


@pytest.mark.full
def test_battles_are_unpacked_one_at_a_time(game: Recorded) -> None:
    battle = annex_facts(battle_of("hill", "toy", bytes(8 * MIB)))
    log = log_with(game, *[annex_line({**battle, "note": f"{n}"}) for n in range(10)])
    tracemalloc.start()
    for each in read_battles(log):
        assert len(each.data) == 8 * MIB
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30 * MIB


def test_battle_lines_keep_one_annex_line_per_digest(game: Recorded) -> None:
    one, two = (annex_line(annex_facts(battle_of("hill", "toy", data))) for data in (b"a", b"b"))
    again = annex_line(annex_facts(battle_of("mill", "toy", b"a")))
    log = log_with(game, one, annex_line({"note": "battle"}), two, again)
    assert battle_lines(log) == [again, two]


@pytest.mark.full
def test_battle_that_could_not_be_read_back_is_not_stored() -> None:
    """A battle over 16 MiB is refused, and one whose packed form exceeds a line minus 4 KiB."""
    annex_facts(battle_of("hill", "toy", bytes(16 * MIB)))
    text = r"^the battle hill made a log of 16384 KiB, too large"
    with pytest.raises(PlayError, match=text):
        annex_facts(battle_of("hill", "toy", bytes(16 * MIB + 1)))


def test_battle_that_does_not_fit_a_line_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = battle_of("hill", "toy", b"x" * 2048)
    room = MIB - 4096
    for length, fits in ((room, True), (room + 1, False)):
        monkeypatch.setattr(battles, "b64encode", lambda data, length=length: b"x" * length)
        if fits:
            assert len(annex_facts(battle)["log"]) == room
            assert len(annex_line(annex_facts(battle))) <= MIB
        else:
            with pytest.raises(PlayError, match="the battle hill made a log of 2 KiB, too large"):
                annex_facts(battle)


def test_battle_key_follows_from_umpire_stream_and_brief() -> None:
    """Section 10: the first 32 numbers below 256 of the branch of the umpire's stream named by the brief's id."""
    campaign = key_from_seed("a")
    branch = Stream.for_player(campaign, UMPIRE).branch("hill")
    due = bytes(branch.below(256) for _ in range(32))
    assert battle_key_in(campaign, "hill") == battle_key(Stream.for_player(campaign, UMPIRE), "hill") == due
    assert battle_key_in(campaign, "mill") != due
    assert max(due) > 127
    assert len(due) == 32


def test_ruleset_that_fights_no_battles_for_others_is_refused(rulesets: Rulesets) -> None:
    brief: Any = SimpleNamespace(id="hill")
    with pytest.raises(RulesetMissing, match=r"^toy fights no battles for others: its ruleset_battles has no stage$"):
        stage(rulesets.load("toy"), brief)

    fights: Any = SimpleNamespace(battles=Battles(stage=lambda brief: brief, report=lambda terms: terms))
    assert battles.fights_battles(fights)
    assert not battles.fights_battles(rulesets.load("toy"))


def test_battle_terms_note_the_umpires_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = BattleTerms()
    space = SimpleNamespace(brief=SimpleNamespace(id="hill"), terms="terms")
    monkeypatch.setattr(battles, "results_in", lambda options: options)
    decisions: list[Any] = [SimpleNamespace(seat="axis", options=space), SimpleNamespace(seat=UMPIRE, options=None)]
    for each in decisions:
        asked.note(each)
    assert asked.terms == {}
    decision: Any = SimpleNamespace(seat=UMPIRE, options=space)
    asked.note(decision)
    assert {**asked.terms} == {"hill": space.terms}


def test_known_battles_are_not_repeated() -> None:
    one, two = battle_of("hill", "toy", b"a"), battle_of("mill", "toy", b"b")
    assert unknown([one, two, one], ()) == {one.digest: one, two.digest: two}
    assert unknown([one, two], [one.digest]) == {two.digest: two}
    assert unknown([], [one.digest]) == {}
