"""Events and views hide the enemy's roster and forces (AOA-S03, AOA-R14)."""

from typing import Any

import msgspec
import pytest
from tests.plugins.axis_attack.cases import Case, Lay, assigns, builds, result
from tests.plugins.axis_attack.positions import ruleset

from axis_attack.model import orders
from axis_attack.model.events import CompanyBuilt, PlatoonReinforced
from axis_attack.model.state import AxisState, Platoon

ODD = "secretpanzers"
"""An id that no list has, so that it must have leaked wherever it appears."""


def seen(case: Case, side: str) -> str:
    """Return the view of a side as text."""
    return msgspec.json.encode(case.game.view(side)).decode()


def events_seen(case: Case, side: str) -> str:
    """Return the events as a side sees them, as text."""
    rules = ruleset(case.state.options["roster_visibility"])
    parts: list[Any] = []
    for event in case.happened(later=True):
        shown = rules.visible(event, side) if type(event) in rules.secret_events else event
        if shown is not None:
            parts.append(shown)
    return " ".join(msgspec.json.encode(each).decode() for each in parts)


def with_secret(state: AxisState) -> None:
    state.rosters["german"][ODD] = Platoon("panzer", 4, 2, teams=3)
    state.ladder["german"][ODD] = [2]


@pytest.mark.rule("AOA-1.01", "AOA-O1")
def test_built_company_is_hidden_from_the_enemy(lay: Lay) -> None:
    case = lay("setup.company").play(builds("german", f"{ODD} pg 7; pg2 pg 5"), until=orders.PlaceTable)
    assert len(case.events(CompanyBuilt)) == 2
    assert ODD in events_seen(case, "german")
    assert ODD not in events_seen(case, "soviet")
    assert ODD not in seen(case, "soviet")


@pytest.mark.rule("AOA-11.05", "AOA-O1")
def test_dice_for_an_unseen_platoon_do_not_name_it(lay: Lay) -> None:
    soviet = "t1 tankovy full; t2 tankovy full; scouts scouts gutted"
    dice = {f"reinforce:german:{ODD}": "1+1+1+6"}
    case = lay("reinforcement", soviet=soviet, tweak=with_secret, dice=dice).play(until=orders.AssignDice)
    case.game.submit(assigns("german", **{ODD: 4})[1], "german")
    assert ODD not in seen(case, "soviet")
    case.play()
    assert case.one(PlatoonReinforced, side="german").level == 3
    assert ODD in events_seen(case, "german")


@pytest.mark.rule("AOA-O1")
def test_platoons_that_fought_are_known(lay: Lay) -> None:
    case = lay("battle").play(result("german", "5-2", german={"pg1": "2d"}))
    assert "pg1" in events_seen(case, "soviet")
