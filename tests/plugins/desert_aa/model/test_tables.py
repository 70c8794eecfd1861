"""Costs and combat values of units: DAA-3, DAA-15."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.conftest import POWER_OF
from tests.plugins.desert_aa.positions import rich

from desert_aa.model.orders import BuyUnits, Retreat

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay


POWER = {"uk": "england", "de": "germany", "it": "italy"}
VALUES = {
    "uk de": "inf 1 2, art 2 2, arm 3 2, ftr 3 4, bom 4 1",
    "it": "inf 1 1, art 2 1, arm 2 2, ftr 2 3, bom 4 1",
}


@pytest.mark.rule("DAA-3.01", "DAA-15.01", "DAA-15.02", "DAA-15.03", "DAA-15.04", "DAA-15.05", "DAA-11.02")
@pytest.mark.rule("DAA-3.03", "DAA-3.04", "DAA-3.05", "DAA-3.06", "DAA-3.07")
@pytest.mark.parametrize(("prefixes", "values"), VALUES.items())
def test_attack_and_defense_values_match_the_rules(lay: Lay, prefixes: str, values: str) -> None:
    for prefix, (kind, attack, defense) in product(prefixes.split(), map(str.split, values.split(", "))):
        unit = f"{prefix}-{kind}-1"
        home, there, enemy = ("HAB", "GSA", "de") if prefix == "uk" else ("GSA", "HAB", "uk")
        back = Retreat() if kind in {"ftr", "bom"} else Retreat(home)
        attacking = lay(f"{home} {unit}; {there} {enemy}-inf-1", POWER_OF[prefix], dice="6, 6")
        attacking.attack(unit, f"{home} {there}").fight(back)
        assert attacking.needs()[0] == (int(attack),)
        defending = lay(f"{home} {unit}; {there} {enemy}-inf-1", POWER_OF[enemy], dice="6, 6")
        defending.attack(f"{enemy}-inf-1", f"{there} {home}").fight(Retreat(there))
        assert defending.needs()[1] == (int(defense),)


PRICES = {
    "england germany": "infantry 3, artillery 4, armor 5, fighter 12, bomber 15, aa_gun 5, minefield 8",
    "italy": "infantry 2, artillery 3, armor 4, fighter 10, bomber 15, aa_gun 5, minefield 8",
}


@pytest.mark.rule("DAA-3.01", "DAA-15.01", "DAA-15.02", "DAA-15.03", "DAA-15.04", "DAA-15.05", "DAA-15.06", "DAA-10.02")
@pytest.mark.rule("DAA-3.03", "DAA-3.04", "DAA-3.05", "DAA-3.06", "DAA-3.07", "DAA-3.08", "DAA-8.02")
@pytest.mark.parametrize(("powers", "prices"), PRICES.items())
def test_unit_prices_match_the_rules(lay: Lay, powers: str, prices: str) -> None:
    for power, item in product(powers.split(), prices.split(", ")):
        kind, price = item.split()
        assert rich(lay, power, 2 * int(price) - 1).refused(BuyUnits({kind: 2})) == "DAA-14.02"
        case = rich(lay, power, 2 * int(price) + 1).submit(BuyUnits({kind: 2}))
        assert case.state.cash["allies" if power == "england" else "axis"] == 1


@pytest.mark.rule("DAA-15.08")
@pytest.mark.parametrize("kind", ["transport", "submarine", "battleship", "factory", "convoy", "research"])
def test_ships_factories_and_research_are_not_for_sale(lay: Lay, kind: str) -> None:
    assert rich(lay, "england").refused(BuyUnits({kind: 1})) in {"DAA-15.08", "DAA-14.02"}
