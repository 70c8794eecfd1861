"""High explosive fire: the impacts that affect a unit, the column, the roll (KP-9.32c, KP-9.34a)."""

from collections.abc import Callable

from kampfpanzer.fire.damage import kill_if_due
from kampfpanzer.model.events import UnitShelled
from kampfpanzer.model.state import ON_MAP, Impact, KampfState
from kampfpanzer.model.tables import shell_result
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.terrain.terrain import ground_of
from kampfpanzer.terrain.zones import by_number, is_hard, is_rider, is_target, passengers_of
from sandtable import Calculation, Procedure, Roll

TIGHT, LOOSE = "T", "L"
MOVING, STATIC = "moving", "static"
SHELL_TABLES = {MOVING: "KP-9.39a", STATIC: "KP-9.39b"}
"""The rules that contain the columns of the table."""

HIGHEST = 6
"""Last row of the table (R-KP-48)."""


FRIENDS: dict[str, Callable[[KampfState, str, Impact], bool]] = {
    "yes": lambda state, unit_id, impact: True,  # noqa: ARG005 - same signature as the others
    "no": lambda state, unit_id, impact: state.units[unit_id].side != state.units[impact.firer].side,
}
"""By value of the option h_hits_friends, whether an impact affects a unit (R-KP-44)."""

AGAIN: dict[str, Callable[[str, Impact], bool]] = {
    "each_affected_entry": lambda unit_id, impact: True,  # noqa: ARG005 - same signature as the others
    "once_per_unit": lambda unit_id, impact: unit_id not in impact.struck,
}
"""By value of the option h_moving_units, whether an impact attacks a unit, perhaps for the second time (R-KP-45)."""


def impacts_on(state: KampfState, unit_id: str, hex_: str) -> list[Impact]:
    """Return the impacts that attack a unit that is in ``hex_`` or enters it, in the order of placement."""
    return [impact for impact in state.impacts if falls_on(state, unit_id, impact, hex_)]


def falls_on(state: KampfState, unit_id: str, impact: Impact, hex_: str) -> bool:
    """Return whether an impact attacks a unit in ``hex_``.

    It does not attack a passenger inside a vehicle (R-KP-46). Loose patterns never affect hard targets (KP-9.33d).
    """
    return (
        hex_ in impact.hexes
        and is_target(state, unit_id)
        and (impact.pattern == TIGHT or not is_hard(state, unit_id))
        and FRIENDS[state.options["h_hits_friends"]](state, unit_id, impact)
        and AGAIN[state.options["h_moving_units"]](unit_id, impact)
    )


def is_plotted_to_move(state: KampfState, unit_id: str) -> bool:
    """Return whether a unit, or the tank that it rides on, has a movement plot, carried out or not (R-KP-47)."""
    mover = state.units[unit_id].carrier if is_rider(state, unit_id) else unit_id
    text = state.plots.get(mover, "")
    return text != "" and parse_plot(text).is_movement


ENTRENCHED_WOODS: dict[str, Callable[[bool], int]] = {
    "terrain_plus1": lambda entrenched: 1,  # noqa: ARG005 - same signature as the others
    "no_modifier": lambda entrenched: 0 if entrenched else 1,
}
"""By value of the option, the addition to the die of tight fire into woods or a town, entrenched or not (R-KP-49)."""


def column_of(state: KampfState, unit_id: str, pattern: str, hex_: str) -> tuple[str, int]:
    """Return the column for a unit in a hex, and the addition to the die (KP-9.34a).

    Under loose fire, woods, towns and entrenchments always make the column "moving" (KP-9.37c, KP-13.23a). Under tight
    fire, woods and towns add one to the die (KP-9.37d); if they are entrenched, an option decides (R-KP-49). Defense
    and other terrain have no effect (KP-9.34b).
    """
    column = MOVING if is_plotted_to_move(state, unit_id) else STATIC
    covered, entrenched = ground_of(state).is_covered(hex_), hex_ in state.entrenchments
    if pattern == LOOSE:
        return (MOVING if covered or entrenched else column), 0
    added = ENTRENCHED_WOODS[state.options["h_tight_entrenched_woods"]](entrenched) if covered else 0
    return column, added


def shell(state: KampfState, unit_id: str, impact: Impact, hex_: str) -> Procedure:
    """Roll for one unit under one impact; the result stays pending (KP-9.35a)."""
    column, added = column_of(state, unit_id, impact.pattern, hex_)
    shelled = state.units[unit_id].side  # a low die favors the firer
    purpose, firer = f"shell:{unit_id}:{impact.firer}", (impact.firer,)
    (die,) = yield Roll(1, 6, purpose, "KP-9.34a", favors=shelled, units=firer)
    result = shell_result(column, die + added)
    calculation = _calculation(state, impact.pattern, hex_, (column, die, added))
    yield UnitShelled(unit_id, impact.firer, hex_, column, die, added, result, calculations=(calculation,))


def _calculation(state: KampfState, pattern: str, hex_: str, rolled: tuple[str, int, int]) -> Calculation:
    """Return the derivation of the row and column; ``rolled`` is the column, the die and the addition."""
    column, die, added = rolled
    entrenched = hex_ in state.entrenchments
    steps = [("die", die, "KP-9.34a")]
    if added:
        steps.append(("woods or town", added, "R-KP-49" if entrenched else "KP-9.37d"))
    if die + added > HIGHEST:
        steps.append(("maximum 6", HIGHEST - die - added, "R-KP-48"))
    if pattern == LOOSE and (
        entrenched or ground_of(state).is_covered(hex_)
    ):  # its plot, which may be hidden, does not count
        steps.append(("counts as moving: in cover", 0, "KP-13.23a" if entrenched else "KP-9.37c"))
    return Calculation("die", tuple(steps), (SHELL_TABLES[column], str(min(die + added, HIGHEST)), column))


def shell_entry(state: KampfState, unit_id: str, hex_: str) -> Procedure:
    """Shell a unit that has just entered a hex in phase E, and its riders (KP-9.32c, KP-9.36a, R-KP-46).

    Units are destroyed at once (KP-9.82b) and then not shelled again. It does nothing if there is no impact.
    """
    if not state.impacts:
        return
    for each_id in (unit_id, *by_number(passengers_of(state, unit_id))):
        for impact in impacts_on(state, each_id, hex_):
            if state.units[each_id].standing == ON_MAP:
                yield from shell(state, each_id, impact, hex_)
                yield from kill_if_due(state, each_id)
