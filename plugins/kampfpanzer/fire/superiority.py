"""Attacks by fire: strengths by range and weapon, defense by terrain (KP-9.0e, KP-9.51b, KP-10.0i)."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from kampfpanzer.model.state import KampfState
from kampfpanzer.model.tables import ENTRENCHMENT, MIN_SUPERIORITY, attenuated
from kampfpanzer.terrain.terrain import ground_of
from kampfpanzer.terrain.zones import defense_strength, is_hard, kind_of

MIXED, SMALL_ARMS = "M", "R"
WRONG_WEAPON, TOO_WEAK = "KP-9.51b", "KP-9.7b"


Step = tuple[str, int, str]
"""A step of a calculation in an event: label, amount, rule."""


class Attack(Struct, frozen=True):
    """One computed attack; ``superiority`` is exact, although the table's last column covers higher values (KP-9.7c).

    ``strengths`` are those of ``firers``, in their order. ``defense`` is the total defense; ``addition`` is the part of
    it that comes from ``cover``. ``barred`` is the rule that forbids the attack, or "".
    """

    firers: tuple[str, ...]
    targets: tuple[str, ...]
    hex: str
    strengths: tuple[int, ...]
    defense: int
    addition: int
    cover: str
    superiority: int
    barred: str = ""


FLOORS: dict[str, Callable[[int], int]] = {"0": lambda points: max(points, 0), "none": lambda points: points}
"""By value of the option attack_floor, the limit for an attack strength that range has reduced (R-KP-42)."""

ENTRENCHED: dict[str, Callable[[Sequence[str]], int]] = {
    "once": lambda targets: ENTRENCHMENT,  # noqa: ARG005 - same signature as the others
    "per_unit": lambda targets: ENTRENCHMENT * len(targets),
}
"""By value of the option entrench_combined, the addition of an entrenchment for the targets of one attack (R-KP-72)."""


def may_hit(state: KampfState, firer_id: str, targets: Sequence[str]) -> bool:
    """Return whether a weapon may fire at all these targets: small arms not at hard ones (KP-9.51b, R-KP-28)."""
    return kind_of(state, firer_id).weapon != SMALL_ARMS or not any(is_hard(state, each) for each in targets)


def strength_steps(state: KampfState, firer_id: str, hex_: str, targets: Sequence[str]) -> tuple[Step, ...]:
    """Return the derivation of one firer's attack strength at ``targets`` in a hex (KP-9.11c).

    Range comes first (KP-9.18a). Mixed weapons are then doubled if all targets are soft (KP-9.51d, R-KP-28). Small arms
    have no strength against hard targets. Steps that change nothing are omitted.
    """
    kind = kind_of(state, firer_id)
    printed = ("attack strength", kind.attack, "KP-3.24a")
    if not may_hit(state, firer_id, targets):
        return printed, ("small arms at a hard target", -kind.attack, WRONG_WEAPON)
    range_hexes = ground_of(state).range_hexes(state.units[firer_id].hex, hex_)
    at_range = attenuated(kind.attack, range_hexes)
    points = FLOORS[state.options["attack_floor"]](at_range)
    steps = [printed]
    if at_range != kind.attack:
        steps.append((f"range {range_hexes}", at_range - kind.attack, "KP-9.18a"))
    if points != at_range:
        steps.append(("minimum 0", points - at_range, "R-KP-42"))
    if kind.weapon == MIXED and not any(is_hard(state, each) for each in targets):
        steps.append(("mixed weapon at soft targets: doubled", points, "KP-9.51d"))
    return tuple(steps)


def strength(state: KampfState, firer_id: str, hex_: str, targets: Sequence[str]) -> int:
    """Return the fully modified attack strength of one firer at ``targets`` in a hex (KP-9.11c)."""
    return sum([points for _, points, _ in strength_steps(state, firer_id, hex_, targets)])


def compute_attack(state: KampfState, firers: Sequence[str], targets: Sequence[str], hex_: str) -> Attack:
    """Compute one attack of all ``firers`` on all ``targets``, which are in ``hex_`` (KP-9.0e).

    The addition for terrain counts once (KP-10.2a), that of a slope if at least one firer shoots across a crest
    (KP-10.0j).
    """
    strengths = tuple(strength(state, each, hex_, targets) for each in firers)
    entrenched = hex_ in state.entrenchments
    places = sorted({state.units[each].hex for each in firers})
    addition, cover = ground_of(state).cover(hex_, places, entrenched=entrenched)
    if entrenched:
        addition = ENTRENCHED[state.options["entrench_combined"]](targets)
    defense = addition + sum(defense_strength(state, each) for each in targets)
    superiority = sum(strengths) - defense
    barred = "" if superiority >= MIN_SUPERIORITY else TOO_WEAK
    if not all(may_hit(state, each, targets) for each in firers):
        barred = WRONG_WEAPON
    return Attack(tuple(firers), tuple(targets), hex_, strengths, defense, addition, cover, superiority, barred)
