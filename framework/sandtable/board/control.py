"""Control of spaces, which is plain data in the game's state: a dict from space id to its controller.

A controller is any name that the game stores there, a side or a power. Queries take one or several, so that a game in
which powers control and sides fight can query a side by naming its powers.
"""

from collections.abc import Collection, Iterable, Mapping

from sandtable.errors import RulesetError


def take_over(control: dict[str, str], space: str, taker: str) -> str:
    """Give ``space`` to ``taker``, in place, and return the previous controller; only event handlers call this.

    Raises RulesetError if the space has no entry, because control is only transferred here.
    """
    before = controller(control, space)
    control[space] = taker
    return before


def controller(control: Mapping[str, str], space: str) -> str:
    """Return the controller of ``space``. Raises RulesetError if the space has no entry."""
    if space not in control:
        raise RulesetError(f"space {space!r} has no controller; give it one when the game is set up")
    return control[space]


def spaces_of(control: Mapping[str, str], *holders: str) -> tuple[str, ...]:
    """Return the ids of the spaces that one of ``holders`` controls, sorted."""
    return tuple(sorted(space for space, holder in control.items() if holder in holders))


def value_of(control: Mapping[str, str], values: Mapping[str, int], *holders: str) -> int:
    """Return the sum of the ``values`` of the spaces that one of ``holders`` controls; a missing value counts 0."""
    return sum(values.get(space, 0) for space, holder in control.items() if holder in holders)


def count_spaces(control: Mapping[str, str]) -> dict[str, int]:
    """Return the number of spaces of each controller, controllers sorted."""
    return {holder: len(spaces_of(control, holder)) for holder in sorted(dict.fromkeys(control.values()))}


def contested_spaces(present: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Return the ids of the spaces with units of several sides, sorted; ``present`` maps a space to its sides."""
    return tuple(sorted(space for space, sides in present.items() if len(dict.fromkeys(sides)) > 1))


def control_changes(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[tuple[str, str, str], ...]:
    """Return ``(space, old controller, new controller)`` for each space that changed hands, sorted by space.

    An empty string means no entry. Reports and bots compare two states with it.
    """
    spaces = sorted({**before, **after})
    pairs = ((space, before.get(space, ""), after.get(space, "")) for space in spaces)
    return tuple((space, old, new) for space, old, new in pairs if old != new)


def find_control_problems(control: Mapping[str, str], spaces: Iterable[str], holders: Collection[str]) -> list[str]:
    """Return the problems of a set-up, sorted by space, or [] if each space has exactly one known controller."""
    known = dict.fromkeys(spaces)
    problems = []
    for space in sorted({**known, **control}):
        if space not in control:
            problems.append(f"{space}: no controller; give it to one of {', '.join(sorted(holders))}")
        elif space not in known:
            problems.append(f"{space}: is not a space of the map; correct or remove the id")
        elif control[space] not in holders:
            problems.append(f"{space}: controlled by {control[space]!r}; known are {', '.join(sorted(holders))}")
    return problems
