"""Direct fire and opportunity fire: combining firers, and the roll (KP-9.0e, KP-9.11a, KP-9.21a).

Both kinds of fire are resolved in the same way (KP-9.24a). ``volley`` does everything for one target. The combat phase
splits it: ``form_groups`` for every target first, then ``resolve`` (R-KP-25). ``superiority.py`` computes the attacks.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from kampfpanzer.fire.calculations import attack_calculations
from kampfpanzer.fire.damage import KILL, kill_if_due
from kampfpanzer.fire.superiority import TOO_WEAK, WRONG_WEAPON, Attack, compute_attack, may_hit, strength
from kampfpanzer.model.events import FireResolved, FireWithheld
from kampfpanzer.model.orders import GroupFire, InPhase
from kampfpanzer.model.state import KampfState
from kampfpanzer.model.tables import MAX_SUPERIORITY, MIN_SUPERIORITY, combat_result
from kampfpanzer.terrain.zones import by_number
from sandtable import Decision, Groups, Procedure, Refusal, Roll

__all__ = ["Attack", "Volley", "compute_attack", "form_groups", "may_hit", "resolve", "strength", "volley"]


class Volley(Struct, frozen=True):
    """Fire of one side into one hex: the units that each firer aims at, sorted by number."""

    hex: str
    aims: dict[str, tuple[str, ...]]
    opportunity: bool = False

    @property
    def targets(self) -> tuple[str, ...]:
        """All units that are fired at."""
        return tuple(by_number(dict.fromkeys(unit_id for aim in self.aims.values() for unit_id in aim)))

    def of(self, firers: Sequence[str]) -> "Volley":
        """Return the part of the volley that these firers make."""
        return Volley(self.hex, {firer: self.aims[firer] for firer in firers}, self.opportunity)


def _attack_of(state: KampfState, volley: Volley) -> Attack:
    return compute_attack(state, tuple(volley.aims), volley.targets, volley.hex)


def form_groups(state: KampfState, volley: Volley) -> Procedure:
    """Request the grouping of the firers (KP-9.11a, KP-9.24b) and return the attacks, a list of ``Attack``.

    No die is rolled. The decision is requested only if there is a choice, because attacks below superiority -3 are not
    allowed (KP-9.7b). Firers that cannot take part in any legal attack make one that is ``barred``.
    """
    attacks: list[Attack] = []
    for part in COMBINED[state.options["combine_identical_targets"]](volley):
        attacks += yield from _group_part(state, part)
    return attacks


def _group_part(state: KampfState, volley: Volley) -> Procedure:
    """Group firers that may join in one attack, apart from limits of superiority and weapon."""
    attack, firers = _attack_of(state, volley), list(volley.aims)
    alone = {firer: compute_attack(state, [firer], volley.aims[firer], volley.hex) for firer in firers}
    if attack.barred:  # the others may still attack without the firers that face the highest defense
        most = max((single.barred == WRONG_WEAPON, single.defense) for single in alone.values())
        weak = [each for each in firers if (alone[each].barred == WRONG_WEAPON, alone[each].defense) == most]
        strong = [each for each in firers if each not in weak]
        if not strong:
            return [attack]
        first = yield from form_groups(state, volley.of(strong))
        return first + (yield from form_groups(state, volley.of(weak)))
    if len(firers) == 1 or not _has_choice(volley, alone):
        return [attack]
    order = yield _grouping_decision(state, volley)
    groups = sorted(sorted(map(firers.index, group)) for group in order.groups)
    return [_attack_of(state, volley.of([firers[place] for place in group])) for group in groups]


def _has_choice(volley: Volley, alone: Mapping[str, Attack]) -> bool:
    """Return whether the firers can be split into two legal attacks.

    If they cannot be split in two, they cannot be split further: an additional firer never makes an attack weaker,
    except through the addition of a slope, which one of the two attacks already has.
    """
    if len(dict.fromkeys(volley.aims.values())) > 1:
        return True
    reached = {(0, 0, 0)}  # strength of the first group, highest defense against each group
    for single in alone.values():
        own, met = single.strengths[0], single.defense
        joined = [(sum_ + own, max(first, met), second) for sum_, first, second in reached]
        reached = {*joined, *((sum_, first, max(second, met)) for sum_, first, second in reached)}
    total = sum(single.strengths[0] for single in alone.values())
    return any(
        first and second and sum_ - first >= MIN_SUPERIORITY and total - sum_ - second >= MIN_SUPERIORITY
        for sum_, first, second in reached
    )


def _grouping_decision(state: KampfState, volley: Volley) -> Decision:
    """Return the decision that groups the firers."""
    firers, rule = list(volley.aims), "KP-9.24b" if volley.opportunity else "KP-9.11a"
    known: dict[tuple[str, ...], Refusal | None] = {}

    def why_not_group(group: list[str]) -> Refusal | None:
        key = tuple(group)
        if key not in known:
            known[key] = _why_not_group(state, volley.of(group))
        return known[key]

    prompt = f"group the fire at {' and '.join(volley.targets)} in {volley.hex}"
    space = InPhase(GroupFire, {"groups": Groups(firers, why_not_group, rule)})
    purpose = f"group.{volley.hex}.{'.'.join(volley.targets)}:{'.'.join(firers)}"
    return Decision(state.units[firers[0]].side, prompt, space, rule, purpose=purpose)


def _why_not_group(state: KampfState, group: Volley) -> Refusal | None:
    """Refuse a group that cannot attack: too weak (KP-9.7b), wrong weapon (KP-9.51b), no common target (R-KP-25)."""
    named = ", ".join(group.aims)
    if group.targets not in group.aims.values():
        return Refusal("R-KP-25", f"{named} fire at different units: one unit of a group must fire at all its targets")
    attack = _attack_of(state, group)
    if attack.barred == WRONG_WEAPON:
        return Refusal(WRONG_WEAPON, f"{named} together would fire small arms at a hard target: group them separately")
    if attack.barred:
        figures = f"{'+'.join(map(str, attack.strengths))} against {attack.defense}"
        reason = f"{named}: superiority {attack.superiority} ({figures}) is below the minimum of {MIN_SUPERIORITY}"
        return Refusal(TOO_WEAK, reason)
    return None


def _identical(volley: Volley) -> list[Volley]:
    """Split a volley into parts with exactly the same targets (R-KP-25)."""
    parts: dict[tuple[str, ...], list[str]] = {}
    for firer, aim in volley.aims.items():
        parts.setdefault(aim, []).append(firer)
    return [volley.of(firers) for firers in parts.values()]


def _overlapping(volley: Volley) -> list[Volley]:
    """Keep a volley together if one of its firers has all the targets of the others."""
    return [volley] if volley.targets in volley.aims.values() else _identical(volley)


COMBINED: dict[str, Callable[[Volley], list[Volley]]] = {"required": _identical, "any_overlap": _overlapping}
"""By value of the option, the function that splits a volley into parts whose firers may combine (R-KP-25)."""


# --- the roll ---


def resolve(state: KampfState, attack: Attack, *, opportunity: bool) -> Procedure:
    """Roll for one attack and return its result, which stays pending for every target (KP-9.0e).

    A barred attack is not carried out; its result is "".
    """
    firers, targets = list(attack.firers), list(attack.targets)
    if attack.barred:
        calculations = attack_calculations(state, attack)
        yield FireWithheld(firers, targets, attack.hex, attack.superiority, opportunity, attack.barred, calculations)
        return ""
    rule = "KP-9.24a" if opportunity else "KP-9.0e"
    fired_at = state.units[targets[0]].side  # a low die favors the firer
    alone = attack.firers if len(firers) == 1 else ()
    (die,) = yield Roll(1, 6, f"fire:{attack.hex}:{'.'.join(targets)}", rule, favors=fired_at, units=alone)
    column = min(attack.superiority, MAX_SUPERIORITY)
    result = combat_result(column, die)
    yield FireResolved(
        firers,
        targets,
        attack.hex,
        list(attack.strengths),
        attack.defense,
        attack.addition,
        attack.cover,
        column,
        die,
        result,
        opportunity,
        rule,
        attack_calculations(state, attack, die),
    )
    return result


def volley(
    state: KampfState,
    firers: Sequence[str],
    targets: Sequence[str],
    hex_: str,
    opportunity: bool,  # noqa: FBT001 - one of two kinds of fire
) -> Procedure:
    """Let ``firers`` of one side fire at ``targets`` in ``hex_``: grouping, rolls, events.

    Opportunity fire destroys units at once, after all its attacks (KP-9.82b).
    """
    aim, worst = tuple(by_number(targets)), ""
    attacks = yield from form_groups(state, Volley(hex_, dict.fromkeys(by_number(firers), aim), opportunity))
    for attack in attacks:
        result = yield from resolve(state, attack, opportunity=opportunity)
        worst = KILL if KILL in (result, worst) else result
    if opportunity:
        for target in aim:
            yield from kill_if_due(state, target, worst)
