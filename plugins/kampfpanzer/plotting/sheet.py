"""The sheet of plots that a side writes in phase A (D-KP-04)."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from kampfpanzer.model.orders import HandInPlots
from kampfpanzer.model.state import WAITING, KampfState
from kampfpanzer.model.tables import LETTERS
from kampfpanzer.plotting.conflicts import clashes, find_clashes
from kampfpanzer.plotting.legality import read_plot, why_impossible, why_not_line
from kampfpanzer.plotting.lines import PlotLine, fares_for, pair_plots, still_texts
from kampfpanzer.plotting.notation import Plot, parse_plot
from kampfpanzer.plotting.sampling import draw_plot
from kampfpanzer.plotting.situation import Survey
from sandtable.errors import IllegalOrder
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Form, Refusal, Sheet, Space
from sandtable.kernel.options.choices import listing

DRAWN_AGAIN = 2
"""So often what clashes is drawn again before it is left out."""
PAIRS_DO = 4
"""One pair of so many that could embark or debark does."""


class PlotSheet(Sheet):
    """A sheet of plots that draws partners together, and a side's plots so that they go together."""

    survey: Survey | None = None

    def refusals(self, value: Mapping[Any, Any]) -> dict[str, Refusal]:
        """Return every line that is refused, those included that are missing for who must enter now (KP-14.0d)."""
        found, survey = super().refusals(value), self.survey
        for unit_id in self.required:
            if survey is not None and unit_id not in value:
                ways, name = listing(survey.group(unit_id).entries), survey.name(unit_id)
                found[unit_id] = Refusal(
                    "KP-14.0d", f"{name} must enter now: write its entry hex, {ways}, and its move"
                )
        if not found and isinstance(value, dict):
            self.drawn = dict(value)  # who hands it in now need not be judged again
        return found

    def sample(self, stream: Stream) -> dict[str, str]:
        """Return a sheet; there always is one."""
        survey = self.survey
        if survey is None:
            raise ValueError("nothing can be chosen")
        plots: dict[str, str] = {}
        _draw_pairs(survey, plots, stream)
        for unit_id in self.lines:
            if unit_id not in plots and (unit_id in self.required or stream.below(self.blanks)):
                plots[unit_id] = draw_plot(survey, unit_id, stream)
        self._mend(survey, plots, stream)
        self.drawn = {unit_id: plots[unit_id] for unit_id in self.lines if plots.get(unit_id)}
        return dict(self.drawn)

    def _mend(self, survey: Survey, plots: dict[str, str], stream: Stream) -> None:
        """Draw again, and at last leave out, what does not go together; who must enter does no more than that."""
        for attempt in range(len(self.lines) + DRAWN_AGAIN + 1):
            for unit_id in self.required:
                plots[unit_id] = plots.get(unit_id) or entry_plot(survey, unit_id)
            written = {unit_id: parse_plot(plots[unit_id]) for unit_id in self.lines if plots.get(unit_id)}
            found = find_clashes(survey, written)
            if not found:
                return
            for unit_id, _ in found:
                plots[unit_id] = draw_plot(survey, unit_id, stream) if attempt < DRAWN_AGAIN else ""

    def count(self, limit: int = 1_000_000) -> int:
        """Return how many sheets there are, up to ``limit``; those in which nobody moves are computed first."""
        total = 1
        for unit_id in self.lines if self.survey else ():
            if total < limit and unit_id not in self.required:
                total *= 1 + sum(1 for _ in islice(_still_plots(self.survey, unit_id), limit))
        return limit if total >= limit else super().count(limit)


def _still_plots(survey: Survey | None, unit_id: str) -> Iterator[Plot]:
    """Yield the plots in which a unit stays where it is and needs no partner."""
    if survey is not None and survey.units[unit_id].hex and not survey.units[unit_id].carrier:
        for text in still_texts(survey, unit_id):
            plot = read_plot(text)
            if isinstance(plot, Plot) and why_impossible(survey, unit_id, plot) is None:
                yield plot


def _draw_pairs(survey: Survey, plots: dict[str, str], stream: Stream) -> None:
    """Draw who embarks and debarks, both partners at once."""
    if survey.may_do_nothing:
        return
    for unit_id in survey.writable:
        if not survey.units[unit_id].hex or unit_id in plots:
            continue
        passenger = survey.passengers.get(unit_id)
        if passenger is not None:
            if not survey.units[passenger].disruption and stream.one_in(PAIRS_DO):
                ways = pair_plots(survey, unit_id)
                if ways:
                    plots[unit_id], plots[passenger] = stream.pick(ways), _off(survey, passenger, stream)
        elif survey.kind(unit_id).is_vehicle or survey.board.riders:
            fares = [each for each in fares_for(survey, unit_id) if each not in plots]
            if fares and stream.one_in(PAIRS_DO):
                fare = stream.pick(fares)
                plots[unit_id], plots[fare] = f"M {survey.units[fare].hex}", "M"


def _off(survey: Survey, passenger: str, stream: Stream) -> str:
    """Draw the Q of a passenger: with a facing for most guns (R-KP-34)."""
    facing = stream.below(8) if survey.kind(passenger).is_gun else 8
    return f"Q {LETTERS[facing]}" if facing < len(LETTERS) else "Q"


def entry_plot(survey: Survey, unit_id: str) -> str:
    """Return the least that a unit which enters can do: come to the first entry hex that it may; "" for none."""
    for entry in survey.group(unit_id).entries:
        if why_not_line(survey, unit_id, entry) is None:
            return entry
    return ""


def plot_sheet(survey: Survey) -> PlotSheet:
    """Return the sheet of a side: a line for every unit that may be given a plot, filled in for those that enter now.

    Those must have a plot (KP-14.0d); who was kept out on the turn named may wait on (R-KP-20, R-KP-22).
    """
    lines: dict[str, Space] = {unit_id: PlotLine(survey, unit_id) for unit_id in survey.writable}
    turn = survey.state.turn
    due = [
        unit_id
        for unit_id in lines
        if survey.units[unit_id].standing == WAITING and survey.group(unit_id).enters == turn
    ]
    return PlotSheet(
        lines=lines,
        together=partial(clashes, survey),
        required=[unit_id for unit_id in due if entry_plot(survey, unit_id)],
        stranger=partial(_stranger, survey),
        rule="KP-5.0h",
        titles={unit_id: _title(survey, unit_id) for unit_id in lines},
        read=_read_line,
        survey=survey,
    )


def _stranger(survey: Survey, unit_id: str) -> Refusal:
    return survey.why_no_line(unit_id) or Refusal("KP-5.0a", "this unit gets no plot")


def _title(survey: Survey, unit_id: str) -> str:
    """Return what a line is about: "PzII 94 in 0702", "25mm 38 in 0708, facing A", "Inf-Fr 29 aboard APC 146"."""
    unit, name = survey.units[unit_id], survey.name(unit_id)
    if unit.carrier:
        return f"{name} aboard {survey.name(unit.carrier)}"
    if not unit.hex:
        return f"{name}, to enter"
    facing = f", facing {unit.facing}" if unit.facing else ""
    cargo = f", with {survey.name(survey.passengers[unit_id])}" if unit_id in survey.passengers else ""
    return f"{name} in {unit.hex}{facing}{cargo}"


def _read_line(_unit_id: str, text: str) -> str:
    """Return the canonical form of a plot that was typed. Raises IllegalOrder."""
    plot = read_plot(text)
    if isinstance(plot, Refusal):
        raise IllegalOrder(plot.rule, plot.reason)
    return plot.text


def plot_options(state: KampfState, side: str) -> Form:
    """Return what a side may hand in as its plots of the turn."""
    return Form(HandInPlots, {"plots": plot_sheet(Survey(state, side))})


def possible_plots(state: KampfState, side: str, plots: dict[str, Any]) -> dict[str, str]:
    """Return the plots that were handed in, in canonical form and in order, without those that are impossible.

    There are some only with option plot_validation = void_plot; their units do nothing (R-KP-16).
    """
    survey = Survey(state, side)
    written = {unit_id: parse_plot(plots[unit_id]) for unit_id in sorted(plots, key=int)}
    sound = {each: plot for each, plot in written.items() if why_impossible(survey, each, plot) is None}
    void = {each for each, _ in find_clashes(survey, sound)}
    return {each: plot.text for each, plot in sound.items() if each not in void}
