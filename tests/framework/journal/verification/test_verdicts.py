"""The one-line form of a verdict."""

import pytest

from sandtable.journal.verification.verdicts import MAX_ITEMS, Difference, Verdict, ranges


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([], ""),
        ([4], "4"),
        ([4, 5], "4, 5"),
        ([4, 5, 6], "4 to 6"),
        ([1, 3, 4, 5, 9, 10], "1, 3 to 5, 9, 10"),
    ],
)
def test_record_numbers_are_written_as_ranges(numbers: list[int], words: str) -> None:
    assert ranges(numbers) == words


def test_verdict_names_missing_and_pending_proofs_and_rulings() -> None:
    verdict = Verdict("log", "not proven", 7, note="n", missing=("a", "b"), pending=("c",), rulings=("r",))
    assert verdict.text == "not proven: 7 records; missing: a, b; pending: c; with 1 ruling: r; n"


def test_verdict_names_a_few_items_and_counts_the_rest() -> None:
    items = tuple(f"item {number}" for number in range(MAX_ITEMS + 3))
    assert Verdict("log", "not proven", 1, missing=items).text.endswith(f"item {MAX_ITEMS - 1}, and 3 more")


def test_false_verdict_names_only_class_and_difference() -> None:
    found = Difference("altered dice", 3, "record 3: it is wrong", "dice[0]")
    assert Verdict("log", "false", 7, found, missing=("a",)).text == "false: altered dice: record 3: it is wrong"
    wrong = Difference("unreadable", 0, "no log")
    assert Verdict("log", "unreadable", 0, wrong).text == "unreadable: no log"
