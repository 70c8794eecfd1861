"""The notation of orders: a few words, or parts separated by ";". The tabletop package reads results.

This module only reads an order; the options of the decision judge it. Companies, forces and exchanges are in
``parsing_forces.py``, the examples in ``hints.py``.
"""

from axis_attack.forces.company import Companies
from axis_attack.forces.force import Forces
from axis_attack.model import orders
from axis_attack.model.cards import LEVEL_TITLES, MISSIONS, SIDES, Board
from axis_attack.recovery.exchange import Exchanges
from axis_attack.recovery.mobility import ARROW, Keeping
from axis_attack.ui import hints
from axis_attack.ui.parsing_forces import built, exchanged, fielded
from sandtable import Decision, Order, RefusalCollector
from sandtable.notation import Notation, Once, TypedLine, TypedPart, Verb, flat, named, number_of, parts_of, read_parts
from sandtable.tabletop import read_typed, results_in

NOTHING = "leave, none, nothing, keep, no, stay, -"
"""The words for an order that changes nothing, for any decision."""


def _whole(line: TypedLine) -> TypedPart:
    return TypedPart("", line.text)


# --- the mission and the table ---


def _platoons(line: TypedLine) -> list[str]:
    """Take platoons: "all", "none", or ids."""
    ids = [str(each) for each in getattr(line.asked.field("platoons"), "of", ())]
    if not line.word:
        raise line.wrong("name the platoons, or type all or none")
    if line.takes("all"):
        return ids
    if line.says_nothing():
        return []
    found, wrong = list[str](), RefusalCollector()
    for word in line.rest().replace(",", " ").replace(";", " ").split():
        with wrong.part():
            found.append(_whole(line).chosen(word, ids, "platoon that you can name here", line.asked.rule))
    wrong.refuse()
    return found


def _adjusted(line: TypedLine) -> Order | None:
    """Read "german +1", with the id of a side or its title in the scenario; return None for any other text."""
    titles = {title.lower(): side for side, title in line.board.sides.items()}
    side = named(line.word, SIDES) or titles.get(line.word, "")
    by = {"+1": 1, "-1": -1}.get(line.words[1]) if len(line.words) == 2 else None
    return orders.AdjustTotal(side, by) if side and by else None


def _changed(line: TypedLine) -> Order | None:
    titles = {flat(each.title): each.id for each in line.board.missions.values()}
    mission = named(line.text, MISSIONS) or titles.get(flat(line.text), "")
    return orders.ChangeMission(mission) if mission else None


def _placed(line: TypedLine) -> Order:
    """Read "table 2 3": column and row of the north-west corner, counted from 1."""
    corner = [number_of(word) for word in line.rest().replace(",", " ").split()]
    if len(corner) != 2 or None in corner:
        raise _whole(line).refuse(
            "name the column and row of the north-west corner, such as table 2 3", line.asked.rule
        )
    numbers, wrong = [each or 0 for each in corner], RefusalCollector()
    for name, number in zip(("column", "row"), numbers, strict=True):
        most = getattr(line.asked.field(name), "most", 0) + 1
        if not 1 <= number <= most:
            wrong.add(_whole(line).refuse(f"{name} {number} is not from 1 to {most}", "AOA-R42"))
    wrong.refuse()
    return orders.PlaceTable(*(number - 1 for number in numbers))


def _shifted(line: TypedLine) -> Order | None:
    """Read "east 1 south 2"; return None if the text does not begin with a direction."""
    line.takes("shift")
    if not named(line.word, hints.DIRECTIONS):
        return None
    east = south = 0
    while line.word:
        direction = named(line.text_word(), hints.DIRECTIONS)
        if not direction:
            raise _whole(line).refuse("name a direction and a number: east 1, or west 1 north 2", line.asked.rule)
        number = line.find_number()
        number = 1 if number is None else number
        step_east, step_south = hints.DIRECTIONS[direction]
        east, south = east + step_east * number, south + step_south * number
    return orders.ShiftTable(east, south)


# --- after the game ---


def _assigned(line: TypedLine) -> Order | None:
    """Read "pg1 2; pak40 1; buy 1": dice by platoon, and bought dice (default: the minimum); or return None."""
    least, rule = line.asked.field("bought").least, line.asked.rule
    shares = line.asked.field("dice", least)
    ids = list(shares.prices)
    parts = parts_of(line.text.replace(":", " ").replace(",", ";"), rule)
    known = [*ids, *shares.barred, "buy"]
    if not parts or not (named(parts[0].words[0], known) or len(parts) > 1 or len(parts[0].words) == 2):
        return None
    dice = Once(rule)

    def read(part: TypedPart) -> None:
        if len(part.words) != 2:
            raise part.refuse(f"write a platoon and its dice, such as {ids[0]} 2, or buy 1", rule)
        name, number = part.words
        buys = name.lower() == "buy"
        barred = shares.barred.get(named(name, [*ids, *shares.barred]))
        if barred is not None and not buys:
            raise part.refuse(barred.reason, barred.rule)
        each = "buy" if buys else part.chosen(name, ids, "platoon that can be reinforced", "AOA-11.08")
        if each in dice.found:
            raise part.refuse(f"{each} is named twice: write all of its dice together", rule)
        dice.put(each, part.number(number, "dice", "AOA-11.02" if buys else rule))

    read_parts(parts, read)
    bought = dice.found.pop("buy", least)
    return orders.AssignDice(bought, {each: number for each, number in dice.found.items() if number})


def _kept(line: TypedLine) -> Order | None:
    """Read "lower pg1 depleted; take 2 pg2 > pg1"; return None if the text begins with neither verb."""
    space, rule = line.asked.space, line.asked.rule
    lowered, taken = Once(rule), Once(rule)
    levels = {flat(title): level for level, title in enumerate(LEVEL_TITLES)}
    parts = parts_of(line.text.replace(ARROW, f" {ARROW} "), rule)
    if not parts or parts[0].words[0].lower() not in {"lower", "take"}:
        return None

    def read(part: TypedPart) -> None:
        verb, *words = part.words
        if verb.lower() == "lower" and len(words) > 1:
            level = levels[part.chosen(" ".join(words[1:]), levels, "level", "AOA-10.18")]
            each = part.chosen(words[0], space.short, "platoon that lacks transports", rule)
            lowered.put(each, level, why="named twice")
        elif verb.lower() == "take" and len(words) == 4 and words[2] in {ARROW, "for"}:
            donor = part.chosen(words[1], space.stock, "platoon with vehicles", "AOA-10.19")
            receiver = part.chosen(words[3], space.short, "platoon that lacks transports", "AOA-10.19")
            number = part.number(words[0], "vehicles", "AOA-10.19")
            taken.put(f"{donor}{ARROW}{receiver}", number, why="named twice")
        else:
            raise part.refuse("write lower pg1 depleted, or take 2 pg2 > pg1", rule)

    read_parts(parts, read)
    return orders.KeepMobile(lowered.found, taken.found)


NOTATION = Notation(
    Verb("", orders.BuildCompany, reads=built, examples=hints.company),
    Verb("claim", orders.ClaimRecon, _platoons, examples=hints.claim),
    Verb(NOTHING, orders.ClaimRecon([])),
    Verb("", orders.AdjustTotal, reads=_adjusted, examples=hints.totals),
    Verb(NOTHING, orders.AdjustTotal()),
    Verb("", orders.ChangeMission, reads=_changed, examples=hints.missions),
    Verb(NOTHING, orders.ChangeMission()),
    Verb("table", orders.PlaceTable, reads=_placed, examples=hints.corner),
    Verb("", orders.ShiftTable, reads=_shifted, examples=hints.shifts),
    Verb(NOTHING, orders.ShiftTable()),
    Verb("play, fight", orders.Concede()),
    Verb("concede", orders.Concede(concede=True)),
    Verb("", orders.ChooseForce, reads=fielded, examples=hints.force),
    Verb("one, one sector, sectors 1", orders.ChooseBreakthrough(1)),
    Verb("two, two sectors, sectors 2", orders.ChooseBreakthrough(2)),
    Verb("", orders.KeepMobile, reads=_kept, examples=hints.keeping),
    Verb(NOTHING, orders.KeepMobile()),
    Verb("raise", orders.RaisePlatoons, _platoons, examples=hints.raising),
    Verb(NOTHING, orders.RaisePlatoons([]), examples=lambda _: ()),
    Verb("", orders.AssignDice, reads=_assigned, examples=hints.dice),
    Verb("", orders.ExchangePlatoon, reads=exchanged, examples=hints.exchange),
    Verb(f"keep, {NOTHING}", orders.ExchangePlatoon()),
    asks={
        Companies: (orders.BuildCompany,),
        Forces: (orders.ChooseForce,),
        Exchanges: (orders.ExchangePlatoon,),
        Keeping: (orders.KeepMobile,),
    },
)


def read_order(decision: Decision, text: str, board: Board) -> Order | str | None:
    """Return the order that ``text`` means, examples if it is "?", or None if it is not in this notation."""
    results = results_in(decision.options)
    if results is not None and text.strip() == "?":
        return hints.report(results.brief)
    result = read_typed(decision, text)
    found: Order | str | None = NOTATION.read_order(decision, text, board) if result is None else result
    return found
