"""Structural checks of ids and connectors, shared by maps from files and maps made in code."""

from collections.abc import Iterable, Iterator, Sequence

from sandtable.files.words import WORD, WORD_RULE, area_key, quoted


def find_structure_problems(
    ids: Iterable[str], pairs: Iterable[tuple[str, str]], keys: Sequence[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield ``(key, problem)`` for each invalid or duplicate area id and each dangling, looped or duplicate connector.

    ``pairs`` are the two ends of each connector, the lower id first. ``keys`` gives the key of each in its file;
    without it they are numbered.
    """
    known: dict[str, None] = {}
    for area_id in ids:
        if not WORD.fullmatch(area_id):
            yield area_key(area_id), f"the id is not allowed; {WORD_RULE}"
        if area_id in known:
            yield area_key(area_id), "two areas have this id; rename one"
        known[area_id] = None
    first: dict[tuple[str, str], str] = {}
    for number, (a, b) in enumerate(pairs):
        key = keys[number] if keys else f"connectors[{number}]"
        if a == b:
            yield key, f"joins {quoted(a)} to itself; name two areas"
        for end in dict.fromkeys((a, b)):
            if end not in known:
                yield key, f"there is no area {quoted(end)}; correct the id or add the area"
        twin = first.setdefault((a, b), key)
        if twin != key:
            yield key, f"{quoted(a)} and {quoted(b)} are already joined by {twin}; keep one of the two"
