"""DAMOS, Army Group Center: divisions from the frontier to Moscow, July to December 1941.

A turn (``turn/sequence.py``) is two player turns of five phases. ``movement/`` moves a force and asks, hex by hex,
whether the enemy reacts; ``combat/`` fights; ``map/`` is the map as the rules see it: terrain, zones, stacking,
railways, supply, retreats. What happens, what players answer, the game at one moment, the only code that changes it,
the printed figures: ``model/``. How strong the enemy's units are is secret: ``fog/views.py``. Series rules have ids
that begin with DM, exclusive ones with AGC, both in ``rules.toml``; rulings and their options are in ``rulings.toml``.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable import Manifest, Option, Parts, RulesetPackage, hookimpl, read_options

if TYPE_CHECKING:
    from damos.fog.views import SideView
    from damos.model.board import Board
    from damos.model.state import DamosState
    from sandtable import Scenario

HOME = Path(__file__).parent
SCENARIOS = ("agc", "smolensk")
ROOMS = RulesetPackage(__name__, HOME, SCENARIOS)

ruleset_index = ROOMS.index
ruleset_scenarios = ROOMS.scenarios
ruleset_players = ROOMS.players
ruleset_deal = ROOMS.deal
ruleset_evaluate = ROOMS.evaluate
ruleset_narrate = ROOMS.narrate
ruleset_read_order = ROOMS.read_order
ruleset_answer = ROOMS.answer
ruleset_words = ROOMS.words
ruleset_table = ROOMS.table
ruleset_sums = ROOMS.sums


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
        stage="complete",
        sides=("german", "soviet"),
        board="hexes",
        hidden=True,
        options=options(),
        endings=("moscow_held", "moscow_isolated", "objective_held", "objective_isolated", "gates", "substantial"),
        description="Operations of divisions with zones of influence, reactions, secret strengths, rail supply.",
    )


@hookimpl
def ruleset_digest(records: Sequence[Any], board: "Board") -> dict[int, str]:
    """Return what ``replay`` and ``play`` tell together: a march once, with its way."""
    told: dict[int, str] = ROOMS["ui.narrate"].digest(records, board)
    return told


@hookimpl
def ruleset_parts(options: Mapping[str, str]) -> Parts:
    """Return what the kernel runs; the options choose who begins, all else they choose where it matters."""
    events, views = ROOMS["model.events"], ROOMS["fog.views"]
    return Parts(
        state_type=ROOMS["model.state"].DamosState,
        sequence=ROOMS["turn.sequence"].sequence_of(options["first_player"]),
        handlers=(ROOMS["model.handlers"], ROOMS["turn.reinforcement"], ROOMS["turn.special_rules"]),
        orders=ROOMS["model.orders"].ORDERS,
        events=events.EVENTS,
        view=views.view,
        visible=views.visible,
        secret_events=views.secret_events(options),
        reveals=(
            events.AttackLaunched,
            events.ReplacementsSpent,  # the total is open
            events.PlansRevealed,
            events.CombatResolved,
            events.UnitsEliminated,
            events.UnitsRebuilt,
        ),
    )


@hookimpl
def ruleset_setup(scenario: "Scenario", options: Mapping[str, str]) -> "tuple[DamosState, Board]":
    """Return the opening state and the board; raise DataError, with file and key, for data that are wrong."""
    board = ROOMS["setup.opening"].read_board(scenario, options)
    return ROOMS["setup.opening"].opening_state(board, options), board


@hookimpl
def ruleset_draw(view: "SideView", board: "Board", style: str, focus: str) -> str | None:
    """Return the board as text or SVG, with the zone and the supply line of the force that ``focus`` means."""
    picture: str | None = ROOMS["ui.draw"].draw(view, board, style, focus)
    return picture


@hookimpl
def ruleset_picture(view: "SideView", board: "Board") -> object:
    """Return the board as plain data, from which the replay page is made."""
    return ROOMS["ui.draw"].picture_of(view, board)
