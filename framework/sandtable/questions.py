"""The public names for answering queries about a position: whether, why not, and the probabilities."""

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
