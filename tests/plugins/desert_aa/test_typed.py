"""What a person types: words that mean orders; and all that is wrong with a line, by its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from refused import assert_all_named, reasons

from desert_aa.model import orders
from desert_aa.ui.notation import read_order
from sandtable.kernel.decisions import Order

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay

STACK = "HAB uk-inf-1..2 uk-arm-1"


def read(case: Case, text: str) -> Order | str | None:
    return read_order(case.asked, text, case.prepared.board)


@pytest.fixture
def moving(lay: Lay) -> Case:
    return lay(STACK, "england").to(orders.MoveUnits)


@pytest.fixture
def buying(lay: Lay) -> Case:
    return lay(STACK, "england", state={"cash": {"axis": 50, "allies": 50}}).to(orders.BuyUnits)


def test_words_mean_orders(moving: Case, buying: Case) -> None:
    assert read(buying, "buy 2 infantry 1 armour") == orders.BuyUnits({"infantry": 2, "armour": 1})
    assert read(buying, "buy nothing") == orders.BuyUnits()
    assert read(moving, "move 2 inf HAB GSA") == orders.MoveUnits(["uk-inf-1", "uk-inf-2"], ["HAB", "GSA"])
    assert read(moving, "move uk-arm-1 all infantry hab gsa") == orders.MoveUnits(
        ["uk-arm-1", "uk-inf-1", "uk-inf-2"], ["HAB", "GSA"]
    )
    assert read(moving, "end") == orders.EndMoves()
    assert read(moving, "hello") is None
    assert read(moving, "?") == "move 1 armour HAB GSA, or: end"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("buy 2 infantri 1 armour 3 gunz", ["word 3, 'infantri': a kind of unit", "word 7, 'gunz': a kind of unit"]),
        ("buy", ["say what"]),
        ("move 1 infantry HAB GSA", ["that is not asked now"]),
    ],
)
def test_all_that_is_wrong_with_a_purchase_is_told(buying: Case, text: str, wrong: list[str]) -> None:
    assert_all_named(reasons(lambda: read(buying, text)), wrong)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("move 9 infantry 2 armour HAB GSA", ["'9': only 2 infantry to be moved", "'2': only 1 armour to be moved"]),
        ("move 2 infantri 1 armour HAB moon GSA sun", ["'infantri': a kind", "'moon': a space", "'sun': a space"]),
        ("move 9 infantry HAB moon", ["'moon': a space of the map", "only 2 infantry to be moved stand in HAB"]),
        ("move 1 infantry", ["at the end: a space of the map is wanted"]),
        ("move HAB GSA", ["name the units that move"]),
        ("move 1 infantry HAB", ["name the path"]),
    ],
)
def test_all_that_is_wrong_with_a_move_is_told(moving: Case, text: str, wrong: list[str]) -> None:
    assert_all_named(reasons(lambda: read(moving, text)), wrong)


def test_all_that_is_wrong_with_what_is_placed_is_told(opening: Any) -> None:
    case = opening()
    text = "place german 1 armor moon 2 infantri TOB italian 2 infantry GUB extra"
    found = reasons(lambda: read_order(case.asked, text, case.prepared.board))
    assert_all_named(found, ["'moon': a kind of unit", "'infantri': a kind of unit", "'extra': a kind of unit"])
    for text in ("place german moon", "place german 2 moon TOB TOB", "place it it moon TOB german", "place moon TOB"):
        assert reasons(lambda text=text: read_order(case.asked, text, case.prepared.board))  # type: ignore[misc]


def test_all_that_is_wrong_with_losses_is_told(lay: Lay) -> None:
    case = lay("HAB uk-inf-1 uk-arm-1..2; GSA de-inf-1 de-arm-1..2", dice="6 1 1, 1 6 6")
    case.attack("uk-inf-1 uk-arm-1..2", "HAB GSA").submit(orders.EndMoves()).to(orders.TakeLosses)
    assert read(case, "lose 1 infantry de-arm-2") == orders.TakeLosses(["de-inf-1", "de-arm-2"])
    wrong = ["'9': only 2 armour can be chosen", "'some': a kind of unit is wanted", "'moon': a kind of unit"]
    assert_all_named(reasons(lambda: read(case, "lose 9 armour some 1 infantry moon")), wrong)
    assert_all_named(reasons(lambda: read(case, "lose 1")), ["at the end: a kind of unit is wanted"])
