"""Bids: the handicap that makes a scenario even between players of equal strength.

An option of a ruleset may give a side an amount of something (``Option.bid`` names the side, or the "first" or "second"
side of the scenario). The same player plays all sides. The bid of the side that wins least is raised until that side
wins an equal share: half of two sides.
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
"""Names that an option uses for the sides if the sides differ between scenarios."""

MOST = 1 << 12
"""Largest bid to try."""


@dataclass(frozen=True)
class Tried:
    """The result of a ``bid``: ``points`` of the side that receives it in ``games`` games (a draw is half a point)."""

    bid: int
    points: float
    games: int

    @property
    def share(self) -> float:
        """Share of the points, 0 to 1."""
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the true share."""
        return wilson(self.points, self.games) or (0.0, 1.0)


@dataclass(frozen=True)
class Bid:
    """The bids ``tried``, in order.

    ``found`` is the smallest bid with which ``side`` wins the share ``fair``, or None if no bid does.
    """

    side: str
    option: str
    tried: tuple[Tried, ...]
    found: Tried | None
    fair: float = 0.5


def find_bid(
    plan: MatchPlan, rulesets: Rulesets, *, workers: int = 1, seen: Callable[[int], object] = lambda _: None
) -> Bid:
    """Return the bid that makes the match of ``plan`` even, with the same player on all sides.

    Each bid is tried in ``plan.games`` games with the same dice. ``seen`` is called with the number of finished games.
    Raises PlayError if no option is a bid for the side that wins least, and whatever ``run_match`` raises.
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
    side, fair = min(even.sides, key=lambda each: _points(even, each)), 1 / len(even.sides)
    options = rulesets.load(plan.ruleset).manifest.options
    names = (side, *PLACES[even.sides.index(side) :][:1])
    option = next((each for each in options if each.bid in names), None)
    if option is None:
        raise PlayError(
            f"{plan.ruleset}: {_losing_score(even, side)}, and the ruleset has no bid for it{_other_bids(options)}"
        )
    tried = [Tried(0, _points(even, side), plan.games)]

    def of(bid: int) -> Tried:
        found = Tried(bid, _points(play({option.name: str(bid)}), side), plan.games)
        tried.append(found)
        return found

    least, sufficient = tried[0], None if tried[0].share < fair else tried[0]
    while sufficient is None and least.bid < MOST:
        doubled = of(2 * least.bid or 1)
        if doubled.share < fair:
            least = doubled
        else:
            sufficient = doubled
    while sufficient is not None and sufficient.bid - least.bid > 1:
        middle = of((least.bid + sufficient.bid) // 2)
        if middle.share < fair:
            least = middle
        else:
            sufficient = middle
    return Bid(side, option.name, tuple(tried), sufficient, fair)


def _points(result: MatchResult, side: str) -> float:
    return float(sum(game.parts[side] for game in result.results))


def _losing_score(result: MatchResult, side: str) -> str:
    return f"the {side} has {_points(result, side):g} of {len(result.results)} points"


def _other_bids(options: Sequence[Option]) -> str:
    bids = [each.bid for each in options if each.bid]
    return f"; its bids are for {', '.join(bids)}" if bids else ""
