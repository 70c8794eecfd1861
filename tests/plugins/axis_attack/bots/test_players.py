"""The commander's decisions and results."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.positions import installed
from tests.plugins.axis_attack.situations import campaign_situation, decision_for, situation

from axis_attack.bots.players import (
    BETTER,
    Commander,
    Orders,
    adjust,
    break_through,
    change_mission,
    claim,
    preferences_of,
)
from axis_attack.bots.recovery import dice
from axis_attack.bots.situation import Situation
from axis_attack.fog.views import view
from axis_attack.model import orders
from axis_attack.model.cards import DEPLETED, GERMAN, GUTTED, SIDES, SOVIET
from axis_attack.model.orders import AdjustTotal, AssignDice, ChooseBreakthrough, ChooseForce, ClaimRecon, RaisePlatoons
from axis_attack.model.state import AxisState
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.options import Form, OneOf, SomeOf
from sandtable.kernel.play.views import View
from sandtable.lab.matches.games import GameResult, MatchPlan, play_one
from sandtable.players.players import seat_players
from sandtable.plugin.manager import Prepared
from sandtable.tabletop.resolver.resolver import ResolverPlayer


@pytest.mark.rule("AOA-7.04", "AOA-7.05")
@pytest.mark.parametrize(
    ("german", "sectors"),
    [
        ("a pg full; b pg full; c pg depleted", 2),
        ("a pg full; b pg full", 1),
        ("a pg full; b pg full; c pg gutted", 1),
        ("a pg full; b pg full; c pg full immobile", 1),
        ("a pg full; b pg full; panzer panzer full; cars cars full", 1),
    ],
)
def test_commander_moves_two_sectors_with_a_spare_combat_platoon(german: str, sectors: int) -> None:
    assert break_through(campaign_situation(german)[1], decision_for(None)) == ChooseBreakthrough(sectors)


@pytest.mark.rule("AOA-8.05", "AOA-8.10", "AOA-8.11")
def test_commander_claims_mobile_scouts_and_raises_its_total() -> None:
    position = campaign_situation("cars cars full; cycles cycles full immobile; more cars full")[1]
    space = Form(ClaimRecon, {"platoons": SomeOf(["cars", "cycles", "more"], rule="AOA-8.05")})
    assert claim(position, decision_for(space)) == ClaimRecon(["cars", "more"])
    for sides, order in (((GERMAN,), (GERMAN, 1)), ((SOVIET,), (SOVIET, -1))):
        ways = [AdjustTotal(), *(AdjustTotal(side, by) for side in sides for by in (-1, 1))]
        assert adjust(position, decision_for(OneOf(ways, "AOA-8.10", "one"))) == AdjustTotal(*order)


def test_illegal_answer_is_replaced_by_a_default_or_drawn_one() -> None:
    position = campaign_situation("pg1 pg full")[1]
    answers = Orders(the_board(), GERMAN)
    one = OneOf([ChooseBreakthrough(1)], "AOA-7.04", "one")

    def ask(space: Any, done: Order | None) -> Order:
        decision: Any = SimpleNamespace(options=space, done=done)
        return answers.answer(position, decision)

    answers.by_kind[ChooseBreakthrough] = lambda *_: ChooseBreakthrough(2)
    assert ask(one, ChooseBreakthrough(1)) == ChooseBreakthrough(1)
    assert ask(one, None) == ChooseBreakthrough(1)
    answers.by_kind[ChooseBreakthrough] = lambda *_: None
    assert ask(one, None) == ChooseBreakthrough(1)
    del answers.by_kind[ChooseBreakthrough]
    two = OneOf([ChooseBreakthrough(1), ChooseBreakthrough(2)], "AOA-7.04", "two")
    assert ask(two, ChooseBreakthrough(2)) == ChooseBreakthrough(2)


def test_preferences_fade_at_the_end_and_follow_mission_and_role() -> None:
    """Care 200 and price 60,000 hold until three games follow, and then fall by a third per game."""
    for turn, games in ((1, 3), (6, 3), (7, 2), (8, 1), (9, 0)):
        found = preferences_of(situation(turn=turn))
        assert (found.care, found.price) == (200 * games // 3, 60_000 * games // 3)
    kinds = {
        ("hold_the_line", GERMAN): 1050,
        ("hold_the_line", SOVIET): 1150,
        ("cauldron", GERMAN): 950,
        ("cauldron", SOVIET): 1000,
        ("encounter", SOVIET): 950,
    }
    for (mission, attacker), infantry in kinds.items():
        assert preferences_of(situation(mission=mission, attacker=attacker)).factors["infantry"] == infantry
    decision, view = decision_for(OneOf([ChooseBreakthrough(1)], "AOA-7.04", "one")), SimpleNamespace()
    assert Commander(GERMAN, Stream(b"plans"), the_board()).plans(decision, view) == ()  # type: ignore[arg-type]  # never read


@pytest.mark.full
def test_commander_has_alternative_forces_for_search() -> None:
    """All are legal. On average at least one per decision differs from the commander's own force."""
    ready, key = installed().prepare("armoured_clash"), key_from_seed("plans")
    players = seat_players(ready, {"german": "commander", "soviet": "commander"}, key)
    game = ready.new_game(KeyedDice(key))
    game.start()
    forces, others = 0, 0
    while not game.is_over:
        decision = game.waiting()[0]
        view, player = View(decision.side, game.view), players[decision.seat]
        order = player.choose(decision, view)
        if decision.side != UMPIRE:
            ideas = player.plans(decision, view)  # type: ignore[attr-defined]  # only commanders have plans
            assert bool(ideas) == isinstance(order, ChooseForce)
            assert all(decision.options.is_legal(each) for each in ideas)
            forces += isinstance(order, ChooseForce)
            others += len({repr(each) for each in ideas if each != order})
        game.submit(order, decision.seat)
    assert others >= forces > 0


@pytest.mark.slow
def test_search_scores_5_of_12_games_against_the_commander() -> None:
    won = 0.0
    ready = installed().prepare("armoured_clash")
    for number in range(12):
        own, foe = ("german", "soviet") if number % 2 else ("soviet", "german")
        key = key_from_seed(f"search/{number // 2}")
        game = ready.new_game(KeyedDice(key))
        game.play(seat_players(ready, {own: "search", foe: "commander"}, key))
        won += 1 if game.state.outcome == own else 0.5 * (game.state.outcome == "draw")
    assert won >= 5


def campaign(ready: Prepared, seed: str) -> Iterator[tuple[AxisState, Decision, Order]]:
    """Play a campaign of two commanders, and yield each decision with its order before the order is given."""
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
def test_commander_orders_are_legal_and_nearly_fill_the_limit() -> None:
    for state, decision, order in campaign(installed().prepare("eastern_front"), "full weight"):
        assert decision.options.why_not(order) is None
        if isinstance(order, ChooseForce) and state.turn == 1:
            space = decision.options
            assert space.points(order) >= state.board.limit * 9 // 10  # type: ignore[attr-defined]  # of a force


@pytest.mark.full
def test_all_dice_go_to_platoons_below_their_bought_level() -> None:
    seen = 0
    for number in range(2):
        for state, decision, order in campaign(installed().prepare("eastern_front"), f"dice {number}"):
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
    ready = installed().prepare(scenario)
    return [play_one(ready, plan, number) for number in range(games)]


@pytest.mark.full
def test_commander_wins_most_of_a_few_campaigns() -> None:
    assert sum(each.outcome == each.first for each in match("eastern_front", 12)) >= 9


def answered(lay: Lay, side: str, kind: type[Order], **position: Any) -> Order:
    """Return the order of a side's commander in a position."""
    case = lay(**position).play(until=kind, by=side)
    decision = case.decision(side, kind)
    commander = Commander(side, Stream(b"staff"), case.state.board)
    order = commander.choose(decision, View(side, case.game.view))
    assert decision.options.why_not(order) is None
    return order


WEAK = "pg1 pg full; pg2 pg full; panzer panzer full; pak40 pak40 full"


@pytest.mark.full
@pytest.mark.rule("AOA-5.22", "AOA-5.23")
def test_commander_concedes_only_hopeless_games_away_from_home(lay: Lay) -> None:
    """The attacker of a withdrawal loses little by a concession, because the front moves the same way."""

    def shown(state: AxisState) -> None:
        state.shown = {"german": [], "soviet": list(state.rosters["soviet"])}

    def reply(**position: Any) -> Order:
        return answered(lay, "german", orders.Concede, at="forces", german=WEAK, tweak=shown, **position)

    assert reply(mission="fighting_withdrawal", attacker="german", sector=5, turn=3) == orders.Concede(concede=True)
    assert reply(mission="fighting_withdrawal", attacker="soviet", sector=1, turn=3) == orders.Concede()
    assert reply(mission="encounter", sector=4, turn=9) == orders.Concede()


@pytest.mark.rule("AOA-8.19")
def test_commander_pays_for_a_much_better_mission(lay: Lay) -> None:
    """It pays only if a neighbor of the mission gains more than ``BETTER``."""
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
def test_commander_assigns_dice_for_the_largest_gain(lay: Lay) -> None:
    """Each combat platoon, which needs a 3, gets a die; tanks, which need a 6, get at most one."""
    order = answered(
        lay, "german", AssignDice, at="battle", german="pg1 pg depleted; pg2 pg depleted; panzer panzer depleted;"
        " hmg hmg depleted; cars cars full", forces={"german": "pg1 5; pg2 5"},
    )  # fmt: skip
    assert isinstance(order, AssignDice)
    assert {"pg1", "pg2"} <= set(order.dice)
    assert order.dice.get("panzer", 0) <= 1


@pytest.mark.rule("AOA-5.01", "AOA-3.08")
def test_commander_keeps_guns_off_the_table_with_all_upgrades(lay: Lay) -> None:
    order = answered(lay, "german", ChooseForce, at="forces")
    assert isinstance(order, ChooseForce)
    fielded = {each.platoon: each for each in order.platoons}
    assert "howitzers" not in fielded or fielded["howitzers"].off_table
    assert "pg1" not in fielded or fielded["pg1"].upgrades == {"light_mortar": 1}


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scenario", ["eastern_front", "armoured_clash"])
def test_commander_beats_random_from_each_seat(scenario: str, side: str) -> None:
    """A draw counts half; docs/balance.md has the measured points of a hundred campaigns."""
    points = sum(
        1.0 if each.outcome == side else 0.5 if each.outcome == "draw" else 0.0
        for each in match(scenario, 200)
        if each.first == side
    )
    assert points >= 90


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["eastern_front", "armoured_clash"])
def test_equal_commanders_score_25_to_75_of_100_campaigns(scenario: str) -> None:
    plan = MatchPlan("axis_attack", ("commander", "commander"), 100, "balance", scenario)
    ready = installed().prepare(scenario)
    played = [play_one(ready, plan, number) for number in range(100)]
    points = sum(1.0 if each.outcome == "german" else 0.5 if each.outcome == "draw" else 0.0 for each in played)
    assert 25 <= points <= 75
