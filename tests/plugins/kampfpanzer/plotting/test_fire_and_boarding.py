"""Refusals of the plots M (embark) and Q (debark)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

AWAY = "94 1624"


@pytest.mark.rule("KP-5.31a", "KP-5.31b", "KP-5.31c", "KP-12.0a", "KP-12.0f", "KP-12.14a", "R-KP-63", "R-KP-64")
@pytest.mark.rule("KP-12.12a", "KP-12.2b", "KP-9.71c")
@pytest.mark.parametrize(
    ("plots", "rule"),
    [
        ("29 M; 138 M 0505", ""), ("38 M; 138 M 0506", ""), ("29 M 0505; 138 M 0505", "KP-5.31b"),
        ("29 M; 138 M", "KP-5.31c"), ("29 M; 138 M 0404", "KP-12.0f"), ("138 M 1010", "KP-12.0f"),
        ("1 M 0505", "KP-12.0a"), ("30 M; 139 M 0905", "KP-12.14a"), ("139 M 0905", "KP-12.14a"),
        ("31 M; 140 M 1205", "R-KP-64"), ("141 M 1505", "R-KP-63"), ("34 M", "KP-9.71c"),
        ("142 M 0515", "KP-12.12a"), ("33 M", "KP-12.0f"), ("29 M; 138 M 0605", "KP-12.0f"),  # its own hex
        ("29 M; 140 M 0505", "KP-12.0f"), ("35 M; 139 M 0905", "KP-12.14a"), ("26 M; 138 M 0505", "KP-12.2b"),
        ("1 M; 138 M 0405", "KP-12.0a"),
    ],
)  # fmt: skip
def test_embark_plots_are_legal_or_refused(new_case: NewCase, plots: str, rule: str) -> None:
    case = new_case(
        french="29 0505; 138 0605; 38 0506 A; 1 0405; 30 0905; 35 0905 A; 139 0906; 31 1205 entrenched; 140 1206;"
        "32 1505; 141 1506; 26 aboard 141; 33 0115; 34 0515 D1; 142 0516",
        germans=AWAY,
    )
    assert case.refused(plots) == rule
    entrenched = new_case(french="31 1205 entrenched; 140 1206", germans=AWAY, embark_entrenched="allowed")
    assert entrenched.refused("31 M; 140 M 1205") == ""


@pytest.mark.rule("KP-5.32a", "KP-5.32b", "KP-12.0g", "R-KP-34", "R-KP-65", "KP-9.4a")
@pytest.mark.parametrize(
    ("plots", "rule"),
    [
        ("29 Q; 138 Q 0505", ""), ("38 Q; 139 Q 0905", ""), ("38 Q C; 139 Q 0905", ""),
        ("29 Q C; 138 Q 0505", "KP-9.4a"), ("29 Q 0505; 138 Q 0505", "KP-5.32a"), ("29 Q; 138 Q", "KP-5.32b"),
        ("29 Q; 138 Q C", "KP-5.32b"), ("29 Q; 138 Q 0505 D1", "KP-5.32b"),
        ("29 Q; 138 Q 0605", "KP-12.0g"), ("29 Q; 138 Q 1010", "KP-12.0g"),
        ("29 Q; 138 Q 0705", "R-KP-65"), ("1 Q", "KP-12.0g"), ("140 Q 1206", "KP-12.0g"), ("30 Q", "KP-12.0g"),
    ],
)  # fmt: skip
def test_debark_plots_are_legal_or_refused(new_case: NewCase, plots: str, rule: str) -> None:
    trench = {"0705": "french"}
    case = new_case(
        french="138 0605; 29 aboard 138; 139 0906; 38 aboard 139; 1 1605; 140 1205; 30 0115",
        germans=AWAY,
        tweak=lambda state: state.entrenchments.update(trench),
    )
    assert case.refused(plots) == rule
