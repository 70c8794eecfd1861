"""A program that plays games and prints hashes of their logs: `python replaying.py WORKERS < GAMES`.

A line on stdin is [ruleset, scenario, seed, kind] as JSON: kind "usual" seats the default bots, any other name that
bot. A line on stdout is the SHA-256 of the log.
"""

import hashlib
import json
import sys
from concurrent.futures import ProcessPoolExecutor

from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import play_recorded
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Rulesets

RULESETS = Rulesets()


def played(line: str) -> str:
    """Return the SHA-256 of the log of a game."""
    ruleset, scenario, seed, kind = json.loads(line)
    prepared = RULESETS.load(ruleset).prepare(scenario)
    seats = [seat for seat in prepared.ruleset.seats if prepared.ruleset.side_of(seat) in prepared.ruleset.viewers]
    names = name_seats(prepared, {} if kind == "usual" else dict.fromkeys(seats, kind))
    key = key_from_seed(seed)
    dice = make_dice("host" if seed.endswith("7") else "open", key)
    recorded = play_recorded(prepared, seat_players(prepared, names, key), dice, make_header(prepared, names, dice))
    return hashlib.sha256(recorded.data).hexdigest()


def main() -> None:
    """Play the games of stdin."""
    lines, workers = sys.stdin.read().splitlines(), int(sys.argv[1])
    if workers == 1:
        hashes = [played(line) for line in lines]
    else:
        with ProcessPoolExecutor(max_workers=workers) as pool:
            hashes = list(pool.map(played, lines))
    print("\n".join(hashes))  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
