"""No verdict is bought: 100,000 logs from which proofs were removed, or which were changed as well."""

import pytest
from campaign_figures import Share
from forger import KINDS, Forged, bought, case, judged
from honest_logs import PARTS, file_of

CASES = 100_000
SHARE = 500
LIKELY = {"whole": ("verified",), "joined": ("not proven", "verified")}
"""The verdicts on honest files. Merged slices are complete if nothing in the game is closed."""


def forged(_: str, first: int, count: int, seed: str) -> list[str]:
    """Return the cases of a part of the campaign in which something was bought."""
    found = (case(number, seed) for number in range(first, first + count))
    return [f"{what}: {problem}" for what, problem in found if problem]


def honest(part: str, first: int, count: int, seed: str) -> list[str]:
    """Return the kinds of games of which an honest file does not get its verdict."""
    found = []
    for number in range(first, first + count):
        file = file_of(KINDS[number], part, Share(1, seed, []).rng(part, number))
        verdict = judged(*file)
        if verdict.verdict not in LIKELY.get(part, ("verified so far",)) or bought(
            Forged("", file.data), file, verdict
        ):
            found.append(f"{' '.join(KINDS[number])}, {part}: {verdict.text}")
    return found


@pytest.mark.slow
def test_forged_logs_get_no_verdict(campaign: Share) -> None:
    total = campaign.of(CASES)
    failures = campaign.in_parts(forged, "forged", total, SHARE)
    campaign.tried("no verdict is bought", "logs with proofs removed, or changed as well", total, failures)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_honest_logs_get_their_verdict(part: str, campaign: Share) -> None:
    total = min(len(KINDS), campaign.of(len(KINDS) * 10))
    failures = campaign.in_parts(honest, part, total, 50)
    campaign.tried("no verdict is bought", f"honest logs, {part}", total, failures)
