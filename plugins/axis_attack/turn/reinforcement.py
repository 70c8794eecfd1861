"""Reinforcement, assigned in secret and then rolled (AOA-11.01 to AOA-11.18), and exchange (AOA-11.21, AOA-R63)."""

from axis_attack.model.cards import SIDES
from axis_attack.model.events import DiceBought, PlatoonRaised, PlatoonReinforced
from axis_attack.model.orders import AssignDice, RaisePlatoons
from axis_attack.model.state import AxisState
from axis_attack.model.strength import kind_of, next_level, shown_of
from axis_attack.recovery.exchange import exchange_all
from axis_attack.recovery.reinforcement import (
    DICE,
    dice_space,
    fit_level,
    needed,
    needs_calculation,
    raising_space,
    steps_to_fit,
)
from sandtable import Calculation, Decision, Form, Procedure, Roll, Sealed


def reinforce(state: AxisState) -> Procedure:
    """Ask both sides for platoons to raise, then for their dice; results follow after all are assigned (AOA-R61).

    By option ``exchange_when``, platoons are exchanged first.
    """
    if state.options["exchange_when"] == "before_reinforcement":
        yield from exchange_all(state)
    raised = yield from _ask_raised(state)
    orders = yield from _ask_dice(state, raised)
    for side in SIDES:
        order = orders.get(side)
        bought = order.bought if order else 0
        if order or raised[side]:
            steps = (("dice of the turn", DICE, "AOA-11.02"), *((("bought", bought, "AOA-11.02"),) if bought else ()))
            dice = Calculation("dice", steps)
            yield DiceBought(side, dice.total, bought, calculations=(dice,))
        for each in raised[side]:
            level = fit_level(kind_of(state, side, each))
            taken = Calculation("dice", (("levels raised", steps_to_fit(state, side, each), "AOA-11.17"),))
            yield PlatoonRaised(
                side, each, level, taken.total, shown=shown_of(state, side, [each]), calculations=(taken,)
            )
    for side in SIDES:
        if side in orders:
            yield from _roll_all(state, side, orders[side])


def _ask_raised(state: AxisState) -> Procedure:
    """Return the platoons that each side raises, in the order of its roster."""
    spaces = {side: raising_space(state, side) for side in SIDES}
    prompt = "raise combat platoons to depleted with one die for each level"
    answers: dict[str, RaisePlatoons] = yield _sealed("raise", spaces, prompt, "AOA-11.15", RaisePlatoons([]))
    named = {side: answers[side].platoons if side in answers else [] for side in SIDES}
    return {side: [each for each in state.rosters[side] if each in named[side]] for side in SIDES}


def _ask_dice(state: AxisState, raised: dict[str, list[str]]) -> Procedure:
    spaces = {side: dice_space(state, side, raised[side]) for side in SIDES}
    answers: dict[str, AssignDice] = yield _sealed("dice", spaces, "buy and assign reinforcement dice", "AOA-11.05")
    return answers


def _sealed(
    verb: str, spaces: dict[str, Form | None], prompt: str, rule: str, done: RaisePlatoons | None = None
) -> Sealed:
    return Sealed(
        tuple(
            Decision(side, prompt, space, rule, done=done, secret=True, purpose=f"{verb}.{side}")
            for side, space in spaces.items()
            if space is not None
        )
    )


def _roll_all(state: AxisState, side: str, order: AssignDice) -> Procedure:
    """Roll a side's dice, platoon by platoon in the order of the roster: a success raises one level (AOA-11.06)."""
    for each, platoon in state.rosters[side].items():
        if each not in order.dice:
            continue
        kind = kind_of(state, side, each)
        needs, rule = needed(kind)
        number = order.dice[each]
        dice = yield Roll(number, 6, f"reinforce:{side}:{each}", rule, favors=side, units=(each,) * number)
        level = min(next_level(kind, platoon.level), platoon.bought) if max(dice) >= needs else platoon.level
        raised = (("raised", level - platoon.level, "AOA-11.06"),) if level > platoon.level else ()
        calculations = (
            needs_calculation(kind),
            Calculation("level", (("previous level", platoon.level, "AOA-11.07"), *raised)),
        )
        shown = shown_of(state, side, [each])
        yield PlatoonReinforced(side, each, list(dice), needs, level, shown=shown, calculations=calculations)


def exchange(state: AxisState) -> Procedure:
    """Let both sides exchange platoons, unless by option they did so before reinforcement (AOA-R63)."""
    if state.options["exchange_when"] != "before_reinforcement":
        yield from exchange_all(state)
