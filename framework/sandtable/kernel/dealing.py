"""Card dealing from a deck, with dice that no side can see."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any, TypeVar

from sandtable.errors import PlayError
from sandtable.kernel.decisions import UMPIRE, Roll

T = TypeVar("T")


def deal(
    deck: Sequence[T], hands: Mapping[str, int], rule: str = "", purpose: str = "deal"
) -> Generator[Roll, Any, dict[str, list[T]]]:
    """Deal cards from ``deck`` to each seat of ``hands``; use ``yield from`` to get the hands by seat.

    Each card is drawn by a secret roll of the umpire over the cards that remain, so no side can work out from its own
    hand what the others hold. The events that follow report the hands; the ruleset declares which side sees
    them. Use an extra seat such as "" for cards that are set aside, on the table or as the remaining deck. Raises
    PlayError if the deck has too few cards.
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
    """Return the label of the newest secret roll in ``trail`` since the last order, or "" if there is none."""
    for record in reversed(trail):
        if hasattr(record, "order"):
            return ""
        if getattr(record, "dice", ()) and getattr(record, "side", ""):
            return str(record.label)
    return ""
