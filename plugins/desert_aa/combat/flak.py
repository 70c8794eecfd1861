"""Flak fire at planes, with a die for each plane, and bombing raids on reinforcement zones (DAA-13.01 to DAA-13.05)."""

from collections.abc import Callable

from desert_aa.combat.calculations import alike
from desert_aa.combat.control import enemy_flak, enemy_units
from desert_aa.combat.losses import defenders_lose
from desert_aa.model.events import FlakFired, RaidFlown, UnitsLost
from desert_aa.model.state import DesertState
from desert_aa.model.tables import BOMBER, FLAK_HITS, SIDE_OF, VALUES
from sandtable import UNSET, Calculations, Procedure, Roll


def fire_flak(state: DesertState, space: str, planes: list[str], purpose: str, rule: str) -> Procedure:
    """Let one flak gun in ``space``, if there is one, fire at ``planes`` (DAA-10.03, DAA-17.02, DAA-17.03).

    Die i is rolled for plane i. If all planes are alike, only the number of hits matters, and the first ones are lost.
    """
    guns = enemy_flak(state, space) if planes else []
    if not guns:
        return
    kinds = dict.fromkeys((state.units[each].kind, state.units[each].moved) for each in planes)
    needs = (FLAK_HITS,) * len(planes)
    side = SIDE_OF[state.units[guns[0]].power]
    pooled, named = len(kinds) == 1, tuple(planes)
    roll = Roll(len(planes), 6, f"{purpose}.{space}", rule, needs, pooled=pooled, favors=side, units=named)
    faces: tuple[int, ...] = yield roll
    if roll.pooled:
        lost = planes[: roll.hits(faces)]
    else:
        lost = [plane for plane, face in zip(planes, faces, strict=True) if face <= FLAK_HITS]
    why = alike("plane", FLAK_HITS, len(planes), len(lost), rule)
    yield FlakFired(state.units[guns[0]].power, space, planes, len(lost), rule, why)
    if lost:
        yield UnitsLost(space, lost, "flak", "DAA-17.02")


def fly_over(state: DesertState, planes: list[str], path: list[str]) -> Procedure:
    """Let flak in each enemy space that ``path`` crosses fire at ``planes``, if the option permits it (DAA-R51)."""
    if state.options["aa_overflight"] == "yes":
        for space in path[1:-1]:
            left = [each for each in planes if each in state.units]
            yield from fire_flak(state, space, left, "overflight", "DAA-R51")


RAIDER_NEEDS: dict[str, Callable[[str], int]] = {
    "one": lambda _: 1,
    "four": lambda _: 4,
    "own_attack": lambda power: VALUES[power][BOMBER].attack,
}
"""Functions that return the need of a power's raiding bomber (DAA-13.03, DAA-R54)."""


def fly_raid(state: DesertState, space: str) -> Procedure:
    """Let flak fire at the raiders, and then the remaining raiders bomb the zone (DAA-13.02 to DAA-13.04)."""
    yield from fire_flak(state, space, list(state.raids[space]), "raidflak", "DAA-10.04")
    bombers, targets = list(state.raids[space]), enemy_units(state, space)
    hits = 0
    why: Calculations = UNSET
    if bombers and targets:
        need = RAIDER_NEEDS[state.options["tbr_hit"]](state.phasing_power)
        needs, side = (need,) * len(bombers), state.phasing_side
        named = tuple(bombers)
        roll = Roll(len(bombers), 6, f"raid.{space}", "DAA-13.03", needs, pooled=True, favors=side, units=named)
        hits = roll.hits((yield roll))
        why = alike("bomber", need, len(bombers), hits, "DAA-R54" if need > 1 else "DAA-13.03")
    yield RaidFlown(state.phasing_power, space, bombers, hits, calculations=why)
    yield from defenders_lose(state, space, targets, hits, "raid", "DAA-13.04")
