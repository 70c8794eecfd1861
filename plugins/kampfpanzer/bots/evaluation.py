"""Evaluation of an unfinished game: the remaining victory conditions, and the forces available to meet them.

A combat unit that already counts for victory is worth 1,000. A unit that must still move is worth less, in proportion
to the part of the time left that its path takes. The value of a disrupted unit is multiplied by its chance of recovery.
If ground must be held at the end, expected losses from enemy fire reduce the values. Each victory condition converts
these values into the lead of one side over what it needs. The weights are fitted to games of the captain against
itself, from even and from uneven positions.
"""

from collections.abc import Callable
from typing import NamedTuple

from kampfpanzer.bots.distances import DistanceFields
from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import Kind
from kampfpanzer.model.state import DESTROYED, EXITED, KampfState
from kampfpanzer.model.tables import RECOVERS_ON
from kampfpanzer.terrain.terrain import Ground
from kampfpanzer.victory.victory import exited, lost

UNIT = 1_000
"""Value of an undisrupted combat unit that counts for victory where it is."""
KILLS = 200
"""Weight of a turn of fire, against ``UNIT``.

A side with all attack strength on the map destroys the share ``t * KILLS / (UNIT + t * KILLS)`` of the enemy in ``t``
turns.
"""
ATTACK = 30
"""Value of a point of attack strength above the enemy's, if ground is to be won."""
NEAR = 8
"""Number of attackers on the ground that drive off one defender, if the ground only has to be cleared."""
SURE, PER_TURN = 300, 150
"""A share deviates from 500 by half of ``OPEN`` at a lead of ``SURE`` plus ``PER_TURN`` for each turn left."""
OPEN = 485
"""Maximum deviation of a share from 500, because an unfinished game is never fully decided."""


class Forecast(NamedTuple):
    """The expected outcome by side, in thousandths.

    ``presence`` are the units that count at the end, ``losses`` the units that will be destroyed, ``attack`` the points
    of attack strength.
    """

    presence: dict[str, int]
    losses: dict[str, int]
    attack: dict[str, int]


def evaluate(state: KampfState, board: Board) -> dict[str, int]:
    """Return the share of each side in the game, in thousandths."""
    victory = board.victory
    own = victory.side or board.sides[0]
    left = max(board.last_turn - state.turn + 1, 1)
    lead = LEADS[victory.kind](state, board, forecast_of(state, board, left))
    lead += UNIT * victory.bid if victory.kind in ("majority", "multiple", "reach") else 0
    part = OPEN * abs(lead) // (abs(lead) + SURE + PER_TURN * left)
    share = 500 + part if lead > 0 else 500 - part
    if victory.kind == "exit" and 0 < victory.loss_limit <= lost(state, board, board.enemy_of(own)):
        share += (1000 - share) // 2  # a failure is only a draw now (KP-14.2.7)
    shares = {own: share, board.enemy_of(own): 1000 - share}
    return {side: shares[side] for side in board.sides}


# --- forces ---


def forecast_of(state: KampfState, board: Board, left: int) -> Forecast:
    """Return the forecast for both sides' combat units (KP-14.0j); ``left`` turns include the current one."""
    presence, attack, number = (dict.fromkeys(board.sides, 0) for _ in range(3))
    for unit_id, unit in state.units.items():
        kind = board.kinds[unit.kind]
        if kind.is_vehicle or unit.standing in (DESTROYED, EXITED) or unit_id in state.missed:
            continue
        order = UNIT * RECOVERS_ON[unit.disruption] // 6 if unit.disruption else UNIT
        number[unit.side] += UNIT
        attack[unit.side] += kind.attack * order
        presence[unit.side] += _presence(state, board, unit_id, left) * order // UNIT
    whole = UNIT * max(sum(attack.values()), 1)
    losses = {}
    for side in board.sides:
        fire = KILLS * left * attack[board.enemy_of(side)]
        losses[side] = number[side] * fire // (whole + fire)
        if board.victory.hexes:  # units that leave the map need not survive to the end
            presence[side] = presence[side] * whole // (whole + fire)
    return Forecast(presence, losses, attack)


def _presence(state: KampfState, board: Board, unit_id: str, left: int) -> int:
    """Return 1,000 for a unit on its side's goal, less on its way, and 0 if it arrives too late or has no goal."""
    unit, group = state.units[unit_id], board.group_of[unit_id]
    goals = board.victory.hexes or board.exits.get(unit.side, ())
    if not goals:
        return 0
    mover = board.kinds[state.units[unit.carrier].kind] if unit.carrier else board.kinds[unit.kind]
    origins = group.entries or group.area
    halves = _halves(state, board, mover, goals, unit.hex or origins[len(origins) // 2])
    wait = 0 if unit.hex else max(group.enters - state.turn, 0)
    reach = 2 * mover.movement * (left - wait)
    if not halves:
        return UNIT
    return UNIT * (reach - halves) // reach if halves < reach else 0


def _halves(state: KampfState, board: Board, mover: Kind, goals: tuple[str, ...], hex_: str) -> int:
    """Return the half points from a hex to the nearest goal, and off the map if goals are exits; wrecks are ignored."""
    ground = Ground.on(board, state.options, ())
    fields: DistanceFields = board.caches.setdefault("prospects", DistanceFields())
    exit_cost = 0 if board.victory.hexes else ground.exit_halves(mover.mobility)
    return fields.of(ground, mover.mobility, goals).halves(hex_) + exit_cost


# --- the lead of the side that must meet the condition, or of the first side if both must ---


def _majority(_state: KampfState, board: Board, forecast: Forecast) -> int:
    first, second = board.sides
    return forecast.presence[first] - forecast.presence[second] + _edge(forecast, first, second)


def _multiple(_state: KampfState, board: Board, forecast: Forecast) -> int:
    own, enemy = _both(board)
    needed = board.victory.needed * forecast.presence[enemy]
    return forecast.presence[own] - needed + _edge(forecast, own, enemy)


def _clear(_state: KampfState, board: Board, forecast: Forecast) -> int:
    """Return the lead of the attacker; the limit is half a unit below the number that is too many."""
    own, enemy = _both(board)
    left = forecast.presence[enemy] - forecast.presence[own] // NEAR
    return board.victory.needed * UNIT - UNIT // 2 - left + _edge(forecast, own, enemy)


def _reach(_state: KampfState, board: Board, forecast: Forecast) -> int:
    own, enemy = _both(board)
    return forecast.presence[own] - forecast.presence[enemy] + _edge(forecast, own, enemy)


def _exit(state: KampfState, board: Board, forecast: Forecast) -> int:
    own, _ = _both(board)
    return (exited(state, board, own) - board.victory.needed) * UNIT + forecast.presence[own]


def _destroy(state: KampfState, board: Board, forecast: Forecast) -> int:
    _, enemy = _both(board)
    return (lost(state, board, enemy) - board.victory.losses_needed) * UNIT + forecast.losses[enemy]


def _break_through(state: KampfState, board: Board, forecast: Forecast) -> int:
    """Return the smallest of the leads for the three conditions."""
    own, _ = _both(board)
    spared = (board.victory.loss_limit - lost(state, board, own)) * UNIT - forecast.losses[own]
    return min(_exit(state, board, forecast), _destroy(state, board, forecast), spared)


LEADS: dict[str, Callable[[KampfState, Board, Forecast], int]] = {
    "majority": _majority,
    "multiple": _multiple,
    "clear": _clear,
    "reach": _reach,
    "exit": _exit,
    "destroy": _destroy,
    "break_through": _break_through,
}


def _both(board: Board) -> tuple[str, str]:
    return board.victory.side, board.enemy_of(board.victory.side)


def _edge(forecast: Forecast, own: str, enemy: str) -> int:
    """Return the value of ``own``'s attack strength minus the enemy's: the stronger side may drive the other off."""
    return ATTACK * (forecast.attack[own] - forecast.attack[enemy]) // UNIT
