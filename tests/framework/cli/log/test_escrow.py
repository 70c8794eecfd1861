"""``key split`` and ``key restore``: a game survives the loss of its key file."""

import stat
from pathlib import Path

import pytest
from command_line import Refused, Run

pytest.importorskip("shamir_mnemonic", reason="shares require the extra escrow")
pytestmark = pytest.mark.usefixtures("toy_folder")

KEY = Path("x.jsonl.key")


@pytest.fixture
def hosted(run: Run) -> str:
    """Return the log of a game with hidden dice that a person left."""
    run("play", "toy", "--dice", "host", "--player", "north=human", "--out", "x.jsonl", typed="2\nquit\n", code=0)
    return "x.jsonl"


def share(name: str) -> str:
    return f"x.jsonl.shares/{name}.share"


def test_lost_key_is_restored_and_the_game_resumed(run: Run, refused: Refused, hosted: str) -> None:
    written = run("key", "split", hosted, code=0).stdout.split()
    assert written == [share(name) for name in ("north", "south", "umpire")]
    assert all(stat.S_IMODE(Path(file).stat().st_mode) == 0o600 for file in written)
    before = KEY.read_bytes()
    KEY.unlink()
    assert "name the key file" in refused(1, "resume", hosted)
    words = Path(share("umpire")).read_text()
    assert "restored" in run("key", "restore", hosted, share("south"), words, code=0).stderr
    assert KEY.read_bytes() == before
    assert stat.S_IMODE(KEY.stat().st_mode) == 0o600
    run("resume", hosted, "--player", "north=first", code=0)
    run("verify", hosted, "--deep", code=0)


def test_holders_and_their_number_can_be_named(run: Run, refused: Refused, hosted: str) -> None:
    names = [word for name in ("ann", "bob", "cleo", "dan") for word in ("--holder", name)]
    run("key", "split", hosted, *names, "--needs", "3", "--out", "safe", code=0)
    KEY.unlink()
    files = [f"safe/{name}.share" for name in ("dan", "bob", "ann")]
    assert "3 different shares" in refused(1, "key", "restore", hosted, *files[:2])
    run("key", "restore", hosted, *files, code=0)


def test_shares_of_another_game_are_refused(run: Run, refused: Refused, hosted: str) -> None:
    run("play", "toy", "--dice", "host", "--player", "north=human", "--out", "y.jsonl", typed="2\nquit\n", code=0)
    run("key", "split", "y.jsonl", "--out", "other", code=0)
    KEY.unlink()
    told = refused(3, "key", "restore", hosted, "other/north.share", "other/south.share")
    assert "its header commits to a different key" in told
    assert not KEY.exists()


def test_key_split_refuses_finished_games_and_existing_files(run: Run, refused: Refused, hosted: str) -> None:
    run("key", "split", hosted, code=0)
    before = Path(share("north")).read_bytes()
    assert "already exists" in refused(2, "key", "split", hosted)
    assert Path(share("north")).read_bytes() == before
    assert "already exists" in refused(2, "key", "restore", hosted, share("north"), share("south"))
    run("play", "toy", "--seed", "a", "--out", "open.jsonl", code=0)
    assert "only a game in progress" in refused(1, "key", "split", "open.jsonl")
    assert "not the name of a file" in refused(2, "key", "split", hosted, "--holder", "../x", "--holder", "y")
