"""A slice reveals nothing through its closed records: two games that differ in one secret order, byte by byte."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from shipped import complete_games

from sandtable.errors import SandtableError
from sandtable.journal.format.lines import LineForm
from sandtable.journal.format.salts import KeyedSalts
from sandtable.kernel.decisions import Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.ruleset import Ruleset
from sandtable.plugin.manager import Rulesets

pytestmark = pytest.mark.full

PAIRS = 60
STEPS = 8
"""Maximum number of pairs of games of a ruleset, and of orders that are given to both after the change."""
MAX_ORDERS = 600
NOT_COMPARED = {"n", "root", "hash", "digest"}
"""Fields that are numbers, salts or commitments."""


class Row(NamedTuple):
    """A record in a slice: its fields, and what the side reads: a type of event, or a roll."""

    fields: Any
    read: str


def rows_of(game: Game, side: str, start: int) -> list[Row]:
    """Return the records of the slice for ``side`` from record ``start`` on, without what depends on salts."""
    form = LineForm(game.ruleset, KeyedSalts(game.dice.salt_source))  # type: ignore[attr-defined]  # these dice have a key
    written = form.encode(game.records[start:], side)
    rows = []
    for place, body in enumerate(written.bodies):
        line = json.loads(body + b"}")
        opening = json.loads(written.openings.get(place, b"{}"))
        shown = {record["n"]: record for record in opening.get("records", ())}
        numbers = range(line["n"], line.pop("last", line["n"]) + 1)
        rows += [row_of(shown.get(number, line | opening.get("part", {}))) for number in numbers]
    return rows


def row_of(shown: dict[str, Any]) -> Row:
    fields = {name: value for name, value in shown.items() if name not in NOT_COMPARED}
    fields["asked"] = fields.get("asked", "").partition("#")[0]
    return Row(fields, shown["event"]["type"] if "event" in shown else "a roll" if "label" in shown else "")


def pairs(ruleset: Ruleset, game: Game, key: bytes) -> Iterator[tuple[str, Game, Game, int]]:
    """Yield the side that ordered, and two games that differ in one order of it that is never opened."""
    streams = {seat: Stream.for_player(key, seat) for seat in ruleset.seats}
    game.start()
    for _ in range(MAX_ORDERS):
        if game.is_over:
            return
        asked = game.waiting()[0]
        order = asked.options.sample(streams[asked.seat])
        other = asked.options.sample(streams[asked.seat])
        if asked.secret and ruleset.side_of(asked.seat) in ruleset.viewers and order != other:
            yield ruleset.side_of(asked.seat), *played_on(game, asked.seat, (order, other), key)
        game.submit(order, asked.seat)


def played_on(game: Game, seat: str, orders: tuple[Order, Order], key: bytes) -> tuple[Game, Game, int]:
    """Give each order to a copy of the game, then the same orders to both, as long as both accept them.

    Returns both games, and the index of the first order in their records.
    """
    one, other = game.fork(), game.fork()
    start = len(one.records)
    one.submit(orders[0], seat)
    other.submit(orders[1], seat)
    stream = Stream.for_player(key, "traffic")
    for _ in range(STEPS):
        if one.is_over or other.is_over or [each.seat for each in one.waiting()] != [e.seat for e in other.waiting()]:
            break
        asked = one.waiting()[0]
        order = asked.options.sample(stream)
        if other.waiting()[0].why_not(order) is not None:
            break
        one.submit(order, asked.seat)
        try:
            other.submit(order, asked.seat)
        except SandtableError:
            break
    return one, other, start


def what_tells(mine: list[Row], its: list[Row]) -> str:
    """Return the first row that differs, unless the side reads something in it.

    If it reads events of the same type next in both games, but at different positions, the records before them reveal
    it.
    """
    for place, (one, other) in enumerate(zip(mine, its, strict=False)):
        if one != other:
            first, second = (next((row.read for row in rows[place:] if row.read), "") for rows in (mine, its))
            discloses = not (one.read or other.read) or (first == second and not (one.read and other.read))
            return f"{one}\n{other}" if discloses else ""
    return ""


@pytest.mark.parametrize("name", complete_games())
def test_first_difference_in_a_slice_is_a_record_that_is_read(name: str) -> None:
    compared = 0
    for prepared in [Rulesets().load(name).prepare(each) for each in Rulesets().load(name).scenario_ids()]:
        ruleset = prepared.ruleset
        if not ruleset.hidden:
            pytest.skip(f"{name} has no secrets")
        for seed in ("traffic", "counted"):
            key = key_from_seed(f"{seed}/{name}/{prepared.scenario.id}")
            found = pairs(ruleset, prepared.new_game(KeyedDice(key)), key)
            for _, (owner, one, other, start) in zip(range(PAIRS), found, strict=False):
                for viewer in ruleset.viewers:
                    if viewer != owner:
                        mine, its = (rows_of(each, viewer, start) for each in (one, other))
                        assert not what_tells(mine, its)
                        compared += 1
    assert compared or name == "kampfpanzer", "all orders of kampfpanzer are opened"
