"""The space of companies for the actions of an engagement (KH-13.01, KH-17.01)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from msgspec.structs import replace

from khamsin.model.state import Fielded
from sandtable import Asking, Refusal, Space, Stream, listing, shown

MAX_TRIES = 50
NO_ACTION = -1
USUAL, NOWHERE = "the usual player", "none"


class Companies(Space):
    """A list of ``number`` companies, one for each action in order, or all of one large battle.

    ``types`` has the company types that each formation may field. ``bounds`` has the minimum and maximum number of
    companies of each formation, by ``bounds_rule``. ``players`` may lead the companies; "" selects the usual player.

    With ``has_people``, command teams or characters must go to exactly one action. With ``has_bonus``, the greater
    bonus may go to one action, which must be that of the command team if there is one (``has_team``, KH-17.06).
    ``has_air`` permits air support, and ``may_trade`` permits giving up re-rolls. ``stratagems`` are the commanders
    whose stratagems may be used. In a ``large`` battle people and bonus apply without a choice, and the companies must
    be of at least ``kinds`` types (KH-13.03).

    ``status`` describes for human players the formations and the remaining air support. It is not part of the outline.
    """

    number: int
    types: Mapping[str, tuple[str, ...]]
    bounds: Mapping[str, tuple[int, int]]
    bounds_rule: str
    players: tuple[str, ...]
    has_people: bool = False
    has_team: bool = False
    has_bonus: bool = False
    has_air: bool = False
    may_trade: bool = False
    stratagems: tuple[str, ...] = ()
    large: bool = False
    kinds: int = 0
    status: Callable[[], Mapping[str, str]] = dict

    def outline(self) -> Any:
        """Return the number of companies, the types and bounds of each formation, and the permitted extras."""
        more = (self.has_people, self.has_team, self.has_bonus, self.has_air, self.may_trade, self.large)
        return ["Companies", self.number, self.types, self.bounds, self.players, more, self.stratagems, self.kinds]

    # --- validation ---

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse the first company that may not be fielded, then an invalid combination."""
        if not isinstance(value, list | tuple) or not all(type(each) is Fielded for each in value):
            return Refusal("KH-13.01", f"give a list of companies, not {shown(value)}")
        if len(value) != self.number:
            return Refusal("KH-12.05", f"field {self.number} companies, one for each action, not {len(value)}")
        for place, each in enumerate(value, start=1):
            refusal = self._why_not_company(each)
            if refusal is not None:
                return Refusal(refusal.rule, f"company {place}: {refusal.reason}")
        return self._why_not_together(list(value))

    def _why_not_company(self, each: Fielded) -> Refusal | None:
        if not isinstance(each.formation, str) or each.formation not in self.types:
            return Refusal(
                "KH-13.01", f"{shown(each.formation)} has no company here: choose {listing(list(self.types))}"
            )
        if each.company not in self.types[each.formation]:
            choice = listing(self.types[each.formation])
            return Refusal("KH-13.01", f"{shown(each.company)} is not an option of {each.formation}: choose {choice}")
        if each.player not in ("", *self.players):
            return Refusal(
                "KH-17.01", f"{shown(each.player)} is not a player of this side: choose {listing(self.players)}"
            )
        flags = (each.command, each.bonus, each.air, each.trade)
        if any(type(flag) is not bool for flag in flags):
            return Refusal("KH-13.01", "command, bonus, air and trade are true or false")
        return self._why_not_extras(each)

    def _why_not_extras(self, each: Fielded) -> Refusal | None:
        if each.air and not self.has_air:
            return Refusal("KH-7.04", "there is no air support for this engagement: leave it out")
        if each.trade and not self.may_trade:
            return Refusal("KH-16.16", "there are no re-rolls to give up for a move: leave it out")
        if each.command and not self.has_people:
            return Refusal("KH-17.03", "no higher command team is with the force: leave it out")
        if each.bonus and not self.has_bonus:
            return Refusal("KH-17.05", "the force has no significant strategic advantage: leave the bonus out")
        if each.stratagems and each.stratagems not in self.stratagems:
            choice = listing(self.stratagems) if self.stratagems else "none may be used in this battle"
            return Refusal("KH-14.11", f"{shown(each.stratagems)} has no stratagems here: {choice}")
        return None

    def _why_not_together(self, companies: list[Fielded]) -> Refusal | None:
        for name, (least, most) in self.bounds.items():
            number = sum(each.formation == name for each in companies)
            if not least <= number <= most:
                expected = str(least) if least == most else f"{least} to {most}"
                return Refusal(self.bounds_rule, f"{name} fields {expected} of the companies here, not {number}")
        found = len({each.company for each in companies})
        if found < self.kinds:
            reason = f"a large battle needs companies of {self.kinds} different types here, not of {found}"
            return Refusal("KH-13.03", reason)
        if sum(bool(each.stratagems) for each in companies) > 1:
            return Refusal("KH-14.11", "only one commander's stratagems are used in a battle: name them once")
        return None if self.large else self._why_not_placed(companies)

    def _why_not_placed(self, companies: list[Fielded]) -> Refusal | None:
        command = [place for place, each in enumerate(companies) if each.command]
        bonus = [place for place, each in enumerate(companies) if each.bonus]
        if self.has_people and len(command) != 1:
            reason = f"the higher command team goes to exactly one action, not to {len(command)}"
            return Refusal("KH-17.03", f"{reason}: write command after one company")
        if len(bonus) > 1:
            return Refusal("KH-17.05", f"the bonus goes to one action, not to {len(bonus)}")
        if self.has_team and bonus and command != bonus:
            return Refusal("KH-17.06", "the bonus goes to the action with the higher command team")
        return None

    # --- by parts ---

    def in_parts(self) -> Asking | None:
        """Return the parts of a choice, or None if the battle needs several company types: choices are then listed."""
        return self._asked() if self.kinds < 2 else None

    def _asked(self) -> Asking:
        """Ask for formation, company and leader of each action, then for each extra that is permitted."""
        chosen: list[Fielded] = []
        while len(chosen) < self.number:
            which = f"company {len(chosen) + 1}"
            formation = yield f"formation of {which}", self._formations_for(chosen)
            company = yield which, list(self.types[formation])
            leader = yield f"leader of {which}", [USUAL, *self.players]
            chosen.append(Fielded(formation, company, "" if leader == USUAL else leader))
        if not self.large:
            chosen = yield from self._placed(chosen)
        for name, words, has in (
            ("air", "air support", self.has_air),
            ("trade", "a move for re-rolls", self.may_trade),
        ):
            for place in range(self.number) if has else ():
                picked = yield f"{words} for company {place + 1}", [False, True]
                chosen[place] = replace(chosen[place], **{name: picked})
        picked = yield "stratagems of", [NOWHERE, *self.stratagems]
        chosen[0] = replace(chosen[0], stratagems="" if picked == NOWHERE else picked)
        return chosen

    def _placed(self, chosen: list[Fielded]) -> Asking:
        """Ask which companies the higher command team and the bonus go with."""
        names = [f"company {place + 1}" for place in range(self.number)]
        team = (yield "command team with", names) if self.has_people else NOWHERE
        able = [team] if self.has_team and self.has_people else names
        bonus = (yield "bonus for", [NOWHERE, *able]) if self.has_bonus else NOWHERE
        return [
            replace(each, command=name == team, bonus=name == bonus) for each, name in zip(chosen, names, strict=True)
        ]

    def _formations_for(self, chosen: Sequence[Fielded]) -> list[str]:
        """Return the formations that can field the next company, so that the others can reach their minimum."""
        counts = {name: sum(each.formation == name for each in chosen) for name in self.bounds}
        missing = {name: max(0, least - counts[name]) for name, (least, _) in self.bounds.items()}
        spare = self.number - len(chosen) - sum(missing.values())
        able = [name for name, (_, most) in self.bounds.items() if counts[name] < most]
        return [name for name in able if missing[name] or spare > 0]

    # --- sampling and listing ---

    def sample(self, stream: Stream) -> list[Fielded]:
        """Return random companies that may be fielded, with formations within their bounds."""
        for _ in range(MAX_TRIES):
            drawn = self._drawn(stream)
            if self.why_not(drawn) is None:
                return drawn
        first = next(self.values(), None)
        if first is None:
            raise ValueError("no companies can be chosen")
        return first

    def _drawn(self, stream: Stream) -> list[Fielded]:
        formations = self._drawn_formations(stream)
        place, adds = stream.below(max(1, len(formations))), bool(stream.below(6))
        seen: list[str] = []
        companies = []
        for number, name in enumerate(formations):
            fresh = [each for each in self.types[name] if each not in seen] if len(seen) < self.kinds else []
            company = stream.pick(fresh or self.types[name])
            seen += [company] if company not in seen else []
            placed = number == place and not self.large
            companies.append(
                Fielded(
                    name,
                    company,
                    stream.pick(("", *self.players)),
                    command=placed and self.has_people,
                    bonus=placed and self.has_bonus and adds,
                    air=self.has_air and bool(stream.below(3)),
                    trade=self.may_trade and stream.one_in(6),
                    stratagems=stream.pick(("", *self.stratagems)) if number == 0 else "",
                )
            )
        return companies

    def _drawn_formations(self, stream: Stream) -> list[str]:
        """Draw the formation of each company: the minimum of each formation, the rest at random, in random order."""
        chosen = [name for name, (least, _) in self.bounds.items() for _ in range(least)]
        while len(chosen) < self.number:
            able = [name for name, (_, most) in self.bounds.items() if chosen.count(name) < most]
            if not able:
                break
            chosen.append(stream.pick(able))
        return stream.sample(chosen, len(chosen)) if len(set(chosen)) < 2 else _shuffled(chosen, stream)

    def values(self) -> Iterator[list[Fielded]]:
        """Yield every choice lazily: places of command team and bonus first, then company by company."""
        lines = [(name, company) for name, types in self.types.items() for company in types]
        for command, bonus in product(self._places(self.has_people, must=not self.large), self._places(self.has_bonus)):
            for chosen in product(lines, repeat=self.number):
                for rest in product(self._extras(), repeat=self.number):
                    companies = [
                        Fielded(name, company, player, place == command, place == bonus, air, trade, stratagems)
                        for place, ((name, company), (player, air, trade, stratagems)) in enumerate(
                            zip(chosen, rest, strict=True)
                        )
                    ]
                    if self._why_not_together(companies) is None:
                        yield companies

    def _places(self, has: bool, *, must: bool = False) -> list[int]:  # noqa: FBT001 - the value of a field
        """Return the actions to which an extra may go, and ``NO_ACTION`` unless the extra ``must`` be placed."""
        nowhere = [] if must and has else [NO_ACTION]
        return [*nowhere, *(range(self.number) if has else ())]

    def _extras(self) -> list[tuple[str, bool, bool, str]]:
        air = (False, True) if self.has_air else (False,)
        trade = (False, True) if self.may_trade else (False,)
        return list(product(("", *self.players), air, trade, ("", *self.stratagems)))


def _shuffled(names: list[str], stream: Stream) -> list[str]:
    left, mixed = list(names), []
    while left:
        mixed.append(left.pop(stream.below(len(left))))
    return mixed
