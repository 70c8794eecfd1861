"""Results that fit a brief, and every kind of result that does not."""

from typing import Any

import battles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json
from msgspec.structs import replace
from transcripts import Transcript

from sandtable.kernel.dice import Stream
from sandtable.kernel.options import AnyOf, OneOf, Refusal
from sandtable.tabletop.brief import Brief, Table, digest_of
from sandtable.tabletop.checking import Results, results_in, space_for
from sandtable.tabletop.result import Attrition, PlatoonLosses, ReportBattle, Result, Transfer
from sandtable.tabletop.terms import armor_lost

RICH = battles.rich_brief()
PLAIN = battles.brief()
LINKED = battles.brief(mode="linked", table=Table(number=2, near=(1, 3)))
WON = Result("axis", {"axis": 4, "allies": 3})
SHA = "0123456789abcdef" * 4


def results(brief: Brief = RICH, **terms: Any) -> Results:
    found = results_in(space_for(brief, terms.pop("rules", None), **terms))
    assert found is not None
    return found


def refusal_of(space: Any, value: Any) -> Refusal:
    refusal: Refusal | None = space.why_not(value)
    assert refusal is not None
    return refusal


def why(result: Any, brief: Brief = RICH, **terms: Any) -> str:
    refusal = results(brief, **terms).why_not(result)
    return refusal.reason if refusal else ""


def losing(side: str, name: str, **losses: Any) -> Result:
    return replace(WON, platoons={side: {name: PlatoonLosses(**losses)}})


BAD: list[Any] = [
    replace(WON, winner="red"),
    replace(WON, points={"axis": 7, "allies": 0}),
    replace(WON, points={"axis": 3, "allies": 4}),
    replace(WON, points={}),
    Result("draw", {"axis": 3, "allies": 3}),
    losing("axis", "t", destroyed=4),
    losing("axis", "t", destroyed=-1),
    losing("axis", "p1", transports=4),
    losing("axis", "t", upgrades=1),
    losing("allies", "p1", destroyed=9),
    losing("axis", "t", destroyed=2, bailed=2),
    losing("axis", "t", destroyed=1, lost=True),
    losing("axis", "t", destroyed=3),
    losing("axis", "hq", destroyed=2, lost=True),
    losing("axis", "t"),
    losing("axis", "p1", exited=((4, 1), (3, 1))),
    losing("axis", "p1", exited=((3, 0),)),
    losing("axis", "t9", destroyed=1),
    losing("red", "t", destroyed=1),
    replace(losing("axis", "t", destroyed=1), short={"axis": {"15_pz_div": Attrition(1, 1)}}),
    replace(WON, short={"axis": {"21_pz_div": Attrition()}}),
    replace(WON, short={"axis": {"15_pz_div": Attrition(armor=-1)}}),
    replace(WON, short={"axis": {"15_pz_div": Attrition(armor=99)}}),
    replace(WON, short={"axis": {"15_pz_div": Attrition(1, 1)}}, recovery={"axis": (1,)}),
    replace(losing("axis", "t", destroyed=2), recovery={"axis": (6,)}),
    replace(losing("axis", "t", destroyed=1), recovery={"axis": (7,)}),
    replace(WON, recovery={"red": ()}),
    replace(WON, casualties={"allies": ("rommel",)}),
    replace(WON, casualties={"axis": ("rommel", "rommel")}),
    replace(WON, heroic=("Nobody",)),
    replace(WON, heroic=("Gary",) * 21),
    replace(WON, unchivalrous=("Nobody",)),
    replace(WON, recon_ahead=("t",)),
    replace(WON, recon_ahead=("rec", "rec")),
    replace(losing("axis", "rec", destroyed=2, lost=True), recon_ahead=("rec",)),
    replace(WON, transfers=(Transfer("axis", "t", 1, 3),)),
    Result("allies", conceded="axis"),
    replace(WON, turns=100),
    replace(WON, note="two\nlines"),
    replace(WON, source="rumour"),
    replace(WON, battle=SHA),
    "axis 4-3",
    replace(WON, turns="six"),
    replace(WON, turns=1.0),
    replace(WON, turns=True),
    replace(WON, points=None),
    replace(WON, note="\ud800"),
]


def test_results_that_do_not_fit_are_refused(transcript: Transcript) -> None:
    reasons = [why(result) for result in BAD]
    assert all(reasons)
    transcript("\n".join(reasons))


GOOD = [
    WON,
    losing("axis", "t", destroyed=3, lost=True),
    losing("axis", "t", destroyed=1, routed=1, bailed=1, lost=True),
    losing("axis", "hq", destroyed=2),
    losing("allies", "p1", destroyed=7, exited=((4, 1),)),
    replace(losing("axis", "t", destroyed=1, routed=2, lost=True), recovery={"axis": (1, 6, 6)}),
    replace(WON, short={"axis": {"15_pz_div": Attrition(5, 4)}}),
    replace(WON, casualties={"axis": ("cruewell", "rommel")}, heroic=("Gary", "Gary"), recon_ahead=("rec",)),
    replace(WON, source="resolver", note="a hard day", turns=7),
]


@pytest.mark.parametrize("result", GOOD, ids=range(len(GOOD)))
def test_fitting_results_are_accepted(result: Result) -> None:
    assert why(result) == ""
    assert json.decode(json.encode(result), type=Result) == result


def test_a_refusal_cites_the_rule_of_the_field_that_the_game_names() -> None:
    space = results(rules={"points": "KH-18.03"}, rule="KH-12.05")
    assert refusal_of(space, replace(WON, points={"axis": 9, "allies": 9})).rule == "KH-18.03"
    assert refusal_of(space, replace(WON, turns=-1)).rule == "KH-12.05"


@pytest.mark.rule("KH-R114")
def test_draws_score_by_the_ruling() -> None:
    lost = {"t1": PlatoonLosses(destroyed=4, lost=True)}
    drawn = Result("draw", {"axis": 1, "allies": 2}, platoons={"axis": lost})
    assert why(drawn, PLAIN) == ""
    assert "the draw is 1-2" in why(replace(drawn, points={"axis": 3, "allies": 3}), PLAIN)
    assert "a draw is 3-3" in why(drawn, PLAIN, draws="three_three")
    assert why(replace(drawn, points={"axis": 3, "allies": 3}), PLAIN, draws="three_three") == ""
    short = replace(drawn, platoons={}, short={"axis": {"armor": Attrition(6, 0)}})
    assert why(short, PLAIN) == ""
    assert why(drawn, replace(PLAIN, flags=()), draws_in="any") == ""


@pytest.mark.rule("AOA-5.22")
def test_concession_has_no_other_fields() -> None:
    conceded = Result("allies", conceded="axis")
    assert why(conceded, concessions=True) == ""
    assert "winner: axis conceded: write allies" in why(replace(conceded, winner="axis"), concessions=True)
    assert "conceded: red is not a side" in why(replace(conceded, conceded="red"), concessions=True)
    assert "points: axis conceded" in why(replace(conceded, points={"axis": 1, "allies": 6}), concessions=True)
    assert "heroic: axis conceded" in why(replace(conceded, heroic=("Gary",)), concessions=True)


@pytest.mark.rule("KH-22.01", "KH-22.02", "KH-R75")
def test_recovery_dice_are_one_for_each_lost_armored_vehicle() -> None:
    lost = replace(losing("axis", "t", destroyed=1, routed=2, lost=True), recovery={"axis": (6,)})
    assert "1 dice for 3" in why(lost)
    assert why(lost, afv_count="destroyed_only") == ""
    platoons = RICH.platoons("axis")
    losses = {"t": PlatoonLosses(1, 2, lost=True), "rec": PlatoonLosses(1), "p1": PlatoonLosses(3)}
    assert armor_lost(platoons, losses, "whole_platoon") == 4
    assert armor_lost(platoons, losses, "destroyed_only") == 2


@pytest.mark.rule("KH-15.13")
def test_platoons_transfer_only_to_near_tables() -> None:
    def going(**fields: Any) -> str:
        moved = replace(Transfer("axis", "t1", 3, 1), **fields)
        return why(replace(WON, transfers=(moved,), turns=6), LINKED)

    assert going() == ""
    assert "table 4 is not next to table 2: choose 1 or 3" in going(to=4)
    assert "7 is not a turn of this table" in going(turn=7)
    assert "axis did not field the platoon t9" in going(platoon="t9")
    assert "red did not field the platoon" in going(side="red")
    twice = (Transfer("axis", "t1", 3, 1), Transfer("axis", "t1", 4, 3))
    assert "t1 has already left" in why(replace(WON, transfers=twice), LINKED)


def test_battle_of_a_ruleset_has_the_digest_of_its_log() -> None:
    sources = ("table", "ruleset:kampfpanzer")
    fought = replace(WON, source="ruleset:kampfpanzer")
    assert "is not the SHA-256" in why(fought, sources=sources)
    assert why(replace(fought, battle=SHA), sources=sources) == ""
    assert "did not fight this battle" in why(replace(fought, battle=SHA))


@given(st.binary(max_size=8), st.sampled_from([RICH, PLAIN, LINKED]), st.booleans())
def test_sampled_results_fit(key: bytes, brief: Brief, concessions: bool) -> None:
    space = results(brief, concessions=concessions)
    result = space.sample(Stream(key))
    assert space.why_not(result) is None
    assert json.decode(json.encode(result), type=Result) == result


@pytest.mark.parametrize("brief", [RICH, PLAIN, replace(PLAIN, parties={})], ids=["rich", "plain", "none"])
def test_listed_results_fit_are_unique_and_counted(brief: Brief) -> None:
    if not brief.parties:
        parties = {side: replace(battles.party(side), companies=()) for side in ("axis", "allies")}
        brief = replace(PLAIN, parties=parties)
    space = results(brief, concessions=True)
    listed = list(space.values())
    assert all(space.why_not(each) is None for each in listed)
    assert len({json.encode(each) for each in listed}) == len(listed) == space.count()
    assert listed[0] == Result("axis", {"axis": 6, "allies": 1})


def test_space_without_table_or_resolver_has_no_sample() -> None:
    space = results(sources=("ruleset:kampfpanzer",))
    assert not list(space.values())
    with pytest.raises(ValueError, match="nothing"):
        space.sample(Stream(b"x"))


def test_report_of_another_brief_is_refused() -> None:
    other, space = replace(RICH, mission="Free for All"), space_for(RICH, rule="KH-18.02")
    for fitting in (ReportBattle(RICH.id, WON), ReportBattle.of(RICH, WON)):
        assert space.why_not(fitting) is None
    refusal = refusal_of(space, ReportBattle("2:gambut:1", WON))
    assert "the battle to report is 3:sidi_rezegh:1" in refusal.reason
    refusal = refusal_of(space, ReportBattle.of(other, WON))
    assert refusal.rule == "KH-18.02"
    assert "is not the brief of 3:sidi_rezegh:1" in refusal.reason
    assert digest_of(json.decode(json.encode(RICH), type=Brief)) == digest_of(RICH) != digest_of(other)
    assert space_for(RICH).outline() != space_for(other).outline()


def test_report_without_a_digest_keeps_its_old_bytes() -> None:
    bare = ReportBattle(RICH.id, WON)
    assert b"digest" not in json.encode(bare)
    assert json.decode(json.encode(bare), type=ReportBattle) == bare
    drawn = space_for(RICH).sample(Stream(b"x"))
    assert drawn.digest == digest_of(RICH)


def test_results_are_found_in_the_options_of_a_decision() -> None:
    space = space_for(RICH)
    assert results_in(AnyOf([OneOf(["x"]), space])) is space.fields["result"]
    assert results_in(OneOf(["x"])) is None
