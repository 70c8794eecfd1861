"""A list of units that need attention before plotting: disrupted, pinned, panicked or not yet on the map."""

from collections.abc import Iterator

from kampfpanzer.model.state import ON_MAP, WAITING
from kampfpanzer.model.tables import RECOVERS_ON
from kampfpanzer.plotting.situation import Situation
from kampfpanzer.ui.asking.scene import Scene
from sandtable import Answer


def problems(scene: Scene, _: list[str]) -> Answer:
    """Return the problems of the units of the side that asks, or of all units for the umpire (KP-9.71a, KP-9.72a)."""
    units = scene.state.units
    shown = [each for each, unit in units.items() if scene.side in ("umpire", unit.side)]
    lines, rules = [], dict[str, None]()
    for unit_id in shown:
        where = f" in {scene.place(unit_id)}" if units[unit_id].standing == ON_MAP else ""
        found = dict(_troubles(scene, unit_id))
        rules |= dict.fromkeys(found.values())
        lines += [f"{scene.name(unit_id)}{where}: {'; '.join(found)}"] if found else []
    return Answer(None, tuple(lines) or ("no problems",), tuple(rules))


def _troubles(scene: Scene, unit_id: str) -> Iterator[tuple[str, str]]:
    """Yield each problem of a unit with its rule."""
    unit = scene.state.units[unit_id]
    if unit.disruption:
        number = RECOVERS_ON[unit.disruption]
        die = f"1 to {number}" if number > 1 else "1"
        yield f"disrupted at level {unit.disruption}: no plot until it recovers, on a roll of {die}", "KP-9.72b"
    if unit.pinned:
        yield "pinned until the turn ends: only fire in its plot is carried out", "KP-9.71a"
    if unit.panicked:
        yield "panicked: its plot is canceled, and it runs in a random direction", "KP-11.11c"
    if unit.standing == WAITING and not unit.carrier:
        refusal = Situation(scene.state, unit.side).why_no_line(unit_id)
        if not scene.situation(unit_id).group(unit_id).entries:
            yield "is not set up yet", "KP-14.0a"
        elif refusal is None:
            yield "is due to enter the map: plot its entry", "KP-14.0d"
        else:
            yield refusal.reason.removeprefix(f"{scene.name(unit_id)} "), refusal.rule
