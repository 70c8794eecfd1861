"""Stacking by nation (AGC-4.1): four Germans; two others, three where divisions are; an NKVD regiment free."""

from collections.abc import Sequence

from msgspec import structs

from damos.model.board import GERMAN, NKVD, Counter
from damos.model.state import DamosState
from damos.model.tables import DIVISION, REGIMENT

DIVISIONS_FOR_A_THIRD = {"two_divisions_of_three": 2, "any_third": 1}
"""How many of three must be divisions, by option ``russian_third_division`` (R-DM-56)."""


def most_stacked(state: DamosState, counters: Sequence[Counter]) -> int:
    """Return how many of these units of one side may end in one hex, if they are chosen well.

    Brigades and whatever is larger count as divisions (AGC-4.1d). Allies keep to their own limit (AGC-4.1b) and count
    towards that of the Germans they stack with (AGC-4.1a).
    """
    limits: dict[str, int] = state.board.stack_limits
    germans = [each for each in counters if each.nation == GERMAN]
    free = [each for each in counters if NKVD in each.traits and each.size == REGIMENT][:1]  # AGC-4.1e
    others = [each for each in counters if each.nation != GERMAN and each not in free]
    held = 0
    if others:
        limit = max(limits[each.nation] for each in others)
        divisions = sum(each.size != REGIMENT for each in others)
        if divisions >= DIVISIONS_FOR_A_THIRD[state.options["russian_third_division"]]:  # AGC-4.1c
            limit += 1
        held = min(len(others), limit)
    if germans:
        held = min(len(germans) + held, limits[GERMAN])
    return held + len(free)


def is_full_stack(state: DamosState, counters: Sequence[Counter]) -> bool:
    """Tell whether not even a division of their own nation could join these units (DM-9.0f)."""
    if not counters:
        return False
    joining = structs.replace(counters[-1], size=DIVISION, traits=())
    return most_stacked(state, [*counters, joining]) == most_stacked(state, counters)
