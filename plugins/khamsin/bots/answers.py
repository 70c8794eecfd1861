"""The commander's answers to all that is asked besides orders: deployment, replacements, engagements, retreats."""

from collections.abc import Callable
from itertools import islice
from typing import Any

from khamsin.bots.position import Position
from khamsin.model import orders
from khamsin.model.state import FIGHTING, RECON
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import AnyOf

DRAWN = 24
"""So many ways to field companies are drawn and weighed."""

MOST = 40
"""So many listed orders are weighed where there is no better way."""

HOPELESS = 3
"""So many times our companies are enemy companies from which a force withdraws."""

MOBILE = ("Free for All", "Encounter", "The Cauldron", "Breakthrough", "Hasty Assault", "Breakout")
"""Missions in the open, where armour is at its best; in the others infantry is."""


def answer(position: Position, decision: Decision, stream: Stream) -> Order:
    """Return an order that is allowed."""
    kind = _kind(decision.options)
    make = ANSWERS.get(kind)
    order = make(position, decision, stream) if make else None
    if order is not None and decision.options.why_not(order) is None:
        return order
    drawn: Order = decision.options.sample(stream)
    return drawn


def _kind(space: Any) -> Any:
    return _kind(space.spaces[0]) if isinstance(space, AnyOf) else getattr(space, "order", None)


def _deploy(position: Position, decision: Decision, _: Stream) -> Order:
    """Deploy where the formations stood, by the module; leaders with the most of their own."""
    form: Any = decision.options
    cards, people = position.board.formations, position.board.leaders
    areas = {
        each: cards[each].historical if line.why_not(cards[each].historical) is None else next(iter(line.values()))
        for each, line in form.fields["areas"].spaces.items()
    }
    mass: dict[str, dict[str, int]] = {}
    for key, card in cards.items():
        if card.side == position.side and (card.start or key in areas):
            where = areas.get(key) or card.start[0]
            for corps in ("", card.corps):
                counts = mass.setdefault(corps, {})
                counts[where] = counts.get(where, 0) + card.strength
    leaders = {}
    for each, line in form.fields["leaders"].spaces.items():
        counts = mass.get(people[each].corps, {})
        leaders[each] = max(line.values(), key=lambda area, counts=counts: (counts.get(area, 0), area))  # type: ignore[misc]
    return orders.Deploy(areas, leaders)


def _allocate(position: Position, decision: Decision, _: Stream) -> Order:
    """Give replacements to the most worn, as much as each can take standing still."""
    form: Any = decision.options
    sheet = form.fields["shares"]
    shares: dict[str, orders.Share] = {}
    for each in sorted(sheet.lines, key=lambda one: (-position.attrition(one), one)):
        best = None
        for share in sheet.lines[each].values():
            is_more = best is None or share.armor + share.general > best.armor + best.general
            if not share.moving and is_more and sheet.why_not(shares | {each: share}) is None:
                best = share
        if best is not None and position.attrition(each) >= 10:
            shares[each] = best
    return orders.Allocate(shares)


def _engagement(position: Position) -> Any:
    return next((each for _, each in sorted(position.view.engagements.items()) if not each.over), None)


def _withdraw(position: Position, decision: Decision, _: Stream) -> Order:
    """Stand, unless it is hopeless; reconnaissance gets out of the way of anything stronger."""
    engagement = _engagement(position)
    force = list(engagement.forces.get(position.side, ()))
    own, enemy = position.strength(force), sum(engagement.companies.get(position.enemy, {}).values())
    if own * HOPELESS > enemy:
        return orders.Withdraw()
    leaving = {each: RECON for each in force if position.card(each).mobility == RECON}
    order = orders.Withdraw(leaving=leaving) if len(leaving) == len(force) else orders.Withdraw(FIGHTING)
    return order if decision.options.why_not(order) is None else orders.Withdraw()


def _let_go(_position: Position, _decision: Decision, _stream: Stream) -> Order:
    """Let him go: the ground is had without a loss."""
    return orders.LetGo(let_go=True)


def _mode(_position: Position, _decision: Decision, _stream: Stream) -> Order:
    return orders.ProposeMode("ordinary")


def _field(position: Position, decision: Decision, stream: Stream) -> Order:
    """Field what suits the mission and is least worn, with all support that there is."""
    engagement = _engagement(position)
    drawn: list[orders.FieldCompanies] = [decision.options.sample(stream) for _ in range(DRAWN)]
    return max(drawn, key=lambda order: sum(_suits(position, engagement, each) for each in order.companies))


def _suits(position: Position, engagement: Any, company: Any) -> int:
    archetype = position.board.companies[company.company].archetype
    liked = ("armour", "recon", "mechanised", "infantry")
    if engagement.mission not in MOBILE:
        liked = ("infantry", "mechanised", "armour", "recon")
    support = 4 * company.air + 4 * company.bonus + 2 * company.command - 6 * company.trade
    return int(20 - 4 * liked.index(archetype) - position.attrition(company.formation) // 10 + support)


def _retreat(position: Position, decision: Decision, _: Stream) -> Order:
    """Retreat to own ground, where friends are and the base is near."""
    form: Any = decision.options
    space = form.fields["areas"]
    listed = list(islice(space.values(), MOST))
    best = max(listed, key=lambda areas: sum(_refuge(position, area) for area in areas.values()))
    return orders.RetreatTo(best)


def _refuge(position: Position, area: str) -> int:
    own = 12 * (position.view.control[area] == position.side)
    friends = 2 * position.strength(position.stacks.get(area, []))
    beside = sum(position.known.get(near, 0) for near in position.board.neighbours[area])
    far = (
        position.board.distance(area, position.board.base[position.side]) if position.side in position.board.base else 0
    )
    return int(own + friends - beside - far + position.worth[area] // 2)


def _advance(position: Position, decision: Decision, _: Stream) -> Order:
    """Advance into the enemy's ground if it is worth more than what would be left."""
    form: Any = decision.options
    listed: list[dict[str, str]] = list(islice(form.fields["areas"].values(), MOST))
    here = _engagement_area(position)

    def gain(areas: dict[str, str]) -> int:
        ends = set(areas.values())
        taken = sum(position.worth[area] for area in ends if position.view.control[area] == position.enemy)
        return taken - (position.worth.get(here, 0) if ends else 0)

    return orders.Advance(max(listed, key=gain))


def _engagement_area(position: Position) -> str:
    open_ = [each for _, each in sorted(position.view.engagements.items()) if not each.settled]
    return open_[0].area if open_ else ""


def _place(position: Position, decision: Decision, _: Stream) -> Order:
    form: Any = decision.options
    areas = list(form.fields["area"].values())
    return orders.PlaceLeader(max(areas, key=lambda area: (position.strength(position.stacks.get(area, [])), area)))


ANSWERS: dict[Any, Callable[[Position, Decision, Stream], Order]] = {
    orders.Deploy: _deploy,
    orders.Allocate: _allocate,
    orders.Withdraw: _withdraw,
    orders.LetGo: _let_go,
    orders.ProposeMode: _mode,
    orders.FieldCompanies: _field,
    orders.RetreatTo: _retreat,
    orders.Advance: _advance,
    orders.PlaceLeader: _place,
}
"""By kind of order, how it is made; all else is drawn."""
