"""Air support of a game, and its price (AOA-1.12 to AOA-1.15, AOA-4.01, AOA-4.09)."""

from collections.abc import Iterator, Mapping
from itertools import product

from msgspec import Struct

from axis_attack.model.cards import AIR_LEVELS, PROFILES, CompanyList
from axis_attack.model.state import AirSupport
from axis_attack.model.tables import LOADS
from sandtable import Refusal, Stream, listing, shown

NO_AIR = AirSupport()


class AirAllotment(Struct, frozen=True, gc=False):
    """The air support that a side can use: levels by aircraft type (AOA-1.13), prices by level, types with loads."""

    levels: dict[str, tuple[str, ...]]
    prices: dict[str, int]
    bombers: tuple[str, ...]

    def price(self, air: AirSupport) -> int:
        """Return the points of an air support, which are those of the level used (AOA-R24)."""
        return self.prices[air.level] if air.aircraft else 0

    def why_not(self, air: AirSupport) -> Refusal | None:
        """Return the refusal of an air support, or None if it is legal."""
        if type(air) is not AirSupport:
            return Refusal("AOA-1.12", f"{shown(air)} is not air support")
        if air.aircraft == "":
            if air == NO_AIR:
                return None
            return Refusal("AOA-1.12", "a level, profile or load requires an aircraft: name its type")
        if not isinstance(air.aircraft, str) or air.aircraft not in self.levels:
            choice = listing(list(self.levels)) if self.levels else "the starting force has no aircraft"
            return Refusal("AOA-1.12", f"{shown(air.aircraft)} was not bought with the starting force: {choice}")
        return self._why_not_flown(air)

    def _why_not_flown(self, air: AirSupport) -> Refusal | None:
        levels = self.levels[air.aircraft]
        if air.level not in levels:
            reason = f"{air.aircraft}: {shown(air.level)} is not at or below its level: choose {listing(levels)}"
            return Refusal("AOA-1.13", reason)
        if air.profile not in PROFILES:
            return Refusal("AOA-4.01", f"{shown(air.profile)} is not a profile: choose {listing(PROFILES)}")
        if air.load not in self.loads(air.aircraft):
            choice = f"choose {listing(LOADS)}" if air.aircraft in self.bombers else "it carries no loads; leave it out"
            return Refusal("AOA-4.09", f"{air.aircraft}: {shown(air.load)} is not a load: {choice}")
        return None

    def loads(self, aircraft: str) -> tuple[str, ...]:
        """Return the loads of a type for any profile: bombs or rockets, or "" if it has no choice (AOA-R25)."""
        return LOADS if aircraft in self.bombers else ("",)

    def sorties(self, points: int) -> Iterator[AirSupport]:
        """Yield no air support, then all air support for up to ``points``."""
        yield NO_AIR
        for aircraft, levels in self.levels.items():
            within = [level for level in levels if self.prices[level] <= points]
            for level, profile, load in product(within, PROFILES, self.loads(aircraft)):
                yield AirSupport(aircraft, level, profile, load)

    def draw(self, stream: Stream, points: int) -> AirSupport:
        """Draw an air support for up to ``points``. No air support has the same probability as each type."""
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
    """Return the allotment of a side that bought these aircraft. Levels without a price in its list are omitted."""
    levels = {
        aircraft: tuple(each for each in AIR_LEVELS[: AIR_LEVELS.index(level) + 1] if each in company.air_points)
        for aircraft, level in bought.items()
    }
    return AirAllotment(levels, company.air_points, company.bombers)
