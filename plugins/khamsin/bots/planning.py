"""The commander's orders of a turn: attacks in mass, then open ground, then marches to where something is to be had."""

from typing import Any

from khamsin.bots.position import Outlook
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

    def __init__(self, outlook: Outlook, moves: Any) -> None:
        self.outlook, self.lines = outlook, moves.lines
        self.moves: dict[str, list[str]] = {}
        self.held: set[str] = set()
        self.ends: dict[str, int] = {}

    @property
    def free(self) -> list[str]:
        """Movers without an order yet."""
        return [
            each
            for each in self.outlook.mine
            if each in self.lines and each not in self.moves | dict.fromkeys(self.held)
        ]

    def order(self, formation_id: str, path: list[str]) -> bool:
        """Give an order if it is allowed, and return whether it was."""
        if len(path) < 2 or self.lines[formation_id].why_not(path) is not None:
            return False
        self.moves[formation_id] = path
        self.ends[path[-1]] = self.ends.get(path[-1], 0) + self.outlook.mine[formation_id].strength
        return True


def write_orders(outlook: Outlook, space: Any) -> WriteOrders:
    """Return a side's orders of the turn."""
    plan = Plan(outlook, space.fields["moves"])
    _rest(plan)
    _garrison(plan)
    _attack(plan)
    _guard(plan)
    _take(plan)
    _march(plan)
    leaders = _lead(plan, space.fields["leaders"].lines)
    most = getattr(space.fields["interdict"], "most", 0)
    interdict = sorted(outlook.known, key=lambda area: (-outlook.known[area], area))[:most]
    return WriteOrders(moves=plan.moves, leaders=leaders, interdict=sorted(interdict))


def _rest(plan: Plan) -> None:
    """Keep still who is worn and takes replacements, or who owes a turn of rest and would pay for moving."""
    for each in plan.free:
        it = plan.outlook.mine[each]
        if it.mark == "stationary" or it.regroup or it.doctrine:
            plan.held.add(each)


def _garrison(plan: Plan) -> None:
    """Keep in an area that would lose the campaign all that stands there, or one formation if no enemy is near."""
    outlook = plan.outlook
    for area in outlook.vital:
        stack = sorted(outlook.stacks.get(area, ()), key=lambda each: (outlook.mine[each].strength, each))
        is_near = any(near in outlook.known for near in outlook.board.neighbours[area])
        plan.held.update(stack if is_near else stack[:1])


def _attack(plan: Plan) -> None:
    """Attack, the most rewarding area first, with all that stands next to it, where that is strong enough."""
    outlook = plan.outlook
    for area in sorted(outlook.known, key=lambda each: (-outlook.worth[each], each)):
        near = [each for each in plan.free if area in outlook.board.neighbours[outlook.mine[each].area]]
        able = [each for each in near if outlook.attrition(each) < WORN and outlook.mine[each].strength]
        expected = sum(outlook.mine[each].strength * outlook.chance_in_six(each) for each in able)
        if expected * BOLD > 2 * outlook.resistance(area):  # sixths of companies against thirds
            for each in able:
                plan.order(each, [outlook.mine[each].area, area])


def _guard(plan: Plan) -> None:
    """Keep somebody in each area of worth that known enemies stand next to: the weakest that is there."""
    outlook = plan.outlook
    for area, stack in sorted(outlook.stacks.items()):
        beside = any(near in outlook.known for near in outlook.board.neighbours[area])
        stays = [each for each in stack if each in plan.free]
        if beside and outlook.worth[area] > 1 and stays and not any(each in plan.held for each in stack):
            plan.held.add(min(stays, key=lambda each: (outlook.mine[each].strength, each)))


def _take(plan: Plan) -> None:
    """Send the quick first into open ground of the enemy's, the most worthy in reach."""
    outlook = plan.outlook
    for each in sorted(plan.free, key=lambda one: (-len(outlook.reach(one)), one)):
        goals = [
            (_gain(plan, area, each) - len(path), area, path)
            for area, path in outlook.reach(each).items()
            if outlook.view.control[area] == outlook.enemy and area not in plan.ends
        ]
        best = max(goals, default=(0, "", []))
        if best[0] > 0:
            plan.order(each, best[2])


def _gain(plan: Plan, area: str, formation_id: str) -> int:
    outlook = plan.outlook
    beside = sum(outlook.known.get(near, 0) for near in outlook.board.neighbours[area])
    short = max(0, beside - outlook.mine[formation_id].strength - plan.ends.get(area, 0))
    return int(2 * outlook.worth[area] - RISK * short)


def _march(plan: Plan) -> None:
    """Bring up the rest, each as near as it can come to what is worth most for its distance."""
    outlook = plan.outlook
    for each in list(plan.free):
        here = outlook.mine[each].area
        if outlook.worth[here] > 6 and len(outlook.stacks[here]) == 1:
            continue
        ways = outlook.ways(here, outlook.mobility(each))
        goals = [
            (_pull(outlook, area, spent), area)
            for area, (spent, _) in ways.items()
            if outlook.view.control[area] == outlook.enemy
            or any(n in outlook.known for n in outlook.board.neighbours[area])
        ]
        if not goals:
            continue
        _, goal = max(goals)
        reach = outlook.reach(each)
        path = ways[goal][1]
        within = [end for end in path[1:] if end in reach]
        if within:
            plan.order(each, reach[within[-1]])


def _pull(outlook: Outlook, area: str, spent: int) -> int:
    beside = [near for near in outlook.board.neighbours[area] if near in outlook.known]
    worth = max([outlook.worth[area], *(outlook.worth[near] for near in beside)])
    return 100 * worth // (2 + spent)


def _lead(plan: Plan, lines: Any) -> dict[str, list[str]]:
    """Send each leader to where most of his troops will stand, by way of own areas."""
    outlook = plan.outlook
    found: dict[str, list[str]] = {}
    for leader_id in lines:
        leader = outlook.view.leaders[leader_id]
        corps = outlook.board.leaders[leader_id].corps
        if leader.standing != ON_MAP:
            continue
        mass: dict[str, int] = {}
        for each, it in outlook.mine.items():
            if not corps or outlook.card(each).corps == corps:
                end = plan.moves.get(each, [it.area])[-1]
                end = end if end not in outlook.known else it.area
                mass[end] = mass.get(end, 0) + it.strength
        for area in sorted(mass, key=lambda one: (-mass[one], one)):
            way = outlook.ways(leader.area, "recon").get(area)
            if way and (area == leader.area or lines[leader_id].why_not(way[1]) is None):
                if len(way[1]) > 1:
                    found[leader_id] = way[1]
                break
    return found
