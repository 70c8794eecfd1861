"""What Army Group Center changes in reactions and combat: zones against none, 12 to 1, losses paid (AGC-4.2 to 4.6)."""

from collections.abc import Sequence

from damos.map.zones import is_zone_capable
from damos.model.state import DamosState

ZONE_AGAINST_NONE = 1
"""The modifier of a reaction against a force without zone of influence (AGC-4.2a)."""
OVERWHELMING_RATIO = 12
"""At so many to one the defender is eliminated (AGC-4.6.2a)."""
MOST_PAID = 2
"""So many loss points can be paid with replacements (AGC-4.5.1a)."""

Strengths = tuple[int, int]


def reaction_modifiers(state: DamosState, phasing: Sequence[str]) -> list[tuple[str, int]]:
    """Return the modifiers of a reaction, or a retreat by reaction, against a phasing force (AGC-4.2a)."""
    return [] if is_zone_capable(state, phasing) else [("zone", ZONE_AGAINST_NONE)]


def overwhelms(state: DamosState, printed: Strengths, modified: Strengths) -> bool:
    """Tell whether the attacker is so strong that no roll is made (AGC-4.6.2a, R-DM-63).

    Each pair is the strengths of attacker and defender, without and with terrain.
    """
    attack, defence = printed if state.options["ratio_12"] == "raw_sp" else modified
    return attack >= OVERWHELMING_RATIO * max(1, defence)


def payable(state: DamosState, side: str, paid: int) -> int:
    """Return how many loss points a supplied force may still pay; ``paid`` is what it has in this combat (R-DM-62)."""
    if state.options["rp_absorb_limits"] == "per_player_turn":
        paid = state.paid.get(side, 0)
    return max(0, min(MOST_PAID - paid, state.replacements.get(side, 0)))
