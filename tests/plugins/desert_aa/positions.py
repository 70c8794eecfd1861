"""Positions and figures that several test files share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.plugins.desert_aa.conftest import ready, set_up

from desert_aa.model.orders import BuyUnits, EndMoves, PlaceMinefields
from desert_aa.model.tables import SIDE_OF
from sandtable.kernel.events import UNSET, Calculation, Event, PhaseBegan, PhaseEnded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.plugins.desert_aa.conftest import Case, Lay

    from desert_aa.model.state import DesertState
    from sandtable.kernel.decisions import Roll
    from sandtable.kernel.options import Space

HAB, GSA = ["HAB", "GSA"], "GSA"
LONG = "x" * 50


def sums(name: str, *steps: tuple[str, int, str]) -> tuple[Calculation, ...]:
    return (Calculation(name, steps),)


def attack(lay: Lay, attackers: str, defenders: str, dice: str, **options: str) -> Case:
    """Return a case in which England attacks from Habata into Gabr Saleh, after its combat moves."""
    case = lay(f"HAB {attackers}; GSA {defenders}", dice=dice, **options)
    return case.attack(attackers, "HAB GSA").submit(EndMoves())


def entered(lay: Lay, units: str, dice: str, defense: str = "", **options: str) -> Case:
    """Return a case in which England's ``units`` enter mined Gabr Saleh, before the end of its combat moves."""
    case = lay(f"HAB {units}; {defense}", dice=dice, mines={"GSA": "germany"}, **options)
    return case.attack(units, "HAB GSA")


def layer(lay: Lay, power: str, number: int = 1, **keywords: object) -> Case:
    """Return a case in which ``power`` has bought minefields and decides where to lay them."""
    case = lay("", power, state={"cash": {"axis": 40, "allies": 40}}, **keywords)
    return case.submit(BuyUnits({"minefield": number})).to(PlaceMinefields)


def rich(lay: Lay, power: str, cash: int = 100, units: str = "", **options: str) -> Case:
    """Return a case at the beginning of a turn of ``power``, with ``cash`` in each purse."""
    purses = ("italy", "germany", "allies") if options.get("axis_treasury") == "per_nation" else ("axis", "allies")
    return lay(units, power, state={"cash": dict.fromkeys(purses, cash)}, **options)


def position(units: str, power: str, scenario: str = "frontier", **more: Any) -> DesertState:
    """Return the state at the beginning of a turn of ``power``; ``more`` has options and arguments of ``set_up``."""
    known = {"control", "mines", "tweak"} & more.keys()
    prepared = ready(scenario, **{name: value for name, value in more.items() if name not in known})
    state = set_up(prepared, units, power, **{name: more[name] for name in known})
    state.place_board(prepared.board)
    state.phasing_power, state.phasing_side = power, SIDE_OF[power]
    return state


def between(case: Case, since: type[Event], until: type[Event] = PhaseEnded) -> list[Event]:
    """Return the events from the first of type ``since`` up to the next of type ``until``."""
    happened = [event for event in case.events() if not isinstance(event, PhaseBegan)]
    first = next(place for place, event in enumerate(happened) if isinstance(event, since))
    last = next(place for place, event in enumerate(happened) if place > first and isinstance(event, until))
    return happened[first:last]


def minutes(happened: Iterable[Event | Roll]) -> str:
    """Return events with calculations, and rolls, one per line, without empty and false fields."""
    lines = []
    for each in happened:
        fields = {name: getattr(each, name) for name in each.__struct_fields__}
        calculations = fields.pop("calculations", UNSET)
        words = [
            f"{name}={written(value)}" for name, value in fields.items() if value or (value == 0 and value is not False)
        ]
        lines.append(" ".join([type(each).__name__, *words]))
        for found in () if calculations is UNSET else calculations:
            steps = (f"{what} = {amount} [{rule}]" for what, amount, rule in found.steps)
            lines.append(f"    {found.name}: {'; '.join(steps) or 'nothing'}")
    return "\n".join(lines)


def written(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {written(each)}" for key, each in value.items())
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def refusals(space: Space, orders: Iterable[object]) -> str:
    """Return each order with the rule and reason of its refusal, or None if it is legal."""
    found = ((order, space.why_not(order)) for order in orders)
    return "\n".join(f"{order}\n    {refusal and f'{refusal.rule} {refusal.reason}'}" for order, refusal in found)


def numbers_in(prompt: str) -> list[int]:
    """Return the numbers in a prompt, so that tests do not pin its wording."""
    return [int(number) for number in re.findall(r"\d+", prompt)]
