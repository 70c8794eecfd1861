"""A case as a row of a table: rule ids, a name, the units, and steps that give orders or compare values.

    row("DAA-17.11", "a survivor takes the space", "HAB uk-inf-1; GSA de-inf-1", "attack uk-inf-1: HAB GSA", "fight",
        "holder GSA = england", dice="1, 6")

The power of the first unit moves first. "no shift UNITS: PATH = RULE RULE" expects a refusal by one of these rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.plugins.desert_aa.conftest import POWER_OF, unit_ids

from desert_aa.model import events, orders
from desert_aa.model.events import EVENTS
from desert_aa.model.tables import POWERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.plugins.desert_aa.conftest import Case

    from sandtable.kernel.decisions import Order
    from sandtable.kernel.events import Event


class Row(NamedTuple):
    setup: dict[str, Any]
    steps: tuple[str, ...]


def row(rules: str, name: str, units: str, *steps: str, **setup: Any) -> Any:
    """Return a parameter; ``setup`` has dice, options and other arguments of the fixture ``lay``."""
    power = setup.pop("power", "") or POWER_OF[units.split()[1][:2]]
    return pytest.param(Row({"units": units, "power": power, **setup}, steps), marks=marks(rules), id=name)


def grant(rules: str, name: str, *steps: str, **setup: Any) -> Any:
    """Return a row for the fixture ``opening``; "by SEAT ORDER" gives an order of that seat."""
    return pytest.param(Row(setup, steps), marks=marks(rules), id=name)


def battle(rules: str, name: str, attackers: str, defenders: str, *steps: str, **setup: Any) -> Any:
    """Return a row in which England attacks from Habata into Gabr Saleh, after its combat moves."""
    moves = f"attack {attackers}: HAB GSA", "end"
    return row(rules, name, f"HAB {attackers}; GSA {defenders}", *moves, *steps, **setup)


def marks(rules: str) -> Any:
    return pytest.mark.rule(*rules.split())


def play(lay: Callable[..., Case], row: Row) -> Case:
    """Set up the case of a row, and perform its steps."""
    case = lay(**row.setup)
    for step in row.steps:
        words, _, expected = step.partition(" = ")
        words = words.rstrip()
        verb, _, rest = words.partition(" ")
        if verb in OBSERVED:
            assert str(OBSERVED[verb](case, rest)) == expected, step
        elif verb in ("no", "refuse"):
            assert refusal(case, verb, rest) in expected.split(), step
        elif verb in DONE:
            DONE[verb](case, rest)
        else:
            case.submit(order(step))
    return case


def refusal(case: Case, verb: str, rest: str) -> str:
    """Return the rule against a move or a different order."""
    if verb == "refuse":
        seat, _, words = rest.partition(" ")
        return case.refused(order(words), seat) if seat in POWERS else case.refused(order(rest))
    kind, _, move = rest.partition(" ")
    units, path = move.split(": ")
    if kind == "shift":
        return case.no_shift(units, path)
    return case.no_attack(units, path, raid=kind == "raid")


def order(words: str) -> Order:
    verb, _, rest = words.partition(" ")
    return ORDERS[verb](rest)


def stack(words: str) -> dict[str, int]:
    """Return the units of "infantry 2 fighter 1"."""
    found = words.split()
    return {kind: int(number) for kind, number in zip(found[::2], found[1::2], strict=True)}


def stacks(words: str) -> dict[str, dict[str, int]]:
    """Return the units by space of "TRI infantry 1, SIR infantry 1 fighter 1"."""
    return {each[:3]: stack(each[4:]) for each in words.split(", ") if each}


def bonus(words: str) -> Order:
    """Return the grant of "germany GIR armor 1, italy minefield 1"."""
    units: dict[str, dict[str, dict[str, int]]] = {}
    mines: dict[str, int] = {}
    for item in filter(None, words.split(", ")):
        power, where, *counts = item.split()
        if where == "minefield":
            mines[power] = int(counts[0])
        else:
            units.setdefault(power, {})[where] = stack(" ".join(counts))
    return orders.PlaceBonus(units, mines)


ORDERS: dict[str, Callable[[str], Order]] = {
    "retreat": orders.Retreat,
    "lose": lambda words: orders.TakeLosses(unit_ids(words)),
    "guns": lambda words: orders.DesignateGuns(unit_ids(words)),
    "press": lambda _: orders.PressOn(),
    "sweep": lambda _: orders.Sweep(),
    "decline": lambda _: orders.DeclineSweep(),
    "declare": lambda _: orders.DeclareMinefield(declare=True),
    "keep": lambda _: orders.DeclareMinefield(declare=False),
    "end": lambda _: orders.EndMoves(),
    "choose": orders.ChooseCombat,
    "buy": lambda words: orders.BuyUnits(stack(words)),
    "bonus": bonus,
    "unseen": lambda number: orders.BuyMinefields(int(number)),
    "place": lambda words: orders.PlaceUnits(stacks(words)),
    "mine": lambda words: orders.PlaceMinefields(words.split()),
}


def given(words: str) -> list[Order]:
    """Return the orders of a text, separated by semicolons."""
    return [order(each) for each in words.split("; ") if each]


def combat_move(case: Case, rest: str, *, raid: bool = False) -> None:
    for each in rest.split("; "):
        case.attack(*each.split(": "), raid=raid)


DONE: dict[str, Callable[[Case, str], Any]] = {
    "attack": combat_move,
    "raid": lambda case, rest: combat_move(case, rest, raid=True),
    "shift": lambda case, rest: [case.shift(*each.split(": ")) for each in rest.split("; ")],
    "fight": lambda case, rest: case.fight(*given(rest)),
    "go": lambda case, rest: case.go(*given(rest)),
    "to": lambda case, word: case.to(type(order(f"{word} "))),
    "turn": lambda case, powers: [case.to_turn(power) for power in powers.split()],
    "phase": lambda case, phase: case.to_phase(phase),
    "rounds": lambda case, number: case.until(lambda case: len(case.events(events.RoundFought)) == int(number)),
    "by": lambda case, rest: case.submit(order(rest.partition(" ")[2]), rest.partition(" ")[0]),
    "round": lambda case, number: case.until(lambda case: case.state.turn == int(number)),
    "played": lambda case, _: case.until(lambda case: case.game.is_over),
}
"""Steps that give orders or continue the game, by verb."""
FIRE: tuple[type[Event], ...] = (events.MinesStruck, events.FlakFired, events.GunsFired, events.RoundFought)
KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in EVENTS}


def seen(case: Case, name: str) -> list[Any]:
    return case.events(KINDS[name])


def struck(case: Case, field: str) -> str:
    found = [getattr(event, field) for event in seen(case, "MinesStruck")]
    return "; ".join(map(" ".join, found)) if field == "units" else " ".join(map(str, found))


def dice(rolls: list[tuple[int, ...]]) -> str:
    return ", ".join(" ".join(map(str, needs)) for needs in rolls)


OBSERVED: dict[str, Callable[[Case, str], Any]] = {
    "at": lambda case, space: case.at(space) or "-",
    "where": lambda case, units: " ".join(case.where(unit) or "-" for unit in unit_ids(units)),
    "is": lambda case, units: " ".join(case.condition(unit) for unit in unit_ids(units)),
    "power": lambda case, unit: case.units()[unit].power,
    "holder": lambda case, spaces: " ".join(case.holder(space) for space in spaces.split()),
    "units": lambda case, _: " ".join(sorted(case.units())) or "-",
    "size": lambda case, space: len(case.at(space).split()),
    "needs": lambda case, _: dice(case.needs()) or "-",
    "rolls": lambda case, _: " ".join(purpose.split(".")[0] for purpose, _ in case.rolls()),
    "cut": lambda case, _: "; ".join(
        f"{unit} {space}" for event in case.events(events.UnitsCut) for unit, space in event.units.items()
    ),
    "stood": lambda case, _: "; ".join(" ".join(event.units) for event in case.events(events.UnitsStoodUp)) or "-",
    "flak": lambda case, _: "; ".join(" ".join(event.planes) for event in case.events(events.FlakFired)) or "-",
    "gunners": lambda case, _: " ".join(event.power for event in case.events(events.FlakFired)),
    "targets": lambda case, _: "; ".join(" ".join(event.tanks) for event in case.events(events.GunsFired)) or "-",
    "taken": lambda case, _: "; ".join(" ".join(event.flak) for event in case.events(events.SpaceCaptured)) or "-",
    "raids": lambda case, _: "; ".join(f"{event.space} {event.hits}" for event in case.events(events.RaidFlown)),
    "bombers": lambda case, _: sum(unit.startswith("de-bom") for unit in case.units()),
    "happened": lambda case, _: " ".join(type(event).__name__ for event in case.events(*FIRE)),
    "struck": lambda case, field: struck(case, field or "entry"),
    "seen": lambda case, side: " ".join(sorted(case.game.view(side).minefields)) or "-",
    "incomes": lambda case, _: " ".join(f"{event.power} {event.amount}" for event in case.income()),
    "now": lambda case, _: f"{case.state.turn} {case.state.phasing_power}",
    "owners": lambda case, _: " ".join(mine.power for _, mine in sorted(case.state.minefields.items())) or "-",
    "captures": lambda case, _: "; ".join(
        f"{event.by} {event.owner} {event.lost_by}" for event in case.events(events.SpaceCaptured)
    ),
    "turns": lambda case, _: " ".join(event.power for event in case.events(events.PowerTurnBegan)),
    "purses": lambda case, _: " ".join(event.purse for event in case.income()),
    "view": lambda case, space: " ".join(case.game.view(side).control[space] for side in ("axis", "allies")),
    "grants": lambda case, _: " ".join(f"{event.purse} {event.amount}" for event in case.events(events.GrantReceived)),
    "lost": lambda case, _: "; ".join(" ".join(event.units) for event in case.events(events.UnitsLost)) or "-",
    "opened": lambda case, _: "; ".join(" ".join(event.attackers) for event in case.events(events.BattleOpened)) or "-",
    "ended": lambda case, _: " ".join(event.outcome for event in case.events(events.BattleEnded)) or "-",
    "spaces": lambda case, name: " ".join(event.space for event in seen(case, name)) or "-",
    "count": lambda case, name: len(case.events(KINDS[name])),
    "mines": lambda case, _: " ".join(sorted(case.state.minefields)) or "-",
    "entries": lambda case, space: case.state.minefields[space].entries,
    "known": lambda case, space: case.state.minefields[space].known,
    "waiting": lambda case, power: case.state.waiting[power],
    "cash": lambda case, purse: case.state.cash[purse],
    "asked": lambda case, _: case.asked.seat,
    "wants": lambda case, words: " ".join(str(case.expects(type(order(f"{word} ")))) for word in words.split()),
    "moment": lambda case, _: case.phase,
    "over": lambda case, _: f"{case.state.outcome} {case.state.ending}".strip() if case.game.is_over else "-",
}
"""Steps that compare: functions that return a value as it is written after " = "."""
