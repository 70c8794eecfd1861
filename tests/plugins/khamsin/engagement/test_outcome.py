"""Outcomes (KH-18): the winner, control, retreats owed, and fights on connectors (KH-12.16 to KH-12.19)."""

from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, Case, NewCase, attacked, field, fought, result
from tests.plugins.khamsin.procedures import BRITISH, GERMANS, engaged, position, tables

from khamsin.engagement.outcome import Outcome, decide, in_control_after, is_times, outcome_of, precipitous, scale_of
from khamsin.model.battle_events import EngagementDecided, FormationRetreated
from khamsin.model.orders import RetreatTo

EVEN = (result("axis", "4-3"), result("allies", "4-3"))


def regroups(case: Case, *names: str) -> list[bool]:
    return [case[name].regroup for name in names]


@pytest.mark.rule("KH-R40")
def test_points_against_0_count_as_overwhelming() -> None:
    assert scale_of({"axis": 1, "allies": 0}, "axis") == "double"
    assert is_times({"axis": 1, "allies": 0}, "axis", 6)


@pytest.mark.rule("KH-18.13", "KH-18.14", "KH-18.12", "KH-R53")
@pytest.mark.parametrize(("holder", "first"), [("axis", "allies"), ("allies", "axis")])
def test_even_points_with_both_moving_make_both_retreat(new_case: NewCase, holder: str, first: str) -> None:
    case = new_case(
        "15_pz_div el_adem; 7_armd_bde gabr_saleh", control=f"{holder}: bir_el_gubi", actions_per_engagement="2"
    )
    case.turn(*EVEN, axis="15_pz_div bir_el_gubi", allies="7_armd_bde bir_el_gubi", until=RetreatTo)
    assert [each.side for each in case.pending] == [first]  # the side that does not hold the area retreats first
    case.play()
    assert "bir_el_gubi" not in case.at("15_pz_div", "7_armd_bde")
    assert case.control("bir_el_gubi") == holder
    assert regroups(case, "15_pz_div", "7_armd_bde") == [True, True]


@pytest.mark.rule("KH-R114", "KH-18.02")
@pytest.mark.parametrize(("choice", "score"), [("one_plus_lost", "1-1"), ("three_three", "3-3")])
def test_draw_at_the_table_has_no_winner(new_case: NewCase, choice: str, score: str) -> None:
    case = new_case("15_pz_div el_adem; 7_armd_bde gabr_saleh", draw_vp=choice)
    case.turn(result("draw", score), axis="15_pz_div bir_el_gubi", allies="7_armd_bde bir_el_gubi")
    assert case.one(EngagementDecided).winner == ""


@pytest.mark.rule("KH-R30", "KH-18.06", "KH-2.13")
@pytest.mark.parametrize(("choice", "spared"), [("none", (0, 0)), ("share_average", (4, 6))])
def test_unfielded_formation_shares_the_retreat(new_case: NewCase, choice: str, spared: tuple[int, int]) -> None:
    case = attacked(new_case, more="21_pz_div sidi_rezegh", unfielded_attrition=choice)
    fought(case, field(AXIS, "15_pz_div panzer"), result("allies", "4-3", axis="4/6"))
    assert (case.ledger("15_pz_div"), case.ledger("21_pz_div")) == ((4, 6), spared)
    assert regroups(case, "15_pz_div", "21_pz_div") == [True, True]
    assert "sidi_rezegh" not in case.at("15_pz_div", "21_pz_div")


@pytest.mark.rule("KH-16.02", "KH-16.08", "KH-18.08")
def test_double_victory_advantage_lasts_only_the_next_turn(new_case: NewCase) -> None:
    case = fought(attacked(new_case), result("axis", "6-1"))
    assert case["15_pz_div"].overwhelmed  # the next turn has begun
    assert not case.turn()["15_pz_div"].overwhelmed


@pytest.mark.rule("KH-12.18", "KH-20.01")
def test_storming_force_is_not_driven_from_the_area_it_left(new_case: NewCase) -> None:
    where = "15_pz_div sidi_rezegh; 21_pz_div bir_el_gubi; 7_armd_bde gabr_saleh; recon_cw gabr_saleh"
    case = new_case(where, dice={"activation:*": "6 6 6"})
    case.turn(
        result("axis", "4-3"),  # 21st Panzer takes Gabr Saleh
        result("allies", "6-1"),  # but 7th Armored is on the road to Sidi Rezegh
        axis="15_pz_div gabr_saleh; 21_pz_div gabr_saleh",
        allies="7_armd_bde sidi_rezegh",
    )
    assert case.found() == ["gabr_saleh", "gabr_saleh~sidi_rezegh"]
    assert case.control("gabr_saleh") == "axis"
    assert case.at("7_armd_bde") == "sidi_rezegh"
    assert [each.formation for each in case.events(FormationRetreated)].count("7_armd_bde") == 0


PLACES = {
    "15_pz_div": "sidi_rezegh",
    "21_pz_div": "sidi_rezegh",
    "7_armd_bde": "sidi_rezegh",
    "recon_cw": "sidi_rezegh",
}


@pytest.mark.rule(
    "KH-18.03",
    "KH-18.04",
    "KH-15.16",
    "KH-15.17",
    "KH-15.19",
    "KH-R37",
    "KH-R40",
    "KH-R41",
    "KH-15.18",
    "KH-R38",
    "KH-12.23",
    "KH-2.12",
)
@pytest.mark.parametrize(
    ("mode", "choice", "winners", "expected"),
    [
        ("ordinary", "vps_win", (AXIS,), (AXIS, "double", "KH-18.04")),
        ("ordinary", "vps_win", (AXIS, ALLIES), ("", "even", "KH-18.11")),
        ("ordinary", "vps_win", (AXIS, AXIS, ALLIES), (AXIS, "more", "KH-18.09")),
        ("linked", "vps_win", (AXIS, AXIS, ALLIES), (AXIS, "more", "KH-15.19")),
        ("linked", "vps_win", (AXIS, ALLIES), ("", "even", "KH-15.17")),
        ("linked", "vps_win", (AXIS, "", ""), ("", "even", "KH-15.17")),
        ("linked", "vps_win", (AXIS, AXIS, ""), (AXIS, "double", "KH-15.19")),
        ("linked", "vps_win", ("low", "low", ALLIES), (ALLIES, "more", "KH-15.19")),
        ("linked", "draw", ("low", "low", ALLIES), ("", "even", "KH-R37")),
        ("linked", "majority_narrow", ("low", "low", ALLIES), (AXIS, "more", "KH-R37")),
    ],
)
def test_winner_is_decided_by_points_or_by_linked_tables(
    mode: str, choice: str, winners: tuple[str, ...], expected: tuple[str, str, str]
) -> None:
    actions = tables(*winners, points={"low": (4, 3), ALLIES: (1, 6)} if "low" in winners else None)
    for each in actions:
        each.winner = AXIS if each.winner == "low" else each.winner
    state = position(PLACES, linked_conflict=choice)
    decided = decide(state, engaged(mode=mode, actions=actions))
    assert (decided.winner, decided.scale, decided.rule) == expected
    sums = {side: sum(each.points[side] for each in actions) for side in (AXIS, ALLIES)}
    assert decided.points == sums
    totals = {each.name: each.total for each in decided.calculations or ()}
    assert {side: totals[f"points.{side}"] for side in sums} == sums
    ahead = max(sums, key=lambda side: sums[side])
    assert ("double" in totals) is (len(set(sums.values())) > 1)
    assert totals.get("double", 0) == (sums[ahead] - 2 * min(sums.values()) if "double" in totals else 0)
    won = {f"tables.{side}": sum(each.winner == side for each in actions) for side in sums}
    assert {name: total for name, total in totals.items() if name.startswith("tables")} == (
        won if mode == "linked" else {}
    )


@pytest.mark.rule("KH-18.11", "KH-19.05", "KH-12.16")
@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        ({}, "KH-18.11"),
        ({"withdrawing": {AXIS: "fighting", ALLIES: "stand"}}, "KH-19.05"),
        ({"other": "el_adem"}, "KH-12.16"),
    ],
)
def test_even_decision_cites_the_rule_that_assigns_the_area(facts: dict[str, Any], rule: str) -> None:
    decided = decide(position(PLACES), engaged(actions=tables(AXIS, ALLIES), **facts))
    assert (decided.scale, decided.rule) == ("even", rule)


EACH = {AXIS: GERMANS, ALLIES: BRITISH}
OUTCOMES: dict[str, tuple[dict[str, Any], Outcome]] = {
    "double": (
        {"winner": ALLIES, "scale": "double"},
        Outcome(ALLIES, "KH-18.04", {AXIS: GERMANS, ALLIES: []}, {AXIS: GERMANS}, "KH-18.06", ALLIES, ALLIES),
    ),
    "more": (
        {"winner": AXIS, "scale": "more"},
        Outcome(AXIS, "KH-18.09", {AXIS: [], ALLIES: BRITISH}, EACH, "KH-18.10"),
    ),
    "even, one side stationary": (
        {"scale": "even", "stationary": ALLIES},
        Outcome(ALLIES, "KH-18.11", {AXIS: GERMANS, ALLIES: []}, EACH, "KH-18.12"),
    ),
    "even, both moved": ({"scale": "even"}, Outcome(AXIS, "KH-18.14", EACH, EACH, "KH-18.12")),
    "one side is gone": (
        {"forces": {AXIS: GERMANS, ALLIES: []}, "left": {"7_armd_bde": "precipitous", "recon_cw": "recon"}},
        Outcome(AXIS, "KH-19.09", {AXIS: [], ALLIES: BRITISH}),
    ),
    "one is let go": (
        {"withdrawing": {AXIS: "fighting", ALLIES: "stand"}},
        Outcome(ALLIES, "KH-19.08", {AXIS: GERMANS, ALLIES: []}),
    ),
    "both go": ({"withdrawing": {AXIS: "fighting", ALLIES: "fighting"}}, Outcome("", "", EACH)),
    "a withdrawal, by less": (
        {"withdrawing": {AXIS: "fighting"}, "winner": AXIS, "scale": "more"},
        Outcome(ALLIES, "KH-19.05", {AXIS: GERMANS, ALLIES: []}, {}, "KH-19.07"),
    ),
    "a withdrawal, its enemy doubled": (
        {"withdrawing": {AXIS: "fighting"}, "winner": ALLIES, "scale": "double"},
        Outcome(ALLIES, "KH-19.05", {AXIS: GERMANS, ALLIES: []}, {AXIS: GERMANS}, "KH-19.07", ALLIES, ALLIES),
    ),
    "a withdrawal, doubled": (
        {"withdrawing": {AXIS: "fighting"}, "winner": AXIS, "scale": "double"},
        Outcome(ALLIES, "KH-19.05", {AXIS: GERMANS, ALLIES: []}, {ALLIES: BRITISH}, "KH-19.07", AXIS, ""),
    ),
    "after a precipitous withdrawal": (
        {
            "forces": {AXIS: ["21_pz_div"], ALLIES: BRITISH},
            "left": {"15_pz_div": "precipitous"},
            "winner": AXIS,
            "scale": "more",
        },
        Outcome(
            AXIS, "KH-18.09", {AXIS: ["15_pz_div"], ALLIES: BRITISH}, {AXIS: ["21_pz_div"], ALLIES: BRITISH}, "KH-18.10"
        ),
    ),
}


@pytest.mark.rule(
    "KH-18.04",
    "KH-18.09",
    "KH-18.11",
    "KH-18.14",
    "KH-19.05",
    "KH-19.07",
    "KH-19.08",
    "KH-19.09",
    "KH-19.13",
    "KH-18.01",
    "KH-18.05",
    "KH-18.06",
    "KH-18.08",
    "KH-20.01",
    "KH-18.10",
    "KH-18.12",
)
@pytest.mark.parametrize("name", OUTCOMES)
def test_outcome_matches_its_row(name: str) -> None:
    facts, outcome = OUTCOMES[name]
    state = position(PLACES)
    assert outcome_of(state, engaged(**facts)) == outcome
    holds = {"double": ALLIES, "more": AXIS, "even, one side stationary": ALLIES,
             "one side is gone": AXIS, "one is let go": ALLIES,
             "after a precipitous withdrawal": AXIS}  # fmt: skip
    withdrawn = ALLIES if name.startswith("a withdrawal") else ""
    assert in_control_after(state, engaged(**facts)) == holds.get(name, withdrawn)


@pytest.mark.rule("KH-R24", "KH-18.11", "KH-18.14")
@pytest.mark.parametrize(
    ("moved", "choice", "holder", "controller", "going"),
    [
        (("15_pz_div", "7_armd_bde", "recon_cw"), "per_formation", AXIS, AXIS, (["15_pz_div"], BRITISH)),
        (("15_pz_div", "7_armd_bde", "recon_cw"), "any_unmoved", AXIS, AXIS, (GERMANS, BRITISH)),
        (("15_pz_div", "7_armd_bde"), "per_formation", AXIS, AXIS, (["15_pz_div"], BRITISH)),
        (("15_pz_div", "7_armd_bde"), "per_formation", ALLIES, ALLIES, (GERMANS, ["7_armd_bde"])),
        (("21_pz_div", *GERMANS, *BRITISH), "per_formation", ALLIES, ALLIES, (GERMANS, BRITISH)),
    ],
)
def test_even_points_move_each_formation_separately_by_option(
    moved: tuple[str, ...], choice: str, holder: str, controller: str, going: tuple[list[str], list[str]]
) -> None:
    state = position(PLACES, mixed_force_status=choice)
    for each in moved:
        state.formations[each].path = ["el_adem", "sidi_rezegh"]
    found = outcome_of(state, engaged(scale="even", holder=holder))
    assert found.controller == controller
    assert (found.retreating[AXIS], found.retreating[ALLIES]) == going


ORIGINS = {"15_pz_div": "el_adem", "21_pz_div": "el_adem", "7_armd_bde": "sidi_rezegh", "recon_cw": "sidi_rezegh"}


@pytest.mark.rule("KH-12.16", "KH-12.17", "KH-12.18", "KH-12.19", "KH-R20", "KH-19.07", "KH-R21")
@pytest.mark.parametrize(
    ("points", "ratio", "regroup", "withdrawing", "expected"),
    [
        ((12, 2), "six", "none", "", Outcome(overwhelmed_by=AXIS, storming=AXIS)),
        ((11, 2), "six", "none", "", Outcome(overwhelmed_by=AXIS)),
        ((5, 2), "two", "none", "", Outcome(overwhelmed_by=AXIS, storming=AXIS)),
        ((2, 5), "two", "outcome_rules", "", Outcome(resting={AXIS: GERMANS}, overwhelmed_by=ALLIES, storming=ALLIES)),
        ((4, 3), "six", "outcome_rules", "", Outcome(resting=EACH)),
        ((12, 2), "two", "outcome_rules", AXIS, Outcome(resting={ALLIES: BRITISH}, overwhelmed_by=AXIS)),
        ((12, 2), "two", "none", ALLIES, Outcome(resting={ALLIES: BRITISH}, overwhelmed_by=AXIS, storming=AXIS)),
        ((4, 3), "two", "outcome_rules", ALLIES, Outcome()),
        ((4, 4), "two", "outcome_rules", "", Outcome(resting=EACH)),
    ],
)
def test_connector_outcome_rewards_only_an_overwhelming_winner(
    points: tuple[int, int], ratio: str, regroup: str, withdrawing: str, expected: Outcome
) -> None:
    state = position(PLACES, connector_overwhelm_ratio=ratio, connector_regroup=regroup)
    first, second = points
    winner = AXIS if first > second else ALLIES if second > first else ""
    scale = "even" if not winner else "double" if max(points) >= 2 * min(points) else "more"
    each = engaged(
        id="el_adem~sidi_rezegh", area="el_adem", other="sidi_rezegh", origins=ORIGINS, holder="",
        winner=winner, scale=scale,
        points={AXIS: first, ALLIES: second}, withdrawing={withdrawing: "fighting"} if withdrawing else {},
    )  # fmt: skip
    found = outcome_of(state, each)
    assert (found.controller, found.retreating, found.advancing) == ("", {}, "")
    assert (found.resting, found.overwhelmed_by, found.storming) == (
        expected.resting,
        expected.overwhelmed_by,
        expected.storming,
    )
    rules = {"double": "KH-18.06", "more": "KH-18.10", "even": "KH-18.12"}
    assert found.resting_rule == ("KH-19.07" if withdrawing else rules[scale])
    assert in_control_after(state, each) == expected.storming


@pytest.mark.rule("KH-19.11")
def test_precipitous_formations_are_listed_for_their_own_side() -> None:
    state = position(PLACES)
    each = engaged(
        left={"recon_cw": "recon", "7_armd_bde": "precipitous", "21_pz_div": "precipitous", "15_pz_div": "precipitous"}
    )
    assert precipitous(state, each, AXIS) == ["15_pz_div", "21_pz_div"]
    assert precipitous(state, each, ALLIES) == ["7_armd_bde"]
