"""Invariants of every game: random melees and shipped scenarios, checked by the reference model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.events import GameEnded
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Prepare

from tests.plugins.kampfpanzer.oracle.reference_model import LETTERS, ReferenceModel
from tests.plugins.kampfpanzer.positions import installed, place_units, position, prepared_for

# --- melees ---

FRENCH = {
    "1": "S35", "2": "S35", "11": "H39", "19": "B1", "26": "inf", "27": "inf", "28": "inf", "35": "gun", "39": "gun",
}  # fmt: skip
GERMAN = {
    "94": "PzII", "95": "PzII", "105": "PzIVE", "91": "PzI", "112": "inf", "113": "inf", "115": "gun", "40": "gun",
}  # fmt: skip
VEHICLES = {"french": ("138", "146"), "germans": ("139", "147")}
GROUND = ("woods", "town", "slope", "hilltop")
SIDES = ("stream_sides", "ford_sides", "crest_sides", "woods_sides")


def melee(stream: Stream, chosen: dict[str, str]) -> Game:
    """Return a game with both forces on a few hexes of random terrain, some units in vehicles or entrenched."""
    hexes = [f"{column:02}{row:02}" for column in range(5, 13) for row in range(7, 15)]
    sides = {}
    for side, force in (("french", FRENCH), ("germans", GERMAN)):
        rows = []
        for unit, kind in force.items():
            place = hexes.pop(stream.below(len(hexes)))
            extra = " entrenched" if kind in {"inf", "gun"} and stream.one_in(4) else ""
            rows.append(f"{unit} {place}{' ' + LETTERS[stream.below(6)] if kind == 'gun' else ''}{extra}")
        rows += [f"{vehicle} {hexes.pop(stream.below(len(hexes)))}" for vehicle in VEHICLES[side]]
        foot = [place for place, row in enumerate(rows) if force.get(row.split()[0]) in {"inf", "gun"}]
        rider = foot[stream.below(len(foot))]
        rows[rider] = f"{rows[rider].split()[0]} aboard {VEHICLES[side][0]}"
        sides[side] = "; ".join(rows)
    ground = random_ground(stream)
    units = position(**sides)
    prepared = prepared_for(units, ground, {"panic": {"french": 2, "germans": 3}, "turns": 5}, chosen)
    state: Any = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    place_units(state, units, f"0{5 + stream.below(4)}10", first=prepared.ruleset.sequence.first)
    return Game(prepared.ruleset, state, KeyedDice(key_from_seed(str(stream.below(1 << 30)))))


def random_ground(stream: Stream) -> dict[str, str]:
    """Return random map features for ``prepared_for``: hexes of each kind, hexsides, and a road across."""
    hexes = [f"{column:02}{row:02}" for column in range(5, 13) for row in range(7, 15)]
    ground = {name: " ".join(hexes.pop(stream.below(len(hexes))) for _ in range(4)) for name in GROUND}
    down = [(f"{column:02}{row:02}", f"{column:02}{row + 1:02}") for column in range(5, 13) for row in range(7, 14)]
    for name in SIDES:
        pairs = [down.pop(stream.below(len(down))) for _ in range(4)]
        ground[name] = " ".join(f"{a}/{b}" for a, b in pairs)
    column = 5 + stream.below(8)
    ground["road"] = " ".join(f"{column:02}{row:02}" for row in range(7, 15))
    return ground


def play(game: Game, stream: Stream, model: ReferenceModel) -> None:
    """Play random orders to the end, and let the reference model check every event."""
    seen = 0
    game.start()
    while True:
        fresh, seen = list(game.records)[seen:], len(game.records)
        for record in fresh:
            if isinstance(record, EventRecord):
                model.read(record.event)
        assert msgspec.to_builtins(model.state) == msgspec.to_builtins(game.state)
        if game.is_over:
            return
        decision = game.waiting()[0]
        order = decision.options.sample(stream)
        refusal = decision.options.why_not(order)
        assert refusal is None, refusal
        game.submit(order, decision.seat)


MELEES = [
    *(pytest.param(f"melee {seed}", True) for seed in range(12)),
    *(pytest.param(f"options {seed}", False, marks=pytest.mark.full) for seed in range(20)),
    *(pytest.param(f"melee {seed}", seed % 2 == 0, marks=pytest.mark.slow) for seed in range(100, 500)),
]
"""Seeds, and whether the options are the defaults; otherwise they are random."""


@pytest.mark.rule("KP-5.0b", "KP-5.0d", "KP-6.0c", "KP-6.1a", "KP-6.1b", "KP-6.3a", "KP-6.3b", "KP-6.4a")
@pytest.mark.rule("KP-7.0a", "KP-7.0c", "KP-8.0b", "KP-8.0e", "KP-9.0c", "KP-9.7a", "KP-9.7b", "KP-9.39a")
@pytest.mark.rule("KP-9.39b", "KP-9.69a", "KP-9.71b", "KP-9.71d", "KP-9.83a", "KP-9.91a", "KP-9.92a", "KP-10.0k")
@pytest.mark.rule("KP-11.22d", "KP-13.0b")
@pytest.mark.parametrize(("seed", "strict"), MELEES)
def test_melee_violates_no_rule(seed: str, strict: bool) -> None:
    stream = Stream(seed.encode())
    game = melee(stream, {} if strict else some_options(stream))
    play(game, stream, ReferenceModel(game, strict=strict))


def some_options(stream: Stream) -> dict[str, str]:
    """Return random values for all options."""
    known = installed().manifest.options
    return {option.name: option.values[stream.below(len(option.values))] for option in known}


@pytest.mark.full
@pytest.mark.rule("KP-2.0a", "KP-4.0c", "KP-14.0i", "KP-7.0a")
@pytest.mark.parametrize(
    "scenario",
    ["spain", "czechoslovakia", "bain_tsagan", "poland", "summa", "hannut", "flavion", "arras", "abbeville"],
)
def test_shipped_scenario_violates_no_rule(prepare: Prepare, scenario: str) -> None:
    stream = Stream(scenario.encode())
    for chosen, strict in (({}, True), (some_options(stream), False)):
        game = prepare(scenario, **chosen).new_game(KeyedDice(key_from_seed(scenario)))
        model = ReferenceModel(game, strict=strict)
        play(game, stream, model)
        ended = [record.event for record in game.records if isinstance(record, EventRecord)][-1]
        assert isinstance(ended, GameEnded)
        assert game.state.turn <= game.state.board.last_turn
        assert ended.outcome in {*game.state.board.sides, "draw"}
        assert ended.ending in {"majority", "exited", "destroyed", "held", "bled", "reached"}
