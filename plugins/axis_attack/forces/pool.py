"""The pool of a side's next force: platoons with their sizes, limits, air support, and special rules on sale."""

from msgspec import Struct

from axis_attack.forces.air import AirAllotment, allotment_of
from axis_attack.forces.purchases import offers_of
from axis_attack.model.cards import COMBAT, GUTTED, LEVEL_TITLES, Board, PlatoonType, Size
from axis_attack.model.state import AxisState
from axis_attack.model.strength import is_mobile, teams_available
from axis_attack.model.tables import STEP_POINTS, STEPS_MOST
from sandtable import Refusal


class Line(Struct, frozen=True, gc=False):
    """A platoon that can be fielded: its legal sizes up to its strength, its bought upgrades, and their prices.

    ``mobile`` means that it moves by itself. ``capacity`` is the number of teams that each of its vehicles can carry.
    It is 0 for a platoon that is not mobile, which cannot carry others.
    """

    id: str
    kind: PlatoonType
    sizes: tuple[Size, ...]
    points: dict[int, int]
    upgrades: dict[str, int]
    prices: dict[str, int]
    mobile: bool
    capacity: int

    @property
    def is_combat(self) -> bool:
        """Whether it is a combat platoon, of which a company needs a minimum."""
        return self.kind.slot == COMBAT

    def may_ride(self, carrier: "Line") -> bool:
        """Return whether ``carrier`` may carry this platoon: tanks do not carry towed guns (AOA-3.14)."""
        return not self.mobile and carrier.capacity > 0 and not (self.kind.towed and carrier.kind.all_tanks)


class Pool(Struct, frozen=True, gc=False):
    """The parts from which a side chooses its game force.

    ``lines`` are the platoons that can be fielded, in the order of the roster; ``absent`` has the refusals of the
    others. ``least`` and ``most`` limit the number of combat platoons, ``caps`` the other slots. ``base`` is the cost
    of the company's headquarters. ``limit`` is that of the game, without the ``steps`` that victory points add.
    ``offers`` has the reason why a special rule is not on sale, or None if it is. ``carries`` means that platoons may
    be carried, because the side attacks in a breakthrough (AOA-3.10) or is ``bound``. A bound side fields only platoons
    that are mobile or carried (AOA-7.05).
    """

    lines: dict[str, Line]
    absent: dict[str, Refusal]
    least: int
    most: int
    caps: dict[str, int]
    base: int
    limit: int
    balance: int
    air_allotment: AirAllotment
    offers: dict[str, Refusal | None]
    carries: bool
    bound: bool

    @property
    def steps(self) -> int:
        """Maximum number of victory points that may be spent on a higher limit (AOA-3.03)."""
        return min(STEPS_MOST, self.balance)

    def ceiling(self, extra: int) -> int:
        """Return the points limit with ``extra`` victory points spent on it (AOA-3.02, AOA-3.04)."""
        return self.limit + STEP_POINTS * extra


def pool_of(state: AxisState, side: str) -> Pool:
    """Return the pool of a side for the next game."""
    board: Board = state.board
    company = board.lists[side]
    lines: dict[str, Line] = {}
    absent: dict[str, Refusal] = {}
    for each, platoon in state.rosters[side].items():
        kind, most = company.types[platoon.type], teams_available(state, side, each)
        if not most:
            below = "gutted" if platoon.level == GUTTED else LEVEL_TITLES[platoon.level]
            absent[each] = Refusal("AOA-3.07", f"{each} ({kind.title}) is {below}: it cannot be fielded")
            continue
        sizes = tuple(size for size in kind.sizes if size.teams <= most)
        mobile = is_mobile(kind, platoon)
        points = {size.teams: size.points for size in sizes}
        prices = {upgrade.id: upgrade.points for upgrade in kind.upgrades}
        capacity = kind.carries if mobile else 0
        lines[each] = Line(each, kind, sizes, points, dict(platoon.upgrades), prices, mobile, capacity)
    bound = state.bound == side
    return Pool(
        lines=lines,
        absent=absent,
        least=company.least,
        most=company.most,
        caps={"weapons": company.weapons, "support": company.supports},
        base=company.hq_points,
        limit=board.limit,
        balance=state.balance[side],
        air_allotment=allotment_of(company, state.aircraft.get(side, {})),
        offers=offers_of(state, side),
        carries=bound or (state.mission == "breakthrough" and state.attacker == side),
        bound=bound,
    )
