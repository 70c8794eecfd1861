"""Inquiries of the umpire into the log of a game: why a record happened, the odds of a roll, and what-ifs.

Each reads the log and runs the rules again, in a thread and one at a time. The game does not change.
"""

import secrets
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import structs

from sandtable.errors import LogError, PlayError
from sandtable.journal.branching.branch import Branch, Fill, Original, branch, original
from sandtable.journal.branching.chances import node_of
from sandtable.journal.branching.changes import Changes
from sandtable.journal.branching.compare import parting
from sandtable.journal.explain import explain
from sandtable.journal.file.log import Log
from sandtable.journal.fold import effective, prepare_for, read_records
from sandtable.journal.positions import game_at
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import UMPIRE, Decision, Order
from sandtable.kernel.dice import ChanceDice, KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.views import View
from sandtable.kernel.records import RollRecord
from sandtable.players.odds import odds_lines
from sandtable.players.players import best_for, seat_bot
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.quoting import count
from sandtable.rules.chance.rolls import chances
from sandtable.rules.notation.names import name_words
from sandtable.viewer.story import story_of
from sandtable.web.umpire.requests import WhatIf
from sandtable.web.umpire.rulings import event_of, typed_order

BOT_SECONDS = 20.0
"""Seconds that bots may take to continue a what-if."""
BOT_ORDERS = 400
"""Maximum number of orders of bots in a what-if."""
PLAYOUTS = 20
"""Maximum number of games that bots play to the end for an estimate, within BOT_SECONDS."""
MAX_LINES = 400
"""Maximum number of lines of the story of a what-if."""
MAX_PICTURE = 4 << 20
"""Maximum number of characters of its board."""


def why(log: Log, rulesets: Rulesets, number: int) -> dict[str, Any]:
    """Return why record ``number`` happened, as ``sandtable explain`` finds it. Raises LogError."""
    return {"why": structs.replace(explain(log, number, rulesets), log=Path(log.name).name)}


def odds(log: Log, rulesets: Rulesets, prepared: Prepared, number: int) -> dict[str, Any]:
    """Return the odds of the roll in record ``number``, or of the first roll after it, with all information."""
    if not 1 <= number <= log.records:
        raise LogError(f"the game has records 1 to {log.records}, not {number}")
    game, roll = node_of(log, number, rulesets)
    lines = odds_lines(prepared, chances(lambda: game.fork(ChanceDice())))
    return {"record": roll.n, "label": roll.label, "dice": roll.dice, "needs": roll.needs or (), "lines": lines}


def odds_behind(log: Log, rulesets: Rulesets, prepared: Prepared, roll: RollRecord) -> list[str]:
    """Return the odds of a roll in words, as a dispute file holds them."""
    found = odds(log, rulesets, prepared, roll.n)
    return [f"of record {roll.n}", *found["lines"]]


# --- estimate ---


class OutOfTime(PlayError):
    """Bots did not finish a game in time."""


class _LimitedPlayer:
    """A bot that stops the game when ``until`` has passed."""

    def __init__(self, player: Any, until: float) -> None:
        self._player, self._until = player, until

    def choose(self, decision: Decision, view: View) -> Order:
        """Choose as the bot does. Raises OutOfTime."""
        if time.monotonic() > self._until:
            raise OutOfTime("the bots took too long")
        order: Order = self._player.choose(decision, view)
        return order


def estimate(log: Log, rulesets: Rulesets) -> dict[str, Any]:
    """Return how often each side won in games that bots played to the end from the last position.

    Raises PlayError if the game is over, or if no game ended within BOT_SECONDS.
    """
    game = game_at(log, log.records, rulesets, goes_on=True)
    if game.is_over:
        raise PlayError("the game is over")
    prepared = prepare_for(log, rulesets).at(game.state)
    names = {seat: _best(prepared, seat) for seat in prepared.ruleset.seats}
    until, won = time.monotonic() + BOT_SECONDS, Counter[str]()
    with suppress(OutOfTime):
        for number in range(PLAYOUTS):
            key = key_from_seed(f"estimate/{number}")
            twin = game.fork(KeyedDice(key))
            players = {seat: seat_bot(prepared, seat, name, key) for seat, name in names.items()}
            twin.play({seat: _LimitedPlayer(each, until) for seat, each in players.items()})
            won[twin.state.outcome] += 1
    if not won:
        raise PlayError(
            f"the bots finished no game within {BOT_SECONDS:.0f} seconds: use `sandtable dispute adjudicate`"
        )
    return {"games": won.total(), "won": dict(won), "bots": names}


def _best(prepared: Prepared, seat: str) -> str:
    return prepared.installed.manifest.usual.get(seat) or best_for(prepared.installed, seat)


# --- what if ---


def what_if(log: Log, rulesets: Rulesets, key: bytes, asked: WhatIf) -> dict[str, Any]:
    """Return the board and the story of the game with a change, and the fate of the recorded orders.

    ``key`` is the dice key of the game. Raises DataError, IllegalOrder, LogError or PlayError if the change is
    impossible, or if bots take too long.
    """
    prepared = prepare_for(log, rulesets)
    records = read_records(log, prepared.ruleset)
    of = original(prepared, log, records, dice_of(log, records, key))
    of.key = secrets.token_bytes(32)
    changes = changes_of(of, asked)
    made = branch(of, changes, _bots(of) if asked.bots else None)
    trail = list(made.game.trail)
    first = parting(of.made, trail)
    start = trail[first].n if first < len(trail) else made.game.number + 1
    _, lines = story_of(trail, prepared, UMPIRE, "the what-if")
    told = [each.text for each in lines if each.number >= start and each.kind == "sentence"]
    state = made.game.state
    return {
        "board": _picture(prepared.at(state), made.game),
        "start": start,
        "turn": state.turn,
        "phase": state.phase,
        "outcome": state.outcome,
        "story": told[:MAX_LINES],
        "more": max(0, len(told) - MAX_LINES),
        "summary": _summary(made, is_same=first >= max(len(of.made), len(trail))),
    }


def changes_of(of: Original, asked: WhatIf) -> Changes:
    """Return the requested change, with the faces of all recorded rolls. Raises PlayError for none or several.

    The faces keep these rolls under a new key, so that a what-if does not show dice that the game has yet to roll.
    """
    if sum(map(bool, [asked.faces, asked.order, asked.event, asked.option])) != 1:
        raise PlayError("a what-if has one change: dice, an order, an event, or an option")
    rolls = [each for each in effective(of.records) if isinstance(each, RollRecord) and each.dice]
    fell = {each.n: dict(enumerate(each.dice, start=1)) for each in rolls}
    if asked.faces:
        fell[asked.record] = fell.get(asked.record, {}) | dict(enumerate(asked.faces, start=1))
        return Changes(dice=fell)
    if asked.option:
        return Changes(fell, readings={asked.option: asked.value})
    if asked.order:
        return Changes(fell, {asked.record: typed_order(of.prepared, of.game, asked.record, asked.order)})
    return Changes(fell, rulings={asked.record: event_of(of.prepared.ruleset, asked.event)})


def _bots(of: Original) -> Fill:
    """Return a function that lets the best bots answer, within BOT_ORDERS and BOT_SECONDS."""
    seated: dict[str, Any] = {}
    until, given = time.monotonic() + BOT_SECONDS, 0

    def answer(game: Game, decision: Decision) -> Order:
        nonlocal given
        given += 1
        if given > BOT_ORDERS or time.monotonic() > until:
            raise PlayError(
                f"the bots did not finish within {BOT_ORDERS} orders and {BOT_SECONDS:.0f} seconds: "
                "try it without bots, or with `sandtable dispute whatif`"
            )
        seat = decision.seat
        if seat not in seated:
            seated[seat] = seat_bot(of.prepared, seat, _best(of.prepared, seat), of.key)
        order: Order = seated[seat].choose(decision, game.seat_view(of.prepared.ruleset.side_of(seat)))
        return order

    return answer


def _picture(prepared: Prepared, game: Game) -> str:
    """Return the umpire's board at the end of a what-if as SVG, or "" if the ruleset draws none."""
    view = prepared.ruleset.view(game.state, UMPIRE)
    drawn = prepared.installed.draw(view, prepared.board, "svg") or ""
    return drawn if len(drawn) <= MAX_PICTURE else ""


def _summary(made: Branch, *, is_same: bool) -> list[str]:
    """Return sentences about the recorded orders and the end of a what-if."""
    filled = f", and {count(made.filled, 'order')} of bots" if made.filled else ""
    unused = f"; {count(len(made.unused), 'recorded order')} not used" if made.unused else ""
    lines = [f"{count(made.given, 'recorded order')} given again{filled}{unused}."]
    if is_same:
        lines.append("No record differs from the game.")
    if made.open_questions and (made.unused or made.open_questions[0].recorded):
        first = made.open_questions[0]
        rule = f" ({first.rule})" if first.rule else ""
        lines.append(
            f"The recorded orders end at a question to {name_words(first.seat)}, {first.prompt}: {first.why}{rule}."
        )
    return lines
