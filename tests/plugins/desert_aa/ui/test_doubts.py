"""The confirmation of a grant that is not fully spent, because the order is final (DAA-2.01)."""

import pytest
from tests.plugins.desert_aa.conftest import Opening

from desert_aa.economy.grant import GrantSpace
from desert_aa.model.orders import PlaceBonus
from desert_aa.ui.doubts import money_left, read_order
from sandtable import IllegalOrder


@pytest.mark.rule("DAA-2.01", "DAA-2.04")
@pytest.mark.parametrize(
    ("side", "text", "left"),
    [
        ("axis", "place italy 2 infantry BAR", 8),
        ("axis", "place germany 2 infantry 1 armor BAR", 1),  # less than a unit costs: 2 IPC
        ("axis", "place german 1 armor BAR italian 2 infantry TRI", 3),
        ("allies", "place england 3 infantry ALX", 3),
        ("allies", "place england 1 artillery 1 armor ALX", 3),
        ("allies", "place england 2 armor ALX", 2),  # less than a unit costs: 3 IPC
        ("allies", "place england 1 minefield", 4),
    ],
)
def test_grant_with_an_affordable_unit_left_needs_confirmation(
    opening: Opening, side: str, text: str, left: int
) -> None:
    case = opening()
    asked = next(each for each in case.game.waiting() if each.side == side)
    said = read_order(asked, text, case.prepared.board)
    order = read_order(asked, f"{text}; as said", case.prepared.board)
    assert isinstance(order, PlaceBonus)
    assert isinstance(asked.options, GrantSpace)
    assert sum(money_left(order, asked.options).values()) == left
    if left < (2 if side == "axis" else 3):
        assert said == order
    else:
        assert isinstance(said, str)
        assert f"{left} of 12 IPC" in said


@pytest.mark.rule("DAA-2.01")
def test_saved_or_illegal_grant_needs_no_confirmation(opening: Opening) -> None:
    case = opening()
    asked = next(each for each in case.game.waiting() if each.side == "allies")
    assert read_order(asked, "save", case.prepared.board) == PlaceBonus()
    dear = read_order(asked, "place england 3 bomber ALX", case.prepared.board)
    assert isinstance(dear, PlaceBonus)
    assert asked.why_not(dear) is not None
    with pytest.raises(IllegalOrder):
        read_order(asked, "place england 3 camels ALX", case.prepared.board)
