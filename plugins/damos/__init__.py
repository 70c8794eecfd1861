"""DAMOS, Army Group Center: divisions from the frontier to Moscow, July to December 1941.

A turn (``turn/sequence.py``) is two player turns of five phases. ``movement/`` moves forces and offers a reaction after
each hex. ``combat/`` resolves combats. ``map/`` holds the rules about the map: terrain, zones, stacking, railways,
supply, retreats. ``model/`` holds the events, the orders, the state, the only code that changes it, and the printed
figures. The current strengths of enemy units are secret: see ``fog/views.py``. Ids of series rules begin with DM, ids
of exclusive rules with AGC; both are in ``rules.toml``. Rulings and their options are in ``rulings.toml``.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sandtable import Manifest, Option, Parts, RulesetPackage, hookimpl, read_options

if TYPE_CHECKING:
    from damos.model.board import Board
    from damos.model.state import DamosState
    from sandtable import Scenario

HOME = Path(__file__).parent
SCENARIOS = ("agc", "smolensk")
PACKAGE = RulesetPackage(__name__, HOME, SCENARIOS)

ruleset_index = PACKAGE.index
ruleset_scenarios = PACKAGE.scenarios
ruleset_bots = PACKAGE.bots(
    "bots.players.PLAYERS", deal="fog.determinization.deal", evaluate="bots.evaluation.evaluate"
)
ruleset_ui = PACKAGE.ui(
    narrate="ui.narrate.sentence",
    digest="ui.narrate.digest",
    draw="ui.draw.draw",
    picture="ui.draw.picture_of",
    read_order="ui.parsing.read_order",
    doubt="ui.parsing.doubt",
    words="ui.menus.words",
    answer="ui.asking.answers.answer",
    table="ui.asking.tables.table",
    sums="ui.asking.sums.sums",
)


@cache
def options() -> tuple[Option, ...]:
    """Return the options, one for each ruling, with its default first."""
    return read_options(HOME / "rulings.toml")


@hookimpl
def ruleset_manifest() -> Manifest:
    """Return the manifest of the game."""
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
        keeper="claims",
        secrets="strengths",
        options=options(),
        endings=("moscow_held", "moscow_isolated", "objective_held", "objective_isolated", "gates", "substantial"),
        description="Operations of divisions with zones of influence, reactions, secret strengths and rail supply.",
    )


@hookimpl
def ruleset_parts(options: Mapping[str, str]) -> Parts:
    """Return the parts that the kernel runs. Of the options, only ``first_player`` changes them."""
    events, views = PACKAGE["model.events"], PACKAGE["fog.views"]
    return Parts(
        state_type=PACKAGE["model.state"].DamosState,
        sequence=PACKAGE["turn.sequence"].sequence_of(options["first_player"]),
        handlers=(PACKAGE["model.handlers"], PACKAGE["turn.reinforcement"], PACKAGE["turn.special_rules"]),
        orders=PACKAGE["model.orders"].ORDERS,
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
    """Return the opening state and the board. Raises DataError, with file and key, if data is invalid."""
    board = PACKAGE["setup.opening"].read_board(scenario, options)
    return PACKAGE["setup.opening"].opening_state(board, options), board
