"""The figures of events by the names of their calculations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.plugins.khamsin.positions import single

from khamsin.model import battle_events as battle
from khamsin.model import events
from sandtable.kernel.events import Event
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord

Steps = tuple[tuple[str, int, str], ...]


def steps_of(event: Any, name: str) -> Steps:
    """Return the steps of the calculation ``name`` of an event, or () if it has no such calculation."""
    return next((each.steps for each in event.calculations or () if each.name == name), ())


def pieces_of(game: Game) -> set[str]:
    """Return the ids of all formations and leaders."""
    state: Any = game.state
    return {*state.formations, *state.leaders}


def figures_of(game: Game) -> Iterator[Any]:
    """Yield every event of a game that is in ``FIGURES``, including secret events."""
    happened = single(each.event for each in game.records if isinstance(each, EventRecord))
    return (event for event in happened if type(event) in FIGURES)


def _fields(*names: str) -> Callable[[Any], dict[str, int]]:
    return lambda event: {name: getattr(event, name) for name in names}


def _tried(event: events.SurrenderChecked) -> dict[str, int]:
    bonus = sum(value for _, value in event.modifiers)
    return {f"total.{number}": die + bonus for number, die in enumerate(event.dice, 1)}


def _withdrew(event: battle.FormationWithdrew) -> dict[str, int]:
    return {"armor": event.armor, "general": event.general}


def _assessed(event: battle.AdvantageAssessed) -> dict[str, int]:
    sums = {f"points.{side}": sum(value for _, value in points) for side, points in event.points.items()}
    return sums | {"net": event.net}


def _briefed(event: battle.BattleBriefed) -> dict[str, int]:
    found: dict[str, int] = {}
    for side, party in event.brief.parties.items():
        found |= {f"points.{side}": party.points, f"rerolls.{side}": party.rerolls, f"flights.{side}": party.flights}
        for each in party.companies:
            found[f"afv_less.{each.parent}.{side}"] = each.afv_less
            found[f"stand_less.{each.parent}.{side}"] = each.stand_less
    return found


def _moved(event: events.FormationMoved) -> dict[str, int]:
    return {"cost": event.cost if event.start else 0}


FIGURES: dict[type[Event], Callable[[Any], dict[str, int]]] = {
    events.SupplyChecked: lambda event: dict(event.stocks),
    events.SurrenderChecked: _tried,
    events.FormationDisabled: _fields("general"),
    events.ReplacementsGiven: _fields("paid_armor", "paid_general"),
    events.ActivationRolled: _fields("total"),
    events.DoctrineInvoked: _fields("general", "armor"),
    events.FormationMoved: _moved,
    events.CharacterHit: _fields("returns"),
    events.ConditionCounted: _fields("turns"),
    battle.FormationWithdrew: _withdrew,
    battle.MissionSet: _fields("number"),
    battle.AdvantageAssessed: _assessed,
    battle.BattleBriefed: _briefed,
    battle.VehiclesRecovered: _fields("needs", "recovered"),
    battle.ActionCounted: _fields("armor", "general"),
    battle.AttritionTaken: _fields("armor", "general", "recovered"),
    battle.EngagementDecided: lambda event: {f"points.{side}": points for side, points in event.points.items()},
}
"""The figures of each event type, by the name of their calculation."""
