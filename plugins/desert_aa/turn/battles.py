"""The combat phase, step by step (DAA-17.01), and the income phase, which ends a power's turn (DAA-14.04)."""

from desert_aa.combat.control import check_capitals, check_round_limit, final_margin
from desert_aa.combat.flak import fly_raid
from desert_aa.combat.opening_fire import open_battle
from desert_aa.combat.rounds import fight_round
from desert_aa.economy.calculations import income as income_by_space
from desert_aa.model.events import IncomeCollected
from desert_aa.model.orders import ChooseCombat
from desert_aa.model.state import DesertState
from desert_aa.movement.supply import cut_at_enemy_end
from sandtable import Decision, OneOf, Procedure


def combat(state: DesertState) -> Procedure:
    """Run the next step of the combat phase; return True when every battle and raid is over (DAA-17.01).

    The step is a round of the current battle. If there is none, it is the raid or battle that the attacker chooses, and
    after the last one the check of the capitals.
    """
    if state.battle is not None:
        yield from fight_round(state, state.battle)
        return False
    due = sorted({**state.raids, **state.combats})
    if not due:
        yield from check_capitals(state)
        return True
    space = due[0]
    if len(due) > 1:
        options = OneOf([ChooseCombat(each) for each in due], "DAA-17.01")
        prompt = "choose the next raid or battle"
        side, power = state.phasing_side, state.phasing_power
        order: ChooseCombat = yield Decision(side, prompt, options, "DAA-17.01", power, purpose="next_combat")
        space = order.space
    if space in state.raids:  # DAA-R56: before the battle there
        yield from fly_raid(state, space)
    else:
        yield from open_battle(state, space)
    return False


def income(state: DesertState) -> Procedure:
    """Pay the phasing power for its spaces, into its purse (DAA-14.04, DAA-R01), then end its turn.

    At the end of the turn the enemy's supply is cut (DAA-R23) and the last round is checked (DAA-R63).
    """
    power = state.phasing_power
    amount = income_by_space(state.board, state.control, power)
    why = (amount, *final_margin(state))
    yield IncomeCollected(power, state.board.purse_of[power], amount.total, calculations=why)
    yield from cut_at_enemy_end(state)
    yield from check_round_limit(state)
