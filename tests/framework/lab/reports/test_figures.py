"""Figures in readable form."""

import pytest

from sandtable.lab.reports import figures


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (figures.percent(0.12345), "12.3 %"),
        (figures.percent(None), "n/a"),
        (figures.percent(-0.02), "\N{MINUS SIGN}2.0 %"),
        (figures.percent(0.0001), "< 0.1 %"),
        (figures.percent(0.0), "0.0 %"),
        (figures.interval(None, 1.0), "n/a"),
        (figures.interval(0.25, 1.0), "25.0 to 100.0 %"),
        (figures.signed(87.4), "+87"),
        (figures.signed(-0.4), "0"),
        (figures.span(344.2, 528.4), "+344 to +528"),
        (figures.span(None, -53.0), "\N{MINUS SIGN}\N{INFINITY} to \N{MINUS SIGN}53"),
        (figures.span(5.0, None), "+5 to \N{INFINITY}"),
        (figures.span(None, None), "n/a"),
        (figures.took(0.0000084), "8 \N{MICRO SIGN}s"),
        (figures.took(0.00125), "1.25 ms"),
        (figures.took(0.34), "340 ms"),
        (figures.took(12.5), "12.5 s"),
        (figures.signed(-11.6), "\N{MINUS SIGN}12"),
        (figures.likelihood(1.0), "> 99.9 %"),
        (figures.likelihood(0.00001), "< 0.1 %"),
        (figures.likelihood(0.975), "97.5 %"),
        (figures.points(1234.5), "1,234.5"),
        (figures.points(100.0), "100"),
        (figures.points(0.0), "0"),
        (figures.duration(45.2), "45 s"),
        (figures.duration(200), "3 min 20 s"),
        (figures.duration(7500), "2 h 05 min"),
    ],
)
def test_figures_are_formatted_for_readers(text: str, expected: str) -> None:
    assert text == expected
