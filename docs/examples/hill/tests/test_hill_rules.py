"""Rules by example: a position, loaded dice, orders, and their result."""

from collections.abc import Mapping

import hill
import pytest
from hill import Attack, Field, Halt, March, Retreat

import sandtable as st
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Installed
from sandtable.testing import LoadedDice


def game_at(where: Mapping[str, str], *dice: int) -> Game:
    """Return a started game with some units moved, and with these dice."""
    game = Installed("hill", hill, "the package under test").prepare().new_game(LoadedDice(*((die,) for die in dice)))
    state: Field = game.state
    for name, number in where.items():
        state.units[name].hex = number
    game.start()
    return game


@pytest.mark.rule("HI-1", "HI-2", "HI-3")
@pytest.mark.parametrize(
    ("path", "rule"),
    [
        (["0106", "0105", "0204", "0304"], None),  # by road through the woods
        (["0106", "0105", "0104", "0203"], "HI-3"),  # four points
        (["0106", "0206"], "HI-2"),
        (["0106"], "HI-1"),
    ],
)
def test_a_march_has_three_movement_points(path: list[str], rule: str | None) -> None:
    (asked,) = game_at({}).waiting()
    refusal = asked.options.why_not(March("r1", path))
    assert (refusal and refusal.rule) == rule


@pytest.mark.rule("HI-3", "HI-4")
def test_a_stream_is_crossed_at_a_bridge_and_a_march_ends_next_to_an_enemy() -> None:
    (asked,) = game_at({"r1": "0402", "b1": "0504"}).waiting()
    assert asked.options.is_legal(March("r1", ["0402", "0403"]))
    for path, rule in ((["0402", "0303"], "HI-3"), (["0402", "0403", "0404"], "HI-4")):
        refusal = asked.options.why_not(March("r1", path))
        assert refusal is not None
        assert refusal.rule == rule


@pytest.mark.rule("HI-5", "HI-6", "HI-7")
def test_a_retreating_side_chooses_the_hex() -> None:
    game = game_at({"r1": "0404", "r2": "0405", "b1": "0505"}, 4)  # 3 and 3 against 3: the column "3 or more"
    game.submit(Halt(), "red")
    game.submit(Attack("b1", ["r1", "r2"]), "red")
    (asked,) = game.waiting()
    assert asked.seat == "blue"
    assert [order.to for order in asked.options.values()] == ["0604", "0605"]
    game.submit(Retreat("0605"), "blue")
    assert game.state.units["b1"].hex == "0605"


@pytest.mark.rule("HI-8")
def test_a_unit_without_supply_cannot_attack() -> None:
    game = game_at({"r1": "0106", "r2": "0701", "r3": "0206", "b1": "0603", "b2": "0601", "b3": "0702"})
    game.submit(Halt(), "red")
    assert game.state.phasing_side == "blue", "r2 is next to b2 and b3, and has no supply line"


@pytest.mark.rule("HI-9")
def test_a_side_without_units_loses() -> None:
    game = game_at({"r1": "0404", "r2": "0405", "b1": "0505"}, 6)
    for name in ("b2", "b3"):
        del game.state.units[name]
    game.submit(Halt(), "red")
    game.submit(Attack("b1", ["r1", "r2"]), "red")
    assert (game.state.outcome, game.state.ending) == ("red", "destroyed")


@pytest.mark.rule("HI-10")
def test_the_side_on_the_hill_at_the_end_wins() -> None:
    game = st.new_game(hill, seed="test", players={"red": "captain", "blue": "captain"})
    assert game.state.ending in {"last_turn", "destroyed"}
    if game.state.ending == "last_turn":
        holder = next((unit.side for unit in game.state.units.values() if unit.hex == "0403"), "draw")
        assert game.state.outcome == holder
