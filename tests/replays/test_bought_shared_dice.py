"""Forged games with shared dice: withholding or removing a share never yields a verdict of exit status 0.

The forger can compute hashes, as in ``test_bought_verdicts``, but knows no link before it is shown.
"""

from random import Random

import pytest
from changes import dice_raised
from forger import judged
from format_proofs import unproven, unshared
from honest_logs import as_slice, played, prepared_for, unfinished
from rechained import rechained, tables_of
from removals import openings_of, without_key, without_openings

RULESETS = ("axis_attack", "damos", "desert_aa", "kampfpanzer")
MODE = "shared"

pytestmark = [pytest.mark.full, pytest.mark.parametrize("ruleset", RULESETS)]


def test_complete_game_is_verified_with_nothing_missing(ruleset: str) -> None:
    verdict = judged(played(ruleset, MODE))
    assert (verdict.verdict, verdict.missing, verdict.pending) == ("verified", (), ())
    assert unproven(played(ruleset, MODE)) == []


def test_dice_need_no_key_but_the_finished_game_does(ruleset: str) -> None:
    lines = without_key(tables_of(played(ruleset, MODE)))
    verdict = judged(rechained(lines))
    assert (verdict.verdict, verdict.exit_code) == ("not proven", 5), verdict.text
    assert any("the key of the salts" in item for item in verdict.missing)
    raised = judged(rechained(dice_raised(lines)))
    assert raised.first_difference is not None
    assert (raised.verdict, raised.first_difference.kind) == ("false", "altered dice")


def test_slices_prove_all_dice(ruleset: str) -> None:
    for side in (*prepared_for(ruleset).ruleset.viewers, "public"):
        lines = tables_of(as_slice(played(ruleset, MODE), side))
        verdict = judged(rechained(lines), side)
        assert (verdict.verdict, verdict.missing) == ("verified so far", ()), verdict.text
        forged = judged(rechained(dice_raised(lines)), side)
        assert forged.first_difference is not None
        assert (forged.verdict, forged.first_difference.kind) == ("false", "altered dice")
        hidden = without_openings(dice_raised(lines), set(openings_of(lines)))
        assert judged(rechained(hidden), side).verdict == "false"


def test_unfinished_game_proves_its_dice(ruleset: str) -> None:
    for share in (0.2, 0.6):
        lines = tables_of(unfinished(played(ruleset, MODE), share))
        verdict = judged(rechained(lines))
        assert (verdict.verdict, verdict.missing) == ("verified so far", ()), verdict.text
        assert unshared(lines) == []
        assert judged(rechained(dice_raised(lines))).verdict == "false"


def test_every_share_that_is_removed_or_altered_is_false(ruleset: str) -> None:
    lines, rng = tables_of(played(ruleset, MODE)), Random(ruleset)  # noqa: S311 - a test repeats itself
    spots = [number for number, line in enumerate(lines) if line["kind"] == "shares"]
    for number in rng.sample(spots, 5):
        head, line, rest = lines[:number], lines[number], lines[number + 1 :]
        one, other = line["links"].items()
        for links in ({}, dict([one]), dict([other]), {one[0]: other[1], other[0]: one[1]}, dict([other, one])):
            verdict = judged(rechained([*head, {**line, "links": links}, *rest]))
            assert (verdict.verdict, verdict.exit_code) == ("false", 1), verdict.text
            assert verdict.first_difference is not None
            assert verdict.first_difference.record == number
        without = [*head, *({**each, "n": each["n"] - 1} for each in rest)]
        assert judged(rechained(without)).exit_code
