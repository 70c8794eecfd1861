"""The counter sheet: figures and identity numbers of each unit type."""

from __future__ import annotations

import pytest
from tests.plugins.kampfpanzer.positions import DEFAULTS, board_of

from kampfpanzer.model.forces import counters

# A second copy of the sheet: type, attack, weapon, range, defense (hard in brackets), movement, numbers

SHEET = """
S35    5 A  15 [4] 12 1-5          R35    2 A  8  [4] 6  6-10         H39    4 A 10 [4] 10 11-18
B1     6 M  10 [5] 8  19-20        FT17   2 A  8  [3] 8  21-25        Inf-Fr 4 R 10 5   1  26-34
25mm   2 A  5  4   0  35-38        75mmH  0 H  100 1  0  39-41,51     A10    5 A 10 [4] 8  42-47
A11    5 R  5  [6] 3  48-50        A12    5 A  10 [8] 6  52-53        A13    5 A 10 [2] 11 54-57
M6     5 R  5  [1] 16 58-61        2lb    5 A  10 4   0  62           Inf-Br 4 R 10 4   1  63-68
BT7    6 A  15 [1] 15 69-80,154    Inf-Ru 2 R  8  3   1  81-90        PzI    5 R 5  [1] 10 91-93
PzII   2 A  5  [3] 15 94-99,101    PzIIID 5 A  10 [3] 11 102-104      PzIVE  5 M 10 [4] 10 105-111
Inf-Ge 6 R  12 8   1  112-114,117-119                                 37mm   3 A 5  4   0  115-116,120-121
Pz38   5 A  10 [2] 11 122-129      T97    3 A  6  [1] 12 130-137
Truck  0 -  0  1   20 138-145      APC    0 -  0  [3] 18 146-153
"""
COUNTERS = [SHEET.split()[place : place + 7] for place in range(0, len(SHEET.split()), 7)]


def numbers(runs: str) -> list[str]:
    ends = [[int(end) for end in run.split("-")] for run in runs.split(",")]
    return [str(number) for end in ends for number in range(end[0], end[-1] + 1)]


@pytest.mark.rule("KP-3.24a", "KP-3.24b", "KP-3.24c", "KP-3.24d", "KP-3.24e", "KP-3.24f", "KP-12.31b")
@pytest.mark.parametrize("row", COUNTERS, ids=[row[0] for row in COUNTERS])
def test_each_type_of_counter_has_its_printed_figures(row: list[str]) -> None:
    name, attack, weapon, reach, defense, movement, runs = row
    kind = board_of("spain").kinds[name]
    assert (kind.attack, kind.weapon, kind.range_hexes) == (int(attack), weapon.strip("-"), int(reach))
    assert (kind.defense, kind.hard) == (int(defense.strip("[]")), defense.startswith("["))
    assert kind.movement == int(movement)
    assert counters(DEFAULTS).ids[name] == tuple(numbers(runs))


def test_identity_numbers_are_unique_and_complete_except_100() -> None:
    ids = sorted(int(number) for row in COUNTERS for number in numbers(row[-1]))
    assert len(COUNTERS) == 27
    assert ids == [number for number in range(1, 155) if number != 100]


@pytest.mark.rule("KP-12.2c", "R-KP-17")
def test_mobility_distinguishes_armor_wheels_and_foot() -> None:
    kinds = board_of("spain").kinds
    assert {name for name, kind in kinds.items() if kind.mobility == "wheels"} == {"Truck"}
    assert {name for name, kind in kinds.items() if kind.mobility == "foot"} == {
        name for name, kind in kinds.items() if not kind.hard and name != "Truck"
    }
    assert {name for name, kind in kinds.items() if kind.is_gun} == {
        name for name, kind in kinds.items() if kind.movement == 0
    }
    assert {name for name, kind in kinds.items() if kind.is_vehicle} == {"Truck", "APC"}
