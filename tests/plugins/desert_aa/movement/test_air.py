"""Planes: DAA-11.02 to DAA-11.04, DAA-12, and how they move and attack (DAA-16.07, DAA-16.10, DAA-18.03)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import minutes
from tests.plugins.desert_aa.rows import Row, play, row

from desert_aa.model import events as event_types
from desert_aa.model.events import UnitsLost
from desert_aa.model.orders import EndMoves, MoveUnits

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay
    from transcripts import Transcript

    from desert_aa.model.state import DesertState

OVER_WATER, CLOSED = "DAA-12.04 DAA-R59", "DAA-11.03 DAA-11.04 DAA-R60"
FLIGHTS = [
    row("DAA-11.02 DAA-15.04", "a fighter flies four spaces", "SUE uk-ftr-1",
        "no shift uk-ftr-1: SUE CAI ALX ALA FUK MAT = DAA-15.04", "shift uk-ftr-1: SUE CAI ALX ALA FUK",
        "where uk-ftr-1 = FUK"),
    row("DAA-11.02 DAA-15.05", "a bomber flies six spaces", "SUE uk-bom-1",
        "no shift uk-bom-1: SUE CAI ALX ALA FUK MAT SIB BUQ = DAA-15.05", "shift uk-bom-1: SUE CAI ALX ALA FUK MAT SIB",
        "where uk-bom-1 = SIB"),
    row("DAA-11.02 DAA-3.06", "an Italian fighter flies four", "TRI it-ftr-1",
        "no shift it-ftr-1: TRI HOM BUE SIR NOF AGH = DAA-15.04 DAA-16.02 DAA-11.02",
        "shift it-ftr-1: TRI HOM BUE SIR NOF", "where it-ftr-1 = NOF"),
    row("DAA-11.02 DAA-3.07", "an Italian bomber flies six", "TRI it-bom-1",
        "no shift it-bom-1: TRI HOM BUE SIR NOF AGH BRE AGE = DAA-15.05 DAA-16.02 DAA-11.02",
        "shift it-bom-1: TRI HOM BUE SIR NOF AGH BRE", "where it-bom-1 = BRE"),
    # Bardia is three spaces away, so one space is left for the return.
    row("DAA-16.07", "a plane has one range for both ways", "MAT uk-ftr-1; BDI de-inf-1",
        "attack uk-ftr-1: MAT SIB BUQ BDI", "fight retreat", "no shift uk-ftr-1: BDI BUQ SIB = DAA-15.04 DAA-16.07",
        "shift uk-ftr-1: BDI BUQ", "where uk-ftr-1 = BUQ", dice="6, 6"),
    row("DAA-16.07 DAA-18.03", "no plane attacks if it could not return", "FUK uk-ftr-1 uk-bom-1; BDI de-inf-1",
        "no attack uk-ftr-1: FUK MAT SIB BUQ BDI = DAA-18.03 DAA-16.07", "attack uk-bom-1: FUK MAT SIB BUQ BDI",
        "fight retreat", dice="6, 6"),
    row("DAA-12.01", "planes land wherever their power holds the ground", "MIN uk-ftr-1..3",
        "shift uk-ftr-1: MIN HAB; uk-ftr-2: MIN SIW; uk-ftr-3: MIN RUW", "where uk-ftr-1..3 = HAB SIW RUW"),
    row("DAA-12.01", "planes land on ground taken in an earlier turn", "HAB uk-inf-1 uk-ftr-1",
        "attack uk-inf-1: HAB GSA", "turn england", "shift uk-ftr-1: HAB GSA", "where uk-ftr-1 = GSA"),
    row("DAA-12.02", "planes do not land on enemy ground", "HAB uk-ftr-1", "no shift uk-ftr-1: HAB GSA = DAA-12.02"),
    row("DAA-12.02", "planes do not land with the enemy", "HAB uk-ftr-1; GSA de-inf-1",
        "no shift uk-ftr-1: HAB GSA = DAA-12.02"),
    row("DAA-12.03", "planes do not land on ground taken this turn", "HAB uk-inf-1 uk-ftr-1",
        "attack uk-inf-1: HAB GSA", "fight", "holder GSA = england", "no shift uk-ftr-1: HAB GSA = DAA-12.03"),
    row("DAA-12.04 DAA-R59", "no English flight leads over water", "ALX uk-bom-1",
        f"no shift uk-bom-1: ALX MAT = {OVER_WATER}", f"no shift uk-bom-1: ALX SUE = {OVER_WATER}"),
    row("DAA-12.04 DAA-R59", "no German flight leads over water", "TRI de-bom-1; BEN de-bom-2",
        f"no shift de-bom-1: TRI BEN = {OVER_WATER}", f"no shift de-bom-2: BEN DER = {OVER_WATER}"),
    row("DAA-R60 DAA-11.03", "planes cross the Qattara Depression", "HAB uk-ftr-1", "shift uk-ftr-1: HAB QAT NAT",
        "where uk-ftr-1 = NAT"),
    row("DAA-R60 DAA-11.03", "planes cross the Jebel Akhdar to attack", "MEK de-ftr-1; BAR uk-inf-1",
        "attack de-ftr-1: MEK JEB BAR", "fight retreat", "needs = 3, 2", dice="6, 6"),
    row("DAA-R60 DAA-11.03", "no plane ends over the Qattara Depression", "HAB uk-ftr-1",
        f"no shift uk-ftr-1: HAB QAT = {CLOSED}"),
    row("DAA-R60 DAA-11.03", "no plane ends over the Jebel Akhdar", "MEK de-ftr-1",
        f"no shift de-ftr-1: MEK JEB = {CLOSED}"),
    row("DAA-R60 DAA-11.03", "no plane ends over the Great Sand Sea", "GIA it-ftr-1",
        f"no shift it-ftr-1: GIA GSS = {CLOSED}"),
    row("DAA-R60 DAA-11.03", "no plane attacks what is closed", "HAB uk-ftr-1; GSA de-inf-1",
        f"no attack uk-ftr-1: HAB QAT = {CLOSED} DAA-16.10"),
    *(row("DAA-11.04", f"nothing flies {path}", f"{path[:3]} {unit}; SIW uk-inf-1",
          f"no attack {unit}: {path} = DAA-11.04", f"no shift {unit}: {path} = DAA-11.04")
      for unit, path in (("it-bom-1", "GIA GSS SIW"), ("it-bom-1", "GIR GSS GIA"), ("it-ftr-1", "TRI DEH HUN"))),
    row("DAA-R58", "a German plane lands with its partner", "TOB de-ftr-1", "shift de-ftr-1: TOB TMI DER",
        "where de-ftr-1 = DER"),
    row("DAA-R58", "by option a German plane lands on German ground alone", "TOB de-ftr-1",
        "no shift de-ftr-1: TOB TMI DER = DAA-R58 DAA-12.01", "shift de-ftr-1: TOB TMI", "where de-ftr-1 = TMI",
        air_land_ally="own_only"),
    row("DAA-16.10 DAA-R66", "planes win a battle alone and take no ground", "HAB uk-ftr-1; GSA de-inf-1",
        "attack uk-ftr-1: HAB GSA", "fight", "units = uk-ftr-1", "holder GSA = germany", "count SpaceCaptured = 0",
        "ended = cleared", dice="3, 6"),
    row("DAA-16.10", "planes do not take an empty space", "HAB uk-ftr-1", "no attack uk-ftr-1: HAB GSA = DAA-16.10"),
    # Infantry and fighter against infantry: both sides hit, and England loses its infantry.
    row("DAA-R66 DAA-17.11", "if only planes are left, the space stays with the defense",
        "HAB uk-inf-1 uk-ftr-1; GSA de-inf-1", "attack uk-inf-1 uk-ftr-1: HAB GSA", "fight lose uk-inf-1",
        "at GSA = uk-ftr-1", "holder GSA = germany", dice="1 6, 2"),
    row("DAA-18.03", "planes that attacked must land before the turn continues", "HAB uk-ftr-1; GSA de-inf-1",
        "attack uk-ftr-1: HAB GSA", "fight retreat", "phase noncombat_move", "end", "moment = noncombat_move",
        "refuse end = DAA-18.03", "shift uk-ftr-1: GSA HAB", "where uk-ftr-1 = HAB", dice="6, 6"),
    row("DAA-18.01", "planes that attacked may fly on with the rest of their range", "HAB uk-bom-1; GSA de-inf-1",
        "attack uk-bom-1: HAB GSA", "fight retreat", "shift uk-bom-1: GSA HAB MIN FUK ALA ALX", "where uk-bom-1 = ALX",
        dice="6, 6"),
]  # fmt: skip


@pytest.mark.rule("DAA-11.02", "DAA-11.03", "DAA-11.04", "DAA-12.01", "DAA-12.02", "DAA-12.03", "DAA-12.04")
@pytest.mark.rule("DAA-15.04", "DAA-15.05", "DAA-16.07", "DAA-16.10", "DAA-17.11", "DAA-18.01", "DAA-18.03")
@pytest.mark.rule("DAA-3.06", "DAA-3.07", "DAA-R58", "DAA-R59", "DAA-R60", "DAA-R66")
@pytest.mark.parametrize("row", FLIGHTS)
def test_flights_follow_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-R58", "DAA-18.03")
def test_plane_needs_own_landing_to_attack_by_option(lay: Lay) -> None:
    # From Giarabub to Buq Buq and back is four spaces, and Germany holds all ground within two of Buq Buq.
    for option, allowed in (("allowed", True), ("own_only", False)):
        case = lay("GIR it-ftr-1; BUQ uk-inf-1", "italy", control={"germany": "GIR TEN"}, air_land_ally=option)
        legal = case.to_phase("combat_move").asked.options.is_legal(MoveUnits(["it-ftr-1"], ["GIR", "GSA", "BUQ"]))
        assert legal is allowed


@pytest.mark.rule("DAA-18.03")
@pytest.mark.parametrize(("moved", "lost"), [(4, True), (3, False)])
def test_plane_that_cannot_land_is_lost(lay: Lay, moved: int, lost: bool) -> None:
    def aloft(state: DesertState) -> None:
        """Set England's non-combat movement, with a fighter over Gabr Saleh that has used part of its range."""
        state.position = 1 + 6 + 3
        state.units["uk-ftr-1"].moved = moved
        state.units["uk-ftr-1"].path = ["HAB", "GSA"]

    case = lay("GSA uk-ftr-1", control={"germany": "GSA"}, tweak=aloft)
    assert case.state.phase == "england.noncombat_move"
    case.to_turn("germany")
    assert ("uk-ftr-1" not in case.units()) is lost
    assert [event.cause for event in case.events(UnitsLost)] == (["no_landing"] if lost else [])


@pytest.mark.rule("DAA-16.07")
def test_flights_use_up_the_range(lay: Lay, transcript: Transcript) -> None:
    """Two bombers and a fighter from two spaces attack Gabr Saleh. A bomber and the fighter then land together."""
    case = lay("HAB uk-bom-1 uk-ftr-1; MIN uk-bom-2; GSA it-inf-1", dice="1 6 6, 6", control={"italy": "GSA"})
    case.attack("uk-bom-1 uk-ftr-1", "HAB GSA").attack("uk-bom-2", "MIN HAB GSA").fight()
    case.shift("uk-bom-1 uk-bom-2 uk-ftr-1", "GSA HAB")
    transcript(minutes(case.events(event_types.UnitsMoved)))


@pytest.mark.rule("DAA-18.03")
def test_lost_plane_does_not_prevent_other_landings(lay: Lay) -> None:
    """Over Gabr Saleh the bomber has no range left, one fighter has 1 space and the other 2."""

    def aloft(state: DesertState) -> None:
        state.position = 1 + 6 + 3
        for unit, moved in (("uk-bom-1", 6), ("uk-ftr-1", 3), ("uk-ftr-2", 2)):
            state.units[unit].moved, state.units[unit].path = moved, ["HAB", "GSA"]

    held = {"germany": "GSA BUQ", "italy": "SIW"}
    case = lay("GSA uk-bom-1 uk-ftr-1..2", control=held, tweak=aloft).submit(EndMoves())
    assert case.events(event_types.UnitsLost) == [event_types.UnitsLost("GSA", ["uk-bom-1"], "no_landing", "DAA-18.03")]
    assert (case.where("uk-ftr-1"), case.asked.purpose) == ("HAB", "land.uk-ftr-2")
    case.to_turn("germany")
    assert case.where("uk-ftr-2") in {"HAB", "MIN", "SIB"}
