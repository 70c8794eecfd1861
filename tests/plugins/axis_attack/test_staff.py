"""The commander: what he does with forces, dice and points, and how he fares against random."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from axis_attack.bots.campaign import Last, course_of
from axis_attack.bots.players import BETTER, Commander, change_mission
from axis_attack.bots.recovery import dice
from axis_attack.bots.situation import Situation
from axis_attack.fog.views import view
from axis_attack.model import orders
from axis_attack.model.cards import DEPLETED, GUTTED
from axis_attack.model.orders import AssignDice, ChooseForce, RaisePlatoons
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.views import View
from sandtable.lab.matches.games import GameResult, MatchPlan, play_one
from sandtable.plugin.manager import Rulesets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.plugins.axis_attack.conftest import Lay

    from axis_attack.model.state import AxisState
    from sandtable.kernel.decisions import Decision
    from sandtable.plugin.manager import Prepared

SIDES = ("german", "soviet")


def prepared(scenario: str = "eastern_front") -> Prepared:
    return Rulesets().load("axis_attack").prepare(scenario)


def campaign(ready: Prepared, seed: str) -> Iterator[tuple[AxisState, Decision, Order]]:
    """Play a campaign of two commanders; yield each question with the answer before it is given."""
    from sandtable.kernel.dice import KeyedDice  # noqa: PLC0415 - only here
    from sandtable.tabletop.resolver.resolver import ResolverPlayer  # noqa: PLC0415

    game = ready.new_game(KeyedDice(key_from_seed(seed)))
    players = {side: Commander(side, Stream(side.encode()), ready.board) for side in SIDES}
    seats = players | {"umpire": ResolverPlayer("umpire", Stream(b"umpire"), ready.board)}
    game.start()
    while not game.is_over:
        decision = game.waiting()[0]
        order = seats[decision.seat].choose(decision, View(decision.side, game.view))
        state: Any = game.state
        yield state, decision, order
        game.submit(order, decision.seat)


@pytest.mark.full
def test_his_answers_are_allowed_and_his_forces_nearly_fill_the_limit() -> None:
    for state, decision, order in campaign(prepared(), "full weight"):
        assert decision.options.why_not(order) is None
        if isinstance(order, ChooseForce) and state.turn == 1:
            space = decision.options
            assert space.points(order) >= state.board.limit * 9 // 10  # type: ignore[attr-defined]


@pytest.mark.full
def test_all_dice_go_to_platoons_below_what_was_bought() -> None:
    seen = 0
    for number in range(2):
        for state, decision, order in campaign(prepared(), f"dice {number}"):
            if isinstance(order, AssignDice):
                seen += 1
                roster = state.rosters[decision.side]
                assert all(roster[each].level < roster[each].bought for each in order.dice)
                assert sum(order.dice.values()) >= min(4, order.bought + 1)
                situation = Situation(view(state, decision.side), state.board, decision.side, Stream(b"another"))
                assert order == dice(situation, decision), "none is left to chance: who is raised already gets no die"
            if isinstance(order, RaisePlatoons):
                roster = state.rosters[decision.side]
                assert order.platoons
                assert all(roster[each].level <= GUTTED < DEPLETED for each in order.platoons)
    assert seen > 10


def match(scenario: str, games: int) -> list[GameResult]:
    plan = MatchPlan("axis_attack", ("commander", "random"), games, "staff", scenario)
    ready = prepared(scenario)
    return [play_one(ready, plan, number) for number in range(games)]


@pytest.mark.full
def test_he_wins_most_of_a_few_campaigns() -> None:
    assert sum(each.outcome == each.first for each in match("eastern_front", 12)) >= 9


# --- what he reckons with ---


def asked(lay: Lay, side: str, kind: type[Order], **position: Any) -> Order:
    """Return what the commander of a side answers in a position that is laid by hand."""
    case = lay(**position).play(until=kind, by=side)
    decision = case.decision(side, kind)
    commander = Commander(side, Stream(b"staff"), case.state.board)
    order = commander.choose(decision, View(side, case.game.view))
    assert decision.options.why_not(order) is None
    return order


def test_shares_are_even_between_equals_and_rise_towards_the_enemys_home() -> None:
    course = course_of(prepared().board, 0)
    for games in range(10):
        shares = [course.before(games, sector, Last()) for sector in range(1, 8)]
        assert shares == sorted(shares)
        assert abs(shares[3] - 500_000) < 100_000  # Germans on wheels break through by two sectors
    assert [course.before(0, sector, Last()) for sector in (2, 3, 6)] == [0, 500_000, 1_000_000]
    better = course_of(prepared().board, 600_000)
    assert better.before(5, 4, Last()) > course.before(5, 4, Last())
    assert course.before(5, 4, Last("german", 6)) > course.before(5, 4, Last("soviet", 6))


WEAK = "pg1 pg full; pg2 pg full; panzer panzer full; pak40 pak40 full"


@pytest.mark.rule("AOA-5.22", "AOA-5.23")
def test_he_gives_up_a_hopeless_game_but_never_at_home_nor_an_even_one(lay: Lay) -> None:
    """As attacker of a withdrawal he loses little by it: the front goes his way whoever wins."""

    def shown(state: AxisState) -> None:
        state.shown = {"german": [], "soviet": list(state.rosters["soviet"])}

    def answered(**position: Any) -> Order:
        return asked(lay, "german", orders.Concede, at="forces", german=WEAK, tweak=shown, **position)

    assert answered(mission="fighting_withdrawal", attacker="german", sector=5, turn=3) == orders.Concede(concede=True)
    assert answered(mission="fighting_withdrawal", attacker="soviet", sector=1, turn=3) == orders.Concede()
    assert answered(mission="encounter", sector=4, turn=9) == orders.Concede()


@pytest.mark.rule("AOA-8.19")
def test_he_pays_for_a_mission_that_is_a_great_deal_better(lay: Lay) -> None:
    """Only as far as a neighbour of the mission is so much better that five points are well spent."""
    case = lay(at="selection", last="german won encounter as attacker 6-1", sector=7, balance=(9, 0), turn=9,
               dice={"selection:german": "1", "selection:soviet": "1"})  # fmt: skip
    case.play(until=orders.ChangeMission, by="german")
    decision = case.decision("german", orders.ChangeMission)
    assert case.state.mission == "encounter"
    situation = Situation(view(case.state, "german"), case.state.board, "german", Stream(b"staff"))
    shares = {each: situation.of_mission(each, ["german"]) for each in ("breakthrough", "encounter", "cauldron")}
    order = change_mission(situation, decision)
    best = max(shares, key=lambda each: shares[each])
    assert shares["breakthrough"] > 0
    assert order == orders.ChangeMission("" if shares[best] < shares["encounter"] + BETTER else best)


@pytest.mark.rule("AOA-11.06", "AOA-11.09")
def test_his_dice_go_where_they_bring_most(lay: Lay) -> None:
    """A die each for combat platoons on 3 or more; tanks on a 6 come last."""
    order = asked(
        lay, "german", AssignDice, at="battle", german="pg1 pg depleted; pg2 pg depleted; panzer panzer depleted;"
        " hmg hmg depleted; cars cars full", forces={"german": "pg1 5; pg2 5"},
    )  # fmt: skip
    assert isinstance(order, AssignDice)
    assert {"pg1", "pg2"} <= set(order.dice)
    assert order.dice.get("panzer", 0) <= 1


@pytest.mark.rule("AOA-5.01", "AOA-3.08")
def test_his_guns_stay_off_the_table_and_all_upgrades_go_along(lay: Lay) -> None:
    order = asked(lay, "german", ChooseForce, at="forces")
    assert isinstance(order, ChooseForce)
    fielded = {each.platoon: each for each in order.platoons}
    assert "howitzers" not in fielded or fielded["howitzers"].off_table
    assert "pg1" not in fielded or fielded["pg1"].upgrades == {"light_mortar": 1}


# --- gates: how he fares ---


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scenario", ["eastern_front", "armoured_clash"])
def test_he_beats_random_from_each_seat(scenario: str, side: str) -> None:
    """Points of a hundred campaigns, a draw a half: see docs/balance.md for how often that is 95."""
    points = sum(
        1.0 if each.outcome == side else 0.5 if each.outcome == "draw" else 0.0
        for each in match(scenario, 200)
        if each.first == side
    )
    assert points >= 90


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["eastern_front", "armoured_clash"])
def test_equal_commanders_have_equal_chances_and_campaigns_last(scenario: str) -> None:
    plan = MatchPlan("axis_attack", ("commander", "commander"), 100, "balance", scenario)
    ready = prepared(scenario)
    played = [play_one(ready, plan, number) for number in range(100)]
    points = sum(1.0 if each.outcome == "german" else 0.5 if each.outcome == "draw" else 0.0 for each in played)
    assert 25 <= points <= 75
