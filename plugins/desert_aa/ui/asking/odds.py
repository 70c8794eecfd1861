"""The odds of a battle, an ordered attack, a raid or an entry into a minefield."""

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
from desert_aa.ui.narrate import force_words
from desert_aa.ui.odds import battle, read_force
from sandtable import Answer, IllegalOrder, PlayError

if TYPE_CHECKING:
    from sandtable import Odds

EXAMPLE = "de:infantry=2,armor=1 v uk:infantry=2"


def odds(scene: Scene, words: list[str]) -> Answer:
    """Return the odds of the battle "ATTACK v DEFENSE".

    A space as the defense means the enemy units there. A space alone means the attack that is ordered on it. Raises
    PlayError if the text is wrong or no attack is ordered.
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
        f"{found.rounds:.1f} rounds on average; {found.method}; the cheapest units are lost first, without retreats",
    ]
    if space and space in scene.state.minefields:
        lines.append("without the minefield there")
    elif space and space in scene.board.mineable and _may_hide(scene, space):
        lines.append("without hidden minefields, which may be there")
    return Answer(None, tuple(lines), ("DAA-17.01", *(("DAA-8.03",) if len(lines) > 2 else ())))


def _may_hide(scene: Scene, space: str) -> bool:
    """Return whether the enemy holds a space and has, or may have, a minefield that the asking side does not see."""
    view = scene.view
    for power in POWERS:
        seen = sum(mine.power == power for mine in view.minefields.values())
        if SIDE_OF[power] != view.side and view.mines_laid.get(power, seen + 1) > seen:
            return SIDE_OF.get(view.control.get(space, "")) == SIDE_OF[power]
    return False


def _without_a_battle(scene: Scene, space: str) -> Answer | None:
    """Return the dice of a raid, or of an entry into a known minefield without a battle, or None for anything else."""
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
        flak = f"flak fires at each plane first and hits on {FLAK_HITS}" if one else "no flak is there"
        line = f"{force_words(raiders)} on a raid on {scene.at(space)}: each bomber hits on {need} or less; {flak}"
        return Answer(None, (line,), ("DAA-13.03",))
    foes = [unit for unit in scene.state.units.values() if unit.space == space and SIDE_OF[unit.power] != view.side]
    if walkers and not foes and mine is not None and SIDE_OF[mine.power] != view.side:
        entry = 2 if mine.entries else 1
        line = f"{force_words(walkers)} in the minefield at {scene.at(space)}: "
        line += f"each unit is lost on a roll of {MINE_HITS[entry]} or less; then the rest sweep it and take the "
        line += f"space on a roll of {SWEPT_ON[entry]} or less, or fall back"
        return Answer(None, (line,), ("DAA-9.02", "DAA-9.06"))
    return None


def _ordered(scene: Scene, space: str) -> str:
    """Return as text the units that attack a space, or are ordered to attack it. Raises PlayError if there are none."""
    view = scene.view
    battle = view.battle
    units = list(battle.attackers if battle and battle.space == space else view.combats.get(space, ()))
    units += [each for plan in view.plans if plan.path[-1] == space and not plan.raid for each in plan.units]
    if not units:
        raise PlayError(f"no attack is ordered there: type, for example, odds {EXAMPLE}, or a space as the defense")
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
    """Return the probability that an attack wins, as a percentage, or "" if it cannot be computed.

    It cannot be computed if there are no defenders, if a force cannot fight, or if the battle is too large.

    ``foes`` are the defenders (default: all enemy units in the space).
    """
    attack = list(units)
    try:
        garrison = force_text(scene, foes) or _garrison(scene, space, SIDE_OF[scene.state.units[attack[0]].power])
        found = _computed(force_text(scene, attack), garrison, tuple(sorted(scene.state.options.items())))
    except (IllegalOrder, PlayError):
        return ""
    return f"{found.attacker:.0%}"


def _garrison(scene: Scene, space: str, attacker: str) -> str:
    """Return as text the units in a space that would defend, with flak. Raises PlayError if there are none."""
    there = [
        each
        for each, unit in scene.state.units.items()
        if unit.space == space and SIDE_OF[unit.power] != attacker and unit.kind in (*FIGHTING, FLAK)
    ]
    if not there:
        raise PlayError(f"no unit defends {scene.at(space)} against them")
    return force_text(scene, there)


@lru_cache(maxsize=256)
def _computed(attack: str, defend: str, options: tuple[tuple[str, str], ...]) -> "Odds":
    from sandtable import Installed, battle_odds  # noqa: PLC0415 - rarely needed

    chosen = dict(options)
    prepared = Installed("desert_aa", desert_aa, "itself").prepare("", chosen)
    return battle_odds(battle(attack, defend, chosen), prepared.ruleset)
