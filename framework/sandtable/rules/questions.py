"""Questions that people ask of a position, such as "sees 98 1515": how they are listed, found, and read word by word.

A game keeps a table of them by first word, and says itself what each comes to (``sandtable.plugin.manifest.Answer``).
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from sandtable.errors import PlayError
from sandtable.kernel.options.choices import shown

T = TypeVar("T")

YES, NO = True, False
"""What an answer says in a word."""
NO_EXAMPLE = "…"
"""Stands for the words of a question of which the position gives no example."""
LONGEST = 400
"""A question has at most so many characters; longer ones are not read."""
LISTED = 12
"""So many names are listed where one is unknown."""


class Query(NamedTuple):
    """A question: ``words`` are an example of what follows its name, ``tells`` what the answer says; see ``named``.

    It is followed by at least ``least`` words. ``answer`` is given the game's own look at the position, and the words.
    """

    words: str
    tells: str
    answer: Callable[[Any, list[str]], Any]
    least: int = 1


def named(questions: Mapping[str, Query], names: Mapping[str, str]) -> dict[str, Query]:
    """Return the questions with examples from the position: "{unit}" is replaced by its name there.

    Where one of the names is "", since there is none now, the whole example is ``NO_EXAMPLE``.
    """
    found = {}
    for name, each in questions.items():
        lacks = any(f"{{{key}}}" in each.words and not value for key, value in names.items())
        words = NO_EXAMPLE if lacks else each.words.format_map(names)
        found[name] = each._replace(words=words, tells=each.tells.format_map(names))
    return found


def listed(questions: Mapping[str, Query]) -> tuple[str, ...]:
    """Return the questions, one a line by example."""
    return tuple(f"{name} {each.words}".strip() + f"   {each.tells}" for name, each in questions.items())


def asked(questions: Mapping[str, Query], text: str) -> tuple[Query, list[str]] | None:
    """Return the question that a text asks, with its words; None if it asks none. PlayError if words are missing."""
    if len(text) > LONGEST:
        raise PlayError(f"a question has {LONGEST} characters at most")
    name, *words = text.split() or [""]
    question = questions.get(name.lower())
    if question is None:
        return None
    if len(words) < question.least:
        raise PlayError(f"ask so: {name.lower()} {question.words}")
    return question, words


def replied(
    questions: Mapping[str, Query], text: str, look: Callable[[], Any], tell: Callable[[None, tuple[str, ...]], T]
) -> T | None:
    """Return what the rules say to ``text``, which is asked of the position that ``look`` gives; None if it asks none.

    To "?" the questions are listed, in an answer that ``tell`` makes. Raises PlayError as ``asked`` does.
    """
    if text.strip() == "?":
        return tell(None, listed(questions))
    found = asked(questions, text)
    if found is None:
        return None
    question, words = found
    told: T = question.answer(look(), words)
    return told


def unknown(what: str, name: str, there: Iterable[str]) -> PlayError:
    """Return the error for a name that is not there: it tells what is, as far as that is short."""
    names = list(there)
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return PlayError(f"{shown(name)} is no {what}; there are {', '.join(names[:LISTED]) or 'none'}{more}")


def chances(results: Mapping[str, int], ways: int) -> str:
    """Return how likely each result is, of so many ways that are all alike: "D1 1/2, no effect 1/2"."""
    told = (f"{name} {Fraction(weight, ways)}" for name, weight in results.items() if weight)
    return ", ".join(told)
