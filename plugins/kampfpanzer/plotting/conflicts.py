"""Rules among the plots of a side: both partners plot M or Q, and no stacks (KP-12.11a, KP-7.0a)."""

from collections.abc import Mapping

from kampfpanzer.model.forces import ARTILLERY, INFANTRY
from kampfpanzer.model.state import ON_MAP, WAITING
from kampfpanzer.plotting.legality import VOID, route_of
from kampfpanzer.plotting.notation import STOP, Plot, parse_plot
from kampfpanzer.plotting.situation import Situation
from sandtable import Refusal


def conflicts(situation: Situation, plots: Mapping[str, str]) -> list[tuple[str, Refusal]]:
    """Return the lines of a sheet that conflict with others, each with its refusal; the remaining lines are compatible.

    If ``plot_validation`` is "void_plot", no line is refused. Every plot must be legal by itself. If several units
    would end in one hex, a unit that stays there has priority, then the lower number.
    """
    if situation.options["plot_validation"] == VOID:
        return []
    return find_conflicts(situation, {unit_id: parse_plot(text) for unit_id, text in plots.items()})


def find_conflicts(situation: Situation, plots: Mapping[str, Plot]) -> list[tuple[str, Refusal]]:
    """Return the lines that conflict, whatever the value of the option plot_validation."""
    refused = _partnerless(situation, plots)
    while True:
        more = _stacked(situation, {each: plot for each, plot in plots.items() if each not in refused})
        if not more:
            break
        refused |= more
        left = {each: plot for each, plot in plots.items() if each not in refused}
        refused |= _partnerless(situation, left)
    return [(unit_id, refused[unit_id]) for unit_id in plots if unit_id in refused]


# --- partners ---


def _partnerless(situation: Situation, plots: Mapping[str, Plot]) -> dict[str, Refusal]:
    """Return the M and Q plots whose partner does not plot the same (KP-12.11a, R-KP-63)."""
    refused: dict[str, Refusal] = {}
    boarding: dict[str, str] = {}
    for unit_id, plot in plots.items():
        if plot.kind == "debark":
            partner = situation.units[unit_id].carrier or situation.passengers[unit_id]
            if partner not in plots or plots[partner].kind != "debark":
                refused[unit_id] = _alone(situation, unit_id, partner, "Q")
        elif plot.kind == "embark" and plot.hex:
            _board(situation, plots, unit_id, boarding, refused)
    for unit_id, plot in plots.items():
        if plot.kind == "embark" and not plot.hex and unit_id not in boarding:
            here = situation.units[unit_id].hex
            name = situation.name(unit_id)
            refused[unit_id] = Refusal(
                "KP-12.11a", f"no vehicle picks up {name} in {here}: write M {here} for a vehicle"
            )
    return refused


def _board(
    situation: Situation, plots: Mapping[str, Plot], vehicle: str, boarding: dict[str, str], refused: dict[str, Refusal]
) -> None:
    """Record which unit a vehicle picks up, or refuse its plot."""
    there = plots[vehicle].hex
    unit_id = situation.own_at[there][0]
    if unit_id not in plots or plots[unit_id].kind != "embark":
        refused[vehicle] = _alone(situation, vehicle, unit_id, "M")
    elif unit_id in boarding:
        first = situation.name(boarding[unit_id])
        refused[vehicle] = Refusal(
            "R-KP-63", f"{situation.name(unit_id)} already embarks on {first}: it needs one vehicle only"
        )
    else:
        boarding[unit_id] = vehicle


def _alone(situation: Situation, unit_id: str, partner: str, letter: str) -> Refusal:
    both = f"{situation.name(unit_id)} and {situation.name(partner)}"
    return Refusal("KP-12.11a", f"{both} must both plot {letter}: {partner} has no such plot")


# --- stacks ---


def _stacked(situation: Situation, plots: Mapping[str, Plot]) -> dict[str, Refusal]:
    """Return the plots that would end in a hex where another unit of the side ends the turn (KP-7.0a)."""
    ends = {unit_id: _end(situation, unit_id, plot) for unit_id, plot in plots.items()}
    held = _staying(situation, plots, ends)
    refused: dict[str, Refusal] = {}
    for unit_id, end in ends.items():
        if not end:
            continue
        row = held.setdefault(end, [])
        if row and not may_stack(situation, [*row, unit_id]):
            refused[unit_id] = _crowded(situation, unit_id, plots[unit_id], row[-1])
        else:
            row.append(unit_id)
    return refused


def _staying(situation: Situation, plots: Mapping[str, Plot], ends: Mapping[str, str | None]) -> dict[str, list[str]]:
    """Return the units in each hex at the end of the turn without a move; passengers do not count."""
    held: dict[str, list[str]] = {}
    gone = {unit_id for unit_id, end in ends.items() if end is not None}
    for unit_id, plot in plots.items():
        if plot.kind == "embark" and plot.hex:
            held[plot.hex] = [unit_id]
            gone |= {unit_id, situation.own_at[plot.hex][0]}
        elif plot.kind == "debark" and situation.units[unit_id].carrier:
            held.setdefault(situation.units[unit_id].hex, []).append(unit_id)
    for hex_, row in situation.own_at.items():
        for unit_id in row:
            if unit_id not in gone:
                held.setdefault(hex_, []).append(unit_id)
    return held


def _end(situation: Situation, unit_id: str, plot: Plot) -> str | None:
    """Return the hex to which a plot takes its unit, "" if it leaves the map, or None if it stays.

    Also returns None for a unit that moves no farther than its entry hex, because it waits off the map if the hex is
    full (R-KP-20).
    """
    if plot.kind == "debark":
        return plot.hex or None
    if not plot.is_movement:
        return None
    if (
        situation.units[unit_id].standing == WAITING
        and not plot.overrun
        and all(letter == STOP for letter, _ in plot.legs)
    ):
        return None
    end = situation.ends.get((unit_id, plot.text))
    if end is None:
        end = route_of(situation, unit_id, plot).end(situation.units[unit_id].hex)
        situation.ends[unit_id, plot.text] = end
    return end


def may_stack(situation: Situation, row: list[str]) -> bool:
    """Return whether several units may end a turn in one hex: infantry with a gun (KP-7.0a, KP-7.1a, KP-13.21a)."""
    return len(row) == 2 and {situation.kind(each).category for each in row} == {INFANTRY, ARTILLERY}


def _crowded(situation: Situation, unit_id: str, plot: Plot, other: str) -> Refusal:
    end = plot.hex if plot.kind == "debark" else route_of(situation, unit_id, plot).hexes[-1]
    does = "stays" if situation.units[other].hex == end and situation.units[other].standing == ON_MAP else "ends"
    rule = "R-KP-65" if plot.kind == "debark" else "KP-7.0a"
    name = situation.name(unit_id)
    return Refusal(rule, f"{name} would end in {end}, where {situation.name(other)} {does}: end in another hex")
