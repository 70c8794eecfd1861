"""The search player: it finds good orders, sees no secret, and gets stronger with its budget."""

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sandtable.errors import NoDeal, PlayError, RulesetLoops
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.simulator import Simulator
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord
from sandtable.kernel.sequence import Procedure
from sandtable.lab.search.player import SearchPlayer
from sandtable.lab.search.playout import play_out
from sandtable.players.players import RandomPlayer, makers, seat_players
from sandtable.plugin.manager import Installed, Prepared, Rulesets
from sandtable.testing import tictactoe
from sandtable.testing import toy as toy_module
from sandtable.testing.scratch import Said, ask, scratch_game
from sandtable.testing.toy import ROAD, Commit, LayAmbush

ORDERS = ("LayAmbush", "Commit")


def searcher(prepared: Prepared, seat: str, seed: bytes = b"s", **settings: int) -> SearchPlayer:
    player = makers(prepared.installed)["search"](seat, Stream(seed), prepared.board)
    assert isinstance(player, SearchPlayer)
    player.configure(settings)
    return player


def chosen_by(prepared: Prepared, player: SearchPlayer, game: Game) -> Order:
    decision = next(each for each in game.waiting() if each.seat == player.seat)
    return player.choose(decision, View(decision.side, game.view, game.simulator))


def begun(prepared: Prepared, *orders: Order, seed: str = "search") -> Game:
    game = prepared.new_game(KeyedDice(key_from_seed(seed)))
    game.start()
    for order in orders:
        game.submit(order)
    return game


def points(prepared: Prepared, games: int, nodes: int, other: str | int) -> float:
    """Return the points of a search of ``nodes`` against another player, or another search, in pairs of games."""
    first, second = prepared.ruleset.viewers
    won = 0.0
    for game_number in range(games):
        key = key_from_seed(f"ladder/{game_number // 2}")
        own, opponent = (first, second) if game_number % 2 == 0 else (second, first)
        players: Mapping[str, Any] = seat_players(
            prepared, {own: "search", opponent: "search" if isinstance(other, int) else other}, key
        )
        for seat, side in prepared.ruleset.seats.items():
            if side == own:
                players[seat].configure({"nodes": nodes})
            elif side == opponent and isinstance(other, int):
                players[seat].configure({"nodes": other})
        game = prepared.new_game(KeyedDice(key))
        game.play(players)
        won += 1.0 if game.state.outcome == own else 0.5 if game.state.outcome == "draw" else 0.0
    return won


# ---------------------------------------------------------------- finding orders


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ((0, 3, 1, 4), 2),  # x wins
        ((0, 3, 1), 2),  # o must stop x
        ((0, 8, 4, 2), 5),  # x must stop o
    ],
)
def test_search_takes_and_prevents_immediate_wins(grid: Prepared, cells: tuple[int, ...], expected: int) -> None:
    game = begun(grid, *map(tictactoe.Mark, cells))
    player = searcher(grid, game.waiting()[0].seat, nodes=200)
    assert chosen_by(grid, player, game) == tictactoe.Mark(expected)


@pytest.mark.full
def test_search_never_loses_tic_tac_toe_to_random(grid: Prepared) -> None:
    assert points(grid, 20, 100, "random") >= 19


def test_search_choice_depends_on_its_stream(grid: Prepared) -> None:
    game = begun(grid, tictactoe.Mark(0))
    orders = [
        chosen_by(grid, searcher(grid, "o", seed, nodes=20), game) for seed in (b"1", b"1", b"2", b"3", b"4", b"5")
    ]
    assert orders[0] == orders[1]
    assert len({each.cell for each in orders if isinstance(each, tictactoe.Mark)}) > 1


def test_recalled_question_counts_as_a_decision(grid: Prepared) -> None:
    game = begun(grid)
    searching, recalled = searcher(grid, "x", nodes=20), searcher(grid, "x", nodes=20)
    chosen_by(grid, searching, game)
    recalled.recall(game.waiting()[0], View("x", game.view))
    assert recalled.nodes_spent == 0
    assert chosen_by(grid, searching, game) == chosen_by(grid, recalled, game)


def test_single_legal_order_needs_no_search(grid: Prepared) -> None:
    game = begun(grid, *map(tictactoe.Mark, (0, 1, 2, 4, 3, 5, 7, 6)))
    player = searcher(grid, "x")
    assert chosen_by(grid, player, game) == tictactoe.Mark(8)
    assert player.nodes_spent == 0


def test_search_does_not_change_the_game(grid: Prepared) -> None:
    game = begun(grid)
    before = list(game.records)
    chosen_by(grid, searcher(grid, "x", nodes=20), game)
    assert game.records == before
    assert game.state == begun(grid).state


# ---------------------------------------------------------------- secrets


@pytest.mark.parametrize("hidden", ROAD)
def test_enemy_secret_does_not_change_the_choice(ford: Prepared, hidden: int) -> None:
    def choices(ambush: int) -> list[Order]:
        openings = ([LayAmbush(ambush)], [LayAmbush(ambush), LayAmbush(4)])
        return [chosen_by(ford, searcher(ford, "south", nodes=40), begun(ford, *orders)) for orders in openings]

    assert choices(hidden) == choices(1)


@pytest.mark.parametrize("troops", range(4))
def test_sealed_enemy_order_does_not_change_the_choice(ford: Prepared, troops: int) -> None:
    opening = (LayAmbush(2), LayAmbush(4))
    player = searcher(ford, "south", nodes=60)
    assert chosen_by(ford, player, begun(ford, *opening, Commit(troops))) == chosen_by(
        ford, searcher(ford, "south", nodes=60), begun(ford, *opening)
    )


@pytest.mark.full
def test_future_dice_do_not_change_the_choice(ford: Prepared) -> None:
    opening = (LayAmbush(2), LayAmbush(4))
    orders = [
        chosen_by(ford, searcher(ford, "north", nodes=60), begun(ford, *opening, seed=str(number)))
        for number in range(6)
    ]
    assert orders == orders[:1] * 6


def test_search_spends_all_troops_on_the_last_turn(ford: Prepared) -> None:
    """On the last turn with the front in the middle and no enemy troops left, a single hit wins and none is a draw."""
    state: Any = begun(ford, LayAmbush(2), LayAmbush(1)).state
    state.troops = {"north": 3, "south": 0}
    state.turn = 8
    game = Game(ford.ruleset, state, KeyedDice(key_from_seed("late")))
    game.start()
    assert chosen_by(ford, searcher(ford, "north", nodes=400), game) == Commit(3)


def test_search_refuses_secrets_without_a_deal(toy: Installed) -> None:
    changed = ModuleType("toy")
    vars(changed).update({name: value for name, value in vars(toy_module).items() if name != "ruleset_bots"})
    prepared = Installed("toy", changed, "").prepare()
    with pytest.raises(PlayError, match="toy: search cannot play it: it has secrets, and its ruleset_bots has no deal"):
        seat_players(prepared, {"north": "search"}, bytes(32))


def test_order_illegal_in_a_deal_is_tried_in_another(tmp_path: Path) -> None:
    """A side may commit as many troops as the number of the enemy's hidden space.

    Few deals allow as many as the game does.
    """
    source = Path(toy_module.__file__).read_text(encoding="utf-8")
    changed = source.replace("min(3, troops)", 'min(state.ambush[{"north": "south"}.get(side, "north")], troops)')
    assert changed != source
    (tmp_path / "toy.py").write_text(changed, encoding="utf-8")
    (tmp_path / "toy.toml").write_bytes(Path(toy_module.__file__).with_suffix(".toml").read_bytes())
    prepared = Rulesets(tmp_path).load("toy").prepare()
    lay, commit = (next(each for each in prepared.ruleset.orders if each.__name__ == name) for name in ORDERS)
    game = begun(prepared, lay(3), lay(5))
    player = searcher(prepared, "north", nodes=60)
    order = chosen_by(prepared, player, game)
    assert isinstance(order, commit)
    assert 0 <= order.troops <= 5  # type: ignore[attr-defined]  # the order comes from the ruleset
    assert player.nodes_spent == 60


# ---------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"speed": 1}, "search has no setting 'speed': it has nodes, work, turns, depth, game_nodes, tree"),
        ({"nodes": 0}, "search: nodes is 0: must be 1 to 1,000,000"),
        ({"depth": -1}, "search: depth is -1: must be 0 to"),
    ],
)
def test_invalid_search_settings_are_refused(grid: Prepared, settings: dict[str, int], message: str) -> None:
    with pytest.raises(PlayError, match=message):
        searcher(grid, "x", b"s", **settings)


def test_search_keeps_to_its_budget_for_the_game(grid: Prepared) -> None:
    player = searcher(grid, "x", nodes=30, game_nodes=70)
    game = begun(grid)
    game.play({"x": player, "o": RandomPlayer(Stream(b"o"))})
    assert game.is_over
    assert player.nodes_spent == 70


def test_search_without_depth_still_gives_an_order(grid: Prepared) -> None:
    assert isinstance(chosen_by(grid, searcher(grid, "x", nodes=10, depth=0), begun(grid)), tictactoe.Mark)


# ---------------------------------------------------------------- every ruleset


@pytest.mark.full
@pytest.mark.parametrize(
    ("ruleset", "scenario", "least", "share"), [("desert_aa", "frontier", 200, 1.0), ("damos", "smolensk", 30, 0.5)]
)
def test_secrets_are_dealt_at_nearly_all_questions(ruleset: str, scenario: str, least: int, share: float) -> None:
    """Nearly all questions of a game can be dealt, and each deal gives the same view as the game."""
    prepared = Rulesets().load(ruleset).prepare(scenario)
    deal = prepared.installed.bots.deal
    dealt: list[bool] = []

    class Watched:
        def __init__(self, player: Any) -> None:
            self.player = player

        def choose(self, decision: Any, view: View) -> Order:
            try:
                twin = view.simulator(decision).deal(Stream(b"%d" % len(dealt)), deal)
                assert twin.view(decision.side) == view()
                assert decision.seat in [each.seat for each in twin.waiting()]
                dealt.append(True)
            except NoDeal:
                dealt.append(False)
            order: Order = self.player.choose(decision, view)
            return order

    bot = next(iter(makers(prepared.installed)))
    games = [("random", "mines")]
    if ruleset == "desert_aa":
        games += [(bot, "mines"), ("random", "dust"), (bot, "dust")]
    for name, seed in games:
        key = key_from_seed(seed)
        players = seat_players(prepared, dict.fromkeys(prepared.ruleset.viewers, name), key)
        game = prepared.new_game(KeyedDice(key))
        game.play({seat: Watched(player) for seat, player in players.items()})
        assert game.is_over
    assert len(dealt) > least
    assert sum(dealt) >= share * len(dealt)


@pytest.mark.full
def test_search_plays_desert_aa_deterministically() -> None:
    prepared = Rulesets().load("desert_aa").prepare("frontier")

    def opening() -> list[Any]:
        key = key_from_seed("twice")
        game = prepared.new_game(KeyedDice(key))
        players = seat_players(prepared, {"axis": "search", "allies": "commander"}, key)
        for seat in ("italy", "germany"):
            players[seat].configure({"nodes": 2, "depth": 40})  # type: ignore[attr-defined]  # a search bot
        game.play(players)
        return [record.order for record in game.records if isinstance(record, OrderRecord)]

    assert opening() == opening()


# ---------------------------------------------------------------- strength


@pytest.mark.slow
def test_strength_grows_with_the_budget_in_tic_tac_toe(grid: Prepared) -> None:
    assert points(grid, 100, 10, "random") > 70
    assert points(grid, 100, 50, 10) > 60
    assert points(grid, 100, 250, 50) > 52


@pytest.mark.slow
def test_search_beats_random_in_the_toy(ford: Prepared) -> None:
    assert points(ford, 200, 10, "random") > 108


@pytest.mark.slow
def test_strength_grows_with_the_budget_in_the_desert() -> None:
    """Each step is larger than a standard error of that many games. With 4 nodes the search plays like its guide."""
    prepared = Rulesets().load("desert_aa").prepare("frontier")
    assert points(prepared, 20, 4, "random") > 13
    assert points(prepared, 30, 60, "commander") > 17
    assert points(prepared, 20, 60, 4) > 11


# ---------------------------------------------------------------- rules that loop


def test_looping_simulated_game_ends_the_search(grid: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    """With secrets, the loop may be that of an impossible deal, so the player decides without the search."""
    dealt: list[Simulator] = []

    def loops(simulator: Simulator, *_: Any) -> Any:
        dealt.append(simulator)
        raise RulesetLoops("the rules loop there")

    monkeypatch.setattr(Simulator, "deal", loops)
    with pytest.raises(RulesetLoops):
        chosen_by(grid, searcher(grid, "x", nodes=50), begun(grid))
    assert len(dealt) == 1
    ford = Installed("toy", toy_module, "").prepare()
    player = searcher(ford, "north", nodes=50)
    assert isinstance(chosen_by(ford, player, begun(ford)), LayAmbush)
    assert (len(dealt), player.nodes_spent) == (2, 1)


def test_loop_in_a_playout_is_not_a_draw() -> None:
    """A simulated game that loops pays no side. It raises an error, because the rules are at fault."""

    def endless(_: Any) -> Procedure:
        yield ask("red", "a")
        while True:
            yield Said("and")

    game = scratch_game(endless, hidden=False)
    twin = game.simulator(game.waiting()[0]).deal(Stream(b"x"))
    with pytest.raises(RulesetLoops, match="in endless < walk"):
        play_out(twin, {"red": RandomPlayer(Stream(b"r"))}, depth=5)
