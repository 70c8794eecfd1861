"""The odds of a battle that is thought of, or of an attack on who stands in a space, by the machinery of ``odds``."""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import desert_aa
from desert_aa.combat.flak import RAIDER_NEEDS
from desert_aa.model.tables import (
    FIGHTING,
    FLAK,
    FLAK_HITS,
    MINE_HITS,
    PLANES,
    POWERS,
    PREFIX,
    SHORT,
    SIDE_OF,
    SWEPT_ON,
)
from desert_aa.ui.asking.scene import Scene
from desert_aa.ui.odds import battle, read_force
from sandtable import Answer, IllegalOrder, PlayError

if TYPE_CHECKING:
    from sandtable import Odds

EXAMPLE = "de:infantry=2,armour=1 v uk:infantry=2"


def odds(scene: Scene, words: list[str]) -> Answer:
    """Tell how a battle ends, "ATTACK v DEFENSE".

    For the defense a space may stand, then who is there defends; a space alone is the attack on it that is ordered.
    """
    attack, _, defend = (part.strip() for part in " ".join(words).replace(" vs ", " v ").partition(" v "))
    entered = _without_a_battle(scene, scene.find_space(attack)) if not defend else None
    if entered:
        return entered
    if not defend:
        attack, defend = _ordered(scene, scene.find_space(attack)), attack
    try:
        space = scene.find_space(defend)
        if space:
            defend = _garrison(scene, space, SIDE_OF[next(iter(read_force(attack, "the attack")))])
        found = _computed(attack, defend, tuple(sorted(scene.state.options.items())))
    except IllegalOrder as error:
        raise PlayError(error.reason) from error
    ends = f"attacker {found.attacker:.1%}, defender {found.defender:.1%}, draw {found.draw:.1%}"
    lines = [
        f"{attack} against {defend}: {ends}",
        f"{found.rounds:.1f} rounds on average; {found.method}; the cheapest units are lost first, nobody retreats",
    ]
    if space and space in scene.state.minefields:
        lines.append("the minefield there is left out")
    elif space and space in scene.board.mineable and _may_hide(scene, space):
        lines.append("a minefield, of which you may not know, is left out")
    return Answer(None, tuple(lines), ("DAA-17.01", *(("DAA-8.03",) if len(lines) > 2 else ())))


def _may_hide(scene: Scene, space: str) -> bool:
    """Tell whether the enemy of who asks holds a space, and has laid a minefield that he does not see, or may have."""
    view = scene.view
    for power in POWERS:
        seen = sum(mine.power == power for mine in view.minefields.values())
        if SIDE_OF[power] != view.side and view.mines_laid.get(power, seen + 1) > seen:
            return SIDE_OF.get(view.control.get(space, "")) == SIDE_OF[power]
    return False


def _without_a_battle(scene: Scene, space: str) -> Answer | None:
    """Tell what a raid or a known minefield does to those who are ordered to a space in which there is no battle."""
    view = scene.view
    going = [plan for plan in view.plans if plan.path[-1] == space]
    raiders = [each for plan in going if plan.raid for each in plan.units] or list(view.raids.get(space, ()))
    walkers = [each for plan in going if not plan.raid for each in plan.units]
    walkers = [each for each in walkers if scene.state.units[each].kind not in PLANES]
    mine = view.minefields.get(space)
    if raiders and not walkers:
        power = scene.state.units[raiders[0]].power
        need = RAIDER_NEEDS[scene.state.options["tbr_hit"]](power)
        one = any(unit.kind == FLAK and unit.space == space for unit in scene.state.units.values())
        flak = f"flak shoots at each plane first, and hits on {FLAK_HITS}" if one else "no flak there"
        told = f"{force_text(scene, raiders)} raid {scene.at(space)}: each hits on {need} or less of a die; {flak}"
        return Answer(None, (told,), ("DAA-13.03",))
    foes = [unit for unit in scene.state.units.values() if unit.space == space and SIDE_OF[unit.power] != view.side]
    if walkers and not foes and mine is not None and SIDE_OF[mine.power] != view.side:
        entry = 2 if mine.entries else 1
        told = f"{force_text(scene, walkers)} enter the minefield of {scene.at(space)}: "
        told += f"each is lost on a die of {MINE_HITS[entry]} or less; who is left lifts it, and takes the space, on "
        told += f"{SWEPT_ON[entry]} or less, or falls back"
        return Answer(None, (told,), ("DAA-9.02", "DAA-9.06"))
    return None


def _ordered(scene: Scene, space: str) -> str:
    """Return as text who attacks a space now, or has been ordered to; PlayError for nobody."""
    view = scene.view
    battle = view.battle
    units = list(battle.attackers if battle and battle.space == space else view.combats.get(space, ()))
    units += [each for plan in view.plans if plan.path[-1] == space and not plan.raid for each in plan.units]
    if not units:
        raise PlayError(f"nobody is ordered to attack there: ask so: odds {EXAMPLE}, or with a space for the defense")
    return force_text(scene, units)


def force_text(scene: Scene, units: Iterable[str]) -> str:
    """Return units as the text of a force, "de:arm=2,inf=1"."""
    counts: dict[str, dict[str, int]] = {}
    for each in units:
        unit = scene.state.units[each]
        row = counts.setdefault(PREFIX[unit.power], {})
        row[SHORT[unit.kind]] = row.get(SHORT[unit.kind], 0) + 1
    rows = (f"{power}:" + ",".join(f"{kind}={n}" for kind, n in sorted(row.items())) for power, row in counts.items())
    return " + ".join(rows)


def chance(scene: Scene, units: Iterable[str], space: str, foes: Iterable[str] = ()) -> str:
    """Return in how many of a hundred battles such an attack wins, "" where nobody defends or it cannot be computed.

    ``foes`` are those who defend now; without them all who are in the space.
    """
    attack = list(units)
    try:
        garrison = force_text(scene, foes) or _garrison(scene, space, SIDE_OF[scene.state.units[attack[0]].power])
        found = _computed(force_text(scene, attack), garrison, tuple(sorted(scene.state.options.items())))
    except (IllegalOrder, PlayError):
        return ""
    return f"{found.attacker:.0%}"


def _garrison(scene: Scene, space: str, attacker: str) -> str:
    """Return the units in a space that would defend, as text."""
    there = [
        each
        for each, unit in scene.state.units.items()
        if unit.space == space and SIDE_OF[unit.power] != attacker and unit.kind in (*FIGHTING, FLAK)
    ]
    if not there:
        raise PlayError(f"nobody defends {scene.at(space)} against them")
    return force_text(scene, there)


@lru_cache(maxsize=256)
def _computed(attack: str, defend: str, options: tuple[tuple[str, str], ...]) -> "Odds":
    from sandtable import Installed, battle_odds  # noqa: PLC0415 - asked for by few

    chosen = dict(options)
    prepared = Installed("desert_aa", desert_aa, "itself").prepare("", chosen)
    return battle_odds(battle(attack, defend, chosen), prepared.ruleset)
