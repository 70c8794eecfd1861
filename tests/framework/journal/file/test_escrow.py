"""The dice key in shares of words."""

import sys
from itertools import combinations

import pytest

from sandtable.errors import DataError, PlayError
from sandtable.journal.file.escrow import MOST, restore_key, split_key

pytest.importorskip("shamir_mnemonic", reason="shares require the extra escrow")
KEY = bytes(range(32))
HOLDERS = ("allies", "axis", "umpire")


@pytest.mark.parametrize("needed", [2, 3])
def test_any_sufficient_set_of_shares_restores_the_key(needed: int) -> None:
    shares = split_key(KEY, HOLDERS, needed)
    assert list(shares) == list(HOLDERS)
    assert all(len(words.split()) == 33 for words in shares.values())
    for chosen in combinations(HOLDERS, needed):
        assert restore_key({name: shares[name] for name in chosen}) == KEY
    assert restore_key(shares) == KEY
    with pytest.raises(PlayError, match=f"{needed} different shares restore this key; {needed - 1} given"):
        restore_key({name: shares[name] for name in HOLDERS[: needed - 1]})


def test_same_share_twice_counts_once() -> None:
    words = split_key(KEY, HOLDERS, 2)["axis"]
    with pytest.raises(PlayError, match="1 given"):
        restore_key({"axis": words, "copy": words})


def test_wrong_missing_or_moved_word_is_noticed_in_its_share() -> None:
    shares = split_key(KEY, HOLDERS, 2)
    words = shares["axis"].split()
    other = "academic" if words[9] != "academic" else "zero"
    moved = [*words[:20], words[21], words[20], *words[22:]]
    for spoiled in ([*words[:9], other, *words[10:]], words[:-1], [*words, words[0]], moved, ["swordfish"], []):
        if spoiled != words:
            with pytest.raises(DataError, match="axis: is not a share"):
                restore_key({"umpire": shares["umpire"], "axis": " ".join(spoiled)})


def test_capitals_commas_and_line_ends_are_allowed() -> None:
    shares = split_key(KEY, HOLDERS, 2)
    spoken = {name: f"\n {words.upper().replace(' ', ', ')}.\n" for name, words in shares.items()}
    assert restore_key(spoken) == KEY


def test_shares_of_two_splits_cannot_be_combined() -> None:
    one, other = split_key(KEY, HOLDERS, 2), split_key(KEY, HOLDERS, 2)
    with pytest.raises(DataError, match="umpire: comes from a different split"):
        restore_key({"axis": one["axis"], "umpire": other["umpire"]})


@pytest.mark.parametrize(
    ("holders", "needed", "why"),
    [
        (("axis",), 2, "2 to 16 holders, not 1"),
        (tuple(map(str, range(MOST + 1))), 2, "not 17"),
        (("axis", "axis"), 2, "named twice"),
        (HOLDERS, 1, "--needs is 2 to 3"),
        (HOLDERS, 4, "--needs is 2 to 3"),
    ],
)
def test_impossible_split_is_refused(holders: tuple[str, ...], needed: int, why: str) -> None:
    with pytest.raises(PlayError, match=why):
        split_key(KEY, holders, needed)


def test_messages_contain_no_word_of_a_share() -> None:
    shares = split_key(KEY, HOLDERS, 2)
    with pytest.raises(DataError) as found:
        restore_key({"axis": f"{shares['axis']} zero", "umpire": shares["umpire"]})
    assert not set(str(found.value).split()) & {word for word in shares["axis"].split() if len(word) > 7}


def test_missing_package_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shamir_mnemonic", None)
    with pytest.raises(PlayError, match=r"install sandtable\[escrow\]"):
        split_key(KEY, HOLDERS, 2)
    with pytest.raises(PlayError, match=r"install sandtable\[escrow\]"):
        restore_key({"axis": "zero"})
