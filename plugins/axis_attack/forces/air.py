"""Air support for a game (AOA-1.12 to AOA-1.15, AOA-4.01, AOA-4.09, AOA-D06), and what it costs."""

from collections.abc import Iterator, Mapping
from itertools import product

from msgspec import Struct

from axis_attack.model.cards import AIR_LEVELS, PROFILES, CompanyList
from axis_attack.model.state import AirSupport
from axis_attack.model.tables import LOADS
from sandtable import Refusal, Stream, listing, shown

NO_AIR = AirSupport()


class AirAllotment(Struct, frozen=True, gc=False):
    """What a side can fly: the levels of each type it bought (AOA-1.13), prices by level, types that carry loads."""

    levels: dict[str, tuple[str, ...]]
    prices: dict[str, int]
    bombers: tuple[str, ...]

    def price(self, air: AirSupport) -> int:
        """Return the points of an air support: those of the level used (AOA-R24)."""
        return self.prices[air.level] if air.aircraft else 0

    def why_not(self, air: AirSupport) -> Refusal | None:
        """Return None when this may be flown."""
        if type(air) is not AirSupport:
            return Refusal("AOA-1.12", f"{shown(air)} is not air support")
        if air.aircraft == "":
            if air == NO_AIR:
                return None
            return Refusal("AOA-1.12", "level, profile and load without an aircraft: name its type")
        if not isinstance(air.aircraft, str) or air.aircraft not in self.levels:
            choice = listing(list(self.levels)) if self.levels else "the starting force has no aircraft"
            return Refusal("AOA-1.12", f"{shown(air.aircraft)} was not bought with the starting force: {choice}")
        return self._why_not_flown(air)

    def _why_not_flown(self, air: AirSupport) -> Refusal | None:
        levels = self.levels[air.aircraft]
        if air.level not in levels:
            reason = f"{air.aircraft}: {shown(air.level)} is not a level up to the one bought: choose {listing(levels)}"
            return Refusal("AOA-1.13", reason)
        if air.profile not in PROFILES:
            return Refusal("AOA-4.01", f"{shown(air.profile)} is not a profile: choose {listing(PROFILES)}")
        if air.load not in self.loads(air.aircraft):
            choice = f"choose {listing(LOADS)}" if air.aircraft in self.bombers else "it carries none, leave it out"
            return Refusal("AOA-4.09", f"{air.aircraft}: {shown(air.load)} is not a load: {choice}")
        return None

    def loads(self, aircraft: str) -> tuple[str, ...]:
        """Return the loads of a type: bombs or rockets if it can carry both, whatever the profile (AOA-R25)."""
        return LOADS if aircraft in self.bombers else ("",)

    def sorties(self, points: int) -> Iterator[AirSupport]:
        """Yield no air support, then all that so many points pay for."""
        yield NO_AIR
        for aircraft, levels in self.levels.items():
            within = [level for level in levels if self.prices[level] <= points]
            for level, profile, load in product(within, PROFILES, self.loads(aircraft)):
                yield AirSupport(aircraft, level, profile, load)

    def draw(self, stream: Stream, points: int) -> AirSupport:
        """Return an air support for at most so many points, or none: none as likely as any one type."""
        within = {
            aircraft: levels
            for aircraft, bought in self.levels.items()
            if (levels := [level for level in bought if self.prices[level] <= points])
        }
        aircraft = stream.pick(["", *within])
        if not aircraft:
            return NO_AIR
        load = stream.pick(self.loads(aircraft))
        return AirSupport(aircraft, stream.pick(within[aircraft]), stream.pick(PROFILES), load)


def allotment_of(company: CompanyList, bought: Mapping[str, str]) -> AirAllotment:
    """Return what a side with these aircraft can fly; levels without a price are not on the list."""
    levels = {
        aircraft: tuple(each for each in AIR_LEVELS[: AIR_LEVELS.index(level) + 1] if each in company.air_points)
        for aircraft, level in bought.items()
    }
    return AirAllotment(levels, company.air_points, company.bombers)
