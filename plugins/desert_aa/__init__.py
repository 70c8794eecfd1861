"""Desert Axis & Allies: Italy and Germany against England in the Western Desert, 1941 and 1942.

A turn (``turn/sequence.py``) is a purchase, combat moves, combat, non-combat moves, placement and income, for Italy,
England and Germany in this order; ahead of the first, each side spends a grant. ``movement/`` judges and lists moves,
and knows the extra space, the road and cut supply; ``economy/`` is purchases and the grant, ``combat/`` a battle step
by step. What happens, what players answer, the game at one moment, the only code that changes it, the printed
figures: ``model/``. Where minefields lie is secret: ``fog/views.py``. Rule ids are those of ``rules.toml``; rulings
and their options are in ``rulings.toml``.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable import Manifest, OddsBattle, Option, Parts, RulesetPackage, hookimpl, read_options

if TYPE_CHECKING:
    from desert_aa.fog.views import SideView
    from desert_aa.model.board import Board
    from desert_aa.model.state import DesertState
    from sandtable import Decision, Order, Scenario

HOME = Path(__file__).parent
SCENARIOS = ("western_desert", "to_the_finish", "frontier")
ROOMS = RulesetPackage(__name__, HOME, SCENARIOS)

ruleset_index = ROOMS.index
ruleset_scenarios = ROOMS.scenarios
ruleset_players = ROOMS.players
ruleset_deal = ROOMS.deal
ruleset_fill_in = ROOMS.fill_in
ruleset_evaluate = ROOMS.evaluate
ruleset_narrate = ROOMS.narrate
ruleset_answer = ROOMS.answer
ruleset_words = ROOMS.words
ruleset_sums = ROOMS.sums


@cache
def options() -> tuple[Option, ...]:
    """Return the options: one for each ruling, its default first."""
    return read_options(HOME / "rulings.toml")


@hookimpl
def ruleset_manifest() -> Manifest:
    """Return the facts."""
    return Manifest(
        id="desert_aa",
        title="Desert Axis & Allies",
        version="1",
        edition="the designer's forum post, on the base of Axis & Allies: Europe (1999)",
        designer="Rob",
        stage="complete",
        sides=("axis", "allies"),
        powers={"italy": "axis", "england": "allies", "germany": "axis"},
        board="areas",
        hidden=True,
        options=options(),
        endings=("capital_captured", "round_limit"),
        description="Money, reinforcement zones, dice battles, a coast road, and minefields only their owner knows.",
    )


@hookimpl
def ruleset_digest(records: Sequence[Any], board: "Board") -> dict[int, str]:
    """Return what ``replay`` and ``play`` tell together: a combat move once, and the incomes that decide."""
    told: dict[int, str] = ROOMS["ui.digest"].digest(records, board)
    return told


@hookimpl
def ruleset_parts(options: Mapping[str, str]) -> Parts:
    """Return what the kernel runs; the options choose what is secret, all else they choose where it matters."""
    events, views = ROOMS["model.events"], ROOMS["fog.views"]
    secrecy = options["mine_secrecy"]
    return Parts(
        state_type=ROOMS["model.state"].DesertState,
        sequence=ROOMS["turn.sequence"].SEQUENCE,
        handlers=(ROOMS["model.handlers"],),
        orders=ROOMS["model.orders"].ORDERS,
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
    )


@hookimpl
def ruleset_setup(scenario: "Scenario", options: Mapping[str, str]) -> "tuple[DesertState, Board]":
    """Return the opening state and the board; raise DataError, with file and key, for data that are wrong."""
    board = ROOMS["setup.opening"].read_board(scenario, options)
    return ROOMS["setup.opening"].opening_state(board, options), board


@hookimpl
def ruleset_draw(view: "SideView", board: "Board", style: str, focus: str) -> str | None:
    """Return the map as text or SVG; as text, what is known of the space or unit that ``focus`` means instead."""
    if focus and style == "text":
        told: str = ROOMS["ui.focus"].shown(view, board, focus)
        return told
    picture: str | None = ROOMS["ui.draw"].draw(view, board, style)
    return picture


@hookimpl
def ruleset_picture(view: "SideView", board: "Board") -> object:
    """Return the board as plain data, from which the replay page is made."""
    return ROOMS["ui.draw"].picture_of(view, board)


@hookimpl
def ruleset_read_order(decision: "Decision", text: str, board: "Board") -> "Order | str | None":
    """Return the order that a person typed, or None if it is not in this game's notation; for "?" what can be typed."""
    order: Order | None = ROOMS["ui.notation"].read_order(decision, text, board)
    return order


@hookimpl
def ruleset_battle(attack: str, defend: str, options: Mapping[str, str]) -> OddsBattle:
    """Return a battle between two forces written as text: "germany: infantry=2, armour=1"."""
    battle: OddsBattle = ROOMS["ui.odds"].battle(attack, defend, options)
    return battle
