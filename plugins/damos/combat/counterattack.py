"""The counterattack of a defender who chose it and lost the first exchange (DM-8.9)."""

from damos.combat.absorption import COUNTERATTACK
from damos.combat.battle import ATTACKER, DEFENDER, Battle
from damos.combat.losses import suffer
from damos.map.terrain import combat_strengths
from damos.model.events import CounterattackResolved
from damos.model.tables import COUNTERATTACK as POSTURE
from damos.model.tables import lp_rank
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure


def is_due(battle: Battle, suffered: dict[str, str]) -> bool:
    """Tell whether the defender counterattacks: he chose it, lost the exchange, and both are there (R-DM-45)."""
    lost = lp_rank(suffered[DEFENDER]) > lp_rank(suffered[ATTACKER])  # DM-8.9b, R-DM-47
    return battle.posture == POSTURE and lost and bool(battle.attackers) and bool(battle.defenders)


def counterattack(battle: Battle) -> Procedure:
    """Roll, let both absorb, and return the loss points that each suffers: by role a number (DM-8.9c to DM-8.9i).

    The attacker has the good of the hex now and the defender the bad of it; no hexside counts (DM-8.9d, DM-8.9e).
    """
    counter, attack = (max(1, each) for each in _strengths(battle))
    table = battle.state.board.aid.counterattack
    column = table.column(counter, attack)
    (die,) = yield Roll(1, 6, f"counter:{battle.hex}", "DM-8.9g", favours=battle.side_of(DEFENDER))
    on_defender, on_attacker = table.result(column, die)
    yield CounterattackResolved(
        hex=battle.hex,
        counter_strength=counter,
        attack_strength=attack,
        ratio=table.title(column),
        die=die,
        on_defender=on_defender,
        on_attacker=on_attacker,
    )
    added = {ATTACKER: on_attacker, DEFENDER: on_defender}
    yield from suffer(battle, added, COUNTERATTACK)
    return added


def _strengths(battle: Battle) -> tuple[int, int]:
    """Return the strengths of counterattacker and original attacker, as the terrain of the hex changes them."""
    strengths: tuple[int, int] = combat_strengths(battle.state, battle.defenders, battle.attackers, battle.hex, "")
    return strengths
