"""The worked examples of the inventory, DAA-X01 to DAA-X33, with loaded dice.

The inventory uses a different map, so the spaces are those of our map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.rows import Row, play, row

from desert_aa.model.events import IncomeCollected
from desert_aa.model.orders import PlaceBonus

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay, Opening

PENALTY = "DAA-4.03 DAA-4.09 DAA-5.02 DAA-6.05"
TANK_AT_BARDIA = "shift uk-arm-1: MAT SIB BUQ BDI"


def cut_off(rules: str, name: str, units: str, *steps: str, **setup: Any) -> Any:
    """Return DAA-X06: an English tank is in Bardia; German infantry enters Sidi Barrani, two spaces behind it."""
    moves = TANK_AT_BARDIA, "turn germany", "attack de-inf-1: HAB SIB"
    return row(rules, name, f"MAT uk-arm-1; HAB de-inf-1; {units}", *moves, *steps, control={"england": "BDI"}, **setup)


def first_incursion(rules: str, name: str, dice: str, *steps: str) -> Any:
    """Return DAA-X14: three infantry enter a hidden minefield; 2, 5, 3 hit two of them, and the sweep rolls 3."""
    entry = "attack uk-inf-1..3: HAB GSA", "fight"
    return row(rules, name, "HAB uk-inf-1..5", *entry, *steps, mines={"GSA": "germany"}, dice=f"2 5 3, 3, {dice}")


EXAMPLES = [
    row("DAA-4.03 DAA-4.05 DAA-4.10", "x01 infantry pushed off the road misses a turn and defends meanwhile",
        "MIN uk-inf-1; GSA de-inf-1", "shift uk-inf-1: MIN SIW HAB", "is uk-inf-1 = extended", "turn germany",
        "attack de-inf-1: GSA HAB", "fight", "at HAB = uk-inf-1", "turn england",
        f"no shift uk-inf-1: HAB MIN = {PENALTY}", "turn germany", "is uk-inf-1 = ready", dice="6, 2"),
    row("DAA-4.06 DAA-4.07", "x02 pushed infantry that fails and falls back still lies flat next turn",
        "GUB de-inf-1; HAB uk-inf-1", "attack de-inf-1: GUB GSA HAB", "fight retreat GSA", "where de-inf-1 = GSA",
        "turn germany", "is de-inf-1 = extended", f"no shift de-inf-1: GSA GUB = {PENALTY}", dice="6, 6"),
    row("DAA-5.01 DAA-16.04", "x03 a tank blitzes two empty spaces and stops in the third", "GSA de-arm-1",
        "attack de-arm-1: GSA HAB MIN RUW", "fight", "holder HAB MIN RUW = germany germany germany",
        "where de-arm-1 = RUW", "is de-arm-1 = extended"),
    row("DAA-6.02", "x04 infantry moves two along the road without a penalty", "ALA uk-inf-1",
        "shift uk-inf-1: ALA FUK MAT", "turn england", "shift uk-inf-1: MAT FUK ALA", "where uk-inf-1 = ALA"),
    row("DAA-R18", "x05 from the desert onto the road and along it", "RUW uk-inf-1", "shift uk-inf-1: RUW FUK MAT",
        "turn england", "shift uk-inf-1: MAT FUK", "where uk-inf-1 = FUK", road_rule="extra_leg"),
    row("DAA-R18", "x05 by option the whole move must follow the road", "RUW uk-inf-1", "shift uk-inf-1: RUW FUK MAT",
        "turn england", f"no shift uk-inf-1: MAT FUK = {PENALTY}", road_rule="whole_move"),
    cut_off("DAA-6.03 DAA-6.04", "x06 a tank is laid down when the road is cut two spaces behind it", "",
            "is uk-arm-1 = advanced", "turn italy", "is uk-arm-1 = cut"),
    cut_off("DAA-6.06 DAA-6.07", "x07 it stands up when the blocker is destroyed and moves in non-combat",
            "MIN uk-inf-1", "turn england", "attack uk-inf-1: MIN SIB", "fight", "shift uk-arm-1: BDI BUQ",
            "where uk-arm-1 = BUQ", dice="1, 6"),
    cut_off("DAA-6.05", "x08 otherwise it waits until that turn ends", "", "turn england",
            f"no shift uk-arm-1: BDI BUQ = {PENALTY}", "turn germany", "is uk-arm-1 = ready"),
    row("DAA-6.03", "x09 three road spaces behind cuts nothing", "MAT uk-arm-1; MIN de-inf-1", TANK_AT_BARDIA,
        "turn germany", "attack de-inf-1: MIN MAT", "turn england", "attack uk-arm-1: BDI GUB", "where uk-arm-1 = BDI",
        control={"england": "BDI"}),
    # Shots 3 and 4: one tank is lost before it fires; three tanks roll, and only the infantry defends.
    row("DAA-7.04 DAA-7.09", "x10 two guns against four tanks", "HAB uk-arm-1..4; GSA de-art-1..2 de-inf-1..2",
        "attack uk-arm-1..4: HAB GSA", "fight guns de-art-1..2; retreat HAB", "needs = 3 3, 3 3 3, 2 2", "size HAB = 3",
        dice="3 4, 6 6 6, 6 6"),
    row("DAA-7.06 DAA-R27", "x11 only one of three guns may shoot at one tank", "HAB uk-arm-1; GSA de-art-1..3",
        "attack uk-arm-1: HAB GSA", "end", "refuse guns de-art-1..3 = DAA-7.06 DAA-R27",
        "go guns de-art-2; retreat HAB",
        "needs = 3, 3, 2 2", dice="6, 6, 6 6"),
    row("DAA-7.03", "x12 against infantry alone no gun is designated", "HAB uk-inf-1; GSA de-art-1",
        "attack uk-inf-1: HAB GSA", "end", "asked = england", "needs = 1, 2", "retreat HAB", dice="6, 6"),
    row("DAA-R31", "x13 an Italian gun hits a tank with a three", "HAB uk-arm-1; GSA it-art-1",
        "attack uk-arm-1: HAB GSA", "fight guns it-art-1", "where uk-arm-1 = -", dice="3"),
    first_incursion("DAA-9.02 DAA-9.06 DAA-9.08", "x14 the first incursion into a minefield", "",
                    "at HAB = uk-inf-2 uk-inf-4 uk-inf-5", "at GSA = -", "holder GSA = germany", "known GSA = True"),
    first_incursion("DAA-9.07 DAA-9.09 DAA-9.10", "x15 the second incursion into a minefield", "3 6, 3", "turn england",
                    "attack uk-inf-4..5: HAB GSA", "fight", "at GSA = uk-inf-4 uk-inf-5", "holder GSA = england",
                    "mines = -"),
    row("DAA-8.12", "x16 a blitz through a mined space ends there", "HAB uk-arm-1..2",
        "attack uk-arm-1..2: HAB GSA GUB", "fight", "spaces MinesStruck = GSA", "at GSA = uk-arm-1 uk-arm-2",
        "at GUB = -", "holder GUB = germany", mines={"GSA": "germany"}, dice="6 6, 2"),
    row("DAA-8.11", "x17 an undeclared field is forfeit and the enemy proceeds", "HAB uk-arm-1",
        "attack uk-arm-1: HAB GSA GUB", "cash axis = 22", "fight keep", "where uk-arm-1 = GUB",
        "holder GSA GUB = england england", "mines = -", "cash axis = 22", mines={"GSA": "germany"},
        mine_auto="manual"),
    row("DAA-9.02", "x18 fighters alone do not set off mines", "HAB uk-ftr-1..2; GSA de-inf-1",
        "attack uk-ftr-1..2: HAB GSA", "fight retreat", "needs = 3 3, 2", "known GSA = False",
        mines={"GSA": "germany"}, dice="6 6, 6"),
    row("DAA-8.05 DAA-8.07", "x19 no mines in a city, on the road or beside another field", "", "buy minefield 1",
        "to mine", "refuse mine DER = DAA-8.07", "refuse mine TMI = DAA-8.07", "refuse mine GSA = DAA-8.05",
        power="germany", mines={"GSA": "germany"}),
    # Dice 1, 2, 1: two planes are lost; the third fights two rounds without flak.
    row("DAA-10.03 DAA-10.05", "x20 flak fires at three planes once", "HAB uk-ftr-1..3; GSA de-inf-1 de-aa-1",
        "attack uk-ftr-1..3: HAB GSA", "end", "rounds 2", "go retreat", "needs = 1 1 1, 3, 2, 3, 2",
        "count FlakFired = 1", dice="1 2 1, 6, 6, 6, 6"),
    row("DAA-10.06 DAA-10.07", "x21 flak belongs to the captor and is never a loss",
        "HAB uk-arm-1..3; GSA de-inf-1 de-aa-1", "attack uk-arm-1..3: HAB GSA", "fight", "lost = de-inf-1",
        "power de-aa-1 = england", dice="1 1 1, 6"),
    row("DAA-15.07", "x22 one gun lifts one of two infantry", "GSA de-inf-1..2 de-art-1; HAB uk-inf-1",
        "attack de-inf-1..2 de-art-1: GSA HAB", "fight retreat GSA", "needs = 1 2 2, 2", dice="6 6 6, 6"),
    row("DAA-11.01 DAA-3.03 DAA-3.04", "x23 Italian infantry and artillery attack on two",
        "GIR it-inf-1 it-art-1; SIW uk-inf-1", "attack it-inf-1 it-art-1: GIR SIW", "fight retreat GIR",
        "needs = 2 2, 2", dice="6 6, 6"),
    # Flak 1 and 4: one bomber is lost, the other rolls 1; England chooses any loss, here its fighter.
    row("DAA-13.02 DAA-13.03 DAA-13.04", "x24 two bombers raid a zone with flak",
        "BDI de-bom-1..2; MAT uk-inf-1 uk-ftr-1 uk-aa-1", "raid de-bom-1..2: BDI BUQ SIB MAT", "fight lose uk-ftr-1",
        "at MAT = de-bom-2 uk-aa-1 uk-inf-1", dice="1 4, 1"),
    row("DAA-13.05", "x25 a fighter does not fly along with a raid", "SIB de-bom-1 de-ftr-1; MAT uk-inf-1",
        "no raid de-bom-1 de-ftr-1: SIB MAT = DAA-13.05"),
    row("DAA-11.03 DAA-11.04", "x26 a bomber may cross Qattara but not the Great Sand Sea",
        "SIW uk-bom-1; GIA it-inf-1",
        "no attack uk-bom-1: SIW GSS GIA = DAA-11.04", "shift uk-bom-1: SIW QAT FAY", "where uk-bom-1 = FAY"),
    # Bardia is four spaces from Fuka. Buq Buq next to it is an enemy space that a tank is about to capture.
    row("DAA-12.03 DAA-18.03", "x27 a plane that could land only on ground to be taken this turn may not attack",
        "FUK uk-ftr-1; SIB uk-arm-1; BDI de-inf-1", "attack uk-arm-1: SIB BUQ",
        "no attack uk-ftr-1: FUK MAT SIB BUQ BDI = DAA-18.03 DAA-12.03", control={"germany": "BUQ"}),
    row("DAA-3.12", "x29 nine infantry in one zone", "", "buy infantry 9", "go place BEN infantry 9", "size BEN = 9",
        power="germany", state={"cash": {"axis": 27, "allies": 0}}),
    row("DAA-14.06 DAA-R05", "x30 a zone captured by Germany serves Italy first", "SIB de-inf-1", "buy infantry 1",
        "attack de-inf-1: SIB MAT", "fight", "to place", "refuse place MAT infantry 1 = DAA-14.06 DAA-R05",
        "place BEN infantry 1", "turn italy", "buy infantry 1", "go place MAT infantry 1",
        "at MAT = de-inf-1 it-inf-1"),
    row("DAA-1.04 DAA-R61", "x32 an English land unit takes Tripoli and England wins", "HOM uk-arm-1; TRI it-inf-1",
        "attack uk-arm-1: HOM TRI", "fight", "over = allies capital_captured", dice="3, 6"),
    # Attack 2 and 5: no hit, because a 1 is needed. Defense 2: a hit. The remaining attacker may retreat.
    row("DAA-17.04 DAA-17.05 DAA-17.06 DAA-17.08 DAA-17.09", "x33 two infantry against one",
        "GSA de-inf-1..2; HAB uk-inf-1", "attack de-inf-1..2: GSA HAB", "end", "size HAB = 2", "wants retreat = True",
        "retreat GSA", "size GSA = 1", dice="2 5, 2"),
]  # fmt: skip


@pytest.mark.rule("DAA-1.04", "DAA-10.03", "DAA-10.05", "DAA-10.06", "DAA-10.07", "DAA-11.01", "DAA-11.03")
@pytest.mark.rule("DAA-11.04", "DAA-12.03", "DAA-13.02", "DAA-13.03", "DAA-13.04", "DAA-13.05", "DAA-14.06")
@pytest.mark.rule("DAA-15.07", "DAA-16.04", "DAA-17.04", "DAA-17.05", "DAA-17.06", "DAA-17.08", "DAA-17.09")
@pytest.mark.rule("DAA-18.03", "DAA-3.03", "DAA-3.04", "DAA-3.12", "DAA-4.03", "DAA-4.05", "DAA-4.06", "DAA-4.07")
@pytest.mark.rule("DAA-4.10", "DAA-5.01", "DAA-6.02", "DAA-6.03", "DAA-6.04", "DAA-6.05", "DAA-6.06", "DAA-6.07")
@pytest.mark.rule("DAA-7.03", "DAA-7.04", "DAA-7.06", "DAA-7.09", "DAA-8.05", "DAA-8.07", "DAA-8.11", "DAA-8.12")
@pytest.mark.rule("DAA-9.02", "DAA-9.06", "DAA-9.07", "DAA-9.08", "DAA-9.09", "DAA-9.10", "DAA-R05", "DAA-R18")
@pytest.mark.rule("DAA-R27", "DAA-R31", "DAA-R61")
@pytest.mark.parametrize("row", EXAMPLES)
def test_example_has_the_printed_outcome(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-2.02", "DAA-2.03")
def test_x28_the_axis_spends_eight_of_its_grant_and_saves_four(opening: Opening) -> None:
    case = opening()
    order = PlaceBonus({"germany": {"GIR": {"armor": 1}}, "italy": {"GSA": {"artillery": 1}}})  # 5 + 3
    case.submit(order, "italy").submit(PlaceBonus(), "england")
    assert case.state.cash["axis"] == 22 + 4
    assert "de-arm-8" in case.at("GIR")
    assert case.at("GSA") == "it-art-3"


@pytest.mark.rule("DAA-R01", "DAA-1.05")
def test_x31_incomes_of_the_first_round_match_the_book(opening: Opening) -> None:
    # On our map the Axis 22 divide into 12 and 10 (the inventory's own starter map: 16 and 6).
    case = opening().until(lambda case: case.state.turn == 2)
    collected = [(event.power, event.purse, event.amount) for event in case.events(IncomeCollected)]
    assert collected == [("italy", "axis", 12), ("england", "allies", 24), ("germany", "axis", 10)]
    assert case.state.cash == {"axis": 22 + 12 + 22, "allies": 24 + 12 + 24}
