"""Start phase, first step: scheduled changes, then the supply of every formation (KH-2.04, KH-3.02)."""

from khamsin.leaders.leaders import surrender_with
from khamsin.model.cards import ENEMY, SIDES, Board, Change
from khamsin.model.events import (
    ControlChanged,
    FormationDisabled,
    FormationLost,
    FormationReturned,
    SituationChanged,
    SupplyChecked,
    SurrenderChecked,
    TurnOpened,
)
from khamsin.model.forces import areas_of, is_enemy_occupied, is_ineffective, on_map, total_attrition
from khamsin.model.state import IN_BASE, KhamsinState
from khamsin.model.tables import INEFFECTIVE, TURNS_WITHOUT_SUPPLY
from khamsin.movement.activation import check, modifiers, needs
from khamsin.movement.out_of_sight import out_of_sight
from khamsin.supply.supply import barriers, cut_off, stocks_now
from sandtable import UNSET, Calculation, Procedure, Roll


def check_supply(state: KhamsinState) -> Procedure:
    """Open the turn, apply scheduled changes, check supply and surrender, and return fit formations to the map."""
    board: Board = state.board
    yield TurnOpened()
    for change in board.events.get(state.turn, ()):
        yield from _change(state, change)
    for side in SIDES:
        stocks = stocks_now(state, side)
        cut = cut_off(state, side, stocks)
        why = (*_turns_on_stocks(stocks), *barriers(state, side, cut, stocks))
        yield SupplyChecked(side, cut, stocks, calculations=why or UNSET)
    yield from out_of_sight(_surrender_and_return, "surrender", "KH-10.12")


def _surrender_and_return(state: KhamsinState) -> Procedure:
    """Check formations for surrender, then return fit formations to the map."""
    for side in SIDES:
        yield from _check_surrender(state, side)
    for side in SIDES:
        yield from _return_to_duty(state, side)


def _turns_on_stocks(stocks: dict[str, int]) -> tuple[Calculation, ...]:
    """Return the calculations of the turns for which areas have depended on their stocks."""
    turns = {area: [("previous turns", number - 1, "KH-10.04")] for area, number in stocks.items() if number > 1}
    now = ("this turn", 1, "KH-10.04")
    return tuple(Calculation(area, (*turns.get(area, ()), now)) for area in stocks)


def _change(state: KhamsinState, change: Change) -> Procedure:
    """Apply one scheduled change; an area with enemies of its new owner in it does not change hands (KH-2.04)."""
    yield SituationChanged(change.kind, change.side, change.area, change.weather or change.level, change.text)
    if change.kind != "control" or state.control[change.area] == change.side:
        return
    if change.area not in areas_of(state, ENEMY[change.side]):
        yield ControlChanged(change.area, change.side, "KH-2.04")


# --- too long without supply ---


def _check_surrender(state: KhamsinState, side: str) -> Procedure:
    """Check formations out of supply for more than three turns (KH-10.11, KH-R88), sorted by area or id (KH-R89)."""
    due = [each for each in on_map(state, side) if state.formations[each].cut > TURNS_WITHOUT_SUPPLY]
    groups = [[each] for each in due]
    if state.options["oos_check_unit"] == "best_in_force":
        areas = sorted({state.formations[each].area for each in due})
        groups = [[each for each in due if state.formations[each].area == area] for area in areas]
    for group in groups:
        best = min(group, key=lambda each: (_target(state, each), each))
        held = yield from _try_to_hold(state, best)
        if not held:
            for each in group:
                yield from break_up(state, each)


def _target(state: KhamsinState, formation_id: str) -> int:
    """Return the face that a formation needs for an activation check."""
    return needs(state, formation_id) - sum(value for _, value in modifiers(state, formation_id))


def _try_to_hold(state: KhamsinState, formation_id: str) -> Procedure:
    """Make an activation check, and a second one if it fails (KH-10.12). Return whether the formation holds out."""
    side = state.formations[formation_id].side
    by_name, number = modifiers(state, formation_id), needs(state, formation_id)
    dice: list[int] = []
    tries: list[Calculation] = []
    held = False
    while not held and len(dice) < 2:
        purpose = f"surrender:{formation_id}"
        (die,) = yield Roll(1, 6, purpose, "KH-10.12", side=side, favors=side, units=(formation_id,))
        dice.append(die)
        total, held = check(state, formation_id, by_name, (f"total.{len(dice)}", die, "KH-10.12"))
        tries.append(total)
    yield SurrenderChecked(formation_id, side, dice, by_name, number, held, calculations=tuple(tries))
    return held


def break_up(state: KhamsinState, formation_id: str) -> Procedure:
    """Remove a formation that surrenders or breaks up for lack of supply (KH-10.13, KH-R87).

    With ``oos_removed`` "base_area" it is sent to its base, combat ineffective.
    """
    board: Board = state.board
    formation = state.formations[formation_id]
    side, area = formation.side, formation.area
    if state.options["oos_removed"] == "base_area":
        more = max(0, INEFFECTIVE - total_attrition(state, formation_id))
        limit = ("combat ineffective from", INEFFECTIVE, "KH-22.13")
        how = Calculation("general", (limit, ("attrition already recorded", more - INEFFECTIVE, "KH-21.14")))
        yield FormationDisabled(formation_id, side, area, board.base[side], more, "KH-R87", (how,))
    else:
        yield FormationLost(formation_id, side, area, "broken_up", "KH-10.13")
    yield from surrender_with(state, side, area)


# --- return from the base ---


def _return_to_duty(state: KhamsinState, side: str) -> Procedure:
    """Return fit formations to the map if their side controls its base and no enemies are there (KH-22.15, KH-R86)."""
    board: Board = state.board
    base = board.base[side]
    if state.control[base] != side or is_enemy_occupied(state, side, base):
        return
    for each in sorted(state.formations):
        formation = state.formations[each]
        if formation.side == side and formation.standing == IN_BASE and not is_ineffective(state, each):
            yield FormationReturned(each, side, base)
