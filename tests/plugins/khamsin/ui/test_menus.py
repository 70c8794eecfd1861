"""Menu lines for orders."""

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, NewCase
from tests.plugins.khamsin.modules import board as board_of
from tests.plugins.khamsin.procedures import typed, wells
from transcripts import Transcript

from khamsin.engagement.withdrawal import withdraw_space
from khamsin.fog.views import view
from khamsin.model import orders
from khamsin.model.orders import Withdraw
from khamsin.model.state import Engagement, Fielded
from khamsin.ui.menus import words
from sandtable.rules.notation.wording import described
from sandtable.terminal.form_filling import entries, hides_sheet

BRANDT = board_of("teaching").leaders["brandt"]


def test_large_withdrawal_menu_has_two_lines_and_hides_the_sheet() -> None:
    names = ["guard_battalion", "panzer_rgt", "recon_unit", "rifle_rgt"]
    state = wells(**dict.fromkeys(names, "ridge"), armd_bde="east_well")
    it = Engagement(id="ridge", area="ridge", forces={AXIS: names, ALLIES: ["armd_bde"]})
    state.engagements["ridge"] = it
    space = withdraw_space(state, it, AXIS)
    assert [label for label, _ in entries(space, lambda order: str(order.how))] == ["stand", "withdraw …"]
    assert hides_sheet(space)


@pytest.mark.rule("KH-19.01", "KH-19.09")
def test_force_of_3_has_10_withdrawal_lines_and_types_the_rest() -> None:
    state = wells(panzer_rgt="ridge", recon_unit="ridge", rifle_rgt="ridge", armd_bde="east_well")
    forces = {AXIS: ["panzer_rgt", "recon_unit", "rifle_rgt"], ALLIES: ["armd_bde"]}
    it = Engagement(id="ridge", area="ridge", forces=forces)
    state.engagements["ridge"] = it
    space = withdraw_space(state, it, AXIS)
    lines = [line for each in space.values() if (line := words(each, view(state, AXIS), state.board))]
    assert len(lines) == 10
    text = "fighting; precipitous rifle_rgt; recon recon_unit"
    assert typed(state, text, AXIS, space) == Withdraw("fighting", {"rifle_rgt": "precipitous", "recon_unit": "recon"})


def test_menu_lines_describe_plain_orders(transcript: Transcript) -> None:
    plain = (
        orders.Withdraw(),
        orders.Withdraw("fighting"),
        orders.Withdraw("stand", {"panzer_recon": "recon"}),
        orders.LetGo(let_go=False),
        orders.RetreatTo({"a": "gambut", "b": "gambut"}),
        orders.Advance(),
        orders.Advance({"a": "gambut"}),
        orders.ProposeMode("linked"),
    )
    transcript("\n".join(map(described, plain)))


def test_menu_lines_show_titles_attrition_and_supply(new_case: NewCase, transcript: Transcript) -> None:
    """The first of the two deployments is historical."""
    where = "panzer_rgt ridge armor=31 general=10; recon_unit ridge supplied=no; rifle_rgt west_well"
    state = new_case(where, module="teaching").state
    companies = [Fielded("recon_unit", "panzerspaeh", air=True), Fielded("guards", "schuetzen")]
    places = [({"panzer_rgt": "west_well", "recon_unit": "ridge"}, {"brandt": where}) for where in BRANDT.start]
    menu = (
        *(orders.Deploy(*each) for each in places),
        orders.Withdraw("fighting", {"panzer_rgt": "precipitous"}),
        orders.Withdraw("stand", {"panzer_rgt": "precipitous", "rifle_rgt": "precipitous"}),
        orders.RetreatTo({"panzer_rgt": "ridge", "recon_unit": "ridge"}),
        orders.RetreatTo({"panzer_rgt": "ridge"}),
        orders.Advance({"recon_unit": "west_well"}),
        orders.Advance(),
        orders.EnterBy({"brandt": "west_well"}),
        orders.FieldCompanies(companies),
        orders.FieldCompanies([Fielded("panzer_rgt", "panzer", air=True)]),
    )
    transcript("\n".join(str(words(each, view(state, "axis"), state.board)) for each in menu))
