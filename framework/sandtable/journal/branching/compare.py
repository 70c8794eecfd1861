"""How a branch and the recorded game differ: by turn and phase, by roll, in the end."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, structs, to_builtins

from sandtable.journal.fold import effective, plain
from sandtable.journal.verification.rerun import differences
from sandtable.kernel.events import PhaseBegan, PhaseEnded, TurnBegan
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord, SealRecord
from sandtable.kernel.state import State

MOST_FIELDS = 40
_ASIDE = ("n", "hash", "asked")


class Section(Struct, frozen=True):
    """A phase of a turn: how many records each game has in it, and the first of each that differs (None: none)."""

    turn: int
    phase: str
    a: int
    b: int
    first_a: Any = None
    first_b: Any = None

    @property
    def is_same(self) -> bool:
        """Whether both have the same records in it."""
        return self.first_a is None and self.first_b is None


class Rolls(Struct, frozen=True):
    """Labels of rolls: that stand in both alike, with other faces, in the recorded game alone, in the branch alone."""

    same: int
    changed: tuple[str, ...]
    gone: int
    new: int


def sections(a: Sequence[Any], b: Sequence[Any]) -> list[Section]:
    """Return the phases of two games, those of ``a`` first where a phase is in one alone, each compared by itself."""
    ours, theirs = _by_phase(a), _by_phase(b)
    found = []
    for turn, phase in dict.fromkeys([*ours, *theirs]):
        one, other = ours.get((turn, phase), []), theirs.get((turn, phase), [])
        place = parting(one, other)
        firsts = [each[place] if place < len(each) else None for each in (one, other)]
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
        if len(found) == MOST_FIELDS:
            break
    return found


def parting(a: Sequence[Any], b: Sequence[Any]) -> int:
    """Return the first place in which two lists of records differ: the end of the shorter where it has all so far."""
    for place, (one, other) in enumerate(zip(a, b, strict=False)):
        if told(one) != told(other):
            return place
    return min(len(a), len(b))


def _by_phase(records: Sequence[Any]) -> dict[tuple[int, str], list[Any]]:
    turn, phase, ended = 0, "", ""
    found: dict[tuple[int, str], list[Any]] = {}
    for record in effective(records):
        event = record.event if isinstance(record, EventRecord) else None
        if isinstance(event, TurnBegan):
            turn, phase = event.turn, ""
        elif isinstance(event, PhaseBegan):
            phase = event.phase
        sealed = ended if isinstance(record, SealRecord) else ""  # a seal is of the phase that ended
        found.setdefault((turn, phase or sealed), []).append(record)
        if isinstance(event, PhaseEnded):
            ended, phase = phase, ""
    return found


def _dice(records: Sequence[Any]) -> dict[str, tuple[int, ...]]:
    return {each.label: each.dice for each in effective(records) if isinstance(each, RollRecord)}


def told(record: Any) -> Any:
    """Return a record as it counts here: without its number, its hash, its question, and the digests of states."""
    if isinstance(record, SealRecord | CloseRecord):
        return type(record).__name__
    bare = structs.replace(record, asked="") if isinstance(record, OrderRecord) else record
    return {key: value for key, value in to_builtins(bare).items() if key not in _ASIDE}
