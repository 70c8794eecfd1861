"""Powers, the order of turns and steps, incomes: DAA-1, DAA-14."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.positions import minutes
from tests.plugins.desert_aa.rows import Row, play, row

from desert_aa.model import events as event_types
from sandtable.kernel.events import GameEnded, PhaseBegan

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay, Opening
    from transcripts import Transcript


@pytest.mark.rule("DAA-1.01", "DAA-1.02")
def test_italy_and_germany_are_the_axis_and_england_the_allies(opening: Opening) -> None:
    case = opening()
    assert dict(case.prepared.ruleset.powers) == {"italy": "axis", "england": "allies", "germany": "axis"}
    assert case.prepared.ruleset.sides == ("axis", "allies")


def cash(amount: int) -> dict[str, Any]:
    return {"cash": dict.fromkeys(("axis", "allies"), amount)}


TURNS = [
    row("DAA-1.03 DAA-14.07", "Italy, England and Germany play in this order, round by round", "",
        "turn england germany italy england", "turns = italy england germany italy england", "now = 2 england",
        power="italy", round_=1),
    row("DAA-14.04 DAA-R01", "each Axis space pays once a round into the common purse", "", "turn italy",
        "incomes = italy 12 england 24 germany 10", "purses = axis allies axis", "cash axis = 72", "cash allies = 74",
        power="italy", state=cash(50)),
    # 25 - 10 + 12; then 27.
    row("DAA-R01", "the common purse pays for either partner", "", "buy fighter 1", "turn germany", "cash axis = 27",
        "buy bomber 1 fighter 1", "cash axis = 0", power="italy", state=cash(25)),
    # Tobruk adds 3 to Germany's income of 10.
    row("DAA-14.09 DAA-14.04", "a conquered space pays its new holder, and both sides see its holder", "GUB uk-inf-1",
        "attack uk-inf-1: GUB TOB", "turn italy", "incomes = england 27 germany 7", "view TOB = england england"),
    *(row("DAA-R03", f"ground conquered by {unit} belongs to {power}", f"GIR {unit}", f"attack {unit}: GIR SIW",
          "fight",
          f"holder SIW = {power}") for power, unit in (("italy", "it-inf-1"), ("germany", "de-inf-1"))),
]  # fmt: skip


@pytest.mark.rule("DAA-1.03", "DAA-14.04", "DAA-14.07", "DAA-14.09", "DAA-R01", "DAA-R03")
@pytest.mark.parametrize("row", TURNS)
def test_turns_follow_the_rules(lay: Lay, row: Row) -> None:
    play(lay, row)


@pytest.mark.rule("DAA-14.01")
def test_steps_of_a_turn_are_in_order(lay: Lay) -> None:
    case = lay("", "england").to_turn("germany")
    phases = [event.phase for event in case.events(PhaseBegan)]
    order = ["purchase", "combat_move", "combat", "noncombat_move", "placement", "income"]
    assert phases[:-1] == [f"england.{phase}" for phase in order]


@pytest.mark.rule("DAA-14.04", "DAA-R63")
def test_final_margin_follows_from_incomes(lay: Lay, transcript: Transcript) -> None:
    case = lay("", "italy", scenario="frontier", round_=5, control={"england": "TEL"})
    case.until(lambda case: case.game.is_over)
    transcript(minutes([*case.events(event_types.IncomeCollected)[-4:], *case.events(GameEnded)]))
