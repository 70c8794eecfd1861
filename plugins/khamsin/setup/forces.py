"""Reading of forces and victory: nations, company types, formations, leaders, conditions and scores (KH-25)."""

from typing import NamedTuple

from khamsin.model.cards import (
    ARCHETYPES,
    AREA,
    CHAIN,
    CONDITION_KINDS,
    DEDICATED,
    INTEL_CLASSES,
    MOBILITIES,
    MOTIVATIONS,
    SIDES,
    SKILLS,
    SYSTEMS,
    Broken,
    Chain,
    Company,
    Condition,
    FormationCard,
    Held,
    LeaderCard,
    NationCard,
    Victory,
)
from khamsin.setup.map import optional_ids
from sandtable.data import TomlTable, choice_of, flag_of, id_of, ids_of, inner, listed_rows, number_of, rows_of, text_of

FORCES_KEYS = ("nations", "companies", "formations", "leaders")
NATION_KEYS = ("title", "side", "system", "doctrine", "skill", "motivation", "lists")
COMPANY_KEYS = ("title", "archetype", "intel")
FORMATION_KEYS = (
    *("title", "side", "nation", "corps", "mobility", "activation", "strength", "options", "intel", "start", "free"),
    *("commander", "enters", "entries", "held_until", "historical", "bombards", "works", "optional"),
)
LEADER_KEYS = ("title", "side", "bonus", "corps", "start", "free", "command", "character", "optional")
MAX_FORMATIONS, MAX_STRENGTH, MAX_BONUS, MAX_TURNS = 100, 12, 3, 200


class Muster(NamedTuple):
    """The forces as read.

    ``free`` names formations and leaders that may begin in any open area of their side. ``left_out`` has the ids of
    optional ones that do not take part.
    """

    nations: dict[str, NationCard]
    companies: dict[str, Company]
    formations: dict[str, FormationCard]
    leaders: dict[str, LeaderCard]
    free: frozenset[str]
    left_out: frozenset[str]


def read_muster(table: TomlTable, *, optional: bool, no_areas: frozenset[str]) -> Muster:
    """Return the forces. Optional formations and leaders are left out unless ``optional`` is true.

    Areas in ``no_areas`` do not take part and are removed from all lists.
    """
    table.refuse_unknown(FORCES_KEYS)
    left_out: frozenset[str] = frozenset()
    if not optional:
        left_out = optional_ids(table.values.get("formations")) | optional_ids(table.values.get("leaders"))
    nations = {key: _read_nation(key, row) for key, row in rows_of(table, "nations", NATION_KEYS).items()}
    companies = {key: _read_company(key, row) for key, row in rows_of(table, "companies", COMPANY_KEYS).items()}
    rows = rows_of(table, "formations", FORMATION_KEYS)
    if len(rows) > MAX_FORMATIONS:
        table.refuse("formations", f"has {len(rows)} formations; use at most {MAX_FORMATIONS}")
    formations = {
        key: _read_formation(key, row, companies, no_areas) for key, row in rows.items() if key not in left_out
    }
    people = rows_of(table, "leaders", LEADER_KEYS)
    leaders = {key: _read_leader(key, row, no_areas) for key, row in people.items() if key not in left_out}
    free = frozenset(key for key, row in (rows | people).items() if flag_of(row, "free"))
    return Muster(nations, companies, formations, leaders, free, left_out)


def _read_nation(key: str, table: TomlTable) -> NationCard:
    return NationCard(
        id=key,
        title=text_of(table, "title", None),
        side=choice_of(table, "side", SIDES),
        system=choice_of(table, "system", SYSTEMS, DEDICATED),
        doctrine=flag_of(table, "doctrine"),
        skill=choice_of(table, "skill", SKILLS, "trained"),
        motivation=choice_of(table, "motivation", MOTIVATIONS, "confident"),
        lists=text_of(table, "lists"),
    )


def _read_company(key: str, table: TomlTable) -> Company:
    archetype, intel = choice_of(table, "archetype", ARCHETYPES), choice_of(table, "intel", INTEL_CLASSES)
    return Company(key, text_of(table, "title", None), archetype, intel)


def _read_formation(
    key: str, table: TomlTable, companies: dict[str, Company], no_areas: frozenset[str]
) -> FormationCard:
    options = ids_of(table, "options")
    usual = companies[options[0]].intel if options and options[0] in companies else INTEL_CLASSES[0]
    return FormationCard(
        id=key,
        title=text_of(table, "title", None),
        side=choice_of(table, "side", SIDES),
        nation=id_of(table, "nation"),
        corps=id_of(table, "corps", ""),
        mobility=choice_of(table, "mobility", MOBILITIES),
        activation=number_of(table, "activation", 1, 6),
        strength=number_of(table, "strength", 0, MAX_STRENGTH),
        options=options,
        intel=choice_of(table, "intel", INTEL_CLASSES, usual),
        start=ids_of(table, "start", no_areas),
        commander=text_of(table, "commander"),
        enters=number_of(table, "enters", 0, MAX_TURNS, 0),
        entries=ids_of(table, "entries", no_areas),
        held_until=number_of(table, "held_until", 0, MAX_TURNS, 0),
        historical=id_of(table, "historical", ""),
        bombards=flag_of(table, "bombards"),
        works=ids_of(table, "works", no_areas),
    )


def _read_leader(key: str, table: TomlTable, no_areas: frozenset[str]) -> LeaderCard:
    return LeaderCard(
        id=key,
        title=text_of(table, "title", None),
        side=choice_of(table, "side", SIDES),
        bonus=number_of(table, "bonus", 0, MAX_BONUS, 1),
        corps=id_of(table, "corps", ""),
        start=ids_of(table, "start", no_areas),
        command=flag_of(table, "command"),
        character=flag_of(table, "character"),
    )


VICTORY_KEYS = ("conditions", "score", "ineffective", "margin", "ranks")
CONDITION_KEYS = ("side", "kind", "from", "to", "area", "turns", "of", "count", "text")
MAX_SCORE = 100


def read_victory(document: TomlTable, left_out: frozenset[str]) -> Victory:
    """Return the conditions and scores; formations in ``left_out`` are dropped from lists."""
    table = inner(document, "victory", VICTORY_KEYS)
    score = inner(table, "score", must=False)
    ranks = ids_of(table, "ranks")
    if ranks and sorted(ranks) != sorted(SIDES):
        table.refuse("ranks", "must name both sides, first the one that wins if both do in one turn; or leave it out")
    return Victory(
        conditions=tuple(_read_condition(row, left_out) for row in listed_rows(table, "conditions", CONDITION_KEYS)),
        score={area: number_of(score, area, 0, MAX_SCORE) for area in sorted(score.values)},
        ineffective=number_of(table, "ineffective", 0, MAX_SCORE, 0),
        margin=number_of(table, "margin", 1, MAX_SCORE, 1),
        ranks=ranks,
    )


def _read_condition(row: TomlTable, left_out: frozenset[str]) -> Condition:
    kind, side, text = (
        choice_of(row, "kind", CONDITION_KINDS),
        choice_of(row, "side", SIDES),
        text_of(row, "text", None),
    )
    if kind == CHAIN:
        return Chain(side, id_of(row, "from"), id_of(row, "to"), number_of(row, "turns", 1, MAX_TURNS, 1), text)
    if kind == AREA:
        return Held(side, id_of(row, "area"), number_of(row, "turns", 1, MAX_TURNS, 1), text)
    return Broken(side, ids_of(row, "of", left_out), number_of(row, "count", 1, MAX_FORMATIONS), text)
