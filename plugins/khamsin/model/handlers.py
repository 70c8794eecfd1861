"""Handlers of the campaign's events; ``battle_handlers.py`` has the handlers for engagements."""

from msgspec.structs import replace

from khamsin.model import events
from khamsin.model.state import DEAD, IN_BASE, LOST, ON_MAP, WOUNDED, Formation, KhamsinState, Report, Sheet
from sandtable import evolves


def ledger(state: KhamsinState, formation_id: str) -> Formation:
    """Return the formation that records the attrition: itself, or for a part the whole formation (KH-R117)."""
    formation = state.formations[formation_id]
    return state.formations[formation.parent] if formation.parent else formation


@evolves(events.TurnOpened)
def turn_opened(state: KhamsinState, _: events.TurnOpened) -> None:
    """Remove the marks of the previous turn. Regrouping that was owed for the next turn is due now."""
    for formation in state.formations.values():
        formation.mark = ""
        formation.assimilating = False
        formation.regroup, formation.regroup_next = formation.regroup_next, False
        formation.recovered, formation.recovered_now = formation.recovered_now, 0
        formation.overwhelmed, formation.overwhelmed_now = formation.overwhelmed_now, False
        formation.path, formation.spent, formation.activated = [], 0, ""
        formation.got_armor = formation.got_general = 0
    for leader in state.leaders.values():
        leader.path = []
    state.interdicted, state.sheets, state.air_used, state.engagements = {}, {}, {}, {}


@evolves(events.SituationChanged)
def situation_changed(state: KhamsinState, event: events.SituationChanged) -> None:
    """Open or close a supply area, or set the level of air support. Control and weather have separate events."""
    entry = f"{event.side}:{event.area}"
    if event.kind in ("supply_on", "supply_off"):
        opened, closed = state.supply_on, state.supply_off
        here, there = (opened, closed) if event.kind == "supply_on" else (closed, opened)
        if entry not in here:
            here.append(entry)
        if entry in there:
            there.remove(entry)
    elif event.kind == "air":
        state.air_level[event.side] = event.value


@evolves(events.SideDeployed)
def side_deployed(state: KhamsinState, event: events.SideDeployed) -> None:
    """Place formations and leaders on the map."""
    for formation_id, area in event.areas.items():
        formation = state.formations[formation_id]
        formation.standing, formation.area = ON_MAP, area
    for leader_id, area in event.leaders.items():
        leader = state.leaders[leader_id]
        leader.standing, leader.area = ON_MAP, area


# --- supply, arrivals, replacements, weather ---


@evolves(events.SupplyChecked)
def supply_checked(state: KhamsinState, event: events.SupplyChecked) -> None:
    """Store which formations are out of supply, for how many turns (KH-R88), and the stocks used."""
    for formation_id, formation in state.formations.items():
        if formation.side == event.side and formation.standing == ON_MAP:
            formation.supplied = formation_id not in event.cut
            formation.cut = 0 if formation.supplied else formation.cut + 1
    mine = f"{event.side}:"
    others = {key: turns for key, turns in state.stocks.items() if not key.startswith(mine)}
    state.stocks = others | {mine + area: turns for area, turns in event.stocks.items()}


@evolves(events.SurrenderChecked, events.ReplacementsGiven)
def checked_or_given(state: KhamsinState, event: events.SurrenderChecked | events.ReplacementsGiven) -> None:
    """Remove attrition by replacements. A surrender check changes nothing; its result has a separate event."""
    if isinstance(event, events.ReplacementsGiven):
        formation, book = state.formations[event.formation], ledger(state, event.formation)
        book.armor -= event.armor
        book.general -= event.general
        formation.mark, formation.assimilating = event.mark, event.assimilating
        formation.got_armor += event.armor
        formation.got_general += event.general


@evolves(events.FormationLost)
def formation_lost(state: KhamsinState, event: events.FormationLost) -> None:
    """Remove the formation from the map permanently."""
    _off_map(state.formations[event.formation], LOST, "")


@evolves(events.FormationDisabled)
def formation_disabled(state: KhamsinState, event: events.FormationDisabled) -> None:
    """Add the attrition, and move the formation to its base, where it is in supply and owes no regrouping."""
    formation = state.formations[event.formation]
    ledger(state, event.formation).general += event.general
    _off_map(formation, IN_BASE, event.base)
    formation.supplied, formation.cut, formation.doctrine = True, 0, False


def _off_map(formation: Formation, standing: str, area: str) -> None:
    formation.standing, formation.area = standing, area
    formation.regroup = formation.regroup_next = False
    formation.activated = ""


@evolves(events.FormationReturned, events.FormationArrived)
def formation_arrived(state: KhamsinState, event: events.FormationReturned | events.FormationArrived) -> None:
    """Place the formation on the map."""
    formation = state.formations[event.formation]
    formation.standing, formation.area, formation.delayed = ON_MAP, event.area, False


@evolves(events.FormationDelayed)
def formation_delayed(state: KhamsinState, event: events.FormationDelayed) -> None:
    """Mark the formation as delayed."""
    state.formations[event.formation].delayed = True


@evolves(events.WeatherSet)
def weather_set(state: KhamsinState, event: events.WeatherSet) -> None:
    """Store the weather."""
    state.weather = event.weather


# --- orders and moves ---


@evolves(events.OrdersWritten)
def orders_written(state: KhamsinState, event: events.OrdersWritten) -> None:
    """Store the orders until they are carried out."""
    state.sheets[event.side] = Sheet(
        {piece: list(path) for piece, path in event.moves.items()},
        {piece: list(path) for piece, path in event.leaders.items()},
        list(event.interdict),
        dict(event.detach),
        event.plan,
    )


@evolves(events.EnemyMet, events.NoEnemyMet, events.AircraftFlew)
def enemy_met(_state: KhamsinState, _: events.EnemyMet | events.NoEnemyMet | events.AircraftFlew) -> None:
    """Change nothing; these events only inform a side."""


@evolves(events.AreasInterdicted)
def areas_interdicted(state: KhamsinState, event: events.AreasInterdicted) -> None:
    """Mark the areas as interdicted by the side."""
    for area in event.stopped:
        state.interdicted[area] = event.side


@evolves(events.FormationDivided)
def formation_divided(state: KhamsinState, event: events.FormationDivided) -> None:
    """Move strength to a new part of the formation, which stays in the fortress."""
    whole = state.formations[event.formation]
    whole.strength -= event.strength
    state.formations[event.piece] = Formation(
        side=whole.side,
        strength=event.strength,
        standing=ON_MAP,
        area=event.area,
        supplied=whole.supplied,
        cut=whole.cut,
        mark=whole.mark,
        assimilating=whole.assimilating,
        regroup=whole.regroup,
        parent=whole.parent or event.formation,
    )


@evolves(events.FormationJoined)
def formation_joined(state: KhamsinState, event: events.FormationJoined) -> None:
    """Return the part's strength to the whole formation, and merge their marks for regrouping and recovery."""
    whole, part = state.formations[event.formation], state.formations.pop(event.piece)
    whole.strength += part.strength
    whole.regroup = whole.regroup or part.regroup
    whole.regroup_next = whole.regroup_next or part.regroup_next
    whole.overwhelmed_now = whole.overwhelmed_now or part.overwhelmed_now
    whole.recovered_now += part.recovered_now


@evolves(events.ActivationRolled)
def activation_rolled(state: KhamsinState, event: events.ActivationRolled) -> None:
    """Store the area that the formation may enter."""
    state.formations[event.formation].activated = event.area if event.activated else ""


@evolves(events.DoctrineInvoked)
def doctrine_invoked(state: KhamsinState, event: events.DoctrineInvoked) -> None:
    """Add the attrition. The formation still owes a turn of regrouping."""
    formation, book = state.formations[event.formation], ledger(state, event.formation)
    book.general += event.general
    book.armor += event.armor
    formation.doctrine, formation.recovered = True, 0


@evolves(events.DoctrineEnded)
def doctrine_ended(state: KhamsinState, event: events.DoctrineEnded) -> None:
    """Clear the owed turn of regrouping."""
    state.formations[event.formation].doctrine = False


@evolves(events.FormationMoved)
def formation_moved(state: KhamsinState, event: events.FormationMoved) -> None:
    """Move the formation. The path of a formation that enters the map begins off the map."""
    formation = state.formations[event.formation]
    if not formation.path:
        formation.path = [event.start]
    formation.path.append(event.area)
    formation.spent += event.cost
    formation.standing, formation.area, formation.delayed = ON_MAP, event.area, False


@evolves(events.LeaderMoved)
def leader_moved(state: KhamsinState, event: events.LeaderMoved) -> None:
    """Move the leader."""
    leader = state.leaders[event.leader]
    leader.path = [*leader.path, *event.path[1:]] if leader.path else list(event.path)
    leader.area = event.path[-1]


@evolves(events.LeaderReturned)
def leader_returned(state: KhamsinState, event: events.LeaderReturned) -> None:
    """Place the leader on the map."""
    leader = state.leaders[event.leader]
    leader.standing, leader.area, leader.returns = ON_MAP, event.area, 0


@evolves(events.CharacterHit)
def character_hit(state: KhamsinState, event: events.CharacterHit) -> None:
    """Remove the leader from the map, permanently or for some turns. A minor wound changes nothing."""
    leader = state.leaders[event.leader]
    if event.fate in ("killed", "captured"):
        leader.standing, leader.area = DEAD, ""
    elif event.fate == "wounded":
        leader.standing, leader.area, leader.returns = WOUNDED, "", event.returns


@evolves(events.ControlChanged)
def control_changed(state: KhamsinState, event: events.ControlChanged) -> None:
    """Give the side control of the area."""
    state.control[event.area] = event.side


@evolves(events.HonorGained)
def honor_gained(state: KhamsinState, event: events.HonorGained) -> None:
    """Add the honor points."""
    state.honor[event.player] = state.honor.get(event.player, 0) + event.points


@evolves(events.MedalsAwarded)
def medals_awarded(_state: KhamsinState, _: events.MedalsAwarded) -> None:
    """Change nothing."""


# --- end of the turn ---


@evolves(events.ReportIssued)
def report_issued(state: KhamsinState, event: events.ReportIssued) -> None:
    """Store the report."""
    seen = {area: dict(classes) for area, classes in event.seen.items()}
    fought = [replace(each, points=dict(each.points)) for each in event.fought]
    state.reports[event.side] = Report(state.turn, list(event.occupied), seen, fought)


@evolves(events.ConditionCounted)
def condition_counted(state: KhamsinState, event: events.ConditionCounted) -> None:
    """Store the number of turns."""
    state.held[event.condition] = event.turns
