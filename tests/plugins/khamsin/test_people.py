"""Characters as casualties (KH-23) and honour (KH-24)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.khamsin.cases import ALLIES, AXIS, Case, field, result

from khamsin.model.events import CharacterHit, HonourGained, LeaderReturned, MedalsAwarded
from khamsin.model.orders import PlaceLeader
from khamsin.model.state import DEAD, ON_MAP, WOUNDED, Fielded
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.records import OrderRecord

if TYPE_CHECKING:
    from tests.plugins.khamsin.conftest import Lay

WHERE = "15_pz_div sidi_rezegh; rommel sidi_rezegh; 7_armd_bde gabr_saleh"


def hit(lay: Lay, dice: dict[str, str], where: str = WHERE, **rest: Any) -> Case:
    case = lay(where, dice={"activation:7_armd_bde": "6"} | dice, **rest)
    with_him = field(AXIS, Fielded("15_pz_div", "panzer", command=True))
    return case.turn(with_him, result("axis", "6-1", casualties={"axis": ("rommel",)}), allies="7_armd_bde sidi_rezegh")


@pytest.mark.rule("KH-23.01", "KH-23.02")
def test_on_one_he_is_dead(lay: Lay) -> None:
    case = hit(lay, {"casualty:rommel": "1"})
    assert case.one(CharacterHit).fate == "killed"
    assert case.state.leaders["rommel"].standing == DEAD


@pytest.mark.rule("KH-23.03", "KH-R107")
@pytest.mark.parametrize(("die", "days", "turns"), [("2", "1", 1), ("3", "2", 1), ("2", "3", 2), ("2", "6", 3)])
def test_on_two_or_three_he_is_out_for_some_turns(lay: Lay, die: str, days: str, turns: int) -> None:
    case = hit(lay, {"casualty:rommel": die, "wound:rommel": days})
    struck = case.one(CharacterHit)
    assert (struck.fate, struck.returns) == ("wounded", 2 + turns + 1)
    away = 0
    while case.state.leaders["rommel"].standing == WOUNDED:
        away += 1
        case.turn()
    assert away == turns
    assert case.state.leaders["rommel"].standing == ON_MAP


@pytest.mark.rule("KH-23.05")
def test_on_four_or_more_nothing_comes_of_it(lay: Lay) -> None:
    case = hit(lay, {"casualty:rommel": "4"})
    assert case.one(CharacterHit).fate == "minor"
    assert case.at("rommel") == "sidi_rezegh"


TWO_ENTRIES = {"map.areas.sollum.entry": "axis"}


@pytest.mark.rule("KH-23.04", "KH-R108")
def test_he_comes_back_by_any_entry_that_is_open(lay: Lay) -> None:
    case = lay(
        WHERE, dice={"activation:7_armd_bde": "6", "casualty:rommel": "2", "wound:rommel": "1"}, changes=TWO_ENTRIES
    )
    told = field(AXIS, Fielded("15_pz_div", "panzer", command=True))
    fought = result("axis", "6-1", casualties={"axis": ("rommel",)})
    case.turn(told, fought, allies="7_armd_bde sidi_rezegh").turn(until=PlaceLeader)
    assert case.why_not(AXIS, PlaceLeader("tobruk")) in {"KH-23.04", "KH-R108"}
    before = len(case.game.records)
    case.play((AXIS, PlaceLeader("sollum")))
    assert case.at("rommel") == "sollum"
    new = list(case.game.records)[before:]
    seen = {side: [type(each) for each in seen_records(new, case.prepared, side)] for side in (AXIS, ALLIES)}
    assert OrderRecord in seen[AXIS]
    assert OrderRecord not in seen[ALLIES]


@pytest.mark.rule("KH-R108")
def test_he_waits_until_one_is_open(lay: Lay) -> None:
    def away(state: Any) -> None:
        state.leaders["rommel"].standing, state.leaders["rommel"].returns, state.leaders["rommel"].area = WOUNDED, 3, ""

    case = lay("15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh; rommel gambut", control="allies: gambut", tweak=away)
    case.turn()
    assert case.state.leaders["rommel"].standing == WOUNDED
    case.turn(axis="15_pz_div gambut")
    assert case.state.leaders["rommel"].standing == ON_MAP
    assert case.one(LeaderReturned).area == "gambut"


# --- honour ---


def honours(lay: Lay, axis: str = "Gary", **more: Any) -> dict[str, int]:
    fought_by = field(AXIS, Fielded("15_pz_div", "panzer", axis))
    options = {name: more.pop(name) for name in ("honor_auto",) if name in more}
    case = lay("15_pz_div sidi_rezegh; 7_armd_bde gabr_saleh", dice={"activation:7_armd_bde": "6"}, **options)
    case.turn(
        fought_by, field(ALLIES, Fielded("7_armd_bde", "crusader", "Aaron")), result("axis", "6-1", **more),
        allies="7_armd_bde sidi_rezegh",
    )  # fmt: skip
    return dict(case.state.honour)


@pytest.mark.rule("KH-24.01", "KH-24.02")
@pytest.mark.parametrize(("player", "points"), [("Gary", 7), ("Jim", 6)])
def test_points_of_victory_and_a_point_for_ones_own_troops(lay: Lay, player: str, points: int) -> None:
    found = honours(lay, player)
    assert (found[player], found["Aaron"], found["Bart"]) == (points, 1, 0)


@pytest.mark.rule("KH-24.03", "KH-24.08", "KH-R113")
@pytest.mark.parametrize(
    ("source", "reading", "gary", "aaron"),
    [("table", "resolver", 9, -4), ("table", "off", 9, -4), ("resolver", "resolver", 9, 1), ("resolver", "off", 7, 1)],
)
def test_heroism_and_bad_conduct(lay: Lay, source: str, reading: str, gary: int, aaron: int) -> None:
    """What people report counts always; the option is for automatic play."""
    found = honours(lay, heroic=("Gary",), unchivalrous=("Aaron",), source=source, honor_auto=reading)
    assert (found["Gary"], found["Aaron"]) == (gary, aaron)


@pytest.mark.rule("KH-24.10", "KH-R112")
def test_the_best_of_each_side_share_the_title(lay: Lay) -> None:
    def told(state: Any) -> None:
        state.honour |= {"Gary": 5, "Jim": 5, "Tom": 4, "Bart": 2, "Aaron": -3}

    case = lay("15_pz_div gambut; 7_armd_bde assembly_area", turn=10, tweak=told)
    case.turn()
    assert case.game.is_over
    assert {side: sorted(names) for side, names in case.one(MedalsAwarded).players.items()} == {
        "axis": ["Gary", "Jim"],
        "allies": ["Bart"],
    }
    assert case.events(HonourGained) == []
