"""Powers, the order of turns and steps, incomes: DAA-1, DAA-14."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import minutes, rich

from desert_aa.model import events as told
from desert_aa.model.events import IncomeCollected, PowerTurnBegan
from desert_aa.model.orders import BuyUnits
from sandtable.kernel.events import GameEnded, PhaseBegan

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay, Opening
    from transcripts import Transcript


@pytest.mark.rule("DAA-1.01", "DAA-1.02")
def test_italy_and_germany_are_the_axis_and_england_the_allies(opening: Opening) -> None:
    case = opening()
    assert dict(case.prepared.ruleset.powers) == {"italy": "axis", "england": "allies", "germany": "axis"}
    assert case.prepared.ruleset.sides == ("axis", "allies")


@pytest.mark.rule("DAA-1.03", "DAA-14.07")
def test_italy_england_germany_play_in_this_order_round_by_round(lay: Lay) -> None:
    case = lay("", "italy", round_=1).to_turn("england").to_turn("germany").to_turn("italy").to_turn("england")
    assert [event.power for event in case.events(PowerTurnBegan)] == ["italy", "england", "germany", "italy", "england"]
    assert case.state.turn == 2


@pytest.mark.rule("DAA-14.01")
def test_the_steps_of_a_turn_come_in_their_order(lay: Lay) -> None:
    case = lay("", "england").to_turn("germany")
    phases = [event.phase for event in case.events(PhaseBegan)]
    order = ["purchase", "combat_move", "combat", "noncombat_move", "placement", "income"]
    assert phases[:-1] == [f"england.{phase}" for phase in order]


@pytest.mark.rule("DAA-14.04", "DAA-R01")
def test_each_axis_space_pays_once_a_round_into_the_common_purse(lay: Lay) -> None:
    case = rich(lay, "italy", 50).to_turn("italy")
    assert [(event.power, event.purse, event.amount) for event in case.events(IncomeCollected)] == [
        ("italy", "axis", 12),
        ("england", "allies", 24),
        ("germany", "axis", 10),
    ]
    assert case.state.cash == {"axis": 72, "allies": 74}


@pytest.mark.rule("DAA-R01")
def test_the_common_purse_pays_for_either_partner(lay: Lay) -> None:
    case = rich(lay, "italy", 25).submit(BuyUnits({"fighter": 1}))
    case.to_turn("germany")
    assert case.state.cash["axis"] == 25 - 10 + 12
    case.submit(BuyUnits({"bomber": 1, "fighter": 1}))  # 27
    assert case.state.cash["axis"] == 0


@pytest.mark.rule("DAA-14.09", "DAA-14.04")
def test_a_conquered_space_pays_its_new_holder_and_everybody_sees_whose_it_is(lay: Lay) -> None:
    # Tobruk is worth 3 to Germany, whose spaces pay 10.
    case = rich(lay, "england", units="GUB uk-inf-1").attack("uk-inf-1", "GUB TOB").to_turn("italy")
    assert [(event.power, event.amount) for event in case.events(IncomeCollected)] == [("england", 27), ("germany", 7)]
    assert [case.game.view(side).control["TOB"] for side in ("axis", "allies")] == ["england", "england"]


@pytest.mark.rule("DAA-R03")
@pytest.mark.parametrize(("power", "unit"), [("italy", "it-inf-1"), ("germany", "de-inf-1")])
def test_conquered_ground_belongs_to_the_power_that_took_it(lay: Lay, power: str, unit: str) -> None:
    case = lay(f"GIR {unit}", power).attack(unit, "GIR SIW").fight()
    assert case.holder("SIW") == power


@pytest.mark.rule("DAA-14.04", "DAA-R63")
def test_what_ground_pays_and_who_is_richer_in_the_end(lay: Lay, transcript: Transcript) -> None:
    case = lay("", "italy", scenario="frontier", round_=5, control={"england": "TEL"})
    case.until(lambda case: case.game.is_over)
    transcript(minutes([*case.events(told.IncomeCollected)[-4:], *case.events(GameEnded)]))
