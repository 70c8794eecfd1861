"""Menus in words."""

from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay
from transcripts import Transcript

from axis_attack.fog.views import view
from axis_attack.model import orders
from axis_attack.model.state import Fielded
from axis_attack.ui.asking.menus import words


def row(name: str, rules: str, *listed: Any, phase: str = "", **position: Any) -> Any:
    marks = pytest.mark.rule(*rules.split()) if rules else ()
    return pytest.param(listed, phase, position, id=name, marks=marks)


LINE: dict[str, Any] = {"mission": "hold_the_line", "balance": (6, 0)}
BROKEN: dict[str, Any] = {"mission": "breakthrough", "german": "pg1 pg gutted; pg2 pg full"}
KEPT = (orders.KeepMobile(), orders.KeepMobile({"pg1": 2}, {"pg2>hmg": 2}))
CONCEDE = (orders.Concede(), orders.Concede(concede=True))


@pytest.mark.rule("AOA-10.18 AOA-10.19 AOA-11.15 AOA-12.01 AOA-5.22 AOA-5.23 AOA-7.05 AOA-8.10 AOA-8.19 AOA-8.22")
@pytest.mark.parametrize(
    ("listed", "phase", "position"),
    [
        row("concede", "AOA-5.22 AOA-5.23", *CONCEDE),
        row("concede_at_home", "AOA-12.01", *CONCEDE, sector=1),
        row("concede_surrounded", "AOA-5.23", *CONCEDE, mission="cauldron", attacker="soviet"),
        row("mission", "AOA-8.19", orders.ChangeMission(), orders.ChangeMission("breakthrough"), **LINE),
        row("total", "AOA-8.10", orders.AdjustTotal(), orders.AdjustTotal("soviet", -1), **LINE),
        row("total_in_selection", "AOA-8.10", orders.AdjustTotal(), phase="selection"),
        row("shift", "AOA-8.22", orders.ShiftTable(1, -2), **LINE),
        row("corner", "", orders.PlaceTable(0, 2)),
        row("breakthrough", "AOA-7.05", orders.ChooseBreakthrough(1), orders.ChooseBreakthrough(2), **BROKEN),
        row("mobile", "AOA-10.18 AOA-10.19", *KEPT, **BROKEN),
        row("raised", "AOA-11.15", orders.RaisePlatoons(["pg1"]), "pg1", "t1", **BROKEN),
        row("others", "", orders.ChooseForce([Fielded("pg1", 7)], 1), orders.AssignDice(1, {"pg2": 5}),
            orders.AssignDice(0, {}), orders.ClaimRecon([]), orders.ExchangePlatoon(),
            german="pg1 pg full; pg2 pg gutted; hmg hmg depleted"),
    ],
)  # fmt: skip
def test_menu_lines_are_in_words(
    lay: Lay, transcript: Transcript, listed: Any, phase: str, position: dict[str, Any]
) -> None:
    state = lay("forces", **position).state
    state.phase = phase or state.phase
    transcript("\n".join(str(words(each, view(state, "german"), state.board)) for each in listed))
