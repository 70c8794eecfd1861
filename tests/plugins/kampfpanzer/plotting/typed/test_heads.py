"""Heads of typed lines: the units that a line applies to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.kampfpanzer.positions import FRENCH

from kampfpanzer.plotting.sheet import plot_sheet
from kampfpanzer.plotting.situation import Situation
from kampfpanzer.plotting.typed.heads import lines_of

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

KEYS, TYPES = ["42", "43", "47", "54"], ["A10", "37mm", "PzII"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("42 0619", "42 0619"), ("42: 0619", "42: 0619"), ("A10 42 0619", "42 0619"), ("a10 42: 0619", "42: 0619"),
        ("42, 43: A4", "42: A4|43: A4"), ("42,43 N 0908", "42: N 0908|43: N 0908"), ("42+54 -", "42: -|54: -"),
        ("42-47 A4", "42: A4|43: A4|47: A4"), ("42-43, 54: A4", "42: A4|43: A4|54: A4"),
        ("96, 42: A4", "96: A4|42: A4"), ("94-99 A4", "94: A4"), ("42-42 A4", "42: A4"),
        ("43 - 60 A4", "43: A4|47: A4|54: A4"), ("43-42 A4", "43: A4"), ("42, 42: A4", "42: A4"),
        ("A10 goal", "A10 goal"), ("goal", "goal"),
    ],
)  # fmt: skip
def test_line_head_selects_its_units(typed: str, meant: str) -> None:
    assert "|".join(lines_of(KEYS, TYPES, typed)) == meant


@pytest.mark.rule("KP-3.2b")
def test_line_without_a_number_is_refused(new_case: NewCase) -> None:
    sheet = plot_sheet(Situation(new_case(french="1 0507", germans="94 0520").state, FRENCH))
    assert "begins with the number of a unit" in sheet.refusals({"goal": "D1"})["goal"].reason
    assert "no unit of this number" in sheet.refusals({"9": "D1"})["9"].reason
