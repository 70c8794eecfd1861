"""Victory in the nine scenarios (14.1 to 14.9) by positions and losses at the end of a turn, and bids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kampfpanzer.victory.victory import ENDINGS
from sandtable.kernel.events import GameEnded

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import Stage


def end(case: Case, **sheets: str) -> str:
    """Play a turn, and return outcome and ending such as "french held", or "" if the game continues."""
    case.turn(**sheets)
    ended = case.events(GameEnded)
    assert bool(ended) == case.game.is_over
    if ended:
        assert (ended[0].outcome, ended[0].ending) == (case.state.outcome, case.state.ending)
        assert ended[0].rule
    assert case.state.ending in ("", *ENDINGS)
    return f"{case.state.outcome} {case.state.ending}".strip()


def verdicts(rules: str, scenario: str, sides: str, *rows: tuple[Any, ...], **words: Any) -> list[Any]:
    """Return test parameters; each row has the units of both ``sides``, the verdict, and extra keywords."""
    names = sides.split()
    return [
        pytest.param(
            scenario,
            {**dict(zip(names, row[:2], strict=True)), **words, **(row[3] if len(row) > 3 else {})},
            row[2],
            marks=pytest.mark.rule(*rules.split()),
            id=f"{scenario}-{number}",
        )
        for number, row in enumerate(rows)
    ]


NATIONALISTS, SPANIARDS, FRENCH = "nationalists majority", "republicans majority", "french majority"
TIE, JAPANESE, RUSSIANS = "draw majority", "japanese majority", "russians majority"
GERMANS, BRITISH = "germans majority", "british majority"
OUT, LOST = "122 123 26 27", "112 113 114 117 94 95"
ELEVEN, EIGHT = "122 123 124 125 126 127 128 129 102 103 104", "6 7 8 9 10 11 12 13"
NINE = "94 95 112 113 114 117 118 119 115"
VEHICLES = {"count_losses": "with_vehicles"}
CZECHS, POLES = ("91 2138", "125 0904; 29 1010"), ("117 1016", "10 0501")
RECOVERS, FIRST, SECOND = {"dice": {"recovery:27": "3"}}, {"bid_first": "1"}, {"bid_second": "1"}


@pytest.mark.rule(
    "KP-14.0j KP-14.1.7 KP-14.2.6 KP-14.2.7 KP-14.3.6 KP-14.3.7 KP-14.4.4 KP-14.5.10 KP-14.5.9 KP-14.6.3 KP-14.6.4"
    " KP-14.7.4 KP-14.7.5 KP-14.8.3 KP-14.8.4 KP-14.9.3 KP-14.9.4 KP-4.1f KP-9.72b R-KP-60 R-KP-61 R-KP-62 R-KP-79"
    " R-KP-89 R-KP-93 R-KP-94"
)
@pytest.mark.parametrize(
    ("scenario", "words", "verdict"),
    [
        *verdicts(
            "KP-14.1.7 KP-14.0j R-KP-60 R-KP-89", "spain", "nationalists republicans",
            ("26 2138; 27 2139", "63 2340", NATIONALISTS),
            ("26 2138", "63 2340; 72 2341", SPANIARDS),
            ("26 2138; 27 2139 D1; 28 2140 D3", "63 2340; 72 2341", SPANIARDS),
            ("26 2138; 138 2139; 139 2140", "63 2340; 64 2341", SPANIARDS),
            ("138 2138; 26 aboard 138; 27 2140", "63 2340", NATIONALISTS),
            ("26 2138; 27 2037; 28 2137", "63 2340", TIE),
            ("26 2138; 35 2138 A; 27 2139", "63 2340; 64 2341", NATIONALISTS),
            ("26 3030", "63 3040", TIE),
            ("26 2138", "63 2340", TIE, {"tie_majority": "draw"}),
            ("26 2138", "63 2340", NATIONALISTS, {"tie_majority": "first_side_wins"}),
            ("26 2138", "63 2340", SPANIARDS, {"tie_majority": "second_side_wins"}),
            turn=10),
        *verdicts(  # the option is for Arras alone
            "KP-14.1.7 KP-9.72b KP-4.1f", "spain", "nationalists republicans",
            *(("26 2138; 27 2139 D1", "63 2340", NATIONALISTS, RECOVERS | {"arras_check": option})
              for option in ("end_of_phase_f", "end_of_phase_e")),
            turn=10),
        *verdicts(
            "KP-14.2.6 KP-14.2.7 R-KP-62", "czechoslovakia", "germans czechs",
            (*CZECHS, "czechs exited", {"out": f"{OUT} 28", "lost": LOST}),
            (*CZECHS, "germans held", {"out": f"{OUT} 138"}),
            (*CZECHS, "germans held", {"out": OUT, "lost": "112 113 114 117 94"}),
            (*CZECHS, "draw bled", {"out": OUT, "lost": LOST}),
            (*CZECHS, "germans held", {"out": OUT, "lost": "112 113 114 117 94 146"}),
            (*CZECHS, "draw bled", {"out": OUT, "lost": "112 113 114 117 94 146"} | VEHICLES),
            (*CZECHS, "germans held", {"lost": "122 123 124 26 27 28"}),
            turn=10),
        *verdicts(
            "KP-14.3.7 R-KP-61", "bain_tsagan", "russians japanese",
            ("81 0938; 82 0937", "130 1037", RUSSIANS),
            ("81 0938; 82 0937; 83 0838", "130 1037; 131 1038", JAPANESE),
            ("81 0938; 82 0937; 83 0838; 69 0837", "130 1037; 131 1038", RUSSIANS),
            ("81 0938", "130 1037", JAPANESE),
            ("81 0938", "130 1037 D2", RUSSIANS),
            ("81 0938", "130 2121", RUSSIANS),
            ("81 3030", "130 2121", JAPANESE),
            ("81 3030", "130 2121", RUSSIANS, {"zero_zero_14_3": "russian"}),
            ("81 0938 D1", "130 2121", JAPANESE),
            ("81 3030", "130 0938", JAPANESE, {"zero_zero_14_3": "russian"}),
            # slopes belong to the hill, 0736 does not
            ("81 0938; 82 0736", "130 0739", JAPANESE, {"zero_zero_14_3": "russian"}),
            turn=16),
        *verdicts("KP-14.3.6", "bain_tsagan", "russians japanese", ("81 0938", "130 2121", ""), turn=15),
        *verdicts(
            "KP-14.4.4 R-KP-62", "poland", "germans poles",
            (*POLES, "germans held", {"lost": "112 113 114"}),
            (*POLES, "germans held", {"lost": "112 113 114 6 7 8 9"}),
            (*POLES, "poles destroyed", {"lost": "112 113 114 115"}),
            (*POLES, "poles destroyed", {"lost": "94 95 102 103 96"}),
            turn=10),
        *verdicts(
            "KP-14.5.10 KP-14.5.9 KP-14.0j", "summa", "finns russians",
            ("63 0310", "75 2020", "russians exited", {"out": "69 70 71 72 73 81"}),
            ("63 0310", "75 2020", "finns held", {"out": "69 70 71 72 81"}),
            turn=10),
        *verdicts(
            "KP-14.6.4 KP-14.6.3 R-KP-60", "hannut", "french germans",
            ("1 1610; 2 1510", "94 1609", FRENCH),
            ("1 1610", "94 1609; 95 1509", GERMANS),
            ("1 1610; 2 1510 D1", "94 1609", TIE),
            ("1 1610; 146 1509", "94 1609; 95 1710", GERMANS),
            ("", "94 1609", GERMANS),
            ("1 1610", "94 2030; 95 2031", FRENCH),  # only units on the hill count
            ("1 1610", "94 1609", FRENCH, {"tie_majority": "first_side_wins"}),
            ("1 1610", "94 1609", GERMANS, {"tie_majority": "second_side_wins"}),
            turn=10),
        *verdicts("KP-14.6.4", "hannut", "french germans", ("1 1610; 2 1510", "94 1609", ""), turn=9),
        *verdicts(
            "KP-14.7.5 R-KP-62 KP-14.7.4", "flavion", "french germans",
            ("19 2138", "147 0101", "germans exited", {"lost": EIGHT}),
            ("19 2138", "147 0101", "germans exited", {"lost": f"{EIGHT} {NINE}"}),
            ("19 2138", "147 0101", "french held", {"lost": f"{EIGHT} {NINE} 116"}),
            ("19 2138", "147 0101", "germans exited", {"lost": f"{EIGHT} {NINE} 146"}),
            ("19 2138", "147 0101", "french held", {"lost": f"{EIGHT} {NINE} 146"} | VEHICLES),
            ("19 2138", "147 0101", "french held", {"lost": EIGHT.removesuffix(" 13")}),
            ("19 2138", "147 0101", "french held", {"lost": EIGHT, "out": ELEVEN.removesuffix(" 104")}),
            ("19 2138", "147 0101", "french held", {"lost": EIGHT, "out": ELEVEN.replace("104", "146")}),
            turn=10, out=ELEVEN),
        *verdicts(
            "KP-14.8.4 KP-14.8.3", "arras", "germans british",
            ("112 0505", "52 2341", "", {"turn": 14}),
            ("112 0505", "52 2341", "british reached", {"turn": 15}),
            ("112 0505", "63 2341", "british reached", {"turn": 16}),
            ("112 0505", "52 2341 D1", "", {"turn": 17}),
            ("112 0505", "52 2342", "", {"turn": 17}),
            ("112 0505", "52 2341", "british reached", {"turn": 18}),
            ("112 0505", "52 2341 D1", "germans held", {"turn": 18}),
            ("112 0505", "52 2342", "germans held", {"turn": 18}),
            ("112 2341", "52 3030", "germans held", {"turn": 18})),
        *verdicts(
            "R-KP-79 R-KP-89", "arras", "germans british",
            *(("112 0505", "52 2341 D1", verdict, {"dice": {"recovery:52": "1"}, "arras_check": option})
              for option, verdict in (("end_of_phase_f", "british reached"), ("end_of_phase_e", ""))),
            turn=15),
        *verdicts(
            "KP-14.9.4 KP-14.9.3 KP-14.0j", "abbeville", "germans british",
            ("112 0707; 113 0708; 114 0806", "42 1212", GERMANS),
            ("112 0707; 113 0708", "42 1212", BRITISH),
            ("112 0707; 113 0708; 114 0806 D1", "42 1212", BRITISH),
            ("112 0707; 115 0707 A; 94 0807", "42 0808; 43 0907; 44 0908", GERMANS),
            ("112 0707; 113 0708; 114 1212", "42 1215", BRITISH),
            turn=10),
        # bids count as units on the ground, as fewer units that must leave, as turns, and as units allowed on the hill
        *verdicts(
            "R-KP-93 R-KP-94", "spain", "nationalists republicans",
            *(("26 2138", "63 2340; 72 2341", verdict, {"bid_first": first, "bid_second": second})
              for first, second, verdict in (("0", "0", SPANIARDS), ("1", "0", TIE), ("2", "0", NATIONALISTS),
                                             ("2", "2", SPANIARDS))),
            turn=10),
        *verdicts(
            "R-KP-93 R-KP-94", "czechoslovakia", "germans czechs",
            (*CZECHS, "germans held"), (*CZECHS, "czechs exited", SECOND),
            (*CZECHS, "czechs exited", {"bid_second": "99"}), (*CZECHS, "germans held", FIRST),
            out=OUT, turn=10),
        *verdicts(
            "R-KP-94 R-KP-93", "arras", "germans british",
            ("112 0505", "52 2341", "", {"turn": 14}),
            ("112 0505", "52 2341", "british reached", {"turn": 14} | SECOND),
            ("112 0505", "52 2341", "", {"turn": 15} | FIRST),
            ("112 0505", "52 2341", "british reached", {"turn": 15} | FIRST | SECOND)),
        *verdicts(
            "R-KP-93 R-KP-94", "abbeville", "germans british",
            ("112 0707; 113 0708", "42 1212", BRITISH), ("112 0707; 113 0708", "42 1212", GERMANS, SECOND),
            ("112 0707; 113 0708", "42 1212", BRITISH, FIRST),
            turn=10),
    ],
)  # fmt: skip
def test_end_of_turn_has_its_verdict(stage: Stage, scenario: str, words: dict[str, Any], verdict: str) -> None:
    assert end(stage(scenario, **words)) == verdict


@pytest.mark.rule("KP-14.1.7", "KP-14.1.6", "KP-4.0c", "KP-2.0a")
def test_majority_counts_after_the_last_turn(stage: Stage) -> None:
    case = stage("spain", nationalists="26 2138", republicans="63 3040", turn=9)
    assert [end(case), end(case)] == ["", NATIONALISTS]


@pytest.mark.rule("KP-14.2.6", "KP-14.0i")
def test_fifth_czech_unit_that_leaves_ends_the_game(stage: Stage) -> None:
    case = stage("czechoslovakia", germans="91 2138", czechs="125 2902; 124 2801", out="122 123 26", turn=4)
    assert [end(case, czechs="125 A2"), end(case, czechs="124 A1")] == ["", "czechs exited"]


@pytest.mark.rule("KP-14.4.4")
@pytest.mark.parametrize(("level", "verdict"), [("", ""), ("D2 ", "poles destroyed")])  # 4 - 4: D2
def test_fourth_german_unit_destroyed_ends_the_game(stage: Stage, level: str, verdict: str) -> None:
    units = {"germans": f"115 1016 {level}A; 117 1101", "poles": "10 1015"}
    case = stage("poland", **units, lost="112 113 114", turn=3, dice={"fire:*": "1"})
    assert end(case, poles="10 N 1016") == verdict


@pytest.mark.rule("KP-14.8.4", "KP-14.8.3", "KP-6.1a")
def test_hex_of_arras_may_be_reached_by_a_move(stage: Stage) -> None:
    case = stage("arras", germans="112 0505", british="58 2351", turn=14)
    assert [end(case, british="58 A10"), end(case)] == ["", "british reached"]  # one turn too early, then in time


@pytest.mark.rule("R-KP-79", "R-KP-89")
@pytest.mark.parametrize("option", ["end_of_phase_f", "end_of_phase_e"])
def test_pin_does_not_count_as_disruption(stage: Stage, option: str) -> None:
    case = stage("arras", germans="102 2343", british="63 2341", turn=15, dice={"fire:*": "6"}, arras_check=option)
    assert end(case, germans="102 N 2341") == "british reached"
    assert case.pinned() == ["63"]
