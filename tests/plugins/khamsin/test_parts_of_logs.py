"""Logs of which each side sees another part: what is closed in a file is neither proven nor accused."""

import pytest

import khamsin
from sandtable.journal.file.log import Log, parse_log
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.format.openings import OPENING, key_of
from sandtable.journal.record import play_recorded
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Installed, Prepared


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return Installed("khamsin", khamsin, "here").prepare("teaching")


@pytest.fixture(scope="module")
def lines(prepared: Prepared) -> list[bytes]:
    """Return the lines of a game with hidden dice, without its close: its key is not shown."""
    names, key = name_seats(prepared, {}), key_from_seed("parts")
    dice = make_dice("host", key)
    played = play_recorded(prepared, seat_players(prepared, names, key), dice, make_header(prepared, names, dice))
    whole = played.data.splitlines(keepends=True)
    end = len(played.game.records)
    return [line for line in whole[:-1] if place(line)[0] != end]


def place(line: bytes) -> tuple[int, str]:
    """Return of which record, and for whom, a line is an opening; (0, "") for any other line."""
    return key_of(line) or (0, "")


def without(lines: list[bytes], *sides: str) -> Log:
    """Return the log without the openings for these sides."""
    gone = [line for line in lines if line.startswith(OPENING) and place(line)[1] in sides]
    return parse_log(b"".join(line for line in lines if line not in gone), "log")


def test_what_the_umpire_holds_whole_needs_no_opening_of_a_side(lines: list[bytes], prepared: Prepared) -> None:
    log = without(lines)
    shared = {number for number, to in log.openings if to == "umpire"}
    assert any((number, "axis") in log.openings for number in shared)
    verdict = verify(log, prepared)
    assert verdict.verdict == "file ends early", verdict.first_difference
    parts = [
        line for line in lines if (key_of(line) or (0, ""))[0] in shared and (key_of(line) or (0, ""))[1] != "umpire"
    ]
    verdict = verify(parse_log(b"".join(line for line in lines if line not in parts), "log"), prepared)
    assert verdict.verdict == "file ends early", verdict.first_difference


@pytest.mark.parametrize("side", ["axis", "allies", "umpire"])
def test_without_the_openings_of_a_side_nothing_is_accused(lines: list[bytes], prepared: Prepared, side: str) -> None:
    verdict = verify(without(lines, side), prepared)
    assert verdict.verdict == "proven in part"
    assert verdict.note.endswith("the game is not finished")
    assert verdict.closed
