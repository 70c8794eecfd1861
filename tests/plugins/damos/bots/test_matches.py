"""Matches of the staff officer against other players."""

from typing import Any

import pytest
from tests.plugins.damos.positions import GERMAN, SOVIET, shipped

from damos.bots.answers import answer
from damos.bots.players import StaffOfficer
from damos.bots.position import StaffPosition
from damos.map.supply import has_supply_line
from damos.model import orders
from damos.model.forces import stacks
from sandtable.journal.format.header import make_dice
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.lab.matches.games import GameResult, MatchPlan, play_one
from sandtable.players.players import seat_players


def match(scenario: str, games: int) -> list[GameResult]:
    """Play paired games against random: each game twice with the same dice and the sides swapped."""
    plan = MatchPlan("damos", ("staff", "random"), games, "staff", scenario)
    return [play_one(shipped(scenario), plan, game) for game in range(games)]


@pytest.mark.full
def test_staff_beats_random_in_a_short_match() -> None:
    assert all(each.outcome == each.first for each in match("smolensk", 6))


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["agc", "smolensk"])
def test_staff_beats_random_in_90_of_100_paired_games(scenario: str) -> None:
    wins = [each.first for each in match(scenario, 100) if each.outcome == each.first]
    assert len(wins) >= 90
    assert min(wins.count(GERMAN), wins.count(SOVIET)) >= 42


SIDES = GERMAN, SOVIET


NOTHING: tuple[Order, ...] = (
    orders.Decline(),
    orders.EndPhase(),
    orders.EndActivation(),
    orders.ExtendRail([]),
    orders.PlaceReinforcements({}),
)


class Passer:
    """A player that sets up as the staff does and then passes if it can."""

    def __init__(self, seat: str, stream: Stream, board: Any) -> None:
        self.seat, self.stream, self.board = seat, stream, board

    def choose(self, decision: Decision, view: Any) -> Order:
        """Return the order that does least."""
        idle = next((order for order in NOTHING if decision.options.why_not(order) is None), None)
        return idle or answer(StaffPosition(view(), self.board, decision.side), decision, self.stream)


def winner_against_passer(scenario: str, side: str, seed: str) -> str:
    prepared, key = shipped(scenario), key_from_seed(seed)
    other = next(each for each in SIDES if each != side)
    players: dict[str, Any] = {
        side: StaffOfficer(side, Stream.for_player(key, side), prepared.board),
        other: Passer(other, Stream.for_player(key, other), prepared.board),
    }
    game = prepared.new_game(make_dice("open", key))
    game.play(players)
    return str(game.state.outcome)


@pytest.mark.full
@pytest.mark.parametrize("side", SIDES)
def test_staff_beats_a_passing_player_from_each_seat(side: str) -> None:
    assert winner_against_passer("smolensk", side, "a passer") == side


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("scenario", ["agc", "smolensk"])
def test_staff_beats_a_passing_player_in_19_of_20_games(scenario: str, side: str) -> None:
    wins = sum(winner_against_passer(scenario, side, f"passing/{game}") == side for game in range(20))
    assert wins >= 19


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["agc", "smolensk"])
def test_each_side_wins_a_quarter_of_the_games_between_two_staffs(scenario: str) -> None:
    plan = MatchPlan("damos", ("staff", "staff"), 100, "balance", scenario)
    won = [play_one(shipped(scenario), plan, game).outcome for game in range(plan.games)]
    assert 25 <= won.count(GERMAN) <= 75


@pytest.mark.slow
def test_under_15_percent_of_germans_are_unsupplied_from_turn_4_on() -> None:
    prepared, cut, total = shipped("agc"), 0, 0
    for number in range(10):
        key, seen = key_from_seed(f"supply/{number}"), 3
        game = prepared.new_game(make_dice("open", key))

        def look() -> None:
            nonlocal seen, cut, total
            state: Any = game.state  # noqa: B023 - called in this round only
            if state.turn <= max(seen, 4):
                return
            seen = state.turn
            for hex_, units in stacks(state, GERMAN).items():
                total += len(units)
                cut += 0 if has_supply_line(state, GERMAN, hex_) else len(units)

        game.play(seat_players(prepared, dict.fromkeys(SIDES, "staff"), key), after=look)
    assert 100 * cut < 15 * total
