"""Whatever is done to a log, it is caught, or it has another head, and a seal tells it from the game that was played.

Nothing is ever forged under the same head. The long campaign is in ``tests/campaign/test_mutated_logs.py``.
"""

from collections.abc import Callable
from random import Random

import pytest
from cutting import chain_in, openings_in
from mutations import MUTATIONS

from sandtable.errors import SandtableError
from sandtable.journal.anchors.anchors import misfit, seal_of
from sandtable.journal.file.log import parse_log
from sandtable.journal.record import Recorded
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verify import verify
from sandtable.plugin.manager import Prepared, Rulesets

TRIES = 10


def what_is_wrong(data: bytes, true: bytes, prepared: Prepared) -> str:
    """Return what a forger achieved with ``data``, made of the log ``true``; "" where he is caught or unanchored."""
    try:
        log = parse_log(data, "log")
        verdict = verify(log, prepared)
    except SandtableError:
        return ""
    if verdict.exit_code:
        return ""
    if chain_in(data) == chain_in(true):
        forged = set(openings_in(data)) - set(openings_in(true))
        return f"an opening is forged under the same head: {forged}" if forged else ""
    if not misfit(seal_of(parse_log(true, "the true log")), log):
        return f"the log is another one, is {verdict.verdict}, and the seal fits"
    return ""


@pytest.mark.full
@pytest.mark.parametrize("mode", ["open", "host"])
@pytest.mark.parametrize("name", MUTATIONS)
def test_it_is_caught_or_unanchored(name: str, mode: str, record: Callable[..., Recorded], rulesets: Rulesets) -> None:
    prepared = rulesets.load("toy").prepare()
    true, other = record("a", mode, "toy").data, record("b", mode, "toy").data
    part = slice_log(parse_log(true, "log"), prepared, "north")
    for number in range(TRIES):
        for base in (true, part):
            data = MUTATIONS[name](Random(f"{name}/{mode}/{number}"), base, other)  # noqa: S311 - a test repeats itself
            assert what_is_wrong(data, true, prepared) == "", number


def test_of_the_report_a_stand_in_cannot_change_a_die_a_loss_or_the_winner(
    record: Callable[..., Recorded], rulesets: Rulesets
) -> None:
    """Every line of a slice is chained or committed to."""
    prepared = rulesets.load("toy").prepare()
    part = slice_log(parse_log(record(ruleset="toy").data, "log"), prepared, "north")
    for line in part.splitlines():
        if line.startswith((b'{"kind":"roll"', b'{"kind":"close"', b'{"kind":"opening"')):
            for old, new in (
                (b'"dice":[', b'"dice":[6,'),
                (b'"outcome":"', b'"outcome":"x'),
                (b'"space":', b'"space":1'),
            ):
                if old in line:
                    forged = part.replace(line, line.replace(old, new))
                    log = parse_log(forged, "forged")
                    assert log.broken is not None or log.misfit is not None
                    assert verify(log, prepared).exit_code in {1, 3}


@pytest.mark.parametrize("mode", ["host", "manual"])
def test_hidden_dice_without_a_commitment_are_refused(
    mode: str, record: Callable[..., Recorded], rulesets: Rulesets
) -> None:
    data = record("a", mode, "tictactoe").data
    assert b'"commitment":"' in data
    bare = MUTATIONS["uncommitted"](Random(1), data, data)  # noqa: S311 - a test repeats itself
    with pytest.raises(SandtableError, match="without a commitment: the key could be chosen afterwards"):
        parse_log(bare, "log")
