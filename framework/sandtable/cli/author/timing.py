"""Measure how fast games are played, folded and verified, as medians of alternatives that are timed in turn.

A *cost* is a time measured in games of the yardstick, the bare loop of tic-tac-toe, which is timed in the same turns.
Costs from different days or machines can be compared; milliseconds cannot. Times are processor times, which are
disturbed less by other processes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from time import process_time

from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import split_log
from sandtable.journal.fold import fold_log
from sandtable.journal.format.chain import START, chain
from sandtable.journal.format.header import Header, header_body, make_header
from sandtable.journal.record import log_bytes, log_lines, play_recorded
from sandtable.journal.verification.verdicts import VERIFIED
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.views import View
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import ScriptPlayer, name_seats, seat_players
from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import tictactoe
from sandtable.testing.reference_loop import EMPTY, ONE_MOVE_LEFT, play_bare

ROUNDS = 7
"""Number of rounds in which the alternatives are timed; odd, for the median."""

YARDSTICK = "yardstick"
YARDSTICK_GAMES = 100


@dataclass(frozen=True)
class BenchGame:
    """A finished game to measure with: its key, header, log, orders and number of records."""

    key: bytes
    header: Header
    data: bytes
    log: Log
    orders: tuple[Order, ...]
    records: int


def samples(prepared: Prepared, games: int) -> list[BenchGame]:
    """Return ``games`` random games of ``prepared``, always the same ones."""
    names = name_seats(prepared, {})
    found = []
    for number in range(games):
        key = key_from_seed(f"bench/{number}")
        dice = KeyedDice(key)
        header = make_header(prepared, names, dice)
        game = prepared.new_game(dice)
        game.play(seat_players(prepared, names, key))
        data, _ = log_bytes(header, game)
        log = split_log(data, "bench")
        orders = tuple(record.order for record in game.records if isinstance(record, OrderRecord))
        found.append(BenchGame(key, header, data, log, orders, game.number))
    return found


def in_turn(activities: Mapping[str, Callable[[], None]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Return the seconds that each alternative took in each of ``rounds`` rounds: A B C A B C ..."""
    times: dict[str, list[float]] = {name: [] for name in activities}
    for _ in range(rounds):
        for name, run in activities.items():
            began = process_time()
            run()
            times[name].append(process_time() - began)
    return times


def ratio(slow: Sequence[float], fast: Sequence[float]) -> float:
    """Return how many times faster ``fast`` was, as the median over the rounds."""
    return round(median(a / b for a, b in zip(slow, fast, strict=True)), 3)


def costs(times: Mapping[str, Sequence[float]], numbers: Mapping[str, int]) -> dict[str, float]:
    """Return the cost of one unit of each measured activity; ``numbers`` counts the units done in each round.

    ``times`` includes the yardstick's times.
    """
    yards = times[YARDSTICK]
    ratios = {name: median(a / b for a, b in zip(times[name], yards, strict=True)) for name in numbers}
    return {f"{name}_cost": float(f"{ratios[name] * YARDSTICK_GAMES / number:.4g}") for name, number in numbers.items()}


def yardstick() -> Callable[[], None]:
    """Return a function that plays the games of the yardstick."""
    keys = [key_from_seed(f"yardstick/{number}") for number in range(YARDSTICK_GAMES)]

    def play() -> None:
        for key in keys:
            play_bare({side: Stream.for_player(key, side) for side in ("x", "o")}, START)

    return play


def activities_of(prepared: Prepared, games: Sequence[BenchGame]) -> dict[str, Callable[[], None]]:
    """Return the activities to time on all ``games``: random play, play without thinking, fold and verify."""
    names = name_seats(prepared, {})
    seats = list(prepared.ruleset.seats)

    def play(sample: BenchGame, players: Mapping[str, Player]) -> None:
        dice = KeyedDice(sample.key)
        play_recorded(prepared, players, dice, make_header(prepared, names, dice))

    def random() -> None:
        for sample in games:
            play(sample, seat_players(prepared, names, sample.key))

    def thoughtless() -> None:
        for sample in games:
            play(sample, dict.fromkeys(seats, ScriptPlayer(sample.orders)))

    def fold() -> None:
        for sample in games:
            fold_log(sample.log, prepared)

    def verify_all() -> None:
        for sample in games:
            verdict = verify(split_log(sample.data, "bench"), prepared)
            assert verdict.verdict == VERIFIED, verdict  # noqa: S101 - an unverified game would make the figure meaningless

    return {"play": random, "thoughtless": thoughtless, "fold": fold, "verify": verify_all}


def time_toy(games: int = 400) -> dict[str, float]:
    """Return the figures of tic-tac-toe, compared with a bare loop that writes the same log without the kernel.

    ``over_bare_game_us`` is the kernel's overhead per game and ``over_bare_move_us`` its overhead per move, in
    microseconds. Whole games and games of a single move are timed; the difference is due to the other moves.
    """
    prepared = Installed("tictactoe", tictactoe, "part of the framework").prepare()
    played = samples(prepared, games)
    activities = activities_of(prepared, played)
    del activities["play"]
    begun = {"": EMPTY, "_last": ONE_MOVE_LEFT}
    activities |= {f"bare{name}": _bare_games(played, cells) for name, cells in begun.items()}
    activities |= {f"kernel{name}": _kernel_games(prepared, played, cells) for name, cells in begun.items()}
    times = in_turn({YARDSTICK: yardstick(), **activities})
    records, moves = sum(sample.records for sample in played), sum(len(sample.orders) for sample in played)
    whole, last = (
        1_000_000 * median(kernel - bare for kernel, bare in zip(times[f"kernel{at}"], times[f"bare{at}"], strict=True))
        for at in begun
    )
    a_move = (whole - last) / (moves - games)
    return {
        "records_s": round(records / median(times["kernel"])),
        "games_s": round(games / median(times["kernel"])),
        "ratio_to_bare_loop": ratio(times["bare"], times["kernel"]),
        "over_bare_move_us": round(a_move, 2),
        "over_bare_game_us": round(last / games - a_move, 1),
        "fold_to_play": ratio(times["kernel"], times["fold"]),
        "verify_to_play": ratio(times["thoughtless"], times["verify"]),
        **costs(times, dict.fromkeys(("kernel", "fold", "verify"), games)),
    }


def _bare_games(played: Sequence[BenchGame], cells: Sequence[str]) -> Callable[[], None]:
    """Return a function that plays and writes a game for each sample without the kernel, header included."""

    def play() -> None:
        for sample in played:
            _, head = chain([header_body(sample.header)], START)
            play_bare({side: Stream.for_player(sample.key, side) for side in ("x", "o")}, head, cells)

    return play


def _kernel_games(prepared: Prepared, played: Sequence[BenchGame], cells: Sequence[str]) -> Callable[[], None]:
    """Return a function that plays and writes a game for each sample with the kernel."""
    state = prepared.ruleset.codec.from_bytes(prepared.first_state, None)
    state.cells = list(cells)
    begun = replace(prepared, first_state=prepared.ruleset.codec.to_bytes(state))

    def play() -> None:
        for sample in played:
            game = begun.new_game(KeyedDice(sample.key))
            game.play({side: _Drawing(Stream.for_player(sample.key, side)) for side in ("x", "o")})
            log_lines(sample.header, game)

    return play


class _Drawing:
    """A player that draws any option, as simple as the player of the bare loop."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def choose(self, decision: Decision, view: View) -> Order:  # noqa: ARG002 - the protocol's shape
        """Return one of the options."""
        order: Order = decision.options.sample(self._stream)
        return order


def time_ruleset(installed: Installed, seconds: float = 0.4) -> dict[str, float]:
    """Return the figures of ``installed``, from as many random games as fit into about ``seconds`` per round."""
    prepared = installed.prepare()
    began = process_time()
    played = samples(prepared, 3)
    each = (process_time() - began) / 3
    played += samples(prepared, max(3, min(500, round(seconds / each))))[3:]
    times = in_turn({YARDSTICK: yardstick(), **activities_of(prepared, played)}, rounds=5)
    records = sum(sample.records for sample in played)
    whole = median(times["play"])
    return {
        "records_s": round(records / whole),
        "games_s": round(len(played) / whole, 1),
        "game_ms": round(1000 * whole / len(played), 2),
        "records_game": round(records / len(played), 1),
        "fold_to_play": ratio(times["play"], times["fold"]),
        "verify_to_play": ratio(times["thoughtless"], times["verify"]),
        **costs(times, dict.fromkeys(("play", "thoughtless", "fold", "verify"), len(played))),
    }
