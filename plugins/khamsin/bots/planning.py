"""The commander's orders of a turn: attacks in mass, then open ground, then marches to where something is to be had."""

from typing import Any

from khamsin.bots.position import Position
from khamsin.model.orders import WriteOrders
from khamsin.model.state import ON_MAP

WORN = 80
"""Attrition from which a formation attacks no more."""
BOLD = 3
"""An attack is made up to so many enemy companies for each that is expected to get going: losing one costs little."""
RISK = 2
"""What it counts against open ground that an enemy stands next to it, for each of his companies above ours."""


class Plan:
    """The orders of one turn while they are made: each mover has one, or holds."""

    def __init__(self, position: Position, moves: Any) -> None:
        self.position, self.lines = position, moves.lines
        self.moves: dict[str, list[str]] = {}
        self.held: set[str] = set()
        self.ends: dict[str, int] = {}

    @property
    def free(self) -> list[str]:
        """Movers without an order yet."""
        return [
            each
            for each in self.position.mine
            if each in self.lines and each not in self.moves | dict.fromkeys(self.held)
        ]

    def order(self, formation_id: str, path: list[str]) -> bool:
        """Give an order if it is allowed, and return whether it was."""
        if len(path) < 2 or self.lines[formation_id].why_not(path) is not None:
            return False
        self.moves[formation_id] = path
        self.ends[path[-1]] = self.ends.get(path[-1], 0) + self.position.mine[formation_id].strength
        return True


def write_orders(position: Position, space: Any) -> WriteOrders:
    """Return a side's orders of the turn."""
    plan = Plan(position, space.fields["moves"])
    _rest(plan)
    _garrison(plan)
    _attack(plan)
    _guard(plan)
    _take(plan)
    _march(plan)
    leaders = _lead(plan, space.fields["leaders"].lines)
    most = getattr(space.fields["interdict"], "most", 0)
    interdict = sorted(position.known, key=lambda area: (-position.known[area], area))[:most]
    return WriteOrders(moves=plan.moves, leaders=leaders, interdict=sorted(interdict))


def _rest(plan: Plan) -> None:
    """Keep still who is worn and takes replacements, or who owes a turn of rest and would pay for moving."""
    for each in plan.free:
        it = plan.position.mine[each]
        if it.mark == "stationary" or it.regroup or it.doctrine:
            plan.held.add(each)


def _garrison(plan: Plan) -> None:
    """Keep in an area that would lose the campaign all that stands there, or one formation if no enemy is near."""
    position = plan.position
    for area in position.vital:
        stack = sorted(position.stacks.get(area, ()), key=lambda each: (position.mine[each].strength, each))
        is_near = any(near in position.known for near in position.board.neighbours[area])
        plan.held.update(stack if is_near else stack[:1])


def _attack(plan: Plan) -> None:
    """Attack, the most rewarding area first, with all that stands next to it, where that is strong enough."""
    position = plan.position
    for area in sorted(position.known, key=lambda each: (-position.worth[each], each)):
        near = [each for each in plan.free if area in position.board.neighbours[position.mine[each].area]]
        able = [each for each in near if position.attrition(each) < WORN and position.mine[each].strength]
        expected = sum(position.mine[each].strength * position.chance_in_six(each) for each in able)
        if expected * BOLD > 2 * position.resistance(area):  # sixths of companies against thirds
            for each in able:
                plan.order(each, [position.mine[each].area, area])


def _guard(plan: Plan) -> None:
    """Keep somebody in each area of worth that known enemies stand next to: the weakest that is there."""
    position = plan.position
    for area, stack in sorted(position.stacks.items()):
        beside = any(near in position.known for near in position.board.neighbours[area])
        stays = [each for each in stack if each in plan.free]
        if beside and position.worth[area] > 1 and stays and not any(each in plan.held for each in stack):
            plan.held.add(min(stays, key=lambda each: (position.mine[each].strength, each)))


def _take(plan: Plan) -> None:
    """Send the quick first into open ground of the enemy's, the most worthy in reach."""
    position = plan.position
    for each in sorted(plan.free, key=lambda one: (-len(position.reach(one)), one)):
        goals = [
            (_gain(plan, area, each) - len(path), area, path)
            for area, path in position.reach(each).items()
            if position.view.control[area] == position.enemy and area not in plan.ends
        ]
        best = max(goals, default=(0, "", []))
        if best[0] > 0:
            plan.order(each, best[2])


def _gain(plan: Plan, area: str, formation_id: str) -> int:
    position = plan.position
    beside = sum(position.known.get(near, 0) for near in position.board.neighbours[area])
    short = max(0, beside - position.mine[formation_id].strength - plan.ends.get(area, 0))
    return int(2 * position.worth[area] - RISK * short)


def _march(plan: Plan) -> None:
    """Bring up the rest, each as near as it can come to what is worth most for its distance."""
    position = plan.position
    for each in list(plan.free):
        here = position.mine[each].area
        if position.worth[here] > 6 and len(position.stacks[here]) == 1:
            continue
        ways = position.cheapest_paths(here, position.mobility(each))
        goals = [
            (_pull(position, area, spent), area)
            for area, (spent, _) in ways.items()
            if position.view.control[area] == position.enemy
            or any(n in position.known for n in position.board.neighbours[area])
        ]
        if not goals:
            continue
        _, goal = max(goals)
        reach = position.reach(each)
        path = ways[goal][1]
        within = [end for end in path[1:] if end in reach]
        if within:
            plan.order(each, reach[within[-1]])


def _pull(position: Position, area: str, spent: int) -> int:
    beside = [near for near in position.board.neighbours[area] if near in position.known]
    worth = max([position.worth[area], *(position.worth[near] for near in beside)])
    return 100 * worth // (2 + spent)


def _lead(plan: Plan, lines: Any) -> dict[str, list[str]]:
    """Send each leader to where most of his troops will stand, by way of own areas."""
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
            way = position.cheapest_paths(leader.area, "recon").get(area)
            if way and (area == leader.area or lines[leader_id].why_not(way[1]) is None):
                if len(way[1]) > 1:
                    found[leader_id] = way[1]
                break
    return found
