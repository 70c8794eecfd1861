"""What is asked in an engagement, of whom, with which choices: modes, numbers, withdrawals, retreats, advances."""

from __future__ import annotations

from typing import Any

import pytest
from tests.plugins.khamsin.rooms import facts_of, of, position, run
from tests.plugins.khamsin.test_settled import ALLIES, AXIS, engaged

from khamsin.engagement.mission import settle_mode, settle_number
from khamsin.engagement.retreat import advance, retreat, storm
from khamsin.engagement.settling import disable_ineffective
from khamsin.engagement.withdrawal import meet, withdraw_space
from khamsin.model.battle_events import (
    FormationAdvanced,
    FormationRetreated,
    FormationWithdrew,
    ModeAgreed,
    WithdrawalAllowed,
)
from khamsin.model.events import ControlChanged, FormationDisabled, FormationLost
from khamsin.model.orders import Advance, LetGo, ProposeMode, RetreatTo, SetActions, Withdraw
from khamsin.model.state import Engagement, KhamsinState
from khamsin.turn.orders import write_orders
from sandtable.kernel.decisions import Decision, Sealed

HERE = "sidi_rezegh"
BOTH = {"15_pz_div": HERE, "7_armd_bde": HERE}


def laid(places: dict[str, str] | None = None, **options: str) -> KhamsinState:
    state = position(places or BOTH)
    state.options = state.options | options
    return state


def fight(**facts: Any) -> Engagement:
    return engaged(**({"forces": {AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde"]}} | facts))


def first_question(procedure: Any) -> Any:
    """Return the first thing that a procedure yields, None if it yields nothing."""
    return next(procedure, None)


# --- modes and numbers ---


@pytest.mark.rule("KH-12.12", "KH-14.01", "KH-15.01", "KH-15.02", "KH-R28")
def test_modes_are_proposed_where_it_is_agreed_and_the_mission_is_open() -> None:
    agreed = laid(large_engagements="by_agreement")

    def offered(state: KhamsinState, **facts: Any) -> list[str]:
        asked = first_question(settle_mode(state, fight(**facts)))
        if asked is None:
            return []
        assert isinstance(asked, Sealed)
        assert [each.side for each in asked.decisions] == [AXIS, ALLIES]
        return [order.mode for order in asked.decisions[0].options.values()]

    assert offered(agreed) == ["ordinary", "total_war", "linked"]
    assert offered(laid()) == []
    assert offered(agreed, other="el_adem") == []
    assert offered(agreed, withdrawing={ALLIES: "fighting"}) == []
    capped = laid(large_engagements="by_agreement", strength_caps_actions="yes")
    for companies, modes in ((1, 2), (2, 3)):
        capped.formations["7_armd_bde"].strength = companies
        assert len(offered(capped)) == modes
    for german, british, mode in (("linked", "linked", "linked"), ("linked", "total_war", "ordinary")):
        answers = {AXIS: ProposeMode(german), ALLIES: ProposeMode(british)}
        state = laid(large_engagements="by_agreement")
        state.engagements[HERE] = fight()
        (event,) = of(run(state, settle_mode(state, state.engagements[HERE]), answers=answers), ModeAgreed)
        assert event.mode == mode


def number_of(state: KhamsinState, answer: int = 0, **facts: Any) -> tuple[int, list[tuple[int, str]]]:
    """Return the number of actions, and its steps; ``answer`` is the umpire's."""
    procedure = settle_number(state, fight(**facts))
    try:
        asked = next(procedure)
        assert isinstance(asked, Decision)
        order = SetActions(answer)
        asked.options.check(order)
        procedure.send(order)
    except StopIteration as stop:
        return stop.value.total, [step[1:] for step in stop.value.steps]
    raise AssertionError("asked twice")


@pytest.mark.rule("KH-12.20", "KH-12.21", "KH-15.02", "KH-R27", "KH-R28")
def test_there_are_as_many_actions_as_companies_of_the_weaker_force_or_as_is_said() -> None:
    state = laid()
    for german, british, number in ((3, 2, 2), (1, 2, 1), (5, 9, 4), (4, 4, 4), (0, 3, 1)):
        state.formations["15_pz_div"].strength, state.formations["7_armd_bde"].strength = german, british
        assert number_of(state) == (number, [(number, "KH-R27")])
    state = laid(actions_per_engagement="3")
    assert number_of(state) == (3, [(3, "KH-R27")])
    assert number_of(laid(actions_per_engagement="12"))[0] == 12
    assert number_of(laid(actions_per_engagement="13"))[0] == 12
    assert number_of(laid(actions_per_engagement="0"))[0] == 1
    state.options = state.options | {"strength_caps_actions": "yes"}
    assert number_of(state) == (2, [(3, "KH-R27"), (-1, "KH-R28")])
    state.formations["7_armd_bde"].strength = 1
    assert number_of(state, mode="linked") == (2, [(3, "KH-R27"), (-2, "KH-R28"), (1, "KH-15.02")])
    assert number_of(state) == (1, [(3, "KH-R27"), (-2, "KH-R28")])
    state.formations["7_armd_bde"].strength = 3
    assert number_of(state, mode="linked") == (3, [(3, "KH-R27")])
    pairs = laid(actions_per_engagement="player_pairs")  # four players a side
    assert number_of(pairs, 4) == (4, [(4, "KH-12.21")])
    asked = first_question(settle_number(pairs, fight()))
    assert [order.number for order in asked.options.values()] == [1, 2, 3, 4]
    asked = first_question(settle_number(pairs, fight(mode="linked")))
    assert [order.number for order in asked.options.values()] == [2, 3, 4]


# --- withdrawals ---


@pytest.mark.rule("KH-19.01", "KH-19.09", "KH-19.14", "KH-R57", "KH-R63", "KH-R68")
def test_a_force_stands_withdraws_or_lets_some_leave() -> None:
    places = {"15_pz_div": HERE, "7_armd_bde": HERE, "recon_cw": HERE}
    force = {AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde", "recon_cw"]}
    state = laid(places)

    def allowed(side: str, **facts: Any) -> set[str]:
        ways = [
            Withdraw(how, leaving, ledger)
            for how in ("stand", "fighting")
            for leaving in ({}, {"7_armd_bde": "precipitous"}, {"7_armd_bde": "recon"}, {"recon_cw": "recon"},
                            {"recon_cw": "precipitous"}, {"15_pz_div": "precipitous"})
            for ledger in ("general", "armor")
        ]  # fmt: skip
        space = withdraw_space(state, engaged(forces=force, **facts), side)
        return {f"{it.how} {dict(it.leaving)} {it.ledger}" for it in ways if space.is_legal(it)}

    usual = {
        f"{how} {leaving} general"
        for how in ("stand", "fighting")
        for leaving in ({}, {"7_armd_bde": "precipitous"}, {"recon_cw": "recon"}, {"recon_cw": "precipitous"})
    }
    assert allowed(ALLIES) == usual
    assert allowed(AXIS) == {
        f"{how} {leaving} general" for how in ("stand", "fighting") for leaving in ({}, {"15_pz_div": "precipitous"})
    }
    state.options = state.options | {"precip_attrition_type": "owner_choice"}
    assert allowed(ALLIES) == usual | {each.replace("general", "armor") for each in usual}
    state = laid({**places, "21_pz_div": "gabr_saleh", "afrika_div": "el_adem"})
    state.control["gambut"] = "axis"
    state.formations["inf_cw"].area = ""
    state.options = state.options | {"retreat_dest": "not_enemy_controlled"}
    closed = withdraw_space(state, engaged(forces=force), ALLIES)
    refusal = closed.why_not(Withdraw("fighting"))
    assert refusal is not None
    assert (refusal.rule, refusal.reason.partition("no area")[2]) == (
        "KH-R68",
        " next to Sidi Rezegh is free to withdraw to: the force must fight",
    )
    assert closed.is_legal(Withdraw())
    assert withdraw_space(state, engaged(forces=force, other="el_adem"), ALLIES).is_legal(Withdraw("fighting"))
    state.options = state.options | {"withdraw_noarea": "surrender"}
    assert withdraw_space(state, engaged(forces=force), ALLIES).is_legal(Withdraw("fighting"))


@pytest.mark.rule("KH-19.10", "KH-19.16", "KH-R63")
@pytest.mark.parametrize(
    ("reading", "ledger", "paid"),
    [
        ("general", "general", (0, 8)),
        ("armor", "general", (8, 0)),
        ("owner_choice", "armor", (8, 0)),
        ("owner_choice", "general", (0, 8)),
        ("split_evenly", "general", (4, 4)),
    ],
)
def test_who_leaves_in_haste_pays_two_dice_and_one(reading: str, ledger: str, paid: tuple[int, int]) -> None:
    state = laid({"15_pz_div": HERE, "7_armd_bde": HERE, "recon_cw": HERE}, precip_attrition_type=reading)
    state.engagements[HERE] = engaged(forces={AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde", "recon_cw"]})
    answers = {
        AXIS: Withdraw(),
        ALLIES: Withdraw(leaving={"7_armd_bde": "precipitous", "recon_cw": "recon"}, ledger=ledger),
    }
    happened = run(state, meet(state, state.engagements[HERE]), {"withdrawal:7_armd_bde": [3, 4]}, answers)
    left = [(each.formation, each.how, each.armor, each.general) for each in of(happened, FormationWithdrew)]
    assert left == [("7_armd_bde", "precipitous", *paid), ("recon_cw", "recon", 0, 3)]
    assert [(each.sides, each.rule) for each in of(happened, WithdrawalAllowed)] == [([ALLIES], "KH-19.09")]
    if reading == "split_evenly":
        odd = laid(precip_attrition_type=reading)
        odd.engagements[HERE] = fight()
        leave = {AXIS: Withdraw(), ALLIES: Withdraw(leaving={"7_armd_bde": "precipitous"})}
        (each,) = of(
            run(odd, meet(odd, odd.engagements[HERE]), {"withdrawal:7_armd_bde": [3, 5]}, leave), FormationWithdrew
        )
        assert (each.armor, each.general) == (4, 5)
        assert [sum_.total for sum_ in each.calculations] == [4, 5]


@pytest.mark.rule("KH-19.08", "KH-19.13", "KH-24.06", "KH-24.07")
@pytest.mark.parametrize(
    ("german", "british", "lets", "rule"),
    [
        ("stand", "stand", False, ""),
        ("fighting", "fighting", False, "KH-19.13"),
        ("stand", "fighting", True, "KH-19.08"),
        ("stand", "fighting", False, ""),
    ],
)
def test_there_is_no_fight_where_both_go_or_one_is_let_go(german: str, british: str, lets: bool, rule: str) -> None:
    state = laid()
    each = state.engagements[HERE] = fight()
    procedure, asked = meet(state, each), 0
    happened: list[Any] = []

    def answered() -> Any:
        given: Any = None
        nonlocal asked
        while True:
            item = procedure.send(given)
            given = None
            if isinstance(item, Sealed):
                given = {AXIS: Withdraw(german), ALLIES: Withdraw(british)}
            elif isinstance(item, Decision):
                assert item.side == AXIS
                asked, given = asked + 1, LetGo(lets)
            else:
                yield item

    happened = run(state, answered_events(answered))
    assert [it.rule for it in of(happened, WithdrawalAllowed)] == ([rule] if rule else [])
    assert asked == (german == "stand" and british == "fighting")
    honour = {player: points for player, points in state.honour.items() if points}
    assert honour == {
        **({"Gary": -1} if german == "fighting" else {}),
        **({"Bart": -1} if british == "fighting" else {}),
    }


def answered_events(make: Any) -> Any:
    """Yield what is left of a procedure whose questions have been answered."""
    source = make()
    while True:
        try:
            item = next(source)
        except (StopIteration, RuntimeError):
            return
        yield item


# --- retreats and advances ---


@pytest.mark.rule("KH-20.01", "KH-20.03", "KH-R54", "KH-11.05")
def test_formations_retreat_each_its_way_or_together_and_who_has_none_surrenders() -> None:
    places = {"15_pz_div": HERE, "21_pz_div": HERE, "7_armd_bde": HERE}
    state = laid(places)
    asked = first_question(retreat(state, AXIS, ["15_pz_div", "21_pz_div"]))
    assert asked.options.is_legal(RetreatTo({"15_pz_div": "gambut", "21_pz_div": "el_adem"}))
    refusal = asked.options.why_not(RetreatTo({"15_pz_div": "gabr_saleh", "21_pz_div": "el_adem"}))
    assert refusal.reason.endswith("15th Panzer Division can retreat from Sidi Rezegh only to el_adem, gambut")
    together = laid(places, retreat_split="together")
    asked = first_question(retreat(together, AXIS, ["15_pz_div", "21_pz_div"]))
    assert not asked.options.is_legal(RetreatTo({"15_pz_div": "gambut", "21_pz_div": "el_adem"}))
    assert asked.options.is_legal(RetreatTo({"15_pz_div": "gambut", "21_pz_div": "gambut"}))
    state.control["gambut"] = state.control["el_adem"] = ALLIES
    answers = {AXIS: RetreatTo({"15_pz_div": "gambut", "21_pz_div": "gambut"})}
    happened = run(state, retreat(state, AXIS, ["15_pz_div", "21_pz_div"]), answers=answers)
    assert [(it.formation, it.area) for it in of(happened, FormationRetreated)] == [
        ("15_pz_div", "gambut"),
        ("21_pz_div", "gambut"),
    ]
    assert [(it.area, it.side, it.rule) for it in of(happened, ControlChanged)] == [("gambut", AXIS, "KH-11.05")]
    assert run(state, retreat(state, AXIS, [])) == []
    shut = laid({**places, "recon_cw": "gabr_saleh", "inf_cw": "gambut"})
    happened = run(shut, retreat(shut, AXIS, ["15_pz_div", "21_pz_div"], ["el_adem"]))
    assert [(it.formation, it.rule) for it in of(happened, FormationLost)] == [
        ("15_pz_div", "KH-20.03"),
        ("21_pz_div", "KH-20.03"),
    ]


@pytest.mark.rule("KH-18.07", "KH-R48", "KH-R49", "KH-7.03")
def test_the_winner_may_advance_as_a_whole_or_formation_by_formation_but_not_into_enemies() -> None:
    places = {"15_pz_div": HERE, "21_pz_div": HERE, "7_armd_bde": "gabr_saleh"}
    force = {AXIS: ["15_pz_div", "21_pz_div", "afrika_div"], ALLIES: []}
    whole, single = laid(places), laid(places, advance_scope="per_formation")
    each = engaged(forces=force)
    one = first_question(advance(whole, each, AXIS)).options
    assert one.is_legal(Advance({"15_pz_div": "gambut", "21_pz_div": "gambut"}))
    assert one.is_legal(Advance())
    assert not one.is_legal(Advance({"15_pz_div": "gambut"}))
    assert not one.is_legal(Advance({"15_pz_div": "gabr_saleh", "21_pz_div": "gabr_saleh"}))
    two = first_question(advance(single, each, AXIS)).options
    assert two.is_legal(Advance({"15_pz_div": "gambut"}))
    assert two.is_legal(Advance({"15_pz_div": "gambut", "21_pz_div": "el_adem"}))
    assert not two.is_legal(Advance({"15_pz_div": "gabr_saleh"}))
    assert not two.is_legal(Advance({"afrika_div": "gambut"}))  # it is not there any more
    single.control["gambut"] = ALLIES
    happened = run(single, advance(single, each, AXIS), answers={AXIS: Advance({"21_pz_div": "gambut"})})
    assert [(it.formation, it.area, it.rule) for it in of(happened, FormationAdvanced)] == [
        ("21_pz_div", "gambut", "KH-18.07")
    ]
    assert [(it.area, it.side) for it in of(happened, ControlChanged)] == [("gambut", AXIS)]
    shut = laid({**places, "recon_cw": "el_adem", "inf_cw": "gambut"})
    assert first_question(advance(shut, each, AXIS)) is None
    assert first_question(advance(whole, engaged(forces={AXIS: [], ALLIES: []}), AXIS)) is None


@pytest.mark.rule("KH-12.18", "KH-11.05")
def test_who_storms_takes_the_area_unless_enemies_are_still_there() -> None:
    each = engaged(forces={AXIS: ["15_pz_div", "21_pz_div"], ALLIES: []}, other="gabr_saleh")
    state = laid({"15_pz_div": HERE, "21_pz_div": HERE})
    happened = run(state, storm(state, each, AXIS, "gabr_saleh"))
    assert [(it.formation, it.start, it.area, it.rule) for it in of(happened, FormationAdvanced)] == [
        (name, HERE, "gabr_saleh", "KH-12.18") for name in ("15_pz_div", "21_pz_div")
    ]
    assert [(it.area, it.side) for it in of(happened, ControlChanged)] == [("gabr_saleh", AXIS)]
    held = laid({"15_pz_div": HERE, "7_armd_bde": "gabr_saleh"})
    assert run(held, storm(held, engaged(forces={AXIS: ["15_pz_div"], ALLIES: []}), AXIS, "gabr_saleh")) == []


@pytest.mark.rule("KH-22.13", "KH-22.14")
@pytest.mark.parametrize(
    ("armor", "general", "out"), [(60, 59, False), (60, 60, True), (0, 120, True), (119, 0, False)]
)
def test_at_a_hundred_and_twenty_a_formation_is_out(armor: int, general: int, out: bool) -> None:
    state = laid()
    state.formations["15_pz_div"].armor, state.formations["15_pz_div"].general = armor, general
    state.formations["21_pz_div"].general = 200  # it is not on the map
    happened = run(state, disable_ineffective(state))
    assert [it.formation for it in of(happened, FormationDisabled)] == ["15_pz_div"] * out
    if out:
        ((sums,),) = [it.calculations for it in happened]
        assert (sums.total, [step[1] for step in sums.steps]) == (armor + general, [armor, general])
        assert facts_of(happened, FormationDisabled)[0].area == HERE


# --- who writes orders ---


@pytest.mark.rule("KH-3.07", "KH-O1")
def test_each_commander_with_formations_writes_after_the_commander_in_chief() -> None:
    places = {"15_pz_div": HERE, "21_pz_div": "el_adem", "inf_cw": "tobruk"}
    state = laid(places, orders_by="formation_commanders")
    state.formations["afrika_div"].standing = "lost"
    first = first_question(write_orders(state))
    assert [(each.side, each.purpose) for each in first.decisions] == [
        (AXIS, "write.axis.Gary"),
        (ALLIES, "write.allies.Bart"),
    ]
    usual = first_question(write_orders(laid(places)))
    assert [each.purpose for each in usual.decisions] == ["write.axis", "write.allies"]
