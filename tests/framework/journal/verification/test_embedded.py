"""Battles in a campaign's log, judged one by one."""

import hashlib
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from sorties import CAMPAIGNS, KEY, NAMES, with_annexes

from sandtable.errors import RulesetMissing
from sandtable.journal.battles import BattleTerms, annex_facts, battle_digests, battle_of, read_battles
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log, private_file, read_log
from sandtable.journal.file.writer import LogWriter
from sandtable.journal.fold import read_records
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import Recorded, form_for, play_on
from sandtable.journal.resume import resume
from sandtable.journal.verification.edits import is_firm
from sandtable.journal.verification.embedded import DIFFERS, battle_difference
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of
from sandtable.journal.verification.verdicts import Difference
from sandtable.journal.verification.verify import verify, verify_log
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.records import OrderRecord, UndoRecord
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Prepared, Rulesets

Judge = Callable[[Log, Prepared], Difference | None]
replace = msgspec.structs.replace


class Campaign(NamedTuple):
    """A played campaign: its log, records, the umpire's battle terms, and the reports of battles."""

    rulesets: Rulesets
    log: Log
    records: list[Any]
    asked: BattleTerms
    reports: list[OrderRecord[Any]]

    def found(
        self,
        judge: Judge = lambda log, prepared: None,
        key: bytes | None = KEY,
        *,
        log: Log | None = None,
        records: Sequence[Any] | None = None,
        rulesets: Rulesets | None = None,
    ) -> Difference | None:
        """Return the difference that is found with the given changes."""
        return self.looked_at(judge, key, log=log, records=records, rulesets=rulesets)[0]

    def looked_at(
        self,
        judge: Judge = lambda log, prepared: None,
        key: bytes | None = KEY,
        *,
        log: Log | None = None,
        records: Sequence[Any] | None = None,
        rulesets: Rulesets | None = None,
    ) -> tuple[Difference | None, list[str]]:
        """Return the difference that is found, and the battles whose logs are missing."""
        used = self.records if records is None else records
        return battle_difference(log or self.log, used, self.asked, rulesets or self.rulesets, judge, key)

    def fault(self, judge: Judge = lambda log, prepared: None, **changes: Any) -> Difference:
        """Return the difference that ``found`` returns; there must be one."""
        found = self.found(judge, **changes)
        assert found is not None
        return found

    def with_first(self, old: str, new: str) -> Difference:
        """Return the difference if ``new`` replaces ``old`` in the text of the first battle."""
        brief, data = next((each.brief, each.data) for each in read_battles(self.log))
        other = data.replace(old.encode(), new.encode(), 1)
        assert other != data
        records = self.reported(0, battle=hashlib.sha256(other).hexdigest())
        return self.fault(log=with_battles(self.log, (brief, other)), records=records)

    def reported(self, number: int, **changes: Any) -> list[Any]:
        """Return the records with the result of one report changed."""
        report = self.reports[number]
        order = replace(report.order, result=replace(report.order.result, **changes))
        return [replace(each, order=order) if each is report else each for each in self.records]


@pytest.fixture(scope="module")
def campaign(campaigns: Rulesets, sortie: Prepared, recorded: Recorded) -> Campaign:
    log = parse_log(recorded.data, "log")
    records = read_records(log, sortie.ruleset)
    asked = BattleTerms()
    assert Rerun(sortie, log, records, dice_of(log, records)).run(asked.note) is None
    reports = [each for each in records if isinstance(each, OrderRecord) and each.by == "umpire"]
    assert len(reports) > 1
    return Campaign(campaigns, log, records, asked, reports)


def with_battles(log: Log, *battles: tuple[str, bytes]) -> Log:
    """Return the log with the given battles (brief and bytes) instead of the original ones."""
    facts = [annex_facts(battle_of(brief, "kampfpanzer", data)) for brief, data in battles]
    return parse_log(with_annexes(log.data, facts), "log")


@pytest.mark.full
def test_every_battle_is_judged_by_its_own_log(campaign: Campaign) -> None:
    judged: list[tuple[str, str, str]] = []

    def judge(log: Log, prepared: Prepared) -> None:
        judged.append((log.name, hashlib.sha256(log.data).hexdigest(), prepared.installed.manifest.id))

    assert campaign.found(judge) is None
    assert judged == [("its log", each.order.result.battle, "kampfpanzer") for each in campaign.reports]


def next_of(verdicts: Iterator[Difference | None], _log: Log, _prepared: Prepared) -> Difference | None:
    return next(verdicts)


def test_difference_in_a_battle_names_the_battle(campaign: Campaign) -> None:
    first, second, *_ = campaign.reports
    assert first.n < second.n
    battle = second.order.result.battle[:12]
    for kind, inner, field in (("rules diverge", "event", ""), ("altered dice", "dice[0]", "battle.dice[0]")):
        wrong = iter([None, Difference(kind, 7, "its log, line 9: it is wrong", inner)])
        found = campaign.fault(partial(next_of, wrong))
        assert (found.kind, found.record, found.field) == (DIFFERS, second.n, field)
        assert found.text.startswith(f"record {second.n}: battle {battle} of {second.order.brief}: ")
        assert found.text.endswith(": its log, line 9: it is wrong")
        assert is_firm(found) == bool(field)


def test_battle_without_an_annex_is_missing_and_others_are_judged(campaign: Campaign) -> None:
    battles = [(each.brief, each.data) for each in read_battles(campaign.log)]
    first, second = campaign.reports[:2]
    found, missing = campaign.looked_at(log=with_battles(campaign.log, battles[0], *battles[2:]))
    assert found is None
    (item,) = missing
    assert f"of {second.order.brief} in record {second.n}" in item
    wrong = Difference("altered dice", 7, "the die is wrong", "dice[0]")
    found, missing = campaign.looked_at(lambda log, prepared: wrong, log=with_battles(campaign.log, *battles[1:]))
    assert found is not None
    assert found.record == second.n
    assert len(missing) == 1
    assert f"in record {first.n}" in missing[0]


def test_annex_that_no_order_names_is_not_unpacked(campaign: Campaign) -> None:
    fought = [annex_facts(each) for each in read_battles(campaign.log)]
    stray = {"battle": "0" * 64, "brief": "x", "ruleset": "kampfpanzer", "log": "no base64"}
    assert campaign.found(log=parse_log(with_annexes(campaign.log.data, [*fought, stray]), "log")) is None


def test_annex_with_other_bytes_differs(campaign: Campaign) -> None:
    stated = campaign.reports[0].order.result.battle
    packed = b64encode(zlib.compress(b"{}\n")).decode()
    facts = {"battle": stated, "brief": "x", "ruleset": "kampfpanzer", "log": packed}
    found = campaign.fault(log=parse_log(with_annexes(campaign.log.data, [facts]), "log"))
    other = hashlib.sha256(b"{}\n").hexdigest()
    assert (found.kind, found.field, found.stored, found.expected) == (DIFFERS, "battle", stated, other)


def test_annex_that_cannot_be_unpacked_differs_at_its_report(campaign: Campaign) -> None:
    first, *others = [annex_facts(each) for each in read_battles(campaign.log)]
    facts = [first, {**others[0], "log": "????"}, *others[1:]]
    found = campaign.fault(log=parse_log(with_annexes(campaign.log.data, facts), "log"))
    assert (found.kind, found.record) == (DIFFERS, campaign.reports[1].n)
    assert "cannot be unpacked" in found.text


def test_battle_bytes_that_are_not_a_log_differ(campaign: Campaign) -> None:
    records = campaign.reported(0, battle=hashlib.sha256(b"no log\n").hexdigest())
    log = with_battles(campaign.log, (campaign.reports[0].order.brief, b"no log\n"))
    found = campaign.fault(log=log, records=records)
    assert (found.kind, found.field) == (DIFFERS, "")
    assert "its log" in found.text


def test_battle_of_another_brief_differs_by_its_scenario(campaign: Campaign) -> None:
    first, second, *_ = campaign.reports
    found = campaign.fault(records=campaign.reported(0, battle=second.order.result.battle))
    assert (found.kind, found.record, found.field) == (DIFFERS, first.n, "scenario")
    assert found.text.endswith(f": scenario: is {found.stored}; the brief gives {found.expected}")
    assert found.stored != found.expected


def test_battle_options_that_differ_from_the_brief_are_reported(campaign: Campaign) -> None:
    options = campaign.rulesets.load("kampfpanzer").manifest.options
    given = msgspec.json.decode(next(read_battles(campaign.log)).data.partition(b"\n")[0])["options"]
    option = next(each for each in options if len(each.values) > 1)
    now = f'"{given[option.name]}"'
    other = f'"{next(each for each in option.values if each != given[option.name])}"'
    found = campaign.with_first(f'"{option.name}":{now}', f'"{option.name}":{other}')
    assert (found.field, found.stored, found.expected) == (f"options.{option.name}", other, now)
    name = next(each.name for each in options if given[each.name] == each.default)
    found = campaign.with_first(f'"{name}":"{given[name]}",', "")
    assert (found.field, found.stored, found.expected) == (f"options.{name}", "nothing", f'"{given[name]}"')


def test_report_that_names_another_ruleset_differs(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    load = Rulesets.load
    monkeypatch.setattr(Rulesets, "load", lambda rulesets, ident: load(rulesets, ident.removeprefix("other ")))
    found = campaign.fault(records=campaign.reported(0, source="other kampfpanzer"))
    assert (found.field, found.stored, found.expected) == ("ruleset", "kampfpanzer", "other kampfpanzer")


def test_key_of_a_battle_is_compared_only_if_known(campaign: Campaign) -> None:
    assert campaign.found(key=None) is None
    found = campaign.fault(key=key_from_seed("another"))
    assert found.field == "key"


def test_report_that_differs_from_the_battle_is_named_by_field(campaign: Campaign) -> None:
    result = campaign.reports[1].order.result
    found = campaign.fault(records=campaign.reported(1, turns=result.turns + 1))
    assert (found.kind, found.record, found.field) == (DIFFERS, campaign.reports[1].n, "turns")
    assert (found.stored, found.expected) == (str(result.turns + 1), str(result.turns))
    assert found.text.endswith(f"turns: is reported as {result.turns + 1}; the end of the battle gives {result.turns}")


def test_only_effective_reports_with_a_battle_are_checked(campaign: Campaign) -> None:
    bare = with_battles(campaign.log)
    first, *others = campaign.reports
    alone = [each for each in campaign.records if each not in others]
    assert len(campaign.looked_at(log=bare, records=alone)[1]) == 1
    for source, missing in (("table", 0), ("resolver", 0), ("kampfpanzer", 1)):
        by_hand = replace(first.order, result=replace(first.order.result, battle="", source=source))
        records = [replace(first, order=by_hand) if each is first else each for each in alone]
        found, lost = campaign.looked_at(log=bare, records=records)
        assert (found, len(lost)) == (None, missing)
    place = alone.index(first)
    undone = [*alone[: place + 1], UndoRecord(first.n + 1, first.by, first.n)]
    assert campaign.looked_at(log=bare, records=undone) == (None, [])


def test_campaign_without_its_battle_ruleset_is_not_called_false(campaign: Campaign) -> None:
    rulesets = Rulesets(CAMPAIGNS)
    prepared = rulesets.load("sortie").prepare()
    del rulesets._sources["kampfpanzer"]
    with pytest.raises(RulesetMissing, match="the ruleset 'kampfpanzer' is not installed"):
        campaign.found(rulesets=rulesets)
    verdict = verify(campaign.log, prepared)
    assert (verdict.verdict, verdict.exit_code, verdict.records) == ("ruleset missing", 4, campaign.log.records)
    assert verdict.first_difference is not None
    assert verdict.first_difference.record == 0


class Leaver:
    """A person who leaves at the first decision after a battle."""

    def __init__(self, player: Any, writer: LogWriter) -> None:
        self.player, self.writer = player, writer

    def choose(self, decision: Any, view: Any) -> Any:
        if self.writer.battles:
            raise KeyboardInterrupt
        return self.player.choose(decision, view)


@pytest.mark.full
def test_battle_is_withheld_until_the_game_is_over(campaign: Campaign, tmp_path: Path) -> None:
    prepared = campaign.rulesets.load("sortie").prepare()
    names = name_seats(prepared, NAMES)
    dice, path = make_dice("open", KEY), tmp_path / "log"
    header = make_header(prepared, names | {"axis": "human"}, dice)
    players = seat_players(prepared, names, KEY)
    with LogWriter.create(path, header, form_for(prepared.ruleset, dice), private=True) as writer:
        table = players | {"axis": Leaver(players["axis"], writer)}
        with pytest.raises(KeyboardInterrupt):
            play_on(prepared.new_game(dice), table, writer)
    left = read_log(path)
    assert not any(line in left.data for line in left.annexes())
    fought = [each.digest for each in read_battles(left)]
    assert fought == [report.order.result.battle for report in campaign.reports][: len(fought) or 1]
    assert verify_log(path, campaign.rulesets).verdict == "verified so far"

    resumed = resume(path, campaign.rulesets)
    with resumed.writer:
        play_on(resumed.game, players, resumed.writer)
    whole = read_log(path)
    assert not private_file(path).exists()
    assert len(battle_digests(whole)) > 1
    assert verify_log(path, campaign.rulesets).verdict == "verified"
