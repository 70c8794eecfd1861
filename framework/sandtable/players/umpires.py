"""Another ruleset in the umpire's seat: it fights a campaign's battles with its own bots, as recorded games."""

from collections.abc import Callable, Mapping

from sandtable.errors import PlayError
from sandtable.journal.battles import BattleRecord, battle_key, battle_of, fights_battles, report, stage
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import play_recorded
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.manifest import RANDOM, plays_any_side
from sandtable.tabletop.checking import Results, results_in
from sandtable.tabletop.result import ReportBattle

BY = ":"
"""Separator between the ruleset that fights the battles and the bot that plays both sides: ``kampfpanzer:captain``."""

Seating = Callable[[Prepared, Mapping[str, str], bytes], Mapping[str, Player]]
"""A function that makes the players of a game from their names and the dice key."""


class RulesetUmpire:
    """An umpire that reports battles fought under another ruleset, and answers all other questions at random.

    A battle depends only on the umpire's stream and the brief, so a repeated request has the same result. ``battles``
    are the battles fought, for the log.
    """

    def __init__(self, stream: Stream, fights: Installed, bot: str, seating: Seating) -> None:
        self.battles: list[BattleRecord] = []
        self._stream = stream
        self._fights = fights
        self._bot = bot
        self._seating = seating

    def choose(self, decision: Decision, view: View) -> Order:  # noqa: ARG002 - the protocol's shape
        """Return the requested report, or any option of another question."""
        space = results_in(decision.options)
        if space is None:
            order: Order = decision.options.sample(self._stream)
            return order
        return self._report(space)

    def recall(self, decision: Decision, view: View) -> None:
        """Advance as if ``choose`` had been called, without fighting a battle."""
        if results_in(decision.options) is None:
            self.choose(decision, view)

    def _report(self, space: Results) -> ReportBattle:
        brief, ident = space.brief, self._fights.manifest.id
        if not space.terms.takes(ident):
            raise PlayError(f"{ident} cannot fight the battle {brief.id}: the campaign takes no results from it")
        prepared = stage(self._fights, brief)
        key = battle_key(self._stream, brief.id)
        dice = make_dice("open", key)
        names = dict.fromkeys(prepared.ruleset.viewers, self._bot)
        players = self._seating(prepared, names, key)
        played = play_recorded(prepared, players, dice, make_header(prepared, names, dice))
        battle = battle_of(brief.id, ident, played.data)
        result = report(self._fights, space.terms, played.game.state, battle.digest)
        refusal = space.why_not(result)
        if refusal is not None:
            raise PlayError(f"{ident} reports an invalid result of {brief.id}: {refusal.reason}")
        self.battles.append(battle)
        return ReportBattle.of(brief, result)


def umpire_named(
    prepared: Prepared, name: str, bots: Callable[[Installed], Mapping[str, object]]
) -> tuple[Installed, str] | None:
    """Return the ruleset and the bot that ``name`` puts into the umpire's seat, or None if it names no ruleset.

    ``bots`` returns the bots of a ruleset, the best first. A bot that may sit for every side plays both. Raises
    PlayError for a ruleset that fights no battles for others, for a game without battles, and for a bot that cannot
    play both sides.
    """
    rulesets = prepared.installed.beside
    ident, _, bot = name.partition(BY)
    if rulesets is None or not rulesets.knows(ident):
        return None
    fights = rulesets.load(ident)
    if not fights_battles(fights):
        raise PlayError(f"{ident} fights no battles for others: its ruleset_battles has no stage")
    if not has_battles(prepared):
        raise PlayError(f"{ident} cannot be the umpire: {prepared.ruleset.id} has no battles for it to fight")
    known = bots(fights)
    if bot and bot not in known:
        raise PlayError(f"{ident} has no player {bot!r}: choose {', '.join(known)}")
    able = [each for each in known if plays_any_side(fights.manifest, each)]
    if bot and bot not in able:
        raise PlayError(f"{ident}: {bot} cannot play both sides of a battle: choose {', '.join(able)}")
    return fights, bot or next(iter(able), RANDOM)


def umpire_notice(prepared: Prepared, name: str) -> str:
    """Return the notice about a ruleset that was chosen as umpire, or "" for any other umpire."""
    ident, rulesets = name.partition(BY)[0], prepared.installed.beside
    if rulesets is None or not rulesets.knows(ident) or not has_battles(prepared):
        return ""
    fights = rulesets.load(ident)
    return fights.manifest.umpire if fights_battles(fights) else ""


def has_battles(prepared: Prepared) -> bool:
    """Return whether the game may ask the umpire for the result of a battle."""
    return ReportBattle in prepared.ruleset.orders


def fighters(prepared: Prepared) -> list[str]:
    """Return the rulesets that can fight the battles of a game, or [] for a game without battles."""
    if prepared.installed.beside is None or not has_battles(prepared):
        return []
    found = prepared.installed.beside.load_all()
    return [name for name, each in found.items() if isinstance(each, Installed) and fights_battles(each)]
