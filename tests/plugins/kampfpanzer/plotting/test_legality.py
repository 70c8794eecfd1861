"""Refusals of single plots in phase A, independent of other plots."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.kampfpanzer.rows import Row, play, row

from kampfpanzer.model.orders import HandInPlots
from kampfpanzer.model.state import DESTROYED, EXITED, KampfState
from kampfpanzer.plotting.legality import why_not_line
from kampfpanzer.plotting.lines import PlotLine
from kampfpanzer.plotting.situation import Situation

if TYPE_CHECKING:
    from tests.plugins.kampfpanzer.conftest import NewCase

AWAY = "94 1624"
"""A German unit far from all others."""


@pytest.mark.rule("KP-5.0a")
def test_every_plot_of_a_unit_is_listed_once(new_case: NewCase) -> None:
    case = new_case(french="1 0505", germans="94 0808")
    listed = list(islice(PlotLine(Situation(case.state, "french"), "1").values(), 2_000))
    assert len(set(listed)) == 2_000


# --- units with a plot ---


@pytest.mark.rule("KP-5.0a", "KP-9.71c", "KP-9.71d", "KP-4.1a", "KP-3.2b", "KP-12.2b", "KP-14.0d", "KP-14.0i")
@pytest.mark.parametrize(
    ("unit", "plot", "rule"),
    [
        ("999", "D1", "KP-3.2b"), ("94", "D1", "KP-4.1a"), ("6", "D1", "KP-9.71c"), ("29", "E1", "KP-12.2b"),
        ("29", "N 0808", "KP-12.2b"), ("2", "0101", "KP-14.0d"), ("1", "D1", ""), ("11", "D1", "KP-9.71d"),
        ("12", "D1", "KP-14.0i"),
    ],
)  # fmt: skip
def test_plot_of_an_unable_unit_is_refused_by_its_rule(new_case: NewCase, unit: str, plot: str, rule: str) -> None:
    def removed(state: KampfState) -> None:
        for unit_id, standing in (("11", DESTROYED), ("12", EXITED)):
            state.units[unit_id].standing, state.units[unit_id].hex = standing, ""

    case = new_case(
        french="1 0505; 6 0605 D1; 146 0705; 29 aboard 146; 2 enters 0101 turn 3; 11 1105; 12 1205",
        germans="94 0808",
        tweak=removed,
    )
    assert case.refused(f"{unit} {plot}", "french") == rule
    if unit != "94":
        situation = Situation(case.state, "french")
        refusal = situation.why_no_line(unit) or why_not_line(situation, unit, plot)
        assert (refusal.rule if refusal else "") == rule


# --- movement ---


@pytest.mark.rule("KP-6.0c", "KP-5.1d", "KP-6.0d", "KP-9.61a", "KP-9.6d", "KP-3.24d", "R-KP-17")
@pytest.mark.parametrize(
    ("unit", "plot", "says"),
    [
        ("10 0508", "A2 F4", ""),  # R35, 6 points
        ("10 0508", "A2 F4 S1", "7 points, but R35 10 has 6"),
        ("20 0510", "F1 S2 A2 F3", ""),  # B1, 8 points: 6 hexes and 2 of halt
        ("10 0510", "F1 S2 A2 F3", "8 points, but R35 10 has 6"),
        ("29 0508", "A1", ""),
        ("29 0508", "A2", "2 points, but Inf-Fr 29 has 1: its points pay as far as 0507"),
        ("29 1402", "D2", ""),  # two hexes of road
        ("29 1402", "D3", "costs 1½ points"),
        ("138 0508", "A5 S10", ""),  # truck, 20 points
        ("138 0508", "A5 S11", "costs 21 points"),
        ("1 0508", "C8 VC", "no enemy is in 1412"),  # 8 + 1 + 2 + 1 = 12
        ("1 0508", "C9 VC", "13 points, but S35 1 has 12"),
    ],
)
def test_plot_beyond_the_allowance_is_refused_with_its_cost(new_case: NewCase, unit: str, plot: str, says: str) -> None:
    case = new_case(french=unit, germans=AWAY, road="1402 1403 1404 1405", woods="1404")
    refusal = case.why_not(f"{unit.split(maxsplit=1)[0]} {plot}")
    assert (refusal is None) == (not says)
    if refusal:
        assert says in refusal.reason
        assert refusal.rule == ("R-KP-51" if "no enemy" in says else "KP-6.0c")


EXITS = {"exits": {"french": "0301 0501"}}
SIDES = ("1 1601; 139 0304; 29 aboard 139", "95 1624")
NO_MOVE: dict[str, Any] = {"more": {"no_move": {"french": 1}}}
STILL = ("1 0505; 38 0705 A", "94 0507")
ENTER = ("1 enters 0501/0701 turn 2; 2 1010", AWAY)
LATE = ("1 enters 0501 turn 2; 2 1010", AWAY)
RIDERS: dict[str, Any] = {"more": {"riders": True}}


def trenches(**sides: str) -> dict[str, Any]:
    """Return keywords that add entrenchments to a position, by hex."""
    return {"tweak": lambda state: state.entrenchments.update({each[1:]: side for each, side in sides.items()})}


@pytest.mark.rule(
    "KP-10.0l KP-12.0b KP-12.31a KP-12.32a KP-13.0b KP-13.0c KP-13.1c KP-14.0d KP-14.0g KP-14.0i KP-14.5.4 KP-14.7.2"
    " KP-3.1a KP-5.0i KP-5.21c KP-5.21d KP-5.21e KP-5.33a KP-6.0c KP-7.0a KP-9.0h KP-9.12b KP-9.13b KP-9.4a KP-9.4c"
    " KP-9.4e KP-9.51b KP-9.6c KP-9.91a R-KP-16 R-KP-17 R-KP-20 R-KP-21 R-KP-22 R-KP-26 R-KP-28 R-KP-76 R-KP-78"
)
@pytest.mark.parametrize(
    "turn",
    [
        row("KP-10.0l KP-9.91a KP-13.1c", "wrecks_cost_and_trenches_do_not", "10 0508; 30 0608 entrenched", AWAY,
            wrecks="0506", refused={"10 A5": "", "10 A5 S1": "KP-6.0c", "30 A1": ""}),
        # 0301 and 0501 are exits; in a column that begins higher, three hexsides lead off the map
        *(row("KP-14.0i R-KP-21 KP-6.0c", f"exit_from_{unit.split()[1]}", f"{SIDES[0]}; {unit}", SIDES[1], more=EXITS,
              refused={f"10 {plot}": rule for plot, rule in plots.items()})
          for unit, plots in (
              ("10 0305", {"A4 C1 A1": "KP-14.0i", "A4 B1": "", "A5": "", "A5 D1": "KP-14.0i", "A5 S1": "KP-14.0i",
                           "A6": "KP-14.0i"}),
              ("10 0306", {"A6": ""}), ("10 0307", {"A7": "KP-6.0c"}), ("10 0105", {"E1": "KP-14.0i"}))),
        row("KP-14.0i R-KP-21 KP-6.0c", "free_exit", f"{SIDES[0]}; 10 0307", SIDES[1], more=EXITS, map_exit="free",
            refused={"10 A7": ""}),
        row("KP-14.0i R-KP-21", "north_west_side", "1 1601; 10 0304", SIDES[1], more=EXITS, refused={"10 A3 F1": ""}),
        row("KP-14.0i R-KP-21", "side_without_exits", SIDES[0], f"{SIDES[1]}; 94 1001", more=EXITS,
            refused={"94 A1": "KP-14.0i"}),
        # an empty truck may not exit
        row("KP-14.0i R-KP-21", "trucks", f"{SIDES[0]}; 138 0305", SIDES[1], more=EXITS,
            refused={"138 A5": "KP-14.0i", "139 A4": ""}),
        row("R-KP-17 KP-5.33a KP-9.4a KP-9.4e", "guns_turn_and_others_move", "38 0505 A; 1 0705; 29 0905; 138 1105",
            AWAY,
            refused={"38 D1": "R-KP-17", "38 C": "", "38 A": "KP-9.4e", "1 C": "KP-9.4a", "29 C": "KP-9.4a",
                     "138 C": "KP-9.4a", "1 0505 D1": "KP-14.0d"}),
        row("KP-13.0c KP-13.0b", "no_vehicle_ends_in_a_trench", "1 0708; 138 0806; 29 0606", AWAY,
            **trenches(_0706="germans"),
            refused={"1 A2": "KP-13.0c", "1 A3": "", "138 F1": "KP-13.0c", "29 B1": "", "1 A1 VA": "R-KP-51"}),
        row("KP-9.6c R-KP-76", "riders_do_not_soften_a_tank", "1 0505", "69 0506; 81 aboard 69; 138 0606", **RIDERS,
            refused={"1 VD": "KP-9.6c", "1 C1 VD": ""}),
        # fire: 38 and 39 face A, 35 faces D
        row("KP-9.13b KP-9.4c KP-9.51b KP-5.21c KP-12.31a KP-9.0h KP-3.1a KP-12.0b", "fire",
            "1 0508; 38 0509 A; 39 0411 A; 35 0609 D; 29 0608; 138 0710; 146 0810; 6 0518", "94 0505; 112 0708",
            refused={
                "1 N 0505": "", "1 N 0505/94": "", "1 N 0505/95": "KP-5.21d", "1 N 0505/1": "KP-5.21d",
                "1 N 0506": "R-KP-26", "1 N 9999": "KP-3.1a", "1 N 0508": "KP-9.17a", "1 T 0505": "KP-5.21c",
                "38 N 0505": "", "39 N 0505": "KP-5.21c", "39 T 0505": "", "39 L 0205": "", "39 T 1210": "KP-9.4c",
                "35 N 0505": "KP-9.4c", "29 N 0505": "KP-9.51b", "29 N 0708": "", "138 N 0505": "KP-12.31a",
                "146 P 0505": "KP-12.31a", "6 N 0505": "KP-9.13b", "39 P 0506": "KP-9.0h", "38 P 0506": "",
                "38 P 0505": "KP-9.25a", "38 P 0504": "KP-9.25a", "1 P 0506": "", "29 P 0506": "",
            }),
        row("R-KP-26", "fire_may_be_wasted", "1 0508; 29 0510", "94 0505", fire_at_empty_hex="wasted",
            refused={"1 N 0506": "", "1 N 0506/94": "KP-5.21d", "29 N 0505": "KP-9.51b"}),
        row("R-KP-28 KP-14.5.4 KP-5.21e KP-9.51b", "riders_are_targets", "29 0508; 1 0608", "69 0505; 81 aboard 69",
            **RIDERS, refused={"29 N 0505": "R-KP-28", "29 N 0505/81": "", "29 N 0505/69": "KP-9.51b", "1 N 0505": "",
                               "1 N 0505/69": "", "1 N 0505/81": ""}),
        row("KP-12.32a KP-5.21e", "passengers_are_not_targets", "29 0508", "138 0505; 112 aboard 138",
            refused={"29 N 0505": "", "29 N 0505/138": "", "29 N 0505/112": "KP-12.32a"}),
        row("KP-9.12b KP-5.21d KP-5.21e", "one_of_two_or_both", "1 0508", "112 0505; 115 0505 A",
            refused=dict.fromkeys(("1 N 0505", "1 N 0505/112", "1 N 0505/115"), "")),
        # the turn on which the French may not move
        row("KP-14.7.2 R-KP-78", "no_movement", *STILL, turn=1, **NO_MOVE,
            refused={"1 A1": "KP-14.7.2", "1 N 0507": "", "38 C": "", "94 D1": ""}),
        row("KP-14.7.2 R-KP-78", "movement_on_the_next_turn", *STILL, turn=2, **NO_MOVE, refused={"1 A1": ""}),
        row("KP-14.7.2 R-KP-78", "no_operation", *STILL, turn=1, **NO_MOVE, flavion_turn1="no_operation",
            refused={"1 N 0507": "R-KP-78"}),
        # entering: 12 points, one for the entry hex
        row("KP-14.0d R-KP-20 R-KP-22 KP-14.0g", "entering", *ENTER, turn=2,
            refused={"1 0501": "", "1 0701 D3": "", "1 0501 D11": "", "1 0501 D12": "KP-6.0c", "1 0901": "KP-14.0d",
                     "1 9999": "KP-14.0d", "1 D3": "KP-14.0d", "1 N 0505": "KP-14.0d", "1 0501 A1": "KP-14.0i",
                     "1 0501 VA": "R-KP-53", "1 0501 D1 VA": "R-KP-53", "1 0501 D2 VA": "R-KP-51", "2 D1": "KP-14.0d"}),
        row("KP-14.0d R-KP-20 R-KP-22 KP-14.0g", "too_early", *ENTER, turn=1, refused={"1 0501": "KP-14.0d",
            "2 D1": ""}),
        row("R-KP-22 R-KP-20", "kept_out", *LATE, turn=3, refused={"2 D1": "", "1 0501 D1": ""}),
        row("R-KP-22 R-KP-20", "never_enters", *LATE, turn=3, tweak=lambda state: state.missed.append("1"),
            refused={"1 0501": "R-KP-22"}),
        # void plots: 2 and 3 would end in one hex, so only the lower number moves
        row("R-KP-16 KP-5.0i KP-7.0a", "void_plots", "1 0505; 2 0705; 3 0905; 38 1105 A; 6 1305 D1", "94 0509",
            dice="fire:0509:94 6", plot_validation="void_plot", refused={"1 D99 X": "KP-5.4a", "6 D1": "KP-9.71c"},
            f="1 N 0509; 2 d1; 3 E2; 38 D1", g="94 D99", at="1 0505; 2 0706; 3 0905; 38 1105; 94 0509"),
    ],
)  # fmt: skip
def test_single_plots_are_legal_or_refused(new_case: NewCase, turn: Row) -> None:
    play(new_case, turn)


@pytest.mark.rule("R-KP-78", "KP-5.0i")
def test_empty_sheet_is_legal(new_case: NewCase) -> None:
    case = new_case(french=STILL[0], germans=STILL[1], turn=1, flavion_turn1="no_operation", **NO_MOVE)
    assert case.refused("", "french") == ""
    assert new_case(french="1 0505", germans=AWAY).refused("", "french") == ""


@pytest.mark.rule("R-KP-16")
def test_illegal_plots_are_refused_when_submitted(new_case: NewCase) -> None:
    case = new_case(french="2 0705; 3 0905; 38 1105 A", germans=AWAY)
    assert case.refuses("french", HandInPlots({"38": "D1"})) == "R-KP-17"
    assert case.refuses("french", HandInPlots({"2": "D1", "3": "E2"})) == "KP-7.0a"


# --- overruns ---
