"""Games of the sortie, a campaign whose battles another ruleset fights, and logs with other battles."""

from pathlib import Path
from typing import Any

from sandtable.journal.file.annexes import annex_line
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import Recorded, play_recorded
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Prepared

CAMPAIGNS = Path(__file__).parents[1] / "framework" / "journal" / "campaigns"
NAMES = {"umpire": "kampfpanzer", "axis": "random", "allies": "random"}
KEY = key_from_seed("a")


def play_sortie(prepared: Prepared, mode: str = "open", **names: str) -> Recorded:
    """Play a complete game."""
    named = name_seats(prepared, NAMES | names)
    dice = make_dice(mode, KEY)
    return play_recorded(prepared, seat_players(prepared, named, KEY), dice, make_header(prepared, named, dice))


def with_annexes(data: bytes, facts: list[dict[str, Any]]) -> bytes:
    """Return the log with these annexes instead of the original ones."""
    head, *rest = [line for line in data.split(b"\n") if not line.startswith(b'{"kind":"annex"')]
    lines = [annex_line({key: value for key, value in each.items() if key != "kind"})[:-1] for each in facts]
    return b"\n".join([head, *lines, *rest])
