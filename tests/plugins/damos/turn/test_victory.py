"""Victory, 5.0 of the exclusive rules, and the end of the game."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case
from tests.plugins.damos.conftest import Lay

from damos.model.orders import EndActivation

MOSCOW = "2610"
"""Moscow, for these cases, with 2609 and 2611 beside it in the row, 2510, 2511, 2710 and 2711 above and below."""


def at_the_end(lay: Lay, german: str = "", soviet: str = "", **more: Any) -> tuple[str, str]:
    """Play the last Soviet operations quietly; return outcome and ending."""
    case = lay(
        german=german,
        soviet=soviet,
        side="soviet",
        turn=more.pop("turn", 12),
        moscow=MOSCOW,
        dice={"rail": "*"},
        **more,
    )
    return ending(case)


def ending(case: Case) -> tuple[str, str]:
    case.until(lambda case: case.game.is_over or case.state.turn > 12)
    return case.state.outcome, case.state.ending


@pytest.mark.rule("AGC-5.0a", "DM-2.9d")
@pytest.mark.parametrize("german", ["2610 I1:6", "2610 I1:6!", ""])
def test_who_holds_moscow_has_won(lay: Lay, german: str) -> None:
    assert at_the_end(lay, german, control={"german": MOSCOW}) == ("german", "moscow_held")


@pytest.mark.rule("AGC-5.0a", "AGC-5.0b", "R-DM-76")
def test_so_has_who_has_cut_it_off(lay: Lay) -> None:
    assert at_the_end(lay, "2609 I1:6; 2611 I2:6", "2610 i1:6") == ("german", "moscow_isolated")


@pytest.mark.rule("AGC-5.0b", "R-DM-76")
@pytest.mark.parametrize(("german", "soviet", "isolated"), [
    ("2609 I1:6; 2611 I2:6", "", True), ("2609 I1:6; 2611 I2:6!", "", False),
    ("2609 I1:6; 2611 I2:6", "2510 i1:6", False), ("2609 I1:6; 2611 I2:6; 2409 I3:6", "2510 i1:6", True),
    ("2609 I1:6", "", False),
])  # fmt: skip
def test_what_cuts_it_off(lay: Lay, german: str, soviet: str, isolated: bool) -> None:
    """Zones block, demoralised ones do not; a Soviet force cancels them in its hex and opens a way for any length."""
    outcome = at_the_end(lay, german, soviet)
    assert (outcome[1] == "moscow_isolated") == isolated


@pytest.mark.rule("R-DM-76")
def test_railways_do_not_matter_for_it(lay: Lay) -> None:
    """All rail is German; a way on foot, of any length, is left."""
    row = " ".join(f"28{column:02}" for column in range(1, 31))
    assert at_the_end(lay, "2611 I1:6", control={"german": row}) == ("soviet", "substantial")


@pytest.mark.rule("AGC-5.0c", "R-DM-77")
@pytest.mark.parametrize(("german", "gates"), [
    ("2611 I1:6; 2511 I2:6", True), ("2611 I1:6!; 2511 I2:6!", True), ("2611 I1:6 I2:6", False),
    ("2611 I1:6; 2512 I2:6", False), ("2611 I1:6", False),
])  # fmt: skip
def test_two_hexes_at_its_gates_are_a_minor_victory(lay: Lay, german: str, gates: bool) -> None:
    assert at_the_end(lay, german) == (("german", "gates") if gates else ("soviet", "substantial"))


@pytest.mark.rule("R-DM-77")
@pytest.mark.parametrize(("option", "gates"), [("occupied_by_german_units", False), ("controlled", True)])
def test_held_or_only_controlled(lay: Lay, option: str, gates: bool) -> None:
    outcome = at_the_end(lay, control={"german": "2611 2511"}, minor_victory=option)
    assert outcome == (("german", "gates") if gates else ("soviet", "substantial"))


@pytest.mark.rule("AGC-5.0d")
def test_anything_else_is_the_soviets(lay: Lay) -> None:
    assert at_the_end(lay) == ("soviet", "substantial")


@pytest.mark.rule("AGC-5.0a", "AGC-5.0c")
def test_the_greater_victory_counts(lay: Lay) -> None:
    german = "2609 I1:6; 2611 I2:6"
    assert at_the_end(lay, german, control={"german": MOSCOW}) == ("german", "moscow_held")
    assert at_the_end(lay, german) == ("german", "moscow_isolated")


@pytest.mark.rule("AGC-5.0a")
def test_not_before_the_last_turn(lay: Lay) -> None:
    case = lay(side="soviet", turn=11, moscow=MOSCOW, control={"german": MOSCOW}, dice={"rail": "*"})
    case.until(lambda case: case.state.turn == 12)
    assert not case.game.is_over
    assert ending(case) == ("german", "moscow_held")


@pytest.mark.rule("AGC-5.0a")
def test_it_must_be_kept(lay: Lay) -> None:
    """A Soviet force walks into Moscow in the last operations."""
    case = lay("2608 i1:6", side="soviet", turn=12, moscow=MOSCOW, control={"german": MOSCOW}, dice="rail *")
    case.march("i1", "2609 2610", EndActivation()).rest()
    assert ending(case) == ("soviet", "substantial")


@pytest.mark.rule("AGC-5.0e", "AGC-1.3h", "R-DM-49")
def test_in_the_combined_game_one_city_of_four_is_not_enough(lay: Lay) -> None:
    outcome = at_the_end(lay, control={"german": MOSCOW}, combined_game="on")
    assert outcome == ("soviet", "substantial")


@pytest.mark.rule("R-DM-60")
def test_the_thirteenth_turn(lay: Lay) -> None:
    case = lay(side="soviet", turn=12, moscow=MOSCOW, dice={"rail": "*"})
    case.until(lambda case: case.game.is_over)
    assert case.state.turn == 12
