"""The odds of a battle that is thought of, or of an attack on who stands in a space, by the machinery of ``odds``."""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import desert_aa
from desert_aa.model.tables import FIGHTING, FLAK, PREFIX, SHORT, SIDE_OF
from desert_aa.ui.asking.scene import Scene
from desert_aa.ui.odds import battle, read_force
from sandtable.errors import IllegalOrder, PlayError
from sandtable.plugin.manifest import Answer

if TYPE_CHECKING:
    from sandtable.arena.odds import Odds

EXAMPLE = "de:infantry=2,armour=1 v uk:infantry=2"


def odds(scene: Scene, words: list[str]) -> Answer:
    """Tell how a battle ends, "ATTACK v DEFENCE".

    For the defence a space may stand, then who is there defends; a space alone is the attack on it that is ordered.
    """
    attack, _, defend = (part.strip() for part in " ".join(words).replace(" vs ", " v ").partition(" v "))
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
    if space and space in scene.board.mineable:
        known = scene.state.minefields.get(space)
        field = "the minefield there is" if known is not None else "a minefield, of which you may not know, is"
        lines.append(f"{field} left out")
    return Answer(None, tuple(lines), ("DAA-17.01", *(("DAA-8.03",) if len(lines) > 2 else ())))


def _ordered(scene: Scene, space: str) -> str:
    """Return as text who attacks a space now, or has been ordered to; PlayError for nobody."""
    view = scene.view
    battle = view.battle
    units = list(battle.attackers if battle and battle.space == space else view.combats.get(space, ()))
    units += [each for plan in view.plans if plan.path[-1] == space and not plan.raid for each in plan.units]
    if not units:
        raise PlayError(f"nobody is ordered to attack there: ask so: odds {EXAMPLE}, or with a space for the defence")
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


def chance(scene: Scene, units: Iterable[str], space: str) -> str:
    """Return in how many of a hundred battles such an attack wins, "" where nobody defends or it cannot be computed."""
    attack = list(units)
    try:
        garrison = _garrison(scene, space, SIDE_OF[scene.state.units[attack[0]].power])
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
    from sandtable.arena.odds import battle_odds  # noqa: PLC0415 - asked for by few
    from sandtable.plugin.manager import Installed  # noqa: PLC0415

    chosen = dict(options)
    prepared = Installed("desert_aa", desert_aa, "itself").prepare("", chosen)
    return battle_odds(battle(attack, defend, chosen), prepared.ruleset)
