"""Conversion of railways at the start of the German strategic movement phase (AGC-4.3.1d).

A railhead is a converted hex under German control with unconverted line ahead. Each line ahead counts separately, also
at a junction (AGC-4.3.1f). Option ``optional_rules`` selects how much is converted each turn (R-DM-70). By default
every line is extended. The alternatives extend only one line, by one more hex (AGC-4.3.1g), and once by even more after
a pause in August (AGC-4.3.1h).
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from damos.map.rails import Line, lines_ahead
from damos.map.supplied import is_joined
from damos.map.zones import in_enemy_zone
from damos.model.calculations import Steps
from damos.model.events import RailExtended
from damos.model.forces import is_occupied
from damos.model.orders import ExtendRail
from damos.model.state import DamosState
from damos.model.tables import GERMAN, SOVIET, d2, d3
from damos.movement.pause import august_turn, kept_still
from sandtable import Calculation, Decision, Form, Procedure, Refusal, Roll, Space, Stream, listing, shown

SLOW_TURNS = (11, 12, 13)
"""Turns in which an extension is 1d2 instead of 1d3 hexes (AGC-4.3.1d)."""
PAUSE_BONUS = 2
ANYWHERE = "any"
"""The railhead in the purpose of a roll that is not for a single one."""


def why_not_converted(state: DamosState, hex_: str) -> Refusal | None:
    """Return why a rail hex cannot be converted now, or None (AGC-4.3.1d, AGC-4.3.1e, R-DM-57)."""
    if hex_ in state.converted:
        return Refusal("AGC-4.3.1d", f"the railway in {hex_} is already converted")
    if state.control.get(hex_) != GERMAN or is_occupied(state, hex_, SOVIET):
        return Refusal("R-DM-57", f"{hex_} is not in German hands")
    if in_enemy_zone(state, GERMAN, hex_) and not is_occupied(state, hex_, GERMAN):
        return Refusal("AGC-4.3.1e", f"{hex_} is in an enemy zone of control without a German force")
    return None


class Extension(Space):
    """Lists of up to ``most`` hexes to convert, in order along a railway, from one of ``lines``.

    At a junction the list continues along one line (AGC-4.3.1f).
    """

    state: DamosState
    lines: Sequence[Line]
    most: int

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse too many hexes, a gap, and hexes that cannot be converted."""
        if not isinstance(value, list | tuple):
            return Refusal("AGC-4.3.1d", f"give a list of hexes, not {shown(value)}")
        if len(value) > self.most:
            return Refusal("AGC-4.3.1d", f"{len(value)} hexes are too many: up to {self.most} can be converted")
        for place, hex_ in enumerate(value):
            near = self._onward(list(value[:place]))
            if hex_ not in near:
                after = value[place - 1] if place else listing(sorted({line.railhead for line in self.lines}))
                return Refusal("AGC-4.3.1d", f"no railway leads from {after} to {shown(hex_)}: choose {listing(near)}")
            refusal = why_not_converted(self.state, hex_)
            if refusal is not None:
                return refusal
        return None

    def _onward(self, path: list[str]) -> list[str]:
        """Return the rail hexes that may come next, including those that cannot be converted."""
        if not path:
            return sorted({line.ahead for line in self.lines})
        around: dict[str, tuple[str, ...]] = self.state.board.rail_around
        return [near for near in around[path[-1]] if near not in path and near not in self.state.converted]

    def values(self) -> Iterator[list[str]]:
        """Yield every list, each before those that continue it."""

        def onwards(path: list[str]) -> Iterator[list[str]]:
            yield path
            if len(path) < self.most:
                for near in self._onward(path):
                    if why_not_converted(self.state, near) is None:
                        yield from onwards([*path, near])

        return onwards([])

    def sample(self, stream: Stream) -> list[str]:
        """Return a random list."""
        return stream.pick(list(self.values()))


# --- conversion ---


def extend_rails(state: DamosState) -> Procedure:
    """Convert railways at the beginning of the German strategic movement phase. Does nothing for the other side."""
    if state.phasing_side == GERMAN:
        yield from CONVERSIONS[state.options["optional_rules"]](state)


def _able(state: DamosState) -> list[Line]:
    """Return the lines whose next hex can be converted."""
    return [
        line
        for line in lines_ahead(state)
        if why_not_converted(state, line.ahead) is None and is_joined(state, line.railhead)
    ]


def _every_line(state: DamosState) -> Procedure:
    """Extend each line that exists at the start of the phase; lines that branch off wait for a later turn."""
    dice: list[int] = []
    for line in _able(state):
        if why_not_converted(state, line.ahead) is None:  # another line may have reached it first
            if not dice or state.options["rail_conversion_rolls"] == "one_roll_per_line":
                dice = list((yield Roll(1, 6, f"rail:{line.railhead}", "AGC-4.3.1d", favors=GERMAN)))
            slow = state.turn in SLOW_TURNS
            die = dice[0]
            step = (f"1d{2 if slow else 3}, die {die}", d2(die) if slow else d3(die), "AGC-1.2a")
            yield from _extend(state, [line], die, (step,), "AGC-4.3.1d")


def _one_line(state: DamosState) -> Procedure:
    """Extend one line, by one hex more than the roll (AGC-4.3.1g)."""
    lines = _able(state)
    if lines:
        (die,) = yield Roll(1, 6, f"rail:{ANYWHERE}", "AGC-4.3.1g", favors=GERMAN)
        steps = ((f"1d3, die {die}", d3(die), "AGC-1.2a"), ("single railhead", 1, "AGC-4.3.1g"))
        yield from _extend(state, lines, die, steps, "AGC-4.3.1g")


def _one_line_after_pause(state: DamosState) -> Procedure:
    """Extend one line, by more hexes on the turn after a pause (AGC-4.3.1h)."""
    lines = _able(state)
    if not kept_still(state) or state.turn != august_turn(state) + 1:
        yield from _one_line(state)
    elif lines:
        (die,) = yield Roll(1, 6, f"rail:{ANYWHERE}", "AGC-4.3.1h", favors=GERMAN)
        steps = (("die", die, "AGC-4.3.1h"), ("after the pause", PAUSE_BONUS, "AGC-4.3.1h"))
        yield from _extend(state, lines, die, steps, "AGC-4.3.1h")


CONVERSIONS: dict[str, Callable[[DamosState], Procedure]] = {
    "off": _every_line,
    "on": _one_line,
    "on_with_pause": _one_line_after_pause,
}
"""Functions that convert the railways of a turn, by option ``optional_rules`` (R-DM-70)."""


def _extend(state: DamosState, lines: list[Line], die: int, steps: Steps, rule: str) -> Procedure:
    """Let the Germans convert along one of the lines up to as many hexes as the total of ``steps`` (AGC-4.3.1d)."""
    allowed = Calculation("allowed", steps)
    most = allowed.total
    choices = ", ".join(f"{line.railhead} toward {line.ahead}" for line in lines)
    space = Form(ExtendRail, {"hexes": Extension(state, lines, most)})
    number = "1 hex" if most == 1 else f"up to {most} hexes"
    prompt = f"convert {number} of railway from {choices}"
    purpose = f"convert.{lines[0].railhead}-{lines[0].ahead}" if len(lines) == 1 else "convert"
    order: ExtendRail = yield Decision(GERMAN, prompt, space, rule, purpose=purpose)
    hexes = list(order.hexes)
    railhead = next((line.railhead for line in lines if hexes and line.ahead == hexes[0]), lines[0].railhead)
    yield RailExtended(railhead, die, most, hexes, rule, (allowed,))
