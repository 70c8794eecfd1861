"""Comparing a branch with the recorded game: by turn and phase, by roll, and at the end."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, structs, to_builtins

from sandtable.journal.fields import differences
from sandtable.journal.fold import effective, plain
from sandtable.kernel.events import PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import OF_CHAINS, CloseRecord, EventRecord, OrderRecord, RollRecord, SealRecord
from sandtable.kernel.state import State

MAX_FIELDS = 40
_ASIDE = ("n", "hash", "asked")


class Section(Struct, frozen=True):
    """A phase of a turn: each game's number of records, and the first record of each that differs (None: none)."""

    turn: int
    phase: str
    a: int
    b: int
    first_a: Any = None
    first_b: Any = None

    @property
    def is_same(self) -> bool:
        """Whether both games have the same records in it."""
        return self.first_a is None and self.first_b is None


class Rolls(Struct, frozen=True):
    """Comparison of rolls by label: equal in both games, with changed faces, only recorded, only in the branch."""

    same: int
    changed: tuple[str, ...]
    gone: int
    new: int


def sections(a: Sequence[Any], b: Sequence[Any]) -> list[Section]:
    """Return the compared phases of two games, in the order of ``a``; phases of ``b`` alone come last in their turn."""
    ours, theirs = _by_phase(a), _by_phase(b)
    found = []
    for turn, phase in dict.fromkeys([*ours, *theirs]):
        one, other = ours.get((turn, phase), []), theirs.get((turn, phase), [])
        index = parting(one, other)
        firsts = [each[index] if index < len(each) else None for each in (one, other)]
        found.append(Section(turn, phase, len(one), len(other), *firsts))
    return sorted(found, key=lambda each: each.turn)


def rolls(a: Sequence[Any], b: Sequence[Any]) -> Rolls:
    """Return how the rolls of two games compare, label by label."""
    ours, theirs = _dice(a), _dice(b)
    both = [label for label in ours if label in theirs]
    changed = tuple(label for label in both if ours[label] != theirs[label])
    return Rolls(len(both) - len(changed), changed, len(ours) - len(both), len(theirs) - len(both))


def states(a: State, b: State) -> list[tuple[str, str, str]]:
    """Return the first fields in which two states differ, with both values as JSON text."""
    found = []
    for each in differences(plain(a), plain(b)):
        found.append(each)
        if len(found) == MAX_FIELDS:
            break
    return found


def parting(a: Sequence[Any], b: Sequence[Any]) -> int:
    """Return the first index at which two lists of records differ, or the length of the shorter if it is a prefix."""
    for index, (one, other) in enumerate(zip(a, b, strict=False)):
        if comparable(one) != comparable(other):
            return index
    return min(len(a), len(b))


def _by_phase(records: Sequence[Any]) -> dict[tuple[int, str], list[Any]]:
    turn, phase, ended = 0, "", ""
    found: dict[tuple[int, str], list[Any]] = {}
    for record in effective(records):
        if isinstance(record, OF_CHAINS):
            continue
        event = record.event if isinstance(record, EventRecord) else None
        if isinstance(event, TurnBegan):
            turn, phase = event.turn, ""
        elif isinstance(event, PhaseBegan):
            phase = event.phase
        sealed = ended if isinstance(record, SealRecord) else ""  # a seal belongs to the phase that ended
        found.setdefault((turn, phase or sealed), []).append(record)
        if isinstance(event, PhaseEnded):
            ended, phase = phase, ""
    return found


def _dice(records: Sequence[Any]) -> dict[str, tuple[int, ...]]:
    return {each.label: each.dice for each in effective(records) if isinstance(each, RollRecord)}


def comparable(record: Any) -> Any:
    """Return the comparable part of a record: without number, hash, question and state digests."""
    if isinstance(record, SealRecord | CloseRecord):
        return type(record).__name__
    bare = structs.replace(record, asked="") if isinstance(record, OrderRecord) else record
    return {key: value for key, value in to_builtins(bare).items() if key not in _ASIDE}
