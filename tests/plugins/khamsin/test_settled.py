"""What an engagement brings, laid by hand and looked up: decisions, outcomes, control, who goes where."""

from __future__ import annotations

from typing import Any

import pytest
from tests.plugins.khamsin.rooms import position

from khamsin.engagement.mission import (
    fixed_type,
    has_significant,
    has_strategic,
    mission_for,
    reasons_of,
    rerolls,
    strength_steps,
)
from khamsin.engagement.outcome import Outcome, decide, in_control_after, outcome_of, precipitous
from khamsin.engagement.retreat import retreat_areas
from khamsin.model.state import Action, Engagement
from khamsin.model.tables import MISSIONS
from khamsin.movement.contact import is_stationary
from sandtable.kernel.events import Calculation

AXIS, ALLIES = "axis", "allies"
PLACES = {
    "15_pz_div": "sidi_rezegh",
    "21_pz_div": "sidi_rezegh",
    "7_armd_bde": "sidi_rezegh",
    "recon_cw": "sidi_rezegh",
}
GERMANS, BRITISH = ["15_pz_div", "21_pz_div"], ["7_armd_bde", "recon_cw"]


def engaged(**facts: Any) -> Engagement:
    """Return an engagement in Sidi Rezegh, two formations a side."""
    found: dict[str, Any] = {
        "id": "sidi_rezegh",
        "area": "sidi_rezegh",
        "forces": {AXIS: list(GERMANS), ALLIES: list(BRITISH)},
        "holder": AXIS,
    }
    return Engagement(**(found | facts))


def tables(*winners: str, points: dict[str, tuple[int, int]] | None = None) -> list[Action]:
    """Return actions won by these sides, 5-2 each; "" is a draw of 1-1."""
    scores = {AXIS: (5, 2), ALLIES: (2, 5), "": (1, 1), **(points or {})}
    return [
        Action(number, dict(zip((AXIS, ALLIES), scores[who], strict=True)), who)
        for number, who in enumerate(winners, 1)
    ]


# --- who has won ---


@pytest.mark.rule("KH-18.03", "KH-18.04", "KH-15.16", "KH-15.17", "KH-15.19", "KH-R37", "KH-R40")
@pytest.mark.parametrize(
    ("mode", "reading", "winners", "expected"),
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
def test_points_of_all_actions_decide_and_on_linked_tables_their_majority(
    mode: str, reading: str, winners: tuple[str, ...], expected: tuple[str, str, str]
) -> None:
    actions = tables(*winners, points={"low": (4, 3), ALLIES: (1, 6)} if "low" in winners else None)
    for each in actions:
        each.winner = AXIS if each.winner == "low" else each.winner
    state = position(PLACES, linked_conflict=reading)
    decided = decide(state, engaged(mode=mode, actions=actions))
    assert (decided.winner, decided.scale, decided.rule) == expected
    sums = {side: sum(each.points[side] for each in actions) for side in (AXIS, ALLIES)}
    assert decided.points == sums
    told = {each.name: each.total for each in decided.calculations or ()}
    assert {side: told[f"points.{side}"] for side in sums} == sums
    ahead = max(sums, key=lambda side: sums[side])
    assert ("double" in told) is (len(set(sums.values())) > 1)
    assert told.get("double", 0) == (sums[ahead] - 2 * min(sums.values()) if "double" in told else 0)
    won = {f"tables.{side}": sum(each.winner == side for each in actions) for side in sums}
    assert {name: total for name, total in told.items() if name.startswith("tables")} == (
        won if mode == "linked" else {}
    )


# --- what it brings ---

BOTH = {AXIS: GERMANS, ALLIES: BRITISH}
OUTCOMES: dict[str, tuple[dict[str, Any], Outcome]] = {
    "double": (
        {"winner": ALLIES, "scale": "double"},
        Outcome(ALLIES, "KH-18.04", {AXIS: GERMANS, ALLIES: []}, {AXIS: GERMANS}, "KH-18.06", ALLIES, ALLIES),
    ),
    "more": (
        {"winner": AXIS, "scale": "more"},
        Outcome(AXIS, "KH-18.09", {AXIS: [], ALLIES: BRITISH}, BOTH, "KH-18.10"),
    ),
    "even, who stood still": (
        {"scale": "even", "stationary": ALLIES},
        Outcome(ALLIES, "KH-18.11", {AXIS: GERMANS, ALLIES: []}, BOTH, "KH-18.12"),
    ),
    "even, both moved": ({"scale": "even"}, Outcome(AXIS, "KH-18.14", BOTH, BOTH, "KH-18.12")),
    "one side is gone": (
        {"forces": {AXIS: GERMANS, ALLIES: []}, "left": {"7_armd_bde": "precipitous", "recon_cw": "recon"}},
        Outcome(AXIS, "KH-19.09", {AXIS: [], ALLIES: BRITISH}),
    ),
    "one is let go": (
        {"withdrawing": {AXIS: "fighting", ALLIES: "stand"}},
        Outcome(ALLIES, "KH-19.08", {AXIS: GERMANS, ALLIES: []}),
    ),
    "both go": ({"withdrawing": {AXIS: "fighting", ALLIES: "fighting"}}, Outcome("", "", BOTH)),
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
    "with one who had left": (
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
    "KH-18.04", "KH-18.09", "KH-18.11", "KH-18.14", "KH-19.05", "KH-19.07", "KH-19.08", "KH-19.09", "KH-19.13"
)
@pytest.mark.parametrize("name", OUTCOMES)
def test_an_outcome_is_that_of_its_row(name: str) -> None:
    facts, outcome = OUTCOMES[name]
    state = position(PLACES)
    assert outcome_of(state, engaged(**facts)) == outcome
    holds = {"double": ALLIES, "more": AXIS, "even, who stood still": ALLIES,
             "one side is gone": AXIS, "one is let go": ALLIES,
             "with one who had left": AXIS}  # fmt: skip
    withdrawn = ALLIES if name.startswith("a withdrawal") else ""
    assert in_control_after(state, engaged(**facts)) == holds.get(name, withdrawn)


@pytest.mark.rule("KH-R24", "KH-18.11", "KH-18.14")
@pytest.mark.parametrize(
    ("moved", "reading", "holder", "controller", "going"),
    [
        (("15_pz_div", "7_armd_bde", "recon_cw"), "per_formation", AXIS, AXIS, (["15_pz_div"], BRITISH)),
        (("15_pz_div", "7_armd_bde", "recon_cw"), "any_unmoved", AXIS, AXIS, (GERMANS, BRITISH)),
        (("15_pz_div", "7_armd_bde"), "per_formation", AXIS, AXIS, (["15_pz_div"], BRITISH)),
        (("15_pz_div", "7_armd_bde"), "per_formation", ALLIES, ALLIES, (GERMANS, ["7_armd_bde"])),
        (("21_pz_div", *GERMANS, *BRITISH), "per_formation", ALLIES, ALLIES, (GERMANS, BRITISH)),
    ],
)
def test_on_even_points_formations_stay_each_for_itself_where_it_is_so_ruled(
    moved: tuple[str, ...], reading: str, holder: str, controller: str, going: tuple[list[str], list[str]]
) -> None:
    state = position(PLACES, mixed_force_status=reading)
    for each in moved:
        state.formations[each].path = ["el_adem", "sidi_rezegh"]
    found = outcome_of(state, engaged(scale="even", holder=holder))
    assert found.controller == controller
    assert (found.retreating[AXIS], found.retreating[ALLIES]) == going


ORIGINS = {"15_pz_div": "el_adem", "21_pz_div": "el_adem", "7_armd_bde": "sidi_rezegh", "recon_cw": "sidi_rezegh"}


@pytest.mark.rule("KH-12.16", "KH-12.17", "KH-12.18", "KH-12.19", "KH-R20", "KH-19.07")
@pytest.mark.parametrize(
    ("points", "ratio", "regroup", "withdrawing", "expected"),
    [
        ((12, 2), "six", "none", "", Outcome(overwhelmed_by=AXIS, storming=AXIS)),
        ((11, 2), "six", "none", "", Outcome(overwhelmed_by=AXIS)),
        ((5, 2), "two", "none", "", Outcome(overwhelmed_by=AXIS, storming=AXIS)),
        ((2, 5), "two", "outcome_rules", "", Outcome(resting={AXIS: GERMANS}, overwhelmed_by=ALLIES, storming=ALLIES)),
        ((4, 3), "six", "outcome_rules", "", Outcome(resting=BOTH)),
        ((12, 2), "two", "outcome_rules", AXIS, Outcome(resting={ALLIES: BRITISH}, overwhelmed_by=AXIS)),
        ((12, 2), "two", "none", ALLIES, Outcome(resting={ALLIES: BRITISH}, overwhelmed_by=AXIS, storming=AXIS)),
        ((4, 3), "two", "outcome_rules", ALLIES, Outcome()),
        ((4, 4), "two", "outcome_rules", "", Outcome(resting=BOTH)),
    ],
)
def test_on_a_connector_only_the_overwhelming_winner_takes_anything(
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
def test_who_left_in_haste_must_regroup_of_his_own_side_alone() -> None:
    state = position(PLACES)
    each = engaged(
        left={"recon_cw": "recon", "7_armd_bde": "precipitous", "21_pz_div": "precipitous", "15_pz_div": "precipitous"}
    )
    assert precipitous(state, each, AXIS) == ["15_pz_div", "21_pz_div"]
    assert precipitous(state, each, ALLIES) == ["7_armd_bde"]


# --- missions and advantage ---


@pytest.mark.rule("KH-12.06", "KH-12.14", "KH-14.08", "KH-19.02")
def test_a_mission_is_rolled_unless_something_fixes_it() -> None:
    assert fixed_type(engaged()) == ("", "")
    assert fixed_type(engaged(withdrawing={ALLIES: "fighting"}, other="el_adem")) == ("Fighting Withdrawal", "KH-19.02")
    assert fixed_type(engaged(withdrawing={ALLIES: "stand"})) == ("", "")
    assert fixed_type(engaged(mode="total_war", other="el_adem")) == ("Total Victory", "KH-14.08")
    assert fixed_type(engaged(other="el_adem")) == ("Free for All", "KH-12.14")
    printed = {
        "moving": ("Free for All",) * 2 + ("Encounter",) * 3 + ("The Cauldron",),
        "stationary": ("Hold the Line",) * 2 + ("No Retreat",) * 2 + ("Breakthrough", "Hasty Assault"),
        "fortified": ("Trench Fight",) * 2 + ("The Big Push",) * 3 + ("Breakout",),
    }
    assert printed == MISSIONS
    rules = {"moving": "KH-12.07", "stationary": "KH-12.08", "fortified": "KH-12.09"}
    number = Calculation("number", (("companies", 3, "KH-R27"),))
    for column, missions in printed.items():
        for die, mission in enumerate(missions, 1):
            told = mission_for(engaged(column=column), die, number)
            assert (told.mission, told.die, told.number, told.rule) == (mission, die, 3, rules[column])
            assert mission_for(engaged(column=column), die, None).number == 0
    fixed = mission_for(engaged(other="el_adem"), 5, number)
    assert (fixed.mission, fixed.die, fixed.number) == ("Free for All", 0, 3)


@pytest.mark.rule("KH-16.11", "KH-16.12", "KH-16.13", "KH-16.14")
def test_the_net_advantage_brings_what_the_book_says() -> None:
    for net, again in enumerate((0, 0, 0, 1, 2, 3, 4)):
        each = engaged(favoured=AXIS if net else "", net=net)
        assert has_strategic(each, AXIS) is (net >= 1)
        assert has_significant(each, AXIS) is (net >= 2)
        assert rerolls(each, AXIS) == again
        assert not has_strategic(each, ALLIES)
        assert not has_significant(each, ALLIES)
        assert rerolls(each, ALLIES) == 0


@pytest.mark.rule("KH-16.03", "KH-16.04", "KH-16.05", "KH-16.06", "KH-R42")
def test_several_steps_of_strength_are_one_reason() -> None:
    steps = strength_steps(8, 2, cumulative=True)
    assert [value for _, value, _ in steps] == [3, 2, 1]
    points = Calculation("points.axis", (*steps, ("connectors", 1, "KH-16.07"), ("overwhelmed", 1, "KH-16.08")))
    assert reasons_of(points) == [("strength", 6), ("connectors", 1), ("overwhelmed", 1)]


# --- where they go ---


@pytest.mark.rule("KH-20.02", "KH-R51", "KH-R52")
@pytest.mark.parametrize(
    ("options", "path", "control", "enemies", "areas"),
    [
        ({}, [], {}, {}, ["el_adem", "gambut"]),
        ({}, [], {"el_adem": ALLIES}, {}, ["gambut"]),
        ({}, [], {"el_adem": ALLIES, "gambut": ALLIES}, {}, ["el_adem", "gabr_saleh", "gambut"]),
        ({}, [], {}, {"7_armd_bde": "gambut"}, ["el_adem"]),
        ({}, [], {}, {"7_armd_bde": "gambut", "inf_cw": "el_adem"}, ["gabr_saleh"]),
        ({}, [], {}, {"7_armd_bde": "gambut", "inf_cw": "el_adem", "recon_cw": "gabr_saleh"}, []),
        ({"retreat_dest": "not_enemy_controlled"}, [], {"el_adem": ALLIES, "gambut": ALLIES}, {}, []),
        ({"retreat_dest": "not_enemy_controlled"}, [], {"el_adem": ALLIES}, {}, ["gambut"]),
        ({"retreat_direction": "toward_supply"}, [], {}, {}, ["gambut"]),
        ({"retreat_direction": "toward_supply"}, [], {}, {"7_armd_bde": "gambut"}, ["el_adem"]),
        ({"retreat_direction": "back"}, ["el_adem", "sidi_rezegh"], {}, {}, ["el_adem"]),
        ({"retreat_direction": "back"}, ["gabr_saleh", "sidi_rezegh"], {}, {}, ["el_adem", "gambut"]),
        ({"retreat_direction": "back"}, [], {}, {}, ["el_adem", "gambut"]),
    ],
)
def test_a_retreat_goes_where_no_enemy_is_and_own_ground_comes_first(
    options: dict[str, str], path: list[str], control: dict[str, str], enemies: dict[str, str], areas: list[str]
) -> None:
    state = position({"15_pz_div": "sidi_rezegh", **enemies})
    state.options = state.options | options
    state.control |= control
    state.formations["15_pz_div"].path = path
    assert retreat_areas(state, "15_pz_div") == areas


@pytest.mark.rule("KH-8.16", "KH-R23", "KH-R24")
@pytest.mark.parametrize(
    ("reading", "moved", "still"),
    [
        ("any_unmoved", (), True),
        ("any_unmoved", ("15_pz_div",), True),
        ("any_unmoved", ("15_pz_div", "21_pz_div"), False),
        ("per_formation", ("15_pz_div",), False),
        ("per_formation", (), True),
        ("majority_strength", ("15_pz_div",), False),
        ("majority_strength", ("afrika_div",), True),
        ("majority_strength", ("15_pz_div", "21_pz_div", "afrika_div"), False),
    ],
)
def test_a_force_of_which_some_have_moved_is_stationary_by_ruling(
    reading: str, moved: tuple[str, ...], still: bool
) -> None:
    """Three companies each: one of two that moved is no greater part, nor is one of three that did not move."""
    force = ["15_pz_div", "21_pz_div", *(["afrika_div"] if "afrika_div" in moved else [])]
    state = position(dict.fromkeys(force, "sidi_rezegh"), mixed_force_status=reading)
    for each in moved:
        state.formations[each].path = ["el_adem", "sidi_rezegh"]
    assert is_stationary(state, force) is still
    for each in force:
        state.formations[each].strength = 0
    assert not is_stationary(state, force)
