"""KampfPanzer: armored combat from 1937 to 1940 at platoon level, on hexes of 100 meters.

After set-up, each turn (``turn/sequence.py``) begins with a secret plot for every unit. Panic, fire and movement then
carry out all plots at once.

- ``model/``: state, events, orders, handlers, printed tables, board.
- ``plotting/``: parses, checks and samples plots and deployments.
- ``movement/``: the clock that executes plots of movement.
- ``fire/``: direct and indirect fire. ``terrain/``: ground, zones and lines of sight. ``victory/``: victory conditions.
- ``tabletop/``: battles of other rulesets.

Rule ids are defined in ``rules.toml``, rulings and their options in ``rulings.toml``.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sandtable import Manifest, Option, Parts, RulesetPackage, hookimpl, read_options

if TYPE_CHECKING:
    from kampfpanzer.model.board import Board
    from kampfpanzer.model.state import KampfState
    from sandtable import Scenario

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
PACKAGE = RulesetPackage(__name__, HOME, SCENARIOS)

ruleset_index = PACKAGE.index
ruleset_scenarios = PACKAGE.scenarios
ruleset_bots = PACKAGE.bots(
    "bots.players.PLAYERS",
    deal="fog.determinization.deal",
    evaluate="bots.evaluation.evaluate",
)
ruleset_ui = PACKAGE.ui(
    narrate="ui.narrate.sentence",
    digest="ui.digest.digest",
    draw="ui.draw.draw",
    picture="ui.draw.picture_of",
    read_order="ui.parsing.read_order",
    words="ui.menus.words",
    answer="ui.asking.answers.answer",
    table="ui.asking.tables.table",
)
ruleset_battles = PACKAGE.battles(stage="tabletop.stage.stage", report="tabletop.outcome.report")


@cache
def options() -> tuple[Option, ...]:
    """Return one option per ruling, with its default value first."""
    return read_options(HOME / "rulings.toml")


@hookimpl
def ruleset_manifest() -> Manifest:
    """Return the manifest."""
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
        secret_rolls=("panic_roll_secret=hidden",),
        keeper="none",
        secrets="plots",
        options=options(),
        endings=("majority", "exited", "destroyed", "held", "bled", "reached"),
        description="Nine tank battles, 1937 to 1940: secret simultaneous plots, panic, opportunity fire, overruns.",
        umpire=(
            "KampfPanzer fights the battles. They cost about twice the general attrition of the resolver's battles "
            "(9.4 against 5.1 per company and action), and 52 % of them end 4-3 against 32 %. Do not change the umpire "
            "during a campaign."
        ),
    )


@hookimpl
def ruleset_parts(scenario: "Scenario", options: Mapping[str, str]) -> Parts:
    """Return the parts that the kernel runs; of the options, only those about secrecy matter here."""
    events, views = PACKAGE["model.events"], PACKAGE["fog.views"]
    return Parts(
        state_type=PACKAGE["model.state"].KampfState,
        sequence=PACKAGE["turn.sequence"].SEQUENCE,
        handlers=(PACKAGE["model.handlers"],),
        orders=PACKAGE["model.orders"].ORDERS,
        events=events.EVENTS,
        view=views.view,
        visible=views.visible,
        secret_events=views.secret_events(options),
        reveals=(events.PlotsWritten, events.PlotShown, events.UnitShelled),
        sides=PACKAGE["setup.reading"].sides_of(scenario),
    )


@hookimpl
def ruleset_setup(scenario: "Scenario", options: Mapping[str, str]) -> "tuple[KampfState, Board]":
    """Return the opening state and the board; raise DataError, with file and key, for invalid data."""
    board = PACKAGE["setup.opening"].read_board(scenario, options)
    return PACKAGE["setup.opening"].opening_state(board, options), board
