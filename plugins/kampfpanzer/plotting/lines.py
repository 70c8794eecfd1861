"""The plots of one unit as a space of options: checked, listed lazily, drawn at random."""

from collections.abc import Iterator
from typing import Any

from kampfpanzer.model.tables import LETTERS
from kampfpanzer.plotting.clicking import longer, plot_by_clicks, text_of
from kampfpanzer.plotting.fire_and_boarding import vehicles_for, why_no_passenger
from kampfpanzer.plotting.legality import plot_or_refusal, why_impossible, why_not_line
from kampfpanzer.plotting.notation import STOP, Plot
from kampfpanzer.plotting.sampling import draw_plot
from kampfpanzer.plotting.situation import Situation
from sandtable import Asking, Refusal, Space, Stream


class PlotLine(Space):
    """The plots that one unit may have, each legal by itself; the sheet checks rules among several plots."""

    situation: Situation
    unit_id: str

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a value that is not a legal plot for this unit."""
        return why_not_line(self.situation, self.unit_id, value)

    def sample(self, stream: Stream) -> str:
        """Return a random plot. Raises ValueError if none is found."""
        pairs = pair_plots(self.situation, self.unit_id)
        if pairs and stream.below(4) == 0:
            return stream.pick(pairs)
        text = draw_plot(self.situation, self.unit_id, stream) or (stream.pick(pairs) if pairs else "")
        if not text:
            raise ValueError("no choice is possible")
        return text

    def values(self) -> Iterator[str]:
        """Yield the plots that do something, in canonical form: embarking and debarking, facing, fire, movement."""
        situation, unit_id = self.situation, self.unit_id
        yield from filter(self._is_possible, _all_texts(situation, unit_id))

    def in_parts(self) -> Asking:
        """Ask for an action, then for its target, or for the hexes of a move."""
        situation, unit_id = self.situation, self.unit_id
        still = pair_plots(situation, unit_id)
        if situation.units[unit_id].hex and not situation.units[unit_id].carrier:
            still += still_texts(situation, unit_id)
        return plot_by_clicks(situation, unit_id, still, self._is_possible)

    def _is_possible(self, text: str) -> bool:
        plot = plot_or_refusal(text)
        return isinstance(plot, Plot) and why_impossible(self.situation, self.unit_id, plot) is None


def pair_plots(situation: Situation, unit_id: str) -> list[str]:
    """Return the M and Q plots that a unit may have if its partner plots the same."""
    unit, kind = situation.units[unit_id], situation.kind(unit_id)
    if situation.may_do_nothing or not unit.hex:
        return []
    if unit.carrier:
        return ["Q", *(f"Q {letter}" for letter in LETTERS)] if kind.is_gun else ["Q"]
    if unit_id in situation.passengers:
        return [f"Q {hex_}" for hex_ in situation.ground.around(unit.hex) if hex_ and not situation.is_entrenched(hex_)]
    if kind.is_foot:
        is_ready = why_no_passenger(situation, unit_id) is None and vehicles_for(situation, unit_id)
        return ["M"] if is_ready else []
    return [f"M {situation.units[each].hex}" for each in passengers_for(situation, unit_id)]


def passengers_for(situation: Situation, vehicle: str) -> list[str]:
    """Return the foot units adjacent to an empty vehicle, or tank, that it may pick up."""
    if not (situation.kind(vehicle).is_vehicle or situation.board.riders) or vehicle in situation.passengers:
        return []
    around = situation.ground.around(situation.units[vehicle].hex)
    near = [situation.own_at[hex_][0] for hex_ in around if hex_ in situation.own_at]
    return [each for each in near if situation.may_carry(vehicle, each) and why_no_passenger(situation, each) is None]


# --- every plot ---


def _all_texts(situation: Situation, unit_id: str) -> Iterator[str]:
    """Yield the text of every plot that may be legal, each once."""
    unit, kind = situation.units[unit_id], situation.kind(unit_id)
    if not unit.hex:
        for entry in situation.group(unit_id).entries:
            yield entry
            yield from _moves(situation, unit_id, entry, situation.ground.entry_halves(kind.mobility, entry))
        return
    yield from pair_plots(situation, unit_id)
    if unit.carrier:
        return
    yield from still_texts(situation, unit_id)
    if kind.movement:
        yield from _moves(situation, unit_id, "", 0)


def still_texts(situation: Situation, unit_id: str) -> Iterator[str]:
    """Yield the text of every plot of fire or facing, without movement, that may be legal."""
    unit, kind = situation.units[unit_id], situation.kind(unit_id)
    if kind.is_gun:
        yield from LETTERS
    if kind.is_vehicle:
        return
    for hex_ in situation.ground.hexmap.within(unit.hex, kind.range_hexes):
        yield f"N {hex_}"
        yield from (f"N {hex_}/{target}" for target in situation.targets_at(hex_))
        yield from (f"{letter} {hex_}" for letter in "PTL")


def _moves(situation: Situation, unit_id: str, entry: str, halves: int) -> Iterator[str]:
    """Yield every move and overrun within the allowance, built from single steps and points of halt."""
    kind, ground = situation.kind(unit_id), situation.ground
    most = 2 * kind.movement

    def extend(here: str, legs: list[tuple[str, int]], halves: int) -> Iterator[str]:
        if legs and (entry or any(letter != STOP for letter, _ in legs)):
            yield text_of(entry, legs)
        if situation.may_overrun(unit_id) and halves + 4 < most:
            yield from (f"{text_of(entry, legs)} V{letter}".strip() for letter in LETTERS)
        for letter, there in zip(LETTERS, ground.around(here), strict=True):
            if there:
                total = halves + ground.step_halves(kind.mobility, here, there)
                if total <= most:
                    yield from extend(there, longer(legs, letter), total)
            elif here in situation.exits:
                yield text_of(entry, longer(legs, letter))
        if halves + 2 <= most:
            yield from extend(here, longer(legs, STOP), halves + 2)

    return extend(entry or situation.units[unit_id].hex, [], halves)
