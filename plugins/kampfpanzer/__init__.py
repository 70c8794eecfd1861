"""KampfPanzer: armoured combat 1937 to 1940 at the level of platoons, on hexes of a hundred metres.

Both sides set up, then each turn (``sequence.py``) write a plot for every unit in secret; panic, fire and movement
carry the plots out together. Each phase is a procedure in ``phases/``. ``plotting/`` reads, judges and draws plots and
deployments; ``movement/`` is the clock on which plots are executed; ``fire.py``, ``shelling.py`` and ``results.py`` are
combat; ``ground.py`` and ``zones.py`` the map as the rules see it; ``victory.py`` judges. What happens is in
``events.py``, what players answer in ``orders.py``, the game at one moment in ``state.py``, the only code that changes
it in ``handlers.py``. ``tables.py`` holds the printed figures, ``board.py`` what a scenario fixes, ``captain/`` is the
bot. Rule ids are those of ``rules.toml``; rulings and their options are in ``rulings.toml``.
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
    from kampfpanzer.board import Board
    from kampfpanzer.state import KampfState
    from sandtable.kernel.decisions import Decision, Order
    from sandtable.plugin.scenarios import Scenario

HOME = Path(__file__).parent
SCENARIOS = (
    "spain",
    "czechoslovakia",
    "bain_tsagan",
    "poland",
    "summa",
    "hannut",
    "flavion",
    "arras",
    "abbeville",
)
SIDES = (
    "nationalists",
    "republicans",
    "germans",
    "czechs",
    "russians",
    "japanese",
    "poles",
    "finns",
    "french",
    "british",
)


@cache
def options() -> tuple[Option, ...]:
    """Return the options: one for each ruling, its default first."""
    return read_options(HOME / "rulings.toml")


@hookimpl
def ruleset_manifest() -> Manifest:
    """Return the facts."""
    return Manifest(
        id="kampfpanzer",
        title="KampfPanzer",
        version="1",
        edition="Simulations Publications, 1973",
        designer="James F. Dunnigan",
        stage="complete",
        sides=SIDES,
        board="hexes",
        hidden=True,
        options=options(),
        endings=("majority", "exited", "destroyed", "held", "bled", "reached"),
        description="Nine tank battles of 1937 to 1940: secret simultaneous plots, panic, opportunity fire, overruns.",
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
    return import_module(f"kampfpanzer.{name}")


@hookimpl
def ruleset_parts(scenario: "Scenario", options: Mapping[str, str]) -> Parts:
    """Return what the kernel runs; the options choose what is secret, all else they choose where it matters."""
    events, views = _room("events"), _room("views")
    return Parts(
        state_type=_room("state").KampfState,
        sequence=_room("sequence").SEQUENCE,
        handlers=(_room("handlers"),),
        orders=_room("orders").ORDERS,
        events=events.EVENTS,
        view=views.view,
        visible=views.visible,
        secret_events=views.secret_events(options),
        reveals=(events.PlotsWritten, events.PlotShown, events.UnitShelled),
        sides=_room("board").sides_of(scenario),
    )


@hookimpl
def ruleset_setup(scenario: "Scenario", options: Mapping[str, str]) -> "tuple[KampfState, Board]":
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
