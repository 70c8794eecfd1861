"""Answers to questions about a position, by the rules for moves, supply, income and battles.

An answer uses only the view of the side that asks, so it does not depend on hidden enemy minefields.
"""

from collections.abc import Sequence

from desert_aa.economy.calculations import income
from desert_aa.fog.views import SideView
from desert_aa.model.board import Board
from desert_aa.model.state import ADVANCED, CUT, EXTENDED, LAID_DOWN, Unit
from desert_aa.model.tables import (
    ENEMY,
    FOOT,
    GROUND,
    INFANTRY,
    KIND_NAMES,
    POWER_NAMES,
    POWERS,
    SIDE_NAMES,
    SIDE_OF,
    SIDES,
)
from desert_aa.movement.supply import REARS
from desert_aa.ui.asking.odds import EXAMPLE, odds
from desert_aa.ui.asking.paths import path, reach
from desert_aa.ui.asking.scene import Scene
from sandtable import UMPIRE, Answer
from sandtable.questions import NO, YES, Query, named, replied


def answer(view: SideView, board: Board, text: str) -> Answer | None:
    """Return the answer to a question, or None if the text is not a question."""
    return replied(named(QUESTIONS, _examples(view, board)), text, lambda: Scene.of(view, board), Answer)


def _examples(view: SideView, board: Board) -> dict[str, str]:
    """Return names for the examples: if possible an infantry or artillery unit of the side, and a space next to it."""
    own = sorted(view.units, key=lambda each: (SIDE_OF[view.units[each].power] != view.side, each))
    own = [each for each in own if view.units[each].space]
    unit_id = next((each for each in own if view.units[each].kind in FOOT), next(iter(own), ""))
    unit = view.units.get(unit_id)
    space = unit.space if unit is not None else board.spaces[0]
    kind, power = (unit.kind, unit.power) if unit is not None else (INFANTRY, POWERS[0])
    near = next(iter(board.land[space]), space)
    return {"unit": unit_id, "mover": f"{power} {kind} {space}", "space": space, "near": near}


# --- supply ---


def _supply(scene: Scene, words: list[str]) -> Answer:
    """Return whether the road behind a unit, or behind a space for each power there, is free (DAA-6.03)."""
    text = " ".join(words)
    unit = scene.state.units.get(text)
    if unit is not None:
        free, line = _rear(scene, unit, text)
        return Answer(free, (line, *_conditions({text: unit})), _RULES)
    space = scene.space(text)
    there = {each: unit for each, unit in scene.state.units.items() if unit.space == space and unit.kind in GROUND}
    if space not in scene.state.control:
        return Answer(None, (f"{scene.board.names[space]} is impassable, so it has no supply",))
    powers = list(dict.fromkeys(unit.power for unit in there.values())) or [scene.state.control[space]]
    rears = [
        _rear(scene, _example(scene, power, space), f"{POWER_NAMES[power]} in {scene.board.names[space]}")
        for power in powers
    ]
    return Answer(all(free for free, _ in rears), (*(line for _, line in rears), *_conditions(there)), _RULES)


_RULES = ("DAA-6.03", "DAA-R21")


def _example(scene: Scene, power: str, space: str) -> Unit:
    """Return a unit of a power in a space, preferably an advanced one, whose supply can be cut."""
    units = [unit for unit in scene.state.units.values() if (unit.power, unit.space) == (power, space)]
    units.sort(key=lambda unit: (unit.condition != ADVANCED, unit.kind not in GROUND))
    return units[0] if units else Unit(power, INFANTRY, space)


def _rear(scene: Scene, unit: Unit, name: str) -> tuple[bool, str]:
    """Return whether the road behind a unit is free, and a sentence about it."""
    state, enemy = scene.state, ENEMY[SIDE_OF[unit.power]]
    rear = REARS[state.options["rear_direction"]](scene.board, unit)
    if not rear:
        return YES, f"{name}: no road behind it can be cut"
    held = [space for space in rear if any(_is_land_unit(each, enemy, space) for each in state.units.values())]
    if not held:
        return YES, f"{name}: the road behind it ({_names(scene, rear)}) is free of the enemy"
    cut = "a unit that moved its extra space along the road is laid down"
    return NO, f"{name}: units of {SIDE_NAMES[enemy]} are on the road behind it ({_names(scene, held)}), so {cut}"


def _names(scene: Scene, spaces: Sequence[str]) -> str:
    return ", ".join(scene.board.names[each] for each in spaces)


def _is_land_unit(unit: Unit, side: str, space: str) -> bool:
    return unit.space == space and SIDE_OF[unit.power] == side and unit.kind in GROUND


def _conditions(units: dict[str, Unit]) -> list[str]:
    """Return a line for each condition except ready, with the units in it."""
    words = {
        EXTENDED: "out of fuel",
        CUT: "cut off from supply",
        ADVANCED: "advanced on the road, so its supply can be cut",
    }
    lines = []
    for condition, text in words.items():
        found = sorted(each for each, unit in units.items() if unit.condition == condition)
        if found:
            rounds = sorted({units[each].stands_up for each in found if condition in LAID_DOWN})
            until = f", laid down until round {' or '.join(map(str, rounds))}" if rounds else ""
            lines.append(f"{', '.join(found)}: {text}{until}")
    return lines


# --- income ---


def _worth(scene: Scene, words: list[str]) -> Answer:
    """Return the current income of each power, or of the named powers space by space (DAA-14.04)."""
    state, board = scene.state, scene.board
    named_powers = [power for power in POWERS if power in [word.lower() for word in words]]
    sums = {power: income(board, state.control, power) for power in POWERS}
    if named_powers:
        lines = []
        for power in named_powers:
            steps = ", ".join(f"{board.names[space]} {value}" for space, value, _ in sums[power].steps)
            lines.append(f"{POWER_NAMES[power]} {sums[power].total}: {steps or 'nothing'}")
        return Answer(None, tuple(lines), ("DAA-14.04",))
    lines = []
    for side in SIDES:
        own = [power for power in POWERS if SIDE_OF[power] == side]
        parts = " + ".join(f"{POWER_NAMES[power]} {sums[power].total}" for power in own)
        lines.append(f"{SIDE_NAMES[side]}: {sum(sums[power].total for power in own)} ({parts})")
    purses = [f"{_owner(purse)} {scene.view.cash[purse]}" for purse in scene.view.cash]
    hidden = [purse for purse in dict.fromkeys(board.purse_of.values()) if purse not in scene.view.cash]
    money = [f"in hand: {', '.join(purses)}"] if purses else []
    money += [f"the money of {', '.join(map(_owner, hidden))} is secret"] if hidden else []
    limit = [f"after round {board.round_limit} the higher income wins"] if board.round_limit else []
    return Answer(None, (*lines, *money, *limit), ("DAA-14.04", *(("DAA-R63",) if limit else ())))


def _owner(purse: str) -> str:
    return SIDE_NAMES.get(purse) or POWER_NAMES.get(purse, purse)


# --- problems ---


def _problems(scene: Scene, _: list[str]) -> Answer:
    """Return the side's units that are laid down, advanced units with an enemy behind them, and waiting purchases."""
    view = scene.view
    own = {each: unit for each, unit in scene.state.units.items() if view.side in (SIDE_OF[unit.power], UMPIRE)}
    lines = _conditions({each: unit for each, unit in own.items() if unit.condition in LAID_DOWN})
    for each, unit in own.items():
        free, line = _rear(scene, unit, each) if unit.condition == ADVANCED else (YES, "")
        lines += [] if free else [line]
    for power, kinds in view.waiting.items():
        parts = ", ".join(f"{number} {KIND_NAMES[kind]}" for kind, number in kinds.items() if number)
        lines += [f"{POWER_NAMES[power]}: {parts} to be placed"] if parts and SIDE_OF[power] == view.side else []
    for power, number in view.mines_waiting.items():
        fields = f"{number} minefield{'s' * (number > 1)} to be laid"
        lines += [f"{POWER_NAMES[power]}: {fields}"] if number and SIDE_OF[power] == view.side else []
    return Answer(None, tuple(lines) or ("no problems",), ("DAA-6.03",) if lines else ())


QUESTIONS = {
    "path": Query("{mover} {near}", "the best path in each movement phase, with its fuel", path, 2),
    "reach": Query("{unit}", "destinations of a unit, or of a kind of unit in a space, by cost", reach),
    "supply": Query(
        "{space}", "whether the road behind a unit or space is free, and which units are laid down", _supply
    ),
    "odds": Query(
        EXAMPLE,
        "the odds of a battle, or of the attack ordered on a space (odds SPACE); a space may be the defense",
        odds,
    ),
    "problems": Query("", "units that are laid down or cut off, and units that wait to be placed", _problems, 0),
    "worth": Query("", "the income of each side, or of one power by space (worth germany)", _worth, 0),
}
