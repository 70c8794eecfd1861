"""The evaluation: symmetry, order, and its values in fractions."""

from dataclasses import replace
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.oracle.shares import RESULTS, evaluated
from tests.plugins.axis_attack.positions import ROSTERS, full_options, installed, roster

from axis_attack.bots.evaluation import evaluate, strength
from axis_attack.model.cards import ENEMY, GERMAN, MISSIONS, SIDES, SOVIET, Board
from axis_attack.model.orders import BuildCompany, ChooseForce, Concede, PlaceTable
from axis_attack.model.state import AxisState, Battle
from axis_attack.model.strength import levels_of
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.play.views import View
from sandtable.lab.search.player import SearchPlayer
from sandtable.players.players import seat_players

LAST = 9


def even_board() -> Board:
    """Return the board of ``ground.py`` with the same list for both sides."""
    board = the_board()
    return replace(board, lists=dict.fromkeys(SIDES, board.lists[GERMAN]))


def campaign(*, sector: int = 4, turn: int = 3, phase: str = "selection", over: bool = False) -> AxisState:
    """Return a campaign of two equal rosters; with ``over`` the game of the turn has been fought."""
    board = even_board()
    state = AxisState(options=full_options({}), sector=sector, turn=turn, phase=phase, mission="encounter")
    state.place_board(board)
    state.rosters = {side: roster(board, GERMAN, ROSTERS[GERMAN]) for side in SIDES}
    state.balance = dict.fromkeys(SIDES, 2)
    if over:
        state.track = [Battle(turn, sector, "encounter", GERMAN, SOVIET)]
    return state


def german(state: AxisState) -> int:
    shares = evaluate(state, state.board)
    assert sum(shares.values()) == 1000
    return shares[GERMAN]


def weakened(state: AxisState, side: str, level: int = 2) -> AxisState:
    for each in state.rosters[side].values():
        each.level = level
    return state


def mirrored(state: AxisState) -> AxisState:
    """Return the campaign with the sides exchanged."""
    twin = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=AxisState)
    twin.place_board(state.board)
    twin.sector = 8 - state.sector
    twin.rosters = {side: twin.rosters[ENEMY[side]] for side in SIDES}
    twin.balance = {side: twin.balance[ENEMY[side]] for side in SIDES}
    twin.attacker, twin.defender = ENEMY.get(state.attacker, ""), ENEMY.get(state.defender, "")
    return twin


def test_equal_sides_in_the_center_have_equal_shares() -> None:
    for phase in ("selection", "table", "forces"):
        for turn in range(1, LAST + 1):
            assert german(campaign(turn=turn, phase=phase)) == 500


@given(
    sector=st.integers(1, 7),
    turn=st.integers(1, LAST),
    phase=st.sampled_from(["selection", "table", "closing"]),
    over=st.booleans(),
    levels=st.tuples(st.integers(0, 4), st.integers(0, 4)),
    points=st.tuples(st.integers(0, 12), st.integers(0, 12)),
    mission=st.sampled_from(MISSIONS),
    attacker=st.sampled_from(["", *SIDES]),
)
def test_evaluation_of_the_mirrored_campaign_is_mirrored(
    sector: int,
    turn: int,
    phase: str,
    over: bool,
    levels: tuple[int, int],
    points: tuple[int, int],
    mission: str,
    attacker: str,
) -> None:
    state = campaign(sector=sector, turn=turn, phase=phase, over=over)
    state.mission, state.attacker, state.defender = mission, attacker, ENEMY.get(attacker, "")
    for side, level, held in zip(SIDES, levels, points, strict=True):
        weakened(state, side, level).balance[side] = held
    before = msgspec.msgpack.encode(state)
    there = german(mirrored(state))
    assert abs(german(state) + there - 1000) <= 1
    assert msgspec.msgpack.encode(state) == before


@pytest.mark.rule("AOA-12.01", "AOA-12.03")
def test_share_rises_toward_the_enemy_home() -> None:
    for turn in (1, 5, 8):
        shares = [german(campaign(sector=sector, turn=turn)) for sector in range(1, 8)]
        assert shares == sorted(shares)
        assert len(set(shares)) == 7
        assert 0 < shares[0] < 250
        assert 750 < shares[-1] < 1000


def test_stronger_side_has_a_larger_share_with_more_games_left() -> None:
    even = german(campaign())
    for side, sign in ((SOVIET, 1), (GERMAN, -1)):
        steps = [sign * (german(weakened(campaign(), side, level)) - even) for level in (4, 2, 0)]
        assert steps == sorted(steps)
        assert steps[0] == 0
        assert steps[1] > 100
    late = weakened(campaign(turn=LAST), SOVIET)
    early = weakened(campaign(turn=2), SOVIET)
    assert 500 <= german(late) < german(early)


@pytest.mark.parametrize("phase", ["selection", "table", "closing"])
@pytest.mark.parametrize("platoon", ["hmg", "panzer", "cars"])
def test_raised_platoon_never_lowers_the_share(platoon: str, phase: str) -> None:
    shares = []
    for level in levels_of(even_board().lists[GERMAN].types[platoon]):
        state = weakened(campaign(phase=phase), SOVIET)
        state.rosters[GERMAN][platoon].level = level
        shares.append(german(state))
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]


@pytest.mark.rule("AOA-3.02", "AOA-3.03")
def test_saved_points_have_value_and_reserves_less_than_a_force() -> None:
    rich, poor = campaign(), campaign()
    rich.balance[GERMAN], poor.balance[GERMAN] = 5, 0
    assert german(poor) < german(campaign()) < german(rich)
    full = campaign()
    kind = full.board.lists[GERMAN].types["panzer"]
    assert strength(full, full.board, GERMAN) > full.board.limit
    before = strength(full, full.board, GERMAN)
    full.rosters[GERMAN]["panzer"].level = 0
    assert 0 < before - strength(full, full.board, GERMAN) < kind.sizes[-1].points


@pytest.mark.rule("AOA-12.03", "AOA-12.04")
def test_front_decides_after_the_last_game() -> None:
    ends = [german(campaign(sector=sector, turn=LAST, phase="closing", over=True)) for sector in range(1, 8)]
    assert ends == [0, 0, 500, 500, 500, 1000, 1000]


@pytest.mark.rule("AOA-12.04", "AOA-R01", "AOA-R67")
def test_middle_of_a_short_line_is_a_draw() -> None:
    board = replace(even_board(), home={GERMAN: 1, SOVIET: 3})
    for sector, share in ((1, 0), (2, 500), (3, 1000)):
        assert evaluate(campaign(sector=sector, turn=LAST, over=True), board)[GERMAN] == share


@pytest.mark.rule("AOA-7.08", "AOA-7.10", "AOA-12.01")
def test_mission_of_the_turn_counts_by_its_results() -> None:
    def at(sector: int, mission: str, attacker: str, turn: int = 5) -> int:
        state = campaign(sector=sector, turn=turn, phase="forces")
        state.mission, state.attacker, state.defender = mission, attacker, ENEMY[attacker]
        return german(state)

    # in Hold the Line only the attacker can move the front
    assert at(4, "hold_the_line", GERMAN) > 500 > at(4, "hold_the_line", SOVIET)
    # in The Cauldron only the defender can
    assert at(4, "cauldron", GERMAN) < 500 < at(4, "cauldron", SOVIET)
    # in the enemy's home only a winning attacker wins the campaign
    assert at(7, "hold_the_line", GERMAN, LAST) == 1000
    assert at(6, "hold_the_line", SOVIET, LAST) == 500 + 250
    assert at(7, "hold_the_line", GERMAN) > at(7, "hold_the_line", SOVIET)


def test_unbuilt_companies_have_equal_shares() -> None:
    prepared = installed().prepare("eastern_front")
    state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    shares = evaluate(state, prepared.board)
    assert sum(shares.values()) == 1000
    assert all(350 < share < 650 for share in shares.values())


class Watched:
    """A player that records the evaluation of its side before each order."""

    def __init__(self, player: Player, game: Game, side: str, shares: list[int]) -> None:
        self._player, self._game, self._side, self._shares = player, game, side, shares

    def choose(self, decision: Decision, view: View) -> Order:
        state = self._game.state
        self._shares.append(evaluate(state, state.board)[self._side])  # type: ignore[arg-type]  # of this ruleset
        return self._player.choose(decision, view)


@pytest.mark.full
def test_winner_has_the_larger_share_in_the_second_half() -> None:
    """The commander plays against random; the shares are averaged over the campaigns that it wins."""
    for scenario in ("eastern_front", "armoured_clash"):
        for own in SIDES:
            late: list[int] = []
            for seed in ("second half", "the other half"):
                prepared, key = installed().prepare(scenario), key_from_seed(seed)
                game, shares = prepared.new_game(KeyedDice(key)), list[int]()
                seats = {own: "commander", ENEMY[own]: "random", UMPIRE: "resolver"}
                players = seat_players(prepared, seats, key)
                game.play({**players, own: Watched(players[own], game, own, shares)})
                late += shares[len(shares) // 2 :] if game.state.outcome == own else []
            assert late
            assert sum(late) // len(late) > 600


def begun(scenario: str, seats: dict[str, str], seed: str, nodes: int) -> tuple[Game, dict[str, Player]]:
    prepared, key = installed().prepare(scenario), key_from_seed(seed)
    players = dict(seat_players(prepared, {**seats, UMPIRE: "resolver"}, key))
    for player in players.values():
        if isinstance(player, SearchPlayer):
            player.configure({"nodes": nodes})
    return prepared.new_game(KeyedDice(key)), players


@pytest.mark.full
def test_search_with_the_same_seed_gives_the_same_orders() -> None:
    """Its first orders are compared: company, table, no concession, force."""

    def orders() -> tuple[list[Order], int]:
        game, players = begun("eastern_front", {GERMAN: "search", SOVIET: "random"}, "again", 2)
        given: list[Order] = []
        game.start()
        while len(given) < 4:
            decision = game.waiting()[0]
            order = players[decision.seat].choose(decision, View(decision.side, game.view, game.simulator))
            game.submit(order, decision.seat)
            given += [order] if decision.seat == GERMAN else []
        searcher = players[GERMAN]
        assert isinstance(searcher, SearchPlayer)
        return given, searcher.nodes_spent

    first, nodes = orders()
    assert nodes == 8
    assert [type(each) for each in first] == [BuildCompany, PlaceTable, Concede, ChooseForce]
    assert orders() == (first, nodes)


@pytest.mark.slow
def test_search_with_few_nodes_beats_random() -> None:
    won = 0.0
    for number in range(8):
        own = SIDES[number % 2]
        game, players = begun("eastern_front", {own: "search", ENEMY[own]: "random"}, f"chance {number // 2}", 4)
        game.play(players)
        won += 1.0 if game.state.outcome == own else 0.5 if game.state.outcome == "draw" else 0.0
    assert won >= 6


@pytest.mark.rule("AOA-7.01", "AOA-12.01", "AOA-12.03")
@pytest.mark.parametrize("mission", RESULTS)
@pytest.mark.parametrize("attacker", [GERMAN, SOVIET, ""])
def test_evaluation_equals_its_description_in_fractions(mission: str, attacker: str) -> None:
    board = the_board()
    for turn, sector, phase, over in (
        *((turn, sector, "forces", False) for turn in (2, 8, 9) for sector in range(1, 8)),
        *((7, sector, "selection", False) for sector in (1, 3, 7)),
        *((turn, sector, "closing", True) for turn in (7, 9) for sector in (2, 5)),
        (0, 4, "setup.company", False),
    ):
        state = AxisState(options=full_options({}), sector=sector, turn=turn, phase=phase)
        state.mission = mission if turn else ""
        state.place_board(board)
        state.attacker = attacker
        state.rosters = {
            GERMAN: roster(board, GERMAN, "pg1 pg full; pg2 pg full"),
            SOVIET: roster(board, SOVIET, "t tankovy full"),
        }
        state.balance = {GERMAN: 1, SOVIET: 0}
        state.track = [Battle(turn if over else turn - 1, sector, mission, GERMAN, SOVIET)]
        games = 9 - turn + (1 if turn and not over else 0)
        shares = evaluate(state, board)
        share = evaluated(state, games, mission=mission if phase == "forces" else "")
        assert abs(shares[GERMAN] - 1000 * share) <= Fraction(3, 5), (turn, sector, phase)
        assert sum(shares.values()) == 1000


@pytest.mark.rule("AOA-3.02", "AOA-3.03")
def test_points_above_the_limit_count_a_fourth() -> None:
    board = the_board()
    state = AxisState(options=full_options({}), turn=3)
    state.rosters = {GERMAN: roster(board, GERMAN, "pg1 pg full; pg2 pg depleted; h hmg gutted"), SOVIET: {}}
    state.balance = {GERMAN: 2, SOVIET: 9}
    assert strength(state, board, GERMAN) == 50 + 205 + 145 + 2 * 25
    assert strength(state, board, SOVIET) == 1500 + (2000 - 1500) // 4 + 6 * 25  # unbuilt: its maximum
    state.rosters[SOVIET] = roster(board, SOVIET, "; ".join(f"t{each} tankovy full" for each in range(3)))
    assert strength(state, board, SOVIET) == 1500 + (30 + 3 * 635 - 1500) // 4 + 6 * 25
