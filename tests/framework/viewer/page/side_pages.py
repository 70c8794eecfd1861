"""Helpers for pages of games that differ only in secrets of another side: the pages must be equal byte by byte.

Hashes and salted digests, which commit to secrets, may differ; they are only in the log's island.
"""

import re
from typing import Any

from msgspec import json

from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import make_header
from sandtable.journal.record import log_lines
from sandtable.kernel.dice import KeyedDice
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Prepared
from sandtable.viewer.page.document import islands_of, page_of
from sandtable.viewer.page.page_data import tell


def side_page(game: Game, prepared: Prepared, side: str, length: int) -> bytes:
    """Return the page of the first ``length`` records of a game as ``side`` saw it."""
    assert isinstance(game.dice, KeyedDice)
    header = make_header(prepared, dict.fromkeys(prepared.ruleset.seats, "random"), game.dice)
    part = prepared.new_game(game.dice)
    part.records = game.records[:length]
    first, rest, _ = log_lines(header, part)
    return page_of([tell(parse_log(first + rest, "log"), prepared, side)])


def without_log(page: bytes) -> bytes:
    """Return a page without its log."""
    return re.sub(rb'<script type="text/plain" id="log-0">[^<]*</script>', b"", page)


def lines_of(page: bytes) -> list[Any]:
    """Return the lines of a page without hashes, digests and salts, which commit to closed parts."""
    found = []
    for line in islands_of(page, "page")["log-0"].splitlines():
        record = json.decode(line)
        for name in ("hash", "root", "path", "digest", "salt"):
            record.pop(name, None)
        record["asked"] = record.get("asked", "").partition("#")[0]
        found.append(record)
    return found


def assert_alike(one: bytes, other: bytes) -> None:
    """Fail if one of two pages reveals something that the other does not."""
    assert without_log(one) == without_log(other)
    assert lines_of(one) == lines_of(other)
