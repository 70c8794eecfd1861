"""The nine scenarios, 14.1 to 14.9: forces as the book lists them, and who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.victory.victory import ENDINGS
from sandtable.kernel.events import GameEnded

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Stage

# --- who wins ---


def end(case: Case, **sheets: str) -> tuple[str, str]:
    """Play a turn and return the outcome and the ending, "" for none yet."""
    case.turn(**sheets)
    ended = case.events(GameEnded)
    assert bool(ended) == case.game.is_over
    if ended:
        assert (ended[0].outcome, ended[0].ending) == (case.state.outcome, case.state.ending)
        assert ended[0].rule
    assert case.state.ending in ("", *ENDINGS)
    return case.state.outcome, case.state.ending


@pytest.mark.rule("KP-14.1.7", "KP-14.0j", "R-KP-60", "R-KP-89")
@pytest.mark.parametrize(
    ("nationalists", "republicans", "outcome"),
    [
        ("26 2138; 27 2139", "63 2340", "nationalists"),
        ("26 2138", "63 2340; 72 2341", "republicans"),
        ("26 2138; 27 2139 D1; 28 2140 D3", "63 2340; 72 2341", "republicans"),
        ("26 2138; 138 2139; 139 2140", "63 2340; 64 2341", "republicans"),
        ("138 2138; 26 aboard 138; 27 2140", "63 2340", "nationalists"),
        ("26 2138; 27 2037; 28 2137", "63 2340", "draw"),
        ("26 2138; 35 2138 A; 27 2139", "63 2340; 64 2341", "nationalists"),
        ("26 3030", "63 3040", "draw"),
    ],
)
def test_spain(stage: Stage, nationalists: str, republicans: str, outcome: str) -> None:
    case = stage("spain", nationalists=nationalists, republicans=republicans, turn=10)
    assert end(case) == (outcome, "majority")


@pytest.mark.rule("KP-14.1.7", "KP-14.1.6", "KP-4.0c", "KP-2.0a")
def test_not_before_the_last_turn(stage: Stage) -> None:
    case = stage("spain", nationalists="26 2138", republicans="63 3040", turn=9)
    assert end(case) == ("", "")
    assert end(case) == ("nationalists", "majority")


@pytest.mark.rule("KP-14.1.7", "KP-9.72b", "KP-4.1f")
def test_who_recovers_in_the_last_phase_counts(stage: Stage) -> None:
    for option in ("end_of_phase_f", "end_of_phase_e"):  # which is for Arras alone
        case = stage(
            "spain",
            nationalists="26 2138; 27 2139 D1",
            republicans="63 2340",
            turn=10,
            dice={"recovery:27": "3"},
            arras_check=option,
        )
        assert end(case) == ("nationalists", "majority")


@pytest.mark.rule("R-KP-60")
@pytest.mark.parametrize(
    ("option", "winner"), [("draw", "draw"), ("first_side_wins", "first"), ("second_side_wins", "second")]
)
def test_ties(stage: Stage, option: str, winner: str) -> None:
    case = stage("spain", nationalists="26 2138", republicans="63 2340", turn=10, tie_majority=option)
    assert end(case)[0] == {"first": "nationalists", "second": "republicans"}.get(winner, "draw")
    case = stage("hannut", french="1 1610", germans="94 1609", turn=10, tie_majority=option)
    assert end(case)[0] == {"first": "french", "second": "germans"}.get(winner, "draw")


CZECHS_OUT = "122 123 26 27"
GERMANS_LOST = "112 113 114 117 94 95"


@pytest.mark.rule("KP-14.2.6", "KP-14.2.7", "R-KP-62")
@pytest.mark.parametrize(
    ("out", "lost", "option", "outcome"),
    [
        (f"{CZECHS_OUT} 28", GERMANS_LOST, "destroyed_combat_units", ("czechs", "exited")),
        (f"{CZECHS_OUT} 138", "", "destroyed_combat_units", ("germans", "held")),
        (CZECHS_OUT, "112 113 114 117 94", "destroyed_combat_units", ("germans", "held")),
        (CZECHS_OUT, GERMANS_LOST, "destroyed_combat_units", ("draw", "bled")),
        (CZECHS_OUT, "112 113 114 117 94 146", "destroyed_combat_units", ("germans", "held")),
        (CZECHS_OUT, "112 113 114 117 94 146", "with_vehicles", ("draw", "bled")),
        ("", "122 123 124 26 27 28", "destroyed_combat_units", ("germans", "held")),
    ],
)
def test_czechoslovakia(stage: Stage, out: str, lost: str, option: str, outcome: tuple[str, str]) -> None:
    case = stage(
        "czechoslovakia",
        germans="91 2138",
        czechs="125 0904; 29 1010",
        out=out,
        lost=lost,
        turn=10,
        count_losses=option,
    )
    assert end(case) == outcome


@pytest.mark.rule("KP-14.2.6", "KP-14.0i")
def test_the_fifth_czech_ends_it(stage: Stage) -> None:
    case = stage("czechoslovakia", germans="91 2138", czechs="125 2902; 124 2801", out="122 123 26", turn=4)
    assert end(case, czechs="125 A2") == ("", "")
    assert end(case, czechs="124 A1") == ("czechs", "exited")


@pytest.mark.rule("KP-14.3.7", "R-KP-61")
@pytest.mark.parametrize(
    ("russians", "japanese", "option", "outcome"),
    [
        ("81 0938; 82 0937", "130 1037", "japanese", "russians"),
        ("81 0938; 82 0937; 83 0838", "130 1037; 131 1038", "japanese", "japanese"),
        ("81 0938; 82 0937; 83 0838; 69 0837", "130 1037; 131 1038", "japanese", "russians"),
        ("81 0938", "130 1037", "japanese", "japanese"),
        ("81 0938", "130 1037 D2", "japanese", "russians"),
        ("81 0938", "130 2121", "japanese", "russians"),
        ("81 3030", "130 2121", "japanese", "japanese"),
        ("81 3030", "130 2121", "russian", "russians"),
        ("81 0938 D1", "130 2121", "japanese", "japanese"),
        ("81 3030", "130 0938", "russian", "japanese"),
        ("81 0938; 82 0736", "130 0739", "russian", "japanese"),  # slopes belong to it, 0736 does not
    ],
)
def test_bain_tsagan(stage: Stage, russians: str, japanese: str, option: str, outcome: str) -> None:
    case = stage("bain_tsagan", russians=russians, japanese=japanese, zero_zero_14_3=option, turn=16)
    assert end(case)[0] == outcome


@pytest.mark.rule("KP-14.3.6")
def test_bain_tsagan_lasts_sixteen_turns(stage: Stage) -> None:
    assert end(stage("bain_tsagan", russians="81 0938", japanese="130 2121", turn=15)) == ("", "")


@pytest.mark.rule("KP-14.4.4", "R-KP-62")
@pytest.mark.parametrize(
    ("lost", "outcome"),
    [
        ("112 113 114", ("germans", "held")),
        ("112 113 114 6 7 8 9", ("germans", "held")),
        ("112 113 114 115", ("poles", "destroyed")),
        ("94 95 102 103 96", ("poles", "destroyed")),
    ],
)
def test_poland(stage: Stage, lost: str, outcome: tuple[str, str]) -> None:
    assert end(stage("poland", germans="117 1016", poles="10 0501", lost=lost, turn=10)) == outcome


@pytest.mark.rule("KP-14.4.4")
def test_the_fourth_german_ends_it(stage: Stage) -> None:
    case = stage(
        "poland", germans="115 1016 A; 117 1101", poles="10 1015", lost="112 113 114", turn=3, dice={"fire:*": "1"}
    )
    assert end(case, poles="10 N 1016") == ("", "")  # 4 - 4: D2
    case = stage(
        "poland", germans="115 1016 D2 A; 117 1101", poles="10 1015", lost="112 113 114", turn=3, dice={"fire:*": "1"}
    )
    assert end(case, poles="10 N 1016") == ("poles", "destroyed")


@pytest.mark.rule("KP-14.5.10", "KP-14.5.9", "KP-14.0j")
@pytest.mark.parametrize(
    ("out", "outcome"),
    [("69 70 71 72 73 81", ("russians", "exited")), ("69 70 71 72 81", ("finns", "held"))],
)
def test_summa(stage: Stage, out: str, outcome: tuple[str, str]) -> None:
    assert end(stage("summa", finns="63 0310", russians="75 2020", out=out, turn=10)) == outcome


@pytest.mark.rule("KP-14.6.4", "KP-14.6.3", "R-KP-60")
@pytest.mark.parametrize(
    ("french", "germans", "outcome"),
    [
        ("1 1610; 2 1510", "94 1609", "french"),
        ("1 1610", "94 1609; 95 1509", "germans"),
        ("1 1610; 2 1510 D1", "94 1609", "draw"),
        ("1 1610; 146 1509", "94 1609; 95 1710", "germans"),
        ("", "94 1609", "germans"),
        ("1 1610", "94 2030; 95 2031", "french"),  # off the hill nobody counts
    ],
)
def test_hannut(stage: Stage, french: str, germans: str, outcome: str) -> None:
    assert end(stage("hannut", french=french, germans=germans, turn=10)) == (outcome, "majority")


@pytest.mark.rule("KP-14.6.4")
def test_hannut_is_decided_after_the_last_turn(stage: Stage) -> None:
    assert end(stage("hannut", french="1 1610; 2 1510", germans="94 1609", turn=9)) == ("", "")


ELEVEN = "122 123 124 125 126 127 128 129 102 103 104"
EIGHT = "6 7 8 9 10 11 12 13"
NINE = "94 95 112 113 114 117 118 119 115"


@pytest.mark.rule("KP-14.7.5", "R-KP-62", "KP-14.7.4")
@pytest.mark.parametrize(
    ("out", "lost", "option", "outcome"),
    [
        (ELEVEN, EIGHT, "destroyed_combat_units", ("germans", "exited")),
        (ELEVEN, f"{EIGHT} {NINE}", "destroyed_combat_units", ("germans", "exited")),
        (ELEVEN, f"{EIGHT} {NINE} 116", "destroyed_combat_units", ("french", "held")),
        (ELEVEN, f"{EIGHT} {NINE} 146", "destroyed_combat_units", ("germans", "exited")),
        (ELEVEN, f"{EIGHT} {NINE} 146", "with_vehicles", ("french", "held")),
        (ELEVEN, EIGHT.removesuffix(" 13"), "destroyed_combat_units", ("french", "held")),
        (ELEVEN.removesuffix(" 104"), EIGHT, "destroyed_combat_units", ("french", "held")),
        (ELEVEN.replace("104", "146"), EIGHT, "destroyed_combat_units", ("french", "held")),
    ],
)
def test_flavion(stage: Stage, out: str, lost: str, option: str, outcome: tuple[str, str]) -> None:
    case = stage("flavion", french="19 2138", germans="147 0101", out=out, lost=lost, turn=10, count_losses=option)
    assert end(case) == outcome


@pytest.mark.rule("KP-14.8.4", "KP-14.8.3")
@pytest.mark.parametrize(
    ("turn", "british", "outcome"),
    [
        (14, "52 2341", ("", "")),
        (15, "52 2341", ("british", "reached")),
        (16, "63 2341", ("british", "reached")),
        (17, "52 2341 D1", ("", "")),
        (17, "52 2342", ("", "")),
        (18, "52 2341", ("british", "reached")),
        (18, "52 2341 D1", ("germans", "held")),
        (18, "52 2342", ("germans", "held")),
    ],
)
def test_arras(stage: Stage, turn: int, british: str, outcome: tuple[str, str]) -> None:
    assert end(stage("arras", germans="112 0505", british=british, turn=turn)) == outcome


@pytest.mark.rule("KP-14.8.4")
def test_a_german_on_the_hex_is_nothing(stage: Stage) -> None:
    assert end(stage("arras", germans="112 2341", british="52 3030", turn=18)) == ("germans", "held")


@pytest.mark.rule("KP-14.8.4", "KP-14.8.3", "KP-6.1a")
def test_arras_reached_by_a_move(stage: Stage) -> None:
    case = stage("arras", germans="112 0505", british="58 2351", turn=14)
    assert end(case, british="58 A10") == ("", "")  # a turn too early
    assert end(case) == ("british", "reached")


@pytest.mark.rule("R-KP-79", "R-KP-89")
@pytest.mark.parametrize(("option", "outcome"), [("end_of_phase_f", "british"), ("end_of_phase_e", "")])
def test_when_the_hex_is_looked_at(stage: Stage, option: str, outcome: str) -> None:
    dice = {"recovery:52": "1"}
    case = stage("arras", germans="112 0505", british="52 2341 D1", turn=15, dice=dice, arras_check=option)
    assert end(case)[0] == outcome


@pytest.mark.rule("R-KP-79", "R-KP-89")
@pytest.mark.parametrize("option", ["end_of_phase_f", "end_of_phase_e"])
def test_a_pin_is_no_disruption(stage: Stage, option: str) -> None:
    case = stage("arras", germans="102 2343", british="63 2341", turn=15, dice={"fire:*": "6"}, arras_check=option)
    assert end(case, germans="102 N 2341")[0] == "british"
    assert case.pinned() == ["63"]


@pytest.mark.rule("KP-14.9.4", "KP-14.9.3", "KP-14.0j")
@pytest.mark.parametrize(
    ("germans", "british", "outcome"),
    [
        ("112 0707; 113 0708; 114 0806", "42 1212", "germans"),
        ("112 0707; 113 0708", "42 1212", "british"),
        ("112 0707; 113 0708; 114 0806 D1", "42 1212", "british"),
        ("112 0707; 115 0707 A; 94 0807", "42 0808; 43 0907; 44 0908", "germans"),
        ("112 0707; 113 0708; 114 1212", "42 1215", "british"),
    ],
)
def test_abbeville(stage: Stage, germans: str, british: str, outcome: str) -> None:
    assert end(stage("abbeville", british=british, germans=germans, turn=10))[0] == outcome


# --- handicaps ---


@pytest.mark.rule("R-KP-93", "R-KP-94")
@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [("0", "0", "republicans"), ("1", "0", "draw"), ("2", "0", "nationalists"), ("2", "2", "republicans")],
)
def test_a_bid_counts_as_units_on_the_ground(stage: Stage, first: str, second: str, outcome: str) -> None:
    sides = {"nationalists": "26 2138", "republicans": "63 2340; 72 2341"}
    case = stage("spain", **sides, turn=10, bid_first=first, bid_second=second)
    assert end(case) == (outcome, "majority")


@pytest.mark.rule("R-KP-93", "R-KP-94")
@pytest.mark.parametrize(
    ("bids", "outcome"),
    [
        ({}, ("germans", "held")),
        ({"bid_second": "1"}, ("czechs", "exited")),
        ({"bid_second": "99"}, ("czechs", "exited")),
        ({"bid_first": "1"}, ("germans", "held")),
    ],
)
def test_a_bid_asks_for_fewer_who_leave_the_map(stage: Stage, bids: dict[str, str], outcome: tuple[str, str]) -> None:
    sides = {"germans": "91 2138", "czechs": "125 0904; 29 1010"}
    case = stage("czechoslovakia", **sides, out=CZECHS_OUT, turn=10, **bids)
    assert end(case) == outcome


@pytest.mark.rule("R-KP-94", "R-KP-93")
@pytest.mark.parametrize(
    ("turn", "bids", "outcome"),
    [
        (14, {}, ""),
        (14, {"bid_second": "1"}, "british"),
        (15, {}, "british"),
        (15, {"bid_first": "1"}, ""),
        (15, {"bid_first": "1", "bid_second": "1"}, "british"),
    ],
)
def test_a_bid_gives_turns_to_who_must_reach_a_hex(stage: Stage, turn: int, bids: dict[str, str], outcome: str) -> None:
    case = stage("arras", germans="112 0505", british="52 2341", turn=turn, **bids)
    assert end(case)[0] == outcome


@pytest.mark.rule("R-KP-93", "R-KP-94")
@pytest.mark.parametrize(
    ("bids", "outcome"), [({}, "british"), ({"bid_second": "1"}, "germans"), ({"bid_first": "1"}, "british")]
)
def test_a_bid_lets_the_enemy_keep_fewer_or_more_on_the_hill(stage: Stage, bids: dict[str, str], outcome: str) -> None:
    sides = {"british": "42 1212", "germans": "112 0707; 113 0708"}
    case = stage("abbeville", **sides, turn=10, **bids)
    assert end(case)[0] == outcome
