"""Victory: the judge of each kind of victory condition (see ``board.Victory``), and the counts of the sides.

Only combat units count (KP-14.0j). Victory is judged at the end of phase F, on the last turn or earlier under the rules
of the scenario. The hex of KP-14.8.4 may be judged before recovery instead (R-KP-79).
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import Kind
from kampfpanzer.model.state import DESTROYED, EXITED, ON_MAP, KampfState
from sandtable import UNSET, Calculation, Calculations, GameEnded, Procedure


class Position(Protocol):
    """The data needed to count: the units and the options of the game."""

    @property
    def units(self) -> Mapping[str, Any]:
        """The units by identity number, each with kind, side, hex, standing and disruption."""

    @property
    def options(self) -> Mapping[str, str]:
        """The value of each option."""


def holders(position: Position, board: Board, side: str, hexes: tuple[str, ...]) -> list[str]:
    """Return the undisrupted combat units of a side in ``hexes``, aboard vehicles or not, pinned or not (R-KP-89)."""
    return [
        unit_id
        for unit_id, unit in position.units.items()
        if unit.side == side
        and unit.standing == ON_MAP
        and not unit.disruption
        and unit.hex in hexes
        and not board.kinds[unit.kind].is_vehicle
    ]


def undisrupted(position: Position, board: Board, side: str, hexes: tuple[str, ...]) -> int:
    """Return the number of undisrupted combat units of a side in ``hexes``."""
    return len(holders(position, board, side, hexes))


def leavers(position: Position, board: Board, side: str) -> list[str]:
    """Return the combat units of a side that left the map, including disrupted riders (KP-14.5.8)."""
    return [
        unit_id
        for unit_id, unit in position.units.items()
        if unit.side == side and unit.standing == EXITED and not board.kinds[unit.kind].is_vehicle
    ]


def exited(position: Position, board: Board, side: str) -> int:
    """Return the number of combat units of a side that left the map."""
    return len(leavers(position, board, side))


def losses(position: Position, board: Board, side: str) -> list[str]:
    """Return the destroyed units of a side that count under the option count_losses (R-KP-62)."""
    counts = LOSSES[position.options["count_losses"]]
    return [
        unit_id
        for unit_id, unit in position.units.items()
        if unit.side == side and unit.standing == DESTROYED and counts(board.kinds[unit.kind])
    ]


def lost(position: Position, board: Board, side: str) -> int:
    """Return the number of destroyed units of a side that count."""
    return len(losses(position, board, side))


LOSSES: dict[str, Callable[[Kind], bool]] = {
    "destroyed_combat_units": lambda kind: not kind.is_vehicle,
    "with_vehicles": lambda kind: True,  # noqa: ARG005 - same signature as the others
}
"""By value of the option count_losses, whether a destroyed unit counts as a loss (R-KP-62)."""


DRAW = "draw"
MAJORITY, WAS_EXITED, WAS_DESTROYED, HELD, BLED, REACHED = "majority", "exited", "destroyed", "held", "bled", "reached"
ENDINGS = (MAJORITY, WAS_EXITED, WAS_DESTROYED, HELD, BLED, REACHED)
"""The endings: by a count in a place, by exits, by kills, by a failed attack, or by a hex reached.

A failed attack that cost too much is a draw (KP-14.2.7).
"""

END_OF_MOVEMENT, END_OF_TURN = "end_of_phase_e", "end_of_phase_f"
"""The values of the option arras_check: when the hex of KP-14.8.4 is checked (R-KP-79)."""


class Verdict(NamedTuple):
    """The end of a game: the winner or "draw", one of ``ENDINGS``, and the rule."""

    outcome: str
    ending: str
    rule: str


# --- the judges: each returns a verdict, or None if the game continues; ``final`` is true on the last turn ---


def _majority(state: KampfState, board: Board, *, final: bool) -> Verdict | None:
    """Judge by more undisrupted combat units in a place than the enemy (KP-14.1.7, KP-14.6.4)."""
    if not final:
        return None
    first, second = board.sides
    hexes = board.victory.hexes
    ahead = undisrupted(state, board, first, hexes) - undisrupted(state, board, second, hexes) + board.victory.bid
    winner = first if ahead > 0 else second if ahead < 0 else TIES[state.options["tie_majority"]](first, second)
    rule = _rule(board, "KP-14.1.7") if ahead else "R-KP-60"
    return Verdict(winner, MAJORITY, rule)


TIES: dict[str, Callable[[str, str], str]] = {
    "draw": lambda *_: DRAW,
    "first_side_wins": lambda first, _: first,
    "second_side_wins": lambda _, second: second,
}
"""By value of the option tie_majority, the winner if both sides have the same number (R-KP-60)."""


def _multiple(state: KampfState, board: Board, *, final: bool) -> Verdict | None:
    """Judge by a multiple of the enemy's undisrupted combat units in a place (KP-14.3.7)."""
    if not final:
        return None
    own, enemy = _both(board)
    have, least = undisrupted(state, board, own, board.victory.hexes), _least_multiple(state, board)
    have += board.victory.bid
    return Verdict(own if have >= least else enemy, MAJORITY, _rule(board, "KP-14.3.7"))


def _least_multiple(position: Position, board: Board) -> int:
    """Return the number of units that the side needs in the place; without enemies an option sets it (R-KP-61)."""
    victory = board.victory
    least = victory.needed * undisrupted(position, board, board.enemy_of(victory.side), victory.hexes)
    return max(least, AGAINST_NONE[position.options["zero_zero_14_3"]])


AGAINST_NONE = {"japanese": 1, "russian": 0}
"""By value of the option, the number of units that the side needs if the enemy has no unit there (R-KP-61)."""


def _clear(state: KampfState, board: Board, *, final: bool) -> Verdict | None:
    """Judge by fewer than a number of undisrupted enemy combat units in a place (KP-14.9.4)."""
    if not final:
        return None
    own, enemy = _both(board)
    cleared = undisrupted(state, board, enemy, board.victory.hexes) < board.victory.needed
    return Verdict(own if cleared else enemy, MAJORITY, _rule(board, "KP-14.9.4"))


def _reach(state: KampfState, board: Board, *, final: bool) -> Verdict | None:
    """Judge by undisrupted combat units in a hex, from a given turn (KP-14.8.4)."""
    own, enemy = _both(board)
    rule = _rule(board, "KP-14.8.4")
    if state.options["arras_check"] == END_OF_TURN and _has_reached(state, board):
        return Verdict(own, REACHED, rule)
    return Verdict(enemy, HELD, rule) if final else None


def _has_reached(state: KampfState, board: Board) -> bool:
    victory = board.victory
    there = undisrupted(state, board, victory.side, victory.hexes) + min(0, victory.bid)
    return state.turn >= victory.from_turn - max(0, victory.bid) and there > 0


def _exit(state: KampfState, board: Board, *, final: bool) -> Verdict | None:
    """Judge by combat units off the map (KP-14.2.6, KP-14.5.10).

    With a loss limit, the game is a draw if the enemy prevented the exits but lost too many units.
    """
    own, enemy = _both(board)
    if exited(state, board, own) >= board.victory.needed:
        return Verdict(own, WAS_EXITED, _rule(board, "KP-14.5.10"))
    if not final:
        return None
    rule = "KP-14.2.7" if board.victory.loss_limit else _rule(board, "KP-14.5.10")
    if board.victory.loss_limit and lost(state, board, enemy) >= board.victory.loss_limit:
        return Verdict(DRAW, BLED, rule)
    return Verdict(enemy, HELD, rule)


def _destroy(state: KampfState, board: Board, *, final: bool) -> Verdict | None:
    """Judge by destroyed enemy units (KP-14.4.4)."""
    own, enemy = _both(board)
    rule = _rule(board, "KP-14.4.4")
    if lost(state, board, enemy) >= board.victory.losses_needed:
        return Verdict(own, WAS_DESTROYED, rule)
    return Verdict(enemy, HELD, rule) if final else None


def _break_through(state: KampfState, board: Board, *, final: bool) -> Verdict | None:
    """Judge by units off the map, enemies destroyed and a limit of losses, all at the end (KP-14.7.5)."""
    if not final:
        return None
    own, enemy = _both(board)
    done = (
        exited(state, board, own) >= board.victory.needed
        and lost(state, board, enemy) >= board.victory.losses_needed
        and lost(state, board, own) < board.victory.loss_limit
    )
    return Verdict(own if done else enemy, WAS_EXITED if done else HELD, _rule(board, "KP-14.7.5"))


JUDGES: dict[str, Callable[..., Verdict | None]] = {
    "majority": _majority,
    "multiple": _multiple,
    "clear": _clear,
    "reach": _reach,
    "exit": _exit,
    "destroy": _destroy,
    "break_through": _break_through,
}

RULES = {
    "spain": "KP-14.1.7",
    "czechoslovakia": "KP-14.2.6",
    "bain_tsagan": "KP-14.3.7",
    "poland": "KP-14.4.4",
    "summa": "KP-14.5.10",
    "hannut": "KP-14.6.4",
    "flavion": "KP-14.7.5",
    "arras": "KP-14.8.4",
    "abbeville": "KP-14.9.4",
}
"""The rule of each shipped scenario's victory condition; a user scenario cites that of the kind it resembles."""


def _rule(board: Board, like: str) -> str:
    return RULES.get(board.scenario, like)


def _both(board: Board) -> tuple[str, str]:
    """Return the side that must meet the condition, and its enemy."""
    return board.victory.side, board.enemy_of(board.victory.side)


# --- judging ---


def verdict(state: KampfState, *, final: bool) -> Verdict | None:
    """Return the verdict at the end of a turn, or None if the game continues; ``final`` is true on the last turn."""
    board: Board = state.board
    return JUDGES[board.victory.kind](state, board, final=final)


def judge_movement(state: KampfState) -> Procedure:
    """End the game between phases E and F if the hex of KP-14.8.4 is checked then (R-KP-79)."""
    board: Board = state.board
    early = board.victory.kind == "reach" and state.options["arras_check"] == END_OF_MOVEMENT
    if early and _has_reached(state, board):
        yield GameEnded(board.victory.side, REACHED, _rule(board, "KP-14.8.4"))


def judge_turn(state: KampfState) -> Procedure:
    """End the game at the end of phase F if it is decided (KP-2.0a, KP-4.0c)."""
    found = verdict(state, final=state.turn >= state.board.last_turn)
    if found:
        yield GameEnded(*found)


# --- counts for the record ---


def tally(state: KampfState) -> Calculations:
    """Return the counts that decide the game as judged now, unit by unit, or UNSET if the game continues."""
    board: Board = state.board
    found = verdict(state, final=state.turn >= board.last_turn)
    return (*TALLIES[board.victory.kind](state, board, found.rule), *_tally_bid(board)) if found else UNSET


def _tally_bid(board: Board) -> tuple[Calculation, ...]:
    """Return the number of units by which a bid changed the count, named after the side it favors, or ()."""
    own, bid = board.victory.side or board.sides[0], board.victory.bid
    side = own if bid > 0 else board.enemy_of(own)
    rule = "R-KP-93" if side == board.sides[0] else "R-KP-94"
    return (Calculation(f"bid.{side}", (("bid", abs(bid), rule),)),) if bid else ()


def _count(name: str, units: list[str], rule: str) -> Calculation:
    return Calculation(name, tuple((each, 1, rule) for each in units))


def _required(name: str, number: int, rule: str) -> Calculation:
    return Calculation(name, (("required by the scenario", number, rule),))


def _tally_ground(state: KampfState, board: Board, rule: str) -> tuple[Calculation, ...]:
    hexes = board.victory.hexes
    sides = board.sides
    return tuple(_count(f"undisrupted.{side}", holders(state, board, side, hexes), rule) for side in sides)


def _tally_multiple(state: KampfState, board: Board, rule: str) -> tuple[Calculation, ...]:
    own, enemy = _both(board)
    there = undisrupted(state, board, enemy, board.victory.hexes)
    steps = [
        (f"enemy units, {time + 1} of {board.victory.needed}", there, rule) for time in range(board.victory.needed)
    ]
    if not there:
        steps = [("no enemy units", _least_multiple(state, board), "R-KP-61")]
    return (*_tally_ground(state, board, rule), Calculation(f"needed.{own}", tuple(steps)))


def _tally_clear(state: KampfState, board: Board, rule: str) -> tuple[Calculation, ...]:
    enemy = board.enemy_of(board.victory.side)
    left = _count(f"undisrupted.{enemy}", holders(state, board, enemy, board.victory.hexes), rule)
    return left, _required(f"needed.{enemy}", board.victory.needed, rule)


def _tally_reach(state: KampfState, board: Board, rule: str) -> tuple[Calculation, ...]:
    own = board.victory.side
    return (_count(f"undisrupted.{own}", holders(state, board, own, board.victory.hexes), rule),)


def _tally_numbers(state: KampfState, board: Board, rule: str) -> tuple[Calculation, ...]:
    """Return the exits, kills and losses for which the scenario sets a number, each with that number."""
    (own, enemy), victory = _both(board), board.victory
    found: list[Calculation] = []
    if victory.needed:
        found += [_count(f"exited.{own}", leavers(state, board, own), rule)]
        found += [_required(f"exits_needed.{own}", victory.needed, rule)]
    if victory.losses_needed:
        found += [_count(f"lost.{enemy}", losses(state, board, enemy), rule)]
        found += [_required(f"losses_needed.{enemy}", victory.losses_needed, rule)]
    if victory.loss_limit:
        bled = enemy if victory.kind == "exit" else own
        found += [_count(f"lost.{bled}", losses(state, board, bled), rule)]
        found += [_required(f"loss_limit.{bled}", victory.loss_limit, rule)]
    return tuple(found)


TALLIES: dict[str, Callable[[KampfState, Board, str], tuple[Calculation, ...]]] = {
    "majority": _tally_ground,
    "multiple": _tally_multiple,
    "clear": _tally_clear,
    "reach": _tally_reach,
    "exit": _tally_numbers,
    "destroy": _tally_numbers,
    "break_through": _tally_numbers,
}
"""By kind of victory, the function that returns the counts."""
