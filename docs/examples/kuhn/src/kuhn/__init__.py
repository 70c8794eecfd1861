"""Kuhn poker, the smallest game with a hidden hand: three cards, two players, one bet."""

import sandtable as st

CARDS = ("jack", "queen", "king")
OTHER = {"first": "second", "second": "first"}

RULES = """
    KU-1  Each player antes one chip and is dealt one of three cards, which only that player sees.
    KU-2  First may check or bet one chip; so may second after a check, and first may answer that bet.
    KU-3  A player who faces a bet calls it with another chip, or folds and loses the antes.
    KU-4  When no more actions are due, both cards are shown, and the higher one wins the chips.
"""

game = st.Ruleset("kuhn", title="Kuhn poker", sides=tuple(OTHER), endings=("showdown", "fold"), rules=RULES)


@game.state
class Table(st.State, kw_only=True):
    """The card of each player, and the players with a second chip in the pot."""

    cards: dict[str, str] = {}
    bets: list[str] = []


@game.order
class Act(st.Order, frozen=True):
    """``what``: check, bet, call or fold."""

    what: str


@game.event(seen_by="side")
class CardDealt(st.Event, frozen=True):
    """``side`` was dealt ``card``: its own secret."""

    side: str
    card: str
    rule: str = "KU-1"

    def apply(self, table: Table) -> None:
        """Give the player the card."""
        table.cards[self.side] = self.card


@game.event
class Bet(st.Event, frozen=True):
    """``side`` put a second chip in."""

    side: str
    rule: str = "KU-2"

    def apply(self, table: Table) -> None:
        """Count it."""
        table.bets.append(self.side)


@game.event(reveals=True)
class CardsShown(st.Event, frozen=True):
    """Both cards were shown."""

    cards: dict[str, str]
    rule: str = "KU-4"

    def apply(self, table: Table) -> None:
        """Change nothing: the state already holds the cards."""


@game.phase("KU-1", setup=True)
def deal(_: Table) -> st.Procedure:
    """Deal each player a card (KU-1)."""
    hands = yield from st.deal(CARDS, {"first": 1, "second": 1}, "KU-1")
    for side, (card,) in hands.items():
        yield CardDealt(side, card)


@game.phase("KU-2")
def bet(table: Table) -> st.Procedure:
    """Let both act, and settle (KU-2 to KU-4)."""
    for side, other in OTHER.items():
        if (yield from act(side, "check or bet", ("check", "bet"), "KU-2")) == "bet":
            yield Bet(side)
            if (yield from act(other, "call or fold", ("call", "fold"), "KU-3")) == "fold":
                yield st.GameEnded(side, "fold", "KU-3", margin={side: 1, other: -1})
            break
    yield CardsShown(dict(table.cards))
    winner = max(OTHER, key=lambda side: CARDS.index(table.cards[side]))
    won = 2 if table.bets else 1
    yield st.GameEnded(winner, "showdown", "KU-4", margin={winner: won, OTHER[winner]: -won})


def act(side: str, prompt: str, ways: tuple[str, ...], rule: str) -> st.Procedure:
    """Return the action of ``side``, one of ``ways``."""
    order: Act = yield st.Decision(side, prompt, st.Form(Act, {"what": st.OneOf(ways, rule)}), rule)
    return order.what


@game.view
def view(table: Table, side: str) -> dict[str, str]:
    """Return the view of ``side``: its own card, and all bets."""
    return {"card": table.cards.get(side, ""), "bets": " ".join(table.bets)}


@game.hook("deal")
def imagine(view: dict[str, str], side: str, stream: st.Stream) -> Table:
    """Return a table that gives ``side`` this view: the other holds one of the two other cards."""
    other = stream.pick([card for card in CARDS if card != view["card"]])
    return Table(cards={side: view["card"], OTHER[side]: other}, bets=view["bets"].split())
