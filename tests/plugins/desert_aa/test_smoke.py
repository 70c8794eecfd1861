"""Random games of every scenario, under option sets that cover every token: they end, keep the rules, and repeat."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

import desert_aa
from desert_aa.model.state import CONDITIONS, LAID_DOWN, DesertState
from desert_aa.model.tables import FLAK, SIDE_OF
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Installed, Prepared

GAMES = 30
SCENARIOS = ("western_desert", "to_the_finish", "frontier")
OPTIONS = desert_aa.options()


def option_sets() -> list[dict[str, str]]:
    """Return the usual tokens, all second ones, all third ones, and then tokens drawn in any company."""
    stream = Stream(b"options")
    rows = [[place % len(option.values) for option in OPTIONS] for place in range(3)]
    rows += [[stream.below(len(option.values)) for option in OPTIONS] for _ in range(9)]
    named = [{option.name: option.values[at] for option, at in zip(OPTIONS, row, strict=True)} for row in rows]
    return [chosen | {"round_limit": "scenario"} for chosen in named]


SETS = option_sets()


@cache
def installed() -> Installed:
    return Installed("desert_aa", desert_aa, "the smoke test")


def prepared_for(scenario: str, chosen: Mapping[str, str]) -> Prepared:
    """Make the scenario ready; one without a last round is given one, since chance seldom takes a capital."""
    limit = {"round_limit": "8"} if scenario == "to_the_finish" else {}
    return installed().prepare(scenario, {**chosen, **limit})


class Chance:
    """Plays at random, and looks at the state whenever a power's turn begins."""

    def __init__(self, seat: str, key: bytes, game: Game) -> None:
        self.stream = Stream.for_player(key, seat)
        self.game = game

    def choose(self, decision: Decision, view: View) -> Order:
        assert view.side in (decision.side, "umpire")
        if self.game.state.phase.endswith(".purchase"):
            assert isinstance(self.game.state, DesertState)
            look(self.game.state)
        if decision.done is not None and self.stream.one_in(4):
            return decision.done
        order: Order = decision.options.sample(self.stream)
        refusal = decision.options.why_not(order)
        assert refusal is None, refusal
        return order


def look(state: DesertState) -> None:
    """Check what holds between turns, whatever was played."""
    sides: dict[str, str] = {}
    flak: dict[str, int] = {}
    for unit_id, unit in state.units.items():
        side = SIDE_OF[unit.power]
        assert sides.setdefault(unit.space, side) == side, f"enemies together in {unit.space}"  # DAA-16.06
        assert SIDE_OF[state.control[unit.space]] == side, f"{unit_id} on enemy ground"
        assert unit.condition in CONDITIONS
        assert (unit.condition in LAID_DOWN) == (unit.stands_up > 0)
        flak[unit.space] = flak.get(unit.space, 0) + (unit.kind == FLAK)
    for space, mine in state.minefields.items():
        assert space in state.board.mineable  # DAA-8.07
        assert SIDE_OF[state.control[space]] == SIDE_OF[mine.power]  # DAA-8.08
    assert all(sum_ >= 0 for sum_ in state.cash.values())
    assert (state.plans, state.combats, state.raids, state.battle) == ([], {}, {}, None)
    if state.options["aa_limit"] == "one_per_space":
        assert max(flak.values(), default=0) < 2


def play(prepared: Prepared, seed: str) -> Game:
    """Play a whole game at random."""
    key = key_from_seed(seed)
    game = prepared.new_game(KeyedDice(key))
    game.play({seat: Chance(seat, key, game) for seat in prepared.ruleset.seats})
    return game


def test_the_option_sets_have_every_token() -> None:
    for option in OPTIONS:
        tokens = {chosen[option.name] for chosen in SETS}
        assert option.name == "round_limit" or tokens == set(option.values), option.name


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_games_end_under_every_option(scenario: str) -> None:
    endings = set()
    for number in range(GAMES):
        game = play(prepared_for(scenario, SETS[number % len(SETS)]), f"smoke/{scenario}/{number}")
        assert game.is_over
        endings.add(game.state.ending)
    assert endings <= {"capital_captured", "round_limit"}


@pytest.mark.full
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_same_seed_makes_the_same_records(scenario: str) -> None:
    first, second = (play(prepared_for(scenario, SETS[3]), "again") for _ in range(2))
    assert first.records == second.records
    assert first.records != play(prepared_for(scenario, SETS[3]), "another").records
