"""The commander: what he does with forces, dice and points, and how he fares against random."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from axis_attack.bots.players import Commander
from axis_attack.model.cards import DEPLETED, GUTTED
from axis_attack.model.orders import AssignDice, ChooseForce, RaisePlatoons
from sandtable.arena.games import GameResult, MatchPlan, play_one
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Rulesets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from axis_attack.model.state import AxisState
    from sandtable.kernel.decisions import Decision
    from sandtable.plugin.manager import Prepared

SIDES = ("german", "soviet")


def prepared(scenario: str = "eastern_front") -> Prepared:
    return Rulesets().load("axis_attack").prepare(scenario)


def campaign(ready: Prepared, seed: str) -> Iterator[tuple[AxisState, Decision, Order]]:
    """Play a campaign of two commanders; yield each question with the answer before it is given."""
    from sandtable.kernel.dice import KeyedDice  # noqa: PLC0415 - only here
    from sandtable.rules.tabletop.resolver.resolver import ResolverPlayer  # noqa: PLC0415

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


def test_his_answers_are_allowed_and_his_forces_nearly_fill_the_limit() -> None:
    for state, decision, order in campaign(prepared(), "full weight"):
        assert decision.options.why_not(order) is None
        if isinstance(order, ChooseForce) and state.turn == 1:
            space = decision.options
            assert space.points(order) >= state.board.limit * 9 // 10  # type: ignore[attr-defined]


def test_all_dice_go_to_platoons_below_what_was_bought() -> None:
    seen = 0
    for number in range(4):
        for state, decision, order in campaign(prepared(), f"dice {number}"):
            if isinstance(order, AssignDice):
                seen += 1
                roster = state.rosters[decision.side]
                assert all(roster[each].level < roster[each].bought for each in order.dice)
                assert sum(order.dice.values()) >= min(4, order.bought + 1)
            if isinstance(order, RaisePlatoons):
                roster = state.rosters[decision.side]
                assert order.platoons
                assert all(roster[each].level <= GUTTED < DEPLETED for each in order.platoons)
    assert seen > 10


def match(scenario: str, games: int) -> list[GameResult]:
    plan = MatchPlan("axis_attack", ("commander", "random"), games, "staff", scenario)
    ready = prepared(scenario)
    return [play_one(ready, plan, number) for number in range(games)]


def test_he_wins_most_of_a_few_campaigns() -> None:
    assert sum(each.outcome == each.first for each in match("eastern_front", 12)) >= 9


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["eastern_front", "armoured_clash"])
def test_he_beats_random_in_eighty_five_of_a_hundred_paired_campaigns(scenario: str) -> None:
    """At least 170 of 200, and 80 a side; of 400 as the Soviets on the eastern front he won 336."""
    wins = [each.first for each in match(scenario, 200) if each.outcome == each.first]
    assert len(wins) >= 170
    assert min(wins.count(side) for side in SIDES) >= 80
