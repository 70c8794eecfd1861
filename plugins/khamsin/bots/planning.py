"""The commander's orders of a turn: holding vital areas, attacks, open ground, rest, marches."""

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Any

from msgspec.structs import replace

from khamsin.bots.assault import Assault, best_assault, left_open, risk
from khamsin.bots.goal import ALL
from khamsin.bots.position import Position
from khamsin.model.orders import WriteOrders
from khamsin.model.state import ON_MAP

WORN = 80
"""Attrition from which a formation attacks only if the campaign depends on it."""
TIRED = 40
"""Attrition from which a formation rests if it is not needed."""
OPEN = 60
"""Maximum risk that marching away may cause."""
NEARER = 100
"""Scale of the pull of a goal, which falls with the distance in points."""


class Plan:
    """The orders of one turn while they are written: each mover has an order, holds, or is free."""

    def __init__(self, position: Position, moves: Any) -> None:
        self.position, self.lines = position, moves.lines
        self.moves: dict[str, list[str]] = {}
        self.held: set[str] = set()
        self.ends: dict[str, int] = {}
        self.called: set[str] = set()
        self.refused: set[str] = set()

    @property
    def free(self) -> list[str]:
        """Movers without an order."""
        return [
            each
            for each in self.position.mine
            if each in self.lines and each not in self.moves and each not in self.held
        ]

    @property
    def able(self) -> list[str]:
        """Free movers whose order was not refused."""
        return [each for each in self.free if each not in self.refused]

    def order(self, formation_id: str, path: list[str]) -> bool:
        """Give an order if it is legal, and return whether it was."""
        if len(path) < 2 or self.lines[formation_id].why_not(path) is not None:
            return False
        self.moves[formation_id] = path
        self.ends[path[-1]] = self.ends.get(path[-1], 0) + self.position.mine[formation_id].strength
        return True

    def staying(self, area: str) -> list[str]:
        """Return the formations that stay in an area, as far as planned."""
        return [each for each in self.position.stacks.get(area, ()) if each not in self.moves]


def write_orders(position: Position, space: Any) -> WriteOrders:
    """Return a side's orders of the turn."""
    plan = Plan(position, space.fields["moves"])
    _bound(plan)
    _hold(plan)
    _act(plan)
    _rest(plan)
    _march(plan)
    leaders = _lead(plan, space.fields["leaders"].lines)
    most = getattr(space.fields["interdict"], "most", 0)
    return WriteOrders(moves=plan.moves, leaders=leaders, interdict=_interdict(position, most))


def _bound(plan: Plan) -> None:
    """Hold formations that take replacements or must rest. A formation that its doctrine lets move stays available."""
    position = plan.position
    for each in plan.free:
        it = position.mine[each]
        if it.mark == "stationary" or it.doctrine:
            plan.held.add(each)
        elif it.regroup:
            may_move = position.board.nations[position.card(each).nation].doctrine
            (plan.called if may_move else plan.held).add(each)


# --- holding ---


def _hold(plan: Plan) -> None:
    """Keep one formation in each vital area, preferably on foot, so that armor is free.

    Whether more formations stay depends on their value elsewhere.
    """
    position = plan.position
    for area in sorted(position.vital, key=lambda each: (-position.worth[each], each)):
        stack = [each for each in plan.staying(area) if position.mine[each].strength]
        if stack:
            plan.held.add(min(stack, key=lambda each: _as_holder(plan, each)))


def _as_holder(plan: Plan, each: str) -> tuple[int, int, int, str]:
    """Return the sort key of a formation as a holder, lowest first: already held, then slow and fresh, then strong."""
    position = plan.position
    card = position.card(each)
    slow = ("leg", "semi_motor", "motor", "recon").index(card.mobility)
    return (each not in plan.held, slow + position.attrition(each) // TIRED, -position.mine[each].strength, each)


# --- attacking, taking, relieving ---


def _act(plan: Plan) -> None:
    """Order the step with the highest gain until none gains: an assault, open ground, or relief of a vital area."""
    while True:
        step = max((each for each in (_assault(plan), _best_move(plan)) if each is not None), default=None)
        if step is None or step.gain <= 0:
            return
        for each in step.force:
            path = [plan.position.mine[each].area, step.area]
            if not plan.order(each, plan.position.reach(each).get(step.area, path)):
                plan.refused.add(each)


def _assault(plan: Plan) -> Assault | None:
    """Return the best assault, or None.

    Worn formations, and formations that doctrine moves, attack only areas worth ``ALL``.
    """
    position = plan.position
    able = [each for each in plan.able if position.mine[each].strength]
    fresh = [each for each in able if position.attrition(each) < WORN and each not in plan.called]
    best = best_assault(position, fresh, plan.moves)
    if len(able) > len(fresh) and (best is None or best.gain < ALL // 2):
        urgent = best_assault(position, able, plan.moves, least=ALL)
        return max((each for each in (best, urgent) if each is not None), default=None)
    return best


def _best_move(plan: Plan) -> Assault | None:
    """Return the best move into open enemy ground, or to an own area that needs more troops, or None."""
    position = plan.position
    best: Assault | None = None
    for each in plan.able:
        for area in position.reach(each):
            gain = _gain(plan, area, each)
            if gain > 0 and (best is None or (gain, area, (each,)) > best):
                best = Assault(gain, area, (each,))
    return best


def _gain(plan: Plan, area: str, each: str) -> int:
    """Return the gain of moving to an open area: an enemy area, or an own area that needs more troops."""
    position = plan.position
    it = position.mine[each]
    coming = [one for one, path in plan.moves.items() if path[-1] == area]
    if area == it.area or (coming and position.view.control[area] == position.enemy):
        return 0
    if position.view.control[area] == position.side:
        there = [*plan.staying(area), *coming]
        gain = risk(position, area, there) - risk(position, area, [*there, each])
    else:
        gain = position.prize(area, it.strength)
    price = position.attrition(each) // 2 + (ALL // 3 if each in plan.called else 0)
    price += left_open(position, [each], plan.moves) + 5 * len(position.reach(each)[area])
    return gain - price


# --- resting and marching ---


def _rest(plan: Plan) -> None:
    """Let tired formations rest in place. Under a threat, worn ones move to a quiet area if others hold theirs."""
    position = plan.position
    for each in plan.free:
        if position.attrition(each) < TIRED and each not in plan.called:
            continue
        if each in plan.called:
            plan.held.add(each)
            continue
        here = position.mine[each].area
        if not position.threat(here):
            plan.held.add(each)
            continue
        quiet = [
            (len(path), end, path)
            for end, path in position.reach(each).items()
            if position.view.control[end] == position.side and not position.threat(end)
        ]
        if quiet and position.attrition(each) >= WORN and len(plan.staying(here)) > 1:
            plan.order(each, min(quiet)[2])


def _march(plan: Plan) -> None:
    """Move each remaining formation as near as possible to the area with the strongest pull."""
    position = plan.position
    for each in list(plan.free):
        here = position.mine[each].area
        if left_open(position, [each], plan.moves) > OPEN:
            continue
        routes = position.cheapest_paths(here, position.mobility(each))
        goals = [(_pull(plan, area, spent), area) for area, (spent, _) in routes.items()]
        pull, goal = max(goals)
        reach = position.reach(each)
        within = [end for end in routes[goal][1][1:] if end in reach]
        if pull and within:
            plan.order(each, reach[within[-1]])


def _pull(plan: Plan, area: str, spent: int) -> int:
    """Return the pull of an area on an idle formation: to take it, to attack from it, or to hold it."""
    position = plan.position
    adjacent = [near for near in position.board.neighbors[area] if near in position.near]
    worth = max([position.worth[near] for near in adjacent], default=0)
    if position.view.control[area] == position.enemy:
        worth = max(worth, position.worth[area])
    if area in position.vital:
        worth = max(worth, position.worth[area] if position.threat(area) else position.worth[area] // 4)
    crowd = plan.ends.get(area, 0) + position.strength(plan.staying(area))
    return NEARER * worth // ((2 + spent) * (4 + crowd))


# --- leaders and air ---


def _interdict(position: Position, most: int) -> list[str]:
    """Return the areas to interdict: those with the most enemies next to valuable areas."""
    dear = {
        area: number * max(position.worth[near] for near in position.board.neighbors[area])
        for area, number in position.known.items()
    }
    return sorted(sorted(dear, key=lambda area: (-dear[area], area))[:most])


def _lead(plan: Plan, lines: Any) -> dict[str, list[str]]:
    """Send each leader, through own areas, to the area where most of its troops will be."""
    position = plan.position
    found: dict[str, list[str]] = {}
    for leader_id in lines:
        leader = position.view.leaders[leader_id]
        corps = position.board.leaders[leader_id].corps
        if leader.standing != ON_MAP:
            continue
        mass: dict[str, int] = {}
        for each, it in position.mine.items():
            if not corps or position.card(each).corps == corps:
                end = plan.moves.get(each, [it.area])[-1]
                end = end if end not in position.known else it.area
                mass[end] = mass.get(end, 0) + it.strength
        for area in sorted(mass, key=lambda one: (-mass[one], one)):
            route = position.cheapest_paths(leader.area, "recon").get(area)
            if route and (area == leader.area or lines[leader_id].why_not(route[1]) is None):
                if len(route[1]) > 1:
                    found[leader_id] = route[1]
                break
    return found


# --- other plans, for search bots ---

CHANGES = 40
"""Maximum number of orders with one changed line that are worth trying."""
RISK_WEIGHTS = (0, 2500, 500, 1200, 6000)
"""Weights of risk, in thousandths, of the other plans."""


class Reweighted(Position):
    """A position with a different weight of risk, ``weight``."""

    weight = 1000

    @cached_property
    def risk_weight(self) -> int:
        """The weight of risk, in thousandths."""
        return self.weight


def other_orders(position: Position, space: Any) -> Iterator[WriteOrders]:
    """Yield orders with other weights of risk, no orders, and the default orders with one formation changed."""
    for risk_weight in RISK_WEIGHTS:
        other = Reweighted(position.view, position.board, position.side, position.belief)
        other.weight = risk_weight
        yield write_orders(other, space)
    yield WriteOrders()
    usual = write_orders(position, space)
    yield from islice(_changed(position, usual, space.fields["moves"].lines), CHANGES)


def _changed(position: Position, usual: WriteOrders, lines: Any) -> Iterator[WriteOrders]:
    """Yield orders that differ in one line: one attack more, one order less, another march."""
    movers = [each for each in position.mine if each in lines]
    paths = {each: _paths(position, each) for each in movers}
    for each in movers:
        for path in paths[each]:
            if path[-1] in position.known and path != usual.moves.get(each):
                yield replace(usual, moves=usual.moves | {each: path})
    for each in movers:
        if each in usual.moves:
            yield replace(usual, moves={key: path for key, path in usual.moves.items() if key != each})
    for each in movers:
        for path in paths[each]:
            if path[-1] not in position.known and path != usual.moves.get(each):
                yield replace(usual, moves=usual.moves | {each: path})


def _paths(position: Position, each: str) -> list[list[str]]:
    """Return the paths of a formation: to areas without known enemies, and into neighboring areas with enemies."""
    here = position.mine[each].area
    adjacent = [[here, near] for near in position.board.neighbors[here] if near in position.known]
    return adjacent + [path for end, path in position.reach(each).items() if end != here and end not in position.known]
