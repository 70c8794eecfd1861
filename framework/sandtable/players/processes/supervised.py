"""A game with players in separate processes. The game always ends, and so do the processes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sandtable.errors import BotFault
from sandtable.journal.format.header import Header
from sandtable.journal.record import Recorded, battle_annexes, log_bytes
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.events import shares_in
from sandtable.kernel.play.endings import DRAW, equal_shares
from sandtable.kernel.play.game import Player
from sandtable.players.processes.bot import ProcessBot
from sandtable.plugin.manager import Prepared

FORFEIT = "forfeit"
"""The ending of a game whose log stops because a player failed."""


@dataclass(frozen=True)
class SupervisedBot:
    """A game that was played to its end or to a ``fault``. Its log then stops at the last order, without a close.

    ``outcome``, ``ending`` and ``shares`` are those of the game, or of ``result_of_forfeit``.
    """

    recorded: Recorded
    fault: BotFault | None
    outcome: str
    ending: str
    shares: dict[str, int]


def play_guarded(prepared: Prepared, players: Mapping[str, Player], dice: KeyedDice, header: Header) -> SupervisedBot:
    """Play a game in memory. A bot's fault forfeits it. No process of a bot remains afterwards, whatever happens."""
    bots = {id(player): player for player in players.values() if isinstance(player, ProcessBot)}.values()
    game = prepared.new_game(dice)
    fault: BotFault | None = None
    try:
        try:
            game.play(players)
        except BotFault as error:
            fault = error
        outcome, ending, shares = (
            (game.state.outcome, game.state.ending, shares_in(game.records))
            if fault is None
            else result_of_forfeit(prepared.ruleset.viewers, fault.side)
        )
        for bot in bots:
            bot.end(outcome, ending)
    finally:
        for bot in bots:
            bot.close()
    data, head = log_bytes(header, game, battle_annexes(players))
    return SupervisedBot(Recorded(game, header, data, head), fault, outcome, ending, shares)


def result_of_forfeit(sides: Sequence[str], failed: str) -> tuple[str, str, dict[str, int]]:
    """Return the outcome, ending and shares of a game of ``sides`` that ``failed`` forfeits.

    With two sides the other one wins, and with more it is a draw among the others.
    """
    others = [side for side in sides if side != failed]
    return (others[0], FORFEIT, {}) if len(others) == 1 else (DRAW, FORFEIT, equal_shares(others, sides))
