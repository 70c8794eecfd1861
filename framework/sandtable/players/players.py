"""Players and their seats.

A seat is a power, a side without powers, or the umpire. Bots have a private random stream for each seat and game, which
is separate from the game's dice.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from sandtable.errors import PlayError
from sandtable.journal.format.header import PERSON
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.views import View
from sandtable.players.umpires import RulesetUmpire, fighters, umpire_named
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.manifest import FIRST, RANDOM, SEARCH, may_sit
from sandtable.plugin.third_party import is_named_bot, named_bot

OFFERS = "sandtable.players"
"""Entry points of bots for every ruleset. They make a player from (ruleset, seat, stream, board)."""
HUMAN = PERSON
DEFAULT_PLAYER = RANDOM
"""The player of a seat without a named player."""

Maker = Callable[[str, Stream, Any], Player]
"""A function that makes a bot from (seat, its private stream, the board)."""


class RandomPlayer:
    """A player that chooses at random, and ends a repeated decision one time in four, so that games end."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def choose(self, decision: Decision, view: View) -> Order:  # noqa: ARG002 - the protocol's shape
        """Return ``decision.done`` one time in four, and otherwise any option."""
        done = decision.done
        if done is not None and self._stream.below(4) == 0:
            return done
        try:
            order: Order = decision.options.sample(self._stream)
        except ValueError:  # a form whose fields rarely fit together: take any legal order
            return done if done is not None else first_order(decision)
        return order


class FirstPlayer:
    """A player that always chooses the first legal order, for tests and to check that a game ends."""

    def choose(self, decision: Decision, view: View) -> Order:  # noqa: ARG002 - the protocol's shape
        """Return the first option."""
        return first_order(decision)


class ScriptPlayer:
    """A player that gives the orders of a list, one after the other."""

    def __init__(self, orders: Iterable[Order]) -> None:
        self._orders = iter(orders)

    def choose(self, decision: Decision, view: View) -> Order:  # noqa: ARG002 - the protocol's shape
        """Return the next order. Raises PlayError if none is left."""
        for order in self._orders:
            return order
        raise PlayError(f"the script of {decision.seat} has no order left for {decision.prompt!r}")


def first_order(decision: Decision) -> Order:
    """Return the first legal order. Raises PlayError if there is none."""
    for order in decision.options.values():
        found: Order = order
        return found
    raise PlayError(f"{decision.seat} must decide ({decision.prompt}), but nothing can be chosen")


def makers(installed: Installed) -> dict[str, Maker]:
    """Return the bots of a ruleset by name: its own, the common ones, and those admitted from other modules."""
    own = installed.bots.players
    common: dict[str, Maker] = {
        RANDOM: lambda _seat, stream, _board: RandomPlayer(stream),
        FIRST: lambda *_: FirstPlayer(),
        SEARCH: partial(_searcher, installed),
    }
    found = dict(own)
    for name, maker in [*common.items(), *installed.third_party_bots.items()]:
        found.setdefault(name, maker)
    return found


def admit(installed: Installed, names: Iterable[str], folder: str | Path = ".", *, absent: bool = False) -> None:
    """Make those of ``names`` that are ``module:Class`` bots of ``installed``. Raises PlayError if one is not a bot.

    Use it for names that the user typed, never for names in a log. Modules that are not installed are searched for in
    ``folder``. With ``absent`` nothing is imported: such a bot has a name and a seat, and cannot play.
    """
    known = makers(installed)
    rulesets = installed.beside.ids() if installed.beside else ()
    for name in names:
        if (
            known.get(name, AbsentPlayer) is AbsentPlayer
            and is_named_bot(name)
            and name.partition(":")[0] not in rulesets
        ):
            installed.third_party_bots[name] = AbsentPlayer if absent else named_bot(name, folder)


class AbsentPlayer:
    """A placeholder for a bot in a game that is not played."""

    def __init__(self, seat: str, stream: Stream, board: Any) -> None:
        pass

    def configure(self, settings: Mapping[str, int]) -> None:
        """Accept any settings."""

    def choose(self, decision: Decision, view: View) -> Order:  # noqa: ARG002 - the protocol's shape
        """Raise PlayError."""
        raise PlayError(f"{decision.seat}: its bot was not loaded")


def best_for(installed: Installed, seat: str) -> str:
    """Return the best bot for ``seat``: the ruleset's first own bot that may sit there, or else the random player."""
    return next((name for name in installed.bots.players if may_sit(installed.manifest, name, seat)), DEFAULT_PLAYER)


def _searcher(installed: Installed, seat: str, stream: Stream, board: Any) -> Player:
    """Return a search player.

    Raises PlayError if ``why_no_search`` returns a reason or no search player is installed.
    """
    problem = why_no_search(installed)
    if problem:
        raise PlayError(problem)
    maker = _offered().get(SEARCH)
    if maker is None:
        raise PlayError(f"{SEARCH} is not installed: another package provides it (entry points {OFFERS})")
    player: Player = maker.load()(installed, seat, stream, board)
    return player


@cache
def _offered() -> dict[str, EntryPoint]:
    """Return the bots that packages offer for every ruleset, by name."""
    return {each.name: each for each in entry_points(group=OFFERS)}


def why_no_search(installed: Installed) -> str:
    """Return why ``search`` cannot play a ruleset, or "" if it can or if the ruleset has its own bot of that name."""
    secret = installed.manifest.hidden and not installed.bots.deal
    if not secret or SEARCH in installed.bots.players:
        return ""
    ident = installed.manifest.id
    return f"{ident}: {SEARCH} cannot play it: it has secrets, and its ruleset_bots has no deal"


def holders(installed: Installed, seat: str) -> list[str]:
    """Return the bots that can hold ``seat``: those that may sit there, and ``search`` if it can play the ruleset."""
    unable = {SEARCH} if why_no_search(installed) else set()
    return [bot for bot in makers(installed) if may_sit(installed.manifest, bot, seat) and bot not in unable]


def name_seats(prepared: Prepared, named: Mapping[str, str]) -> dict[str, str]:
    """Return the name of the player in every seat, as stored in the header of a log.

    ``named`` gives players by seat or by side. A seat's own entry takes precedence over its side's. A seat without an
    entry has the ruleset's default player, or else the random player. The umpire's seat may be taken by another ruleset
    that fights the battles: ``kampfpanzer``, or ``kampfpanzer:captain`` to name its bot. Raises PlayError, listing the
    alternatives, for an unknown seat or player, and for a player in a seat that it may not hold.
    """
    seats = prepared.ruleset.seats
    known = list(dict.fromkeys([*prepared.ruleset.viewers, *seats]))
    players = [*makers(prepared.installed), HUMAN]
    for seat, name in named.items():
        if seat not in known:
            raise PlayError(f"{prepared.ruleset.id} has no side or seat {seat!r}: it has {', '.join(known)}")
        if name not in players and not (seat == UMPIRE and umpire_named(prepared, name, makers)):
            again = f"; a class is imported only if you name it: --player {seat}={name}" if ":" in name else ""
            raise PlayError(f"{prepared.ruleset.id} has no player {name!r}: choose {', '.join(players)}{again}")
    defaults = prepared.installed.manifest.usual
    names = {
        seat: named.get(seat) or named.get(side) or defaults.get(seat, DEFAULT_PLAYER) for seat, side in seats.items()
    }
    for seat, name in names.items():
        if name in players and name != HUMAN:
            _check_seat(prepared, seat, name)
    return names


def _check_seat(prepared: Prepared, seat: str, bot: str) -> None:
    """Raise PlayError, listing the alternatives, if a bot cannot hold a seat."""
    installed = prepared.installed
    if bot == SEARCH and (problem := why_no_search(installed)):
        raise PlayError(problem)
    if not may_sit(installed.manifest, bot, seat):
        able = [*holders(installed, seat), HUMAN, *(fighters(prepared) if seat == UMPIRE else ())]
        raise PlayError(f"{prepared.ruleset.id}: {bot} cannot hold the seat {seat}: choose {', '.join(able)}")


def seat_players(
    prepared: Prepared,
    names: Mapping[str, str],
    key: bytes,
    human: Callable[[str], Player] | None = None,
    *,
    salts: bytes = b"",
) -> dict[str, Player]:
    """Return the players of all seats, for a game whose dice key is ``key``.

    ``names`` is an argument or result of ``name_seats``. ``human`` makes the player of a person's seat. If there are
    ``salts`` (see ``KeyedDice``), the streams of the sides' bots come from them, because the key may be guessed and
    secret choices of a bot must not be. Raises PlayError for unknown names, and for a person if ``human`` is None.
    """
    seated: dict[str, Player] = {}
    for seat, name in name_seats(prepared, names).items():
        if name != HUMAN:
            seated[seat] = seat_bot(prepared, seat, name, key, salts=salts)
        elif human is None:
            raise PlayError(f"{seat}: no person can play here: name a bot")
        else:
            seated[seat] = human(seat)
    return seated


def seat_bot(prepared: Prepared, seat: str, name: str, key: bytes, *, salts: bytes = b"") -> Player:
    """Return the bot ``name`` for one seat: one of ``makers`` or, in the umpire's seat, another ruleset.

    ``key`` and ``salts`` are as in ``seat_players``. Raises PlayError for an unknown name.
    """
    bots = makers(prepared.installed)
    stream = Stream.for_player(key if seat == UMPIRE else salts or key, seat)
    if name in bots:
        return bots[name](seat, stream, prepared.board)
    found = umpire_named(prepared, name, makers)
    if found is None:
        raise PlayError(f"{prepared.ruleset.id} has no player {name!r}")
    return RulesetUmpire(stream, *found, seat_players)


def ask_again(
    prepared: Prepared, players: Mapping[str, Player], look: Callable[[str], Any]
) -> Callable[[Decision], None]:
    """Return a function that consults bots again in a replayed game, so that their streams advance as before.

    ``look(side)`` returns the view of a side in that game at the time. People are not in ``players``.
    """

    def ask(decision: Decision) -> None:
        player = players.get(decision.seat)
        if player is not None:
            again = getattr(player, "recall", player.choose)
            again(decision, View(prepared.ruleset.side_of(decision.seat), look))

    return ask
