"""The maker of the player ``search``, for the entry point ``sandtable.players``."""

from typing import Any

from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.game import Player
from sandtable.lab.search.player import SearchPlayer
from sandtable.players.players import best_for, makers
from sandtable.plugin.manager import Installed
from sandtable.plugin.manifest import RANDOM, seats_of


def searcher(installed: Installed, seat: str, stream: Stream, board: Any) -> Player:
    """Return a search player guided by the ruleset's best bots, or by random orders if there are no bots.

    In simulated games, the player that a bot names as ``quick`` replaces it, if it names one. The default umpire is the
    umpire there as well.
    """
    bots = makers(installed)
    guides = {each: best_for(installed, each) for each in seats_of(installed.manifest)}
    guides[UMPIRE] = installed.manifest.usual.get(UMPIRE, guides[UMPIRE])

    def guide(guided: str, luck: Stream, its_board: Any) -> Player:
        return bots[guides[guided]](guided, luck, its_board)

    def quick(guided: str, luck: Stream, its_board: Any) -> Player:
        maker = bots[guides[guided]]
        return getattr(maker, "quick", maker)(guided, luck, its_board)

    return SearchPlayer(
        seat,
        stream,
        board,
        guide,
        installed.bots.deal,
        installed.bots.evaluate,
        tree=guides[seat] == RANDOM,
        quick=quick,
    )
