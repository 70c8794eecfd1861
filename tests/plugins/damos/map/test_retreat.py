"""Retreat paths: length, direction, enemy zones, cities and boundaries (DM-8.11)."""

import gc
import weakref
from collections.abc import Collection
from typing import Any

import pytest
from tests.plugins.damos.conftest import Lay, Stage
from tests.plugins.damos.positions import GERMAN, SOVIET, shipped
from tests.plugins.damos.scattered import OTHER, scattered

from damos.map.retreat import retreat_space
from damos.model.orders import Retreat
from damos.model.state import DamosState
from sandtable.kernel.dice import Stream


def retreats(
    state: DamosState, unit_id: str, least: int, most: int, ignoring: Collection[str] | None = None
) -> list[list[str]]:
    """Return the paths of a unit's retreat. By default the zones of the hex that it leaves are ignored."""
    hex_ = state.units[unit_id].hex
    space = retreat_space(state, [unit_id], hex_, least, most, (hex_,) if ignoring is None else ignoring)
    return [order.path for order in space.values()]


def ends(paths: list[list[str]]) -> list[str]:
    return sorted({path[-1] for path in paths})


# --- length and direction ---


@pytest.mark.rule("DM-8.11b", "DM-8.11a", "R-DM-16")
def test_an_attacker_retreats_one_hex_toward_supply(lay: Lay) -> None:
    state = lay("2812 I1; 2812 i1").state
    assert ends(retreats(state, "I1", 1, 1)) == ["2712", "2713", "2813", "2912", "2913"], (
        "a hex at the same distance is allowed"
    )
    assert ends(retreats(state, "i1", 1, 1)) == ["2712", "2811", "2912"]


@pytest.mark.rule("DM-8.11b", "R-DM-16", "R-DM-72")
def test_a_defender_retreats_two_or_three_hexes(lay: Lay) -> None:
    state = lay("2812 I1; 2812 i1").state
    paths = retreats(state, "i1", 2, 3)
    assert {len(path) - 1 for path in paths} == {2, 3}
    assert ["2812", "2811", "2810"] in paths
    assert ["2812", "2811", "2810", "2809"] in paths
    assert ["2812", "2813", "2814"] not in paths
    assert all(path[0] == "2812" and "2812" not in path[1:] for path in paths)


BLOCKED = "2812 I1; 2711 I2!; 2811 I3!; 2912 I4!"
"""Germans on the hexes east of 2812, except 2712."""


@pytest.mark.rule("DM-8.11a", "DM-8.11d", "R-DM-16", "AGC-4.3.2b")
@pytest.mark.parametrize(("german", "more", "found"), [
    ("2812 I1", {"retreat_towards_supply": "owner_free"}, "2712 2713 2811 2813 2912 2913"),
    ("2812 I1", {"city": "2814"}, "2713 2813 2913"), ("2812 I1", {"city": "2812 2815"}, "2713 2813 2913"),
    ("2812 I1", {"city": "2814", "control": {GERMAN: "2814"}}, "2712 2811 2912"),
    ("2812 I1", {"city": "2512"}, "2712 2713 2811 2813"), (f"{BLOCKED}; 2712 I5!", {}, "2713 2813 2913"),
    (f"{BLOCKED}; 2712 I5!", {"retreat_towards_supply": "never_farther"}, ""),
    (BLOCKED, {"retreat_towards_supply": "never_farther"}, "2712"),
])  # fmt: skip
def test_a_soviet_retreat_heads_for_the_nearest_source(lay: Lay, german: str, more: dict[str, Any], found: str) -> None:
    """A friendly city is a source, unless the unit leaves it. If no path leads closer, all hexes are open."""
    state = lay(german=german, soviet="2812 i1", **more).state
    assert ends(retreats(state, "i1", 1, 1)) == found.split()


@pytest.mark.rule("AGC-1.3b", "AGC-1.3c", "R-DM-71")
def test_germans_retreat_into_the_marsh_only_if_no_other_hex_is_free(stage: Stage) -> None:
    board = shipped().board
    marsh = sorted(set(board.around["3122"]) & board.marsh)
    assert set(board.around["3122"]) - set(marsh) == {"3121", "3021", "3022"}
    for soviets, found in (("", ["3021", "3022", "3121"]), ("3021 s-1rc!; 3022 s-5rc!", ["3121"]), (DRY, marsh)):
        for unit in ("g-267", "g-3pz"):
            state = stage(german=f"3122 {unit}", soviet=soviets, retreat_towards_supply="owner_free").state
            assert ends(retreats(state, unit, 1, 1)) == found
    assert retreats(stage("3122 s-4rc", retreat_towards_supply="owner_free").state, "s-4rc", 1, 1)


DRY = "3121 s-4rc!; 3021 s-1rc!; 3022 s-5rc!"
"""Soviets on all hexes around 3122 outside the marsh."""


# --- enemy zones ---


@pytest.mark.rule("DM-8.11d", "DM-2.5d", "R-DM-86")
def test_only_zones_from_other_hexes_block_a_retreat(lay: Lay) -> None:
    state = lay("2812 I1; 2810 I2; 2812 i1").state
    assert ends(retreats(state, "i1", 1, 1)) == ["2712", "2912"], "2811 is beside I2"
    assert retreats(state, "i1", 1, 1, ignoring=()) == [], "by the literal rule"
    assert retreat_space(state, ["i1"], "2812", 1, 1).is_empty()
    assert not retreat_space(state, ["i1"], "2812", 1, 1, ["2812"]).is_empty()


@pytest.mark.full
def test_an_unfinished_search_is_freed_with_its_space(lay: Lay) -> None:
    """If it were not, thousands of games in one process would fill its memory."""
    space: Any = retreat_space(lay("2812 I1; 2812 i1").state, ["i1"], "2812", 2, 3, ["2812"])
    assert next(space.values())
    search = weakref.ref(space.to_come)
    del space
    gc.collect(1)
    assert search() is None


@pytest.mark.rule("DM-8.11d", "R-DM-17", "R-DM-72")
def test_a_defender_without_a_path_of_two_hexes_is_eliminated(lay: Lay) -> None:
    ring = "2710 I2; 2910 I3; 2712 I4!; 2713 I5!; 2813 I6!; 2912 I7!; 2913 I8!"
    state = lay(f"2812 I1; {ring}; 2812 i1").state
    assert ends(retreats(state, "i1", 1, 1)) == ["2811"]
    assert retreats(state, "i1", 2, 3) == []
    assert retreat_space(state, ["i1"], "2812", 2, 3, ["2812"]).is_empty()
    with pytest.raises(ValueError, match=r"no choice|no set-up"):
        retreat_space(state, ["i1"], "2812", 2, 3, ["2812"]).sample(Stream(b"any"))


@pytest.mark.rule("R-DM-17")
@pytest.mark.parametrize(("option", "there"), [("kills", []), ("friendly_cancels", ["2811"])])
def test_a_friend_in_the_hex_cancels_the_zone_by_option(lay: Lay, option: str, there: list[str]) -> None:
    german = "2812 I1; 2611 I2; 2613 I3; 3011 I4; 3013 I5; 2810 I6; 2814 I7"
    state = lay(german=german, soviet="2812 i1; 2811 i2", retreat_ezoc_friendly=option).state
    assert ends(retreats(state, "i1", 1, 1)) == there


@pytest.mark.rule("DM-2.8c", "DM-2.5e")
def test_a_demoralized_enemy_blocks_only_its_hex(lay: Lay) -> None:
    state = lay("2812 I1; 2810 I2!; 2811 I3!; 2812 i1").state
    assert ends(retreats(state, "i1", 1, 1)) == ["2712", "2912"]


# --- cities ---


@pytest.mark.rule("DM-8.11h", "R-DM-72")
def test_a_friendly_major_city_in_the_first_hex_ends_a_retreat(lay: Lay) -> None:
    state = lay("2812 I1; 2809 I2; 2812 i1", major="2811").state
    assert ["2812", "2811"] in retreats(state, "i1", 2, 3)
    state.control["2811"] = GERMAN
    assert ["2812", "2811"] not in retreats(state, "i1", 2, 3)
    city = lay("2812 I1; 2812 i1", city="2811").state
    assert ["2812", "2811"] not in retreats(city, "i1", 2, 3), "a lesser city does not"


@pytest.mark.rule("DM-2.5b", "DM-8.11h")
def test_zones_do_not_extend_into_an_occupied_major_city(lay: Lay) -> None:
    german = "2812 I1; 2710 I2; 2910 I3; 2614 I4; 3014 I5; 2814 I6; 2612 I7; 3012 I8"
    state = lay(german=german, soviet="2812 i1; 2811 i2", major="2811").state
    assert retreats(state, "i1", 2, 3) == [["2812", "2811"]]
    assert retreats(lay(german=german, soviet="2812 i1; 2811 i2").state, "i1", 2, 3) == []


# --- boundaries ---


@pytest.mark.rule("R-DM-71", "AGC-1.3a", "AGC-1.3f", "AGC-1.3g")
@pytest.mark.parametrize(("option", "out"), [("apply", False), ("ignore", True)])
def test_boundaries_bind_retreats_by_option(stage: Stage, option: str, out: bool) -> None:
    for position, unit in (("2410 g-3pz; 2317 s-4rc", "s-4rc"), ("2525 g-3pz; 2524 s-4rc", "s-4rc")):
        state = stage(position, boundaries_retreat=option, retreat_towards_supply="owner_free").state
        assert any(hex_ not in state.board.area for hex_ in ends(retreats(state, unit, 1, 1))) is out


# --- refusals ---


@pytest.mark.rule("DM-8.11b", "DM-8.11d", "R-DM-16", "DM-8.11a")
def test_a_refused_retreat_cites_its_rule(lay: Lay) -> None:
    state = lay("2812 I1; 2609 I2; 3010 I3!; 2812 i1").state
    space = retreat_space(state, ["i1"], "2812", 2, 3, ["2812"])
    reasons = {
        "2812 2811": "DM-8.11b",
        "2812 2811 2810 2809 2808": "DM-8.11b",
        "2811 2810 2809": "DM-8.11a",
        "2812 2810 2809": "DM-8.11a",
        "2812 2711 2710": "DM-8.11a",
        "2812 2712 2710": "DM-8.11a",
        "2812 2712 2611 2610": "DM-8.11d",
        "2812 2813 2814": "R-DM-16",
        "2812 2811 2812": "DM-8.11a",
        "2812 9999": "DM-8.11a",
        "": "DM-8.11a",
    }
    for path, rule in reasons.items():
        refusal = space.why_not(Retreat(path.split()))
        assert refusal is not None, path
        assert (refusal.rule, bool(refusal.reason)) == (rule, True), path
    for order in space.values():
        space.check(order)


# --- by brute force ---


def brute_force(state: DamosState, side: str, start: str, least: int, most: int) -> set[tuple[str, ...]]:
    """Return every path by the wording of the rules, with simple loops."""
    board = state.board
    on_map = [unit for unit in state.units.values() if unit.hex]
    enemies = {unit.hex for unit in on_map if unit.side == OTHER[side]}
    steady = {unit.hex for unit in on_map if unit.side == OTHER[side] and not unit.demoralized and unit.hex != start}
    friends = {unit.hex for unit in on_map if unit.side == side}
    major = set(board.hexmap.hexes_with("major_city"))
    zone = {near for hex_ in steady for near in board.around[hex_] if not (near in major and near in friends)}
    cities = {*board.hexmap.hexes_with("city"), *major}
    if side == GERMAN:
        sources = [hex_ for hex_ in board.area if hex_.endswith("30")]
    else:
        sources = [hex_ for hex_ in board.area if hex_.endswith("01")]
        sources += [
            hex_ for hex_ in cities & board.area if state.control[hex_] == SOVIET and board.home[hex_] == SOVIET
        ]
    sources = [hex_ for hex_ in sources if hex_ != start]  # the hex that is lost is no longer a source
    german_east = any(hex_ in board.beyond_marsh for hex_ in friends) or any(
        state.control[hex_] == GERMAN for hex_ in board.beyond_marsh
    )
    shut = set() if side == SOVIET or german_east else board.marsh | board.extension

    def distance(hex_: str) -> int:
        return min(int(board.hexmap.range_hexes(hex_, source)) for source in sources)

    def found(closed: set[str]) -> set[tuple[str, ...]]:
        def onward(path: tuple[str, ...]) -> list[tuple[str, ...]]:
            return [(*path, near) for near in board.around[path[-1]] if near not in path and near not in closed]

        def is_over(path: tuple[str, ...]) -> bool:
            return len(path) > least or (len(path) == 2 and path[1] in major and state.control[path[1]] == side)

        def lives(path: tuple[str, ...]) -> bool:
            return is_over(path) or any(map(lives, onward(path)))

        paths: set[tuple[str, ...]] = set()
        open_: list[tuple[str, ...]] = [(start,)]
        while open_:
            path = open_.pop()
            if is_over(path):
                paths.add(path)
            if len(path) <= most:
                living = [each for each in onward(path) if lives(each)]
                nearer = [each for each in living if distance(each[-1]) <= distance(path[-1])]
                open_ += nearer or living
        return paths

    outside = set(board.hexmap.numbers) - board.area
    return found(enemies | zone | outside | shut) or found(enemies | zone | outside | (shut - board.marsh))


@pytest.mark.rule("DM-8.11a", "DM-8.11b", "DM-8.11d", "DM-2.5d", "R-DM-16", "R-DM-17", "R-DM-72", "R-DM-86")
@pytest.mark.parametrize("seed", range(10))
def test_retreat_paths_match_a_brute_force_search(seed: int) -> None:
    state = scattered(seed, most=120)
    looked = 0
    for unit_id in sorted(state.units):
        unit = state.units[unit_id]
        if not unit.hex or looked >= 14:
            continue
        looked += 1
        for least, most in ((1, 1), (2, 3)):
            found = retreats(state, unit_id, least, most)
            expected = brute_force(state, unit.side, unit.hex, least, most)
            assert len(found) == len({tuple(path) for path in found})
            assert {tuple(path) for path in found} == expected, (unit_id, unit.hex)
