"""What a person types for an order: lines of a sheet, or a few words; results of battles as the tabletop reads them.

Whether an order is allowed is for the decision's options to say; here it is only read. See ``model/notation.py`` for
names.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from khamsin.model import orders
from khamsin.model.cards import Board
from khamsin.model.notation import NOTHING, area_named, areas_in, path_in, share_in
from khamsin.model.state import DEFENDS, FIGHTING, LINKED, ORDINARY, PRECIPITOUS, RECON, TOTAL_WAR
from khamsin.movement.paths import PricedPath, path_typed
from khamsin.supply.replacements import Shares
from khamsin.ui.parsing_companies import companies_example, read_companies
from khamsin.ui.terms import piece_words
from sandtable import Decision, Form, IllegalOrder, OneForEach, OneOf, Order, Path, Sheet, Space, Wrongs, listing, shown
from sandtable.notation import (
    Notation,
    Once,
    OrderAsked,
    TypedLine,
    TypedPart,
    Verb,
    flat,
    legal_orders,
    named,
    number_of,
    parts_of,
    read_parts,
)
from sandtable.tabletop import read_typed

MOST_LINES = 500
FEW = 2
"""So many lines of a long sheet are shown."""


class KhamsinLine(TypedLine):
    """A text about pieces and areas; most are sheets, "NAME: ORDER; NAME: ORDER"."""

    def lines(self, field: str) -> Mapping[str, Space]:
        """Return the lines of a field by id, none where the form has no such field."""
        space = self.asked.field(field)
        return space.lines if isinstance(space, Sheet) else space.spaces if isinstance(space, OneForEach) else {}

    def titles(self, *fields: str) -> dict[str, str]:
        """Return the titles of who has a line in these fields."""
        return {key: piece_words(key, self.board) for field in fields for key in self.lines(field)}

    def piece(self, text: str, titles: Mapping[str, str], where: str = "", stranger: str = "") -> str:
        """Return who is meant; a stranger is refused in the words of the field ``stranger``."""
        key = named(text, titles)
        if key:
            return key
        space = self.asked.field(stranger) if stranger else None
        if isinstance(space, Sheet):
            own = named(text, {each: card.title for each, card in self.board.formations.items()}) or text
            refusal = space.refusals_alone({own: ()})[own]
            raise self.asked.refuse(f"{where}{shown(text)}: {refusal.reason}{_meant(text, titles)}", refusal.rule)
        raise self.asked.refuse(f"{where}{shown(text)} is not asked for{_meant(text, titles)}")

    def sheet(self, read: Callable[[TypedPart, str, str], None], so_far: Callable[[], Order]) -> Order | None:
        """Let ``read`` take part, name and text of line after line, and return the order ``so_far``.

        Where a line cannot be read, those that could be are judged, too, and all that is wrong is raised.
        """
        if ":" not in self.text:
            return None
        wrong = Wrongs()
        for part in parts_of(self.text, self.asked.rule, MOST_LINES, "lines", "plan"):
            with wrong.part():
                name, colon, text = (each.strip() for each in part.text.partition(":"))
                if not (name and colon):
                    raise self.asked.refuse(
                        f"{part.where}{shown(part.text)}: a line is NAME: ORDER, such as 15_pz_div: gambut"
                    )
                read(part, name, text)
        for refusal in self.asked.space.wrong_alone(so_far()) if wrong.found else ():
            wrong.add(IllegalOrder(refusal.rule, refusal.reason))
        wrong.refuse()
        return so_far()

    def area(self, text: str, where: str = "") -> str:
        """Return the area that a text names."""
        return area_named(text, self.board.names, self.asked.rule, where)


def _meant(text: str, titles: Mapping[str, str]) -> str:
    """Return who may be meant by a name that is nobody's: those that it begins, or all."""
    near = [key for key, title in titles.items() if any(flat(name).startswith(flat(text)) for name in (key, title))]
    return f": choose {listing(near if text.strip() and near else list(titles), 12)}"


# --- sheets: NAME: ORDER ---


def _written(line: KhamsinLine) -> Order | None:
    """Read the orders of a turn."""
    if flat(line.text) in {"hold", "all_hold", "hold_all"}:
        return orders.WriteOrders()
    found = {name: Once(line.asked.rule) for name in ("moves", "leaders", "detach")}
    interdict, plan = list[str](), list[str]()
    names, moves, leaders = line.board.names, line.titles("moves"), line.titles("leaders")

    def read(part: TypedPart, name: str, text: str) -> None:
        head, _, rest = name.partition(" ")
        place = f"{part.where}{name}: "
        if name.lower() == "plan":
            plan.append(text)
        elif name.lower() == "air":
            interdict.extend(areas_in(text, names, "KH-7.06", place))
        elif head.lower() == "leave":
            number = number_of(text)
            key = line.piece(rest, moves, part.where, "moves")
            if number is None:
                raise line.asked.refuse(f"{place}{shown(text)} is no number of companies", "KH-R117")
            found["detach"].put(key, number, part.where)
        else:
            field = "leaders" if named(name, leaders) else "moves"
            key = named(name, leaders) or line.piece(name, moves, part.where, "moves")
            space = line.lines(field)[key]
            rule = line.asked.rule
            if isinstance(space, PricedPath):
                path = path_typed(text, space, names, rule, place)
            else:
                path = path_in(text, "", names, rule, place)
            found[field].put(key, None if field == "moves" and text.lower() in NOTHING else path, part.where)

    def written(field: str) -> dict[str, Any]:
        return {key: each for key, each in found[field].found.items() if each is not None}

    def so_far() -> Order:
        return orders.WriteOrders(written("moves"), written("leaders"), interdict, written("detach"), "\n".join(plan))

    return line.sheet(read, so_far)


def _deployed(line: KhamsinLine) -> Order | None:
    """Read a deployment: who is not named stands where he did, or in the first area allowed."""
    found = Once(line.asked.rule)

    def read(part: TypedPart, name: str, text: str) -> None:
        key = line.piece(name, line.titles("areas", "leaders"), part.where)
        found.put(key, line.area(text, f"{part.where}{name}: "), part.where)

    def so_far() -> Order:
        fields: Any = {
            field: {
                key: found.found.get(key, _usual(line.board, key, space)) for key, space in line.lines(field).items()
            }
            for field in ("areas", "leaders")
        }
        return orders.Deploy(**fields)

    return so_far() if flat(line.text) == "historical" else line.sheet(read, so_far)


def _usual(board: Board, key: str, space: Space) -> str:
    ways = list(space.of) if isinstance(space, OneOf) else []
    card = board.formations.get(key)
    return card.historical if card is not None and card.historical in ways else str(ways[0])


def _areas(kind: type[Any]) -> Callable[[KhamsinLine], Order | None]:
    """Read areas by piece; "all: gambut" is for everybody who has no line of his own."""

    def read_all(line: KhamsinLine) -> Order | None:
        if kind is orders.Advance and flat(line.text) in {"stay", *NOTHING}:
            return orders.Advance()
        found = Once(line.asked.rule)
        titles = line.titles("areas")
        space = line.asked.field("areas")
        if not titles and isinstance(space, OneOf):  # all go together: the choices are whole dicts
            titles = {key: piece_words(key, line.board) for choice in space.of for key in choice}

        def read(part: TypedPart, name: str, text: str) -> None:
            area = line.area(text, f"{part.where}{name}: ") if name.lower() == "all" else ""
            key = "all" if area else line.piece(name, titles, part.where)
            found.put(key, area or line.area(text, f"{part.where}{name}: "), part.where)

        def so_far() -> Order:
            areas = dict(found.found)
            everybody = areas.pop("all", "")
            order: Order = kind(dict.fromkeys(titles, everybody) | areas if everybody else areas)
            return order

        return line.sheet(read, so_far)

    return read_all


def _allocated(line: KhamsinLine) -> Order | None:
    if flat(line.text) in NOTHING:
        return orders.Allocate()
    shares = Once(line.asked.rule)

    def read(part: TypedPart, name: str, text: str) -> None:
        key = line.piece(name, line.titles("shares"), part.where, "shares")
        if text.lower() not in NOTHING:
            shares.put(key, share_in(text, "KH-5.04", f"{part.where}{name}: "), part.where)

    return line.sheet(read, lambda: orders.Allocate(shares.found))


# --- a few words ---


def _withdrawn(line: KhamsinLine) -> Order | None:
    """Read "fighting; recon panzer_recon; ledger armor": how the force meets it, and who leaves by himself."""
    parts = parts_of(line.text, line.asked.rule)
    if not parts or parts[0].words[0].lower() not in {DEFENDS, FIGHTING, PRECIPITOUS, RECON}:
        return None
    said, leaving = Once(line.asked.rule), Once(line.asked.rule)

    def read(part: TypedPart) -> None:
        verb, *names = (word.lower() for word in part.words)
        if verb in {DEFENDS, FIGHTING} and not names:
            said.put("how", verb)
        elif verb == "ledger" and len(names) == 1:
            said.put("ledger", names[0])
        elif verb not in {PRECIPITOUS, RECON} or not names:
            raise line.asked.refuse(f"{shown(part.text)} cannot be read: type for example stand, or fighting")
        else:
            wrong = Wrongs()
            for name in names:
                with wrong.part():
                    leaving.put(line.piece(name, line.titles("leaving"), "", "leaving"), verb)
            wrong.refuse()

    read_parts(parts, read)
    return orders.Withdraw(said.found.get("how", DEFENDS), leaving.found, said.found.get("ledger", "general"))


def _engagements(line: KhamsinLine) -> list[str]:
    found, wrong = list[str](), Wrongs()
    for word in line.rest().split():
        with wrong.part():
            found.append("~".join(line.area(end) for end in word.split("~")))
    wrong.refuse()
    return found


def _fielded(line: KhamsinLine) -> Order | None:
    if line.text.strip().isdigit():
        return None  # a line of the menu
    types = getattr(line.asked.field("companies"), "types", {})
    companies = read_companies(line.text, types, line.asked.rule, line.board)
    return None if companies is None else orders.FieldCompanies(companies)


# --- examples, with names of this campaign ---


def _turn_example(asked: OrderAsked) -> Iterator[str]:
    """Yield orders of a turn: of a formation, a leader, the aircraft; and to hold."""
    ways = [*_ways(asked.field("moves").lines, 2), *_ways(asked.field("leaders").lines, 1)]
    told = [f"{key}: {' '.join(path[1:])}" for key, path in ways]
    air = asked.field("interdict")
    told += [f"air: {(ways[0][1][-1:] or air.of)[0]}"] if air.most and ways else []
    told += ["plan: hold the ring"] if asked.field("plan").longest else []
    one = ways[0][0] if ways else "NAME"
    ways_told = "who is not named holds; to AREA is the cheapest way there"
    ways_told += f"; leave {one}: 1 leaves a company in a fortress" if asked.board.fortress else ""
    yield f"{'; '.join(told)}  ({ways_told})"
    yield "hold"


def _ways(lines: Any, longest: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the first piece that can go somewhere, with a path of up to so many steps."""
    for key, space in lines.items():
        path = [space.start] if isinstance(space, Path) and space.start else []
        while path and len(path) <= longest and (on := space.ways_on(path)):
            path = next((each for each in on if each[-1] not in path), on[0])
        while len(path) > 1 and space.why_not(path) is not None:
            path = path[:-1]
        if len(path) > 1:
            yield key, path
            return


def _deployment_example(asked: OrderAsked) -> Iterator[str]:
    """Yield a few lines of a deployment, and the one of history."""
    for order in legal_orders(asked):
        told = [f"{key}: {area}" for key, area in (order.areas | order.leaders).items()]
        yield f"{'; '.join(told[:FEW])}  (who is not named stands where he did)"
    yield "historical"


def _areas_example(asked: OrderAsked) -> Iterator[str]:
    """Yield where formations go: each for itself, and all together."""
    for order in legal_orders(asked):
        yield "; ".join(f"{key}: {area}" for key, area in order.areas.items())
        yield from (f"all: {area}" for area in dict.fromkeys(order.areas.values()))
    yield "stay"


def _allocation_example(asked: OrderAsked) -> Iterator[str]:
    """Yield replacements for a few formations, and none."""
    for order in legal_orders(asked):
        told = [f"{key}: {each.armor}/{each.general}{' moving' * each.moving}" for key, each in order.shares.items()]
        yield f"{'; '.join(told[:FEW])}  (armor/general; moving behind it: 1/1 at most, for twice the points)"
    yield "none"


def _remark(decision: Decision) -> str:
    """Return what there is to give and how worn formations are, behind the examples of an allocation."""
    shares = decision.options.fields.get("shares") if isinstance(decision.options, Form) else None
    return f"\n  {shares.told}" if isinstance(shares, Shares) else ""


def _withdrawal_example(asked: OrderAsked) -> Iterator[str]:
    """Yield the ways to meet an engagement, and who may leave by himself."""
    yield from ("stand", FIGHTING)
    lines = asked.field("leaving").lines
    yield from (f"{way} {key}" for key, space in list(lines.items())[:1] for way in space.values())
    if len(lines) > 1:
        yield "; ".join([FIGHTING, *(f"{next(space.values())} {key}" for key, space in list(lines.items())[:FEW])])


NOTATION = Notation(
    Verb("", orders.Deploy, reads=_deployed, examples=_deployment_example),
    Verb("", orders.EnterBy, reads=_areas(orders.EnterBy), examples=_areas_example),
    Verb("", orders.Allocate, reads=_allocated, examples=_allocation_example),
    Verb("", orders.WriteOrders, reads=_written, examples=_turn_example),
    Verb("", orders.Withdraw, reads=_withdrawn, examples=_withdrawal_example),
    Verb("let go, let, yes", orders.LetGo(let_go=True)),
    Verb("fight, no", orders.LetGo(let_go=False)),
    Verb("ordinary", orders.ProposeMode(ORDINARY)),
    Verb("total war, total_war", orders.ProposeMode(TOTAL_WAR)),
    Verb("linked", orders.ProposeMode(LINKED)),
    Verb("actions, action", orders.SetActions, TypedLine.number),
    Verb("", orders.FieldCompanies, reads=_fielded, examples=lambda asked: [companies_example(asked)]),
    Verb("", orders.RetreatTo, reads=_areas(orders.RetreatTo), examples=_areas_example),
    Verb("", orders.Advance, reads=_areas(orders.Advance), examples=_areas_example),
    Verb("order", orders.OrderEngagements, _engagements),
    line=KhamsinLine,
    remark=_remark,
)


def read_order(decision: Decision, text: str, board: Board) -> Order | str | None:
    """Return the order that ``text`` means for ``decision``, None if it is not in this notation; see ``Notation``."""
    result = read_typed(decision, text)
    found: Order | str | None = NOTATION.read_order(decision, text, board) if result is None else result
    return found
