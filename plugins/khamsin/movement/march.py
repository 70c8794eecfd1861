"""Simultaneous execution of ordered moves, computed without the state (KH-3.09, KH-R13).

Time is counted in units. With ``leg_step`` every leg takes one unit, so all first legs are crossed at once, then all
second legs. With ``mp_clock`` a turn has twelve units, and a leg ends at the part of the turn that equals the part of
the allowance spent so far. A piece that continues leaves an area as soon as it arrives; between areas it is on the
connector. The result does not depend on the order of the pieces.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from khamsin.model.cards import ENEMY

UNITS_PER_TURN = 12
"""Units of time per turn with ``mp_clock``. Every allowance divides it."""

Leg = tuple[str, str]


class Crossing(NamedTuple):
    """A leg that a piece has crossed, from ``start`` ("" if off the map). ``cost`` is in movement points."""

    id: str
    start: str
    area: str
    cost: int


class Tick(NamedTuple):
    """Events of one moment: legs crossed, by id, and areas that changed hands."""

    crossings: list[Crossing]
    taken: list[tuple[str, str]]


@dataclass(slots=True)
class Piece:
    """A piece in the march.

    ``path`` begins in its own area ("" if off the map), and ``at`` is its index in the path. ``area`` is "" on a
    connector or off the map. A piece with ``strength`` 0 does not fight. ``storms`` is the enemy area for which it was
    activated. ``due`` is the time when it completes the current leg, ``paid`` the cost of that leg. ``barred`` are the
    legs before which it waits for an enemy that uses them in the opposite direction (KH-R17).
    """

    id: str
    side: str
    path: list[str]
    allowance: int
    strength: int
    storms: str = ""
    at: int = 0
    spent: int = 0
    stopped: bool = False
    area: str = ""
    due: int = 0
    paid: int = 0
    barred: set[Leg] = field(default_factory=set)


class Rules(NamedTuple):
    """Interpretations of the rules, as chosen by the options.

    ``clock`` KH-R13, ``live`` KH-R09, ``continues`` KH-R12, ``caught`` KH-R16, ``single`` KH-R19, ``any_time`` KH-R17.
    """

    clock: bool
    live: bool
    continues: bool
    caught: bool
    single: bool
    any_time: bool

    @classmethod
    def of(cls, options: Mapping[str, str]) -> "Rules":
        """Return the interpretations of a game."""
        return cls(
            clock=options["move_resolution"] == "mp_clock",
            live=options["occupied_snapshot"] == "live",
            continues=options["vacated_target"] == "continue_if_mp",
            caught=options["escape"] == "caught_if_activated",
            single=options["connector_force"] == "single_formation",
            any_time=options["connector_test"] == "any_time_in_turn",
        )


class March:
    """A run of all moves; the results are ``ticks`` and ``clashes``.

    ``held`` has, by side, the areas in which it had fighters when the action phase began. ``cost(id, a, b)`` is in
    movement points. ``control`` has the side that controls each area. ``clashes`` has the forces that met on each
    connector.
    """

    def __init__(
        self,
        pieces: list[Piece],
        held: Mapping[str, set[str]],
        control: Mapping[str, str],
        cost: Callable[[str, str, str], int],
        rules: Rules,
    ) -> None:
        self.pieces = sorted(pieces, key=lambda piece: piece.id)
        self.held, self.control, self.cost, self.rules = held, dict(control), cost, rules
        self.ticks: list[Tick] = []
        self.clashes: dict[Leg, dict[str, list[str]]] = {}
        self.fighters: dict[tuple[str, str], int] = {}
        self.others: dict[tuple[str, str], int] = {}
        self.travelling: list[Piece] = []
        self.now = 0
        for piece in self.pieces:
            self._stand(piece, piece.path[0])

    def run(self) -> None:
        """Advance time until no piece is moving."""
        caught = self._caught() if self.rules.caught else set()
        for piece in self.pieces:
            piece.stopped = piece.stopped or piece.id in caught
        self._depart(self.pieces)
        while self.travelling:
            self.now = min(piece.due for piece in self.travelling)
            arriving = [piece for piece in self.travelling if piece.due == self.now]
            self.travelling = [piece for piece in self.travelling if piece.due != self.now]
            self._arrive(arriving)
            self._depart(arriving)
        self._meet_at_barriers()

    # --- places of pieces ---

    def _stand(self, piece: Piece, area: str) -> None:
        piece.area = area
        self._count(piece, area, 1)

    def _lift(self, piece: Piece) -> None:
        self._count(piece, piece.area, -1)
        piece.area = ""

    def _count(self, piece: Piece, area: str, number: int) -> None:
        counts = self.fighters if piece.strength else self.others
        counts[piece.side, area] = counts.get((piece.side, area), 0) + number

    def _has_fighters(self, side: str, area: str) -> bool:
        return self.fighters.get((side, area), 0) > 0

    # --- leaving ---

    def _caught(self) -> set[str]:
        """Return the pieces that may not leave because an enemy was activated for their area and is coming (KH-R16).

        A piece that moves to the area from which the enemy comes may leave. The two meet on the connector between them.
        """
        coming: dict[tuple[str, str], list[Piece]] = {}
        for piece in self.pieces:
            if piece.storms and not piece.stopped:
                coming.setdefault((ENEMY[piece.side], piece.storms), []).append(piece)
        leaving = [piece for piece in self.pieces if len(piece.path) > 1 and piece.path[0] and not piece.stopped]
        return {
            piece.id
            for piece in leaving
            if any(enemy.path[0] != piece.path[1] for enemy in coming.get((piece.side, piece.path[0]), ()))
        }

    def _depart(self, pieces: list[Piece]) -> None:
        """Start the next leg of each piece that may continue, then find forces that meet on a connector."""
        gone = [piece for piece in pieces if not piece.stopped and self._starts_leg(piece)]
        for piece in gone:
            start, end = piece.path[piece.at], piece.path[piece.at + 1]
            piece.paid = self.cost(piece.id, start, end) if start else 0
            self._lift(piece)
            piece.due = self._due(piece)
        self.travelling = sorted([*self.travelling, *gone], key=lambda piece: piece.id)
        for a, b in sorted({(min(leg), max(leg)) for leg in map(_leg, gone)}):
            self._meet_on(a, b)

    def _due(self, piece: Piece) -> int:
        """Return the time when a piece completes its current leg, at the latest the end of the turn.

        With ``mp_clock`` every movement point takes time. Entering the map is free, and ends after the first unit.
        """
        if not self.rules.clock:
            return self.now + 1
        units = (piece.spent + piece.paid) * UNITS_PER_TURN // piece.allowance
        return max(1, min(UNITS_PER_TURN, units))

    def _starts_leg(self, piece: Piece) -> bool:
        """Return whether a piece starts its next leg. If it does not, it is stopped for the rest of the turn."""
        if piece.at + 1 >= len(piece.path):
            piece.stopped = True
            return False
        start, end = piece.path[piece.at], piece.path[piece.at + 1]
        if piece.at:
            too_dear = piece.spent + self.cost(piece.id, start, end) > piece.allowance  # KH-8.10
            occupied = not self.rules.live and end in self.held[ENEMY[piece.side]]  # KH-R11
            piece.stopped = too_dear or occupied
        if not piece.stopped and (start, end) in piece.barred:
            piece.stopped = True
            self._lift(piece)
        return not piece.stopped

    # --- on a connector ---

    def _meet_on(self, a: str, b: str) -> None:
        """Stop the forces that use a connector in opposite directions (KH-12.13, KH-R19)."""
        there = [piece for piece in self.travelling if _leg(piece) in ((a, b), (b, a))]
        directions = {(piece.side, _leg(piece)) for piece in there if piece.strength}
        for side, (start, end) in sorted(directions):
            if (ENEMY[side], (end, start)) in directions:
                both = ((side, (start, end)), (ENEMY[side], (end, start)))
                self._clash((a, b), [piece for piece in there if (piece.side, _leg(piece)) in both])
                return

    def _clash(self, connector: Leg, pieces: list[Piece]) -> None:
        """Record a fight on a connector. Pieces that take no part return to their previous area (KH-R19)."""
        forces = self.clashes.setdefault(connector, {})
        for side in sorted({piece.side for piece in pieces}):
            force = [piece for piece in pieces if piece.side == side]
            chosen = [min(force, key=lambda each: (-each.strength, each.id))] if self.rules.single else force
            forces[side] = sorted([*forces.get(side, []), *(each.id for each in chosen)])
            for piece in force:
                piece.stopped = True
                if piece in self.travelling:
                    self.travelling.remove(piece)
                if piece not in chosen:
                    self._stand(piece, piece.path[piece.at])

    def _meet_at_barriers(self) -> None:
        """Start a fight between pieces that wait at the two ends of a connector (KH-R17). Unopposed pieces return."""
        waiting = [
            piece for piece in self.pieces if piece.stopped and not piece.area and _next_leg(piece) in piece.barred
        ]
        for a, b in sorted({(min(leg), max(leg)) for leg in map(_leg, waiting)}):
            there = [piece for piece in waiting if _leg(piece) in ((a, b), (b, a))]
            sides = {piece.side for piece in there if piece.strength}
            if len(sides) > 1:
                self._clash((a, b), there)
            else:
                for piece in there:
                    self._stand(piece, piece.path[piece.at])

    # --- arriving ---

    def _arrive(self, pieces: list[Piece]) -> None:
        """Move pieces into their next areas at the same time. Pieces that meet fighters of the enemy stop (KH-R14)."""
        bounced = [piece for piece in pieces if self._finds_it_held(piece)]
        for piece in bounced:  # KH-R11 with the current enemies
            piece.stopped = True
            self._stand(piece, piece.path[piece.at])
        crossings = [self._enter(piece) for piece in pieces if piece not in bounced]
        for piece in pieces:
            if self._has_fighters(ENEMY[piece.side], piece.area):
                self._stop(piece)
            elif piece.storms == piece.area and piece.at == 1 and not self.rules.continues:  # KH-R12
                piece.stopped = True
        self.ticks.append(Tick(crossings, self._take([each.area for each in crossings])))

    def _finds_it_held(self, piece: Piece) -> bool:
        end = piece.path[piece.at + 1]
        return self.rules.live and piece.at > 0 and self._has_fighters(ENEMY[piece.side], end)

    def _enter(self, piece: Piece) -> Crossing:
        start, end = _leg(piece)
        piece.at += 1
        piece.spent += piece.paid
        self._stand(piece, end)
        return Crossing(piece.id, start, end, piece.paid)

    def _stop(self, piece: Piece) -> None:
        """Stop a piece that has met enemies and, if it can fight, all pieces in its area."""
        for each in self.pieces if piece.strength else [piece]:
            if each.area == piece.area:
                each.stopped = True

    def _take(self, entered: list[str]) -> list[tuple[str, str]]:
        """Return the entered areas that change hands at once (KH-11.05).

        An area changes hands if only one side has fighters there, or if neither side has fighters and only one has
        other pieces.
        """
        taken: list[tuple[str, str]] = []
        for area in sorted(set(entered)):
            sides = [side for side in ENEMY if self._has_fighters(side, area)]
            if not sides:
                sides = [side for side in ENEMY if self.others.get((side, area), 0) > 0]
            if len(sides) == 1 and self.control.get(area) != sides[0]:
                self.control[area] = sides[0]
                taken.append((area, sides[0]))
        return taken


def _leg(piece: Piece) -> Leg:
    return piece.path[piece.at], piece.path[piece.at + 1]


def _next_leg(piece: Piece) -> Leg:
    return _leg(piece) if piece.at + 1 < len(piece.path) else ("", "")


def run_march(make: Callable[[], March]) -> March:
    """Return a completed march. With ``any_time``, no two enemies pass each other on a connector (KH-R17).

    In that case the march is repeated until all pieces that would use a connector in opposite directions, at any time,
    wait at its ends.
    """
    barred: dict[str, set[Leg]] = {}
    while True:
        march = make()
        for piece in march.pieces:
            piece.barred = barred.get(piece.id, set())
        march.run()
        found = _passages(march) if march.rules.any_time else {}
        if all(legs <= barred.get(each, set()) for each, legs in found.items()):
            return march
        for each, legs in found.items():
            barred[each] = barred.get(each, set()) | legs


def _passages(march: March) -> dict[str, set[Leg]]:
    """Return, for each piece that fights, the legs that a fighting enemy crossed in the opposite direction."""
    side_of = {piece.id: piece.side for piece in march.pieces if piece.strength}
    crossed: dict[tuple[str, Leg], list[str]] = {}
    for tick in march.ticks:
        for each in tick.crossings:
            if each.id in side_of:
                crossed.setdefault((side_of[each.id], (each.start, each.area)), []).append(each.id)
    found: dict[str, set[Leg]] = {}
    for (side, (a, b)), ids in crossed.items():
        if (ENEMY[side], (b, a)) in crossed:
            for one in ids:
                found.setdefault(one, set()).add((a, b))
    return found
