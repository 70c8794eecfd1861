"""Ends of battles and captured ground: DAA-16.10, DAA-17.08 to DAA-17.13, DAA-18.04, DAA-18.05."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import GSA, attack, minutes

from desert_aa.model import events as told
from desert_aa.model.events import BattleEnded, BattleOpened, SpaceCaptured
from desert_aa.model.orders import EndMoves, Retreat, TakeLosses
from sandtable.kernel.events import GameEnded

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay
    from transcripts import Transcript


@pytest.mark.rule("DAA-17.11")
def test_a_land_unit_that_outlives_the_defence_takes_the_space(lay: Lay) -> None:
    case = attack(lay, "uk-inf-1", "de-inf-1", "1, 6").fight()
    assert (case.holder("GSA"), case.at("GSA")) == ("england", "uk-inf-1")
    assert [event.outcome for event in case.events(BattleEnded)] == ["taken"]


@pytest.mark.rule("DAA-17.13")
def test_undefended_ground_falls_by_being_entered(lay: Lay) -> None:
    case = lay("HAB uk-inf-1").attack("uk-inf-1", "HAB GSA").fight()
    assert (case.holder("GSA"), case.needs()) == ("england", [])
    assert [event.space for event in case.events(SpaceCaptured)] == ["GSA"]
    assert not case.events(BattleOpened)


@pytest.mark.rule("DAA-17.09", "DAA-R16")
@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("together", "no retreat leads where no attacker came from: fight on, or retreat BUQ or retreat HAB"),
        ("own_origin", "no retreat leads but back the way that each unit came: fight on, or retreat"),
    ],
)
def test_where_a_retreat_leads(lay: Lay, option: str, reason: str) -> None:
    case = lay("HAB uk-inf-1; BUQ uk-inf-2; GSA de-inf-1", dice="6 6, 6", retreat_rule=option)
    case.attack("uk-inf-1", "HAB GSA").attack("uk-inf-2", "BUQ GSA").submit(EndMoves())
    refusal = case.asked.options.why_not(Retreat("SIW"))
    assert refusal == ("DAA-17.09", reason)
    case.submit(Retreat("BUQ" if option == "together" else ""))
    back = {"uk-inf-1": "BUQ" if option == "together" else "HAB", "uk-inf-2": "BUQ"}
    assert case.events(told.UnitsWithdrew, told.BattleEnded) == [
        told.UnitsWithdrew("england", GSA, back, "DAA-17.09"),
        told.BattleEnded(GSA, "withdrawn", "DAA-17.09"),
    ]


@pytest.mark.rule("DAA-17.08", "DAA-16.10")
@pytest.mark.parametrize(
    ("units", "dice", "loss"),
    [
        ("uk-inf-1", "6, 1", ""),
        ("uk-inf-1", "1, 1", ""),
        ("uk-ftr-1", "1, 6", ""),
        ("uk-inf-1 uk-ftr-1", "1 6, 1", "uk-inf-1"),
        ("uk-inf-1", "1, 6", ""),
    ],
)
def test_how_a_battle_ends(lay: Lay, units: str, dice: str, loss: str, transcript: Transcript) -> None:
    case = lay(f"HAB {units}; GSA de-inf-1", dice=dice).attack(units, "HAB GSA")
    case.fight(*([TakeLosses([loss])] if loss else []))
    transcript(minutes(case.events(told.BattleEnded, told.SpaceCaptured)))


@pytest.mark.rule("DAA-16.04", "DAA-17.13", "DAA-18.04")
def test_by_what_rule_ground_falls(lay: Lay, transcript: Transcript) -> None:
    # An Italian walks into what England took of Germany; a German tank runs through Habata and ends in Siwa.
    italy = lay("GUB it-inf-1; GSA uk-aa-1..2", "italy").attack("it-inf-1", "GUB GSA").fight()
    germany = lay("GSA de-arm-1", "germany").attack("de-arm-1", "GSA HAB SIW").fight()
    transcript(minutes(event for case in (italy, germany) for event in case.events(told.SpaceCaptured)))


@pytest.mark.rule("DAA-18.04", "DAA-R03")
@pytest.mark.parametrize(
    ("power", "unit", "owner"), [("italy", "it-inf-1", "germany"), ("germany", "de-inf-1", "germany")]
)
def test_ground_won_back_for_a_partner_reverts_to_him(lay: Lay, power: str, unit: str, owner: str) -> None:
    # Gabr Saleh was Germany's at the outset; England holds it now.
    case = lay(f"GUB {unit}", power, control={"england": "GSA"}).attack(unit, "GUB GSA").fight()
    assert case.holder("GSA") == owner
    (event,) = case.events(SpaceCaptured)
    assert (event.by, event.owner, event.lost_by) == (power, owner, "england")


@pytest.mark.rule("DAA-18.05")
def test_flak_captured_by_a_partner_s_recapture_belongs_to_the_captor(lay: Lay) -> None:
    case = lay("GUB it-inf-1; GSA uk-aa-1", "italy").attack("it-inf-1", "GUB GSA").fight()
    assert case.units()["uk-aa-1"].power == "italy"
    assert case.holder("GSA") == "germany"
    assert case.no_shift("uk-aa-1", "GSA GUB") == "DAA-18.05"


@pytest.mark.rule("DAA-1.04")
def test_a_capital_that_falls_ends_the_game_by_its_rule(lay: Lay) -> None:
    case = lay("HOM uk-inf-1").attack("uk-inf-1", "HOM TRI").fight()
    assert case.events(GameEnded) == [GameEnded("allies", "capital_captured", "DAA-1.04")]
