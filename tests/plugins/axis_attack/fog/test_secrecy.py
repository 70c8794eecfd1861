"""Events and views hide the enemy's roster and forces (AOA-S03, AOA-R14)."""

from typing import Any

import msgspec
import pytest
from tests.plugins.axis_attack.cases import Case, Lay, assigns, builds, chooses, result
from tests.plugins.axis_attack.positions import ruleset

from axis_attack.model import orders
from axis_attack.model.events import CompanyBuilt, ForceChosen, PlatoonReinforced
from axis_attack.model.state import AxisState, Platoon, Purchase
from sandtable.tabletop.result import ReportBattle

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


@pytest.mark.rule("AOA-O1", "AOA-R14")
@pytest.mark.parametrize(("visibility", "visible"), [("own", False), ("all", True)])
def test_roster_is_visible_to_its_owner_or_by_option_to_all(lay: Lay, visibility: str, visible: bool) -> None:
    case = lay("forces", tweak=with_secret, roster_visibility=visibility).play(until=orders.ChooseForce)
    assert ODD in seen(case, "german")
    assert (ODD in seen(case, "soviet")) is visible
    assert ODD in seen(case, "umpire")


@pytest.mark.rule("AOA-1.01", "AOA-O1")
def test_built_company_is_hidden_from_the_enemy(lay: Lay) -> None:
    case = lay("setup.company").play(builds("german", f"{ODD} pg 7; pg2 pg 5"), until=orders.PlaceTable)
    assert len(case.events(CompanyBuilt)) == 2
    assert ODD in events_seen(case, "german")
    assert ODD not in events_seen(case, "soviet")
    assert ODD not in seen(case, "soviet")


@pytest.mark.rule("AOA-R14", "AOA-3.17")
def test_force_is_shown_after_both_are_chosen(lay: Lay) -> None:
    case = lay("forces", tweak=with_secret).play(until=orders.ChooseForce)
    case.game.submit(chooses("german", f"pg1 7; pg2 7; {ODD} 3")[1], "german")
    assert ODD not in seen(case, "soviet")
    assert case.events(ForceChosen) == []
    case.play(until=ReportBattle)
    assert ODD in seen(case, "soviet")


@pytest.mark.rule("AOA-9.17")
def test_written_targets_stay_secret(lay: Lay) -> None:
    case = lay("forces", mission="hold_the_line", balance=(9, 0)).play(until=orders.ChooseForce)
    shoot = Purchase("battalion_shoot", 1, (), ("the hidden mill, turn 3",))
    case.play(chooses("german", "pg1 7; pg2 7", 0, shoot), until=ReportBattle)
    assert "hidden mill" in seen(case, "german")
    assert "hidden mill" not in seen(case, "soviet")
    assert "hidden mill" not in events_seen(case, "soviet")


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
