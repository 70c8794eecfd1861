"""Corners of the turn: who is asked where only one can pay, what is told where little happens, what is left undone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.axis_attack.cases import assigns, builds, claims, concedes, places, raises, result
from tests.plugins.axis_attack.ground import PANZERGRENADIERS, platoon
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.positions import full_options, roster

from axis_attack.mission.front import distance_calculations, front_calculations, left_behind, near_enemy_home
from axis_attack.mission.selection import claimable, modifiers
from axis_attack.model import events, orders
from axis_attack.model.cards import MISSIONS
from axis_attack.model.orders import ShiftTable
from axis_attack.model.state import AxisState, Fielded, Force
from axis_attack.recovery.mobility import enough, lacking
from axis_attack.recovery.reinforcement import dice_space, raising_space
from axis_attack.turn.table import shifts
from sandtable.kernel.events import Calculation

if TYPE_CHECKING:
    from tests.plugins.axis_attack.conftest import Lay

WON = "german won hold_the_line as attacker 5-2"


def campaign(german: str = "", **changes: Any) -> AxisState:
    """Return a campaign with a German roster after a game that the Germans won attacking."""
    found: dict[str, Any] = {
        "sector": 4,
        "mission": "hold_the_line",
        "attacker": "german",
        "defender": "soviet",
        "winner": "german",
    }
    state = AxisState(options=full_options({}), **(found | changes))
    state.place_board(the_board())
    state.rosters = {"german": roster(state.board, "german", german), "soviet": {}}
    state.balance = state.balance or {"german": 0, "soviet": 0}
    return state


# --- selection ---


@pytest.mark.rule("AOA-8.19", "AOA-8.20", "AOA-R05")
def test_who_has_the_first_right_and_cannot_pay_does_not_keep_the_other_from_paying(lay: Lay) -> None:
    def once_rich(state: AxisState) -> None:
        state.earned = {"german": 20, "soviet": 10}

    case = lay("selection", last=WON, balance=(4, 5), tweak=once_rich, vp_total_basis="earned")
    case.play(until=orders.ChangeMission)
    assert [each.side for each in case.asked] == ["soviet"]


@pytest.mark.rule("AOA-R06", "AOA-8.19", "AOA-R31")
def test_after_a_draw_dice_say_who_of_equals_has_the_first_right(lay: Lay) -> None:
    dice = {"choice:german": "2 3", "choice:soviet": "2 4"}
    case = lay("selection", last="draw encounter 1-1", balance=(5, 5), dice=dice).play(until=orders.ChangeMission)
    assert [each.side for each in case.asked] == ["soviet"]
    rolled = case.one(events.ChoiceRolled)
    assert (rolled.winner, rolled.dice, rolled.rule) == ("soviet", {"german": [2, 3], "soviet": [2, 4]}, "AOA-R06")
    case.play(("soviet", orders.ChangeMission()), until=orders.ChangeMission)
    assert [each.side for each in case.asked] == ["german"]


@pytest.mark.rule("AOA-8.04", "AOA-8.05", "AOA-10.20")
def test_only_scouts_of_the_winner_that_are_fit_and_mobile_may_be_claimed(lay: Lay) -> None:
    german = "cars cars depleted; cycles cycles gutted; more cars full immobile; pg1 pg full"
    state = campaign(german, recon_ahead=["cycles", "pg1", "more", "nobody", "cars"])
    assert claimable(state) == ["cars"]
    state.winner = "soviet"
    assert claimable(state) == []
    state.winner = "draw"
    assert claimable(state) == []
    case = lay("selection", last=WON, german="pg1 pg full; pg2 pg full; cycles cycles gutted",
               tweak=lambda it: setattr(it, "recon_ahead", ["cycles"]))  # fmt: skip
    case.play(until=orders.PlaceTable)
    assert case.events(events.ReconClaimed) == []


@pytest.mark.rule("AOA-8.04", "AOA-10.15")
def test_of_two_scouts_that_claim_the_one_without_its_transport_does_not_count(lay: Lay) -> None:
    case = lay(
        "selection", last=WON, german="pg1 pg full; pg2 pg full; cars cars full; cycles cycles full transports=4",
        dice={"selection:german": "1", "selection:soviet": "5"},
        tweak=lambda it: setattr(it, "recon_ahead", ["cycles", "cars"]),
    )  # fmt: skip
    case.play(claims("german", "cars", "cycles"), until=orders.PlaceTable)
    assert case.totals() == (7, 7)
    claimed = case.one(events.ReconClaimed)
    assert (sorted(claimed.platoons), claimed.immobile) == (["cars", "cycles"], ["cycles"])


@pytest.mark.rule("AOA-8.02", "AOA-8.03", "AOA-8.04", "AOA-8.06")
def test_modifiers_are_told_but_for_those_of_nought() -> None:
    state = campaign(balance={"german": 3, "soviet": 3}, raw={"german": 5, "soviet": 2})
    assert modifiers(state, "german", 0) == [("points", 5)]
    assert modifiers(state, "german", 2) == [("points", 5), ("recon", 2)]
    assert modifiers(state, "soviet", 2) == [("points", 2)]
    state.balance["soviet"] = 4
    assert modifiers(state, "soviet", 0) == [("points", 2), ("higher_total", 1)]
    state.attacker, state.defender = "soviet", "german"
    assert modifiers(state, "german", 0) == [("points", 5), ("won_as_defender", -2)]
    state.mission = "encounter"
    assert modifiers(state, "german", 0) == [("points", 5)]
    state.winner, state.mission = "draw", "cauldron"
    assert modifiers(state, "german", 0) == [("points", 5)]


# --- table ---


@pytest.mark.rule("AOA-8.22", "AOA-R42")
@pytest.mark.parametrize(("corner", "points"), [([0, 0], 1), ([3, 4], 2), ([1, 2], 9), ([2, 2], 0)])
def test_shifts_are_all_squares_that_can_be_paid_and_stay_inside(corner: list[int], points: int) -> None:
    """A table of 3 by 2 squares on a map of 6 by 6: its corner is in one of 4 by 5."""
    state = campaign(corner=corner, balance={"german": 0, "soviet": points})
    wanted = {
        (column - corner[0], row - corner[1])
        for column in range(4)
        for row in range(5)
        if abs(column - corner[0]) + abs(row - corner[1]) <= points
    }
    found = shifts(state, "soviet")
    assert found[0] == ShiftTable()
    assert sorted((each.east, each.south) for each in found) == sorted(wanted)


@pytest.mark.rule("AOA-8.21", "AOA-8.22")
def test_who_cannot_pay_or_has_no_room_is_not_asked(lay: Lay) -> None:
    case = lay("table", last=WON, balance=(9, 0)).play(places("german", 1, 1), until=orders.Concede)
    assert case.events(events.TableShifted) == []
    small = [replace(each, columns=3, rows=2) for each in the_board().sectors]
    case = lay("table", last=WON, balance=(9, 9), changes={"sectors": tuple(small)}).play(until=orders.Concede)
    assert (case.one(events.TablePlaced).column, case.one(events.TablePlaced).row) == (0, 0)
    assert case.left == []
    for columns, rows, place in ((4, 2, (1, 0)), (3, 3, (0, 1))):
        sectors = tuple(replace(each, columns=columns, rows=rows) for each in small)
        case = lay("table", last=WON, balance=(9, 9), changes={"sectors": sectors}).play(until=orders.PlaceTable)
        assert case.allows(places("german", *place))
        assert not case.allows(places("german", place[1], place[0]))


# --- opening, forces ---


@pytest.mark.rule("AOA-1.10", "AOA-R10")
@pytest.mark.parametrize(("memory", "transports"), [("level_size", 20), ("exact_teams", 40)])
def test_transports_are_those_of_the_level_or_of_the_very_size(lay: Lay, memory: str, transports: int) -> None:
    """Four of 2, 3, 4, 5: under strength is three."""
    kind = platoon(
        "pg", "combat", "infantry", "2/50/10 3/60/20 4/70/40 5/80/50", transport="motor", vehicle="truck", most=3
    )
    lists = {**the_board().lists, "german": replace(PANZERGRENADIERS, types={**PANZERGRENADIERS.types, "pg": kind})}
    case = lay("setup.company", changes={"lists": lists}, strength_memory=memory)
    case.play(builds("german", "a pg 4; b pg 5; f flak 2"), until=orders.Concede)
    assert (case.platoon("a").transports, case.platoon("b").transports) == (transports, 50)
    assert case.level("a", "b", "f") == "under strength, full strength, full strength"
    assert case.platoon("f").transports == 2


@pytest.mark.rule("AOA-R62")
@pytest.mark.parametrize("attacker", ["german", "soviet"])
def test_where_neither_can_form_a_force_the_attacker_concedes(lay: Lay, attacker: str) -> None:
    case = lay("forces", german="pg1 pg full", soviet="t1 tankovy full", attacker=attacker).play()
    assert case.one(events.GameConceded).side == attacker
    assert case.one(events.GameConceded).rule == "AOA-R62"


@pytest.mark.rule("AOA-5.22", "AOA-R28")
def test_the_attacker_is_asked_first_whether_he_concedes_and_both_again_when_forces_are_shown(lay: Lay) -> None:
    case = lay("forces", attacker="soviet", mission="cauldron")
    asked: list[str] = []
    while not case.game.is_over and len(asked) < 4:
        for each in case.asked[:1]:
            if each.purpose.startswith("concede"):
                asked.append(each.purpose)
            case.game.submit(case.answer(each), each.seat)
    assert asked == [
        "concede.cauldron.soviet",
        "concede.cauldron.german",
        "concede.forces.soviet",
        "concede.forces.german",
    ]


@pytest.mark.rule("AOA-5.25")
def test_of_who_wins_by_a_concession_all_scouts_that_are_depleted_or_better_are_ahead(lay: Lay) -> None:
    german = "pg1 pg full; pg2 pg full; cars cars depleted; cycles cycles gutted; more cycles full"
    case = lay("forces", german=german, mission="hold_the_line").play(concedes("soviet"))
    assert case.one(events.BattleFought).result.recon_ahead == ("cars", "more")
    assert case.one(events.BattleFought).rule == "AOA-5.23"


# --- the end of a turn ---


@pytest.mark.rule("AOA-R18", "AOA-R19")
@pytest.mark.parametrize(
    ("timing", "skipped", "conceded", "changed"),
    [
        ("end_of_turn", "skipped", True, False),
        ("end_of_turn", "rolled", True, True),
        ("end_of_turn", "skipped", False, True),
        ("after_weather_roll", "rolled", False, False),
    ],
)
def test_mud_changes_at_the_close_only_where_it_waited_for_it(
    lay: Lay, timing: str, skipped: str, conceded: bool, changed: bool
) -> None:
    def wet(state: AxisState) -> None:
        state.mud = 3

    case = lay("forces", tweak=wet, mud_timing=timing, weather_if_conceded=skipped, mission="hold_the_line")
    case.play(*([concedes("soviet")] if conceded else []))
    ground = case.events(events.GroundChanged)
    assert [each.mud for each in ground] == [1] * changed
    if changed:
        steps = [each.steps for each in case.one(events.WeatherRolled).calculations or () if each.name == "mud"]
        assert steps == [(("ground, which changes later", 3, "AOA-R18"),)]
    assert case.state.mud == (1 if changed or timing == "after_weather_roll" else 3)


@pytest.mark.rule("AOA-11.19", "AOA-11.20", "AOA-R52")
def test_who_rested_and_who_fought_recover_by_rules_of_their_own(lay: Lay) -> None:
    german = "pg1 pg full immobile; pg2 pg full; hmg hmg full immobile"
    case = lay("battle", german=german, forces={"german": "pg1 7; pg2 7"}).play(result("german", "5-2"))
    told = [(each.rule, each.mobile) for each in case.events(events.MobilityAssessed)]
    assert told == [("AOA-11.19", ["hmg"]), ("AOA-11.20", ["pg1"])]


# --- the front ---


@pytest.mark.rule("AOA-7.02", "AOA-7.03", "AOA-7.04", "AOA-7.06", "AOA-R48")
@pytest.mark.parametrize(
    ("mission", "winner", "sector", "code", "sectors", "role", "steps"),
    [
        ("hold_the_line", "german", 4, "advance", 1, "attacker", (("advance", 1, "AOA-7.03"),)),
        ("hold_the_line", "soviet", 4, "hold", 1, "defender", ()),
        ("hold_the_line", "draw", 4, "hold", 1, "draw", ()),
        ("cauldron", "soviet", 4, "advance", 1, "defender", (("advance", -1, "AOA-7.03"),)),
        ("breakthrough", "german", 4, "breakthrough", 2, "attacker", (("breakthrough", 2, "AOA-7.04"),)),
        (
            "breakthrough", "german", 6, "breakthrough", 2, "attacker",
            (("breakthrough", 2, "AOA-7.04"), ("a home sector is the end", -1, "AOA-R48")),
        ),
        ("fighting_withdrawal", "german", 4, "retreat", 1, "attacker", (("retreat", 1, "AOA-7.06"),)),
        (
            "fighting_withdrawal", "soviet", 7, "retreat", 1, "defender",
            (("retreat: a home sector is the end", 0, "AOA-R48"),),
        ),
    ],
)  # fmt: skip
def test_the_front_is_told_step_by_step(
    mission: str, winner: str, sector: int, code: str, sectors: int, role: str, steps: tuple[Any, ...]
) -> None:
    rules = {"hold_the_line": "AOA-7.08", "cauldron": "AOA-7.10", "breakthrough": "AOA-7.09"}
    state = campaign(mission=mission, winner=winner, sector=sector)
    assert front_calculations(state, code, sectors) == (
        Calculation("result", (), (rules.get(mission, "AOA-7.11"), mission, role)),
        Calculation("sector", (("sector", sector, "AOA-7.01"), *steps)),
    )


@pytest.mark.rule("AOA-12.03", "AOA-R67")
def test_the_distance_to_each_home_is_told_from_the_larger_number() -> None:
    for sector in range(1, 8):
        state = campaign(sector=sector)
        told = distance_calculations(state)
        assert [(each.name, each.total) for each in told] == [
            ("distance.german", 7 - sector),
            ("distance.soviet", sector - 1),
        ]
        assert {rule for each in told for _, _, rule in each.steps} == {"AOA-12.03"}
        assert near_enemy_home(state) == (["german"] if sector >= 6 else ["soviet"] if sector <= 2 else [])


@pytest.mark.rule("AOA-3.11", "AOA-3.12", "AOA-R47")
def test_who_is_left_behind_is_neither_mobile_nor_carried() -> None:
    state = campaign("pg1 pg full; pg2 pg full immobile; hq knackers full; panzer panzer full; cars cars full immobile")
    state.forces["german"] = Force([Fielded(each, 5) for each in ("pg1", "pg2", "hq", "panzer", "cars")])
    assert left_behind(state, "german") == ["pg2", "hq", "cars"]
    state.forces["german"] = Force([Fielded("pg2", 5, carried_by="panzer"), Fielded("hq", 2)])
    assert left_behind(state, "german") == ["hq"]
    assert left_behind(state, "soviet") == []


# --- what comes back ---


@pytest.mark.rule("AOA-10.16", "AOA-10.17")
def test_what_a_platoon_lacks_hangs_on_its_level() -> None:
    """Three of a full, one of a depleted platoon; a gutted one wants what a depleted one has, a destroyed one none."""
    german = (
        "a hmg full transports=1; b hmg under transports=0; c hmg depleted; d hmg gutted transports=0;"
        " e hmg destroyed transports=0; f knackers full; g panzer full; h flak full transports=0; i hmg full"
    )
    state = campaign(german)
    assert lacking(state, "german", list("abcdefghi")) == {"a": 2, "b": 2, "d": 1, "h": 2}
    flak = state.board.lists["german"].types["flak"]
    assert [enough(flak, level) for level in (0, 1, 2, 4)] == [2, 2, 2, 2]


@pytest.mark.rule("AOA-11.02", "AOA-11.15", "AOA-11.17", "AOA-11.18", "AOA-R60")
def test_levels_raised_take_their_dice_from_the_turns_and_only_then_from_points() -> None:
    state = campaign("a pg destroyed; b pg destroyed; c pg gutted; x hmg gutted; y hmg full")
    state.balance["german"] = 2
    space = raising_space(state, "german")
    assert space is not None
    assert space.is_legal(orders.RaisePlatoons(["a", "b"]))
    assert space.is_legal(orders.RaisePlatoons(["c"]))
    assert not space.is_legal(orders.RaisePlatoons(["a", "b", "c"]))
    for raised, bought, dice, allowed in (
        ([], 0, {"x": 4}, True),
        ([], 2, {"x": 6}, True),
        ([], 3, {"x": 7}, False),
        (["c"], 0, {"x": 3}, True),
        (["c"], 0, {"x": 2, "c": 1}, False),
        (["a", "c"], 0, {"b": 1}, True),
        (["a", "c"], 0, {"x": 2}, False),
        (["a", "b"], 0, {}, True),
        (["a", "b"], 1, {"x": 1}, True),
        (["a", "b"], 1, {"x": 2}, False),
        ([], 0, {"y": 4}, False),
    ):
        form = dice_space(state, "german", raised)
        assert form is not None
        assert form.is_legal(orders.AssignDice(bought, dice)) is allowed, (raised, bought, dice)
    state.balance["german"] = 0
    assert dice_space(state, "german", ["a", "b"]) is None
    assert dice_space(state, "german", ["a", "c"]) is not None
    assert dice_space(campaign("a pg full; b pg full"), "german", []) is None
    assert raising_space(campaign("a pg full; b pg gutted; x hmg gutted"), "german") is not None
    assert raising_space(campaign("a pg full"), "german") is None  # one, but nobody to raise
    assert raising_space(campaign("a flak gutted; b pg depleted; c pg gutted; d pg depleted"), "german") is None


def test_missions_stand_on_the_ladder_as_they_are_printed() -> None:
    printed = ("breakthrough", "encounter", "cauldron", "fighting_withdrawal", "hold_the_line", "trench_fight")
    assert printed == MISSIONS


@pytest.mark.rule("AOA-11.02", "AOA-11.17", "AOA-11.18")
@pytest.mark.parametrize(
    ("german", "raised", "assigned", "told"),
    [
        ("a pg destroyed; b pg destroyed; x hmg gutted", ("a", "b"), {}, (4, 0)),
        ("a pg gutted; b pg full", ("a",), {}, (4, 0)),
        ("a pg gutted; b pg full; x hmg gutted", ("a",), {"bought": 1, "x": 4}, (5, 1)),
        ("a pg full; b pg full; x hmg gutted", (), {"x": 4}, (4, 0)),
    ],
)
def test_the_dice_of_a_turn_are_told_with_those_bought(
    lay: Lay, german: str, raised: tuple[str, ...], assigned: dict[str, int], told: tuple[int, int]
) -> None:
    case = lay("reinforcement", german=german, balance=(1 if assigned.get("bought") else 0, 0))
    case.play(*([raises("german", *raised)] if raised else []), *([assigns("german", **assigned)] if assigned else []))
    bought = case.one(events.DiceBought, side="german")
    assert (bought.dice, bought.bought) == told
    more = (("bought", told[1], "AOA-11.02"),) if told[1] else ()
    assert [each.steps for each in bought.calculations or ()] == [(("of the turn", 4, "AOA-11.02"), *more)]
    assert case.balance() == (0, 0)
    assert case.events(events.DiceBought, side="soviet") == []
