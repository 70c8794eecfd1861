"""Who has met enemies in the action phase: what a side may learn of them from the fate of its own pieces (KH-3.10)."""

from khamsin.model.cards import ENEMY, SIDES
from khamsin.model.forces import areas_of
from khamsin.model.state import ON_MAP, Formation, KhamsinState, Leader
from khamsin.movement.resolution import Plan


def goals(state: KhamsinState) -> dict[str, str]:
    """Return, by piece, where it is to be after the moves, if it holds or is a leader who gets through."""
    ends = {each: it.area for each, it in state.formations.items()}
    ends |= {each: it.area for each, it in state.leaders.items()}
    for sheet in state.sheets.values():
        ends |= {each: path[-1] for each, path in sheet.leaders.items() if path}
    return ends


def pieces_met(state: KhamsinState, ends: dict[str, str], paths: Plan, plan: Plan) -> dict[str, list[str]]:
    """Return, by side, who is with enemies now, or not where he was to be by ``ends`` and by ``plan``, who set out.

    Where enemies who leave first are no obstacle (KH-R09) it also tells something of them that one of ``paths`` was
    barred by a roll.
    """
    wanted = ends | {each: path[-1] for each, path in plan.items()}
    is_live = state.options["occupied_snapshot"] == "live"
    barred = [each for each in paths if is_live and (each not in plan or state.formations[each].activated)]
    held = {side: areas_of(state, ENEMY[side]) for side in SIDES}
    pieces: dict[str, Formation | Leader] = {**state.formations, **state.leaders}
    met: dict[str, list[str]] = {side: [] for side in SIDES}
    for each, it in pieces.items():
        is_met = it.standing == ON_MAP and it.area in held[it.side]
        if is_met or each in barred or it.area != wanted.get(each, it.area):
            met[it.side].append(each)
    return met
