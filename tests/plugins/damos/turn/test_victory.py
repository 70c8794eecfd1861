"""Victory and the end of the game (AGC-5.0)."""

from typing import Any

import pytest
from tests.plugins.damos.cases import Case
from tests.plugins.damos.conftest import Lay, Stage
from tests.plugins.damos.positions import RAILWAY, row

from damos.model.orders import EndActivation
from damos.turn.victory import hexes_beside, verdict

MOSCOW = "2610"
"""Moscow in these cases. The hexes beside it are 2609, 2611, 2510, 2511, 2710 and 2711."""
GATES = "2609 I1:6; 2611 I2:6"


def at_the_end(lay: Lay, german: str = "", soviet: str = "", **more: Any) -> tuple[str, str]:
    """Play the last Soviet operations quietly, and return outcome and ending."""
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
def test_control_of_moscow_wins(lay: Lay, german: str) -> None:
    assert at_the_end(lay, german, control={"german": MOSCOW}) == ("german", "moscow_held")


@pytest.mark.rule("AGC-5.0b", "R-DM-76")
@pytest.mark.parametrize(("german", "soviet", "isolated"), [
    (GATES, "", True), (f"{GATES}!", "", False), (GATES, "2510 i1:6", False),
    (f"{GATES}; 2409 I3:6", "2510 i1:6", True), ("2609 I1:6", "", False),
])  # fmt: skip
def test_moscow_is_isolated_by_zones(lay: Lay, german: str, soviet: str, isolated: bool) -> None:
    """Demoralized units have no zone. A Soviet force cancels the zones in its hex."""
    assert (at_the_end(lay, german, soviet)[1] == "moscow_isolated") == isolated


@pytest.mark.rule("AGC-5.0c", "R-DM-77")
@pytest.mark.parametrize(("german", "gates"), [
    ("2611 I1:6; 2511 I2:6", True), ("2611 I1:6!; 2511 I2:6!", True), ("2611 I1:6 I2:6", False),
    ("2611 I1:6; 2512 I2:6", False), ("2611 I1:6", False),
])  # fmt: skip
def test_two_hexes_beside_moscow_are_a_minor_victory(lay: Lay, german: str, gates: bool) -> None:
    assert at_the_end(lay, german) == (("german", "gates") if gates else ("soviet", "substantial"))


@pytest.mark.rule("R-DM-77")
@pytest.mark.parametrize(("option", "gates"), [("occupied_by_german_units", False), ("controlled", True)])
def test_controlled_hexes_beside_moscow_count_by_option(lay: Lay, option: str, gates: bool) -> None:
    outcome = at_the_end(lay, control={"german": "2611 2511"}, minor_victory=option)
    assert outcome == (("german", "gates") if gates else ("soviet", "substantial"))


@pytest.mark.rule("AGC-5.0a", "AGC-5.0b", "AGC-5.0c", "AGC-5.0d", "R-DM-76")
@pytest.mark.parametrize(("german", "soviet", "more", "winner", "name"), [
    ("", "", {}, "soviet", "substantial"), (GATES, "2610 i1:6", {}, "german", "moscow_isolated"),
    (GATES, "", {}, "german", "moscow_isolated"), (GATES, "", {"control": {"german": MOSCOW}}, "german", "moscow_held"),
    ("2611 I1:6", "", {"control": {"german": " ".join(row(RAILWAY))}}, "soviet", "substantial"),
])  # fmt: skip
def test_the_greatest_german_victory_counts(
    lay: Lay, german: str, soviet: str, more: dict[str, Any], winner: str, name: str
) -> None:
    """In the last case all rail is German, but a path on foot is left."""
    assert at_the_end(lay, german, soviet, **more) == (winner, name)


@pytest.mark.rule("AGC-5.0a")
def test_the_game_is_not_over_before_the_last_turn(lay: Lay) -> None:
    case = lay(side="soviet", turn=11, moscow=MOSCOW, control={"german": MOSCOW}, dice={"rail": "*"})
    case.until(lambda case: case.state.turn == 12)
    assert not case.game.is_over
    assert ending(case) == ("german", "moscow_held")


@pytest.mark.rule("AGC-5.0a")
def test_moscow_must_be_held_to_the_end(lay: Lay) -> None:
    """A Soviet force enters Moscow in the last operations."""
    case = lay("2608 i1:6", side="soviet", turn=12, moscow=MOSCOW, control={"german": MOSCOW}, dice="rail *")
    case.march("i1", "2609 2610", EndActivation()).rest()
    assert ending(case) == ("soviet", "substantial")


@pytest.mark.rule("AGC-5.0e", "AGC-1.3h", "R-DM-49")
def test_one_city_of_four_does_not_win_the_combined_game(lay: Lay) -> None:
    assert at_the_end(lay, control={"german": MOSCOW}, combined_game="on") == ("soviet", "substantial")


RING = "2602 g-3pz; 2802 g-4pz; 2703 g-10pz; 2601 g-17pz; 2801 g-18pz"
HELD = {"control": {"german": "2702"}}


@pytest.mark.rule("AGC-5.0a", "AGC-5.0b", "AGC-5.0c", "AGC-5.0d", "AGC-5.0e", "R-DM-49", "R-DM-77")
@pytest.mark.parametrize(("german", "more", "winner", "name", "rule"), [
    ("2705 g-3pz", HELD, "german", "moscow_held", "AGC-5.0a"), (RING, {}, "german", "moscow_isolated", "AGC-5.0b"),
    ("2703 g-3pz; 2602 g-4pz!", {}, "german", "gates", "AGC-5.0c"),
    ("2703 g-3pz g-4pz", {}, "soviet", "substantial", "AGC-5.0d"),
    ("2705 g-3pz", HELD | {"combined_game": "on"}, "soviet", "substantial", "AGC-5.0e"),
    ("2705 g-3pz", {"scenario": "smolensk", "control": {"german": "2811"}}, "german", "objective_held", "AGC-5.0a"),
])  # fmt: skip
def test_each_ending_cites_its_rule(
    stage: Stage, german: str, more: dict[str, Any], winner: str, name: str, rule: str
) -> None:
    assert verdict(stage(german=german, **more).state) == (winner, name, rule)


@pytest.mark.rule("R-DM-77")
@pytest.mark.parametrize(("option", "count"), [("occupied_by_german_units", 1), ("controlled", 3)])
def test_occupied_or_controlled_hexes_beside_moscow_count(stage: Stage, option: str, count: int) -> None:
    state = stage("2703 g-3pz", control={"german": "2703 2602 2802"}, minor_victory=option).state
    assert len(hexes_beside(state)) == count


@pytest.mark.rule("R-DM-60")
def test_the_game_ends_after_turn_12(lay: Lay) -> None:
    case = lay(side="soviet", turn=12, moscow=MOSCOW, dice={"rail": "*"})
    assert case.until(lambda case: case.game.is_over).state.turn == 12
