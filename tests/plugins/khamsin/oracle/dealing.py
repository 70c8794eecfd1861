"""Deals at each boundary of a game, and the requirements on a deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.plugins.khamsin.positions import installed, shipped

from khamsin.fog import determinization
from khamsin.fog.placement import MOVED
from khamsin.model.cards import ENEMY, Board, Broken
from khamsin.model.forces import areas_of, composition, in_area
from khamsin.model.state import IN_BASE, ON_MAP, WAITING, KhamsinState
from khamsin.model.tables import INEFFECTIVE
from khamsin.movement.orders_sheet import are_apart
from khamsin.turn.victory import compositions, is_out, occupied_areas
from sandtable.errors import NoDeal
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.rewind import fold
from sandtable.kernel.play.views import View
from sandtable.players.players import seat_players

SIDES = ("axis", "allies")


def boundaries(game: Game) -> Iterator[KhamsinState]:
    """Yield the state at each boundary of a finished game."""
    snapshot = game.base
    for length in game.boundaries:
        state: Any
        state, snapshot = fold(game.ruleset, snapshot, game.trail[snapshot.length : length])
        yield state


def deal(state: KhamsinState, side: str, seed: str = "deal") -> tuple[Any, KhamsinState]:
    """Return a side's view of a state, and a state dealt from it with the fields that the kernel sets."""
    ruleset = shipped("teaching").ruleset
    seen = ruleset.view(state, side)
    dealt = determinization.deal(seen, state.board, Stream.for_player(key_from_seed(seed), side))
    dealt.place_board(state.board)
    dealt.outcome, dealt.ending, dealt.position = state.outcome, state.ending, state.position
    return seen, dealt


def faults(seen: Any, dealt: KhamsinState) -> list[str]:
    """Return contradictions between a deal and the rules, or between it and the reports of the viewing side."""
    board: Board = dealt.board
    enemy, found = ENEMY[seen.side], []
    theirs = {key: it for key, it in dealt.formations.items() if it.side == enemy}
    for key, card in board.formations.items():
        pieces = [it.strength for each, it in theirs.items() if key in (each, it.parent)]
        if card.side == enemy and (sum(pieces) != card.strength or (card.strength and min(pieces) < 1)):
            found.append(f"{key} has {pieces} of {card.strength} companies")
    for key, it in theirs.items():
        card = board.formations[it.parent or key]
        if (it.standing in (ON_MAP, IN_BASE)) != (it.area in board.areas):
            found.append(f"{key} is {it.standing} in {it.area!r}")
        if it.standing != WAITING and card.enters > seen.turn:
            found.append(f"{key} is on the map before its turn")
        if it.standing == ON_MAP and min(it.armor, it.general, INEFFECTIVE - 1 - it.armor - it.general) < 0:
            found.append(f"{key} is on the map with {it.armor} and {it.general} of attrition")
        if it.parent and it.standing != ON_MAP:
            found.append(f"{key} is a part that is {it.standing}")
    lost = [each for each in board.victory.conditions if isinstance(each, Broken) and each.side == seen.side]
    is_counted = seen.phase != "end"  # formations that the aftermath disabled are counted in the end phase
    if is_counted and any(sum(is_out(dealt, each) for each in aim.of) >= aim.count for aim in lost):
        found.append("the enemy is broken, and the campaign continues")
    return found + _misplaced(seen, dealt) + (_met(seen, dealt) if seen.phase in MOVED else _reported(seen, dealt))


def _misplaced(seen: Any, dealt: KhamsinState) -> list[str]:
    """Return misplaced enemies: in areas of the side without a fight, with nations kept apart, or leaders alone."""
    board: Board = dealt.board
    enemy = ENEMY[seen.side]
    places: dict[str, list[str]] = {}
    for key, it in dealt.formations.items():
        if it.side == enemy and it.standing == ON_MAP:
            places.setdefault(it.area, []).append(key)
    fought = {area for it in seen.engagements.values() if seen.phase in MOVED for area in (it.area, it.other)}
    known = fought | set(seen.reports[seen.side].occupied)
    found = [f"{places[area]} in {area}" for area in places if dealt.control[area] != enemy and area not in known]
    for force in places.values() if board.apart else ():
        found += [f"{one} with {two}" for one in force for two in force if one < two and are_apart(dealt, one, two)]
    leaders = {key: it for key, it in dealt.leaders.items() if it.side == enemy}
    return found + [f"{key} alone" for key, it in leaders.items() if it.standing == ON_MAP and it.area not in places]


def _reported(seen: Any, dealt: KhamsinState) -> list[str]:
    """Compare with the last turn's report; formations that entered since have not observed yet."""
    report = seen.reports[seen.side]
    if not report.turn or report.turn != seen.turn - 1:
        return []
    before = [key for key, it in dealt.formations.items() if it.side == ENEMY[seen.side] or _was_here(seen, dealt, key)]
    then = KhamsinState(
        formations={key: dealt.formations[key] for key in before}, control=dealt.control, options=dealt.options
    )
    then.place_board(dealt.board)
    found = []
    held = areas_of(dealt, ENEMY[seen.side])
    found += [f"no enemy in {area}" for area in report.occupied if area not in held]
    found += [f"an enemy in {area}" for area in occupied_areas(then, seen.side) if area not in report.occupied]
    counted = compositions(then, seen.side)
    found += [f"{counted[area]} in {area}, not {n}" for area, n in report.seen.items() if counted.get(area, n) != n]
    return found


def _was_here(seen: Any, dealt: KhamsinState, key: str) -> bool:
    it = seen.formations[key]
    return bool(dealt.board.formations[it.parent or key].enters < seen.turn)


def _met(seen: Any, dealt: KhamsinState) -> list[str]:
    """Compare with open engagements: the same companies in the same area."""
    enemy, found = ENEMY[seen.side], []
    for key, it in seen.engagements.items():
        if it.settled:
            continue
        engagement = dealt.engagements[key]
        force = [*engagement.forces[enemy], *(each for each in engagement.left if dealt.formations[each].side == enemy)]
        if not it.other and not set(force) <= set(in_area(dealt, enemy, it.area)):
            found.append(f"{key}: {force} is elsewhere")
        if not force:
            found.append(f"{key}: no enemy")
        if enemy in it.companies and composition(dealt, force) != it.companies[enemy]:
            found.append(f"{key}: {composition(dealt, force)}, and {it.companies[enemy]} was seen")
    return found


def share_dealt(module: str, player: str, seed: str, **options: str) -> tuple[int, int]:
    """Return the number of decisions of a campaign for which a deal succeeds, and the number of all decisions."""
    prepared = shipped(module, tuple(sorted(options.items())))
    key = key_from_seed(seed)
    players = seat_players(prepared, {**dict.fromkeys(SIDES, player), "umpire": "resolver"}, key)
    game, decided, found = prepared.new_game(KeyedDice(key)), 0, 0
    game.start()
    while not game.is_over:
        decision = game.waiting()[0]
        if decision.side in SIDES:
            decided += 1
            try:
                game.simulator(decision).deal(Stream.for_player(key, f"deal/{decided}"), installed().bots.deal)
                found += 1
            except NoDeal:
                pass
        game.submit(players[decision.seat].choose(decision, View(decision.side, game.view)), decision.seat)
    return found, decided
