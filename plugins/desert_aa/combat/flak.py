"""Flak: it fires before all else, a die for each plane, at attackers, raiders and, by option, at planes that pass."""

from desert_aa.combat.control import enemy_flak
from desert_aa.model.events import FlakFired, UnitsLost
from desert_aa.model.state import DesertState
from desert_aa.model.tables import FLAK_HITS, SIDE_OF
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure


def fire_flak(state: DesertState, space: str, planes: list[str], purpose: str, rule: str) -> Procedure:
    """Let one flak gun in ``space``, if there is any, fire at ``planes`` (DAA-10.03, DAA-17.02, DAA-17.03).

    Die i is thrown for plane i; where the planes are all alike, the number of hits says it all.
    """
    guns = enemy_flak(state, space) if planes else []
    if not guns:
        return
    kinds = dict.fromkeys((state.units[each].kind, state.units[each].moved) for each in planes)
    needs = (FLAK_HITS,) * len(planes)
    side = SIDE_OF[state.units[guns[0]].power]
    roll = Roll(len(planes), 6, f"{purpose}.{space}", rule, needs, pooled=len(kinds) == 1, favours=side)
    faces: tuple[int, ...] = yield roll
    if roll.pooled:
        lost = planes[: roll.hits(faces)]
    else:
        lost = [plane for plane, face in zip(planes, faces, strict=True) if face <= FLAK_HITS]
    yield FlakFired(state.units[guns[0]].power, space, planes, len(lost), rule)
    if lost:
        yield UnitsLost(space, lost, "flak", "DAA-17.02")


def fly_over(state: DesertState, planes: list[str], path: list[str]) -> Procedure:
    """Let flak in each enemy space that ``path`` crosses fire at ``planes``, where the option says so (DAA-R51)."""
    if state.options["aa_overflight"] == "yes":
        for space in path[1:-1]:
            left = [each for each in planes if each in state.units]
            yield from fire_flak(state, space, left, "overflight", "DAA-R51")
