"""100,000 altered logs of ten kinds: each is detected, or has a different head from the true one."""

from concurrent.futures import ProcessPoolExecutor
from random import Random

import pytest
from campaign_figures import Share
from mutations import MUTATIONS, what_is_wrong

from sandtable.journal.file.reading import parse_log
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import play_recorded
from sandtable.journal.sides.slices import slice_log
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import name_seats, seat_players
from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import toy

EACH = 10_000
"""Number of mutations of each kind."""
SHARE = 250
GAMES = 8


def _prepared() -> Prepared:
    return Installed("toy", toy, "part of the framework").prepare()


def _game(prepared: Prepared, seed: str, mode: str) -> bytes:
    key = key_from_seed(seed)
    dice, names = make_dice(mode, key), name_seats(prepared, {})
    return play_recorded(prepared, seat_players(prepared, names, key), dice, make_header(prepared, names, dice)).data


def share(name: str, first: int, count: int, seed: str) -> list[str]:
    """Try mutations of one kind. Return those that were not detected."""
    prepared = _prepared()
    found = []
    for number in range(first, first + count):
        rng = Random(f"{seed}/{name}/{number}")  # noqa: S311 - a test can be repeated
        mode = ("open", "host", "manual")[number % 3]
        true, other = (_game(prepared, f"{(number + step) % GAMES}", mode) for step in (0, 1))
        side = prepared.ruleset.viewers[number % 2]
        base = true if number % 4 else slice_log(parse_log(true, "log"), prepared, side)
        wrong = what_is_wrong(MUTATIONS[name](rng, base, other), true, prepared)
        if wrong:
            found.append(f"{name} {number} ({mode}): {wrong}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTATIONS)
def test_mutated_logs_are_detected_or_unanchored(name: str, campaign: Share) -> None:
    total = campaign.of(EACH)
    tasks = [(first, min(SHARE, total - first)) for first in range(0, total, SHARE)]
    with ProcessPoolExecutor(max_workers=2) as pool:
        parts = pool.map(share, [name] * len(tasks), *zip(*tasks, strict=True), [campaign.seed] * len(tasks))
        failures = [each for part in parts for each in part]
    campaign.tried("nothing altered verifies", f"logs and slices {name.replace('_', ' ')}", total, failures)
