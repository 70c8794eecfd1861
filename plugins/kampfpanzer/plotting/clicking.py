"""A plot from small choices: what to do, and for a move hex after hex, or a far hex by the cheapest way."""

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush

from kampfpanzer.model.tables import LETTERS
from kampfpanzer.plotting.notation import STOP
from kampfpanzer.plotting.situation import Situation, points
from sandtable import Asking

MOVE, HERE, HALT, LEAVE, OVERRUN = "move", "end here", "halt for a point", "leave the map", "overrun"
HEADS = {
    "N": "direct fire", "T": "tight fire", "L": "loose fire", "P": "opportunity fire", "M": "embark", "Q": "debark",
    "": "face",
}  # fmt: skip
"""The plots without movement in words, by their first letter."""
Legs = list[tuple[str, int]]
Way = list[tuple[str, str, int]]
"""Steps of a move: direction, hex, and half points spent up to there."""


def longer(legs: Legs, letter: str) -> Legs:
    """Return legs with one more hex in a direction, or one more point of a halt."""
    if legs and legs[-1][0] == letter:
        return [*legs[:-1], (letter, legs[-1][1] + 1)]
    return [*legs, (letter, 1)]


def text_of(entry: str, legs: Legs) -> str:
    """Return the text of a move by ``entry`` ("" for a unit on the map) along ``legs``."""
    return " ".join([entry, *(f"{letter}{count}" for letter, count in legs)]).strip()


def plot_by_clicks(situation: Situation, unit_id: str, still: Sequence[str], is_legal: Callable[[str], bool]) -> Asking:
    """Ask for a plot: a legal one of the plots ``still``, which are without movement, or a move."""
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
                self._legs, self._halves = longer(self._legs, STOP), self._halves + 2
            for letter, there, halves in far.get(picked, ()):
                self._legs, self._here, self._halves = longer(self._legs, letter), there, halves

    def _has_moved(self) -> bool:
        return bool(self._entry) or any(letter != STOP for letter, _ in self._legs)

    def _ends(self) -> dict[str, str]:
        """Return the legal plots that end the move now, by the words of their ends."""
        bare = text_of(self._entry, self._legs)
        found = {HERE: bare} if self._has_moved() else {}
        for letter, there in zip(LETTERS, self._ground.around(self._here), strict=True):
            if there and self._situation.may_overrun(self._unit_id):
                found[f"{OVERRUN} {there}"] = f"{bare} V{letter}".strip()
            elif not there and self._here in self._situation.exits:
                found.setdefault(LEAVE, text_of(self._entry, longer(self._legs, letter)))
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
