"""Replacements: available points, eligible formations, and costs (KH-5)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import NamedTuple

from khamsin.model.cards import DEDICATED, Board
from khamsin.model.events import ReplacementsGiven
from khamsin.model.forces import card, nation
from khamsin.model.handlers import ledger
from khamsin.model.notation import key_of, share_in
from khamsin.model.orders import Allocate, Share
from khamsin.model.state import IN_BASE, ON_MAP, KhamsinState
from khamsin.model.tables import ASSIMILATES_ABOVE, DEDICATED_LIMIT, MOVING_LIMIT, MOVING_PRICE, STATIONARY_PRICE
from sandtable import UNSET, Calculation, Calculations, Form, OneOf, Procedure, Range, Refusal, Sheet, Space

KINDS = ("armor", "general")
"""Types of attrition, and of the points that remove it (KH-5.07)."""

STATIONARY, MOVING = "stationary", "moving"
"""Marks of formations that received replacements (KH-R94)."""


class Points(NamedTuple):
    """Replacement points of this turn for formations of ``nations``."""

    nations: tuple[str, ...]
    armor: int
    general: int


def points_of(state: KhamsinState, side: str) -> list[Points]:
    """Return the points that a side receives this turn, by schedule and by events (KH-5.01, KH-5.08)."""
    board: Board = state.board
    pools = [
        Points(pool.nations, pool.armor, pool.general)
        for pool in board.pools
        if pool.side == side and pool.first <= state.turn <= pool.last
    ]
    changes = [each for each in board.events.get(state.turn, ()) if each.kind == "replacements" and each.side == side]
    all_nations = tuple(each for each, its_card in board.nations.items() if its_card.side == side)
    pools += [Points(each.nations or all_nations, each.armor, each.general) for each in changes]
    return [each for each in pools if each.armor or each.general]


def recipients(state: KhamsinState, side: str) -> list[str]:
    """Return the formations of a side that may receive replacements, sorted: in supply, with attrition (KH-5.03).

    Formations in their base are in supply (KH-R86). The parts of a divided formation share one ledger, so they have one
    line: that of the whole formation or, if it is not eligible, of its first eligible part (KH-R117).
    """
    by_ledger: dict[str, str] = {}
    for each in sorted(state.formations):
        formation = state.formations[each]
        standing = formation.standing == IN_BASE or (formation.standing == ON_MAP and formation.supplied)
        book = ledger(state, each)
        if formation.side == side and standing and (book.armor or book.general):
            owner = formation.parent or each
            if owner not in by_ledger or each == owner:
                by_ledger[owner] = each
    return sorted(by_ledger.values())


def mark_of(state: KhamsinState, share: Share) -> str:
    """Return the mark of a formation that receives a share, or "" if there is none (KH-R94)."""
    if state.options["repl_commit"] == "refund_half":
        return STATIONARY if max(share.armor, share.general) > MOVING_LIMIT else ""
    return MOVING if share.moving else STATIONARY


def price(state: KhamsinState, share: Share) -> int:
    """Return the replacement points paid for each point of attrition removed (KH-5.04, KH-5.06, KH-R94)."""
    if state.options["repl_commit"] == "refund_half":
        return MOVING_PRICE
    return MOVING_PRICE if share.moving else STATIONARY_PRICE


def allocation_space(state: KhamsinState, side: str) -> Form | None:
    """Return the space of a side's allocation (KH-5.02), or None if the side has no points this turn.

    A side decides even if no formation needs its points. The enemy knows the schedule, and a missing decision would
    reveal that no formation has attrition. On turn 1 the module shows this anyway, so no decision is made.
    """
    pools = points_of(state, side)
    lines: dict[str, Space] = {}
    for each in recipients(state, side):
        space = _share_space(state, each, pools)
        if space is not None:
            lines[each] = space
    if not pools or (not lines and state.turn == 1):
        return None

    def together(shares: dict[str, Share]) -> Iterable[tuple[str, Refusal]]:
        return _why_not_together(state, pools, shares)

    def stranger(_: str) -> Refusal:
        return Refusal("KH-5.03", "replacements go only to your formations in supply, for attrition of the same type")

    titles = {each: card(state, each).title for each in lines}
    shares = Shares(
        lines,
        together,
        stranger=stranger,
        rule="KH-5.02",
        titles=titles,
        key_of=key_of(titles),
        read=_read_share,
        echo=lambda key, sheet: _echo(state, key, sheet[key]),
        hint=_hint(state, pools, lines),
    )
    return Form(Allocate, {"shares": shares})


class Shares(Sheet):
    """The sheet of an allocation.

    ``hint`` describes for human players the available points and the attrition of each formation on the sheet.
    """

    hint: str = ""


def _hint(state: KhamsinState, pools: list[Points], lines: Iterable[str]) -> str:
    board: Board = state.board
    there = []
    for pool in pools:
        nations = ", ".join(board.nations[each].title for each in pool.nations)
        there.append(f"{pool.armor} armor and {pool.general} general ({nations})")
    worn = [f"{each} {ledger(state, each).armor}/{ledger(state, each).general}" for each in lines]
    return f"points this turn: {'; '.join(there)}; attrition: {', '.join(worn)}"


def _echo(state: KhamsinState, formation_id: str, share: Share) -> str:
    """Return the attrition left after a share, and whether the formation may move (KH-R94)."""
    book, stays = ledger(state, formation_id), {STATIONARY: ", and holds this turn", MOVING: ", and may move"}
    left = f"{book.armor - share.armor}/{book.general - share.general}"
    rests = ", and must regroup" if state.formations[formation_id].regroup else stays.get(mark_of(state, share), "")
    return f"attrition {book.armor}/{book.general} becomes {left}{rests}"


def _read_share(_: str, text: str) -> Share:
    return share_in(text, "KH-5.04")


# --- one formation ---


def _share_space(state: KhamsinState, formation_id: str, pools: list[Points]) -> Form | None:
    """Return the shares that a formation may receive, or None if there are none."""
    its_nation, book = nation(state, formation_id), ledger(state, formation_id)
    mine = [pool for pool in pools if its_nation.id in pool.nations]
    least = MOVING_PRICE if state.options["repl_commit"] == "refund_half" else STATIONARY_PRICE
    armor = min(book.armor, sum(pool.armor for pool in mine) // least)
    general = min(book.general, sum(pool.general for pool in mine) // least)
    if its_nation.system == DEDICATED:
        armor, general = min(armor, DEDICATED_LIMIT), min(general, DEDICATED_LIMIT)
    if not armor and not general:
        return None
    may_move = state.formations[formation_id].standing == ON_MAP

    def also(share: Share) -> Refusal | None:
        return _why_not_share(state, formation_id, share)

    fields = {
        "armor": Range(0, armor, "KH-5.17"),
        "general": Range(0, general, "KH-5.17"),
        "moving": OneOf([False, True] if may_move else [False], "KH-22.15"),
    }
    return Form(Share, fields, also)


def _why_not_share(state: KhamsinState, formation_id: str, share: Share) -> Refusal | None:
    """Refuse a share that a formation cannot integrate (KH-5.11, KH-5.15)."""
    total = share.armor + share.general
    if not total:
        return Refusal("KH-5.04", "a share must remove at least 1 point of attrition, or the line must be left out")
    if nation(state, formation_id).system == DEDICATED and total > DEDICATED_LIMIT:
        return Refusal("KH-5.11", f"a formation receives up to {DEDICATED_LIMIT} replacements per turn, not {total}")
    if share.moving and max(share.armor, share.general) > MOVING_LIMIT:
        return Refusal("KH-5.15", "a formation that moves receives up to 1 armor and 1 general replacement")
    return None


# --- whole allocation ---


def _why_not_together(
    state: KhamsinState, pools: list[Points], shares: Mapping[str, Share]
) -> Iterable[tuple[str, Refusal]]:
    """Refuse, in order of ids, each share that exceeds the points left by the shares before it (KH-5.01, KH-R93)."""
    kept: dict[str, Share] = {}
    paid: Counter[tuple[str, str]] = Counter()
    for each in sorted(shares):
        country, points = nation(state, each).id, price(state, shares[each])
        more = {(kind, country): getattr(shares[each], kind) * points for kind in KINDS}
        trial = paid + Counter(more)
        refusal = _why_unaffordable(pools, trial, country) or _why_too_many(state, kept | {each: shares[each]}, each)
        if refusal is not None:
            yield each, refusal
        else:
            kept[each], paid = shares[each], trial


def _why_unaffordable(pools: list[Points], paid: Mapping[tuple[str, str], int], newest: str) -> Refusal | None:
    """Refuse shares that the points cannot pay (KH-5.08).

    ``paid`` has the cost by type and nation, and ``newest`` is the nation of the latest share. Pools may overlap in
    nations. The points suffice if no group of nations costs more than the total of all pools that serve at least one of
    them.
    """
    for kind in KINDS:
        others = sorted(country for of, country in paid if of == kind and country != newest)
        for size in range(len(others) + 1):
            for group in combinations(others, size):
                nations = (newest, *group)
                there = sum(getattr(pool, kind) for pool in pools if not set(nations).isdisjoint(pool.nations))
                needed = sum(paid.get((kind, country), 0) for country in nations)
                if needed > there:
                    reason = f"this needs {needed} {kind} points for {', '.join(nations)}"
                    return Refusal("KH-5.08", f"{reason}; there are {there} this turn")
    return None


def _why_too_many(state: KhamsinState, shares: Mapping[str, Share], newest: str) -> Refusal | None:
    """Refuse more than three dedicated replacements for a country, if the limit applies to countries (KH-R93)."""
    country = nation(state, newest)
    if state.options["repl_dedicated_scope"] != "per_country" or country.system != DEDICATED:
        return None
    total = sum(share.armor + share.general for each, share in shares.items() if nation(state, each).id == country.id)
    if total <= DEDICATED_LIMIT:
        return None
    return Refusal("KH-R93", f"{country.title} receives up to {DEDICATED_LIMIT} replacements per turn, not {total}")


# --- application ---


def given(state: KhamsinState, formation_id: str, share: Share) -> ReplacementsGiven:
    """Return the event of a share that a formation receives (KH-5.04, KH-5.14, KH-R94)."""
    points, mark = price(state, share), mark_of(state, share)
    return ReplacementsGiven(
        formation_id,
        state.formations[formation_id].side,
        share.armor,
        share.general,
        share.armor * points,
        share.general * points,
        mark,
        _assimilates(state, formation_id, share.armor + share.general),
        calculations=_paid(state, share),
    )


def _paid(state: KhamsinState, share: Share) -> Calculations:
    """Return the calculations of a share's cost by type of points. A moving formation pays the double price."""
    more = price(state, share) - STATIONARY_PRICE
    again = ("doubled, moving", "KH-R94" if state.options["repl_commit"] == "refund_half" else "KH-5.06")
    found = []
    for kind in KINDS:
        number = getattr(share, kind)
        steps = ((f"{kind} attrition", number, "KH-5.04"), *([(again[0], number * more, again[1])] if more else []))
        found += [Calculation(f"paid_{kind}", steps)] if number else []
    return tuple(found) or UNSET


def _assimilates(state: KhamsinState, formation_id: str, total: int) -> bool:
    return nation(state, formation_id).system != DEDICATED and total > ASSIMILATES_ABOVE


def refund(state: KhamsinState) -> Procedure:
    """Remove as much attrition again from formations that received replacements and did not move (KH-R94).

    This applies to option "refund_half" of ``repl_commit``, by which all pay the price of moving formations.
    """
    if state.options["repl_commit"] != "refund_half":
        return
    left = dict.fromkeys({nation(state, each).id for each in state.formations}, DEDICATED_LIMIT)
    for each in sorted(state.formations):
        left[nation(state, each).id] -= state.formations[each].got_armor + state.formations[each].got_general
    per_country = state.options["repl_dedicated_scope"] == "per_country"
    for each in sorted(state.formations):
        formation, country = state.formations[each], nation(state, each)
        got = formation.got_armor + formation.got_general
        if not got or formation.moved:
            continue
        limit = (left[country.id] if per_country else DEDICATED_LIMIT - got) if country.system == DEDICATED else got
        book = ledger(state, each)
        armor = min(formation.got_armor, book.armor, max(0, limit))
        general = min(formation.got_general, book.general, max(0, limit - armor))
        if armor or general:
            left[country.id] -= armor + general
            assimilating = _assimilates(state, each, got + armor + general)
            side = formation.side
            yield ReplacementsGiven(each, side, armor, general, 0, 0, formation.mark, assimilating, "KH-R94")


def allocate(state: KhamsinState, order: Allocate) -> Procedure:
    """Give the replacements that a side has allocated, in order of ids."""
    for each in sorted(order.shares):
        yield given(state, each, order.shares[each])
