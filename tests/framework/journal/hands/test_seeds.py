"""The secrets that follow from one seed; the vectors are those of the log format, section 9."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from sandtable.errors import DataError
from sandtable.journal.anchors.signing import new_key
from sandtable.journal.hands.seeds import (
    BACKUP,
    LINKS,
    SALTS,
    SIGNING,
    SeatKey,
    derived,
    last_link,
    own_salt,
    read_seat_key,
)

SEED = bytes(range(32))


@pytest.mark.parametrize("purpose", [SIGNING, LINKS, SALTS, BACKUP, f"{LINKS} 2"])
def test_secret_is_derived_by_hkdf(purpose: str) -> None:
    assert derived(SEED, purpose) == HKDF(SHA256(), 32, None, purpose.encode()).derive(SEED)


def test_derived_secrets_match_the_vectors_of_the_log_format() -> None:
    page = (Path(__file__).parents[4] / "replays" / "README.md").read_text()
    shown = [
        *(derived(SEED, each).hex() for each in (SIGNING, LINKS, SALTS, BACKUP)),
        SeatKey.of_seed(SEED).public,
        own_salt(derived(SEED, SALTS), "3/italy.combat/grant/1", 16, "ab" * 32, 0),
    ]
    assert [each for each in shown if each not in page] == []


def test_each_chain_of_links_has_its_own_seed() -> None:
    assert last_link(SEED) == derived(SEED, LINKS)
    assert last_link(SEED, 2) == derived(SEED, f"{LINKS} 2") != last_link(SEED)


def test_salt_differs_by_question_hand_and_place() -> None:
    key = derived(SEED, SALTS)
    salts = {
        own_salt(key, label, start, head * 32, index)
        for label in ("1/p/a/1", "1/p/a/2")
        for start in (3, 4)
        for head in ("ab", "cd")
        for index in (0, 1)
    }
    assert len(salts) == 16
    assert {len(each) for each in salts} == {32}


def test_file_holds_a_seed_or_a_private_key(tmp_path: Path) -> None:
    file = tmp_path / "seed"
    file.write_text(SEED.hex() + "\n")
    assert read_seat_key(file).public == SeatKey.of_seed(SEED).public
    made = new_key(tmp_path / "pem")
    assert read_seat_key(tmp_path / "pem").public == made.public
    assert read_seat_key(tmp_path / "pem").salt("a", 1, "b", 0) == own_salt(derived(made.seed, SALTS), "a", 1, "b", 0)
    file.write_text("0" * 63)
    with pytest.raises(DataError, match="neither a seed"):
        read_seat_key(file)
