"""A campaign whose battles another ruleset fights: they travel in its log, and are verified with it."""

import hashlib
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.errors import LogDamaged, PlayError
from sandtable.journal.battles import MOST_BATTLE, annex_facts, battle_of, read_battles, report
from sandtable.journal.diff import diff_logs
from sandtable.journal.file.log import annex_line, parse_log, read_log
from sandtable.journal.format.chain import START, chain_opened
from sandtable.journal.format.header import game_id, header_body, header_opening, make_dice, make_header
from sandtable.journal.format.openings import commitment_of, key_of
from sandtable.journal.record import Recorded, log_bytes, play_into_file, play_on, play_recorded
from sandtable.journal.repair import repair
from sandtable.journal.resume import resume
from sandtable.journal.sides.slices import check_slice, slice_log
from sandtable.journal.verification.verify import Verdict, verify, verify_log
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import ask_again, name_seats, seat_players
from sandtable.players.umpires import RulesetUmpire
from sandtable.plugin.manager import Prepared, Rulesets

FOLDER = Path(__file__).parent / "campaigns"
NAMES = {"umpire": "kampfpanzer", "axis": "random", "allies": "random"}
SEED = "a"


@pytest.fixture(scope="module")
def rulesets() -> Rulesets:
    return Rulesets(FOLDER)


@pytest.fixture(scope="module")
def sortie(rulesets: Rulesets) -> Prepared:
    return rulesets.load("sortie").prepare()


def play(prepared: Prepared, dice: str = "open", **names: str) -> Recorded:
    key = key_from_seed(SEED)
    named = name_seats(prepared, NAMES | names)
    keyed = make_dice(dice, key)
    return play_recorded(prepared, seat_players(prepared, named, key), keyed, make_header(prepared, named, keyed))


@pytest.fixture(scope="module")
def recorded(sortie: Prepared) -> Recorded:
    return play(sortie)


def reports(recorded: Recorded) -> list[Any]:
    found = [each for each in recorded.game.records if isinstance(each, OrderRecord) and each.by == "umpire"]
    assert found
    return found


def annexes(data: bytes) -> list[dict[str, Any]]:
    found = [line for line in data.split(b"\n") if line.startswith(b'{"kind":"annex"')]
    return [{key: value for key, value in msgspec.json.decode(line).items() if key != "hash"} for line in found]


def with_annexes(data: bytes, facts: list[dict[str, Any]]) -> bytes:
    """Return the log with these annexes in place of its own."""
    head, *rest = [line for line in data.split(b"\n") if not line.startswith(b'{"kind":"annex"')]
    told = [annex_line({key: value for key, value in each.items() if key != "kind"})[:-1] for each in facts]
    return b"\n".join([head, *told, *rest])


def judged(data: bytes, prepared: Prepared, *, deep: bool = False) -> Verdict:
    return verify(parse_log(data, "log"), prepared, deep=deep)


@pytest.mark.full
def test_every_battle_reported_stands_in_the_log(recorded: Recorded, sortie: Prepared) -> None:
    told = [each.order for each in reports(recorded)]
    battles = read_battles(parse_log(recorded.data, "log"))
    assert [each.result.battle for each in told] == [each.digest for each in battles]
    assert all(hashlib.sha256(each.data).hexdigest() == each.digest for each in battles)
    assert {each.result.source for each in told} == {"kampfpanzer"}
    assert judged(recorded.data, sortie, deep=True).verdict == "verified"


@pytest.mark.full
def test_the_same_campaign_has_the_same_battles(recorded: Recorded, sortie: Prepared) -> None:
    assert play(sortie).data == recorded.data
    assert play(sortie, umpire="kampfpanzer:captain").head != recorded.head  # another name in the header
    other = play(sortie, umpire="kampfpanzer:hunter")
    assert reports(other)[0].order.result.battle != reports(recorded)[0].order.result.battle


def test_a_battle_depends_on_no_other(recorded: Recorded, sortie: Prepared) -> None:
    """Its dice are keyed by the umpire's stream and its brief: one asked for alone comes out the same."""
    game = sortie.new_game(make_dice("open", key_from_seed(SEED)))
    umpire = seat_players(sortie, NAMES, key_from_seed(SEED))["umpire"]
    game.start()
    for record in recorded.game.records:
        if isinstance(record, OrderRecord):
            if record is reports(recorded)[-1]:
                (decision,) = game.waiting()
                assert umpire.choose(decision, None) == record.order  # type: ignore[arg-type]  # it looks at no view
            game.submit(record.order, record.by)


def test_a_battle_that_is_not_there_is_missed(recorded: Recorded, sortie: Prepared) -> None:
    verdict = judged(with_annexes(recorded.data, annexes(recorded.data)[1:]), sortie)
    first = reports(recorded)[0]
    assert (verdict.verdict, verdict.exit_code) == ("battle missing", 1)
    assert verdict.first_difference is not None
    assert verdict.first_difference.record == first.n
    assert verdict.first_difference.text == (
        f"record {first.n}: battle {first.order.result.battle[:12]} of {first.order.brief}: "
        "the log has no annex with it: get the whole file again"
    )


def changed(facts: dict[str, Any], old: bytes, new: bytes) -> dict[str, Any]:
    data = zlib.decompress(b64decode(facts["log"]))
    assert old in data
    return facts | {"log": b64encode(zlib.compress(data.replace(old, new, 1))).decode()}


def test_a_battle_with_other_bytes_does_not_fit_its_digest(recorded: Recorded, sortie: Prepared) -> None:
    first, *rest = annexes(recorded.data)
    verdict = judged(with_annexes(recorded.data, [changed(first, b'"turn":1', b'"turn":2'), *rest]), sortie)
    assert verdict.verdict == "battle differs"
    assert verdict.first_difference is not None
    assert verdict.first_difference.field == "battle"
    assert "battle: the log in its annex has the SHA-256" in verdict.first_difference.text


@pytest.mark.full
def test_an_annex_that_does_not_unpack_is_told(recorded: Recorded, sortie: Prepared) -> None:
    first, *rest = annexes(recorded.data)
    for log, said in (("????", "cannot be unpacked"), (b64encode(b"no zlib").decode(), "cannot be unpacked")):
        verdict = judged(with_annexes(recorded.data, [first | {"log": log}, *rest]), sortie)
        assert verdict.verdict == "battle differs"
        assert said in str(verdict.first_difference)
    bomb = b64encode(zlib.compress(bytes(MOST_BATTLE + 1), 9)).decode()
    with pytest.raises(Exception, match="unpacks to more than 16 MiB"):
        read_battles(parse_log(with_annexes(recorded.data, [first | {"log": bomb}]), "log"))


def retold(recorded: Recorded, prepared: Prepared, change: Callable[[Any], Any], data: bytes | None = None) -> bytes:
    """Return the campaign with the first report changed, and the annexes (of ``data``) as they were."""
    key = key_from_seed(SEED)
    dice = make_dice("open", key)
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


def test_a_report_that_its_battle_does_not_bear_out_is_found(recorded: Recorded, sortie: Prepared) -> None:
    data = retold(recorded, sortie, lambda result: msgspec.structs.replace(result, turns=3))
    verdict = judged(data, sortie)
    assert verdict.verdict == "battle differs"
    assert verdict.first_difference is not None
    assert (verdict.first_difference.field, verdict.first_difference.stored) == ("turns", "3")
    assert "turns: is reported as 3; its end gives 8" in verdict.first_difference.text


def test_the_battle_of_another_brief_is_none_of_this(recorded: Recorded, sortie: Prepared) -> None:
    first, second, *_ = [each.order.result for each in reports(recorded)]
    verdict = judged(
        retold(recorded, sortie, lambda result: msgspec.structs.replace(result, battle=second.battle)), sortie
    )
    assert verdict.first_difference is not None
    assert verdict.first_difference.field == "scenario"
    assert first.battle != second.battle


def test_nobody_chooses_among_battles(recorded: Recorded, sortie: Prepared) -> None:
    """A battle of the right brief, fought with other dice, is not the one that the campaign's key leads to."""
    umpire: Any = seat_players(sortie, NAMES, key_from_seed("luckier"))["umpire"]
    game = sortie.new_game(make_dice("open", key_from_seed(SEED)))
    game.start()
    for record in recorded.game.records:
        if isinstance(record, OrderRecord):
            if record is reports(recorded)[0]:
                break
            game.submit(record.order, record.by)
    lucky = umpire.choose(game.waiting()[0], None).result
    (battle,) = umpire.battles
    data = with_annexes(recorded.data, [annex_facts(battle), *annexes(recorded.data)])
    found = judged(retold(recorded, sortie, lambda _: lucky, data), sortie).first_difference
    assert found is not None
    assert found.field == "key"


def test_a_battle_has_no_salts_of_its_own(recorded: Recorded, sortie: Prepared) -> None:
    battle = read_battles(parse_log(recorded.data, "log"))[0]
    inner = parse_log(battle.data, "battle")
    header = msgspec.structs.replace(inner.header, salts="5a" * 32)
    opening = header_opening(header)
    assert opening is not None
    header = msgspec.structs.replace(header, sealed={"umpire": commitment_of(opening)})
    header = msgspec.structs.replace(header, game=game_id(header))
    rest = [line.partition(b',"hash":"')[0] for line in inner.lines[1:]]
    openings = {number: {to: line} for (number, to), line in inner.openings.items() if number}
    lines = chain_opened([header_body(header), *rest], {**openings, 1: {"umpire": opening}}, START)[0]
    salted = battle_of(battle.brief, battle.ruleset, lines)
    data = with_annexes(recorded.data, [annex_facts(salted), *annexes(recorded.data)])
    told = retold(recorded, sortie, lambda result: msgspec.structs.replace(result, battle=salted.digest), data)
    found = judged(told, sortie).first_difference
    assert found is not None
    assert (found.kind, found.field) == ("battle differs", "salts")


def test_a_ruleset_that_is_not_here_is_named(recorded: Recorded, tmp_path: Path) -> None:
    (tmp_path / "campaign.jsonl").write_bytes(recorded.data)
    rulesets = Rulesets(FOLDER)
    del rulesets._sources["kampfpanzer"]
    verdict = verify_log(tmp_path / "campaign.jsonl", rulesets)
    assert (verdict.verdict, verdict.exit_code) == ("ruleset missing", 4)
    assert "the ruleset 'kampfpanzer' is not installed" in str(verdict.first_difference)


def test_the_rules_of_a_battle_that_were_edited_are_named(
    recorded: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The campaign's own rules are those of then; the report is another now, or the battle's log would not verify."""
    (tmp_path / "campaign.jsonl").write_bytes(recorded.data)
    rulesets = Rulesets(FOLDER)
    resolver = rulesets.load("kampfpanzer")
    monkeypatch.setattr(resolver, "content_hash", "f" * 64)
    assert verify_log(tmp_path / "campaign.jsonl", rulesets).verdict == "verified"
    monkeypatch.setattr(
        "sandtable.journal.verification.embedded.report",
        lambda *told: msgspec.structs.replace(report(*told), turns=99),
    )
    verdict = verify_log(tmp_path / "campaign.jsonl", rulesets)
    assert (verdict.verdict, verdict.exit_code, verdict.other_files) == ("other ruleset files", 4, False)
    found = verdict.first_difference
    assert found is not None
    assert found.kind == "battle differs"
    assert re.match(
        r"kampfpanzer was played with files \w{12}, these are ffffffffffff: the rules were edited", found.edited
    )
    (tmp_path / "campaign.jsonl").write_bytes(with_annexes(recorded.data, annexes(recorded.data)[1:]))
    assert verify_log(tmp_path / "campaign.jsonl", rulesets).exit_code == 1


@pytest.mark.full
def test_dice_that_are_not_shown_yet_leave_the_rest_to_be_verified(sortie: Prepared, tmp_path: Path) -> None:
    host = play(sortie, dice="host")
    assert judged(host.data, sortie, deep=True).verdict == "verified"
    lines = host.data.split(b"\n")
    end = next(place for place, line in enumerate(lines) if b'"kind":"close"' in line)
    unfinished = (
        b"\n".join(line for line in lines[:end] if not is_opening_of_close(line, len(host.game.records))) + b"\n"
    )
    assert judged(unfinished, sortie).verdict == "file ends early"
    cut = with_annexes(unfinished, annexes(unfinished)[1:])
    assert judged(cut, sortie).verdict == "battle missing"


def is_opening_of_close(line: bytes, number: int) -> bool:
    return (key_of(line) or (0, ""))[0] == number


def test_slices_and_diffs_pass_over_battles(recorded: Recorded, sortie: Prepared, rulesets: Rulesets) -> None:
    log = parse_log(recorded.data, "log")
    for side in ("axis", "allies"):
        part = slice_log(log, sortie, side)
        assert b'"battle":' not in b"".join(parse_log(part, "slice").annexes())
        assert len(part) < len(recorded.data) // 4
        check_slice(part, "slice")
    bare = parse_log(with_annexes(recorded.data, []), "bare")
    assert diff_logs(log, bare, rulesets).record is None


@pytest.mark.full
def test_a_campaign_is_taken_up_and_its_battles_are_not_fought_again(
    recorded: Recorded, rulesets: Rulesets, sortie: Prepared, tmp_path: Path
) -> None:
    key = key_from_seed(SEED)
    path = tmp_path / "campaign.jsonl"
    play_into_file(sortie, seat_players(sortie, NAMES, key), make_dice("open", key), recorded.header, path)
    whole = path.read_bytes()
    assert judged(whole, sortie, deep=True).verdict == "verified"
    place = whole.index(b"\n", whole.index(b'"type":"ReportBattle"')) + 1
    path.write_bytes(whole[: place + 40])  # the next line is torn
    lost, _ = repair(path)
    assert lost == 40
    players = seat_players(sortie, NAMES, key)
    asked = resume(path, rulesets, before=lambda prepared, _, game: ask_again(prepared, players, game.view))
    assert isinstance(players["umpire"], RulesetUmpire)
    assert not players["umpire"].battles
    with asked.writer as writer:
        play_on(asked.game, players, writer)
    assert read_log(path).lines == parse_log(whole, "whole").lines
    assert len(read_battles(read_log(path))) == len(read_battles(parse_log(whole, "whole")))
    assert verify_log(path, rulesets).verdict == "verified"


@pytest.mark.full
def test_a_battle_too_large_to_travel_is_refused() -> None:
    noise = Stream(b"noise")
    data = bytes(noise.below(256) for _ in range(900_000))
    with pytest.raises(PlayError, match="the battle 1:mill made a log of 878 KiB, too large"):
        annex_facts(battle_of("1:mill", "kampfpanzer", data))


def test_an_altered_annex_is_noticed_as_any_other(recorded: Recorded) -> None:
    place = recorded.data.index(b'"log":"') + 20
    with pytest.raises(LogDamaged, match="the annex was altered"):
        parse_log(recorded.data[:place] + b"AAAA" + recorded.data[place + 4 :], "log")


@pytest.mark.parametrize(
    ("seat", "name", "said"),
    [
        ("umpire", "nobody", "sortie has no player 'nobody'"),
        ("umpire", "desert_aa", "desert_aa fights no battles for others"),
        ("umpire", "kampfpanzer:general", "kampfpanzer has no player 'general': choose captain"),
        ("axis", "kampfpanzer", "sortie has no player 'kampfpanzer'"),
    ],
)
def test_who_cannot_sit_there_is_told(sortie: Prepared, seat: str, name: str, said: str) -> None:
    with pytest.raises(PlayError, match=said):
        name_seats(sortie, {seat: name})
