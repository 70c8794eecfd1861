"""Minefields that the enemy enters: declaration, hits and sweeping (DAA-8.08 to DAA-8.12, DAA-9.01 to DAA-9.11)."""

from collections.abc import Callable
from typing import NamedTuple

from desert_aa.combat.calculations import alike, margin
from desert_aa.combat.control import capture, is_enemy_held, is_enemy_mined
from desert_aa.combat.losses import take_losses
from desert_aa.model.events import (
    EntryChecked,
    MinefieldDeclared,
    MinefieldForfeited,
    MinefieldSwept,
    MinesStruck,
    SweepFailed,
    UnitsLost,
    UnitsWithdrew,
)
from desert_aa.model.orders import DeclareMinefield, DeclineSweep, Sweep
from desert_aa.model.state import DesertState, Minefield
from desert_aa.model.tables import ENEMY, MINE_HITS, POWERS_OF, SIDE_OF, SWEPT_ON
from sandtable import UNSET, Calculations, Claim, Decision, OneOf, Procedure, Roll

DECLARATIONS = (DeclareMinefield(True), DeclareMinefield(False))  # noqa: FBT003 - the order has one field
SWEEPS = (Sweep(), DeclineSweep())


# --- declaring ---


def is_declared(state: DesertState, power: str, space: str) -> Procedure:
    """Return whether the minefield of ``power`` is declared: always, or by option if its owner wishes (DAA-R39)."""
    if state.options["mine_auto"] == "automatic":
        return True
    prompt = f"the enemy enters {state.board.names[space]}: declare your minefield, or forfeit it"
    options = OneOf(DECLARATIONS, "DAA-8.10")
    side, purpose = SIDE_OF[power], f"declare_mines.{space}"
    order: DeclareMinefield = yield Decision(side, prompt, options, "DAA-8.10", power, purpose=purpose)
    return order.declare


def look_for_mines(state: DesertState, path: list[str], entered: dict[str, str]) -> Procedure:
    """Return ``path`` up to and including the first minefield that is known or declared (DAA-8.10, DAA-8.12).

    A minefield that its owner does not declare is removed (DAA-8.11).
    """
    for place, space in enumerate(path):
        if place and is_enemy_mined(state, space):
            return path[: place + 1]
        power: str = (yield from _mined_by(state, space, entered)) if place else ""
        if power:
            declared: bool = yield from is_declared(state, power, space)
            if declared:
                yield MinefieldDeclared(power, space)
                return path[: place + 1]
            entered[space] = ""
            yield MinefieldForfeited(power, space)
    return path


def _mined_by(state: DesertState, space: str, entered: dict[str, str]) -> Procedure:
    """Return the power with a hidden minefield in ``space``, which the enemy states, or "" (DAA-8.10, DAA-8.03).

    ``entered`` has the answers about the spaces that were entered before in this phase; the answer is added.
    """
    enemy = ENEMY[state.phasing_side]
    hiding = [each for each in POWERS_OF[enemy] if _count_hidden(state, each)]
    if space not in entered and hiding and _may_hide_a_mine(state, space):
        powers, hidden = OneOf(("", *hiding)), lambda: hidden_fields(state, enemy)[space]
        entered[space] = yield Claim(enemy, f"mine.{space}", powers, hidden, "DAA-8.10", space)
    return entered.get(space, "")


def hidden_fields(state: DesertState, side: str) -> dict[str, str]:
    """Return for every space that may be mined the power of ``side`` with a hidden minefield there, or ""."""
    mines = state.minefields
    found = {space: mines[space].power for space in mines if not mines[space].known}
    return {
        space: power if SIDE_OF.get(power := found.get(space, "")) == side else "" for space in state.board.mineable
    }


def walk_in(state: DesertState, path: list[str], entered: dict[str, str]) -> Procedure:
    """Return the same as ``look_for_mines``, after an event that lists the spaces about which the mover learns."""
    unsure = [space for space in path[1:] if _may_hide_a_mine(state, space)]
    if unsure and _are_mines_about(state):
        yield EntryChecked(state.phasing_power, unsure)
    return (yield from look_for_mines(state, path, entered))


def _may_hide_a_mine(state: DesertState, space: str) -> bool:
    """Return whether the enemy could have a hidden minefield in ``space`` according to public facts."""
    mine = state.minefields.get(space)
    return space in state.board.mineable and is_enemy_held(state, space) and not (mine is not None and mine.known)


def _are_mines_about(state: DesertState) -> bool:
    """Return whether the enemy has hidden minefields, or always True if their number is secret (DAA-R37)."""
    if state.options["mine_secrecy"] == "all_secret":
        return True
    return any(_count_hidden(state, power) for power in POWERS_OF[ENEMY[state.phasing_side]])


def _count_hidden(state: DesertState, power: str) -> int:
    """Return the number of hidden minefields of ``power``, which is public with secret spaces only (DAA-R37)."""
    return sum(mine.power == power and not mine.known for mine in state.minefields.values())


def wait(state: DesertState, path: list[str], entered: dict[str, str]) -> Procedure:
    """Reveal nothing and return ``path``."""
    del state, entered
    return path
    yield


class Reveal(NamedTuple):
    """The procedures that reveal minefields: ``ordered`` runs when a move is ordered, ``made`` when it is made.

    Both take the state, the path, and the answers about the spaces that were entered before in this phase.
    """

    ordered: Callable[[DesertState, list[str], dict[str, str]], Procedure]
    made: Callable[[DesertState, list[str], dict[str, str]], Procedure]


REVEAL = {"committed": Reveal(wait, walk_in), "immediate": Reveal(walk_in, look_for_mines)}
"""The procedures by option value (DAA-R38)."""


# --- striking ---


def die_for_each(state: DesertState, space: str, units: list[str], need: int) -> Procedure:
    """Roll a die for each unit, which can hit only that unit (DAA-R40)."""
    layer = SIDE_OF[state.minefields[space].power]
    needs = (need,) * len(units)
    roll = Roll(len(units), 6, f"mines.{space}", "DAA-9.02", needs, favors=layer, units=tuple(units))
    faces: tuple[int, ...] = yield roll
    lost = [unit_id for unit_id, face in zip(units, faces, strict=True) if face <= need]
    yield _struck(state, space, units, len(lost))
    if lost:
        yield UnitsLost(space, lost, "mines", "DAA-9.04")


def owner_of_units_picks(state: DesertState, space: str, units: list[str], need: int) -> Procedure:
    """Roll a die for each unit, and let the owner of the units pick the losses (DAA-R40)."""
    layer = SIDE_OF[state.minefields[space].power]
    needs = (need,) * len(units)
    named = tuple(units)
    roll = Roll(len(units), 6, f"mines.{space}", "DAA-9.02", needs, pooled=True, favors=layer, units=named)
    hits = roll.hits((yield roll))
    yield _struck(state, space, units, hits)
    yield from take_losses(state, (state.phasing_power, units, hits), space, "mines", "DAA-9.04")


ALLOCATION: dict[str, Callable[[DesertState, str, list[str], int], Procedure]] = {
    "die_per_unit": die_for_each,
    "owner_chooses": owner_of_units_picks,
}


def _entry(mine: Minefield) -> int:
    """Return 1 for the first entry into the field, 2 for any later one."""
    return 1 if mine.entries == 0 else 2


def _struck(state: DesertState, space: str, units: list[str], hits: int) -> MinesStruck:
    mine = state.minefields[space]
    entry = _entry(mine)
    rule = "DAA-9.02" if entry == 1 else "DAA-9.09"
    why = alike("unit", MINE_HITS[entry], len(units), hits, rule)
    return MinesStruck(mine.power, space, entry, units, hits, rule, why)


def strike(state: DesertState, space: str, units: list[str]) -> Procedure:
    """Roll for the minefield in ``space`` against the land units that entered it (DAA-9.02, DAA-9.09)."""
    need = MINE_HITS[_entry(state.minefields[space])]
    yield from ALLOCATION[state.options["mine_alloc"]](state, space, units, need)


# --- sweeping ---


def sweep(state: DesertState, space: str, units: list[str]) -> Procedure:
    """Let the attacker try to sweep the minefield of a cleared space; return whether the space was taken (DAA-9.06).

    ``units`` are the attacker's land units there. If the minefield stays, each withdraws to the space that it came from
    (DAA-R17).
    """
    power, mine = state.phasing_power, state.minefields[space]
    need = SWEPT_ON[mine.entries]
    why: Calculations = UNSET
    prompt = f"sweep the minefield at {state.board.names[space]} (die roll of {need} or less), or withdraw"
    answers = OneOf(SWEEPS, "DAA-9.06")
    order = yield Decision(state.phasing_side, prompt, answers, "DAA-9.06", power, purpose=f"sweep.{space}")
    if type(order) is Sweep:
        rule = "DAA-9.06" if mine.entries == 1 else "DAA-9.10"
        roll = Roll(1, 6, f"sweep.{space}", rule, (need,), pooled=True, favors=state.phasing_side)
        (face,) = yield roll
        why = margin(need, face, rule)
        if face <= need:
            yield MinefieldSwept(mine.power, space, power, calculations=why)
            yield capture(state, space, "DAA-9.07")
            return True
    yield SweepFailed(space, power, type(order) is DeclineSweep, calculations=why)
    yield UnitsWithdrew(power, space, {each: state.units[each].origin for each in units}, "DAA-9.08")
    return False
