"""Combat (DM-8): ``procedure.py`` has the order of its steps, the other rooms the steps."""

from damos.combat.battle import ATTACKER, DEFENDER, Outcome
from damos.combat.demoralization import spread
from damos.combat.plans import choose_plan, choose_posture
from damos.combat.procedure import fight

__all__ = ["ATTACKER", "DEFENDER", "Outcome", "choose_plan", "choose_posture", "fight", "spread"]
