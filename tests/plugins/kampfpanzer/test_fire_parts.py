"""Fire, shelling, results, panic, recovery and victory, each on its own, without the rest of a turn."""

from __future__ import annotations

from typing import Any

import pytest

import kampfpanzer
from kampfpanzer.fire.damage import apply_results, kill_if_due
from kampfpanzer.fire.direct import compute_attack, strength, volley
from kampfpanzer.fire.indirect import column_of, impacts_on, shell_entry
from kampfpanzer.model import handlers
from kampfpanzer.model.board import Board, Victory
from kampfpanzer.model.events import (
    EVENTS,
    FireResolved,
    FireWithheld,
    ImpactPlaced,
    PanicPlotted,
    PanicRolled,
    PlotShown,
    RecoveryRolled,
    ResultsApplied,
    UnitDestroyed,
    UnitShelled,
)
from kampfpanzer.model.forces import counters
from kampfpanzer.model.orders import ORDERS, GroupFire
from kampfpanzer.model.state import DESTROYED, EXITED, ON_MAP, WAITING, Impact, KampfState, Unit
from kampfpanzer.turn.combat import combat
from kampfpanzer.turn.panic import panic, panic_plot
from kampfpanzer.turn.recovery import recovery
from kampfpanzer.victory.victory import ENDINGS, judge_movement, judge_turn
from sandtable.board.hexes.grid import HexGrid
from sandtable.board.hexes.map import HexMap
from sandtable.errors import IllegalOrder
from sandtable.kernel.handlers import functions_of
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord
from sandtable.kernel.sequence import Phase, Procedure
from sandtable.testing.loaded_dice import LoadedDice
from sandtable.testing.scratch import ask, scratch_game

FRENCH, GERMANS = "french", "germans"
R35, H39, B1, INF_FR, GUN_FR, HOWITZER, APC, TRUCK = "6", "11", "19", "26", "35", "39", "146", "138"
A12, BT7, INF_RU, PZ_I, PZ_II, PZ_38, INF_GE = "52", "69", "81", "91", "94", "122", "112"


def kind_names() -> dict[str, str]:
    ids = counters(usual()).ids
    return {unit_id: name for name, known in ids.items() for unit_id in known}


def usual(**chosen: str) -> dict[str, str]:
    return {option.name: option.values[0] for option in kampfpanzer.options()} | chosen


def table(french: str = "", germans: str = "", *, victory: Victory | None = None, **chosen: Any) -> KampfState:
    """Return a state: "6 0105; 26 aboard 146; 35 0203 D1" on a map of 12 columns of 12 hexes."""
    facts: dict[str, Any] = {name: chosen.pop(name) for name in ("terrain", "hexsides") if name in chosen}
    board_facts: dict[str, Any] = {"no_move": {}, "last_turn": 10}
    board_facts |= {name: chosen.pop(name) for name in ("no_move", "last_turn") if name in chosen}
    board = Board(
        scenario="table",
        title="The table",
        hexmap=HexMap("table", HexGrid(12, 12), **facts),
        kinds=counters(usual()).kinds,
        units={},
        sides=(FRENCH, GERMANS),
        titles={},
        panic={FRENCH: 2, GERMANS: 2},
        groups=(),
        victory=victory or Victory("majority", hexes=("0101",)),
        exits={},
        riders=True,
        scatter=dict(enumerate("ABCDEF", 1)),
        side_of={},
        group_of={},
        **board_facts,
    )
    state = KampfState(options=usual(**chosen))
    for side, text in ((FRENCH, french), (GERMANS, germans)):
        for words in filter(None, map(str.split, text.split(";"))):
            state.units[words[0]] = placed(words, side)
    for unit in state.units.values():
        if unit.carrier:
            unit.hex = state.units[unit.carrier].hex
    state.place_board(board)
    return state


def placed(words: list[str], side: str) -> Unit:
    unit = Unit(kind_names()[words[0]], side, standing=ON_MAP)
    if words[1] in (WAITING, EXITED, DESTROYED):
        unit.standing = words[1]
    elif words[1] == "aboard":
        unit.carrier = words[2]
    else:
        unit.hex = words[1]
    unit.disruption = int(words[-1][1]) if words[-1][0] == "D" else 0
    return unit


def play(state: KampfState, procedure: Any, **dice: str) -> Game:
    """Run one procedure by the kernel; dice by purpose, "_" for ":": ``fire_0101_6="3"``; it stops at a question."""
    told = {purpose.replace("_", ":"): [(int(face),) for face in faces.split()] for purpose, faces in dice.items()}

    def stop(_state: KampfState) -> Procedure:
        yield ask(FRENCH, "done")

    facts: dict[str, Any] = {"sides": (FRENCH, GERMANS), "state_type": KampfState}
    facts |= {"functions": functions_of([handlers]), "orders": ORDERS, "events": EVENTS}
    return scratch_game(Phase("part", procedure), Phase("stop", stop), dice=LoadedDice(by=told), state=state, **facts)


def state_of(game: Game) -> KampfState:
    assert isinstance(game.state, KampfState)
    return game.state


def events(game: Game, kind: type[Any]) -> list[Any]:
    found = [record.event for record in game.records if isinstance(record, EventRecord)]
    return [event for event in found if isinstance(event, kind)]


def fire_at(state: KampfState, firers: str, targets: str, hex_: str, *, opportunity: bool = False, **dice: str) -> Game:
    return play(state, lambda now: volley(now, firers.split(), targets.split(), hex_, opportunity), **dice)


# --- strength and defence ---


@pytest.mark.parametrize(
    ("firer", "target", "range_hexes", "points"),
    [
        pytest.param(B1, INF_GE, 1, 24, marks=pytest.mark.rule("KP-9.51d", "KP-9.18a"), id="X-KP-7"),
        pytest.param(B1, INF_GE, 6, 10, marks=pytest.mark.rule("KP-9.51d"), id="X-KP-8"),
        pytest.param(B1, PZ_II, 1, 12, marks=pytest.mark.rule("KP-9.51a")),
        pytest.param(R35, PZ_II, 5, 2, marks=pytest.mark.rule("KP-9.51a")),
        pytest.param(R35, INF_GE, 8, 1, marks=pytest.mark.rule("KP-9.51c")),
        pytest.param(INF_FR, INF_GE, 10, 3, marks=pytest.mark.rule("KP-9.51c")),
        pytest.param(INF_FR, PZ_II, 2, 0, marks=pytest.mark.rule("KP-9.51b")),
    ],
)
def test_strength_by_weapon_and_range(firer: str, target: str, range_hexes: int, points: int) -> None:
    state = table(f"{firer} 0112", f"{target} 01{12 - range_hexes:02}")
    assert strength(state, firer, state.units[target].hex, [target]) == points


@pytest.mark.rule("R-KP-28")
@pytest.mark.parametrize(("targets", "points"), [(f"{BT7}", 6), (f"{INF_RU}", 12), (f"{BT7} {INF_RU}", 6)])
def test_mixed_weapons_are_not_doubled_where_a_hard_target_is_among_soft_ones(targets: str, points: int) -> None:
    state = table(f"{B1} 0105", f"{BT7} 0102; {INF_RU} aboard {BT7}")
    assert strength(state, B1, "0102", targets.split()) == points


@pytest.mark.rule("KP-10.2a", "KP-10.2b")
@pytest.mark.parametrize(("targets", "defence"), [(INF_FR, 7), (GUN_FR, 6), (f"{INF_FR} {GUN_FR}", 11)])
def test_woods_count_once_in_an_attack(targets: str, defence: int) -> None:
    state = table(f"{INF_FR} 0102; {GUN_FR} 0102", f"{PZ_38} 0104", terrain={"0102": ("woods",)})
    assert compute_attack(state, [PZ_38], targets.split(), "0102").defence == defence


@pytest.mark.rule("KP-13.0d", "KP-13.0e", "R-KP-72")
@pytest.mark.parametrize(("option", "alone", "both"), [("once", 9, 13), ("per_unit", 9, 17)])
def test_an_entrenchment_replaces_the_ground(option: str, alone: int, both: int) -> None:
    ground = {"0102": ("woods",)}
    state = table(f"{INF_FR} 0102; {GUN_FR} 0102", f"{PZ_38} 0104", terrain=ground, entrench_combined=option)
    state.entrenchments["0102"] = FRENCH
    attack = compute_attack(state, [PZ_38], [INF_FR], "0102")
    assert (attack.defence, attack.addition, attack.cover) == (alone, 4, "entrenchment")
    assert compute_attack(state, [PZ_38], [INF_FR, GUN_FR], "0102").defence == both


@pytest.mark.rule("KP-14.5.4", "KP-14.5.6")
def test_riders_have_a_defence_of_one_and_their_tank_its_own() -> None:
    state = table(f"{B1} 0105", f"{BT7} 0102; {INF_RU} aboard {BT7}")
    assert [compute_attack(state, [B1], [each], "0102").defence for each in (BT7, INF_RU)] == [1, 1]
    state = table(f"{B1} 0105", f"{APC} 0102; {INF_RU} aboard {APC}")
    assert compute_attack(state, [B1], [APC], "0102").defence == 3


# --- grouping ---


def two_r35(**chosen: Any) -> KampfState:
    return table(f"{R35} 0109; 7 0109", f"{PZ_38} 0101", **chosen)


@pytest.mark.rule("KP-9.11a", "KP-9.11c")
def test_firers_at_one_target_combine_or_not_as_their_owner_likes() -> None:
    """X-KP-10: superiority 0 together, -1 each alone."""
    together = fire_at(two_r35(), "6 7", PZ_38, "0101", fire_0101_122="1")
    together.submit(GroupFire([["7", "6"]]), FRENCH)
    (shot,) = events(together, FireResolved)
    assert (shot.firers, shot.strengths, shot.superiority, shot.result) == (["6", "7"], [1, 1], 0, "D2")
    apart = fire_at(two_r35(), "6 7", PZ_38, "0101", fire_0101_122="2 3")
    apart.submit(GroupFire([["7"], ["6"]]), FRENCH)
    assert [(shot.firers, shot.superiority, shot.result) for shot in events(apart, FireResolved)] == [
        (["6"], -1, "D1"),
        (["7"], -1, "D1"),
    ]
    assert state_of(apart).units[PZ_38].pending == 2


@pytest.mark.rule("KP-9.7b")
def test_firers_who_can_only_fire_together_do_and_nobody_is_asked() -> None:
    state = table(f"{R35} 0109; 7 0109; {H39} 0105", f"{A12} 0101")  # 1, 1 and 4 against 8
    (shot,) = events(fire_at(state, "6 7 11", A12, "0101", fire_0101_52="6"), FireResolved)
    assert (shot.firers, shot.superiority) == (["6", "7", "11"], -2)


@pytest.mark.rule("KP-9.7b")
def test_a_group_that_is_too_weak_is_refused() -> None:
    state = table(f"{R35} 0109; 1 0106; 2 0106", f"{A12} 0101")  # 1, 5 and 5 against 8
    game = fire_at(state, f"{R35} 1 2", A12, "0101", fire_0101_52="6 6")
    with pytest.raises(IllegalOrder, match="superiority -7") as refused:
        game.submit(GroupFire([["1", "2"], [R35]]), FRENCH)
    assert refused.value.rule == "KP-9.7b"
    game.submit(GroupFire([[R35, "2"], ["1"]]), FRENCH)
    assert [(shot.firers, shot.superiority) for shot in events(game, FireResolved)] == [(["1"], -3), (["2", R35], -2)]


@pytest.mark.rule("KP-9.7b")
def test_fire_below_minus_three_does_not_happen() -> None:
    """X-KP-11."""
    game = fire_at(table(f"{R35} 0109", f"{A12} 0101"), R35, A12, "0101")
    (withheld,) = events(game, FireWithheld)
    assert (withheld.firers, withheld.superiority, withheld.rule) == ([R35], -7, "KP-9.7b")


@pytest.mark.rule("KP-9.7b", "KP-10.0j")
def test_who_alone_is_strong_enough_fires_without_one_whose_line_crosses_a_crest() -> None:
    """5 against 8 is enough; 2 against 11 is not, and both, 7 against 11, are not either."""
    crest = {"0204/0205": ("crest",)}
    state = table(f"{R35} 0202; 1 0208", f"{INF_GE} 0205", terrain={"0205": ("slope",)}, hexsides=crest)
    game = fire_at(state, f"{R35} 1", INF_GE, "0205", fire_0205_112="6")
    (shot,), (withheld,) = events(game, FireResolved), events(game, FireWithheld)
    assert (shot.firers, shot.superiority, shot.cover) == (["1"], -3, "")
    assert (withheld.firers, withheld.superiority) == ([R35], -9)


@pytest.mark.rule("R-KP-25")
def test_only_who_fires_at_the_same_units_combines_unless_the_option_says_otherwise() -> None:
    plots = {PZ_38: f"N 0102/{INF_FR}", "123": "N 0102"}
    for option, asked in (("required", False), ("any_overlap", True)):
        state = table(f"{INF_FR} 0102; {GUN_FR} 0102", f"{PZ_38} 0104; 123 0202", combine_identical_targets=option)
        state.plots = dict(plots)
        game = play(state, combat, **{"fire_0102_26": "6", "fire_0102_26.35": "6"})
        if asked:
            game.submit(GroupFire([[PZ_38, "123"]]), GERMANS)
            (shot,) = events(game, FireResolved)
            assert (shot.targets, shot.defence) == ([INF_FR, GUN_FR], 9)
        else:
            assert [shot.targets for shot in events(game, FireResolved)] == [[INF_FR], [INF_FR, GUN_FR]]


# --- the combat phase ---


@pytest.mark.rule("KP-5.0e", "KP-5.0f", "KP-9.81a", "KP-9.71a")
def test_both_fire_though_both_are_hit_and_results_come_at_the_end() -> None:
    state = table(f"{H39} 0101", f"{PZ_38} 0102")
    state.plots = {H39: "N 0102", PZ_38: "N 0101"}
    game = play(state, combat, fire_0101_11="6", fire_0102_122="1")
    assert [shot.result for shot in events(game, FireResolved)] == ["D3", "D2"]
    (applied,) = events(game, ResultsApplied)
    assert (applied.disruption, applied.pinned) == ({H39: 2, PZ_38: 3}, [])


@pytest.mark.rule("KP-11.0c")
def test_panicked_units_do_not_fire() -> None:
    state = table(f"{H39} 0101; {HOWITZER} 0105", f"{PZ_38} 0102")
    state.plots = {H39: "N 0102", HOWITZER: "L 0102"}
    state.units[H39].panicked = state.units[HOWITZER].panicked = True
    game = play(state, combat)
    assert not events(game, FireResolved)
    assert not events(game, ImpactPlaced)


@pytest.mark.rule("KP-9.0i", "KP-9.32b", "KP-9.33c", "KP-9.33d", "R-KP-44")
@pytest.mark.parametrize(("option", "struck"), [("yes", ["112", "26"]), ("no", ["112"])])
def test_impacts_lie_before_any_die_and_strike_soft_units_of_both_sides(option: str, struck: list[str]) -> None:
    state = table(f"{HOWITZER} 0110; {INF_FR} 0102", f"{INF_GE} 0101; {PZ_38} 0202", h_hits_friends=option)
    state.plots = {HOWITZER: "L 0102"}
    dice = {f"shell_{unit}_39": "4" for unit in struck}
    game = play(state, combat, **dice)
    (impact,) = events(game, ImpactPlaced)
    assert impact.hexes == ["0101", "0102", "0103", "0201", "0202"]
    assert [(shot.unit, shot.column, shot.result) for shot in events(game, UnitShelled)] == [
        (unit, "static", "D1") for unit in struck
    ]


@pytest.mark.rule("R-KP-23")
@pytest.mark.parametrize(("option", "shown"), [("end_of_phase_a", []), ("lazy", ["7", TRUCK, R35])])
def test_hidden_plots_come_to_light_as_they_take_effect(option: str, shown: list[str]) -> None:
    """Fire by being carried out; a move by panic that replaces it, an embarking vehicle by not panicking."""
    french = f"{R35} 0105; 7 0106; 8 0103; {TRUCK} 0205; {INF_FR} 0206"
    state = table(french, f"{PZ_II} 0101", reveal_plots=option)
    state.plots = {R35: "D1", "7": "N 0101", "8": "D1", TRUCK: "M 0206", INF_FR: "M"}

    def phases(now: KampfState) -> Procedure:
        yield from panic(now)
        yield from combat(now)
        yield from panic_plot(now)

    dice = {"panic_french": "5", "panic_germans": "6", "scatter_6": "1", "points_6": "1", "fire_0101_94": "6"}
    game = play(state, phases, **dice)
    assert sorted(state_of(game).shown, key=int) == sorted(shown, key=int)
    assert [event.unit for event in events(game, PlotShown)] == ([TRUCK, "7", R35] if shown else [])


# --- shelling ---

COLUMNS = [
    pytest.param("L", "", "clear", "static", 0, marks=pytest.mark.rule("KP-9.34a")),
    pytest.param("L", "D1", "clear", "moving", 0, marks=pytest.mark.rule("KP-9.34c", "R-KP-47")),
    pytest.param("L", "", "woods", "moving", 0, marks=pytest.mark.rule("KP-9.37c")),
    pytest.param("T", "", "town", "static", 1, marks=pytest.mark.rule("KP-9.37d")),
    pytest.param("T", "D1", "woods", "moving", 1, marks=pytest.mark.rule("KP-9.37d")),
    pytest.param("T", "C", "clear", "static", 0, marks=pytest.mark.rule("KP-9.38a")),
    pytest.param("L", "M", "clear", "static", 0, marks=pytest.mark.rule("KP-9.38a")),
]


@pytest.mark.parametrize(("pattern", "plot", "ground", "column", "added"), COLUMNS)
def test_the_column_of_shelling(pattern: str, plot: str, ground: str, column: str, added: int) -> None:
    state = table("", f"{INF_GE} 0102", terrain={"0102": (ground,)})
    state.plots = {INF_GE: plot} if plot else {}
    assert column_of(state, INF_GE, pattern, "0102") == (column, added)


@pytest.mark.rule("KP-13.23a", "KP-13.23b", "R-KP-49")
@pytest.mark.parametrize(("option", "added"), [("terrain_plus1", 1), ("no_modifier", 0)])
def test_shelling_of_the_entrenched(option: str, added: int) -> None:
    woods = {"0104": ("woods",), "0106": ("woods",)}
    state = table("", f"{INF_GE} 0102; 113 0104; 112 0106", terrain=woods, h_tight_entrenched_woods=option)
    state.entrenchments = {"0102": GERMANS, "0104": GERMANS}
    assert column_of(state, INF_GE, "L", "0102") == ("moving", 0)
    assert column_of(state, INF_GE, "T", "0102") == ("static", 0)
    assert column_of(state, "113", "T", "0104") == ("static", added)
    assert column_of(state, "112", "T", "0106") == ("static", 1)


@pytest.mark.rule("R-KP-46")
@pytest.mark.parametrize(
    ("carrier", "pattern", "struck"),
    [(TRUCK, "L", [TRUCK]), (APC, "L", []), (APC, "T", [APC]), (BT7, "L", [INF_RU]), (BT7, "T", [BT7, INF_RU])],
)
def test_who_is_shelled_of_a_carrier_and_its_passenger(carrier: str, pattern: str, struck: list[str]) -> None:
    state = table(f"{HOWITZER} 0110", f"{carrier} 0102; {INF_RU} aboard {carrier}")
    state.impacts = [Impact(HOWITZER, "0102", pattern, ["0102"])]
    assert [each for each in (carrier, INF_RU) if impacts_on(state, each, "0102")] == struck


@pytest.mark.rule("KP-9.36a", "R-KP-45")
@pytest.mark.parametrize(("option", "attacks"), [("each_affected_entry", 2), ("once_per_unit", 1)])
def test_a_loose_pattern_strikes_in_each_hex_entered(option: str, attacks: int) -> None:
    state = table(f"{HOWITZER} 0110", f"{TRUCK} 0102", h_moving_units=option)
    state.impacts = [Impact(HOWITZER, "0102", "L", ["0101", "0102"])]

    def two_entries(now: KampfState) -> Procedure:
        yield from shell_entry(now, TRUCK, "0101")
        yield from shell_entry(now, TRUCK, "0102")

    game = play(state, two_entries, **{f"shell_{TRUCK}_39": " ".join("3" * attacks)})
    assert len(events(game, UnitShelled)) == attacks


# --- results ---


@pytest.mark.rule("KP-9.71d", "KP-9.71e", "KP-9.83a", "KP-9.91a", "KP-9.91d", "KP-12.32a")
@pytest.mark.parametrize(("pins", "pinned"), [(True, ["52"]), (False, [])])
def test_results_add_up_and_pins_are_nothing_to_the_disrupted(*, pins: bool, pinned: list[str]) -> None:
    state = table(f"{A12} 0101; {R35} 0103 D1; {TRUCK} 0105 D2; {INF_FR} aboard {TRUCK} D2; 27 0107 D3; 28 0109")
    for unit_id, pending in ((R35, 2), (TRUCK, 2), (INF_FR, 2), ("27", 1), ("28", 1)):
        state.units[unit_id].pending = pending
    for unit_id in (A12, R35, "28"):
        state.units[unit_id].pending_pin = True
    game = play(state, lambda now: apply_results(now, pins, "KP-9.81a"))
    dead = [(event.unit, event.passengers, event.wreck) for event in events(game, UnitDestroyed)]
    assert dead == [("27", [], False), (TRUCK, [INF_FR], True)]
    (applied,) = events(game, ResultsApplied)
    assert (applied.disruption, applied.pinned) == ({R35: 3, "28": 1}, pinned)
    assert not any(unit.pending or unit.pending_pin for unit in state_of(game).units.values())


@pytest.mark.rule("KP-9.82b", "R-KP-58")
@pytest.mark.parametrize(
    ("option", "result", "gone"),
    [("accumulate_kill_at_4", "D1", True), ("end_only", "D1", False), ("end_only", "D4", True)],
)
def test_a_kill_in_the_movement_phase_is_at_once(option: str, result: str, *, gone: bool) -> None:
    state = table("", f"{INF_GE} 0102 D3", pending_results=option)
    state.units[INF_GE].pending = int(result[1])
    game = play(state, lambda now: kill_if_due(now, INF_GE, result))
    assert (state_of(game).units[INF_GE].standing == DESTROYED) is gone


@pytest.mark.rule("KP-14.5.5", "KP-14.5.6", "KP-9.82b")
def test_riders_fall_alone_or_with_their_tank() -> None:
    state = table(f"{B1} 0104", f"{BT7} 0102; {INF_RU} aboard {BT7} D2")
    game = fire_at(state, B1, INF_RU, "0102", opportunity=True, fire_0102_81="1")
    assert [state_of(game).units[each].standing for each in (BT7, INF_RU)] == [ON_MAP, DESTROYED]
    assert not state_of(game).wrecks_due
    state = table(f"{H39} 0107", f"{BT7} 0102; {INF_RU} aboard {BT7} D2")
    game = fire_at(state, H39, f"{BT7} {INF_RU}", "0102", opportunity=True, **{"fire_0102_69.81": "5"})
    assert [state_of(game).units[each].pending for each in (BT7, INF_RU)] == [1, 1]


# --- panic ---


@pytest.mark.rule("KP-11.11b", "KP-11.11c", "KP-11.12a", "KP-12.13a", "KP-14.0e")
def test_who_panics() -> None:
    """X-KP-16: level 2, die 4: hexes ending in 4 or 0."""
    french = (
        f"{R35} 0104; 7 0110; 8 0105; {TRUCK} 0304; {INF_FR} 0303; {APC} 0404; 27 aboard {APC}; 9 waiting; 10 0204 D1"
    )
    state = table(french, f"{PZ_II} 0204")
    state.plots = {TRUCK: "M 0303", INF_FR: "M", R35: "D1"}
    game = play(state, panic, panic_french="4", panic_germans="1")
    own, enemy = events(game, PanicRolled)
    assert (own.digits, own.units) == (["4", "0"], [R35, "7", "27", APC])
    assert (enemy.digits, enemy.units) == (["1", "7"], [])


@pytest.mark.rule("KP-11.21a", "KP-11.22b", "KP-11.22c", "KP-11.22d", "R-KP-69")
@pytest.mark.parametrize(
    ("unit", "dice", "points", "plot"),
    [
        (f"{INF_FR} 0105", {"scatter_26": "4"}, 1, "D1"),
        (f"{INF_FR} 0101", {"scatter_26": "1"}, 1, ""),
        (f"{R35} 0105", {"scatter_6": "4", "points_6": "5"}, 5, "D5"),
        (f"{R35} 0105", {"scatter_6": "1", "points_6": "6"}, 6, "A4"),
        ("48 0105", {"scatter_48": "4", "points_48": "6"}, 3, "D3"),
        (f"{TRUCK} 0105", {"scatter_138": "4", "points_138": "5"}, 5, "D2"),
        (f"{TRUCK} 0107", {"scatter_138": "1", "points_138": "3"}, 3, ""),
    ],
)
def test_panicked_plots(unit: str, dice: dict[str, str], points: int, plot: str) -> None:
    state = table(unit, terrain={"0106": ("woods",)} if "0107" in unit else {})
    unit_id = unit.split(maxsplit=1)[0]
    state.plots, state.units[unit_id].panicked = {unit_id: "B1 VB"}, True
    game = play(state, panic_plot, **dice)
    (event,) = events(game, PanicPlotted)
    assert (event.points, event.plot) == (points, plot)


@pytest.mark.rule("KP-11.12b", "R-KP-68", "R-KP-78")
def test_who_gets_no_panicked_plot() -> None:
    state = table(f"{R35} 0105; 7 0106; 8 0107; 9 0108", f"{PZ_II} 0110", no_move={GERMANS: 1})
    for unit in state.units.values():
        unit.panicked = True
    state.plots = {R35: "D1", "7": "D1", "8": "N 0110", PZ_II: "A1"}
    state.units[R35].pinned, state.units["7"].disruption = True, 1
    assert not events(play(state, panic_plot), PanicPlotted)


# --- recovery ---


@pytest.mark.rule("KP-9.72a", "KP-9.72b", "KP-9.72c", "KP-12.32b", "R-KP-59", "R-KP-76")
@pytest.mark.parametrize(("option", "after"), [("full", 0), ("one_level", 1)])
def test_recovery(option: str, after: int) -> None:
    french = f"{R35} 0105 D2; 7 0106 D3; {TRUCK} 0107 D2; {INF_FR} aboard {TRUCK} D2; 8 0109"
    state = table(french, f"{BT7} 0201; {INF_RU} aboard {BT7} D1", recovery=option)
    state.units["8"].pinned = True
    dice = {"recovery_6": "2", "recovery_7": "2", "recovery_138": "1", "recovery_81": "4"}
    game = play(state, recovery, **dice)
    rolled = {event.unit: (event.after, event.passengers) for event in events(game, RecoveryRolled)}
    assert rolled == {R35: (after, []), "7": (3, []), INF_RU: (1, []), TRUCK: (after, [INF_FR])}
    assert state_of(game).units[INF_FR].disruption == after
    assert not state_of(game).units["8"].pinned


@pytest.mark.rule("KP-13.1a", "R-KP-73")
@pytest.mark.parametrize(("option", "left"), [("side_bound", ["0101"]), ("capturable", ["0101", "0103"])])
def test_entrenchments_that_nobody_holds_are_lost(option: str, left: list[str]) -> None:
    state = table(f"{INF_FR} 0101", f"{INF_GE} 0103", entrench_owner=option)
    state.entrenchments = dict.fromkeys(("0101", "0103", "0105"), FRENCH)
    assert sorted(state_of(play(state, recovery)).entrenchments) == left


# --- victory ---

HILL = ("0101", "0102")
MULTIPLE, CLEAR = Victory("multiple", GERMANS, HILL, needed=2), Victory("clear", FRENCH, HILL, needed=2)
EXIT, BLEEDING = Victory("exit", FRENCH, needed=2), Victory("exit", FRENCH, needed=2, loss_limit=2)
DESTROY, THROUGH = Victory("destroy", FRENCH, losses_needed=2), Victory("break_through", GERMANS, (), 1, 2, 2)
REACH = Victory("reach", GERMANS, ("0101",), from_turn=5)
LOST_TWO = f"{PZ_II} destroyed; 95 destroyed; {TRUCK} destroyed"

VERDICTS = [
    (Victory("majority", hexes=HILL), f"{R35} 0101", f"{PZ_II} 0102 D1; {TRUCK} 0101", 10, "french majority", {}),
    (Victory("majority", hexes=HILL), f"{R35} 0101", f"{PZ_II} 0102", 10, "draw majority", {}),
    (Victory("majority", hexes=HILL), "", "", 10, "germans majority", {"tie_majority": "second_side_wins"}),
    (Victory("majority", hexes=HILL), f"{R35} 0101", "", 9, "", {}),
    (MULTIPLE, f"{R35} 0101", f"{PZ_II} 0102; 95 0101", 10, "germans majority", {}),
    (MULTIPLE, f"{R35} 0101", f"{PZ_II} 0102", 10, "french majority", {}),
    (MULTIPLE, "", "", 10, "french majority", {}),
    (MULTIPLE, "", "", 10, "germans majority", {"zero_zero_14_3": "russian"}),
    (CLEAR, "", f"{PZ_II} 0102", 10, "french majority", {}),
    (CLEAR, "", f"{PZ_II} 0102; 95 0101", 10, "germans majority", {}),
    (EXIT, f"{R35} exited; 7 exited", "", 3, "french exited", {}),
    (EXIT, f"{R35} exited; {TRUCK} exited", "", 3, "", {}),
    (EXIT, f"{R35} exited", LOST_TWO, 10, "germans held", {}),
    (BLEEDING, f"{R35} exited", LOST_TWO, 10, "draw bled", {}),
    (BLEEDING, f"{R35} exited", f"{PZ_II} destroyed; {TRUCK} destroyed", 10, "germans held", {}),
    (BLEEDING, "", f"{PZ_II} destroyed; {TRUCK} destroyed", 10, "draw bled", {"count_losses": "with_vehicles"}),
    (DESTROY, "", LOST_TWO, 2, "french destroyed", {}),
    (DESTROY, "", f"{PZ_II} destroyed", 10, "germans held", {}),
    (THROUGH, f"{R35} destroyed; 7 destroyed", f"{PZ_II} exited", 10, "germans exited", {}),
    (THROUGH, f"{R35} destroyed; 7 destroyed", f"{PZ_II} exited", 9, "", {}),
    (THROUGH, f"{R35} destroyed", f"{PZ_II} exited", 10, "french held", {}),
    (THROUGH, f"{R35} destroyed; 7 destroyed", f"96 exited; {LOST_TWO}", 10, "french held", {}),
    (REACH, "", f"{PZ_II} 0101", 4, "", {}),
    (REACH, "", f"{PZ_II} 0101", 5, "germans reached", {}),
    (REACH, "", f"{PZ_II} 0101 D1", 10, "french held", {}),
]


@pytest.mark.rule("R-KP-60", "R-KP-61", "R-KP-62", "KP-14.0j")
@pytest.mark.parametrize(("victory", "french", "germans", "turn", "told", "chosen"), VERDICTS)
def test_verdicts(victory: Victory, french: str, germans: str, turn: int, told: str, chosen: dict[str, str]) -> None:
    state = table(french, germans, victory=victory, **chosen)
    state.turn = turn - 1
    game = play(state, judge_turn)
    assert f"{game.state.outcome} {game.state.ending}".strip() == told
    assert game.state.ending in ("", *ENDINGS)


@pytest.mark.rule("R-KP-79")
def test_the_hex_of_arras_may_be_looked_at_before_recovery() -> None:
    for option, ending in (("end_of_phase_e", "reached"), ("end_of_phase_f", "")):
        state = table("", f"{PZ_II} 0101", victory=REACH, arras_check=option)
        state.turn = 4
        assert play(state, judge_movement).state.ending == ending


@pytest.mark.rule("KP-9.11a")
def test_every_firer_is_in_a_group() -> None:
    state = table(f"{R35} 0109; {H39} 0105", f"{PZ_38} 0101")
    game = fire_at(state, f"{R35} {H39}", PZ_38, "0101")
    with pytest.raises(IllegalOrder) as refused:
        game.submit(GroupFire([[R35]]), FRENCH)
    assert refused.value.rule == "KP-9.11a"
