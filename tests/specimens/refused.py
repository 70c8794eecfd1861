"""All refusals of a text at once."""

from collections.abc import Callable, Sequence

import pytest

from sandtable.errors import IllegalOrder


def reasons(read: Callable[[], object]) -> list[str]:
    """Return the reasons with which ``read`` refuses, in order."""
    with pytest.raises(IllegalOrder) as refused:
        read()
    return [each.reason for each in (refused.value, *refused.value.also)]


def assert_all_named(found: Sequence[str], expected: Sequence[str]) -> None:
    """Assert that exactly the wrong parts are named, in order."""
    assert len(found) == len(expected), found
    for reason, part in zip(found, expected, strict=True):
        assert part in reason
