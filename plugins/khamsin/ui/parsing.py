"""Parser for typed orders: lines of a sheet, a few words, or results of battles as the tabletop reads them.

Text is only parsed here; the decision's options decide whether an order is legal. Names are in ``model/notation.py``.
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
from sandtable import (
    Decision,
    Form,
    IllegalOrder,
    OneForEach,
    OneOf,
    Order,
    Path,
    RefusalCollector,
    Sheet,
    Space,
    listing,
    shown,
)
from sandtable.notation import (
    Notation,
    Once,
    OrderQuestion,
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

MAX_LINES = 500
FEW = 2
"""Number of lines of a long sheet that an example shows."""


class KhamsinLine(TypedLine):
    """A typed text about pieces and areas, usually a sheet such as "NAME: ORDER; NAME: ORDER"."""

    def lines(self, field: str) -> Mapping[str, Space]:
        """Return the lines of a field by id, or an empty mapping if the form has no such field."""
        space = self.asked.field(field)
        return space.lines if isinstance(space, Sheet) else space.spaces if isinstance(space, OneForEach) else {}

    def titles(self, *fields: str) -> dict[str, str]:
        """Return the titles of the pieces that have a line in these fields."""
        return {key: piece_words(key, self.board) for field in fields for key in self.lines(field)}

    def piece(self, text: str, titles: Mapping[str, str], where: str = "", unknown_field: str = "") -> str:
        """Return the piece that a text names.

        Raises IllegalOrder for an unknown piece, with the refusal of the sheet ``unknown_field`` if it is given.
        """
        key = named(text, titles)
        if key:
            return key
        space = self.asked.field(unknown_field) if unknown_field else None
        if isinstance(space, Sheet):
            own = named(text, {each: card.title for each, card in self.board.formations.items()}) or text
            refusal = space.refusals_alone({own: ()})[own]
            raise self.asked.refuse(f"{where}{shown(text)}: {refusal.reason}{_meant(text, titles)}", refusal.rule)
        raise self.asked.refuse(f"{where}{shown(text)} has no line here{_meant(text, titles)}")

    def sheet(self, read: Callable[[TypedPart, str, str], None], so_far: Callable[[], Order]) -> Order | None:
        """Pass part, name and text of each line to ``read``, and return the order ``so_far``, or None without a ":".

        If a line cannot be parsed, the valid lines are checked as well, and all errors are raised together.
        """
        if ":" not in self.text:
            return None
        wrong = RefusalCollector()
        for part in parts_of(self.text, self.asked.rule, MAX_LINES, "lines", "plan"):
            with wrong.part():
                name, colon, text = (each.strip() for each in part.text.partition(":"))
                if not (name and colon):
                    raise self.asked.refuse(
                        f"{part.where}{shown(part.text)}: write each line as NAME: ORDER, such as 15_pz_div: gambut"
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
    """Return the pieces that an unknown name may mean: those whose id or title begins with it, or all."""
    near = [key for key, title in titles.items() if any(flat(name).startswith(flat(text)) for name in (key, title))]
    return f": choose {listing(near if text.strip() and near else list(titles), 12)}"


# --- sheets: NAME: ORDER ---


def _written(line: KhamsinLine) -> Order | None:
    """Parse the orders of a turn."""
    if flat(line.text) in {"hold", "all_hold", "hold_all"}:
        return orders.WriteOrders()
    found = {name: Once(line.asked.rule) for name in ("moves", "leaders", "detach")}
    interdict, plan = list[str](), list[str]()
    names, moves, leaders = line.board.names, line.titles("moves"), line.titles("leaders")

    def read(part: TypedPart, name: str, text: str) -> None:
        head, _, rest = name.partition(" ")
        at = f"{part.where}{name}: "
        if name.lower() == "plan":
            plan.append(text)
        elif name.lower() == "air":
            interdict.extend(areas_in(text, names, "KH-7.06", at))
        elif head.lower() == "leave":
            number = number_of(text)
            key = line.piece(rest, moves, part.where, "moves")
            if number is None:
                raise line.asked.refuse(f"{at}{shown(text)} is not a number of companies", "KH-R117")
            found["detach"].put(key, number, part.where)
        else:
            field = "leaders" if named(name, leaders) else "moves"
            key = named(name, leaders) or line.piece(name, moves, part.where, "moves")
            space = line.lines(field)[key]
            rule = line.asked.rule
            if isinstance(space, PricedPath):
                path = path_typed(text, space, names, rule, at)
            else:
                path = path_in(text, "", names, rule, at)
            found[field].put(key, None if field == "moves" and text.lower() in NOTHING else path, part.where)

    def written(field: str) -> dict[str, Any]:
        return {key: each for key, each in found[field].found.items() if each is not None}

    def so_far() -> Order:
        return orders.WriteOrders(written("moves"), written("leaders"), interdict, written("detach"), "\n".join(plan))

    return line.sheet(read, so_far)


def _deployed(line: KhamsinLine) -> Order | None:
    """Parse a deployment. An unnamed piece gets its historical area if that is legal, or else its first legal area."""
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
    areas = list(space.of) if isinstance(space, OneOf) else []
    card = board.formations.get(key)
    return card.historical if card is not None and card.historical in areas else str(areas[0])


def _areas(kind: type[Any]) -> Callable[[KhamsinLine], Order | None]:
    """Return a parser of areas by piece; "all: gambut" applies to all pieces without their own line."""

    def read_all(line: KhamsinLine) -> Order | None:
        if kind is orders.Advance and flat(line.text) in {"stay", *NOTHING}:
            return orders.Advance()
        found = Once(line.asked.rule)
        titles = line.titles("areas")
        space = line.asked.field("areas")
        if not titles and isinstance(space, OneOf):  # all go together: each choice is a complete dict
            titles = {key: piece_words(key, line.board) for choice in space.of for key in choice}

        def read(part: TypedPart, name: str, text: str) -> None:
            area = line.area(text, f"{part.where}{name}: ") if name.lower() == "all" else ""
            key = "all" if area else line.piece(name, titles, part.where)
            found.put(key, area or line.area(text, f"{part.where}{name}: "), part.where)

        def so_far() -> Order:
            areas = dict(found.found)
            common = areas.pop("all", "")
            order: Order = kind(dict.fromkeys(titles, common) | areas if common else areas)
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
    """Parse "fighting; recon panzer_recon; ledger armor": the reaction of the force, and units that leave it."""
    parts = parts_of(line.text, line.asked.rule)
    if not parts or parts[0].words[0].lower() not in {DEFENDS, FIGHTING, PRECIPITOUS, RECON}:
        return None
    chosen, leaving = Once(line.asked.rule), Once(line.asked.rule)

    def read(part: TypedPart) -> None:
        verb, *names = (word.lower() for word in part.words)
        if verb in {DEFENDS, FIGHTING} and not names:
            chosen.put("how", verb)
        elif verb == "ledger" and len(names) == 1:
            chosen.put("ledger", names[0])
        elif verb not in {PRECIPITOUS, RECON} or not names:
            forms = "stand, fighting, precipitous NAME, recon NAME or ledger armor"
            raise line.asked.refuse(f"{shown(part.text)} is not a response to an engagement: type {forms}")
        else:
            wrong = RefusalCollector()
            for name in names:
                with wrong.part():
                    leaving.put(line.piece(name, line.titles("leaving"), "", "leaving"), verb)
            wrong.refuse()

    read_parts(parts, read)
    return orders.Withdraw(chosen.found.get("how", DEFENDS), leaving.found, chosen.found.get("ledger", "general"))


def _engagements(line: KhamsinLine) -> list[str]:
    found, wrong = list[str](), RefusalCollector()
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


def _turn_example(asked: OrderQuestion) -> Iterator[str]:
    """Yield example orders of a turn: for a formation, a leader and aircraft, and the order to hold."""
    moves = [*_paths(asked.field("moves").lines, 2), *_paths(asked.field("leaders").lines, 1)]
    texts = [f"{key}: {' '.join(path[1:])}" for key, path in moves]
    air = asked.field("interdict")
    texts += [f"air: {(moves[0][1][-1:] or air.of)[0]}"] if air.most and moves else []
    texts += ["plan: hold the ring"] if asked.field("plan").longest else []
    one = moves[0][0] if moves else "NAME"
    note = "formations that are not named hold; to AREA takes the cheapest path there"
    note += f"; leave {one}: 1 leaves a company in a fortress" if asked.board.fortress else ""
    yield f"{'; '.join(texts)}  ({note})"
    yield "hold"


def _paths(lines: Any, longest: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the first piece that can move, with a path of up to ``longest`` steps."""
    for key, space in lines.items():
        path = [space.start] if isinstance(space, Path) and space.start else []
        while path and len(path) <= longest and (on := space.ways_on(path)):
            path = next((each for each in on if each[-1] not in path), on[0])
        while len(path) > 1 and space.why_not(path) is not None:
            path = path[:-1]
        if len(path) > 1:
            yield key, path
            return


def _deployment_example(asked: OrderQuestion) -> Iterator[str]:
    """Yield a few lines of a deployment, and the historical one."""
    for order in legal_orders(asked):
        texts = [f"{key}: {area}" for key, area in (order.areas | order.leaders).items()]
        yield f"{'; '.join(texts[:FEW])}  (pieces that are not named get their historical area)"
    yield "historical"


def _areas_example(asked: OrderQuestion) -> Iterator[str]:
    """Yield areas for formations, each with its own line and all together."""
    for order in legal_orders(asked):
        yield "; ".join(f"{key}: {area}" for key, area in order.areas.items())
        yield from (f"all: {area}" for area in dict.fromkeys(order.areas.values()))
    yield "stay"


def _allocation_example(asked: OrderQuestion) -> Iterator[str]:
    """Yield replacements for a few formations, and none."""
    for order in legal_orders(asked):
        texts = [f"{key}: {each.armor}/{each.general}{' moving' * each.moving}" for key, each in order.shares.items()]
        how = "armor/general; add moving if the formation is to move: at most 1/1, for twice the points"
        yield f"{'; '.join(texts[:FEW])}  ({how})"
    yield "none"


def _remark(decision: Decision) -> str:
    """Return the available replacements and the wear of formations, as a remark below the examples, or ""."""
    shares = decision.options.fields.get("shares") if isinstance(decision.options, Form) else None
    return f"\n  {shares.hint}" if isinstance(shares, Shares) else ""


def _withdrawal_example(asked: OrderQuestion) -> Iterator[str]:
    """Yield the possible reactions to an engagement, with formations that may leave separately."""
    yield from ("stand", FIGHTING)
    lines = asked.field("leaving").lines
    yield from (f"{withdrawal} {key}" for key, space in list(lines.items())[:1] for withdrawal in space.values())
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
    """Return the order that ``text`` means for ``decision``, or None if the text is not in this notation."""
    result = read_typed(decision, text)
    found: Order | str | None = NOTATION.read_order(decision, text, board) if result is None else result
    return found
