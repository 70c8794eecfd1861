"""Khamsin: a campaign of areas with secret written orders, whose battles are fought on a table.

A turn (``sequence.py``) is supply, arrivals, replacements and weather, secret orders, simultaneous moves, engagements,
their aftermath, and reports. ``module/`` reads the campaign module, which is the scenario: map, formations, schedules,
victory. ``movement/`` judges orders and carries them out, ``engagement/`` goes from contact to retreat by way of the
tabletop (``sandtable.rules.tabletop``), which the umpire's seat answers for, ``people/`` are leaders and honour. What a
side may know is in ``intelligence.py`` and ``views.py``. What happens is in ``events.py`` and ``battle_events.py``,
what players answer in ``orders.py``, the game at one moment in ``state.py``, the only code that changes it in
``handlers.py`` and ``battle_handlers.py``. Rule ids are those of ``rules.toml``; rulings and their options are in
``rulings.toml``.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable.plugin.hookspecs import hookimpl
from sandtable.plugin.manifest import Manifest, Option, Parts, RuleRow
from sandtable.plugin.rulefiles import read_index, read_options

if TYPE_CHECKING:
    from khamsin.module.board import Board
    from khamsin.state import KhamsinState
    from sandtable.kernel.decisions import Decision, Order
    from sandtable.plugin.scenarios import Scenario

HOME = Path(__file__).parent
SCENARIOS = ("crusader", "crusader_full", "teaching")


@cache
def options() -> tuple[Option, ...]:
    """Return the options: one for each ruling, and those of the book."""
    return read_options(HOME / "rulings.toml")


@hookimpl
def ruleset_manifest() -> Manifest:
    """Return the facts."""
    return Manifest(
        id="khamsin",
        title="Khamsin",
        version="1",
        edition="core rules 1.20 (November 2010)",
        designer="the Khamsin campaign rules",
        stage="draft",
        sides=("axis", "allies"),
        board="areas",
        hidden=True,
        options=options(),
        endings=("objective", "broken", "position", "even"),
        usual={"umpire": "resolver"},
        description="A campaign of areas with secret orders, fog of war, and battles fought on a table.",
    )


@hookimpl
def ruleset_index() -> tuple[RuleRow, ...]:
    """Return the rule index of ``rules.toml``."""
    return read_index(HOME / "rules.toml")


@hookimpl
def ruleset_scenarios() -> dict[str, Path]:
    """Return the shipped modules."""
    return {name: HOME / "scenarios" / f"{name}.toml" for name in SCENARIOS}


def _room(name: str) -> Any:
    """Load a module of this package when it is needed: listing rulesets must be quick."""
    return import_module(f"khamsin.{name}")


@hookimpl
def ruleset_parts(options: Mapping[str, str]) -> Parts:
    """Return what the kernel runs; the options choose what contact reveals, all else they choose where it matters."""
    events, battle_events, views = _room("events"), _room("battle_events"), _room("views")
    return Parts(
        state_type=_room("state").KhamsinState,
        sequence=_room("sequence").SEQUENCE,
        handlers=(_room("handlers"), _room("battle_handlers")),
        orders=_room("orders").ORDERS,
        events=(*events.EVENTS, *battle_events.EVENTS),
        view=views.view,
        visible=views.visibility(options["engagement_reveal"]),
        secret_events=views.SECRET,
        reveals=views.REVEALS,
    )


@hookimpl
def ruleset_setup(scenario: "Scenario", options: Mapping[str, str]) -> "tuple[KhamsinState, Board]":
    """Return the opening state and the board; raise DataError, with file and key, for data that are wrong."""
    board = _room("module.reading").read_board(scenario, options)
    return _room("module.opening").opening_state(board, options), board


@hookimpl
def ruleset_players() -> Mapping[str, Callable[..., Any]]:
    """Return the bots, and the resolver for the umpire's seat."""
    players: Mapping[str, Callable[..., Any]] = _room("bots").PLAYERS
    return players


@hookimpl
def ruleset_narrate(record: Any, board: "Board") -> str | None:
    """Return a sentence for a reader, or None."""
    sentence: str | None = _room("narrate").sentence(record, board)
    return sentence


@hookimpl
def ruleset_draw(view: Any, board: "Board", style: str) -> str | None:
    """Return the board as text or SVG."""
    picture: str | None = _room("draw").draw(view, board, style)
    return picture


@hookimpl
def ruleset_read_order(decision: "Decision", text: str, board: "Board") -> "Order | str | None":
    """Return the order that a person typed, or None if it is not in this game's notation; for "?" what can be typed."""
    order: Order | None = _room("typed").read_order(decision, text, board)
    return order
