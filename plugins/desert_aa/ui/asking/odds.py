"""The odds of a battle that is thought of, or of an attack on who stands in a space, by the machinery of ``odds``."""

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
    """Tell how a battle ends, "ATTACK v DEFENCE"; for the defence a space may stand, then who is there defends."""
    attack, _, defend = (part.strip() for part in " ".join(words).replace(" vs ", " v ").partition(" v "))
    if not defend:
        raise PlayError(f"ask so: odds {EXAMPLE}, or with a space for the defence")
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


def _garrison(scene: Scene, space: str, attacker: str) -> str:
    """Return the units in a space that would defend, as text."""
    counts: dict[str, dict[str, int]] = {}
    for unit in scene.state.units.values():
        if unit.space == space and SIDE_OF[unit.power] != attacker and unit.kind in (*FIGHTING, FLAK):
            row = counts.setdefault(PREFIX[unit.power], {})
            row[SHORT[unit.kind]] = row.get(SHORT[unit.kind], 0) + 1
    if not counts:
        raise PlayError(f"nobody defends {scene.at(space)} against them")
    rows = (f"{power}:" + ",".join(f"{kind}={n}" for kind, n in sorted(row.items())) for power, row in counts.items())
    return " + ".join(rows)


@lru_cache(maxsize=64)
def _computed(attack: str, defend: str, options: tuple[tuple[str, str], ...]) -> "Odds":
    from sandtable.arena.odds import battle_odds  # noqa: PLC0415 - asked for by few
    from sandtable.plugin.manager import Installed  # noqa: PLC0415

    chosen = dict(options)
    prepared = Installed("desert_aa", desert_aa, "itself").prepare("", chosen)
    return battle_odds(battle(attack, defend, chosen), prepared.ruleset)
