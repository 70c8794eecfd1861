"""Reading how a campaign is won (KH-25)."""

from khamsin.model.cards import AREA, CHAIN, CONDITION_KINDS, SIDES, Broken, Chain, Condition, Held, Victory
from khamsin.setup.forces import MOST_FORMATIONS, MOST_TURNS
from sandtable.files.document import Table
from sandtable.files.fields import choice_of, id_of, ids_of, inner, listed_rows, number_of, text_of

VICTORY_KEYS = ("conditions", "score", "ineffective", "margin", "ranks")
CONDITION_KEYS = ("side", "kind", "from", "to", "area", "turns", "of", "count", "text")
MOST_SCORE = 100


def read_victory(document: Table, left_out: frozenset[str]) -> Victory:
    """Return the conditions and scores; formations ``left_out`` are dropped from lists of them."""
    table = inner(document, "victory", VICTORY_KEYS)
    score = inner(table, "score", must=False)
    ranks = ids_of(table, "ranks")
    if ranks and sorted(ranks) != sorted(SIDES):
        table.refuse("ranks", "must be both sides, the one first that wins if both do in one turn; or leave it out")
    return Victory(
        conditions=tuple(_read_condition(row, left_out) for row in listed_rows(table, "conditions", CONDITION_KEYS)),
        score={area: number_of(score, area, 0, MOST_SCORE) for area in sorted(score.values)},
        ineffective=number_of(table, "ineffective", 0, MOST_SCORE, 0),
        margin=number_of(table, "margin", 1, MOST_SCORE, 1),
        ranks=ranks,
    )


def _read_condition(row: Table, left_out: frozenset[str]) -> Condition:
    kind, side, text = (
        choice_of(row, "kind", CONDITION_KINDS),
        choice_of(row, "side", SIDES),
        text_of(row, "text", None),
    )
    if kind == CHAIN:
        return Chain(side, id_of(row, "from"), id_of(row, "to"), number_of(row, "turns", 1, MOST_TURNS, 1), text)
    if kind == AREA:
        return Held(side, id_of(row, "area"), number_of(row, "turns", 1, MOST_TURNS, 1), text)
    return Broken(side, ids_of(row, "of", left_out), number_of(row, "count", 1, MOST_FORMATIONS), text)
