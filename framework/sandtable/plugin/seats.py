"""Who may sit where: what a manifest declares about its bots, and what holds for those that it does not name.

A seat is a power, a side without powers, or the umpire's. Every ruleset has the bots ``COMMON`` besides its own.
"""

from sandtable.kernel.decisions import UMPIRE
from sandtable.plugin.manifest import Manifest

RANDOM, FIRST, SEARCH = "random", "first", "search"
COMMON = (RANDOM, FIRST, SEARCH)

JUDGE_NOTHING = (RANDOM, FIRST)
"""They draw, or take what is listed first, in whichever seat: who names one of them as umpire wants just that."""


def seats_of(manifest: Manifest) -> tuple[str, ...]:
    """Return every seat that a scenario of the ruleset may have, the umpire's last."""
    owned = set(manifest.powers.values())
    single = (side for side in manifest.sides if side not in owned)
    return tuple(dict.fromkeys([*manifest.powers, *(side for side in single if side != UMPIRE), UMPIRE]))


def may_sit(manifest: Manifest, bot: str, seat: str) -> bool:
    """Return whether ``bot`` may sit in ``seat``.

    A bot that ``Manifest.bots`` names sits where that says: a side there stands for all of its powers. Any other sits
    for every side, and not as umpire: who plays for a side need not know what an umpire is asked.
    """
    declared = manifest.bots.get(bot)
    if declared is None:
        return seat != UMPIRE or bot in JUDGE_NOTHING
    return seat in declared or manifest.powers.get(seat, seat) in declared


def plays_any_side(manifest: Manifest, bot: str) -> bool:
    """Return whether ``bot`` may sit in every seat but the umpire's."""
    return all(may_sit(manifest, bot, seat) for seat in seats_of(manifest) if seat != UMPIRE)
