"""Terrain: costs of steps, lines of sight and fire, arcs and cover, with every option that affects the map."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plugins.kampfpanzer.positions import shipped

from kampfpanzer.model.tables import LETTERS
from kampfpanzer.terrain.terrain import Ground, ground_of

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase


ARMOR, WHEELS = "armor", "wheels"
LONE = {"french": "1 0101", "germans": "94 1624"}


def ground(new_case: NewCase, **features: str) -> Ground:
    return ground_of(new_case(**LONE, **features).state)


# --- costs ---


@pytest.mark.rule("KP-9.66a", "KP-9.91b", "KP-9.16f", "KP-9.92a")
def test_hex_is_clear_or_covered_by_its_terrain(new_case: NewCase) -> None:
    here = ground(new_case, woods="0506 0706", town="0606", slope="0806", hilltop="0906 0706", wrecks="1006")
    assert [each for each in ("0406", "0506", "0606", "0706", "0806", "0906", "1006") if here.is_clear(each)] == [
        "0406",
        "0906",
    ]
    assert [here.is_covered(each) for each in ("0406", "0506", "0606", "0806")] == [False, True, True, False]
    due = new_case(**LONE, tweak=lambda state: state.wrecks_due.append("0406"))
    assert ground_of(due.state).is_clear("0406")


def test_steps_list_neighbors_and_costs(new_case: NewCase) -> None:
    here = ground(new_case, wrecks="0505")
    assert [here.neighbor("0101", letter) for letter in LETTERS] == ["", "", "0201", "0102", "", ""]
    assert here.steps(ARMOR, "0101") == (("C", "0201", 2), ("D", "0102", 2))
    assert {letter: halves for letter, _, halves in here.steps(ARMOR, "0504")}["D"] == 4
    for hex_ in ("0101", "0504", "1624", "0808"):
        for _, there, halves in here.steps(WHEELS, hex_):
            assert halves == here.step_halves(WHEELS, hex_, there)
    assert here.range_hexes("0708", "0603") == 5
    assert here.holds("1624")
    assert not here.holds("1701")


@pytest.mark.rule("KP-9.91a")
def test_ground_is_cached_by_its_wrecks(new_case: NewCase) -> None:
    case = new_case(**LONE)
    board, options = case.prepared.board, case.prepared.options
    for wrecks, halves in (((), 2), (("0505",), 4), ((), 2), (("0506",), 2), (("0505", "0506"), 4), ((), 2)):
        here = Ground.on(board, options, wrecks)
        assert here.step_halves(ARMOR, "0504", "0505") == halves
        assert {letter: cost for letter, _, cost in here.steps(ARMOR, "0504")}["D"] == halves
        assert here.is_clear("0505") == ("0505" not in wrecks)
        assert Ground.on(board, options, wrecks) is here


# --- lines of sight ---


@pytest.mark.rule("KP-9.16b", "KP-9.16c", "R-KP-31")
def test_crests_block_sight_from_lower_ground(new_case: NewCase) -> None:
    # a hill with slopes 0505 and 0508, tops 0506 and 0507, and crests between slope and top
    here = ground(new_case, slope="0505 0508", hilltop="0506 0507", crest_sides="0505/0506 0507/0508")
    clear = {(a, b) for a, b in product(("0503", "0505", "0506", "0507", "0508", "0510"), repeat=2) if a < b}
    hidden = {(a, b) for a, b in clear if here.why_unseen(a, b, True) is not None}
    assert hidden == {
        ("0503", "0507"),
        ("0503", "0508"),
        ("0503", "0510"),
        ("0505", "0510"),
        ("0506", "0510"),
    }


@pytest.mark.rule("KP-9.14a", "KP-9.15a")
def test_sight_is_mutual_on_the_shipped_map() -> None:
    prepared = shipped("hannut")
    here = Ground.on(prepared.board, prepared.options, ())
    numbers = prepared.board.hexmap.numbers[::97]
    seen = hidden = 0
    for a, b in product(numbers, repeat=2):
        forth, back = here.why_unseen(a, b, True), here.why_unseen(b, a, True)
        assert (forth is None) == (back is None)
        seen, hidden = seen + (forth is None), hidden + (forth is not None)
    assert seen > 50
    assert hidden > 50


# --- arcs and paths ---


@pytest.mark.rule("KP-9.4c", "R-KP-33")
@pytest.mark.parametrize(("option", "hexes"), [("inclusive_60", 7), ("strict", 5)])
def test_gun_arc_is_inclusive_or_strict_by_option(new_case: NewCase, option: str, hexes: int) -> None:
    here = ground(new_case, facing_arc=option)
    ring = [each for each in here.hexmap.within("0812", 3) if here.range_hexes("0812", each) == 3]
    assert len(ring) == 18
    for letter in LETTERS:
        inside = [each for each in ring if here.in_arc("0812", letter, each)]
        assert len(inside) == hexes
        ahead = here.neighbor("0812", letter)
        assert here.in_arc("0812", letter, ahead)
        assert not here.in_arc("0812", letter, "0812")
        sides = [here.neighbor("0812", LETTERS[(LETTERS.index(letter) + turn) % 6]) for turn in (1, 5)]
        assert [here.in_arc("0812", letter, each) for each in sides] == [option == "inclusive_60"] * 2


@pytest.mark.rule("KP-9.23a", "KP-9.23b", "R-KP-38", "KP-5.5a")
@pytest.mark.parametrize(
    ("line", "hexes", "sides", "corners"),
    [
        (("0708", "0603"), "0707 0706 0605 0604 0603", "", "0606 0705"),
        (("0305", "0905"), "0505 0705 0905", "0404/0405 0604/0605 0804/0805", ""),
        (("0702", "0708"), "0703 0704 0705 0706 0707 0708", "", ""),
        (("0505", "0506"), "0506", "", ""),
        (("0101", "0301"), "0301", "", ""),  # along the edge of the map, next to 0201
    ],
)
def test_fire_path_lists_hexes_hexsides_and_corners(
    new_case: NewCase, line: tuple[str, str], hexes: str, sides: str, corners: str
) -> None:
    path = ground(new_case).fire_path(*line)
    assert " ".join(path.hexes) == hexes
    assert {"/".join(each) for each in path.hexsides} == set(sides.split())
    assert sorted(path.corners) == corners.split()


# --- invariants ---

HEXES = st.integers(1, 39).flatmap(
    lambda column: st.integers(1, 53 if column % 2 == 0 else 54).map(lambda row: f"{column:02}{row:02}")
)


@pytest.mark.full
@pytest.mark.rule("KP-9.14a", "KP-9.17a")
@settings(max_examples=150)
@given(HEXES, HEXES)
def test_fire_path_is_symmetric_and_ends_at_the_target(a: str, b: str) -> None:
    prepared = shipped("hannut")
    here = Ground.on(prepared.board, prepared.options, ())
    path = here.fire_path(a, b)
    if a == b:
        return
    assert path.hexes[-1] == b
    assert a not in path.hexes
    assert not set(path.hexes) & set(path.corners)
    assert all(first < second and second in here.around(first) for first, second in path.hexsides)
    back = here.fire_path(b, a)
    assert set(path.hexes) - {b} == set(back.hexes) - {a}
    assert path.hexsides == back.hexsides
    assert set(path.corners) == set(back.corners)
