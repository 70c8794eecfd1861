"""Kuhn poker, the smallest game with a hidden hand: three cards, two players, one bet."""

from itertools import permutations

import sandtable as st

CARDS = ("jack", "queen", "king")
OTHER = {"first": "second", "second": "first"}

RULES = """
    KU-1  Each player antes one chip and is dealt one of three cards.
    KU-4  Both cards are shown, and the higher one wins the chips.
"""

game = st.Ruleset("kuhn", title="Kuhn poker", sides=tuple(OTHER), endings=("showdown",), rules=RULES)


@game.state
class Table(st.State, kw_only=True):
    """The card of each player."""

    cards: dict[str, str] = {}


@game.event
class CardDealt(st.Event, frozen=True):
    """``side`` was dealt ``card``."""

    side: str
    card: str
    rule: str = "KU-1"

    def apply(self, table: Table) -> None:
        """Give the player the card."""
        table.cards[self.side] = self.card


@game.phase("KU-1", setup=True)
def deal(_: Table) -> st.Procedure:
    """Deal each player a card (KU-1)."""
    hands = list(permutations(CARDS, 2))
    (die,) = yield st.Roll(1, len(hands), "deal", "KU-1")
    for side, card in zip(OTHER, hands[die - 1], strict=True):
        yield CardDealt(side, card)


@game.phase("KU-4")
def show(table: Table) -> st.Procedure:
    """Let the higher card win (KU-4)."""
    winner = max(OTHER, key=lambda side: CARDS.index(table.cards[side]))
    yield st.GameEnded(winner, "showdown", "KU-4")
