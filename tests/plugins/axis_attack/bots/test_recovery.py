"""The commander's dice and vehicles after a game."""

import pytest
from tests.plugins.axis_attack.situations import asked, laid

from axis_attack.bots.recovery import dice, keep_mobile
from axis_attack.model.cards import DEPLETED, GERMAN
from axis_attack.model.orders import AssignDice, KeepMobile
from axis_attack.recovery.mobility import keeping_space
from axis_attack.recovery.reinforcement import dice_space


@pytest.mark.rule("AOA-11.02", "AOA-11.05", "AOA-11.09", "AOA-11.12")
@pytest.mark.parametrize(
    ("german", "balance", "turn", "bought", "shares"),
    [
        # pg1: 60 points on a 3: 40, then a third of that; tanks 105 on a 6: 17, 14, 11; machine guns 30 on a 4: 15, 7
        ("pg1 pg depleted; panzer panzer depleted; hmg hmg depleted", 0, 8, 0, {"pg1": 1, "panzer": 2, "hmg": 1}),
        # back from gutted brings 145 and 60 for a company: 136, 45, 15; two dice for each of two
        ("a pg gutted; b pg gutted", 9, 8, 0, {"a": 2, "b": 2}),
        # the fourth, fifth and sixth die bring 45 each: two are bought, not a seventh for 15
        ("a pg gutted; b pg gutted; c pg gutted", 9, 8, 2, {"a": 2, "b": 2, "c": 2}),
        ("a pg gutted; b pg gutted; c pg gutted", 1, 8, 1, {"c": 2, "b": 2, "a": 1}),
        # in the last game nothing is bought; of equals the later name comes first
        ("a pg gutted; b pg gutted; c pg gutted", 9, 9, 0, {"a": 1, "b": 1, "c": 2}),
        # out of ruins: half of 145 is 72, on a 3 that is 48, then 16: before 40 for pg1, and 13
        ("a pg destroyed; pg1 pg depleted; hmg hmg depleted", 0, 8, 0, {"a": 2, "pg1": 1, "hmg": 1}),
        # a support platoon back from gutted saves no company: 60 on a 5 is 20, then 13, 8; 15 and 7 for the others
        ("flak flak gutted; hmg hmg depleted", 0, 8, 0, {"flak": 3, "hmg": 1}),
    ],
)
def test_each_die_goes_where_it_brings_most_points(
    german: str, balance: int, turn: int, bought: int, shares: dict[str, int]
) -> None:
    state, told = laid(german, balance, turn)
    space = dice_space(state, GERMAN, [])
    assert space is not None
    order = dice(told, asked(space))
    assert order == AssignDice(bought, shares)
    assert space.why_not(order) is None


@pytest.mark.rule("AOA-10.17", "AOA-10.18", "AOA-10.19")
@pytest.mark.parametrize(
    ("german", "short", "order"),
    [
        # 265 points that move, for 190 that are left of it if lowered: better than half of 265
        ("a apg full transports=2", ["a"], KeepMobile({"a": DEPLETED})),
        # the vehicle of the depleted one leaves it with 190 / 2, but a keeps 265: against 190 and 190
        ("a apg full transports=2; b apg depleted", ["a"], KeepMobile({"a": DEPLETED})),
        # a spare vehicle costs nobody anything
        ("a apg full transports=2; b apg depleted transports=3", ["a"], KeepMobile({}, {"b>a": 1})),
        # who stands still anyhow gives what he has
        ("a apg full transports=2; b apg full transports=1 immobile", ["a"], KeepMobile({}, {"b>a": 1})),
    ],
)
def test_vehicles_are_shared_so_that_most_points_can_move(german: str, short: list[str], order: KeepMobile) -> None:
    state, told = laid(german)
    assert keep_mobile(told, asked(keeping_space(state, GERMAN, short))) == order
