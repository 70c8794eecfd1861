"""Handlers of the events of engagements."""

from khamsin.model import battle_events as events
from khamsin.model.handlers import ledger
from khamsin.model.state import Action, Engagement, Formation, KhamsinState
from sandtable import evolves
from sandtable.tabletop import Attrition


@evolves(events.EngagementFound)
def engagement_found(state: KhamsinState, event: events.EngagementFound) -> None:
    """Add the engagement."""
    state.engagements[event.engagement] = Engagement(
        id=event.engagement,
        area=event.area,
        other=event.other,
        forces={side: list(force) for side, force in event.forces.items()},
        origins=dict(event.origins),
        column=event.column,
        stationary=event.stationary,
        holder=event.holder,
        companies={side: dict(classes) for side, classes in event.composition.items()},
    )


@evolves(events.WithdrawalChosen)
def withdrawal_chosen(state: KhamsinState, event: events.WithdrawalChosen) -> None:
    """Store how the side meets the engagement."""
    state.engagements[event.engagement].withdrawing[event.side] = event.how


@evolves(events.FormationWithdrew)
def formation_withdrew(state: KhamsinState, event: events.FormationWithdrew) -> None:
    """Remove the formation from the engagement and add its attrition. Its retreat follows later."""
    engagement = state.engagements[event.engagement]
    engagement.forces[event.side].remove(event.formation)
    engagement.left[event.formation] = event.how
    book = ledger(state, event.formation)
    book.armor += event.armor
    book.general += event.general


@evolves(events.WithdrawalAllowed)
def withdrawal_allowed(state: KhamsinState, event: events.WithdrawalAllowed) -> None:
    """Mark the engagement as over."""
    state.engagements[event.engagement].over = True


@evolves(events.ModeAgreed)
def mode_agreed(state: KhamsinState, event: events.ModeAgreed) -> None:
    """Store the mode."""
    state.engagements[event.engagement].mode = event.mode


@evolves(events.MissionSet)
def mission_set(state: KhamsinState, event: events.MissionSet) -> None:
    """Store the mission and the number of actions."""
    engagement = state.engagements[event.engagement]
    engagement.mission, engagement.number = event.mission, event.number


@evolves(events.AdvantageAssessed)
def advantage_assessed(state: KhamsinState, event: events.AdvantageAssessed) -> None:
    """Store the net advantage."""
    engagement = state.engagements[event.engagement]
    engagement.favored, engagement.net = event.favored, event.net


@evolves(events.CompaniesFielded)
def companies_fielded(state: KhamsinState, event: events.CompaniesFielded) -> None:
    """Store the companies, and count the air support that they use."""
    state.engagements[event.engagement].fielded[event.side] = list(event.companies)
    used = int(any(each.air for each in event.companies))
    state.air_used[event.side] = state.air_used.get(event.side, 0) + used


@evolves(events.BattleBriefed)
def battle_briefed(_state: KhamsinState, _: events.BattleBriefed) -> None:
    """Change nothing; the result of the battle changes the state."""


@evolves(events.BattleFought)
def battle_fought(state: KhamsinState, event: events.BattleFought) -> None:
    """Add the action with its points and winner."""
    result = event.result
    action = Action(event.action, dict(result.points), result.winner)
    state.engagements[event.engagement].actions.append(action)


@evolves(events.VehiclesRecovered)
def vehicles_recovered(_state: KhamsinState, _: events.VehiclesRecovered) -> None:
    """Change nothing; the attrition of the action includes the recovery."""


@evolves(events.ActionCounted)
def action_counted(state: KhamsinState, event: events.ActionCounted) -> None:
    """Store the attrition of the action for the average."""
    for action in state.engagements[event.engagement].actions:
        if action.number == event.action:
            action.attrition[event.formation] = Attrition(event.armor, event.general)


@evolves(events.AttritionTaken)
def attrition_taken(state: KhamsinState, event: events.AttritionTaken) -> None:
    """Add the attrition to the formation's ledger."""
    book = ledger(state, event.formation)
    book.armor += event.armor
    book.general += event.general
    state.formations[event.formation].recovered_now += event.recovered


@evolves(events.EngagementDecided)
def engagement_decided(state: KhamsinState, event: events.EngagementDecided) -> None:
    """Store the points, winner and scale, and mark the engagement as over."""
    engagement = state.engagements[event.engagement]
    engagement.points = dict(event.points)
    engagement.winner, engagement.scale, engagement.over = event.winner, event.scale, True


@evolves(events.RegroupOwed)
def regroup_owed(state: KhamsinState, event: events.RegroupOwed) -> None:
    """Mark the formations that must regroup next turn."""
    for formation in _existing(state, event.formations):
        formation.regroup_next = True


@evolves(events.EnemyOverwhelmed)
def enemy_overwhelmed(state: KhamsinState, event: events.EnemyOverwhelmed) -> None:
    """Mark the formations that have an advantage next turn."""
    for formation in _existing(state, event.formations):
        formation.overwhelmed_now = True


def _existing(state: KhamsinState, formation_ids: list[str]) -> list[Formation]:
    """Return the formations that still exist. A part can have joined its formation in the meantime."""
    return [state.formations[each] for each in formation_ids if each in state.formations]


@evolves(events.FormationRetreated, events.FormationAdvanced)
def formation_relocated(state: KhamsinState, event: events.FormationRetreated | events.FormationAdvanced) -> None:
    """Change the formation's area. This does not count as a move."""
    state.formations[event.formation].area = event.area


@evolves(events.EngagementSettled)
def engagement_settled(state: KhamsinState, event: events.EngagementSettled) -> None:
    """Mark the engagement as settled."""
    state.engagements[event.engagement].settled = True
