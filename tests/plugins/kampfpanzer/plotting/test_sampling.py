"""Listed and sampled plots: each is legal, every legal plot occurs, and frequencies match the weights.

``Case.refused`` decides legality hex by hex, and expected frequencies are computed by hand. The streams are fixed, so
the counts are reproducible.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby, product
from typing import TYPE_CHECKING

import pytest

from kampfpanzer.plotting import sampling
from kampfpanzer.plotting.legality import route_of
from kampfpanzer.plotting.lines import PlotLine
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.plotting.sampling import draw_plot
from kampfpanzer.plotting.sheet import PlotSheet, plot_options
from kampfpanzer.plotting.situation import Situation
from sandtable.kernel.dice import Stream

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.cases import Case
    from tests.plugins.kampfpanzer.conftest import NewCase

AWAY = "94 1624"


def drawn(case: Case, draw: sampling.Draw, unit_id: str, times: int = 400) -> Counter[str]:
    """Sample plots of a French unit, and check that each is legal, except for stacking with other units."""
    situation = Situation(case.state, "french")
    found = Counter(draw(situation, unit_id, Stream(number.to_bytes(2, "big"))) for number in range(times))
    refused = {text: case.refused(f"{unit_id} {text}") for text in found if text}
    assert {text: rule for text, rule in refused.items() if rule not in ("", "KP-7.0a")} == {}
    return found


def allowed(case: Case, unit_id: str, letter: str, reach: int) -> set[str]:
    """Return every legal shot of a kind within a range."""
    here = case.state.units[unit_id].hex
    numbers = Situation(case.state, "french").ground.hexmap.within(here, reach)
    return {text for hex_ in numbers if not case.refused(f"{unit_id} {(text := f'{letter} {hex_}')}")}


def sheet_of(case: Case) -> PlotSheet:
    sheet = plot_options(case.state, "french").fields["plots"]
    assert isinstance(sheet, PlotSheet)
    return sheet


def share(found: Counter[str], *texts: str) -> float:
    return sum(found[text] for text in texts) / found.total()


# --- fire ---


def test_direct_fire_samples_every_target_in_range(new_case: NewCase) -> None:
    # 0813 is 6 hexes from 0807 and the range is 5; a hex of woods such as 1207 must be within 3
    case = new_case(
        french="48 0807", germans="94 0805; 112 0810; 115 0810 A; 95 0813; 113 0907; 114 1207", woods="0907 1207"
    )
    found = drawn(case, sampling.draw_direct, "48", 1500)
    assert set(found) == {"N 0810", "N 0810/112", "N 0810/115", "N 0907", "N 0907/113", ""}  # R has no effect on a tank
    assert 0.12 < share(found, "") < 0.2  # 2 of the 5 in range are not targets, and sampling tries twice
    case = new_case(french="1 0807", germans="94 0805; 112 0810; 115 0810 A")
    found = drawn(case, sampling.draw_direct, "1", 1200)
    assert set(found) == {"N 0805", "N 0805/94", "N 0810", "N 0810/112", "N 0810/115"}
    assert 0.07 < share(found, "N 0805/94") / share(found, "N 0805", "N 0805/94") < 0.19  # 1 in 8
    assert 0.18 < share(found, "N 0810") / (1 - share(found, "N 0805", "N 0805/94")) < 0.32  # 1 in 4
    assert 0.28 < share(found, "N 0805", "N 0805/94") < 0.39  # enemies are uniform


def test_gun_samples_targets_in_its_arc(new_case: NewCase) -> None:
    case = new_case(french="35 0807 A", germans="94 0805; 95 0809; 96 0906")
    assert set(drawn(case, sampling.draw_direct, "35")) == {"N 0805", "N 0805/94", "N 0906", "N 0906/96", ""}


@pytest.mark.rule("R-KP-26")
def test_wasted_shots_are_sampled_by_option(new_case: NewCase) -> None:
    case = new_case(
        french="26 0807", germans="94 0809", fire_at_empty_hex="wasted", more={"kinds": {"Inf-Fr": {"range_hexes": 2}}}
    )
    found = drawn(case, sampling.draw_direct, "26", 1500)
    empty = allowed(case, "26", "N", 2) - {"N 0809"}
    assert len(empty) == 17
    assert set(found) == {*empty, ""}
    assert 0.70 < share(found, "") < 0.82  # 3 in 4, and sometimes the enemy's hex
    case = new_case(french="26 0807", germans="94 0809")
    assert set(drawn(case, sampling.draw_direct, "26", 50)) == {""}


@pytest.mark.rule("KP-9.25a")
@pytest.mark.parametrize(("unit", "place"), [("26", "0807"), ("35", "0807 D"), ("35", "0807 A"), ("35", "0807 F")])
def test_opportunity_fire_samples_every_legal_hex(new_case: NewCase, unit: str, place: str) -> None:
    reach = {name: {"range_hexes": 3} for name in ("Inf-Fr", "25mm")}
    case = new_case(french=f"{unit} {place}", germans="94 0809; 95 0905; 96 0707", woods="1006", more={"kinds": reach})
    assert set(drawn(case, sampling.draw_opportunity, unit, 1500)) - {""} == allowed(case, unit, "P", 3)


def test_opportunity_fire_sampling_tries_3_hexes(new_case: NewCase) -> None:
    # in the corner 2 of 3 hexes are off the map, so 3 tries may find none
    found = drawn(new_case(french="26 0101"), sampling.draw_opportunity, "26", 600)
    assert 0.15 < share(found, "") < 0.4


@pytest.mark.full
def test_shells_are_sampled_at_beside_and_away_from_enemies(new_case: NewCase) -> None:
    far = {"kinds": {"75mmH": {"range_hexes": 4}}}
    case = new_case(french="39 0807 A", more=far)
    aims = [text for letter in "TL" for text in allowed(case, "39", letter, 4)]
    found = drawn(case, sampling.draw_shells, "39", 4000)
    assert set(found) - {""} == set(aims)
    assert 0.45 < share(found, *(text for text in aims if text[0] == "T")) / share(found, *aims) < 0.55
    case = new_case(french="39 0807 A", germans="94 0804", more=far)
    found = drawn(case, sampling.draw_shells, "39", 2000)
    assert 0.55 < share(found, "T 0804", "L 0804") < 0.72  # 2/3 of 3/4, or after a miss
    beside = [f"{letter} {hex_}" for letter in "TL" for hex_ in ("0803", "0805", "0703", "0704", "0903", "0904")]
    assert {text for text in found if text} >= {text for text in beside if text in aims}
    assert 0.2 < share(found, *beside) < 0.38
    assert share(found, "") < 0.05
    edge = drawn(new_case(french="39 0804 A", germans="94 0801", more=far), sampling.draw_shells, "39", 1500)
    assert share(edge, "") < 0.04  # beside the enemy the map ends, so sampling tries again
    near = drawn(new_case(french="39 0807 A", germans="94 0805 D1", more=far), sampling.draw_shells, "39", 200)
    assert {"T 0806", "L 0806"} <= set(near)


@pytest.mark.rule("KP-9.4e")
@pytest.mark.parametrize("facing", "ABCDEF")
def test_facing_samples_the_five_other_directions(new_case: NewCase, facing: str) -> None:
    found = drawn(new_case(french=f"35 0807 {facing}"), sampling.draw_facing, "35", 100)
    assert set(found) == set("ABCDEF") - {facing}


# --- movement ---


def ends(case: Case, unit_id: str, found: Counter[str]) -> set[str]:
    """Return the end hexes of the sampled moves."""
    situation = Situation(case.state, "french")
    start = case.state.units[unit_id].hex
    return {route_of(situation, unit_id, parse_plot(text)).end(start) for text in found if text}


@pytest.mark.rule("KP-6.0c", "KP-6.0d", "KP-5.1c")
def test_move_samples_every_hex_in_reach(new_case: NewCase) -> None:
    case = new_case(french="48 0807")  # A11: three points
    found = drawn(case, sampling.draw_move, "48", 3000)
    near = set(Situation(case.state, "french").ground.hexmap.within("0807", 3))
    assert ends(case, "48", found) == near | {"0807"}  # including the start
    assert any("S" in text for text in found)
    assert any(text.startswith("S") for text in found)
    assert {parse_plot(text).legs[-1][1] for text in found if text} >= {1, 2, 3}


@pytest.mark.rule("KP-13.0c")
def test_vehicle_move_never_ends_in_a_trench(new_case: NewCase) -> None:
    case = new_case(french="48 0807; 26 0806 entrenched")
    assert "0806" not in ends(case, "48", drawn(case, sampling.draw_move, "48", 600))
    case = new_case(french="26 0807; 35 0806 A entrenched")
    assert "0806" in ends(case, "26", drawn(case, sampling.draw_move, "26", 200))


@pytest.mark.rule("KP-14.0i", "R-KP-21", "KP-14.0j")
def test_move_samples_exits_within_the_allowance(new_case: NewCase) -> None:
    exits = {"exits": {"french": "0801 0901"}}
    case = new_case(french="48 0801; 138 0901", more=exits)
    found = drawn(case, sampling.draw_move, "48", 600)
    leaving = {text for text in found if text and "" in ends(case, "48", Counter([text]))}
    assert {"A1", "F1", "B1"} & leaving
    assert 0.05 < share(found, *leaving) < 0.9
    assert "" not in ends(case, "138", drawn(case, sampling.draw_move, "138", 200))  # an empty truck
    found = drawn(new_case(french="26 0802", more=exits), sampling.draw_move, "26", 200)
    assert set(found) - {""} == {"A1", "B1", "C1", "D1", "E1", "F1"}  # no point is left to leave


@pytest.mark.rule("KP-14.0f", "KP-14.0g")
def test_move_samples_every_entry_hex(new_case: NewCase) -> None:
    case = new_case(french="48 enters 0501/0901", woods="0501")
    found = drawn(case, sampling.draw_move, "48", 400)
    assert {parse_plot(text).entry for text in found if text} == {"0501", "0901"}
    assert "0501" in found  # the woods use all 3 points
    assert {text for text in found if text.startswith("0501 ")} == set()
    case = new_case(french="48 enters 0501", woods="0501", more={"kinds": {"A11": {"movement": 2}}})
    assert set(drawn(case, sampling.draw_move, "48", 20)) == {""}


# --- overruns ---


@pytest.mark.rule("KP-9.6b", "KP-9.62a", "KP-9.6d", "R-KP-53")
def test_overrun_samples_every_direction(new_case: NewCase) -> None:
    case = new_case(french="1 0605; 26 0810", germans="112 0808; 94 1001; 113 0116")
    found = drawn(case, sampling.draw_overrun, "1", 600)
    assert {text[-1] for text in found if text} == set("ABCDEF")
    assert all(text.rpartition(" ")[2].startswith("V") for text in found if text)
    assert set(drawn(case, sampling.draw_overrun, "26", 20)) == {""}
    case = new_case(french="1 0605", germans="112 0808; 94 0709")  # where VE would end
    assert {text[-1] for text in drawn(case, sampling.draw_overrun, "1", 400) if text} == set("ABCDF")
    assert set(drawn(new_case(french="1 0805", germans="94 0808"), sampling.draw_overrun, "1", 20)) == {""}


@pytest.mark.rule("KP-9.61a", "KP-6.0c")
@pytest.mark.parametrize(("start", "comes"), [("0806", True), ("0805", True), ("0804", False)])
def test_overrun_samples_stay_within_the_allowance(new_case: NewCase, start: str, comes: bool) -> None:
    # R35: six points, of which 0808, 0809 and the overrun itself take four.
    case = new_case(french=f"6 {start}", germans="112 0808")
    found = drawn(case, sampling.draw_overrun, "6", 300)
    assert any(text.endswith("VD") for text in found) == comes


@pytest.mark.full
def test_a_move_may_end_in_an_overrun(new_case: NewCase) -> None:
    case = new_case(french="1 0805; 48 0105", germans="112 0808")
    found = drawn(case, sampling.draw_move, "1", 1500)
    assert any("V" in text for text in found)
    assert not any("V" in text for text in drawn(case, sampling.draw_move, "48", 200))
    case = new_case(french="1 0805", germans="94 1624", overrun_target="any_hex")
    assert 0.15 < sum(n for text, n in drawn(case, sampling.draw_move, "1").items() if "V" in text) / 400 < 0.3


# --- operations and pairs ---


@pytest.mark.full
def test_operations_are_sampled_by_their_weights(new_case: NewCase) -> None:
    case = new_case(
        french="1 0807; 26 1207; 35 0407 A; 39 0414 A; 138 1214", germans="112 0805; 113 1210; 114 0405; 116 1208"
    )
    for unit, menu in {
        "1": {"move": 5, "overrun": 2, "direct": 3, "opportunity": 2},
        "26": {"move": 4, "direct": 4, "opportunity": 3},
        "35": {"direct": 4, "opportunity": 3, "facing": 2},
        "39": {"shells": 5, "facing": 1},
        "138": {"move": 1},
    }.items():
        found = Counter[str]()
        for text, count in drawn(case, draw_plot, unit, 600).items():
            kind = parse_plot(text).kind if text else "move"  # no move was possible
            found["shells" if kind in ("tight", "loose") else kind] += count
        whole = sum(menu.values())
        assert set(found) == set(menu)
        for kind, weight in menu.items():  # infantry has 1 point, so half of its moves are empty
            assert abs(found[kind] / 600 - weight / whole) < 0.15, (unit, kind, found)


@pytest.mark.rule("KP-12.2b", "KP-14.7.2")
def test_immobile_units_sample_no_move(new_case: NewCase) -> None:
    case = new_case(french="1 0807; 138 1207; 26 aboard 138", germans="112 0805", more={"no_move": {"french": 1}})
    kinds = {parse_plot(text).kind for text in drawn(case, draw_plot, "1") if text}
    assert kinds == {"direct", "opportunity"}
    assert set(drawn(case, draw_plot, "26", 20)) == set(drawn(case, draw_plot, "138", 20)) == {""}


def sheets(case: Case, times: int) -> list[dict[str, str]]:
    """Sample complete sheets of the French."""
    sheet = sheet_of(case)
    return [sheet.sample(Stream(number.to_bytes(2, "big"))) for number in range(times)]


@pytest.mark.rule("KP-5.31b", "KP-5.32a", "R-KP-34")
def test_single_line_samples_embarkation_pairs(new_case: NewCase) -> None:
    case = new_case(
        french="29 0807; 138 0808; 139 0810; 35 aboard 139; 140 1214; 30 aboard 140; 36 0101 A", germans=AWAY
    )
    lines = sheet_of(case).lines

    def draw(unit_id: str) -> Counter[str]:
        return Counter(lines[unit_id].sample(Stream(number.to_bytes(2, "big"))) for number in range(200))

    assert 0.15 < share(draw("29"), "M") < 0.35  # 1 in 4
    assert 0.15 < share(draw("138"), "M 0807") < 0.35
    assert set(draw("35")) == {"Q", *(f"Q {letter}" for letter in "ABCDEF")}
    assert set(draw("30")) == {"Q"}
    drops = {text for text in draw("139") if text.startswith("Q")}
    assert drops == {f"Q {hex_}" for hex_ in Situation(case.state, "french").ground.around("0810")}
    idle = new_case(french="138 0807", germans=AWAY, more={"no_move": {"french": 1}})
    with pytest.raises(ValueError, match="no choice"):
        sheet_of(idle).lines["138"].sample(Stream(b""))


@pytest.mark.full
@pytest.mark.rule("KP-12.11a", "KP-5.31a", "KP-5.32a", "R-KP-34")
def test_sheets_sample_embarking_and_debarking_pairs(new_case: NewCase) -> None:
    case = new_case(
        french="1 enters 0101; 29 0807; 138 0808; 139 0810; 35 aboard 139; 140 1214; 30 aboard 140 D1;"
        "141 0814; 26 0813 D1",
        germans="94 1624",
    )
    found = sheets(case, 400)
    both = [(each["138"], each["29"]) for each in found if each.get("29") == "M"]
    assert set(both) == {("M 0807", "M")}
    assert 0.15 < len(both) / 400 < 0.35  # 1 in 4
    off = Counter(each["35"] for each in found if "35" in each)
    assert set(off) == {"Q", *(f"Q {letter}" for letter in "ABCDEF")}
    assert 0.15 < off.total() / 400 < 0.35
    assert 0.1 < off["Q"] / off.total() < 0.4
    assert len({each["139"] for each in found if "35" in each}) == 6
    assert not any("30" in each or "M" in each.get("141", "") for each in found)


# --- listed plots ---


def every_move(points: int, more: str = "") -> set[str]:
    """Return all moves of up to ``points`` points over clear terrain, including halts, in canonical form."""
    words = ("".join(row) for count in range(1, points + 1) for row in product("ABCDEFS", repeat=count))
    legs = (" ".join(f"{letter}{len(list(same))}" for letter, same in groupby(word)) for word in words)
    return {text for text in legs if set(text) & set("ABCDEF" + more)}


@pytest.mark.full
@pytest.mark.rule("KP-5.1a", "KP-5.1b", "KP-5.1c", "KP-6.0c", "KP-5.22c", "KP-14.0d", "KP-14.0i")
def test_line_lists_every_legal_plot(new_case: NewCase) -> None:
    slow = {"kinds": {"R35": {"movement": 4, "range_hexes": 1}, "A11": {"movement": 2}}}
    case = new_case(french="6 0807; 48 enters 0801", germans="29 0808; 94 0908", more=slow)

    def listed(unit_id: str) -> Counter[str]:
        return Counter(PlotLine(Situation(case.state, "french"), unit_id).values())

    assert max(listed("6").values()) == 1
    moves = {text for text in listed("6") if parse_plot(text).is_movement}
    assert moves == every_move(4) | {"VD"}
    shots = set(listed("6")) - moves
    empty = {f"P {hex_}" for hex_ in ("0806", "0707", "0708", "0907")}
    assert shots == {"N 0808", "N 0808/29", "N 0908", "N 0908/94"} | empty
    north = {text for text in every_move(1, "S") if text[0] in "AFB"}  # from 0801 these directions lead off the map
    inwards = {f"0801 {text}" for text in every_move(1, "S")} - {f"0801 {text}" for text in north if text[0] == "A"}
    assert set(listed("48")) >= {"0801", "0801 D1", "0801 S1"}
    assert set(listed("48")) <= {"0801"} | inwards
