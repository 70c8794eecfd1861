"""The statistical resolver SR-1, which fights a brief with its own dice and returns a result as people would write it.

The order of the draws is: the attacker (if the mission rolls for it), the margin, the numbers of platoons lost by
winner and loser, these platoons, their teams, independent teams, characters, heroism. Last come the draws for fields
that only some campaigns use: transports, teams that left the table, recon platoons ahead. ``constants.py`` has the
figures and their origin.

The campaign rolls recovery dice with its own dice. In a large battle, platoon losses are those of one company times the
number of companies; victory points are those of one.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.views import View
from sandtable.tabletop.brief import Brief, Company, Platoon
from sandtable.tabletop.checking import Results, results_in
from sandtable.tabletop.resolver.constants import SR1
from sandtable.tabletop.resolver.logit import logit
from sandtable.tabletop.resolver.strength import VEHICLES, has_roles, log_odds
from sandtable.tabletop.result import PlatoonLosses, ReportBattle, Result
from sandtable.tabletop.scoring import DRAW, Draws, drawn_points, won_points

Band = Literal["narrow", "clear", "decisive", "draw"]

WINNER, LOSER, EVEN = 0, 1, 2
_HALF = 1 << 31


class Margin(NamedTuple):
    """The outcome of a battle: the winner's side or "draw", and the band of its margin."""

    winner: str
    band: Band


class _Lost(NamedTuple):
    """The losses of one platoon during the draws."""

    platoon: Platoon
    company: Company
    lost: bool
    destroyed: int
    bailed: int


def resolve(brief: Brief, stream: Stream, draws: Draws = "one_plus_lost") -> Result:
    """Return a result that fits ``brief``; ``draws`` is the campaign's scoring of a drawn battle.

    All randomness comes from ``stream``: the same brief and stream give the same result on every machine.
    """
    margin = _margin(brief, stream)
    shares = {side: _share(margin, side) for side in brief.sides}
    counts = _platoons_lost(margin, shares, stream)
    picked = {side: _picked(brief, side, counts[side], stream) for side in brief.sides}
    lost_by_platoon = {
        side: _teams(brief, side, picked[side], margin.band, shares[side], stream) for side in brief.sides
    }
    for side in brief.sides:
        lost_by_platoon[side] += _independents(brief, side, shares[side], stream)
    casualties = {side: _casualties(brief, side, shares[side], stream) for side in brief.sides}
    players = [brief.parties[side].player for side in brief.sides]
    heroic = tuple(player for player in players if player and stream.below(1000) < SR1.heroic)
    losses = {side: _written(lost_by_platoon[side], margin.band, shares[side], stream) for side in brief.sides}
    lost = {side: sum(each.lost for each in losses[side].values()) for side in brief.sides}
    points = (
        drawn_points(brief, lost, draws)
        if margin.winner == DRAW
        else won_points(brief, margin.winner, min(counts[margin.winner], lost[margin.winner]))
    )
    return Result(
        margin.winner,
        points,
        platoons={side: each for side, each in losses.items() if each},
        casualties={side: each for side, each in casualties.items() if each},
        heroic=heroic,
        recon_ahead=_ahead(brief, margin, picked, stream),
        source="resolver",
    )


def _margin(brief: Brief, stream: Stream) -> Margin:
    """Draw the winner and the margin."""
    attacker = brief.attacker
    if not attacker and has_roles(brief):
        attacker = stream.pick(brief.sides)
    side = attacker or min(brief.sides)
    share = 2 * stream.below(_HALF) + 1  # odd, so that it is never zero, all or exactly half
    margin = log_odds(brief, side, attacker) + logit(share, 2 * _HALF)
    size = abs(margin) // 1000
    if size < SR1.draw and "fair_fight" in brief.flags:
        return Margin(DRAW, "draw")
    winner = side if margin > 0 else brief.enemy_of(side)
    return Margin(winner, "narrow" if size < SR1.narrow else "clear" if size < SR1.clear else "decisive")


def _share(margin: Margin, side: str) -> int:
    """Return the column of the tables for a side: the winner's, the loser's, or that of a draw."""
    if margin.winner == DRAW:
        return EVEN
    return WINNER if side == margin.winner else LOSER


def _chance(pair: tuple[int, int], share: int) -> int:
    """Return the probability for a side from a pair (winner, loser), or their mean in a draw."""
    return sum(pair) // 2 if share == EVEN else pair[share]


def _platoons_lost(margin: Margin, shares: dict[str, int], stream: Stream) -> dict[str, int]:
    """Draw the number of platoons that each side loses: the winner first, or in a draw in the order of the sides."""
    lost = {}
    for side in sorted(shares, key=lambda each: shares[each]):  # a stable sort
        if shares[side] == WINNER:
            lost[side] = SR1.winner_lost[margin.band][stream.below(6)]
        else:
            lost[side] = 1 + stream.below(3) + SR1.loser_lost.get(margin.band, 0)
    return lost


def _picked(brief: Brief, side: str, count: int, stream: Stream) -> frozenset[str]:
    """Draw the lost platoons, weighted by exposure; at least one remains."""
    companies = brief.parties[side].companies
    left = {each.id: each for company in companies for each in company.platoons if _counts(each)}
    weights = {
        name: SR1.exposure["off_table" if each.off_table else each.kind] * bool(each.fielded)
        for name, each in left.items()
    }
    count = min(count * max(1, len(companies)), sum(map(bool, weights.values())) - 1)
    picked: list[str] = []
    for _ in range(count):
        name = _weighted(weights, stream)
        picked.append(name)
        del weights[name]
    return frozenset(picked)


def _weighted(weights: Mapping[str, int], stream: Stream) -> str:
    """Draw one of the names, by weight."""
    draw = stream.below(sum(weights.values()))
    for name, weight in weights.items():
        draw -= weight
        if draw < 0:
            return name
    raise ValueError("nothing can be drawn")  # pragma: no cover - below() stays under the sum


def _counts(platoon: Platoon) -> bool:
    return not platoon.independent


def _hits(number: int, chance: int, stream: Stream) -> int:
    """Return the number of successes out of ``number``, each with probability ``chance`` in thousandths."""
    below = stream.below
    return sum(below(1000) < chance for _ in range(number)) if chance > 0 else 0


def _teams(brief: Brief, side: str, picked: frozenset[str], band: Band, share: int, stream: Stream) -> list[_Lost]:
    """Draw the losses of the teams of all platoons, in the order of the roster."""
    lost_by_platoon = []
    for company in brief.parties[side].companies:
        gone = SR1.destroyed.get(company.motivation, SR1.destroyed["confident"])
        chance = _team_loss(band, share, company)
        for each in filter(_counts, company.platoons):
            if each.id in picked:
                lost_by_platoon.append(
                    _Lost(each, company, lost=True, destroyed=_hits(each.fielded, gone, stream), bailed=0)
                )
                continue
            destroyed = min(_hits(each.fielded, chance, stream), max(0, each.fielded - 1))
            left = each.fielded - destroyed
            bailed = _hits(left, SR1.bailed, stream) if each.kind in VEHICLES else 0
            lost_by_platoon.append(_Lost(each, company, lost=False, destroyed=destroyed, bailed=bailed))
    return lost_by_platoon


def _team_loss(band: Band, share: int, company: Company) -> int:
    return _chance(SR1.team_loss[band], share) * SR1.skill.get(company.skill, 100) // 100


def _independents(brief: Brief, side: str, share: int, stream: Stream) -> list[_Lost]:
    chance = _chance(SR1.independent, share)
    return [
        _Lost(each, company, lost=False, destroyed=_hits(each.fielded, chance, stream), bailed=0)
        for company in brief.parties[side].companies
        for each in company.platoons
        if each.independent
    ]


def _casualties(brief: Brief, side: str, share: int, stream: Stream) -> tuple[str, ...]:
    chance = _chance(SR1.casualty, share)
    return tuple(each for each in brief.parties[side].characters if stream.below(1000) < chance)


def _written(lost_by_platoon: list[_Lost], band: Band, share: int, stream: Stream) -> dict[str, PlatoonLosses]:
    """Return the losses by platoon, without platoons that lost nothing; transports and exits are drawn here."""
    written = {}
    for platoon, company, lost, destroyed, bailed in lost_by_platoon:
        gone = SR1.destroyed.get(company.motivation, 0) if lost else _team_loss(band, share, company)
        transports = _hits(platoon.transports, gone * SR1.transports // 100, stream)
        left = platoon.fielded - destroyed - bailed
        exits = _hits(left, SR1.exits, stream) if share == LOSER and _counts(platoon) and not lost else 0
        exited = ((2 + stream.below(6), exits),) if exits else ()
        losses = PlatoonLosses(
            destroyed, left if lost else 0, bailed, lost=lost, transports=transports, upgrades=0, exited=exited
        )
        if losses != _NONE:
            written[platoon.id] = losses
    return written


_NONE = PlatoonLosses()


def _ahead(brief: Brief, margin: Margin, picked: dict[str, frozenset[str]], stream: Stream) -> tuple[str, ...]:
    if margin.winner == DRAW:
        return ()
    return tuple(
        name
        for name, each in brief.platoons(margin.winner).items()
        if each.recon and each.fielded and name not in picked[margin.winner]
        if stream.below(1000) < SR1.ahead[margin.band]
    )


class ResolverPlayer:
    """A player for the umpire's seat that resolves battles by SR-1 and makes all other decisions at random.

    Each battle uses a branch of the stream named by its brief. So an additional battle changes no other battle, and a
    repeated one has the same result.
    """

    def __init__(self, seat: str, stream: Stream, board: object = None) -> None:
        self.seat = seat
        self.board = board
        self._stream = stream

    def choose(self, decision: Decision, view: View) -> Order:  # noqa: ARG002 - the protocol's shape
        """Return an order from ``decision.options``."""
        space = results_in(decision.options)
        if space is None:
            order: Order = decision.options.sample(self._stream)
            return order
        return fought(space, self._stream)


def fought(space: Results, stream: Stream) -> ReportBattle:
    """Return the report of the battle of ``space``, from the branch of ``stream`` named by its brief's id."""
    return ReportBattle.of(space.brief, resolve(space.brief, stream.branch(space.brief.id), space.draws))
