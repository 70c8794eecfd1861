"""Whole campaigns at random under mixed rulings: engagements end, add up, and leave nobody where he may not be."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.plugins.khamsin.falling import single
from tests.plugins.khamsin.positions import installed

from khamsin.model.battle_events import (
    AdvantageReckoned,
    AttritionTaken,
    BattleBriefed,
    BattleFought,
    EngagementDecided,
    FormationAdvanced,
    FormationRetreated,
)
from khamsin.model.cards import ENEMY, SIDES
from khamsin.model.forces import areas_of, fighters_in
from khamsin.model.state import KhamsinState
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.events import Event
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.resolver.resolver import ResolverPlayer

NAMES = [option.name for option in installed().manifest.options]


def mixture(number: int) -> dict[str, str]:
    """Return a value for every option: number 0 the usual one, others mixed."""
    options = installed().manifest.options
    return {
        each.name: each.values[(number * (place + 3) // 7) % len(each.values)] for place, each in enumerate(options)
    }


def played(module: str, number: int) -> Iterator[tuple[Game, list[Event]]]:
    """Play a campaign at random; yield the game and its new events after each order."""
    prepared = installed().prepare(module, mixture(number))
    key = key_from_seed(f"engagements/{module}/{number}")
    game = prepared.new_game(KeyedDice(key))
    game.start()
    streams = {seat: Stream.for_player(key, seat) for seat in (*SIDES, "umpire")}
    resolver = ResolverPlayer("umpire", streams["umpire"])
    seen = 0
    while game.pending is not None:
        for decision in list(game.waiting()):
            by_resolver = decision.seat == "umpire" and number % 2
            view = None
            order = (
                resolver.choose(decision, view)  # type: ignore[arg-type]
                if by_resolver
                else decision.options.sample(streams[decision.seat])
            )
            game.submit(order, decision.seat)
        fresh = single(record.event for record in game.records[seen:] if isinstance(record, EventRecord))
        seen = len(game.records)
        yield game, fresh


def is_sound(brief: Brief) -> bool:
    """Return whether a brief has all that a table needs."""
    for side in SIDES:
        party = brief.parties[side]
        paid = sum(company.points for company in party.companies)
        built = [sum(platoon.points for platoon in company.platoons) for company in party.companies]
        if paid > party.points or any(
            each > company.points for each, company in zip(built, party.companies, strict=True)
        ):
            return False
        if not party.companies or not party.title or len(brief.platoons(side)) < len(party.companies):
            return False
    return bool(brief.mission and brief.place_title and brief.campaign and brief.rules)


@pytest.mark.full
@pytest.mark.rule("KH-18.03", "KH-20.02", "KH-18.07", "KH-16.10", "KH-17.02")
@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("module", ["teaching", "crusader"])
def test_campaigns_under_mixed_rulings_keep_the_laws_of_engagements(module: str, number: int) -> None:
    ids: set[str] = set()
    for game, fresh in played(module, number):
        state = game.state
        assert isinstance(state, KhamsinState)
        total: dict[str, dict[str, int]] = {}
        for event in fresh:
            if isinstance(event, BattleBriefed):
                assert event.brief.id not in ids
                assert is_sound(event.brief)
                ids.add(event.brief.id)
            elif isinstance(event, BattleFought):
                drawn = event.result.winner == "draw"
                assert drawn or sum(event.result.points.values()) == 7
            elif isinstance(event, AdvantageReckoned):
                sums = {side: sum(value for _, value in event.points[side]) for side in SIDES}
                assert event.net == abs(sums["axis"] - sums["allies"])
            elif isinstance(event, EngagementDecided) and event.engagement in state.engagements:  # not a turn ago
                actions = state.engagements[event.engagement].actions
                total[event.engagement] = {side: sum(each.points[side] for each in actions) for side in SIDES}
                assert event.points == total[event.engagement]
            elif isinstance(event, AttritionTaken):
                assert event.armor >= 0
                assert event.general >= 0
                assert event.recovered >= 0
        if state.phase in {"start.replacements", "orders"} or game.pending is None:
            for area in state.board.areas:
                assert not all(fighters_in(state, side, area) for side in SIDES)


@pytest.mark.rule("KH-20.02", "KH-18.07")
@pytest.mark.parametrize("number", range(6))
def test_nobody_retreats_or_advances_into_enemies(number: int) -> None:
    for game, fresh in played("teaching", number):
        state = game.state
        assert isinstance(state, KhamsinState)
        for event in fresh:
            if isinstance(event, FormationRetreated | FormationAdvanced) and event.start != event.area:
                assert event.area in state.board.neighbours[event.start]
        moved = {
            (event.side, event.area)
            for event in fresh
            if isinstance(event, FormationRetreated | FormationAdvanced) and event.start != event.area
        }
        if state.phase == "aftermath":
            for side, area in moved:
                assert area not in areas_of(state, ENEMY[side])
