"""The public names for typed orders: a table of verbs, their arguments, names, texts of several parts.

``Notation`` and ``Verb`` make the table, ``TypedLine`` parses the arguments of a verb, and ``read_sheet`` a sheet.
"""

from sandtable.rules.notation.line import MAX_WORDS, OrderQuestion, TypedLine
from sandtable.rules.notation.names import NOTHING, flat, name_words, named, number_of, spellings, typed
from sandtable.rules.notation.table import Notation, Verb, kinds_in, legal_orders
from sandtable.rules.notation.tokens import (
    SURE,
    Once,
    TypedPart,
    parts_of,
    pieces_of,
    read_parts,
    read_sheet,
    split_sure,
    words_in,
)
from sandtable.rules.notation.values import read_text

__all__ = [
    "MAX_WORDS",
    "NOTHING",
    "SURE",
    "Notation",
    "Once",
    "OrderQuestion",
    "TypedLine",
    "TypedPart",
    "Verb",
    "flat",
    "kinds_in",
    "legal_orders",
    "name_words",
    "named",
    "number_of",
    "parts_of",
    "pieces_of",
    "read_parts",
    "read_sheet",
    "read_text",
    "spellings",
    "split_sure",
    "typed",
    "words_in",
]
