"""Positions and figures that several test files share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.plugins.desert_aa.conftest import ready, set_up

from desert_aa.model.orders import BuyUnits, EndMoves, PlaceMinefields
from desert_aa.model.tables import SIDE_OF
from sandtable.kernel.events import Calculation

if TYPE_CHECKING:
    from tests.plugins.desert_aa.conftest import Case, Lay

    from desert_aa.model.state import DesertState

HAB, GSA = ["HAB", "GSA"], "GSA"
LONG = "x" * 50


def sums(name: str, *steps: tuple[str, int, str]) -> tuple[Calculation, ...]:
    return (Calculation(name, steps),)


def attack(lay: Lay, attackers: str, defenders: str, dice: str, **options: str) -> Case:
    """England attacks from Habata into Gabr Saleh; combat moves are over."""
    case = lay(f"HAB {attackers}; GSA {defenders}", dice=dice, **options)
    return case.attack(attackers, "HAB GSA").submit(EndMoves())


def entered(lay: Lay, units: str, dice: str, defence: str = "", **options: str) -> Case:
    """England's ``units`` go from Habata into mined Gabr Saleh; combat moves are not ended yet."""
    case = lay(f"HAB {units}; {defence}", dice=dice, mines={"GSA": "germany"}, **options)
    return case.attack(units, "HAB GSA")


def layer(lay: Lay, power: str, number: int = 1, **keywords: object) -> Case:
    """``power`` has bought minefields and is asked where they go."""
    case = lay("", power, state={"cash": {"axis": 40, "allies": 40}}, **keywords)
    return case.submit(BuyUnits({"minefield": number})).to(PlaceMinefields)


def rich(lay: Lay, power: str, cash: int = 100, units: str = "", **options: str) -> Case:
    """Begin a turn of ``power`` with so much money in each purse."""
    purses = ("italy", "germany", "allies") if options.get("axis_treasury") == "per_nation" else ("axis", "allies")
    return lay(units, power, state={"cash": dict.fromkeys(purses, cash)}, **options)


def position(units: str, power: str, scenario: str = "frontier", **more: Any) -> DesertState:
    """Return the state in which the turn of ``power`` begins; ``more`` are options or go to ``set_up``."""
    known = {"control", "mines", "tweak"} & more.keys()
    prepared = ready(scenario, **{name: value for name, value in more.items() if name not in known})
    state = set_up(prepared, units, power, **{name: more[name] for name in known})
    state.place_board(prepared.board)
    state.phasing_power, state.phasing_side = power, SIDE_OF[power]
    return state
