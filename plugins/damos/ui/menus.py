"""The lines of menus in words: costs, terrain, units, odds, and tasks that an end leaves undone."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from damos.combat.exchange import reaction_modifiers
from damos.fog.views import SideView
from damos.map.terrain import ground_of, reaction_modifier
from damos.model import orders
from damos.model.board import Board
from damos.model.forces import enemy_of, units_in
from damos.model.state import DamosState
from damos.model.tables import ATTACK_PLANS, FAR_REACTION, REACTION_CERTAIN, REACTION_TARGET
from damos.model.terrain_chart import CLEAR
from damos.movement.march import March, printed_rate
from damos.movement.reactors import Trigger, eligible, why_not_in
from damos.movement.steps import cost_of
from damos.ui.asking.scene import Scene
from damos.ui.hints import step_facts, undone
from damos.ui.terms import moves, name_of, names, place, places, plan_words, signed
from sandtable import Order
from sandtable.pictures import counted, in_words, listed


def words(value: Any, view: SideView, board: Board) -> str | None:
    """Return an order, or the name of an id, in words, or None if the framework's words are used."""
    if isinstance(value, str):
        return _name(value, view, board)
    text = DESCRIPTIONS.get(type(value))
    return text(value, view, board) if text else None


def _name(text: str, view: SideView, board: Board) -> str | None:
    """Return the name of a unit with its hex, or the town of a hex, or None for other texts."""
    if text not in view.units:
        return place(text, board) if text in board.around else None
    hex_ = view.units[text].hex
    return f"{name_of(text, board)} in {place(hex_, board)}" if hex_ else name_of(text, board)


def _end(_: orders.EndPhase, view: SideView, board: Board) -> str:
    """Return the end of a phase; for operations with the tasks left undone."""
    phase = view.phase.partition(".")[2] or view.phase
    if phase != "operations":
        return f"end {'strategic movement' if phase == 'strategic' else phase.replace('_', ' ')}"
    left = undone(Scene.of(view, board).state, view.side)
    return f"end operations{f', with {listed(left)}' if left else ''}"


def _step(order: orders.Step, view: SideView, board: Board) -> str:
    """Return a step with its cost, the terrain, the units there, and the odds of an attack."""
    state = Scene.of(view, board).state
    facts = []
    for hex_ in dict.fromkeys(view.units[each].hex for each in view.active):
        if hex_ in board.around[order.hex]:  # an exploiting force may split, so some units are elsewhere
            march = March(state, [each for each in view.active if view.units[each].hex == hex_], printed_rate(state))
            facts.append(step_facts(state, march, order.hex, cost_of(state, march, order.hex)))
    text = [each for each in next(iter(facts), []) if all(each in other for other in facts)]
    return f"go {place(order.hex, board)}{': ' if text else ''}{'; '.join(text)}"


def _plan(order: orders.ChoosePlan, *_: Any) -> str:
    """Return an attack plan with its cost and its modifier (DM-8.0b)."""
    plan = ATTACK_PLANS[order.plan]
    price = "all remaining points" if plan.halves is None else moves(plan.halves)
    adds = f", {signed(plan.modifier)} to the roll" if plan.modifier else ""
    return f"plan {order.plan}: {plan_words(order.plan)} ({price}{adds})"


def _attack(order: orders.DeclareAttack, view: SideView, board: Board) -> str:
    state, side = Scene.of(view, board).state, view.side
    foes = units_in(state, order.target, enemy_of(side))
    near = [each for hex_ in board.around[order.target] for each in units_in(state, hex_, side)]
    fresh = [each for each in near if not view.units[each].spent]
    ground = [in_words(row.name) for row in ground_of(board, order.target).rows if row.name != CLEAR]
    printed = sum(board.counters[each].sp for each in foes)
    text = [
        *ground,
        f"{names(foes, board)}, printed strength {printed}",
        f"{counted(len(fresh), 'fresh unit')} adjacent",
    ]
    return f"attack {place(order.target, board)} ({'; '.join(text)})"


def _path(verb: str) -> Callable[[Any, SideView, Board], str]:
    """Return a path by its ends: a menu has one line for all paths between two hexes, and any path can be typed."""

    def text(order: Any, _: SideView, board: Board) -> str:
        units = [*getattr(order, "units", ()), *filter(None, [getattr(order, "unit", "")])]
        who = f"{names(units, board)} " if units else ""
        if not order.path:
            return f"{verb}: {who}stay"
        return f"{verb}: {who}from {place(order.path[0], board)} to {place(order.path[-1], board)}"

    return text


def _reaction(order: orders.React, view: SideView, board: Board) -> str:
    """Return a reaction with its odds, or "" for a part of a stack that may react as a whole on the same path."""
    state = Scene.of(view, board).state
    start, whole = order.path[0], eligible(state, view.side, order.path[0])
    trigger = Trigger(state, order.path[-1], view.active, "", view.side)
    if _is_part(order, whole) and why_not_in(trigger, start, whole) is None:
        return ""
    far, by_range = FAR_REACTION
    known = reaction_modifier(state, order.path, view.side)
    if board.hexmap.range_hexes(order.path[0], order.path[-1]) >= far:
        known.append(("range", by_range))
    return f"{_path('react')(order, view, board)} ({_chance(state, view, known)})"


def _avoided(order: orders.AvoidCombat, view: SideView, board: Board) -> str:
    """Return a retreat before combat with its odds, or "" for a part of a stack."""
    state = Scene.of(view, board).state
    if _is_part(order, eligible(state, view.side, order.path[0])):
        return ""
    chance = "no roll" if state.options["reaction_retreat"] == "no_roll" else _chance(state, view, [])
    return f"{_path('avoid combat')(order, view, board)} ({chance})"


def _is_part(order: orders.React | orders.AvoidCombat, whole: Sequence[str]) -> bool:
    return set(order.units) < set(whole)


def _chance(state: DamosState, view: SideView, known: list[tuple[str, int]]) -> str:
    """Return the odds of a reaction, with and without the modifier for stronger mobile units, which may be unknown."""
    against = reaction_modifiers(state, view.active) if view.active else []
    need = REACTION_TARGET - sum(value for _, value in [*known, *against])
    text = f"needs {min(need, REACTION_CERTAIN)} or more on 2 dice: {_percent(need)} %"
    return f"{text}, or {_percent(need - 1)} % if the reacting mobile units are stronger"


def _percent(need: int) -> int:
    """Return the percentage of rolls of two dice at which a reaction that needs ``need`` succeeds."""
    good = sum(a + b >= need or a + b == REACTION_CERTAIN for a in range(1, 7) for b in range(1, 7))
    return round(100 * good / 36)


def _units(verb: str, empty: str = "no unit") -> Callable[[Any, SideView, Board], str]:
    def text(order: Any, view: SideView, board: Board) -> str:
        where = dict.fromkeys(view.units[each].hex for each in order.units if each in view.units)
        at = f" in {places(where, board)}" if len(where) == 1 and all(where) else ""
        return f"{verb}: {names(order.units, board)}{at}" if order.units else f"{verb}: {empty}"

    return text


def _air(order: orders.UseAir, _view: SideView, _board: Board) -> str:
    text = [words_ for words_, is_used in (("shift the column", order.shift), ("a re-roll", order.reroll)) if is_used]
    return f"air: {' and '.join(text) or 'stay away'}"


def _shares(verb: str, points: Mapping[str, int], board: Board, paid: int = 0) -> str:
    """Return points by unit, with those paid by replacements: "lose 3 Pz 2 and one replacement point"."""
    text = [f"{name_of(each, board)} {number}" for each, number in points.items() if number]
    text += [counted(paid, "replacement point")] if paid else []
    return f"{verb} {listed(text) or 'nothing'}"


def _rail(hexes: Sequence[str], board: Board) -> str:
    return f"rail {places(hexes, board) if hexes else 'none'}"


DESCRIPTIONS: dict[type[Order], Callable[[Any, SideView, Board], str]] = {
    orders.EndPhase: _end,
    orders.EndActivation: lambda *_: "stop: end the activation",
    orders.Step: _step,
    orders.DeclareAttack: _attack,
    orders.Activate: _units("activate"),
    orders.PickUp: _units("take along"),
    orders.DropOff: _units("drop"),
    orders.Rally: lambda *_: "rally",
    orders.LeaveOut: _units("leave out"),
    orders.Exploit: _units("exploit"),
    orders.React: _reaction,
    orders.AvoidCombat: _avoided,
    orders.Retreat: _path("retreat"),
    orders.Rout: _path("rout"),
    orders.PlanAttack: lambda order, _, board: f"{plan_words(order.plan)} by {names(order.units, board)}",
    orders.ChoosePlan: _plan,
    orders.ChoosePosture: lambda order, *_: f"posture {order.posture}",
    orders.UseAir: _air,
    orders.TakeLosses: lambda order, _, board: _shares("lose", order.losses, board, order.replacements),
    orders.Replace: lambda order, _, board: _shares("replace", order.points, board),
    orders.ExtendRail: lambda order, _, board: _rail(order.hexes, board),
    orders.ChooseHex: lambda order, _, board: f"{place(order.hex, board)}" if order.hex else "none",
    orders.Reroll: lambda order, *_: f"re-roll die {order.number}" if order.number else "re-roll none",
    orders.KeepBenefit: lambda order, *_: f"keep the {'re-roll' if order.benefit == 'reroll' else order.benefit}",
    orders.Pause: lambda order, *_: "pause: stay in place this turn" if order.keep_still else "no pause",
}
"""Descriptions by type of order."""
