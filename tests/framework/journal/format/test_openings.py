"""Openings have one valid form, and prove their content by a path to the root (section 8)."""

import pytest
from cutting import opening_of

from sandtable.journal.format.openings import key_of, root_of, salt_of

SALT = "0123456789abcdef" * 2


def test_opening_has_only_one_valid_form() -> None:
    line = opening_of(17, "axis", {"part": {"key": "x"}}, SALT)
    assert (key_of(line), salt_of(line)) == ((17, "axis"), SALT)
    assert key_of(opening_of(0, "a" * 64, {})) == (0, "a" * 64)
    assert key_of(opening_of(999_999_999, "a", {})) == (999_999_999, "a")
    for other in (
        opening_of(1_000_000_000, "axis", {}),
        opening_of(17, "a" * 65, {}),
        opening_of(17, "", {}),
        opening_of(17, "axis", {}, SALT[:-1]),
        opening_of(17, "axis", {}, SALT.upper()),
        line.replace(b":17,", b":017,"),
        line.replace(b":17,", b":-1,"),
        line.replace(b'"at":0', b'"at":-1'),
        b" " + line,
    ):
        assert (key_of(other), salt_of(other), root_of(other)) == (None, "", "")


@pytest.mark.parametrize("to", ["axis", "umpire"])
def test_every_byte_of_an_opening_is_proven_by_its_root(to: str) -> None:
    line = opening_of(17, to, {"part": {"key": "x"}}, SALT)
    root = root_of(line)
    assert len(root) == 64
    for place in range(len(line)):
        assert root_of(line[:place] + bytes([line[place] ^ 1]) + line[place + 1 :]) != root


def test_path_must_have_complete_hashes_and_the_right_leaf_index() -> None:
    line = opening_of(17, "axis", {})
    for other in (
        line.replace(b'"}', b'0"}'),
        line.replace(b"0" * 128, b""),
        line.replace(b'"at":0', b'"at":2'),
        line.replace(b',"at":0', b""),
        opening_of(17, "umpire", {}).replace(b"0" * 64 + b'"}', b"0" * 128 + b'"}'),
        opening_of(17, "umpire", {}).replace(b',"salt"', b',"at":0,"salt"'),
    ):
        assert root_of(other) == ""
