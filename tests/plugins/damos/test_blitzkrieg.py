"""What the campaign does to both sides, 4.6 to 4.8 of the exclusive rules, and the pause for the railways."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from damos.model import events
from damos.model.orders import (
    Activate,
    ChooseHex,
    DeclareAttack,
    EndActivation,
    EndPhase,
    ExtendRail,
    MoveStrategically,
    Pause,
    PlaceReinforcements,
    Rally,
    React,
    Step,
)
from damos.model.state import DamosState

if TYPE_CHECKING:
    from tests.plugins.damos.conftest import Lay

from tests.plugins.damos.cases import activate, react

# --- blitzkrieg ---


@pytest.mark.rule("AGC-4.6.1a")
def test_the_soviets_have_no_first_turn(lay: Lay) -> None:
    case = lay(turn=1, soviet="2810 a1:6", dice={"rail": "*"}).to_turn(2)
    assert "soviet" not in [seat for seat, _ in case.given(EndPhase)]


@pytest.mark.rule("AGC-4.6.1b", "AGC-4.6.1c")
@pytest.mark.parametrize(("turn", "zones"), [(1, False), (2, True)])
def test_nor_zones_on_it(lay: Lay, turn: int, zones: bool) -> None:
    case = lay(german="2817 A1:7", soviet="2815 a1:6", turn=turn).march("A1", "2816")
    case.until(lambda case: case.asks(React) or case.asked.seat == "german")
    assert case.asks(React) == zones
    case = lay(german="2816 I1:6!", soviet="2815 i1:6", turn=turn).go(activate("I1"))
    assert case.allows(Rally()) == (not zones)
    case.rest()


@pytest.mark.rule("AGC-4.6.1b")
def test_a_retreat_past_them_is_safe_on_the_first_turn(lay: Lay) -> None:
    soviet = "2815 i1:6; 2714 i6:1; 2914 i7:1; 2717 i8:1; 2917 i9:1"
    case = lay(german="2816 I1:6", soviet=soviet, dice={"attack": "1", "defence": "6"}, turn=1).attack("I1", "2815")
    assert case.standing("I1") == "on_map"


@pytest.mark.rule("AGC-4.6.2a", "R-DM-63")
@pytest.mark.parametrize(
    ("attacker", "defender", "ground", "option", "overwhelmed"),
    [
        (12, "i1:1", {}, "modified_sp", True),
        (11, "i1:1", {}, "modified_sp", False),
        (24, "i1:2", {}, "modified_sp", True),
        (24, "i1:1 i2:1", {}, "modified_sp", True),
        (12, "i1:1", {"forest": "2815"}, "modified_sp", False),
        (24, "i1:1", {"forest": "2815"}, "modified_sp", True),
        (12, "i1:1", {"forest": "2815"}, "raw_sp", True),
        (12, "i1:1", {"river": "2816/2815"}, "modified_sp", False),
        (12, "i1:1", {"river": "2816/2815"}, "raw_sp", True),
    ],
)
def test_twelve_to_one(
    lay: Lay, attacker: int, defender: str, ground: dict[str, str], option: str, overwhelmed: bool
) -> None:
    dice = {} if overwhelmed else {"attack": "*", "defence": "*"}
    case = lay(german=f"2816 I1:{attacker}", soviet=f"2815 {defender}", dice=dice, ratio_12=option, **ground)
    case.attack("I1", "2815")
    assert bool(case.events(events.DefenderOverwhelmed)) == overwhelmed
    if overwhelmed:
        assert case.standing("i1") == "eliminated"
        assert case.sp("I1") == [attacker]
        assert case.never(events.CombatResolved, events.CounterattackResolved)
        assert {event.why for event in case.events(events.UnitsEliminated)} == {"overwhelmed"}


@pytest.mark.rule("AGC-4.6.2a")
def test_on_any_turn_and_for_the_soviets_too(lay: Lay) -> None:
    case = lay(german="2816 I1:1", soviet="2815 i1:12", side="soviet", turn=11).attack("i1", "2816")
    assert case.standing("I1") == "eliminated"


@pytest.mark.rule("AGC-4.6.3a", "R-DM-64")
@pytest.mark.parametrize(("die", "number"), [("1", 1), ("4", 2), ("5", 3)])
def test_on_turn_two_the_soviets_must_attack(lay: Lay, die: str, number: int) -> None:
    case = lay(side="soviet", phase="reinforcement", turn=2, dice={"duty": die}).to_phase("soviet.operations")
    demanded = case.one(events.AttacksDemanded)
    assert (demanded.side, demanded.die, demanded.number) == ("soviet", int(die), number)
    assert case.state.attacks_owed == number


@pytest.mark.rule("R-DM-64")
def test_or_elsewhere(lay: Lay) -> None:
    case = lay(side="soviet", phase="reinforcement", turn=2, turn2_attacks_area="agn_area")
    case.to_phase("soviet.operations")
    assert case.never(events.AttacksDemanded)
    assert case.state.attacks_owed == 0


def owing(state: DamosState) -> None:
    state.attacks_owed = 2


@pytest.mark.rule("AGC-4.6.3a", "R-DM-73", "R-DM-64")
@pytest.mark.parametrize(("turn", "counted"), [(2, 1), (3, 0)])
def test_combats_that_they_begin_count_on_that_turn(lay: Lay, turn: int, counted: int) -> None:
    case = lay(
        german="2816 I1:6",
        soviet="2815 i1:6",
        side="soviet",
        turn=turn,
        dice={"attack": "3", "defence": "3"},
        tweak=owing,
    )
    case.attack("i1", "2816")
    assert case.state.attacks_made == counted


@pytest.mark.rule("R-DM-73")
def test_reactions_do_not(lay: Lay) -> None:
    dice = {"reaction": "66", "attack": "11", "defence": "1"}
    case = lay(german="2817 A1:7", soviet="2815 a1:6", turn=2, dice=dice, tweak=owing)
    case.march("A1", "2816", react("a1", "2815 2816")).rest()
    assert len(case.events(events.CombatBegan)) == 1
    assert case.state.attacks_made == 0


@pytest.mark.rule("AGC-4.6.3b")
@pytest.mark.parametrize(
    ("turn", "owed", "made", "points"), [(3, 3, 0, 5), (4, 3, 1, 3), (4, 1, 3, 5), (12, 2, 0, 3), (4, 0, 0, 5)]
)
def test_what_they_did_not_attack_costs_points_from_turn_four_on(
    lay: Lay, turn: int, owed: int, made: int, points: int
) -> None:
    def missed(state: DamosState) -> None:
        state.attacks_owed, state.attacks_made = owed, made

    case = lay(side="soviet", phase="reinforcement", turn=turn, tweak=missed, replacements={"soviet": 1})
    assert case.state.replacements["soviet"] == 1 + points


@pytest.mark.rule("AGC-4.6.4a", "R-DM-65")
@pytest.mark.parametrize(
    ("die", "turns", "option", "returns", "sp"),
    [
        ("4", "", "printed_sp", 0, 0),
        ("5", "1", "printed_sp", 3, 5),
        ("6", "6", "printed_sp", 5, 5),
        ("6", "3", "one_sp", 4, 1),
    ],
)
def test_the_dead_of_the_first_turns_may_come_back(
    lay: Lay, die: str, turns: str, option: str, returns: int, sp: int
) -> None:
    dice = {"undying": die} | ({"undying.turns": turns} if turns else {})
    case = lay(german="2816 I1:24", soviet="2815 i1:1/5", turn=2, dice=dice, undying_strength=option)
    case.attack("I1", "2815")
    rolled = case.one(events.UndyingRolled)
    assert (rolled.unit, rolled.returns, rolled.sp) == ("i1", returns, sp)
    assert case.standing("i1") == ("pool" if returns else "eliminated")
    if returns:
        assert (case.unit("i1").arrives, case.unit("i1").sp) == (returns, sp)


@pytest.mark.rule("AGC-4.6.4a", "AGC-4.9a", "R-DM-65")
def test_they_come_by_the_ways_of_reinforcements(lay: Lay) -> None:
    dice = {"undying": "6", "undying.turns": "1", "rail": "*", "duty": "1"}
    case = lay(german="2816 I1:24", soviet="2815 i1:1/5", turn=2, dice=dice).attack("I1", "2815")
    case.to_turn(3).to(PlaceReinforcements)
    case.submit(PlaceReinforcements({"i1": "2601"}))
    assert (case.at("i1"), case.sp("i1"), case.spent("i1"), case.demoralized("i1")) == ("2601", [5], [False], [False])


@pytest.mark.rule("AGC-4.6.4a", "R-DM-65")
@pytest.mark.parametrize(("turn", "rolls"), [(1, 1), (2, 1), (3, 0)])
def test_on_the_first_two_turns_alone(lay: Lay, turn: int, rolls: int) -> None:
    case = lay(german="2816 I1:24", soviet="2815 i1:1", turn=turn, dice={"undying": "1"} if rolls else {})
    case.attack("I1", "2815")
    assert len(case.events(events.UndyingRolled)) == rolls


@pytest.mark.rule("R-DM-65")
def test_who_dies_on_the_retreat_or_surrenders_counts(lay: Lay) -> None:
    ring = "2714 I6:1; 2914 I7:1; 2717 I8:1; 2917 I9:1"
    dice = {"attack": "6", "defence": "1", "undying": "1"}
    case = lay(german=f"2816 I1:6; {ring}", soviet="2815 i1:6", turn=2, dice=dice).attack("I1", "2815")
    assert case.one(events.UndyingRolled).unit == "i1"
    case = lay(
        german="2613 I1:6; 2615 I2:6",
        soviet="2614 i1:6",
        turn=2,
        side="soviet",
        phase="surrender",
        dice={"undying": "1", "rail": "*"},
    )
    case.until(lambda case: case.phase.startswith("german"))
    assert case.one(events.UndyingRolled).unit == "i1"


@pytest.mark.rule("AGC-4.6.4a")
def test_dead_germans_do_not(lay: Lay) -> None:
    case = lay(german="2816 I1:1", soviet="2815 i1:12", side="soviet", turn=2).attack("i1", "2816")
    assert case.never(events.UndyingRolled)


@pytest.mark.rule("AGC-4.6.5a", "R-DM-66")
@pytest.mark.parametrize(("turn", "halves", "modified"), [(1, 2, 6), (2, 4, 5)])
@pytest.mark.parametrize("option", ["german_only", "both"])
def test_rivers_are_nothing_on_the_first_turn(lay: Lay, turn: int, halves: int, modified: int, option: str) -> None:
    case = lay(
        german="2816 I1:6",
        soviet="2815 i1:6",
        river="2816/2815",
        turn=turn,
        turn1_rivers=option,
        dice={"attack": "1", "defence": "6"},
    )
    case.attack("I1", "2815")
    assert case.one(events.ForceMoved).halves == halves
    assert case.one(events.CombatResolved).attack_modified == modified


# --- bright, shiny objects ---


def paused(trigger: int) -> Callable[[DamosState], None]:
    def note(state: DamosState) -> None:
        state.pause_turn = trigger

    return note


@pytest.mark.rule("AGC-4.7a")
def test_it_begins_after_the_second_turn_of_august(lay: Lay) -> None:
    case = lay(turn=4, dice={"rail": "*"}).to_turn(5)
    began = case.one(events.PauseBegan)
    assert (began.turn, began.why, case.state.pause_turn) == (4, "august", 4)


@pytest.mark.rule("R-DM-60", "AGC-4.7a")
def test_which_is_a_turn_later_where_june_is_the_first(lay: Lay) -> None:
    case = lay(turn=4, calendar="t1_22_june", dice={"rail": "*"}).to_turn(5)
    assert case.never(events.PauseBegan)
    assert case.to_turn(6).one(events.PauseBegan).turn == 5


@pytest.mark.rule("AGC-4.7a")
def test_or_when_smolensk_falls(lay: Lay) -> None:
    case = (
        lay(german="2616 I1:6", smolensk="2614", turn=3, dice={"rail": "*"})
        .march("I1", "2615 2614", EndActivation())
        .rest()
    )
    case.until(lambda case: bool(case.events(events.PauseBegan)) or case.state.turn > 3)
    began = case.one(events.PauseBegan)
    assert (began.turn, began.why) == (3, "smolensk")
    case.to_turn(6)
    assert len(case.events(events.PauseBegan)) == 1


@pytest.mark.rule("AGC-4.7b", "R-DM-49")
def test_not_in_the_combined_game(lay: Lay) -> None:
    case = lay(turn=4, combined_game="on", dice={"rail": "*"}).to_turn(5)
    assert case.never(events.PauseBegan)


@pytest.mark.rule("AGC-4.7a", "R-DM-67")
@pytest.mark.parametrize(
    ("option", "turn", "slow"),
    [
        ("next_two_turns", 4, False),
        ("next_two_turns", 5, True),
        ("next_two_turns", 6, True),
        ("next_two_turns", 7, False),
        ("current_and_next", 4, True),
        ("current_and_next", 5, True),
        ("current_and_next", 6, False),
    ],
)
def test_mobile_germans_move_a_hex_and_do_not_attack(lay: Lay, option: str, turn: int, slow: bool) -> None:
    more: dict[str, Any] = {"turn": turn, "bso_first_turns": option, "tweak": paused(4)}
    case = lay(german="2820 A1:6", soviet="2815 i1:6", **more).march("A1", "2819")
    assert case.asks(Step) == (not slow)
    case = lay(german="2816 A1:6", soviet="2815 i1:6", **more)
    assert case.allows(DeclareAttack("2815")) == (not slow)
    case.go(activate("A1"))
    assert case.allows(Step("2815")) == (not slow)
    assert case.allows(Step("2817"))


@pytest.mark.rule("R-DM-67", "AGC-4.7a")
@pytest.mark.parametrize(("unit", "slow"), [("A1", True), ("T1", True), ("C1", True), ("I1", False), ("H1", False)])
def test_infantry_is_not_concerned(lay: Lay, unit: str, slow: bool) -> None:
    case = lay(german=f"2820 {unit}:6", turn=5, tweak=paused(4)).march(unit, "2821")
    assert case.asks(Step) == (not slow)


@pytest.mark.rule("R-DM-67")
def test_one_hex_in_total(lay: Lay) -> None:
    case = lay(german="2620 A1:6", turn=5, phase="strategic", tweak=paused(4))
    case.until(lambda case: case.asks(MoveStrategically))
    assert case.allows(MoveStrategically(["A1"], ["2620", "2621"]))
    assert not case.allows(MoveStrategically(["A1"], ["2620", "2621", "2622"]))


@pytest.mark.rule("R-DM-67")
def test_they_defend_as_ever(lay: Lay) -> None:
    dice = {"attack": "1", "defence": "6"}
    case = lay(german="2816 A1:6", soviet="2815 i1:6", side="soviet", turn=5, tweak=paused(4), dice=dice)
    case.attack("i1", "2816")
    assert case.one(events.CombatDecided).winner == "defender"
    case = lay(german="2816 A1:6", soviet="2814 i1:6", side="soviet", turn=5, tweak=paused(4)).march("i1", "2815")
    assert case.asks(React) or case.to(React).asks(React)


# --- optional pause ---


@pytest.mark.rule("AGC-4.3.1h", "AGC-4.3.1i", "R-DM-70")
def test_those_who_keep_still_get_farther_by_rail_later(lay: Lay) -> None:
    taken = {"german": " ".join(f"28{column:02}" for column in range(6, 16))}
    case = lay(
        german="2820 A1:6; 2620 I1:6",
        soviet="",
        turn=4,
        phase="opening",
        optional_rules="on_with_pause",
        control=taken,
        dice={"rail": "1,5"},
    )
    case.to(Pause).submit(Pause(keep_still=True)).to_phase("german.operations")
    assert not case.allows(Activate(["A1"]))
    assert case.allows(Activate(["I1"]))
    case.to_turn(5)
    case.until(lambda case: case.asks(ExtendRail))
    longest = max(len(order.hexes) for order in case.offered(ExtendRail))
    assert longest == 7
    case.submit(next(order for order in case.offered(ExtendRail) if len(order.hexes) == 7))
    case.to_phase("soviet.operations")
    received = [event.points for event in case.events(events.ReplacementsReceived) if event.side == "soviet"]
    assert received == [6, 12]


@pytest.mark.rule("AGC-4.3.1h", "AGC-4.3.1i")
def test_those_who_do_not_get_nothing(lay: Lay) -> None:
    case = lay(
        german="2820 A1:6",
        turn=4,
        phase="opening",
        optional_rules="on_with_pause",
        dice={"rail": "*"},
    )
    case.to(Pause).submit(Pause(keep_still=False)).to_phase("german.operations")
    assert case.allows(Activate(["A1"]))
    case.to_turn(5).to_phase("soviet.operations")
    received = [event.points for event in case.events(events.ReplacementsReceived) if event.side == "soviet"]
    assert received == [6, 6]


@pytest.mark.rule("R-DM-70")
@pytest.mark.parametrize("option", ["off", "on"])
def test_without_the_rule_nobody_is_asked(lay: Lay, option: str) -> None:
    case = lay(german="2820 A1:6", turn=4, phase="opening", optional_rules=option, dice={"rail": "*"})
    case.to_phase("german.operations")
    assert case.given(Pause) == []


# --- Cossacks ---


@pytest.mark.rule("AGC-4.8a", "R-DM-68")
@pytest.mark.parametrize(("turn", "asked"), [(9, False), (10, True), (12, True)])
def test_from_turn_ten_on_the_soviets_name_a_hex(lay: Lay, turn: int, asked: bool) -> None:
    case = lay(soviet="2810 i1:6", german="2820 I1:6", turn=turn, phase="opening", dice={"rail": "*"})
    case.until(lambda case: case.asks(ChooseHex) or case.phase == "german.operations")
    assert case.asks(ChooseHex) == asked
    if asked:
        assert case.asked.seat == "soviet"
        assert case.allows(ChooseHex("2810"))
        assert not case.allows(ChooseHex("2811"))
        assert not case.allows(ChooseHex("2820"))


@pytest.mark.rule("AGC-4.8a", "R-DM-68", "DM-2.6a")
def test_its_units_act_in_zones_for_the_turn(lay: Lay) -> None:
    case = lay(german="2817 A1:7", soviet="2815 i1:6", turn=10, phase="opening", dice={"rail": "*"})
    case.to(ChooseHex).submit(ChooseHex("2815")).to_phase("german.operations")
    assert case.one(events.CossacksNamed).hex == "2815"
    case.march("A1", "2816").until(lambda case: case.asks(React) or case.asked.seat == "german")
    assert case.allows(react("i1", "2815 2816"))
    case.rest()
    case.to_phase("soviet.operations")
    assert case.allows(Activate(["i1"]))
    case.to_turn(11)
    assert case.state.cossacks == ""


@pytest.mark.rule("AGC-4.8a", "R-DM-68")
def test_they_count_as_a_force_with_a_zone_in_their_own_turn(lay: Lay) -> None:
    def named(state: DamosState) -> None:
        state.cossacks = "2810"

    case = lay(soviet="2810 i1:6; 2808 i2:6", side="soviet", turn=10, tweak=named, dice={})
    case.march("i1", "2809", EndActivation()).rest()
    assert case.one(events.ForceActivated).zone
    assert not case.allows(Activate(["i2"]))
