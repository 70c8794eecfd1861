"""The verdict on a log, its first difference, and its one-line form (log format, section 11)."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import force_setattr

from sandtable.quoting import bounded, count, shortened

VERIFIED, SO_FAR, NOT_PROVEN, FALSE = "verified", "verified so far", "not proven", "false"
UNREADABLE, NO_RULESET, OTHER_FILES = "unreadable", "ruleset missing", "other ruleset files"
BROKEN_RULESET, UNCHECKED = "ruleset broken", "signatures not checked"
EXIT_CODES = {VERIFIED: 0, SO_FAR: 0, NOT_PROVEN: 5, FALSE: 1, UNREADABLE: 3}
EXIT_CODES |= dict.fromkeys((NO_RULESET, BROKEN_RULESET, OTHER_FILES, UNCHECKED), 4)
HOLDS = (VERIFIED, SO_FAR, NOT_PROVEN)
"""Verdicts on a log that nothing contradicts."""

WORST_FIRST = (3, 4, 1, 5, 0)
"""Exit statuses from the worst to the best."""
MAX_ITEMS = 6
"""Maximum number of items that a line names."""

MAX_SHOWN = 2_000
"""Maximum number of characters of a value in a Difference."""


class Difference(Struct, frozen=True):
    """The first record in which a log and the rules differ.

    ``kind`` is one of "altered record", "altered dice", "illegal order", "other question", "rules diverge", "battle
    differs", "shares" (a share or an epoch of shared dice is wrong), "anchor" (it does not match), "ruling" (a ruling
    or ending that is not proven or not possible, or a rule that does not exist), "signature" (an order that its seat
    did not sign), "standing" (a standing order that cannot be given, or an answer that is wrongly marked with one). If
    the log was not judged, ``kind`` is the verdict, such as "unreadable". ``record`` is its number, ``field`` the path
    in it; ``stored`` and ``expected`` are the two values as JSON text. ``rule`` is the rule id, and ``text`` describes
    the difference in one sentence. Fields that may contain text from a log are shortened. ``edited`` states that the
    rules were edited since, if that may be the cause (see ``edits.py``).
    """

    kind: str
    record: int
    text: str
    field: str = ""
    stored: str = ""
    expected: str = ""
    rule: str = ""
    edited: str = ""

    def __str__(self) -> str:
        return f"{self.edited}: {self.text}" if self.edited else self.text

    def __post_init__(self) -> None:
        force_setattr(self, "text", bounded(self.text))
        for name in ("field", "stored", "expected", "rule"):
            force_setattr(self, name, shortened(getattr(self, name), MAX_SHOWN))


class Verdict(Struct, frozen=True):
    """The result of ``verify``.

    ``first_difference`` is what contradicts the log, or the reason why it was not judged; its ``kind`` is the class.
    ``missing`` are the proofs that the file should have, ``pending`` those that a later record or another side's file
    shows, ``rulings`` all rulings, ``ended`` the ending that people made. ``played_with`` and ``files_here`` are hashes
    of ruleset files: those named by the log and those installed. ``game`` and ``head`` are the game's id and its last
    running hash. ``anchor`` describes the last anchor that fits, "" if none was given. ``closed`` is the number of
    records that are incomplete in the file. ``chains`` are the tips of the chains of shared dice, by name.
    """

    log: str
    verdict: str
    records: int
    first_difference: Difference | None = None
    note: str = ""
    played_with: str = ""
    files_here: str = ""
    game: str = ""
    head: str = ""
    anchor: str = ""
    closed: int = 0
    missing: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    ended: str = ""
    chains: dict[str, str] = {}

    @property
    def other_files(self) -> bool:
        """Whether the ruleset files differ from those the log was played with, whatever the verdict."""
        return self.played_with != self.files_here

    @property
    def exit_code(self) -> int:
        """The exit status: 0 verified (so far), 1 false, 3 unreadable, 4 not decided here, 5 not proven.

        4 means that the ruleset is missing, broken or edited, or that signatures were not checked.
        """
        return EXIT_CODES[self.verdict]

    @property
    def needs_words(self) -> bool:
        """Whether ``text`` contains more than the verdict and the number of records."""
        decided = self.rulings or self.ended
        return bool(self.first_difference or self.missing or self.pending or decided or self.note)

    @property
    def text(self) -> str:
        """The verdict in one line: the difference, or missing and pending proofs and the rulings."""
        found = self.first_difference
        if found is not None:
            kind = "" if found.kind == self.verdict else f"{found.kind}: "
            return f"{self.verdict}: {kind}{found}"
        parts = [f"{self.verdict}: {count(self.records, 'record')}"]
        for heading, items in (("missing", self.missing), ("pending", self.pending)):
            if items:
                parts.append(f"{heading}: {_listed(items)}")
        if self.rulings:
            parts.append(f"with {count(len(self.rulings), 'ruling')}: {_listed(self.rulings)}")
        if self.ended:
            parts.append(f"ended by people: {self.ended}")
        return "; ".join([*parts, *([self.note] if self.note else [])])


def worst(codes: Collection[int]) -> int:
    """Return the worst of the exit statuses for several logs, 0 for none."""
    return next((each for each in WORST_FIRST if each in codes), 0)


def _listed(items: Sequence[str]) -> str:
    more = f", and {len(items) - MAX_ITEMS} more" if len(items) > MAX_ITEMS else ""
    return ", ".join(items[:MAX_ITEMS]) + more


def ranges(numbers: Sequence[int]) -> str:
    """Return ascending ``numbers`` as text: "4, 7 to 9, 12"."""
    ends = [index for index, (one, other) in enumerate(pairwise(numbers), start=1) if other != one + 1]
    runs = [numbers[first:last] for first, last in pairwise([0, *ends, len(numbers)])] if numbers else []
    return ", ".join(_run(run) for run in runs)


def _run(run: Sequence[int]) -> str:
    return f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run))
