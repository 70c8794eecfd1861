"""Failures of rules, drawings and bots: a sentence for players, and the details for the host.

The sentence has no details, because a secret could be in them.
"""

from collections.abc import Callable

from sandtable.errors import RulesetError
from sandtable.kernel.play.error_location import place_of

Report = Callable[[str], None]
"""A function that shows the host a line."""


def is_fault(error: BaseException) -> bool:
    """Return whether an error comes from a mistake in rules, a drawing or a bot, and is not a refusal."""
    return isinstance(error, RulesetError) or not type(error).__module__.startswith("sandtable.")


def words_for_host(game: str, what: str, error: BaseException) -> str:
    """Return the line for the host: game, what failed, the error, and its location in the rules."""
    told = " ".join(str(error).split())[:400]
    place = place_of(error)
    where = f" ({place})" if place and place not in told else ""
    return f"game {game}: {what} failed: {type(error).__name__}: {told}{where}"


def words_for_players(what: str) -> str:
    """Return the sentence for players after an order made ``what`` fail."""
    return (
        f"{what} failed, so your order was not given; the host has the details. "
        "Choose another order, or take back your last one."
    )


def words_for_bot(seat: str) -> str:
    """Return the sentence for players after the bot of ``seat`` failed, or its order made the rules fail."""
    return (
        f"the bot of {seat} failed; the host has the details. It waits until an order is taken back, "
        "the umpire rules, or another player takes its seat."
    )
