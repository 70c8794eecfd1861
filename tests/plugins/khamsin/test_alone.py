"""Who cannot fight and meets the enemy, guns and leaders; and replacements in all detail."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as with_changes
from tests.plugins.khamsin.modules import board
from tests.plugins.khamsin.rooms import of, ordered, position, run

from khamsin.leaders.leaders import (
    days_of,
    displace_leaders,
    find_way_out,
    follow,
    move_leaders,
    people_with,
    settle_casualties,
    surrender_with,
)
from khamsin.model.battle_events import FormationRetreated
from khamsin.model.cards import Pool, WeatherCard
from khamsin.model.events import CharacterHit, ControlChanged, FormationLost, LeaderMoved, ReplacementsGiven
from khamsin.model.orders import Allocate, Share
from khamsin.model.state import IN_BASE, ON_MAP, WAITING, Engagement, KhamsinState
from khamsin.movement.contact import withdraw_guns
from khamsin.supply.replacements import allocate, allocation_space, mark_of, points_of, price, recipients, refund
from sandtable.tabletop.result import Result

GUNS = "afrika_div"
"""Its companies are taken away: then it is artillery that only bombards."""


def guns_at(area: str, **others: str) -> KhamsinState:
    """Return a position with guns that cannot fight, and others by name."""
    state = position({GUNS: area, **{each.removeprefix("f"): where for each, where in others.items()}})
    state.formations[GUNS].strength = 0
    return state


def fell_back(state: KhamsinState) -> tuple[list[str], list[tuple[str, str]]]:
    """Return where the guns went, and which areas changed hands."""
    happened = run(state, withdraw_guns(state), spare=True)
    went = [each.area for each in of(happened, FormationRetreated)]
    return went, [(each.area, each.side) for each in of(happened, ControlChanged)]


# --- guns ---


@pytest.mark.rule("KH-20.01", "KH-9.01", "KH-11.05")
def test_guns_alone_with_enemies_fall_back_to_friends_then_to_own_ground_then_by_name() -> None:
    assert fell_back(guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh")) == (["el_adem"], [])
    friends = guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh", f15_pz_div="gambut")
    assert fell_back(friends) == (["gambut"], [])
    abroad = guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh", f15_pz_div="gabr_saleh")
    assert fell_back(abroad) == (["gabr_saleh"], [("gabr_saleh", "axis")])
    closed = guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh", frecon_cw="el_adem", finf_cw="gambut")
    assert fell_back(closed) == (["gabr_saleh"], [("gabr_saleh", "axis")])
    lost = guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh", frecon_cw="el_adem", finf_cw="gambut")
    lost.control["gabr_saleh"] = lost.control["el_adem"] = "allies"
    lost.formations["recon_cw"].area = "gabr_saleh"
    assert fell_back(lost) == (["el_adem"], [("el_adem", "axis")])


@pytest.mark.rule("KH-20.01", "KH-2.09")
def test_guns_stay_with_friends_who_fight_and_where_no_enemy_is() -> None:
    assert fell_back(guns_at("sidi_rezegh")) == ([], [])
    assert fell_back(guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh", f15_pz_div="sidi_rezegh")) == ([], [])
    both = guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh")
    both.formations["7_armd_bde"].strength = 0  # guns on either side: who does not hold the area goes
    happened = run(both, withdraw_guns(both))
    assert [(each.formation, each.area) for each in of(happened, FormationRetreated)] == [("7_armd_bde", "gabr_saleh")]
    both = guns_at("gabr_saleh", f7_armd_bde="gabr_saleh")
    both.formations["7_armd_bde"].strength = 0
    happened = run(both, withdraw_guns(both))
    assert [each.formation for each in of(happened, FormationRetreated)] == [GUNS]


@pytest.mark.rule("KH-20.03", "KH-R105")
@pytest.mark.parametrize(("face", "taken"), [(3, True), (4, False)])
def test_guns_with_no_way_out_surrender_and_a_leader_with_them_rolls(face: int, taken: bool) -> None:
    state = guns_at("sidi_rezegh", f7_armd_bde="sidi_rezegh", frecon_cw="gabr_saleh", finf_cw="gambut")
    state.leaders["rommel"].standing, state.leaders["rommel"].area = ON_MAP, "sidi_rezegh"
    state.formations["more"] = with_changes(state.formations["7_armd_bde"], area="el_adem", parent="7_armd_bde")
    happened = run(state, withdraw_guns(state), {"capture:rommel": [face]})
    assert [(each.formation, each.rule) for each in of(happened, FormationLost)] == [(GUNS, "KH-20.03")]
    assert [each.fate for each in of(happened, CharacterHit)] == ["captured"] * taken


# --- leaders ---


@pytest.mark.rule("KH-R104")
def test_a_leader_flees_by_the_shortest_way_to_friends_round_the_enemies() -> None:
    def way(**others: str) -> list[str]:
        state = position({each.removeprefix("f"): where for each, where in others.items()})
        return find_way_out(state, "axis", "sidi_rezegh")

    assert way() == []
    assert way(f15_pz_div="gambut") == ["sidi_rezegh", "gambut"]
    assert way(f15_pz_div="gambut", f21_pz_div="el_adem") == ["sidi_rezegh", "el_adem"]
    assert way(f15_pz_div="fort_capuzzo") == ["sidi_rezegh", "gabr_saleh", "fort_capuzzo"]
    assert way(f15_pz_div="fort_capuzzo", f7_armd_bde="gabr_saleh") == [
        "sidi_rezegh", "gambut", "sollum", "fort_capuzzo"
    ]  # fmt: skip
    assert way(f15_pz_div="fort_capuzzo", f7_armd_bde="gabr_saleh", frecon_cw="gambut") == []
    assert way(f15_pz_div="gambut", f7_armd_bde="gambut", f21_pz_div="bir_el_gubi") == [
        "sidi_rezegh", "el_adem", "bir_el_gubi"
    ]  # fmt: skip


@pytest.mark.rule("KH-8.11", "KH-8.15", "KH-R106")
@pytest.mark.parametrize(
    ("path", "places", "escort", "end"),
    [
        (["gambut", "sollum", "fort_capuzzo"], {}, [], "fort_capuzzo"),  # two roads of his six points
        (["assembly_area", "gabr_saleh", "sidi_rezegh", "el_adem"], {}, [], "el_adem"),  # three tracks: six
        (["assembly_area", "fort_capuzzo", "gabr_saleh", "sidi_rezegh"], {}, [], "gabr_saleh"),  # 4 + 2, and 2 more
        (["gambut", "sidi_rezegh", "el_adem"], {"7_armd_bde": "sidi_rezegh"}, [], "gambut"),
        (["gambut", "sidi_rezegh", "el_adem"], {"7_armd_bde": "sidi_rezegh"}, ["gambut", "sidi_rezegh"], "sidi_rezegh"),
        (["gambut", "sidi_rezegh", "el_adem"], {"7_armd_bde": "sidi_rezegh"}, ["el_adem", "sidi_rezegh"], "gambut"),
    ],
)
def test_a_leader_goes_as_far_as_he_gets(path: list[str], places: dict[str, str], escort: list[str], end: str) -> None:
    state = position({"rommel": path[0], **places, **({"15_pz_div": escort[-1]} if escort else {})})
    state.formations["15_pz_div"].path = escort
    ordered(state, "axis", leaders={"rommel": path})
    run(state, move_leaders(state))
    assert state.leaders["rommel"].area == end


@pytest.mark.rule("KH-7.07", "KH-R109")
def test_interdiction_makes_a_leaders_way_dearer_but_not_his_first_connector() -> None:
    for path, end in ((["gambut", "sollum"], "sollum"), (["sidi_rezegh", "gambut", "sollum"], "gambut")):
        state = position({"rommel": path[0]})
        state.interdicted = {"gambut": "allies"}  # 4 in, 4 out
        ordered(state, "axis", leaders={"rommel": path})
        run(state, move_leaders(state))
        assert state.leaders["rommel"].area == end


@pytest.mark.rule("KH-8.11", "KH-8.15")
@pytest.mark.parametrize(("extra", "end"), [(4, "el_adem"), (5, "el_adem"), (0, "bir_el_gubi")])
def test_mud_dearer_than_all_his_points_does_not_hold_a_leader_back_from_one_connector(extra: int, end: str) -> None:
    """A track is 2 of his 6 points: with 4 more it takes them all, with 5 more it takes more than he has."""
    state = position({"rommel": "sidi_rezegh"})
    state.weather, deluge = "deluge", {"deluge": WeatherCard("deluge", "Deluge", extra={"track": extra})}
    state.place_board(replace(state.board, weather=replace(state.board.weather, cards=deluge)))
    ordered(state, "axis", leaders={"rommel": ["sidi_rezegh", "el_adem", "bir_el_gubi"]})
    run(state, move_leaders(state))
    assert state.leaders["rommel"].area == end


@pytest.mark.rule("KH-R104", "KH-R107", "KH-23.02", "KH-23.03")
@pytest.mark.parametrize(
    ("reading", "friends", "dice", "fates", "at"),
    [
        ("displaced", "gambut", {}, [], "gambut"),
        ("displaced", "", {"casualty:rommel": [1], "wound:rommel": [1]}, ["killed"], ""),
        ("displaced", "", {"casualty:rommel": [3], "wound:rommel": [5]}, ["wounded"], ""),
        ("displaced", "", {"casualty:rommel": [4], "wound:rommel": [5]}, ["minor"], "sidi_rezegh"),
        ("captured_on_1_3", "gambut", {"capture:rommel": [3]}, ["captured"], ""),
        ("captured_on_1_3", "gambut", {"capture:rommel": [4]}, [], "gambut"),
    ],
)
def test_a_leader_alone_with_enemies_flees_or_rolls_for_his_fate(
    reading: str, friends: str, dice: dict[str, list[int]], fates: list[str], at: str
) -> None:
    places = {"rommel": "sidi_rezegh", "7_armd_bde": "sidi_rezegh", **({"15_pz_div": friends} if friends else {})}
    state = position(places)
    state.options = state.options | {"leader_alone": reading}
    happened = run(state, displace_leaders(state), dice, spare=True)
    hits = of(happened, CharacterHit)
    assert [each.fate for each in hits] == fates
    if fates == ["wounded"]:
        assert (hits[0].days_die, hits[0].returns) == (3, state.turn + 4)
    moved = of(happened, LeaderMoved)
    assert ([moved[0].path[-1]] if moved else []) == ([at] if at and not fates else [])
    assert [days_of(face) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.rule("KH-R104", "KH-R105")
def test_a_leader_with_troops_stays_and_goes_with_the_last_of_them() -> None:
    state = position({"rommel": "sidi_rezegh", "7_armd_bde": "sidi_rezegh", "15_pz_div": "sidi_rezegh"})
    assert of(run(state, displace_leaders(state), spare=True), LeaderMoved) == []
    assert run(state, follow(state, "axis", "sidi_rezegh", ["gambut"])) == []
    assert run(state, surrender_with(state, "axis", "sidi_rezegh")) == []
    state.formations["15_pz_div"].area = "gambut"
    assert run(state, follow(state, "axis", "sidi_rezegh", [])) == []
    (moved,) = run(state, follow(state, "axis", "sidi_rezegh", ["gambut", "el_adem"]))
    assert (moved.path, moved.rule) == (["sidi_rezegh", "gambut"], "KH-R105")


@pytest.mark.rule("KH-17.03", "KH-23.01")
def test_who_goes_to_the_table_is_with_the_force_and_in_an_area() -> None:
    state = position({"rommel": "sidi_rezegh", "15_pz_div": "sidi_rezegh", "7_armd_bde": "sidi_rezegh"})
    here = Engagement("sidi_rezegh", "sidi_rezegh")
    assert people_with(state, here, "axis") == ["rommel"]
    assert people_with(state, here, "allies") == []
    assert people_with(state, Engagement("x~y", "sidi_rezegh", "el_adem"), "axis") == []
    assert people_with(state, Engagement("gambut", "gambut"), "axis") == []
    for command, character in ((True, False), (False, True), (False, False)):
        rommel = replace(state.board.leaders["rommel"], command=command, character=character)
        state.place_board(replace(state.board, leaders=state.board.leaders | {"rommel": rommel}))
        assert people_with(state, here, "axis") == ["rommel"] * (command or character)


@pytest.mark.rule("KH-23.02", "KH-23.03", "KH-23.04", "KH-23.05", "KH-R105")
@pytest.mark.parametrize(
    ("die", "fate", "rule"),
    [(1, "killed", "KH-23.02"), (2, "wounded", "KH-23.03"), (3, "wounded", "KH-23.03"), (4, "minor", "KH-23.05")],
)
def test_a_casualty_is_a_row_of_the_table(die: int, fate: str, rule: str) -> None:
    result = Result("axis", {"axis": 6, "allies": 1}, casualties={"axis": ("rommel", "nobody")})
    state = position({"rommel": "sidi_rezegh"}, turn=3)
    dice = {"casualty:rommel": [die], **({"wound:rommel": [4]} if fate == "wounded" else {})}
    (hit,) = of(run(state, settle_casualties(state, result), dice), CharacterHit)
    assert (hit.leader, hit.die, hit.fate, hit.rule) == ("rommel", die, fate, rule)
    cell, *back = hit.calculations
    assert cell.table == ("character_casualty", str(die), "fate")
    assert [each.steps for each in back] == (
        [(("this turn", 3, "KH-23.03"), ("a d3 of turns", 2, "KH-23.03"), ("back the turn after", 1, "KH-23.04"))]
        if fate == "wounded"
        else []
    )
    assert (hit.days_die, hit.returns) == ((2, 6) if fate == "wounded" else (0, 0))
    state = position({"rommel": "sidi_rezegh"})
    state.leaders["rommel"].standing = "dead"
    assert run(state, settle_casualties(state, result)) == []


# --- replacements ---


def worn(module: str = "fixture", pools: tuple[Pool, ...] | None = None, **options: str) -> KhamsinState:
    """Return a position in which three German formations have attrition, with these pools."""
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


@pytest.mark.rule("KH-5.01", "KH-5.04", "KH-5.06", "KH-5.08", "KH-5.11", "KH-5.15", "KH-5.17")
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
def test_what_may_be_given_is_what_there_is_and_can_be_integrated(shares: dict[str, Share], rule: str) -> None:
    """Four points of either kind; in the dedicated system three for a formation."""
    assert why(worn(), "axis", **shares) == rule


@pytest.mark.rule("KH-R93")
def test_three_for_the_whole_country_where_it_is_so_ruled() -> None:
    state = worn(repl_dedicated_scope="per_country")
    assert why(state, "axis", f15_pz_div=Share(2, 0), f21_pz_div=Share(0, 1)) == ""
    assert why(state, "axis", f15_pz_div=Share(2, 0), f21_pz_div=Share(1, 1)) == "KH-R93"
    assert why(state, "allies", f7_armd_bde=Share(4, 4)) == ""  # a pool has no such limit


@pytest.mark.rule("KH-5.01", "KH-5.08")
def test_pools_that_overlap_are_enough_if_every_group_of_nations_can_be_paid() -> None:
    """Two points for Germans alone, one for both, one for Italians: three, two, and four in all."""
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


@pytest.mark.rule("KH-5.03", "KH-R86", "KH-22.15")
def test_who_may_receive_is_worn_and_in_supply_or_in_the_base() -> None:
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
def test_a_share_has_its_price_and_its_mark() -> None:
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
    told = [(each.formation, each.paid_armor, each.paid_general, each.mark, each.assimilating) for each in happened]
    assert told == [("15_pz_div", 2, 0, "moving", False), ("7_armd_bde", 2, 1, "stationary", True)]
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
def test_who_stayed_gets_as_much_again_up_to_his_limit(
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
def test_what_a_country_has_left_is_shared_in_order_of_names() -> None:
    """One each was given, of three: one is left for the first; of an empty ledger nothing is taken."""
    state = worn(repl_commit="refund_half", repl_dedicated_scope="per_country")
    for each in ("15_pz_div", "21_pz_div"):
        state.formations[each].got_armor = 1
    happened = run(state, refund(state))
    assert [(each.formation, each.armor) for each in happened] == [("15_pz_div", 1)]
    state = worn(repl_commit="refund_half")
    state.formations["15_pz_div"].got_armor, state.formations["15_pz_div"].armor = 1, 0
    assert run(state, refund(state)) == []
