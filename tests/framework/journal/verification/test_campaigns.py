"""Verification of a campaign whose battles another ruleset plays."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rechained import rechained, tables_of
from sorties import CAMPAIGNS, KEY, NAMES, play_sortie, with_annexes

from sandtable.errors import PlayError
from sandtable.journal.battles import annex_facts, battle_digests, battle_of, read_battles, report
from sandtable.journal.diff import diff_logs
from sandtable.journal.file.reading import parse_log, read_log
from sandtable.journal.fold import prepare_for
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.header import game_id, header_body, header_commitment, make_dice
from sandtable.journal.format.openings import key_of
from sandtable.journal.record import Recorded, log_bytes, play_into_file, play_on
from sandtable.journal.repair import repair
from sandtable.journal.resume import resume
from sandtable.journal.sides.slices import check_slice, slice_log
from sandtable.journal.verification.verdicts import Verdict
from sandtable.journal.verification.verify import verify, verify_log
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import ask_again, name_seats, seat_players
from sandtable.players.umpires import RulesetUmpire
from sandtable.plugin.manager import Prepared, Rulesets


def reports(recorded: Recorded) -> list[Any]:
    found = [each for each in recorded.game.records if isinstance(each, OrderRecord) and each.by == "umpire"]
    assert found
    return found


def annexes(data: bytes) -> list[dict[str, Any]]:
    found = [line for line in data.split(b"\n") if line.startswith(b'{"kind":"annex"')]
    return [{key: value for key, value in msgspec.json.decode(line).items() if key != "hash"} for line in found]


def judged(data: bytes, prepared: Prepared, *, deep: bool = False) -> Verdict:
    return verify(parse_log(data, "log"), prepared, deep=deep)


@pytest.mark.full
def test_every_reported_battle_is_in_the_log(recorded: Recorded, sortie: Prepared) -> None:
    orders = [each.order for each in reports(recorded)]
    battles = list(read_battles(parse_log(recorded.data, "log")))
    assert [each.result.battle for each in orders] == [each.digest for each in battles]
    assert all(hashlib.sha256(each.data).hexdigest() == each.digest for each in battles)
    assert {each.result.source for each in orders} == {"kampfpanzer"}
    assert judged(recorded.data, sortie, deep=True).verdict == "verified"


@pytest.mark.full
def test_same_campaign_has_the_same_battles(recorded: Recorded, sortie: Prepared) -> None:
    assert play_sortie(sortie).data == recorded.data
    assert play_sortie(sortie, umpire="kampfpanzer:captain").head != recorded.head  # another name in the header
    other = play_sortie(sortie, umpire="kampfpanzer:hunter")
    assert reports(other)[0].order.result.battle != reports(recorded)[0].order.result.battle


@pytest.mark.full
def test_battle_does_not_depend_on_other_battles(recorded: Recorded, sortie: Prepared) -> None:
    """The umpire's stream and the brief key the dice of a battle, so a battle requested alone is the same."""
    game = sortie.new_game(make_dice("open", KEY))
    umpire = seat_players(sortie, NAMES, KEY)["umpire"]
    game.start()
    for record in recorded.game.records:
        if isinstance(record, OrderRecord):
            if record is reports(recorded)[-1]:
                (decision,) = game.waiting()
                assert umpire.choose(decision, None) == record.order  # type: ignore[arg-type]  # it ignores the view
            game.submit(record.order, record.by)


def with_changed_report(
    recorded: Recorded, prepared: Prepared, change: Callable[[Any], Any], data: bytes | None = None
) -> bytes:
    """Return the campaign with the first report changed and the annexes (of ``data``) unchanged."""
    dice = make_dice("open", KEY)
    orders = [each for each in recorded.game.records if isinstance(each, OrderRecord)]
    first = reports(recorded)[0]
    game = prepared.new_game(dice)
    game.start()
    for each in orders:
        order = each.order
        if each is first:
            order = msgspec.structs.replace(order, result=change(order.result))
        game.submit(order, each.by)
    return with_annexes(log_bytes(recorded.header, game)[0], annexes(data or recorded.data))


def test_battle_fought_with_other_dice_is_refused(recorded: Recorded, sortie: Prepared) -> None:
    """A battle of the right brief with other dice is not the one that the campaign's key leads to."""
    umpire: Any = seat_players(sortie, NAMES, key_from_seed("luckier"))["umpire"]
    game = sortie.new_game(make_dice("open", KEY))
    game.start()
    for record in recorded.game.records:
        if isinstance(record, OrderRecord):
            if record is reports(recorded)[0]:
                break
            game.submit(record.order, record.by)
    lucky = umpire.choose(game.waiting()[0], None).result
    (battle,) = umpire.battles
    data = with_annexes(recorded.data, [annex_facts(battle), *annexes(recorded.data)])
    found = judged(with_changed_report(recorded, sortie, lambda _: lucky, data), sortie).first_difference
    assert found is not None
    assert found.field == "key"


def test_battle_with_separate_salts_is_refused(recorded: Recorded, sortie: Prepared) -> None:
    battle = next(read_battles(parse_log(recorded.data, "log")))
    inner = parse_log(battle.data, "battle")
    header = msgspec.structs.replace(inner.header, salts="5a" * 32)
    viewers = prepare_for(inner, Rulesets()).ruleset.viewers
    root, opening = header_commitment(header, viewers)
    header = msgspec.structs.replace(header, root=root)
    header = msgspec.structs.replace(header, game=game_id(header))
    rest = [parted(line)[0] for line in inner.chain[1:]]
    openings = [opening, *(line for (number, _), line in inner.openings.items() if number)]
    lines = chain([header_body(header), *rest], START, {1: openings})[0]
    salted = battle_of(battle.brief, battle.ruleset, lines)
    data = with_annexes(recorded.data, [annex_facts(salted), *annexes(recorded.data)])
    changed = with_changed_report(
        recorded, sortie, lambda result: msgspec.structs.replace(result, battle=salted.digest), data
    )
    found = judged(changed, sortie).first_difference
    assert found is not None
    assert (found.kind, found.field) == ("battle differs", "salts")


@pytest.mark.full
def test_edited_rules_of_a_battle_are_named(
    recorded: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The campaign's rules are unchanged. Only the report differs, because other rules would fail the battle's log."""
    (tmp_path / "campaign.jsonl").write_bytes(recorded.data)
    rulesets = Rulesets(CAMPAIGNS)
    resolver = rulesets.load("kampfpanzer")
    monkeypatch.setattr(resolver, "content_hash", "f" * 64)
    assert verify_log(tmp_path / "campaign.jsonl", rulesets).verdict == "verified"
    monkeypatch.setattr(
        "sandtable.journal.verification.embedded.report",
        lambda *facts: msgspec.structs.replace(report(*facts), turns=99),
    )
    verdict = verify_log(tmp_path / "campaign.jsonl", rulesets)
    assert (verdict.verdict, verdict.exit_code, verdict.other_files) == ("other ruleset files", 4, False)
    found = verdict.first_difference
    assert found is not None
    assert found.kind == "battle differs"
    assert re.match(
        r"kampfpanzer was played with files \w{12}, the files here are ffffffffffff: the rules were edited",
        found.edited,
    )
    (tmp_path / "campaign.jsonl").write_bytes(with_annexes(recorded.data, []))
    assert verify_log(tmp_path / "campaign.jsonl", rulesets).exit_code == 5


def with_forged_battle(recorded: Recorded, sortie: Prepared, change: Callable[[list[dict[str, Any]]], None]) -> bytes:
    """Return the campaign with its first battle changed and rechained, and the report naming the changed log."""
    battle = next(read_battles(parse_log(recorded.data, "log")))
    lines = tables_of(battle.data)
    change(lines)
    forged = battle_of(battle.brief, battle.ruleset, rechained(lines))
    data = with_annexes(recorded.data, [annex_facts(forged), *annexes(recorded.data)])
    return with_changed_report(
        recorded, sortie, lambda result: msgspec.structs.replace(result, battle=forged.digest), data
    )


def raise_last_die(lines: list[dict[str, Any]]) -> None:
    line = [each for each in lines if each["kind"] == "roll" and each.get("dice")][-1]
    line["dice"] = [line["dice"][0] % line["sides"] + 1, *line["dice"][1:]]


def without_key(lines: list[dict[str, Any]]) -> None:
    lines[0]["opened"] = {}


@pytest.mark.full
@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize(
    ("change", "field"),
    [(raise_last_die, "battle.dice[0]"), (without_key, "key")],
    ids=["a die", "its key"],
)
def test_forged_battle_is_false_also_with_edited_rules(
    change: Callable[[list[dict[str, Any]]], None],
    field: str,
    edited: bool,
    recorded: Recorded,
    sortie: Prepared,
    campaigns: Rulesets,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = with_forged_battle(recorded, sortie, change)
    if edited:
        monkeypatch.setattr(campaigns.load("kampfpanzer"), "content_hash", "f" * 64)
        monkeypatch.setattr(sortie.installed, "content_hash", "f" * 64)
    verdict = judged(data, sortie)
    assert (verdict.verdict, verdict.exit_code) == ("false", 1), verdict.text
    assert verdict.first_difference is not None
    assert (verdict.first_difference.kind, verdict.first_difference.field) == ("battle differs", field)


@pytest.mark.full
def test_battles_of_a_slice_are_pending_for_its_side(recorded: Recorded, sortie: Prepared) -> None:
    part = slice_log(parse_log(recorded.data, "log"), sortie, "axis")
    whole = judged(part, sortie)
    assert (whole.verdict, whole.exit_code) == ("not proven", 5)
    assert any("the log of the battle" in item for item in whole.missing)
    mine = verify(parse_log(part, "slice"), sortie, side="axis")
    assert (mine.verdict, mine.missing) == ("verified so far", ())
    assert any("the log of the battle" in item for item in mine.pending)


@pytest.mark.full
def test_unfinished_campaign_with_hidden_dice_is_verified_so_far(sortie: Prepared, tmp_path: Path) -> None:
    host = play_sortie(sortie, "host")
    assert judged(host.data, sortie, deep=True).verdict == "verified"
    lines = host.data.split(b"\n")
    end = next(place for place, line in enumerate(lines) if b'"kind":"close"' in line)
    unfinished = (
        b"\n".join(line for line in lines[:end] if not is_opening_of_close(line, len(host.game.records))) + b"\n"
    )
    assert judged(unfinished, sortie).verdict == "verified so far"
    cut = with_annexes(unfinished, annexes(unfinished)[1:])
    verdict = judged(cut, sortie)
    assert (verdict.verdict, verdict.exit_code, len(verdict.missing)) == ("not proven", 5, 1)


def is_opening_of_close(line: bytes, number: int) -> bool:
    return (key_of(line) or (0, ""))[0] == number


def test_slices_and_diffs_skip_battles(recorded: Recorded, sortie: Prepared, campaigns: Rulesets) -> None:
    log = parse_log(recorded.data, "log")
    for side in ("axis", "allies"):
        part = slice_log(log, sortie, side)
        assert b'"battle":' not in b"".join(parse_log(part, "slice").annexes())
        assert len(part) < len(recorded.data) // 4
        check_slice(part, "slice")
    bare = parse_log(with_annexes(recorded.data, []), "bare")
    assert diff_logs(log, bare, campaigns).record is None


@pytest.mark.full
def test_resumed_campaign_does_not_repeat_its_battles(
    recorded: Recorded, campaigns: Rulesets, sortie: Prepared, tmp_path: Path
) -> None:
    path = tmp_path / "campaign.jsonl"
    play_into_file(sortie, seat_players(sortie, NAMES, KEY), make_dice("open", KEY), recorded.header, path)
    whole = path.read_bytes()
    assert judged(whole, sortie, deep=True).verdict == "verified"
    reported = whole.index(b'"type":"ReportBattle"')
    place = whole.index(b"\n", whole.index(b'"hash":"', reported)) + 1
    path.write_bytes(whole[: place + 40])  # the next line is torn
    lost, _ = repair(path)
    assert lost == 40
    players = seat_players(sortie, NAMES, KEY)
    asked = resume(path, campaigns, before=lambda prepared, _, game: ask_again(prepared, players, game.view))
    assert isinstance(players["umpire"], RulesetUmpire)
    assert not players["umpire"].battles
    with asked.writer as writer:
        play_on(asked.game, players, writer)
    assert read_log(path).lines == parse_log(whole, "whole").lines
    assert battle_digests(read_log(path)) == battle_digests(parse_log(whole, "whole"))
    assert verify_log(path, campaigns).verdict == "verified"


@pytest.mark.parametrize(
    ("seat", "name", "refusal"),
    [
        ("umpire", "nobody", "sortie has no player 'nobody'"),
        ("umpire", "desert_aa", "desert_aa fights no battles for others"),
        ("umpire", "kampfpanzer:general", "kampfpanzer has no player 'general': choose captain"),
        ("axis", "kampfpanzer", "sortie has no player 'kampfpanzer'"),
    ],
)
def test_player_that_cannot_take_a_seat_is_refused(sortie: Prepared, seat: str, name: str, refusal: str) -> None:
    with pytest.raises(PlayError, match=refusal):
        name_seats(sortie, {seat: name})
