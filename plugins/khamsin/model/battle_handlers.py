"""How each event of an engagement changes the state."""

from khamsin.model import battle_events as events
from khamsin.model.handlers import ledger
from khamsin.model.state import Action, Engagement, Formation, KhamsinState
from sandtable import evolves
from sandtable.tabletop import Attrition


@evolves(events.EngagementFound)
def engagement_found(state: KhamsinState, event: events.EngagementFound) -> None:
    """Note it."""
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
    """Note how the side meets it."""
    state.engagements[event.engagement].withdrawing[event.side] = event.how


@evolves(events.FormationWithdrew)
def formation_withdrew(state: KhamsinState, event: events.FormationWithdrew) -> None:
    """Take it out of the engagement, and count its losses; its retreat follows."""
    engagement = state.engagements[event.engagement]
    engagement.forces[event.side].remove(event.formation)
    engagement.left[event.formation] = event.how
    book = ledger(state, event.formation)
    book.armor += event.armor
    book.general += event.general


@evolves(events.WithdrawalAllowed)
def withdrawal_allowed(state: KhamsinState, event: events.WithdrawalAllowed) -> None:
    """Nothing is left to fight."""
    state.engagements[event.engagement].over = True


@evolves(events.ModeAgreed)
def mode_agreed(state: KhamsinState, event: events.ModeAgreed) -> None:
    """Note it."""
    state.engagements[event.engagement].mode = event.mode


@evolves(events.MissionSet)
def mission_set(state: KhamsinState, event: events.MissionSet) -> None:
    """Note it."""
    engagement = state.engagements[event.engagement]
    engagement.mission, engagement.number = event.mission, event.number


@evolves(events.AdvantageReckoned)
def advantage_reckoned(state: KhamsinState, event: events.AdvantageReckoned) -> None:
    """Note the net advantage."""
    engagement = state.engagements[event.engagement]
    engagement.favoured, engagement.net = event.favoured, event.net


@evolves(events.CompaniesFielded)
def companies_fielded(state: KhamsinState, event: events.CompaniesFielded) -> None:
    """Note them, and the air support that they use."""
    state.engagements[event.engagement].fielded[event.side] = list(event.companies)
    used = int(any(each.air for each in event.companies))
    state.air_used[event.side] = state.air_used.get(event.side, 0) + used


@evolves(events.BattleBriefed)
def battle_briefed(_state: KhamsinState, _: events.BattleBriefed) -> None:
    """Change nothing: what comes of it does."""


@evolves(events.BattleFought)
def battle_fought(state: KhamsinState, event: events.BattleFought) -> None:
    """Note points and winner."""
    result = event.result
    action = Action(event.action, dict(result.points), result.winner)
    state.engagements[event.engagement].actions.append(action)


@evolves(events.VehiclesRecovered)
def vehicles_recovered(_state: KhamsinState, _: events.VehiclesRecovered) -> None:
    """Change nothing: the attrition of the action has it in it."""


@evolves(events.ActionCounted)
def action_counted(state: KhamsinState, event: events.ActionCounted) -> None:
    """Note it for the average."""
    for action in state.engagements[event.engagement].actions:
        if action.number == event.action:
            action.attrition[event.formation] = Attrition(event.armor, event.general)


@evolves(events.AttritionTaken)
def attrition_taken(state: KhamsinState, event: events.AttritionTaken) -> None:
    """Write it into the ledger."""
    book = ledger(state, event.formation)
    book.armor += event.armor
    book.general += event.general
    state.formations[event.formation].recovered_now += event.recovered


@evolves(events.EngagementDecided)
def engagement_decided(state: KhamsinState, event: events.EngagementDecided) -> None:
    """Note the result."""
    engagement = state.engagements[event.engagement]
    engagement.points = dict(event.points)
    engagement.winner, engagement.scale, engagement.over = event.winner, event.scale, True


@evolves(events.RegroupOwed)
def regroup_owed(state: KhamsinState, event: events.RegroupOwed) -> None:
    """They must rest next turn."""
    for formation in _living(state, event.formations):
        formation.regroup_next = True


@evolves(events.EnemyOverwhelmed)
def enemy_overwhelmed(state: KhamsinState, event: events.EnemyOverwhelmed) -> None:
    """They have an advantage next turn."""
    for formation in _living(state, event.formations):
        formation.overwhelmed_now = True


def _living(state: KhamsinState, formation_ids: list[str]) -> list[Formation]:
    """Return those that are still there: a part may have joined its formation."""
    return [state.formations[each] for each in formation_ids if each in state.formations]


@evolves(events.FormationRetreated, events.FormationAdvanced)
def formation_went(state: KhamsinState, event: events.FormationRetreated | events.FormationAdvanced) -> None:
    """Put it where it went; this is no movement of its own."""
    state.formations[event.formation].area = event.area


@evolves(events.EngagementSettled)
def engagement_settled(state: KhamsinState, event: events.EngagementSettled) -> None:
    """Close it."""
    state.engagements[event.engagement].settled = True
