"""How ``search`` comes to a seat: the entry point ``sandtable.players``."""

from typing import Any

from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.game import Player
from sandtable.lab.search.player import SearchPlayer
from sandtable.players.players import best_for, makers
from sandtable.plugin.manager import Installed
from sandtable.plugin.manifest import RANDOM, seats_of


def searcher(installed: Installed, seat: str, stream: Stream, board: Any) -> Player:
    """Return a search player that is guided by the ruleset's own best bots, or by chance where it has none.

    In imagined games those play whom the bots name as ``quick``, where they do; who usually is the umpire is it there,
    too.
    """
    bots = makers(installed)
    guides = {each: best_for(installed, each) for each in seats_of(installed.manifest)}
    guides[UMPIRE] = installed.manifest.usual.get(UMPIRE, guides[UMPIRE])

    def guide(guided: str, luck: Stream, ground: Any) -> Player:
        return bots[guides[guided]](guided, luck, ground)

    def quick(guided: str, luck: Stream, ground: Any) -> Player:
        maker = bots[guides[guided]]
        return getattr(maker, "quick", maker)(guided, luck, ground)

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
