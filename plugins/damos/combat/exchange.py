"""The exchange of fire: strengths, modifiers, dice, loss points of both sides (DM-8.2, DM-8.5 to DM-8.7)."""

from collections.abc import Sequence

from damos.combat.air_support import reroll, support
from damos.combat.battle import ATTACKER, DEFENDER, ROLES, Battle, Throw, other
from damos.combat.calculations import exchanged
from damos.map.terrain import after_terrain
from damos.map.zones import is_zone_capable
from damos.model.events import CombatResolved
from damos.model.state import DamosState
from damos.model.tables import (
    ATTACK_PLANS,
    DEMORALIZED_DEFENSE,
    UNSUPPLIED_ATTACK_PER_DIE,
    UNSUPPLIED_DEFENSE,
    column_of,
    combat_result,
    dice_of_column,
    lp_moved,
)
from damos.model.terrain_chart import Cell
from sandtable import Procedure, Roll

PURPOSES = {ATTACKER: "combat.attack", DEFENDER: "combat.defence"}


def strengths(battle: Battle) -> dict[str, Throw]:
    """Return the roll of each role before any support: strengths, columns, dice (DM-8.2b, DM-8.2c, DM-8.6a)."""
    points = (battle.strength_of(ATTACKER), battle.strength_of(DEFENDER))
    side = battle.side_of(ATTACKER) if battle.attackers else ""
    attack, defense = after_terrain(battle.state, side, points, battle.hex, battle.entry)
    modified = {ATTACKER: attack, DEFENDER: defense}
    may_fail = battle.state.options["sp_below_1"] == "no_roll"
    throws = {}
    for role in ROLES:
        column = column_of(modified[role])
        rolls = modified[role] >= 1 or not may_fail
        throws[role] = Throw(
            battle.strength_of(role), modified[role], column, dice_of_column(column) if rolls else 0, rolls
        )
    return throws


def exchange(battle: Battle, throws: dict[str, Throw]) -> Procedure:
    """Let both sides roll. Return the AirUse, and by role the token of the loss points suffered (DM-8.2e, DM-8.2f)."""
    used = yield from support(battle.state, battle.hex, throws)
    for role in ROLES:
        throws[role].modifiers = _modifiers(battle, role, throws[role].dice)
        if throws[role].rolls:
            purpose = f"{PURPOSES[role]}:{battle.hex}"
            roll = Roll(throws[role].dice, 6, purpose, "DM-8.2e", favors=battle.side_of(role))
            throws[role].faces = list((yield roll))
    suffered_now = lambda role: _suffered(battle, role, throws[other(role)])  # noqa: E731 - dice may be rolled again
    yield from reroll(battle.state, battle.hex, used, throws, suffered_now)
    suffered = {role: _suffered(battle, role, throws[other(role)]) for role in ROLES}
    yield _resolved(battle, throws, suffered, used.shifted)
    return used, suffered


def _modifiers(battle: Battle, role: str, dice: int) -> list[tuple[str, int]]:
    """Return the modifiers of a role's roll, without those that are zero (DM-8.5a to DM-8.5e)."""
    cell = _cell(battle)
    if role == ATTACKER:
        counted = [
            ("supply", 0 if battle.supplied[role] else UNSUPPLIED_ATTACK_PER_DIE * dice),
            ("plan", ATTACK_PLANS[battle.plan].modifier),
            ("demoralized", DEMORALIZED_DEFENSE if battle.shaken else 0),
            ("matrix", cell.attacker_modifier),
        ]
    else:
        counted = [("supply", 0 if battle.supplied[role] else UNSUPPLIED_DEFENSE), ("matrix", cell.defender_modifier)]
    return [(name, number) for name, number in counted if number]


def _cell(battle: Battle) -> Cell:
    """Return the cell of the combat matrix, or an empty one for a demoralized defender (DM-8.4d)."""
    return battle.state.board.aid.matrix[battle.plan][battle.posture] if battle.posture else Cell()


def _suffered(battle: Battle, role: str, enemy: Throw) -> str:
    """Return the loss points that a role suffers from the enemy's roll, after the combat matrix (DM-8.4b, DM-8.7)."""
    cell = _cell(battle)
    change = cell.attacker_points if role == ATTACKER else cell.defender_points
    clamp = battle.state.options["crt_clamp"]
    return lp_moved(combat_result(enemy.column, enemy.total, clamp) if enemy.rolls else "0", change)


def _resolved(battle: Battle, throws: dict[str, Throw], suffered: dict[str, str], shifted: str) -> CombatResolved:
    attack, defense = throws[ATTACKER], throws[DEFENDER]
    return CombatResolved(
        hex=battle.hex,
        attack_strength=attack.strength,
        defense_strength=defense.strength,
        attack_modified=attack.modified,
        defense_modified=defense.modified,
        attack_column=attack.column,
        defense_column=defense.column,
        attack_dice=list(attack.faces),
        defense_dice=list(defense.faces),
        attack_modifiers=attack.modifiers,
        defense_modifiers=defense.modifiers,
        attack_total=attack.total,
        defense_total=defense.total,
        on_defender=suffered[DEFENDER],
        on_attacker=suffered[ATTACKER],
        calculations=exchanged(battle, throws, _cell(battle), shifted),
    )


ZONE_AGAINST_NONE = 1
"""Modifier of a reaction against a force without zone of influence (AGC-4.2a)."""
OVERWHELMING_RATIO = 12
"""Ratio to one at which the defender is eliminated (AGC-4.6.2a)."""
MAX_PAID = 2
"""Maximum number of loss points that can be paid with replacements (AGC-4.5.1a)."""

Strengths = tuple[int, int]


def reaction_modifiers(state: DamosState, phasing: Sequence[str]) -> list[tuple[str, int]]:
    """Return the modifiers of a reaction, or of a retreat by reaction, against a phasing force (AGC-4.2a)."""
    return [] if is_zone_capable(state, phasing) else [("zone", ZONE_AGAINST_NONE)]


def overwhelms(state: DamosState, printed: Strengths, modified: Strengths) -> bool:
    """Return whether the attacker is so strong that no dice are rolled (AGC-4.6.2a, R-DM-63).

    Each pair has the strengths of attacker and defender, ``printed`` without terrain and ``modified`` with it.
    """
    attack, defense = printed if state.options["ratio_12"] == "raw_sp" else modified
    return attack >= OVERWHELMING_RATIO * max(1, defense)


def payable(state: DamosState, side: str, paid: int) -> int:
    """Return how many more loss points a supplied force may pay after ``paid`` in this combat (R-DM-62)."""
    if state.options["rp_absorb_limits"] == "per_player_turn":
        paid = state.paid.get(side, 0)
    return max(0, min(MAX_PAID - paid, state.replacements.get(side, 0)))
