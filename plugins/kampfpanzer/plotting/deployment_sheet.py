"""Deployments as a space of options: lines, sheets, and random deployments (KP-14.0a)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from kampfpanzer.model.forces import ARTILLERY, INFANTRY
from kampfpanzer.model.orders import Deploy, InPhase
from kampfpanzer.model.state import KampfState
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.plotting.deployment import RULE, Muster, Place, area_words, parse_place, read_place
from kampfpanzer.plotting.typed.heads import NO_NUMBER, lines_of
from sandtable import IllegalOrder, Refusal, Sheet, Space, Stream

DUG = ("entrenched", "entr", "ent")
RANDOM_TRIES = 6
"""Number of random hexes to try for a unit before its free hexes are listed."""


class PlaceLine(Space):
    """The lines that one unit may have, each legal by itself."""

    muster: Muster
    unit_id: str

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a value that is not a legal line for this unit."""
        return self.muster.why_not_line(self.unit_id, value)

    def values(self) -> Iterator[str]:
        """Yield the lines in canonical form: hexes first, then vehicles."""
        muster, unit_id = self.muster, self.unit_id
        group, kind = muster.group(unit_id), muster.kind(unit_id)
        dug = (
            [True] if unit_id in group.entrenched else [False, True] if group.may_entrench and kind.is_foot else [False]
        )
        for hex_ in group.area if not group.enters else ():
            if hex_ not in muster.held:
                for facing in LETTERS if kind.is_gun else ("",):
                    yield from (_line(hex_, facing, entrenched=each) for each in dug)
        yield from (f"aboard {each}" for each in muster.carriers_for(unit_id))

    def sample(self, stream: Stream) -> str:
        """Return a random line. Raises ValueError if none exists."""
        lines = list(self.values())
        if not lines:
            raise ValueError("no choice is possible")
        return stream.pick(lines)


def _line(hex_: str, facing: str, *, entrenched: bool) -> str:
    return " ".join(filter(None, (hex_, facing, "entrenched" if entrenched else "")))


class DeploySheet(Sheet):
    """A sheet of lines; its samples are legal as a whole, and listing it skips combinations that conflict."""

    muster: Muster | None = None

    def sample(self, stream: Stream) -> dict[str, str]:
        """Return a random deployment. Raises ValueError if none is found or the sheet has no muster."""
        if self.muster is None:
            raise ValueError("no choice is possible")
        drawn = _Drawing(self.muster, stream)
        if not drawn.place_at_random():
            drawn = _Drawing(self.muster, stream, packed=True)
            if not drawn.place_closely():
                raise ValueError("no set-up is possible: the areas are too small for the force")
        lines = drawn.lines()
        self.drawn = {unit_id: lines[unit_id] for unit_id in self.lines if unit_id in lines}
        return dict(self.drawn)

    def values(self) -> Iterator[dict[str, str]]:
        """Yield every deployment; an incomplete one with conflicts is not continued."""
        keys, muster = list(self.lines), self.muster

        def rest(before: dict[str, str]) -> Iterator[dict[str, str]]:
            if len(before) == len(keys):
                yield {key: line for key, line in before.items() if line}
                return
            key = keys[len(before)]
            blank = () if key in self.required else ("",)
            for line in (*blank, *self.lines[key].values()):
                longer = before | {key: line}
                written = {each: text for each, text in longer.items() if text}
                if muster is not None and not muster.conflicts(written):
                    yield from rest(longer)

        return rest({})


class _Drawing:
    """A random deployment under construction: first the passengers, then the hexes."""

    def __init__(self, muster: Muster, stream: Stream, *, packed: bool = False) -> None:
        self.muster, self.stream = muster, stream
        self.aboard: dict[str, str] = {}
        self._embark(packed=packed)
        self.at: dict[str, str] = {}
        self.stack: dict[str, list[str]] = {}
        passengers = {carrier: unit_id for unit_id, carrier in self.aboard.items()}
        self.areas = {each: self._area(each, passengers.get(each)) for each in muster.on_map if each not in self.aboard}

    def _embark(self, *, packed: bool) -> None:
        """Choose the units that start aboard.

        Those that must ride come first. Of the others, one in three rides, or as many as possible if ``packed``.
        """
        muster, stream, used = self.muster, self.stream, set[str]()
        others = [each for each in (*muster.on_map, *muster.later) if each not in muster.must_ride]
        for unit_id in (*muster.must_ride, *(self._by_need(others) if packed else others)):
            free = [each for each in muster.carriers_for(unit_id) if each not in used]
            if packed:
                free = [each for each in free if muster.group(each) is muster.group(unit_id)]
            if free and (packed or unit_id in muster.must_ride or stream.one_in(3)):
                carrier = stream.pick(free)
                used.add(carrier)
                self.aboard[unit_id] = carrier

    def _by_need(self, unit_ids: list[str]) -> list[str]:
        """Return foot units, the more numerous category of a group first, because infantry and guns can share hexes."""
        found: list[tuple[int, str]] = []
        for unit_id in unit_ids:
            kind, group = self.muster.kind(unit_id), self.muster.group(unit_id)
            if kind.is_foot:
                alike = [each for each in group.units if self.muster.kind(each).category == kind.category]
                found.append((alike.index(unit_id) - len(alike), unit_id))
        return [unit_id for _, unit_id in sorted(found)]

    def _area(self, unit_id: str, passenger: str | None) -> list[str]:
        """Return the hexes where a unit may set up, together with its passenger if it has one."""
        muster = self.muster
        hexes = [each for each in muster.group(unit_id).area if each not in muster.held]
        if passenger is None or muster.group(passenger) is muster.group(unit_id):
            return hexes
        with_passenger = set(muster.group(passenger).area)
        return [each for each in hexes if each in with_passenger]

    def _fits(self, unit_id: str, hex_: str) -> bool:
        row = self.stack.get(hex_, ())
        if not row:
            return True
        categories = sorted(self.muster.kind(each).category for each in (*row, unit_id))
        return categories == sorted((INFANTRY, ARTILLERY))

    def _put(self, unit_id: str, hex_: str) -> None:
        self.at[unit_id] = hex_
        self.stack.setdefault(hex_, []).append(unit_id)

    def place_at_random(self) -> bool:
        """Give every unit a hex, those with small areas first; return whether all have one."""
        for unit_id in sorted(self.areas, key=lambda each: len(self.areas[each])):
            area = self.areas[unit_id]
            hex_ = ""
            for _ in range(RANDOM_TRIES if area else 0):
                hex_ = self.stream.pick(area)
                if self._fits(unit_id, hex_):
                    break
            else:
                free = [each for each in area if self._fits(unit_id, each)]
                if not free:
                    return False
                hex_ = self.stream.pick(free)
            self._put(unit_id, hex_)
        return True

    def place_closely(self) -> bool:
        """Give every unit a hex when space is short: guns with infantry, the others by augmenting paths."""
        partners = self._partners()
        alone = [each for each in self.areas if each not in partners]
        owner: dict[str, str] = {}

        def find_hex(unit_id: str, tried: set[str]) -> bool:
            for hex_ in self.areas[unit_id]:
                if hex_ not in tried:
                    tried.add(hex_)
                    if hex_ not in owner or find_hex(owner[hex_], tried):
                        owner[hex_] = unit_id
                        return True
            return False

        if not all(find_hex(each, set()) for each in alone):
            return False
        for hex_, unit_id in owner.items():
            self._put(unit_id, hex_)
        for gun, infantry in partners.items():
            self._put(gun, self.at[infantry])
        return True

    def _partners(self) -> dict[str, str]:
        """Return, for each gun, an infantry unit of its group to share a hex with."""
        muster, taken, found = self.muster, set[str](), {}
        for gun in (each for each in self.areas if muster.kind(each).is_gun):
            group = muster.group(gun)
            for each in group.units:
                if each in self.areas and each not in taken and muster.kind(each).category == INFANTRY:
                    taken.add(each)
                    found[gun] = each
                    break
        return found

    def lines(self) -> dict[str, str]:
        """Return the lines: random facings, required entrenchments, and half of the optional ones."""
        muster, stream = self.muster, self.stream
        found = {unit_id: f"aboard {carrier}" for unit_id, carrier in self.aboard.items()}
        for unit_id, hex_ in self.at.items():
            kind, group = muster.kind(unit_id), muster.group(unit_id)
            facing = LETTERS[stream.below(6)] if kind.is_gun else ""
            dug = unit_id in group.entrenched or (kind.is_foot and group.may_entrench and stream.one_in(2))
            found[unit_id] = _line(hex_, facing, entrenched=dug)
        return found


def deploy_sheet(state: KampfState, side: str) -> DeploySheet:
    """Return the sheet with which a side sets up, the lines of carriers first."""
    muster = Muster(state, side)
    units = sorted({*muster.on_map, *muster.later}, key=lambda each: (muster.kind(each).is_foot, int(each)))
    return DeploySheet(
        lines={each: PlaceLine(muster, each) for each in units},
        together=muster.conflicts,
        required=[each for each in units if each in muster.on_map or each in muster.must_ride],
        stranger=partial(_stranger, state, side),
        rule=RULE,
        titles={each: _title(muster, each) for each in units},
        read=_read_line,
        parts=partial(lines_of, units, state.board.kinds.keys()),
        muster=muster,
    )


def deploy_options(sheet: DeploySheet) -> InPhase:
    """Return the legal deployments of a side, given its sheet."""
    return InPhase(Deploy, {"lines": sheet})


def _stranger(state: KampfState, side: str, unit_id: str) -> Refusal:
    unit = state.units.get(unit_id)
    if not unit_id.isdigit():
        return NO_NUMBER
    if unit is None:
        return Refusal("KP-3.2b", "there is no unit of this number in the game")
    if unit.side != side:
        return Refusal("KP-14.0a", f"{unit.kind} {unit_id} belongs to the enemy")
    turn = state.board.group_of[unit_id].enters
    return Refusal("KP-14.0d", f"{unit.kind} {unit_id} enters on turn {turn} and has no line now")


def _title(muster: Muster, unit_id: str) -> str:
    group = muster.group(unit_id)
    where = f"enters on turn {group.enters}" if group.enters else area_words(group.area)
    return f"{muster.name(unit_id)}, {where}"


def _read_line(_unit_id: str, text: str) -> str:
    """Return the canonical form of a typed line, with facing before entrenchment. Raises IllegalOrder."""
    *words, last = text.split() or [""]
    turned = [*words[:-1], last, words[-1]] if len(words) == 2 and words[1].lower() in DUG else [*words, last]
    place = read_place(" ".join(turned))
    if isinstance(place, Refusal):
        raise IllegalOrder(place.rule, place.reason)
    return place.text


def places_of(lines: dict[str, str]) -> dict[str, Place]:
    """Return the parsed lines of a deployment."""
    return {unit_id: parse_place(text) for unit_id, text in lines.items()}
