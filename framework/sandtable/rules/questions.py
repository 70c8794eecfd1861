"""Queries about a position, such as "sees 98 1515": how they are listed, found, and parsed word by word.

A game keeps a table of queries by first word, and computes each answer itself (``sandtable.plugin.manifest.Answer``).
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from sandtable.errors import PlayError
from sandtable.kernel.options.choices import shown

T = TypeVar("T")

YES, NO = True, False
"""The short answers to a query: yes and no."""
NO_EXAMPLE = "…"
"""Placeholder for the words of a query for which the position has no example."""
LONGEST = 400
"""Maximum number of characters in a query; longer ones are refused."""
LISTED = 12
"""Maximum number of names listed in the error for an unknown name."""


class Query(NamedTuple):
    """A query: ``words`` are an example of the words after its name, ``describes`` describes the answer; see ``named``.

    At least ``least`` words must follow its name. ``answer`` gets the game's own view of the position, and the words.
    """

    words: str
    describes: str
    answer: Callable[[Any, list[str]], Any]
    least: int = 1


def named(questions: Mapping[str, Query], names: Mapping[str, str]) -> dict[str, Query]:
    """Return the queries with examples from the position: "{unit}" is replaced with the name in ``names``.

    If one of the names is "", because none exists now, the example becomes ``NO_EXAMPLE``.
    """
    found = {}
    for name, each in questions.items():
        lacks = any(f"{{{key}}}" in each.words and not value for key, value in names.items())
        words = NO_EXAMPLE if lacks else each.words.format_map(names)
        found[name] = each._replace(words=words, describes=each.describes.format_map(names))
    return found


def listed(questions: Mapping[str, Query]) -> tuple[str, ...]:
    """Return the queries, one per line, by example."""
    return tuple(f"{name} {each.words}".strip() + f"   {each.describes}" for name, each in questions.items())


def asked(questions: Mapping[str, Query], text: str) -> tuple[Query, list[str]] | None:
    """Return the query in a text and its words, or None if there is no query. Raises PlayError if words are missing."""
    if len(text) > LONGEST:
        raise PlayError(f"a query may have at most {LONGEST} characters")
    name, *words = text.split() or [""]
    question = questions.get(name.lower())
    if question is None:
        return None
    if len(words) < question.least:
        raise PlayError(f"words are missing; for example: {name.lower()} {question.words}")
    return question, words


def replied(
    questions: Mapping[str, Query], text: str, look: Callable[[], Any], tell: Callable[[None, tuple[str, ...]], T]
) -> T | None:
    """Return the answer of the rules to ``text`` about the position of ``look``, or None if it is not a query.

    For "?" the queries are listed, in an answer made by ``tell``. Raises PlayError as ``asked`` does.
    """
    if text.strip() == "?":
        return tell(None, listed(questions))
    found = asked(questions, text)
    if found is None:
        return None
    question, words = found
    answer: T = question.answer(look(), words)
    return answer


def unknown(what: str, name: str, there: Iterable[str]) -> PlayError:
    """Return the error for an unknown name; it lists the first known names."""
    names = list(there)
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return PlayError(f"{shown(name)} is not a {what}; there are {', '.join(names[:LISTED]) or 'none'}{more}")


def chances(results: Mapping[str, int], ways: int) -> str:
    """Return the probability of each result, out of ``ways`` equally likely ones: "D1 1/2, no effect 1/2"."""
    parts = (f"{name} {Fraction(weight, ways)}" for name, weight in results.items() if weight)
    return ", ".join(parts)
