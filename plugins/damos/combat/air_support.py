"""The German air unit: its column shift, its re-roll of a die, and how it wears out (AGC-4.4)."""

from collections.abc import Callable
from typing import NamedTuple

from damos.combat.battle import ATTACKER, DEFENDER, Throw, other
from damos.map.rails import railheads
from damos.map.supplied import is_joined
from damos.model.calculations import rolled
from damos.model.events import AirChecked, AirUsed, DieRerolled
from damos.model.forces import enemy_of
from damos.model.orders import Decline, KeepBenefit, Reroll, UseAir
from damos.model.state import DamosState
from damos.model.tables import CRT_TITLES, GERMAN, LAST_COLUMN, dice_of_column
from sandtable import Calculation, Decision, OneOf, Procedure, Roll

RANGE_HEXES = 5
"""Maximum distance in hexes of a supported combat from a railhead (AGC-4.4a)."""
SHIFT, REROLL = BENEFITS = ("shift", "reroll")
DECLINE = Decline()


class AirUse(NamedTuple):
    """The benefits that the air unit gives in a combat; if neither, it takes no part.

    ``shifted`` is the role that receives the shift, even if it is in the last column. It is "" without a shift, or if
    the role does not roll.
    """

    shift: bool = False
    reroll: bool = False
    shifted: str = ""


# --- before the dice ---


def may_fly(state: DamosState, hex_: str) -> bool:
    """Return whether the air unit can take part in a combat in this hex (AGC-4.4a, AGC-4.4e)."""
    reach = state.board.hexmap.range_hexes
    return state.air.ready and any(
        reach(hex_, railhead) <= RANGE_HEXES and is_joined(state, railhead) for railhead in railheads(state)
    )


def support(state: DamosState, hex_: str, throws: dict[str, Throw]) -> Procedure:
    """Ask the Germans, who are in every combat, for their air unit. Shift their column and return the AirUse."""
    if not may_fly(state, hex_):
        return AirUse()
    left = state.air.benefit
    uses = [UseAir(shift=True, reroll=True), UseAir(shift=True), UseAir(reroll=True)]
    if left:
        uses = [UseAir(shift=left == SHIFT, reroll=left == REROLL)]
    prompt = f"use the air unit in the combat in {hex_}, or keep it out"
    why = (
        f"the air unit can be used again this turn, but only for its {left}"
        if left
        else "use its shift, its reroll, or both"
    )
    space = OneOf([*uses, DECLINE], "AGC-4.4a", why)
    order = yield Decision(GERMAN, prompt, space, "AGC-4.4a", done=DECLINE, purpose=f"air.{hex_}")
    if isinstance(order, Decline):
        return AirUse()
    yield AirUsed(hex_, order.shift, order.reroll)
    role = _role(state)
    throw, shifted = throws[role], ""
    if order.shift and throw.rolls:  # AGC-4.4b
        shifted = role
        throw.column = min(throw.column + 1, LAST_COLUMN)
        if state.options["air_shift_dice"] == "shifted_column_decides":  # R-DM-58
            throw.dice = dice_of_column(throw.column)
    return AirUse(order.shift, order.reroll, shifted)


def _role(state: DamosState) -> str:
    return ATTACKER if state.phasing_side == GERMAN else DEFENDER


# --- after the dice ---


def reroll(
    state: DamosState, hex_: str, use: AirUse, throws: dict[str, Throw], suffered: Callable[[str], str]
) -> Procedure:
    """Let the Germans roll one die again; the new face counts (AGC-4.4c).

    ``suffered`` returns the losses of a role with the current dice. With ``air_reroll_sees`` "results", the prompt
    shows them (R-DM-93).

    With ``air_reroll_side`` "any_die", the enemy's dice are numbered after the Germans' own (R-DM-84).
    """
    if not use.reroll:
        return
    role = _role(state)
    dice = [(role, number) for number in range(1, len(throws[role].faces) + 1)]
    if state.options["air_reroll_side"] == "any_die":
        dice += [(other(role), number) for number in range(1, len(throws[other(role)].faces) + 1)]
    if not dice:
        return
    choices = [*(Reroll(place) for place in range(1, len(dice) + 1)), DECLINE]
    shown = " ".join(str(throws[roller].faces[number - 1]) for roller, number in dice)
    prompt = f"re-roll one die in {hex_} ({shown}), or none"
    sees_results = state.options["air_reroll_sees"] == "results"
    if sees_results:
        prompt += f": {_stakes(state, throws, suffered)}"
    order = yield Decision(
        GERMAN,
        prompt,
        OneOf(choices, "AGC-4.4c", f"choose the number of a die, 1 to {len(dice)}"),
        "AGC-4.4c",
        done=DECLINE,
        purpose=f"reroll.{hex_}",
        discloses="R-DM-93" if sees_results else "",  # the columns reveal the enemy's strength
    )
    if isinstance(order, Decline):
        return
    roller, number = dice[order.number - 1]
    faces = throws[roller].faces
    before = faces[number - 1]
    side = GERMAN if roller == role else enemy_of(GERMAN)
    (faces[number - 1],) = yield Roll(1, 6, f"reroll:{hex_}", "AGC-4.4c", favors=side)
    yield DieRerolled(side, number, before, faces[number - 1])


def _stakes(state: DamosState, throws: dict[str, Throw], suffered: Callable[[str], str]) -> str:
    """Return a description of the current rolls and results."""
    words = {ATTACKER: "attack", DEFENDER: "defense"}
    own = _role(state)
    lines = [f"{words[role]} {throws[role].total} in column {CRT_TITLES[throws[role].column - 1]}" for role in words]
    return f"{', '.join(lines)}; without a re-roll you lose {suffered(own)} and the enemy {suffered(other(own))}"


# --- wearing out ---


def check_support(state: DamosState, hex_: str, use: AirUse) -> Procedure:
    """Roll whether the air unit wears out after a combat in which it took part (AGC-4.4d, AGC-4.4e)."""
    if not any(use):
        return
    dice = yield Roll(2, 6, f"air:{hex_}", "AGC-4.4d", favors=GERMAN)
    check = (
        rolled("total", dice, "AGC-4.4d", (), {}),
        Calculation("needed", (("constant", 2, "AGC-4.4d"), ("turn", state.turn, "AGC-4.4d"))),
    )
    needed = check[1].total
    failures = state.air.failures + (sum(dice) < needed)
    is_bad = failures > state.air.failures
    outcome = WEAR[state.options["air_success_cost"]](is_bad, failures)
    benefit = ""
    if outcome == "one_benefit":
        benefit = state.air.benefit
        if not benefit:
            choice = OneOf([KeepBenefit(each) for each in BENEFITS], "AGC-4.4d", "keep shift or reroll")
            prompt = "keep one benefit of the air unit"
            order: KeepBenefit = yield Decision(GERMAN, prompt, choice, "AGC-4.4d", purpose=f"keep_benefit.{hex_}")
            benefit = order.benefit
    rule = "AGC-4.4e" if is_bad else "AGC-4.4d"
    yield AirChecked(list(dice), needed, outcome, benefit, rule, check)


def _literal(is_bad: bool, failures: int) -> str:  # noqa: FBT001 - the result of the check
    """Return the outcome: a passed check costs a benefit, the first failed one nothing, the second the unit."""
    if not is_bad:
        return "one_benefit"
    return "nothing" if failures == 1 else "grounded"


def _swapped(is_bad: bool, failures: int) -> str:  # noqa: FBT001 - the result of the check
    """Return the outcome: a passed check costs nothing, the first failed one a benefit, the second the unit."""
    if not is_bad:
        return "kept"
    return "one_benefit" if failures == 1 else "grounded"


WEAR: dict[str, Callable[[bool, int], str]] = {"literal": _literal, "swapped": _swapped}
"""Functions that return the outcome of a check, by whether it failed and the number of failures (R-DM-85)."""
