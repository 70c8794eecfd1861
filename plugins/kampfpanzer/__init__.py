"""KampfPanzer: armoured combat 1937 to 1940 at the level of platoons, on hexes of a hundred metres.

Both sides set up, then each turn (``turn/sequence.py``) write a plot for every unit in secret; panic, fire and movement
carry the plots out together. ``plotting/`` reads, judges and samples plots and deployments; ``movement/`` is the clock
on which plots are executed; ``fire/`` is combat, ``terrain/`` the map as the rules see it, ``victory/`` judges. What
happens, what players answer, the game at one moment, the only code that changes it, the printed figures: ``model/``.
``tabletop/`` fights the battles of other rulesets. Rule ids are those of ``rules.toml``; rulings and their options are
in ``rulings.toml``.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable import Manifest, Option, Parts, RulesetPackage, Staged, hookimpl, read_options

if TYPE_CHECKING:
    from kampfpanzer.fog.views import SideView
    from kampfpanzer.model.board import Board
    from kampfpanzer.model.state import KampfState
    from sandtable import Scenario, Stream
    from sandtable.tabletop import Brief, Result, Terms

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
ROOMS = RulesetPackage(__name__, HOME, SCENARIOS)

ruleset_index = ROOMS.index
ruleset_scenarios = ROOMS.scenarios
ruleset_players = ROOMS.players
ruleset_evaluate = ROOMS.evaluate
ruleset_narrate = ROOMS.narrate
ruleset_answer = ROOMS.answer
ruleset_table = ROOMS.table
ruleset_words = ROOMS.words
ruleset_read_order = ROOMS.read_order


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
        umpire=(
            "KampfPanzer fights the battles: they cost about twice the general attrition of the resolver's "
            "(9.4 against 5.1 a company and action), and 4-3 is the end of 52 % against 32 %. Do not change the "
            "umpire in mid-campaign."
        ),
    )


@hookimpl
def ruleset_digest(records: Sequence[Any], board: "Board") -> dict[int, str]:
    """Return what ``replay`` tells together: a line for each unit that moves."""
    told: dict[int, str] = ROOMS["ui.digest"].digest(records, board)
    return told


@hookimpl
def ruleset_draw(view: "SideView", board: "Board", style: str, focus: str) -> str | None:
    """Return the board as text or SVG; what is to be said of the hex or unit that ``focus`` names as text."""
    picture: str | None = ROOMS["ui.draw"].draw(view, board, style, focus)
    return picture


@hookimpl
def ruleset_picture(view: "SideView", board: "Board") -> object:
    """Return the board as plain data, from which the replay page is made."""
    return ROOMS["ui.draw"].picture_of(view, board)


@hookimpl
def ruleset_parts(scenario: "Scenario", options: Mapping[str, str]) -> Parts:
    """Return what the kernel runs; the options choose what is secret, all else they choose where it matters."""
    events, views = ROOMS["model.events"], ROOMS["fog.views"]
    return Parts(
        state_type=ROOMS["model.state"].KampfState,
        sequence=ROOMS["turn.sequence"].SEQUENCE,
        handlers=(ROOMS["model.handlers"],),
        orders=ROOMS["model.orders"].ORDERS,
        events=events.EVENTS,
        view=views.view,
        visible=views.visible,
        secret_events=views.secret_events(options),
        reveals=(events.PlotsWritten, events.PlotShown, events.UnitShelled),
        sides=ROOMS["setup.reading"].sides_of(scenario),
    )


@hookimpl
def ruleset_setup(scenario: "Scenario", options: Mapping[str, str]) -> "tuple[KampfState, Board]":
    """Return the opening state and the board; raise DataError, with file and key, for data that are wrong."""
    board = ROOMS["setup.opening"].read_board(scenario, options)
    return ROOMS["setup.opening"].opening_state(board, options), board


@hookimpl
def ruleset_deal(view: "SideView", board: "Board", stream: "Stream", now: "SideView") -> "KampfState":
    """Return a state that looks to the view's side as the view does, and goes with what it sees now."""
    state: KampfState = ROOMS["fog.determinization"].deal(view, board, stream, now)
    return state


@hookimpl
def ruleset_stage(brief: "Brief") -> Staged:
    """Return the scenario of another ruleset's battle; raise PlayError for one that cannot be fought."""
    staged: Staged = ROOMS["tabletop.stage"].stage(brief)
    return staged


@hookimpl
def ruleset_report(terms: "Terms", state: "KampfState", board: Any) -> "Result":
    """Return what came of such a battle."""
    result: Result = ROOMS["tabletop.outcome"].report(terms, state, board)
    return result
