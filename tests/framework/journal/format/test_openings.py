"""Openings have one valid form, and the umpire's opening is complete."""

from collections.abc import Mapping

from sandtable.journal.format.openings import holder_of_whole, key_of, opening_line, salt_of

SALT = "0123456789abcdef" * 2


def test_opening_has_only_one_valid_form() -> None:
    line = opening_line(17, "axis", SALT, {"key": "x"})
    assert (key_of(line), salt_of(line)) == ((17, "axis"), SALT)
    assert key_of(opening_line(0, "a" * 64, SALT, {})) == (0, "a" * 64)
    assert key_of(opening_line(999_999_999, "a", SALT, {})) == (999_999_999, "a")
    for other in (
        opening_line(1_000_000_000, "axis", SALT, {}),
        opening_line(17, "a" * 65, SALT, {}),
        opening_line(17, "", SALT, {}),
        opening_line(17, "axis", SALT[:-1], {}),
        opening_line(17, "axis", SALT.upper(), {}),
        line.replace(b":17,", b":017,"),
        line.replace(b":17,", b":-1,"),
        b" " + line,
    ):
        assert (key_of(other), salt_of(other)) == (None, "")


def test_umpire_holds_the_complete_record_if_named_else_any_side() -> None:
    known: Mapping[tuple[int, str], bytes] = {(3, "axis"): b"of axis", (4, "umpire"): b"of the umpire"}
    assert holder_of_whole({"axis": "", "allies": ""}, known, 3) == b"of axis"
    assert holder_of_whole({"allies": ""}, known, 3) is None
    assert holder_of_whole({"axis": "", "umpire": ""}, known, 3) is None
    assert holder_of_whole({"axis": "", "umpire": ""}, known, 4) == b"of the umpire"
