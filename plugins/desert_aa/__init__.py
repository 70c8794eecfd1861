"""Desert Axis & Allies: Italy and Germany against England in the Western Desert, 1941 and 1942.

A turn (``turn/sequence.py``) has a purchase, combat moves, combat, non-combat moves, placement and income, for Italy,
England and Germany in this order. Before the first turn each side spends a grant. ``movement/`` judges and lists moves
and handles the extra space, the road and cut supply. ``economy/`` has purchases and the grant, ``combat/`` the steps of
a battle, ``model/`` events, orders, state, handlers and the printed figures. The spaces of minefields are secret, see
``fog/views.py``. Rule ids are those of ``rules.toml``; rulings and their options are in ``rulings.toml``.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sandtable import Manifest, Option, Parts, RulesetPackage, hookimpl, read_options

if TYPE_CHECKING:
    from desert_aa.model.board import Board
    from desert_aa.model.state import DesertState
    from sandtable import Scenario

HOME = Path(__file__).parent
SCENARIOS = ("western_desert", "to_the_finish", "frontier")
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
    draw="ui.focus.drawn",
    picture="ui.draw.picture_of",
    fill_in="fog.completion.fill_in",
    read_order="ui.doubts.read_order",
    doubt="ui.doubts.doubt",
    words="ui.menus.words",
    answer="ui.asking.answers.answer",
    sums="ui.asking.sums.sums",
)
ruleset_battles = PACKAGE.battles(odds="ui.odds.battle")


@cache
def options() -> tuple[Option, ...]:
    """Return the options, one for each ruling, with its default first."""
    return read_options(HOME / "rulings.toml")


@hookimpl
def ruleset_manifest() -> Manifest:
    """Return the manifest of the ruleset."""
    return Manifest(
        id="desert_aa",
        title="Desert Axis & Allies",
        version="1",
        edition="the designer's forum post, based on Axis & Allies: Europe (1999)",
        designer="Rob",
        stage="complete",
        sides=("axis", "allies"),
        powers={"italy": "axis", "england": "allies", "germany": "axis"},
        newcomer="allies",
        board="areas",
        hidden=True,
        keeper="claims",
        secrets="minefields",
        options=options(),
        endings=("capital_captured", "round_limit"),
        description="Money, reinforcement zones, dice battles, a coast road, and minefields only their owner knows.",
    )


@hookimpl
def ruleset_parts(options: Mapping[str, str]) -> Parts:
    """Return the parts that the kernel runs. Here the options choose only the secret events."""
    events, views = PACKAGE["model.events"], PACKAGE["fog.views"]
    secrecy = options["mine_secrecy"]
    return Parts(
        state_type=PACKAGE["model.state"].DesertState,
        sequence=PACKAGE["turn.sequence"].SEQUENCE,
        handlers=(PACKAGE["model.handlers"],),
        orders=PACKAGE["model.orders"].ORDERS,
        events=events.EVENTS,
        view=views.view,
        visible=views.VISIBLE[secrecy],
        secret_events=views.SECRET[secrecy],
        reveals=(
            events.EntryChecked,
            events.MinefieldDeclared,
            events.MinefieldForfeited,
            events.GunsDesignated,
        ),
        facts=PACKAGE["combat.minefields"].hidden_fields,
    )


@hookimpl
def ruleset_setup(scenario: "Scenario", options: Mapping[str, str]) -> "tuple[DesertState, Board]":
    """Return the opening state and the board. Raises DataError, with file and key, if the data are wrong."""
    board = PACKAGE["setup.opening"].read_board(scenario, options)
    return PACKAGE["setup.opening"].opening_state(board, options), board
