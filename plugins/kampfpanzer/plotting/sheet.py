"""The sheet of plots that a side writes in phase A (KP-4.1a)."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from kampfpanzer.model.orders import HandInPlots, InPhase
from kampfpanzer.model.state import WAITING, KampfState
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.plotting.conflicts import conflicts, find_conflicts
from kampfpanzer.plotting.legality import plot_or_refusal, route_of, why_impossible, why_not_line
from kampfpanzer.plotting.lines import PlotLine, pair_plots, passengers_for, still_texts
from kampfpanzer.plotting.notation import Plot, parse_plot
from kampfpanzer.plotting.sampling import draw_plot
from kampfpanzer.plotting.situation import Situation, points
from kampfpanzer.plotting.typed.heads import NO_NUMBER, lines_of
from kampfpanzer.plotting.typed.paths import goal_of, path_to
from sandtable import IllegalOrder, Refusal, Sheet, Space, Stream, listing

Echo = Callable[[Situation, str, Mapping[str, str]], str]
"""The echo of a line of a sheet, given the other lines."""
REDRAWS = 2
"""Number of times that conflicting plots are drawn again before they are left out."""
PAIR_RARITY = 4
"""One in this many pairs that can embark or debark does so."""


class PlotSheet(Sheet):
    """A sheet of plots whose samples draw partners together and contain no conflicts."""

    situation: Situation | None = None

    def refusals(self, value: Mapping[Any, Any]) -> dict[str, Refusal]:
        """Return every refused line, including missing lines of units that must enter now (KP-14.0d)."""
        found, situation = super().refusals(value), self.situation
        for unit_id in self.required:
            if situation is not None and unit_id not in value:
                entries, name = listing(situation.group(unit_id).entries), situation.name(unit_id)
                found[unit_id] = Refusal(
                    "KP-14.0d", f"{name} must enter now: write its entry hex, {entries}, and its move"
                )
        if not found and isinstance(value, dict):
            self.drawn = dict(value)  # it need not be checked again when it is handed in
        return found

    def sample(self, stream: Stream) -> dict[str, str]:
        """Return a random sheet. Raises ValueError if the sheet has no situation."""
        situation = self.situation
        if situation is None:
            raise ValueError("no choice is possible")
        plots: dict[str, str] = {}
        _draw_pairs(situation, plots, stream)
        for unit_id in self.lines:
            if unit_id not in plots and (unit_id in self.required or stream.below(self.blanks)):
                plots[unit_id] = draw_plot(situation, unit_id, stream)
        self._resolve_conflicts(situation, plots, stream)
        self.drawn = {unit_id: plots[unit_id] for unit_id in self.lines if plots.get(unit_id)}
        return dict(self.drawn)

    def _resolve_conflicts(self, situation: Situation, plots: dict[str, str], stream: Stream) -> None:
        """Draw conflicting plots again, and finally leave them out; units that must enter then only enter."""
        for attempt in range(len(self.lines) + REDRAWS + 1):
            for unit_id in self.required:
                plots[unit_id] = plots.get(unit_id) or entry_plot(situation, unit_id)
            written = {unit_id: parse_plot(plots[unit_id]) for unit_id in self.lines if plots.get(unit_id)}
            found = find_conflicts(situation, written)
            if not found:
                return
            for unit_id, _ in found:
                plots[unit_id] = draw_plot(situation, unit_id, stream) if attempt < REDRAWS else ""

    def count(self, limit: int = 1_000_000) -> int:
        """Return the number of sheets, up to ``limit``; if those without movement reach it, no others are counted."""
        total = 1
        for unit_id in self.lines if self.situation else ():
            if total < limit and unit_id not in self.required:
                total *= 1 + sum(1 for _ in islice(_still_plots(self.situation, unit_id), limit))
        return limit if total >= limit else super().count(limit)


def _still_plots(situation: Situation | None, unit_id: str) -> Iterator[Plot]:
    """Yield the plots without movement that need no partner."""
    if situation is not None and situation.units[unit_id].hex and not situation.units[unit_id].carrier:
        for text in still_texts(situation, unit_id):
            plot = plot_or_refusal(text)
            if isinstance(plot, Plot) and why_impossible(situation, unit_id, plot) is None:
                yield plot


def _draw_pairs(situation: Situation, plots: dict[str, str], stream: Stream) -> None:
    """Draw plots to embark and debark, for both partners at once."""
    if situation.may_do_nothing:
        return
    for unit_id in situation.writable:
        if not situation.units[unit_id].hex or unit_id in plots:
            continue
        passenger = situation.passengers.get(unit_id)
        if passenger is not None:
            if not situation.units[passenger].disruption and stream.one_in(PAIR_RARITY):
                options = pair_plots(situation, unit_id)
                if options:
                    plots[unit_id], plots[passenger] = stream.pick(options), _debark_plot(situation, passenger, stream)
        elif situation.kind(unit_id).is_vehicle or situation.board.riders:
            passengers = [each for each in passengers_for(situation, unit_id) if each not in plots]
            if passengers and stream.one_in(PAIR_RARITY):
                passenger = stream.pick(passengers)
                plots[unit_id], plots[passenger] = f"M {situation.units[passenger].hex}", "M"


def _debark_plot(situation: Situation, passenger: str, stream: Stream) -> str:
    """Draw the Q plot of a passenger, with a facing for most guns (R-KP-34)."""
    facing = stream.below(8) if situation.kind(passenger).is_gun else 8
    return f"Q {LETTERS[facing]}" if facing < len(LETTERS) else "Q"


def entry_plot(situation: Situation, unit_id: str) -> str:
    """Return the minimal plot of a unit that enters: the first entry hex that it may use, or ""."""
    for entry in situation.group(unit_id).entries:
        if why_not_line(situation, unit_id, entry) is None:
            return entry
    return ""


def plot_sheet(situation: Situation, fire: Echo | None = None) -> PlotSheet:
    """Return the sheet of a side, with a line for every unit that may have a plot.

    Units that enter on this turn must have a plot (KP-14.0d). A unit that was kept out on its turn may wait longer
    (R-KP-20, R-KP-22). ``fire`` returns the echo of a line of fire.
    """
    lines: dict[str, Space] = {unit_id: PlotLine(situation, unit_id) for unit_id in situation.writable}
    turn = situation.state.turn
    due = [
        unit_id
        for unit_id in lines
        if situation.units[unit_id].standing == WAITING and situation.group(unit_id).enters == turn
    ]
    return PlotSheet(
        lines=lines,
        together=partial(conflicts, situation),
        required=[unit_id for unit_id in due if entry_plot(situation, unit_id)],
        stranger=partial(_stranger, situation),
        rule="KP-5.0h",
        titles={unit_id: _title(situation, unit_id) for unit_id in lines},
        read=partial(_read_line, situation),
        parts=partial(lines_of, lines.keys(), situation.board.kinds.keys()),
        echo=partial(_echo, situation, fire),
        situation=situation,
    )


def _stranger(situation: Situation, unit_id: str) -> Refusal:
    if not unit_id.isdigit():
        return NO_NUMBER
    return situation.why_no_line(unit_id) or Refusal("KP-5.0h", "this unit has no line on the sheet")


def _title(situation: Situation, unit_id: str) -> str:
    """Return the title of a line, such as "25mm 38 in 0708, facing A" or "Inf-Fr 29 aboard APC 146"."""
    unit, name = situation.units[unit_id], situation.name(unit_id)
    if unit.carrier:
        return f"{name} aboard {situation.name(unit.carrier)}"
    if not unit.hex:
        return f"{name}, to enter"
    facing = f", facing {unit.facing}" if unit.facing else ""
    cargo = f", with {situation.name(situation.passengers[unit_id])}" if unit_id in situation.passengers else ""
    return f"{name} in {unit.hex}{facing}{cargo}"


def _echo(situation: Situation, fire: Echo | None, unit_id: str, sheet: Mapping[str, str]) -> str:
    """Return the end and cost of a movement plot, with any conflict there, or the echo of fire, or ""."""
    plot = plot_or_refusal(sheet[unit_id])
    if not isinstance(plot, Plot) or not plot.is_movement:
        return fire(situation, unit_id, sheet) if isinstance(plot, Plot) and plot.is_fire and fire else ""
    route = route_of(situation, unit_id, plot)
    end = route.end(situation.units[unit_id].hex)
    cost = f"{points(route.halves)} of {situation.kind(unit_id).movement} points"
    result = f"ends in {end}, {cost}" if end else f"leaves the map, {cost}"
    written = {each: parse_plot(text) for each, text in sheet.items()}
    crowded = [refusal for _, refusal in find_conflicts(situation, written) if f" {end}, where " in refusal.reason]
    return f"{result}; {crowded[0].reason} [{crowded[0].rule}]" if end and crowded else result


def _read_line(situation: Situation, unit_id: str, text: str) -> str:
    """Return the canonical form of a typed plot; for "to 1503" it is the cheapest path. Raises IllegalOrder."""
    goal = goal_of(text)
    plot = plot_or_refusal(path_to(situation, unit_id, goal) if goal else text)
    if isinstance(plot, Refusal):
        raise IllegalOrder(plot.rule, plot.reason)
    return plot.text


def plot_options(state: KampfState, side: str, fire: Echo | None = None) -> InPhase:
    """Return the legal plots of a side for this turn."""
    return InPhase(HandInPlots, {"plots": plot_sheet(Situation(state, side), fire)})


def possible_plots(state: KampfState, side: str, plots: dict[str, Any]) -> dict[str, str]:
    """Return the plots that were handed in, in canonical form and in order, without impossible ones.

    Impossible plots occur only if plot_validation is "void_plot"; their units do nothing (R-KP-16).
    """
    situation = Situation(state, side)
    written = {unit_id: parse_plot(plots[unit_id]) for unit_id in sorted(plots, key=int)}
    legal = {each: plot for each, plot in written.items() if why_impossible(situation, each, plot) is None}
    void = {each for each, _ in find_conflicts(situation, legal)}
    return {each: plot.text for each, plot in legal.items() if each not in void}
