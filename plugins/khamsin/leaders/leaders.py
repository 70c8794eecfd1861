"""Leaders on the map (KH-8.15, KH-6.07) and on the table (KH-17.03), and the dice for casualties (KH-23)."""

from collections.abc import Mapping

from khamsin.model.battle_events import meet, records_by_side
from khamsin.model.cards import ENEMY, SIDES, Board
from khamsin.model.events import CharacterHit, LeaderMoved
from khamsin.model.forces import areas_of, crossing, in_area, occupied_by
from khamsin.model.state import ON_MAP, Engagement, KhamsinState, Leader
from khamsin.model.tables import ALLOWANCE, LEADER_MOBILITY
from sandtable import Calculation, HiddenStep, Procedure, Roll
from sandtable.tabletop import Result

KILLED_ON, WOUNDED_UP_TO = 1, 3


def days_of(face: int) -> int:
    """Return the d3 of a die face (KH-R107)."""
    return (face + 1) // 2


def roll_casualty(state: KhamsinState, leader_id: str, die: int = 0, days: int = 0) -> Procedure:
    """Roll a leader's fate: 1 killed, 2 or 3 wounded for d3 complete turns, or else a minor wound without effect.

    Dice that are given are not rolled. ``days`` is the d3 (KH-R107).
    """
    side = state.leaders[leader_id].side
    if not die:
        (die,) = yield Roll(1, 6, f"casualty:{leader_id}", "KH-23.02", side=side, favors=side, units=(leader_id,))
    cell = _cell("character_casualty", die)
    if die == KILLED_ON:
        yield CharacterHit(leader_id, side, die, "killed", calculations=(cell,))
    elif die > WOUNDED_UP_TO:
        yield CharacterHit(leader_id, side, die, "minor", rule="KH-23.05", calculations=(cell,))
    else:
        if not days:
            purpose = f"wound:{leader_id}"
            (face,) = yield Roll(1, 6, purpose, "KH-23.03", side=side, favors=ENEMY[side], units=(leader_id,))
            days = days_of(face)
        whole = (
            ("this turn", state.turn, "KH-23.03"),
            ("d3 turns", days, "KH-23.03"),
            ("returns on the next turn", 1, "KH-23.04"),
        )
        back = Calculation("returns", whole)
        yield CharacterHit(leader_id, side, die, "wounded", days, back.total, "KH-23.03", (cell, back))


def _cell(table: str, die: int) -> Calculation:
    return Calculation("fate", table=(table, str(die), "fate"))


CAPTURED_UP_TO = 3
"""Highest die face that captures a leader (KH-R104, KH-R105)."""


def leaders_in(state: KhamsinState, side: str, area: str) -> list[str]:
    """Return the leaders of a side in an area, sorted."""
    people = state.leaders.items()
    return sorted(each for each, it in people if it.area == area and it.side == side and it.standing == ON_MAP)


# --- by order ---


def move_leaders(state: KhamsinState) -> Procedure:
    """Move the leaders of both sides by their orders, after the formations."""
    for leader_id in sorted(state.leaders):
        leader = state.leaders[leader_id]
        sheet = state.sheets.get(leader.side)
        ordered = sheet.leaders.get(leader_id) if sheet else None
        if ordered and leader.standing == ON_MAP:
            path = _path_covered(state, leader.side, ordered)
            if len(path) > 1:
                yield LeaderMoved(leader_id, leader.side, path)


def _path_covered(state: KhamsinState, side: str, ordered: list[str]) -> list[str]:
    """Return the part of a path that a leader covers.

    A leader enters an area with enemies only together with a formation of their side that took the same connector, and
    stops there (KH-R106). Interdiction may raise the cost of connectors, but never bars the first one (KH-8.11).
    """
    path, left = ordered[:1], ALLOWANCE[LEADER_MOBILITY]
    held = occupied_by(state, ENEMY[side])
    for there in ordered[1:]:
        here = path[-1]
        left -= crossing(state, LEADER_MOBILITY, here, there, state.interdicted)
        if left < 0 and len(path) > 1:
            break
        if there in held and not _is_escorted(state, side, here, there):
            break
        path.append(there)
        if there in held:
            break
    return path


def _is_escorted(state: KhamsinState, side: str, here: str, there: str) -> bool:
    """Return whether a formation of the side moved from ``here`` to ``there`` this turn and is still there."""
    return any(state.formations[each].path[-2:] == [here, there] for each in in_area(state, side, there))


# --- displacement by enemies ---


def displace_leaders(state: KhamsinState) -> Procedure:
    """Settle each leader in an area with enemies and without a formation of the leader's side (KH-R104).

    All dice of a side are one roll, with zero dice if no leader needs any. So the enemy does not learn how many leaders
    are displaced.
    """
    alone = [each for each, it in sorted(state.leaders.items()) if it.standing == ON_MAP and _is_alone(state, it)]
    by_side = {side: [each for each in alone if state.leaders[each].side == side] for side in SIDES}
    yield from meet(by_side)
    dice: dict[str, int] = {}
    for side, mine in by_side.items():
        needed = [f"{kind}:{each}" for each in mine for kind in _dice_for(state)]
        purpose = ":".join(["leaders", side, *([".".join(mine)] if mine else [])])
        units = tuple(each for each in mine for _ in _dice_for(state))
        faces = yield Roll(len(needed), 6, purpose, "KH-R104", side=side, units=units)
        dice |= zip(needed, faces, strict=True)

    def settle(work: KhamsinState) -> Procedure:
        for each in alone:
            yield from _displace(work, each, dice)

    yield HiddenStep(settle, records_by_side)


def _dice_for(state: KhamsinState) -> tuple[str, ...]:
    """Return the dice that a leader alone with enemies may need; they are rolled together."""
    fate = ("casualty", "wound")
    return ("capture", *fate) if state.options["leader_alone"] == "captured_on_1_3" else fate


def _is_alone(state: KhamsinState, leader: Leader) -> bool:
    is_met = leader.area in occupied_by(state, ENEMY[leader.side])
    return is_met and not in_area(state, leader.side, leader.area)


def _displace(state: KhamsinState, leader_id: str, dice: Mapping[str, int]) -> Procedure:
    leader = state.leaders[leader_id]
    capture = dice.get(f"capture:{leader_id}", 0)
    if 0 < capture <= CAPTURED_UP_TO:
        cell = _cell("capture", capture)
        yield CharacterHit(leader_id, leader.side, capture, "captured", rule="KH-R104", calculations=(cell,))
        return
    path = path_to_friends(state, leader.side, leader.area)
    if path:
        yield LeaderMoved(leader_id, leader.side, path, "KH-R104")
    else:
        days = days_of(dice[f"wound:{leader_id}"])
        yield from roll_casualty(state, leader_id, dice[f"casualty:{leader_id}"], days)


def path_to_friends(state: KhamsinState, side: str, start: str) -> list[str]:
    """Return the shortest path to an area with a formation of ``side``, over areas without enemies that can fight.

    Of paths of equal length, it is the first by the ids of its areas. Returns [] if no path exists.
    """
    board: Board = state.board
    held, friends = occupied_by(state, ENEMY[side]), areas_of(state, side)
    routes, seen = [[start]], {start}
    for route in routes:  # the list grows during the loop
        for near in board.neighbors[route[-1]]:
            if near in seen or near in held:
                continue
            seen.add(near)
            routes.append([*route, near])
            if near in friends:
                return routes[-1]
    return []


# --- with a force ---


def follow(state: KhamsinState, side: str, start: str, ends: list[str]) -> Procedure:
    """Move the leaders of a side out of ``start`` with a force that retreated to ``ends`` (KH-R105).

    They go to the first of these areas if no formation of their side is left in ``start``.
    """
    if ends and not in_area(state, side, start):
        for leader_id in leaders_in(state, side, start):
            yield LeaderMoved(leader_id, side, [start, ends[0]], "KH-R105")


def surrender_with(state: KhamsinState, side: str, area: str) -> Procedure:
    """Roll for the leaders of a side in an area where its last formation has surrendered (KH-R105)."""
    if in_area(state, side, area):
        return
    for leader_id in leaders_in(state, side, area):
        purpose = f"capture:{leader_id}"
        (die,) = yield Roll(1, 6, purpose, "KH-R105", side=side, favors=side, units=(leader_id,))
        if die <= CAPTURED_UP_TO:
            cell = _cell("capture", die)
            yield CharacterHit(leader_id, side, die, "captured", rule="KH-R105", calculations=(cell,))


def leaders_with(state: KhamsinState, engagement: Engagement, side: str) -> list[str]:
    """Return the leaders of a side who go to the table with its force: command teams and characters.

    On a connector there are no leaders, because they stay in areas.
    """
    if engagement.on_connector:
        return []
    board: Board = state.board
    here = leaders_in(state, side, engagement.area)
    return [each for each in here if board.leaders[each].command or board.leaders[each].character]


def settle_casualties(state: KhamsinState, result: Result) -> Procedure:
    """Roll for each character that was a casualty in an action (KH-23.02)."""
    for side in SIDES:
        for each in sorted(result.casualties.get(side, ())):
            if each in state.leaders and state.leaders[each].standing == ON_MAP:
                yield from roll_casualty(state, each)
