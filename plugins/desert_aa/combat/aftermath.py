"""How a battle ends: who holds the space, and whether a minefield is lifted (DAA-16.06, DAA-17.11)."""

from desert_aa.combat.control import capture, is_enemy_mined
from desert_aa.combat.minefields import sweep
from desert_aa.model.events import BattleEnded
from desert_aa.model.state import DesertState
from desert_aa.model.tables import PLANES
from sandtable.kernel.sequence import Procedure


def finish(state: DesertState) -> Procedure:
    """End the battle, in which one side or both have nobody left."""
    battle = state.battle
    assert battle is not None  # noqa: S101 - a battle is on
    space = battle.space
    land = [each for each in battle.attackers if state.units[each].kind not in PLANES]
    if battle.defenders:
        yield BattleEnded(space, "held", "DAA-17.08")
    elif not battle.attackers:
        yield BattleEnded(space, "destroyed", "DAA-17.08")
    elif not land:
        yield BattleEnded(space, "cleared", "DAA-16.10")
    elif is_enemy_mined(state, space):
        taken: bool = yield from sweep(state, space, land)
        yield BattleEnded(space, "taken" if taken else "cleared", "DAA-9.07" if taken else "DAA-9.08")
    else:
        yield capture(state, space, "DAA-17.11")
        yield BattleEnded(space, "taken", "DAA-17.11")
