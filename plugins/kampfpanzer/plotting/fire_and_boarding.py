"""Whether a unit may embark or debark as plotted (KP-12.0, 12.1); that both partners must is judged in ``together``."""

from kampfpanzer.plotting.notation import Plot
from kampfpanzer.plotting.situation import Survey
from sandtable.kernel.options import Refusal
from sandtable.kernel.options.choices import listing


def why_no_embark(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse M to who can neither be picked up where he stands nor pick up in the hex written (KP-5.31, KP-12.0f)."""
    if survey.kind(unit_id).is_foot:
        return _why_not_picked_up(survey, unit_id, plot)
    return _why_no_pick_up(survey, unit_id, plot)


def _why_not_picked_up(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    name, here = survey.name(unit_id), survey.units[unit_id].hex
    if plot.hex:
        return Refusal("KP-5.31b", f"{name} is picked up where it stands: write M alone, and M {here} for the vehicle")
    refusal = why_no_passenger(survey, unit_id)
    if refusal is None and not vehicles_for(survey, unit_id):
        return Refusal("KP-12.0f", f"no empty vehicle that could take {name} aboard is adjacent to {here}")
    return refusal


def why_no_passenger(survey: Survey, unit_id: str) -> Refusal | None:
    """Refuse a foot unit that cannot be picked up in its hex (KP-12.14a, R-KP-64, KP-12.12a)."""
    name, unit = survey.name(unit_id), survey.units[unit_id]
    if unit.disruption:
        return Refusal("KP-12.12a", f"{name} is disrupted and cannot embark")
    others = [each for each in survey.own_at[unit.hex] if each != unit_id]
    if others:
        return Refusal("KP-12.14a", f"{name} shares {unit.hex} with {survey.name(others[0])}: alone it could embark")
    if survey.is_entrenched(unit.hex) and survey.options["embark_entrenched"] == "forbidden":
        return Refusal("R-KP-64", f"{unit.hex} is entrenched, and no vehicle may end there: move {name} out first")
    return None


def vehicles_for(survey: Survey, unit_id: str) -> list[str]:
    """Return the vehicles next to a foot unit that may pick it up."""
    around = survey.ground.around(survey.units[unit_id].hex)
    near = [each for hex_ in around if hex_ for each in survey.own_at.get(hex_, ())]
    return [
        each
        for each in near
        if survey.may_carry(each, unit_id) and each not in survey.passengers and not survey.units[each].disruption
    ]


def _why_no_pick_up(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    name, here = survey.name(unit_id), survey.units[unit_id].hex
    if not survey.kind(unit_id).is_vehicle and not survey.board.riders:
        return Refusal("KP-12.0a", f"{name} is no vehicle and carries nobody")
    if unit_id in survey.passengers:
        return Refusal("R-KP-63", f"{name} carries {survey.name(survey.passengers[unit_id])} already: one is the most")
    if not plot.hex:
        return Refusal("KP-5.31c", f"write the hex where {name} picks up, such as M 0506")
    if plot.hex not in survey.ground.around(here):
        return Refusal("KP-12.0f", f"{plot.hex} is not adjacent to {here}, where {name} stands")
    there = [each for each in survey.own_at.get(plot.hex, ()) if survey.may_carry(unit_id, each)]
    if not there:
        return Refusal("KP-12.0f", f"no unit that {name} could take aboard is in {plot.hex}")
    return why_no_passenger(survey, there[0])


def why_no_debark(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    """Refuse Q to who is not aboard and carries nobody, and where the vehicle cannot go (KP-5.32, KP-12.0g)."""
    if survey.units[unit_id].carrier:
        return _why_not_off(survey, unit_id, plot)
    name, here = survey.name(unit_id), survey.units[unit_id].hex
    if unit_id not in survey.passengers:
        carried = "is not aboard a vehicle" if survey.kind(unit_id).is_foot else "carries nobody"
        return Refusal("KP-12.0g", f"{name} {carried}: there is nothing to debark")
    if plot.facing:
        return Refusal("KP-5.32b", f"write the hex that {name} goes to, such as Q 0506; a facing is its passenger's")
    if not plot.hex:
        near = listing([each for each in survey.ground.around(here) if each])
        return Refusal("KP-5.32b", f"write the hex that {name} goes to, {near}")
    if plot.hex not in survey.ground.around(here):
        return Refusal("KP-12.0g", f"{plot.hex} is not adjacent to {here}, where {name} stands")
    if survey.is_entrenched(plot.hex):
        return Refusal("R-KP-65", f"{name} may not end in {plot.hex}, which is entrenched: choose another hex")
    return None


def _why_not_off(survey: Survey, unit_id: str, plot: Plot) -> Refusal | None:
    name = survey.name(unit_id)
    if plot.hex:
        stays = f"{name} stays where it is and {survey.name(survey.units[unit_id].carrier)} goes to {plot.hex}"
        return Refusal("KP-5.32a", f"{stays}: write Q alone here")
    if plot.facing and not survey.kind(unit_id).is_gun:
        return Refusal("KP-9.4a", f"{name} is no gun and has no facing: write Q alone")
    return None
