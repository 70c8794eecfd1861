"""The result of a mission on the track (chapter V), and the end of the campaign (chapter VIII)."""

from typing import Any

import pytest
from tests.plugins.axis_attack.cases import Lay, concession, goes_on, result
from tests.plugins.axis_attack.positions import campaign

from axis_attack.mission.front import distance_calculations, front_calculations, left_behind, near_enemy_home
from axis_attack.model import orders
from axis_attack.model.events import FrontMoved, SelectionRolled
from axis_attack.model.state import Fielded, Force
from sandtable.kernel.events import Calculation


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


MOBILE = {"german": "pg1 7; pg2 7; cars 4"}


@pytest.mark.rule(
    "AOA-7.01",
    "AOA-7.02",
    "AOA-7.03",
    "AOA-7.06",
    "AOA-7.07",
    "AOA-7.08",
    "AOA-7.09",
    "AOA-7.10",
    "AOA-7.11",
    "AOA-7.12",
    "AOA-2.02",
)
@pytest.mark.parametrize(
    ("mission", "attacker", "winner", "sector"),
    [
        ("encounter", "german", "german", 5),
        ("encounter", "german", "soviet", 3),
        ("encounter", "soviet", "german", 5),
        ("hold_the_line", "german", "german", 5),
        ("hold_the_line", "soviet", "soviet", 3),
        ("hold_the_line", "german", "soviet", 4),
        ("breakthrough", "german", "soviet", 4),
        ("breakthrough", "german", "german", 5),
        ("cauldron", "german", "german", 4),
        ("cauldron", "german", "soviet", 3),
        ("cauldron", "soviet", "german", 5),
        ("fighting_withdrawal", "german", "german", 5),
        ("fighting_withdrawal", "german", "soviet", 5),
        ("fighting_withdrawal", "soviet", "german", 3),
        ("trench_fight", "soviet", "soviet", 3),
        ("trench_fight", "soviet", "german", 4),
    ],
)
def test_winner_and_mission_move_the_front(lay: Lay, mission: str, attacker: str, winner: str, sector: int) -> None:
    case = lay("battle", mission=mission, attacker=attacker).play(result(winner, "5-2"))
    assert case.state.sector == sector
    moved = case.one(FrontMoved)
    assert (moved.was, moved.sector, moved.winner) == (4, sector, winner)


@pytest.mark.rule("AOA-7.04", "AOA-3.09", "AOA-R47")
@pytest.mark.parametrize("sectors", [1, 2])
def test_a_breakthrough_goes_one_sector_or_two(lay: Lay, sectors: int) -> None:
    case = lay("battle", mission="breakthrough", forces=MOBILE).play(
        result("german", "6-1"), until=orders.ChooseBreakthrough
    )
    assert case.why_not(goes_on("german", 3))
    assert case.why_not(goes_on("german", 0))
    case.play(goes_on("german", sectors))
    assert case.state.sector == 4 + sectors
    assert case.state.bound == ("german" if sectors == 2 else "")


@pytest.mark.rule("AOA-7.04")
def test_the_soviets_break_through_to_the_west(lay: Lay) -> None:
    forces = {"soviet": "t1 7; t2 7"}
    case = lay("battle", mission="breakthrough", attacker="soviet", forces=forces).play(
        result("soviet", "6-1"), goes_on("soviet", 2)
    )
    assert case.state.sector == 2
    assert case.state.bound == "soviet"


@pytest.mark.rule("AOA-3.09", "AOA-3.10", "AOA-R47", "AOA-R49")
@pytest.mark.parametrize(
    ("force", "two"),
    [("pg1 7; pg2 7", True), ("hq 4; pg1 7; pg2 7", False), ("hq 4 on=panzer; pg1 7; pg2 7; panzer 5", True)],
    ids=["all on wheels", "foot among them", "foot on tanks"],
)
def test_two_sectors_only_with_a_force_that_was_mobile_or_carried(lay: Lay, force: str, two: bool) -> None:
    german = "pg1 pg full; pg2 pg full; panzer panzer full; hq knackers full"
    case = lay("battle", mission="breakthrough", german=german, forces={"german": force})
    if two:
        case.play(result("german", "6-1"), goes_on("german", 2))
        assert case.state.sector == 6
        return
    case.play(result("german", "6-1"))
    assert case.state.sector == 5


@pytest.mark.rule("AOA-R49")
def test_the_looser_reading_looks_at_the_next_game_only(lay: Lay) -> None:
    german = "pg1 pg full; pg2 pg full; panzer panzer full; hq knackers full"
    case = lay(
        "battle",
        mission="breakthrough",
        german=german,
        forces={"german": "hq 4; pg1 7; pg2 7"},
        breakthrough_mobility="next_game_only",
    )
    case.play(result("german", "6-1"), goes_on("german", 2))
    assert case.state.sector == 6


@pytest.mark.rule("AOA-R48")
@pytest.mark.parametrize("sector", [6])
def test_the_track_ends_at_the_home_sector(lay: Lay, sector: int) -> None:
    case = lay("battle", mission="breakthrough", forces=MOBILE, sector=sector).play(result("german", "6-1"))
    assert case.state.sector == 7
    assert case.state.bound == ""


@pytest.mark.rule("AOA-R48", "AOA-7.06")
def test_a_retreat_stops_at_the_home_sector(lay: Lay) -> None:
    case = lay("battle", mission="fighting_withdrawal", attacker="soviet", sector=1).play(result("german", "6-1"))
    assert case.state.sector == 1
    assert not case.game.is_over


@pytest.mark.rule("AOA-R30", "AOA-5.22", "AOA-5.23")
def test_a_conceded_game_counts_as_the_enemys_win(lay: Lay) -> None:
    case = lay("battle", mission="hold_the_line").play(concession("soviet"))
    assert case.state.sector == 5
    assert case.balance() == (6, 1)


@pytest.mark.rule("AOA-R31")
def test_a_draw_holds_and_gives_both_their_points(lay: Lay) -> None:
    case = lay("battle").play(result("draw", "2-1", soviet={"scouts": "7d"}))
    assert case.state.sector == 4
    assert case.balance() == (2, 1)
    assert case.state.winner == "draw"


@pytest.mark.rule("AOA-12.01", "AOA-R66", "AOA-2.03")
@pytest.mark.parametrize(
    "mission", ["breakthrough", "encounter", "cauldron", "fighting_withdrawal", "hold_the_line", "trench_fight"]
)
@pytest.mark.parametrize(("side", "home"), [("german", 7), ("soviet", 1)])
def test_an_attacker_who_wins_in_the_enemys_home_wins_the_campaign(
    lay: Lay, mission: str, side: str, home: int
) -> None:
    case = lay("battle", mission=mission, attacker=side, sector=home).play(result(side, "4-3"))
    assert case.ended() == (side, "home_sector")
    assert case.state.turn == 2


@pytest.mark.rule("AOA-12.01", "AOA-R66", "AOA-7.07")
def test_in_an_encounter_the_winner_is_an_attacker_whoever_won_the_roll_off(lay: Lay) -> None:
    case = lay("battle", mission="encounter", attacker="soviet", sector=7).play(result("german", "4-3"))
    assert case.ended() == ("german", "home_sector")


@pytest.mark.rule("AOA-12.01")
@pytest.mark.parametrize(
    ("mission", "attacker", "winner", "sector"),
    [
        ("hold_the_line", "soviet", "german", 7),
        ("hold_the_line", "german", "soviet", 7),
        ("encounter", "german", "soviet", 7),
        ("encounter", "german", "german", 6),
    ],
    ids=["as defender", "at home", "an encounter at home", "next door"],
)
def test_other_wins_do_not_end_it(lay: Lay, mission: str, attacker: str, winner: str, sector: int) -> None:
    case = lay("battle", mission=mission, attacker=attacker, sector=sector).play(result(winner, "4-3"))
    assert not case.game.is_over


@pytest.mark.rule("AOA-12.01", "AOA-R30")
def test_a_concession_in_the_home_sector_loses_the_campaign(lay: Lay) -> None:
    case = lay("battle", mission="trench_fight", sector=7).play(concession("soviet"))
    assert case.ended() == ("german", "home_sector")


@pytest.mark.rule("AOA-12.02", "AOA-12.03", "AOA-12.04", "AOA-R67", "AOA-R68")
@pytest.mark.parametrize(
    ("sector", "end"),
    [
        (1, ("soviet", "front")),
        (2, ("soviet", "front")),
        (3, ("draw", "stalemate")),
        (4, ("draw", "stalemate")),
        (5, ("draw", "stalemate")),
        (6, ("german", "front")),
        (7, ("german", "front")),
    ],
)
def test_after_nine_turns_the_front_decides(lay: Lay, sector: int, end: tuple[str, str]) -> None:
    case = lay(
        "battle", mission="cauldron", sector=sector, turn=9, attacker="soviet" if sector == 7 else "german"
    ).play(result("soviet" if sector == 7 else "german", "4-3"))
    assert case.ended() == end
    assert case.events(SelectionRolled, later=True) == []


@pytest.mark.rule("AOA-12.02")
def test_eight_turns_are_not_nine(lay: Lay) -> None:
    case = lay("battle", mission="cauldron", sector=6, turn=8).play(result("german", "4-3"))
    assert not case.game.is_over
    assert case.state.turn == 9
