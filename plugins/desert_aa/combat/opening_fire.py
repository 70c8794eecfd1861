"""The opening fire of a battle: flak, then anti-tank guns (DAA-7.01 to DAA-7.09, DAA-10.03, DAA-R34)."""

from collections.abc import Callable
from functools import partial
from operator import gt
from typing import NamedTuple

from desert_aa.combat.control import enemy_units
from desert_aa.combat.flak import fire_flak
from desert_aa.combat.rounds import finish
from desert_aa.model.events import BattleOpened, GunsDesignated, GunsFired, UnitsLost
from desert_aa.model.orders import DesignateGuns
from desert_aa.model.state import DesertState
from desert_aa.model.tables import ARMOR, ARTILLERY, ENEMY, GUN_HITS, ITALY, KINDS, PLANES, SIDE_OF
from sandtable import Calculation, Claim, Decision, Form, OneOf, Procedure, Roll, SomeOf

NO_GUNS = DesignateGuns([])
AT_ITALY = {"three": GUN_HITS, "two": 2}
"""The need of an Italian anti-tank gun, by option value (DAA-R31)."""


def open_battle(state: DesertState, space: str) -> Procedure:
    """Open the battle for ``space``: guns are designated in secret, then flak and guns fire (DAA-R33, DAA-R34)."""
    attackers = sorted(state.combats[space], key=lambda each: (KINDS.index(state.units[each].kind), each))
    defenders = enemy_units(state, space)
    yield BattleOpened(state.phasing_power, space, attackers, defenders)
    guns, is_asked = yield from designate(state, attackers, defenders)
    planes = [each for each in attackers if state.units[each].kind in PLANES]
    yield from fire_flak(state, space, planes, "flak", "DAA-10.03")
    if is_asked:  # the guns are secret until they fire (DAA-R33)
        able = sorted(each for each in defenders if state.units[each].kind == ARTILLERY)
        told = partial(sorted, guns)
        guns = yield Claim(ENEMY[state.phasing_side], f"guns.{space}", SomeOf(able), told, "DAA-7.06")
    if guns:
        yield from fire_guns(state, space, guns)
    battle = state.battle
    if battle is not None and not (battle.attackers and battle.defenders):
        yield from finish(state)


def designate(state: DesertState, attackers: list[str], defenders: list[str]) -> Procedure:
    """Let defending powers assign anti-tank guns; return them, and whether any power decided (DAA-7.01 to DAA-7.06).

    If the guns of one power may be enough for all tanks, the side states whether the next power decides.
    """
    tanks = sum(state.units[each].kind == ARMOR for each in attackers)
    battle = state.battle
    assert battle is not None  # noqa: S101 - the battle has just been opened
    artillery: dict[str, list[str]] = {}
    for each in defenders:
        if state.units[each].kind == ARTILLERY:
            artillery.setdefault(state.units[each].power, []).append(each)
    guns: list[str] = []
    may_have = 0
    for power in sorted(artillery) if tanks else ():
        most_of, purpose = SURPLUS[state.options["at_surplus"]].most, f"designate_guns.{battle.space}.{power}"
        most = most_of(len(artillery[power]), tanks - len(guns))
        is_asked = most > 0
        if most_of(len(artillery[power]), tanks - may_have) <= 0:
            is_asked = yield Claim(SIDE_OF[power], purpose, OneOf((False, True)), partial(gt, most, 0), "DAA-7.06")
        may_have += len(artillery[power])
        if not is_asked:
            continue
        form = Form(DesignateGuns, {"guns": SomeOf(sorted(artillery[power]), 0, most, "DAA-7.06")})
        prompt = f"assign up to {most} artillery to anti-tank fire ({tanks} enemy {'tank' if tanks == 1 else 'tanks'})"
        order: DesignateGuns = yield Decision(
            SIDE_OF[power], prompt, form, "DAA-7.01", power, secret=True, purpose=purpose, stand_in=NO_GUNS
        )
        guns += order.guns
    return guns, may_have > 0


class Surplus(NamedTuple):
    """The rule for more guns than tanks (DAA-R27). Both functions take a number of guns and a number of tanks.

    ``most`` returns the maximum number of guns that may be designated. ``targets`` returns the index of the tank that
    each gun fires at; guns without a target do not fire.
    """

    most: Callable[[int, int], int]
    targets: Callable[[int, int], list[int]]


SURPLUS = {
    "refused": Surplus(min, lambda guns, tanks: list(range(min(guns, tanks)))),
    "wasted": Surplus(lambda guns, _: guns, lambda guns, tanks: list(range(min(guns, tanks)))),
    "double_up": Surplus(lambda guns, _: guns, lambda guns, tanks: [place % tanks for place in range(guns)]),
}


def _shots(needs: tuple[int, ...], faces: tuple[int, ...]) -> tuple[Calculation, ...]:
    """Return the hits of guns, one step for each need (DAA-7.08, DAA-R31)."""
    steps = []
    for need in dict.fromkeys(needs):
        fallen = [face for face, each in zip(faces, needs, strict=True) if each == need]
        rule = "DAA-7.08" if need == GUN_HITS else "DAA-R31"
        steps.append((f"gun x{len(fallen)} on {need}", sum(face <= need for face in fallen), rule))
    return (Calculation("hits", tuple(steps)),)


def fire_guns(state: DesertState, space: str, guns: list[str]) -> Procedure:
    """Let each anti-tank gun with a target fire one shot (DAA-7.06 to DAA-7.09, DAA-R27, DAA-R28)."""
    battle = state.battle
    assert battle is not None  # noqa: S101 - the battle has just been opened
    tanks = [each for each in battle.attackers if state.units[each].kind == ARMOR]
    italian = AT_ITALY[state.options["at_italy"]]
    by_gun = {each: italian if state.units[each].power == ITALY else GUN_HITS for each in guns}
    guns = sorted(guns, key=lambda each: (-by_gun[each], each))
    yield GunsDesignated(space, guns)
    targets = SURPLUS[state.options["at_surplus"]].targets(len(guns), len(tanks))
    needs = tuple(by_gun[gun] for gun, _ in zip(guns, targets, strict=False))
    side, pooled = ENEMY[state.phasing_side], len(needs) <= len(tanks)
    shooters = tuple(guns[: len(needs)])
    roll = Roll(len(needs), 6, f"guns.{space}", "DAA-7.08", needs, pooled=pooled, favors=side, units=shooters)
    faces: tuple[int, ...] = yield roll
    hits = roll.hits(faces)
    if roll.pooled:
        lost = tanks[:hits]
    else:
        struck = [place for place, face, need in zip(targets, faces, needs, strict=True) if face <= need]
        lost = [tank for place, tank in enumerate(tanks) if place in struck]
    yield GunsFired(space, guns, tanks, hits, calculations=_shots(needs, faces))
    if lost:
        yield UnitsLost(space, lost, "guns", "DAA-7.09")
