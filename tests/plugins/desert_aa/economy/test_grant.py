"""The space of grants compared with plain lists."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from tests.plugins.desert_aa.oracle.grants import Cell, counts_well, drawn, is_legal_grant, legal_grants, plain
from tests.plugins.desert_aa.positions import LONG, refusals

from desert_aa.economy.grant import GrantSpace
from desert_aa.economy.purchase import PLENTY
from desert_aa.model.orders import EndMoves, PlaceBonus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transcripts import Transcript


def granted(money: Mapping[str, int], room: Mapping[str, int], mines: Mapping[str, int], all_mines: int) -> GrantSpace:
    """Return a grant for the powers of ``mines``, each with its own purse, or both with the common one."""
    purse_of = {power: power if power in money else next(iter(money)) for power in mines}
    return GrantSpace(purse_of, money, list(room), room, mines, all_mines)


GRANTS = {
    "one minefield is all": granted({"axis": 8}, {"TRI": PLENTY, "HUN": PLENTY}, {"italy": 1, "germany": 2}, 2),
    "one gun to a space": granted({"allies": 10}, {"MAT": 1, "ALX": 0, "SUE": 1}, {"england": 0}, 0),
    "two buyers, one place for a gun": granted({"italy": 5, "germany": 5}, {"TRI": 1}, {"italy": 0, "germany": 0}, 0),
    "room for one minefield of two": granted(
        {"italy": 8, "germany": 8}, {"TRI": PLENTY}, {"italy": 1, "germany": 1}, 1
    ),
    "two minefields of one power": granted({"allies": 16}, {"MAT": PLENTY}, {"england": 2}, 2),
    "more money than places for mines": granted({"allies": 16}, {"MAT": 1}, {"england": 1}, 1),
    "no room for a gun": granted({"allies": 5}, {"MAT": 0}, {"england": 0}, 0),
}


@pytest.mark.rule("DAA-2.01", "DAA-2.03", "DAA-R50", "DAA-8.02", "DAA-8.05")
@pytest.mark.parametrize("grant", GRANTS.values(), ids=GRANTS)
def test_listed_grants_are_the_legal_ones(grant: GrantSpace) -> None:
    wanted = legal_grants(grant)
    listed = [plain(order) for order in grant.values()]
    assert len(listed) == len(set(listed)) > 1
    assert set(listed) == wanted
    assert counts_well(grant, len(wanted))
    assert all(grant.is_legal(order) for order in grant.values())
    assert {plain(order) for order in drawn(grant, 100)} <= wanted


@pytest.mark.rule("DAA-2.01", "DAA-2.02")
@pytest.mark.parametrize(("name", "times"), [("two buyers, one place for a gun", 1_000), ("no room for a gun", 100)])
def test_every_grant_may_be_drawn(name: str, times: int) -> None:
    grant = GRANTS[name]
    assert {plain(order) for order in drawn(grant, times)} == legal_grants(grant)


@pytest.mark.rule("DAA-2.01", "DAA-R50", "DAA-8.05")
@pytest.mark.parametrize("grant", GRANTS.values(), ids=GRANTS)
def test_grant_is_judged_by_its_total_cost(grant: GrantSpace) -> None:
    """Infantry and flak in two spaces, and minefields: every order of 0 to 2 of each, legal or not."""
    cells: list[Cell] = [(power, "minefield") for power in grant.purse_of]
    cells += [
        (power, kind, space)
        for power in grant.purse_of
        for kind in ("infantry", "aa_gun")
        for space in grant.spaces[:2]
    ]
    for numbers in product(range(3), repeat=len(cells[:6])):
        bought = {cell: number for cell, number in zip(cells, numbers, strict=False) if number}
        units: dict[str, Any] = {}
        mines = {cell[0]: number for cell, number in bought.items() if cell[1] == "minefield"}
        for (power, kind, *where), number in bought.items():
            if where:
                units.setdefault(power, {}).setdefault(where[0], {})[kind] = number
        assert grant.is_legal(PlaceBonus(units, mines)) == is_legal_grant(grant, bought), bought


NO_GRANTS: list[Any] = [
    EndMoves(),
    PlaceBonus([]),  # type: ignore[arg-type]  # an order of a careless client
    PlaceBonus({"england": {}}),
    PlaceBonus({LONG: {}}),
    PlaceBonus({"italy": []}),  # type: ignore[dict-item]  # an order of a careless client
    PlaceBonus({"italy": {}}),
    PlaceBonus({"italy": {"MAT": {"infantry": 1}}}),
    PlaceBonus({"italy": {LONG: {"infantry": 1}}}),
    PlaceBonus({"italy": {"TRI": {}}}),
    PlaceBonus({"italy": {"TRI": 3}}),  # type: ignore[dict-item]  # an order of a careless client
    PlaceBonus({"italy": {"TRI": {"camel": 1}}}),
    PlaceBonus({"italy": {"TRI": {LONG: 10**30}}}),
    PlaceBonus({"italy": {"TRI": {"infantry": 0}}}),
    PlaceBonus({"italy": {"TRI": {"infantry": True}}}),
    PlaceBonus({"italy": {"TRI": {"infantry": 1}, "HUN": {"aa_gun": 1}}}),
    PlaceBonus({"italy": {"TRI": {"aa_gun": 1}}, "germany": {"TRI": {"aa_gun": 1}}}),
    PlaceBonus({}, []),  # type: ignore[arg-type]  # an order of a careless client
    PlaceBonus({}, {"england": 1}),
    PlaceBonus({}, {LONG: 10**30}),
    PlaceBonus({}, {"germany": 0}),
    PlaceBonus({}, {"germany": True}),
    PlaceBonus({}, {"italy": 1}),
    PlaceBonus({}, {"germany": 3}),
    PlaceBonus({"italy": {"TRI": {"infantry": 1}}, "germany": {"TRI": {"infantry": 1}}}, {"germany": 2}),
]


@pytest.mark.rule("DAA-2.01", "DAA-2.03", "DAA-8.01", "DAA-8.05", "DAA-R07")
def test_illegal_grant_is_refused_with_a_reason(transcript: Transcript) -> None:
    grant = granted({"axis": 20}, {"TRI": 1, "HUN": 0}, {"italy": 0, "germany": 2}, 2)
    assert grant.why_not(PlaceBonus({"germany": {"TRI": {"infantry": 1, "aa_gun": 1}}}, {"germany": 1})) is None
    transcript(refusals(grant, NO_GRANTS))
