"""Selection of the mission: dice, modifiers, roles and changes."""

import pytest
from tests.plugins.axis_attack.cases import ENEMY, Case, Lay, adjusts, changes, claims, concession
from tests.plugins.axis_attack.positions import campaign

from axis_attack.mission.selection import claimable, modifiers
from axis_attack.model import events, orders
from axis_attack.model.cards import MISSIONS
from axis_attack.model.events import MissionChanged, MissionSelected, ReconClaimed, RolesRolled, SelectionRolled
from axis_attack.model.state import AxisState

WON = "german won hold_the_line as attacker 5-2"


@pytest.mark.rule("AOA-8.19", "AOA-8.20", "AOA-R05")
def test_who_has_the_first_right_and_cannot_pay_does_not_keep_the_other_from_paying(lay: Lay) -> None:
    def once_rich(state: AxisState) -> None:
        state.earned = {"german": 20, "soviet": 10}

    case = lay("selection", last=WON, balance=(4, 5), tweak=once_rich, vp_total_basis="earned")
    case.play(until=orders.ChangeMission)
    assert [each.side for each in case.asked] == ["soviet"]


@pytest.mark.rule("AOA-R06", "AOA-8.19", "AOA-R31")
def test_after_a_draw_dice_say_who_of_equals_has_the_first_right(lay: Lay) -> None:
    dice = {"choice:german": "2 3", "choice:soviet": "2 4"}
    case = lay("selection", last="draw encounter 1-1", balance=(5, 5), dice=dice).play(until=orders.ChangeMission)
    assert [each.side for each in case.asked] == ["soviet"]
    rolled = case.one(events.ChoiceRolled)
    assert (rolled.winner, rolled.dice, rolled.rule) == ("soviet", {"german": [2, 3], "soviet": [2, 4]}, "AOA-R06")
    case.play(("soviet", orders.ChangeMission()), until=orders.ChangeMission)
    assert [each.side for each in case.asked] == ["german"]


@pytest.mark.rule("AOA-8.04", "AOA-8.05", "AOA-10.20")
def test_only_scouts_of_the_winner_that_are_fit_and_mobile_may_be_claimed(lay: Lay) -> None:
    german = "cars cars depleted; cycles cycles gutted; more cars full immobile; pg1 pg full"
    state = campaign(german, recon_ahead=["cycles", "pg1", "more", "nobody", "cars"])
    assert claimable(state) == ["cars"]
    state.winner = "soviet"
    assert claimable(state) == []
    state.winner = "draw"
    assert claimable(state) == []
    case = lay("selection", last=WON, german="pg1 pg full; pg2 pg full; cycles cycles gutted",
               tweak=lambda it: setattr(it, "recon_ahead", ["cycles"]))  # fmt: skip
    case.play(until=orders.PlaceTable)
    assert case.events(events.ReconClaimed) == []


@pytest.mark.rule("AOA-8.04", "AOA-10.15")
def test_of_two_scouts_that_claim_the_one_without_its_transport_does_not_count(lay: Lay) -> None:
    case = lay(
        "selection", last=WON, german="pg1 pg full; pg2 pg full; cars cars full; cycles cycles full transports=4",
        dice={"selection:german": "1", "selection:soviet": "5"},
        tweak=lambda it: setattr(it, "recon_ahead", ["cycles", "cars"]),
    )  # fmt: skip
    case.play(claims("german", "cars", "cycles"), until=orders.PlaceTable)
    assert case.totals() == (7, 7)
    claimed = case.one(events.ReconClaimed)
    assert (sorted(claimed.platoons), claimed.immobile) == (["cars", "cycles"], ["cycles"])


@pytest.mark.rule("AOA-8.02", "AOA-8.03", "AOA-8.04", "AOA-8.06")
def test_modifiers_are_told_but_for_those_of_nought() -> None:
    state = campaign(balance={"german": 3, "soviet": 3}, raw={"german": 5, "soviet": 2})
    assert modifiers(state, "german", 0) == [("points", 5)]
    assert modifiers(state, "german", 2) == [("points", 5), ("recon", 2)]
    assert modifiers(state, "soviet", 2) == [("points", 2)]
    state.balance["soviet"] = 4
    assert modifiers(state, "soviet", 0) == [("points", 2), ("higher_total", 1)]
    state.attacker, state.defender = "soviet", "german"
    assert modifiers(state, "german", 0) == [("points", 5), ("won_as_defender", -2)]
    state.mission = "encounter"
    assert modifiers(state, "german", 0) == [("points", 5)]
    state.winner, state.mission = "draw", "cauldron"
    assert modifiers(state, "german", 0) == [("points", 5)]


def test_missions_stand_on_the_ladder_as_they_are_printed() -> None:
    printed = ("breakthrough", "encounter", "cauldron", "fighting_withdrawal", "hold_the_line", "trench_fight")
    assert printed == MISSIONS


def rolled(german: int, soviet: int) -> dict[str, str]:
    return {"selection:german": str(german), "selection:soviet": str(soviet)}


def select(lay: Lay, german: int, soviet: int, last: str = WON, **more: object) -> Case:
    """Roll for the next mission and go on to the placing of the table."""
    case: Case = lay("selection", last=last, dice=rolled(german, soviet), **more)
    return case.play(until=orders.PlaceTable)


@pytest.mark.rule("AOA-8.01", "AOA-8.02")
def test_both_add_the_points_of_the_last_game_to_a_die(lay: Lay) -> None:
    case = select(lay, 1, 5, balance=(4, 4))
    assert case.totals() == (6, 7)


@pytest.mark.rule("AOA-8.03", "AOA-R05", "AOA-R06")
@pytest.mark.parametrize(("balance", "totals"), [((5, 4), (7, 7)), ((4, 5), (6, 8)), ((4, 4), (6, 7))])
def test_the_higher_total_of_points_adds_one(lay: Lay, balance: tuple[int, int], totals: tuple[int, int]) -> None:
    assert select(lay, 1, 5, balance=balance).totals() == totals


@pytest.mark.rule("AOA-R05")
def test_it_may_be_all_points_that_were_ever_won(lay: Lay) -> None:
    def rich_once(state: AxisState) -> None:
        state.earned = {"german": 20, "soviet": 10}

    assert select(lay, 1, 5, balance=(1, 4), tweak=rich_once).totals() == (6, 8)
    assert select(lay, 1, 5, balance=(1, 4), tweak=rich_once, vp_total_basis="earned").totals() == (7, 7)


def ahead(*platoons: str) -> object:
    def laid(state: AxisState) -> None:
        state.recon_ahead = list(platoons)

    return laid


@pytest.mark.rule("AOA-8.04", "AOA-R36", "AOA-R37")
@pytest.mark.parametrize(("claimed", "total"), [((), 6), (("cars",), 7), (("cars", "cycles"), 8)])
def test_recon_platoons_in_the_enemys_half_add_one_each(lay: Lay, claimed: tuple[str, ...], total: int) -> None:
    german = "pg1 pg full; pg2 pg full; cars cars full; cycles cycles full"
    case = lay("selection", last=WON, german=german, dice=rolled(1, 5), tweak=ahead("cars", "cycles"))
    case.play(claims("german", *claimed), until=orders.PlaceTable)
    assert case.totals() == (total, 7)


@pytest.mark.rule("AOA-8.05", "AOA-10.15", "AOA-10.16", "AOA-10.17")
@pytest.mark.parametrize("row", ["cycles cycles gutted", "cycles cycles full immobile"], ids=["gutted", "immobile"])
def test_a_scout_counts_only_if_it_is_fit_and_mobile(lay: Lay, row: str) -> None:
    case = lay(
        "selection", last=WON, german=f"pg1 pg full; pg2 pg full; {row}", dice=rolled(1, 5), tweak=ahead("cycles")
    )
    case.play(until=orders.PlaceTable)
    assert case.totals() == (6, 7)


@pytest.mark.rule("AOA-10.15", "AOA-8.05", "AOA-R51")
def test_a_scout_that_claims_without_its_transport_is_shown_up_and_does_not_count(lay: Lay) -> None:
    german = "pg1 pg full; pg2 pg full; cycles cycles full transports=4"
    case = lay("selection", last=WON, german=german, dice=rolled(1, 5), tweak=ahead("cycles"))
    case.play(claims("german", "cycles"), until=orders.PlaceTable)
    assert (case.one(ReconClaimed).platoons, case.one(ReconClaimed).immobile) == (["cycles"], ["cycles"])
    assert case.totals() == (6, 7)


@pytest.mark.rule("AOA-8.04", "AOA-R36")
def test_only_what_the_result_names_can_be_claimed(lay: Lay) -> None:
    case = lay(
        "selection",
        last=WON,
        german="pg1 pg full; pg2 pg full; cars cars full; cycles cycles full",
        tweak=ahead("cars"),
    )
    case.play(until=orders.ClaimRecon)
    assert not case.asks(orders.ClaimRecon, "soviet")
    for wrong in (("cycles",), ("pg1",), ("cars", "cars"), ("scouts",)):
        assert case.why_not(claims("german", *wrong)) in {"AOA-8.04", "AOA-8.05"}
    assert case.allows(claims("german", "cars"))


@pytest.mark.rule("AOA-5.25", "AOA-8.04")
def test_after_a_concession_every_recon_platoon_counts(lay: Lay) -> None:
    german = "pg1 pg full; pg2 pg full; cars cars full; cycles cycles full"
    case = lay("battle", german=german, forces={"german": "pg1 7; pg2 7; cars 4; cycles 7"}, dice=rolled(2, 3))
    case.play(concession("soviet")).next_turn()
    case.play(claims("german", "cars", "cycles"), until=orders.PlaceTable)
    selected = case.events(SelectionRolled, later=True)[-1]
    assert selected.totals == {"german": 2 + 6 + 1 + 2, "soviet": 3 + 1}


@pytest.mark.rule("AOA-8.06", "AOA-R34", "AOA-R35")
@pytest.mark.parametrize(
    ("last", "total"),
    [
        ("german won hold_the_line as defender 5-2", 4),
        ("german won cauldron as defender 5-2", 4),
        ("german won hold_the_line as attacker 5-2", 6),
        ("german won encounter as defender 5-2", 6),
    ],
)
def test_a_defender_who_won_subtracts_two_but_for_a_fair_fight(lay: Lay, last: str, total: int) -> None:
    assert select(lay, 1, 5, last).totals() == (total, 7)


@pytest.mark.rule("AOA-R35")
@pytest.mark.parametrize(("value", "total"), [("minus_2", 4), ("plus_2", 8), ("zero", 6)])
def test_the_sign_of_that_is_a_ruling(lay: Lay, value: str, total: int) -> None:
    case = select(lay, 1, 5, "german won hold_the_line as defender 5-2", won_as_defender_mod=value)
    assert case.totals() == (total, 7)


@pytest.mark.rule("AOA-8.07", "AOA-8.08", "AOA-8.13", "AOA-8.14", "AOA-8.15", "AOA-8.16", "AOA-8.17", "AOA-8.18")
@pytest.mark.parametrize(
    ("die", "raw", "mission"),
    [
        (6, "6-1", "breakthrough"),
        (5, "5-2", "breakthrough"),
        (4, "5-2", "encounter"),
        (3, "5-2", "encounter"),
        (2, "5-2", "cauldron"),
        (2, "4-3", "fighting_withdrawal"),
        (1, "4-3", "hold_the_line"),
    ],
)
def test_the_higher_total_picks_the_mission_and_attacks(lay: Lay, die: int, raw: str, mission: str) -> None:
    case = select(lay, die, 1, f"german won hold_the_line as attacker {raw}")
    assert case.roles() == (mission, "german", "soviet")


@pytest.mark.rule("AOA-8.18", "AOA-8.08")
def test_four_or_less_is_a_trench_fight_and_the_higher_scorer_attacks_all_the_same(lay: Lay) -> None:
    case = select(lay, 1, 1, "german won hold_the_line as defender 5-2")  # 1 + 5 - 2 = 4 against 1 + 2 = 3
    assert case.totals() == (4, 3)
    assert case.roles() == ("trench_fight", "german", "soviet")
    assert case.state.board.lists["soviet"].company == "infantry"


@pytest.mark.rule("AOA-8.09", "AOA-R38", "AOA-R69")
def test_a_tie_leaves_the_roles_to_the_mission(lay: Lay) -> None:
    case = select(lay, 2, 5)
    assert case.totals() == (7, 7)
    assert case.one(MissionSelected).mission == "cauldron"
    assert {case.state.attacker, case.state.defender} == {"german", "soviet"}
    assert case.one(RolesRolled).attacker == case.state.attacker


@pytest.mark.rule("AOA-8.09", "AOA-R38")
def test_in_a_defensive_battle_the_heavier_company_attacks(lay: Lay) -> None:
    """Mechanised attacks infantry; no die is rolled."""
    case = select(lay, 1, 4)  # 6 and 6: a fighting withdrawal
    assert case.totals() == (6, 6)
    assert case.roles() == ("fighting_withdrawal", "german", "soviet")
    assert case.one(RolesRolled).dice == {}


@pytest.mark.rule("AOA-8.10", "AOA-8.12", "AOA-R39", "AOA-R40")
@pytest.mark.parametrize("last", ["breakthrough", "fighting_withdrawal"])
def test_who_held_a_breakthrough_may_move_the_higher_total_by_one(lay: Lay, last: str) -> None:
    case = lay("selection", last=f"german won {last} as defender 5-2", dice=rolled(2, 5)).play(
        until=orders.AdjustTotal
    )  # 5 and 7
    assert case.why_not(adjusts("german", "german", 1)) == "AOA-8.10"
    assert case.why_not(adjusts("german", "soviet", 2)) == "AOA-8.10"
    assert case.why_not(adjusts("german", "soviet", -2)) == "AOA-8.10"
    case.play(adjusts("german", "soviet", -1), until=orders.PlaceTable)
    assert case.roles() == ("fighting_withdrawal", "soviet", "german")


@pytest.mark.rule("AOA-8.10")
@pytest.mark.parametrize(
    "last",
    [WON, "german won breakthrough as attacker 5-2", "german won cauldron as defender 5-2", "draw encounter 1-1"],
)
def test_nobody_else_may(lay: Lay, last: str) -> None:
    case = lay("selection", last=last)
    while not case.asks(orders.PlaceTable):
        assert not case.asks(orders.AdjustTotal)
        case.game.submit(case.answer(case.asked[0]), case.asked[0].seat)


@pytest.mark.rule("AOA-8.11", "AOA-8.12", "AOA-R39")
@pytest.mark.parametrize(
    ("of", "by", "roles"),
    [
        ("german", 1, ("cauldron", "german", "soviet")),
        ("german", -1, ("fighting_withdrawal", "soviet", "german")),
        ("soviet", 1, ("cauldron", "soviet", "german")),
        ("soviet", -1, ("fighting_withdrawal", "german", "soviet")),
    ],
)
def test_of_a_tie_either_total_may_be_moved(lay: Lay, of: str, by: int, roles: tuple[str, str, str]) -> None:
    case = lay(
        "selection", last="german won breakthrough as defender 4-3", dice=rolled(4, 3), balance=(0, 0)
    )  # 4+4-2, 3+3
    case.play(adjusts("german", of, by), until=orders.PlaceTable)
    assert case.roles() == roles


def neighbours(mission: str) -> list[str]:
    place = MISSIONS.index(mission)
    return [MISSIONS[each] for each in (place - 1, place + 1) if 0 <= each < len(MISSIONS)]


@pytest.mark.rule("AOA-8.19", "AOA-R41")
@pytest.mark.parametrize(("die", "raw"), [(6, "6-1"), (4, "5-2"), (2, "5-2"), (2, "4-3"), (1, "4-3")])
def test_five_points_move_the_mission_by_one_step(lay: Lay, die: int, raw: str) -> None:
    last = f"german won hold_the_line as attacker {raw}"
    case = lay("selection", last=last, dice=rolled(die, 1), balance=(0, 5))
    case.play(until=orders.ChangeMission)
    mission = case.state.mission
    for each in MISSIONS:
        assert case.allows(changes("soviet", each)) is (each in neighbours(mission))
    wanted = neighbours(mission)[-1]
    case.play(changes("soviet", wanted), until=orders.PlaceTable)
    assert case.roles() == (wanted, "german", "soviet")
    assert case.balance() == (0, 0)
    assert case.one(MissionChanged).cost == 5


@pytest.mark.rule("AOA-8.19")
def test_trench_fight_is_the_last_rung(lay: Lay) -> None:
    case = lay("selection", last="german won hold_the_line as defender 5-2", dice=rolled(1, 1), balance=(0, 5))
    case.play(until=orders.ChangeMission)  # 4 against 4: a trench fight
    assert case.state.mission == "trench_fight"
    assert not case.allows(changes("soviet", "breakthrough"))
    assert case.allows(changes("soviet", "hold_the_line"))


@pytest.mark.rule("AOA-8.19", "AOA-8.20")
def test_the_richer_player_has_the_first_right_and_the_other_the_second(lay: Lay) -> None:
    case = lay("selection", last=WON, balance=(6, 8)).play(until=orders.ChangeMission)
    assert [each.side for each in case.asked] == ["soviet"]
    case.play(("soviet", orders.ChangeMission()), until=orders.ChangeMission)
    assert [each.side for each in case.asked] == ["german"]
    case.play(("german", orders.ChangeMission()), until=orders.PlaceTable)
    assert case.balance() == (6, 8)


@pytest.mark.rule("AOA-8.20")
def test_after_a_change_there_is_no_second_one(lay: Lay) -> None:
    case = lay("selection", last=WON, balance=(6, 8)).play(until=orders.ChangeMission)
    case.game.submit(changes("soviet", neighbours(case.state.mission)[0])[1], "soviet")
    assert not case.asks(orders.ChangeMission)


@pytest.mark.rule("AOA-R06", "AOA-8.19")
@pytest.mark.parametrize("side", ["german", "soviet"])
def test_of_equals_the_last_winner_has_the_first_right(lay: Lay, side: str) -> None:
    case = lay("selection", last=f"{side} won hold_the_line as attacker 5-2", balance=(6, 6)).play(
        until=orders.ChangeMission
    )
    assert [each.side for each in case.asked] == [side]
    case.play((side, orders.ChangeMission()), until=orders.ChangeMission)
    assert [each.side for each in case.asked] == [ENEMY[side]]  # the first right, not the only one


@pytest.mark.rule("AOA-8.19", "AOA-R04")
def test_nobody_buys_a_mission_that_he_cannot_pay(lay: Lay) -> None:
    case = lay("selection", last=WON, balance=(4, 3))
    case.play(until=orders.PlaceTable)
    assert case.events(MissionChanged) == []
    assert case.balance() == (4, 3)
