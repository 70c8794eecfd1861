"""Random campaigns: checked by the reference model (``oracle/reference_model.py``), and with mixed options."""

from collections.abc import Iterator

import pytest
from tests.plugins.khamsin.oracle.reference_model import ReferenceModel
from tests.plugins.khamsin.positions import installed, shipped, single

from khamsin.model.battle_events import (
    AdvantageAssessed,
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
from sandtable.kernel.events import Event, PhaseEnded
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.resolver.resolver import ResolverPlayer

MAX_ORDERS = 4000


def played(module: str, seed: str, **options: str) -> tuple[ReferenceModel, Game]:
    """Play a random campaign to its end, and follow it with a reference model."""
    prepared = shipped(module, tuple(sorted(options.items())))
    key = key_from_seed(seed)
    game = prepared.new_game(KeyedDice(key))
    assert isinstance(game.state, KhamsinState)
    model = ReferenceModel(game.state)
    streams = {seat: Stream.for_player(key, seat) for seat in ("axis", "allies", "umpire")}
    game.start()
    read = 0
    for _ in range(MAX_ORDERS):
        records = list(game.records)
        ended = False
        for record in records[read:]:
            if isinstance(record, EventRecord):
                model.read(record.event)
                ended = isinstance(record.event, PhaseEnded)
        read = len(records)
        model.compare(game.state)
        if game.is_over or model.violations:
            break
        decision = game.waiting()[0]
        game.submit(decision.options.sample(streams[decision.seat]), decision.seat)
    assert game.is_over or model.violations or not ended
    return model, game


SMALL = pytest.mark.rule("KH-8.11", "KH-20.02", "KH-21.03", "KH-5.08", "KH-18.03", "KH-6.03")
LARGE = (pytest.mark.full, pytest.mark.rule("KH-4.04", "KH-7.02"))


@pytest.mark.rule("KH-2.05", "KH-11.01", "KH-8.10")
@pytest.mark.parametrize(
    ("module", "seed"),
    [
        *(
            pytest.param(module, f"clerk-{number}", marks=SMALL)
            for module in ("teaching", "fixture")
            for number in range(12)
        ),
        *(pytest.param("crusader", seed, marks=LARGE) for seed in ("sand", "wire", "rain", "dust", "sun")),
    ],
)
def test_reference_model_finds_no_violation(module: str, seed: str) -> None:
    model, game = played(module, seed)
    assert model.violations == []
    assert game.is_over


def mixture(number: int) -> dict[str, str]:
    """Return a value for every option: the first values for number 0, and a mixture for other numbers."""
    options = installed().manifest.options
    return {
        each.name: each.values[(number * (place + 3) // 7) % len(each.values)] for place, each in enumerate(options)
    }


def played_mixed(module: str, number: int) -> Iterator[tuple[Game, list[Event]]]:
    """Play a random campaign; yield the game and its new events after each order."""
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
                resolver.choose(decision, view)  # type: ignore[arg-type]  # it uses no view
                if by_resolver
                else decision.options.sample(streams[decision.seat])
            )
            game.submit(order, decision.seat)
        fresh = single(record.event for record in game.records[seen:] if isinstance(record, EventRecord))
        seen = len(game.records)
        yield game, fresh


def is_sound(brief: Brief) -> bool:
    """Return whether a brief is complete and within its points."""
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
def test_engagements_keep_their_invariants_with_mixed_options(module: str, number: int) -> None:
    ids: set[str] = set()
    for game, fresh in played_mixed(module, number):
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
            elif isinstance(event, AdvantageAssessed):
                sums = {side: sum(value for _, value in event.points[side]) for side in SIDES}
                assert event.net == abs(sums["axis"] - sums["allies"])
            elif isinstance(event, EngagementDecided) and event.engagement in state.engagements:  # not of the last turn
                actions = state.engagements[event.engagement].actions
                total[event.engagement] = {side: sum(each.points[side] for each in actions) for side in SIDES}
                assert event.points == total[event.engagement]
            elif isinstance(event, AttritionTaken):
                assert min(event.armor, event.general, event.recovered) >= 0
            elif isinstance(event, FormationRetreated | FormationAdvanced) and event.start != event.area:
                assert event.area in state.board.neighbors[event.start]
                assert state.phase != "aftermath" or event.area not in areas_of(state, ENEMY[event.side])
        is_settled = state.phase in {"start.replacements", "orders"} or game.pending is None
        shared = (area for area in state.board.areas if all(fighters_in(state, side, area) for side in SIDES))
        assert not is_settled or not list(shared)
