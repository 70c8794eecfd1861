"""A table of verbs: the words with which the orders of a ruleset are typed, and what follows each of them.

    NOTATION = Notation(
        Verb("end, done", orders.EndMoves()),             # a word, or several names for it, that is an order
        Verb("go", orders.Step, Tape.hex),                # a word, then a value for each field of the order
        Verb("fire", orders.Fire),                        # a word, then each field as its space is typed
        Verb("raise", reads=raised, gives=orders.Raise),  # a word, then the rest as parsed by ``raised(line)``
    )
    read_order = NOTATION.read_order

"?" is answered with examples, which are legal orders of the pending decision; ``examples`` replaces the standard ones.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import AnyOf, Form, OneOf, Space
from sandtable.kernel.options.choices import listing, shown
from sandtable.rules.notation.line import OrderQuestion, TypedLine
from sandtable.rules.notation.names import typed
from sandtable.rules.notation.values import only_value, read_fields

TRIES = 12
"""Number of attempts to draw an example from a space that has orders of several types."""
JOINT = ", or: "
"""Separator between examples."""
FEW = 3
"""Maximum number of examples in a refusal."""

Reader = Callable[[Any], Any]
Examples = Callable[[OrderQuestion], Iterable[str]]
Kinds = tuple[type[Order], ...] | Callable[[Any], tuple[type[Order], ...]]


class Verb:
    """A word of a notation: its ``names``, separated by commas, the order that it ``gives``, and what it ``takes``.

    ``gives`` is an order, or a type of order whose fields are the values that ``takes`` read from the line, in order;
    ``reads`` builds the order itself. A verb without a name is for texts that begin with something different: its
    ``reads`` gets the whole line, and returns None for a text that is not its own.
    """

    def __init__(
        self,
        names: str,
        gives: type[Order] | Order,
        *takes: Reader,
        reads: Reader | None = None,
        examples: Examples | None = None,
    ) -> None:
        self.names = [each.strip() for each in names.split(",") if each.strip()]
        self.gives = gives
        self.kind: type[Order] = gives if isinstance(gives, type) else type(gives)
        self._takes, self._reads, self._examples = takes, reads, examples

    def read(self, line: TypedLine) -> Any:
        """Return the order that the line after the verb means. Raises IllegalOrder."""
        if self._reads is not None:
            return self._reads(line)
        if isinstance(self.gives, Order):
            return self.gives
        if self._takes:
            return self.gives(*[take(line) for take in self._takes])
        return read_fields(line)

    def examples(self, asked: OrderQuestion) -> Iterator[str]:
        """Yield lines that can be typed for legal orders."""
        name = self.names[0] if self.names else ""
        if self._examples is not None:
            yield from self._examples(asked)
        elif isinstance(self.gives, Order):
            yield from [name] if asked.space.is_legal(self.gives) else ()
        else:
            is_usual = not (self._takes or self._reads)
            for order in islice(legal_orders(asked), 1):
                values = fields_typed(order, asked.space) if is_usual else typed(order)
                yield f"{name} {values}".strip()


def legal_orders(asked: OrderQuestion) -> Iterator[Any]:
    """Yield a legal order of type ``asked.kind`` if one is found, or all of them if they are listed."""
    if isinstance(asked.space, OneOf):
        yield from (each for each in asked.space.of if type(each) is asked.kind)
        return
    stream = Stream.for_player(b"examples", asked.decision.seat)
    for _ in range(TRIES):
        try:
            order = asked.space.sample(stream)
        except ValueError:
            return
        if type(order) is asked.kind:
            yield order
            return


def fields_typed(order: Order, space: Space) -> str:
    """Return the fields of an order as they are typed by their spaces; fields without a choice are left out."""
    if not isinstance(space, Form):
        return typed(order)
    texts, before = list[str](), list[Any]()
    for name in space.fields:
        field = space.space_of(name, before)
        before.append(getattr(order, name))
        if not only_value(field):
            texts.append(typed(before[-1]))
    return " ".join(texts)


def kinds_in(space: Space, asks: Mapping[type[Space], Kinds]) -> Iterator[tuple[type[Order], Space]]:
    """Yield the types of order in a space, each with its space; ``asks`` gives those of spaces that are not a Form."""
    if isinstance(space, AnyOf):
        for each in space.spaces:
            yield from kinds_in(each, asks)
    elif isinstance(space, Form):
        yield space.order, space
    elif isinstance(space, OneOf):
        yield from ((type(each), space) for each in space.of if isinstance(each, Order))
    else:
        kinds = asks.get(type(space), ())
        yield from ((kind, space) for kind in (kinds(space) if callable(kinds) else kinds))


class Notation:
    """The notation of a ruleset: its verbs, in the order in which they are searched.

    ``asks`` gives the types of order for the ruleset's own kinds of space, and may depend on the space. ``line`` is the
    class of the lines that its verbs read. ``remark`` returns the text after the examples, such as prices.
    """

    def __init__(
        self,
        *verbs: Verb,
        asks: Mapping[type[Space], Kinds] | None = None,
        line: type[TypedLine] = TypedLine,
        remark: Callable[[Decision], str] | None = None,
    ) -> None:
        self.verbs, self._asks, self._line, self._remark = verbs, asks or {}, line, remark
        self._words = [(name.split(), verb) for verb in verbs for name in verb.names]

    def kinds(self, space: Space) -> dict[type[Order], Space]:
        """Return the space for each type of order in a space: if several have a type, the last, which offers most."""
        return dict(kinds_in(space, self._asks))

    def answered(self, space: Space) -> dict[type[Order], Space]:
        """Return the space that answers each type of order, even if only that the order is not possible now."""
        return self.kinds(space)

    def read_order(self, decision: Decision, text: str, board: Any) -> Any:
        """Return the order that ``text`` means for ``decision``, or None if it is not in this notation.

        For "?" it returns what can be typed. Raises IllegalOrder, with the position in the text, if the rest cannot be
        parsed or the word does not apply to this decision.
        """
        if text.strip() == "?":
            return self.hint(decision, board) or None
        verbs, words = self._found(text)
        answered = self.answered(decision.options)
        for verb in (*verbs, *(each for each in self.verbs if not each.names)):
            if verb.kind in answered:
                line = self._line(text, OrderQuestion(decision, verb.kind, answered[verb.kind], board))
                line.place = words if verb.names else 0
                order = _read(verb, line)
                if order is not None or verb.names:
                    return order
        begun = [(" ".join(name), verb.kind in answered) for name, verb in self._words if name[:1] == _plain(text)[:1]]
        near = [name for name, is_asked in begun if is_asked]
        if near and not verbs:
            raise IllegalOrder(decision.rule, f"{shown(text)} cannot be parsed: type {listing(near)}")
        if begun:
            examples = [each.partition(" (")[0] for each in self.examples(decision, board) if each[:1] != "("]
            example = f"; type for example: {JOINT.join(examples[:FEW])}" if examples else ""
            raise IllegalOrder(decision.rule, f"that order does not apply now: {decision.prompt}{example}")
        return None

    def _found(self, text: str) -> tuple[list[Verb], int]:
        """Return the verbs with which a text begins, those with the most words only, and the number of words."""
        words = _plain(text)
        begun = [(len(name), verb) for name, verb in self._words if words[: len(name)] == name]
        longest = max((number for number, _ in begun), default=0)
        return [verb for number, verb in begun if number == longest], longest

    def examples(self, decision: Decision, board: Any) -> list[str]:
        """Return lines that can be typed now: each means a legal order and may end with a remark.

        A line in parentheses is a remark on all of them. The order that ends the question comes last.
        """
        found: dict[str, None] = {}
        kinds = self.kinds(decision.options)
        for kind, space in sorted(kinds.items(), key=lambda each: each[0] is type(decision.done)):
            asked = OrderQuestion(decision, kind, space, board)
            lines = [line for verb in self.verbs if verb.kind is kind for line in verb.examples(asked)]
            found |= dict.fromkeys(line for line in lines if line[:1] == "(" or self._is_valid(line, asked))
        return list(found)

    def _is_valid(self, line: str, asked: OrderQuestion) -> bool:
        """Return whether an example, without its remark, can be read and is legal as far as it is an order."""
        text = line.partition(" (")[0]
        try:
            order = self.read_order(asked.decision, text, asked.board)
        except IllegalOrder:
            return False
        return order is not None and not (isinstance(order, Order) and asked.space.wrong_alone(order))

    def hint(self, decision: Decision, board: Any) -> str:
        """Return examples of the orders that can be typed now, or "" if none are known."""
        examples = self.examples(decision, board)
        remarks = [each for each in examples if each[:1] == "("]
        typed_ = JOINT.join(each for each in examples if each not in remarks)
        return "  ".join(filter(None, [typed_, *remarks])) + (
            self._remark(decision) if self._remark and examples else ""
        )


def _plain(text: str) -> list[str]:
    return [each.strip(",:") for each in text.lower().split()]


def _read(verb: Verb, line: TypedLine) -> Any:
    """Return the result of a verb for its line; raises IllegalOrder with all errors in it."""
    order = None
    with line.wrongs.part():
        order = verb.read(line)
        if verb.names:
            line.end()
    line.wrongs.refuse()
    return order
