"""The unfinished tail of the last write, which repair cuts off."""

import pytest

from sandtable.errors import LogDamaged, LogError
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.tails import log_without_tail
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.openings import OPENING, key_of
from sandtable.journal.record import Recorded
from sandtable.kernel.records import OrderRecord

ZEROS = bytes(20)
NOTE = annex_line({"note": 1})


def tail_of(data: bytes) -> bytes:
    return log_without_tail(data, "log").torn


def test_remains_of_the_last_write_are_the_tail(toy_game: Recorded) -> None:
    lines = toy_game.data.splitlines(keepends=True)
    head, opening = lines[:2]
    assert tail_of(head + opening) == b""
    assert tail_of(head + opening + ZEROS) == ZEROS
    assert tail_of(head + opening + ZEROS + b"\n") == ZEROS + b"\n"
    assert tail_of(head + opening[:-1]) == opening[:-1]
    place = next(place for place, line in enumerate(lines[2:], start=2) if line.startswith(OPENING))
    assert tail_of(b"".join(lines[: place + 1])) == lines[place]
    later = b"".join(lines[place + 1 : place + 2])
    for spoiled in (b'{"kind":"opening","n"' + ZEROS + b"\n", ZEROS + b"\n"):
        assert tail_of(b"".join([*lines[:place], spoiled, later])) == spoiled + later
    assert tail_of(b"".join([*lines[:place], NOTE])) == b""
    spoiled = NOTE[:-20] + ZEROS + b"\n"
    assert tail_of(b"".join([*lines[:place], spoiled])) == spoiled


def test_readable_but_altered_lines_are_not_a_tail(toy_game: Recorded) -> None:
    lines = toy_game.data.splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines[2:], start=2) if line.startswith(OPENING))
    number = (key_of(lines[place]) or (0, ""))[0]
    for spoiled in (b"{}\n", lines[place + 1].replace(b'"n":', b'"n":1')):
        log = log_without_tail(b"".join([*lines[:place], spoiled, *lines[place + 2 :]]), "log")
        assert (log.broken, log.torn) == (number, b"")
    with pytest.raises(LogDamaged, match=rf"^log: line {place + 1}: the annex was altered"):
        tail_of(b"".join([*lines[:place], NOTE.replace(b"1", b"2", 1)]))
    with pytest.raises(LogError, match="line 1: this is not a Sandtable log"):
        tail_of(ZEROS + b"\n" + b"".join(lines[1:]))
    strange = chain([parted(lines[0][:-1])[0], b'{"kind":"x","n":1,"root":1'], START)[0]
    assert log_without_tail(strange, "log").lines == strange.splitlines()


def test_tail_holds_at_most_one_order(game: Recorded) -> None:
    """An order after the damage proves that the damaged record had been on disk: the game continued from it."""
    lines = game.data.splitlines(keepends=True)
    first, second = [each.n for each in game.game.records if isinstance(each, OrderRecord)][2:4]
    for hurt in (first, first + 1):
        for left in (ZEROS, lines[hurt][:30] + ZEROS):
            rest = [left + b"\n", *lines[hurt + 1 : second]]
            assert tail_of(b"".join([*lines[:hurt], *rest])) == b"".join(rest)
            log = log_without_tail(b"".join([*lines[:hurt], *rest, lines[second]]), "log")
            assert (log.broken, log.torn) == (hurt, b"")
    for kind in (b"undo", b"ruling"):
        later = b'{"kind":"%b","n":%d,"x":1}\n' % (kind, second)
        log = log_without_tail(b"".join([*lines[:first], ZEROS, b"\n", later]), "log")
        assert (log.broken, log.torn) == (first, b"")
