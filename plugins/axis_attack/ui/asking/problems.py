"""Problems of a side before it fields a force: platoons that lost levels, lack transports, or are immobile."""

from collections.abc import Iterator

from axis_attack.model.cards import SIDES, Board
from axis_attack.model.state import AxisState
from axis_attack.model.strength import is_mobile, kind_of, teams_available
from axis_attack.recovery.mobility import lacking
from axis_attack.ui.terms import level_words, side_words
from sandtable import Answer
from sandtable.pictures import counted


def of_problems(state: AxisState, side: str, board: Board) -> Answer:
    """Return the problems of the asking side's platoons, or of both sides' for the umpire (AOA-3.07, AOA-10.17)."""
    lines, rules = [], dict[str, None]()
    for each in [side] if side in SIDES else SIDES:
        for platoon_id in state.rosters.get(each, {}):
            troubles = dict(_troubles(state, each, platoon_id))
            rules |= dict.fromkeys(troubles.values())
            owner = "" if side in SIDES else f"{board.sides[each]} "
            title = kind_of(state, each, platoon_id).title
            lines += [f"{owner}{platoon_id} ({title}): {'; '.join(troubles)}"] if troubles else []
        if state.bound == each:
            rules["AOA-7.05"] = None
            lines.append(f"{side_words(each, board)} may field an immobile platoon in this game only if it is carried")
    return Answer(None, tuple(lines) or ("no problems",), tuple(rules))


def _troubles(state: AxisState, side: str, platoon_id: str) -> Iterator[tuple[str, str]]:
    """Yield the problems of a platoon, each with its rule."""
    platoon, kind = state.rosters[side][platoon_id], kind_of(state, side, platoon_id)
    if platoon.level < platoon.bought:
        most = teams_available(state, side, platoon_id)
        levels = f"{level_words(platoon.level)}, bought at {level_words(platoon.bought)}"
        able = f"fielded with up to {counted(most, 'team')}" if most else "it cannot be fielded"
        yield f"{levels}: {able}", "AOA-3.05" if most else "AOA-3.07"
    short = lacking(state, side, [platoon_id]).get(platoon_id, 0)
    if short:
        yield f"lacks {short} transport{'s' if short > 1 else ''}", "AOA-10.17"
    if platoon.immobile and not is_mobile(kind, platoon):
        yield "immobile: it moves only if carried", "AOA-3.11"
