"""Who is lost, how hits are divided, how battles end and ground falls: line by line, with rules and sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.conftest import ready, set_up

from desert_aa.combat.losses import by_proportion
from desert_aa.model import events as told
from desert_aa.model.orders import ChooseCombat, EndMoves, Retreat, TakeLosses
from desert_aa.model.state import DesertState
from sandtable.kernel.events import Calculation

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay

GSA = "GSA"


def lost(*steps: tuple[str, int, str]) -> tuple[Calculation, ...]:
    return (Calculation("lost", steps),)


@pytest.mark.rule("DAA-R64", "DAA-17.12")
@pytest.mark.parametrize(
    ("germans", "italians", "hits", "holder", "shares"),
    [
        (4, 2, 3, "germany", (2, 1)),
        (2, 1, 1, "italy", (1, 0)),  # 2/3 to 1/3
        (1, 2, 2, "italy", (1, 1)),  # 2/3 to 4/3: the larger part left over is Germany's
        (3, 2, 4, "germany", (2, 2)),  # 12/5 to 8/5
        (1, 1, 1, "germany", (1, 0)),  # halves: the holder's
        (1, 1, 1, "italy", (0, 1)),
        (3, 2, 9, "germany", (3, 2)),
        (5, 4, 7, "germany", (4, 3)),  # 35/9 to 28/9
        (2, 2, 3, "italy", (1, 2)),
    ],
)
def test_hits_on_partners_are_divided(
    germans: int, italians: int, hits: int, holder: str, shares: tuple[int, int]
) -> None:
    prepared = ready("western_desert")
    state = set_up(prepared, f"GSA de-inf-1..{germans} it-inf-1..{italians}", "england", control={holder: GSA})
    units = sorted(state.units)
    assert [(power, hit) for power, _, hit in by_proportion(state, GSA, units, hits)] == [
        ("germany", shares[0]),
        ("italy", shares[1]),
    ]


@pytest.mark.rule("DAA-R64", "DAA-17.06")
def test_why_each_partner_loses_fewer_than_there_were_hits(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..4; GSA de-inf-1..2 it-inf-1", dice="3 3 3 3, 6 6 6", multi_defense="proportional")
    case.attack("uk-arm-1..4", "HAB GSA").fight()
    rule, away = "DAA-17.06", "fall to partners, or on nobody"
    assert case.events(told.UnitsLost) == [
        told.UnitsLost(GSA, ["de-inf-1", "de-inf-2"], "battle", rule, lost(("hits", 4, rule), (away, -2, "DAA-R64"))),
        told.UnitsLost(GSA, ["it-inf-1"], "battle", rule, lost(("hits", 4, rule), (away, -3, "DAA-R64"))),
    ]


@pytest.mark.rule("DAA-17.06")
def test_when_all_fall_the_cheapest_are_named_first(lay: Lay) -> None:
    case = lay("HAB uk-arm-1..5; GSA de-inf-2 de-inf-1 de-arm-1 it-arm-1 it-inf-1", dice="3 3 3 3 3, 6 6 6 6 6")
    case.attack("uk-arm-1..5", "HAB GSA").fight()
    assert case.events(told.UnitsLost)[0].units == ["it-inf-1", "de-inf-1", "de-inf-2", "it-arm-1", "de-arm-1"]


def other(**facts: Any) -> Any:
    """Return what changes the second German infantry unit."""

    def tweak(state: DesertState) -> None:
        for fact, value in facts.items():
            setattr(state.units["de-inf-2"], fact, value)

    return tweak


@pytest.mark.rule("DAA-17.06", "DAA-R29")
@pytest.mark.parametrize(
    ("tweak", "asked"),
    [
        (other(), False),
        (other(condition="extended", stands_up=2), True),
        (other(condition="cut", stands_up=3), True),
        (other(condition="advanced", path=["TOB", "BDI", GSA]), True),
        (other(path=["TOB", "BDI", GSA]), False),  # how it came is the past, for its supply cannot be cut
    ],
)
def test_losses_are_asked_for_where_units_differ(lay: Lay, tweak: Any, asked: bool) -> None:
    case = lay("HAB uk-arm-1; GSA de-inf-1..2", dice="1, 6 6", tweak=tweak)
    case.attack("uk-arm-1", "HAB GSA").submit(EndMoves())
    assert case.wants(TakeLosses) is asked
    case.go(*([TakeLosses(["de-inf-2"])] if asked else []), Retreat("HAB"))
    assert case.at(GSA) == ("de-inf-1" if asked else "de-inf-2")


@pytest.mark.rule("DAA-17.06")
@pytest.mark.parametrize(("second", "asked"), [("HAB", False), ("BUQ", True)])
def test_attackers_that_came_another_way_differ(lay: Lay, second: str, asked: bool) -> None:
    case = lay(f"HAB uk-inf-1; {second} uk-inf-2; GSA de-inf-1", dice="6 6, 1")
    case.attack("uk-inf-1", "HAB GSA").attack("uk-inf-2", f"{second} GSA").submit(EndMoves())
    assert case.wants(TakeLosses) is asked
    case.go(*([TakeLosses(["uk-inf-1"])] if asked else []), Retreat(second))
    assert case.at(second) == "uk-inf-2"


# --- how battles end, and which are next ---


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
    ("units", "dice", "losses", "outcome", "rule"),
    [
        ("uk-inf-1", "6, 1", (), "held", "DAA-17.08"),
        ("uk-inf-1", "1, 1", (), "destroyed", "DAA-17.08"),
        ("uk-ftr-1", "1, 6", (), "cleared", "DAA-16.10"),
        ("uk-inf-1 uk-ftr-1", "1 6, 1", ("uk-inf-1",), "cleared", "DAA-16.10"),
        ("uk-inf-1", "1, 6", (), "taken", "DAA-17.11"),
    ],
)
def test_how_a_battle_ends(lay: Lay, units: str, dice: str, losses: tuple[str, ...], outcome: str, rule: str) -> None:
    case = lay(f"HAB {units}; GSA de-inf-1", dice=dice).attack(units, "HAB GSA")
    case.fight(*([TakeLosses(list(losses))] if losses else []))
    assert case.events(told.BattleEnded) == [told.BattleEnded(GSA, outcome, rule)]
    captured = [told.SpaceCaptured(GSA, "england", "england", "germany", [], "DAA-17.11")] if outcome == "taken" else []
    assert case.events(told.SpaceCaptured) == captured


@pytest.mark.rule("DAA-17.01", "DAA-R56")
def test_raids_and_battles_are_chosen_from_and_a_raid_goes_first(lay: Lay) -> None:
    case = lay("SIB de-bom-1 de-inf-1; MAT uk-inf-1; GSA de-inf-2; HAB uk-inf-2", "germany", dice="6, 6, 6, 6, 6")
    case.attack("de-bom-1", "SIB MAT", raid=True).attack("de-inf-1", "SIB MAT").attack("de-inf-2", "GSA HAB")
    case.submit(EndMoves())
    assert list(case.asked.options.values()) == [ChooseCombat("HAB"), ChooseCombat("MAT")]
    case.submit(ChooseCombat("MAT")).submit(ChooseCombat("MAT")).go(Retreat("SIB"), Retreat("GSA"))
    assert [purpose for purpose, _ in case.rolls()] == [
        "raid.MAT",
        "attack.MAT",
        "defence.MAT",
        "attack.HAB",
        "defence.HAB",
    ]


@pytest.mark.rule("DAA-16.04", "DAA-17.13", "DAA-18.04")
def test_by_what_rule_ground_falls(lay: Lay) -> None:
    # An Italian walks into what England took of Germany; a German tank runs through Habata and ends in Siwa.
    case = lay("GUB it-inf-1; GSA uk-aa-1..2", "italy").attack("it-inf-1", "GUB GSA").fight()
    assert case.events(told.SpaceCaptured) == [
        told.SpaceCaptured(GSA, "italy", "germany", "england", ["uk-aa-1", "uk-aa-2"], "DAA-18.04")
    ]
    case = lay("GSA de-arm-1", "germany").attack("de-arm-1", "GSA HAB SIW").fight()
    assert case.events(told.SpaceCaptured) == [
        told.SpaceCaptured("HAB", "germany", "germany", "england", [], "DAA-16.04"),
        told.SpaceCaptured("SIW", "germany", "germany", "england", [], "DAA-17.13"),
    ]
