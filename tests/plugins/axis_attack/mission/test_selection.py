"""Selection of the mission: dice, modifiers, roles and changes."""

from typing import Any

import pytest
from tests.plugins.axis_attack.cases import ENEMY, Lay, adjusts, ahead, changes, claims, concession, rolled
from tests.plugins.axis_attack.positions import campaign
from tests.plugins.axis_attack.rows import Row, play, row

from axis_attack.mission.selection import claimable, modifiers
from axis_attack.model import orders
from axis_attack.model.cards import MISSIONS
from axis_attack.model.events import (
    ChoiceRolled,
    MissionChanged,
    MissionSelected,
    ReconClaimed,
    RolesRolled,
    SelectionRolled,
)
from axis_attack.model.state import AxisState

LAST = "german won {} as {} {}"
WON = LAST.format("hold_the_line", "attacker", "5-2")
HELD = LAST.format("hold_the_line", "defender", "5-2")
TWO = "pg1 pg full; pg2 pg full"
RECON = ("cars", "cycles")
SURROUNDED, FAIR = LAST.format("cauldron", "defender", "5-2"), LAST.format("encounter", "defender", "5-2")
SCOUTS = f"{TWO}; cars cars full; cycles cycles full"


def once_rich(state: AxisState) -> None:
    state.earned = {"german": 20, "soviet": 10}


def select(rules: str, name: str, *answers: Any, dice: tuple[int, int] = (1, 5), **words: Any) -> Any:
    """Return a row of a selection up to the table's placement. The Germans won the last game by default."""
    more = {"last": WON, "until": orders.PlaceTable, "dice": rolled(*dice), **words}
    return row(rules, name, *answers, at="selection", **more)


def scouts(
    rules: str, name: str, *claimed: str, german: str = SCOUTS, there: Any = ("cars", "cycles"), **w: Any
) -> Any:
    answers = (claims("german", *claimed),) if claimed else ()
    return select(rules, name, *answers, german=german, tweak=ahead(*there), **w)


def picked(die: int, raw: str, mission: str) -> Any:
    rules = "8.07 8.08 8.13 8.14 8.15 8.16 8.17 8.18"
    last, roles = LAST.format("hold_the_line", "attacker", raw), (mission, "german", "soviet")
    return select(rules, f"{die} {raw}", dice=(die, 1), last=last, roles=roles)


def claimed(platoons: list[str], immobile: list[str]) -> dict[Any, Any]:
    return {ReconClaimed: [{"platoons": platoons, "immobile": immobile}]}


def paid(rules: str, name: str, asked: list[str], *answers: Any, **words: Any) -> Any:
    """Return a row up to the decision for a different mission."""
    return select(rules, name, *answers, until=orders.ChangeMission, asked=asked, **words)


LEAVES = ("soviet", orders.ChangeMission())
TIE: dict[str, Any] = {"last": LAST.format("breakthrough", "defender", "4-3"), "dice": (4, 3), "balance": (0, 0)}
ADJUSTS = "8.11 8.12 R39"


@pytest.mark.rule(
    "AOA-10.15 AOA-10.16 AOA-10.17 AOA-8.01 AOA-8.02 AOA-8.03 AOA-8.04 AOA-8.05 AOA-8.06 AOA-8.07 AOA-8.08 AOA-8.09"
    " AOA-8.11 AOA-8.12 AOA-8.13 AOA-8.14 AOA-8.15 AOA-8.16 AOA-8.17 AOA-8.18 AOA-8.19 AOA-8.20 AOA-R04 AOA-R05"
    " AOA-R06 AOA-R34 AOA-R35 AOA-R36 AOA-R37 AOA-R38 AOA-R39 AOA-R51"
)
@pytest.mark.parametrize(
    "case",
    [
        select("8.01 8.02", "points_of_the_last_game", balance=(4, 4), totals=(6, 7)),
        select("8.03 R05 R06", "more_german_points", balance=(5, 4), totals=(7, 7)),
        select("8.03 R05 R06", "more_soviet_points", balance=(4, 5), totals=(6, 8)),
        select("8.03 R05 R06", "equal_points", balance=(4, 4), totals=(6, 7)),
        select("R05", "points_left", balance=(1, 4), tweak=once_rich, totals=(6, 8)),
        select("R05", "points_won", balance=(1, 4), tweak=once_rich, vp_total_basis="earned", totals=(7, 7)),
        scouts("8.04 R36 R37", "no_scout", totals=(6, 7)),
        scouts("8.04 R36 R37", "one_scout", "cars", totals=(7, 7)),
        scouts("8.04 R36 R37", "two_scouts", "cars", "cycles", totals=(8, 7)),
        scouts("8.05 10.15 10.16 10.17", "gutted_scout", german=f"{TWO}; cycles cycles gutted", there=["cycles"],
               totals=(6, 7), each={ReconClaimed: []}),
        scouts("8.05 10.15 10.16 10.17", "immobile_scout", german=f"{TWO}; cycles cycles full immobile",
               there=["cycles"], totals=(6, 7)),
        scouts("10.15 8.05 R51", "scout_without_transport", "cycles", german=f"{TWO}; cycles cycles full transports=4",
               there=["cycles"], totals=(6, 7), each=claimed(["cycles"], ["cycles"])),
        scouts("8.04 10.15", "one_of_two_without_transport", "cars", "cycles",
               german=f"{TWO}; cars cars full; cycles cycles full transports=4", there=["cycles", "cars"],
               totals=(7, 7), each=claimed(["cycles", "cars"], ["cycles"])),
        select("8.06 R34 R35", "defender_of_a_line", last=HELD, totals=(4, 7)),
        select("8.06 R34 R35", "defender_of_a_cauldron", last=SURROUNDED, totals=(4, 7)),
        select("8.06 R34 R35", "attacker", totals=(6, 7)),
        select("8.06 R34 R35", "fair_fight", last=FAIR, totals=(6, 7)),
        select("R35", "minus_2", last=HELD, won_as_defender_mod="minus_2", totals=(4, 7)),
        select("R35", "plus_2", last=HELD, won_as_defender_mod="plus_2", totals=(8, 7)),
        select("R35", "zero", last=HELD, won_as_defender_mod="zero", totals=(6, 7)),
        picked(6, "6-1", "breakthrough"),
        picked(5, "5-2", "breakthrough"),
        picked(4, "5-2", "encounter"),
        picked(3, "5-2", "encounter"),
        picked(2, "5-2", "cauldron"),
        picked(2, "4-3", "fighting_withdrawal"),
        picked(1, "4-3", "hold_the_line"),
        # 4 (1 + 5 - 2) against 3 (1 + 2): the higher total attacks, although the other company is infantry
        select("8.18 8.08", "trench_fight", dice=(1, 1), last=HELD, totals=(4, 3),
               roles=("trench_fight", "german", "soviet")),
        # the mechanized company attacks infantry in a defensive battle without a roll
        select("8.09 R38", "tie_of_a_defensive_battle", dice=(1, 4), totals=(6, 6),
               roles=("fighting_withdrawal", "german", "soviet"), each={RolesRolled: [{"dice": {}}]}),
        select(ADJUSTS, "german_up", adjusts("german", "german", 1), roles=("cauldron", "german", "soviet"), **TIE),
        select(ADJUSTS, "german_down", adjusts("german", "german", -1),
               roles=("fighting_withdrawal", "soviet", "german"), **TIE),
        select(ADJUSTS, "soviet_up", adjusts("german", "soviet", 1), roles=("cauldron", "soviet", "german"), **TIE),
        select(ADJUSTS, "soviet_down", adjusts("german", "soviet", -1),
               roles=("fighting_withdrawal", "german", "soviet"), **TIE),
        paid("8.19 8.20", "richer_first", ["soviet"], balance=(6, 8)),
        paid("8.19 8.20", "poorer_second", ["german"], LEAVES, balance=(6, 8)),
        paid("8.19 8.20 R05", "first_right_without_the_points", ["soviet"], balance=(4, 5), tweak=once_rich,
             vp_total_basis="earned"),
        select("8.19 R04", "too_dear", balance=(4, 3), left=(4, 3), each={MissionChanged: []}),
        select("8.19 8.20", "left_by_both", LEAVES, ("german", orders.ChangeMission()), balance=(6, 8), left=(6, 8)),
    ],
)  # fmt: skip
def test_mission_selection_follows_the_rules(lay: Lay, case: Row) -> None:
    play(lay, case)


@pytest.mark.rule("AOA-8.04", "AOA-8.05", "AOA-R36", "AOA-10.20")
def test_only_fit_scouts_of_the_winner_can_be_claimed(lay: Lay) -> None:
    german = "cars cars depleted; cycles cycles gutted; more cars full immobile; pg1 pg full"
    state = campaign(german, recon_ahead=["cycles", "pg1", "more", "nobody", "cars"])
    for winner, found in (("german", ["cars"]), ("soviet", []), ("draw", [])):
        state.winner = winner
        assert claimable(state) == found
    case = lay("selection", last=WON, german=SCOUTS, tweak=ahead("cars")).play(until=orders.ClaimRecon)
    assert not case.expects(orders.ClaimRecon, "soviet")
    for wrong in (("cycles",), ("pg1",), ("cars", "cars"), ("scouts",)):
        assert case.why_not(claims("german", *wrong)) in {"AOA-8.04", "AOA-8.05"}
    assert case.allows(claims("german", "cars"))


@pytest.mark.rule("AOA-5.25", "AOA-8.04")
def test_every_recon_platoon_counts_after_a_concession(lay: Lay) -> None:
    forces = {"german": "pg1 7; pg2 7; cars 4; cycles 7"}
    case = lay("battle", german=SCOUTS, forces=forces, dice=rolled(2, 3)).play(concession("soviet")).next_turn()
    case.play(claims("german", "cars", "cycles"), until=orders.PlaceTable)
    selected = case.events(SelectionRolled, later=True)[-1]
    assert selected.totals == {"german": 2 + 6 + 1 + 2, "soviet": 3 + 1}


@pytest.mark.rule("AOA-8.02", "AOA-8.03", "AOA-8.04", "AOA-8.06")
def test_modifiers_of_zero_are_omitted() -> None:
    state = campaign(balance={"german": 3, "soviet": 3}, raw={"german": 5, "soviet": 2})
    assert modifiers(state, "german", 0) == [("points", 5)]
    assert modifiers(state, "german", 2) == [("points", 5), ("recon", 2)]
    assert modifiers(state, "soviet", 2) == [("points", 2)]
    state.balance["soviet"] = 4
    assert modifiers(state, "soviet", 0) == [("points", 2), ("higher_total", 1)]
    state.attacker, state.defender = "soviet", "german"
    assert modifiers(state, "german", 0) == [("points", 5), ("won_as_defender", -2)]
    for winner, mission in (("german", "encounter"), ("draw", "cauldron")):
        state.winner, state.mission = winner, mission
        assert modifiers(state, "german", 0) == [("points", 5)]


@pytest.mark.rule("AOA-8.09", "AOA-R38", "AOA-R69")
def test_tied_selection_leaves_the_roles_to_the_mission(lay: Lay) -> None:
    case = lay("selection", last=WON, dice=rolled(2, 5)).play(until=orders.PlaceTable)
    assert case.totals() == (7, 7)
    assert case.one(MissionSelected).mission == "cauldron"
    assert {case.state.attacker, case.state.defender} == {"german", "soviet"}
    assert case.one(RolesRolled).attacker == case.state.attacker


@pytest.mark.rule("AOA-8.10", "AOA-8.12", "AOA-R39", "AOA-R40")
@pytest.mark.parametrize("last", ["breakthrough", "fighting_withdrawal"])
def test_winning_defender_may_change_the_higher_total_by_one(lay: Lay, last: str) -> None:
    """The totals are 5 and 7."""
    case = lay("selection", last=LAST.format(last, "defender", "5-2"), dice=rolled(2, 5)).play(until=orders.AdjustTotal)
    for of, by in (("german", 1), ("soviet", 2), ("soviet", -2)):
        assert case.why_not(adjusts("german", of, by)) == "AOA-8.10"
    case.play(adjusts("german", "soviet", -1), until=orders.PlaceTable)
    assert case.roles() == ("fighting_withdrawal", "soviet", "german")


@pytest.mark.rule("AOA-8.10")
@pytest.mark.parametrize(
    "last",
    [WON, "german won breakthrough as attacker 5-2", "german won cauldron as defender 5-2", "draw encounter 1-1"],
)
def test_other_winners_may_not_change_a_total(lay: Lay, last: str) -> None:
    case = lay("selection", last=last)
    while not case.expects(orders.PlaceTable):
        assert not case.expects(orders.AdjustTotal)
        case.game.submit(case.answer(case.pending[0]), case.pending[0].seat)


# --- paying for a change ---


def neighbors(mission: str) -> list[str]:
    place = MISSIONS.index(mission)
    return [MISSIONS[each] for each in (place - 1, place + 1) if 0 <= each < len(MISSIONS)]


def test_missions_are_in_the_printed_order() -> None:
    printed = ("breakthrough", "encounter", "cauldron", "fighting_withdrawal", "hold_the_line", "trench_fight")
    assert printed == MISSIONS


@pytest.mark.rule("AOA-8.19", "AOA-R41")
@pytest.mark.parametrize(
    ("die", "last"),
    [(6, "6-1"), (4, "5-2"), (2, "5-2"), (2, "4-3"), (1, "4-3"), (1, HELD)],
    ids=["breakthrough", "encounter", "cauldron", "fighting_withdrawal", "hold_the_line", "trench_fight"],
)
def test_five_points_move_the_mission_by_one_step(
    lay: Lay, request: pytest.FixtureRequest, die: int, last: str
) -> None:
    won = last if " " in last else LAST.format("hold_the_line", "attacker", last)
    case = lay("selection", last=won, dice=rolled(die, 1), balance=(0, 5)).play(until=orders.ChangeMission)
    mission = case.state.mission
    assert mission == request.node.callspec.id
    assert [each for each in MISSIONS if case.allows(changes("soviet", each))] == neighbors(mission)
    wanted = neighbors(mission)[-1]
    case.play(changes("soviet", wanted), until=orders.PlaceTable)
    assert (case.state.mission, case.balance(), case.one(MissionChanged).cost) == (wanted, (0, 0), 5)
    assert mission == "trench_fight" or case.roles() == (wanted, "german", "soviet")


@pytest.mark.rule("AOA-8.20")
def test_mission_is_changed_at_most_once(lay: Lay) -> None:
    case = lay("selection", last=WON, balance=(6, 8)).play(until=orders.ChangeMission)
    case.game.submit(changes("soviet", neighbors(case.state.mission)[0])[1], "soviet")
    assert not case.expects(orders.ChangeMission)


@pytest.mark.rule("AOA-R06", "AOA-8.19", "AOA-R31")
@pytest.mark.parametrize("side", ["german", "soviet", "draw"])
def test_equal_sides_decide_first_by_the_last_win_or_a_roll(lay: Lay, side: str) -> None:
    last = "draw encounter 1-1" if side == "draw" else f"{side} won hold_the_line as attacker 5-2"
    dice = {"choice:german": "2 3", "choice:soviet": "2 4"} if side == "draw" else {}
    case = lay("selection", last=last, balance=(6, 6), dice=dice).play(until=orders.ChangeMission)
    first = "soviet" if side == "draw" else side
    assert [each.side for each in case.pending] == [first]
    for choice in case.events(ChoiceRolled):
        assert (choice.winner, choice.dice, choice.rule) == ("soviet", {"german": [2, 3], "soviet": [2, 4]}, "AOA-R06")
    assert len(case.events(ChoiceRolled)) == (side == "draw")
    case.play((first, orders.ChangeMission()), until=orders.ChangeMission)
    assert [each.side for each in case.pending] == [ENEMY[first]]  # the other side may decide after it
