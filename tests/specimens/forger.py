"""Forged logs: a proof of the game is removed, or the game is changed as well, and the chain is computed again.

The forger computes hashes, commitments and the game's id, but signs nothing. ``format_proofs`` says what a file proves.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from changes import CHANGES, FIRM_CHANGES, is_firm
from format_proofs import NO_CLOSE, NO_KEY, Tables, unproven, unshown
from honest_logs import (
    PARTS,
    File,
    Kind,
    annexes_in,
    file_of,
    game_of,
    kinds_of_games,
    prepared_for,
    prepared_of,
    replayed,
)
from rechained import rechained, tables_of
from removals import REMOVALS, openings_of, without_key, without_openings

from sandtable.errors import RulesetMissing, SandtableError
from sandtable.journal.anchors.anchors import Anchor, anchor_of
from sandtable.journal.file.reading import parse_log, split_log
from sandtable.journal.format.chain import parted
from sandtable.journal.verification.rerun import RerunObserver
from sandtable.journal.verification.verdicts import Difference, Verdict
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import UMPIRE

LABELS = ("game", "framework", "players", "options", "keys", "hash", "root", "opened")
"""Fields of the header that may differ: the game is another one then, which may be proven as well."""


KINDS = kinds_of_games()


class Forged(NamedTuple):
    """A forged file: a description, and its bytes."""

    what: str
    data: bytes


def judged(data: bytes, side: str = "", anchor: Anchor | None = None, watch: RerunObserver | None = None) -> Verdict:
    """Return the verdict on a file with the ruleset that its header names, as ``sandtable verify`` does."""
    try:
        log = split_log(data, "log")
        prepared = prepared_of(log)
    except SandtableError as error:
        verdict = "ruleset missing" if isinstance(error, RulesetMissing) else "unreadable"
        return Verdict("log", verdict, 0, Difference(verdict, 0, str(error)))
    return verify(log, prepared, side=side, anchors=[(anchor, "anchor")] if anchor else [], watch=watch)


def written(lines: Tables, annexes: list[bytes] | None = None) -> bytes:
    """Return the log of ``lines`` with a new chain, and ``annexes`` after its header."""
    first, rest = rechained(lines).split(b"\n", 1)
    return b"".join([first, b"\n", *(annexes or ()), rest])


# --- the attacks ---


def removed(rng: Random, file: File) -> Forged:
    """Return the file without one, two or three random things."""
    lines, annexes, done = tables_of(file.data), annexes_in(file.data), []
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        if annexes and not rng.randrange(4):
            annexes.pop(rng.randrange(len(annexes)))
            done.append("an annex")
        elif len(lines) > 2:
            what, lines = rng.choice(REMOVALS)(rng, lines)
            done.append(what)
    return Forged(f"without {' and '.join(done)}", written(lines, annexes))


def changed(rng: Random, file: File) -> Forged:
    """Return the file with one change, and without what may contradict it.

    In a slice something is changed that it proves without the rules, if there is such a thing.
    """
    kept, lines = rng.choice(_kept_back(rng, tables_of(file.data)))
    for _ in range(100):
        made = rng.choice(FIRM_CHANGES if file.side else CHANGES)(rng, lines)
        if made is not None and (not file.side or is_firm(lines, made.line)) and not _is_free(lines, made.line):
            return Forged(f"without {kept}: {made.what}", written(made.lines, annexes_in(file.data)))
    return Forged(f"without {kept}", written(lines, annexes_in(file.data)))


def _is_free(lines: Tables, index: int) -> bool:
    """Return whether anyone may write record ``index``: a ruling or an ending, if nobody must sign it."""
    if lines[index]["kind"] == "end":
        return not lines[index].get("signatures")
    return bool(lines[index]["kind"] == "ruling" and not lines[0].get("keys", {}).get(UMPIRE))


def _kept_back(rng: Random, lines: Tables) -> list[tuple[str, Tables]]:
    openings = openings_of(lines)
    some = {each for each in openings if rng.random() < 0.3}
    return [
        ("nothing", lines),
        ("the key", without_key(lines)),
        (f"openings {sorted(some)}", without_openings(lines, some)),
        ("all openings", without_openings(lines, set(openings))),
        ("the key and all openings", without_openings(without_key(lines), set(openings))),
    ]


def replayed_by_host(rng: Random, kind: Kind) -> tuple[Forged, str]:
    """Return a game that its host played again with other orders of a random seat, and that seat."""
    ruleset = prepared_for(kind.ruleset).ruleset
    seat = rng.choice([seat for seat, side in ruleset.seats.items() if side in ruleset.viewers])
    return Forged(f"other orders of {seat}", replayed(kind, seat)), seat


# --- purchases ---


def bought(forged: Forged, file: File, verdict: Verdict) -> str:
    """Return what the forger achieved: a verdict with exit status 0 that the file does not deserve; or ""."""
    if verdict.exit_code:
        return ""
    lacking = _lacking(forged.data, file.side, verdict)
    if lacking:
        return f"{verdict.verdict}, but {lacking[0]}"
    lines, honest = tables_of(forged.data), tables_of(file.data)
    other = _other_than(lines, honest, file.side, is_keyed=not any("key" in each for each in verdict.pending))
    if other:
        return f"{verdict.verdict}, but {other}"
    if verdict.verdict == "verified" and len(lines) < len(honest):
        return f"verified with {len(lines)} of {len(honest)} lines"
    return ""


def _lacking(data: bytes, side: str, verdict: Verdict) -> list[str]:
    """Return what a file judged with exit status 0 lacks, by the format alone."""
    if side:
        is_verified = verdict.verdict == "verified" and _is_closed(data)
        return [*unshown(data, side), *(["it is a slice"] if is_verified else ())]
    lacking = unproven(data)
    if verdict.verdict == "verified":
        return lacking
    allowed = {NO_CLOSE, *([NO_KEY] if any("key" in item for item in verdict.pending) else ())}
    is_open = any(item.startswith("the signature") for item in verdict.pending)
    return [each for each in lacking if each not in allowed and not (is_open and each.endswith("is not signed"))]


def _is_closed(data: bytes) -> bool:
    return any("root" in line and UMPIRE not in line.get("opened", {}) for line in tables_of(data))


def _other_than(lines: Tables, honest: Tables, side: str, *, is_keyed: bool) -> str:
    """Return where lines differ from the honest ones, or ""; for a slice, only what it proves without the rules.

    In the header only LABELS may differ. A slice does not prove that no public record was left out.
    """
    head, true = ({name: each for name, each in part[0].items() if name not in LABELS} for part in (lines, honest))
    if head != true:
        return f"the header has other {[name for name in {**head, **true} if head.get(name) != true.get(name)]}"
    for index in range(1, len(lines)):
        if side and not (is_firm(lines, index) and len(lines) == len(honest)):
            continue
        one, other = (_content(part[index], is_keyed=is_keyed) if index < len(part) else {} for part in (lines, honest))
        if one != other:
            names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
            return f"{one['kind']} {index} has other {', '.join(names)} than {other.get('kind', 'nothing')}"
    return ""


def _content(line: dict[str, Any], *, is_keyed: bool) -> dict[str, Any]:
    """Return what a record says, as far as its file shows it.

    Until the close shows the key, it proves neither host dice, nor digests of states and questions.
    """
    shown = line | line.get("opened", {}).get(UMPIRE, {})
    gone = {"root", "opened"} | (set() if is_keyed else {"dice", "digest"})
    asked = {} if is_keyed or "asked" not in shown else {"asked": str(shown["asked"]).partition("#")[0]}
    return {name: value for name, value in shown.items() if name not in gone} | asked


def outcome_of(forged: Forged, file: File) -> str:
    """Return what a forged file bought, or "".

    A file with exit status 0 gets the same verdict from the slow comparison, and no anchor of the honest file fits if
    its chain differs.
    """
    verdict = judged(forged.data, file.side)
    problem = bought(forged, file, verdict)
    if problem or verdict.exit_code:
        return problem
    slow = judged(forged.data, file.side, watch=RerunObserver())
    if slow.verdict != verdict.verdict:
        return f"{verdict.verdict}, but the comparison record by record says {slow.text}"
    return anchored(forged, file)


def anchored(forged: Forged, file: File) -> str:
    """Return a problem if the anchor of an honest file fits a forged one with another chain, or ""."""
    anchor = anchor_of(parse_log(file.data, "honest"))
    if judged(forged.data, file.side, anchor).exit_code:
        return ""
    one, other = ([parted(line)[0] for line in parse_log(each, "log").chain] for each in (forged.data, file.data))
    return "" if one[: len(other)] == other else "the anchor fits another chain"


def outcome_of_replay(forged: Forged, kind: Kind, seat: str) -> str:
    """Return what a host bought by other orders of ``seat``, or "": nothing, with a key of the seat or an anchor."""
    honest = game_of(kind)
    if forged.data == honest:
        return ""
    is_signed = seat in tables_of(honest)[0].get("keys", {})
    verdict = judged(forged.data)
    if is_signed and verdict.verdict != "false":
        return f"the key of {seat} did not sign these orders, but the log is {verdict.verdict}"
    return anchored(forged, File(honest))


# --- cases ---


def case(number: int, seed: str, kinds: Sequence[Kind] = KINDS) -> tuple[str, str]:
    """Forge a file; return a description of the case, and what was bought, "" for nothing.

    Everything follows from number and seed: the game (one of ``kinds``), the part of its log, and the attack.
    """
    rng = Random(f"{seed}/{number}")  # noqa: S311 - a case can be repeated
    kind = rng.choice(kinds)
    attack, part = rng.choice(("removed", "changed")), rng.choice(PARTS)
    if kind.script == "plain" and not rng.randrange(3):
        forged, seat = replayed_by_host(rng, kind)
        return f"{number}: {' '.join(kind)}: {forged.what}", outcome_of_replay(forged, kind, seat)
    file = file_of(kind, part, rng)
    forged = removed(rng, file) if attack == "removed" else changed(rng, file)
    named = " ".join(filter(None, (*kind, part, file.side)))
    return f"{number}: {named}: {forged.what}", outcome_of(forged, file)
