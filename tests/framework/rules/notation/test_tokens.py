"""Parts of typed lines."""

import pytest

from sandtable.notation import split_sure


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("place 2 infantry; as said", ("place 2 infantry", True)),
        ("place 2 infantry ;  AS  Said ", ("place 2 infantry ", True)),
        ("pg1 7; pg2 7; as said", ("pg1 7; pg2 7", True)),
        ("pg1 7; pg2 7", ("pg1 7; pg2 7", False)),
        ("place 2 infantry as said", ("place 2 infantry as said", False)),
        ("as said", ("as said", False)),
        ("", ("", False)),
    ],
)
def test_as_said_applies_only_after_the_last_semicolon(text: str, expected: tuple[str, bool]) -> None:
    assert split_sure(text) == expected
