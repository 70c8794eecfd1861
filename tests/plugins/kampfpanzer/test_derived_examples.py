"""Examples that the book does not print and that follow from it, X-KP-7 to X-KP-18, with loaded dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kampfpanzer.model.events import FireResolved, FireWithheld, OverrunResolved, PanicRolled, UnitShelled

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import Lay

from tests.plugins.kampfpanzer.cases import group

# --- strengths ---


@pytest.mark.rule("KP-9.18a", "KP-9.51d")
@pytest.mark.parametrize(("distance", "strength"), [(1, 24), (6, 10)])
def test_x07_x08_mixed_weapons_double_last_against_soft_targets(lay: Lay, distance: int, strength: int) -> None:
    case = lay(french="19 0804", germans=f"112 08{4 + distance:02}", dice={"fire:*": "6"})
    assert case.turn(french=f"19 N 08{4 + distance:02}").one(FireResolved).strengths == [strength]


@pytest.mark.rule("KP-9.51b")
def test_x09_small_arms_may_not_fire_at_armour(lay: Lay) -> None:
    case = lay(french="6 0808", germans="91 0806; 112 0706; 48 0606")
    assert {case.refused(f"{unit} N 0808") for unit in ("91", "112", "48")} == {"KP-9.51b"}


@pytest.mark.rule("KP-9.11a", "KP-9.11c", "KP-9.18a")
@pytest.mark.parametrize(("groups", "attacks"), [(["6 7"], [0]), (["6", "7"], [-1, -1])])
def test_x10_together_or_one_by_one(lay: Lay, groups: list[str], attacks: list[int]) -> None:
    case = lay(french="6 0802; 7 0903", germans="122 0810", dice={"fire:0810:122": " ".join("6" for _ in attacks)})
    case.turn(group("french", *groups), french="6 N 0810; 7 N 0810")
    assert [shot[2] for shot in case.fire()] == attacks


@pytest.mark.rule("KP-9.7b")
def test_x11_a_hopeless_attack_is_not_allowed(lay: Lay) -> None:
    case = lay(french="6 0802", germans="52 0810").turn(french="6 N 0810")
    assert case.one(FireWithheld).superiority == -7
    assert case.fire() == []


@pytest.mark.rule("KP-9.37d", "R-KP-48")
@pytest.mark.parametrize(("die", "level"), [(1, 2), (2, 2), (3, 1), (4, 1), (5, 0), (6, 0)])
def test_x12_tight_fire_into_woods(lay: Lay, die: int, level: int) -> None:
    case = lay(french="39 0820 A", germans="112 0808", woods="0808", dice={"shell:112:39": str(die)})
    case.turn(french="39 T 0808", germans="112 P 0815")
    hit = case.one(UnitShelled)
    assert (hit.column, hit.added, case.level("112")) == ("static", 1, level)


@pytest.mark.rule("KP-9.37c")
@pytest.mark.parametrize(("die", "level"), [(1, 1), (2, 1), (3, 0)])
def test_x13_loose_fire_into_woods(lay: Lay, die: int, level: int) -> None:
    case = lay(french="39 0820 A", germans="112 0808", woods="0808", dice={"shell:112:39": str(die)})
    case.turn(french="39 L 0808")
    assert (case.one(UnitShelled).column, case.level("112")) == ("moving", level)


# --- overruns, panic, roads, crests ---


@pytest.mark.rule("KP-9.63a", "KP-9.69a", "R-KP-52")
def test_x14_three_tanks_overrun_infantry_and_a_gun(lay: Lay) -> None:
    case = lay(french="29 0808; 38 0808 A", germans="94 0806; 95 0707; 96 0907", dice={"overrun:0808": "6"})
    case.turn(germans="94 D1 VD; 95 D1 VC; 96 D1 VE")
    overrun = case.one(OverrunResolved)
    assert (sorted(overrun.attackers), overrun.counted, overrun.superiority) == (["94", "95", "96"], 2, 5)
    assert case.at("94", "95", "96") == "0809 0909 0709"


@pytest.mark.rule("KP-12.15c", "KP-12.0c")
def test_x15_a_truck_and_its_infantry_are_one_unit_to_overrun(lay: Lay) -> None:
    case = lay(french="138 0808; 29 aboard 138", germans="94 0806", dice={"overrun:0808": "5"})
    overrun = case.turn(germans="94 D1 VD").one(OverrunResolved)
    assert (overrun.counted, overrun.superiority) == (1, 3)
    assert case.levels("138", "29") == [2, 2]


@pytest.mark.rule("KP-11.11c", "KP-11.11a", "KP-11.12a")
def test_x16_who_panics(lay: Lay) -> None:
    case = lay(
        french="1 0204; 2 0510; 3 0805; 4 1014 D1; 29 1220",
        more={"panic": {"french": 2}},
        dice={"panic:french": "4"},
    )
    rolled = next(event for event in case.turn().events(PanicRolled) if event.side == "french")
    assert (rolled.level, rolled.die, sorted(rolled.digits), sorted(rolled.units)) == (
        2,
        4,
        ["0", "4"],
        ["1", "2", "29"],
    )


@pytest.mark.rule("KP-10.0g", "R-KP-17")
def test_x17_infantry_walks_two_hexes_along_a_road(lay: Lay) -> None:
    case = lay(french="29 0808", road="0806 0807 0808")
    assert case.refused("29 A2") == ""
    assert case.turn(french="29 A2").track("29") == [(1, "0807"), (2, "0806")]


@pytest.mark.rule("KP-9.16b", "KP-9.16c", "R-KP-31")
@pytest.mark.parametrize(
    ("ground", "crest", "blocked"),
    [
        ({}, "0805/0806", True),
        ({"hilltop": "0809"}, "0805/0806", True),
        ({"slope": "0803", "hilltop": "0809"}, "0805/0806", False),
        ({}, "0803/0804", False),
        ({}, "0808/0809", False),
        ({"hilltop": "0809"}, "0808/0809", False),
    ],
)
def test_x18_a_crest_blocks_low_ground(lay: Lay, ground: dict[str, str], crest: str, blocked: bool) -> None:
    case = lay(french="1 0803", germans="94 0809", crest_sides=crest, **ground)
    assert (case.refused("1 N 0809") in {"KP-9.16b", "KP-9.15a", "KP-9.13c"}) == blocked
