"""Positions: text that places units on a small map, and the board and state built from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec

import kampfpanzer
from kampfpanzer.model.board import Board
from kampfpanzer.model.forces import Counters, counters
from kampfpanzer.model.state import ON_MAP, WAITING, KampfState, Unit
from kampfpanzer.setup.opening import build_board, opening_state, read_board
from kampfpanzer.setup.reading import read_sheet
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.rewind import fold
from sandtable.players.players import seat_players
from sandtable.plugin.manager import Installed, Prepared
from sandtable.plugin.scenarios import load_scenario, scenario_of

FRENCH, GERMANS = SIDES = ("french", "germans")
COLUMNS, ROWS = 16, 24
CORNER = "1601"
"""The objective, far from all other hexes in use."""


@cache
def installed() -> Installed:
    return Installed("kampfpanzer", kampfpanzer, "the tests")


@cache
def shipped(scenario: str, options: tuple[tuple[str, str], ...] = ()) -> Prepared:
    return installed().prepare(scenario, dict(options))


DEFAULTS = {option.name: option.default for option in kampfpanzer.options()}


@cache
def board_of(scenario: str, **chosen: str) -> Board:
    """Return the board of a shipped scenario."""
    return read_board(load_scenario(scenario, kampfpanzer.ruleset_scenarios()), DEFAULTS | chosen)


def lines(text: str) -> dict[str, str]:
    """Read "38 P 0603; 94 D5 VD": the text after each unit number, by unit."""
    rows = [row.split(None, 1) for row in filter(None, map(str.strip, text.split(";")))]
    return {row[0]: row[1] if len(row) > 1 else "" for row in rows}


def type_of(unit_id: str) -> str:
    """Return the type of a counter."""
    kinds = counters({"ft17_movement": "8", "bt7_13": "synthetic_154"}).ids
    return next(name for name, ids in kinds.items() if unit_id in ids)


class Placed(msgspec.Struct):
    """A unit of a position: "38 0708 A entrenched D1", "29 aboard 146", "10 enters 0101/0201 turn 2"."""

    unit_id: str
    side: str
    hex: str = ""
    facing: str = ""
    carrier: str = ""
    entrenched: bool = False
    disruption: int = 0
    entries: list[str] = []
    enters: int = 0


def placed(unit_id: str, side: str, words: str) -> Placed:
    """Read one line of a position."""
    found = Placed(unit_id, side)
    rest = iter(words.split())
    for word in rest:
        if word == "aboard":
            found.carrier = next(rest)
        elif word == "enters":
            found.entries, found.enters = next(rest).split("/"), found.enters or 1
        elif word == "turn":
            found.enters = int(next(rest))
        elif word == "entrenched":
            found.entrenched = True
        elif len(word) == 4:
            found.hex = word
        elif len(word) == 2:
            found.disruption = int(word[1])
        else:
            found.facing = word
    return found


def position(**sides: str) -> dict[str, Placed]:
    """Read the position of each side; passengers get the hex of their carrier."""
    units = {unit: placed(unit, side, words) for side, text in sides.items() for unit, words in lines(text).items()}
    for unit in units.values():
        if unit.carrier:
            carrier = units[unit.carrier]
            unit.hex, unit.entries, unit.enters = carrier.hex, carrier.entries, carrier.enters
    return units


# --- the small map ---

GROUND = ("woods", "town", "slope", "hilltop")


def map_tables(features: Mapping[str, str]) -> dict[str, Any]:
    """Return the tables of a small map: kinds of terrain "0405 0506", hexsides "0404/0405", a road "0101 0102"."""
    terrain = {name: [text] for name, text in features.items() if name in GROUND}
    sides = {name.removesuffix("_sides"): [text] for name, text in features.items() if name not in (*GROUND, "road")}
    ways = {"road": features["road"].split(", ")} if "road" in features else {}
    return {
        "map": {"id": "table", "title": "The table", "provenance": "invented", "reason": "for the tests"},
        "grid": {"columns": COLUMNS, "rows": ROWS},
        "terrain": {"default": "clear", **terrain},
        "hexsides": sides,
        "ways": ways,
        "places": {"Town 1": [CORNER]},
    }


def scenario_tables(
    units: Mapping[str, Placed], features: Mapping[str, str], more: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the scenario of a position; ``more`` has panic, exits, no_move (by side), scatter, riders and victory."""
    return {
        "scenario": {
            "id": "table",
            "title": "The table",
            "turns": more.get("turns", 10),
            "sides": list(SIDES),
            "riders": more.get("riders", False),
            "scatter": more.get("scatter", list("ABCDEF")),
        },
        "map": map_tables(features),
        "forces": {side: force_tables(side, units, more) for side in SIDES},
        "victory": more.get("victory", {"kind": "majority", "place": "Town 1"}),
    }


def force_tables(side: str, units: Mapping[str, Placed], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return a side's table with groups on the map and groups that enter; an empty side gets a filler unit."""
    own = [unit for unit in units.values() if unit.side == side]
    ways = sorted({(unit.enters, tuple(unit.entries)) for unit in own}) or [(0, ())]
    groups = []
    for enters, entries in ways:
        names = [type_of(unit.unit_id) for unit in own if (unit.enters, tuple(unit.entries)) == (enters, entries)]
        place = {"enters": enters, "entries": list(entries)} if enters else {"rows": [1, ROWS], "may_entrench": True}
        groups.append({"units": {name: names.count(name) for name in names} or {FILLER[side]: 1}, **place})
    table = {"title": side.title(), "panic": more.get("panic", {}).get(side, 1), "groups": groups}
    table |= {"exits": more["exits"][side].split()} if side in more.get("exits", {}) else {}
    return table | ({"no_move": more["no_move"][side]} if side in more.get("no_move", {}) else {})


FILLER = {FRENCH: "T97", GERMANS: "M6"}


def counters_for(
    units: Mapping[str, Placed], options: Mapping[str, str], kinds: Mapping[str, Mapping[str, int]]
) -> Counters:
    """Return the counters sorted so that each side draws the identity numbers of its position."""
    listed = counters(options)
    drawn = sorted(units.values(), key=lambda unit: (SIDES.index(unit.side), unit.enters, unit.entries))
    named = [unit.unit_id for unit in drawn]
    ids = {
        name: (*(each for each in named if each in known), *(each for each in known if each not in named))
        for name, known in listed.ids.items()
    }
    changed = {name: msgspec.structs.replace(listed.kinds[name], **facts) for name, facts in kinds.items()}
    return Counters(dict(listed.kinds) | changed, ids)


def prepared_for(
    units: Mapping[str, Placed], features: Mapping[str, str], more: Mapping[str, Any], chosen: Mapping[str, str]
) -> Prepared:
    """Return the ruleset prepared for a position: a shipped scenario with a board made from the position."""
    base = shipped("hannut", tuple(sorted(chosen.items())))
    scenario = scenario_of(scenario_tables(units, features, more), "table.toml", own=True)
    listed = counters_for(units, base.options, more.get("kinds", {}))
    board = build_board(scenario.id, scenario.title, read_sheet(scenario, base.options, listed), listed, base.options)
    first = base.ruleset.codec.to_bytes(opening_state(board, base.options))
    return replace(base, board=board, first_state=first, scenario=scenario)


def unit_of(state: KampfState, each: Placed) -> Unit:
    """Return the state of a unit in the position."""
    first = state.units[each.unit_id]
    return Unit(
        kind=first.kind,
        side=each.side,
        hex=each.hex,
        standing=WAITING if each.enters else ON_MAP,
        facing=each.facing,
        carrier=each.carrier,
        disruption=each.disruption,
    )


def place_units(
    state: KampfState, units: Mapping[str, Placed], wrecks: str = "", turn: int = 1, first: int = 0
) -> None:
    """Put a state into the position before the plots of ``turn``; ``first`` is the index of phase A."""
    state.entrenchments = {each.hex: each.side for each in units.values() if each.entrenched}
    state.units = {unit_id: unit_of(state, each) for unit_id, each in units.items()}
    state.wrecks = sorted(wrecks.split())
    state.deployed = list(state.board.sides)
    state.position, state.turn = first, turn - 1


# --- games of bots ---


@cache
def played(scenario: str, seed: str, bots: tuple[str, str], options: tuple[tuple[str, str], ...] = ()) -> Game:
    """Return a finished game of bots, given in the order of the sides."""
    ready, key = shipped(scenario, options), key_from_seed(seed)
    game = ready.new_game(KeyedDice(key))
    game.play(seat_players(ready, dict(zip(ready.board.sides, bots, strict=True)), key))
    return game


def boundaries(game: Game) -> Iterator[KampfState]:
    """Yield the state at each boundary of a game, folded from the previous boundary."""
    mark = game.base
    for length in game.boundaries:
        state, mark = fold(game.ruleset, mark, game.trail[mark.length : length])
        assert isinstance(state, KampfState)
        yield state
