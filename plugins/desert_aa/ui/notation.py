"""What a person may type for an order: "buy 2 infantry 1 armour", "move 2 infantry TOB GUB", "lose 1 infantry", "end".

Kinds may be shortened, units named by id, spaces typed small. Numbers are turned into units: those that may make the
move first, ready ones before others.
"""

from collections.abc import Callable, Sequence
from typing import Any

from desert_aa.model import orders
from desert_aa.model.board import FAR, Board
from desert_aa.model.state import READY, Unit
from desert_aa.model.tables import ARTILLERY, MINEFIELD, PLANES, POWER_NAMES, VALUES, kind_of
from desert_aa.movement.options import MoveSpace
from desert_aa.ui.hints import asked_in, hint
from desert_aa.ui.parsing import ALL, NOTHING, POWER_WORDS, Line
from sandtable.kernel.decisions import Decision, Order


def read_order(decision: Decision, text: str, board: Board) -> Order | str | None:
    """Return the order that ``text`` means for ``decision``, None if it does not begin with a word of this notation.

    For "?" return what can be typed.

    Raises IllegalOrder, with the place in the text, when the rest makes no sense or the word is not asked for now.
    """
    if text.strip() == "?":
        return hint(decision)
    line = Line(text, board)
    readers = VERBS.get(line.words[0].lower()) if line.words else None
    if readers is None:
        return None
    asked = asked_in(decision.options)
    for kind, read in readers:
        if kind in asked:
            order = None
            with line.wrongs.part():
                order = read(line, decision)
                line.end()
            line.wrongs.refuse()
            return order
    line.place = 0
    raise line.wrong(f"that is not asked now: {decision.prompt}; type for example: {hint(decision)}")


# --- money and arrivals ---


def _counts(line: Line) -> dict[str, int]:
    """Take kinds with their numbers, up to a word that is none."""
    counts: dict[str, int] = {}
    if line.word in NOTHING and line.place == len(line.words) - 1:
        line.place += 1
        return counts
    while line.word and not line.is_space() and line.word not in POWER_WORDS:
        kind, number = line.counted()
        counts[kind] = counts.get(kind, 0) + number
    if not counts and not line.wrongs.found:
        raise line.wrong("say what: a number and a kind of unit")
    return {kind: number for kind, number in counts.items() if number}


def _buy(line: Line, _: Decision) -> Order:
    return orders.BuyUnits(_counts(line))


def _buy_minefields(line: Line, _: Decision) -> Order:
    counts = _counts(line)
    if any(kind != MINEFIELD for kind in counts):
        raise line.wrong("only minefields are bought now")
    return orders.BuyMinefields(counts.get(MINEFIELD, 0))


def _place(line: Line, _: Decision) -> Order:
    placed: dict[str, dict[str, int]] = {}
    while line.word:
        counts = _counts(line)
        space = line.space() if counts or line.word else ""
        if counts:
            _add(placed.setdefault(space, {}), counts)
    return orders.PlaceUnits(placed)


def _add(stack: dict[str, int], counts: dict[str, int]) -> None:
    for kind, number in counts.items():
        stack[kind] = stack.get(kind, 0) + number


def _grant(line: Line, decision: Decision) -> Order:
    """Read "german 1 armour 1 infantry TOB, italian 2 infantry DER, 1 minefield"; a power stands until the next."""
    space: Any = decision.options
    powers = list(space.purse_of)
    power = powers[0] if len(powers) == 1 else None
    placed: dict[str, dict[str, dict[str, int]]] = {}
    minefields: dict[str, int] = {}
    if not line.word:
        raise line.wrong("say who stands where; to keep the whole grant, type save")
    while line.word:
        power = line.power() or power
        if power is None and line.word not in NOTHING:
            raise line.wrong(f"say whose units: {' or '.join(POWER_NAMES[each].lower() for each in powers)}")
        counts = _counts(line)
        number = counts.pop(MINEFIELD, 0)
        if number and power is not None:
            minefields[power] = minefields.get(power, 0) + number
        if counts and power is not None:
            _add(placed.setdefault(power, {}).setdefault(line.space(), {}), counts)
        elif line.wrongs.found and line.is_space():  # it is where the unit was to stand that was passed over
            line.space()
    return orders.PlaceBonus(placed, minefields)


def _mine(line: Line, _: Decision) -> Order:
    if line.word in NOTHING:
        line.place += 1
        return orders.PlaceMinefields([])
    return orders.PlaceMinefields(line.spaces())


# --- moves ---


def _move(line: Line, decision: Decision) -> Order:
    return _march(line, decision, raid=False)


def _raid(line: Line, decision: Decision) -> Order:
    return _march(line, decision, raid=True)


def _march(line: Line, decision: Decision, *, raid: bool) -> Order:
    """Read units, named or counted, and a path; of a path only start and end, if a way is to be found."""
    space: Any = decision.options
    named: list[str] = []
    counted: list[tuple[int, str, int]] = []
    while line.word and not line.is_space():
        if line.word in space.ground.units:
            named.append(line.word)
            line.place += 1
        else:
            place = line.place
            counted.append((place, *line.counted()))
    path = line.spaces()
    if len(path) < 2 and not line.wrongs.found:
        raise line.wrong("name the path: where the units stand, then each space they enter")
    return orders.MoveUnits(*_moved(line, space, named, counted, path, raid=raid), raid)


def _moved(
    line: Line, space: Any, named: list[str], counted: list[tuple[int, str, int]], path: list[str], *, raid: bool
) -> tuple[list[str], list[str]]:
    """Return the units that are meant, and their path."""
    units = list(named)
    end = line.place
    for place, kind, number in counted if path else ():
        able, unable = _pick(space, kind, path, raid=raid)
        found = able if able and number == ALL else able + unable
        wanted = [each for each in found if each not in units][:number]
        if kind and (len(wanted) < number < ALL or not wanted):
            line.place = place
            power = POWER_NAMES[space.ground.power]
            none = f"no {kind} of {power} that can be moved stands in {path[0]}"
            line.pass_over(f"only {len(wanted)} {kind} to be moved stand in {path[0]}" if wanted else none)
        units += wanted
    line.place = end
    if line.wrongs.found:
        return units, path
    if not units:
        line.place = 1
        raise line.wrong("name the units that move, or how many of each kind")
    if len(path) == 2 and path[1] not in line.board.air.get(path[0], ()):
        path = _way(space, units, path, raid=raid)
    return units, path


def _way(space: MoveSpace, units: list[str], ends: list[str], *, raid: bool) -> list[str]:
    """Return the way that is meant where only its ends are named: it suits the unit that goes least far.

    Where there is none, it is the shortest on the map, so that the refusal can tell the true reason.
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
    """Return the mover's units of ``kind`` at the start of ``path`` that may take it, and those that may not.

    Ready ones come ahead of others in both lists.
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


def _guns(line: Line, decision: Decision) -> Order:
    return orders.DesignateGuns(_chosen(line, decision, "guns", ARTILLERY))


def _lose(line: Line, decision: Decision) -> Order:
    return orders.TakeLosses(_chosen(line, decision, "units", ""))


def _chosen(line: Line, decision: Decision, field: str, usual: str) -> list[str]:
    """Take units, by id or counted, from those that may be chosen; a bare number is of the ``usual`` kind."""
    form: Any = decision.options
    of: Sequence[str] = form.fields[field].of
    chosen: list[str] = []
    if line.word in NOTHING:
        line.place += 1
        return chosen
    while line.word:
        if line.word in of:
            chosen.append(line.word)
            line.place += 1
            continue
        place = line.place
        number = line.number()
        named = line.kind()
        kind = named or usual
        if not kind or (named is None and number is None):
            if not line.word:
                raise line.wrong("a kind of unit is wanted")
            line.pass_over("a kind of unit is wanted")
            continue
        line.place += named is not None
        end = line.place
        found = [each for each in of if kind_of(each) == kind and each not in chosen][: 1 if number is None else number]
        if not found or (number is not None and len(found) < number < ALL):
            line.place = place
            line.pass_over(f"only {len(found)} {kind} can be chosen")
            line.place = end
        chosen += found
    return chosen


def _retreat(line: Line, decision: Decision) -> Order:
    """Read "retreat RAS"; where one way is open, "retreat" is that way."""
    options: Any = decision.options
    ways = [each for each in options.of if isinstance(each, orders.Retreat)]
    if line.word:
        return orders.Retreat(line.space())
    if len(ways) != 1:
        raise line.wrong(f"say where to: {' or '.join(each.to for each in ways)}")
    return ways[0]


def _press_on(line: Line, _: Decision) -> Order:
    line.place += line.word == "on"
    return orders.PressOn()


def _combat(line: Line, _: Decision) -> Order:
    return orders.ChooseCombat(line.space())


Reader = Callable[[Line, Decision], Order]
VERBS: dict[str, tuple[tuple[type[Order], Reader], ...]] = {
    "buy": ((orders.BuyUnits, _buy), (orders.BuyMinefields, _buy_minefields)),
    "place": ((orders.PlaceUnits, _place), (orders.PlaceBonus, _grant), (orders.PlaceMinefields, _mine)),
    "save": (
        (orders.PlaceBonus, lambda _line, _: orders.PlaceBonus()),
        (orders.BuyUnits, lambda _line, _: orders.BuyUnits()),
    ),
    "mine": ((orders.PlaceMinefields, _mine),),
    "move": ((orders.MoveUnits, _move),),
    "raid": ((orders.MoveUnits, _raid),),
    "end": ((orders.EndMoves, lambda _line, _: orders.EndMoves()),),
    "fight": ((orders.ChooseCombat, _combat), (orders.PressOn, _press_on)),
    "press": ((orders.PressOn, _press_on),),
    "retreat": ((orders.Retreat, _retreat),),
    "guns": ((orders.DesignateGuns, _guns),),
    "lose": ((orders.TakeLosses, _lose),),
    "declare": ((orders.DeclareMinefield, lambda _line, _: orders.DeclareMinefield(declare=True)),),
    "forfeit": ((orders.DeclareMinefield, lambda _line, _: orders.DeclareMinefield(declare=False)),),
    "sweep": ((orders.Sweep, lambda _line, _: orders.Sweep()),),
    "withdraw": ((orders.DeclineSweep, lambda _line, _: orders.DeclineSweep()), (orders.Retreat, _retreat)),
}
VERBS["attack"] = VERBS["land"] = VERBS["move"]
VERBS["done"] = VERBS["pass"] = VERBS["end"]
VERBS["mines"] = VERBS["mine"]
