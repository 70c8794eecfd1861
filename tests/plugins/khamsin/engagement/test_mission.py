"""Kinds of engagement (KH-12), number of actions, and strategic advantage (KH-16)."""

from typing import Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AT_SALEH, AXIS, NewCase, attacked, fought
from tests.plugins.khamsin.procedures import BOTH, HERE, duel, engaged, first_decision, of, position, run

from khamsin.engagement.mission import (
    advantage_of,
    compute_advantage,
    fixed_type,
    has_significant,
    has_strategic,
    mission_for,
    reasons_of,
    rerolls,
    settle_mode,
    settle_number,
    strength_steps,
)
from khamsin.model.battle_events import AdvantageAssessed, EngagementFound, ModeAgreed
from khamsin.model.orders import ProposeMode, SetActions
from khamsin.model.state import KhamsinState
from khamsin.model.tables import MISSIONS
from sandtable.kernel.decisions import Decision, Sealed
from sandtable.kernel.events import Calculation


@pytest.mark.rule("KH-12.12", "KH-14.01", "KH-15.01", "KH-15.02", "KH-R28")
def test_modes_are_proposed_if_by_agreement_and_mission_is_open() -> None:
    agreed = position(BOTH, large_engagements="by_agreement")

    def offered(state: KhamsinState, **facts: Any) -> list[str]:
        pending = first_decision(settle_mode(state, duel(**facts)))
        if pending is None:
            return []
        assert isinstance(pending, Sealed)
        assert [each.side for each in pending.decisions] == [AXIS, ALLIES]
        return [order.mode for order in pending.decisions[0].options.values()]

    assert offered(agreed) == ["ordinary", "total_war", "linked"]
    assert offered(position(BOTH)) == []
    assert offered(agreed, other="el_adem") == []
    assert offered(agreed, withdrawing={ALLIES: "fighting"}) == []
    capped = position(BOTH, large_engagements="by_agreement", strength_caps_actions="yes")
    for companies, modes in ((1, 2), (2, 3)):
        capped.formations["7_armd_bde"].strength = companies
        assert len(offered(capped)) == modes
    for german, british, mode in (("linked", "linked", "linked"), ("linked", "total_war", "ordinary")):
        answers = {AXIS: ProposeMode(german), ALLIES: ProposeMode(british)}
        state = position(BOTH, large_engagements="by_agreement")
        state.engagements[HERE] = duel()
        (event,) = of(run(state, settle_mode(state, state.engagements[HERE]), answers=answers), ModeAgreed)
        assert event.mode == mode


def number_of(state: KhamsinState, answer: int = 0, **facts: Any) -> tuple[int, list[tuple[int, str]]]:
    """Return the number of actions and its steps; ``answer`` is the number that the umpire sets."""
    procedure = settle_number(state, duel(**facts))
    try:
        decision = next(procedure)
        assert isinstance(decision, Decision)
        order = SetActions(answer)
        decision.options.check(order)
        procedure.send(order)
    except StopIteration as stop:
        return stop.value.total, [step[1:] for step in stop.value.steps]
    raise AssertionError("a second decision is pending")


@pytest.mark.rule("KH-12.20", "KH-12.21", "KH-15.02", "KH-R27", "KH-R28")
def test_number_of_actions_follows_the_weaker_force_or_the_option() -> None:
    state = position(BOTH)
    for german, british, number in ((3, 2, 2), (1, 2, 1), (5, 9, 4), (4, 4, 4), (0, 3, 1)):
        state.formations["15_pz_div"].strength, state.formations["7_armd_bde"].strength = german, british
        assert number_of(state) == (number, [(number, "KH-R27")])
    state = position(BOTH, actions_per_engagement="3")
    assert number_of(state) == (3, [(3, "KH-R27")])
    assert number_of(position(BOTH, actions_per_engagement="12"))[0] == 12
    assert number_of(position(BOTH, actions_per_engagement="13"))[0] == 12
    assert number_of(position(BOTH, actions_per_engagement="0"))[0] == 1
    state.options = state.options | {"strength_caps_actions": "yes"}
    assert number_of(state) == (2, [(3, "KH-R27"), (-1, "KH-R28")])
    state.formations["7_armd_bde"].strength = 1
    assert number_of(state, mode="linked") == (2, [(3, "KH-R27"), (-2, "KH-R28"), (1, "KH-15.02")])
    assert number_of(state) == (1, [(3, "KH-R27"), (-2, "KH-R28")])
    state.formations["7_armd_bde"].strength = 3
    assert number_of(state, mode="linked") == (3, [(3, "KH-R27")])
    pairs = position(BOTH, actions_per_engagement="player_pairs")  # four players a side
    assert number_of(pairs, 4) == (4, [(4, "KH-12.21")])
    decision = first_decision(settle_number(pairs, duel()))
    assert decision.side == "umpire"
    assert [order.number for order in decision.options.values()] == [1, 2, 3, 4]
    decision = first_decision(settle_number(pairs, duel(mode="linked")))
    assert [order.number for order in decision.options.values()] == [2, 3, 4]


def for_strength(own: int, enemy: int, *, cumulative: bool) -> int:
    return sum(points for _, points, _ in strength_steps(own, enemy, cumulative=cumulative))


@pytest.mark.rule("KH-16.03", "KH-16.04", "KH-16.05", "KH-16.06", "KH-R42", "KH-2.09")
@pytest.mark.parametrize("own", range(30))
def test_strength_advantage_matches_each_row_of_the_book(own: int) -> None:
    for enemy in range(1, 30):
        rows = [
            own > enemy,
            own >= 2 and own >= 2 * enemy,
            own >= 4 and own >= 4 * enemy,
            own >= 6 and own >= 6 * enemy,
        ]
        fitting = [value for value, fits in enumerate(rows, start=1) if fits]
        assert for_strength(own, enemy, cumulative=False) == max(fitting, default=0)
        assert for_strength(own, enemy, cumulative=True) == sum(fitting)


@pytest.mark.rule("KH-12.04", "KH-12.06", "KH-12.07", "KH-12.08", "KH-12.09", "KH-R26")
@pytest.mark.parametrize(
    ("column", "start", "mission"),
    [
        ("moving", "el_adem", "Encounter"),
        ("stationary", "sidi_rezegh", "No Retreat"),
        ("fortified", "fort_capuzzo", "The Big Push"),
    ],
)
def test_mission_comes_from_the_column_of_the_engagement(
    new_case: NewCase, column: str, start: str, mission: str
) -> None:
    dice = {"type:*": "4"} | ({} if column == "moving" else {"activation:7_armd_bde": "6"})
    target = "bir_el_gubi" if column == "moving" else start
    case = new_case(f"15_pz_div {start}; {AT_SALEH}", dice=dice)
    case.turn(axis="15_pz_div bir_el_gubi" if column == "moving" else "", allies=f"7_armd_bde {target}")
    assert (case.mission, case.one(EngagementFound).column) == (mission, column)
    assert [each.mission for each in case.briefs()] == [mission]


@pytest.mark.rule("KH-12.03", "KH-3.11")
def test_engagement_steps_follow_the_sequence(new_case: NewCase) -> None:
    case = fought(attacked(new_case))
    names = [type(each).__name__ for each in case.happened()]
    work = [
        "EngagementFound",
        "MissionSet",
        "CompaniesFielded",
        "BattleBriefed",
        "BattleFought",
        "EngagementDecided",
        "AttritionTaken",
    ]
    assert [name for name in dict.fromkeys(names) if name in work[:6]] == work[:6]
    assert names.index("FormationRetreated") > names.index("EngagementDecided")


@pytest.mark.rule("KH-12.06", "KH-12.14", "KH-14.08", "KH-19.02")
def test_mission_is_rolled_unless_fixed() -> None:
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
            mission_set = mission_for(engaged(column=column), die, number)
            assert (mission_set.mission, mission_set.die, mission_set.number, mission_set.rule) == (
                mission,
                die,
                3,
                rules[column],
            )
            assert mission_for(engaged(column=column), die, None).number == 0
    fixed = mission_for(engaged(other="el_adem"), 5, number)
    assert (fixed.mission, fixed.die, fixed.number) == ("Free for All", 0, 3)


@pytest.mark.rule("KH-16.11", "KH-16.12", "KH-16.13", "KH-16.14")
def test_net_advantage_gives_bonuses_and_rerolls() -> None:
    for net, again in enumerate((0, 0, 0, 1, 2, 3, 4)):
        each = engaged(favored=AXIS if net else "", net=net)
        assert has_strategic(each, AXIS) is (net >= 1)
        assert has_significant(each, AXIS) is (net >= 2)
        assert rerolls(each, AXIS) == again
        assert not has_strategic(each, ALLIES)
        assert not has_significant(each, ALLIES)
        assert rerolls(each, ALLIES) == 0


@pytest.mark.rule("KH-16.03", "KH-16.04", "KH-16.05", "KH-16.06", "KH-R42")
def test_strength_steps_are_combined_into_one_reason() -> None:
    steps = strength_steps(8, 2, cumulative=True)
    assert [value for _, value, _ in steps] == [3, 2, 1]
    points = Calculation("points.axis", (*steps, ("connectors", 1, "KH-16.07"), ("overwhelmed", 1, "KH-16.08")))
    assert reasons_of(points) == [("strength", 6), ("connectors", 1), ("overwhelmed", 1)]


@pytest.mark.rule(
    "KH-16.01", "KH-16.03", "KH-16.07", "KH-16.08", "KH-16.09", "KH-16.10", "KH-R43", "KH-R44", "KH-18.08", "KH-16.02"
)
def test_advantage_counts_points_for_each_reason() -> None:
    state = position({"15_pz_div": HERE, "21_pz_div": HERE, "7_armd_bde": HERE, "recon_cw": HERE})
    each = engaged()

    def reasons(side: str) -> list[tuple[str, int]]:
        return [(step[0].partition(",")[0], step[1]) for step in advantage_of(state, each, side).steps]

    assert (reasons(AXIS), reasons(ALLIES)) == ([("strength", 2)], [])  # 6 companies against 3
    state.formations["15_pz_div"].path = ["gambut", HERE]
    assert reasons(AXIS) == [("strength", 2)]
    state.formations["21_pz_div"].path = ["gambut", HERE]
    assert reasons(AXIS) == [("strength", 2)]
    state.formations["21_pz_div"].path = ["el_adem", HERE]
    assert reasons(AXIS) == [("strength", 2), ("connectors", 1)]
    each.stationary = AXIS
    assert reasons(AXIS) == [("strength", 2)]
    each.stationary, each.other = "", "el_adem"
    assert reasons(AXIS) == [("strength", 2)]
    each.other = ""
    state.formations["21_pz_div"].path = ["", HERE]  # from off the map: no connector
    assert reasons(AXIS) == [("strength", 2)]
    state.formations["7_armd_bde"].overwhelmed = state.formations["21_pz_div"].assimilating = True
    assert reasons(ALLIES) == [("overwhelmed", 1), ("assimilating", 1)]
    state.engagements[each.id] = each
    (event,) = of(run(state, compute_advantage(state, each)), AdvantageAssessed)
    assert (event.favored, event.net) == ("", 0)
    state.formations["7_armd_bde"].overwhelmed = False
    (event,) = of(run(state, compute_advantage(state, each)), AdvantageAssessed)
    assert (event.favored, event.net, event.points) == (
        AXIS,
        1,
        {AXIS: [("strength", 2)], ALLIES: [("assimilating", 1)]},
    )
    assert {sum_.name: sum_.total for sum_ in event.calculations} == {
        "points.axis": 2, "points.allies": 1, "strength.axis": 6, "strength.allies": 3, "net": 1,
    }  # fmt: skip
