"""Set-up (AGC-6.0a), and the sheets that assign a hex to each of many units."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from msgspec import field

from damos.map.stacking import is_legal
from damos.model.events import SideSetUp
from damos.model.forces import units_in
from damos.model.orders import SetUp
from damos.model.state import POOL, DamosState
from damos.model.tables import SOVIET, arm
from damos.turn.historical import WORD, historical
from sandtable import Decision, Form, IllegalOrder, OneOf, Procedure, Refusal, Sheet, Stream, listing, shown


def must_fill(state: DamosState, side: str) -> tuple[str, ...]:
    """Return the hexes that need a unit: for the Soviets, every hex along the frontier (AGC-6.0b)."""
    return state.board.frontier if side == SOVIET else ()


def set_up_hexes(state: DamosState, side: str) -> tuple[str, ...]:
    """Return the hexes where a side may set up, sorted (AGC-6.0c, AGC-6.0d)."""
    board = state.board
    if side != SOVIET:
        return tuple(board.set_up)
    settled = [each for each in (*board.towns, *board.cities, *board.major_cities) if board.home[each] == SOVIET]
    return tuple(sorted({*board.frontier, *settled}))


FILL_RULE = "AGC-6.0b"


class HexSheet(Sheet):
    """A hex for each unit, or for some: within the stacking limits, with a unit in every hex of ``fill``.

    Units that are on the map already count for the stacks. ``judged`` caches whether the stacks that were tried are
    within the limits.
    """

    state: DamosState | None = None
    fill: tuple[str, ...] = ()
    judged: dict[tuple[str, ...], bool] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        state: DamosState,
        units: Sequence[str],
        hexes: Sequence[str],
        rule: str,
        fill: tuple[str, ...] | None = None,
    ) -> Self:
        """Return the sheet of ``units``. With ``fill``, which may be empty, all of them are required."""
        counters = state.board.counters
        must, why = fill or (), f"choose one of {listing(hexes)}"
        posts = historical(units, hexes, counters) if fill is not None else []
        towns = {name.lower(): hex_ for hex_, name in state.board.names.items()}
        named = {counters[each].name.lower(): each for each in units}
        form = f"write UNIT: HEX, such as {next(iter(units), 'g-293')}: {next(iter(hexes), '2530')}"
        return cls(
            lines={each: OneOf(list(hexes), rule, why) for each in units},
            together=lambda lines: clashes(state, lines, must),
            required=() if fill is None else list(units),
            stranger=lambda key: Refusal(rule, f"{shown(key)} is not a unit to place now: {form}"),
            rule=rule,
            titles={each: f"{counters[each].name}, {arm(counters[each].type)} {counters[each].size}" for each in units},
            read=lambda _, text: read_hex(hex_named(text, towns)),
            key_of=lambda text: unit_meant(text, units) or named.get(text.strip().lower(), ""),
            parts=lambda text: parts_of(text, units, posts, towns),
            state=state,
            fill=must,
        )

    def sample(self, stream: Stream) -> dict[str, str]:
        """Return a random sheet: first units for the hexes that need one, then the others, some left out if allowed.

        Raises ValueError if there is no space for units that are required.
        """
        keys = list(self.lines)
        units = [keys.pop(stream.below(len(keys))) for _ in range(len(keys))]
        drawn: dict[str, str] = dict(zip(units, self.fill, strict=False))
        stacks = {hex_: [*self._there(hex_, unit_id), unit_id] for unit_id, hex_ in drawn.items()}
        for unit_id in units[len(self.fill) :]:
            if unit_id in self.required or stream.below(self.blanks):
                hex_ = self._draw_hex(stream, unit_id, stacks)
                if hex_:
                    drawn[unit_id] = hex_
                elif unit_id in self.required:
                    raise ValueError("no set-up is possible: the hexes are too few for all units")
        self.drawn = {unit_id: drawn[unit_id] for unit_id in self.lines if unit_id in drawn}
        return dict(self.drawn)

    def _draw_hex(self, stream: Stream, unit_id: str, stacks: dict[str, list[str]]) -> str:
        """Return a hex with space and add the unit to its stack, or return "" if there is none."""
        hexes = list(self.lines[unit_id].values())
        while hexes:
            hex_ = hexes.pop(stream.below(len(hexes)))
            stack = self._stack(stacks, hex_, unit_id)
            if self._has_room(stack, unit_id):
                stack.append(unit_id)
                return str(hex_)
        return ""

    def _stack(self, stacks: dict[str, list[str]], hex_: str, unit_id: str) -> list[str]:
        """Return the stack of a hex from ``stacks``, beginning with the units that are in the hex already."""
        if hex_ not in stacks:
            stacks[hex_] = self._there(hex_, unit_id)
        return stacks[hex_]

    def _there(self, hex_: str, unit_id: str) -> list[str]:
        return [] if self.state is None else friends_in(self.state, hex_, unit_id)

    def has_room(self, stacks: dict[str, list[str]], hex_: str, unit_id: str) -> bool:
        """Return whether a unit fits into a hex with its units and those in ``stacks``; if so, add it there."""
        stack = self._stack(stacks, hex_, unit_id)
        fits = self._has_room(stack, unit_id)
        if fits:
            stack.append(unit_id)
        return fits

    def _has_room(self, stack: list[str], unit_id: str) -> bool:
        key = (*stack, unit_id)
        found = self.judged.get(key)
        if found is None:
            found = self.judged[key] = self.state is not None and is_legal(self.state, key)
        return found

    def values(self) -> Iterator[dict[str, str]]:
        """Yield every sheet, blank lines first. A beginning that cannot fill the required hexes is abandoned."""
        keys = list(self.lines)
        lines, stacks, must = dict[str, str](), dict[str, list[str]](), frozenset(self.fill)

        def rest(place: int) -> Iterator[dict[str, str]]:
            if len(must.difference(lines.values())) > len(keys) - place:
                return
            if place == len(keys):
                yield dict(lines)
                return
            key = keys[place]
            if key not in self.required:
                yield from rest(place + 1)
            for hex_ in self.lines[key].values():
                stack = self._stack(stacks, hex_, key)
                if self._has_room(stack, key):
                    stack.append(key)
                    lines[key] = hex_
                    yield from rest(place + 1)
                    stack.pop()
                    del lines[key]

        return rest(0)


def friends_in(state: DamosState, hex_: str, unit_id: str) -> list[str]:
    """Return the units of the unit's side in a hex."""
    return units_in(state, hex_, state.units[unit_id].side)


def clashes(state: DamosState, lines: Mapping[str, Any], fill: tuple[str, ...] = ()) -> list[tuple[str, Refusal]]:
    """Return conflicting lines: the last ones of too large a stack, and spare lines if required hexes are empty."""
    found: list[tuple[str, Refusal]] = []
    stacks: dict[str, list[str]] = {}
    for unit_id, hex_ in lines.items():
        stack = stacks.setdefault(hex_, friends_in(state, hex_, unit_id))
        if is_legal(state, [*stack, unit_id]):
            stack.append(unit_id)
        else:
            found.append((unit_id, Refusal("DM-2.3a", f"{hex_} is full: {listing(stack)}")))
    empty = [hex_ for hex_ in fill if hex_ not in stacks]
    spare = [unit_id for unit_id, hex_ in lines.items() if hex_ not in fill or len(stacks[hex_]) > 1]
    reason = f"{listing(empty)} must have a unit first"
    found += [(unit_id, Refusal(FILL_RULE, reason)) for unit_id in spare[-len(empty) :] if empty]
    return found


def hex_named(text: str, towns: Mapping[str, str]) -> str:
    """Return the hex number of a town's name; any other text is unchanged."""
    return towns.get(text.strip().lower(), text)


def read_hex(text: str) -> str:
    """Return the hex of a typed line. Raises IllegalOrder if it is not a hex number."""
    bare = text.strip()
    if not (bare.isascii() and bare.isdigit() and len(bare) == 4):
        raise IllegalOrder("", f"{shown(text)} is not a hex: write its number, such as 2529, or its town")
    return bare


def unit_meant(text: str, units: Sequence[str]) -> str:
    """Return the unit among ``units`` that a typed word names, with or without the letter of its side, or ""."""
    word = text.strip().lower()
    return next((each for each in units if word in (each, each.partition("-")[2])), "")


def parts_of(text: str, units: Sequence[str], posts: list[str], towns: Mapping[str, str]) -> list[str]:
    """Return the lines that a typed line stands for: ``posts`` for the historical set-up, several for a group."""
    if posts and text.strip().lower() == WORD:
        return posts
    first, colon, rest = text.partition(":")
    return one_by_one(f"{hex_named(first, towns)}{colon}{hex_named(rest, towns)}", units)


def one_by_one(text: str, units: Sequence[str]) -> list[str]:
    """Return lines with a unit each for "3128: 3pz 4pz" or "3pz 4pz: 3128"; any other line is unchanged."""
    words = text.replace(":", " ").replace(",", " ").split()
    for hex_, names in ((words[:1], words[1:]), (words[-1:], words[:-1])):
        bare = "".join(hex_)
        if not (bare.isascii() and bare.isdigit() and len(bare) == 4) or not names:
            continue
        if not unit_meant(bare, units) and all(unit_meant(each, units) for each in names):
            return [f"{unit_meant(each, units)}: {bare}" for each in names]
    return [text]


RULE = "AGC-6.0a"


def set_up(state: DamosState) -> Procedure:
    """Let the phasing side set up."""
    side = state.phasing_side
    units = [
        each
        for each, unit in sorted(state.units.items())
        if unit.side == side and unit.standing == POOL and unit.arrives == 0
    ]
    hexes: dict[str, str] = {}
    if units:
        sheet = HexSheet.of(state, units, set_up_hexes(state, side), RULE, must_fill(state, side))
        space = Form(SetUp, {"hexes": sheet})
        order: SetUp = yield Decision(side, "set up your units", space, RULE, purpose="set_up")
        hexes = {unit_id: order.hexes[unit_id] for unit_id in units}
    yield SideSetUp(side, hexes)
