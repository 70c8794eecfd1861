"""The rules of the league for any number of sides.

Each season every side may write a secret letter to another one, then all strike or guard at once. Every side gets its
mail in one record, even if there is none, so the log does not show who wrote to whom.
"""

from collections.abc import Sequence
from typing import Any

import sandtable as st

STRENGTH, SEASONS = 2, 4
GUARD, NOBODY = "guard", "nobody"
RULES = """
    LE-1  Each season every side may write a letter to another side; only the reader sees it.
    LE-2  Then all sides give an order at once: strike another side, or guard.
    LE-3  A side loses one strength for each blow against it, but one less if it guards.
    LE-4  A side without strength is out of the game.
    LE-5  The last side wins. If all would fall at once, they draw, and the game ends.
    LE-6  After the last season the game ends.
    LE-6a  (ruling) Its sides draw in equal parts, or share the game by their strength (option score).
"""


class League(st.State, kw_only=True):
    """The strength of each side, and the letters that it got last, by writer."""

    strength: dict[str, int]
    mail: dict[str, dict[str, str]] = {}


class Write(st.Order, frozen=True):
    """Write ``text`` to a side, or to no side."""

    to: str
    text: str


class Act(st.Order, frozen=True):
    """Strike the side ``aim``, or guard."""

    aim: str


class MailOpened(st.Event, frozen=True):
    """``side`` got ``letters``, by writer (a secret event)."""

    side: str
    letters: dict[str, str]
    rule: str = "LE-1"

    def apply(self, league: League) -> None:
        """Keep the letters instead of earlier ones."""
        league.mail[self.side] = dict(self.letters)


class Struck(st.Event, frozen=True):
    """Sides lost strength."""

    losses: dict[str, int]
    rule: str = "LE-3"

    def apply(self, league: League) -> None:
        """Subtract the losses."""
        for side, loss in self.losses.items():
            league.strength[side] -= loss


class Fallen(st.SideEliminated, frozen=True):
    """``side`` is out of the game."""

    side: str
    rule: str = "LE-4"

    def apply(self, league: League) -> None:
        """Set its strength to zero, and burn its mail."""
        league.strength[self.side] = 0
        league.mail.pop(self.side, None)


def left(league: League) -> list[str]:
    """Return the sides that are still in the game."""
    return [side for side, strength in league.strength.items() if strength > 0]


def letters(league: League) -> st.Procedure:
    """Let every side write or not, then open the mail (LE-1)."""
    sides = left(league)
    mail: dict[str, dict[str, str]] = {side: {} for side in sides}
    for side in sides:
        others = [*(each for each in sides if each != side), NOBODY]
        form = st.Form(Write, {"to": st.OneOf(others, "LE-1"), "text": st.OneOf(("peace", "war"), "LE-1")})
        order: Write = yield st.Decision(side, "write a letter", form, "LE-1", secret=True)
        if order.to != NOBODY:
            mail[order.to][side] = order.text
    for side in sides:
        yield MailOpened(side, mail[side])


def strikes(league: League) -> st.Procedure:
    """Let all sides strike or guard at once (LE-2 to LE-5)."""
    sides = left(league)
    asked = []
    for side in sides:
        aims = st.OneOf([*(each for each in sides if each != side), GUARD], "LE-2")
        asked.append(st.Decision(side, "strike or guard", st.Form(Act, {"aim": aims}), "LE-2"))
    orders: dict[str, Act] = yield st.Sealed(tuple(asked))
    blows = [order.aim for order in orders.values()]
    losses = {side: max(0, blows.count(side) - (orders[side].aim == GUARD)) for side in sides}
    yield Struck({side: loss for side, loss in losses.items() if loss})
    fallen = [side for side in sides if league.strength[side] <= 0]
    if fallen == sides:
        yield st.GameEnded("draw", "mutual", "LE-5", shares=st.equal_shares(sides, list(league.strength)))
    for side in fallen:
        yield Fallen(side)
    if len(survivors := left(league)) == 1:
        yield st.GameEnded(survivors[0], "alone", "LE-5")


def winter(league: League) -> st.Procedure:
    """End the game after its last season (LE-6)."""
    if league.turn < SEASONS:
        return
    if league.options["score"] == "strength":
        best = [side for side, strength in league.strength.items() if strength == max(league.strength.values())]
        outcome = best[0] if len(best) == 1 else "draw"
        yield st.GameEnded(outcome, "winter", "LE-6a", shares=evaluate(league))
    yield st.GameEnded("draw", "winter", "LE-6", shares=st.equal_shares(left(league), list(league.strength)))


def evaluate(state: League) -> dict[str, int]:
    """Return the share of each side by its strength, in thousandths; the strongest get what does not divide."""
    total = sum(state.strength.values())
    shares = {side: 1000 * strength // total for side, strength in state.strength.items()}
    for side in sorted(shares, key=lambda side: -shares[side])[: 1000 - sum(shares.values())]:
        shares[side] += 1
    return shares


def view(league: League, side: str) -> dict[str, Any]:
    """Return what ``side`` sees: the strength of all, its own mail, and to whom it wrote."""
    sent = [reader for reader, mail in league.mail.items() if side in mail]
    return {"strength": dict(league.strength), "mail": dict(league.mail.get(side, {})), "sent": sent}


def deal(view: dict[str, Any], side: str, stream: st.Stream) -> League:
    """Return a state that gives ``side`` this view; letters between others are unknown."""
    league = League(strength=dict(view["strength"]))
    sides = left(league)
    for writer in dict.fromkeys((*sides, *view["mail"])) if side in sides else ():
        unknown = [each for each in (*sides, NOBODY) if each not in (side, writer)]
        readers = view["sent"] if writer == side else [side] if writer in view["mail"] else unknown
        if readers and (reader := stream.pick(readers)) != NOBODY:
            text = view["mail"].get(writer) or stream.pick(("peace", "war"))
            league.mail.setdefault(reader, {})[writer] = text
    return league


def fill_in(records: Sequence[Any], side: str, sides: tuple[str, ...]) -> list[Any] | None:
    """Return the records that ``side`` saw, with the mail of other sides as far as it wrote it (LE-1)."""
    if side not in sides:
        return None
    readers, sent, filled = list(sides), dict[str, str](), list[Any]()
    for record in records:
        event, order = getattr(record, "event", None), getattr(record, "order", None)
        if isinstance(order, Write) and record.by == side:
            sent = {order.to: order.text}
        if isinstance(event, st.PhaseEnded) and event.phase == letters.__name__:
            opened = enumerate(readers, start=record.n - len(readers))
            mail = {number: MailOpened(each, {side: sent[each]} if each in sent else {}) for number, each in opened}
            filled += [st.EventRecord(number, each) for number, each in mail.items() if each.side != side]
            filled, sent = sorted(filled, key=lambda each: int(each.n)), {}
        if isinstance(event, Fallen):
            readers.remove(event.side)
        filled.append(record)
    return filled


def league(ident: str, title: str, sides: tuple[str, ...]) -> st.Ruleset:
    """Return the ruleset for ``sides``."""
    score = st.Option("score", ("survivors", "strength"), "Who shares the game after the last season?", "LE-6a")
    endings = ("mutual", "alone", "winter")
    game = st.Ruleset(ident, title=title, sides=sides, rules=RULES, endings=endings, options=(score,), stage="complete")
    game.state(League)
    for order in (Write, Act):
        game.order(order)
    game.event(seen_by="side", reveals=True)(MailOpened)
    for event in (Struck, Fallen):
        game.event(seen_by="all")(event)
    for rule, phase in (("LE-1", letters), ("LE-2", strikes), ("LE-6", winter)):
        game.phase(rule)(phase)
    game.view(view)
    game.hook("deal")(deal)
    game.hook("fill_in")(lambda records, side: fill_in(records, side, sides))
    game.hook("evaluate")(evaluate)
    game.hook("setup")(lambda: (League(strength=dict.fromkeys(sides, STRENGTH)), None))
    return game
