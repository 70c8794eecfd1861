"""Secret set-up (KH-1.08), reinforcements, and returning leaders (KH-3.03, KH-4, KH-23.04)."""

from collections.abc import Mapping

from khamsin.model.battle_events import records_by_side
from khamsin.model.cards import SIDES, Board
from khamsin.model.events import FormationArrived, FormationDelayed, LeaderReturned, SideDeployed
from khamsin.model.forces import card, is_enemy_occupied
from khamsin.model.orders import Deploy, EnterBy
from khamsin.model.state import WAITING, WOUNDED, KhamsinState
from khamsin.movement.orders_sheet import are_apart
from sandtable import Decision, Form, HiddenStep, OneForEach, OneOf, Procedure, Refusal, Sealed, Space


def arrivals(state: KhamsinState) -> Procedure:
    """Bring due pieces onto the map: by the scheduled area, another legal open area, or later (KH-4.04 to KH-4.06)."""
    chosen = yield from _choose_entries(state)
    yield HiddenStep(lambda work: _arrive(work, chosen), records_by_side)


def _arrive(state: KhamsinState, chosen: Mapping[str, str]) -> Procedure:
    for each in due(state):
        formation = state.formations[each]
        scheduled, open_areas = card(state, each).entries[:1], open_entries(state, each)
        if open_areas:
            area = chosen.get(each, open_areas[0])
            rule = "KH-4.05" if area not in scheduled else ("KH-4.08" if formation.delayed else "KH-4.04")
            yield FormationArrived(each, formation.side, area, rule)
        elif not formation.delayed:
            yield FormationDelayed(each, formation.side)
    for each in returning(state):
        side = state.leaders[each].side
        open_areas = _open_to_leaders(state, side)
        if open_areas:
            yield LeaderReturned(each, side, chosen.get(each, open_areas[0]))


def due(state: KhamsinState) -> list[str]:
    """Return the reinforcements of both sides that are due by now, sorted."""
    waiting = [each for each, it in state.formations.items() if it.standing == WAITING]
    return sorted(each for each in waiting if 0 < card(state, each).enters <= state.turn)


def is_open(state: KhamsinState, side: str, area: str) -> bool:
    """Return whether a side may enter an area: it controls the area, and no enemy is in it (KH-4.04, KH-11.03)."""
    return state.control[area] == side and not is_enemy_occupied(state, side, area)


def open_entries(state: KhamsinState, formation_id: str) -> list[str]:
    """Return the entry areas of a reinforcement: its scheduled area if open, or else its other open ones (KH-4.05)."""
    side, entries = state.formations[formation_id].side, card(state, formation_id).entries
    open_areas = [area for area in entries if is_open(state, side, area)]
    return open_areas[:1] if open_areas and open_areas[0] == entries[0] else open_areas


def _choose_entries(state: KhamsinState) -> Procedure:
    """Ask for the entry area of each reinforcement that has a choice (KH-4.05); it must take one (KH-R97).

    From turn 2, a side with leaders has this decision whenever several entry areas are open to leaders, because the
    enemy must not learn which leaders return (KH-6.07).
    """
    decisions = []
    for side in SIDES:
        open_areas = {each: open_entries(state, each) for each in due(state) if state.formations[each].side == side}
        lines: dict[str, Space] = {
            each: OneOf(areas, "KH-4.05") for each, areas in open_areas.items() if len(areas) > 1
        }
        entries = _open_to_leaders(state, side)
        is_hidden = len(entries) > 1 and any(leader.side == side for leader in state.leaders.values())
        if is_hidden:
            mine = [each for each in returning(state) if state.leaders[each].side == side]
            lines |= {each: OneOf(entries, "KH-23.04") for each in mine}
        if lines or (is_hidden and state.turn > 1):
            space = Form(EnterBy, {"areas": OneForEach(lines, "KH-4.05")})
            prompt, purpose = "choose where your reinforcements enter", f"enter.{side}"
            decisions.append(Decision(side, prompt, space, "KH-4.05", secret=True, purpose=purpose))
    answers: dict[str, EnterBy] = yield Sealed(tuple(decisions))
    return {each: area for order in answers.values() for each, area in order.areas.items()}


def returning(state: KhamsinState) -> list[str]:
    """Return the leaders of both sides whose wounds have healed, sorted (KH-23.04)."""
    wounded = [each for each, it in state.leaders.items() if it.standing == WOUNDED]
    return sorted(each for each in wounded if state.leaders[each].returns <= state.turn)


def _open_to_leaders(state: KhamsinState, side: str) -> list[str]:
    """Return the open entry areas of a side; a leader may return by any of them (KH-R108)."""
    board: Board = state.board
    return [area for area in board.entries.get(side, ()) if is_open(state, side, area)]


def deploy(state: KhamsinState) -> Procedure:
    """Ask each side that has a choice for its deployment, then put both sides on the map."""
    decisions = []
    for side in SIDES:
        space = deployment_space(state, side)
        if space is not None:
            purpose = f"deploy.{side}"
            decisions.append(Decision(side, "deploy your side", space, "KH-1.08", secret=True, purpose=purpose))
    answers: dict[str, Deploy] = yield Sealed(tuple(decisions))
    for side in SIDES:
        order = answers.get(side, Deploy())
        areas = {each: order.areas.get(each, starts[0]) for each, starts in _formations(state, side).items()}
        leaders = {each: order.leaders.get(each, starts[0]) for each, starts in _leaders(state, side).items()}
        yield SideDeployed(side, areas, leaders)


def deployment_space(state: KhamsinState, side: str) -> Form | None:
    """Return the space of a side's deployment: pieces with more than one starting area, or None without such pieces."""
    formations, leaders = _lines(_formations(state, side)), _lines(_leaders(state, side))
    if not formations and not leaders:
        return None

    def also(order: Deploy) -> Refusal | None:
        return _why_not_together(state, side, order)

    fields = {"areas": OneForEach(formations, "KH-1.08"), "leaders": OneForEach(leaders, "KH-1.08")}
    return Form(Deploy, fields, also)


def _lines(starts: dict[str, tuple[str, ...]]) -> dict[str, Space]:
    return {each: OneOf(areas, "KH-1.08") for each, areas in starts.items() if len(areas) > 1}


def _formations(state: KhamsinState, side: str) -> dict[str, tuple[str, ...]]:
    """Return the starting areas of a side's formations that begin on the map, by id."""
    board: Board = state.board
    there = sorted(each for each, its_card in board.formations.items() if its_card.side == side and not its_card.enters)
    return {each: board.formations[each].start for each in there if board.formations[each].start}


def _leaders(state: KhamsinState, side: str) -> dict[str, tuple[str, ...]]:
    board: Board = state.board
    people = sorted(each for each, its_card in board.leaders.items() if its_card.side == side and its_card.start)
    return {each: board.leaders[each].start for each in people}


def _why_not_together(state: KhamsinState, side: str, order: Deploy) -> Refusal | None:
    """Refuse nations that may not share an area (KH-7.03)."""
    board: Board = state.board
    there: dict[str, list[str]] = {}
    for each, starts in _formations(state, side).items() if board.apart else ():
        area = order.areas.get(each, starts[0])
        clash = next((one for one in there.get(area, ()) if are_apart(state, each, one)), None)
        if clash is not None:
            titles = f"{board.formations[each].title} may not share {board.names[area]} with"
            return Refusal("KH-7.03", f"{each}: {titles} {board.formations[clash].title}")
        there.setdefault(area, []).append(each)
    return None
