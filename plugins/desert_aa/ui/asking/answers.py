"""Questions about a position, answered by the rules that judge moves, supply, income and battles.

Who asks gets what the view of his side holds: of minefields that are hidden from him no answer knows.
"""

from desert_aa.economy.calculations import income
from desert_aa.fog.views import SideView
from desert_aa.model.board import Board
from desert_aa.model.state import ADVANCED, CUT, EXTENDED, LAID_DOWN, Unit
from desert_aa.model.tables import ENEMY, FLAK, FOOT, GROUND, INFANTRY, POWER_NAMES, POWERS, SIDE_NAMES, SIDE_OF, SIDES
from desert_aa.movement.supply import REARS
from desert_aa.ui.asking.odds import EXAMPLE, odds
from desert_aa.ui.asking.scene import Scene
from desert_aa.ui.asking.ways import path, reach
from sandtable import UMPIRE, Answer
from sandtable.questions import NO, YES, Query, named, replied


def answer(view: SideView, board: Board, text: str) -> Answer | None:
    """Return what the rules say to a question; None for what is none."""
    return replied(named(QUESTIONS, _examples(view, board)), text, lambda: Scene.of(view, board), Answer)


def _examples(view: SideView, board: Board) -> dict[str, str]:
    """Return names for the examples: a land unit of who asks, a space next to it."""
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
    """Tell whether the rear of a unit, or of a space for each side there, is free of the enemy (DAA-6.03)."""
    text = " ".join(words)
    unit = scene.state.units.get(text)
    if unit is not None:
        free, line = _rear(scene, unit, text)
        return Answer(free, (line, *_lying({text: unit})), _RULES)
    space = scene.space(text)
    there = {each: unit for each, unit in scene.state.units.items() if unit.space == space and unit.kind in GROUND}
    powers = list(dict.fromkeys(unit.power for unit in there.values())) or [scene.state.control[space]]
    rears = [_rear(scene, _example(scene, power, space), f"{POWER_NAMES[power]} in {space}") for power in powers]
    return Answer(all(free for free, _ in rears), (*(line for _, line in rears), *_lying(there)), _RULES)


_RULES = ("DAA-6.03", "DAA-R21")


def _example(scene: Scene, power: str, space: str) -> Unit:
    """Return a unit of a power there: an advanced one, whose supply can be cut, where there is one."""
    units = [unit for unit in scene.state.units.values() if (unit.power, unit.space) == (power, space)]
    units.sort(key=lambda unit: (unit.condition != ADVANCED, unit.kind not in GROUND))
    return units[0] if units else Unit(power, INFANTRY, space)


def _rear(scene: Scene, unit: Unit, who: str) -> tuple[bool, str]:
    """Return whether the road behind a unit is free, and a sentence on it."""
    state, enemy = scene.state, ENEMY[SIDE_OF[unit.power]]
    rear = REARS[state.options["rear_direction"]](scene.board, unit)
    if not rear:
        return YES, f"{who}: there is no road behind it on which its supply could be cut"
    held = [space for space in rear if any(_stands(each, enemy, space) for each in state.units.values())]
    if not held:
        return YES, f"{who}: the road behind it, {' '.join(rear)}, is free of the enemy"
    cut = "a unit that went its extra space on the road is laid down"
    return NO, f"{who}: {SIDE_NAMES[enemy]} on the road behind it, in {' '.join(held)}: {cut}"


def _stands(unit: Unit, side: str, space: str) -> bool:
    return unit.space == space and SIDE_OF[unit.power] == side and unit.kind in GROUND


def _lying(units: dict[str, Unit]) -> list[str]:
    """Return a line for each condition that units are in, other than ready."""
    words = {
        EXTENDED: "out of fuel",
        CUT: "cut off from supply",
        ADVANCED: "advanced on the road: it can be cut",
    }
    lines = []
    for condition, told in words.items():
        found = sorted(each for each, unit in units.items() if unit.condition == condition)
        if found:
            rounds = sorted({units[each].stands_up for each in found if condition in LAID_DOWN})
            until = f", lies until round {' or '.join(map(str, rounds))}" if rounds else ""
            lines.append(f"{', '.join(found)}: {told}{until}")
    return lines


# --- income ---


def _worth(scene: Scene, words: list[str]) -> Answer:
    """Tell what each power would collect now, or one power, space by space (DAA-14.04)."""
    state, board = scene.state, scene.board
    wanted = [power for power in POWERS if power in [word.lower() for word in words]]
    sums = {power: income(board, state.control, power) for power in POWERS}
    if wanted:
        lines = []
        for power in wanted:
            steps = ", ".join(f"{space} {value}" for space, value, _ in sums[power].steps)
            lines.append(f"{POWER_NAMES[power]} {sums[power].total}: {steps or 'nothing'}")
        return Answer(None, tuple(lines), ("DAA-14.04",))
    lines = []
    for side in SIDES:
        own = [power for power in POWERS if SIDE_OF[power] == side]
        parts = " + ".join(f"{POWER_NAMES[power]} {sums[power].total}" for power in own)
        lines.append(f"{SIDE_NAMES[side]}: {sum(sums[power].total for power in own)} ({parts})")
    purses = [f"{_owner(purse)} {scene.view.cash[purse]}" for purse in scene.view.cash]
    hidden = [purse for purse in dict.fromkeys(board.purse_of.values()) if purse not in scene.view.cash]
    told = [f"in hand: {', '.join(purses)}"] if purses else []
    told += [f"in hand of {', '.join(map(_owner, hidden))}: not known to you"] if hidden else []
    limit = [f"after round {board.round_limit} the richer income wins"] if board.round_limit else []
    return Answer(None, (*lines, *told, *limit), ("DAA-14.04", *(("DAA-R63",) if limit else ())))


def _owner(purse: str) -> str:
    return SIDE_NAMES.get(purse) or POWER_NAMES.get(purse, purse)


# --- what is amiss ---


def _problems(scene: Scene, _: list[str]) -> Answer:
    """Tell who of the side lies, who is far ahead with the enemy on the road behind it, and what waits off the map."""
    view = scene.view
    own = {each: unit for each, unit in scene.state.units.items() if view.side in (SIDE_OF[unit.power], UMPIRE)}
    lines = _lying({each: unit for each, unit in own.items() if unit.condition in LAID_DOWN})
    for each, unit in own.items():
        free, line = _rear(scene, unit, each) if unit.condition == ADVANCED else (YES, "")
        lines += [] if free else [line]
    for power, kinds in view.waiting.items():
        told = ", ".join(f"{number} {'flak' if kind == FLAK else kind}" for kind, number in kinds.items() if number)
        lines += [f"{POWER_NAMES[power]}: {told} to be placed"] if told and SIDE_OF[power] == view.side else []
    for power, number in view.mines_waiting.items():
        fields = f"{number} minefield{'s' * (number > 1)} to be laid"
        lines += [f"{POWER_NAMES[power]}: {fields}"] if number and SIDE_OF[power] == view.side else []
    return Answer(None, tuple(lines) or ("nothing is amiss",), ("DAA-6.03",) if lines else ())


QUESTIONS = {
    "path": Query("{mover} {near}", "the best way in either phase, with road, fuel and what it is", path, 2),
    "reach": Query("{unit}", "where a unit, or a kind of unit in a space, can go, by what it costs", reach),
    "supply": Query("{space}", "whether the road behind a unit or space is free, and who lies", _supply),
    "odds": Query(
        EXAMPLE,
        "how a battle ends; a space for the defense: who stands there; odds SPACE: the attack that is ordered",
        odds,
    ),
    "problems": Query("", "who lies, who is cut off from supply, and what waits to be placed", _problems, 0),
    "worth": Query("", "what the ground pays each side; worth germany: space by space", _worth, 0),
}
