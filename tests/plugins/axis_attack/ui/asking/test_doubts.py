"""Orders that need a confirmation, and refusals of dice."""

from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay
from tests.plugins.axis_attack.pools import typed
from transcripts import Transcript

from axis_attack.forces.company import company_space, starting_force
from axis_attack.forces.force import force_space
from axis_attack.model.state import AxisState
from axis_attack.recovery.exchange import exchange_space
from axis_attack.recovery.reinforcement import dice_space
from axis_attack.ui.asking.doubts import read_order
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Space

TWO = "pg1 pg full; pg2 pg full"


def read(state: AxisState, space: Space | None, text: str, done: Order | None = None) -> Any:
    assert space is not None
    return read_order(Decision("german", "?", space, "AOA-3.01", done=done), text, state.board)


@pytest.mark.rule("AOA-3.02", "AOA-3.03", "AOA-3.04", "AOA-9.22")
@pytest.mark.parametrize(
    ("texts", "german", "balance"),
    [
        ("pg1; pg2|pg1; pg2; As Said", f"{TWO}; panzer panzer full", 0),
        ("pg1; pg2|tiger", TWO, 0),
        ("pg1; pg2; extra 1|pg1; pg2; extra 1; as said", TWO, 3),
        ("pg1; pg2; buy|pg1; pg2; buy tea|pg1; pg2; buy preregistered", TWO, 3),
    ],
    ids=["room", "no_room", "extra", "buy"],
)
def test_forces_that_waste_points_need_a_confirmation(
    lay: Lay, transcript: Transcript, texts: str, german: str, balance: int
) -> None:
    state = lay("forces", german=german, balance=(balance, 0)).state
    space = force_space(state, "german")
    transcript(typed(lambda text: read(state, space, text), space, texts))


@pytest.mark.rule("AOA-1.01")
def test_companies_that_waste_points_need_a_confirmation(lay: Lay, transcript: Transcript) -> None:
    state = lay("forces").state
    space = company_space(state, "german")
    start = starting_force(space.company)
    doubts = typed(lambda text: read(state, space, text, start), space, "start; drop cars|start; drop cars; as said")
    transcript(f"{doubts}\n{typed(lambda text: read(state, space, text), space, 'drop howitzers')}")


@pytest.mark.rule("AOA-11.05", "AOA-11.08", "AOA-11.18")
def test_refused_dice_lines_are_explained(lay: Lay, transcript: Transcript) -> None:
    state = lay("forces", german="pg1 pg depleted; pg2 pg gutted; hmg hmg full", balance=(2, 0)).state
    space = dice_space(state, "german", ["pg2"])
    transcript(typed(lambda text: read(state, space, text), space, "pg2 2; pg1 1|hmg 3|pg1 5"))


@pytest.mark.rule("AOA-11.24")
def test_exchange_without_a_number_takes_the_largest_size(lay: Lay) -> None:
    state = lay("forces", balance=(5, 0), german=f"{TWO}; panzer panzer full").state
    space = exchange_space(state, "german")
    assert space is not None
    sizes = [teams for name, teams, _ in space.offers("panzer") if name == "pak40"]
    assert len(sizes) > 1
    assert read(state, space, "panzer for pak40").wanted.teams == max(sizes)
    assert read(state, space, f"panzer for pak40 {min(sizes)}").wanted.teams == min(sizes)
