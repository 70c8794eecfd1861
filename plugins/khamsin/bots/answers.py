"""The commander's answers to all decisions except orders: deployment, replacements, engagements, retreats."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from khamsin.bots.assault import net_of, risk
from khamsin.bots.goal import ALL
from khamsin.bots.odds import CLASSES, Troops, support_of, worth
from khamsin.bots.odds import engagement as odds_of
from khamsin.bots.position import Position
from khamsin.model import orders
from khamsin.model.cards import Held
from khamsin.model.state import FIGHTING, PRECIPITOUS, RECON, Fielded
from khamsin.model.tables import FIGHTING_WITHDRAWAL
from sandtable import AnyOf, Decision, Order, Stream

DRAWN = 24
"""Number of random choices of companies that are compared."""

MOST = 40
"""Maximum number of listed orders that are compared."""

LOSS, BREAK = 40, 400
"""Costs in hundredths of a company: of a fight per company, and of a formation that the enemy must break to win."""

WEARY, SPENT = 80, 100
"""Attrition from which a formation no longer covers the retreat of others, and from which another fight breaks it."""

GAIN, FLIGHT = 30, 15
"""Value of a win per company, apart from the area, and cost per company of getting out of a fight."""

STRONG = 2
"""Minimum number of companies of a formation that is deployed to attack."""

HOPELESS = 200
"""Probability of winning, in thousandths, below which a side that is not stationary leaves, unless the area is vital.

A higher limit wins fewer campaigns against an opponent that always stays to fight.
"""

PURSUIT, FRESH = 600, 60
"""Limits for fighting a withdrawing enemy: minimum probability of a win, in thousandths, and own attrition below."""


def answer(position: Position, decision: Decision, stream: Stream) -> Order:
    """Return a legal order."""
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
    """Deploy formations to their historical areas, or to areas from which they can strike.

    A leader goes to the area with the most troops of its corps.
    """
    form: Any = decision.options
    cards, people = position.board.formations, position.board.leaders
    areas = _places(position, form.fields["areas"].spaces)
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
        leaders[each] = max(line.values(), key=lambda area, counts=counts: (counts.get(area, 0), area))  # type: ignore[misc]  # mypy infers no lambda with a default
    return orders.Deploy(areas, leaders)


def _places(position: Position, lines: Any) -> dict[str, str]:
    """Return the area in which each formation begins.

    A formation begins in its historical area, with two exceptions. A strong formation begins in its side's
    fortifications next to an area that counts for a victory condition. A weak formation takes the area that a strong
    one has left.
    """
    board = position.board
    cards = board.formations
    goals = [aim.area for aim in board.victory.conditions if isinstance(aim, Held) and aim.side == position.side]
    adjacent = {near for goal in goals for near in board.neighbors[goal] if board.fortified.get(near) == position.side}
    areas: dict[str, str] = {}
    left: list[str] = []
    for each in sorted(lines, key=lambda one: (-cards[one].strength, one)):
        usual, line = cards[each].historical, lines[each]
        better = (
            [area for area in sorted(adjacent) if usual not in adjacent] if cards[each].strength >= STRONG else left
        )
        best = next((area for area in [*better, usual] if line.why_not(area) is None), "")
        areas[each] = best or next(iter(line.values()))
        if cards[each].strength >= STRONG and areas[each] != usual:
            left.append(usual)
    return {each: areas[each] for each in lines}


def _allocate(position: Position, decision: Decision, _: Stream) -> Order:
    return allocate(position, decision)


def allocate(position: Position, decision: Decision, most: int | None = None) -> orders.Allocate:
    """Give the ``most`` most worn formations, or all, replacements as if stationary, but none below 10 attrition."""
    form: Any = decision.options
    sheet = form.fields["shares"]
    shares: dict[str, orders.Share] = {}
    for each in sorted(sheet.lines, key=lambda one: (-position.attrition(one), one))[:most]:
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
    """Stay if the fight is worth it. If not, reconnaissance and spent formations leave, and others withdraw fighting.

    The value of the area is compared with the losses of a beaten force.
    """
    engagement = _engagement(position)
    force = [each for each in engagement.forces.get(position.side, ()) if each in position.mine]
    fighters = [each for each in force if position.mine[each].strength]
    stay = orders.Withdraw()
    if not fighters or _is_worth(position, engagement, fighters):
        return _without_the_spent(position, decision, fighters)
    recon = {each: RECON for each in force if position.card(each).mobility == RECON}
    spent = {each: PRECIPITOUS for each in fighters if each not in recon and position.attrition(each) >= SPENT}
    choices = [orders.Withdraw(leaving=recon)] if len(recon) == len(force) else []
    choices += [orders.Withdraw(FIGHTING, recon | spent), orders.Withdraw(FIGHTING)]
    if len(recon) + len(spent) == len(force):
        choices.insert(0, orders.Withdraw(leaving=recon | spent))
    return next((each for each in choices if decision.options.why_not(each) is None), stay)


def _without_the_spent(position: Position, decision: Decision, fighters: list[str]) -> Order:
    """Stay, but let formations leave that another fight would break, if others that can fight remain."""
    spent = [each for each in fighters if position.attrition(each) >= SPENT]
    fit = [each for each in fighters if position.attrition(each) < WEARY]
    order = orders.Withdraw(leaving=dict.fromkeys(spent, PRECIPITOUS)) if spent and fit else orders.Withdraw()
    return order if decision.options.why_not(order) is None else orders.Withdraw()


def _is_worth(position: Position, engagement: Any, fighters: list[str]) -> bool:
    """Return whether staying is worth it: the stake times the probability of a win, against the cost."""
    own, enemy = position.strength(fighters), sum(engagement.companies.get(position.enemy, {}).values()) or 1
    won, _, _ = _chances(position, engagement, fighters, own, enemy)
    stake = position.worth.get(engagement.area, 0) + GAIN * own
    lost = LOSS * own + sum(BREAK for each in fighters if each in position.spared and position.attrition(each) >= SPENT)
    if won < HOPELESS and position.worth.get(engagement.area, 0) < ALL and engagement.stationary != position.side:
        return False
    is_quick = all(position.card(each).mobility == RECON for each in fighters)  # reconnaissance leaves at little cost
    return bool(won * stake - (1000 - won) * lost + (0 if is_quick else 1000 * FLIGHT * own) >= 0)


def _chances(position: Position, engagement: Any, fighters: list[str], own: int, enemy: int) -> tuple[int, int, int]:
    foe = _foe(position, engagement)
    role = 0 if not engagement.stationary else -1 if engagement.stationary == position.side else 1
    support = support_of(net_of(own, enemy))
    found = [
        odds_of(position.troops(each), foe, engagement.mission or engagement.column, role, min(own, enemy), support)
        for each in fighters
    ]
    return max(found)


def _foe(position: Position, engagement: Any) -> Troops:
    """Return the enemy's troops: the classes that contact revealed, or the assumed ones if none were revealed."""
    seen = engagement.companies.get(position.enemy, {})
    kinds = tuple(sorted(CLASSES[each] for each, number in seen.items() if number and each in CLASSES))
    return Troops(kinds) if kinds else position.foe(engagement.area)


def _let_go(position: Position, _decision: Decision, _stream: Stream) -> Order:
    """Let the enemy withdraw, which gains the ground without loss, unless fresh troops are likely to beat it.

    The side gets the area in any case (KH-19.05); the winner takes half of its attrition.
    """
    engagement = _engagement(position)
    force = [each for each in engagement.forces.get(position.side, ()) if each in position.mine]
    fresh = [each for each in force if position.mine[each].strength and position.attrition(each) < FRESH]
    if not fresh:
        return orders.LetGo(let_go=True)
    own, enemy = position.strength(force), sum(engagement.companies.get(position.enemy, {}).values()) or 1
    foe = _foe(position, engagement)
    support, number = support_of(net_of(own, enemy)), min(own, enemy)
    won, _, _ = max(odds_of(position.troops(each), foe, FIGHTING_WITHDRAWAL, 1, number, support) for each in fresh)
    return orders.LetGo(let_go=won < PURSUIT)


def _mode(_position: Position, _decision: Decision, _stream: Stream) -> Order:
    return orders.ProposeMode("ordinary")


def _field(position: Position, decision: Decision, stream: Stream) -> Order:
    """Field the most valuable company of the mission in all actions, as far as bounds allow, with all support.

    A formation's attrition is the average of its actions. One formation therefore fights all of them, and the others
    suffer none.
    """
    engagement = _engagement(position)
    form: Any = decision.options
    space = form.fields["companies"]
    ranked = sorted(
        ((each, company) for each, types in space.types.items() for company in types),
        key=lambda pair: (-_suits(position, engagement, *pair), pair),
    )
    if space.large or not ranked:
        return _drawn(position, decision, stream)
    left = {each: most for each, (_, most) in space.bounds.items()}
    companies: list[Fielded] = []
    for index in range(space.number):
        each, company = next((pair for pair in ranked if left[pair[0]] > 0), ranked[0])
        left[each] -= 1
        first = index == 0
        companies.append(
            Fielded(each, company, "", first and space.has_people, first and space.has_bonus, space.has_air)
        )
    order = orders.FieldCompanies(companies)
    return order if form.why_not(order) is None else _drawn(position, decision, stream)


def _drawn(position: Position, decision: Decision, stream: Stream) -> Order:
    """Return the best of some random choices of companies, for large battles or if the ranked choice is illegal."""
    engagement = _engagement(position)
    drawn: list[orders.FieldCompanies] = [decision.options.sample(stream) for _ in range(DRAWN)]
    return max(
        drawn,
        key=lambda order: sum(
            _suits(position, engagement, it.formation, it.company) + 100 * (it.air + it.bonus + it.command - it.trade)
            for it in order.companies
        ),
    )


def _suits(position: Position, engagement: Any, each: str, company: str) -> int:
    """Return the value of a company in the mission, in points, reduced by the wear of its formation."""
    own = position.troops(each)
    state = (own.afv_less, own.stand_less, own.supplied)
    attacks = engagement.stationary != position.side
    archetype = position.board.companies[company].archetype
    value = worth(archetype, state, engagement.mission, attacks) // 1000
    spare = BREAK if each in position.spared and position.attrition(each) >= SPENT else 0
    return value - position.attrition(each) - spare


def _retreat(position: Position, decision: Decision, _: Stream) -> Order:
    """Retreat to own ground, near friends and the base."""
    form: Any = decision.options
    space = form.fields["areas"]
    listed = list(islice(space.values(), MOST))
    best = max(listed, key=lambda areas: _refuge(position, areas))
    return orders.RetreatTo(best)


def _refuge(position: Position, areas: Any) -> int:
    """Return the value of a retreat into these areas: control, defense with others, threats, distance to the base."""
    total = 0
    base = position.board.base[position.side]
    for each, area in areas.items():
        stack = [one for one in position.stacks.get(area, []) if one not in areas]
        helps = risk(position, area, stack) - risk(position, area, [*stack, each]) if each in position.mine else 0
        own = 200 * (position.view.control[area] == position.side)
        total += own + helps // 2 - position.threat(area) // 4 - 10 * position.board.distance(area, base)
    return total


def _advance(position: Position, decision: Decision, _: Stream) -> Order:
    """Advance into enemy ground if it is worth more than the added risk to the area left behind."""
    form: Any = decision.options
    listed: list[dict[str, str]] = list(islice(form.fields["areas"].values(), MOST))
    here = _engagement_area(position)

    def gain(areas: dict[str, str]) -> int:
        going = [each for each in areas if each in position.mine]
        own = max(1, position.strength(going))
        taken = sum(
            position.prize(area, own)
            for area in sorted(set(areas.values()))
            if position.view.control[area] == position.enemy
        )
        stack = position.stacks.get(here, [])
        behind = [each for each in stack if each not in going]
        return taken - (risk(position, here, behind) - risk(position, here, stack) if here and going else 0)

    return orders.Advance(max(listed, key=gain))


def _engagement_area(position: Position) -> str:
    open_ = [each for _, each in sorted(position.view.engagements.items()) if not each.settled]
    return open_[0].area if open_ else ""


def _enter(position: Position, decision: Decision, stream: Stream) -> Order:
    """Draw areas for reinforcements at random; a leader goes to the area with the most troops."""
    form: Any = decision.options
    drawn: orders.EnterBy = form.sample(stream)
    leaders = {
        each: max(space.values(), key=lambda area: (position.strength(position.stacks.get(area, [])), area))
        for each, space in form.fields["areas"].spaces.items()
        if each in position.view.leaders
    }
    return orders.EnterBy(drawn.areas | leaders)


ANSWERS: dict[Any, Callable[[Position, Decision, Stream], Order]] = {
    orders.Deploy: _deploy,
    orders.Allocate: _allocate,
    orders.Withdraw: _withdraw,
    orders.LetGo: _let_go,
    orders.ProposeMode: _mode,
    orders.FieldCompanies: _field,
    orders.RetreatTo: _retreat,
    orders.Advance: _advance,
    orders.EnterBy: _enter,
}
"""Functions that make an order, by type of order. All other orders are drawn at random."""


LISTED = 8
"""Number of listed answers that are worth trying."""


def other_answers(position: Position, decision: Decision) -> Iterator[Order]:
    """Yield answers worth trying, likely ones first: reactions to an engagement, and areas after it.

    Some of them may be illegal.
    """
    kind = _kind(decision.options)
    if kind is orders.Withdraw:
        engagement = _engagement(position)
        force = list(engagement.forces.get(position.side, ())) if engagement else []
        yield orders.Withdraw()
        yield orders.Withdraw(FIGHTING)
        yield orders.Withdraw(leaving=dict.fromkeys(force, PRECIPITOUS))
        for each in force[:LISTED]:
            yield orders.Withdraw(leaving={each: PRECIPITOUS})
    elif kind in {orders.RetreatTo, orders.Advance, orders.LetGo}:
        yield from islice(decision.options.values(), LISTED)
