"""The special rules of the campaign, and the pause for the railways (AGC-4.3.1h, AGC-4.6 to AGC-4.8)."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.plugins.damos.cases import activate, react
from tests.plugins.damos.conftest import Lay, Prepare
from tests.plugins.damos.positions import SMOLENSK

from damos.model import events
from damos.model.orders import (
    Activate,
    ChooseHex,
    DeclareAttack,
    Decline,
    EndActivation,
    EndPhase,
    ExtendRail,
    Pause,
    PlaceReinforcements,
    Rally,
    React,
    Step,
)
from damos.model.state import DamosState
from damos.movement.pause import hexes_allowed, may_attack
from damos.turn.reinforcement import entry_hexes
from damos.turn.special_rules import has_player_turn, replacements_due

# --- blitzkrieg ---


@pytest.mark.rule("AGC-4.6.1a")
def test_the_soviets_have_no_first_player_turn(lay: Lay) -> None:
    case = lay("2810 a1:6", turn=1, dice="rail *").to_turn(2)
    assert "soviet" not in [seat for seat, _ in case.given(EndPhase)]


@pytest.mark.rule("AGC-4.6.1b", "AGC-4.6.1c")
@pytest.mark.parametrize(("turn", "zones"), [(1, False), (2, True)])
def test_soviet_zones_begin_on_turn_2(lay: Lay, turn: int, zones: bool) -> None:
    case = lay("2817 A1:7; 2815 a1:6", turn=turn).march("A1", "2816")
    case.until(lambda case: case.accepts(React) or case.pending.seat == "german")
    assert case.accepts(React) == zones
    case = lay("2816 I1:6!; 2815 i1:6", turn=turn).go(activate("I1"))
    assert case.allows(Rally()) == (not zones)


@pytest.mark.rule("AGC-4.6.1b")
def test_a_retreat_past_soviets_is_safe_on_turn_1(lay: Lay) -> None:
    soviet = "2815 i1:6; 2714 i6:1; 2914 i7:1; 2717 i8:1; 2917 i9:1"
    case = lay(german="2816 I1:6", soviet=soviet, dice={"attack": "1", "defense": "6"}, turn=1).attack("I1", "2815")
    assert case.standing("I1") == "on_map"


@pytest.mark.rule("AGC-4.6.2a", "R-DM-63")
@pytest.mark.parametrize(("attacker", "defender", "ground", "option", "overwhelmed"), [
    (12, "i1:1", {}, "modified_sp", True), (11, "i1:1", {}, "modified_sp", False),
    (24, "i1:2", {}, "modified_sp", True), (24, "i1:1 i2:1", {}, "modified_sp", True),
    (12, "i1:1", {"forest": "2815"}, "modified_sp", False), (24, "i1:1", {"forest": "2815"}, "modified_sp", True),
    (12, "i1:1", {"forest": "2815"}, "raw_sp", True), (12, "i1:1", {"river": "2816/2815"}, "modified_sp", False),
    (12, "i1:1", {"river": "2816/2815"}, "raw_sp", True), (24, "i1:2", {"forest": "2815"}, "modified_sp", False),
    (24, "i1:2", {"forest": "2815"}, "raw_sp", True),
])  # fmt: skip
def test_twelve_to_one_eliminates_the_defender(
    lay: Lay, attacker: int, defender: str, ground: dict[str, str], option: str, overwhelmed: bool
) -> None:
    dice = {} if overwhelmed else {"attack": "*", "defense": "*"}
    case = lay(f"2816 I1:{attacker}; 2815 {defender}", dice=dice, ratio_12=option, **ground)
    case.attack("I1", "2815")
    assert bool(case.events(events.DefenderOverwhelmed)) == overwhelmed
    if overwhelmed:
        assert case.standing("i1") == "eliminated"
        assert case.sp("I1") == [attacker]
        assert case.never(events.CombatResolved, events.CounterattackResolved)
        assert {event.why for event in case.events(events.UnitsEliminated)} == {"overwhelmed"}


@pytest.mark.rule("AGC-4.6.2a")
def test_twelve_to_one_applies_to_the_soviets_on_any_turn(lay: Lay) -> None:
    case = lay("2816 I1:1; 2815 i1:12", side="soviet", turn=11).attack("i1", "2816")
    assert case.standing("I1") == "eliminated"


@pytest.mark.rule("AGC-4.6.3a", "R-DM-64")
@pytest.mark.parametrize(("die", "number"), [("1", 1), ("4", 2), ("5", 3)])
def test_the_soviets_must_attack_on_turn_2(lay: Lay, die: str, number: int) -> None:
    case = lay(side="soviet", phase="reinforcement", turn=2, dice={"duty": die}).to_phase("soviet.operations")
    demanded = case.one(events.AttacksDemanded)
    assert (demanded.side, demanded.die, demanded.number) == ("soviet", int(die), number)
    assert case.state.attacks_owed == number


def two_attacks_owed(state: DamosState) -> None:
    state.attacks_owed = 2


@pytest.mark.rule("AGC-4.6.3a", "R-DM-73", "R-DM-64")
@pytest.mark.parametrize(("turn", "counted"), [(2, 1), (3, 0)])
def test_soviet_attacks_count_on_turn_2_only(lay: Lay, turn: int, counted: int) -> None:
    case = lay("2816 I1:6; 2815 i1:6", side="soviet", turn=turn, dice="attack 3; defense 3", tweak=two_attacks_owed)
    case.attack("i1", "2816")
    assert case.state.attacks_made == counted


@pytest.mark.rule("R-DM-73")
def test_soviet_reactions_do_not_count_as_attacks(lay: Lay) -> None:
    case = lay("2817 A1:7; 2815 a1:6", turn=2, dice="reaction 66; attack 11; defense 1", tweak=two_attacks_owed)
    case.march("A1", "2816", react("a1", "2815 2816")).rest()
    assert len(case.events(events.CombatBegan)) == 1
    assert case.state.attacks_made == 0


@pytest.mark.rule("AGC-4.6.3b")
@pytest.mark.parametrize(("turn", "owed", "made", "points"), [
    (3, 3, 0, 5), (4, 3, 0, 2), (4, 3, 1, 3), (4, 3, 2, 4), (4, 1, 3, 5), (12, 2, 0, 3), (12, 2, 5, 5), (4, 0, 0, 5),
])  # fmt: skip
def test_each_missing_attack_costs_a_point_from_turn_4_on(
    lay: Lay, turn: int, owed: int, made: int, points: int
) -> None:
    def missed(state: DamosState) -> None:
        state.attacks_owed, state.attacks_made = owed, made

    case = lay(side="soviet", phase="reinforcement", turn=turn, tweak=missed, replacements={"soviet": 1})
    assert case.state.replacements["soviet"] == 1 + points
    assert replacements_due(case.state, "german") == 2


@pytest.mark.rule("AGC-4.6.4a", "R-DM-65")
@pytest.mark.parametrize(("die", "turns", "option", "returns", "sp"), [
    ("4", "", "printed_sp", 0, 0), ("5", "1", "printed_sp", 3, 5), ("5", "6", "printed_sp", 5, 5),
    ("6", "6", "printed_sp", 5, 5), ("6", "3", "one_sp", 4, 1), ("6", "6", "one_sp", 5, 1),
])  # fmt: skip
def test_a_soviet_unit_lost_on_turn_2_may_return(
    lay: Lay, die: str, turns: str, option: str, returns: int, sp: int
) -> None:
    dice = {"undying": die} | ({"undying.turns": turns} if turns else {})
    case = lay("2816 I1:24; 2815 i1:1/5", turn=2, dice=dice, undying_strength=option).attack("I1", "2815")
    rolled, unit = case.one(events.UndyingRolled), case.unit("i1")
    assert (rolled.unit, rolled.returns, rolled.sp) == ("i1", returns, sp)
    assert unit.standing == ("pool" if returns else "eliminated")
    assert (unit.arrives, unit.sp) == (returns, sp)


@pytest.mark.rule("AGC-4.6.4a", "AGC-4.9a", "R-DM-65")
def test_returned_units_arrive_as_reinforcements(lay: Lay) -> None:
    case = lay("2816 I1:24; 2815 i1:1/5", turn=2, dice="undying 6; undying.turns 1; rail *; duty 1").attack(
        "I1", "2815"
    )
    case.to_turn(3).to(PlaceReinforcements)
    case.submit(PlaceReinforcements({"i1": "2601"}))
    assert (case.at("i1"), case.sp("i1"), case.spent("i1"), case.demoralized("i1")) == ("2601", [5], [False], [False])


@pytest.mark.rule("AGC-4.6.4a", "R-DM-65")
@pytest.mark.parametrize(("turn", "loser", "rolls"), [
    (1, "soviet", 1), (2, "soviet", 1), (3, "soviet", 0), (2, "german", 0),
])  # fmt: skip
def test_only_soviet_units_lost_on_turns_1_and_2_return(lay: Lay, turn: int, loser: str, rolls: int) -> None:
    dice = {"undying": "1"} if rolls else {}
    if loser == "soviet":
        case = lay("2816 I1:24; 2815 i1:1", turn=turn, dice=dice).attack("I1", "2815")
    else:
        case = lay("2816 I1:1; 2815 i1:12", side="soviet", turn=turn, dice=dice).attack("i1", "2816")
    assert len(case.events(events.UndyingRolled)) == rolls
    assert case.standing("i1" if loser == "soviet" else "I1") == "eliminated"


@pytest.mark.rule("R-DM-65")
def test_units_lost_by_retreat_or_surrender_may_return(lay: Lay) -> None:
    ring = "2714 I6:1; 2914 I7:1; 2717 I8:1; 2917 I9:1"
    case = lay(f"2816 I1:6; {ring}; 2815 i1:6", turn=2, dice="attack 6; defense 1; undying 1").attack("I1", "2815")
    assert case.one(events.UndyingRolled).unit == "i1"
    case = lay("2613 I1:6; 2615 I2:6; 2614 i1:6", turn=2, side="soviet", phase="surrender", dice="undying 1; rail *")
    case.until(lambda case: case.phase.startswith("german"))
    assert case.one(events.UndyingRolled).unit == "i1"


@pytest.mark.rule("AGC-4.6.5a", "R-DM-66")
@pytest.mark.parametrize(("turn", "halves", "modified"), [(1, 2, 6), (2, 4, 5)])
@pytest.mark.parametrize("option", ["german_only", "both"])
def test_rivers_have_no_effect_on_turn_1(lay: Lay, turn: int, halves: int, modified: int, option: str) -> None:
    case = lay("2816 I1:6; 2815 i1:6", river="2816/2815", turn=turn, turn1_rivers=option, dice="attack 1; defense 6")
    case.attack("I1", "2815")
    assert case.one(events.ForceMoved).halves == halves
    assert case.one(events.CombatResolved).attack_modified == modified


# --- the pause (bright, shiny objects) ---


def paused(trigger: int) -> Callable[[DamosState], None]:
    def note(state: DamosState) -> None:
        state.pause_turn = trigger

    return note


@pytest.mark.rule("AGC-4.7a")
@pytest.mark.parametrize(("turn", "start", "path", "place"), [
    (3, "2616", "2615 2614", {"smolensk": "2614"}), (2, "3903", SMOLENSK, {}),
])  # fmt: skip
def test_the_fall_of_smolensk_starts_the_pause_once(
    lay: Lay, turn: int, start: str, path: str, place: dict[str, str]
) -> None:
    dice = {"rail": "*"} | ({"duty": "1"} if turn == 2 else {})
    case = lay(f"{start} I1:6; 3803 I2:6", turn=turn, dice=dice, **place).march("I1", path, EndActivation()).rest()
    case.until(lambda case: bool(case.events(events.PauseBegan)) or case.state.turn > turn)
    began = case.one(events.PauseBegan)
    assert (began.turn, began.why, case.state.pause_turn) == (turn, "smolensk", turn)
    assert len(case.to_turn(6).events(events.PauseBegan)) == 1


@pytest.mark.rule("AGC-4.7a", "R-DM-67")
@pytest.mark.parametrize(("option", "turn", "slow"), [
    ("next_two_turns", 4, False), ("next_two_turns", 5, True), ("next_two_turns", 6, True),
    ("next_two_turns", 7, False), ("current_and_next", 4, True), ("current_and_next", 5, True),
    ("current_and_next", 6, False),
])  # fmt: skip
def test_mobile_germans_in_the_pause_move_one_hex_and_do_not_attack(
    lay: Lay, option: str, turn: int, slow: bool
) -> None:
    more: dict[str, Any] = {"turn": turn, "bso_first_turns": option, "tweak": paused(4)}
    case = lay("2820 A1:6; 2815 i1:6", **more).march("A1", "2819")
    assert case.accepts(Step) == (not slow)
    case = lay("2816 A1:6; 2815 i1:6", **more)
    assert case.allows(DeclareAttack("2815")) == (not slow)
    case.go(activate("A1"))
    assert case.allows(Step("2815")) == (not slow)
    assert case.allows(Step("2817"))


@pytest.mark.rule("R-DM-67", "AGC-4.7a")
@pytest.mark.parametrize(("unit", "slow"), [("A1", True), ("T1", True), ("C1", True), ("I1", False), ("H1", False)])
def test_the_pause_binds_only_mobile_germans(lay: Lay, unit: str, slow: bool) -> None:
    case = lay(f"2820 {unit}:6", turn=5, tweak=paused(4)).march(unit, "2821")
    assert case.accepts(Step) == (not slow)


@pytest.mark.rule("R-DM-67")
def test_mobile_germans_in_the_pause_defend_and_react(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 i1:6", side="soviet", turn=5, tweak=paused(4), dice="attack 1; defense 6")
    case.attack("i1", "2816")
    assert case.one(events.CombatDecided).winner == "defender"
    case = lay("2816 A1:6; 2814 i1:6", side="soviet", turn=5, tweak=paused(4)).march("i1", "2815")
    assert case.accepts(React) or case.to(React).accepts(React)


# --- optional pause ---


@pytest.mark.rule("AGC-4.3.1h", "AGC-4.3.1i", "R-DM-70")
@pytest.mark.parametrize("still", [True, False])
def test_mobile_germans_that_stay_still_get_more_rail_later(lay: Lay, still: bool) -> None:
    """They convert 7 hexes instead of 4 on the next turn, and the Soviets receive twice the points."""
    taken = {"german": " ".join(f"28{column:02}" for column in range(6, 16))}
    case = lay(
        "2820 A1:6; 2620 I1:6", turn=4, phase="opening", optional_rules="on_with_pause", control=taken, dice="rail 1,5"
    )
    case.to(Pause).submit(Pause(keep_still=still)).to_phase("german.operations")
    assert (case.state.held, hexes_allowed(case.state, "A1")) == (still, 0 if still else None)
    assert case.allows(Activate(["A1"])) == (not still)
    assert case.allows(Activate(["I1"]))
    case.to_turn(5).until(lambda case: case.accepts(ExtendRail))
    hexes = max((order.hexes for order in case.offered(ExtendRail)), key=len)
    assert len(hexes) == (7 if still else 4)
    case.submit(ExtendRail(hexes)).to_phase("soviet.operations")
    received = [event.points for event in case.events(events.ReplacementsReceived) if event.side == "soviet"]
    assert received == [6, 12 if still else 6]


@pytest.mark.rule("R-DM-70")
@pytest.mark.parametrize("option", ["off", "on"])
def test_the_pause_for_railways_is_offered_only_by_option(lay: Lay, option: str) -> None:
    case = lay("2820 A1:6", turn=4, phase="opening", optional_rules=option, dice="rail *")
    assert case.to_phase("german.operations").given(Pause) == []


# --- Cossacks ---


@pytest.mark.rule("AGC-4.8a", "R-DM-68")
@pytest.mark.parametrize(("turn", "offered"), [(9, False), (10, True), (12, True)])
def test_the_soviets_name_a_cossack_hex_from_turn_10_on(lay: Lay, turn: int, offered: bool) -> None:
    case = lay("2820 I1:6; 2810 c1:3; 2811 i1:3", turn=turn, phase="opening", dice="rail *")
    case.until(lambda case: case.accepts(ChooseHex) or case.phase == "german.operations")
    assert case.accepts(ChooseHex) == offered
    if offered:
        assert case.pending.seat == "soviet"
        assert sorted(order.hex for order in case.offered(ChooseHex)) == ["2802", "2810", "2811"]
        assert not case.allows(ChooseHex("2820"))
        assert case.allows(Decline())
        assert case.submit(ChooseHex("2811")).state.cossacks == "2811"
        case.to_turn(turn + 1)
        assert case.game.is_over or case.state.cossacks == ""


@pytest.mark.rule("AGC-4.8a", "R-DM-68", "DM-2.6a")
def test_cossacks_have_a_zone_of_influence_for_the_turn(lay: Lay) -> None:
    case = lay("2817 A1:7; 2815 i1:6", turn=10, phase="opening", dice="rail *")
    case.to(ChooseHex).submit(ChooseHex("2815")).to_phase("german.operations")
    assert case.one(events.CossacksNamed).hex == "2815"
    case.march("A1", "2816").until(lambda case: case.accepts(React) or case.pending.seat == "german")
    assert case.allows(react("i1", "2815 2816"))
    case.rest().to_phase("soviet.operations")
    assert case.allows(Activate(["i1"]))
    assert case.to_turn(11).state.cossacks == ""


@pytest.mark.rule("AGC-4.8a", "R-DM-68")
def test_cossacks_activate_as_a_force_with_a_zone(lay: Lay) -> None:
    case = lay("2810 i1:6; 2808 i2:6", side="soviet", turn=10, tweak=lambda state: setattr(state, "cossacks", "2810"))
    case.march("i1", "2809", EndActivation()).rest()
    assert case.one(events.ForceActivated).zone
    assert not case.allows(Activate(["i2"]))


def state_of(prepare: Prepare, turn: int, side: str = "german", **fields: Any) -> DamosState:
    """Return the opening state of the campaign on a turn. Keywords are fields or options."""
    names = set(DamosState.__struct_fields__)
    prepared = prepare("agc", **{name: value for name, value in fields.items() if name not in names})
    state = prepared.ruleset.codec.from_bytes(prepared.first_state, prepared.board)
    assert isinstance(state, DamosState)
    state.turn, state.phasing_side = turn, side
    for name, value in fields.items():
        if name in names:
            setattr(state, name, value)
    return state


# --- replacements ---


@pytest.mark.rule("AGC-4.5a", "AGC-4.5b", "R-DM-61", "AGC-4.6.1a")
@pytest.mark.parametrize(("turn", "option", "german", "soviet"), [
    (1, "none", 0, 0), (1, "5", 0, 5), (2, "none", 0, 5), *[(turn, "none", 2, 5) for turn in (3, 4, 9, 12)],
])  # fmt: skip
def test_replacement_points_due_depend_on_turn_and_option(
    prepare: Prepare, turn: int, option: str, german: int, soviet: int
) -> None:
    state = state_of(prepare, turn, russian_rp_turn1=option)
    assert (replacements_due(state, "german"), replacements_due(state, "soviet")) == (german, soviet)
    assert has_player_turn(state, "german")
    assert has_player_turn(state, "soviet") == (turn > 1)


@pytest.mark.rule("AGC-4.3.1g", "AGC-4.3.1i", "R-DM-70")
@pytest.mark.parametrize(("option", "turn", "held", "points"), [
    ("off", 5, True, 5), ("on", 5, True, 6), ("on", 2, True, 6), ("on_with_pause", 4, True, 6),
    ("on_with_pause", 5, True, 12), ("on_with_pause", 6, True, 12), ("on_with_pause", 7, True, 6),
    ("on_with_pause", 5, False, 6),
])  # fmt: skip
def test_soviet_points_depend_on_the_optional_railway_rules(
    prepare: Prepare, option: str, turn: int, held: bool, points: int
) -> None:
    assert replacements_due(state_of(prepare, turn, held=held, optional_rules=option), "soviet") == points


# --- pauses ---


@pytest.mark.rule("AGC-4.7a", "AGC-4.7b", "R-DM-67")
@pytest.mark.parametrize(("option", "since", "turns"), [
    ("next_two_turns", 4, [5, 6]), ("next_two_turns", 2, [3, 4]), ("current_and_next", 3, [3, 4]),
])  # fmt: skip
def test_the_pause_lasts_two_turns_and_binds_mobile_germans(
    prepare: Prepare, option: str, since: int, turns: list[int]
) -> None:
    for turn in range(1, 13):
        state = state_of(prepare, turn, pause_turn=since, bso_first_turns=option)
        for unit, bound in (("g-3pz", True), ("g-1cav", True), ("g-267", False), ("s-20mc", False)):
            expected = 1 if bound and turn in turns else None
            assert hexes_allowed(state, unit) == expected
            assert may_attack(state, unit) == (expected is None)
        state.phasing_side = "soviet"
        assert hexes_allowed(state, "g-3pz") is None


@pytest.mark.rule("AGC-4.7a", "AGC-4.7b", "R-DM-49", "R-DM-60", "R-DM-67")
@pytest.mark.parametrize(("options", "turn", "began"), [
    ({}, 5, (4, "august")), ({"bso_first_turns": "current_and_next"}, 5, (5, "august")),
    ({"combined_game": "on"}, 5, None), ({"calendar": "t1_22_june"}, 5, None),
    ({"calendar": "t1_22_june"}, 6, (5, "august")), ({}, 4, None), ({}, 6, None),
])  # fmt: skip
def test_the_pause_starts_after_the_second_turn_of_august(
    lay: Lay, options: dict[str, str], turn: int, began: tuple[int, str] | None
) -> None:
    case = lay("2820 I1:6", turn=turn, phase="opening", **options)
    found = [(event.turn, event.why) for event in case.events(events.PauseBegan)]
    assert found == ([began] if began else [])
    assert case.state.pause_turn == (began[0] if began else 0)


# --- arrivals ---


@pytest.mark.rule("AGC-4.9a", "R-DM-69")
def test_reinforcements_enter_at_edges_and_cities(prepare: Prepare) -> None:
    state = state_of(prepare, 2)
    board = state.board
    assert entry_hexes(state, "german") == sorted(board.edges["west"])
    assert set(entry_hexes(state, "soviet")) == {*board.edges["east"], *board.cities, *board.major_cities} - {
        each for each in board.cities if board.home[each] == "german"
    }
    state.control["2811"] = "german"
    assert "2811" not in entry_hexes(state, "soviet")


# --- required attacks ---


@pytest.mark.rule("AGC-4.6.3a", "R-DM-64", "R-DM-73")
@pytest.mark.parametrize(("option", "owed"), [("agc_area", 2), ("agn_area", 0)])
def test_attacks_are_required_and_counted_in_the_area_of_the_option(lay: Lay, option: str, owed: int) -> None:
    dice = {"attack": "*", "defense": "*"} | ({"duty": "3"} if owed else {})
    case = lay(
        "2816 I1:6; 2814 i1:6", side="soviet", phase="reinforcement", turn=2, dice=dice, turn2_attacks_area=option
    )
    case.to_phase("soviet.operations")
    assert (case.state.attacks_owed, case.never(events.AttacksDemanded)) == (owed, not owed)
    case.march("i1", "2815").go(Step("2816")).rest()
    assert case.state.attacks_made == (1 if owed else 0)
    assert len(case.events(events.AttackCounted)) == (1 if owed else 0)
