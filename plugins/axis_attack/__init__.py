"""Axis of Attack: linked missions along a track of seven sectors, with two rosters that lose and rebuild platoons.

A turn is one game, and ``turn/sequence.py`` lists its phases. The umpire's seat reports the battle, which is fought on
a table (``sandtable.tabletop``). ``mission/`` has missions and the front, ``forces/`` legal forces, ``battle/`` briefs
and reports, ``recovery/`` the steps after a battle. ``model/`` has events, orders, the state, and the only code that
changes it. Rosters are secret: ``fog/views.py`` shows each side its own.
Rule ids are those of ``rules.toml``; rulings and options are in ``rulings.toml``.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sandtable import Manifest, Option, Parts, RulesetPackage, hookimpl, read_options

if TYPE_CHECKING:
    from axis_attack.model.cards import Board
    from axis_attack.model.state import AxisState
    from sandtable import Scenario

HOME = Path(__file__).parent
PACKAGE = RulesetPackage(__name__, HOME, ("eastern_front", "armoured_clash"))

ruleset_index = PACKAGE.index
ruleset_scenarios = PACKAGE.scenarios
ruleset_bots = PACKAGE.bots(
    "bots.players.PLAYERS", deal="fog.determinization.deal", evaluate="bots.evaluation.evaluate"
)
ruleset_ui = PACKAGE.ui(
    narrate="ui.narrate.sentence",
    digest="ui.narrate.digest",
    draw="ui.draw.draw",
    fill_in="fog.completion.fill_in",
    read_order="ui.asking.doubts.read_order",
    doubt="ui.asking.doubts.doubt",
    words="ui.asking.menus.words",
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
    """Return the manifest of the ruleset."""
    return Manifest(
        id="axis_attack",
        title="Axis of Attack",
        version="1",
        edition="the Deluxe campaign",
        designer="the Axis of Attack campaign rules",
        stage="complete",
        sides=("german", "soviet"),
        board="track",
        hidden=True,
        keeper="needed",
        secrets="rosters, upgrades and written targets, which a battle needs of both sides",
        options=options(),
        endings=("home_sector", "front", "stalemate"),
        usual={"umpire": "resolver"},
        bots={"resolver": ("umpire",)},
        description="Linked missions along seven sectors; two rosters that lose and rebuild; battles on a table.",
    )


@hookimpl
def ruleset_parts(options: Mapping[str, str]) -> Parts:
    """Return the parts that the kernel runs. Here the options choose only who sees rosters."""
    events, views = PACKAGE["model.events"], PACKAGE["fog.views"]
    return Parts(
        state_type=PACKAGE["model.state"].AxisState,
        sequence=PACKAGE["turn.sequence"].SEQUENCE,
        handlers=(PACKAGE["model.handlers"],),
        orders=PACKAGE["model.orders"].ORDERS,
        events=events.EVENTS,
        view=views.view,
        visible=views.visibility(options["roster_visibility"]),
        secret_events=views.SECRET,
        reveals=views.revealing(options["roster_visibility"]),
    )


@hookimpl
def ruleset_setup(scenario: "Scenario", options: Mapping[str, str]) -> "tuple[AxisState, Board]":
    """Return the opening state and the board. Raises DataError, with file and key, if the data are wrong."""
    reading = PACKAGE["setup.reading"]
    board: Board = reading.read_board(scenario, options)
    state: AxisState = reading.opening_state(board, options)
    return state, board
