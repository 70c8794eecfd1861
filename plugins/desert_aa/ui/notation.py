"""The notation of orders: "buy 2 infantry 1 armor", "move 2 infantry TOB GUB", "lose 1 infantry", "end".

Kinds may be shortened, units named by id, and spaces typed in lower case. A number and a kind mean units that may make
the move, ready units first; others follow only if these are too few.
"""

from desert_aa.economy.grant import GrantSpace
from desert_aa.economy.purchase import Arrivals, MinePlaces
from desert_aa.model import orders
from desert_aa.model.board import FAR
from desert_aa.model.state import READY, Unit
from desert_aa.model.tables import ARTILLERY, BOMBER, KIND_NAMES, KINDS, MINEFIELD, PLANES, POWER_NAMES, VALUES
from desert_aa.movement.options import CombatMoves, MoveSpace, NonCombatMoves
from desert_aa.ui import hints
from desert_aa.ui.parsing import ALL, DesertLine
from sandtable import Order
from sandtable.notation import Notation, Verb

Counted = tuple[int, str, int]
"""The index of a word in the line, a kind of unit, and a number."""

# --- money and arrivals ---


def _minefields(line: DesertLine) -> int:
    counts = line.counts()
    if any(kind != MINEFIELD for kind in counts):
        raise line.wrong("you can buy only minefields now")
    return counts.get(MINEFIELD, 0)


def _placed(line: DesertLine) -> dict[str, dict[str, int]]:
    placed: dict[str, dict[str, int]] = {}
    while line.word:
        counts = line.counts()
        space = line.space() if counts or line.word else ""
        if counts:
            _add(placed.setdefault(space, {}), counts)
    return placed


def _add(stack: dict[str, int], counts: dict[str, int]) -> None:
    for kind, number in counts.items():
        stack[kind] = stack.get(kind, 0) + number


def _grant(line: DesertLine) -> Order:
    """Read "german 1 armor 1 infantry TOB, italian 2 infantry DER". A power applies until the next one is named."""
    powers = list(line.asked.space.purse_of)
    power = powers[0] if len(powers) == 1 else None
    placed: dict[str, dict[str, dict[str, int]]] = {}
    minefields: dict[str, int] = {}
    if not line.word:
        raise line.wrong("name units and their spaces; to keep the whole grant, type save")
    while line.word:
        power = line.power() or power
        if power is None and not line.says_nothing():
            raise line.wrong(f"name the power first: {' or '.join(POWER_NAMES[each].lower() for each in powers)}")
        counts = line.counts() if power is not None else {}
        number = counts.pop(MINEFIELD, 0)
        if number and not counts and line.is_space():
            line.pass_over("buy a minefield without a space: you choose its space next, unseen by the enemy")
        if number and power is not None:
            minefields[power] = minefields.get(power, 0) + number
        if counts and power is not None:
            _add(placed.setdefault(power, {}).setdefault(line.space(), {}), counts)
        elif line.wrongs.found and line.is_space():  # the space of the units that were skipped
            line.space()
    return orders.PlaceBonus(placed, minefields)


def _mined(line: DesertLine) -> list[str]:
    return [] if line.says_nothing() else line.spaces()


# --- moves ---


def _move(line: DesertLine, *, raid: bool = False) -> Order:
    """Read units, by id or number and kind, and a path, of which the start and the end, or only the end, are enough."""
    space: MoveSpace = line.asked.space
    named: list[str] = []
    counted: list[Counted] = []
    while line.word and not line.is_space():
        place = line.place
        if line.word in space.ground.units:
            named.append(line.word)
            line.place += 1
        elif line.takes("all") and line.is_space():
            start = line.space()
            kinds = _kinds_at(space, start)
            line.place = place
            if not kinds:
                line.pass_over(
                    f"{POWER_NAMES[space.ground.power]} has no unit in {line.board.names[start]} that may move now"
                )
            counted += [(place, kind, ALL) for kind in kinds]
            line.place = place + 1
        else:
            line.place = place
            counted.append((place, *line.counted()))
    if space.only and not named and not counted:
        named.append(space.only)
    if raid and not named and not counted:
        counted.append((line.place, BOMBER, 1))
    path = line.spaces()
    if len(path) == 1 and not line.wrongs.found:
        path = [*_starts(space, named, counted, path[0], raid=raid), *path]
    if len(path) < 2 and not line.wrongs.found:
        example = next((f", as in: {each}" for each in hints.moves(line.asked)), "")
        raise line.wrong(f"name the path: the space the units are in, then each space they enter{example}")
    return orders.MoveUnits(*_moved(line, named, counted, path, raid=raid), raid)


def _kinds_at(space: MoveSpace, start: str) -> list[str]:
    """Return the kinds of the units in a space that may still move."""
    leaders = space.leaders.get(start, ())
    return [kind for kind in KINDS if any(space.ground.units[each].kind == kind for each in leaders)]


def _starts(space: MoveSpace, named: list[str], counted: list[Counted], end: str, *, raid: bool) -> list[str]:
    """Return the start of a move of which only ``end`` is named, as a list, or [] if several starts are possible."""
    units = space.ground.units
    kinds = {kind for _, kind, _ in counted}
    found = dict.fromkeys(units[each].space for each in named)
    if not found:
        able = {
            start: {units[each].kind for each in leaders if end in space.destinations(each, raid=raid)}
            for start, leaders in space.leaders.items()
            if start != end
        }
        found = dict.fromkeys(start for start, present in able.items() if kinds and kinds <= present)
    return list(found) if len(found) == 1 else []


def _moved(
    line: DesertLine, named: list[str], counted: list[Counted], path: list[str], *, raid: bool
) -> tuple[list[str], list[str]]:
    """Return the units that the line means, and their path. Too few units of a kind are noted as an error."""
    space: MoveSpace = line.asked.space
    units = list(named)
    end = line.place
    for place, kind, number in counted if path else ():
        able, unable = _pick(space, kind, path, raid=raid)
        found = able if able and number == ALL else able + unable
        chosen = [each for each in found if each not in units][:number]
        if kind and (len(chosen) < number < ALL or not chosen):
            line.place = place
            power, start = POWER_NAMES[space.ground.power], line.board.names.get(path[0], path[0])
            has = f"only {len(chosen)}" if chosen else "no"
            line.pass_over(f"{power} has {has} {KIND_NAMES[kind]} in {start} to move")
        units += chosen
    line.place = end
    if line.wrongs.found:
        return units, path
    if not units:
        line.place = 1
        raise line.wrong("name the units that move, or a number of each kind")
    if len(path) == 2 and path[1] not in line.board.air.get(path[0], ()):
        path = _best_path(space, units, path, raid=raid)
    return units, path


def _best_path(space: MoveSpace, units: list[str], ends: list[str], *, raid: bool) -> list[str]:
    """Return the path between two ends that is best for the unit with the shortest range.

    If no legal path exists, return the shortest one on the map, so that the refusal gives the right reason, or only the
    two ends if there is none.
    """
    known, board = space.ground.units, space.ground.board
    slowest = min((each for each in units if each in known), key=lambda each: _range(known[each]), default="")
    found = space.destinations(slowest, raid=raid).get(ends[1]) if slowest else None
    if found or not slowest:
        return found or ends
    flies = known[slowest].kind in PLANES
    near, distances = (board.air, board.air_distance) if flies else (board.land, board.land_distance)
    start, end = ends
    if distances.get(start, {}).get(end, FAR) >= FAR:
        return ends
    path = [start]
    while path[-1] != end:
        path.append(min(near[path[-1]], key=lambda each: distances[each][end]))
    return path


def _range(unit: Unit) -> int:
    return VALUES[unit.power][unit.kind].move


def _pick(space: MoveSpace, kind: str, path: list[str], *, raid: bool) -> tuple[list[str], list[str]]:
    """Return the mover's units of ``kind`` at the start of ``path`` that may take it, and the units that may not.

    Ready units come first in both lists.
    """
    ground = space.ground
    able = space.companions(path[0], path, raid=raid) if path[0] in ground.board.value else []
    own = [
        each
        for each, unit in ground.units.items()
        if unit.power == ground.power and unit.kind == kind and unit.space == path[0]
    ]
    own.sort(key=lambda each: (ground.units[each].condition != READY, len(each), each))
    return [each for each in own if each in able], [each for each in own if each not in able]


# --- combat ---


def _retreat(line: DesertLine) -> Order:
    """Read "retreat RAS", or "retreat" if only one retreat is legal."""
    retreats = [each for each in line.asked.space.of if isinstance(each, orders.Retreat)]
    if line.word:
        return orders.Retreat(line.space())
    if len(retreats) != 1:
        raise line.wrong(f"name the space to retreat to: {' or '.join(each.to for each in retreats)}")
    return retreats[0]


def _moves(space: MoveSpace) -> tuple[type[Order], ...]:
    """Return the orders of a movement decision; a plane that must land cannot end the moves."""
    return (orders.MoveUnits,) if space.only else (orders.MoveUnits, orders.EndMoves)


NOTATION = Notation(
    Verb("buy", orders.BuyUnits, DesertLine.counts, examples=hints.purchase),
    Verb("buy", orders.BuyMinefields, _minefields, examples=hints.mines_bought),
    Verb("place", orders.PlaceUnits, _placed, examples=hints.arrivals),
    Verb("place", orders.PlaceBonus, reads=_grant, examples=hints.grant),
    Verb("save", orders.PlaceBonus()),
    Verb("save", orders.BuyUnits(), examples=lambda _: ()),
    Verb("mine, mines, place", orders.PlaceMinefields, _mined),
    Verb("move, attack, land", orders.MoveUnits, reads=_move, examples=hints.moves),
    Verb("raid", orders.MoveUnits, reads=lambda line: _move(line, raid=True), examples=lambda _: ()),
    Verb("end, done, pass", orders.EndMoves()),
    Verb("fight", orders.ChooseCombat, DesertLine.space, examples=hints.combats),
    Verb("fight on, fight, press on, press", orders.PressOn()),
    Verb("retreat, withdraw", orders.Retreat, reads=_retreat),
    Verb("guns", orders.DesignateGuns, lambda line: line.units_of("guns", ARTILLERY), examples=hints.guns),
    Verb("lose", orders.TakeLosses, lambda line: line.units_of("units", ""), examples=hints.losses),
    Verb("declare", orders.DeclareMinefield(declare=True)),
    Verb("forfeit", orders.DeclareMinefield(declare=False)),
    Verb("sweep", orders.Sweep()),
    Verb("withdraw", orders.DeclineSweep()),
    asks={
        CombatMoves: _moves,
        NonCombatMoves: _moves,
        GrantSpace: (orders.PlaceBonus,),
        Arrivals: (orders.PlaceUnits,),
        MinePlaces: (orders.PlaceMinefields,),
    },
    line=DesertLine,
    remark=lambda decision: hints.prices(decision.options),
)
