"""The default notation of a ruleset: each order by its name, then its fields by their spaces.

"drop 3", "march b1 0804 0805", "plot b1: 0804; b2: 0805". For a name of several words, the first word is enough if it
is unambiguous.
"""

from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream
from sandtable.kernel.options import Space
from sandtable.rules.notation.names import name_words
from sandtable.rules.notation.table import Notation, Verb, kinds_in


def usual(decision: Decision) -> Notation:
    """Return the default notation for the orders of ``decision``."""
    own = _own_kind(decision)
    kinds = list(dict.fromkeys(kind for kind, _ in kinds_in(decision.options, own)))
    names = [name_words(kind.__name__) for kind in kinds]
    firsts = [name.partition(" ")[0] for name in names]
    verbs = (
        Verb(f"{name}, {first}" if firsts.count(first) == 1 else name, kind)
        for kind, name, first in zip(kinds, names, firsts, strict=True)
    )
    return Notation(*verbs, asks=own)


def _own_kind(decision: Decision) -> dict[type[Space], tuple[type[Order], ...]]:
    """Return the type of order of a ruleset's own kind of space: the type of an order drawn from it."""
    if next(kinds_in(decision.options, {}), None) is not None:
        return {}
    try:
        order = decision.options.sample(Stream.for_player(b"kinds", decision.seat))
    except ValueError:
        return {}
    return {type(decision.options): (type(order),)} if isinstance(order, Order) else {}
