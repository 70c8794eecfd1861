"""Exclusive rules at fixed times: required attacks, replacement points, Cossacks (AGC-4.6.3, AGC-4.5, AGC-4.8a)."""

from damos.model.calculations import Steps
from damos.model.events import AttackCounted, AttacksDemanded, CombatBegan, CossacksNamed
from damos.model.forces import stacks
from damos.model.orders import ChooseHex, Decline
from damos.model.state import DamosState
from damos.model.tables import GERMAN, SOVIET, d3
from damos.movement.pause import august_turn, kept_still
from sandtable import AnyOf, Calculation, Decision, Form, OneOf, Procedure, Roll, reacts

DUTY_TURN, PENALTY_TURN = 2, 4
UNAWARE_TURN = 1


def has_player_turn(state: DamosState, side: str) -> bool:
    """Return whether a side has a player turn in this game turn. The Soviets do not on turn 1 (AGC-4.6.1a)."""
    return side == GERMAN or state.turn != UNAWARE_TURN


# --- attacks ---


def demand_attacks(state: DamosState) -> Procedure:
    """Roll at the start of the Soviet turn 2 how many attacks must be made in it (AGC-4.6.3a, R-DM-64)."""
    if state.phasing_side == SOVIET and state.turn == DUTY_TURN and state.options["turn2_attacks_area"] == "agc_area":
        (die,) = yield Roll(1, 6, "duty", "AGC-4.6.3a", favors=GERMAN)
        why = (Calculation("number", ((f"1d3, die {die}", d3(die), "AGC-1.2a"),)),)
        yield AttacksDemanded(SOVIET, die, d3(die), calculations=why)


@reacts(CombatBegan)
def count_attack(state: DamosState, event: CombatBegan) -> Procedure:
    """Count a combat in which the Soviets are the phasing attackers of turn 2 (R-DM-73)."""
    if state.attacks_owed and state.turn == DUTY_TURN and state.phasing_side == SOVIET:
        yield AttackCounted(event.hex)


# --- replacements ---


def replacements_due(state: DamosState, side: str) -> int:
    """Return the replacement points that a side receives this turn (AGC-4.5a, AGC-4.5b).

    The Soviets get one more with the optional railways, and double that in the two turns after a pause (AGC-4.3.1g,
    AGC-4.3.1i). From turn 4 they get one less for each required attack of turn 2 that was not made (AGC-4.6.3b).
    """
    return sum(points for _, points, _ in replacement_steps(state, side))


def replacement_steps(state: DamosState, side: str) -> Steps:
    """Return the steps of the calculation of ``replacements_due``."""
    points: int = state.board.replacements[side][state.turn - 1]
    if side != SOVIET:
        return ((f"turn {state.turn}", points, "AGC-4.5a"),)
    if not has_player_turn(state, side):
        return (("no player turn", UNAWARE_POINTS[state.options["russian_rp_turn1"]], "R-DM-61"),)
    found = [(f"turn {state.turn}", points, "AGC-4.5b")]
    if state.options["optional_rules"] != "off":
        found.append(("single railhead", 1, "AGC-4.3.1g"))
        if kept_still(state) and state.turn <= august_turn(state) + 2:
            found.append(("doubled after the pause", points + 1, "AGC-4.3.1i"))
    missing = max(0, state.attacks_owed - state.attacks_made)
    if missing and state.turn >= PENALTY_TURN:
        found.append((f"missing attacks of turn {DUTY_TURN}", -missing, "AGC-4.6.3b"))
    return tuple(found)


UNAWARE_POINTS = {"none": 0, "5": 5}
"""Points that the Soviets receive on turn 1, when they have no player turn (R-DM-61)."""


FIRST_TURN = 10
DECLINE = Decline()
RULE = "AGC-4.8a"


def name_cossacks(state: DamosState) -> Procedure:
    """Let the Soviets openly name a hex with their units at the beginning of a turn, from ``FIRST_TURN`` (R-DM-68)."""
    hexes = sorted(stacks(state, SOVIET))
    if state.turn < FIRST_TURN or not hexes:
        return
    space = AnyOf([Form(ChooseHex, {"hex": OneOf(hexes, RULE)}), OneOf([DECLINE], RULE)])
    prompt = "name the hex whose units all have a zone of influence this turn, or none"
    order: ChooseHex | Decline = yield Decision(SOVIET, prompt, space, RULE, purpose="cossacks")
    if isinstance(order, ChooseHex):
        yield CossacksNamed(order.hex)
