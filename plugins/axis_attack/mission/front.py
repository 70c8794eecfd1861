"""The front: its moves by the results of missions, and the winner of the campaign (AOA-7.01, AOA-12.01)."""

from axis_attack.model.cards import ENEMY, SIDES, Board, Mission
from axis_attack.model.state import AxisState
from axis_attack.model.strength import is_mobile, kind_of
from sandtable import Calculation

HOLD, ADVANCE, BREAKTHROUGH, RETREAT = "hold", "advance", "breakthrough", "retreat"
"""Result codes (AOA-7.02 to AOA-7.06)."""

RULES = {
    "encounter": "AOA-7.07",
    "hold_the_line": "AOA-7.08",
    "breakthrough": "AOA-7.09",
    "cauldron": "AOA-7.10",
    "fighting_withdrawal": "AOA-7.11",
    "trench_fight": "AOA-7.12",
}


def both_attack(mission: Mission) -> bool:
    """Return whether both sides count as attackers: the mission has no result for a defender (AOA-7.07)."""
    return not mission.defender


def has_winner(state: AxisState) -> bool:
    """Return whether the last game has a winner and is not a draw (AOA-R31)."""
    return state.winner in SIDES


def won_attacking(state: AxisState) -> bool:
    """Return whether the winner of the game attacked; in a mission without a defender it always did (AOA-R66)."""
    board: Board = state.board
    return has_winner(state) and (both_attack(board.missions[state.mission]) or state.winner == state.attacker)


def result_code(state: AxisState) -> str:
    """Return the result code by mission and winner (AOA-7.01). A draw is a hold (AOA-R31)."""
    board: Board = state.board
    if not has_winner(state):
        return HOLD
    mission = board.missions[state.mission]
    return mission.attacker if won_attacking(state) else mission.defender


def moved(state: AxisState, code: str, sectors: int = 1) -> int:
    """Return the sector of the next battle. The front does not move beyond a home sector (AOA-R48)."""
    board: Board = state.board
    if code == HOLD:
        return state.sector
    toward = board.home[state.defender if code == RETREAT else ENEMY[state.winner]]
    gap = toward - state.sector
    return state.sector + (min(gap, sectors) if gap > 0 else max(gap, -sectors))


CODE_RULES = {HOLD: "AOA-7.02", ADVANCE: "AOA-7.03", BREAKTHROUGH: "AOA-7.04", RETREAT: "AOA-7.06"}


def front_calculations(state: AxisState, code: str, sectors: int) -> tuple[Calculation, Calculation]:
    """Return the calculations of the result code, by its cell in the table of missions, and of the next sector."""
    role = "attacker" if won_attacking(state) else "defender" if has_winner(state) else "draw"
    rule = RULES.get(state.mission, "AOA-7.01")
    steps = [("sector", state.sector, "AOA-7.01")]
    change = moved(state, code, sectors) - state.sector
    if change:
        whole = sectors if change > 0 else -sectors
        steps.append((code, whole, CODE_RULES[code]))
        if whole != change:
            steps.append(("limited by the home sector", change - whole, "AOA-R48"))
    elif code != HOLD:
        steps.append((f"{code}: limited by the home sector", 0, "AOA-R48"))
    return Calculation("result", (), (rule, state.mission, role)), Calculation("sector", tuple(steps))


def distance_calculations(state: AxisState) -> tuple[Calculation, ...]:
    """Return each side's distance from the front to the enemy's home sector at the end (AOA-12.03)."""
    board: Board = state.board
    homes = {side: board.home[ENEMY[side]] for side in SIDES}
    return tuple(
        Calculation(
            f"distance.{side}",
            tuple(
                (what, number if state.sector >= home else -number, "AOA-12.03")
                for what, number in (("sector", state.sector), ("enemy home sector", -home))
            ),
        )
        for side, home in homes.items()
    )


def may_move_two(state: AxisState) -> bool:
    """Return whether the winner of a breakthrough may choose two sectors (AOA-7.04, AOA-R47).

    Two sectors must remain. All platoons of the winner's force must have been mobile or carried, unless an option
    requires this of the next game only (AOA-3.10, AOA-R49). Without forces, after a concession, no platoon was left
    behind.
    """
    if abs(moved(state, BREAKTHROUGH, 2) - state.sector) < 2:
        return False
    return state.options["breakthrough_mobility"] == "next_game_only" or not left_behind(state, state.winner)


def left_behind(state: AxisState, side: str) -> list[str]:
    """Return the platoons of a side's force that are neither mobile nor carried (AOA-3.11, AOA-3.12)."""
    force = state.forces.get(side)
    return [
        each.platoon
        for each in (force.platoons if force else ())
        if not each.carried_by and not is_mobile(kind_of(state, side, each.platoon), state.rosters[side][each.platoon])
    ]


def conquered(state: AxisState, sector: int) -> bool:
    """Return whether the winner of the game in ``sector`` wins the campaign by it (AOA-12.01, AOA-R66)."""
    board: Board = state.board
    return won_attacking(state) and sector == board.home[ENEMY[state.winner]]


def near_enemy_home(state: AxisState) -> list[str]:
    """Return the sides for which the front is in, or next to, the enemy's home sector (AOA-12.03, AOA-R67)."""
    board: Board = state.board
    return [side for side in SIDES if abs(state.sector - board.home[ENEMY[side]]) <= 1]
