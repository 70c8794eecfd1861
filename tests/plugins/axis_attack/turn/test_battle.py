"""Concessions, victory points and the record of a game."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from every_draw import chances_of
from tests.plugins.axis_attack.cases import Lay, builds, concedes, concession, result
from tests.plugins.axis_attack.ground import PANZERGRENADIERS, platoon
from tests.plugins.axis_attack.ground import board as the_board
from tests.plugins.axis_attack.rows import Row, play, row

from axis_attack.model import events, orders
from axis_attack.model.events import GameConceded, PointsScored
from axis_attack.model.orders import Concede
from axis_attack.model.state import Battle
from axis_attack.turn.battle import Conceding
from sandtable.kernel.options import OneOf
from sandtable.tabletop.result import ReportBattle


@pytest.mark.rule("AOA-1.10", "AOA-R10")
@pytest.mark.parametrize(("memory", "transports"), [("level_size", 20), ("exact_teams", 40)])
def test_number_of_transports_follows_the_level_or_exact_size(lay: Lay, memory: str, transports: int) -> None:
    """Four of 2, 3, 4, 5 teams are at under strength, whose size is three."""
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
def test_attacker_concedes_if_neither_side_can_form_a_force(lay: Lay, attacker: str) -> None:
    case = lay("forces", german="pg1 pg full", soviet="t1 tankovy full", attacker=attacker).play()
    assert case.one(events.GameConceded).side == attacker
    assert case.one(events.GameConceded).rule == "AOA-R62"


@pytest.mark.rule("AOA-5.22", "AOA-R28")
def test_concession_is_offered_before_and_after_forces_are_shown(lay: Lay) -> None:
    case = lay("forces", attacker="soviet", mission="cauldron")
    purposes: list[str] = []
    while not case.game.is_over and len(purposes) < 4:
        for each in case.pending[:1]:
            if each.purpose.startswith("concede"):
                purposes.append(each.purpose)
            case.game.submit(case.answer(each), each.seat)
    assert purposes == [
        "concede.cauldron.soviet",
        "concede.cauldron.german",
        "concede.forces.soviet",
        "concede.forces.german",
    ]


@pytest.mark.rule("AOA-5.25")
def test_all_available_scouts_count_after_a_concession(lay: Lay) -> None:
    german = "pg1 pg full; pg2 pg full; cars cars depleted; cycles cycles gutted; more cycles full"
    case = lay("forces", german=german, mission="hold_the_line").play(concedes("soviet"))
    assert case.one(events.BattleFought).result.recon_ahead == ("cars", "more")
    assert case.one(events.BattleFought).rule == "AOA-5.23"


@pytest.mark.rule("AOA-5.22")
def test_random_player_concedes_one_game_in_six() -> None:
    space = Conceding(Concede, {"concede": OneOf((False, True), "AOA-5.22")})
    assert chances_of(space.sample, lambda order: order.concede) == {True: Fraction(1, 6), False: Fraction(5, 6)}


@pytest.mark.rule("AOA-2.06")
def test_each_game_takes_a_turn_and_is_recorded(lay: Lay) -> None:
    case = lay("battle", mission="hold_the_line").play(result("german", "5-2", german={"cars": "4d"}))
    assert case.state.turn == 3
    assert case.state.track == [
        Battle(2, 4, "hold_the_line", "german", "soviet", "german", {"german": 5, "soviet": 2}, "advance", "clear", "")
    ]
    assert case.state.ladder["german"]["cars"] == [4, 0]


def scored(rules: str, name: str, fought: Any, left: tuple[int, int], **words: Any) -> Any:
    return row(rules, name, fought, left=left, **words)


def drawn(score: tuple[int, int], **losses: str) -> Any:
    fought = result("draw", f"{score[0]}-{score[1]}", soviet=losses)
    return scored("R31", f"draw {len(losses)}", fought, score)


def conceded(side: str, left: tuple[int, int]) -> Any:
    return row("5.22 R28 R29", f"conceded {side}", concedes(side), at="forces", mission="hold_the_line", left=left,
               german="pg1 pg full; pg2 pg full; cars cars depleted", each={GameConceded: [{"side": side}]},
               levels="pg1 full strength; pg2 full strength; cars depleted")  # fmt: skip


RAW = {PointsScored: [{"side": "german", "points": 6}, {"side": "soviet", "points": 1}]}


@pytest.mark.rule("AOA-5.16 AOA-5.22 AOA-5.23 AOA-5.24 AOA-R04 AOA-R28 AOA-R29 AOA-R31")
@pytest.mark.parametrize(
    "case",
    [
        scored("5.16 R04", "german 6-1", result("german", "6-1"), (9, 5), balance=(3, 4)),
        scored("5.16 R04", "soviet 5-2", result("soviet", "5-2"), (5, 9), balance=(3, 4)),
        scored("5.16 R04", "german 4-3", result("german", "4-3"), (7, 7), balance=(3, 4)),
        drawn((1, 1)),
        drawn((2, 1), scouts="7d"),
        drawn((3, 1), scouts="7d", t1="7d", s1="13d"),
        scored("5.23 5.24", "fewer_soviet_points", concession("soviet"), (6, 1), points=(1500, 1100), each=RAW),
        scored("5.23 5.24", "fewer_german_points", concession("soviet"), (6, 1), points=(1100, 1500), each=RAW),
        conceded("german", (1, 6)),
        conceded("soviet", (6, 1)),
    ],
)
def test_battle_points_follow_the_rules(lay: Lay, case: Row) -> None:
    found = play(lay, case)
    gained = {side: found.state.balance[side] for side in ("german", "soviet")}
    assert found.state.earned == gained


@pytest.mark.rule("AOA-5.17", "AOA-5.18", "AOA-5.19", "AOA-5.20", "AOA-5.21", "AOA-R26", "AOA-R27")
@pytest.mark.parametrize(
    ("difference", "bonus"), [(0, 0), (50, 0), (51, 1), (150, 1), (151, 2), (299, 2), (300, 2), (301, 3), (725, 3)]
)
@pytest.mark.parametrize("low", ["german", "soviet"])
def test_side_with_fewer_points_scores_a_bonus(lay: Lay, difference: int, bonus: int, low: str) -> None:
    points = (1725 - difference, 1725) if low == "german" else (1725, 1725 - difference)
    case = lay("battle", points=points).play(result("german", "5-2"))
    assert case.balance() == ((5 + bonus, 2) if low == "german" else (5, 2 + bonus))
    assert case.state.raw == {"german": 5, "soviet": 2}
    assert case.one(PointsScored, side=low).bonus == bonus


@pytest.mark.rule("AOA-R28")
def test_concession_after_forces_are_shown_ends_the_game(lay: Lay) -> None:
    case = lay("forces").play(until=orders.ChooseForce)
    case.game.submit(case.answer(case.decision("german")), "german")
    case.game.submit(case.answer(case.decision("soviet")), "soviet")
    assert case.expects(orders.Concede) or case.expects(ReportBattle)
    case.play(*([concedes("soviet")] if case.expects(orders.Concede) else [concession("soviet")]))
    assert case.state.track[-1].conceded == "soviet"
