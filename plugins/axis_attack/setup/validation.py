"""Checks that the parts of a scenario fit together. Each problem names its key in the complete scenario."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from axis_attack.model.cards import (
    COMBAT,
    MOTOR,
    ORGANIC,
    SIDES,
    SUPPORT,
    WEAPONS,
    Board,
    Bought,
    CompanyList,
    PlatoonType,
)
from axis_attack.model.strength import platoon_points

Problem = tuple[str, str]
"""The key, and its problem with reason and fix."""

TRACK, MAX_START = 7, 40
NAMED = 8
"""Maximum number of ids in a message."""
VEHICLES, GUNS = ("afv", "light_afv"), ("gun", "artillery")


def problems_of(board: Board, options: Mapping[str, str]) -> Iterator[Problem]:
    """Yield all contradictions, in the order of the tables."""
    yield from _track_problems(board, options)
    yield from _mission_problems(board)
    for side in SIDES:
        company = board.lists[side]
        if company.side != side and options["sides"] != "any_two":
            yield f"{side}.side", f"is {company.side}, but this is the list of {side}; name a different file (AOA-R03)"
        wrong = list(list_problems(company, side))
        yield from wrong
        if not wrong:
            yield from _points_problems(board, company, side, options)


def _track_problems(board: Board, options: Mapping[str, str]) -> Iterator[Problem]:
    count = len(board.sectors)
    if count != TRACK and options["sector_graph"] != "custom_graph":
        how = f"the track has {TRACK}; add or remove some, or play with sector_graph=custom_graph (AOA-2.02, AOA-R01)"
        yield "sectors", f"has {count} sectors, {how}"
    elif count < 3:
        yield "sectors", f"has {count} sectors; a track needs 3 or more, two homes and one between (AOA-2.04)"
    if board.start_sector > count:
        yield "campaign.start_sector", f"is {board.start_sector}, but the track has {count} sectors (AOA-R02)"
    columns, rows = board.table
    for sector in board.sectors:
        if columns > sector.columns or rows > sector.rows:
            size = f"{sector.columns} by {sector.rows}"
            fit = f"a table of {columns} by {rows} does not fit in; change columns and rows, or campaign.table"
            yield f"sectors.{sector.number}", f"has {size} squares, {fit} (AOA-R42)"


def _mission_problems(board: Board) -> Iterator[Problem]:
    for mission in board.missions.values():
        key = f"missions.{mission.id}"
        if mission.fair_fight and mission.defensive_battle:
            yield f"{key}.fair_fight", "is set, and defensive_battle too; a mission has at most one of them (AOA-R34)"
        if mission.defensive_battle and not mission.defender:
            yield (
                f"{key}.defender",
                "is missing; a defensive battle has a defender, name the result of its win (AOA-7.01)",
            )
        if not mission.defender and mission.attacker == "retreat":
            yield (
                f"{key}.attacker",
                "is retreat, but the mission has no defender; name one, or a different result (AOA-7.06)",
            )


def list_problems(company: CompanyList, key: str) -> Iterator[Problem]:
    """Yield the problems of a list whose table is ``key``, except those of the points of its starting force."""
    if company.most < company.least:
        yield f"{key}.combat.most", f"is {company.most}, below combat.least {company.least}; raise it (AOA-3.01)"
    for each in company.bombers:
        if each not in company.aircraft:
            yield f"{key}.air.bombers", f"has {each}, which is not in air.types; add it there (AOA-4.09)"
    prices = [company.air_points[level] for level in company.air_points]
    if prices != sorted(prices):
        yield f"{key}.air.points", "fall from sporadic to priority; a higher level must not cost less (AOA-1.13)"
    for kind in company.types.values():
        yield from _size_problems(kind, f"{key}.types.{kind.id}.sizes")
        yield from _trait_problems(kind, f"{key}.types.{kind.id}")
    yield from _start_problems(company, key)


def _size_problems(kind: PlatoonType, key: str) -> Iterator[Problem]:
    if not kind.sizes:
        yield key, "has no size; the first is depleted, the last is full strength (AOA-1.07)"
    for place, (below, size) in enumerate(zip(kind.sizes, kind.sizes[1:], strict=False), start=1):
        for name, less, more in (
            ("teams", below.teams, size.teams - 1),
            ("points", below.points, size.points),
            ("transports", below.transports, size.transports),
        ):
            if more < less:
                after = f"but the previous size has {less}; sizes must increase"
                yield f"{key}[{place}].{name}", f"is {getattr(size, name)}, {after} (AOA-1.05)"
    for place, size in enumerate(kind.sizes):
        if kind.transport == MOTOR and not size.transports:
            yield f"{key}[{place}].transports", "is missing; give the number of vehicles of this size (AOA-10.17)"
        if kind.transport != MOTOR and size.transports:
            reason = f"the platoon's transport is {kind.transport}; make it motor, or remove this (AOA-3.11)"
            yield f"{key}[{place}].transports", f"is {size.transports}, but {reason}"


def _trait_problems(kind: PlatoonType, key: str) -> Iterator[Problem]:
    if kind.transport == MOTOR and not kind.vehicle:
        yield (
            f"{key}.vehicle",
            "is missing; name the type of its transports, by which platoons share vehicles (AOA-10.19)",
        )
    if kind.transport != MOTOR and kind.vehicle:
        yield f"{key}.vehicle", f"is given, but its transport is {kind.transport}; remove one of them (AOA-10.19)"
    if kind.towed and kind.kind not in GUNS:
        yield f"{key}.towed", f"is set, but its kind is {kind.kind}; only guns and artillery are towed (AOA-3.14)"
    if kind.all_tanks and kind.kind not in VEHICLES:
        yield f"{key}.all_tanks", f"is set, but its kind is {kind.kind}; use afv or light_afv (AOA-11.12)"
    if kind.kind in VEHICLES and kind.transport != ORGANIC:
        yield f"{key}.transport", f"is {kind.transport}, but the platoon consists of vehicles; use organic (AOA-3.11)"
    if kind.carries and kind.transport != ORGANIC:
        yield f"{key}.carries", "is given, but only platoons of vehicles carry others; remove it (AOA-3.12)"
    if kind.smoke and not kind.bombards:
        yield f"{key}.smoke", "is set, but smoke is a bombardment; set bombards as well (AOA-5.09)"


def _start_problems(company: CompanyList, key: str) -> Iterator[Problem]:
    for each, level in company.air.items():
        if each not in company.aircraft:
            known = listed(company.aircraft) or "none"
            yield f"{key}.start.air.{each}", f"is {level}, but air.types has no {each}; known are: {known} (AOA-1.12)"
    for bought in company.start:
        yield from _bought_problems(company, bought, f"{key}.start.platoons.{bought.id}")
    counts = Counter(company.types[each.type].slot for each in company.start if each.type in company.types)
    number = counts[COMBAT]
    if not company.least <= number <= company.most:
        wanted = f"the list requires {company.least} to {company.most}"
        yield f"{key}.start.platoons", f"has {number} combat platoons; {wanted} (AOA-1.01, AOA-11.14)"
    for slot, most in ((WEAPONS, company.weapons), (SUPPORT, company.supports)):
        if counts[slot] > most:
            yield f"{key}.start.platoons", f"has {counts[slot]} {slot} platoons; the list allows {most} (AOA-1.01)"
    if len(company.start) > MAX_START:
        yield f"{key}.start.platoons", f"has {len(company.start)} platoons; use at most {MAX_START} (AOA-1.01)"
    for kind, number in sorted(Counter(each.type for each in company.start).items()):
        if kind in company.types and number > company.types[kind].most:
            most = company.types[kind].most
            yield f"{key}.start.platoons", f"has {number} platoons of type {kind}; the list allows {most} (AOA-1.01)"


def _bought_problems(company: CompanyList, bought: Bought, key: str) -> Iterator[Problem]:
    kind = company.types.get(bought.type)
    if kind is None:
        known = listed(company.types)
        yield f"{key}.type", f"there is no type {bought.type!r} in the list; correct it, known are: {known} (AOA-1.05)"
        return
    sizes = [size.teams for size in kind.sizes]
    if sizes and bought.teams not in sizes:
        yield f"{key}.teams", f"is {bought.teams}; {kind.id} has sizes {', '.join(map(str, sizes))} (AOA-1.05)"
    most = {each.id: min(each.most, bought.teams) for each in kind.upgrades}
    for each, number in bought.upgrades.items():
        if each not in most:
            known = listed(most) or "none"
            yield f"{key}.upgrades.{each}", f"is not an upgrade of {kind.id}; upgrades: {known} (AOA-1.02)"
        elif number > most[each]:
            yield f"{key}.upgrades.{each}", f"is {number}; {kind.id} can have {most[each]} at most (AOA-1.16)"


def start_points(company: CompanyList) -> int:
    """Return the cost of a starting force: HQ, platoons with upgrades, aircraft types (AOA-1.01, AOA-1.14)."""
    platoons = sum(platoon_points(company.types[each.type], each.teams, each.upgrades) for each in company.start)
    return company.hq_points + platoons + sum(company.air_points[level] for level in company.air.values())


def least_points(company: CompanyList) -> int:
    """Return the cost of the smallest legal force: HQ and the cheapest depleted combat platoons (AOA-3.01)."""
    combat = [kind for kind in company.types.values() if kind.slot == COMBAT]
    prices = sorted(price for kind in combat for price in [kind.sizes[0].points] * kind.most)
    return company.hq_points + sum(prices[: company.least])


def _points_problems(board: Board, company: CompanyList, side: str, options: Mapping[str, str]) -> Iterator[Problem]:
    total, least = start_points(company), least_points(company)
    most = board.points_of(side)
    if total > most and not options["start_total"].isdigit():
        key = f"{side}.points" if company.points else "campaign.points"
        over = f"{key} allows {most}; reduce it by {total - most}, or agree on more"
        yield f"{side}.start", f"costs {total} points, but {over} (AOA-1.01)"
    if least > board.limit:
        small = f"HQ and {company.least} depleted combat platoons of {side} cost {least}; raise the limit"
        yield "campaign.limit", f"is {board.limit}, but {small} (AOA-3.02)"


def listed(words: Iterable[str]) -> str:
    """Return ids as a list for a message."""
    names = sorted(words)
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
