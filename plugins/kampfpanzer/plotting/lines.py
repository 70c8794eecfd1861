"""The plots of one unit as a space of options: checked, listed lazily, drawn at random, and built by clicks."""

from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from kampfpanzer.model.tables import LETTERS
from kampfpanzer.plotting.fire_and_boarding import vehicles_for, why_no_passenger
from kampfpanzer.plotting.legality import plot_or_refusal, why_impossible, why_not_line
from kampfpanzer.plotting.notation import STOP, Plot
from kampfpanzer.plotting.sampling import draw_plot
from kampfpanzer.plotting.situation import Situation, points
from sandtable import Asking, Refusal, Space, Stream

MOVE, HERE, HALT, LEAVE, OVERRUN = "move", "end here", "halt for a point", "leave the map", "overrun"
HEADS = {
    "N": "direct fire", "T": "tight fire", "L": "loose fire", "P": "opportunity fire", "M": "embark", "Q": "debark",
    "": "face",
}  # fmt: skip
"""The plots without movement in words, by their first letter."""
Legs = list[tuple[str, int]]
Way = list[tuple[str, str, int]]
"""Steps of a move: direction, hex, and half points spent up to there."""


class PlotLine(Space):
    """The plots that one unit may have, each legal by itself; the sheet checks rules among several plots."""

    situation: Situation
    unit_id: str

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a value that is not a legal plot for this unit."""
        return why_not_line(self.situation, self.unit_id, value)

    def sample(self, stream: Stream) -> str:
        """Return a random plot. Raises ValueError if none is found."""
        pairs = pair_plots(self.situation, self.unit_id)
        if pairs and stream.below(4) == 0:
            return stream.pick(pairs)
        text = draw_plot(self.situation, self.unit_id, stream) or (stream.pick(pairs) if pairs else "")
        if not text:
            raise ValueError("no choice is possible")
        return text

    def values(self) -> Iterator[str]:
        """Yield the plots that do something, in canonical form: embarking and debarking, facing, fire, movement."""
        situation, unit_id = self.situation, self.unit_id
        yield from filter(self._is_possible, _all_texts(situation, unit_id))

    def in_parts(self) -> Asking:
        """Ask for an action, then for its target, or for the hexes of a move."""
        situation, unit_id = self.situation, self.unit_id
        still = pair_plots(situation, unit_id)
        if situation.units[unit_id].hex and not situation.units[unit_id].carrier:
            still += still_texts(situation, unit_id)
        return _plot_by_clicks(situation, unit_id, still, self._is_possible)

    def _is_possible(self, text: str) -> bool:
        plot = plot_or_refusal(text)
        return isinstance(plot, Plot) and why_impossible(self.situation, self.unit_id, plot) is None


def pair_plots(situation: Situation, unit_id: str) -> list[str]:
    """Return the M and Q plots that a unit may have if its partner plots the same."""
    unit, kind = situation.units[unit_id], situation.kind(unit_id)
    if situation.may_do_nothing or not unit.hex:
        return []
    if unit.carrier:
        return ["Q", *(f"Q {letter}" for letter in LETTERS)] if kind.is_gun else ["Q"]
    if unit_id in situation.passengers:
        return [f"Q {hex_}" for hex_ in situation.ground.around(unit.hex) if hex_ and not situation.is_entrenched(hex_)]
    if kind.is_foot:
        is_ready = why_no_passenger(situation, unit_id) is None and vehicles_for(situation, unit_id)
        return ["M"] if is_ready else []
    return [f"M {situation.units[each].hex}" for each in passengers_for(situation, unit_id)]


def passengers_for(situation: Situation, vehicle: str) -> list[str]:
    """Return the foot units adjacent to an empty vehicle, or tank, that it may pick up."""
    if not (situation.kind(vehicle).is_vehicle or situation.board.riders) or vehicle in situation.passengers:
        return []
    around = situation.ground.around(situation.units[vehicle].hex)
    near = [situation.own_at[hex_][0] for hex_ in around if hex_ in situation.own_at]
    return [each for each in near if situation.may_carry(vehicle, each) and why_no_passenger(situation, each) is None]


# --- every plot ---


def _longer(legs: Legs, letter: str) -> Legs:
    """Return legs with one more hex in a direction, or one more point of a halt."""
    if legs and legs[-1][0] == letter:
        return [*legs[:-1], (letter, legs[-1][1] + 1)]
    return [*legs, (letter, 1)]


def _text_of(entry: str, legs: Legs) -> str:
    """Return the text of a move by ``entry`` ("" for a unit on the map) along ``legs``."""
    return " ".join([entry, *(f"{letter}{count}" for letter, count in legs)]).strip()


def _all_texts(situation: Situation, unit_id: str) -> Iterator[str]:
    """Yield the text of every plot that may be legal, each once."""
    unit, kind = situation.units[unit_id], situation.kind(unit_id)
    if not unit.hex:
        for entry in situation.group(unit_id).entries:
            yield entry
            yield from _moves(situation, unit_id, entry, situation.ground.entry_halves(kind.mobility, entry))
        return
    yield from pair_plots(situation, unit_id)
    if unit.carrier:
        return
    yield from still_texts(situation, unit_id)
    if kind.movement:
        yield from _moves(situation, unit_id, "", 0)


def still_texts(situation: Situation, unit_id: str) -> Iterator[str]:
    """Yield the text of every plot of fire or facing, without movement, that may be legal."""
    unit, kind = situation.units[unit_id], situation.kind(unit_id)
    if kind.is_gun:
        yield from LETTERS
    if kind.is_vehicle:
        return
    for hex_ in situation.ground.hexmap.within(unit.hex, kind.range_hexes):
        yield f"N {hex_}"
        yield from (f"N {hex_}/{target}" for target in situation.targets_at(hex_))
        yield from (f"{letter} {hex_}" for letter in "PTL")


def _moves(situation: Situation, unit_id: str, entry: str, halves: int) -> Iterator[str]:
    """Yield every move and overrun within the allowance, built from single steps and points of halt."""
    kind, ground = situation.kind(unit_id), situation.ground
    most = 2 * kind.movement

    def extend(here: str, legs: list[tuple[str, int]], halves: int) -> Iterator[str]:
        if legs and (entry or any(letter != STOP for letter, _ in legs)):
            yield _text_of(entry, legs)
        if situation.may_overrun(unit_id) and halves + 4 < most:
            yield from (f"{_text_of(entry, legs)} V{letter}".strip() for letter in LETTERS)
        for letter, there in zip(LETTERS, ground.around(here), strict=True):
            if there:
                total = halves + ground.step_halves(kind.mobility, here, there)
                if total <= most:
                    yield from extend(there, _longer(legs, letter), total)
            elif here in situation.exits:
                yield _text_of(entry, _longer(legs, letter))
        if halves + 2 <= most:
            yield from extend(here, _longer(legs, STOP), halves + 2)

    return extend(entry or situation.units[unit_id].hex, [], halves)


# --- a plot from small choices ---


def _plot_by_clicks(
    situation: Situation, unit_id: str, still: Sequence[str], is_legal: Callable[[str], bool]
) -> Asking:
    """Ask for a plot: a legal one of the plots ``still``, which are without movement, or a move.

    A move is built hex after hex, or to a far hex by the cheapest way.
    """
    move = _Move(situation, unit_id, is_legal)
    groups: dict[str, list[str]] = {}
    for text in still:
        groups.setdefault(HEADS[text[0] if len(text) > 1 or text in {"M", "Q"} else ""], []).append(text)
    heads = [head for head, texts in groups.items() if any(map(is_legal, texts))]
    what = yield "what", [*([MOVE] if move.starts() else []), *heads]
    if what == MOVE:
        return (yield from move.asked())
    key = (unit_id, what)
    if key not in situation.targets:  # a sight line for every hex in range takes a second, and each click asks again
        situation.targets[key] = [text for text in groups[what] if is_legal(text)]
    return (yield "target", situation.targets[key])


class _Move:
    """A move of one unit, hex by hex."""

    def __init__(self, situation: Situation, unit_id: str, is_legal: Callable[[str], bool]) -> None:
        self._situation, self._unit_id, self._is_legal = situation, unit_id, is_legal
        self._kind, self._ground = situation.kind(unit_id), situation.ground
        self._most = 2 * self._kind.movement
        self._entry, self._legs = "", Legs()
        self._here, self._halves = situation.units[unit_id].hex, 0

    def starts(self) -> list[str]:
        """Return the hexes to which the move can begin: the entry hexes of a unit off the map, or its next hexes."""
        if not self._most or self._situation.units[self._unit_id].carrier:
            return []
        if self._here:
            if self._situation.may_not_move or self._situation.may_do_nothing:
                return []
            return list(self._steps(self._here, 0))
        entries = self._situation.group(self._unit_id).entries
        return [each for each in entries if self._is_sound(each, self._entry_halves(each))]

    def _entry_halves(self, entry: str) -> int:
        return self._ground.entry_halves(self._kind.mobility, entry)

    def asked(self) -> Asking:
        """Ask for the move hex after hex, until it ends."""
        if not self._here:
            self._entry = self._here = yield "enters at", self.starts()
            self._halves = self._entry_halves(self._entry)
        while True:
            ends, far = self._ends(), self._far()
            halts = [HALT] if self._is_sound(self._here, self._halves + 2, must_move=not self._has_moved()) else []
            spent = f"{points(self._halves) or 0} of {self._kind.movement} points spent"
            picked = yield f"to ({spent})", [*ends, *far, *halts]
            if picked in ends:
                return ends[picked]
            if picked == HALT:
                self._legs, self._halves = _longer(self._legs, STOP), self._halves + 2
            for letter, there, halves in far.get(picked, ()):
                self._legs, self._here, self._halves = _longer(self._legs, letter), there, halves

    def _has_moved(self) -> bool:
        return bool(self._entry) or any(letter != STOP for letter, _ in self._legs)

    def _ends(self) -> dict[str, str]:
        """Return the legal plots that end the move now, by the words of their ends."""
        bare = _text_of(self._entry, self._legs)
        found = {HERE: bare} if self._has_moved() else {}
        for letter, there in zip(LETTERS, self._ground.around(self._here), strict=True):
            if there and self._situation.may_overrun(self._unit_id):
                found[f"{OVERRUN} {there}"] = f"{bare} V{letter}".strip()
            elif not there and self._here in self._situation.exits:
                found.setdefault(LEAVE, _text_of(self._entry, _longer(self._legs, letter)))
        return {words: text for words, text in found.items() if self._is_legal(text)}

    def _steps(self, here: str, halves: int) -> dict[str, tuple[str, int]]:
        """Return the next hexes from which the move can be ended, with direction and the cost up to there."""
        six = zip(LETTERS, self._ground.six_steps(self._kind.mobility, here), strict=True)
        found = {there: (letter, halves + cost) for letter, (there, cost) in six if there}
        return {there: step for there, step in found.items() if self._is_sound(there, step[1])}

    def _is_sound(self, here: str, halves: int, *, must_move: bool = False) -> bool:
        """Return whether a move with this cost up to ``here`` can be ended there or, with one step more, elsewhere."""
        if halves > self._most:
            return False
        if not must_move and (self._kind.is_foot or not self._situation.is_entrenched(here)):
            return True
        six = self._ground.six_steps(self._kind.mobility, here)
        return any(
            there and halves + cost <= self._most and (self._kind.is_foot or not self._situation.is_entrenched(there))
            for there, cost in six
        )

    def _far(self) -> dict[str, Way]:
        """Return the way to every hex in reach: one step to the next hexes, and the cheapest way to all others."""
        ways = {
            there: [(letter, there, halves)]
            for there, (letter, halves) in self._steps(self._here, self._halves).items()
        }
        queue: list[tuple[int, str, Way]] = [(way[0][2], there, way) for there, way in ways.items()]
        done = {self._here: True}
        heapify(queue)
        while queue:
            halves, here, way = heappop(queue)
            if done.setdefault(here, False):
                continue
            done[here] = True
            ways.setdefault(here, way)
            for there, (letter, cost) in self._steps(here, halves).items():
                if there not in done:
                    heappush(queue, (cost, there, [*way, (letter, there, cost)]))
        return ways
