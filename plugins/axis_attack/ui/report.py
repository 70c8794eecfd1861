"""The campaign in words, in up to 100 columns: the game of the turn, points, the track of battles, rosters.

It uses only a view and the board, so it shows the enemy only as far as the side knows it.
"""

import textwrap
from collections.abc import Iterable, Iterator

from axis_attack.fog.views import ForceSeen, PlatoonSeen, SideView
from axis_attack.model.cards import ENEMY, FULL, SIDES, Board, PlatoonType
from axis_attack.model.strength import available, levels_of
from axis_attack.model.tables import MUD
from axis_attack.ui.terms import (
    ENDINGS,
    SLOT_ORDER,
    SLOT_TITLES,
    air_words,
    corner_words,
    fielded_words,
    level_words,
    mission_words,
    purchase_words,
    result_words,
    roles_words,
    sector_words,
    side_words,
    sizes_words,
)
from sandtable import PlayError
from sandtable.notation import named
from sandtable.pictures import capital, clean, ended_sentence, in_words, room_for

WIDTH = 100
LETTERS = "xgduF"
"""The letters of the levels, from destroyed to full strength, in the record of a platoon."""
LONGEST = 30
"""Maximum number of turns in a platoon's record; earlier turns are omitted."""


def report(view: SideView, board: Board) -> str:
    """Return the complete report."""
    return "\n".join(clean(line).rstrip() for line in [*head(view, board), *sections(view, board)]) + "\n"


def head(view: SideView, board: Board) -> Iterator[str]:
    """Yield the title, the turn and phase, the weather, and the result if the campaign is over."""
    seen_by = f"for {side_words(view.side, board)}"
    yield f"{board.title}{seen_by:>{max(len(seen_by) + 2, room_for(WIDTH) - len(board.title))}}"
    yield "=" * room_for(WIDTH)
    yield f"{moment(view, board)}. Weather: {in_words(view.weather)}; ground: {MUD[view.mud]}."
    if view.outcome:
        outcome = view.outcome if view.outcome == "draw" else side_words(view.outcome, board)
        yield ended_sentence(outcome, ENDINGS.get(view.ending, view.ending))


def moment(view: SideView, board: Board) -> str:
    """Return the turn, and the phase if one is in progress."""
    if not view.turn:
        return "Set-up"
    phase = f", {in_words(view.phase.rpartition('.')[2])}" if view.phase and not view.outcome else ""
    return f"Turn {view.turn} of {board.turns}{phase}"


def sections(view: SideView, board: Board) -> Iterator[str]:
    """Yield the sections below the track."""
    yield from _block("The game", _game(view, board))
    yield from _block("Victory points", _points(view, board))
    yield from _block("Battles so far", _battles(view, board))
    for side in SIDES:
        yield from _block(_roster_title(view, board, side), _roster(view, board, side))
    if not any(view.rosters.values()):
        for side in SIDES:
            if view.side in (side, "") or view.side not in SIDES:
                yield from _block(f"List: {board.lists[side].title}", _list(board, side))
    yield from _block("How it ends", _ends(board))


def _block(title: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield ""
        yield title
        yield from found


def _filled(text: str, first: str, indent: int = 4) -> Iterator[str]:
    yield from textwrap.wrap(text, room_for(WIDTH), initial_indent=first, subsequent_indent=" " * indent) or [
        first.rstrip()
    ]


# --- the game of the turn ---


def _game(view: SideView, board: Board) -> Iterator[str]:
    if not view.turn or view.outcome:
        return
    where = sector_words(view.sector, board)
    if view.phase == "selection" or (view.track and view.track[-1].turn == view.turn):
        yield f"  The next battle is in {where}."
        return
    yield f"  {mission_words(view.mission, board)} in {where}: {roles_words(view.mission, view.attacker, board)}."
    terrain = board.sector(view.sector).terrain
    if terrain:
        yield from _filled(terrain, "  Ground: ")
    if view.phase != "table":
        yield f"  Table: its north-west corner is at {corner_words(view.corner[0], view.corner[1])} of the sector."
    if view.conceded:
        yield f"  {capital(side_words(view.conceded, board))} concede."
    if view.bound:
        bound = f"{side_words(view.bound, board)} may use immobile platoons only if they are carried"
        yield f"  After a breakthrough of two sectors, {bound}."
    for side, force in view.forces.items():
        yield from _force(force, board, side)


def _force(force: ForceSeen, board: Board, side: str) -> Iterator[str]:
    parts = [", ".join(map(fielded_words, force.platoons)), purchase_words(force.purchase), air_words(force.air)]
    parts = [each for each in parts if each]
    yield from _filled("; ".join(parts), f"  {board.sides[side]} ({force.points} points): ")


def _points(view: SideView, board: Board) -> Iterator[str]:
    if not view.turn:
        return
    for side in SIDES:
        dice = f", {view.dice[side]} reinforcement dice left" if view.dice.get(side) else ""
        last = f", {view.raw.get(side, 0)} in the last game" if view.track else ""
        won = f"{view.earned.get(side, 0)} won{last}"
        yield f"  {board.sides[side]}: {view.balance.get(side, 0)} to spend ({won}){dice}"


# --- the record ---


def _battles(view: SideView, board: Board) -> Iterator[str]:
    for it in view.track:
        conceded = " conceded," if it.conceded else ""
        score = result_words(it.points, it.winner, board)
        battle = f"{mission_words(it.mission, board)}, {roles_words(it.mission, it.attacker, board)}"
        yield from _filled(
            f"sector {it.sector}, {battle}:{conceded} {score}, {it.result}; {in_words(it.weather)}",
            f"  {it.turn:>2}  ",
            6,
        )


# --- rosters ---


def _roster_title(view: SideView, board: Board, side: str) -> str:
    own = view.side not in SIDES or view.side == side
    known = "" if own or view.options["roster_visibility"] == "all" else ", as far as it is known"
    return f"{board.sides[side]}: {board.lists[side].title}{known}"


def in_order(view: SideView, board: Board, side: str) -> list[str]:
    """Return the known platoons of a roster, combat platoons first."""
    roster, types = view.rosters.get(side, {}), board.lists[side].types
    return sorted(roster, key=lambda each: SLOT_ORDER.index(types[roster[each].type].slot))


def knows_all(view: SideView, side: str) -> bool:
    """Return whether the view has the complete roster of a side."""
    return view.side != ENEMY.get(side) or view.options["roster_visibility"] == "all"


def _roster(view: SideView, board: Board, side: str) -> Iterator[str]:
    last = ""
    for each in in_order(view, board, side):
        kind = board.lists[side].types[view.rosters[side][each].type]
        if kind.slot != last:
            yield f"  {SLOT_TITLES[kind.slot]}"
            last = kind.slot
        yield from _platoon(each, view, board, side)
    for name, level in view.aircraft.get(side, {}).items():
        yield f"  aircraft: {in_words(name)}, up to {level}"
    if any(view.ladder.get(side, {}).values()):
        yield "  [F full, u under strength, d depleted, g gutted, x destroyed: at the start and after each turn]"


def focused(view: SideView, board: Board, focus: str) -> list[str]:
    """Return the description of a platoon or of a type of a list. Raises PlayError if ``focus`` is neither."""
    lines = list[str]()
    for side in sorted(SIDES, key=lambda each: each != view.side):
        titles = {each: board.type_of(side, it.type).title for each, it in view.rosters.get(side, {}).items()}
        platoon = named(focus, titles)
        if platoon:
            lines += [f"{board.sides[side]}:", *_platoon(platoon, view, board, side)]
        if side != ENEMY.get(view.side) and (kind := named(focus, board.lists[side].types)):
            lines += [f"List: {board.lists[side].title}", *_type(board.lists[side].types[kind])]
    if not lines:
        raise PlayError(f"{focus!r} is neither a platoon that you know nor a type of your list: view lists them")
    return lines


def _platoon(each: str, view: SideView, board: Board, side: str) -> Iterator[str]:
    it = view.rosters[side][each]
    kind = board.lists[side].types[it.type]
    parts = [level_words(it.level), *(_own(view, it, board, side) if knows_all(view, side) else ())]
    parts += ["reconnaissance"] if kind.recon else []
    parts += ["fought this turn"] if it.fought else []
    record = "".join(LETTERS[level] for level in view.ladder.get(side, {}).get(each, ())[-LONGEST:])
    history = f"  [{record}]" if record else ""
    yield from _filled("; ".join(parts) + history, f"    {each} ({kind.title}): ", 8)


def _own(view: SideView, it: PlatoonSeen, board: Board, side: str) -> Iterator[str]:
    kind = board.lists[side].types[it.type]
    exact = it.teams if view.options["strength_memory"] == "exact_teams" else 0
    teams = available(kind, it.level, exact)
    if teams:
        yield f"teams (points) {sizes_words(kind, teams)}"
    if it.bought not in (it.level, max(levels_of(kind))) or it.bought < FULL:
        yield f"never above {level_words(it.bought)}"
    prices = {upgrade.id: upgrade.points for upgrade in kind.upgrades}
    for name, number in sorted(it.upgrades.items()):
        times = f" {number}" if number > 1 else ""
        yield f"{name}{times} (+{prices.get(name, 0)}{' each' if number > 1 else ''})"
    if it.immobile:
        yield "IMMOBILE"


def _list(board: Board, side: str) -> Iterator[str]:
    company = board.lists[side]
    caps = f"{company.least} to {company.most} combat, up to {company.weapons} weapons and {company.supports} support"
    yield f"  headquarters {company.hq_points} points; {caps} platoons; {board.points_of(side)} points in all"
    for slot in SLOT_ORDER:
        for kind in company.types.values():
            if kind.slot != slot:
                continue
            yield from _type(kind)
    if company.aircraft:
        prices = ", ".join(f"{level} {price}" for level, price in company.air_points.items())
        yield from _filled(f"{', '.join(company.aircraft)}; each type: {prices}", "    aircraft: ", 8)
    yield "  A platoon that is bought below its largest size never rises to full strength (AOA-1.10)."


def _type(kind: PlatoonType) -> Iterator[str]:
    more = [f"{each.id} +{each.points}{f' up to {each.most}' if each.most > 1 else ''}" for each in kind.upgrades]
    most = f"up to {kind.most}; " if kind.most > 1 else ""
    text = f"{SLOT_TITLES[kind.slot]}; {most}teams (points) {sizes_words(kind)}" + "".join(f"; {e}" for e in more)
    yield from _filled(text, f"    {kind.id} ({kind.title}): ", 8)


def _ends(board: Board) -> Iterator[str]:
    homes = {side: board.home[ENEMY[side]] for side in SIDES}
    for side in SIDES:
        near = homes[side] + (1 if homes[side] == 1 else -1)
        win = f"win as attacker in sector {homes[side]}; or the front in sector {near} or {homes[side]}"
        yield f"  {board.sides[side]}: a {win} after turn {board.turns}"
