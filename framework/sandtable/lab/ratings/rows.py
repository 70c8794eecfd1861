"""The row of a game in a store: its columns, the tables in them as JSON text, and validation against a tournament.

The store may come from an untrusted source. The decoders raise msgspec.MsgspecError for invalid values.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

import msgspec

from sandtable.files.databases import LARGEST_INTEGER
from sandtable.files.words import quoted
from sandtable.kernel.play.endings import WHOLE, wrong_shares
from sandtable.lab.plan import GamePlan, Row, Tournament
from sandtable.players.processes.limits import Verdict

COLUMNS = (
    "number, round, pair, contest, seed, lineup, "
    "outcome, winner, ending, turns, records, head, verdicts, decisions, luck, nodes, shares"
)
"""The columns of a game, in the order of ``values_of``."""

TEXTS = msgspec.json.Decoder(dict[str, str])
VERDICTS: msgspec.json.Decoder[dict[str, Verdict]] = msgspec.json.Decoder(dict[str, Verdict])
NUMBERS = msgspec.json.Decoder(dict[str, Annotated[int, msgspec.Meta(ge=-LARGEST_INTEGER, le=LARGEST_INTEGER)]])

SHARES = msgspec.json.Decoder(dict[str, Annotated[int, msgspec.Meta(ge=0, le=WHOLE)]])


def values_of(plan: GamePlan, row: Row) -> tuple[Any, ...]:
    """Return a game as the values of its row."""
    return (
        *(plan.number, plan.round, plan.pair, plan.contest, plan.seed, _text(plan.lineup)),
        *(row.outcome, row.winner, row.ending, row.turns, row.records, row.head),
        *(_text({name: each for name, each in row.verdicts.items() if each != "ok"}),),
        *(_text(row.decisions), _text(row.luck_milli), _text(row.nodes), _text(row.shares)),
    )


def game_of(values: tuple[Any, ...]) -> tuple[GamePlan, Row]:
    """Return the game whose row has ``values``. Raises msgspec.MsgspecError for a text that is not such a table."""
    number, turn, pair, contest, seed, lineup = values[:6]
    outcome, winner, ending, turns, records, head, verdicts, decisions, luck, nodes, shares = values[6:]
    return GamePlan(number, turn, pair, contest, seed, _lineup(lineup)), Row(
        *(number, outcome, winner, ending, turns, records, head),
        verdicts=_verdicts(verdicts, lineup),
        decisions=NUMBERS.decode(decisions) if decisions else {},
        luck_milli=NUMBERS.decode(luck) if luck else {},
        nodes=NUMBERS.decode(nodes) if nodes else {},
        shares=SHARES.decode(shares) if shares else {},
    )


class RowResult(NamedTuple):
    """The result of a game: outcome, winning entrant, and shares, as in a row."""

    outcome: str
    winner: str
    shares: Mapping[str, int]


def why_not_played(
    tournament: Tournament, contest: int, lineup: Mapping[str, str], result: RowResult, named: Iterable[str]
) -> str:
    """Return why ``tournament`` cannot contain a game with these values, or "".

    The values are its contest, entrants by side, result, and other named entrants.
    """
    outcome, winner, shares = result
    if not 0 <= contest < len(tournament.contests):
        return f"is of contest {contest}, and there are {len(tournament.contests)}"
    entrants = {each.name for each in tournament.entrants}
    if not lineup or not entrants.issuperset(lineup.values()):
        return "is not between entrants of this tournament"
    unknown = sorted({*named, *([winner] if winner else ())} - entrants)
    if unknown:
        return f"names {quoted(unknown[0])}, which is not an entrant of this tournament"
    wrong = wrong_shares(outcome, shares, list(lineup)) if shares else ""
    return f"has shares that no game has: {wrong}" if wrong else ""


def _text(table: object) -> str:
    return msgspec.json.encode(table).decode() if table else ""


@lru_cache(4096)
def _lineup(text: str) -> dict[str, str]:
    return TEXTS.decode(text)


@lru_cache(4096)
def _verdicts(text: str, lineup: str) -> dict[str, Verdict]:
    """Return the verdicts on all entrants of a lineup. Only verdicts other than ok are stored."""
    all_ok: dict[str, Verdict] = dict.fromkeys(_lineup(lineup).values(), "ok")
    return {**all_ok, **VERDICTS.decode(text)} if text else all_ok
