"""The unfinished tail of the last write, which repair cuts off."""

from pathlib import Path

import msgspec
import pytest
from cutting import chain_in, writes_in

from sandtable.errors import LogDamaged, LogError
from sandtable.hosting.ruling import Ruling, make_ruling
from sandtable.journal.file.annexes import annex_line
from sandtable.journal.file.tails import log_without_tail
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.record import Recorded
from sandtable.journal.repair import repair
from sandtable.journal.resume import resume
from sandtable.plugin.manager import Rulesets

ZEROS = bytes(20)
NOTE = annex_line({"note": 1})


def tail_of(data: bytes) -> bytes:
    return log_without_tail(data, "log").torn


def test_tail_is_the_incomplete_last_write(toy_game: Recorded) -> None:
    head, one, two, *_ = writes_in(toy_game.data)
    opening = head.splitlines(keepends=True)[1]
    assert tail_of(head) == b""
    assert tail_of(head + ZEROS) == ZEROS
    assert tail_of(head + ZEROS + b"\n") == ZEROS + b"\n"
    assert tail_of(head[:-1]) == opening[:-1]
    for torn in (two[:9], two[:-1], two[:-80] + b"\n"):
        assert tail_of(head + one + torn) == torn
    lines = two.splitlines(keepends=True)
    for place, line in enumerate(lines):
        for spoiled in (line[:20] + ZEROS + b"\n", ZEROS + b"\n", b'{"root":"' + ZEROS + b"\r\n"):
            rest = b"".join([*lines[:place], spoiled, *lines[place + 1 :]])
            assert tail_of(head + one + rest) == rest
    assert tail_of(head + one + NOTE) == b""
    assert tail_of(head + one + NOTE + lines[0]) == lines[0]
    spoiled = NOTE[:-20] + ZEROS + b"\n"
    assert tail_of(head + one + spoiled) == spoiled


def test_readable_but_altered_lines_are_not_a_tail(toy_game: Recorded) -> None:
    head, one, two, *rest = writes_in(toy_game.data)
    number = len(chain_in(head + one))
    altered = two.replace(b'"by":"', b'"by":"x')
    log = log_without_tail(b"".join([head, one, altered, *rest]), "log")
    assert (altered != two, log.broken, log.torn) == (True, number, b"")
    other = two.replace(b'"path":"', b'"path":"' + b"0" * 64)
    log = log_without_tail(b"".join([head, one, other, *rest]), "log")
    assert (log.misfit, log.torn) == ((number, "umpire"), b"")
    with pytest.raises(LogDamaged, match=r"^log: line \d+: the annex was altered"):
        tail_of(head + one + NOTE.replace(b"1", b"2", 1))
    with pytest.raises(LogError, match="line 1: this is not a Sandtable log"):
        tail_of(ZEROS + b"\n" + one)
    header = parted(head.splitlines()[0])[0]
    strange = chain([header, b'{"kind":"x","n":1,"root":"" '], START)[0]
    assert log_without_tail(strange, "log").lines == strange.splitlines()


def test_tail_holds_at_most_one_order(game: Recorded) -> None:
    """An order after the damage proves that the damaged stretch had been on disk: the game continued from it."""
    writes = writes_in(game.data)
    whole, hurt, later = b"".join(writes[:3]), writes[3], writes[4]
    number = len(chain_in(whole))
    lines = hurt.splitlines(keepends=True)
    for place in range(len(lines)):
        for left in (ZEROS, lines[place][:30] + ZEROS):
            rest = b"".join([*lines[:place], left + b"\n", *lines[place + 1 :]])
            assert tail_of(whole + rest) == rest
            log = log_without_tail(whole + rest + later, "log")
            assert log.torn == b""
            assert log.broken is not None
    for kind in (b"undo", b"ruling"):
        given = b'{"kind":"%b","n":%d,"x":1,"hash":"%b"}\n' % (kind, number + len(lines), b"0" * 64)
        log = log_without_tail(whole + ZEROS + b"\n" + given, "log")
        assert log.torn == b""
        assert log.broken is not None


def test_ruling_and_its_order_are_one_tail(game: Recorded, rulesets: Rulesets, tmp_path: Path) -> None:
    """A ruling is written together with the order that replaces an earlier one: a disk can lose either."""
    path = tmp_path / "log.jsonl"
    before = b"".join(writes_in(game.data)[:4])
    path.write_bytes(before)
    given = next(each for each in map(msgspec.json.decode, chain_in(before)) if "order" in each)
    at, order = given["n"], given["order"]
    amended = msgspec.json.encode(order | {"cell": 8 - order["cell"]}).decode()
    resumed = resume(path, rulesets)
    with resumed.writer:
        make_ruling(resumed, Ruling(None, at, amended, "wrong cell", at, "", ""), None)
    written = path.read_bytes()
    ruling, *rest = written[len(before) :].splitlines(keepends=True)
    assert (ruling[:16], rest[0][:15]) == (b'{"kind":"ruling"', b'{"kind":"order"')
    for left in (ruling[:30] + ZEROS + b"\n", ZEROS + ruling[30:]):
        torn = b"".join([left, *rest])
        path.write_bytes(before + torn)
        assert repair(path)[0] == len(torn)
        assert path.read_bytes() == before
        resume(path, rulesets).writer.close()
        later = b'{"kind":"order","n":%d,"x":1,"hash":"%b"}\n' % (len(chain_in(before + torn)), b"0" * 64)
        assert log_without_tail(before + torn + later, "log").broken is not None
    assert log_without_tail(before + ZEROS + b"\n" + b"".join(rest), "log").broken is not None  # a separate order?
    for place in range(len(rest)):
        torn = b"".join([*rest[:place], ZEROS + b"\n", *rest[place + 1 :]])
        assert tail_of(before + ruling + torn) == torn
