"""Khamsin: a campaign on areas with secret written orders, whose battles are fought on a table.

A turn (``turn/sequence.py``) consists of supply, arrivals, replacements and weather, secret orders, simultaneous moves,
engagements, their aftermath, and reports. ``setup/`` reads the campaign module, which is the scenario: map, formations,
schedules, victory. ``movement/`` judges orders and carries them out. ``engagement/`` covers the course from contact to
retreat; the tabletop (``sandtable.tabletop``) is between them, and the umpire's seat answers for it. ``leaders/`` holds
leaders and honor, ``fog/`` the knowledge of each side, ``bots/`` the bots, ``ui/`` text and pictures.

``model/`` holds events, orders, the state, and the only code that changes it. Rule ids are those of ``rules.toml``;
rulings and their options are in ``rulings.toml``.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sandtable import Manifest, Option, Parts, RulesetPackage, hookimpl, read_options

if TYPE_CHECKING:
    from khamsin.model.cards import Board
    from khamsin.model.state import KhamsinState
    from sandtable import Scenario

HOME = Path(__file__).parent
SCENARIOS = ("crusader", "crusader_full", "teaching")
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
    digest="ui.narrate.digest",
    draw="ui.draw.draw",
    fill_in="fog.completion.fill_in",
    picture="ui.draw.picture_of",
    read_order="ui.parsing.read_order",
    words="ui.menus.words",
    answer="ui.asking.answers.answer",
    table="ui.asking.tables.table",
    sums="ui.asking.sums.sums",
)


@cache
def options() -> tuple[Option, ...]:
    """Return the options: one per ruling, and those of the book."""
    return read_options(HOME / "rulings.toml")


@hookimpl
def ruleset_manifest() -> Manifest:
    """Return the manifest."""
    return Manifest(
        id="khamsin",
        title="Khamsin",
        version="1",
        edition="core rules 1.20 (November 2010)",
        designer="the Khamsin campaign rules",
        stage="complete",
        sides=("axis", "allies"),
        board="areas",
        hidden=True,
        secret_rolls=("always",),
        keeper="needed",
        secrets="positions, orders and supply",
        options=options(),
        endings=("objective", "broken", "position", "even"),
        usual={"umpire": "resolver"},
        bots={"resolver": ("umpire",)},
        description="A campaign of areas with secret orders, fog of war, and battles fought on a table.",
    )


@hookimpl
def ruleset_parts(options: Mapping[str, str]) -> Parts:
    """Return the parts that the kernel runs. Of the options, only ``engagement_reveal`` matters here."""
    events, battle_events = PACKAGE["model.events"], PACKAGE["model.battle_events"]
    views, visibility = PACKAGE["fog.views"], PACKAGE["fog.visibility"]
    return Parts(
        state_type=PACKAGE["model.state"].KhamsinState,
        sequence=PACKAGE["turn.sequence"].SEQUENCE,
        handlers=(PACKAGE["model.handlers"], PACKAGE["model.battle_handlers"]),
        orders=PACKAGE["model.orders"].ORDERS,
        events=(*events.EVENTS, *battle_events.EVENTS),
        view=views.view,
        visible=visibility.visibility(options["engagement_reveal"]),
        secret_events=visibility.SECRET,
        reveals=visibility.REVEALS,
    )


@hookimpl
def ruleset_setup(scenario: "Scenario", options: Mapping[str, str]) -> "tuple[KhamsinState, Board]":
    """Return the opening state and the board. Raises DataError, with file and key, for invalid data."""
    board = PACKAGE["setup.reading"].read_board(scenario, options)
    return PACKAGE["setup.reading"].opening_state(board, options), board
