"""The space of starting forces: all legal companies of a list within the agreed points (AOA-1.01)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from axis_attack.forces.choosing import Candidate, Chooser
from axis_attack.model.cards import AIR_LEVELS, COMBAT, CompanyList, PlatoonType
from axis_attack.model.orders import BuildCompany, Wanted
from axis_attack.model.state import AxisState
from axis_attack.model.strength import draw_upgrades, platoon_points, platoon_steps
from sandtable import Asking, Calculation, Refusal, Space, Stream, listing, shown

_ID = re.compile(r"[a-z0-9][a-z0-9_\-]{0,31}", re.ASCII)
MAX_PLATOONS = 40
OWN, BUILD, NO_AIR = "the list's own force", "choose the platoons", "none"


def company_space(state: AxisState, side: str) -> "Companies":
    """Return the space of a side's starting forces."""
    return Companies(state.board.lists[side], state.board.points_of(side))


def starting_force(company: CompanyList) -> BuildCompany:
    """Return the list's own starting force as an order."""
    platoons = {each.id: Wanted(each.type, each.teams, dict(each.upgrades)) for each in company.start}
    return BuildCompany(platoons, dict(company.air))


def company_points(company: CompanyList, platoons: Mapping[str, Wanted], aircraft: Mapping[str, str]) -> int:
    """Return the points of a starting force: headquarters, platoons, and every type of aircraft (AOA-1.14)."""
    bought = sum(platoon_points(company.types[each.type], each.teams, each.upgrades) for each in platoons.values())
    return company.hq_points + bought + sum(company.air_points[level] for level in aircraft.values())


def company_calculation(company: CompanyList, order: BuildCompany) -> Calculation:
    """Return the calculation of a starting force's points: headquarters, platoons, aircraft."""
    steps = [("headquarters", company.hq_points, "AOA-1.01")] if company.hq_points else []
    for name, each in order.platoons.items():
        steps += platoon_steps(name, company.types[each.type], each.teams, each.upgrades)
    steps += [(f"{name}, {level}", company.air_points[level], "AOA-1.14") for name, level in order.aircraft.items()]
    return Calculation("points", tuple(steps))


class Companies(Space):
    """The ``BuildCompany`` orders of a list for up to ``points``.

    Platoon ids may have lower-case letters, digits, ``_`` and ``-``.
    """

    company: CompanyList
    points: int

    # --- judging ---

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse the first illegal platoon, then illegal aircraft, numbers of platoons, and points."""
        if type(value) is not BuildCompany:
            return Refusal(
                "AOA-1.01", f"{shown(type(value).__name__)} is not an order of this decision: build a company"
            )
        if not isinstance(value.platoons, dict) or len(value.platoons) > MAX_PLATOONS:
            return Refusal("AOA-1.01", f"platoons must be a table of up to {MAX_PLATOONS} platoons by id")
        for name, wanted in value.platoons.items():
            refusal = self._why_not_named(name) or why_not_wanted(self.company, wanted)
            if refusal is not None:
                return Refusal(refusal.rule, f"{shown(name)}: {refusal.reason}")
        return self._why_not_aircraft(value.aircraft) or self._why_not_numbers(value) or self._why_not_points(value)

    def _why_not_named(self, name: object) -> Refusal | None:
        if isinstance(name, str) and _ID.fullmatch(name):
            return None
        return Refusal("AOA-1.01", "this is not a platoon id: use up to 32 of a-z, 0-9, _ and -")

    def _why_not_aircraft(self, aircraft: object) -> Refusal | None:
        if not isinstance(aircraft, dict):
            return Refusal("AOA-1.12", f"{shown(aircraft)} is not a table of aircraft and levels")
        types, levels = self.company.aircraft, _levels(self.company)
        for name, level in aircraft.items():
            if name not in types:
                choice = listing(types) if types else "it has no aircraft"
                return Refusal("AOA-1.12", f"{shown(name)} is not an aircraft of {self.company.title}: {choice}")
            if level not in levels:
                return Refusal("AOA-1.13", f"{name}: {shown(level)} is not a level: choose {listing(levels)}")
        return None

    def _why_not_numbers(self, order: BuildCompany) -> Refusal | None:
        company = self.company
        numbers: dict[str, int] = {}
        for each in order.platoons.values():
            numbers[each.type] = numbers.get(each.type, 0) + 1
            if numbers[each.type] > company.types[each.type].most:
                title, most = company.types[each.type].title, company.types[each.type].most
                return Refusal("AOA-1.01", f"{title}: the list allows at most {most} of them")
        for slot, (least, most) in _bounds(company).items():
            number = sum(many for name, many in numbers.items() if company.types[name].slot == slot)
            if not least <= number <= most:
                wanted = f"{least} to {most}" if least else f"at most {most}"
                return Refusal("AOA-1.01", f"{company.title} allows {wanted} {slot} platoons, not {number}")
        return None

    def _why_not_points(self, order: BuildCompany) -> Refusal | None:
        points = company_points(self.company, order.platoons, order.aircraft)
        if points <= self.points:
            return None
        over = points - self.points
        return Refusal(
            "AOA-1.01", f"the company costs {points} points, {over} above the agreed {self.points}: buy less"
        )

    # --- by parts ---

    def in_parts(self) -> Asking:
        """Ask for the list's own force, or for platoon after platoon and the level of each aircraft."""
        company, start = self.company, starting_force(self.company)
        types = [
            Candidate(name, kind, kind.sizes, {each.id: (each.most, each.points) for each in kind.upgrades}, kind.most)
            for name, kind in company.types.items()
        ]
        caps = {slot: most for slot, (_, most) in _bounds(company).items()}
        chooser = Chooser(types, company.least, caps, self.points - company.hq_points)
        ready = [OWN] if self.why_not(start) is None else []
        if (yield "force", [*ready, *([BUILD] if chooser.can_begin() else [])]) == OWN:
            return start
        chosen = yield from chooser.asked()
        aircraft, left = dict[str, str](), chooser.points
        for name in company.aircraft:
            levels = {f"{each} for {company.air_points[each]} points": each for each in _levels(company)}
            within = [words for words, each in levels.items() if company.air_points[each] <= left]
            picked = yield name, [NO_AIR, *within]
            if picked != NO_AIR:
                aircraft[name] = levels[picked]
                left -= company.air_points[levels[picked]]
        return BuildCompany(_named([Wanted(each.name, each.teams, each.upgrades) for each in chosen]), aircraft)

    # --- drawing and listing ---

    def sample(self, stream: Stream) -> BuildCompany:
        """Draw a company within the points, beginning with the minimum number of combat platoons.

        Raises ValueError if no company is legal.
        """
        company = self.company
        left, chosen, caps = self.points - company.hq_points, list[Wanted](), dict[str, int]()
        stock = [name for name, its_type in company.types.items() for _ in range(its_type.most)]
        combat = _shuffled([name for name in stock if company.types[name].slot == COMBAT], stream)
        rest = [name for name in stock if company.types[name].slot != COMBAT]
        order = [*combat[: company.least], *_shuffled([*rest, *combat[company.least :]], stream)]
        reserve = [company.types[name].sizes[0].points for name in combat[: company.least]]
        for place, name in enumerate(order):
            is_needed, slot = place < len(reserve), company.types[name].slot
            if caps.get(slot, 0) >= _bounds(company).get(slot, (0, MAX_PLATOONS))[1] or (
                not is_needed and stream.one_in(4)
            ):
                continue
            wanted = _draw_wanted(company.types[name], stream, left - sum(reserve[place + 1 :]))
            if wanted is not None:
                chosen.append(wanted)
                left -= platoon_points(company.types[name], wanted.teams, wanted.upgrades)
                caps[slot] = caps.get(slot, 0) + 1
        drawn = BuildCompany(_named(chosen), self._draw_aircraft(stream, left))
        if self.why_not(drawn) is None:
            return drawn
        first = next(self.values(), None)
        if first is None:
            raise ValueError("nothing can be chosen")
        return first

    def _draw_aircraft(self, stream: Stream, points: int) -> dict[str, str]:
        aircraft = {}
        for name in self.company.aircraft:
            within = [each for each in _levels(self.company) if self.company.air_points[each] <= points]
            level = stream.pick(["", *within])
            if level:
                aircraft[name] = level
                points -= self.company.air_points[level]
        return aircraft

    def values(self) -> Iterator[BuildCompany]:
        """Yield the list's own force, then every other company, lazily. Their ids are made of types and numbers."""
        start = starting_force(self.company)
        if self.why_not(start) is None:
            yield start
        types = sorted(self.company.types, key=lambda name: self.company.types[name].slot != COMBAT)
        for chosen in self._rest(types, (), self.points - self.company.hq_points):
            platoons = _named(chosen)
            for levels in product(("", *_levels(self.company)), repeat=len(self.company.aircraft)):
                bought = zip(self.company.aircraft, levels, strict=True)
                order = BuildCompany(platoons, {name: level for name, level in bought if level})
                if order != start and self.why_not(order) is None:
                    yield order

    def _rest(self, types: Sequence[str], chosen: tuple[Wanted, ...], left: int) -> Iterator[tuple[Wanted, ...]]:
        """Yield the ``chosen`` platoons with every legal addition of these types, for up to ``left`` points.

        Platoons of one type are in rising order. Combat types come first, so that incomplete companies with too few or
        too many platoons of a slot are dropped immediately.
        """
        slot = self.company.types[types[0]].slot if types else ""
        if slot != COMBAT and sum(self.company.types[each.type].slot == COMBAT for each in chosen) < self.company.least:
            return
        if not types:
            yield chosen
            return
        its_type, of_type = self.company.types[types[0]], [each for each in chosen if each.type == types[0]]
        in_slot = sum(self.company.types[each.type].slot == slot for each in chosen)
        if len(of_type) < its_type.most and in_slot < _bounds(self.company).get(slot, (0, MAX_PLATOONS))[1]:
            for wanted in _wants(its_type):
                price = platoon_points(its_type, wanted.teams, wanted.upgrades)
                if price <= left and (not of_type or _rank(wanted) >= _rank(of_type[-1])):
                    yield from self._rest(types, (*chosen, wanted), left - price)
        yield from self._rest(types[1:], chosen, left)


def why_not_wanted(company: CompanyList, wanted: object) -> Refusal | None:
    """Refuse an unknown type, a size or an upgrade that the type does not have, and too many of an upgrade."""
    if type(wanted) is not Wanted:
        return Refusal("AOA-1.01", f"{shown(wanted)} is not a platoon with type, teams and upgrades")
    if not isinstance(wanted.type, str) or wanted.type not in company.types:
        choice = listing(list(company.types))
        return Refusal("AOA-1.01", f"{shown(wanted.type)} is not a platoon of {company.title}: choose {choice}")
    its_type = company.types[wanted.type]
    sizes = [size.teams for size in its_type.sizes]
    if type(wanted.teams) is not int or wanted.teams not in sizes:
        return Refusal(
            "AOA-1.05", f"{shown(wanted.teams)} teams is not a size of {its_type.title}: choose {listing(sizes)}"
        )
    if not isinstance(wanted.upgrades, dict):
        return Refusal("AOA-1.02", f"upgrades are a table of names and numbers, not {shown(wanted.upgrades)}")
    most = {upgrade.id: min(upgrade.most, wanted.teams) for upgrade in its_type.upgrades}
    for name, number in wanted.upgrades.items():
        if name not in most:
            choice = listing(list(most)) if most else "it has no upgrades"
            return Refusal("AOA-1.02", f"{shown(name)} is not an upgrade of {its_type.title}: {choice}")
        if type(number) is not int or not 0 < number <= most[name]:
            return Refusal("AOA-1.16", f"{name}: {shown(number)} is not a whole number from 1 to {most[name]}")
    return None


def _bounds(company: CompanyList) -> dict[str, tuple[int, int]]:
    """Return the minimum and maximum number of platoons by slot."""
    return {COMBAT: (company.least, company.most), "weapons": (0, company.weapons), "support": (0, company.supports)}


def _levels(company: CompanyList) -> tuple[str, ...]:
    return tuple(level for level in AIR_LEVELS if level in company.air_points)


def _named(chosen: Sequence[Wanted]) -> dict[str, Wanted]:
    """Return platoons by id: their type, and from the second of a type also a number."""
    named: dict[str, Wanted] = {}
    for each in chosen:
        number = 1 + sum(other.type == each.type for other in named.values())
        named[each.type if number == 1 else f"{each.type}-{number}"] = each
    return named


def _wants(its_type: PlatoonType) -> Iterator[Wanted]:
    for size in its_type.sizes:
        for numbers in product(*(range(min(upgrade.most, size.teams) + 1) for upgrade in its_type.upgrades)):
            bought = zip(its_type.upgrades, numbers, strict=True)
            yield Wanted(its_type.id, size.teams, {upgrade.id: number for upgrade, number in bought if number})


def _rank(wanted: Wanted) -> tuple[int, list[tuple[str, int]]]:
    return wanted.teams, sorted(wanted.upgrades.items())


def _draw_wanted(its_type: PlatoonType, stream: Stream, points: int) -> Wanted | None:
    sizes = [size for size in its_type.sizes if size.points <= points]
    if not sizes:
        return None
    size = stream.pick(sizes)
    return Wanted(its_type.id, size.teams, draw_upgrades(its_type, size.teams, points - size.points, stream))


def _shuffled(names: list[str], stream: Stream) -> list[str]:
    left, mixed = list(names), []
    while left:
        mixed.append(left.pop(stream.below(len(left))))
    return mixed
