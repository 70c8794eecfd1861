"""Fire at units that enter a hex: high explosive fire, then opportunity fire (KP-9.32c, KP-9.21a)."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from kampfpanzer.fire.direct import volley
from kampfpanzer.fire.indirect import shell_entry
from kampfpanzer.fire.superiority import may_hit
from kampfpanzer.model.events import FireTriggered
from kampfpanzer.model.orders import ChooseTarget
from kampfpanzer.model.state import ON_MAP
from kampfpanzer.movement.march import March, Moved
from kampfpanzer.movement.overruns import lose_by_hit
from kampfpanzer.terrain.zones import by_number, is_target, passengers_of
from sandtable import Calculation, Decision, OneOf, Procedure, Roll


class Watch:
    """The lines of opportunity fire: the firers by hex, and by hexside (two hexes, the lower first).

    A unit is on a line when it enters a hex that the line passes through, or crosses a hexside along which it runs
    (KP-9.23a, KP-9.23b).
    """

    def __init__(self, march: March) -> None:
        self.hexes: dict[str, list[str]] = {}
        self.sides: dict[tuple[str, str], list[str]] = {}
        for firer, plot in march.plots.items():
            if plot.kind == "opportunity" and _may_fire(march, firer):
                path = march.ground.fire_path(march.state.units[firer].hex, plot.hex)
                corners = path.corners if CORNERS[march.state.options["opp_corner"]] else ()
                for hex_ in (*path.hexes, *corners):
                    self.hexes.setdefault(hex_, []).append(firer)
                for side in path.hexsides:
                    self.sides.setdefault(side, []).append(firer)

    def firers(self, before: str, hex_: str) -> Sequence[str]:
        """Return the firers on whose lines a unit comes when it moves from ``before`` to ``hex_``.

        ``before`` is "" if it comes from off the map.
        """
        found = self.hexes.get(hex_, ())
        if self.sides and before:
            crossed = self.sides.get((before, hex_) if before < hex_ else (hex_, before), ())
            if crossed:
                return list(dict.fromkeys((*found, *crossed)))
        return found


CORNERS = {"no_trigger": False, "trigger": True}
"""By value of the option opp_corner, whether a line includes hexes that it touches only at a corner (R-KP-38)."""


def _may_fire(march: March, firer: str) -> bool:
    """Return whether a unit still fires: pinned, but not disrupted or panicked (R-KP-41, KP-11.0c)."""
    unit = march.state.units[firer]
    return unit.standing == ON_MAP and not unit.disruption and not unit.panicked and not unit.carrier


def fire_on_entry(march: March, watch: Watch, moved: Sequence[Moved]) -> Procedure:
    """Resolve all fire that these entries trigger, and its effect on overruns (R-KP-07, step 6)."""
    if march.state.impacts:
        for mover, _ in sorted(moved, key=lambda each: (each.mover.hex, each.mover.number)):
            yield from shell_entry(march.state, mover.unit_id, mover.hex)
            march.note_losses((mover.unit_id,))
    if watch.hexes:
        yield from _opportunity_fire(march, watch, moved)
    for mover, _ in moved:
        if mover.target:
            yield from lose_by_hit(march, mover)


class Chance(NamedTuple):
    """A possible target on a firer's line: half points spent, range in hexes, hex and number."""

    spent: int
    range_hexes: int
    hex: str
    number: int


def _opportunity_fire(march: March, watch: Watch, moved: Sequence[Moved]) -> Procedure:
    state = march.state
    chances = _find_chances(march, watch, moved)
    shots: dict[tuple[str, int], dict[str, Chance]] = {}
    for firer in by_number(list(chances)):
        chance = yield from _first_passer(march, firer, chances[firer])
        shots.setdefault((chance.hex, chance.number), {})[firer] = chance
    for hex_, number in sorted(shots):
        firers, target = list(shots[hex_, number]), str(number)
        for firer in firers:
            yield from march.show(firer)
        calculations = _calculations(shots[hex_, number])
        yield FireTriggered(firers, target, hex_, march.tick, calculations=calculations)
        if state.units[target].standing == ON_MAP:
            carrier = state.units[target].carrier
            sure = [each for each in firers if march.ground.sees(state.units[each].hex, hex_, high_explosive=False)]
            if sure:
                yield from volley(state, sure, [target], hex_, opportunity=True)
            march.note_losses((carrier or target,))


def _calculations(shots: Mapping[str, Chance]) -> tuple[Calculation, ...]:
    """Return the figures that decide the first target: the half points spent, then its range from each firer."""
    spent = next(iter(shots.values())).spent
    ranges = (Calculation(f"range.{each}", (("hexes", it.range_hexes, "KP-9.22c"),)) for each, it in shots.items())
    return (Calculation("spent", (("half points", spent, "KP-9.22b"),)), *ranges)


def _find_chances(march: March, watch: Watch, moved: Sequence[Moved]) -> dict[str, list[Chance]]:
    """Return the enemies that now come onto each firer's line and that it may fire at (R-KP-37).

    The rules of direct fire apply to the hex of the trigger: line of sight, and three hexes into cover (KP-9.24a).
    """
    state, chances = march.state, dict[str, list[Chance]]()
    waits = WAITS[state.options["opp_ineligible"]]
    for mover, before in moved:
        for firer in watch.firers(before, mover.hex):
            unit = state.units[firer]
            if unit.side == mover.side or unit.standing != ON_MAP or firer in state.fired:
                continue
            if waits and not march.ground.sees(unit.hex, mover.hex, high_explosive=False):
                continue
            riders = passengers_of(state, mover.unit_id) if march.board.riders else ()
            for target in (mover.unit_id, *riders):
                if is_target(state, target) and (may_hit(state, firer, [target]) or not waits):
                    distance = march.ground.range_hexes(unit.hex, mover.hex)
                    chance = Chance(mover.steps[mover.place - 1].spent, distance, mover.hex, int(target))
                    chances.setdefault(firer, []).append(chance)
    return chances


WAITS = {"not_triggered": True, "wasted": False}
"""By value of the option, whether a firer keeps its shot if it may not fire at the unit that passes (R-KP-37)."""


def _first_passer(march: March, firer: str, chances: list[Chance]) -> Procedure:
    """Return the first target to pass: the fewest points spent, then the shortest range (KP-9.22b, KP-9.22c)."""
    best = min(chances)[:2]
    tied = [each for each in sorted(chances) if each[:2] == best]
    if len(tied) == 1:
        return tied[0]
    return (yield from TIES[march.state.options["opp_tie"]](march, firer, tied))


def _ask_target(march: March, firer: str, tied: list[Chance]) -> Procedure:
    space = OneOf([ChooseTarget(str(each.number)) for each in tied], "R-KP-36")
    side = march.state.units[firer].side
    prompt = f"choose the target of {firer}: all pass at the same time"
    purpose = "target" if march.is_lazy else f"target.{firer}"  # the firer is revealed only by its fire (R-KP-23)
    order = yield Decision(side, prompt, space, "R-KP-36", purpose=purpose)
    return next(each for each in tied if str(each.number) == order.unit)


def _draw_target(march: March, firer: str, tied: list[Chance]) -> Procedure:
    units = () if march.is_lazy else (firer,)
    (die,) = yield Roll(1, len(tied), f"tie:{firer}", "R-KP-36", units=units)
    return tied[die - 1]


TIES: dict[str, Callable[[March, str, list[Chance]], Procedure]] = {
    "firer_chooses": _ask_target,
    "random": _draw_target,
}
"""By value of the option opp_tie, the procedure that chooses among targets at the same time and range (R-KP-36)."""
