"""What a person types for an order: a few words, or parts with ; between; results as the tabletop reads them.

Whether an order is allowed is for the decision's options to say; here it is only read. Companies, forces and exchanges
are in ``parsing_forces.py``, names in ``notation.py``.
"""

from collections.abc import Callable, Iterator

from axis_attack.forces.company import Companies
from axis_attack.forces.force import Forces
from axis_attack.model import orders
from axis_attack.model.cards import LEVEL_TITLES, MISSIONS, SIDES, Board
from axis_attack.recovery.exchange import Exchanges
from axis_attack.recovery.mobility import ARROW, Keeping
from axis_attack.ui.notation import NOTHING, Asked, Part, chosen, flat, is_number, named, number_in, parts_of
from axis_attack.ui.parsing_forces import built, example_company, example_exchange, example_force, exchanged, fielded
from sandtable.errors import Wrongs
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import AnyOf, Form, OneOf, Space
from sandtable.rules.tabletop.brief import Brief
from sandtable.rules.tabletop.checking import results_in
from sandtable.rules.tabletop.report.parsing import read_typed

KINDS: dict[type[Space], type[Order]] = {
    Companies: orders.BuildCompany,
    Forces: orders.ChooseForce,
    Exchanges: orders.ExchangePlatoon,
    Keeping: orders.KeepMobile,
}
"""The orders of spaces that are of one kind."""


def read_order(decision: Decision, text: str, board: Board) -> Order | str | None:
    """Return the order that ``text`` means for ``decision``, None if it is not in this notation.

    For "?" return what can be typed. Raises IllegalOrder, with the place, for what cannot be read.
    """
    results = results_in(decision.options)
    if results is not None and text.strip() == "?":
        return _report_hint(results.brief)
    result = read_typed(decision, text)
    if result is not None:
        return result
    for kind, space in _kinds(decision.options):
        asked = Asked(space, decision.rule, decision.side, decision.done, board)
        if kind in READERS:
            return HINTS[kind](asked) if text.strip() == "?" else READERS[kind](asked, text)
    return None


def _kinds(space: Space) -> Iterator[tuple[type[Order], Space]]:
    """Yield the kinds of order that a space holds, each with its own space."""
    if isinstance(space, AnyOf):
        for each in space.spaces:
            yield from _kinds(each)
    elif isinstance(space, Form):
        yield space.order, space
    elif type(space) in KINDS:
        yield KINDS[type(space)], space
    elif isinstance(space, OneOf) and space.of:
        yield type(space.of[0]), space


def _word(text: str) -> str:
    return " ".join(text.lower().split())


def _platoons(asked: Asked, field: str = "platoons") -> list[str]:
    """Return the ids that a field asks for."""
    space = asked.space.space_of(field, []) if isinstance(asked.space, Form) else None
    return [str(each) for each in getattr(space, "of", ())]


def _after(verb: str, text: str) -> list[str] | None:
    """Return the words behind a verb, commas taken off; None where the text begins otherwise."""
    words = text.replace(",", " ").replace(";", " ").split()
    return words[1:] if words and words[0].lower() == verb else None


def _list_of(asked: Asked, verb: str, text: str) -> list[str] | None:
    """Return platoons named behind a verb: "all", "none", or ids."""
    words = ["none"] if _word(text) in NOTHING else _after(verb, text)
    if words is None or not words:
        return None
    ids = _platoons(asked)
    if [word.lower() for word in words] == ["all"]:
        return ids
    if len(words) == 1 and words[0].lower() in NOTHING:
        return []
    found, wrong = list[str](), Wrongs()
    for word in words:
        with wrong.part():
            found.append(chosen(Part("", text.split()), word, ids, "platoon that can be named here", asked.rule))
    wrong.refuse()
    return found


# --- the mission and the table ---


def _claimed(asked: Asked, text: str) -> Order | None:
    platoons = _list_of(asked, "claim", text)
    return None if platoons is None else orders.ClaimRecon(platoons)


def _raised(asked: Asked, text: str) -> Order | None:
    platoons = _list_of(asked, "raise", text)
    return None if platoons is None else orders.RaisePlatoons(platoons)


def _adjusted(asked: Asked, text: str) -> Order | None:
    """Read "german +1"; "leave" changes nothing."""
    words = text.split()
    if _word(text) in NOTHING:
        return orders.AdjustTotal()
    side = _side(asked, words[0]) if len(words) == 2 else ""
    by = {"+1": 1, "-1": -1}.get(words[1]) if side else None
    return orders.AdjustTotal(side, by) if by else None


def _side(asked: Asked, text: str) -> str:
    """Return the side that a word names by its id, or by the title that it has in this scenario."""
    titles = {title.lower(): side for side, title in asked.board.sides.items()}
    return named(text, SIDES) or titles.get(text.lower(), "")


def _changed(asked: Asked, text: str) -> Order | None:
    """Read a mission; "leave" leaves it."""
    if _word(text) in NOTHING:
        return orders.ChangeMission()
    mission = named(text, MISSIONS)
    titles = {flat(each.title): each.id for each in asked.board.missions.values()}
    mission = mission or titles.get(flat(text), "")
    return orders.ChangeMission(mission) if mission else None


def _placed(asked: Asked, text: str) -> Order | None:
    """Read "table 2 3": column and row of the north-west corner, counted from 1."""
    words = _after("table", text)
    if words is None:
        return None
    if len(words) != 2 or not all(map(is_number, words)):
        raise asked.refuse(Part("", text.split()), "name column and row of the north-west corner, as in table 2 3")
    column, row = (int(word) - 1 for word in words)
    wrong = Wrongs()
    for name, value in (("column", column), ("row", row)):
        most = getattr(asked.space.space_of(name, []), "most", 0)
        if not 0 <= value <= most:
            wrong.add(
                asked.refuse(Part("", text.split()), f"{name} {value + 1} is not from 1 to {most + 1}", "AOA-R42")
            )
    wrong.refuse()
    return orders.PlaceTable(column, row)


WAYS = {"east": (1, 0), "west": (-1, 0), "south": (0, 1), "north": (0, -1)}


def _shifted(asked: Asked, text: str) -> Order | None:
    """Read "east 1 south 2"; "leave" leaves the table where it is."""
    words = _word(text).replace(",", " ").split()
    if len(words) == 1 and words[0] in NOTHING:
        return orders.ShiftTable()
    if words[:1] == ["shift"]:
        words = words[1:]
    if not words or named(words[0], WAYS) == "":
        return None
    east = south = 0
    while words:
        way = named(words.pop(0), WAYS)
        if not way:
            raise asked.refuse(Part("", text.split()), "say how far: east 1, or west 1 north 2")
        number = int(words.pop(0)) if words and is_number(words[0]) else 1
        east, south = east + WAYS[way][0] * number, south + WAYS[way][1] * number
    return orders.ShiftTable(east, south)


# --- the game and after ---


def _conceded(_asked: Asked, text: str) -> Order | None:
    answer = {"play": False, "fight": False, "concede": True}.get(_word(text))
    return None if answer is None else orders.Concede(answer)


def _broke_through(_asked: Asked, text: str) -> Order | None:
    number = {"one": 1, "two": 2, "sectors 1": 1, "sectors 2": 2, "one sector": 1, "two sectors": 2}.get(_word(text))
    return orders.ChooseBreakthrough(number) if number else None


def _assigned(asked: Asked, text: str) -> Order | None:
    """Read "pg1 2; pak40 1; buy 1": dice by platoon, and how many are bought; without "buy" no more than must be."""
    space = asked.space
    least = space.space_of("bought", []).least
    dice: dict[str, int] = {}
    ids = list(space.space_of("dice", [least]).prices)
    parts = parts_of(text.replace(":", " ").replace(",", ";"), asked.rule)
    if not parts or not (named(parts[0].words[0], [*ids, "buy"]) or len(parts) > 1 or len(parts[0].words) == 2):
        return None
    wrong = Wrongs()
    for part in parts:
        with wrong.part():
            if len(part.words) != 2:
                raise asked.refuse(part, "write a platoon and its dice, as in pg1 2, or buy 1")
            if part.words[0].lower() == "buy":
                each, rule = "buy", "AOA-11.02"
            else:
                each, rule = chosen(part, part.words[0], ids, "platoon that can be reinforced", "AOA-11.08"), asked.rule
            if each in dice:
                raise asked.refuse(part, f"{each} is named twice: write all of its dice together")
            dice[each] = number_in(part, part.words[1], "dice", rule)
    wrong.refuse()
    bought = dice.pop("buy", least)
    return orders.AssignDice(bought, {each: number for each, number in dice.items() if number})


def _kept(asked: Asked, text: str) -> Order | None:
    """Read "lower pg1 depleted; take 2 pg2 > pg1"; "leave" does nothing."""
    if _word(text) in NOTHING:
        return orders.KeepMobile()
    lowered: dict[str, int] = {}
    taken: dict[str, int] = {}
    parts = parts_of(text.replace(ARROW, f" {ARROW} "), asked.rule)
    if not parts or parts[0].words[0].lower() not in {"lower", "take"}:
        return None
    wrong = Wrongs()
    for part in parts:
        verb, *words = part.words
        with wrong.part():
            if verb.lower() == "lower" and len(words) > 1:
                titles = {flat(title): level for level, title in enumerate(LEVEL_TITLES)}
                level = titles[chosen(part, " ".join(words[1:]), titles, "level", "AOA-10.18")]
                each = chosen(part, words[0], asked.space.short, "platoon that lacks transports", asked.rule)
                _put(asked, part, lowered, each, level)
            elif verb.lower() == "take" and len(words) == 4 and words[2] in {ARROW, "for"}:
                donor = chosen(part, words[1], asked.space.stock, "platoon with vehicles", "AOA-10.19")
                receiver = chosen(part, words[3], asked.space.short, "platoon that lacks transports", "AOA-10.19")
                number = number_in(part, words[0], "vehicles", "AOA-10.19")
                _put(asked, part, taken, f"{donor}{ARROW}{receiver}", number)
            else:
                raise asked.refuse(part, "write lower pg1 depleted, or take 2 pg2 > pg1")
    wrong.refuse()
    return orders.KeepMobile(lowered, taken)


def _put(asked: Asked, part: Part, sheet: dict[str, int], key: str, value: int) -> None:
    if key in sheet:
        raise asked.refuse(part, f"{key} is named twice")
    sheet[key] = value


# --- help by example ---


def _report_hint(brief: Brief) -> str:
    """Return how a result is typed platoon by platoon: losses in short give no levels (AOA-10.01)."""
    names = {side: [name for name, it in brief.platoons(side).items() if not it.independent] for side in brief.sides}
    first, second = brief.sides
    one = next(iter(names[first]), "pg1")
    two, last = (*names[second], "t1", "t1")[0], (names[second] or ["t1"])[-1]
    recon = next((name for name, it in brief.platoons(first).items() if it.recon), "")
    ahead = f"; ahead {recon}" if recon else ""
    losses = f"{first} destroyed {one} 2; {second} destroyed {two} 3 {last} 1; {second} routed {two} 1"
    more = f"bailed, transports, upgrades are written like destroyed; {second} lost {last}: as a platoon"
    return f"{first} 5-2; {losses}{ahead}  ({more}), or: {second} concedes"


def _claim_hint(asked: Asked) -> str:
    return f"claim {' '.join(_platoons(asked))}, or: claim none"


def _raise_hint(asked: Asked) -> str:
    ids = _platoons(asked)
    fit = [
        ids[:number] for number in range(len(ids), 0, -1) if asked.space.is_legal(orders.RaisePlatoons(ids[:number]))
    ]
    return f"raise {' '.join(fit[0])}, or: raise none" if fit else "raise none"


def _adjust_hint(_asked: Asked) -> str:
    return "german +1, or: soviet -1, or: leave"


def _change_hint(asked: Asked) -> str:
    space = asked.space.space_of("mission", []) if isinstance(asked.space, Form) else None
    ways = [str(each) for each in getattr(space, "of", MISSIONS) if each]
    return ", or: ".join([*ways, "leave"])


def _table_hint(asked: Asked) -> str:
    most = [getattr(asked.space.space_of(name, []), "most", 0) + 1 for name in ("column", "row")]
    where = f"column 1 to {most[0]}, row 1 to {most[1]} of the north-west corner, counted from 1 as in the brief"
    return f"table {min(2, most[0])} {min(3, most[1])}  ({where})"


def _dice_hint(asked: Asked) -> str:
    bought = asked.space.space_of("bought", [])
    shares = asked.space.space_of("dice", [bought.least])
    ids = list(shares.prices)
    told = [f"{ids[0]} {shares.amount}"] if len(ids) == 1 or shares.amount < 2 else []
    told = told or [f"{ids[0]} {shares.amount - 1}", f"{ids[1]} 1"]
    told += [f"buy {bought.least}"] if bought.least else []
    also = f"buy up to {bought.most} more at a victory point each" if bought.most > bought.least else "none to buy"
    return f"{'; '.join(told)}  ({shares.amount} dice are there, all are to be assigned; {also})"


def _keep_hint(asked: Asked) -> str:
    told = []
    for each, line in asked.space.short.items():
        lower = next((level for level in reversed(line.needs) if level < line.level), None)
        told += [f"lower {each} {LEVEL_TITLES[lower].split()[0]}"] if lower is not None else []
        donor = next((d for d, (kind, _) in asked.space.stock.items() if kind == line.vehicle and d != each), "")
        number = max(1, line.needs.get(line.level, 1) - line.has)
        told += [f"take {number} {donor} {ARROW} {each}"] if donor else []
    return ", or: ".join([*told[:3], "leave"])


READERS: dict[type[Order], Callable[[Asked, str], Order | None]] = {
    orders.BuildCompany: built,
    orders.ClaimRecon: _claimed,
    orders.AdjustTotal: _adjusted,
    orders.ChangeMission: _changed,
    orders.PlaceTable: _placed,
    orders.ShiftTable: _shifted,
    orders.Concede: _conceded,
    orders.ChooseForce: fielded,
    orders.ChooseBreakthrough: _broke_through,
    orders.KeepMobile: _kept,
    orders.RaisePlatoons: _raised,
    orders.AssignDice: _assigned,
    orders.ExchangePlatoon: exchanged,
}
"""How the text of each order is read."""

HINTS: dict[type[Order], Callable[[Asked], str]] = {
    orders.BuildCompany: example_company,
    orders.ClaimRecon: _claim_hint,
    orders.AdjustTotal: _adjust_hint,
    orders.ChangeMission: _change_hint,
    orders.PlaceTable: _table_hint,
    orders.ShiftTable: lambda _: "east 1, or: west 1 north 2, or: leave",
    orders.Concede: lambda _: "play, or: concede",
    orders.ChooseForce: example_force,
    orders.ChooseBreakthrough: lambda _: "one, or: two",
    orders.KeepMobile: _keep_hint,
    orders.RaisePlatoons: _raise_hint,
    orders.AssignDice: _dice_hint,
    orders.ExchangePlatoon: example_exchange,
}
"""How each order is typed, by example, with names of this campaign."""
