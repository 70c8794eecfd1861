"""Drawing and listing the game forces of a pool."""

from collections.abc import Iterator, Mapping
from itertools import product

from axis_attack.forces.air import NO_AIR
from axis_attack.forces.pool import Line, Pool
from axis_attack.forces.purchases import draw_purchase, purchases
from axis_attack.model.cards import COMBAT
from axis_attack.model.orders import ChooseForce
from axis_attack.model.state import Fielded
from sandtable import Stream

TRIES = 8
"""Maximum number of draws before the first listed force is used; only a bound side may need more than one."""


# --- drawing ---


def draw_force(pool: Pool, stream: Stream) -> ChooseForce | None:
    """Draw a force, or return None if ``TRIES`` draws find none. Every force without written targets is possible."""
    for _ in range(TRIES):
        extra = stream.below(pool.steps + 1) if pool.steps and stream.one_in(3) else 0
        platoons = _draw_platoons(pool, stream, pool.ceiling(extra) - pool.base)
        if platoons is None:
            continue
        left = pool.ceiling(extra) - pool.base - sum(_points(pool.lines[each.platoon], each) for each in platoons)
        air = pool.air_allotment.draw(stream, left) if pool.air_allotment.levels else NO_AIR
        kinds = {each.platoon: pool.lines[each.platoon].kind for each in platoons}
        flies = bool(air.aircraft)
        purchase = draw_purchase(stream, pool.offers, kinds, pool.balance - extra, flies=flies)
        return ChooseForce(platoons, extra, purchase, air)
    return None


def _draw_platoons(pool: Pool, stream: Stream, points: int) -> list[Fielded] | None:
    """Draw platoons within the points. Returns None if the minimum number of combat platoons is not reached."""
    taken: dict[str, Fielded] = {}
    loads: dict[str, int] = {}
    caps = {COMBAT: pool.most, **pool.caps}
    combat = _shuffled([line for line in pool.lines.values() if line.is_combat], stream)
    if pool.bound:  # carriers first, so that other platoons can be carried
        combat.sort(key=lambda line: not line.capacity)
    others = [line for line in pool.lines.values() if not line.is_combat]
    rest = _shuffled([*others, *combat[pool.least :]], stream)
    if len(combat) < pool.least:
        return None
    reserve = [line.sizes[0].points for line in combat[: pool.least]]
    for place, line in enumerate([*combat[: pool.least], *rest]):
        is_needed = place < pool.least
        slot = line.kind.slot
        if caps.get(slot, 1) < 1 or (not is_needed and stream.one_in(6)):
            continue
        each = _draw_platoon(pool, line, stream, points - sum(reserve[place + 1 :]), taken, loads)
        if each is not None:
            taken[line.id] = each
            points -= _points(line, each)
            if slot in caps:
                caps[slot] -= 1
    if sum(pool.lines[each].is_combat for each in taken) < pool.least:
        return None
    return [taken[each] for each in pool.lines if each in taken]


def _draw_platoon(
    pool: Pool, line: Line, stream: Stream, points: int, taken: Mapping[str, Fielded], loads: dict[str, int]
) -> Fielded | None:
    sizes = [size for size in line.sizes if size.points <= points]
    if not sizes:
        return None
    rides: list[str] = []
    if pool.carries and not line.mobile:
        free = {
            each: pool.lines[each].capacity * its.teams - loads.get(each, 0)
            for each, its in taken.items()
            if line.may_ride(pool.lines[each])
        }
        rides = [each for each in free if free[each] >= sizes[0].teams]
        if pool.bound and not rides:
            return None
    carrier = "" if not rides or (not pool.bound and stream.one_in(2)) else stream.pick(rides)
    if carrier:
        sizes = [size for size in sizes if size.teams <= free[carrier]]
    size = sizes[-1] if stream.one_in(2) else stream.pick(sizes)
    if carrier:
        loads[carrier] = loads.get(carrier, 0) + size.teams
    upgrades: dict[str, int] = {}
    left = points - size.points
    for name, bought in line.upgrades.items():
        price = line.prices[name]
        number = stream.below(min(bought, size.teams, left // price if price else bought) + 1)
        if number:
            upgrades[name] = number
            left -= number * price
    off_table = line.kind.bombards and stream.one_in(2)
    return Fielded(line.id, size.teams, upgrades, off_table, carrier)


def _points(line: Line, each: Fielded) -> int:
    return line.points[each.teams] + sum(line.prices[name] * number for name, number in each.upgrades.items())


def _shuffled(lines: list[Line], stream: Stream) -> list[Line]:
    left, mixed = list(lines), []
    while left:
        mixed.append(left.pop(stream.below(len(left))))
    return mixed


# --- listing ---


def can_form(pool: Pool) -> bool:
    """Return whether a legal force can be formed, by the smallest combat platoons and their carriers (AOA-R62)."""
    combat = sorted(line.sizes[0].points for line in pool.lines.values() if line.is_combat)
    if len(combat) < pool.least or pool.base + sum(combat[: pool.least]) > pool.ceiling(pool.steps):
        return False
    if not pool.bound:
        return True
    return next(_companies(pool, bare=True), None) is not None


def forces(pool: Pool) -> Iterator[ChooseForce]:
    """Yield every force once, lazily, in a fixed order."""
    for platoons, points in _companies(pool):
        by_id = {each.platoon: each for each in platoons}
        listed = [by_id[each] for each in pool.lines if each in by_id]
        kinds = {each.platoon: pool.lines[each.platoon].kind for each in listed}
        for extra in range(pool.steps + 1):
            left = pool.ceiling(extra) - points
            for air in pool.air_allotment.sorties(left) if left >= 0 else ():
                for purchase in purchases(pool.offers, kinds, pool.balance - extra, flies=bool(air.aircraft)):
                    yield ChooseForce(list(listed), extra, purchase, air)


def _companies(pool: Pool, *, bare: bool = False) -> Iterator[tuple[list[Fielded], int]]:
    """Yield legal sets of platoons with their points, or with ``bare`` only small sets, to find out if one exists.

    Carriers are chosen first, so that their capacity is known. An incomplete set that cannot reach the minimum number
    of combat platoons within the points is dropped immediately.
    """
    lines = sorted(pool.lines.values(), key=lambda line: (not line.capacity, not line.is_combat))
    if bare:
        lines = [line for line in lines if line.capacity or line.is_combat]
    caps = {COMBAT: pool.most, **pool.caps}
    ceiling = pool.ceiling(pool.steps)
    after = [
        sorted(line.sizes[0].points for line in lines[place:] if line.is_combat) for place in range(len(lines) + 1)
    ]

    def rest(
        place: int, taken: tuple[Fielded, ...], points: int, numbers: Mapping[str, int]
    ) -> Iterator[tuple[list[Fielded], int]]:
        wanted = max(0, pool.least - numbers[COMBAT])
        if len(after[place]) < wanted or points + sum(after[place][:wanted]) > ceiling:
            return
        if place == len(lines):
            yield list(taken), points
            return
        line = lines[place]
        slot = line.kind.slot
        if slot not in caps or numbers[slot] < caps[slot]:
            more = {**numbers, slot: numbers[slot] + 1}
            for each in _forms(pool, line, taken, bare=bare):
                yield from rest(place + 1, (*taken, each), points + _points(line, each), more)
        yield from rest(place + 1, taken, points, numbers)

    return rest(0, (), pool.base, {"hq": 0, "combat": 0, "weapons": 0, "support": 0})


def _forms(pool: Pool, line: Line, taken: tuple[Fielded, ...], *, bare: bool) -> Iterator[Fielded]:
    """Yield a platoon in each form in which it can be fielded with the ``taken`` platoons, small sizes first."""
    free = _free_capacity(pool, line, taken)
    on_foot = [] if pool.bound and not line.mobile else [""]
    sizes = line.sizes[:1] if bare and not line.capacity else line.sizes
    places = (False, True) if line.kind.bombards and not bare else (False,)
    for size in sizes:
        numbers = [range(1 if bare else min(bought, size.teams) + 1) for bought in line.upgrades.values()]
        carriers = [*on_foot, *(each for each, teams in free.items() if teams >= size.teams)]
        for bought, off_table, carrier in product(product(*numbers), places, carriers):
            upgrades = {name: number for name, number in zip(line.upgrades, bought, strict=True) if number}
            yield Fielded(line.id, size.teams, upgrades, off_table, carrier)


def _free_capacity(pool: Pool, line: Line, taken: tuple[Fielded, ...]) -> dict[str, int]:
    """Return the remaining capacity of each possible carrier, in teams; {} if the platoon cannot be carried."""
    if not pool.carries or line.mobile:
        return {}
    free = {
        each.platoon: pool.lines[each.platoon].capacity * each.teams
        for each in taken
        if line.may_ride(pool.lines[each.platoon])
    }
    for each in taken:
        if each.carried_by in free:
            free[each.carried_by] -= each.teams
    return free
