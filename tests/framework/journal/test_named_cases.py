"""The 207 named cases of hostile JSON: none of them passes for an order, none is answered with more than a line."""

from pathlib import Path

import pytest
from named_cases import CASES, GOOD

from sandtable.journal.format.chain import START, chain
from sandtable.journal.record import Recorded
from sandtable.journal.verification.verify import verify_log
from sandtable.players.processes import protocol
from sandtable.plugin.manager import Rulesets

MOST_LETTERS = 400
KINDS = [pytest.param(kind, marks=pytest.mark.slow) if kind == "lengths" else kind for kind in CASES]
"""A megabyte takes its time."""


def test_there_are_207_of_them() -> None:
    assert sum(map(len, CASES.values())) == 207
    assert GOOD not in [line for cases in CASES.values() for line in cases.values()]


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_a_log_with_such_a_line_under_a_good_hash_is_not_verified(
    kind: str, game: Recorded, tmp_path: Path, rulesets: Rulesets
) -> None:
    bodies = [line.partition(b',"hash":"')[0] for line in game.data.splitlines()]
    assert bodies[3] == GOOD
    path = tmp_path / "log.jsonl"
    for name, line in CASES[kind].items():
        path.write_bytes(chain([*bodies[:3], line, *bodies[4:]], START)[0])
        verdict = verify_log(path, rulesets)
        assert verdict.verdict in {"unreadable", "altered record", "broken chain", "illegal order", "diverged"}, name
        assert verdict.first_difference is not None, name
        told = verdict.first_difference.text
        assert "\n" not in told, name
        assert len(told) < MOST_LETTERS, name


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_a_bot_that_says_such_a_thing_is_no_crash_of_ours(kind: str) -> None:
    for name, line in CASES[kind].items():
        told = ""
        try:
            protocol.decode(line.replace(b'"kind":"order"', b'"type":"answer"').replace(b'"n":3', b'"id":3'))
        except ValueError as error:
            told = str(error)
        assert len(told) < MOST_LETTERS, name
