"""Parser for the companies of an engagement: "15_pz_div panzer command; 21_pz_div panzer by Gary"."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from khamsin.engagement.company_options import Companies
from khamsin.model.cards import Board
from khamsin.model.state import Fielded
from khamsin.ui.terms import piece_words, whole_of
from sandtable import IllegalOrder, RefusalCollector, Stream, listing, shown
from sandtable.notation import OrderQuestion, named, parts_of, words_in

FLAGS = ("command", "bonus", "air", "trade")


def read_companies(text: str, types: Mapping[str, Sequence[str]], rule: str, board: Board) -> list[Fielded] | None:
    """Parse companies separated by ";": formation and type, then flags, "by" a player, "stratagems" of a commander.

    ``types`` has the formations that may field companies here. Returns None if the text is not in this notation. Raises
    IllegalOrder, with the position, for text that cannot be parsed.
    """
    parts = [list(words_in(part.text)) for part in parts_of(text, rule)]
    own = {key: piece_words(key, board) for key in types}
    if not parts or not (named(parts[0][0][1], own) or len(parts[0]) > 1):
        return None
    found, wrong = list[Fielded](), RefusalCollector()
    for words in parts:
        with wrong.part():
            found.append(_company(words, own, rule, board))
    wrong.refuse()
    return found


def _company(words: list[tuple[str, str]], own: Mapping[str, str], rule: str, board: Board) -> Fielded:
    """Parse one company from its words, each with its position."""
    at, word = words[0]
    formation = named(word, own)
    if not formation:
        raise IllegalOrder(rule, f"{at}{shown(word)} has no company here: choose {listing(list(own))}")
    options = board.formations[whole_of(formation, board)].options
    titles = {each: board.companies[each].title for each in options}
    at, word = words[1] if len(words) > 1 else (f"{shown(word)}: ", "")
    company = named(word, titles)
    if not company:
        raise IllegalOrder(rule, f"{at}name a company type of {formation}: {listing(options)}")
    return Fielded(formation, company, **_flags(words[2:], rule, board))


def _flags(words: list[tuple[str, str]], rule: str, board: Board) -> dict[str, Any]:
    """Parse the words after the type of a company."""
    fields: dict[str, Any] = {}
    wrong, rest = RefusalCollector(), iter(words)
    for at, word in rest:
        name = word.lower()
        field = "player" if name == "by" else name
        value: str | bool = True
        if name in {"by", "stratagems"}:
            name_given = next(rest, ("", ""))[1]
            value = name_given and _person(board, name_given)
        elif name not in FLAGS:
            wrong.add(IllegalOrder(rule, f"{at}{shown(word)} is not one of {listing([*FLAGS, 'by', 'stratagems'])}"))
            continue
        if not value:
            wrong.add(IllegalOrder(rule, f"{at}write a name after {name}"))
        elif field in fields:
            wrong.add(IllegalOrder(rule, f"{at}{name} is written twice"))
        fields[field] = value
    wrong.refuse()
    return fields


def _person(board: Board, name: str) -> str:
    """Return the player or commander whose name is or starts with ``name``, or ``name`` itself if none does.

    "_" stands for a space.
    """
    known = [each for table in (board.commanders, board.stratagems) for names in table.values() for each in names]
    return named(name, dict.fromkeys(known, "")) or next(
        (each for each in known if each.lower().startswith(name.lower())), name
    )


def companies_example(asked: OrderQuestion) -> str:
    """Return companies that may be fielded here, and the flags that may follow one."""
    space: Companies = asked.field("companies")
    try:
        companies = space.sample(Stream.for_player(b"examples", asked.side))
    except ValueError:  # no valid combination exists: the refusal of a typed order gives the reason
        companies = [Fielded(name, types[0]) for name, types in space.types.items() if types]
    texts = "; ".join(_company_words(each) for each in companies)
    may = {
        "command": space.has_people and not space.large,
        "bonus": space.has_bonus,
        "air": space.has_air,
        "trade": space.may_trade,
        "by PLAYER": bool(space.players),
        "stratagems COMMANDER": bool(space.stratagems),
    }
    flags = ", ".join(f"{word}{FLAG_NOTES.get(word, '')}" for word, allowed in may.items() if allowed)
    each_one = "for the one large battle" if space.large else "one for each action, in order"
    typed = f"{texts}  (FORMATION COMPANY, {each_one}" + (f"; optionally followed by: {flags})" if flags else ")")
    return "\n".join([typed, f"  companies to field: {space.number}", *_choices(space)])


FLAG_NOTES = {
    "command": " (the higher command team, with one company)",
    "air": " (air support)",
    "trade": " (gives up its re-rolls for a full move before the game)",
    "bonus": " (the extra points, for the company with the command team)",
    "by PLAYER": " (the player who leads it)",
}
"""Meanings of the words after a company."""


def _choices(space: Companies) -> Iterator[str]:
    """Yield the companies that each formation may field, its wear, and the remaining air support."""
    texts = dict(space.status())
    for name, types in space.types.items():
        least, most = space.bounds.get(name, (0, space.number))
        number = str(most) if least == most else f"{least} to {most}"
        wear = f"  ({texts[name]})" if name in texts else ""
        yield f"    {name}: {number} of {listing(list(types))}{wear}"
    if "air" in texts:
        yield f"    air support: {texts['air']}"


def _company_words(each: Fielded) -> str:
    """Return a company as it is typed."""
    flags = [name for name in FLAGS if getattr(each, name)]
    people = {"by": each.player, "stratagems": each.stratagems}
    name_given = [f"{word} {name.replace(' ', '_')}" for word, name in people.items() if name]
    return " ".join([each.formation, each.company, *flags, *name_given])
