"""Compare two games on a page: the first difference, turns and phases, dice and results.

The second game is stored as its difference from the first: common data are stored once.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Any

from sandtable.errors import LogDamaged
from sandtable.journal.branching.compare import Section, parting, rolls, sections
from sandtable.journal.fold import fitting
from sandtable.journal.format.chain import parted
from sandtable.kernel.records import EndRecord, EventRecord, OrderRecord, RollRecord, RulingRecord
from sandtable.plugin.groups import nothing
from sandtable.rules.notation.wording import described
from sandtable.viewer.narrate import capital, in_words
from sandtable.viewer.narrate import sentence as sentence_of
from sandtable.viewer.page.page_data import GameData

LONGEST = 160
MAX_LABELS = 12
"""Maximum number of differing rolls that are named."""


def compared(game: GameData, other: GameData) -> dict[str, Any]:
    """Return the comparison of two games, as plain data.

    ``first`` is the first record of the first game that differs in the other, or 0. ``turns`` are all turns, with the
    phases that differ and the number of those that do not.
    """
    place = parting(game.records, other.records)
    same = place == len(game.records) == len(other.records)
    first = 0 if same else game.records[place].n if place < len(game.records) else game.last
    counted = rolls(game.records, other.records)
    by_turn = groupby(sections(game.records, other.records), key=lambda each: each.turn)
    return {
        "first": first,
        "rolls": {"same": counted.same, "changed": len(counted.changed), "gone": counted.gone, "fresh": counted.new},
        "labels": counted.changed[:MAX_LABELS],
        "turns": [_turn(turn, list(found), game, other) for turn, found in by_turn],
        "ends": [game.result.rstrip("."), other.result.rstrip(".")],
    }


def _turn(turn: int, found: Sequence[Section], game: GameData, other: GameData) -> dict[str, Any]:
    differing = [each for each in found if not each.is_same]
    phases = [
        {
            "phase": each.phase,
            "counts": [each.a, each.b],
            "firsts": [_first(each.first_a, game), _first(each.first_b, other)],
        }
        for each in differing
    ]
    return {"turn": turn, "same": len(found) - len(differing), "phases": phases}


def _first(record: Any, game: GameData) -> tuple[int, str]:
    """Return the first differing record of a phase and its sentence; the number is 0 if there is no record."""
    return (record.n, _words(record, game)) if record is not None else (0, "nothing more")


def _words(record: Any, game: GameData) -> str:
    """Return the narration of a record, or a short description if there is none."""
    with fitting("the log", f"record {record.n} cannot be narrated"):
        sentence = (game.prepared.installed.ui.narrate or nothing)(record, game.prepared.board)
    if sentence:
        return sentence
    if isinstance(record, RollRecord):
        needs = f", needing {' '.join(map(str, record.needs))}" if record.needs else ""
        return f"roll {record.label}: {' '.join(map(str, record.dice))}{needs}"
    if isinstance(record, OrderRecord):
        return f"{capital(in_words(record.by))} orders {described(record.order, LONGEST)}"
    if isinstance(record, RulingRecord):
        return f"A ruling: {record.reason}"
    if isinstance(record, EndRecord):
        return sentence_of(record, None) or ""
    if isinstance(record, EventRecord):
        return described(record.event, LONGEST)
    return type(record).__name__.removesuffix("Record").lower()


# --- the second game as a difference from the first ---


def lean(mine: Any, first: Any) -> Any:
    """Return plain data of the second game without data that equal the first's; the page's scripts restore them.

    "same" means that all is equal. A "list" keeps the items after a common beginning, and "each" the differences of
    lists of equally many tables. A "table" keeps changed and removed keys.
    """
    if mine == first and isinstance(mine, list | dict) and mine:
        return {"~": "same"}
    if isinstance(mine, list) and isinstance(first, list):
        if mine and len(mine) == len(first) and all(isinstance(each, dict) for each in (*mine, *first)):
            return {"~": "each", "of": [lean(each, other) for each, other in zip(mine, first, strict=True)]}
        shared = next((at for at, pair in enumerate(zip(mine, first, strict=False)) if pair[0] != pair[1]), None)
        same = min(len(mine), len(first)) if shared is None else shared
        return {"~": "list", "same": same, "more": mine[same:]} if same else mine
    if isinstance(mine, dict) and (isinstance(first, dict) or "~" in mine):
        known: Mapping[Any, Any] = first if isinstance(first, dict) else {}
        changed = {key: value for key, value in mine.items() if key not in known or known[key] != value}
        gone = [key for key in known if key not in mine]
        return {"~": "table", "gone": gone, "set": {key: lean(each, known.get(key)) for key, each in changed.items()}}
    return mine


def restored(mine: Any, first: Any) -> Any:
    """Return the data that ``lean`` shortened, restored as the page's scripts do."""
    if not isinstance(mine, dict) or "~" not in mine:
        return mine
    match mine["~"]:
        case "same":
            return first
        case "each":
            return [restored(each, other) for each, other in zip(mine["of"], first, strict=True)]
        case "list":
            return [*first[: mine["same"]], *mine["more"]]
    known = {key: value for key, value in first.items() if key not in mine["gone"]} if isinstance(first, dict) else {}
    return known | {key: restored(each, known.get(key)) for key, each in mine["set"].items()}


def lean_log(log: bytes, first: bytes) -> bytes:
    """Return a log in which each line that equals that of ``first``, except for its hash, is "=" and the hash."""
    pairs = zip_longest(log.split(b"\n"), first.split(b"\n")[: log.count(b"\n")], fillvalue=b"")
    return b"\n".join(_lean_line(line, other) for line, other in pairs)


def _lean_line(line: bytes, other: bytes) -> bytes:
    body, stored = parted(line)
    return b"=" + stored if line.endswith(b"}") and body == parted(other)[0] else line


def whole_log(log: bytes, first: bytes) -> bytes:
    """Return the log that ``lean_log`` shortened. Raises LogDamaged if a line of the first log is missing."""
    lines, found = first.split(b"\n"), []
    for at, lean in enumerate(log.split(b"\n")):
        line = lean
        if lean.startswith(b"="):
            if at >= len(lines):
                raise LogDamaged(
                    f"the second log of the page refers to line {at + 1} of the first, which does not exist"
                )
            line = parted(lines[at])[0] + (b',"hash":"%b"}' % stored if (stored := lean[1:]) else b"}")
        found.append(line)
    return b"\n".join(found)
