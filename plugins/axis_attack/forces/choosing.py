"""Platoons chosen one after the other within the points, so that a force can be built by clicks."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from axis_attack.model.cards import COMBAT, PlatoonType, Size
from sandtable import Asking

ENOUGH = "no more"


class Candidate(NamedTuple):
    """A platoon that can be chosen up to ``most`` times, with its sizes, and the number and price of each upgrade."""

    name: str
    kind: PlatoonType
    sizes: Sequence[Size]
    upgrades: Mapping[str, tuple[int, int]]
    most: int = 1
    may_bombard: bool = False


class Choice(NamedTuple):
    """A chosen platoon: its candidate's name, teams, upgrades, points, and whether it is off the table."""

    name: str
    teams: int
    upgrades: dict[str, int]
    points: int
    off_table: bool


class Chooser:
    """The choice of platoons for up to ``points``: at least ``least`` of combat, and up to ``caps`` of each slot."""

    def __init__(self, candidates: Sequence[Candidate], least: int, caps: Mapping[str, int], points: int) -> None:
        self._candidates = {each.name: each for each in candidates}
        self._least, self._caps = least, caps
        self.points = points
        self.chosen: list[Choice] = []

    def can_begin(self) -> bool:
        """Return whether the points pay for the smallest combat platoons that are required."""
        return self._reserve() is not None

    def asked(self) -> Asking:
        """Ask for platoon after platoon, each with its size, upgrades and place; return the choices."""
        while True:
            able = [each for each in self._candidates if self._sizes(each)]
            done = [ENOUGH] if self._number(COMBAT) >= self._least else []
            picked = yield f"platoon ({self.points} points left)", [*done, *able]
            if picked == ENOUGH:
                return self.chosen
            yield from self._one(self._candidates[picked])

    def _one(self, candidate: Candidate) -> Asking:
        sizes = {f"{size.teams} for {size.points} points": size for size in self._sizes(candidate.name)}
        size = sizes[(yield "teams", list(sizes))]
        left = self.points - size.points - (self._reserve(candidate.name) or 0)
        points, upgrades = size.points, dict[str, int]()
        titles = {each.id: each.title for each in candidate.kind.upgrades}
        for name, (most, price) in candidate.upgrades.items():
            number = yield (
                f"{titles[name]} ({price} points each)",
                range(min(most, size.teams, left // price if price else most) + 1),
            )
            if number:
                upgrades[name] = number
                left, points = left - number * price, points + number * price
        off_table = (yield "off the table", [False, True]) if candidate.may_bombard else False
        self.points -= points
        self.chosen.append(Choice(candidate.name, size.teams, upgrades, points, off_table))

    def _number(self, slot: str) -> int:
        return sum(self._candidates[each.name].kind.slot == slot for each in self.chosen)

    def _left(self, name: str) -> int:
        return self._candidates[name].most - sum(each.name == name for each in self.chosen)

    def _sizes(self, name: str) -> list[Size]:
        """Return the sizes of one more platoon that leave the points for the combat platoons still required."""
        candidate = self._candidates[name]
        slot, reserve = candidate.kind.slot, self._reserve(name)
        if (
            not self._left(name)
            or reserve is None
            or self._number(slot) >= self._caps.get(slot, self._number(slot) + 1)
        ):
            return []
        return [size for size in candidate.sizes if size.points + reserve <= self.points]

    def _reserve(self, taken: str = "") -> int | None:
        """Return the points of the smallest combat platoons required after ``taken``, or None if these are too many."""
        missing = self._least - self._number(COMBAT)
        if taken and self._candidates[taken].kind.slot == COMBAT:
            missing -= 1
        combat = [each for each in self._candidates.values() if each.kind.slot == COMBAT]
        prices = sorted(
            each.sizes[0].points for each in combat for _ in range(self._left(each.name) - (each.name == taken))
        )
        cost = sum(prices[: max(0, missing)])
        return cost if len(prices) >= missing and cost <= self.points else None
