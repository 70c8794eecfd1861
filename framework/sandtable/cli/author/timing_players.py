"""Measure bot games, the bots' thinking time per decision, and the speed of board queries."""

from collections.abc import Callable
from functools import partial
from itertools import count
from statistics import median
from time import process_time

from sandtable.board.graph.paths import reach
from sandtable.board.graph.supply import SupplyLeg, SupplyLines
from sandtable.board.graph.zones import Zones
from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.line_of_sight import trace_sight
from sandtable.board.hexes.map import HexMap
from sandtable.board.hexes.sight_map import SightMap
from sandtable.cli.author.timing import YARDSTICK, costs, in_turn, yardstick
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.views import View
from sandtable.players.players import best_for, makers, name_seats, seat_players
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.manifest import COMMON, may_sit


class _Timed:
    """A player that records how long each of its decisions takes."""

    def __init__(self, player: Player, times: list[float]) -> None:
        self._player, self._times = player, times

    def choose(self, decision: Decision, view: View) -> Order:
        """Return the player's choice and record how long it took."""
        began = process_time()
        order = self._player.choose(decision, view)
        self._times.append(process_time() - began)
        return order


def time_players(installed: Installed) -> dict[str, float]:
    """Return the longest and the mean decision time of each bot of a ruleset, in one game.

    A bot that makes no decision has no figures. Each bot plays every seat that it may hold, and the best bots play the
    others. The bots that every ruleset has are left out: they do not think, or think as long as they are configured to.
    """
    prepared, figures = installed.prepare(), {}
    for name in makers(installed):
        if name in COMMON:
            continue
        key, times = key_from_seed("bench/players"), list[float]()
        names = _seats_for(prepared, name)
        players: dict[str, Player] = dict(seat_players(prepared, names, key))
        players |= {seat: _Timed(player, times) for seat, player in players.items() if names[seat] == name}
        prepared.new_game(KeyedDice(key)).play(players)
        if times:
            figures[f"{name}_mean_ms"] = round(1000 * sum(times) / len(times), 3)
            figures[f"{name}_longest_ms"] = round(1000 * max(times), 3)
    return figures


def time_games(installed: Installed, seconds: float = 0.6) -> dict[str, float]:
    """Return how long a game takes with the best bot in every seat: in milliseconds, and as a cost.

    Each round has as many games as fit into about ``seconds``. Returns {} if the ruleset has no own bot.
    """
    prepared = installed.prepare()
    named = {seat: best_for(installed, seat) for seat in prepared.ruleset.seats if seat != UMPIRE}
    if set(named.values()) <= set(COMMON):
        return {}
    names = name_seats(prepared, named)

    def play(games: int) -> None:
        for number in range(games):
            key = key_from_seed(f"bench/games/{number}")
            prepared.new_game(KeyedDice(key)).play(seat_players(prepared, names, key))

    began = process_time()
    play(1)
    games = max(1, min(100, round(seconds / (process_time() - began))))
    times = in_turn({YARDSTICK: yardstick(), "bots": partial(play, games)}, rounds=5)
    return {"bots_ms": round(1000 * median(times["bots"]) / games, 2), **costs(times, {"bots": games})}


def _seats_for(prepared: Prepared, bot: str) -> dict[str, str]:
    """Return the player of each seat in a game that tests ``bot``: the bot itself in every seat that it may hold."""
    installed, named = prepared.installed, {}
    for seat in prepared.ruleset.seats:
        if may_sit(installed.manifest, bot, seat):
            named[seat] = bot
        elif seat != UMPIRE:
            named[seat] = best_for(installed, seat)
    return name_seats(prepared, named)


def time_board(rounds: int = 200) -> dict[str, float]:
    """Return microseconds and costs of queries of reach, line of sight and supply.

    Reach: 8 points in the open on 39 by 54 hexes. Line of sight: 12 hexes, traced directly, or queried from a sight map
    that is empty or already has the answer. Supply: a whole map of 30 by 20 hexes after one of 40 enemies has moved,
    three hexes to a railway and then by rail.
    """
    grid = HexGrid(39, 54, lower_rows=53)
    hexmap = HexMap("bench", grid)
    walk = hexmap.cost_table(lambda _a, _b: 2)
    middle, a, b = hexmap.index["2027"], grid.hex_at("2027"), grid.hex_at("2732")
    sight, move = SightMap(grid), _supply_after_moves()

    def fresh() -> bool:
        sight.forget()
        return sight.is_clear(a, b)

    ways: dict[str, Callable[[], object]] = {
        "reach": lambda: reach(walk, middle, 16),
        "line_of_sight": lambda: trace_sight(grid, a, b, lambda _: False, lambda _: False),
        "sight_map": fresh,
        "sight_remembered": lambda: sight.is_clear(a, b),
        "supply_after_a_move": move,
    }
    times = in_turn({YARDSTICK: yardstick(), **{name: _many(run, rounds) for name, run in ways.items()}})
    clocked = {f"{name}_us": round(1e6 * median(times[name]) / rounds, 2) for name in ways}
    return clocked | costs(times, dict.fromkeys(ways, rounds))


def _many(run: Callable[[], object], rounds: int) -> Callable[[], None]:
    """Return a function that calls ``run`` ``rounds`` times."""

    def runs() -> None:
        for _ in range(rounds):
            run()

    return runs


def _supply_after_moves() -> Callable[[], object]:
    """Return a function that moves an enemy and then finds all spaces in supply."""
    land = HexMap("bench", HexGrid(30, 20)).adjacency
    railway = set(range(10, len(land), 20))  # a row of the map: spaces are numbered column by column
    tracks = tuple(
        tuple(near for near in (here - 20, here + 20) if {here, near} <= railway) for here in range(len(land))
    )
    lines, zones, turn = SupplyLines(SupplyLeg(land, 3), SupplyLeg(tracks)), Zones(land), count()
    enemies = [(7 + 15 * each) % len(land) for each in range(40)]

    def move() -> object:
        number = next(turn)
        around = land[enemies[number % 40]]
        enemies[number % 40] = around[number % len(around)]
        closed = zones.closed(enemies, enemies)
        return lines.net(sorted(railway)[:1], closed).spaces()

    return move
