"""All for answering what people ask of a position: whether, why not, what are the chances."""

from sandtable.rules.questions import NO, YES, Query, chances, named, replied, unknown

__all__ = [
    "NO",
    "YES",
    "Query",
    "chances",
    "named",
    "replied",
    "unknown",
]
