"""One order through every entrance of the framework: the same refusal, rule included, and the same record."""

import contextlib
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
import pytest
from rich.console import Console as Screen

import sandtable as st
from sandtable.errors import IllegalOrder, PlayError
from sandtable.journal.format.codec import RecordCodec
from sandtable.journal.format.header import make_dice, make_header
from sandtable.kernel.decisions import UMPIRE, Decision, EnterDice, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.questions import text_of
from sandtable.kernel.records import OrderRecord
from sandtable.lab.matches import games as match_games
from sandtable.lab.matches.games import MatchPlan, play_one
from sandtable.lab.plan import Entrant
from sandtable.lab.rl import episode as episodes
from sandtable.lab.rl.episode import Episode
from sandtable.lab.tournament.play import Seated
from sandtable.players.players import HUMAN, name_seats, seat_players
from sandtable.players.processes.bot import ProcessBot
from sandtable.players.processes.supervised import play_guarded
from sandtable.plugin.manager import Installed, Prepared, Rulesets
from sandtable.terminal.console import Console
from sandtable.terminal.hotseat import ConsolePlayer, play_with_people
from sandtable.terminal.prompt import PlayerLeft
from sandtable.testing import toy
from sandtable.testing.mutants import mutants_of

SEED = "entrances"
KEY = key_from_seed(f"{SEED}/1")
ACTIONS = 64
RULESETS = ["toy", "axis_attack", "damos", "desert_aa", "kampfpanzer", "khamsin"]


class EnoughError(Exception):
    """The order was given, and the next question has come."""


class Giver:
    """A player that gives one order at the first question to it."""

    def __init__(self, order: Any) -> None:
        self.orders = [order]

    def choose(self, decision: Decision, view: Any) -> Any:
        if not self.orders:
            raise EnoughError
        return self.orders.pop()


@dataclass(frozen=True)
class Case:
    """The first question to a player of a ruleset, with a legal order and two illegal ones.

    ``refused`` gives the refusal of each illegal order: a wrong value, and a kind of order that the question excludes.
    """

    prepared: Prepared
    seat: str
    legal: Order
    refused: list[tuple[Order, IllegalOrder]]
    record: tuple[Any, ...]

    def names(self) -> dict[str, str]:
        sides = {side for side in self.prepared.ruleset.seats.values() if side != UMPIRE}
        return name_seats(self.prepared, dict.fromkeys(sides, HUMAN))

    def players(self, order: Any, seat: Callable[[Any], Player] = Giver) -> dict[str, Player]:
        """Return players of all seats: the player with the first question gives ``order``."""
        one = seat(order)
        return seat_players(self.prepared, self.names(), KEY, lambda _: one)


@cache
def case_of(name: str) -> Case:
    installed = Installed("toy", toy, "the toy") if name == "toy" else Rulesets().load(name)
    prepared = installed.prepare()
    sides = [side for side in prepared.ruleset.viewers if side != UMPIRE]
    game = prepared.new_game(KeyedDice(KEY))
    names = name_seats(prepared, dict.fromkeys(sides, HUMAN))
    umpires = {seat: name for seat, name in names.items() if name != HUMAN}
    game.proceed(game.seats_of({seat: seat_players(prepared, umpires, KEY)[seat] for seat in umpires}))
    decision = game.waiting()[0]
    episode = Episode(prepared, KEY, KeyedDice(KEY), ACTIONS, {})
    while not (given := orders_of(episode.game, decision.seat)):
        episode.act(0)
    legal = given[0][2]
    decode = RecordCodec.of(prepared.ruleset).order.decode
    refused: list[tuple[Order, IllegalOrder]] = []
    for wrong in (*(mutant.value for mutant in mutants_of(legal)), EnterDice([1])):
        with contextlib.suppress(msgspec.MsgspecError):
            illegal = decode(msgspec.json.encode(wrong))
            refusal = decision.why_not(illegal)
            if refusal is not None and (not refused or isinstance(illegal, EnterDice)):
                refused.append((illegal, IllegalOrder(*refusal)))
    assert len(refused) == 2
    game.submit(legal, decision.seat)
    return Case(prepared, decision.seat, legal, refused, orders_of(game, decision.seat)[0])


# --- the entrances: each gives an order as far as it can, and raises IllegalOrder or ends with EnoughError ---


def submit(case: Case, order: Order) -> None:
    game = st.new_game(case.prepared.installed, seed=f"{SEED}/1", players=case.names())
    game.submit(order, case.seat)


def recorded_game(case: Case, order: Order) -> None:
    st.new_game(case.prepared.installed, seed=f"{SEED}/1", players=case.names() | {case.seat: Giver(order)})


def play(case: Case, order: Order) -> None:
    case.prepared.new_game(KeyedDice(KEY)).play(case.players(order))


def console(case: Case, order: Order) -> None:
    out, lines = io.StringIO(), iter([msgspec.json.encode(order).decode()])
    screen = Screen(file=out, highlight=False, markup=False, soft_wrap=True, width=100)
    at = Console(case.prepared, lambda _: next(lines, None), screen)
    game = case.prepared.new_game(KeyedDice(KEY))
    people = seat_players(case.prepared, case.names(), KEY, lambda seat: ConsolePlayer(at, seat))
    with contextlib.suppress(PlayerLeft):
        play_with_people(game, people, at)
    refused = [line.removeprefix("  refused: ") for line in out.getvalue().splitlines() if "  refused: " in line]
    if refused:
        raise IllegalOrder("", refused[0])


def match(case: Case, order: Order) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_games, "seat_players", lambda *_: case.players(order))
        try:
            play_one(case.prepared, MatchPlan(case.prepared.ruleset.id, ("random", "random"), 1, SEED), 0)
        except PlayError as error:
            raise error.__cause__ or error from None


def tournament(case: Case, order: Order) -> None:
    def seated(order: Order) -> Seated:
        entrant = Seated(Entrant("giver"), case.seat, 0, [0], careful=True)
        entrant.player = Giver(order)
        return entrant

    guarded(case, case.players(order, seated))


def environment(case: Case, order: Order) -> None:
    if order == case.legal:  # an agent picks its parts
        episode = Episode(case.prepared, KEY, KeyedDice(KEY), ACTIONS, {})
        while not any(isinstance(each, OrderRecord) and each.by == case.seat for each in episode.game.records):
            episode.act(0)
        return
    with pytest.MonkeyPatch.context() as patch:  # a bot against an agent: no agent can give an illegal order
        patch.setattr(episodes, "seat_bot", lambda *_: Giver(order))
        Episode(case.prepared, KEY, KeyedDice(KEY), ACTIONS, {case.prepared.ruleset.side_of(case.seat): "random"})


def bot_process(case: Case, order: Order) -> None:
    side, stream = case.prepared.ruleset.side_of(case.seat), Stream.for_player(KEY, case.seat)
    command = (sys.executable, "-c", PROGRAM, msgspec.json.encode(order).decode())
    with ProcessBot(command, case.prepared, side, stream) as bot:
        guarded(case, case.players(order, lambda _: bot))


PROGRAM = """
import json, sys
say = lambda **line: print(json.dumps(line), flush=True)
sys.stdin.readline()
say(type="ready", protocol=1)
say(type="answer", id=json.loads(sys.stdin.readline())["id"], order=json.loads(sys.argv[1]))
"""


def guarded(case: Case, players: dict[str, Player]) -> None:
    """Play a game in which a fault forfeits; raises IllegalOrder for an illegal order."""
    dice = make_dice("open", KEY)
    fault = play_guarded(case.prepared, players, dice, make_header(case.prepared, case.names(), dice)).fault
    if fault is not None and fault.verdict == "illegal":
        raise IllegalOrder("", fault.reason)


ENTRANCES = [submit, recorded_game, play, console, match, tournament, environment, bot_process]
QUICK = {"toy", "desert_aa"}
CASES = [
    pytest.param(name, entrance, id=f"{name}-{entrance.__name__}", marks=marks)
    for name in RULESETS
    for entrance in ENTRANCES
    for marks in [() if name in QUICK and entrance is not bot_process else pytest.mark.full]
]


@pytest.mark.parametrize(("name", "entrance"), CASES)
def test_every_entrance_gives_the_same_refusal_and_record(
    name: str, entrance: Callable[[Case, Order], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    case, games = case_of(name), list[Game]()
    start = Game.start

    def started(game: Game, *args: Any) -> None:
        games.append(game)
        start(game, *args)

    monkeypatch.setattr(Game, "start", started)
    for order, refusal in case.refused:
        with pytest.raises(IllegalOrder) as refused:
            entrance(case, order)
        assert str(refused.value) == str(refusal)
        assert refusal.rule
        assert not orders_of(games[-1], case.seat)
    with contextlib.suppress(EnoughError):
        entrance(case, case.legal)
    assert orders_of(games[-1], case.seat)[:1] == [case.record]


def orders_of(game: Game, seat: str) -> list[tuple[Any, ...]]:
    """Return the orders that ``seat`` gave, as a log has them."""
    found: list[Any] = [each for each in game.records if isinstance(each, OrderRecord) and each.by == seat]
    return [(each.n, each.by, each.order, each.missing, each.secret, text_of(each.asked)) for each in found]
