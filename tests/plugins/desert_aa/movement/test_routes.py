"""Refusals of moves with rule and reason, on the map of Frontier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.positions import LONG, position, refusals

from desert_aa.model.orders import BuyUnits, EndMoves, MoveUnits
from desert_aa.model.state import DesertState, Minefield
from desert_aa.movement.ground import Ground
from desert_aa.movement.options import CombatMoves, NonCombatMoves
from sandtable.errors import IllegalOrder
from sandtable.kernel.dice import Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from transcripts import Transcript

    from desert_aa.movement.routes import MoveSpace


def move(units: str, path: str, *, raid: bool = False) -> MoveUnits:
    return MoveUnits(units.split(), path.split(), raid)


def lying(state: DesertState) -> None:
    state.units["uk-inf-3"].condition = "cut"
    state.units["uk-inf-4"].condition = "extended"


def attacks() -> MoveSpace:
    """Return attacks of England; its second infantry has an order, and Tell Nimr has a known minefield."""
    units = "OAS uk-inf-1..4 uk-arm-1 uk-aa-1; RAS uk-inf-5 uk-ftr-1 uk-bom-1; BTR de-inf-1; WAZ it-aa-1; MGH it-inf-1"
    mine = Minefield("germany", known=True)
    ground = Ground(position(units, "england", mines={"TEL": mine}, tweak=lying))
    ground.take(["uk-inf-2"])
    return CombatMoves.on(ground)


def tired(state: DesertState) -> None:
    lying(state)
    state.units["uk-arm-1"].moved = 1
    state.units["uk-bom-1"].moved = 2
    state.captured, state.taken_flak = ["OAS"], ["uk-aa-4"]


def marches(only: str = "") -> MoveSpace:
    """Return marches of England, which captured the oasis this turn; a space holds at most one flak gun."""
    units = "RAS uk-inf-1..4 uk-arm-1 uk-aa-1; KHA uk-aa-2 uk-ftr-1; MSH uk-aa-3 uk-inf-5; OAS uk-aa-4 uk-bom-1"
    ground = Ground(position(units, "england", tweak=tired, aa_limit="one_per_space"))
    ground.take(["uk-inf-2"])
    return NonCombatMoves.on(ground, only)


ODD_MOVES: list[Any] = [
    BuyUnits(),
    MoveUnits([], ["OAS", "TEL"]),
    MoveUnits("uk-inf-1", ["OAS", "TEL"]),  # type: ignore[arg-type]  # an order of a careless client
    MoveUnits([1], ["OAS", "TEL"]),  # type: ignore[list-item]  # an order of a careless client
    MoveUnits(["uk-inf-1"], "OAS TEL"),  # type: ignore[arg-type]  # an order of a careless client
    MoveUnits(["uk-inf-1"], ["OAS", 2]),  # type: ignore[list-item]  # an order of a careless client
    MoveUnits(["uk-inf-1"], ["OAS", "TEL"], 1),  # type: ignore[arg-type]  # an order of a careless client
]
NO_ATTACKS = """
uk-inf-1 uk-arm-1 uk-inf-1: OAS TEL
uk-inf-1: OAS
uk-inf-9: OAS TEL
LONG: OAS TEL
de-inf-1: BTR RAS
uk-inf-1: RAS BTR
uk-inf-1: LONG BTR
uk-inf-1 uk-inf-5: OAS TEL
uk-aa-1: OAS TEL
uk-inf-3: OAS TEL
uk-inf-4: OAS TEL
uk-inf-2: OAS TEL
uk-inf-1: OAS WAZ raid
uk-ftr-1: RAS MSH raid
uk-inf-1: OAS KHA RAS BTR
uk-arm-1: OAS KHA MSH RAS BTR
uk-inf-1: OAS SHO
uk-inf-1: OAS MSH
uk-arm-1: OAS RAS LONG
uk-arm-1: OAS WAZ MGH
uk-arm-1: OAS TEL MGH
uk-inf-1: OAS KHA
uk-ftr-1: RAS OAS RAS OAS TEL MGH
uk-bom-1: RAS OAS RAS OAS RAS OAS TEL MGH
uk-ftr-1: RAS MGH
uk-ftr-1: RAS LONG
uk-bom-1: RAS BTR raid
uk-bom-1: RAS OAS WAZ raid
uk-bom-1: RAS KHA raid
uk-ftr-1: RAS OAS WAZ
uk-ftr-1: RAS OAS TEL
uk-ftr-1: RAS BTR TEL MGH
uk-bom-1 uk-ftr-1: RAS BTR TEL MGH
"""
NO_MARCHES = """
uk-inf-3: RAS KHA
uk-inf-4: RAS KHA
uk-inf-2: RAS KHA
uk-arm-1: RAS KHA
uk-aa-4: OAS KHA
uk-bom-1: OAS WAZ raid
uk-inf-1: RAS OAS TEL
uk-aa-1: RAS MSH KHA RAS
uk-aa-1: RAS MSH
uk-inf-5 uk-aa-3: MSH KHA
uk-bom-1: OAS KHA MSH RAS KHA MSH
uk-ftr-1: KHA RAS SHO
uk-ftr-1: KHA RAS BTR
uk-ftr-1: KHA OAS
"""


def moves(text: str) -> list[MoveUnits]:
    """Return the orders of lines such as "uk-bom-1: RAS BTR raid"; LONG is a name of 50 characters."""
    lines = (line.replace("LONG", LONG).removesuffix(" raid") for line in text.split("\n") if line)
    raids = ("raid" in line for line in text.split("\n") if line)
    return [move(*line.split(": "), raid=raid) for line, raid in zip(lines, raids, strict=True)]


@pytest.mark.rule("DAA-16.02", "DAA-16.10", "DAA-13.01", "DAA-18.03")
def test_illegal_combat_move_is_refused_with_a_reason(transcript: Transcript) -> None:
    transcript(refusals(attacks(), ODD_MOVES + moves(NO_ATTACKS)))


@pytest.mark.rule("DAA-18.01", "DAA-18.02", "DAA-18.05", "DAA-12.02", "DAA-12.03", "DAA-R50")
def test_illegal_non_combat_move_is_refused_with_a_reason(transcript: Transcript) -> None:
    transcript(refusals(marches(), moves(NO_MARCHES)))


def taken(state: DesertState) -> None:
    state.captured = ["RAS", "MSH", "OAS", "KHA"]


GUNS, PARTNER = ("RAS uk-aa-1..2", "england"), ("WAZ it-ftr-1", "italy")
FOOT, SAND = ("OAS uk-inf-1 uk-art-1", "england"), ("SIW uk-inf-1 uk-ftr-1; GIA it-inf-1", "england", "western_desert")
OTHERS: list[tuple[Callable[[Ground], MoveSpace], DesertState, str]] = [
    (NonCombatMoves.on, position(*GUNS, aa_limit="one_per_space"), "uk-aa-1 uk-aa-2: RAS MSH"),
    (NonCombatMoves.on, position(*GUNS), "uk-aa-1 uk-aa-2: RAS MSH"),
    (CombatMoves.on, position(*FOOT), "uk-inf-1: OAS TEL BTR\nuk-art-1: OAS TEL BTR"),
    (CombatMoves.on, position(*SAND), "uk-inf-1: SIW GSS\nuk-ftr-1: SIW GSS GIA"),
    (CombatMoves.on, position("RAS uk-bom-1; BTR de-inf-1", "england", tweak=taken), "uk-bom-1: RAS BTR"),
    (NonCombatMoves.on, position(*PARTNER, air_land_ally="own_only"), "it-ftr-1: WAZ TEL"),
    (NonCombatMoves.on, position(*PARTNER), "it-ftr-1: WAZ TEL"),
]


@pytest.mark.rule("DAA-8.05", "DAA-R50", "DAA-16.05", "DAA-R10", "DAA-11.04", "DAA-18.03", "DAA-12.03", "DAA-12.01")
@pytest.mark.rule("DAA-R58")
def test_moves_are_refused_by_options_and_terrain(transcript: Transcript) -> None:
    """The limit of flak, infantry on enemy ground, closed terrain, no landing, and a partner's ground by option."""
    found = [refusals(space(Ground(state)), moves(text)) for space, state, text in OTHERS]
    aloft = refusals(marches("uk-bom-1"), [EndMoves(), move("uk-inf-1", "RAS KHA")])
    transcript("\n".join([*found, aloft, refusals(marches(), [EndMoves()])]))


def test_checked_order_is_not_checked_again() -> None:
    space = attacks()
    drawn, wrong = space.sample(Stream(b"one")), move("uk-aa-1", "OAS TEL")
    space.check(drawn)
    for value in (None, wrong):
        assert not space.is_legal(value)
        with pytest.raises(IllegalOrder):
            space.check(value)
    assert space.is_legal(move("uk-inf-1", "OAS TEL"))
    assert space.drawn == move("uk-inf-1", "OAS TEL")
    rest = space.without(["uk-inf-1", "uk-arm-1", "uk-inf-5"])
    assert rest.leaders == {"RAS": ["uk-bom-1", "uk-ftr-1"]}
    assert rest.drawn is None
    fresh = attacks()
    assert not fresh.is_legal(None)
