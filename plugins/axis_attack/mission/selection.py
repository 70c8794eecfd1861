"""Selection of the next mission (AOA-8): who may claim what, modifiers, totals, who may pay for another mission."""

from axis_attack.model.cards import DEPLETED, MISSIONS, SIDES, Board
from axis_attack.model.state import AxisState
from axis_attack.model.strength import kind_of
from axis_attack.model.tables import ADJUSTABLE, CHANGE_PRICE, WON_AS_DEFENDER
from sandtable import Calculation


def totals_of_points(state: AxisState) -> dict[str, int]:
    """Return what "total of victory points" means, by side: those left, or all ever won (AOA-R05)."""
    return state.earned if state.options["vp_total_basis"] == "earned" else state.balance


def richer(state: AxisState) -> str:
    """Return the side with the higher total of victory points; "" when they are equal (AOA-R06)."""
    totals = totals_of_points(state)
    first, second = SIDES
    if totals[first] == totals[second]:
        return ""
    return first if totals[first] > totals[second] else second


# --- the recon bonus ---


def claimable(state: AxisState) -> list[str]:
    """Return the winner's recon platoons that he may claim: depleted or better, not immobile (AOA-8.04, AOA-8.05).

    They are those ahead at the end of the game; after a concession, all of his company (AOA-5.25).
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
    """Return a side's modifiers with their names, those of nought left out (AOA-8.02 to AOA-8.06)."""
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
    """Return how a selection total adds up: the die, then the modifiers."""
    steps = [(name, number, RULES[name]) for name, number in named]
    return Calculation(f"total.{side}", (("die", die, "AOA-8.01"), *steps))


def _for_defending(state: AxisState, side: str) -> int:
    """Return the modifier for a win as defender in a mission without the fair fight rule (AOA-8.06)."""
    board: Board = state.board
    if state.winner != side or state.defender != side or board.missions[state.mission].fair_fight:
        return 0
    return WON_AS_DEFENDER[state.options["won_as_defender_mod"]]


def higher(totals: dict[str, int]) -> str:
    """Return the side with the higher selection total; "" for a tie."""
    first, second = SIDES
    if totals[first] == totals[second]:
        return ""
    return first if totals[first] > totals[second] else second


def adjuster(state: AxisState) -> str:
    """Return who may change a total by one: the winner as defender of one of two missions; "" nobody (AOA-8.10)."""
    is_his = state.winner in SIDES and state.winner == state.defender and state.mission in ADJUSTABLE
    return state.winner if is_his else ""


# --- another mission ---


def neighbours(mission: str) -> list[str]:
    """Return the missions next to one on the ladder, the higher first; it has two ends (AOA-8.19, AOA-R41)."""
    place = MISSIONS.index(mission)
    return [*MISSIONS[max(0, place - 1) : place], *MISSIONS[place + 1 : place + 2]]


def can_change(state: AxisState, side: str) -> bool:
    """Return whether a side can pay for another mission."""
    return state.balance[side] >= CHANGE_PRICE
