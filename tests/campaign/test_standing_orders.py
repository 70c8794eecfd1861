"""Standing orders never misfire: random games with standing orders, withdrawals, undos and rulings."""

from pathlib import Path
from random import Random

import pytest
from campaign_figures import Share
from rechained import rechained, tables_of
from signed_games import fixed_key
from standing_games import differing_marks, fault, numbers, random_game

from sandtable.plugin.manager import Prepared, Rulesets

SPECIMENS = Path(__file__).parents[1] / "specimens"
SIDES, MODES = ("red", "green", "blue"), ("open", "host", "shared")
GAMES = 10_000


def wrong_in(prepared: Prepared, number: int, seed: str) -> str:
    """Play a game; return what is wrong with its marks, its verdict, or the verdict on it with one mark changed."""
    orders = {kind.__name__: kind for kind in prepared.ruleset.orders}
    keys = [fixed_key(side) for side in SIDES] if number % 4 == 0 else []
    played = random_game(prepared, f"{seed}/{number}", orders, keys=keys, mode=MODES[number % 3])
    for record, due, reason in differing_marks(played):
        return f"record {record.n} is marked {record.standing} {record.refused}, not {due} {reason}"
    data = played.log()
    if found := fault(data, prepared):
        return found.text
    lines = tables_of(data)
    marked = numbers(lines, lambda line: "standing" in line)
    if not marked:
        return ""
    random = Random(f"{seed}/{number}")  # noqa: S311 - a campaign can be repeated
    place = random.choice(marked)
    line = {key: value for key, value in lines[place].items() if key not in ("standing", "refused")}
    other = lines[place]["standing"] + random.choice((-1, 1))
    change = random.choice(({}, {"standing": other}, {"standing": lines[place]["standing"], "refused": "late"}))
    found = fault(rechained([*lines[:place], line | change, *lines[place + 1 :]]), prepared)
    return (
        "" if found is not None and found.record <= place else f"a change of the mark of record {place} is not noticed"
    )


def play(_: str, first: int, count: int, seed: str) -> list[str]:
    """Play games number ``first`` and later ones. Return the faults."""
    prepared = Rulesets(SPECIMENS).load("convoy").prepare()
    games = ((number, wrong_in(prepared, number, seed)) for number in range(first, first + count))
    return [f"game {number}: {wrong}" for number, wrong in games if wrong]


@pytest.mark.slow
def test_standing_orders_never_misfire(campaign: Share) -> None:
    total = campaign.of(GAMES)
    failures = campaign.in_parts(play, "convoy", total, 100)
    campaign.tried(
        "no standing order misfires", "random games with standing orders, undos and rulings", total, failures
    )
