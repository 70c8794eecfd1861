"""Problems of a side: units without supply and why, units that would surrender, over-stacked hexes."""

from damos.map.supply import has_supply_line
from damos.model.forces import stacks
from damos.ui.asking.scene import Scene
from damos.ui.draw import stops_of
from damos.ui.hints import MAX_NAMED, troubles
from damos.ui.overlays import find_supply_line, force_shown
from damos.ui.terms import place, side_of
from sandtable import Answer
from sandtable.pictures import counted


def problems(scene: Scene, words: list[str]) -> Answer | None:
    """Return the problems of the querying side, or of both for the umpire, or None if words follow (DM-2.10a)."""
    if words:
        return None
    view, board, state = scene.view, scene.board, scene.state
    lines: list[str] = []
    for side in board.sides if view.side not in board.sides else (view.side,):
        cut = [hex_ for hex_ in stacks(state, side) if not has_supply_line(state, side, hex_)]
        if cut and view.turn:
            number = sum(len(stacks(state, side)[hex_]) for hex_ in cut)
            lines.append(f"{counted(number, 'unit')} of {side_of(side, board)} have no supply line")
            lines += [f"{place(hex_, board)}: {_why_cut(scene, hex_)}" for hex_ in cut[:MAX_NAMED]]
            if len(cut) > MAX_NAMED:
                lines.append(f"also in {', '.join(cut[MAX_NAMED:])}")
        lines += troubles(state, side)
        if view.replacements.get(side):
            lines.append(f"{counted(view.replacements[side], 'replacement point')} saved")
    return Answer(None, tuple(lines) or ("no problems",), ("DM-2.10a",) if lines else ())


def _why_cut(scene: Scene, hex_: str) -> str:
    force = force_shown(scene.view, scene.board, hex_)
    return stops_of(find_supply_line(scene.view, scene.board, force), scene.board) if force else ""
