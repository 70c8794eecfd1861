"""The commander's dice and vehicles after a game."""

import pytest
from tests.plugins.axis_attack.situations import campaign_situation, decision_for

from axis_attack.bots.recovery import dice, keep_mobile
from axis_attack.model.cards import DEPLETED, GERMAN
from axis_attack.model.orders import AssignDice, KeepMobile
from axis_attack.recovery.mobility import keeping_space
from axis_attack.recovery.reinforcement import dice_space


@pytest.mark.rule("AOA-11.02", "AOA-11.05", "AOA-11.09", "AOA-11.12")
@pytest.mark.parametrize(
    ("german", "balance", "turn", "bought", "shares"),
    [
        # gains: pg1 60 points on a 3: 40, 13; tanks 105 on a 6: 17, 14, 11; machine guns 30 on a 4: 15, 7
        ("pg1 pg depleted; panzer panzer depleted; hmg hmg depleted", 0, 8, 0, {"pg1": 1, "panzer": 2, "hmg": 1}),
        # gutted to depleted gains 145, and 60 for a combat platoon: 136, 45, 15
        ("a pg gutted; b pg gutted", 9, 8, 0, {"a": 2, "b": 2}),
        # the fourth to sixth die gain 45 each, so two are bought; a seventh would gain 15
        ("a pg gutted; b pg gutted; c pg gutted", 9, 8, 2, {"a": 2, "b": 2, "c": 2}),
        ("a pg gutted; b pg gutted; c pg gutted", 1, 8, 1, {"c": 2, "b": 2, "a": 1}),
        # no dice are bought in the last game; equal gains go to the later name
        ("a pg gutted; b pg gutted; c pg gutted", 9, 9, 0, {"a": 1, "b": 1, "c": 2}),
        # destroyed to gutted gains half of 145: 72 on a 3, which is 48, then 16; pg1 gains 40, 13
        ("a pg destroyed; pg1 pg depleted; hmg hmg depleted", 0, 8, 0, {"a": 2, "pg1": 1, "hmg": 1}),
        # a gutted support platoon adds no 60 for a company: 60 on a 5: 20, 13, 8; machine guns 15, 7
        ("flak flak gutted; hmg hmg depleted", 0, 8, 0, {"flak": 3, "hmg": 1}),
    ],
)
def test_each_die_goes_to_the_platoon_that_gains_most_points(
    german: str, balance: int, turn: int, bought: int, shares: dict[str, int]
) -> None:
    state, position = campaign_situation(german, balance, turn)
    space = dice_space(state, GERMAN, [])
    assert space is not None
    order = dice(position, decision_for(space))
    assert order == AssignDice(bought, shares)
    assert space.why_not(order) is None


@pytest.mark.rule("AOA-10.17", "AOA-10.18", "AOA-10.19")
@pytest.mark.parametrize(
    ("german", "short", "order"),
    [
        # lowered, 190 points move; immobile, 265 points count half
        ("a apg full transports=2", ["a"], KeepMobile({"a": DEPLETED})),
        # taking b's vehicle gives 265 + 190 / 2; lowering a gives 190 + 190
        ("a apg full transports=2; b apg depleted", ["a"], KeepMobile({"a": DEPLETED})),
        # a spare vehicle costs no points
        ("a apg full transports=2; b apg depleted transports=3", ["a"], KeepMobile({}, {"b>a": 1})),
        # an immobile platoon gives its vehicle
        ("a apg full transports=2; b apg full transports=1 immobile", ["a"], KeepMobile({}, {"b>a": 1})),
    ],
)
def test_vehicles_are_shared_so_that_most_points_can_move(german: str, short: list[str], order: KeepMobile) -> None:
    state, position = campaign_situation(german)
    assert keep_mobile(position, decision_for(keeping_space(state, GERMAN, short))) == order
