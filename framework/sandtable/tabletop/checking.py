"""The space of the results that fit a brief: it checks reports, and draws random ones."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Literal

from sandtable.kernel.dice import Stream
from sandtable.kernel.options import AnyOf, Form, OneOf
from sandtable.kernel.options.choices import shown
from sandtable.kernel.options.space import Refusal, Space
from sandtable.tabletop.brief import Brief, Platoon, digest_of
from sandtable.tabletop.result import Attrition, PlatoonLosses, ReportBattle, Result, Transfer
from sandtable.tabletop.scoring import DRAW, Draws, drawn_points, points_allowed
from sandtable.tabletop.terms import (
    ARMOR,
    Count,
    Terms,
    armor_lost,
    companies_by_parent,
    most_attrition,
)
from sandtable.tabletop.validation import first_fault

STEPS = (0, 2, 5)
"""Attrition, for each kind and side, in the listed results."""


class Results(Space):
    """The results that fit a brief under a campaign's terms.

    ``rules`` gives the rule id for an error in each field of ``Result``; ``rule`` is for the other fields. A refusal
    begins with the position: "platoons.axis.t1.destroyed: 5 of 4 fielded".

    ``values`` lists only a part: each outcome without losses, then with a few losses in short form. Everything listed
    is legal, and ``count`` counts the list.
    """

    lists_all = False
    counts_attrition = True
    """Whether the campaign counts attrition, so that short losses, recovery dice and heroic acts are used."""

    terms: Terms
    rules: Mapping[str, str] = {}
    rule: str = ""

    @property
    def brief(self) -> Brief:
        """The brief that the results answer."""
        return self.terms.brief

    @property
    def draws(self) -> Draws:
        """The scoring of a draw."""
        return self.terms.draws

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a result that does not fit, field by field."""
        fault = first_fault(value, self.terms)
        if fault is None:
            return None
        return Refusal(self.rules.get(fault.field, self.rule), f"{fault.place}: {fault.reason}")

    def sample(self, stream: Stream) -> Result:
        """Return a result that fits; raises ValueError if only battles of rulesets are accepted.

        Losses are in short form or by platoon, with equal probability.
        """
        source = next((each for each in ("table", "resolver") if each in self.terms.sources), None)
        if source is None:
            raise ValueError("nothing can be chosen")
        if self.terms.concessions and stream.one_in(12):
            conceded = stream.pick(self.brief.sides)
            return Result(self.brief.enemy_of(conceded), conceded=conceded, source=source)
        winner = stream.pick((*self.brief.sides, DRAW) if self.terms.may_be_drawn else self.brief.sides)
        return _any_result(self.terms, winner, source, stream)

    def values(self) -> Iterator[Result]:
        """Yield the outcomes without losses, concessions, and outcomes with some attrition in short form."""
        brief, terms = self.brief, self.terms
        source = next((each for each in ("table", "resolver") if each in terms.sources), None)
        if source is None:
            return
        winners = (*brief.sides, DRAW) if terms.may_be_drawn else brief.sides
        for winner in winners:
            for points in _unlike(points_allowed(brief, winner, terms.draws)):
                result = Result(winner, points, source=source)
                if self.why_not(result) is None:
                    yield result
        if terms.concessions:
            yield from (Result(brief.enemy_of(side), conceded=side, source=source) for side in brief.sides)
        for short in _listed_short(brief):
            for winner in winners:
                for points in _unlike(points_allowed(brief, winner, terms.draws)):
                    yield Result(winner, points, short=short, source=source)


class AnsweredBrief(Space):
    """The digest of the brief that a report answers; an empty one matches every brief with the id."""

    brief: Brief
    rule: str = ""

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse the digest of another brief."""
        if isinstance(value, str) and value in {"", digest_of(self.brief)}:
            return None
        return Refusal(self.rule, f"digest: {shown(value)} is not the brief of {self.brief.id}: report this battle")

    def outline(self) -> Any:
        """Return the digest."""
        return digest_of(self.brief)

    def sample(self, stream: Stream) -> str:  # noqa: ARG002 - a Space
        """Return the digest."""
        return digest_of(self.brief)

    def values(self) -> Iterator[str]:
        """Yield the digest."""
        yield digest_of(self.brief)


def report_form(results: Results, rule: str) -> Form:
    """Return the space of the reports of the battle of ``results``."""
    brief = results.brief
    reported = OneOf((brief.id,), rule, f"the battle to report is {brief.id}")
    return Form(ReportBattle, {"brief": reported, "digest": AnsweredBrief(brief, rule), "result": results})


def space_for(
    brief: Brief,
    rules: Mapping[str, str] | None = None,
    *,
    rule: str = "",
    draws: Draws = "one_plus_lost",
    draws_in: Literal["fair_fight", "any"] = "fair_fight",
    afv_count: Count = "whole_platoon",
    concessions: bool = False,
    sources: tuple[str, ...] = ("table", "resolver"),
) -> Form:
    """Return the space of the reports of a battle; the settings are those of ``Terms`` and ``Results``."""
    terms = Terms(brief, draws, draws_in, afv_count, concessions, sources)
    return report_form(Results(terms, rules or {}, rule), rule)


def results_in(space: Space) -> Results | None:
    """Return the space of results in a decision's options, or None if they do not ask for a result."""
    if isinstance(space, AnyOf):
        return next((found for found in map(results_in, space.spaces) if found is not None), None)
    if isinstance(space, Form) and space.order is ReportBattle:
        field = space.fields["result"]
        return field if isinstance(field, Results) else None
    return None


def _unlike(pairs: list[dict[str, int]]) -> list[dict[str, int]]:
    return [pair for place, pair in enumerate(pairs) if pair not in pairs[:place]]


def _listed_short(brief: Brief) -> Iterator[dict[str, dict[str, Attrition]]]:
    """Yield short losses of the first formation of each side: every combination of ``STEPS`` within the limits."""
    sheets: list[list[dict[str, Attrition]]] = []
    for side in brief.sides:
        parents = companies_by_parent(brief, side)
        sheet: list[dict[str, Attrition]] = [{}]
        for parent in list(parents)[:1]:
            most = most_attrition(parents, parent)
            steps = ([step for step in STEPS if step <= limit] for limit in most)
            sheet = [{parent: Attrition(armor, general)} for armor, general in product(*steps)]
        sheets.append(sheet)
    first, second = brief.sides
    for pair in product(*sheets):
        short = {side: each for side, each in zip((first, second), pair, strict=True) if each}
        if short:
            yield short


def _any_result(terms: Terms, winner: str, source: str, stream: Stream) -> Result:
    brief = terms.brief
    in_short = stream.one_in(2)
    short = {side: _any_short(brief, side, stream) for side in brief.sides} if in_short else {}
    platoons = {} if in_short else {side: _any_losses(brief, side, stream) for side in brief.sides}
    platoons = {side: each for side, each in platoons.items() if each}
    short = {side: each for side, each in short.items() if each}
    recovery = {
        side: tuple(1 + stream.below(6) for _ in range(armor_lost(brief.platoons(side), losses, terms.afv_count)))
        for side, losses in platoons.items()
        if stream.one_in(2)
    }
    points = stream.pick(points_allowed(brief, winner, terms.draws))
    if winner == DRAW and not short:
        lost = {side: sum(each.lost for each in losses.values()) for side, losses in platoons.items()}
        points = drawn_points(brief, lost, terms.draws)
    casualties = {side: tuple(stream.sample(brief.parties[side].characters, 1)) for side in brief.sides}
    players = [each.player for each in brief.parties.values() if each.player]
    return Result(
        winner,
        points,
        platoons,
        short,
        recovery,
        {side: each for side, each in casualties.items() if each and stream.one_in(4)},
        heroic=tuple(player for player in players if stream.one_in(8)),
        unchivalrous=tuple(player for player in players if stream.one_in(20)),
        recon_ahead=_any_recon(brief, winner, platoons, stream),
        transfers=_any_transfers(brief, platoons, stream),
        turns=stream.below(9),
        source=source,
    )


def _any_short(brief: Brief, side: str, stream: Stream) -> dict[str, Attrition]:
    parents = companies_by_parent(brief, side)
    found = {}
    for parent in parents:
        armor, general = (stream.below(min(most, 15) + 1) for most in most_attrition(parents, parent))
        found[parent] = Attrition(armor, general)
    return found


def _any_losses(brief: Brief, side: str, stream: Stream) -> dict[str, PlatoonLosses]:
    drawn = {name: _any_loss(each, stream) for name, each in brief.platoons(side).items()}
    return {name: losses for name, losses in drawn.items() if losses != PlatoonLosses()}


def _any_loss(platoon: Platoon, stream: Stream) -> PlatoonLosses:
    fielded = platoon.fielded
    transports, upgrades = stream.below(platoon.transports + 1), stream.below(platoon.upgrades + 1)
    if not fielded:
        return PlatoonLosses(transports=transports, upgrades=upgrades)
    if platoon.independent:
        return PlatoonLosses(stream.below(fielded + 1), transports=transports, upgrades=upgrades)
    destroyed = stream.below(fielded + 1)
    if destroyed == fielded or stream.one_in(4):
        return PlatoonLosses(destroyed, fielded - destroyed, lost=True, transports=transports, upgrades=upgrades)
    bailed = stream.below(fielded - destroyed) if platoon.kind in ARMOR else 0
    exits = stream.below(fielded - destroyed - bailed) if stream.one_in(4) else 0
    exited = ((1 + stream.below(8), exits),) if exits else ()
    return PlatoonLosses(destroyed, 0, bailed, transports=transports, upgrades=upgrades, exited=exited)


def _stands(platoons: Mapping[str, Mapping[str, PlatoonLosses]], side: str, name: str) -> bool:
    losses = platoons.get(side, {}).get(name)
    return losses is None or not losses.lost


def _any_recon(
    brief: Brief, winner: str, platoons: Mapping[str, Mapping[str, PlatoonLosses]], stream: Stream
) -> tuple[str, ...]:
    if winner == DRAW:
        return ()
    able = [name for name, each in brief.platoons(winner).items() if each.recon and _stands(platoons, winner, name)]
    return tuple(name for name in able if stream.one_in(2))


def _any_transfers(
    brief: Brief, platoons: Mapping[str, Mapping[str, PlatoonLosses]], stream: Stream
) -> tuple[Transfer, ...]:
    if brief.mode != "linked" or not brief.table.near:
        return ()
    return tuple(
        Transfer(side, name, 1, stream.pick(brief.table.near))
        for side in brief.sides
        for name in brief.platoons(side)
        if stream.one_in(12) and _stands(platoons, side, name)
    )
