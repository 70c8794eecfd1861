"""Changing a log: a die, an order, an event, the winner, what people did, or the order of the lines."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from format_proofs import Tables
from rechained import Place, altered, places, strange, value_at
from removals import renumbered

from sandtable.kernel.decisions import UMPIRE

PEOPLE = ("ruling", "end", "undo", "hand", "key", "shares", "burnt", "chain", "claim")
"""Kinds of records that people or their programs make, beside orders."""


class Change(NamedTuple):
    """A changed log: a description, its lines, and the line in which a value was changed, -1 without one."""

    what: str
    lines: Tables
    line: int = -1


Changing = Callable[[Random, Tables], Change | None]


def _field_of(rng: Random, lines: Tables, sort: str, field: str) -> Change | None:
    """Change one value in ``field`` of a record, in its line or in an opening."""
    records = [
        index
        for index, line in enumerate(lines)
        if index and any(field in part for part in (line, *line.get("opened", {}).values()))
    ]
    if not records:
        return None
    index = rng.choice(records)
    spots = [
        (index, keys)
        for _, keys in places([lines[index]])
        if field in keys and keys[0] in {field, "opened"} and "calculations" not in keys and "type" not in keys
        if type(value_at(lines, (index, keys))) in {int, str}
    ]
    if not spots:
        return None
    place = rng.choice(spots)
    value = value_at(lines, place)
    others = [value % 6 + 1] if sort == "die" else [each for each in strange(value) if each != value]
    return Change(f"{sort} at {place}", altered(lines, place, rng.choice(others)), place[0])


def a_die(rng: Random, lines: Tables) -> Change | None:
    """Change a die."""
    return _field_of(rng, lines, "die", "dice")


def an_order(rng: Random, lines: Tables) -> Change | None:
    """Change a value in an order."""
    return _field_of(rng, lines, "order", "order")


def an_event(rng: Random, lines: Tables) -> Change | None:
    """Change a value in an event."""
    return _field_of(rng, lines, "event", "event")


def a_question(rng: Random, lines: Tables) -> Change | None:
    """Change the question that an order answers."""
    return _field_of(rng, lines, "question", "asked")


def winner(rng: Random, lines: Tables) -> Change | None:
    """Let a different side win."""
    return Change("winner", other_winner(lines))


def another_of_the_seat(rng: Random, lines: Tables) -> Change | None:
    """Replace an order by a different one of its seat in the same game."""
    spots = [index for index, line in enumerate(lines) if line["kind"] == "order" and "order" in _shown(line)]
    if len(spots) < 2:
        return None
    index = rng.choice(spots)
    try:
        other = another_order(lines, index)
    except (ValueError, KeyError):
        return None
    place: Place = (index, ("order",) if "order" in lines[index] else ("opened", "umpire", "order"))
    return Change(f"another order in {index}", altered(lines, place, other), index)


def a_fact_of_people(rng: Random, lines: Tables) -> Change | None:
    """Change a value in a record that people made, or in the close."""
    kinds = sorted({line["kind"] for line in lines if line["kind"] in (*PEOPLE, "close", "seal")})
    if not kinds:
        return None
    kind = rng.choice(kinds)
    index = rng.choice([index for index, line in enumerate(lines) if line["kind"] == kind])
    spots = [keys for _, keys in places([lines[index]]) if keys and strange(value_at([lines[index]], (0, keys)))]
    keys = rng.choice(spots)
    was = value_at(lines, (index, keys))
    value = rng.choice([each for each in strange(was) if each != was] or [None])
    return Change(f"{keys} of {kind} {index} is {value!r}", altered(lines, (index, keys), value), index)


def a_fact_of_the_header(rng: Random, lines: Tables) -> Change | None:
    """Change a value in the header that is evidence, or that the rules read."""
    labels = {"framework", "players", "format", "format_version", "game", "ruleset_hash"}
    spots = [keys for number, keys in places(lines[:1]) if keys and keys[0] not in labels]
    spots = [keys for keys in spots if strange(value_at(lines, (0, keys)))]
    keys = rng.choice(spots)
    was = value_at(lines, (0, keys))
    value = rng.choice([each for each in strange(was) if each != was] or [None])
    return Change(f"{keys} of the header is {value!r}", altered(lines, (0, keys), value), 0)


def another_mode(rng: Random, lines: Tables) -> Change | None:
    """State different dice in the header."""
    if not any(line["kind"] == "roll" for line in lines):
        return None  # nothing shows the mode
    modes = [each for each in ("open", "host", "manual", "shared") if each != lines[0]["dice"]]
    return Change("another mode of dice", altered(lines, (0, ("dice",)), rng.choice(modes)))


def exchanged(rng: Random, lines: Tables) -> Change | None:
    """Exchange two records, often neighbors."""
    one = rng.randrange(1, len(lines) - 1)
    two = one + 1 if rng.randrange(2) else rng.randrange(1, len(lines))
    if _same(lines[one], lines[two]):
        return None
    order = list(range(len(lines)))
    order[one], order[two] = two, one
    return Change(f"records {one} and {two} exchanged", _in_order(lines, order))


def moved(rng: Random, lines: Tables) -> Change | None:
    """Move a record of people or an order to another place."""
    spots = [index for index, line in enumerate(lines) if line["kind"] in (*PEOPLE, "order")]
    if not spots:
        return None
    index, to = rng.choice(spots), rng.randrange(1, len(lines))
    order = [each for each in range(len(lines)) if each != index]
    order.insert(to, index)
    if order == list(range(len(lines))):
        return None
    return Change(f"{lines[index]['kind']} {index} moved to {to}", renumbered([lines[each] for each in order]))


def repeated(rng: Random, lines: Tables) -> Change | None:
    """Repeat a record later in the game."""
    index = rng.randrange(1, len(lines))
    to = rng.randrange(index + 1, len(lines) + 1)
    return Change(f"{lines[index]['kind']} {index} again before {to}", inserted(lines, to, dict(lines[index])))


def other_seat(rng: Random, lines: Tables) -> Change | None:
    """Give a record to a different seat."""
    spots = [index for index, line in enumerate(lines) if line.get("by")]
    seats = sorted({line["by"] for line in lines if line.get("by")} | {*lines[0]["players"], UMPIRE})
    if not spots:
        return None
    index = rng.choice(spots)
    by = rng.choice([each for each in seats if each != lines[index]["by"]])
    return Change(f"{lines[index]['kind']} {index} by {by}", altered(lines, (index, ("by",)), by), index)


CHANGES: tuple[Changing, ...] = (
    a_die,
    an_order,
    an_event,
    a_question,
    winner,
    another_of_the_seat,
    a_fact_of_people,
    a_fact_of_the_header,
    another_mode,
    exchanged,
    moved,
    repeated,
    other_seat,
)


FIRM_CHANGES: tuple[Changing, ...] = (a_die, an_order, another_of_the_seat, a_fact_of_people, other_seat)


def is_firm(lines: Tables, index: int) -> bool:
    """Return whether every file proves record ``index`` without the rules: shared dice, and what seats signed."""
    keys, line = lines[0].get("keys", {}), lines[index]
    kind, by = line["kind"], line.get("by", "")
    if kind in {"roll", "shares", "burnt", "chain"}:
        return bool(lines[0]["dice"] == "shared" and "closed" not in line)
    if kind in {"ruling", "end"}:
        return bool(line.get("signature") or line.get("signatures"))
    if kind in {"order", "undo"} and by in keys:
        return any(each["kind"] == "hand" and each["by"] == by for each in lines[index:])
    return kind in {"hand", "key"}


def inserted(lines: Tables, index: int, line: dict[str, Any]) -> Tables:
    """Return the lines with another one before the line at ``index``, numbered consecutively."""
    later = [{**each, "n": each["n"] + 1} for each in lines[index:]]
    return renumbered([*lines[:index], {**line, "n": index}, *later])


def other_winner(lines: Tables) -> Tables:
    """Return the lines with a different winner in the last event and the close."""
    last = lines[-1]
    if "outcome" not in last:
        index = max(index for index, line in enumerate(lines) if line["kind"] == "event")
        event = {"kind": "event", "n": index, "event": {"type": "TurnBegan", "turn": 77}}
        return [*lines[:index], event, *lines[index + 1 :]]
    return [_won_by_other(line) for line in lines]


def _won_by_other(line: dict[str, Any]) -> dict[str, Any]:
    if line["kind"] in {"close", "end"}:
        return {**line, "outcome": "draw" if line["outcome"] != "draw" else "axis"}
    if line.get("event", {}).get("type") != "GameEnded":
        return line
    was = line["event"]["outcome"]
    return {**line, "event": {**line["event"], "outcome": "draw" if was != "draw" else "axis"}}


def dice_raised(lines: Tables) -> Tables:
    """Return the lines with every visible die increased by one."""
    return [
        {**line, "dice": [face % line["sides"] + 1 for face in line["dice"]]}
        if line["kind"] == "roll" and "dice" in line
        else line
        for line in lines
    ]


def another_order(lines: Tables, number: int) -> dict[str, Any]:
    """Return a valid order that is not the one in record ``number``: another one of its seat, if there is one."""
    whole = [{**line, **line.get("opened", {}).get("umpire", {})} for line in lines]
    rest = [line for line in whole if line["kind"] == "order" and "order" in line]
    rest = [line for line in rest if line["order"] != whole[number]["order"]]
    given: dict[str, Any] = max(rest, key=lambda line: line["by"] == whole[number]["by"])["order"]
    return given


def _shown(line: dict[str, Any]) -> dict[str, Any]:
    return {**line, **line.get("opened", {}).get(UMPIRE, {})}


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return {**one, "n": 0} == {**other, "n": 0}


def _in_order(lines: Tables, order: list[int]) -> Tables:
    """Return the lines in an ``order`` of indexes, numbered consecutively; the header stays the first."""
    return [{**lines[each], "n": index} if index else lines[each] for index, each in enumerate(order)]
