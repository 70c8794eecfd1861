"""The space of game forces (AOA-3.01 to AOA-3.17). It checks and draws forces without listing them all."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from axis_attack.forces.choosing import Candidate, Chooser
from axis_attack.forces.pool import Line, Pool, pool_of
from axis_attack.forces.purchases import price_of, purchases, why_not_purchase
from axis_attack.forces.sampling import can_form, draw_force, forces
from axis_attack.model.cards import COMBAT, SLOTS
from axis_attack.model.orders import ChooseForce
from axis_attack.model.state import AirSupport, AxisState, Fielded, Purchase
from axis_attack.model.strength import Step, kind_of, platoon_steps
from axis_attack.model.tables import STEP_POINTS, STEPS_MOST
from sandtable import Asking, Calculation, Refusal, Space, Stream, listing, shown


def force_space(state: AxisState, side: str) -> "Forces":
    """Return the space of a side's forces for the coming game."""
    return Forces(pool_of(state, side))


def points_calculation(state: AxisState, side: str, platoons: Sequence[Fielded], air: AirSupport) -> Calculation:
    """Return the calculation of a fielded force's points: headquarters, platoons, air support (AOA-3.17)."""
    company = state.board.lists[side]
    steps: list[Step] = [("headquarters", company.hq_points, "AOA-3.17")] if company.hq_points else []
    for each in platoons:
        steps += platoon_steps(each.platoon, kind_of(state, side, each.platoon), each.teams, each.upgrades)
    if air.aircraft:
        steps.append((f"{air.aircraft}, {air.level}", company.air_points[air.level], "AOA-R24"))
    return Calculation("points", tuple(steps))


def limit_calculation(state: AxisState, extra: int) -> Calculation:
    """Return the calculation of the points limit with ``extra`` victory points spent on it (AOA-3.02 to AOA-3.04)."""
    steps = [("limit per game", state.board.limit, "AOA-3.02")]
    if extra:
        steps.append((f"victory points x{extra} at {STEP_POINTS}", extra * STEP_POINTS, "AOA-3.04"))
    return Calculation("limit", tuple(steps))


def cost_calculation(extra: int, purchase: Purchase) -> Calculation:
    """Return the calculation of a force's cost in victory points: for a higher limit and for a special rule."""
    steps = [("for a higher limit", extra, "AOA-3.03")] if extra else []
    if purchase.kind:
        steps.append((f"{purchase.kind} x{purchase.number}", price_of(purchase), "AOA-9.02"))
    return Calculation("cost", tuple(steps))


class Forces(Space):
    """The ``ChooseForce`` orders of a pool: legal companies within the points, with their purchases."""

    pool: Pool

    # --- judging ---

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse illegal platoons, then an illegal company, air support, purchases, costs, and carried platoons."""
        if type(value) is not ChooseForce:
            return Refusal(
                "AOA-3.01", f"{shown(type(value).__name__)} is not an order of this decision: choose a force"
            )
        refusal = self._why_not_platoons(value.platoons) or self._why_not_company(value.platoons)
        refusal = refusal or self.pool.air_allotment.why_not(value.air)
        if refusal is not None:
            return refusal
        kinds = {each.platoon: self.pool.lines[each.platoon].kind for each in value.platoons}
        refusal = why_not_purchase(value.purchase, self.pool.offers, kinds, flies=bool(value.air.aircraft))
        return refusal or self._why_not_paid(value) or self._why_not_carried(value.platoons)

    def points(self, order: ChooseForce) -> int:
        """Return the points of a force as fielded. Its platoons and air support must be legal."""
        return self.pool.base + self.pool.air_allotment.price(order.air) + sum(map(self.points_of, order.platoons))

    def points_of(self, each: Fielded) -> int:
        """Return the points of a platoon as it is fielded."""
        line = self.pool.lines[each.platoon]
        return line.points[each.teams] + sum(line.prices[name] * number for name, number in each.upgrades.items())

    def _why_not_platoons(self, platoons: object) -> Refusal | None:
        if not isinstance(platoons, list | tuple) or not all(type(each) is Fielded for each in platoons):
            return Refusal("AOA-3.01", f"{shown(platoons)} is not a list of platoons")
        seen: dict[str, Fielded] = {}
        for each in platoons:
            line = self.pool.lines.get(each.platoon) if isinstance(each.platoon, str) else None
            if line is None:
                return self._why_no_line(each.platoon)
            if each.platoon in seen:
                return Refusal("AOA-3.01", f"{each.platoon} is named twice")
            refusal = _why_not_fielded(line, each)
            if refusal is not None:
                return refusal
            seen[each.platoon] = each
        return None

    def _why_no_line(self, name: object) -> Refusal:
        if isinstance(name, str) and name in self.pool.absent:
            return self.pool.absent[name]
        return Refusal("AOA-3.01", f"{shown(name)} is not in the roster: choose {listing(list(self.pool.lines))}")

    def _why_not_company(self, platoons: Sequence[Fielded]) -> Refusal | None:
        pool, numbers = self.pool, dict.fromkeys(SLOTS, 0)
        for each in platoons:
            numbers[pool.lines[each.platoon].kind.slot] += 1
        if not pool.least <= numbers["combat"] <= pool.most:
            wanted = f"{pool.least} to {pool.most}"
            return Refusal("AOA-3.01", f"the company must have {wanted} combat platoons, not {numbers['combat']}")
        for slot, cap in pool.caps.items():
            if numbers[slot] > cap:
                return Refusal("AOA-3.01", f"the company allows at most {cap} {slot} platoons, not {numbers[slot]}")
        return None

    def _why_not_paid(self, order: ChooseForce) -> Refusal | None:
        pool, extra = self.pool, order.extra
        if type(extra) is not int or not 0 <= extra <= STEPS_MOST:
            reason = (
                f"extra: {shown(extra)} is not a whole number from 0 to {STEPS_MOST}, each worth {STEP_POINTS} points"
            )
            return Refusal("AOA-3.03", reason)
        price = extra + price_of(order.purchase)
        if price > pool.balance:
            return Refusal(
                "AOA-R04", f"the purchases cost {price} victory points, and you have {pool.balance}: buy less"
            )
        points, ceiling = self.points(order), pool.ceiling(extra)
        if points > ceiling:
            over = points - ceiling
            return Refusal(
                "AOA-3.02", f"the force costs {points} points, {over} above the limit of {ceiling}: field less"
            )
        return None

    def _why_not_carried(self, platoons: Sequence[Fielded]) -> Refusal | None:
        """Refuse platoons that their carrier cannot carry, and immobile ones of a bound side without one (AOA-7.05)."""
        fielded, loads = {each.platoon: each for each in platoons}, dict[str, int]()
        for each in platoons:
            if not each.carried_by:
                if self.pool.bound and not self.pool.lines[each.platoon].mobile:
                    reason = (
                        f"{each.platoon} cannot move by itself after two sectors at once: omit it, or name a carrier"
                    )
                    return Refusal("AOA-7.05", reason)
                continue
            refusal = self._why_not_riding(each, fielded)
            if refusal is not None:
                return refusal
            loads[each.carried_by] = loads.get(each.carried_by, 0) + each.teams
        for name, teams in loads.items():
            capacity = self.pool.lines[name].capacity * fielded[name].teams
            if teams > capacity:
                return Refusal("AOA-3.15", f"{name} has room for {capacity} teams, not for {teams}: field fewer")
        return None

    def _why_not_riding(self, each: Fielded, fielded: Mapping[str, Fielded]) -> Refusal | None:
        line = self.pool.lines[each.platoon]
        if not self.pool.carries:
            return Refusal("AOA-3.10", f"{each.platoon}: platoons cannot be carried in this game: omit its carrier")
        if each.carried_by not in fielded or each.carried_by == each.platoon:
            return Refusal("AOA-3.12", f"{each.platoon}: its carrier {shown(each.carried_by)} is not fielded")
        if line.mobile:
            return Refusal("AOA-3.11", f"{each.platoon} is mobile by itself: omit its carrier")
        carrier = self.pool.lines[each.carried_by]
        if line.may_ride(carrier):
            return None
        if carrier.capacity:
            return Refusal(
                "AOA-3.14", f"{each.platoon} has towed guns, which tanks cannot carry: choose a different carrier"
            )
        return Refusal("AOA-3.12", f"{each.platoon}: {each.carried_by} ({carrier.kind.title}) cannot carry platoons")

    # --- by parts ---

    def in_parts(self) -> Asking | None:
        """Return the parts of a force, or None if platoons may be carried: a carrier must fit its passengers."""
        return None if self.pool.carries or not can_form(self.pool) else self._asked()

    def _asked(self) -> Asking:
        """Ask for the points limit, platoon by platoon, for air support and for a special rule."""
        pool = self.pool
        choosers = {extra: self._chooser(extra) for extra in range(pool.steps + 1)}
        able = [extra for extra, chooser in choosers.items() if chooser.can_begin()]
        extra = yield f"victory points for a limit {STEP_POINTS} points higher, each", able
        chooser = choosers[extra]
        chosen = yield from chooser.asked()
        fielded = {each.name: Fielded(each.name, each.teams, each.upgrades, each.off_table) for each in chosen}
        platoons = [fielded[each] for each in pool.lines if each in fielded]
        air = yield "air support", list(pool.air_allotment.sorties(chooser.points))
        kinds = {each.platoon: pool.lines[each.platoon].kind for each in platoons}
        flies = bool(air.aircraft)
        purchase = yield "special rule", list(purchases(pool.offers, kinds, pool.balance - extra, flies=flies))
        return ChooseForce(platoons, extra, purchase, air)

    def _chooser(self, extra: int) -> Chooser:
        pool, lines = self.pool, self.pool.lines.values()
        candidates = [
            Candidate(
                line.id,
                line.kind,
                line.sizes,
                {name: (bought, line.prices[name]) for name, bought in line.upgrades.items()},
                may_bombard=line.kind.bombards,
            )
            for line in lines
        ]
        return Chooser(candidates, pool.least, {COMBAT: pool.most, **pool.caps}, pool.ceiling(extra) - pool.base)

    # --- drawing and listing ---

    def sample(self, stream: Stream) -> ChooseForce:
        """Draw a force platoon by platoon within the points. Raises ValueError if no force is legal."""
        drawn = draw_force(self.pool, stream)
        order = drawn if drawn is not None else next(self.values(), None)
        if order is None:
            raise ValueError("nothing can be chosen")
        return order

    def values(self) -> Iterator[ChooseForce]:
        """Yield every force, lazily, without written targets, which may be written at the table."""
        return forces(self.pool) if can_form(self.pool) else iter(())

    def is_empty(self) -> bool:
        """Return whether no legal force can be formed (AOA-R62)."""
        return not can_form(self.pool)


def _why_not_fielded(line: Line, each: Fielded) -> Refusal | None:
    """Refuse an illegal size, upgrades that were not bought, and an off-table platoon that cannot bombard."""
    if type(each.teams) is not int or each.teams not in line.points:
        return _why_not_size(line, each.teams)
    if not isinstance(each.carried_by, str) or type(each.off_table) is not bool:
        return Refusal("AOA-3.01", f"{line.id}: carried_by is a platoon's id or nothing, off_table true or false")
    if each.off_table and not line.kind.bombards:
        return Refusal("AOA-5.01", f"{line.id} ({line.kind.title}) cannot bombard, so it cannot be off the table")
    if not isinstance(each.upgrades, dict):
        return Refusal("AOA-3.08", f"{line.id}: upgrades are a table of names and numbers, not {shown(each.upgrades)}")
    for name, number in each.upgrades.items():
        bought = line.upgrades.get(name, 0) if isinstance(name, str) else 0
        if not bought:
            has = listing(list(line.upgrades)) if line.upgrades else "none"
            return Refusal("AOA-1.02", f"{line.id}: {shown(name)} was not bought at the start; its upgrades: {has}")
        if type(number) is not int or not 0 < number <= min(bought, each.teams):
            reason = f"{line.id}: {shown(number)} of {name} is not a number from 1 to {min(bought, each.teams)}"
            return Refusal("AOA-3.08", reason)
    return None


def _why_not_size(line: Line, teams: object) -> Refusal:
    sizes = [size.teams for size in line.sizes]
    is_number = type(teams) is int
    if is_number and int(str(teams)) < sizes[0]:
        return Refusal("AOA-3.06", f"{line.id}: {shown(teams)} teams are below its smallest size of {sizes[0]}")
    if is_number and any(size.teams == teams for size in line.kind.sizes):
        return Refusal(
            "AOA-3.05", f"{line.id}: {shown(teams)} teams are more than its strength: choose {listing(sizes)}"
        )
    return Refusal("AOA-R11", f"{line.id}: {shown(teams)} is not a size within its strength: {listing(sizes)}")
