"""Companies of an engagement (KH-13): bounds by formation, order of choice, and air support."""

from itertools import product

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, NewCase, attacked, fought
from tests.plugins.khamsin.engagement.test_company_options import space
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.procedures import HERE, WITH_ROMMEL, engaged, position

from khamsin.engagement.companies import attacking_side, companies_space, may_fly, most_kinds, share_bounds
from khamsin.model.battle_events import CompaniesFielded
from khamsin.model.orders import FieldCompanies
from khamsin.ui.parsing import read_order


@pytest.mark.rule("KH-7.04")
@pytest.mark.parametrize(("used", "level", "flies"), [(0, "limited", True), (9, "limited", False), (0, "none", False)])
def test_air_support_is_limited_by_the_module(used: int, level: str, flies: bool) -> None:
    state = position({}, "crusader")
    state.weather = next(each for each, card in state.board.weather.cards.items() if card.air != "none")
    most = state.board.air[AXIS].engagements
    for count, able in ((min(used, most), flies), (most - 1, level != "none"), (most, False)):
        state.air_used[AXIS], state.air_level[AXIS] = count, level
        assert may_fly(state, AXIS) is able
    assert not may_fly(position({}), AXIS)  # this module has no air force


@pytest.mark.rule("KH-R28", "KH-R29", "KH-R31", "KH-14.11")
def test_company_bounds_are_shares_capped_by_strength() -> None:
    assert share_bounds({"a": 3, "b": 1}, 4, "free") == {"a": (0, 4), "b": (0, 4)}
    assert share_bounds({"a": 3, "b": 1}, 3, "spread_evenly") == {"a": (1, 2), "b": (1, 2)}
    assert share_bounds({"a": 3, "b": 1}, 4, "spread_evenly") == {"a": (2, 2), "b": (2, 2)}
    assert share_bounds({"a": 3, "b": 1}, 4, "proportional") == {"a": (3, 3), "b": (1, 1)}
    assert share_bounds({"a": 3, "b": 1}, 2, "proportional") == {"a": (1, 2), "b": (0, 1)}
    places = {"15_pz_div": "sidi_rezegh", "21_pz_div": "sidi_rezegh", "7_armd_bde": "sidi_rezegh"}
    state = position(places, action_allocation="spread_evenly")
    state.formations["21_pz_div"].strength = 1
    force = {AXIS: ["15_pz_div", "21_pz_div"], ALLIES: ["7_armd_bde"]}
    assert companies_space(state, engaged(number=4, forces=force), AXIS).bounds == {
        "15_pz_div": (2, 2),
        "21_pz_div": (2, 2),
    }
    state.options = state.options | {"strength_caps_actions": "yes"}
    four = companies_space(state, engaged(number=4, forces=force), AXIS)
    assert (four.bounds, four.bounds_rule) == ({"15_pz_div": (0, 3), "21_pz_div": (0, 1)}, "KH-R29")
    assert companies_space(state, engaged(number=2, forces=force), AXIS).bounds == {
        "15_pz_div": (1, 1),
        "21_pz_div": (1, 1),
    }
    large = companies_space(state, engaged(number=2, forces=force, mode="total_war"), AXIS)
    assert (large.bounds, large.bounds_rule, large.kinds) == ({"15_pz_div": (0, 2), "21_pz_div": (0, 1)}, "KH-R28", 2)


@pytest.mark.rule("KH-R31")
def test_attacking_side_is_the_one_that_moved_in() -> None:
    state = position(WITH_ROMMEL)
    assert attacking_side(state, engaged(stationary=ALLIES, holder=AXIS)) == AXIS
    assert attacking_side(state, engaged(holder=AXIS)) == ALLIES
    assert attacking_side(state, engaged(holder="")) == ALLIES  # the Axis controls Sidi Rezegh
    state.control["sidi_rezegh"] = ALLIES
    assert attacking_side(state, engaged(holder="")) == AXIS


@pytest.mark.rule("KH-R29")
@pytest.mark.parametrize("allocation", ["free", "spread_evenly", "proportional"])
def test_company_bounds_admit_every_number_of_actions(allocation: str) -> None:
    for first, second, third in product(range(1, 5), repeat=3):
        strengths = {"a": first, "b": second, "c": third}
        for number in range(1, 13):
            bounds = share_bounds(strengths, number, allocation)
            assert sum(low for low, _ in bounds.values()) <= number <= sum(high for _, high in bounds.values())
            if allocation != "free":
                assert all(high - low <= 1 for low, high in bounds.values())


@pytest.mark.rule("KH-R34", "KH-13.03")
@pytest.mark.parametrize(
    ("types", "most", "kinds"),
    [
        ({"a": ("x", "y", "z")}, 5, 3),
        ({"a": ("x", "y", "z"), "b": ("w",)}, 1, 2),
        ({"a": ("x", "y"), "b": ("x",), "c": ("y", "z")}, 1, 3),
        ({"a": ("x", "y"), "b": ("x", "y"), "c": ("x", "y")}, 1, 2),
    ],
)
def test_required_types_never_exceed_the_fieldable_ones(
    types: dict[str, tuple[str, ...]], most: int, kinds: int
) -> None:
    bounds = dict.fromkeys(types, (0, most))
    assert most_kinds(types, bounds) == kinds
    number = min(kinds, most * len(types))
    assert next(space(number, types, bounds=bounds, large=True, kinds=kinds).values(), None) is not None


@pytest.mark.rule("KH-13.01", "KH-7.04")
def test_fielding_help_shows_attrition_that_the_decision_omits(new_case: NewCase) -> None:
    where = "15_pz_div sidi_rezegh armor=12 general=3; 7_armd_bde gabr_saleh"
    case = new_case(where, dice={"activation:15_pz_div": "6"})
    decision = case.turn(axis="15_pz_div gabr_saleh", until=FieldCompanies).decision(AXIS)
    help_text = str(read_order(decision, "?", board("fixture")))
    assert "15_pz_div: 0 to 1 of" in help_text
    assert "attrition 12 armor, 3 general, in supply" in help_text
    assert "air support:" in help_text
    assert "attrition" not in str(decision.options.outline())


@pytest.mark.rule("KH-R31", "KH-17.01", "KH-1.11")
def test_companies_are_chosen_in_secret_or_attacker_first(new_case: NewCase) -> None:
    case = fought(attacked(new_case), until=FieldCompanies)
    assert sorted(each.side for each in case.pending) == [ALLIES, AXIS]
    case = fought(attacked(new_case, company_selection="attacker_first"), until=FieldCompanies)
    assert [each.side for each in case.pending] == [ALLIES]  # the side that moved in
    case.game.submit(next(iter(case.pending[0].options.values())), ALLIES)
    assert [each.side for each in case.pending] == [AXIS]
    assert case.events(CompaniesFielded, side=ALLIES)


@pytest.mark.rule("KH-7.04", "KH-13.01")
def test_companies_space_describes_attrition_supply_and_air() -> None:
    state = position({"15_pz_div": HERE, "7_armd_bde": HERE})
    formation = state.formations["15_pz_div"]
    formation.armor, formation.general = 3, 7
    each = engaged(forces={AXIS: ["15_pz_div"], ALLIES: ["7_armd_bde"]}, number=1)
    assert companies_space(state, each, AXIS).status() == {
        "15_pz_div": "attrition 3 armor, 7 general, in supply",
        "air": "none for this engagement",
    }
    formation.supplied = False
    assert companies_space(state, each, AXIS).status()["15_pz_div"].endswith("OUT OF SUPPLY")
    desert = position({}, "crusader")
    desert.weather = next(name for name, card in board("crusader").weather.cards.items() if card.air != "none")
    most, level = board("crusader").air[AXIS].engagements, board("crusader").air[AXIS].level
    for used, air in (
        (most - 1, f"{level}, for 1 more of this turn's engagements"),
        (most, "none for this engagement"),
    ):
        desert.air_used[AXIS] = used
        assert companies_space(desert, engaged(area="tobruk", forces={AXIS: [], ALLIES: []}), AXIS).status() == {
            "air": air
        }
