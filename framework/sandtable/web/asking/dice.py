"""Physical dice: the question for their faces in words, and faces as people type them."""

import re
from collections.abc import Callable

from sandtable.kernel.decisions import Decision, EnterDice
from sandtable.kernel.options import Form, ListOf, Range
from sandtable.quoting import count

HINT = "the rolled faces: 4 2 5, or 425"
MAX_TYPED = 1_000
_SEPARATORS = re.compile(r"[\s,;]+")


def asked_dice(decision: Decision) -> ListOf | None:
    """Return the space of the faces if the umpire must give physical dice, or None."""
    options = decision.options
    space = options.fields["dice"] if isinstance(options, Form) and options.order is EnterDice else None
    return space if isinstance(space, ListOf) else None


def dice_prompt(decision: Decision, named: Callable[[str], str]) -> str:
    """Return "roll 2 six-sided dice for attack at Tobruk"; ``named`` returns the name of a part of the roll's purpose.

    For another question, return its prompt.
    """
    space = asked_dice(decision)
    if space is None or not isinstance(space.each, Range):
        return decision.prompt
    topic, *where = [named(part) for part in re.split("[.:]", decision.purpose) if part] or ["the next result"]
    place = f" at {' '.join(where)}" if where else ""
    sides = space.each.most
    return f"roll {count(space.length, f'{sides}-sided die', f'{sides}-sided dice')} for {topic}{place}"


def typed_dice(text: str, length: int) -> EnterDice | None:
    """Return the ``length`` faces in ``text``, numbers with separators or digits in a row, or None for another text."""
    parts = [each for each in _SEPARATORS.split(text[:MAX_TYPED].strip()) if each]
    if not parts or not all(each.isascii() and each.isdigit() and len(each) < MAX_TYPED for each in parts):
        return None
    if len(parts) == 1 and length > 1:
        parts = list(parts[0])
    return EnterDice([int(each) for each in parts]) if all(len(each) < 5 for each in parts) else None
