"""Ends of battles and captured ground: DAA-16.10, DAA-17.08 to DAA-17.13, DAA-18.04, DAA-18.05."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import minutes, refusals
from tests.plugins.desert_aa.rows import Row, battle, play, row

from desert_aa.model import events as event_types
from desert_aa.model.orders import EndMoves, Retreat, TakeLosses
from sandtable.kernel.events import GameEnded

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay
    from transcripts import Transcript


GROUND = [
    battle("DAA-17.11", "a land unit that outlives the defense takes the space", "uk-inf-1", "de-inf-1", "fight",
           "holder GSA = england", "at GSA = uk-inf-1", "ended = taken", dice="1, 6"),
    row("DAA-17.13", "undefended ground falls when it is entered", "HAB uk-inf-1", "attack uk-inf-1: HAB GSA", "fight",
        "holder GSA = england", "needs = -", "spaces SpaceCaptured = GSA", "count BattleOpened = 0"),
    # Gabr Saleh was Germany's at the start, and England holds it now.
    *(row("DAA-18.04 DAA-R03", f"ground of Germany won back by {unit}", f"GUB {unit}", f"attack {unit}: GUB GSA",
          "fight",
          "holder GSA = germany", f"captures = {power} germany england", control={"england": "GSA"})
      for power, unit in (("italy", "it-inf-1"), ("germany", "de-inf-1"))),
    row("DAA-18.05", "flak captured with a partner's ground belongs to the captor", "GUB it-inf-1; GSA uk-aa-1",
        "attack it-inf-1: GUB GSA", "fight", "power uk-aa-1 = italy", "holder GSA = germany",
        "no shift uk-aa-1: GSA GUB = DAA-18.05"),
]  # fmt: skip


@pytest.mark.rule("DAA-17.11", "DAA-17.13", "DAA-18.04", "DAA-18.05", "DAA-R03")
@pytest.mark.parametrize("row", GROUND)
def test_captured_ground_follows_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-17.09", "DAA-R16")
@pytest.mark.parametrize(("option", "back"), [("together", "BUQ"), ("own_origin", "")])
def test_retreat_leads_to_an_allowed_space(lay: Lay, option: str, back: str, transcript: Transcript) -> None:
    case = lay("HAB uk-inf-1; BUQ uk-inf-2; GSA de-inf-1", dice="6 6, 6", retreat_rule=option)
    case.attack("uk-inf-1", "HAB GSA").attack("uk-inf-2", "BUQ GSA").submit(EndMoves())
    refused = refusals(case.asked.options, [Retreat("SIW")])
    case.submit(Retreat(back))
    transcript(f"{refused}\n{minutes(case.events(event_types.UnitsWithdrew, event_types.BattleEnded))}")


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
def test_end_of_a_battle_is_recorded(lay: Lay, units: str, dice: str, loss: str, transcript: Transcript) -> None:
    case = lay(f"HAB {units}; GSA de-inf-1", dice=dice).attack(units, "HAB GSA")
    case.fight(*([TakeLosses([loss])] if loss else []))
    transcript(minutes(case.events(event_types.BattleEnded, event_types.SpaceCaptured)))


@pytest.mark.rule("DAA-16.04", "DAA-17.13", "DAA-18.04")
def test_captured_ground_cites_its_rule(lay: Lay, transcript: Transcript) -> None:
    # Italian infantry enters ground that England took from Germany; a German tank blitzes Habata and ends in Siwa.
    italy = lay("GUB it-inf-1; GSA uk-aa-1..2", "italy").attack("it-inf-1", "GUB GSA").fight()
    germany = lay("GSA de-arm-1", "germany").attack("de-arm-1", "GSA HAB SIW").fight()
    transcript(minutes(event for case in (italy, germany) for event in case.events(event_types.SpaceCaptured)))


@pytest.mark.rule("DAA-1.04")
def test_captured_capital_ends_the_game_by_its_rule(lay: Lay) -> None:
    case = lay("HOM uk-inf-1").attack("uk-inf-1", "HOM TRI").fight()
    assert case.events(GameEnded) == [GameEnded("allies", "capital_captured", "DAA-1.04")]
