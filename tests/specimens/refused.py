"""All that is refused of a text at once."""

from collections.abc import Callable, Sequence

import pytest

from sandtable.errors import IllegalOrder


def reasons(read: Callable[[], object]) -> list[str]:
    """Return the reasons with which ``read`` refuses, in order."""
    with pytest.raises(IllegalOrder) as refused:
        read()
    return [each.reason for each in (refused.value, *refused.value.also)]


def assert_all_named(found: Sequence[str], wanted: Sequence[str]) -> None:
    """Assert that each wrong part is told, in order, and nothing else."""
    assert len(found) == len(wanted), found
    for reason, part in zip(found, wanted, strict=True):
        assert part in reason
