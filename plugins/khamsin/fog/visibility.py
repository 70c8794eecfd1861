"""The part of each event that a side sees: its own events, and the public part of events about both sides."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from khamsin.model import battle_events as battle
from khamsin.model import events
from khamsin.model.cards import ENEMY
from khamsin.model.state import Fielded
from sandtable import UMPIRE, Event
from sandtable.tabletop import Brief, Party, Result


def unnamed(company: Fielded) -> Fielded:
    """Return an enemy company as the table shows it: its type, but not its formation (KH-R101)."""
    return replace(company, formation="", trade=False)


# --- secret events ---


def _found(event: battle.EngagementFound, side: str, reveal: str) -> Event:
    enemy = ENEMY[side]
    if reveal == "full":
        return event
    return replace(
        event,
        forces={owner: force if owner == side else [] for owner, force in event.forces.items()},
        origins={key: start for key, start in event.origins.items() if key in event.forces[side]},
        composition=event.composition if reveal == "composition" else event.composition | {enemy: {}},
    )


def _briefed(event: battle.BattleBriefed, side: str, reveal: str) -> Event:
    brief = event.brief
    parties = {
        owner: party if owner == side else _hidden_party(party, reveal) for owner, party in brief.parties.items()
    }
    hidden: Brief = replace(brief, parties=parties)
    return replace(event, brief=hidden, calculations=battle.calculations_for(side, event.calculations))


def _hidden_party(party: Party, reveal: str) -> Party:
    """Return the enemy's party as the table shows it: company types, but not their points or state."""
    companies = tuple(
        replace(
            each,
            parent=each.parent if reveal == "full" else "",
            parent_title=each.parent_title if reveal == "full" else "",
            points=0,
            platoons=(),
            supplied=True,
            afv_less=0,
            stand_less=False,
        )
        for each in party.companies
    )
    return replace(party, companies=companies, command=(), characters=(), traded=False, notes=())


def _fought(event: battle.BattleFought, side: str, _reveal: str) -> Event:
    result = event.result
    own: Result = replace(
        result,
        platoons={owner: lost for owner, lost in result.platoons.items() if owner == side},
        short={owner: lost for owner, lost in result.short.items() if owner == side},
        recovery={owner: dice for owner, dice in result.recovery.items() if owner == side},
        casualties={owner: hit for owner, hit in result.casualties.items() if owner == side},
        recon_ahead=(),
        transfers=(),
    )
    return replace(event, result=own, part=side)


def _advantage(event: battle.AdvantageAssessed, side: str, _reveal: str) -> Event:
    points = {owner: items for owner, items in event.points.items() if owner == side}
    return replace(event, points=points, calculations=battle.calculations_for(side, event.calculations))


def _chosen(event: battle.WithdrawalChosen, side: str, reveal: str) -> Event:
    return event if event.side == side or reveal == "full" else replace(event, leaving={})


def _fielded(event: battle.CompaniesFielded, side: str, reveal: str) -> Event:
    if event.side == side or reveal == "full":
        return event
    return replace(event, companies=[unnamed(each) for each in event.companies])


OWNED: tuple[type[Event], ...] = (
    events.SideDeployed,
    events.SupplyChecked,
    events.SurrenderChecked,
    events.FormationLost,
    events.FormationDisabled,
    events.FormationReturned,
    events.FormationArrived,
    events.FormationDelayed,
    events.ReplacementsGiven,
    events.OrdersWritten,
    events.EnemyMet,
    events.NoEnemyMet,
    events.AircraftFlew,
    events.FormationDivided,
    events.FormationJoined,
    events.ActivationRolled,
    events.DoctrineInvoked,
    events.DoctrineEnded,
    events.FormationMoved,
    events.LeaderMoved,
    events.LeaderReturned,
    events.CharacterHit,
    events.ReportIssued,
    battle.SideActed,
    battle.FormationWithdrew,
    battle.VehiclesRecovered,
    battle.ActionCounted,
    battle.AttritionTaken,
    battle.RegroupOwed,
    battle.EnemyOverwhelmed,
    battle.FormationRetreated,
    battle.FormationAdvanced,
)
"""Events that only the side that they name and the umpire see."""

SHOWN_IN_PART: dict[type[Event], Callable[[Any, str, str], Event]] = {
    battle.EngagementFound: _found,
    battle.BattleBriefed: _briefed,
    battle.BattleFought: _fought,
    battle.AdvantageAssessed: _advantage,
    battle.WithdrawalChosen: _chosen,
    battle.CompaniesFielded: _fielded,
}
"""Functions of event, side and ``engagement_reveal`` that return the visible part of an event about both sides."""

SECRET: tuple[type[Event], ...] = (*OWNED, *SHOWN_IN_PART)

REVEALS: tuple[type[Event], ...] = (
    events.AreasInterdicted,
    events.EnemyMet,
    events.ControlChanged,
    events.ReportIssued,
    battle.EngagementFound,
    battle.WithdrawalChosen,
    battle.WithdrawalAllowed,
    battle.MissionSet,
    battle.AdvantageAssessed,
    battle.CompaniesFielded,
    battle.BattleBriefed,
    battle.BattleFought,
    battle.EngagementDecided,
)
"""Events by which a side legitimately learns secrets: contact, control, reports, the table."""


def visibility(reveal: str) -> Callable[[Event, str], Event | None]:
    """Return the function that gives a side's version of an event, if contact reveals ``reveal`` (KH-R59)."""

    def visible(event: Event, side: str) -> Event | None:
        if side == UMPIRE:
            return event
        kind = type(event)
        if kind in SHOWN_IN_PART:
            return SHOWN_IN_PART[kind](event, side, reveal)
        owner = getattr(event, "side", side) if kind in OWNED else side
        return event if owner == side else None

    return visible
