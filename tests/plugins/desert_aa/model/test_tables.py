"""Costs and combat values of units: DAA-3, DAA-15."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.plugins.desert_aa.positions import rich

from desert_aa.model.orders import BuyUnits, Retreat

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Lay

VALUES = [
    pytest.param("uk de", "inf", 1, 2, marks=pytest.mark.rule("DAA-3.01", "DAA-15.01")),
    pytest.param("uk de", "art", 2, 2, marks=pytest.mark.rule("DAA-3.01", "DAA-15.02")),
    pytest.param("uk de", "arm", 3, 2, marks=pytest.mark.rule("DAA-3.01", "DAA-15.03")),
    pytest.param("uk de", "ftr", 3, 4, marks=pytest.mark.rule("DAA-3.01", "DAA-15.04", "DAA-11.02")),
    pytest.param("uk de", "bom", 4, 1, marks=pytest.mark.rule("DAA-3.01", "DAA-15.05", "DAA-11.02")),
    pytest.param("it", "inf", 1, 1, marks=pytest.mark.rule("DAA-3.03")),
    pytest.param("it", "art", 2, 1, marks=pytest.mark.rule("DAA-3.04")),
    pytest.param("it", "arm", 2, 2, marks=pytest.mark.rule("DAA-3.05")),
    pytest.param("it", "ftr", 2, 3, marks=pytest.mark.rule("DAA-3.06", "DAA-11.02")),
    pytest.param("it", "bom", 4, 1, marks=pytest.mark.rule("DAA-3.07", "DAA-11.02")),
]


POWER = {"uk": "england", "de": "germany", "it": "italy"}


@pytest.mark.parametrize(("prefixes", "kind", "attack_value", "defence_value"), VALUES)
def test_attack_and_defence_values(lay: Lay, prefixes: str, kind: str, attack_value: int, defence_value: int) -> None:
    for prefix in prefixes.split():
        unit = f"{prefix}-{kind}-1"
        home, there, enemy = ("HAB", "GSA", "de") if prefix == "uk" else ("GSA", "HAB", "uk")
        back = Retreat() if kind in {"ftr", "bom"} else Retreat(home)
        attacking = lay(f"{home} {unit}; {there} {enemy}-inf-1", POWER[prefix], dice="6, 6")
        attacking.attack(unit, f"{home} {there}").fight(back)
        assert attacking.needs()[0] == (attack_value,)
        defending = lay(f"{home} {unit}; {there} {enemy}-inf-1", POWER[enemy], dice="6, 6")
        defending.attack(f"{enemy}-inf-1", f"{there} {home}").fight(Retreat(there))
        assert defending.needs()[1] == (defence_value,)


PRICES = [
    pytest.param("england germany", "infantry", 3, marks=pytest.mark.rule("DAA-3.01", "DAA-15.01")),
    pytest.param("england germany", "artillery", 4, marks=pytest.mark.rule("DAA-3.01", "DAA-15.02")),
    pytest.param("england germany", "armour", 5, marks=pytest.mark.rule("DAA-3.01", "DAA-15.03")),
    pytest.param("england germany", "fighter", 12, marks=pytest.mark.rule("DAA-3.01", "DAA-15.04")),
    pytest.param("england germany", "bomber", 15, marks=pytest.mark.rule("DAA-3.01", "DAA-15.05")),
    pytest.param("england germany", "aa_gun", 5, marks=pytest.mark.rule("DAA-3.01", "DAA-15.06", "DAA-10.02")),
    pytest.param("italy", "infantry", 2, marks=pytest.mark.rule("DAA-3.03")),
    pytest.param("italy", "artillery", 3, marks=pytest.mark.rule("DAA-3.04")),
    pytest.param("italy", "armour", 4, marks=pytest.mark.rule("DAA-3.05")),
    pytest.param("italy", "fighter", 10, marks=pytest.mark.rule("DAA-3.06")),
    pytest.param("italy", "bomber", 15, marks=pytest.mark.rule("DAA-3.07")),
    pytest.param("italy", "aa_gun", 5, marks=pytest.mark.rule("DAA-3.08", "DAA-10.02")),
    pytest.param("italy england germany", "minefield", 8, marks=pytest.mark.rule("DAA-8.02")),
]


@pytest.mark.parametrize(("powers", "kind", "price"), PRICES)
def test_what_a_unit_costs(lay: Lay, powers: str, kind: str, price: int) -> None:
    for power in powers.split():
        assert rich(lay, power, 2 * price - 1).refused(BuyUnits({kind: 2})) == "DAA-14.02"
        case = rich(lay, power, 2 * price + 1).submit(BuyUnits({kind: 2}))
        assert case.state.cash["allies" if power == "england" else "axis"] == 1


@pytest.mark.rule("DAA-15.08")
@pytest.mark.parametrize("kind", ["transport", "submarine", "battleship", "factory", "convoy", "research"])
def test_ships_factories_and_research_are_not_for_sale(lay: Lay, kind: str) -> None:
    assert rich(lay, "england").refused(BuyUnits({kind: 1})) in {"DAA-15.08", "DAA-14.02"}
