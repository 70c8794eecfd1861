"""The odds of an order that is thought of: in games that could stand at the question, as far as its side may know."""

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
"""So many deals are drawn where a side does not know everything."""
MOST_LINES = 12
"""So many results are told."""
NO_DICE = "no dice are rolled before the next question"


def odds_of_order(prepared: Prepared, view: View, decision: Decision, order: Order, *course: Order) -> Chances:
    """Return what the dice that ``order`` brings about may come to; no results where it brings about none.

    The orders of a ``course`` follow it, up to the first dice, or to a question that the next order does not answer.

    Exact, or sampled where the tree is large; where the ruleset has secrets each sample is dealt anew, and where orders
    are sealed those of others are drawn by chance. Raises PlayError where it has, and no ``deal``, and where ``view``
    has no game to try things out in.
    """
    simulator = view.simulator(decision)
    dealt_to = decision.side if simulator.hidden else ""
    stream, numbers = Stream(key_from_seed("odds")), count()

    def again() -> Any:
        game = simulator.deal(stream.branch(str(next(numbers))), prepared.installed.bots.deal)
        _submit(game, order, decision.seat, stream)
        for each in course:
            asked = next((asked for asked in game.waiting() if asked.seat == decision.seat), None)
            if isinstance(game.pending, Roll) or asked is None or asked.all_wrong(each):
                break
            _submit(game, each, decision.seat, stream)
        return game

    return chances(again, dealt_to=dealt_to, samples=DEALS if simulator.hidden else SAMPLES)


def _submit(game: Any, order: Order, seat: str, stream: Stream) -> None:
    """Give an order; if the orders of others are sealed with it, draw them at random."""
    game.submit(order, seat)
    while isinstance(game.pending, Sealed) and seat not in {each.seat for each in game.waiting()}:
        other = game.waiting()[0]
        game.submit(other.options.sample(stream), other.seat)


def odds_lines(prepared: Prepared, found: Chances) -> list[str]:
    """Return what dice may come to, a line each, and how that was found."""
    rows = chance_rows(prepared, found)
    rest = sum((each.chance for each in rows[MOST_LINES:]), Fraction())
    more = [f"{likelihood(rest, found)}  {len(rows) - MOST_LINES} other results"] if rest else []
    lines = [
        f"{likelihood(each.chance, found)}  {each.faces + ': ' if each.faces else ''}{each.told}"
        for each in rows[:MOST_LINES]
    ]
    return [*lines, *more, f"method: {method(found)}"] if rows else [no_dice(found)]


def no_dice(found: Chances) -> str:
    """Return the sentence that no dice are rolled yet, with the seat that is asked before."""
    return f"{NO_DICE}, to {name_words(found.asked)}" if found.asked else NO_DICE


def method(found: Chances) -> str:
    """Return how the chances were found."""
    if not found.samples:
        return "exact, by all ways in which the dice can fall"
    return f"sampled {found.samples} times; the intervals are of 95 % certainty"


def interval(chance: Fraction, found: Chances) -> tuple[float, float]:
    """Return within what a chance lies: itself where it is exact, otherwise Wilson's 95 % interval."""
    sampled = wilson(float(chance * found.samples), found.samples)
    return sampled or (float(chance), float(chance))


def likelihood(chance: Fraction, found: Chances) -> str:
    """Return a chance as it is shown: "5/12, 41.7 %", or "41.7 % (38.5 to 45.0)"."""
    if not found.samples:
        return f"{chance}, {float(chance):.1%}"
    low, high = interval(chance, found)
    return f"{float(chance):.1%} ({low:.1%} to {high:.1%})"
