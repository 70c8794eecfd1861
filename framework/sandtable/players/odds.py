"""The odds of a proposed order, computed in simulated games that are consistent with what its side may know."""

from fractions import Fraction
from itertools import count
from typing import Any

from sandtable.journal.branching.chances import chance_rows
from sandtable.kernel.decisions import Decision, Order, Roll, Sealed
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Prepared
from sandtable.rules.chance.outcomes import wilson
from sandtable.rules.chance.rolls import SAMPLES, Chances, chances
from sandtable.rules.notation.names import name_words

DEALS = 200
"""Number of deals that are sampled if a side does not know everything."""
MAX_LINES = 12
"""Maximum number of results that are listed."""
NO_DICE = "no dice are rolled before the next question"


def odds_of_order(prepared: Prepared, view: View, decision: Decision, order: Order, *course: Order) -> Chances:
    """Return the possible results of the next dice after ``order``, or no results if it leads to no dice.

    The orders of a ``course`` follow it, up to the first dice or to a question that the next order does not answer. The
    odds are exact, or sampled if the tree is large. If the ruleset has secrets, each sample is dealt again. If orders
    are sealed, those of the other seats are drawn at random. Raises PlayError if the ruleset has secrets and no
    ``deal``, or if ``view`` has no game to simulate.
    """
    simulator = view.simulator(decision)
    dealt_to = decision.side if simulator.hidden else ""
    stream, numbers = Stream(key_from_seed("odds")), count()

    def simulate() -> Any:
        game = simulator.deal(stream.branch(str(next(numbers))), prepared.installed.bots.deal)
        _submit(game, order, decision.seat, stream)
        for following in course:
            pending = next((each for each in game.waiting() if each.seat == decision.seat), None)
            if isinstance(game.pending, Roll) or pending is None or pending.all_wrong(following):
                break
            _submit(game, following, decision.seat, stream)
        return game

    return chances(simulate, dealt_to=dealt_to, samples=DEALS if simulator.hidden else SAMPLES)


ROLLS, PASSES = "rolls", "passes"


def consequence(prepared: Prepared, view: View, decision: Decision, order: Order) -> str:
    """Return ROLLS if ``order`` leads to dice, PASSES if another seat decides next or the game ends, otherwise "".

    It is found in one simulated game that is consistent with ``view``. With secrets, the real game may differ. Raises
    PlayError as ``odds_of_order`` does.
    """
    simulator, stream = view.simulator(decision), Stream(key_from_seed("odds"))
    game: Any = simulator.deal(stream.branch("0"), prepared.installed.bots.deal)
    game.submit(order, decision.seat)
    if isinstance(game.pending, Roll):
        return ROLLS
    return "" if any(each.seat == decision.seat for each in game.waiting()) else PASSES


def _submit(game: Any, order: Order, seat: str, stream: Stream) -> None:
    """Submit an order. If the orders of other seats are sealed with it, draw them at random."""
    game.submit(order, seat)
    while isinstance(game.pending, Sealed) and seat not in {each.seat for each in game.waiting()}:
        other = game.waiting()[0]
        game.submit(other.options.sample(stream), other.seat)


def odds_lines(prepared: Prepared, found: Chances) -> list[str]:
    """Return one line for each of the most probable results of the dice, one for all others, and one for the method.

    If no dice are rolled, the only line states that.
    """
    rows = chance_rows(prepared, found)
    rest = sum((each.chance for each in rows[MAX_LINES:]), Fraction())
    more = [f"{likelihood(rest, found)}  {len(rows) - MAX_LINES} other results"] if rest else []
    lines = [
        f"{likelihood(each.chance, found)}  {each.faces + ': ' if each.faces else ''}{each.told}"
        for each in rows[:MAX_LINES]
    ]
    return [*lines, *more, f"method: {method(found)}"] if rows else [no_dice(found)]


def no_dice(found: Chances) -> str:
    """Return the sentence that no dice are rolled yet, with the seat whose decision comes first."""
    return f"{NO_DICE}, to {name_words(found.asked)}" if found.asked else NO_DICE


def method(found: Chances) -> str:
    """Return a description of how the odds were found."""
    if not found.samples:
        return "exact, over all possible dice"
    return f"sampled {found.samples} times; the intervals are 95 % confidence intervals"


def interval(chance: Fraction, found: Chances) -> tuple[float, float]:
    """Return the interval of a probability: the exact value twice, or Wilson's 95 % interval if it was sampled."""
    sampled = wilson(float(chance * found.samples), found.samples)
    return sampled or (float(chance), float(chance))


def likelihood(chance: Fraction, found: Chances) -> str:
    """Return a probability as shown: "5/12, 41.7%", or "41.7% (38.5% to 45.0%)" if it was sampled."""
    if not found.samples:
        return f"{chance}, {float(chance):.1%}"
    low, high = interval(chance, found)
    return f"{float(chance):.1%} ({low:.1%} to {high:.1%})"
