"""The notation of starting forces, game forces and exchanges: platoons with teams and upgrades, separated by ";"."""

from collections.abc import Callable, Mapping
from typing import Any

from axis_attack.forces.pool import Line, Pool
from axis_attack.model import orders
from axis_attack.model.cards import AIR_LEVELS, PROFILES, CompanyList, PlatoonType
from axis_attack.model.orders import ChooseForce, Wanted
from axis_attack.model.state import AirSupport, Fielded, Purchase
from axis_attack.model.tables import LOADS, OFFERS, STEP_POINTS, STEPS_MOST
from sandtable import Order, RefusalCollector, shown
from sandtable.notation import NOTHING, Once, TypedLine, TypedPart, flat, named, number_of, parts_of, read_parts
from sandtable.pictures import counted

BARE = "bare"
"""The word for a platoon without its upgrades."""


# --- teams and upgrades of a platoon ---


def _teams(words: list[str], usual: int) -> int:
    """Remove and return the number of teams if the words begin with one, otherwise return ``usual``."""
    number = number_of(words[0]) if words else None
    if number is None:
        return usual
    words.pop(0)
    return number


def _upgrades(
    part: TypedPart, words: list[str], known: Mapping[str, int], rule: str, usual: Callable[[str], int]
) -> dict[str, int]:
    """Return upgrades with their numbers from "light_mortar" or "cupola=3"; unknown names are left for the space."""
    found, wrong = Once("AOA-1.02"), RefusalCollector()
    for word in [each for each in words if each.lower() not in {"with", "and"}]:
        name, sign, number = word.strip(",").partition("=")
        with wrong.part():
            upgrade = named(name, known) or flat(name)
            count = part.number(number, name, rule) if sign else 0
            found.put(upgrade, count or usual(upgrade), f"{part.where}{shown(part.text)}: ", "named twice")
    wrong.refuse()
    return found.found


def _wanted(part: TypedPart, words: list[str], types: Mapping[str, PlatoonType], what: str, rule: str) -> Wanted:
    """Read "panzergrenadier 7 light_mortar": type, teams (default: the smallest size), upgrades."""
    kind = types[part.chosen(words[0], types, what, rule)]
    rest = words[1:]
    teams = _teams(rest, kind.sizes[0].teams)
    return Wanted(
        kind.id, teams, _upgrades(part, rest, {it.id: it.most for it in kind.upgrades}, "AOA-1.02", lambda _: 1)
    )


# --- game forces ---


def fielded(line: TypedLine) -> Order | None:
    """Read "pg1; pg2 5 bare; hmg 3 on panzer; battery off; extra 1; buy smoke mortars", or return None."""
    pool: Pool = line.asked.space.pool
    rule = line.asked.rule
    parts = parts_of(line.text, rule)
    if not parts or not _is_force(parts, pool):
        return None
    platoons: list[Fielded] = []
    additions = Once(rule)

    def read(part: TypedPart) -> None:
        verb, rest = part.words[0].lower(), part.words[1:]
        if verb not in ADDITIONS:
            platoons.append(_platoon(part, pool))
            return
        if not rest or (verb == "extra" and len(rest) > 1):
            raise part.refuse(f"name the addition: {_additions(pool)}", rule)
        if verb in additions.found:
            raise part.refuse(f"{verb} is written twice: write it once", rule)
        additions.put(verb, None)
        additions.found[verb] = ADDITIONS[verb](part, pool, rule)

    read_parts(parts, read)
    given = additions.found
    return ChooseForce(platoons, given.get("extra", 0), given.get("buy", Purchase()), given.get("air", AirSupport()))


def _additions(pool: Pool) -> str:
    """Return the text about the additions that can be typed after platoons, with their costs."""
    on_sale = {kind: OFFERS[kind] for kind, refusal in pool.offers.items() if refusal is None}
    parts = [f"extra 1 to {STEPS_MOST} ({STEP_POINTS} points for each victory point)"]
    for kind, it in on_sale.items():
        parts.append(f"buy {kind} ({counted(it.price, 'victory point')}{f' a {it.each}' if it.each else ''})")
    for name, levels in pool.air_allotment.levels.items():
        parts.append(f"air {name} {levels[-1]} {PROFILES[0]} ({pool.air_allotment.prices[levels[-1]]} points)")
    return f"{', '.join(parts)}; you have {counted(pool.balance, 'victory point')}"


def _extra(part: TypedPart, _pool: Pool, _rule: str) -> int:
    return part.number(part.words[1], "victory points", "AOA-3.03")


def _is_force(parts: list[TypedPart], pool: Pool) -> bool:
    """Return whether the parts are a force, and not a different text such as the number of a menu line.

    Several parts are a force. A single part is one if it begins with a platoon, "extra", "buy" or "air", or if its
    second word is a number.
    """
    first = parts[0].words
    if len(parts) == len(first) == 1 and first[0].isdigit():
        return False  # the number of a menu line
    known = named(first[0], [*pool.lines, *pool.absent, "extra", "buy", "air"])
    return bool(known) or len(parts) > 1 or (len(first) > 1 and number_of(first[1]) is not None)


def _platoon(part: TypedPart, pool: Pool) -> Fielded:
    """Return a platoon of a force; the space refuses one that cannot be fielded, with the reason."""
    name = named(part.words[0], [*pool.lines, *pool.absent]) or part.words[0]
    line = pool.lines.get(name)
    if line is None:
        return Fielded(name, 0)
    words, rest = part.words[1:], list[str]()
    teams = _teams(words, line.sizes[-1].teams)
    given, wrong = Once("AOA-3.08"), RefusalCollector()
    while words:
        word = words.pop(0)
        with wrong.part():
            if word.lower() in {"off", BARE}:
                given.found[word.lower()] = ""
            elif word.lower() == "on" and words:
                given.put("on", words.pop(0), f"{part.where}{shown(part.text)}: ", "written twice")
            else:
                rest.append(word)
    upgrades: dict[str, int] = {}
    with wrong.part():
        upgrades = _upgrades(part, rest, line.upgrades, "AOA-3.08", lambda it: min(line.upgrades.get(it, 1), teams))
    wrong.refuse()
    if not upgrades and BARE not in given.found:
        upgrades = all_upgrades(line, teams)
    carrier = given.found.get("on", "")
    return Fielded(name, teams, upgrades, "off" in given.found, named(carrier, pool.lines) or carrier)


def all_upgrades(line: Line, teams: int) -> dict[str, int]:
    """Return all upgrades of a platoon, up to the number of its teams."""
    return {name: min(number, teams) for name, number in line.upgrades.items() if min(number, teams) > 0}


def _bought(part: TypedPart, pool: Pool, _rule: str) -> Purchase:
    """Read "buy smoke mortars battery", "buy battalion_shoot 2 at the farm, the ford", "buy night_attack"."""
    words = part.words[1:]
    double = named(" ".join(words[:2]), OFFERS) if len(words) > 1 else ""
    kind = double or part.chosen(words[0], OFFERS, "special rule", "AOA-9.03")
    words = words[2 if double else 1 :]
    if OFFERS[kind].each == "platoon":
        ids = tuple(named(word.strip(","), pool.lines) or word.strip(",") for word in words if word.lower() != "for")
        if not ids:
            raise part.refuse(f"name the platoons: buy {kind} {next(iter(pool.lines), 'ID')}", OFFERS[kind].rule)
        return Purchase(kind, len(ids), ids)
    number = _teams(words, 1)
    if words and words[0].lower() != "at":
        raise part.refuse("write the number and the targets: buy battalion_shoot 2 at the farm, the ford", "AOA-9.03")
    targets = tuple(each.strip() for each in " ".join(words[1:]).split(",") if each.strip())
    return Purchase(kind, number, (), targets)


def _air(part: TypedPart, pool: Pool, _rule: str) -> AirSupport:
    """Read "air ju_87d limited interdiction bombs".

    Defaults: the level bought, close support, and bombs if the aircraft can choose a load.
    """
    words, air_allotment = part.words[1:], pool.air_allotment
    if len(words) == 1 and words[0].lower() in NOTHING:
        return AirSupport()
    aircraft = named(words[0], air_allotment.levels) or words[0]
    levels = air_allotment.levels.get(aircraft, ())
    usual = {"level": levels[-1] if levels else "", "profile": PROFILES[0], "load": air_allotment.loads(aircraft)[0]}
    known = {"level": AIR_LEVELS, "profile": PROFILES, "load": LOADS}
    given, wrong = Once("AOA-4.01"), RefusalCollector()
    for word in words[1:]:
        with wrong.part():
            one = part.chosen(word, [*AIR_LEVELS, *PROFILES, *LOADS], "level, profile or load", "AOA-4.01")
            field = next(field for field, values in known.items() if one in values)
            if field in given.found:
                raise part.refuse(f"{shown(word)} is a second {field}", "AOA-4.01")
            given.put(field, one)
    wrong.refuse()
    return AirSupport(aircraft, **(usual | given.found))


ADDITIONS: dict[str, Callable[[TypedPart, Pool, str], Any]] = {"extra": _extra, "buy": _bought, "air": _air}
"""Functions that read the parts of a force other than platoons."""


# --- starting forces ---


def built(line: TypedLine) -> Order | None:
    """Read "start; drop pak38; pak1 pak40 3; air ju_87d limited", or a company without "start"; or return None."""
    company: CompanyList = line.asked.space.company
    parts = parts_of(line.text, line.asked.rule)
    if not parts or not _is_company(parts, company):
        return None
    so_far = _Building(line, company)
    read_parts(parts, so_far.take)
    return orders.BuildCompany(so_far.platoons, so_far.aircraft)


class _Building:
    """A starting force while it is read part by part."""

    def __init__(self, line: TypedLine, company: CompanyList) -> None:
        self.platoons: dict[str, Wanted] = {}
        self.aircraft: dict[str, str] = {}
        self._question, self._company = line.asked, company
        self._typed: list[str] = []

    def take(self, part: TypedPart) -> None:
        """Apply a part to the force. Raises IllegalOrder if it cannot be read."""
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
            if not rest:
                raise part.refuse("write ID TYPE TEAMS, such as pg1 panzergrenadier 7 light_mortar", "AOA-1.01")
            types = self._company.types
            self.platoons[part.words[0]] = _wanted(part, rest, types, "type of the list", "AOA-1.05")

    def _start(self, part: TypedPart) -> None:
        if self._typed or self.platoons:
            raise part.refuse("write start first: it replaces everything before it", self._question.rule)
        done = self._question.decision.done
        if isinstance(done, orders.BuildCompany):
            self.platoons, self.aircraft = dict(done.platoons), dict(done.aircraft)

    def _drop(self, part: TypedPart, names: list[str]) -> None:
        wrong = RefusalCollector()
        for each in names:
            with wrong.part():
                there = [*self.platoons, *self.aircraft]
                if not there:
                    raise part.refuse(f"the company is empty so far: write start; drop {each}", "AOA-1.01")
                gone = part.chosen(each, there, "platoon or aircraft of the company", "AOA-1.01")
                self.platoons.pop(gone, None)
                self.aircraft.pop(gone, None)
        wrong.refuse()

    def _once(self, part: TypedPart, name: str) -> None:
        if name in self._typed:
            raise part.refuse(f"{name} is written twice: give each platoon a different id", self._question.rule)
        self._typed.append(name)


def _is_company(parts: list[TypedPart], company: CompanyList) -> bool:
    first = parts[0].words
    if len(first) == 1:
        return first[0].lower() == "start"
    return first[0].lower() in {"air", "drop"} or bool(named(first[1], company.types)) or len(parts) > 1


# --- exchanges ---


def exchanged(line: TypedLine) -> Order | None:
    """Read "panzer for pak40 3 upgrade"; return None for any other text."""
    part = TypedPart("", line.text)
    words, space = part.words, line.asked.space
    if len(words) < 3 or words[1].lower() != "for":
        return None
    old = named(words[0], space.olds) or words[0]
    wanted = _wanted(part, words[2:], space.types, "support platoon of the list", "AOA-11.24")
    if len(words) == 3 or number_of(words[3]) is None:  # default: the largest size within the value of the old platoon
        sizes = [teams for name, teams, _ in space.offers(old) if name == wanted.type] if old in space.olds else []
        wanted = Wanted(wanted.type, max(sizes, default=wanted.teams), wanted.upgrades)
    return orders.ExchangePlatoon(old, wanted)
