"""Tactical bombing raids: DAA-13."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.rows import Row, play, row

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay


def raid(rules: str, name: str, bombers: int, zone: str, *steps: str, others: str = "", **setup: Any) -> Any:
    """Return a row: bombers from Bardia raid the zone of Matruh, at a distance of three spaces."""
    units = f"BDI de-bom-1..{bombers}; MAT {zone}; {others}"
    return row(rules, name, units, f"raid de-bom-1..{bombers}: BDI BUQ SIB MAT", *steps, **setup)


FOUR = ["uk-arm-1", "uk-bom-1", "uk-ftr-1", "uk-inf-1"]
RAIDS = [
    *(raid("DAA-13.01 DAA-13.03", f"a raider rolls {die}", 1, "uk-inf-1", "fight", f"where uk-inf-1 = {left}",
           f"raids = MAT {hits}", "count BattleOpened = 0", dice=die)
      for die, left, hits in (("1", "-", 1), ("2", "MAT", 0), ("4", "MAT", 0))),
    *(raid("DAA-R54", f"by option {option} a raider rolls {die}", 1, "uk-inf-1", "fight", f"where uk-inf-1 = {left}",
           dice=die, tbr_hit=option)
      for option in ("four", "own_attack") for die, left in (("4", "-"), ("5", "MAT"))),
    raid("DAA-R54 DAA-13.03", "a raider needs the printed one by default", 2, "uk-inf-1", "fight", "needs = 1 1",
         dice="2 2"),
    row("DAA-13.01", "only zones of the enemy are raided",
        "BDI de-bom-1 de-arm-1; SIB uk-inf-1; BEN uk-inf-2; SIR de-inf-1",
        "no raid de-bom-1: BDI BUQ SIB = DAA-13.01", "no raid de-bom-1: BDI TOB TMI DER BAR = DAA-13.01",
        "no raid de-arm-1: BDI BUQ = DAA-13.01 DAA-13.05",  # not a bomber
        "raid de-bom-1: BDI TOB TMI DER BAR BEN", "fight", "where uk-inf-2 = -", dice="1"),  # captured by the enemy
    raid("DAA-13.02 DAA-10.04 DAA-10.05", "raiders meet a die of flak each, and lost ones do not strike", 3,
         "uk-inf-1 uk-aa-1..2", "fight", "needs = 1 1 1, 1", "size BDI = 0", "bombers = 1",
         "flak = de-bom-1 de-bom-2 de-bom-3", dice="1 2 1, 6"),
    raid("DAA-13.02", "a raid shot down to the last bomber rolls nothing", 1, "uk-inf-1 uk-aa-1", "fight", "needs = 1",
         "units = uk-aa-1 uk-inf-1", dice="1"),
    *(raid("DAA-13.04 DAA-R55", f"the defender gives up {loss}", 1, " ".join(FOUR), "end", "asked = england",
           f"lose {loss}", f"units = de-bom-1 {' '.join(each for each in FOUR if each != loss)}", dice="1")
      for loss in FOUR),
    # Two hits, one unit besides flak; in the teaching game the zone of Khashm el Ahmar can be mined.
    row("DAA-R55 DAA-10.06 DAA-8.04", "a raid costs neither flak nor mines", "TEL de-bom-1..2; KHA uk-inf-1 uk-aa-1",
        "raid de-bom-1..2: TEL OAS KHA", "fight", "lost = uk-inf-1", "where uk-aa-1 = KHA", "mines = KHA",
        dice="2 2, 1 1", mines={"KHA": "england"}, scenario="frontier"),
    raid("DAA-R55", "flak cannot be given up to a raid", 1, "uk-inf-1 uk-art-1 uk-aa-1", "end",
         "refuse lose uk-aa-1 = DAA-R55 DAA-10.06 DAA-13.04", "lose uk-art-1", dice="6, 1"),
    row("DAA-13.05", "a fighter cannot join a raid", "SIB de-bom-1 de-ftr-1; MAT uk-inf-1",
        "no raid de-ftr-1: SIB MAT = DAA-13.05", "no raid de-bom-1 de-ftr-1: SIB MAT = DAA-13.05"),
    # The raid (1) destroys the infantry; then the tank (3) fights only the artillery (2).
    raid("DAA-R56 DAA-13.01", "a raid precedes the attack on the same zone, and raiders stay out of it", 1,
         "uk-inf-1 uk-art-1", "attack de-inf-1: SIB MAT", "fight lose uk-inf-1; retreat SIB",
         "rolls = raid attack defence", "needs = 1, 1, 2", "opened = de-inf-1", others="SIB de-inf-1", dice="1, 6, 6"),
    raid("DAA-R56", "the ground attack walks in if the raid has cleared the zone", 1, "uk-inf-1",
         "attack de-inf-1: SIB MAT", "fight", "needs = 1", "holder MAT = germany", "where de-inf-1 = MAT",
         others="SIB de-inf-1", dice="1"),
    raid("DAA-R57", "fighters do not rise against a raid", 1, "uk-ftr-1..3", "fight", "needs = 1", "bombers = 1",
         dice="6"),
    # Four spaces to Fuka are four back; to Matruh from Tobruk it is four and three.
    row("DAA-13.01 DAA-16.07", "a raider needs a path home", "TOB de-bom-1; MAT uk-inf-1",
        "no raid de-bom-1: TOB BDI BUQ SIB MAT = DAA-18.03 DAA-16.07"),
]  # fmt: skip


@pytest.mark.rule("DAA-10.04", "DAA-10.05", "DAA-10.06", "DAA-13.01", "DAA-13.02", "DAA-13.03", "DAA-13.04")
@pytest.mark.rule("DAA-13.05", "DAA-16.07", "DAA-8.04", "DAA-R54", "DAA-R55", "DAA-R56", "DAA-R57")
@pytest.mark.parametrize("row", RAIDS)
def test_raids_follow_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


"""The path from Bardia to the zone of Matruh, three spaces."""
