"""Positions: text that places pieces on the map of the fixture, and a ruleset prepared for it.

"15_pz_div sidi_rezegh armor=12 regroup; rommel sidi_rezegh; 21_pz_div waiting": all other pieces are out of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from tests.plugins.khamsin.modules import FIXTURE, changed

import khamsin
from khamsin.model.battle_events import SideActed
from khamsin.model.state import DEAD, IN_BASE, LOST, ON_MAP, WAITING, KhamsinState
from khamsin.movement.activation import roster
from khamsin.movement.resolution import attacks, ordered_moves
from khamsin.turn.sequence import SEQUENCE
from sandtable.plugin.manager import Installed, Prepared

PHASES = [step.name for step in SEQUENCE.steps]
STANDINGS = {"waiting": WAITING, "base": IN_BASE, "lost": LOST}
SHIPPED = ("crusader", "crusader_full", "teaching")


@cache
def installed() -> Installed:
    return Installed("khamsin", khamsin, "the tests")


def option_names() -> list[str]:
    return [option.name for option in installed().manifest.options]


@cache
def shipped(module: str, options: tuple[tuple[str, str], ...] = ()) -> Prepared:
    """Return a prepared module: a shipped one or the fixture."""
    source = module if module in SHIPPED else str(FIXTURE)
    return installed().prepare(source, dict(options))


def prepared_for(module: str, changes: Mapping[str, Any], options: Mapping[str, str]) -> Prepared:
    """Return a prepared module with values changed by key and these options."""
    base = shipped(module, tuple(sorted(options.items())))
    if not changes:
        return base
    scenario = changed(dict(changes), module)
    state, board = khamsin.ruleset_setup(scenario, base.options)
    state.options = base.options
    return replace(base, board=board, first_state=base.ruleset.codec.to_bytes(state), scenario=scenario)


def place_pieces(state: KhamsinState, where: str) -> None:
    """Place formations and leaders by a position; all others are lost or dead."""
    for formation in state.formations.values():
        formation.standing, formation.area = LOST, ""
    for leader in state.leaders.values():
        leader.standing, leader.area = DEAD, ""
    for row in filter(None, map(str.strip, where.split(";"))):
        piece, place, *marks = row.split()
        each: Any = state.formations.get(piece) or state.leaders[piece]
        each.standing = STANDINGS.get(place, ON_MAP)
        each.area = "" if place in STANDINGS else place
        if place == "base":
            each.area = state.board.base[each.side]
        for mark in marks:
            name, _, value = mark.partition("=")
            number = value.removeprefix("-").isdigit()
            setattr(
                each, name, value != "no" if not number and value in {"", "no"} else int(value) if number else value
            )


def sheet(state: KhamsinState, text: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Read "15_pz_div gambut sollum; rommel gambut": paths of formations and leaders from their current areas."""
    moves: dict[str, list[str]] = {}
    leaders: dict[str, list[str]] = {}
    for row in filter(None, map(str.strip, text.split(";"))):
        piece, *way = row.split()
        each: Any = state.formations.get(piece) or state.leaders.get(piece)
        start = [each.area] if each and each.area else []
        (leaders if piece in state.leaders else moves)[piece] = [*start, *way]
    return moves, leaders


# --- contents of records that hide their number ---

IDLE = ""
FATES = ("capture", "casualty", "wound")


def dice_for(state: KhamsinState, purpose: str, count: int) -> list[str] | None:
    """Return the use of each die, such as "activation:15_pz_div" or ``IDLE``, or None for an ordinary roll."""
    kind, _, rest = purpose.partition(":")
    if kind == "activation":
        rolling = attacks(state, ordered_moves(state))
        return [f"activation:{each}" if each in rolling else IDLE for each in roster(state, rest)]
    if kind == "leaders":
        people = rest.split(":")[1].split(".") if ":" in rest else []
        return [f"{fate}:{each}" for each in people for fate in FATES[-(count // len(people)) :]]
    uses = uses_of(purpose)
    return None if uses is None else [use for use, number in uses for _ in range(number)]


def uses_of(purpose: str) -> list[tuple[str, int]] | None:
    """Return the uses of the dice in a side's roll with their numbers, or None for an ordinary roll."""
    _, side, *rest = (*purpose.split(":"), "")
    named = [each.rpartition("-") for each in rest[0].split(".") if each] if rest else []
    if purpose.startswith(("activation:", "leaders:")) or side not in {"axis", "allies"} or len(rest) > 2:
        return None
    if not all(number.isdigit() for _, _, number in named):
        return None
    return [(use.replace("-", ":"), int(number)) for use, _, number in named]


def single(happened: Iterable[Any]) -> list[Any]:
    """Return single events: each SideActed is expanded to the events inside it."""
    found: list[Any] = []
    for event in happened:
        found += event.happened if isinstance(event, SideActed) else [event]
    return found
