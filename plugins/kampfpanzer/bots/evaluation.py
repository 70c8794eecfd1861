"""Who will win a game that is broken off: what the victory conditions still ask for, and what is there to do it.

A combat unit that counts where it stands is worth 1,000; one that has to come there first, less, by how much of the
time left its way takes. Disruption takes off what stands against recovery, and the enemy's fire what it may yet
destroy. Each kind of victory makes of this the lead of one side over what it needs. The weights are fitted to games of
the captain against himself, from even positions and from spoilt ones.
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
"""What a combat unit counts, in its place and in order."""
KILLS = 200
"""What a side with all the attack strength on the map would destroy of each enemy unit in a turn, at first."""
ATTACK = 30
"""What a point of attack strength more than the enemy's is worth where ground is to be won."""
NEAR = 8
"""Of so many attackers on ground that is only to be cleared, one drives a defender off."""
SURE, PER_TURN = 300, 150
"""A lead that decides half of what is open: as the game ends, and more for each turn to come."""
OPEN = 485
"""So much is open at most: a game that goes on is never quite decided."""


class Forecast(NamedTuple):
    """By side, in thousandths: ``presence``, units that count at the end; ``losses`` to come; ``attack`` points."""

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
        share += (1000 - share) // 2  # to fail is only a draw now (KP-14.2.7)
    shares = {own: share, board.enemy_of(own): 1000 - share}
    return {side: shares[side] for side in board.sides}


# --- what is there ---


def forecast_of(state: KampfState, board: Board, left: int) -> Forecast:
    """Count both sides' combat units (KP-14.0j), with ``left`` turns to go, the one in hand included."""
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
        if board.victory.hexes:  # who leaves the map need not last till the end
            presence[side] = presence[side] * whole // (whole + fire)
    return Forecast(presence, losses, attack)


def _presence(state: KampfState, board: Board, unit_id: str, left: int) -> int:
    """Return 1,000 for a unit on its side's goal, down to nothing for one that only just gets there in time."""
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
    """Return the half points from a hex to the nearest goal, or off the map by it, as if no wrecks lay in the way."""
    ground = Ground.on(board, state.options, ())
    fields: DistanceFields = board.caches.setdefault("prospects", DistanceFields())
    way_off = 0 if board.victory.hexes else ground.exit_halves(mover.mobility)
    return fields.of(ground, mover.mobility, goals).halves(hex_) + way_off


# --- the lead of the side that must do something to win, of the first where both must ---


def _majority(_state: KampfState, board: Board, forecast: Forecast) -> int:
    first, second = board.sides
    return forecast.presence[first] - forecast.presence[second] + _edge(forecast, first, second)


def _multiple(_state: KampfState, board: Board, forecast: Forecast) -> int:
    own, enemy = _both(board)
    needed = board.victory.needed * forecast.presence[enemy]
    return forecast.presence[own] - needed + _edge(forecast, own, enemy)


def _clear(_state: KampfState, board: Board, forecast: Forecast) -> int:
    """Count from half a unit less than what is too many for the attacker."""
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
    """Take the worst of the three conditions."""
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
    """Return what ``own`` has ahead by attack strength: it may drive the enemy off."""
    return ATTACK * (forecast.attack[own] - forecast.attack[enemy]) // UNIT
