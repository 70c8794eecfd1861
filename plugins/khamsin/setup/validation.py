"""Checks that the parts of a module fit together; each problem has its key in the complete module."""

from collections.abc import Iterator, Mapping

from khamsin.model.cards import ENEMY, SIDES, Broken, Chain, FormationCard, Held, LeaderCard
from khamsin.setup.map import sides_in
from khamsin.setup.sheet import Sheet
from sandtable.data import ID, joined_key

Problem = tuple[str, str]
"""A key, and the problem there, with the reason and the fix."""

NAMED = 6
"""Maximum number of ids that a message lists."""


def problems_of(sheet: Sheet) -> Iterator[Problem]:
    """Yield all problems, in the order of the tables."""
    yield from _side_problems(sheet)
    yield from _map_problems(sheet)
    yield from _cost_problems(sheet)
    yield from _owner_problems(sheet)
    yield from _nation_problems(sheet)
    for card in sheet.muster.formations.values():
        yield from _formation_problems(sheet, card)
    for leader in sheet.muster.leaders.values():
        yield from _leader_problems(sheet, leader)
    yield from _force_problems(sheet)
    yield from _event_problems(sheet)
    yield from _victory_problems(sheet)


def _side_problems(sheet: Sheet) -> Iterator[Problem]:
    axis, allies = (sheet.sides[side].commanders for side in SIDES)
    for name in axis:
        if name in allies:
            yield "sides.allies.commanders", f"has {name} of the other side; honor is counted by name (KH-24.01)"
    for side in SIDES:
        yield from _unknown(sheet.sides[side].closed, sheet.ground.map.index, f"sides.{side}.closed", "area")


def _map_problems(sheet: Sheet) -> Iterator[Problem]:
    area_map = sheet.ground.map
    for area in area_map.ids:
        if not ID.fits(area):
            yield _area_key(area), f"the id is not valid; {ID.rule}"
    reached = list(area_map.ids[:1])
    for here in reached:
        reached.extend(near for near in area_map.adjacent(here) if near not in reached)
    for area in area_map.ids:
        if area not in reached:
            yield _area_key(area), f"no connectors lead here from {area_map.ids[0]}; add one (KH-2.01)"
    for area_card in area_map.areas:
        if area_card.number("stocks") and not area_card.text("supply"):
            yield (
                f"{_area_key(area_card.id)}.stocks",
                "is given, but the area does not supply a side; add supply, or remove stocks",
            )


def _cost_problems(sheet: Sheet) -> Iterator[Problem]:
    used = sorted({link.kind for link in sheet.ground.map.connectors})
    for kind in used:
        if kind not in sheet.cost:
            rule = f"is missing; the map has connectors of kind {kind}, add their cost (KH-8.09)"
            yield joined_key("movement.costs", kind), rule
    if sheet.cross_country not in sheet.cost:
        yield "movement.cross_country", f"is {sheet.cross_country!r}, but movement.costs has no such kind (KH-7.07)"
    for card in sheet.weather.cards.values():
        yield from _unknown(
            card.extra, sheet.cost, f"weather.kinds.{card.id}.extra", "kind of connector in movement.costs"
        )


def _owner_problems(sheet: Sheet) -> Iterator[Problem]:
    """Yield sides without a base, a supply area or an entry area, and second bases (KH-22.14, KH-10.04, KH-4.03)."""
    areas = sheet.ground.map.areas
    for side in SIDES:
        bases = [area.id for area in areas if area.text("base") == side]
        if not bases:
            yield "map.areas", f'no area is the base of {side}; give one base = "{side}" (KH-22.14)'
        for area in bases[1:]:
            yield f"{_area_key(area)}.base", f"is a second base of {side}, after {bases[0]}; keep one (KH-22.14)"
        if not any(side in sides_in(area, "supply") for area in areas):
            yield "map.areas", f'no area supplies {side}; give one supply = "{side}" (KH-10.04)'
        if not any(side in sides_in(area, "entry") for area in areas):
            yield "map.areas", f'no area lets {side} enter; give one entry = "{side}" (KH-4.03, KH-23.04)'


def _nation_problems(sheet: Sheet) -> Iterator[Problem]:
    nations = sheet.muster.nations
    for pair in sheet.apart:
        yield from _unknown(pair, nations, "coordination.apart", "nation")
    for pool in sheet.pools:
        key = f"replacements.{pool.id}"
        yield from _unknown(pool.nations, nations, f"{key}.nations", "nation")
        for nation in pool.nations:
            if nation in nations and nations[nation].side != pool.side:
                yield f"{key}.nations", f"has {nation}, which fights for {nations[nation].side} (KH-5.01)"
        if not pool.nations:
            yield f"{key}.nations", "is empty; name the nations that these points are for (KH-5.01)"
        if pool.last < pool.first:
            yield f"{key}.last", f"is {pool.last}, before the first turn {pool.first}; use a later one (KH-5.01)"


def _formation_problems(sheet: Sheet, card: FormationCard) -> Iterator[Problem]:
    key = f"forces.formations.{card.id}"
    muster, areas = sheet.muster, sheet.ground.map.index
    if card.id in areas:
        yield key, "an area has this id too; orders use ids: rename one (KH-3.06)"
    if card.nation not in muster.nations:
        yield f"{key}.nation", f"there is no nation {card.nation!r}; add it under nations or correct the id (KH-5.10)"
    elif muster.nations[card.nation].side != card.side:
        side = muster.nations[card.nation].side
        yield f"{key}.nation", f"{card.nation} fights for {side}; correct the nation or the side"
    yield from _unknown(card.options, muster.companies, f"{key}.options", "company type under companies")
    if not card.options and not card.bombards:
        yield f"{key}.options", "names no company type; the formation could not fight: name one (KH-13.01)"
    if not card.strength and not card.bombards:
        yield f"{key}.strength", "is 0; give it companies, or bombards = true if it only helps others (KH-2.07)"
    if card.commander and card.commander not in sheet.sides[card.side].commanders:
        yield (
            f"{key}.commander",
            f"{card.commander} is not in sides.{card.side}.commanders; add the name there (KH-3.06)",
        )
    for name, listed in (("start", card.start), ("entries", card.entries), ("works", card.works)):
        yield from _unknown(listed, areas, f"{key}.{name}", "area")
    yield from _arrival_problems(sheet, card, key)


def _arrival_problems(sheet: Sheet, card: FormationCard, key: str) -> Iterator[Problem]:
    """Yield problems with a formation's presence at the start, or with its later arrival (KH-1.08, KH-1.09)."""
    begins = bool(card.start) or card.id in sheet.muster.free
    if card.enters and begins:
        yield (
            f"{key}.enters",
            "is given together with a start; a formation begins on the map or arrives later: keep one (KH-1.09)",
        )
    elif not card.enters and not begins:
        yield (
            f"{key}.start",
            "is missing; name areas, or write free = true, or give enters (a turn) and entries (areas) (KH-1.08)",
        )
    if card.enters > sheet.calendar.turns:
        yield f"{key}.enters", f"is {card.enters}, but the campaign has {sheet.calendar.turns} turns (KH-1.09)"
    if card.enters and not card.entries:
        yield f"{key}.entries", "is missing; name the area where it enters, then those allowed instead (KH-4.03)"
    areas = sheet.ground.map
    for area in card.entries:
        if area in areas.index and card.side not in sides_in(areas.area(area), "entry"):
            yield (
                f"{key}.entries",
                f'{area} is not an entry area of {card.side}; give it entry = "{card.side}" (KH-4.04)',
            )
    yield from _start_problems(sheet, card, key)
    if card.historical and begins and card.historical not in starts_of(sheet, card):
        yield f"{key}.historical", f"{card.historical} is not one of its starting areas (KH-1.08)"


def _start_problems(sheet: Sheet, card: FormationCard | LeaderCard, key: str) -> Iterator[Problem]:
    areas = sheet.ground.map
    for area in card.start:
        if area in areas.index and areas.area(area).text("control") != card.side:
            yield f"{key}.start", f"{area} is controlled by {ENEMY[card.side]}; sides begin apart (KH-1.08, KH-11.04)"
    if card.start and card.id in sheet.muster.free:
        yield f"{key}.free", "is given together with start; keep one of them (KH-1.08)"
    if card.id in sheet.muster.free and not starts_of(sheet, card):
        yield f"{key}.free", f"no area of {card.side} is open to it; see sides.{card.side}.closed (KH-1.08)"


def _leader_problems(sheet: Sheet, card: LeaderCard) -> Iterator[Problem]:
    key = f"forces.leaders.{card.id}"
    yield from _unknown(card.start, sheet.ground.map.index, f"{key}.start", "area")
    yield from _start_problems(sheet, card, key)
    if not card.start and card.id not in sheet.muster.free:
        yield f"{key}.start", "is missing; name areas, or write free = true for any area of its side (KH-9.03)"
    for what, ids in (("a formation", sheet.muster.formations), ("an area", sheet.ground.map.index)):
        if card.id in ids:
            yield key, f"{what} has this id too; orders use ids: rename one (KH-3.06)"
    corps = [each.corps for each in sheet.muster.formations.values() if each.side == card.side]
    if card.corps and card.corps not in corps:
        yield f"{key}.corps", f"no formation of {card.side} is of corps {card.corps} (KH-9.03)"


def _force_problems(sheet: Sheet) -> Iterator[Problem]:
    for side in SIDES:
        own = [card for card in sheet.muster.formations.values() if card.side == side]
        if not any(not card.enters for card in own):
            yield "forces.formations", f"no formation of {side} begins on the map; add one (KH-1.04)"


def _event_problems(sheet: Sheet) -> Iterator[Problem]:
    for index, change in enumerate(sheet.events):
        key = f"events[{index}]"
        if change.area:
            yield from _unknown((change.area,), sheet.ground.map.index, f"{key}.area", "area")
        if change.weather:
            yield from _unknown((change.weather,), sheet.weather.cards, f"{key}.weather", "kind of weather")
        yield from _unknown(change.nations, sheet.muster.nations, f"{key}.nations", "nation")


def _victory_problems(sheet: Sheet) -> Iterator[Problem]:
    areas, formations = sheet.ground.map.index, sheet.muster.formations
    aims = sheet.victory
    yield from _unknown(aims.score, areas, "victory.score", "area")
    if not aims.conditions and not any(aims.score.values()):
        yield "victory", "has no way to win; add conditions, or a score for areas (KH-25.01)"
    for index, aim in enumerate(aims.conditions):
        key = f"victory.conditions[{index}]"
        if isinstance(aim, Chain):
            yield from _unknown((aim.start,), areas, f"{key}.from", "area")
            yield from _unknown((aim.end,), areas, f"{key}.to", "area")
        elif isinstance(aim, Held):
            yield from _unknown((aim.area,), areas, f"{key}.area", "area")
        else:
            yield from _broken_problems(formations, aim, key)


def _broken_problems(formations: Mapping[str, FormationCard], aim: Broken, key: str) -> Iterator[Problem]:
    yield from _unknown(aim.of, formations, f"{key}.of", "formation")
    for each in aim.of:
        if each in formations and formations[each].side == aim.side:
            yield f"{key}.of", f"has {each} of {aim.side} itself; name formations of the enemy (KH-25.01)"
    if aim.count > len(aim.of):
        yield f"{key}.count", f"is {aim.count}, but 'of' has {len(aim.of)} (KH-25.01)"


def starts_of(sheet: Sheet, card: FormationCard | LeaderCard) -> tuple[str, ...]:
    """Return the starting areas of a formation or leader: those named, or any area of its side that is not closed."""
    if card.id not in sheet.muster.free:
        return card.start
    closed = sheet.sides[card.side].closed
    areas = sheet.ground.map.areas
    return tuple(area.id for area in areas if area.text("control") == card.side and area.id not in closed)


def _unknown(words: object, known: Mapping[str, object], key: str, what: str) -> Iterator[Problem]:
    for word in words if isinstance(words, tuple | dict) else ():
        if word not in known:
            yield key, f"there is no {what} {word!r}; correct the id or add it. Known: {_listed(known)}"


def _listed(known: Mapping[str, object]) -> str:
    names = sorted(known)
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _area_key(area: str) -> str:
    return joined_key("map.areas", area)
