"""The notation of plots: parsed texts with their canonical form, and refused texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kampfpanzer.plotting.legality import plot_or_refusal
from kampfpanzer.plotting.notation import KINDS, LETTERS, Plot, parse_plot
from kampfpanzer.ui.asking.answers import LETTERS_OF_PLOTS
from sandtable.errors import IllegalOrder
from sandtable.kernel.options import Refusal


@pytest.mark.rule("KP-5.1a", "KP-5.1b", "KP-5.21b", "KP-5.21c", "KP-5.22c", "KP-5.4a", "KP-5.0h")
@pytest.mark.parametrize(
    ("typed", "canonical", "kind"),
    [
        ("d5vd", "D5 VD", "overrun"), ("D5 VD", "D5 VD", "overrun"), ("  D5\tV  D ", "D5 VD", "overrun"),
        ("VA", "VA", "overrun"), ("F1,S2,A2,F3", "F1 S2 A2 F3", "move"), ("F1S2A2F3", "F1 S2 A2 F3", "move"),
        ("D2 D3", "D5", "move"), ("D 5", "D5", "move"), ("D05", "D5", "move"), ("S1 S1 D1", "S2 D1", "move"),
        ("0501", "0501", "move"), ("0501d3", "0501 D3", "move"), ("0501 S2", "0501 S2", "move"),
        ("0501 vd", "0501 VD", "overrun"), ("N0704 / 38", "N 0704/38", "direct"),
        ("n 0704 038", "N 0704/38", "direct"), ("N 0704", "N 0704", "direct"), ("t0304", "T 0304", "tight"),
        ("l 0304", "L 0304", "loose"), ("P0603", "P 0603", "opportunity"), ("m", "M", "embark"),
        ("M0506", "M 0506", "embark"), ("q", "Q", "debark"), ("qc", "Q C", "debark"), ("Q 0506", "Q 0506", "debark"),
        ("c", "C", "facing"),
    ],
)  # fmt: skip
def test_plots_are_parsed_into_canonical_form(typed: str, canonical: str, kind: str) -> None:
    plot = parse_plot(typed)
    assert (plot.text, plot.kind) == (canonical, kind)
    assert parse_plot(canonical) == plot
    assert plot.is_movement == (kind in ("move", "overrun"))


@pytest.mark.rule("KP-5.1a", "KP-5.1c", "KP-5.22c", "KP-5.21d", "KP-14.0d")
def test_parsed_plot_has_its_fields() -> None:
    assert parse_plot("0501 F1 S2 A2 VB") == Plot(
        "overrun", "0501 F1 S2 A2 VB", legs=(("F", 1), ("S", 2), ("A", 2)), entry="0501", overrun="B"
    )
    assert parse_plot("N 0704/38") == Plot("direct", "N 0704/38", hex="0704", target="38")
    assert parse_plot("Q C") == Plot("debark", "Q C", facing="C")
    assert parse_plot("M 0506") == Plot("embark", "M 0506", hex="0506")
    assert parse_plot("C") == Plot("facing", "C", facing="C")


@pytest.mark.parametrize(
    ("typed", "rule", "place"),
    [
        ("", "KP-5.0i", 0), (" , ", "KP-5.0i", 0), ("D", "", 0), ("D5 VX", "KP-5.22c", 5), ("D5 V", "KP-5.22c", 5),
        ("D5 VD C1", "KP-9.62b", 7), ("D0", "KP-5.1a", 2), ("D100", "KP-5.1a", 2), ("D99 D1", "KP-5.1a", 6),
        ("D1 C", "KP-5.1a", 5), ("D1 2", "KP-5.1a", 4), ("S2", "KP-5.1c", 1), ("D1 S", "KP-5.1c", 5),
        ("D5 N 0304", "KP-5.0b", 4), ("D5 M", "KP-5.0b", 4), ("D5 0304", "KP-5.1a", 4), ("05010 D1", "KP-14.0d", 1),
        ("N", "KP-5.21b", 2), ("N 070", "KP-5.21b", 3), ("N 07 04", "KP-5.21b", 3), ("N 0704/", "KP-5.21d", 8),
        ("N 0704/3/8", "KP-5.0b", 9), ("T 0304/38", "KP-5.0b", 7), ("P 0304 D1", "KP-5.0b", 8),
        ("M 0506 C", "KP-5.31c", 8), ("Q C D", "R-KP-34", 5), ("Q 0506 C", "KP-5.32b", 8), ("X1", "KP-5.4a", 1),
        ("D\u0665", "KP-5.1a", 2), ("\u00e95", "KP-5.4a", 1), ("D5/", "KP-5.4a", 3), ("D" * 400, "KP-5.0h", 0),
    ],
)  # fmt: skip
@pytest.mark.rule("KP-5.0h", "KP-5.0b", "KP-5.4a")
def test_invalid_plot_text_is_refused_with_its_position(typed: str, rule: str, place: int) -> None:
    if not rule:
        assert parse_plot(typed).kind == "facing"
        return
    with pytest.raises(IllegalOrder) as caught:
        parse_plot(typed)
    assert caught.value.rule == rule
    assert not place or caught.value.reason.startswith(f"character {place} of ")
    assert len(caught.value.reason) < 300


@pytest.mark.rule("KP-5.4a", "KP-5.21b")
@pytest.mark.parametrize(
    ("text", "match"),
    [("0505 N", "write N 0505"), ("0505 p", "write P 0505"), ("0506 M", "write M 0506"), ("0505 D2 N",
    "second operation")],
)  # fmt: skip
def test_hex_before_its_letter_is_refused_with_the_right_order(text: str, match: str) -> None:
    with pytest.raises(IllegalOrder, match=match) as error:
        parse_plot(text)
    assert error.value.rule == "KP-5.4a" or "second" in match


@pytest.mark.rule("KP-5.0b")
def test_examples_of_the_letters_are_canonical() -> None:
    for line in LETTERS_OF_PLOTS[1:]:
        for example in re.findall(r"\b(?:0501 D3|D5 S2 D1|D5 C2|D5 VD|[NPTL] \d{4}(?:/38)?|M|Q|Q C|C)(?=[:,])", line):
            assert parse_plot(example).text == example


LEGS = st.lists(st.tuples(st.sampled_from("ABCDEFS"), st.integers(1, 20)), max_size=6)
NUMBERS = st.from_regex("[0-9]{4}", fullmatch=True)


@st.composite
def plots(draw: st.DrawFn) -> str:
    """Draw the canonical text of a valid plot."""
    kind = draw(st.sampled_from(KINDS))
    hex_ = draw(NUMBERS)
    if kind in ("move", "overrun"):
        entry = draw(st.sampled_from(["", hex_]))
        parts = [f"{letter}{count}" for letter, count in draw(LEGS)]
        parts = [entry, *parts, f"V{draw(st.sampled_from(LETTERS))}" if kind == "overrun" else "A1"]
        return " ".join(filter(None, parts))
    target = draw(st.sampled_from(["", f"/{draw(st.integers(0, 200))}"]))
    letter = draw(st.sampled_from(LETTERS))
    return {
        "direct": f"N {hex_}{target}",
        "tight": f"T {hex_}",
        "loose": f"L {hex_}",
        "opportunity": f"P {hex_}",
        "embark": draw(st.sampled_from(["M", f"M {hex_}"])),
        "debark": draw(st.sampled_from(["Q", f"Q {hex_}", f"Q {letter}"])),
        "facing": letter,
    }[kind]


@pytest.mark.full
@pytest.mark.rule("KP-5.1b", "KP-5.0h")
@given(plots(), st.data())
def test_spacing_and_case_do_not_change_a_plot(text: str, data: st.DataObject) -> None:
    plot = parse_plot(text)
    assert parse_plot(plot.text) == plot
    spread = "".join(
        each if each.isdigit() else f"{data.draw(st.sampled_from(['', ' ', ', ']))}{each}" for each in plot.text
    )
    assert parse_plot(spread.lower()) == plot
    tight = plot.text.replace(" ", "")
    assert parse_plot(tight) == plot


@pytest.mark.full
@pytest.mark.rule("KP-5.0h", "KP-5.4a")
@given(plots(), st.data())
def test_mistyped_plot_is_parsed_or_refused_with_its_rule(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    mark = data.draw(st.sampled_from("ABCDEFNTLPVMQSXZ0159 /-.\n\u00df"))
    cut = data.draw(st.integers(0, 1))
    slip = text[:place] + mark + text[place + cut :]
    plot = plot_or_refusal(slip)
    if isinstance(plot, Refusal):
        assert all(plot)
    else:
        assert parse_plot(plot.text) == plot


@given(st.text(max_size=150))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    plot = plot_or_refusal(text)
    assert all(plot) if isinstance(plot, Refusal) else plot.kind in KINDS
