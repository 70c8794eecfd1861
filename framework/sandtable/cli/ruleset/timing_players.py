"""Measuring how long bots think over a decision, and how long the board takes to answer."""

from collections.abc import Callable
from itertools import count
from statistics import median
from time import perf_counter

from sandtable.board.graph.paths import reach
from sandtable.board.graph.supply import SupplyLeg, SupplyLines
from sandtable.board.graph.zones import Zones
from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.line_of_sight import trace_sight
from sandtable.board.hexes.map import HexMap
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.views import View
from sandtable.players.players import best_for, makers, name_seats, seat_players
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.seats import COMMON, may_sit


class _Timed:
    """A player with a watch beside him."""

    def __init__(self, player: Player, times: list[float]) -> None:
        self._player, self._times = player, times

    def choose(self, decision: Decision, view: View) -> Order:
        """Let the player choose, and note how long it took."""
        began = perf_counter()
        order = self._player.choose(decision, view)
        self._times.append(perf_counter() - began)
        return order


def time_players(installed: Installed) -> dict[str, float]:
    """Return for each bot of a ruleset, in one game, the longest and the mean time of a decision; none it is not asked.

    It sits where it may, against itself, and otherwise the best that may. The bots that every ruleset has are left out:
    they do not think, or as long as they are told to.
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


def _seats_for(prepared: Prepared, bot: str) -> dict[str, str]:
    """Return who sits where in a game for ``bot``: it in every seat that it may hold."""
    installed, named = prepared.installed, {}
    for seat in prepared.ruleset.seats:
        if may_sit(installed.manifest, bot, seat):
            named[seat] = bot
        elif seat != UMPIRE:
            named[seat] = best_for(installed, seat)
    return name_seats(prepared, named)


def time_board(rounds: int = 200) -> dict[str, float]:
    """Return microseconds: reach with 8 points in the open on 39 by 54 hexes, a line of sight of 12 hexes, supply.

    That is of the whole map, 30 by 20 hexes, after one of 40 enemies has moved: three hexes to a railway, then by rail.
    """
    grid = HexGrid(39, 54, lower_rows=53)
    hexmap = HexMap("bench", grid)
    costs = hexmap.cost_table(lambda _a, _b: 2)
    middle, a, b = hexmap.index["2027"], grid.hex_at("2027"), grid.hex_at("2732")
    return {
        "reach_us": _each(lambda: reach(costs, middle, 16), rounds),
        "line_of_sight_us": _each(lambda: trace_sight(grid, a, b, lambda _: False, lambda _: False), rounds),
        "supply_after_a_move_us": _each(_supply_after_moves(), rounds),
    }


def _supply_after_moves() -> Callable[[], object]:
    """Return what moves an enemy, and finds all spaces that are in supply then."""
    land = HexMap("bench", HexGrid(30, 20)).adjacency
    railway = set(range(10, len(land), 20))  # a row of the map: its spaces are numbered column by column
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


def _each(run: Callable[[], object], rounds: int) -> float:
    """Return the median microseconds of a run."""
    times = []
    for _ in range(rounds):
        began = perf_counter()
        run()
        times.append(perf_counter() - began)
    return round(1e6 * median(times), 1)
