"""Reinforcement: automatic levels, dice and needs (AOA-11.01 to AOA-11.20)."""

from collections.abc import Iterator, Mapping
from typing import Any

from axis_attack.model.cards import COMBAT, DEPLETED, HQ, LEVEL_TITLES, SUPPORT, WEAPONS, PlatoonType
from axis_attack.model.orders import AssignDice, RaisePlatoons
from axis_attack.model.state import AxisState
from axis_attack.model.strength import kind_of, levels_of
from sandtable import Calculation, Form, Range, Refusal, ShareOut, SomeOf

DICE = 4
"""Number of dice in a turn. More can be bought for one victory point each (AOA-11.02)."""

NEEDS = {COMBAT: (3, "AOA-11.09"), HQ: (4, "AOA-11.10"), WEAPONS: (4, "AOA-11.10"), SUPPORT: (5, "AOA-11.11")}
"""The need of a die, and its rule, by slot. A platoon that is all tanks needs one more (AOA-11.12)."""

LEAST_COMBAT = 2
"""Minimum number of depleted combat platoons in a company (AOA-11.14)."""


def needed(kind: PlatoonType) -> tuple[int, str]:
    """Return the need of a die that raises a platoon, and its rule (AOA-11.09 to AOA-11.12, AOA-R58, AOA-R59)."""
    return needs_calculation(kind).total, NEEDS[kind.slot][1]


def needs_calculation(kind: PlatoonType) -> Calculation:
    """Return the calculation of the need of a die."""
    needs, rule = NEEDS[kind.slot]
    steps = ((f"{kind.slot} platoon", needs, rule),)
    return Calculation("needs", (*steps, ("tanks only", 1, "AOA-11.12")) if kind.all_tanks else steps)


# --- automatic levels ---


def fit_level(kind: PlatoonType) -> int:
    """Return the lowest level that can be fielded: depleted, or full strength if the platoon has a single size."""
    return next(level for level in levels_of(kind) if level >= DEPLETED)


def steps_to_fit(state: AxisState, side: str, platoon_id: str) -> int:
    """Return the number of levels up to the lowest that can be fielded, which is the cost in dice (AOA-11.17)."""
    kind, level = kind_of(state, side, platoon_id), state.rosters[side][platoon_id].level
    return sum(level < each <= fit_level(kind) for each in levels_of(kind))


def raising_space(state: AxisState, side: str) -> Form | None:
    """Return the space of platoons to raise automatically, or None if there are two combat platoons (AOA-11.15).

    Returns None also if no platoon can be raised. Each level uses a die. Two destroyed platoons use four, the dice of a
    turn, so no die needs to be bought (AOA-R60).
    """
    steps = {
        each: steps_to_fit(state, side, each)
        for each in state.rosters[side]
        if kind_of(state, side, each).slot == COMBAT
    }
    below = [each for each, number in steps.items() if number]
    wanted = LEAST_COMBAT - (len(steps) - len(below))
    if wanted < 1 or not below:
        return None
    return Form(RaisePlatoons, {"platoons": SomeOf(below, 0, min(wanted, len(below)), "AOA-11.15")})


# --- dice ---


def candidates(state: AxisState, side: str, raised: list[str]) -> list[str]:
    """Return the platoons below their bought level (AOA-11.08) that are not raised this turn (AOA-11.18)."""
    return [
        each for each, platoon in state.rosters[side].items() if platoon.level < platoon.bought and each not in raised
    ]


class Dice(ShareOut):
    """An assignment of all dice to platoons; ``barred`` has the refusals of the other platoons."""

    barred: Mapping[str, Refusal] = {}

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse dice for a platoon that cannot have any, and shares that are not valid."""
        for name in value if isinstance(value, dict) else ():
            if isinstance(name, str) and name in self.barred:
                return self.barred[name]
        return super().why_not(value)

    def _wrong(self, value: Any) -> Iterator[Refusal]:
        for refusal in super()._wrong(value):
            is_sum = refusal.reason.startswith("that makes ")
            more = "; more dice cost a victory point each: buy NUMBER" if is_sum else ""
            yield Refusal(refusal.rule, refusal.reason + more)


def _barred(state: AxisState, side: str, raised: list[str]) -> dict[str, Refusal]:
    """Return the refusals of platoons that cannot have dice."""
    found = {}
    for each, platoon in state.rosters[side].items():
        if each in raised:
            found[each] = Refusal("AOA-11.18", f"{each} is raised automatically this turn: give its dice to others")
        elif platoon.level >= platoon.bought:
            level = LEVEL_TITLES[platoon.bought]
            found[each] = Refusal("AOA-11.08", f"{each} is at the level bought, {level}: give its dice to others")
    return found


def dice_space(state: AxisState, side: str, raised: list[str]) -> Form | None:
    """Return the space of a side's dice. Dice can be bought, and all must be assigned (AOA-11.02 to AOA-11.05).

    Returns None if there is no platoon to reinforce or no die to assign. The dice of raised levels are subtracted
    (AOA-11.17).
    """
    able = candidates(state, side, raised)
    spent = sum(steps_to_fit(state, side, each) for each in raised)
    balance = state.balance[side]
    if not able or DICE + balance <= spent:
        return None

    barred = _barred(state, side, raised)

    def shares(bought: int) -> Dice:
        prices = dict.fromkeys(able, 1)
        return Dice(DICE + bought - spent, prices, exactly=True, rule="AOA-11.05", what="dice", barred=barred)

    return Form(AssignDice, {"bought": Range(0, balance, "AOA-11.02"), "dice": shares})
