"""What a side can field in the coming game: platoons with their sizes, limits, air support, special rules on sale."""

from msgspec import Struct

from axis_attack.forces.air import AirAllotment, allotment_of
from axis_attack.forces.purchases import offers_of
from axis_attack.model.cards import COMBAT, GUTTED, LEVEL_TITLES, Board, PlatoonType, Size
from axis_attack.model.state import AxisState
from axis_attack.model.strength import is_mobile, teams_available
from axis_attack.model.tables import STEP_POINTS, STEPS_MOST
from sandtable import Refusal


class Line(Struct, frozen=True, gc=False):
    """A platoon that can be fielded: its legal sizes up to its strength, upgrades that it bought, and their prices.

    ``mobile``: it moves by itself. ``room`` are the teams that each of its vehicles can carry, 0 for one that is not
    mobile: what cannot move carries nobody.
    """

    id: str
    kind: PlatoonType
    sizes: tuple[Size, ...]
    points: dict[int, int]
    upgrades: dict[str, int]
    prices: dict[str, int]
    mobile: bool
    room: int

    @property
    def is_combat(self) -> bool:
        """Whether it is one of the combat platoons that a company needs."""
        return self.kind.slot == COMBAT

    def may_ride(self, carrier: "Line") -> bool:
        """Return whether it may be carried by that platoon: guns that are towed do not ride on tanks (AOA-3.14)."""
        return not self.mobile and carrier.room > 0 and not (self.kind.towed and carrier.kind.all_tanks)


class Pool(Struct, frozen=True, gc=False):
    """All that a side's game force is made of.

    ``lines`` are the platoons that can be fielded, in the order of the roster; ``absent`` says of the others why not.
    ``least`` and ``most`` bound combat platoons, ``caps`` the other slots. ``base`` are the points of the company's
    headquarters, ``limit`` those of the game without ``steps`` that victory points add. ``offers`` says of each special
    rule why it is not on sale. ``carries``: platoons may be noted as carried, for it is a breakthrough of their own
    (AOA-3.10); ``bound``: all must be mobile or carried (AOA-7.05).
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
        """Victory points that may be spent on points, at most (AOA-3.03)."""
        return min(STEPS_MOST, self.balance)

    def ceiling(self, extra: int) -> int:
        """Return the points allowed with so many victory points spent on them (AOA-3.02, AOA-3.04)."""
        return self.limit + STEP_POINTS * extra


def pool_of(state: AxisState, side: str) -> Pool:
    """Return what a side can field in the coming game."""
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
        room = kind.carries if mobile else 0
        lines[each] = Line(each, kind, sizes, points, dict(platoon.upgrades), prices, mobile, room)
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
