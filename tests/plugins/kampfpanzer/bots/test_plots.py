"""Plots of the captain: barred paths, positions, targets and approaches."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.positions import FRENCH, GERMANS, shipped

from kampfpanzer import SCENARIOS
from kampfpanzer.bots.blocking import bar, cheapest_path
from kampfpanzer.bots.fire import overwatch, volleys
from kampfpanzer.bots.players import Captain
from kampfpanzer.bots.plots import plots_of
from kampfpanzer.bots.position import Goal, Position, goal_of, leavers
from kampfpanzer.fog.views import view as view_of
from kampfpanzer.model.events import ForceDeployed
from kampfpanzer.model.state import KampfState
from kampfpanzer.model.tables import MAX_SUPERIORITY
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.terrain.terrain import ground_of
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord
from sandtable.players.players import seat_players

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase


@cache
def deployed(scenario: str) -> Game:
    """Return a game after the set-up by two captains."""
    ready, key = shipped(scenario), key_from_seed("captain")
    players = seat_players(ready, dict.fromkeys(ready.board.sides, "captain"), key)
    game = ready.new_game(KeyedDice(key))
    game.start()
    seats = game.seats_of(players)
    while not game.state.turn:
        decision = game.waiting()[0]
        choose, view = seats[decision.seat]
        game.submit(choose(decision, view), decision.seat)
    return game


def state_of(game: Game) -> KampfState:
    assert isinstance(game.state, KampfState)
    return game.state


def plotted(game: Game, side: str, goal: Goal | None = None) -> dict[str, str]:
    """Return the captain's plots for a side."""
    state = state_of(game)
    fields = Captain(side, None, state.board).fields  # type: ignore[arg-type]  # no dice are drawn
    return plots_of(view_of(state, side), state.board, side, goal or goal_of(state.board, side), fields)


def position_of(game: Game, side: str) -> Position:
    return Position(view_of(state_of(game), side), state_of(game).board, side)


# --- the goal ---


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_goal_of_each_side_follows_the_victory_conditions(scenario: str) -> None:
    board = shipped(scenario).board
    victory = board.victory
    for side in board.sides:
        goal, enemy = goal_of(board, side), board.enemy_of(side)
        if victory.kind == "exit" and victory.side == enemy:
            assert goal.deny == board.exits[enemy]
        elif victory.losses_needed and victory.side == enemy:
            assert goal.hold
        elif victory.hexes:
            assert goal.ground == victory.hexes
        else:
            assert goal.exits or victory.kind == "destroy"


# --- barred paths ---


@pytest.mark.full
@pytest.mark.rule("KP-14.5.10")
def test_cheapest_path_avoids_a_barred_hex() -> None:
    ready = shipped("summa")
    ground = ground_of(state_of(deployed("summa")))
    exits, dear = ready.board.exits["russians"], dict[str, int]()
    first = cheapest_path(ground, ["2319"], exits, dear)
    assert first[0] == "2319"
    assert first[-1] in exits
    bar(ground, dear, first[len(first) // 2])
    assert first[len(first) // 2] not in cheapest_path(ground, ["2319"], exits, dear)
    assert cheapest_path(ground, [], exits, {}) == []


@pytest.mark.full
@pytest.mark.rule("KP-14.5.10", "KP-8.0b")
def test_finns_entrench_near_the_exits() -> None:
    game = deployed("summa")
    force = next(
        each.event
        for each in game.records
        if isinstance(each, EventRecord) and isinstance(each.event, ForceDeployed) and each.event.side == "finns"
    )
    infantry = {hex_ for unit, hex_ in force.hexes.items() if state_of(game).units[unit].kind == "Inf-Br"}
    assert infantry <= set(force.entrenchments)
    ground, exits = ground_of(state_of(game)), shipped("summa").board.exits["russians"]
    near = [hex_ for hex_ in infantry if min(ground.range_hexes(hex_, each) for each in exits) <= 4]
    assert len(near) >= 4


@pytest.mark.full
@pytest.mark.rule("KP-13.1a")
def test_captain_keeps_entrenched_units_in_place() -> None:
    game = deployed("summa")
    trenches = state_of(game).entrenchments
    moving = [unit for unit, plot in plotted(game, "finns").items() if parse_plot(plot).is_movement]
    assert [unit for unit in moving if state_of(game).units[unit].hex in trenches] == []


@pytest.mark.full
@pytest.mark.rule("KP-14.5.10")
def test_guns_face_the_path_to_the_exits() -> None:
    game = deployed("summa")
    ground, units = ground_of(state_of(game)), state_of(game).units
    path = cheapest_path(ground, ["2319"], shipped("summa").board.exits["russians"], {})
    guns = [unit for unit in units.values() if unit.kind == "37mm"]
    seeing = [gun for gun in guns if any(ground.in_arc(gun.hex, gun.facing, each) for each in path)]
    assert len(seeing) == len(guns)


@pytest.mark.rule("KP-14.2.6")
def test_captain_intercepts_an_enemy_on_its_path(new_case: NewCase) -> None:
    # 1 moves to 0101 along column 01; 94 intercepts it on the path, not at its current hex
    case = new_case(french="1 0116", germans="94 0808")
    plot = plotted(case.game, GERMANS, Goal(deny=("0101",)))["94"]
    assert parse_plot(plot).is_movement
    case.turn(germans=f"94 {plot}")
    end = case.at("94")
    assert int(end[:2]) < 8
    assert int(end[2:]) < 16


@pytest.mark.rule("KP-12.0g", "KP-12.11a")
def test_infantry_debarks_on_the_objective(new_case: NewCase) -> None:
    case = new_case(french="29 aboard 138; 138 0808", germans="94 0820", town="0808 0809")
    plots = plotted(case.game, FRENCH, Goal(ground=("0808", "0809")))
    assert plots["29"] == "Q"
    case.turn(french="; ".join(f"{each} {plot}" for each, plot in plots.items()))
    assert (case.at("29"), case.state.units["29"].carrier) == ("0808", "")
    assert case.at("138") not in ("0808", "0809")


@pytest.mark.rule("KP-12.0f", "KP-12.11a")
def test_empty_truck_picks_up_distant_infantry(new_case: NewCase) -> None:
    case = new_case(french="29 0808; 138 0807", germans="94 0816", town="0823 0824")
    plots = plotted(case.game, FRENCH, Goal(ground=("0823", "0824")))
    assert (plots["29"], plots["138"]) == ("M", "M 0808")


@pytest.mark.rule("KP-8.0b")
def test_captain_detects_a_passive_enemy(new_case: NewCase) -> None:
    captain = Captain(FRENCH, None, new_case(french="1 0507", germans="94 0812").state.board)  # type: ignore[arg-type]  # no dice are drawn

    def is_passive(enemy: str, turn: int, own: str = "1 0507") -> bool:
        return captain._is_enemy_passive(view_of(new_case(french=own, germans=enemy, turn=turn).state, FRENCH))

    assert [is_passive("94 0812", turn) for turn in (1, 2, 3)] == [False, False, True]
    assert not is_passive("94 0812", 4, "1 0507 D1")  # a side with disrupted units is under attack
    assert not is_passive("94 0813", 4)


# --- fire ---


@pytest.mark.rule("KP-9.7c")
def test_captain_assigns_no_firer_above_maximum_superiority(new_case: NewCase) -> None:
    case = new_case(french="1 0508; 2 0708; 3 0608; 4 0507; 5 0707; 11 0706; 12 0506", germans="94 0610; 95 0810")
    position = position_of(case.game, FRENCH)
    plots = volleys(position, position.mine, 1)
    for target, firers in position.aimed.items():
        total = [position.powers[each][target] for each in firers]
        cover = position.kind(target).defense
        assert sum(total) - min(total) - cover < MAX_SUPERIORITY
    assert set(plots) == {each for row in position.aimed.values() for each in row}


@pytest.mark.rule("KP-9.7a", "KP-9.71a")
def test_later_volleys_keep_earlier_targets(new_case: NewCase) -> None:
    case = new_case(french="1 0508; 2 0708; 3 0608; 4 0507", germans="94 0609; 95 0810")
    position = position_of(case.game, FRENCH)
    volleys(position, ["1", "2", "3"], 1)
    before = {target: list(row) for target, row in position.aimed.items()}
    volleys(position, ["4"], 1)
    assert all(position.aimed[target][: len(row)] == row for target, row in before.items())


@pytest.mark.rule("KP-9.51b")
def test_small_arms_do_not_watch_for_armor(new_case: NewCase) -> None:
    case = new_case(french="1 0610", germans="112 0605")
    assert overwatch(position_of(case.game, GERMANS), "112") == ""
    case = new_case(french="29 0610", germans="112 0605")
    assert overwatch(position_of(case.game, GERMANS), "112").startswith("P ")


@pytest.mark.rule("KP-9.51b")
@pytest.mark.parametrize("scenario", ["abbeville", "arras"])
def test_small_arms_are_not_plotted_at_hard_targets(scenario: str) -> None:
    game = deployed(scenario)
    state = state_of(game)
    hard = {unit.hex for unit in state.units.values() if unit.hex and state.board.kinds[unit.kind].hard}
    for side in state.board.sides:
        for unit, text in plotted(game, side).items():
            plot = parse_plot(text)
            if plot.kind == "direct" and state.board.kinds[state.units[unit].kind].weapon == "R":
                assert plot.hex not in hard


# --- ground, kills, time ---


@pytest.mark.full
@pytest.mark.rule("KP-14.1.7")
def test_loaded_trucks_wait_for_the_tanks() -> None:
    game = deployed("spain")
    units = state_of(game).units
    loaded = {unit.carrier for unit in units.values() if unit.carrier and unit.side == "republicans"}
    plots = plotted(game, "republicans")
    assert loaded
    assert not any(each in plots for each in loaded)
    assert sum(parse_plot(plot).is_movement for plot in plots.values()) >= 8  # its tanks move


@pytest.mark.rule("KP-14.7.5")
def test_weakest_tanks_fill_the_exit_quota() -> None:
    game = deployed("flavion")
    position = position_of(game, "germans")
    goal = goal_of(state_of(game).board, "germans")
    leaving = leavers(goal, position)
    tanks = [each for each in leaving if position.kind(each).category == "afv"]
    assert len(leaving) == goal.needed
    assert {"94", "95"} <= set(tanks)  # PzII, attack 2


@pytest.mark.rule("KP-9.16f", "KP-9.18a")
def test_tank_closes_in_on_an_unseen_enemy_in_a_town(new_case: NewCase) -> None:
    case = new_case(french="6 0808", germans="102 0813", town="0808 0809 0810 0811")
    plot = plotted(case.game, GERMANS, Goal())["102"]
    case.turn(germans=f"102 {plot}")
    ground = ground_of(case.state)
    assert ground.range_hexes(case.at("102"), "0808") <= 3


@pytest.mark.rule("KP-7.1a", "KP-14.0h")
def test_force_larger_than_its_area_rides_or_shares_hexes() -> None:
    game = deployed("hannut")
    ground, units = ground_of(state_of(game)), state_of(game).units
    french = [unit for unit in units.values() if unit.side == "french"]
    assert all(ground.range_hexes(unit.hex, "1903") <= 2 for unit in french)
