"""Menus in words."""

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, Lay
from tests.plugins.khamsin.modules import board as board_of
from tests.plugins.khamsin.rooms import desert, typed, wells

from khamsin.engagement.withdrawal import withdraw_space
from khamsin.fog.views import view
from khamsin.model import orders
from khamsin.model.orders import Deploy, FieldCompanies, RetreatTo, Withdraw
from khamsin.model.state import Engagement, Fielded, KhamsinState
from khamsin.ui.asking.answers import answer
from khamsin.ui.menus import words
from sandtable.kernel.decisions import Order
from sandtable.plugin.manifest import Answer
from sandtable.rules.notation.wording import described
from sandtable.terminal.form_filling import entries, leaves_out


def told(state: KhamsinState, text: str, side: str = AXIS) -> Answer:
    found = answer(view(state, side), state.board, text)
    assert found is not None
    return found


def test_menus_have_titles_and_companies_their_wear() -> None:
    state = desert(**{"15_pz_div": "sidi_rezegh"})
    state.formations["15_pz_div"].armor = 12
    seen, board = view(state, AXIS), state.board
    leave = Withdraw("fighting", {"15_pz_div": "precipitous"})
    told = words(leave, seen, board)
    assert told is not None
    assert told.startswith("withdraw fighting; 15th Panzer Division (attrition 12")
    assert told.endswith(") leaves precipitously (two dice and 1 of attrition)")
    company = board.formations["15_pz_div"].options[0]
    told_ = words(FieldCompanies([Fielded("15_pz_div", company, air=True)]), seen, board)
    assert told_ is not None
    assert "of 15th Panzer Division (attrition 12" in told_
    assert told_.endswith("), led by Cruewell, with air support")
    assert words(RetreatTo({"15_pz_div": "gambut"}), seen, board) == "15th Panzer Division to Gambut"


def test_a_menu_of_many_ways_still_has_a_line_to_stand() -> None:
    names = ["guard_battalion", "panzer_rgt", "recon_unit", "rifle_rgt"]
    state = wells(**dict.fromkeys(names, "ridge"), armd_bde="east_well")
    it = Engagement(id="ridge", area="ridge", forces={AXIS: names, ALLIES: ["armd_bde"]})
    state.engagements["ridge"] = it
    space = withdraw_space(state, it, AXIS)
    assert [label for label, _ in entries(space, lambda order: str(order.how))] == ["stand", "withdraw …"]
    assert leaves_out(space, str)


def test_one_deployment_is_that_of_history() -> None:
    board = board_of("teaching")
    areas = {"panzer_rgt": "west_well", "recon_unit": "ridge"}
    state = wells()
    told = [
        words(Deploy(areas, {"brandt": where}), view(state, AXIS), board) for where in board.leaders["brandt"].start
    ]
    assert ["historical" in str(each) for each in told] == [True, False]


@pytest.mark.rule("KH-19.01", "KH-19.09")
def test_a_large_force_has_a_line_for_each_who_leaves_and_the_rest_is_typed() -> None:
    state = wells(panzer_rgt="ridge", recon_unit="ridge", rifle_rgt="ridge", armd_bde="east_well")
    forces = {AXIS: ["panzer_rgt", "recon_unit", "rifle_rgt"], ALLIES: ["armd_bde"]}
    it = Engagement(id="ridge", area="ridge", forces=forces)
    state.engagements["ridge"] = it
    space = withdraw_space(state, it, AXIS)
    lines = [told for each in space.values() if (told := words(each, view(state, AXIS), state.board))]
    assert len(lines) == 10
    text = "fighting; precipitous rifle_rgt; recon recon_unit"
    assert typed(state, text, AXIS, space) == Withdraw("fighting", {"rifle_rgt": "precipitous", "recon_unit": "recon"})


WORN = "Panzer Regiment (attrition 41: two vehicles less in each armoured platoon, activation -1)"


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (orders.Withdraw(), "stand"),
        (orders.Withdraw("fighting"), "withdraw fighting"),
        (orders.Withdraw("stand", {"panzer_recon": "recon"}), "stand; panzer_recon slips away"),
        (orders.LetGo(let_go=False), "fight"),
        (orders.RetreatTo({"a": "gambut", "b": "gambut"}), "all to gambut"),
        (orders.Advance(), "stay"),
        (orders.Advance({"a": "gambut"}), "a to gambut"),
        (orders.ProposeMode("linked"), "linked: tables next to each other"),
    ],
)
def test_menus_are_in_words(order: Order, told: str) -> None:
    assert described(order) == told


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (
            orders.Withdraw("stand", {"panzer_rgt": "precipitous"}),
            f"stand; {WORN} leaves precipitously (two dice and 1 of attrition)",
        ),
        (
            orders.Withdraw("stand", {"panzer_rgt": "precipitous", "rifle_rgt": "precipitous"}),
            f"stand; {WORN} and Rifle Regiment leave precipitously (two dice and 1 of attrition each)",
        ),
        (
            orders.RetreatTo({"panzer_rgt": "ridge", "recon_unit": "ridge"}),
            "Panzer Regiment and Reconnaissance Unit to The Ridge",
        ),
        (orders.Advance({"recon_unit": "west_well"}), "Reconnaissance Unit to West Well"),
        (orders.Advance(), "stay"),
        (orders.PlaceLeader("west_well"), "at West Well"),
        (
            orders.FieldCompanies([Fielded("recon_unit", "panzerspaeh", air=True), Fielded("guards", "schuetzen")]),
            (
                "Panzerspaeh company of Reconnaissance Unit (out of supply), led by Lehr, with air support; "
                "Schuetzen company of guards, led by Brandt"
            ),
        ),
    ],
)
def test_menus_name_formations_and_areas_and_tell_wear_and_supply(lay: Lay, order: Order, told: str) -> None:
    case = lay(
        "panzer_rgt ridge armor=31 general=10; recon_unit ridge supplied=no; rifle_rgt west_well", module="teaching"
    )
    assert words(order, view(case.state, "axis"), case.state.board) == told
