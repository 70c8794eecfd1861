"""Forged games with shared dice: withholding or removing a share never yields a verdict of exit status 0.

The forger can compute hashes, as in ``test_bought_verdicts``, but knows no link before it is shown.
"""

from random import Random

import pytest
from forger import (
    FILES,
    as_slice,
    dice_raised,
    judged,
    kept_and_changed,
    openings_of,
    played,
    prepared_for,
    removed,
    unfinished,
    unproven,
    unshared,
    without_key,
    without_openings,
)
from rechained import rechained, tables_of

RULESETS = ("axis_attack", "damos", "desert_aa", "kampfpanzer")
MODE = "shared"

pytestmark = [pytest.mark.full, pytest.mark.parametrize("ruleset", RULESETS)]


def test_complete_game_is_verified_with_nothing_missing(ruleset: str) -> None:
    verdict = judged(played(ruleset, MODE), ruleset)
    assert (verdict.verdict, verdict.missing, verdict.pending) == ("verified", (), ())
    assert unproven(played(ruleset, MODE)) == []


def test_dice_need_no_key_but_the_finished_game_does(ruleset: str) -> None:
    lines = without_key(tables_of(played(ruleset, MODE)))
    verdict = judged(rechained(lines), ruleset)
    assert (verdict.verdict, verdict.exit_code) == ("not proven", 5), verdict.text
    assert any("the key of the salts" in item for item in verdict.missing)
    raised = judged(rechained(dice_raised(lines)), ruleset)
    assert raised.first_difference is not None
    assert (raised.verdict, raised.first_difference.kind) == ("false", "altered dice")


def test_slices_prove_all_dice(ruleset: str) -> None:
    for side in (*prepared_for(ruleset).ruleset.viewers, "public"):
        lines = tables_of(as_slice(played(ruleset, MODE), ruleset, side))
        verdict = judged(rechained(lines), ruleset, side)
        assert (verdict.verdict, verdict.missing) == ("verified so far", ()), verdict.text
        forged = judged(rechained(dice_raised(lines)), ruleset, side)
        assert forged.first_difference is not None
        assert (forged.verdict, forged.first_difference.kind) == ("false", "altered dice")
        hidden = without_openings(dice_raised(lines), set(openings_of(lines)))
        assert judged(rechained(hidden), ruleset, side).verdict == "false"


def test_unfinished_game_proves_its_dice(ruleset: str) -> None:
    for share in (0.2, 0.6):
        lines = tables_of(unfinished(played(ruleset, MODE), share))
        verdict = judged(rechained(lines), ruleset)
        assert (verdict.verdict, verdict.missing) == ("verified so far", ()), verdict.text
        assert unshared(lines) == []
        assert judged(rechained(dice_raised(lines)), ruleset).verdict == "false"


def test_log_with_a_removed_or_altered_share_is_false(ruleset: str) -> None:
    lines, rng = tables_of(played(ruleset, MODE)), Random(ruleset)  # noqa: S311 - a test repeats itself
    spots = [number for number, line in enumerate(lines) if line["kind"] == "shares"]
    for number in rng.sample(spots, 5):
        head, line, rest = lines[:number], lines[number], lines[number + 1 :]
        one, other = line["links"].items()
        for links in ({}, dict([one]), dict([other]), {one[0]: other[1], other[0]: one[1]}, dict([other, one])):
            verdict = judged(rechained([*head, {**line, "links": links}, *rest]), ruleset)
            assert (verdict.verdict, verdict.exit_code) == ("false", 1), verdict.text
            assert verdict.first_difference is not None
            assert verdict.first_difference.record == number
        without = [*head, *({**each, "n": each["n"] - 1} for each in rest)]
        assert judged(rechained(without), ruleset).exit_code


@pytest.mark.parametrize("sort", FILES)
def test_game_without_one_of_its_proofs_is_never_verified(ruleset: str, sort: str) -> None:
    rng = Random(f"{ruleset}/{MODE}/{sort}")  # noqa: S311 - a test repeats itself
    assert removed(rng, ruleset, MODE, sort) == []


@pytest.mark.parametrize("sort", FILES)
def test_changed_log_with_withheld_proofs_never_exits_0(ruleset: str, sort: str) -> None:
    rng = Random(f"kept/{ruleset}/{MODE}/{sort}")  # noqa: S311 - a test repeats itself
    assert kept_and_changed(rng, ruleset, MODE, sort) == []
