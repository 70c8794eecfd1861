"""Menu lines in words: losses with their condition, retreats, battles, moves with costs and odds."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from desert_aa.economy.grant import price_of
from desert_aa.fog.views import SideView, UnitSeen
from desert_aa.model import orders
from desert_aa.model.board import Board
from desert_aa.model.state import ADVANCED, EXTENDED
from desert_aa.model.tables import KIND_NAMES, KINDS, MINE_HITS, PLANES, POWER_NAMES, SIDE_OF, SWEPT_ON
from desert_aa.movement.ground import Ground
from desert_aa.movement.options import CombatMoves, NonCombatMoves
from desert_aa.movement.supply import fuel_after
from desert_aa.ui.asking.odds import chance
from desert_aa.ui.asking.paths import PENALTIES, ground_for, paths_of
from desert_aa.ui.asking.scene import Mover, Scene
from desert_aa.ui.draw import MARKS
from sandtable import Order

COMBAT_PHASE = "combat_move"
MAX_STARTS = 6
"""Maximum number of spaces for which units that have not moved are listed."""


def words(value: Any, view: SideView, board: Board) -> str | None:
    """Return an order, or the name of an id, in words, or None to use the framework's words."""
    if isinstance(value, str):
        return _name(value, view, board)
    in_words = IN_WORDS.get(type(value))
    return in_words(value, view, board) if in_words else None


def _name(text: str, view: SideView, board: Board) -> str | None:
    """Return the name of a unit with its space and marks, of a space, a kind or a power, or None for other texts."""
    unit = view.units.get(text)
    if unit is None:
        return _place(text, board) if text in board.names else KIND_NAMES.get(text) or POWER_NAMES.get(text)
    where = f" in {board.names[unit.space]}" if unit.space in board.names else ""
    marks = _marks(text, unit, view)
    return f"{POWER_NAMES[unit.power]}'s {KIND_NAMES[unit.kind]}{where}" + (f" ({', '.join(marks)})" if marks else "")


def _marks(unit_id: str, unit: UnitSeen, view: SideView) -> list[str]:
    """Return the marks that distinguish a unit from others of its kind: its condition, a shot fired, its path."""
    marks = [MARKS[unit.condition].words] if MARKS[unit.condition].words else []
    battle = view.battle
    if battle and unit_id in battle.spent:
        marks.append("has fired")
    if battle and unit_id in battle.attackers:
        paths = {tuple(view.units[each].path): None for each in battle.attackers if view.units[each].kind == unit.kind}
        if len(paths) > 1:
            marks.append(f"from {'-'.join(unit.path)}")
    return marks


def stacks(units: Sequence[str], view: SideView, *, with_power: bool = True) -> str:
    """Return units in words, with like units counted together: "2 infantry, 1 armor (far ahead on the road)".

    With ``with_power`` the power of each unit is named if the units, or all defenders, are of several powers.
    """
    defenders = view.battle.defenders if view.battle else ()
    among = defenders if units and all(each in defenders for each in units) else units
    several = with_power and len({view.units[each].power: None for each in among if each in view.units}) > 1
    counts: dict[tuple[int, str, str], int] = {}
    for each in units:
        unit = view.units.get(each)
        if unit is None:
            continue
        name = f"{POWER_NAMES[unit.power]}'s " if several else ""
        key = (KINDS.index(unit.kind), name, ", ".join(_marks(each, unit, view)))
        counts[key] = counts.get(key, 0) + 1
    parts = [
        f"{number} {name}{KIND_NAMES[KINDS[kind]]}" + (f" ({marks})" if marks else "")
        for (kind, name, marks), number in sorted(counts.items())
    ]
    return ", ".join(parts) or "no units"


def _place(space: str, board: Board) -> str:
    return f"{board.names.get(space, space)} ({space})"


def _press_on(_: orders.PressOn, view: SideView, board: Board) -> str:
    """Return the choice of another round, with the units that are left and the odds."""
    battle = view.battle
    if battle is None:
        return "fight on"
    won = chance(Scene.of(view, board), battle.attackers, battle.space, battle.defenders)
    left = f"{stacks(battle.attackers, view)} against {stacks(battle.defenders, view)}"
    return f"fight on: {left}" + (f" (the attack wins {won})" if won else "")


def _retreat(order: orders.Retreat, _: SideView, board: Board) -> str:
    return f"retreat to {_place(order.to, board)}" if order.to else "retreat: each unit to the space it came from"


def _combat(order: orders.ChooseCombat, view: SideView, board: Board) -> str:
    kind = "raid on" if order.space in view.raids else "battle for"
    ours = stacks(view.raids.get(order.space) or view.combats.get(order.space, ()), view)
    foes = enemies_in(order.space, view, view.phasing_power)
    return f"the {kind} {_place(order.space, board)}: {ours} against {stacks(foes, view)}"


def _guns(order: orders.DesignateGuns, view: SideView, _: Board) -> str:
    return f"anti-tank fire by {stacks(order.guns, view)}" if order.guns else "no anti-tank fire"


# --- moves: their costs, the enemy and the odds ---


def _move(order: orders.MoveUnits, view: SideView, board: Board) -> str:
    """Return a move with its path and cost in fuel, and for an attack the defenders and the odds.

    Returns "" for a detour without a benefit, which the menu omits.
    """
    start, *between, end = order.path
    if between and _is_useless_detour(order, view, board):
        return ""
    through = f" through {', '.join(board.names[each] for each in between)}" if between else ""
    moved = f"{stacks(order.units, view)} from {_place(start, board)}{through} to {_place(end, board)}"
    costs = _fuel(order, view, board)
    foes = enemies_in(end, view, view.phasing_power)
    if order.raid:
        return f"raid: {moved}, on {stacks(foes, view)}"
    if foes:
        costs.append(_against(order.units, end, view, board))
    elif SIDE_OF[view.control[end]] != SIDE_OF[view.phasing_power]:
        costs.append("no enemy unit is there")
    costs += filter(None, [mines_at(end, view)])
    return f"move {moved}" + (f"; {'; '.join(costs)}" if costs else "")


def mines_at(space: str, view: SideView) -> str:
    """Return the effect of a known enemy minefield on units that enter, or "" if the side knows of none."""
    mine = view.minefields.get(space)
    if mine is None or SIDE_OF[mine.power] == SIDE_OF[view.phasing_power]:
        return ""
    entry = 2 if mine.entries else 1
    lost = f"{POWER_NAMES[mine.power]}'s minefield: each land unit is lost on a roll of {MINE_HITS[entry]} or less"
    return f"{lost}, and a roll of {SWEPT_ON[entry]} or less sweeps it"


def _is_useless_detour(order: orders.MoveUnits, view: SideView, board: Board) -> bool:
    """Return whether a detour is useless: it passes no enemy ground, and ends where it starts or has a better path.

    A better path, which all units can take over friendly ground, costs less fuel, or the same fuel and is shorter, or
    precedes a path of the same length. A flight may pass enemy ground, but is never useless with aa_overflight = yes.
    """
    scene, start, end = Scene.of(view, board), order.path[0], order.path[-1]
    taken = (view.control.get(each, "") for each in order.path[1:-1])
    kinds = {view.units[each].kind: scene.state.units[each] for each in order.units}
    flies = any(kind in PLANES for kind in kinds)
    if view.options["aa_overflight"] == "yes" if flies else any(map(_is_foe(view), taken)):
        return False
    better: dict[tuple[str, ...], None] | None = None
    for unit in kinds.values():
        cost = PENALTIES.index(fuel_after(scene.state, unit.power, unit.kind, order.path)) if not flies else 0
        rank = cost, len(order.path), order.path
        paths = {
            tuple(each.path): None
            for each in paths_of(ground_for(scene, Mover(unit)), Mover(unit))
            if each.path[-1] == end and each.rank < rank and not any(map(_is_foe(view), _held(each.path[1:-1], view)))
        }
        better = paths if better is None else {path: None for path in better if path in paths}
    return start == end or bool(better)


def _held(spaces: Sequence[str], view: SideView) -> list[str]:
    return [view.control.get(each, "") for each in spaces]


def _is_foe(view: SideView) -> Callable[[str], bool]:
    return lambda power: bool(power) and SIDE_OF[power] != SIDE_OF[view.phasing_power]


def _fuel(order: orders.MoveUnits, view: SideView, board: Board) -> list[str]:
    """Return the effect of a move on the fuel of units that move their extra space."""
    state = Scene.of(view, board).state
    found: dict[str, list[str]] = {}
    for each in order.units:
        unit = view.units[each]
        if unit.kind not in PLANES:
            found.setdefault(fuel_after(state, unit.power, unit.kind, order.path), []).append(each)
    some = len(found) > 1
    words_of = {EXTENDED: "out of fuel after the move", ADVANCED: "the extra space is free on the road"}
    return [
        f"{stacks(found[fuel], view)}: {text}" if some else text for fuel, text in words_of.items() if fuel in found
    ]


def enemies_in(space: str, view: SideView, power: str) -> list[str]:
    """Return the units in a space that belong to the enemy of ``power``."""
    return [each for each, unit in view.units.items() if unit.space == space and SIDE_OF[unit.power] != SIDE_OF[power]]


def _against(units: Sequence[str], space: str, view: SideView, board: Board) -> str:
    """Return the defenders, and the odds of ``units`` together with the units already ordered there."""
    before = [each for plan in view.plans if plan.path[-1] == space and not plan.raid for each in plan.units]
    won = chance(Scene.of(view, board), [*before, *(each for each in units if each not in before)], space)
    also = f" together with the {stacks(before, view)} ordered there" if before and set(before) - set(units) else ""
    return f"against {stacks(enemies_in(space, view, view.phasing_power), view)}" + (
        f" (wins {won}{also})" if won else ""
    )


def _end(_: orders.EndMoves, view: SideView, board: Board) -> str:
    """Return the end of a movement phase, with the ordered moves, their odds, and units that have not moved."""
    targets: dict[str, list[str]] = {}
    raids: dict[str, list[str]] = {}
    for plan in view.plans:
        (raids if plan.raid else targets).setdefault(plan.path[-1], []).extend(plan.units)
    fights, entered = list[str](), list[str]()
    for space, units in targets.items():
        if enemies_in(space, view, view.phasing_power):
            fights.append(f"{_place(space, board)}: {stacks(units, view)} {_against(units, space, view, board)}")
        else:
            mines = mines_at(space, view)
            entered.append(f"enter {_place(space, board)}: {stacks(units, view)}" + (f" ({mines})" if mines else ""))
    parts = [f"fight: {'; '.join(fights)}"] if fights else []
    parts += [f"raid {_place(space, board)}: {stacks(units, view)}" for space, units in raids.items()]
    ending = ", and ".join(["end moves", *filter(None, ["; ".join([*parts, *entered])])])
    left = _not_moved(view, board)
    return ending + (f"; may still move: {left}" if left else "")


def _not_moved(view: SideView, board: Board) -> str:
    """Return the units that may still move in this phase, by space, or only their number if the spaces are many."""
    scene = Scene.of(view, board)
    ground = Ground(scene.state)
    is_combat = view.phase.rpartition(".")[2] == COMBAT_PHASE
    leaders = (CombatMoves if is_combat else NonCombatMoves).on(ground).leaders
    gone = {each for plan in view.plans for each in plan.units}
    if not is_combat:  # a view does not show whether a plane that flew may fly again; a landing has its own decision
        gone |= {each for each, unit in view.units.items() if unit.moved}
    left = {start: [each for each in able if each not in gone] for start, able in sorted(leaders.items())}
    left = {start: able for start, able in left.items() if able}
    if len(left) > MAX_STARTS:
        return f"{sum(map(len, left.values()))} units in {len(left)} spaces"
    return "; ".join(f"{board.names[start]} {stacks(units, view)}" for start, units in left.items())


# --- money ---


def _bought(order: orders.BuyUnits, view: SideView, _: Board) -> str:
    power = view.phasing_power
    cost = sum(number * price_of(power, kind) for kind, number in order.units.items())
    return f"buy {counts_words(order.units)}" + (f", {cost} IPC" if cost else "")


def counts_words(counts: Mapping[str, int]) -> str:
    """Return numbers of kinds in words, such as "2 infantry, 1 flak", or "nothing"."""
    return ", ".join(f"{number} {KIND_NAMES[kind]}" for kind, number in counts.items() if number) or "nothing"


def _placed(order: orders.PlaceUnits, _: SideView, board: Board) -> str:
    parts = [f"{counts_words(counts)} in {_place(zone, board)}" for zone, counts in order.units.items()]
    return f"place {'; '.join(parts) or 'nothing'}"


IN_WORDS: dict[type[Order], Callable[[Any, SideView, Board], str]] = {
    orders.TakeLosses: lambda order, view, _: f"lose {stacks(order.units, view)}",
    orders.Retreat: _retreat,
    orders.ChooseCombat: _combat,
    orders.DesignateGuns: _guns,
    orders.PressOn: _press_on,
    orders.DeclareMinefield: lambda order, *_: (
        "declare the minefield" if order.declare else "do not declare it, and forfeit the minefield"
    ),
    orders.Sweep: lambda *_: (
        "sweep: try to remove the minefield and take the space; if that fails, all units fall back"
    ),
    orders.DeclineSweep: lambda *_: "withdraw: all units fall back, and the minefield stays",
    orders.EndMoves: _end,
    orders.MoveUnits: _move,
    orders.BuyUnits: _bought,
    orders.PlaceUnits: _placed,
    orders.BuyMinefields: lambda order, *_: f"buy {order.number or 'no'} minefield{'s' * (order.number != 1)}",
    orders.PlaceMinefields: lambda order, _, board: (
        f"mine {', '.join(_place(each, board) for each in order.spaces) or 'nothing'}"
    ),
}
"""Functions that return an order in words, by type of order."""
