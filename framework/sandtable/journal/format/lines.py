"""Converting records to log lines: what all may see goes into the chain, the rest into openings."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.journal.format.codec import ENCODER, encode_bodies
from sandtable.journal.format.openings import MAX_STEP, content_of_part, content_of_step, leaf_of, opening_line
from sandtable.journal.format.salts import Salts, own_commitment
from sandtable.journal.format.secrecy import Split, split
from sandtable.journal.format.trees import Tree, leaf_hash
from sandtable.kernel.decisions import PUBLIC, UMPIRE
from sandtable.kernel.questions import AnsweredQuestion, text_of
from sandtable.kernel.records import CloseRecord, EventRecord, OrderRecord, RollRecord, SealRecord
from sandtable.kernel.ruleset import Ruleset

_encode = ENCODER.encode
_Hidden = list[tuple[Any, Split]]


class Written(NamedTuple):
    """Records as lines: the bodies, and the openings for one viewer by index in ``bodies``, without line ends."""

    bodies: list[bytes]
    openings: dict[int, bytes]


class LineForm:
    """A writer of the records of one ruleset."""

    def __init__(self, ruleset: Ruleset, salts: Salts) -> None:
        self._ruleset = ruleset
        self._salts = salts
        self._secret = frozenset(ruleset.secret_events)
        self._hides = bool(ruleset.hidden or self._secret)
        self.viewers = sorted(ruleset.viewers)

    def encode(self, records: Sequence[Any], to: str = UMPIRE) -> Written:
        """Return ``records`` as lines, with the openings for ``to`` (PUBLIC: none).

        Consecutive closed records are one step, with one line.
        """
        lines = list(records)
        hides = self._hides
        for index, record in enumerate(lines):
            kind = record.__class__
            if kind is EventRecord:
                continue
            lines[index] = self.stored(record)
            if kind is OrderRecord:
                if record.missing or record.secret:
                    hides = True
            elif kind is RollRecord and record.side:
                hides = True
        openings: dict[int, bytes] = {}
        if hides:
            lines = self._hidden(lines, openings, to)
        return Written(encode_bodies(lines), openings)

    def _hidden(self, records: Sequence[Any], openings: dict[int, bytes], to: str) -> list[Any]:
        """Return the lines of ``records`` in their stored form without what not all may see; add the ``openings``."""
        lines: list[Any] = []
        step: _Hidden = []
        secret, ruleset = self._secret, self._ruleset
        for record in records:
            line = record
            if record.__class__ is not EventRecord or record.event.__class__ in secret:
                parts = split(record, ruleset)
                if parts is not None and parts.public is None:
                    step.append((record, parts))
                    if len(step) == MAX_STEP:
                        self._add_step(step, lines, openings, to)
                    continue
                if parts is not None:
                    if step:
                        self._add_step(step, lines, openings, to)
                    line = self._partly_public(record, parts, len(lines), openings, to)
            if step:
                self._add_step(step, lines, openings, to)
            lines.append(line)
        if step:
            self._add_step(step, lines, openings, to)
        return lines

    def shown_digest(self, number: int, digest: str) -> str:
        """Return ``digest``, masked in games with secrets: a small secret is easily guessed from its bare hash."""
        return self._salts.masked(number, digest) if self._ruleset.hidden else digest

    def stored(self, record: Any) -> Any:
        """Return ``record`` in its stored form.

        Its question is text, its digest is as shown, and it has the seat's own commitment.
        """
        kind, hidden = record.__class__, self._ruleset.hidden
        if kind is OrderRecord:
            asked, salt = record.asked, record.own_salt
            if asked.__class__ is not AnsweredQuestion:
                return record
            text = self._salts.asked(record.n, asked, hidden=True) if hidden else text_of(asked)
            own = own_commitment(record.by, text, salt, _encode(record.order)) if salt else ""
            marks = own, salt, record.standing, record.refused
            return OrderRecord(record.n, record.by, record.order, record.missing, record.secret, text, *marks)
        if hidden and (kind is SealRecord or kind is CloseRecord):
            return replace(record, digest=self.shown_digest(record.n, record.digest))
        return record

    def _add_step(self, step: _Hidden, lines: list[Any], openings: dict[int, bytes], to: str) -> None:
        """Add the line of the closed records of ``step``, and its opening for ``to``; then empty ``step``."""
        whole = [_encode(record) for record, _ in step]
        first, last = step[0][0].n, step[-1][0].n
        contents = {UMPIRE: content_of_step(whole)}
        for viewer in self.viewers:
            contents[viewer] = content_of_step(
                [
                    line if seen is parts.hidden else _encode({"kind": "seen", "n": record.n, **seen})
                    for line, (record, parts) in zip(whole, step, strict=True)
                    if (seen := parts.seen.get(viewer)) is not None
                ]
            )
        root = self._root(first, contents, len(lines), openings, to)
        lines.append({"kind": "closed", "n": first, **({"last": last} if last > first else {}), "root": root})
        step.clear()

    def _partly_public(
        self, record: Any, parts: Split, index: int, openings: dict[int, bytes], to: str
    ) -> dict[str, Any]:
        """Return the line of a partly public ``record``, with ``index``, and add its opening for ``to``."""
        hidden = content_of_part(parts.hidden)
        contents = {each: hidden if each in parts.seen else b"" for each in self.viewers} | {UMPIRE: hidden}
        root = self._root(record.n, contents, index, openings, to)
        return {"kind": record.__struct_config__.tag, "n": record.n, **(parts.public or {}), "root": root}

    def _root(self, number: int, contents: dict[str, bytes], index: int, openings: dict[int, bytes], to: str) -> str:
        """Return the root over the leaves with ``contents``, and add the opening for ``to`` to ``openings``."""
        root, opening = committed(number, contents, self.viewers, self._salts, to)
        if opening:
            openings[index] = opening
        return root


def committed(
    number: int, contents: dict[str, bytes], viewers: Sequence[str], salts: Salts, to: str = UMPIRE
) -> tuple[str, bytes]:
    """Return the root, in hex, of record or step ``number``, and its opening for ``to`` (b"" for PUBLIC).

    ``contents`` has, by reader, the data that the openings show. ``viewers`` are in ascending order.
    """
    salt = salts.of_step(number)
    leaves = [leaf_of(number, each, at, salt(each), contents[each]) for at, each in enumerate(viewers)]
    own = leaf_of(number, UMPIRE, None, salt(UMPIRE), contents[UMPIRE])
    tree = Tree(leaf_hash(own), [leaf_hash(each) for each in leaves])
    root = tree.root().hex()
    if to == UMPIRE:
        return root, opening_line(own, tree.path(None))
    if to == PUBLIC:
        return root, b""
    at = list(viewers).index(to)
    return root, opening_line(leaves[at], tree.path(at))
