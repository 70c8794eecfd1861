"""All for orders as people type them: a table of verbs, what follows a verb, names, texts of several parts."""

from sandtable.rules.notation.line import OrderAsked, TypedLine
from sandtable.rules.notation.names import flat, named, spellings, typed
from sandtable.rules.notation.parts import Once, TypedPart, parts_of, read_parts, read_sheet
from sandtable.rules.notation.table import Notation, Verb, legal_orders
from sandtable.rules.notation.values import read_text

__all__ = [
    "Notation",
    "Once",
    "OrderAsked",
    "TypedLine",
    "TypedPart",
    "Verb",
    "flat",
    "legal_orders",
    "named",
    "parts_of",
    "read_parts",
    "read_sheet",
    "read_text",
    "spellings",
    "typed",
]
