"""The space of companies: what it lists and draws is what it allows, and the printed examples of combinations."""

from __future__ import annotations

from collections import Counter
from itertools import islice, product
from typing import Any

import pytest

from khamsin.engagement.companies import most_kinds, share_bounds
from khamsin.engagement.company_options import Companies
from khamsin.model.state import Fielded
from sandtable.kernel.dice import Stream, key_from_seed

PANZER = {"15_pz_div": ("panzer", "panzer_grenadier", "panzer_engineer")}


WRONG: Any = 1


def space(number: int, types: dict[str, tuple[str, ...]] | None = None, **rest: Any) -> Companies:
    able = types or PANZER
    bounds = rest.pop("bounds", dict.fromkeys(able, (0, number)))
    return Companies(number, able, bounds, "KH-R29", rest.pop("players", ()), **rest)


def stream(name: str = "companies") -> Stream:
    return Stream.for_player(key_from_seed("khamsin"), name)


SPACES = {
    "one": space(1),
    "players": space(2, players=("Gary", "Ann")),
    "people": space(3, has_people=True, has_team=True, has_bonus=True),
    "a character": space(2, has_people=True, has_bonus=True),
    "extras": space(2, has_air=True, may_trade=True),
    "large": space(4, large=True, kinds=3, stratagems=("Model",), has_people=True, has_bonus=True),
    "too few": space(2, large=True, kinds=2),
    "shared": space(3, {"a": ("x",), "b": ("x", "y")}, bounds={"a": (1, 2), "b": (1, 2)}),
}


@pytest.mark.full
@pytest.mark.rule("KH-13.01", "KH-17.03", "KH-17.05", "KH-17.06", "KH-16.16", "KH-14.11")
@pytest.mark.parametrize("name", SPACES)
def test_all_that_is_listed_or_drawn_is_allowed(name: str) -> None:
    options = SPACES[name]
    listed = list(islice(options.values(), 20_000))
    assert listed
    assert all(options.is_legal(each) for each in listed)
    keys = [str(each) for each in listed]
    assert len(set(keys)) == len(keys)
    draws = [options.sample(stream(f"{name}{number}")) for number in range(300)]
    assert all(options.is_legal(each) for each in draws)
    if len(listed) < 20_000:
        assert {str(each) for each in draws} <= set(keys)
    if len(listed) < 40:
        assert {str(each) for each in draws} == set(keys)


@pytest.mark.rule("KH-13.01", "KH-13.02", "KH-R28")
def test_four_actions_take_any_combination_of_three_types() -> None:
    options = space(4)
    kinds = PANZER["15_pz_div"]
    assert {tuple(each.company for each in listed) for listed in options.values()} == set(product(kinds, repeat=4))
    refusal = options.why_not([Fielded("15_pz_div", "rifle")] * 4)
    assert refusal is not None
    assert refusal.rule == "KH-13.01"


@pytest.mark.rule("KH-13.03", "KH-13.04")
def test_five_companies_of_three_types_in_a_large_battle_have_six_mixtures() -> None:
    options = space(5, large=True, kinds=3)
    counts = {
        tuple(Counter(each.company for each in listed)[kind] for kind in PANZER["15_pz_div"])
        for listed in options.values()
    }
    assert counts == {(3, 1, 1), (1, 3, 1), (1, 1, 3), (2, 2, 1), (2, 1, 2), (1, 2, 2)}


@pytest.mark.rule("KH-R29")
@pytest.mark.parametrize("allocation", ["free", "spread_evenly", "proportional"])
def test_bounds_of_shares_leave_room_for_every_number(allocation: str) -> None:
    for first, second, third in product(range(1, 5), repeat=3):
        strengths = {"a": first, "b": second, "c": third}
        for number in range(1, 13):
            bounds = share_bounds(strengths, number, allocation)
            assert sum(low for low, _ in bounds.values()) <= number <= sum(high for _, high in bounds.values())
            if allocation != "free":
                assert all(high - low <= 1 for low, high in bounds.values())


@pytest.mark.rule("KH-17.03", "KH-17.06")
@pytest.mark.parametrize(
    ("flags", "rule"),
    [
        ([(False, False), (False, False)], "KH-17.03"),
        ([(True, False), (True, False)], "KH-17.03"),
        ([(True, True), (False, True)], "KH-17.05"),
        ([(True, False), (False, True)], "KH-17.06"),
        ([(True, True), (False, False)], ""),
        ([(False, False), (True, False)], ""),
    ],
)
def test_the_team_goes_to_one_action_and_the_bonus_with_it(flags: list[tuple[bool, bool]], rule: str) -> None:
    options = space(2, has_people=True, has_team=True, has_bonus=True)
    value = [Fielded("15_pz_div", "panzer", command=command, bonus=bonus) for command, bonus in flags]
    refusal = options.why_not(value)
    assert (refusal.rule if refusal else "") == rule


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        "panzer",
        {},
        [1, 2],
        [Fielded("15_pz_div", "panzer")],
        [Fielded("nobody", "panzer")] * 2,
        [Fielded("15_pz_div", "panzer", "Stranger")] * 2,
        [Fielded("15_pz_div", "panzer", air=True)] * 2,
        [Fielded("15_pz_div", "panzer", trade=True)] * 2,
        [Fielded("15_pz_div", "panzer", stratagems="Model")] * 2,
        [Fielded("15_pz_div", "panzer", command=WRONG)] * 2,
        [Fielded(WRONG, "panzer")] * 2,
    ],
)
def test_what_is_no_choice_is_refused_with_a_rule_and_a_reason(value: Any) -> None:
    refusal = space(2).why_not(value)
    assert refusal is not None
    assert refusal.rule.startswith("KH-")
    assert refusal.reason


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
def test_no_more_types_are_asked_for_than_can_be_fielded(
    types: dict[str, tuple[str, ...]], most: int, kinds: int
) -> None:
    bounds = dict.fromkeys(types, (0, most))
    assert most_kinds(types, bounds) == kinds
    number = min(kinds, most * len(types))
    assert next(space(number, types, bounds=bounds, large=True, kinds=kinds).values(), None) is not None
