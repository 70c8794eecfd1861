"""Starting forces, game forces and exchanges as they are typed: platoons with their teams and upgrades, ; between."""

from collections.abc import Callable, Mapping
from typing import Any

from axis_attack.forces.pool import Line, Pool
from axis_attack.model import orders
from axis_attack.model.cards import AIR_LEVELS, COMBAT, PROFILES, CompanyList
from axis_attack.model.orders import ChooseForce, Wanted
from axis_attack.model.state import AirSupport, Fielded, Purchase
from axis_attack.model.tables import LOADS, OFFERS
from axis_attack.ui.notation import (
    NOTHING,
    Asked,
    Part,
    chosen,
    flat,
    is_number,
    named,
    number_in,
    parts_of,
    put_upgrade,
    upgrade_in,
)
from sandtable.errors import IllegalOrder, Wrongs
from sandtable.kernel.decisions import Order
from sandtable.kernel.options.choices import shown

BARE = "bare"
"""Says that a platoon takes none of its upgrades."""


# --- game forces ---


def fielded(asked: Asked, text: str) -> Order | None:
    """Read "pg1; pg2 5 bare; hmg 3 on panzer; battery off; extra 1; buy smoke mortars; air ju_87d limited"."""
    pool: Pool = asked.space.pool
    parts = parts_of(text, asked.rule)
    if not parts or not _is_force(parts, pool):
        return None
    platoons: list[Fielded] = []
    besides: dict[str, Any] = {}
    wrong = Wrongs()
    for part in parts:
        verb, rest = part.words[0].lower(), part.words[1:]
        with wrong.part():
            if verb not in BESIDES:
                platoons.append(_platoon(part, pool))
                continue
            if not rest or (verb == "extra" and len(rest) > 1):
                raise asked.refuse(part, "say what: extra 1, buy smoke mortars, air ju_87d limited close_support")
            if verb in besides:
                raise asked.refuse(part, f"{verb} is written twice: only one is allowed")
            besides[verb] = None
            besides[verb] = BESIDES[verb](asked, part, pool)
    wrong.refuse()
    return ChooseForce(
        platoons, besides.get("extra", 0), besides.get("buy", Purchase()), besides.get("air", AirSupport())
    )


def _extra(_asked: Asked, part: Part, _pool: Pool) -> int:
    return number_in(part, part.words[1], "victory points", "AOA-3.03")


def _is_force(parts: list[Part], pool: Pool) -> bool:
    """Tell whether parts are a force: the first names a platoon, or there are several."""
    first = parts[0].words
    known = named(first[0], [*pool.lines, *pool.absent, "extra", "buy", "air"])
    return bool(known) or len(parts) > 1 or (len(first) > 1 and is_number(first[1]))


def _platoon(part: Part, pool: Pool) -> Fielded:
    """Return a platoon of a force; one that cannot be fielded is left to the space, which knows why."""
    name = named(part.words[0], [*pool.lines, *pool.absent]) or part.words[0]
    line = pool.lines.get(name)
    if line is None:
        return Fielded(name, 0)
    words = part.words[1:]
    teams = int(words.pop(0)) if words and is_number(words[0]) else line.sizes[-1].teams
    named_upgrades: dict[str, int] = {}
    off, carrier, is_bare = False, "", False
    wrong = Wrongs()
    while words:
        word = words.pop(0)
        with wrong.part():
            if word.lower() == "off":
                off = True
            elif word.lower() == "on" and words:
                if carrier:
                    raise IllegalOrder("AOA-3.08", f"{part.where}{shown(part.text)}: on is written twice")
                carrier = words.pop(0)
            elif word.lower() == BARE:
                is_bare = True
            elif word.lower() != "with":
                upgrade, number = upgrade_in(part, word.strip(","), line.upgrades, "AOA-3.08")
                put_upgrade(part, named_upgrades, upgrade, number or min(line.upgrades.get(upgrade, 1), teams))
    wrong.refuse()
    upgrades = named_upgrades if named_upgrades or is_bare else _all_upgrades(line, teams)
    return Fielded(name, teams, upgrades, off, named(carrier, pool.lines) or carrier)


def _all_upgrades(line: Line, teams: int) -> dict[str, int]:
    """Return all that was bought for a platoon, as far as it has teams for it."""
    return {name: min(number, teams) for name, number in line.upgrades.items() if min(number, teams) > 0}


def _bought(asked: Asked, part: Part, pool: Pool) -> Purchase:
    """Read "buy smoke mortars battery", "buy battalion_shoot 2 at the farm, the ford", "buy night_attack"."""
    words = part.words[1:]
    kind, words = _kind(part, words)
    if OFFERS[kind].each == "platoon":
        ids = tuple(named(word.strip(","), pool.lines) or word.strip(",") for word in words if word.lower() != "for")
        return Purchase(kind, len(ids), ids)
    number = int(words.pop(0)) if words and is_number(words[0]) else 1
    if words and words[0].lower() != "at":
        raise asked.refuse(part, "write how many, and at what: buy battalion_shoot 2 at the farm, the ford", "AOA-9.03")
    targets = tuple(each.strip() for each in " ".join(words[1:]).split(",") if each.strip())
    return Purchase(kind, number, (), targets)


def _kind(part: Part, words: list[str]) -> tuple[str, list[str]]:
    """Return the special rule that the first word, or the first two, name, and the words behind."""
    for length in (2, 1):
        found = named(" ".join(words[:length]), OFFERS) if len(words) >= length else ""
        if found:
            return found, words[length:]
    return chosen(part, words[0], OFFERS, "special rule", "AOA-9.03"), words[1:]


def _air(_asked: Asked, part: Part, pool: Pool) -> AirSupport:
    """Read "air ju_87d limited interdiction bombs": what is not said is the most that was bought, close, with bombs."""
    words, air_allotment = part.words[1:], pool.air_allotment
    if len(words) == 1 and words[0].lower() in NOTHING:
        return AirSupport()
    aircraft = named(words[0], air_allotment.levels) or words[0]
    levels = air_allotment.levels.get(aircraft, ())
    found = {"level": levels[-1] if levels else "", "profile": PROFILES[0], "load": air_allotment.loads(aircraft)[0]}
    known = {"level": AIR_LEVELS, "profile": PROFILES, "load": LOADS}
    said, wrong = set[str](), Wrongs()
    for word in words[1:]:
        field = next((field for field, values in known.items() if named(word, values)), "")
        with wrong.part():
            if not field:
                chosen(part, word, [*AIR_LEVELS, *PROFILES, *LOADS], "level, profile or load", "AOA-4.01")
            elif field in said:
                raise IllegalOrder("AOA-4.01", f"{part.where}{shown(part.text)}: {shown(word)} is a second {field}")
            else:
                said.add(field)
                found[field] = named(word, known[field])
    wrong.refuse()
    return AirSupport(aircraft, found["level"], found["profile"], found["load"])


BESIDES: dict[str, Callable[[Asked, Part, Pool], Any]] = {"extra": _extra, "buy": _bought, "air": _air}
"""What is said once of a force, besides its platoons."""


def example_force(asked: Asked) -> str:
    """Return a force that is allowed, as far as a simple one is, and what else can be written."""
    pool: Pool = asked.space.pool
    order = _simple_force(asked)
    told = [f"{each.platoon} {each.teams}" for each in order.platoons] or ["no legal force is plain here, see view"]
    first = next(iter(pool.lines.values()))
    more = f"{first.id} {first.sizes[0].teams} bare is {first.sizes[0].teams} teams without upgrades"
    guns = next((line.id for line in pool.lines.values() if line.kind.bombards), "")
    more += f", {guns} off: off the table" if guns else ""
    more += _carried(pool)
    more += f", extra 1 to {pool.steps}: 75 points each" if pool.steps else ""
    sold = [kind for kind, refusal in pool.offers.items() if refusal is None and OFFERS[kind].price <= pool.balance]
    more += f", buy {' or '.join(sold)}" if sold else ""
    flying = next(iter(pool.air_allotment.levels), "")
    more += f", air {flying} {pool.air_allotment.levels[flying][-1]} {PROFILES[0]}" if flying else ""
    return f"{'; '.join(told)}  ({more}; force lists sizes and points)"


def _carried(pool: Pool) -> str:
    """Return how it is written that a platoon is carried, by two that go together; "" where nobody may be."""
    for line in pool.lines.values() if pool.carries else ():
        carrier = next((each.id for each in pool.lines.values() if line.may_ride(each)), "")
        if carrier:
            return f", {line.id} {line.sizes[0].teams} on {carrier}: carried"
    return ""


def _simple_force(asked: Asked) -> ChooseForce:
    """Return the combat platoons, then whatever else there is room for, all at full size."""
    pool: Pool = asked.space.pool
    lines = sorted(pool.lines.values(), key=lambda line: line.kind.slot != COMBAT)
    order = ChooseForce([])
    for line in lines:
        if pool.bound and not line.mobile:
            continue
        for size in reversed(line.sizes):
            each = Fielded(line.id, size.teams, _all_upgrades(line, size.teams))
            trial = ChooseForce([*order.platoons, each])
            combat = sum(pool.lines[it.platoon].is_combat for it in trial.platoons)
            if combat >= pool.least and not asked.space.is_legal(trial):
                continue
            if combat < pool.least and asked.space.points(trial) > pool.limit:
                continue
            order = trial
            break
    return order if asked.space.is_legal(order) else ChooseForce([])


# --- starting forces ---


def built(asked: Asked, text: str) -> Order | None:
    """Read "start; drop pak38; pak1 pak40 3; air ju_87d limited": from the list's own force, or from nothing."""
    company: CompanyList = asked.space.company
    parts = parts_of(text, asked.rule)
    if not parts or not _is_company(parts, company):
        return None
    company_so_far = _Building(asked, company)
    wrong = Wrongs()
    for part in parts:
        with wrong.part():
            company_so_far.take(part)
    wrong.refuse()
    return orders.BuildCompany(company_so_far.platoons, company_so_far.aircraft)


class _Building:
    """A starting force while it is read part by part."""

    def __init__(self, asked: Asked, company: CompanyList) -> None:
        self.platoons: dict[str, Wanted] = {}
        self.aircraft: dict[str, str] = {}
        self._asked, self._company = asked, company
        self._typed: list[str] = []

    def take(self, part: Part) -> None:
        """Take a part. Raises IllegalOrder."""
        verb, rest = part.words[0].lower(), part.words[1:]
        if verb == "start" and not rest:
            self._start(part)
        elif verb == "drop" and rest:
            self._drop(part, rest)
        elif verb == "air" and len(rest) == 2:
            name = named(rest[0], self._company.aircraft) or rest[0]
            self._once(part, f"air {name}")
            self.aircraft[name] = named(rest[1], AIR_LEVELS) or rest[1]
        else:
            self._once(part, part.words[0])
            self.platoons[part.words[0]] = _wanted(self._asked, part, rest, self._company)

    def _start(self, part: Part) -> None:
        if self._typed or self.platoons:
            raise self._asked.refuse(part, "start comes first: what stands before it would be lost")
        done = self._asked.done
        if isinstance(done, orders.BuildCompany):
            self.platoons, self.aircraft = dict(done.platoons), dict(done.aircraft)

    def _drop(self, part: Part, names: list[str]) -> None:
        wrong = Wrongs()
        for each in names:
            with wrong.part():
                gone = chosen(part, each, [*self.platoons, *self.aircraft], "platoon or aircraft so far", "AOA-1.01")
                self.platoons.pop(gone, None)
                self.aircraft.pop(gone, None)
        wrong.refuse()

    def _once(self, part: Part, name: str) -> None:
        if name in self._typed:
            raise self._asked.refuse(part, f"{name} is written twice: each platoon has an id of its own")
        self._typed.append(name)


def _is_company(parts: list[Part], company: CompanyList) -> bool:
    first = parts[0].words
    if len(first) == 1:
        return first[0].lower() == "start"
    return first[0].lower() in {"air", "drop"} or bool(named(first[1], company.types)) or len(parts) > 1


def _wanted(asked: Asked, part: Part, words: list[str], company: CompanyList) -> Wanted:
    """Read "panzergrenadier 7 light_mortar": type, teams, upgrades; without teams, the least."""
    if not words:
        raise asked.refuse(part, "write ID TYPE TEAMS, as in pg1 panzergrenadier 7 light_mortar", "AOA-1.01")
    kind = company.types[chosen(part, words[0], company.types, "type of the list", "AOA-1.05")]
    rest = words[1:]
    teams = int(rest.pop(0)) if rest and is_number(rest[0]) else kind.sizes[0].teams
    known = {each.id: each.most for each in kind.upgrades}
    return Wanted(kind.id, teams, _upgrades(part, rest, known))


def _upgrades(part: Part, words: list[str], known: Mapping[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    wrong = Wrongs()
    for word in words:
        with wrong.part():
            if word.lower() not in {"with", "and"}:
                name, number = upgrade_in(part, word.strip(","), known, "AOA-1.02")
                put_upgrade(part, found, name, number or 1)
    wrong.refuse()
    return found


def example_company(asked: Asked) -> str:
    """Return how to take the list's own force, and how to change it."""
    company: CompanyList = asked.space.company
    last = company.start[-1] if company.start else None
    if last is None:
        return "ID TYPE TEAMS UPGRADE; ID TYPE TEAMS, with the types that view shows"
    least = company.types[last.type].sizes[0].teams
    new = f"start; drop {last.id}; new_{last.id} {last.type} {least}"
    return f"start, or: {new}  (ID TYPE TEAMS UPGRADE=NUMBER; view shows types, sizes and points)"


# --- exchanges ---


def exchanged(asked: Asked, text: str) -> Order | None:
    """Read "panzer for pak40 3 upgrade"; "keep" ends it."""
    if flat(text) in NOTHING:
        return orders.ExchangePlatoon()
    words = text.split()
    if len(words) < 3 or words[1].lower() != "for":
        return None
    part = Part("", words)
    platoon = named(words[0], asked.space.olds) or words[0]
    kind = asked.space.types[chosen(part, words[2], asked.space.types, "support platoon of the list", "AOA-11.24")]
    rest = words[3:]
    teams = int(rest.pop(0)) if rest and is_number(rest[0]) else kind.sizes[0].teams
    wanted = Wanted(kind.id, teams, _upgrades(part, rest, {each.id: each.most for each in kind.upgrades}))
    return orders.ExchangePlatoon(platoon, wanted)


def example_exchange(asked: Asked) -> str:
    """Return what the first platoon that can go may go for, and what each is worth."""
    old = next((each for each in asked.space.olds if asked.space.offers(each)), "")
    if not old:
        return "keep"
    offers = asked.space.offers(old)
    others = [offer for offer in offers if offer[0] != asked.space.olds[old].type] or offers
    name, teams, _ = min(others, key=lambda offer: offer[2])
    worth = ", ".join(f"{each} {it.value}" for each, it in asked.space.olds.items() if it.value)
    return f"{old} for {name} {teams}, or: keep  (5 victory points; worth now: {worth})"
