"""Results that fit a brief, and every way in which one does not."""

from typing import Any

import battles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json
from msgspec.structs import replace

from sandtable.kernel.dice import Stream
from sandtable.kernel.options import AnyOf, OneOf
from sandtable.tabletop.brief import Brief, Table, digest_of
from sandtable.tabletop.checking import Results, results_in, space_for
from sandtable.tabletop.result import Attrition, PlatoonLosses, ReportBattle, Result, Transfer
from sandtable.tabletop.terms import armour_lost

RICH = battles.rich_brief()
PLAIN = battles.brief()
LINKED = battles.brief(mode="linked", table=Table(number=2, near=(1, 3)))
WON = Result("axis", {"axis": 4, "allies": 3})
SHA = "0123456789abcdef" * 4


def results(brief: Brief = RICH, **terms: Any) -> Results:
    found = results_in(space_for(brief, terms.pop("rules", None), **terms))
    assert found is not None
    return found


def why(result: Any, brief: Brief = RICH, **terms: Any) -> str:
    refusal = results(brief, **terms).why_not(result)
    return refusal.reason if refusal else ""


def losing(side: str, name: str, **losses: Any) -> Result:
    return replace(WON, platoons={side: {name: PlatoonLosses(**losses)}})


BAD: list[tuple[Any, str]] = [
    (replace(WON, winner="red"), "winner: red is no side: write axis, allies or draw"),
    (replace(WON, points={"axis": 7, "allies": 0}), "points: axis 7, allies 0: axis won: points are 6-1, 5-2 or 4-3"),
    (replace(WON, points={"axis": 3, "allies": 4}), "points: axis 3, allies 4: axis won: points are 6-1, 5-2 or 4-3"),
    (replace(WON, points={}), "points: none given: axis won: points are 6-1, 5-2 or 4-3"),
    (Result("draw", {"axis": 3, "allies": 3}), "winner: Hold the Line is no fair fight and cannot be drawn: write"),
    (losing("axis", "t", destroyed=4), "platoons.axis.t.destroyed: 4 of 3 fielded"),
    (losing("axis", "t", destroyed=-1), "platoons.axis.t.destroyed: -1 is below nought"),
    (losing("axis", "p1", transports=4), "platoons.axis.p1.transports: 4 of 3 fielded"),
    (losing("axis", "t", upgrades=1), "platoons.axis.t.upgrades: 1 of 0 fielded"),
    (losing("allies", "p1", destroyed=9), "platoons.allies.p1.destroyed: 9 of 8 fielded"),
    (
        losing("axis", "t", destroyed=2, bailed=2),
        "platoons.axis.t: destroyed, routed, bailed out and exited are 4 of 3",
    ),
    (losing("axis", "t", destroyed=1, lost=True), "platoons.axis.t.lost: 2 of 3 teams still fight"),
    (losing("axis", "t", destroyed=3), "platoons.axis.t.lost: no team is left, so it counts as lost"),
    (losing("axis", "hq", destroyed=2, lost=True), "platoons.axis.hq.lost: its teams are independent"),
    (losing("axis", "t"), "platoons.axis.t: lost nothing"),
    (losing("axis", "p1", exited=((4, 1), (3, 1))), "platoons.axis.p1.exited: write each table turn once"),
    (losing("axis", "p1", exited=((3, 0),)), "platoons.axis.p1.exited: write each table turn once"),
    (losing("axis", "t9", destroyed=1), "platoons.axis.t9: axis fielded no such platoon: choose hq, p1"),
    (losing("red", "t", destroyed=1), "platoons.red: is no side: write axis or allies"),
    (
        replace(losing("axis", "t", destroyed=1), short={"axis": {"15_pz_div": Attrition(1, 1)}}),
        "short: losses are given by platoon already",
    ),
    (replace(WON, short={"axis": {"21_pz_div": Attrition()}}), "short.axis.21_pz_div: fielded no company here"),
    (replace(WON, short={"axis": {"15_pz_div": Attrition(armor=-1)}}), "short.axis.15_pz_div.armor: -1, but"),
    (replace(WON, short={"axis": {"15_pz_div": Attrition(armor=99)}}), "short.axis.15_pz_div.armor: 99, but what it"),
    (
        replace(WON, short={"axis": {"15_pz_div": Attrition(1, 1)}}, recovery={"axis": (1,)}),
        "recovery: attrition in short is what is left after recovery",
    ),
    (
        replace(losing("axis", "t", destroyed=2), recovery={"axis": (6,)}),
        "recovery.axis: 1 dice for 2 lost armoured vehicles",
    ),
    (replace(losing("axis", "t", destroyed=1), recovery={"axis": (7,)}), "recovery.axis: a die shows 1 to 6"),
    (replace(WON, recovery={"red": ()}), "recovery.red: is no side"),
    (replace(WON, casualties={"allies": ("rommel",)}), "casualties.allies: rommel was not present: gott"),
    (replace(WON, casualties={"axis": ("rommel", "rommel")}), "casualties.axis: somebody is named twice"),
    (replace(WON, heroic=("Nobody",)), "heroic: Nobody played no part"),
    (replace(WON, heroic=("Gary",) * 21), "heroic: 21 cases"),
    (replace(WON, unchivalrous=("Nobody",)), "unchivalrous: Nobody played no part"),
    (replace(WON, recon_ahead=("t",)), "recon_ahead: t is no recon platoon of axis: choose rec"),
    (replace(WON, recon_ahead=("rec", "rec")), "recon_ahead: a platoon is named twice"),
    (
        replace(losing("axis", "rec", destroyed=2, lost=True), recon_ahead=("rec",)),
        "recon_ahead: rec counts as lost",
    ),
    (replace(WON, transfers=(Transfer("axis", "t", 1, 3),)), "transfers.1: only a platoon of linked tables"),
    (Result("allies", conceded="axis"), "conceded: a battle cannot be conceded in this campaign"),
    (replace(WON, turns=100), "turns: 100 is not 0 to 99"),
    (replace(WON, note="two\nlines"), "note: write at most 500 printable characters"),
    (replace(WON, source="rumour"), "source: rumour did not fight it: write table or resolver"),
    (replace(WON, battle=SHA), "battle: a battle fought by table has no log"),
    ("axis 4-3", "result: a result is wanted, not axis 4-3"),
    (replace(WON, turns="six"), "turns: Expected `int`, got `str`"),
    (replace(WON, turns=1.0), "turns: Expected `int`, got `float`"),
    (replace(WON, turns=True), "turns: Expected `int`, got `bool`"),
    (replace(WON, points=None), "points: Expected `object`, got `null`"),
    (replace(WON, note="\ud800"), "surrogates not allowed"),
]


@pytest.mark.parametrize(("result", "reason"), BAD, ids=range(len(BAD)))
def test_what_does_not_fit_is_refused_by_place_and_reason(result: Any, reason: str) -> None:
    assert reason in why(result)


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
def test_what_fits_is_taken(result: Result) -> None:
    assert why(result) == ""
    assert json.decode(json.encode(result), type=Result) == result


def test_a_refusal_cites_the_rule_of_the_field_that_the_game_names() -> None:
    space = results(rules={"points": "KH-18.03"}, rule="KH-12.05")
    refusal = space.why_not(replace(WON, points={"axis": 9, "allies": 9}))
    assert refusal is not None
    assert refusal.rule == "KH-18.03"
    refusal = space.why_not(replace(WON, turns=-1))
    assert refusal is not None
    assert refusal.rule == "KH-12.05"


@pytest.mark.rule("KH-R114")
def test_draws_score_by_the_ruling() -> None:
    lost = {"t1": PlatoonLosses(destroyed=4, lost=True)}
    drawn = Result("draw", {"axis": 1, "allies": 2}, platoons={"axis": lost})
    assert why(drawn, PLAIN) == ""
    assert "the draw is 1-2" in why(replace(drawn, points={"axis": 3, "allies": 3}), PLAIN)
    assert "a draw is 3-3" in why(drawn, PLAIN, draws="three_three")
    assert why(replace(drawn, points={"axis": 3, "allies": 3}), PLAIN, draws="three_three") == ""
    short = replace(drawn, platoons={}, short={"axis": {"armour": Attrition(6, 0)}})
    assert why(short, PLAIN) == ""
    assert why(drawn, replace(PLAIN, flags=()), draws_in="any") == ""


@pytest.mark.rule("AOA-5.22")
def test_a_concession_is_all_that_is_said() -> None:
    conceded = Result("allies", conceded="axis")
    assert why(conceded, concessions=True) == ""
    assert "winner: axis conceded: write allies" in why(replace(conceded, winner="axis"), concessions=True)
    assert "conceded: red is no side" in why(replace(conceded, conceded="red"), concessions=True)
    assert "points: axis conceded" in why(replace(conceded, points={"axis": 1, "allies": 6}), concessions=True)
    assert "heroic: axis conceded" in why(replace(conceded, heroic=("Gary",)), concessions=True)


@pytest.mark.rule("KH-22.01", "KH-22.02", "KH-R75")
def test_recovery_dice_are_one_for_each_armoured_vehicle_by_the_ruling() -> None:
    lost = replace(losing("axis", "t", destroyed=1, routed=2, lost=True), recovery={"axis": (6,)})
    assert "1 dice for 3" in why(lost)
    assert why(lost, afv_count="destroyed_only") == ""
    platoons = RICH.platoons("axis")
    losses = {"t": PlatoonLosses(1, 2, lost=True), "rec": PlatoonLosses(1), "p1": PlatoonLosses(3)}
    assert armour_lost(platoons, losses, "whole_platoon") == 4
    assert armour_lost(platoons, losses, "destroyed_only") == 2


@pytest.mark.rule("KH-15.13")
def test_platoons_go_to_near_tables_only() -> None:
    def going(**fields: Any) -> str:
        moved = replace(Transfer("axis", "t1", 3, 1), **fields)
        return why(replace(WON, transfers=(moved,), turns=6), LINKED)

    assert going() == ""
    assert "table 4 is not near table 2: near are 1 or 3" in going(to=4)
    assert "7 is no turn of this table" in going(turn=7)
    assert "axis fielded no platoon t9" in going(platoon="t9")
    assert "red fielded no platoon" in going(side="red")
    twice = (Transfer("axis", "t1", 3, 1), Transfer("axis", "t1", 4, 3))
    assert "t1 left already" in why(replace(WON, transfers=twice), LINKED)


def test_a_battle_of_a_ruleset_comes_with_the_digest_of_its_log() -> None:
    sources = ("table", "ruleset:kampfpanzer")
    fought = replace(WON, source="ruleset:kampfpanzer")
    assert "is no SHA-256" in why(fought, sources=sources)
    assert why(replace(fought, battle=SHA), sources=sources) == ""
    assert "did not fight it" in why(replace(fought, battle=SHA))


@given(st.binary(max_size=8), st.sampled_from([RICH, PLAIN, LINKED]), st.booleans())
def test_what_is_drawn_fits(key: bytes, brief: Brief, concessions: bool) -> None:
    space = results(brief, concessions=concessions)
    result = space.sample(Stream(key))
    assert space.why_not(result) is None
    assert json.decode(json.encode(result), type=Result) == result


@pytest.mark.parametrize("brief", [RICH, PLAIN, replace(PLAIN, parties={})], ids=["rich", "plain", "none"])
def test_what_is_listed_fits_once_and_is_counted(brief: Brief) -> None:
    if not brief.parties:
        parties = {side: replace(battles.party(side), companies=()) for side in ("axis", "allies")}
        brief = replace(PLAIN, parties=parties)
    space = results(brief, concessions=True)
    listed = list(space.values())
    assert all(space.why_not(each) is None for each in listed)
    assert len({json.encode(each) for each in listed}) == len(listed) == space.count()
    assert listed[0] == Result("axis", {"axis": 6, "allies": 1})


def test_a_space_without_a_person_or_resolver_offers_nothing_to_draw() -> None:
    space = results(sources=("ruleset:kampfpanzer",))
    assert not list(space.values())
    with pytest.raises(ValueError, match="nothing"):
        space.sample(Stream(b"x"))


def test_the_report_names_its_brief() -> None:
    space = space_for(RICH)
    assert space.why_not(ReportBattle(RICH.id, WON)) is None
    refusal = space.why_not(ReportBattle("2:gambut:1", WON))
    assert refusal is not None
    assert "the battle to report is 3:sidi_rezegh:1" in refusal.reason


def test_a_report_of_another_brief_with_the_same_id_is_refused() -> None:
    other = replace(RICH, mission="Free for All")
    space = space_for(RICH, rule="KH-18.02")
    assert space.why_not(ReportBattle.of(RICH, WON)) is None
    refusal = space.why_not(ReportBattle.of(other, WON))
    assert refusal is not None
    assert refusal.rule == "KH-18.02"
    assert "another brief than that of 3:sidi_rezegh:1" in refusal.reason
    assert digest_of(json.decode(json.encode(RICH), type=Brief)) == digest_of(RICH) != digest_of(other)


def test_a_report_without_a_digest_is_written_as_it_was_before_there_was_one() -> None:
    bare = ReportBattle(RICH.id, WON)
    assert b"digest" not in json.encode(bare)
    assert json.decode(json.encode(bare), type=ReportBattle) == bare
    drawn = space_for(RICH).sample(Stream(b"x"))
    assert drawn.digest == digest_of(RICH)


def test_what_is_asked_tells_one_brief_from_another() -> None:
    assert space_for(RICH).outline() != space_for(replace(RICH, mission="Free for All")).outline()


def test_results_are_found_in_the_options_of_a_decision() -> None:
    space = space_for(RICH)
    assert results_in(AnyOf([OneOf(["x"]), space])) is space.fields["result"]
    assert results_in(OneOf(["x"])) is None
