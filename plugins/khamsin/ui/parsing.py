"""What a person types for an order: lines of a sheet, or a few words; results of battles as the tabletop reads them.

Whether an order is allowed is for the decision's options to say; here it is only read. See ``notation.py`` for names.
"""

from collections.abc import Callable, Iterator, Mapping

from khamsin.engagement.company_options import Companies
from khamsin.model import orders
from khamsin.model.cards import Board
from khamsin.model.notation import NOTHING, Line, area_named, areas_in, lines_of, named, path_in, share_in
from khamsin.model.state import DEFENDS, FIGHTING, LINKED, ORDINARY, PRECIPITOUS, RECON, TOTAL_WAR
from khamsin.ui.parsing_companies import companies_example, read_companies
from khamsin.ui.terms import piece_words
from sandtable.errors import IllegalOrder, Wrongs
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import AnyOf, Form, OneForEach, OneOf, Path, Sheet, Space
from sandtable.kernel.options.choices import listing, shown
from sandtable.rules.tabletop.report.parsing import read_typed

HINTS: dict[type[Order], str] = {
    orders.Deploy: "{one}: {near}; {two}: {near}  (who is not named stands where he did), or: historical",
    orders.EnterBy: "{one}: {near}",
    orders.Allocate: "{one}: 2/1; {two}: 1/0 moving  (armor/general), or: none",
    orders.WriteOrders: (
        "{one}: {near} {far}; {leader}: {near}; air: {far}; leave {one}: 1 (in a fortress); plan: hold the ring  "
        "(who is not named holds), or: hold"
    ),
    orders.Withdraw: "stand, or: fighting, or: precipitous {one}; recon {two}",
    orders.LetGo: "let go, or: fight",
    orders.ProposeMode: "ordinary, or: total war, or: linked",
    orders.SetActions: "actions 2",
    orders.FieldCompanies: "{one} COMPANY; {two} COMPANY",
    orders.RetreatTo: "{one}: {near}; {two}: {far}, or: all: {near}",
    orders.Advance: "all: {near}, or: {one}: {near}, or: stay",
    orders.PlaceLeader: "at {near}",
    orders.OrderEngagements: "order {near} {far}",
}
"""How each order is typed, by example, with places for names (see ``_example``)."""

MODES = {"ordinary": ORDINARY, "total war": TOTAL_WAR, "total_war": TOTAL_WAR, "linked": LINKED}


def read_order(decision: Decision, text: str, board: Board) -> Order | str | None:
    """Return the order that ``text`` means for ``decision``, None if it is not in this notation.

    For "?" return what can be typed. Raises IllegalOrder, with the place, for what cannot be read.
    """
    result = read_typed(decision, text)
    if result is not None:
        return result
    for form in _forms(decision.options):
        read = READERS.get(form.order)
        if read is not None:
            asked = _Asked(form, decision.rule, board)
            return _example(asked, decision.side) if text.strip() == "?" else read(asked, text)
    return None


def _forms(space: Space) -> Iterator[Form]:
    """Yield the forms of a space, the one with most to fill in first."""
    if isinstance(space, Form):
        yield space
    elif isinstance(space, AnyOf):
        for each in reversed(space.spaces):
            yield from _forms(each)


class _Asked:
    """What is asked: the form, the rule that asks, the names that may be written."""

    def __init__(self, form: Form, rule: str, board: Board) -> None:
        self.form, self.rule, self.board = form, rule, board

    def lines(self, field: str) -> Mapping[str, Space]:
        """Return the lines of a field by id, none where the form has no such field."""
        space = self.form.space_of(field, []) if field in self.form.fields else None
        return space.lines if isinstance(space, Sheet) else space.spaces if isinstance(space, OneForEach) else {}

    def titles(self, *fields: str) -> dict[str, str]:
        """Return the titles of who has a line in these fields."""
        return {key: piece_words(key, self.board) for field in fields for key in self.lines(field)}

    def refuse(self, reason: str, rule: str = "") -> IllegalOrder:
        """Return a refusal."""
        return IllegalOrder(rule or self.rule, reason)

    def piece(self, line: Line, titles: Mapping[str, str], stranger: str = "") -> str:
        """Return who a line is about; a stranger is refused in the words of the field ``stranger``."""
        key = named(line.key, titles)
        if key:
            return key
        space = self.form.space_of(stranger, []) if stranger else None
        if isinstance(space, Sheet):
            own = named(line.key, {each: card.title for each, card in self.board.formations.items()}) or line.key
            refusal = space.refusals_alone({own: ()})[own]
            raise self.refuse(f"{line.where}{shown(line.key)}: {refusal.reason}", refusal.rule)
        raise self.refuse(f"{line.where}{shown(line.key)} is not asked for: choose {listing(list(titles), 12)}")

    def put(self, sheet: dict[str, object], key: str, value: object, line: Line) -> None:
        """Write a value on a sheet; each piece has one line."""
        if key in sheet:
            raise self.refuse(f"{line.where}{key} is written twice: each has one line")
        sheet[key] = value

    def each_line(self, text: str, read: Callable[[Line], None], so_far: Callable[[], Order] | None = None) -> None:
        """Let ``read`` take line after line; raise IllegalOrder with all that is wrong with any of them.

        Lines that could be read are judged then, too, by the order ``so_far``.
        """
        wrong = Wrongs()
        for line in lines_of(text, self.rule, wrong):
            with wrong.part():
                read(line)
        if wrong.found and so_far is not None:
            for refusal in self.form.wrong_alone(so_far()):
                wrong.add(IllegalOrder(refusal.rule, refusal.reason))
        wrong.refuse()

    def area(self, line: Line) -> str:
        """Return the area that a line names."""
        return area_named(line.text, self.board.names, self.rule, f"{line.where}{line.key}: ")


def _example(asked: _Asked, side: str) -> str:
    """Return the example of what is asked, with names of this campaign: of who has a line, and areas near the first."""
    board, form = asked.board, asked.form
    space = form.space_of("companies", []) if "companies" in form.fields else None
    if isinstance(space, Companies):
        return companies_example(space, side)
    lines = {key: space for name in ("moves", "areas", "shares", "leaving") for key, space in asked.lines(name).items()}
    pieces = list(lines) or list(board.formations)
    one, two = pieces[0], pieces[min(1, len(pieces) - 1)]
    space = lines.get(one)
    start = space.start if isinstance(space, Path) and space.start else ""
    ways = board.neighbours[start] if start else tuple(space.of) if isinstance(space, OneOf) else ()
    near = next((each for each in ways if each in board.neighbours), board.areas[0])
    return HINTS[form.order].format(
        one=one,
        two=two,
        near=near,
        far=next(each for each in board.neighbours[near] if each != start or len(board.neighbours[near]) == 1),
        leader=next(iter([*asked.lines("leaders"), *board.leaders]), two),
    )


def _word(text: str) -> str:
    return " ".join(text.lower().split())


# --- sheets: NAME: ORDER ---


def _written(asked: _Asked, text: str) -> Order | None:
    """Read the orders of a turn."""
    if _word(text) in {"hold", "all hold", "hold all"}:
        return orders.WriteOrders()
    if ":" not in text:
        return None
    found: dict[str, dict[str, object]] = {"moves": {}, "leaders": {}, "detach": {}}
    interdict: list[str] = []
    plan: list[str] = []
    leaders = asked.titles("leaders")

    def read(line: Line) -> None:
        head, _, rest = line.key.partition(" ")
        place = f"{line.where}{line.key}: "
        if line.key.lower() == "plan":
            plan.append(line.text)
        elif line.key.lower() == "air":
            interdict.extend(areas_in(line.text, asked.board.names, "KH-7.06", place))
        elif head.lower() == "leave":
            key = asked.piece(Line(line.where, rest, line.text), asked.titles("moves"), "moves")
            asked.put(found["detach"], key, _number(asked, line), line)
        elif named(line.key, leaders):
            _put_path(asked, "leaders", named(line.key, leaders), line, found["leaders"])
        else:
            _put_path(asked, "moves", asked.piece(line, asked.titles("moves"), "moves"), line, found["moves"])

    def so_far() -> Order:
        moves = {key: path for key, path in found["moves"].items() if path is not None}
        fields = {**found, "moves": moves}
        return orders.WriteOrders(**fields, interdict=interdict, plan="\n".join(plan))  # type: ignore[arg-type]

    asked.each_line(text, read, so_far)
    return so_far()


def _put_path(asked: _Asked, field: str, key: str, line: Line, sheet: dict[str, object]) -> None:
    """Write down a path; None for a formation that holds: the area alone in which it stands is an assault (KH-R25)."""
    space = asked.lines(field)[key]
    start = space.start if isinstance(space, Path) else ""
    path = path_in(line.text, start, asked.board.names, asked.rule, f"{line.where}{line.key}: ")
    holds = field == "moves" and line.text.lower() in NOTHING
    asked.put(sheet, key, None if holds else path, line)


def _number(asked: _Asked, line: Line) -> int:
    if not (line.text.isascii() and line.text.isdigit() and len(line.text) < 4):
        raise asked.refuse(f"{line.where}{line.key}: {shown(line.text)} is no number of companies", "KH-R117")
    return int(line.text)


def _deployed(asked: _Asked, text: str) -> Order | None:
    """Read a deployment: who is not named stands where he did, or in the first area allowed."""
    is_usual = _word(text) == "historical"
    if not is_usual and ":" not in text:
        return None
    named_areas: dict[str, object] = {}

    def read(line: Line) -> None:
        key = asked.piece(line, asked.titles("areas", "leaders"))
        asked.put(named_areas, key, asked.area(line), line)

    def so_far() -> Order:
        fields = {
            field: {key: named_areas.get(key, _usual(asked, key, space)) for key, space in asked.lines(field).items()}
            for field in ("areas", "leaders")
        }
        return orders.Deploy(**fields)  # type: ignore[arg-type]

    asked.each_line("" if is_usual else text, read, so_far)
    return so_far()


def _usual(asked: _Asked, key: str, space: Space) -> str:
    ways = list(space.of) if isinstance(space, OneOf) else []
    card = asked.board.formations.get(key)
    return card.historical if card is not None and card.historical in ways else str(ways[0])


def _areas_by_piece(asked: _Asked, text: str) -> dict[str, object]:
    """Return areas by piece; "all: gambut" is for everybody who has no line of his own."""
    titles, found, everybody = asked.titles("areas"), dict[str, object](), dict[str, object]()
    if not titles:
        titles = _pieces_of_choices(asked)

    def read(line: Line) -> None:
        if line.key.lower() == "all":
            asked.put(everybody, "all", asked.area(line), line)
        else:
            asked.put(found, asked.piece(line, titles), asked.area(line), line)

    asked.each_line(text, read)
    return dict.fromkeys(titles, everybody["all"]) | found if everybody else found


def _pieces_of_choices(asked: _Asked) -> dict[str, str]:
    """Return the titles of who goes, where all go together: then the choices are whole dicts."""
    space = asked.form.space_of("areas", [])
    choices = space.of if isinstance(space, OneOf) else ()
    return {key: piece_words(key, asked.board) for choice in choices for key in choice}


def _entered(asked: _Asked, text: str) -> Order | None:
    return orders.EnterBy(_areas_by_piece(asked, text)) if ":" in text else None  # type: ignore[arg-type]


def _retreated(asked: _Asked, text: str) -> Order | None:
    return orders.RetreatTo(_areas_by_piece(asked, text)) if ":" in text else None  # type: ignore[arg-type]


def _advanced(asked: _Asked, text: str) -> Order | None:
    if _word(text) in {"stay", *NOTHING}:
        return orders.Advance()
    return orders.Advance(_areas_by_piece(asked, text)) if ":" in text else None  # type: ignore[arg-type]


def _allocated(asked: _Asked, text: str) -> Order | None:
    if _word(text) in NOTHING:
        return orders.Allocate()
    if ":" not in text:
        return None
    shares: dict[str, object] = {}

    def read(line: Line) -> None:
        key = asked.piece(line, asked.titles("shares"), "shares")
        if line.text.lower() not in NOTHING:
            asked.put(shares, key, share_in(line.text, "KH-5.04", f"{line.where}{line.key}: "), line)

    def so_far() -> Order:
        return orders.Allocate(shares)  # type: ignore[arg-type]

    asked.each_line(text, read, so_far)
    return so_far()


# --- a few words ---


def _withdrawn(asked: _Asked, text: str) -> Order | None:
    """Read "fighting; recon panzer_recon; ledger armor": how the force meets it, and who leaves by himself."""
    parts = [part.split() for part in text.replace("\n", ";").split(";") if part.strip()]
    if not parts or parts[0][0].lower() not in {DEFENDS, FIGHTING, PRECIPITOUS, RECON}:
        return None
    said, leaving, wrong = dict[str, object](), dict[str, object](), Wrongs()
    for words in parts:
        verb, names = words[0].lower(), words[1:]
        place = Line("", " ".join(words), "")
        with wrong.part():
            if verb in {DEFENDS, FIGHTING} and not names:
                asked.put(said, "how", verb, place)
            elif verb == "ledger" and len(names) == 1:
                asked.put(said, "ledger", names[0].lower(), place)
            elif verb not in {PRECIPITOUS, RECON} or not names:
                raise asked.refuse(f"{shown(place.key)} cannot be read: type for example stand, or fighting")
        for name in names if verb in {PRECIPITOUS, RECON} else ():
            with wrong.part():
                key = asked.piece(Line("", name, ""), asked.titles("leaving"), "leaving")
                asked.put(leaving, key, verb, place)
    wrong.refuse()
    return orders.Withdraw(said.get("how", DEFENDS), leaving, said.get("ledger", "general"))  # type: ignore[arg-type]


def _let_go(_asked: _Asked, text: str) -> Order | None:
    answer = {"let go": True, "let": True, "yes": True, "fight": False, "no": False}.get(_word(text))
    return None if answer is None else orders.LetGo(answer)


def _proposed(_asked: _Asked, text: str) -> Order | None:
    mode = MODES.get(_word(text))
    return orders.ProposeMode(mode) if mode else None


def _set_actions(_asked: _Asked, text: str) -> Order | None:
    words = text.split()
    is_number = len(words) == 2 and words[1].isascii() and words[1].isdigit() and len(words[1]) < 4
    return orders.SetActions(int(words[1])) if is_number and words[0].lower() in {"action", "actions"} else None


def _placed(asked: _Asked, text: str) -> Order | None:
    head, _, rest = text.strip().partition(" ")
    if head.lower() != "at":
        return None
    return orders.PlaceLeader(area_named(rest, asked.board.names, asked.rule))


def _ordered(asked: _Asked, text: str) -> Order | None:
    head, _, rest = text.strip().partition(" ")
    if head.lower() != "order":
        return None
    found, wrong = list[str](), Wrongs()
    for word in rest.split():
        with wrong.part():
            found.append("~".join(area_named(end, asked.board.names, asked.rule) for end in word.split("~")))
    wrong.refuse()
    return orders.OrderEngagements(found)


def _fielded(asked: _Asked, text: str) -> Order | None:
    types = getattr(asked.form.space_of("companies", []), "types", {})
    companies = read_companies(text, types, asked.rule, asked.board)
    return None if companies is None else orders.FieldCompanies(companies)


READERS: dict[type[Order], Callable[[_Asked, str], Order | None]] = {
    orders.Deploy: _deployed,
    orders.EnterBy: _entered,
    orders.Allocate: _allocated,
    orders.WriteOrders: _written,
    orders.Withdraw: _withdrawn,
    orders.LetGo: _let_go,
    orders.ProposeMode: _proposed,
    orders.SetActions: _set_actions,
    orders.FieldCompanies: _fielded,
    orders.RetreatTo: _retreated,
    orders.Advance: _advanced,
    orders.PlaceLeader: _placed,
    orders.OrderEngagements: _ordered,
}
"""How the text of each order is read."""
