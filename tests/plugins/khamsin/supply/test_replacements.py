"""Replacements (KH-5): points, systems, limits, assimilation."""

from dataclasses import replace
from typing import Any

import pytest
from tests.plugins.khamsin.cases import Case, NewCase, share
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.procedures import of, position, run

from khamsin.model import battle_events, events
from khamsin.model.cards import Pool
from khamsin.model.events import ReplacementsGiven
from khamsin.model.orders import Allocate, Share
from khamsin.model.state import IN_BASE, ON_MAP, WAITING, KhamsinState
from khamsin.supply.replacements import allocate, allocation_space, mark_of, points_of, price, recipients, refund


def worn(module: str = "fixture", pools: tuple[Pool, ...] | None = None, **options: str) -> KhamsinState:
    """Return a position in which two German and one British formation have attrition."""
    state = position({"15_pz_div": "gambut", "21_pz_div": "gambut", "7_armd_bde": "assembly_area"}, module)
    state.options = state.options | options
    if pools is not None:
        state.place_board(replace(board(module), pools=pools))
    for each in ("15_pz_div", "21_pz_div", "7_armd_bde"):
        state.formations[each].armor = state.formations[each].general = 6
    return state


def why(state: KhamsinState, side: str, **shares: Share) -> str:
    space = allocation_space(state, side)
    assert space is not None
    refusal = space.why_not(Allocate({name.removeprefix("f"): share for name, share in shares.items()}))
    return refusal.rule if refusal else ""


@pytest.mark.rule(
    "KH-5.01",
    "KH-5.04",
    "KH-5.06",
    "KH-5.08",
    "KH-5.11",
    "KH-5.15",
    "KH-5.17",
    "KH-5.09",
    "KH-5.10",
    "KH-5.12",
    "KH-R93",
)
@pytest.mark.parametrize(
    ("shares", "rule"),
    [
        ({"f15_pz_div": Share(3, 0)}, ""),
        ({"f15_pz_div": Share(2, 1)}, ""),
        ({"f15_pz_div": Share(2, 2)}, "KH-5.11"),
        ({"f15_pz_div": Share(4, 0)}, "KH-5.17"),
        ({"f15_pz_div": Share(0, 0)}, "KH-5.04"),
        ({"f15_pz_div": Share(1, 1, moving=True)}, ""),
        ({"f15_pz_div": Share(2, 0, moving=True)}, "KH-5.15"),
        ({"f15_pz_div": Share(2, 0), "f21_pz_div": Share(2, 0)}, ""),
        ({"f15_pz_div": Share(3, 0), "f21_pz_div": Share(2, 0)}, "KH-5.08"),
        ({"f15_pz_div": Share(3, 0), "f21_pz_div": Share(0, 3)}, ""),
        ({"f15_pz_div": Share(3, 0), "f21_pz_div": Share(1, 0, moving=True)}, "KH-5.08"),
        ({"f15_pz_div": Share(2, 0), "f21_pz_div": Share(1, 1, moving=True)}, ""),
    ],
)
def test_replacement_shares_are_limited_by_pool_and_system(shares: dict[str, Share], rule: str) -> None:
    """The pool has 4 points of each kind; the dedicated system allows 3 for a formation."""
    assert why(worn(), "axis", **shares) == rule


@pytest.mark.rule("KH-R93")
def test_dedicated_limit_may_apply_to_the_whole_country() -> None:
    state = worn(repl_dedicated_scope="per_country")
    assert why(state, "axis", f15_pz_div=Share(2, 0), f21_pz_div=Share(0, 1)) == ""
    assert why(state, "axis", f15_pz_div=Share(2, 0), f21_pz_div=Share(1, 1)) == "KH-R93"
    assert why(state, "allies", f7_armd_bde=Share(4, 4)) == ""  # a pool has no such limit


@pytest.mark.rule("KH-5.01", "KH-5.08")
def test_overlapping_pools_must_cover_every_group_of_nations() -> None:
    """2 points for Germans, 1 for both and 1 for Italians: at most 3 German, 2 Italian and 4 in total."""
    pools = (
        Pool("g", "axis", ("german",), 2, 0, 1, 9), Pool("b", "axis", ("german", "italian"), 1, 0, 1, 9),
        Pool("i", "axis", ("italian",), 1, 0, 1, 9), Pool("late", "axis", ("german",), 9, 9, 2, 9),
        Pool("theirs", "allies", ("british",), 9, 9, 1, 9), Pool("none", "axis", ("german",), 0, 0, 1, 9),
    )  # fmt: skip
    italian = next(
        each for each, card in board("crusader").formations.items() if card.nation == "italian" and card.strength
    )
    state = worn("crusader", pools)
    state.formations["7_armd_bde"].armor = 0
    state.formations[italian].standing, state.formations[italian].area = ON_MAP, "gambut"
    state.formations[italian].armor = 5
    assert [(each.nations, each.armor) for each in points_of(state, "axis")] == [
        (("german",), 2), (("german", "italian"), 1), (("italian",), 1),
    ]  # fmt: skip
    for german, italians, rule in ((3, 0, ""), (3, 1, ""), (2, 2, ""), (3, 2, "KH-5.08"), (0, 2, "")):
        shares = {"f15_pz_div": Share(german, 0), f"f{italian}": Share(italians, 0)}
        assert why(state, "axis", **{name: it for name, it in shares.items() if it.armor}) == rule, (german, italians)
    state.turn = 2
    assert len(points_of(state, "axis")) == 4
    state.turn = 10
    assert points_of(state, "axis") == []
    assert allocation_space(state, "axis") is None


@pytest.mark.rule("KH-5.03", "KH-R86", "KH-22.15", "KH-10.05")
def test_recipients_are_worn_and_supplied_or_in_base() -> None:
    state = worn()
    assert recipients(state, "axis") == ["15_pz_div", "21_pz_div"]
    state.formations["15_pz_div"].supplied = False
    assert recipients(state, "axis") == ["21_pz_div"]
    state.formations["15_pz_div"].standing = IN_BASE
    assert recipients(state, "axis") == ["15_pz_div", "21_pz_div"]
    assert why(state, "axis", f15_pz_div=Share(1, 0, moving=True)) == "KH-22.15"
    state.formations["21_pz_div"].armor = 0
    assert recipients(state, "axis") == ["15_pz_div", "21_pz_div"]
    state.formations["21_pz_div"].general = 0
    assert recipients(state, "axis") == ["15_pz_div"]
    state.formations["15_pz_div"].standing = WAITING
    assert recipients(state, "axis") == []


@pytest.mark.rule("KH-5.04", "KH-5.06", "KH-5.14", "KH-R94")
def test_replacement_share_sets_price_and_mark() -> None:
    usual, half = worn(), worn(repl_commit="refund_half")
    stays, moves, two = Share(1, 1), Share(1, 1, moving=True), Share(0, 2)
    assert [(price(usual, each), mark_of(usual, each)) for each in (stays, moves, two)] == [
        (1, "stationary"), (2, "moving"), (1, "stationary"),
    ]  # fmt: skip
    assert [(price(half, each), mark_of(half, each)) for each in (stays, moves, two)] == [
        (2, ""), (2, ""), (2, "stationary"),
    ]  # fmt: skip
    state = worn()
    happened = run(state, allocate(state, Allocate({"7_armd_bde": Share(2, 1), "15_pz_div": Share(1, 0, moving=True)})))
    replaced = [(each.formation, each.paid_armor, each.paid_general, each.mark, each.assimilating) for each in happened]
    assert replaced == [("15_pz_div", 2, 0, "moving", False), ("7_armd_bde", 2, 1, "stationary", True)]
    state = worn()
    (given,) = run(state, allocate(state, Allocate({"7_armd_bde": Share(1, 1)})))
    assert not given.assimilating


@pytest.mark.rule("KH-R94", "KH-R93", "KH-5.11", "KH-5.14")
@pytest.mark.parametrize(
    ("formation", "got", "moved", "scope", "given"),
    [
        ("7_armd_bde", (1, 1), False, "per_unit", (1, 1, True)),
        ("7_armd_bde", (1, 0), False, "per_unit", (1, 0, False)),
        ("7_armd_bde", (1, 1), True, "per_unit", None),
        ("15_pz_div", (1, 1), False, "per_unit", (1, 0, False)),
        ("15_pz_div", (1, 0), False, "per_unit", (1, 0, False)),
        ("15_pz_div", (2, 1), False, "per_unit", None),
        ("15_pz_div", (0, 2), False, "per_unit", (0, 1, False)),
        ("15_pz_div", (1, 1), False, "per_country", (1, 0, False)),
    ],
)
def test_refund_doubles_the_share_of_a_stationary_formation(
    formation: str, got: tuple[int, int], moved: bool, scope: str, given: tuple[int, int, bool] | None
) -> None:
    state = worn(repl_commit="refund_half", repl_dedicated_scope=scope)
    it = state.formations[formation]
    it.got_armor, it.got_general = got
    it.path = ["gambut", "sollum"] if moved else []
    happened = run(state, refund(state))
    assert [(each.armor, each.general, each.assimilating) for each in of(happened, ReplacementsGiven)] == (
        [given] if given else []
    )
    assert all((each.paid_armor, each.paid_general, each.rule) == (0, 0, "KH-R94") for each in happened)
    state = worn()
    state.formations[formation].got_armor = 1
    assert run(state, refund(state)) == []


@pytest.mark.rule("KH-R93", "KH-R94")
def test_refund_shares_the_country_limit_in_order_of_names() -> None:
    """2 points of 3 were given, so 1 is left for the first formation. An empty ledger gets no refund."""
    state = worn(repl_commit="refund_half", repl_dedicated_scope="per_country")
    for each in ("15_pz_div", "21_pz_div"):
        state.formations[each].got_armor = 1
    happened = run(state, refund(state))
    assert [(each.formation, each.armor) for each in happened] == [("15_pz_div", 1)]
    state = worn(repl_commit="refund_half")
    state.formations["15_pz_div"].got_armor, state.formations["15_pz_div"].armor = 1, 0
    assert run(state, refund(state)) == []


WHERE = (
    "15_pz_div gambut armor=6 general=6; 21_pz_div gambut armor=6 general=6; 7_armd_bde assembly_area armor=6 general=6"
)


def at_start(new_case: NewCase, where: str = WHERE, **more: Any) -> Case:
    case = new_case(where, at="start.supply", **more)
    assert case.expects(Allocate)
    return case


def against(case: Case, side: str, **shares: str) -> str:
    return case.why_not(side, share(side, **shares)[1])


@pytest.mark.rule("KH-5.01", "KH-5.02", "KH-5.04", "KH-5.07", "KH-21.11", "KH-21.10")
def test_replacement_point_removes_one_attrition_of_its_kind(new_case: NewCase) -> None:
    case = at_start(new_case).play(share("axis", f15_pz_div="1/2"), share("allies", f7_armd_bde="2/0"))
    assert case.ledger("15_pz_div") == (5, 4)
    assert case.ledger("7_armd_bde") == (4, 6)
    given = case.one(events.ReplacementsGiven, side="axis")
    assert (given.paid_armor, given.paid_general) == (1, 2)
    assert against(at_start(new_case), "axis", f15_pz_div="3/0", f21_pz_div="2/0") in {
        "KH-5.01",
        "KH-5.07",
        "KH-5.08",
    }  # 4 armor a turn


@pytest.mark.rule("KH-5.05", "KH-5.06", "KH-5.15", "KH-R94", "KH-R95", "KH-5.04")
def test_moving_formation_pays_double_for_one_of_each_kind(new_case: NewCase) -> None:
    case = at_start(new_case)
    assert against(case, "axis", f15_pz_div="2/0 moving") == "KH-5.15"
    assert against(case, "axis", f15_pz_div="0/2 moving") == "KH-5.15"
    case.play(share("axis", f15_pz_div="1/1 moving", f21_pz_div="1/1"))
    assert case.ledger("15_pz_div") == (5, 5)
    given = case.one(events.ReplacementsGiven, formation="15_pz_div")
    assert (given.paid_armor, given.paid_general) == (2, 2)
    assert case.refuses("axis", "15_pz_div sidi_rezegh") == ""
    assert case.refuses("axis", "21_pz_div sidi_rezegh") in {"KH-5.04", "KH-R94"}


@pytest.mark.rule("KH-R94")
@pytest.mark.parametrize(("moves", "left"), [("21_pz_div sidi_rezegh", 5), ("", 4)])
def test_formation_pays_as_moving_and_is_refunded_if_it_stays(new_case: NewCase, moves: str, left: int) -> None:
    case = at_start(new_case, repl_commit="refund_half").play(share("axis", f21_pz_div="1/0 moving"))
    assert case.ledger("21_pz_div") == (5, 6)
    case.turn(axis=moves)
    assert case.ledger("21_pz_div") == (left, 6)


@pytest.mark.rule("KH-5.08")
def test_unused_replacements_are_not_saved(new_case: NewCase) -> None:
    case = at_start(new_case).play().turn(until=Allocate)
    assert against(case, "axis", f15_pz_div="3/0", f21_pz_div="1/0") == ""
    assert against(case, "axis", f15_pz_div="3/0", f21_pz_div="2/0") != ""


@pytest.mark.rule("KH-5.13", "KH-5.14", "KH-R96")
@pytest.mark.parametrize(("text", "assimilating"), [("1/1", False), ("2/1", True), ("4/4", True)])
def test_pool_formation_assimilates_above_2_points_received(new_case: NewCase, text: str, assimilating: bool) -> None:
    case = at_start(new_case).play(share("allies", f7_armd_bde=text))
    assert case["7_armd_bde"].assimilating is assimilating
    case.turn()
    assert not case["7_armd_bde"].assimilating  # one turn only


@pytest.mark.rule("KH-5.16", "KH-16.09", "KH-5.05", "KH-5.14")
def test_enemy_of_an_assimilating_force_gains_advantage(new_case: NewCase) -> None:
    case = new_case(
        "7_armd_bde gabr_saleh armor=6 general=6; 15_pz_div sidi_rezegh",
        at="start.supply",
        dice={"activation:15_pz_div": "6"},
    ).play(share("allies", f7_armd_bde="2/1"))
    case.turn(axis="15_pz_div gabr_saleh")  # 3 companies against 2, and the enemy is assimilating
    found = case.one(battle_events.AdvantageAssessed)
    assert (found.favored, found.net) == ("axis", 2)


@pytest.mark.rule("KH-22.15", "KH-R86", "KH-5.03")
def test_ineffective_formation_returns_below_the_limit(new_case: NewCase) -> None:
    case = new_case("21_pz_div base armor=60 general=61; 7_armd_bde assembly_area", at="start.supply")
    case.play(share("axis", f21_pz_div="1/1"))
    assert case["21_pz_div"].standing == "base"
    assert case.refuses("axis", "21_pz_div sidi_rezegh") != ""
    case.turn()
    assert (case["21_pz_div"].standing, case.at("21_pz_div")) == ("map", "gambut")
    assert case.refuses("axis", "21_pz_div sidi_rezegh") == ""
