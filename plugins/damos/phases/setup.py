"""Set-up: a hex for each unit that is there from the start (AGC-6.0a, D-DM-02)."""

from collections.abc import Iterator, Mapping
from typing import Any

from damos.events import SideSetUp
from damos.orders import SetUp
from damos.stacking import is_legal
from damos.state import POOL, DamosState
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Form, OneOf, Refusal, Sheet
from sandtable.kernel.options.choices import listing, shown
from sandtable.kernel.sequence import Procedure

RULE = "AGC-6.0a"
FILL_RULE = "AGC-6.0b"


def set_up(state: DamosState) -> Procedure:
    """Let the phasing side set up."""
    side = state.phasing_side
    sheet = MusterSheet.of(state, side)
    hexes: dict[str, str] = {}
    if sheet.lines:
        order: SetUp = yield Decision(side, "set up your units", Form(SetUp, {"hexes": sheet}), RULE)
        hexes = {unit_id: order.hexes[unit_id] for unit_id in sheet.lines}
    yield SideSetUp(side, hexes)


class MusterSheet(Sheet):
    """A hex for each unit: within the stacking limits, and every hex of ``fill`` with a unit."""

    state: DamosState | None = None
    fill: tuple[str, ...] = ()

    @classmethod
    def of(cls, state: DamosState, side: str) -> "MusterSheet":
        """Return the sheet of a side."""
        exclusive, counters = state.board.exclusive, state.board.counters
        units = [
            each
            for each, unit in sorted(state.units.items())
            if unit.side == side and unit.standing == POOL and unit.arrives == 0
        ]
        hexes, fill = list(exclusive.set_up_hexes(state, side)), tuple(exclusive.must_fill(state, side))
        return cls(
            lines={each: OneOf(hexes, RULE, f"choose one of {listing(hexes)}") for each in units},
            together=lambda lines: clashes(state, lines, fill),
            required=units,
            stranger=lambda key: Refusal(RULE, f"{shown(key)} is no unit that sets up now"),
            rule=RULE,
            titles={each: f"{counters[each].name}, {counters[each].type} {counters[each].size}" for each in units},
            read=read_hex,
            state=state,
            fill=fill,
        )

    def sample(self, stream: Stream) -> dict[str, str]:
        """Return a set-up: who fills the hexes that need it, then the others; raises ValueError without room."""
        keys = list(self.lines)
        units = [keys.pop(stream.below(len(keys))) for _ in range(len(keys))]
        drawn: dict[str, str] = dict(zip(units, self.fill, strict=False))
        stacks: dict[str, list[str]] = {hex_: [unit_id] for unit_id, hex_ in drawn.items()}
        for unit_id in units[len(self.fill) :]:
            hexes = list(self.lines[unit_id].values())
            hex_ = stream.pick(hexes)
            while not self._has_room(stacks.get(hex_, []), unit_id):
                hexes.remove(hex_)
                if not hexes:
                    raise ValueError("nothing can be chosen: there is no room for all units")
                hex_ = stream.pick(hexes)
            drawn[unit_id] = hex_
            stacks.setdefault(hex_, []).append(unit_id)
        self.drawn = {unit_id: drawn[unit_id] for unit_id in self.lines}
        return dict(self.drawn)

    def _has_room(self, stack: list[str], unit_id: str) -> bool:
        return self.state is not None and is_legal(self.state, [*stack, unit_id])

    def values(self) -> Iterator[dict[str, str]]:
        """Yield every set-up; a beginning that leads nowhere is not gone on with."""
        keys = list(self.lines)
        lines, stacks = dict[str, str](), dict[str, list[str]]()

        def rest(place: int) -> Iterator[dict[str, str]]:
            empty = sum(hex_ not in stacks for hex_ in self.fill)
            if empty > len(keys) - place:
                return
            if place == len(keys):
                yield dict(lines)
                return
            for hex_ in self.lines[keys[place]].values():
                stack = stacks.setdefault(hex_, [])
                if self._has_room(stack, keys[place]):
                    stack.append(keys[place])
                    lines[keys[place]] = hex_
                    yield from rest(place + 1)
                    stack.pop()
                if not stack:
                    del stacks[hex_]

        return rest(0)


def clashes(state: DamosState, lines: Mapping[str, Any], fill: tuple[str, ...] = ()) -> list[tuple[str, Refusal]]:
    """Return the lines that do not go with the others: of too high a stack the last ones, of empty hexes any one.

    Units that are on the map already count for the stacks.
    """
    found: list[tuple[str, Refusal]] = []
    stacks: dict[str, list[str]] = {}
    for unit_id, hex_ in lines.items():
        if hex_ not in stacks:
            side = state.units[unit_id].side
            stacks[hex_] = [each for each, unit in state.units.items() if unit.hex == hex_ and unit.side == side]
        if is_legal(state, [*stacks[hex_], unit_id]):
            stacks[hex_].append(unit_id)
        else:
            found.append((unit_id, Refusal("DM-2.3a", f"{hex_} is full: {listing(stacks[hex_])}")))
    empty = [hex_ for hex_ in fill if hex_ not in stacks]
    spare = [unit_id for unit_id, hex_ in lines.items() if hex_ not in fill or len(stacks[hex_]) > 1]
    reason = f"{listing(empty)} must have a unit first"
    found += [(unit_id, Refusal(FILL_RULE, reason)) for unit_id in spare[-len(empty) :] if empty]
    return found


def read_hex(_unit_id: str, text: str) -> str:
    """Return the hex of a typed line. Raises IllegalOrder for what is no hex number."""
    bare = text.strip()
    if not (bare.isascii() and bare.isdigit() and len(bare) == 4):
        raise IllegalOrder(RULE, f"{shown(text)} is no hex: write its number, such as 2529")
    return bare
