"""Dealing: cards that go round from a deck, by dice that nobody at the table sees."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any, TypeVar

from sandtable.errors import PlayError
from sandtable.kernel.decisions import UMPIRE, Roll

T = TypeVar("T")


def deal(
    deck: Sequence[T], hands: Mapping[str, int], rule: str = "", purpose: str = "deal"
) -> Generator[Roll, Any, dict[str, list[T]]]:
    """Deal from ``deck`` as many cards as ``hands`` says, by seat; ``yield from`` it for the hands.

    Each card is a roll of the umpire's, over the cards that are left: no side sees a die, so none can reckon from its
    own who holds what. What is told of the hands the events tell that follow; they are secret unless the ruleset says
    otherwise. For a seat called "", say, cards are laid aside: on the table, or as the deck that is left. Raises
    PlayError where the deck has too few.
    """
    left = list(deck)
    if sum(hands.values()) > len(left):
        raise PlayError(f"{sum(hands.values())} cards cannot be dealt from {len(left)}")
    dealt: dict[str, list[T]] = {}
    for seat, number in hands.items():
        dealt[seat] = []
        for _ in range(number):
            place = 1
            if len(left) > 1:
                (place,) = yield Roll(1, len(left), f"{purpose}:{seat or 'table'}", rule, side=UMPIRE)
            dealt[seat].append(left.pop(place - 1))
    return dealt


def last_secret_roll(trail: Sequence[Any]) -> str:
    """Return the label of the newest secret roll of ``trail`` since the last order; "" where there is none."""
    for record in reversed(trail):
        if hasattr(record, "order"):
            return ""
        if getattr(record, "dice", ()) and getattr(record, "side", ""):
            return str(record.label)
    return ""
