"""The hints in a slice, besides its evidence: starts of activations, digests of questions, favored sides of rolls.

The annex that names the side of a slice holds them (log format, section 8). They are not evidence: anyone can write an
annex. Starts and digests of questions only direct a search for a possible state; what the search finds must fit the
records. The sides that rolls favored are taken as stated, by the luck ledger alone.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from sandtable.errors import LogDamaged
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.log import UNREADABLE, Log
from sandtable.journal.fold import read_records
from sandtable.journal.format.limits import MAX_LINE
from sandtable.journal.sides.slices import seen_records, slice_log
from sandtable.journal.verification.rerun import Rerun, RerunObserver
from sandtable.journal.verification.stored import dice_of
from sandtable.kernel.decisions import Decision
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import DIGEST_DIGITS
from sandtable.kernel.records import RollRecord
from sandtable.plugin.manager import Prepared

_SLICE = b'{"kind":"annex","slice":"'


class Hints(Struct, frozen=True, tag_field="kind", tag="annex", omit_defaults=True, forbid_unknown_fields=True):
    """The annex of the slice for the side ``slice``.

    ``starts`` are the numbers of the records after which an activation with a question of the side began. ``questions``
    are digests of its questions: by the number of the order that answered one, or by the seat of a pending one.
    ``favors`` are, by side, the numbers of the rolls that favored it, as far as the rules state one.
    """

    slice: str
    starts: tuple[int, ...] = ()
    questions: dict[str, str] = {}
    favors: dict[str, tuple[int, ...]] = {}
    hash: str = ""

    def line(self) -> bytes:
        """Return the annex, without its line end."""
        facts = {name: each for name, each in msgspec.to_builtins(self).items() if name not in ("kind", "hash")}
        return annex_line(facts)[:-1]


def question_digest(decision: Decision) -> str:
    """Return a digest of a question: its seat, its rule, its purpose and its options, without any label."""
    outline = decision.options.outline()
    content = msgspec.json.encode((decision.seat, decision.purpose, decision.rule, outline), order="deterministic")
    return hashlib.sha256(content).hexdigest()[:DIGEST_DIGITS]


_decode = msgspec.json.Decoder(Hints).decode


def hints_in(log: Log) -> Hints:
    """Return the annex that names the side of a slice, the first if there are more; without one, an empty one.

    Raises LogDamaged if it is not in the form of this format.
    """
    line = next((line for line in log.annexes() if line.startswith(_SLICE)), None)
    if line is None:
        return Hints("")
    try:
        return _decode(line)
    except UNREADABLE as error:
        where = f"{log.name}: the annex that names its side"
        raise LogDamaged(f"{where} is not in the form of this format: {error}") from error


class Noted(RerunObserver):
    """An observer of a rerun that notes what the annexes of slices hold."""

    def __init__(self) -> None:
        self.starts: dict[str, set[int]] = {}
        self.asked: dict[str, dict[str, str]] = {}

    def ask(self, decision: Decision) -> None:
        """Note where the activation of a decision began, before its stored order is submitted."""
        if self.rerun is not None:
            game = self.rerun.game
            self._note(game, decision, str(game.number + 1))

    def _note(self, game: Game, decision: Decision, key: str) -> None:
        start = game.boundaries[-1]
        self.asked.setdefault(decision.side, {})[key] = question_digest(decision)
        self.starts.setdefault(decision.side, set()).add(game.trail[start - 1].n if start else 0)

    def hints(self, side: str, shown: Sequence[Any]) -> Hints:
        """Return the annex of the slice for ``side``, which shows the records ``shown``."""
        game = None if self.rerun is None else self.rerun.game
        if game is None:
            return Hints(side)
        for decision in game.waiting():
            self._note(game, decision, decision.seat)
        favors: dict[str, list[int]] = {}
        for roll in shown:
            if isinstance(roll, RollRecord) and (favored := game.favors.get(roll.label)):
                favors.setdefault(favored, []).append(roll.n)
        ordered = {each: tuple(numbers) for each, numbers in sorted(favors.items())}
        found = Hints(side, tuple(sorted(self.starts.get(side, ()))), self.asked.get(side, {}), ordered)
        return found if len(found.line()) < MAX_LINE else Hints(side)


def side_file(log: Log, prepared: Prepared, side: str, found: "Noted | None" = None) -> bytes:
    """Return the bytes of the slice of ``log`` for ``side``, with its hints; raises what ``slice_log`` raises.

    ``found`` is what a rerun of the log has noted, if one was made.
    """
    if not prepared.ruleset.hidden:
        return slice_log(log, prepared, side)
    data = slice_log(log, prepared, side)
    records = read_records(log, prepared.ruleset)
    seen = found or noted(log, prepared, records)
    plain, full = Hints(side).line(), seen.hints(side, seen_records(records, prepared, side)).line()
    return data.replace(plain + b"\n", full + b"\n", 1)


def noted(log: Log, prepared: Prepared, records: Sequence[Any]) -> Noted:
    """Return the hints from a rerun of the complete ``records`` of ``log``, up to the first that the rules do not give.

    Without the version that was played, nothing is rerun and there are no hints.
    """
    found = Noted()
    if log.header.ruleset_version == prepared.ruleset.version:
        found.rerun = Rerun(prepared, log, records, dice_of(log, records))
        found.rerun.run(found.ask)
    return found
