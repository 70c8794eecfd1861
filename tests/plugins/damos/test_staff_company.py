"""The staff officer's company: who comes along, who stays behind, and that there is a way back for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.damos.cases import Case, activate
from tests.plugins.damos.positions import GERMAN, SOVIET

from damos.bots.company import could_go_back
from damos.bots.players import StaffOfficer
from damos.bots.position import StaffPosition
from damos.model import orders
from sandtable.kernel.dice import Stream
from sandtable.kernel.play.views import View

if TYPE_CHECKING:
    from tests.plugins.damos.conftest import Lay

MOSCOW = "2808"


def next_order(case: Case, side: str = GERMAN) -> object:
    """Return what he answers to the question that is open."""
    officer = StaffOfficer(side, Stream(b"a staff officer"), case.prepared.board)
    return officer.choose(case.asked, View(side, case.game.view))


def position_of(case: Case, side: str) -> StaffPosition:
    return StaffPosition(case.game.view(side), case.prepared.board, side)


@pytest.mark.rule("DM-7.0n")
@pytest.mark.parametrize(("enemy", "taken"), [("i1:5", True), ("i1:1", False), ("i1:40", False)])
def test_he_takes_along_with_whom_an_attack_is_good_enough(lay: Lay, enemy: str, taken: bool) -> None:
    case = lay(german="2816 I1:5 I2:6", soviet=f"2815 {enemy}", moscow=MOSCOW).go(activate("I1"))
    assert (next_order(case) == orders.PickUp(["I2"])) == taken
    case.end()


@pytest.mark.rule("DM-7.0p", "AGC-5.0c")
def test_at_the_gates_one_stays_and_the_others_go_on_to_a_free_one(lay: Lay) -> None:
    soviet = f"{MOSCOW} i1:12 i2:12"
    case = lay(german="2809 A1:6 A2:7", soviet=soviet, moscow=MOSCOW, turn=12).go(activate("A1 A2"))
    assert next_order(case) == orders.DropOff(["A1"])
    case.go(orders.DropOff(["A1"]))
    step = next_order(case)
    assert isinstance(step, orders.Step)
    assert step.hex in case.state.board.around[MOSCOW]
    case.end()


@pytest.mark.rule("DM-8.11b", "DM-2.3e")
def test_he_knows_where_who_is_beaten_could_go(lay: Lay) -> None:
    case = lay(german="2812 A1:9", soviet="2811 i1:6 i2:6; 2810 i3:6 i4:6; 2711 i5:6 i6:6", moscow=MOSCOW)
    position = position_of(case, SOVIET)
    assert could_go_back(position, ["i1"], "2812")
    full = lay(
        german="2812 A1:9; 2614 A2:9; 3014 A3:9",
        soviet="2811 i1:6 i2:6; 2911 i3:6 i4:6; 2711 i5:6 i6:6; 2712 i7:6 i8:6; 2912 i9:6 i10:6",
        moscow=MOSCOW,
    )
    assert not could_go_back(position_of(full, SOVIET), ["i3", "i5", "i7"], "2812")
    case.end()
    full.end()


@pytest.mark.rule("AGC-4.6.1b")
def test_on_turn_1_he_reckons_with_the_zones_that_come(lay: Lay) -> None:
    """The Soviets have no zones on turn 1: the line of 2814 is open then, and cut as soon as they have them."""
    case = lay(german="2816 I1:6", soviet="2715 i1:6; 2915 i2:6", moscow=MOSCOW, turn=1)
    position = position_of(case, GERMAN)
    assert "2814" in position.supply
    assert "2814" not in position.lasting_supply
    case.end()
