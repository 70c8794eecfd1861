"""Confirmations before a force is final: unspent points that buy a platoon, victory points that buy nothing."""

from msgspec.structs import replace

from axis_attack.forces.company import Companies, company_points
from axis_attack.forces.force import Forces
from axis_attack.model.cards import PROFILES, Board
from axis_attack.model.orders import BuildCompany, ChooseForce
from axis_attack.model.state import AirSupport, Fielded
from axis_attack.model.tables import STEP_POINTS
from axis_attack.ui import parsing
from axis_attack.ui.terms import plane_words
from sandtable import Decision, IllegalOrder, Order, listing, shown
from sandtable.notation import SURE, split_sure
from sandtable.pictures import counted

MANY = 100
"""Minimum number of unspent points that requires a confirmation."""
FEW = 4


def read_order(decision: Decision, text: str, board: Board) -> Order | str | None:
    """Return the order that ``text`` means, or None if it is not in this notation.

    If a force or company wastes points and does not end in "; as said", a question is returned instead, because a force
    cannot be undone. Raises IllegalOrder for a wrong order and for words that name no platoon of a force.
    """
    forces = parsing.NOTATION.kinds(decision.options)
    if ChooseForce not in forces and BuildCompany not in forces:
        return parsing.read_order(decision, text, board)
    text, is_sure = split_sure(text)
    order = parsing.read_order(decision, text, board)
    space = forces.get(ChooseForce)
    if order is None and isinstance(space, Forces) and any(map(str.isalpha, text)):
        there = listing(list(space.pool.lines))
        raise IllegalOrder("AOA-3.01", f"{shown(text)} is not one of your platoons: choose {there}")
    found = "" if is_sure or not isinstance(order, Order) else _doubt(order, decision, as_typed=True)
    return f"{found}: change the line, or end it with ; {SURE}" if found else order


def doubt(order: Order, decision: Decision) -> str:
    """Return the probable mistake in a legal order, or ""."""
    return _doubt(order, decision, as_typed=False)


def _doubt(order: Order, decision: Decision, *, as_typed: bool) -> str:
    space = parsing.NOTATION.kinds(decision.options).get(type(order))
    if isinstance(order, BuildCompany) and isinstance(space, Companies) and space.is_legal(order):
        left = space.points - company_points(space.company, order.platoons, order.aircraft)
        return f"{left} of {space.points} points are left, and cannot be spent later" if left > MANY else ""
    if isinstance(order, ChooseForce) and isinstance(space, Forces) and space.is_legal(order):
        return _of_force(order, space, as_typed=as_typed)
    return ""


def _of_force(order: ChooseForce, space: Forces, *, as_typed: bool) -> str:
    points, limit = space.points(order), space.pool.limit
    needed = max(0, -(-(points - limit) // STEP_POINTS))
    if order.extra > needed:
        enough = f"extra {needed} is enough" if needed else f"the limit of {limit} needs no extra"
        paid = counted(order.extra, "victory point")
        return f"the force has {points} points, and you pay {paid} for a higher limit: {enough}"
    left = space.pool.ceiling(order.extra) - points
    more = additions(order, space, as_typed=as_typed) if left >= MANY else []
    return f"{left} points are left, enough for {', '.join(more)}" if more else ""


def additions(order: ChooseForce, space: Forces, *, as_typed: bool = True) -> list[str]:
    """Return up to ``FEW`` additions that the remaining points of a force pay for, with their points.

    They are ``as_typed``, with ids, or with the titles of platoons.
    """
    found = list[str]()
    for line in space.pool.lines.values():
        old = next((each for each in order.platoons if each.platoon == line.id), None)
        others = [each for each in order.platoons if each is not old]
        for size in reversed(line.sizes):
            each = replace(old, teams=size.teams) if old else Fielded(line.id, size.teams)
            if old is not None and size.teams <= old.teams:
                break
            if space.is_legal(replace(order, platoons=[*others, each])):
                price = space.points_of(each) - (space.points_of(old) if old else 0)
                words = f"{line.id} {size.teams}" if as_typed else f"{line.kind.title} of {counted(size.teams, 'team')}"
                found.append(f"{words} ({price}{' more' if old else ''})")
                break
    flying = space.pool.air_allotment
    for name, levels in () if order.air.aircraft else flying.levels.items():
        for level in reversed(levels):
            air = AirSupport(name, level, PROFILES[0], flying.loads(name)[0])
            if space.is_legal(replace(order, air=air)):
                words = f"air {name} {level}" if as_typed else f"{level} air support by {plane_words(name)}"
                found.append(f"{words} ({flying.prices[level]})")
                break
    return found[:FEW]
