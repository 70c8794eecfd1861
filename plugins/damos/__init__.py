"""DAMOS, Army Group Center: divisions from the frontier to Moscow, July to December 1941.

Series rules are in this package, exclusive ones in ``agc/``: another game of the series is data and a package like
that. A turn (``sequence.py``) is two player turns of five phases. ``activation.py`` moves a force and asks, hex by
hex, whether the enemy reacts (``reactions.py``); ``combat/`` fights; ``supply.py``, ``zones.py``, ``stacking.py`` and
``retreats.py`` are the map as the rules see it. What happens is in ``events.py``, what players answer in
``orders.py``, the game at one moment in ``state.py``, the only code that changes it in ``handlers.py``. ``tables.py``
holds the printed figures, ``board.py`` what a scenario fixes. How strong the enemy's units are is secret:
``views.py``. Rule ids are those of ``rules.toml``; rulings and their options are in ``rulings.toml``.
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
    from damos.board import Board
    from damos.state import DamosState
    from sandtable.kernel.decisions import Decision, Order
    from sandtable.plugin.scenarios import Scenario

HOME = Path(__file__).parent
SCENARIOS = ("agc", "smolensk")


@cache
def options() -> tuple[Option, ...]:
    """Return the options: one for each ruling, its default first."""
    return read_options(HOME / "rulings.toml")


@hookimpl
def ruleset_manifest() -> Manifest:
    """Return the facts."""
    return Manifest(
        id="damos",
        title="DAMOS: Army Group Center",
        version="1",
        edition="series and exclusive rules of Army Group Center",
        designer="the DAMOS series",
        stage="draft",
        sides=("german", "soviet"),
        board="hexes",
        hidden=True,
        options=options(),
        endings=("moscow_held", "moscow_isolated", "objective_held", "objective_isolated", "gates", "substantial"),
        description="Operations of divisions with zones of influence, reactions, secret strengths, rail supply.",
    )


@hookimpl
def ruleset_index() -> tuple[RuleRow, ...]:
    """Return the rule index of ``rules.toml``."""
    return read_index(HOME / "rules.toml")


@hookimpl
def ruleset_scenarios() -> dict[str, Path]:
    """Return the shipped scenario files."""
    return {name: HOME / "scenarios" / f"{name}.toml" for name in SCENARIOS}


def _room(name: str) -> Any:
    """Load a module of this package when it is needed: listing rulesets must be quick."""
    return import_module(f"damos.{name}")


@hookimpl
def ruleset_parts(options: Mapping[str, str]) -> Parts:
    """Return what the kernel runs; the options choose who begins, all else they choose where it matters."""
    events, views = _room("events"), _room("views")
    return Parts(
        state_type=_room("state").DamosState,
        sequence=_room("sequence").sequence_of(options["first_player"]),
        handlers=(_room("handlers"), _room("agc.arrivals"), _room("agc.duty")),
        orders=_room("orders").ORDERS,
        events=events.EVENTS,
        view=views.view,
        visible=views.visible,
        secret_events=views.secret_events(options),
        reveals=(
            events.AttackLaunched,
            events.PlansRevealed,
            events.CombatResolved,
            events.UnitsEliminated,
            events.UnitsRebuilt,
        ),
    )


@hookimpl
def ruleset_setup(scenario: "Scenario", options: Mapping[str, str]) -> "tuple[DamosState, Board]":
    """Return the opening state and the board; raise DataError, with file and key, for data that are wrong."""
    board = _room("board").read_board(scenario, options)
    return _room("board").opening_state(board, options), board


@hookimpl
def ruleset_players() -> Mapping[str, Callable[..., Any]]:
    """Return the bots."""
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
