"""Leaders on the map: they move like reconnaissance, and are no formations (KH-8.15, KH-6.07, KH-R104 to KH-R106)."""

from collections.abc import Mapping

from khamsin.leaders.casualty import days_of, roll_casualty
from khamsin.model.board import Board
from khamsin.model.cards import ENEMY, SIDES
from khamsin.model.costs import crossing
from khamsin.model.events import CharacterHit, LeaderMoved
from khamsin.model.forces import areas_of, in_area, occupied_by
from khamsin.model.secret_events import meetings, out_of_sight
from khamsin.model.state import ON_MAP, KhamsinState, Leader
from khamsin.model.tables import ALLOWANCE, LEADER_MOBILITY
from sandtable.kernel.decisions import Roll
from sandtable.kernel.sequence import Procedure

CAPTURED_UP_TO = 3
"""A leader is taken on this face or less (KH-R104, KH-R105)."""


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
            path = _as_far_as_he_gets(state, leader.side, ordered)
            if len(path) > 1:
                yield LeaderMoved(leader_id, leader.side, path)


def _as_far_as_he_gets(state: KhamsinState, side: str, ordered: list[str]) -> list[str]:
    """Return how much of a path a leader covers.

    An area with enemies he enters only together with a formation of his side that came the same way, and stops there
    (KH-R106). Interdiction may have made connectors dearer; the first can always be crossed (KH-8.11).
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
    """Tell whether a formation of the side has come from ``here`` to ``there`` this turn, and is there."""
    return any(state.formations[each].path[-2:] == [here, there] for each in in_area(state, side, there))


# --- when the enemy comes ---


def displace_leaders(state: KhamsinState) -> Procedure:
    """Settle every leader who is in an area with enemies and without a formation of his own side (KH-R104).

    All dice of a side are one roll, of no dice if nobody needs any: the enemy does not learn how many leaders flee.
    """
    alone = [each for each, it in sorted(state.leaders.items()) if it.standing == ON_MAP and _is_alone(state, it)]
    by_side = {side: [each for each in alone if state.leaders[each].side == side] for side in SIDES}
    yield from meetings(by_side)
    dice: dict[str, int] = {}
    for side, mine in by_side.items():
        needed = [f"{kind}:{each}" for each in mine for kind in _dice_for(state)]
        purpose = ":".join(["leaders", side, *([".".join(mine)] if mine else [])])
        faces = yield Roll(len(needed), 6, purpose, "KH-R104", side=side)
        dice |= zip(needed, faces, strict=True)

    def settle(work: KhamsinState) -> Procedure:
        for each in alone:
            yield from _displace(work, each, dice)

    yield from out_of_sight(state, settle)


def _dice_for(state: KhamsinState) -> tuple[str, ...]:
    """Return what dice may be wanted for a leader who is alone with enemies; they are rolled together."""
    fate = ("casualty", "wound")
    return ("capture", *fate) if state.options["leader_alone"] == "captured_on_1_3" else fate


def _is_alone(state: KhamsinState, leader: Leader) -> bool:
    is_met = leader.area in occupied_by(state, ENEMY[leader.side])
    return is_met and not in_area(state, leader.side, leader.area)


def _displace(state: KhamsinState, leader_id: str, dice: Mapping[str, int]) -> Procedure:
    leader = state.leaders[leader_id]
    capture = dice.get(f"capture:{leader_id}", 0)
    if 0 < capture <= CAPTURED_UP_TO:
        yield CharacterHit(leader_id, leader.side, capture, "captured", rule="KH-R104")
        return
    path = find_way_out(state, leader.side, leader.area)
    if path:
        yield LeaderMoved(leader_id, leader.side, path, "KH-R104")
    else:
        days = days_of(dice[f"wound:{leader_id}"])
        yield from roll_casualty(state, leader_id, dice[f"casualty:{leader_id}"], days)


def find_way_out(state: KhamsinState, side: str, start: str) -> list[str]:
    """Return the shortest path to an area with a formation of ``side``, over areas without enemies who can fight.

    Of ways of equal length it is the first by the ids of its areas; [] if there is none.
    """
    board: Board = state.board
    held, friends = occupied_by(state, ENEMY[side]), areas_of(state, side)
    ways, seen = [[start]], {start}
    for way in ways:  # it grows while it is read
        for near in board.neighbours[way[-1]]:
            if near in seen or near in held:
                continue
            seen.add(near)
            ways.append([*way, near])
            if near in friends:
                return ways[-1]
    return []


# --- with a force ---


def follow(state: KhamsinState, side: str, start: str, ends: list[str]) -> Procedure:
    """Take the leaders of a side out of ``start`` with a force that retreated to ``ends`` (KH-R105).

    They go with the first of these while no formation of theirs is left in ``start``.
    """
    if ends and not in_area(state, side, start):
        for leader_id in leaders_in(state, side, start):
            yield LeaderMoved(leader_id, side, [start, ends[0]], "KH-R105")


def surrender_with(state: KhamsinState, side: str, area: str) -> Procedure:
    """Roll for the leaders of a side in an area where its last formation has surrendered (KH-R105)."""
    if in_area(state, side, area):
        return
    for leader_id in leaders_in(state, side, area):
        (die,) = yield Roll(1, 6, f"capture:{leader_id}", "KH-R105", side=side, favours=side)
        if die <= CAPTURED_UP_TO:
            yield CharacterHit(leader_id, side, die, "captured", rule="KH-R105")
