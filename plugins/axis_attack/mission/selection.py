"""Selection of the next mission (AOA-8.01 to AOA-8.20): recon claims, modifiers, totals, and a paid change."""

from axis_attack.model.cards import DEPLETED, MISSIONS, SIDES, Board
from axis_attack.model.state import AxisState
from axis_attack.model.strength import kind_of
from axis_attack.model.tables import ADJUSTABLE, CHANGE_PRICE, WON_AS_DEFENDER
from sandtable import Calculation


def totals_of_points(state: AxisState) -> dict[str, int]:
    """Return the "total of victory points" of each side: the balance, or by option all points won (AOA-R05)."""
    return state.earned if state.options["vp_total_basis"] == "earned" else state.balance


def richer(state: AxisState) -> str:
    """Return the side with the higher total of victory points, or "" if they are equal (AOA-R06)."""
    totals = totals_of_points(state)
    first, second = SIDES
    if totals[first] == totals[second]:
        return ""
    return first if totals[first] > totals[second] else second


# --- the recon bonus ---


def claimable(state: AxisState) -> list[str]:
    """Return the recon platoons that the winner may claim: depleted or better, not immobile (AOA-8.04, AOA-8.05).

    They were in the enemy's half at the end of the game. After a concession all recon platoons count (AOA-5.25).
    """
    side = state.winner
    if side not in SIDES:
        return []
    return [each for each in state.recon_ahead if each in state.rosters[side] and _qualifies(state, side, each)]


def _qualifies(state: AxisState, side: str, platoon_id: str) -> bool:
    platoon = state.rosters[side][platoon_id]
    return kind_of(state, side, platoon_id).recon and platoon.level >= DEPLETED and not platoon.immobile


# --- the totals ---


def modifiers(state: AxisState, side: str, recon: int) -> list[tuple[str, int]]:
    """Return the names and numbers of a side's modifiers that are not zero (AOA-8.02 to AOA-8.06)."""
    return [
        (name, number)
        for name, number in (
            ("points", state.raw.get(side, 0)),
            ("higher_total", int(richer(state) == side)),
            ("recon", recon if state.winner == side else 0),
            ("won_as_defender", _for_defending(state, side)),
        )
        if number
    ]


RULES = {"points": "AOA-8.02", "higher_total": "AOA-8.03", "recon": "AOA-8.04", "won_as_defender": "AOA-8.06"}
"""The rules of the modifiers, by name."""


def total_calculation(side: str, die: int, named: list[tuple[str, int]]) -> Calculation:
    """Return the calculation of a selection total: the die, then the modifiers."""
    steps = [(name, number, RULES[name]) for name, number in named]
    return Calculation(f"total.{side}", (("die", die, "AOA-8.01"), *steps))


def _for_defending(state: AxisState, side: str) -> int:
    """Return the modifier for a win as defender in a mission without the fair fight rule (AOA-8.06)."""
    board: Board = state.board
    if state.winner != side or state.defender != side or board.missions[state.mission].fair_fight:
        return 0
    return WON_AS_DEFENDER[state.options["won_as_defender_mod"]]


def higher(totals: dict[str, int]) -> str:
    """Return the side with the higher selection total, or "" for a tie."""
    first, second = SIDES
    if totals[first] == totals[second]:
        return ""
    return first if totals[first] > totals[second] else second


def adjuster(state: AxisState) -> str:
    """Return the side that may change a total by one, or "" (AOA-8.10).

    It is the winner if it defended in a mission of ``ADJUSTABLE``.
    """
    may_adjust = state.winner in SIDES and state.winner == state.defender and state.mission in ADJUSTABLE
    return state.winner if may_adjust else ""


# --- another mission ---


def neighbors(mission: str) -> list[str]:
    """Return the missions next to ``mission`` on the ladder, the higher first (AOA-8.19, AOA-R41)."""
    place = MISSIONS.index(mission)
    return [*MISSIONS[max(0, place - 1) : place], *MISSIONS[place + 1 : place + 2]]


def can_change(state: AxisState, side: str) -> bool:
    """Return whether a side can pay for a different mission (AOA-8.19)."""
    return state.balance[side] >= CHANGE_PRICE
