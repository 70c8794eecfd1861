"""Validation of a result, field by field: position, reason and fix of each error."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from sandtable.kernel.options.choices import listing, shown
from sandtable.tabletop.brief import Brief, Platoon
from sandtable.tabletop.result import PlatoonLosses, Result
from sandtable.tabletop.scoring import DRAW, drawn_points, points_allowed
from sandtable.tabletop.terms import (
    ANY_RULESET,
    Terms,
    armor_lost,
    companies_by_parent,
    most_attrition,
    platoons_lost,
)

MAX_TURNS, MAX_NOTE, MAX_CASES = 99, 500, 20
_encode = msgspec.json.Encoder().encode


class Fault(NamedTuple):
    """One error: the field of ``Result``, the exact position in it, and the reason, with what to do."""

    field: str
    place: str
    reason: str


def first_fault(value: Any, terms: Terms) -> Fault | None:
    """Return the first error of ``value`` as a result of the battle, or None."""
    return next(all_faults(value, terms), None)


def all_faults(value: Any, terms: Terms) -> Iterator[Fault]:
    """Yield every error of ``value`` as a result of the battle, in the order of the fields."""
    fault = _misshapen(value)
    if fault is not None:
        yield fault
        return
    result: Result = value
    yield from _source(result, terms)
    yield from _written(result)
    if result.conceded:
        yield from _conceded(result, terms)
        return
    yield from _score(result, terms)
    yield from _platoons(result, terms.brief)
    yield from _short(result, terms.brief)
    yield from _recovery(result, terms)
    yield from _people(result, terms.brief)
    yield from _recon(result, terms.brief)
    yield from _transfers(result, terms.brief)


def _misshapen(value: Any) -> Fault | None:
    """Return an error if the value or a part of it has a wrong type, at any depth, or None."""
    if type(value) is not Result:
        return Fault("", "result", f"expected a result, not {shown(value)}")
    try:
        again = msgspec.convert(msgspec.to_builtins(value), Result)
        if _encode(again) == _encode(value):
            return None
        reason, place = "a value is not of the type of its field", "result"
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
        reason, _, place = str(error).partition(" - at `$.")
        place = place.rstrip("`") or "result"
    return Fault(place.split("[")[0].split(".")[0], place, f"{reason}; correct it")


def _source(result: Result, terms: Terms) -> Iterator[Fault]:
    if not terms.takes(result.source):
        known = [each for each in terms.sources if each != ANY_RULESET]
        yield Fault("source", "source", f"{shown(result.source)} did not fight this battle: write {listing(known)}")
        return
    is_ruleset = result.source not in {"table", "resolver"}
    is_digest = len(result.battle) == 64 and set(result.battle) <= set("0123456789abcdef")
    if is_ruleset and not is_digest:
        yield Fault(
            "battle", "battle", f"{shown(result.battle)} is not the SHA-256 of a log: write 64 lower-case hex digits"
        )
    elif result.battle and not is_ruleset:
        yield Fault("battle", "battle", f"a battle fought by {result.source} has no log: remove it")


def _written(result: Result) -> Iterator[Fault]:
    if not 0 <= result.turns <= MAX_TURNS:
        yield Fault("turns", "turns", f"{shown(result.turns)} is not 0 to {MAX_TURNS} table turns")
    if len(result.note) > MAX_NOTE or not result.note.isprintable():
        yield Fault("note", "note", f"write at most {MAX_NOTE} printable characters, on one line")


def _conceded(result: Result, terms: Terms) -> Iterator[Fault]:
    brief = terms.brief
    if not terms.concessions:
        yield Fault("conceded", "conceded", "a battle cannot be conceded in this campaign: report the played result")
    elif result.conceded not in brief.sides:
        yield Fault("conceded", "conceded", f"{shown(result.conceded)} is not a side: write {listing(brief.sides)}")
    elif result.winner != brief.enemy_of(result.conceded):
        yield Fault("winner", "winner", f"{result.conceded} conceded: write {brief.enemy_of(result.conceded)}")
    else:
        empty = Result(result.winner)
        for name in _FOUGHT:
            if getattr(result, name) != getattr(empty, name):
                yield Fault(name, name, f"{result.conceded} conceded, so no battle was fought: remove it")


_FOUGHT = (
    "points",
    "platoons",
    "short",
    "recovery",
    "casualties",
    "heroic",
    "unchivalrous",
    "recon_ahead",
    "transfers",
    "turns",
)


def _score(result: Result, terms: Terms) -> Iterator[Fault]:
    brief = terms.brief
    if result.winner not in {*brief.sides, DRAW}:
        yield Fault("winner", "winner", f"{shown(result.winner)} is not a side: write {listing((*brief.sides, DRAW))}")
        return
    if result.winner == DRAW and not terms.may_be_drawn:
        reason = f"{brief.mission} is not a fair fight and cannot be drawn: write {listing(brief.sides)}"
        yield Fault("winner", "winner", reason)
        return
    allowed = points_allowed(brief, result.winner, terms.draws)
    if result.points not in allowed:
        pairs = list(dict.fromkeys(pair_of(brief, result.winner, each) for each in allowed))
        who = "a draw is" if result.winner == DRAW else f"{result.winner} won: points are"
        given = ", ".join(f"{shown(side)} {shown(number)}" for side, number in result.points.items()) or "none given"
        yield Fault("points", "points", f"{given}: {who} {listing(pairs, 9)}")
    elif result.winner == DRAW and terms.draws == "one_plus_lost" and not result.short:
        right = drawn_points(brief, {side: platoons_lost(result, side) for side in brief.sides}, terms.draws)
        if result.points != right:
            reason = f"by the lost platoons the draw is {pair_of(brief, DRAW, right)}: correct points or platoons"
            yield Fault("points", "points", reason)


def pair_of(brief: Brief, winner: str, points: Mapping[str, int]) -> str:
    """Return points as people write them: the winner's first, a draw's in the order of the brief."""
    first, second = brief.sides
    if winner == second:
        first, second = second, first
    return f"{points.get(first, 0)}-{points.get(second, 0)}"


def _sides(field: str, table: Mapping[str, Any], brief: Brief) -> Iterator[Fault]:
    for side in table:
        if side not in brief.sides:
            yield Fault(field, f"{field}.{shown(side)}", f"is not a side: write {listing(brief.sides)}")


def _platoons(result: Result, brief: Brief) -> Iterator[Fault]:
    yield from _sides("platoons", result.platoons, brief)
    for side in brief.sides:
        known = brief.platoons(side)
        for name, losses in result.platoons.get(side, {}).items():
            place = f"platoons.{side}.{shown(name)}"
            if name not in known:
                reason = f"{side} did not field this platoon: choose {listing(list(known), 20)}"
                yield Fault("platoons", place, reason)
                continue
            for what, reason in _losses(known[name], losses):
                yield Fault("platoons", f"{place}.{what}" if what else place, reason)


def _losses(platoon: Platoon, losses: PlatoonLosses) -> Iterator[tuple[str, str]]:
    """Yield (field, reason) for each value that does not fit a platoon."""
    fielded = platoon.fielded
    most = {"destroyed": fielded, "routed": fielded, "bailed": fielded}
    most |= {"transports": platoon.transports, "upgrades": platoon.upgrades}
    for name, limit in most.items():
        number = getattr(losses, name)
        if not 0 <= number <= limit:
            yield name, f"{shown(number)} of {limit} fielded" if number > 0 else f"{shown(number)} is below zero"
            return
    turns = [turn for turn, _ in losses.exited]
    if turns != sorted(set(turns)) or any(not 1 <= turn <= MAX_TURNS or number < 1 for turn, number in losses.exited):
        yield "exited", "write each table turn once, in order, with the number of teams that left in it"
        return
    gone = losses.destroyed + losses.routed
    down = gone + losses.bailed + sum(number for _, number in losses.exited)
    if losses == PlatoonLosses():
        yield "", "has no losses: remove it"
    elif down > fielded:
        yield "", f"destroyed, routed, bailed out and exited are {down} of {fielded} fielded: count each team once"
    elif losses.lost and platoon.independent:
        yield "lost", "its teams are independent and count singly: write the number destroyed"
    elif losses.lost and down < fielded:
        yield (
            "lost",
            f"{fielded - down} of {fielded} teams are not lost, but the platoon is: count them as routed",
        )
    elif gone == fielded > 0 and not losses.lost and not platoon.independent:
        yield "lost", "no team is left, so it counts as lost: write lost"


def _short(result: Result, brief: Brief) -> Iterator[Fault]:
    if result.short and result.platoons:
        yield Fault("short", "short", "losses are also given by platoon: write either platoons or short")
    yield from _sides("short", result.short, brief)
    for side in brief.sides:
        parents = companies_by_parent(brief, side)
        for parent, given in result.short.get(side, {}).items():
            place = f"short.{side}.{shown(parent)}"
            if parent not in parents:
                yield Fault("short", place, f"did not field a company here: choose {listing(list(parents), 20)}")
                continue
            for ledger, most in zip(("armor", "general"), most_attrition(parents, parent), strict=True):
                number = getattr(given, ledger)
                if not 0 <= number <= most:
                    reason = f"{shown(number)}, but its companies can lose 0 to {most}"
                    yield Fault("short", f"{place}.{ledger}", reason)


def _recovery(result: Result, terms: Terms) -> Iterator[Fault]:
    yield from _sides("recovery", result.recovery, terms.brief)
    if result.recovery and result.short:
        yield Fault("recovery", "recovery", "short attrition is counted after recovery: remove the dice")
        return
    for side in terms.brief.sides:
        dice = result.recovery.get(side)
        if dice is None:
            continue
        lost = armor_lost(terms.brief.platoons(side), result.platoons.get(side, {}), terms.afv_count)
        if len(dice) != lost:
            reason = f"{len(dice)} dice for {lost} lost armored vehicles: write one each, or none to have them rolled"
            yield Fault("recovery", f"recovery.{side}", reason)
        elif any(not 1 <= die <= 6 for die in dice):
            yield Fault("recovery", f"recovery.{side}", "a die shows 1 to 6")


def _people(result: Result, brief: Brief) -> Iterator[Fault]:
    yield from _sides("casualties", result.casualties, brief)
    for side in brief.sides:
        present = brief.parties[side].characters
        hit = result.casualties.get(side, ())
        for name in hit:
            if name not in present:
                reason = f"{shown(name)} was not present; characters present: {listing(present) if present else 'none'}"
                yield Fault("casualties", f"casualties.{side}", reason)
        if len(set(hit)) < len(hit):
            yield Fault("casualties", f"casualties.{side}", "a character is named twice")
    players = [each.player for each in brief.parties.values() if each.player]
    for field in ("heroic", "unchivalrous"):
        named: tuple[str, ...] = getattr(result, field)
        for name in named:
            if name not in players:
                reason = f"{shown(name)} did not play here; players: {listing(players) if players else 'none'}"
                yield Fault(field, field, reason)
        if len(named) > MAX_CASES:
            yield Fault(field, field, f"{len(named)} cases are more than a battle has: write at most {MAX_CASES}")


def _recon(result: Result, brief: Brief) -> Iterator[Fault]:
    if not result.recon_ahead:
        return
    if result.winner not in brief.sides:
        yield Fault("recon_ahead", "recon_ahead", "only a winner's recon platoons count: remove it")
        return
    able = [name for name, each in brief.platoons(result.winner).items() if each.recon]
    lost = result.platoons.get(result.winner, {})
    for name in result.recon_ahead:
        if name not in able:
            reason = f"{shown(name)} is not a recon platoon of {result.winner}: choose {listing(able)}"
            yield Fault("recon_ahead", "recon_ahead", reason)
        elif name in lost and lost[name].lost:
            yield Fault("recon_ahead", "recon_ahead", f"{name} counts as lost, so it is not in the enemy's half")
    if len(set(result.recon_ahead)) < len(result.recon_ahead):
        yield Fault("recon_ahead", "recon_ahead", "a platoon is named twice")


def _transfers(result: Result, brief: Brief) -> Iterator[Fault]:
    seen: set[tuple[str, str]] = set()
    for place, each in enumerate(result.transfers, start=1):
        reason = _transfer(result, brief, each.side, each.platoon)
        if not reason and each.to not in brief.table.near:
            near = listing([str(number) for number in brief.table.near])
            reason = f"table {shown(each.to)} is not next to table {brief.table.number}: choose {near}"
        elif not reason and not 1 <= each.turn <= (result.turns or MAX_TURNS):
            reason = f"{shown(each.turn)} is not a turn of this table"
        elif not reason and (each.side, each.platoon) in seen:
            reason = f"{each.platoon} has already left"
        if reason:
            yield Fault("transfers", f"transfers.{place}", reason)
        seen.add((each.side, each.platoon))


def _transfer(result: Result, brief: Brief, side: str, platoon: str) -> str:
    """Return why this platoon cannot have left for another table, or "" if it can."""
    if brief.mode != "linked":
        return "only a platoon on linked tables can leave for another: remove it"
    if side not in brief.sides or platoon not in brief.platoons(side):
        return f"{shown(side)} did not field the platoon {shown(platoon)}"
    lost = result.platoons.get(side, {}).get(platoon)
    return f"{platoon} counts as lost" if lost is not None and lost.lost else ""
