"""Pushed units, armor, combat and non-combat movement on land: DAA-4, DAA-5, DAA-16, DAA-18."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import minutes
from tests.plugins.desert_aa.rows import Row, play, row

from desert_aa.model import events as event_types
from desert_aa.model.orders import EndMoves

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay
    from transcripts import Transcript


"""The rules that may be cited against moving a unit that is out of fuel."""


@pytest.mark.rule("DAA-4.01", "DAA-4.02")
@pytest.mark.parametrize(
    ("power", "units", "path"),
    [
        ("england", "uk-inf-1..4 uk-art-1..2", "HAB MIN RUW"),
        ("germany", "de-inf-1..2 de-art-1..3", "HAC GUB GSA"),
        ("italy", "it-inf-1..5 it-art-1", "TEN GIA MAR"),
    ],
)
def test_any_number_of_infantry_and_guns_may_be_pushed(lay: Lay, power: str, units: str, path: str) -> None:
    case = lay(f"{path.split(maxsplit=1)[0]} {units}", power)
    case.shift(units, path)
    assert case.at(path.rsplit(maxsplit=1)[-1]) == " ".join(sorted(case.units()))
    assert {unit.condition for unit in case.units().values()} == {"extended"}


STOPPED = "DAA-4.03 DAA-4.09 DAA-5.02 DAA-R14"
"""The rules that may be cited against moving a unit that is out of fuel."""
FAR = "DAA-4.02 DAA-16.02"
FAR_TANK = "DAA-5.01 DAA-16.02"
ONCE = "DAA-18.01 DAA-R12"
NO_FLAK = "DAA-15.06 DAA-R52"
FULL = "DAA-8.05 DAA-R50"
MOVES = [
    row("DAA-4.02", "a push may lead in any direction", "HAB uk-inf-1..3",
        "shift uk-inf-1: HAB MIN RUW; uk-inf-2: HAB SIW MIN; uk-inf-3: HAB MIN HAB", "where uk-inf-1..3 = RUW MIN HAB"),
    row("DAA-4.02", "a push makes two spaces and no more", "BDI de-inf-1 de-art-1",
        f"no attack de-inf-1: BDI GUB GSA HAB = {FAR}", f"no attack de-art-1: BDI GUB GSA HAB = {FAR}",
        f"no shift de-inf-1: BDI GUB GSA TEN = {FAR}", f"no shift de-art-1: BDI GUB GSA TEN = {FAR}"),
    row("DAA-4.01 DAA-15.01 DAA-15.02", "infantry and guns that move one space pay nothing", "HAB uk-inf-1 uk-art-1",
        "shift uk-inf-1 uk-art-1: HAB MIN", "is uk-inf-1 uk-art-1 = ready ready", "turn england",
        "shift uk-inf-1 uk-art-1: MIN RUW", "at RUW = uk-art-1 uk-inf-1"),
    # Germany's infantry attacks on 1, England's defends on 2.
    row("DAA-4.02 DAA-4.04", "a pushed piece attacks in the second space", "GUB de-inf-1; HAB uk-inf-1",
        "attack de-inf-1: GUB GSA HAB", "fight", "at HAB = de-inf-1", "holder HAB = germany", "is de-inf-1 = extended",
        dice="1, 3"),
    row("DAA-4.03 DAA-4.09 DAA-R14", "a pushed piece moves in neither phase of the next turn",
        "HAB uk-inf-1; GSA de-inf-1", "shift uk-inf-1: HAB MIN SIW", "turn england",
        f"no attack uk-inf-1: SIW GSA = {STOPPED}", f"no shift uk-inf-1: SIW MIN = {STOPPED}",
        f"no shift uk-inf-1: SIW MIN RUW = {STOPPED}"),
    row("DAA-4.03", "a piece pushed in combat movement is stopped as well", "GUB de-inf-1",
        "attack de-inf-1: GUB GSA HAB", "fight", "holder HAB = germany", "turn germany",
        f"no attack de-inf-1: HAB MIN = {STOPPED}", f"no shift de-inf-1: HAB GSA = {STOPPED}"),
    # Germany's attack misses with 6. The infantry that is out of fuel hits with 2 as usual.
    row("DAA-4.05", "a piece out of fuel defends", "MIN uk-inf-1; GSA de-inf-1", "shift uk-inf-1: MIN SIW HAB",
        "turn germany", "attack de-inf-1: GSA HAB", "fight", "is uk-inf-1 = extended", "at HAB = uk-inf-1",
        "where de-inf-1 = -", dice="6, 2"),
    row("DAA-4.06 DAA-4.07", "a pushed piece withdraws one space and is still stopped",
        "GUB de-inf-1; HAB uk-inf-1", "attack de-inf-1: GUB GSA HAB", "end", "to retreat",
        "refuse retreat GUB = DAA-4.06 DAA-17.09 DAA-R16", "retreat GSA", "where de-inf-1 = GSA", "turn germany",
        "is de-inf-1 = extended", f"no attack de-inf-1: GSA HAB = {STOPPED}", dice="6, 6"),
    row("DAA-4.10 DAA-R13", "the stop ends when the next turn of the owner ends", "HAB uk-inf-1",
        "shift uk-inf-1: HAB MIN RUW", "turn england", "phase noncombat_move", "is uk-inf-1 = extended", "turn germany",
        "is uk-inf-1 = ready", "count UnitsStoodUp = 1", "turn england", "shift uk-inf-1: RUW NAT FAY",
        "where uk-inf-1 = FAY"),
    row("DAA-R15", "the turn of a partner does not lift the stop", "TEN it-inf-1; HAC de-inf-1",
        "shift it-inf-1: TEN GIA MAR", "turn germany italy", "is it-inf-1 = extended",
        f"no shift it-inf-1: MAR HUN = {STOPPED}", "turn germany", "is it-inf-1 = ready"),
    row("DAA-5.01 DAA-15.03", "armor moves two spaces freely and three if pushed", "HAB uk-arm-1..3",
        "shift uk-arm-1: HAB MIN RUW; uk-arm-2: HAB MIN RUW NAT", "is uk-arm-1..2 = ready extended",
        f"no shift uk-arm-3: HAB MIN RUW NAT FAY = {FAR_TANK}"),
    row("DAA-5.02", "a tank that used three spaces off the road cannot move next turn", "SIW uk-arm-1; GUB de-inf-1",
        "shift uk-arm-1: SIW MIN SIB HAB", "turn england", f"no attack uk-arm-1: HAB GSA = {STOPPED}",
        f"no shift uk-arm-1: HAB MIN = {STOPPED}", "turn germany", "is uk-arm-1 = ready"),
    row("DAA-R12 DAA-18.01", "a piece moves in one of the two phases only", "GSA de-inf-1..2 de-arm-1",
        "attack de-inf-1 de-arm-1: GSA HAB", "fight", f"no shift de-inf-1: HAB GSA = {ONCE}",
        f"no shift de-arm-1: HAB GSA = {ONCE}", "shift de-inf-2: GSA GUB", f"no shift de-inf-2: GUB HAC = {ONCE}"),
    row("DAA-16.02", "moves run from neighbor to neighbor", "HAB uk-inf-1; GSA de-arm-1",
        "no attack uk-inf-1: HAB BDI = DAA-16.02", "no attack uk-inf-1: MIN SIB = DAA-16.02",  # not there
        "no shift uk-inf-1: HAB RUW = DAA-16.02"),
    *(row(f"{rule} DAA-16.02", f"{unit} does not enter {closed}", f"{space} {unit}",
          f"no attack {unit}: {space} {closed} = {rule}", f"no shift {unit}: {space} {closed} = {rule}")
      for space, unit, closed, rule in (
          ("HAB", "uk-inf-1", "QAT", "DAA-11.03"), ("MEK", "de-arm-1", "JEB", "DAA-11.03"),
          ("GIR", "it-inf-1", "GSS", "DAA-11.04"), ("TRI", "it-art-1", "DEH", "DAA-11.04"))),
    row("DAA-11.03", "armor does not cross the Qattara Depression", "HAB uk-arm-1",
        "no shift uk-arm-1: HAB QAT NAT = DAA-11.03"),
    *(row("DAA-16.03", f"{enemy} stops even armor", f"GSA de-arm-1; HAB {enemy}",
          "no attack de-arm-1: GSA HAB MIN = DAA-16.03") for enemy in ("uk-inf-1", "uk-ftr-1", "uk-aa-1")),
    # The tank attacks on 3, the infantry in Minqar Qaim defends on 2.
    row("DAA-16.04", "armor blitzes through an empty space and claims it", "GSA de-arm-1; MIN uk-inf-1",
        "attack de-arm-1: GSA HAB MIN", "fight", "holder HAB MIN = germany germany", "where de-arm-1 = MIN",
        "is de-arm-1 = ready", dice="3, 6"),
    row("DAA-16.04", "armor may turn back onto friendly ground after a blitz", "GSA de-arm-1",
        "attack de-arm-1: GSA HAB GSA", "fight", "holder HAB = germany", "where de-arm-1 = GSA"),
    row("DAA-16.05 DAA-R10", "pushed infantry and guns halt on enemy ground", "GSA de-inf-1 de-art-1",
        "no attack de-inf-1: GSA HAB MIN = DAA-16.05 DAA-R10", "no attack de-art-1: GSA HAB MIN = DAA-16.05 DAA-R10"),
    row("DAA-R10", "by option pushed infantry runs through empty enemy ground", "GSA de-inf-1 de-art-1",
        "attack de-inf-1 de-art-1: GSA HAB MIN", "fight", "holder HAB MIN = germany germany",
        "at MIN = de-art-1 de-inf-1", "is de-inf-1 = extended", mech_blitz="allowed"),
    row("DAA-16.03 DAA-R10", "by option enemy units still stop pushed infantry", "GSA de-inf-1; HAB uk-inf-1",
        "no attack de-inf-1: GSA HAB MIN = DAA-16.03", mech_blitz="allowed"),
    row("DAA-16.01 DAA-R38", "no battle begins before all combat moves are made",
        "GSA de-inf-1; GUB de-inf-2; HAB uk-inf-1", "attack de-inf-1: GSA HAB", "count BattleOpened = 0",
        "moment  = combat_move", "attack de-inf-2: GUB GSA HAB", "count BattleOpened = 0", "count SpaceCaptured = 0",
        "fight retreat GSA", "opened  = de-inf-1 de-inf-2", dice="6 6, 6"),
    # Three attackers: infantry on 1, armor on 3 each; the infantry in Habata defends on 2.
    row("DAA-16.08", "units from several spaces join in one attack",
        "GSA de-inf-1; BDI de-arm-1; GUB de-arm-2; HAB uk-inf-1",
        "attack de-inf-1: GSA HAB; de-arm-1: BDI GSA HAB; de-arm-2: GUB GSA HAB", "fight", "needs  = 1 3 3, 2",
        "at HAB = de-arm-1 de-arm-2 de-inf-1", dice="6 6 3, 6"),
    row("DAA-16.09 DAA-1.01", "partners attack only in turns of their own", "GIR it-inf-1 de-inf-1; SIW uk-inf-1",
        "no attack de-inf-1: GIR SIW = DAA-16.09", "no attack it-inf-1 de-inf-1: GIR SIW = DAA-16.09",
        "attack it-inf-1: GIR SIW", "fight retreat GIR", "needs  = 1, 2", "no shift de-inf-1: GIR GSA = DAA-16.09",
        dice="6, 6", control={"italy": "GIR"}),
    row("DAA-1.01 DAA-18.02", "ground of a partner is friendly", "GIR it-inf-1; HAC de-inf-1",
        "shift it-inf-1: GIR GSA GUB", "where it-inf-1 = GUB", "holder GSA = germany"),
    row("DAA-18.01", "units that stood still move and units that fought do not", "HAB uk-inf-1..2; GSA de-inf-1",
        "attack uk-inf-1: HAB GSA", "fight", "no shift uk-inf-1: GSA HAB = DAA-18.01", "shift uk-inf-2: HAB GSA",
        "at GSA = uk-inf-1 uk-inf-2", dice="1, 6"),
    row("DAA-18.01", "no unit moves twice in non-combat movement", "HAB uk-arm-1 uk-ftr-1",
        "shift uk-arm-1 uk-ftr-1: HAB MIN", "no shift uk-arm-1: MIN RUW = DAA-18.01",
        "no shift uk-ftr-1: MIN RUW = DAA-18.01"),
    *(row("DAA-18.02", f"{unit} stays on friendly ground", f"HAB {unit}", f"no shift {unit}: HAB GSA = DAA-18.02",
          f"no shift {unit}: HAB GSA BUQ = DAA-18.02") for unit in ("uk-inf-1", "uk-arm-1", "uk-aa-1")),
    row("DAA-18.02", "non-combat movement may enter ground taken this turn", "HAB uk-inf-1..2",
        "attack uk-inf-1: HAB GSA", "fight", "shift uk-inf-2: HAB GSA", "at GSA = uk-inf-1 uk-inf-2"),
]  # fmt: skip
FLAK = [
    row("DAA-10.01 DAA-15.06", "flak moves one space, or two with the penalty", "HAB uk-aa-1..3; GSA de-inf-1",
        "shift uk-aa-1: HAB MIN; uk-aa-2: HAB MIN RUW", "is uk-aa-1..2 = ready extended",
        "no shift uk-aa-3: HAB MIN RUW NAT = DAA-10.01 DAA-16.02", "turn england",
        "no shift uk-aa-2: RUW MIN = DAA-4.09 DAA-4.03 DAA-10.01", "shift uk-aa-1: MIN HAB", "turn england",
        "shift uk-aa-2: RUW MIN", "where uk-aa-2 = MIN"),
    row("DAA-15.06 DAA-R52", "flak makes no combat move, pushed or not", "HAB uk-aa-1; MIN uk-aa-2; GSA de-inf-1",
        f"no attack uk-aa-1: HAB GSA = {NO_FLAK}", f"no attack uk-aa-1: HAB SIW = {NO_FLAK}",
        f"no attack uk-aa-2: MIN HAB GSA = {NO_FLAK}", control={"germany": "SIW"}),
    row("DAA-R50 DAA-8.05", "by option a space holds one flak gun", "HAB uk-aa-1; MIN uk-aa-2..3; SIW uk-aa-4",
        f"no shift uk-aa-2: MIN HAB = {FULL}", f"no shift uk-aa-2 uk-aa-3: MIN RUW = {FULL}", "shift uk-aa-2: MIN RUW",
        f"no shift uk-aa-3: MIN RUW = {FULL}", aa_limit="one_per_space"),
    row("DAA-R50", "by option a space that a gun has left is free for another", "HAB uk-aa-1; MIN uk-aa-2",
        "shift uk-aa-1: HAB SIW", "no shift uk-aa-2: MIN SIW = DAA-8.05", "shift uk-aa-2: MIN HAB",
        "where uk-aa-1..2 = SIW HAB", aa_limit="one_per_space"),
    row("DAA-10.07 DAA-18.05", "captured flak changes sides and does not move that turn",
        "HAB uk-arm-1; GSA de-inf-1 de-aa-1", "attack uk-arm-1: HAB GSA", "fight", "power de-aa-1 = england",
        "no shift de-aa-1: GSA HAB = DAA-18.05", "turn england", "shift de-aa-1: GSA HAB", "where de-aa-1 = HAB",
        dice="1, 6"),
]  # fmt: skip


@pytest.mark.rule("DAA-1.01", "DAA-10.01", "DAA-10.07", "DAA-11.03", "DAA-11.04", "DAA-15.01", "DAA-15.02")
@pytest.mark.rule("DAA-15.03", "DAA-15.06", "DAA-16.01", "DAA-16.02", "DAA-16.03", "DAA-16.04", "DAA-16.05")
@pytest.mark.rule("DAA-16.08", "DAA-16.09", "DAA-18.01", "DAA-18.02", "DAA-18.05", "DAA-4.01", "DAA-4.02", "DAA-4.03")
@pytest.mark.rule("DAA-4.04", "DAA-4.05", "DAA-4.06", "DAA-4.07", "DAA-4.09", "DAA-4.10", "DAA-5.01", "DAA-5.02")
@pytest.mark.rule("DAA-8.05", "DAA-R10", "DAA-R12", "DAA-R13", "DAA-R14", "DAA-R15", "DAA-R38", "DAA-R50", "DAA-R52")
@pytest.mark.parametrize("row", MOVES + FLAK)
def test_land_movement_follows_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-4.08")
def test_laid_down_units_are_public(lay: Lay) -> None:
    case = lay("HAB uk-inf-1..2")
    case.shift("uk-inf-1", "HAB MIN RUW")
    for side in ("axis", "allies"):
        seen = case.game.view(side).units
        assert seen["uk-inf-1"].condition == "extended"
        assert seen["uk-inf-2"].condition == "ready"


@pytest.mark.rule("DAA-R13")
def test_unit_recovers_after_non_combat_movement(lay: Lay) -> None:
    case = lay("HAB uk-inf-1")
    case.shift("uk-inf-1", "HAB MIN RUW").to_turn("england").to_phase("noncombat_move")
    place = len(case.events())
    case.submit(EndMoves()).to_turn("germany")
    names = [type(event).__name__ for event in case.events()[place:]]
    assert names[0] in {"UnitsStoodUp", "PhaseEnded"}
    assert names.index("UnitsStoodUp") < names.index("PowerTurnBegan")


@pytest.mark.rule("DAA-4.03", "DAA-10.01", "DAA-6.02", "DAA-16.02")
@pytest.mark.parametrize(
    ("power", "units", "path"),
    [
        ("england", "uk-inf-1 uk-arm-1", "HAB MIN RUW"),
        ("england", "uk-arm-1", "HAB MIN RUW NAT"),
        ("england", "uk-inf-1 uk-arm-1", "HAB MIN"),
        ("england", "uk-aa-1", "HAB MIN RUW"),
        ("england", "uk-aa-1", "HAB MIN"),
        ("england", "uk-aa-1", "ALA FUK MAT"),
        ("england", "uk-aa-1 uk-art-1", "HAB MIN RUW"),
        ("italy", "it-art-1 it-inf-1", "TEN GIA MAR"),
        ("england", "uk-arm-1", "ALA FUK MAT SIB"),
    ],
)
def test_march_costs_match_their_transcript(
    lay: Lay, power: str, units: str, path: str, transcript: Transcript
) -> None:
    case = lay(f"{path[:3]} {units}", power, round_=4).shift(units, path)
    transcript(minutes(case.events(event_types.UnitsMoved)))


@pytest.mark.rule("DAA-R11", "DAA-R48")
@pytest.mark.parametrize(("option", "extended"), [("actual", []), ("declared", ["uk-arm-1"])])
def test_fuel_depends_on_the_actual_or_declared_path(lay: Lay, option: str, extended: list[str]) -> None:
    case = lay("MIN uk-arm-1", dice="6, 6", mines={"GSA": "germany"}, penalty_by=option)
    case.attack("uk-arm-1", "MIN HAB GSA GUB").fight()
    (event,) = case.events(event_types.UnitsMoved)
    assert (event.path, event.extended) == (["MIN", "HAB", "GSA"], extended)
    assert bool(event.calculations) is bool(extended)
