"""What chance writes on a sheet goes together, whatever was drawn on the way."""

from collections.abc import Iterable
from typing import Any

import pytest

from sandtable.kernel.dice import Stream
from sandtable.kernel.options import OneOf, Refusal, Sheet


def crowded(sheet: dict[str, Any]) -> Iterable[tuple[str, Refusal]]:
    """Only one may go to each place."""
    taken: set[Any] = set()
    for key, value in sheet.items():
        if value in taken:
            yield key, Refusal("S-1", "somebody is there")
        taken.add(value)


@pytest.mark.parametrize("places", [["mill"], ["mill", "ford"]])
def test_what_never_goes_together_is_left_blank(places: list[str]) -> None:
    for seed in range(40):
        space = Sheet({key: OneOf(places) for key in "abcdef"}, crowded)
        sheet = space.sample(Stream(b"%d" % seed))
        assert space.refusals(sheet) == {}
        assert len(sheet) <= len(places)
