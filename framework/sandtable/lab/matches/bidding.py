"""Bids: the handicap that makes a scenario even between two players of one strength.

A ruleset may have options that are a number of something given to a side (``Option.bid`` names the side, or the
"first" or "second" of the scenario). The same player sits on both sides; the bid of the side that wins less is raised
until it wins half.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sandtable.errors import PlayError
from sandtable.lab.matches.games import MatchPlan
from sandtable.lab.matches.match import MatchResult, run_match
from sandtable.plugin.manager import Rulesets
from sandtable.plugin.manifest import Option
from sandtable.rules.chance.outcomes import wilson

PLACES = ("first", "second")
"""What an option calls the sides where each scenario has its own."""

MOST = 1 << 12
"""A bid that is larger is none: the scenario cannot be made even so."""


@dataclass(frozen=True)
class Tried:
    """What came of a ``bid``: the ``points`` of the side that has it (a draw is half a one), of ``games``."""

    bid: int
    points: float
    games: int

    @property
    def share(self) -> float:
        """The share of the points, 0 to 1."""
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The interval in which the true share lies, 95 times of 100."""
        return wilson(self.points, self.games) or (0.0, 1.0)


@dataclass(frozen=True)
class Bid:
    """The bids ``tried``, in their order; ``found`` is the least that gives ``side`` half, None where none does."""

    side: str
    option: str
    tried: tuple[Tried, ...]
    found: Tried | None


def find_bid(
    plan: MatchPlan, rulesets: Rulesets, *, workers: int = 1, seen: Callable[[int], object] = lambda _: None
) -> Bid:
    """Return the bid that makes the match of ``plan`` even: the same player twice, and so many games for each bid.

    ``seen`` is told how many games are done. All bids have the same dice. Raises PlayError where the side that wins
    less has no bid, and what ``run_match`` raises.
    """
    done = 0

    def play(options: dict[str, str]) -> MatchResult:
        nonlocal done
        before = done
        result = run_match(
            replace(plan, options=plan.options | options), rulesets, workers=workers, seen=lambda n: seen(before + n)
        )
        done += plan.games
        return result

    even = play({})
    side = min(even.sides, key=lambda each: _points(even, each))
    options = rulesets.load(plan.ruleset).manifest.options
    names = (side, PLACES[even.sides.index(side)])
    option = next((each for each in options if each.bid in names), None)
    if option is None:
        raise PlayError(f"{plan.ruleset}: {_lost(even, side)}, and there is no bid for it{_others(options)}")
    tried = [Tried(0, _points(even, side), plan.games)]

    def of(bid: int) -> Tried:
        found = Tried(bid, _points(play({option.name: str(bid)}), side), plan.games)
        tried.append(found)
        return found

    least, enough = tried[0], None if tried[0].share < 0.5 else tried[0]
    while enough is None and least.bid < MOST:
        next_one = of(2 * least.bid or 1)
        if next_one.share < 0.5:
            least = next_one
        else:
            enough = next_one
    while enough is not None and enough.bid - least.bid > 1:
        middle = of((least.bid + enough.bid) // 2)
        if middle.share < 0.5:
            least = middle
        else:
            enough = middle
    return Bid(side, option.name, tuple(tried), enough)


def _points(result: MatchResult, side: str) -> float:
    won = result.won_by_side
    return won[side] + won["draw"] / 2


def _lost(result: MatchResult, side: str) -> str:
    return f"the {side} has {_points(result, side):g} of {len(result.results)} points"


def _others(options: Sequence[Option]) -> str:
    bids = [each.bid for each in options if each.bid]
    return f"; bids are for {', '.join(bids)}" if bids else ": the ruleset has no bids"
