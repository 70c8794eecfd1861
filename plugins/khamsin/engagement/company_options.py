"""The space of companies for the actions of an engagement (KH-13, KH-D15 to KH-D18, KH-D20)."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

from khamsin.model.state import Fielded
from sandtable import Refusal, Space, Stream, listing, shown

TRIES = 50
NOBODY = -1


class Companies(Space):
    """A list of ``number`` companies, one for each action in order, or those of one large battle.

    ``types`` gives by formation the company types it may field; ``bounds`` least and most companies of each, with
    ``bounds_rule``. ``players`` may lead them, "" stands for the usual one. ``has_people`` tells that command teams or
    characters must go to exactly one action, ``has_bonus`` that the greater bonus may go to one; if there is a team
    (``has_team``), it goes where that is (KH-17.06). ``has_air``: air support may be used; ``may_trade``: re-rolls may
    be given up. ``stratagems`` are whose may be used. In a ``large`` battle people and bonus are there anyway, and the
    companies must be of ``kinds`` different types at least (KH-13.03). ``told`` says for people how each formation
    is, and what air support is left; it is no part of the question.
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
    told: Callable[[], Mapping[str, str]] = dict

    def outline(self) -> Any:
        """Return how many companies, what each formation may field, and what may go with them."""
        more = (self.has_people, self.has_team, self.has_bonus, self.has_air, self.may_trade, self.large)
        return ["Companies", self.number, self.types, self.bounds, self.players, more, self.stratagems, self.kinds]

    # --- judging ---

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse the first company that may not be fielded, then what does not go together."""
        if not isinstance(value, list | tuple) or not all(type(each) is Fielded for each in value):
            return Refusal("KH-13.01", f"a list of companies is wanted, not {shown(value)}")
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
            return Refusal("KH-13.01", f"{shown(each.company)} is no option of {each.formation}: choose {choice}")
        if each.player not in ("", *self.players):
            return Refusal(
                "KH-17.01", f"{shown(each.player)} is no player of this side: choose {listing(self.players)}"
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
                wanted = str(least) if least == most else f"{least} to {most}"
                return Refusal(self.bounds_rule, f"{name} fields {wanted} of the companies here, not {number}")
        found = len({each.company for each in companies})
        if found < self.kinds:
            reason = f"a large battle needs companies of {self.kinds} different types here, not of {found}"
            return Refusal("KH-13.03", reason)
        if sum(bool(each.stratagems) for each in companies) > 1:
            return Refusal("KH-14.11", "one commander's stratagems are used in a battle: name him once")
        return None if self.large else self._why_not_placed(companies)

    def _why_not_placed(self, companies: list[Fielded]) -> Refusal | None:
        command = [place for place, each in enumerate(companies) if each.command]
        bonus = [place for place, each in enumerate(companies) if each.bonus]
        if self.has_people and len(command) != 1:
            reason = f"the higher command team goes to exactly one action, not to {len(command)}"
            return Refusal("KH-17.03", f"{reason}: write command behind one company")
        if len(bonus) > 1:
            return Refusal("KH-17.05", f"the bonus goes to one action, not to {len(bonus)}")
        if self.has_team and bonus and command != bonus:
            return Refusal("KH-17.06", "the bonus goes to the action with the higher command team")
        return None

    # --- drawing and listing ---

    def sample(self, stream: Stream) -> list[Fielded]:
        """Return companies that may be fielded: formations within their bounds, types and flags at random."""
        for _ in range(TRIES):
            drawn = self._drawn(stream)
            if self.why_not(drawn) is None:
                return drawn
        first = next(self.values(), None)
        if first is None:
            raise ValueError("nothing can be chosen")
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
        """Draw who fields the companies: each its least number, the rest at random; in random order."""
        chosen = [name for name, (least, _) in self.bounds.items() for _ in range(least)]
        while len(chosen) < self.number:
            able = [name for name, (_, most) in self.bounds.items() if chosen.count(name) < most]
            if not able:
                break
            chosen.append(stream.pick(able))
        return stream.sample(chosen, len(chosen)) if len(set(chosen)) < 2 else _shuffled(chosen, stream)

    def values(self) -> Iterator[list[Fielded]]:
        """Yield every choice, lazily: first where command team and bonus go, then company by company."""
        lines = [(name, company) for name, types in self.types.items() for company in types]
        for command, bonus in product(self._places(self.has_people, must=not self.large), self._places(self.has_bonus)):
            for chosen in product(lines, repeat=self.number):
                for rest in product(self._rests(), repeat=self.number):
                    companies = [
                        Fielded(name, company, player, place == command, place == bonus, air, trade, stratagems)
                        for place, ((name, company), (player, air, trade, stratagems)) in enumerate(
                            zip(chosen, rest, strict=True)
                        )
                    ]
                    if self._why_not_together(companies) is None:
                        yield companies

    def _places(self, has: bool, *, must: bool = False) -> list[int]:  # noqa: FBT001 - a field handed on
        """Return the actions to which something may go, ``NOBODY`` for none; there is none where it ``must``."""
        nowhere = [] if must and has else [NOBODY]
        return [*nowhere, *(range(self.number) if has else ())]

    def _rests(self) -> list[tuple[str, bool, bool, str]]:
        air = (False, True) if self.has_air else (False,)
        trade = (False, True) if self.may_trade else (False,)
        return list(product(("", *self.players), air, trade, ("", *self.stratagems)))


def _shuffled(names: list[str], stream: Stream) -> list[str]:
    left, mixed = list(names), []
    while left:
        mixed.append(left.pop(stream.below(len(left))))
    return mixed
