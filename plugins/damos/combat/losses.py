"""Loss points put upon both sides of a combat (DM-8.2g)."""

from collections.abc import Mapping

from damos.combat.absorption import Toll, absorb
from damos.combat.battle import DEFENDER, ROLES, Battle
from damos.combat.combat import payable
from sandtable.kernel.sequence import Procedure


def suffer(battle: Battle, points: Mapping[str, int], toll: Toll) -> Procedure:
    """Let first the attacker absorb, then the defender; what the defender cannot take is noted (DM-8.8d)."""
    for role in ROLES:
        side = battle.side_of(role)
        most = 0
        if battle.supplied[role]:  # AGC-4.5.1b
            most = payable(battle.state, side, battle.paid[role])
        absorbed = yield from absorb(battle.state, battle.hex, battle.of(role), points[role], toll, most)
        battle.paid[role] += absorbed.replacements
        if role == DEFENDER:
            battle.surplus += absorbed.surplus
