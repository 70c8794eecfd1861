"""The exclusive rules of turns, arrivals and pauses as they answer the series (AGC-4.5 to AGC-4.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.damos.positions import SMOLENSK

from damos.model import events
from damos.model.orders import Activate, ChooseHex, Decline, EndActivation, Pause, Step
from damos.model.state import DamosState
from damos.movement.pause import hexes_allowed, may_attack
from damos.turn.reinforcement import entry_hexes
from damos.turn.special_rules import has_player_turn, replacements_due

if TYPE_CHECKING:
    from tests.plugins.damos.conftest import Lay, Prepare


def state_of(prepare: Prepare, turn: int, side: str = "german", **fields: Any) -> DamosState:
    """Return the opening of the campaign, in a turn and with some fields set; options are fields as well."""
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
@pytest.mark.parametrize(
    ("turn", "german", "soviet"), [(1, 0, 0), (2, 0, 5), (3, 2, 5), (4, 2, 5), (9, 2, 5), (12, 2, 5)]
)
def test_replacement_points_by_turn(prepare: Prepare, turn: int, german: int, soviet: int) -> None:
    state = state_of(prepare, turn)
    assert (replacements_due(state, "german"), replacements_due(state, "soviet")) == (german, soviet)
    assert has_player_turn(state, "german")
    assert has_player_turn(state, "soviet") == (turn > 1)


@pytest.mark.rule("R-DM-61")
def test_the_soviets_may_get_five_on_turn_1_as_well(prepare: Prepare) -> None:
    assert replacements_due(state_of(prepare, 1, russian_rp_turn1="5"), "soviet") == 5


@pytest.mark.rule("AGC-4.6.3b")
@pytest.mark.parametrize(
    ("turn", "owed", "made", "points"), [(3, 3, 0, 5), (4, 3, 0, 2), (4, 3, 2, 4), (12, 2, 0, 3), (12, 2, 5, 5)]
)
def test_attacks_not_made_cost_points_from_turn_4_on(
    prepare: Prepare, turn: int, owed: int, made: int, points: int
) -> None:
    state = state_of(prepare, turn, attacks_owed=owed, attacks_made=made)
    assert replacements_due(state, "soviet") == points
    assert replacements_due(state, "german") == 2


@pytest.mark.rule("AGC-4.3.1g", "AGC-4.3.1i", "R-DM-70")
@pytest.mark.parametrize(
    ("option", "turn", "held", "points"),
    [
        ("off", 5, True, 5),
        ("on", 5, True, 6),
        ("on", 2, True, 6),
        ("on_with_pause", 4, True, 6),
        ("on_with_pause", 5, True, 12),
        ("on_with_pause", 6, True, 12),
        ("on_with_pause", 7, True, 6),
        ("on_with_pause", 5, False, 6),
    ],
)
def test_what_the_optional_railways_give_the_soviets(
    prepare: Prepare, option: str, turn: int, held: bool, points: int
) -> None:
    assert replacements_due(state_of(prepare, turn, held=held, optional_rules=option), "soviet") == points


# --- pauses ---


@pytest.mark.rule("AGC-4.7a", "AGC-4.7b", "R-DM-67")
@pytest.mark.parametrize(
    ("option", "since", "turns"),
    [("next_two_turns", 4, [5, 6]), ("next_two_turns", 2, [3, 4]), ("current_and_next", 3, [3, 4])],
)
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


@pytest.mark.rule("AGC-4.7a", "AGC-4.7b", "R-DM-67")
@pytest.mark.parametrize(
    ("options", "turn", "began"),
    [
        ({}, 5, (4, "august")),
        ({"bso_first_turns": "current_and_next"}, 5, (5, "august")),
        ({"combined_game": "on"}, 5, None),
        ({"calendar": "t1_22_june"}, 5, None),
        ({"calendar": "t1_22_june"}, 6, (5, "august")),
        ({}, 4, None),
        ({}, 6, None),
    ],
)
def test_when_august_is_over_it_begins(
    lay: Lay, options: dict[str, str], turn: int, began: tuple[int, str] | None
) -> None:
    case = lay(german="2820 I1:6", turn=turn, phase="opening", **options)
    found = [(event.turn, event.why) for event in case.events(events.PauseBegan)]
    assert found == ([began] if began else [])


@pytest.mark.rule("AGC-4.7a")
def test_smolensk_sets_it_off_once(lay: Lay) -> None:
    beside = "3903"
    case = lay(german=f"{beside} I1:6; 3803 I2:6", turn=2, dice={"duty": "1"})
    case.march("I1", SMOLENSK, EndActivation()).rest()
    assert case.one(events.PauseBegan).why == "smolensk"
    assert case.state.pause_turn == 2
    case.to_turn(6)
    assert len(case.events(events.PauseBegan)) == 1


@pytest.mark.rule("AGC-4.3.1h", "R-DM-70")
@pytest.mark.parametrize("still", [True, False])
def test_the_germans_may_keep_still_in_august(lay: Lay, still: bool) -> None:
    case = lay(german="2820 A1:6 I1:6", turn=4, phase="opening", optional_rules="on_with_pause", dice={"rail": "*"})
    case.go(Pause(keep_still=still)).to_phase("german.operations")
    assert (case.state.held, hexes_allowed(case.state, "A1")) == (still, 0 if still else None)
    assert any("A1" in order.units for order in case.offered(Activate)) == (not still)
    case.end()


# --- the Cossacks ---


@pytest.mark.rule("AGC-4.8a", "R-DM-68")
@pytest.mark.parametrize(("turn", "asked"), [(9, False), (10, True), (12, True)])
def test_from_turn_10_a_hex_may_be_named(lay: Lay, turn: int, asked: bool) -> None:
    case = lay(soviet="2810 c1:3; 2811 i1:3", turn=turn, phase="opening")
    assert case.asks(ChooseHex) == asked
    if asked:
        assert sorted(order.hex for order in case.offered(ChooseHex)) == ["2802", "2810", "2811"]
        assert case.allows(Decline())
        case.submit(ChooseHex("2811"))
        assert case.state.cossacks == "2811"
        case.to_turn(turn + 1)
        assert case.game.is_over or case.state.cossacks == ""


# --- arrivals ---


@pytest.mark.rule("AGC-4.9a", "R-DM-69")
def test_where_reinforcements_come_in(prepare: Prepare) -> None:
    state = state_of(prepare, 2)
    board = state.board
    assert entry_hexes(state, "german") == sorted(board.edges["west"])
    assert set(entry_hexes(state, "soviet")) == {*board.edges["east"], *board.cities, *board.major_cities} - {
        each for each in board.cities if board.home[each] == "german"
    }
    state.control["2811"] = "german"
    assert "2811" not in entry_hexes(state, "soviet")


@pytest.mark.rule("AGC-4.6.4a", "R-DM-65")
@pytest.mark.parametrize(
    ("die", "option", "returns", "sp"), [("4", "printed_sp", 0, 0), ("5", "printed_sp", 5, 7), ("6", "one_sp", 5, 1)]
)
def test_a_unit_that_was_lost_may_come_back(lay: Lay, die: str, option: str, returns: int, sp: int) -> None:
    dice = {"undying": die} | ({"undying.turns": "6"} if returns else {})
    case = lay(german="2816 A1:9 A2:9", soviet="2815 i1:1/7", turn=2, dice=dice, undying_strength=option)
    case.attack("A1 A2", "2815")
    rolled = case.one(events.UndyingRolled)
    assert (rolled.returns, rolled.sp) == (returns, sp)
    unit = case.unit("i1")
    assert unit.standing == ("pool" if returns else "eliminated")
    assert (unit.arrives, unit.sp) == ((returns, sp) if returns else (0, 0))


@pytest.mark.rule("AGC-4.6.4a")
def test_nobody_comes_back_from_turn_3_on(lay: Lay) -> None:
    case = lay(german="2816 A1:9 A2:9", soviet="2815 i1:1/7", turn=3)
    case.attack("A1 A2", "2815")
    assert case.standing("i1") == "eliminated"
    assert case.never(events.UndyingRolled)


# --- the duty of turn 2 ---


@pytest.mark.rule("AGC-4.6.3a", "R-DM-64", "R-DM-73")
@pytest.mark.parametrize(("option", "owed"), [("agc_area", 2), ("agn_area", 0)])
def test_attacks_are_demanded_and_counted(lay: Lay, option: str, owed: int) -> None:
    dice = {"attack": "*", "defence": "*"} | ({"duty": "3"} if owed else {})
    case = lay(
        german="2816 I1:6",
        soviet="2814 i1:6",
        side="soviet",
        phase="reinforcement",
        turn=2,
        dice=dice,
        turn2_attacks_area=option,
    )
    case.to_phase("soviet.operations")
    assert case.state.attacks_owed == owed
    case.march("i1", "2815").go(Step("2816")).rest()
    assert case.state.attacks_made == (1 if owed else 0)
    assert len(case.events(events.AttackCounted)) == (1 if owed else 0)
