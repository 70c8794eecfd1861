"""Handlers of events: the only code that changes the state. They roll no dice and ask for no decision."""

from axis_attack.model import events
from axis_attack.model.cards import DEPLETED, Board, PlatoonType
from axis_attack.model.state import AxisState, Battle, Force, Platoon
from axis_attack.model.strength import available, transports_needed
from sandtable import evolves


def _show(state: AxisState, side: str, platoons: list[str]) -> None:
    """Record platoons that the enemy now knows."""
    shown = state.shown.setdefault(side, [])
    shown += [each for each in platoons if each not in shown]


# --- the campaign opens ---


@evolves(events.CompanyBuilt)
def company_built(state: AxisState, event: events.CompanyBuilt) -> None:
    """Create the roster, the record of levels, and the aircraft of a side."""
    state.rosters[event.side] = {
        each: Platoon(
            type=wanted.type,
            bought=event.levels[each],
            level=event.levels[each],
            upgrades=dict(wanted.upgrades),
            teams=wanted.teams,
            transports=event.transports[each],
        )
        for each, wanted in event.platoons.items()
    }
    state.ladder[event.side] = {each: [level] for each, level in event.levels.items()}
    state.aircraft[event.side] = dict(event.aircraft)


@evolves(events.CampaignOpened)
def campaign_opened(state: AxisState, event: events.CampaignOpened) -> None:
    """Set sector, mission, weather and victory points."""
    state.sector, state.mission, state.weather = event.sector, event.mission, event.weather
    state.balance = dict(event.balance)
    state.earned = dict.fromkeys(event.balance, 0)
    state.raw = dict.fromkeys(event.balance, 0)


# --- the mission ---


@evolves(events.ReconClaimed)
def recon_claimed(state: AxisState, event: events.ReconClaimed) -> None:
    """Record the claimed platoons, and mark those without transports as immobile."""
    _show(state, event.side, event.platoons)
    state.claims[event.side] = list(event.platoons)
    for each in event.immobile:
        state.rosters[event.side][each].immobile = True


@evolves(events.SelectionRolled, events.TotalAdjusted, events.ChoiceRolled)
def changes_nothing(_state: AxisState, _: events.SelectionRolled | events.TotalAdjusted | events.ChoiceRolled) -> None:
    """Change nothing. Separate events have the consequences."""


@evolves(events.MissionSelected)
def mission_selected(state: AxisState, event: events.MissionSelected) -> None:
    """Set mission and roles."""
    state.mission, state.attacker, state.defender = event.mission, event.attacker, event.defender


@evolves(events.MissionChanged)
def mission_changed(state: AxisState, event: events.MissionChanged) -> None:
    """Set the mission and subtract its cost."""
    state.mission = event.mission
    state.balance[event.side] -= event.cost


@evolves(events.RolesRolled)
def roles_rolled(state: AxisState, event: events.RolesRolled) -> None:
    """Set the roles."""
    state.attacker, state.defender = event.attacker, event.defender


@evolves(events.TablePlaced, events.TableShifted)
def table_placed(state: AxisState, event: events.TablePlaced | events.TableShifted) -> None:
    """Set the corner, and subtract the cost of a shift."""
    state.corner = [event.column, event.row]
    if isinstance(event, events.TableShifted):
        state.balance[event.side] -= event.cost


# --- the game ---


@evolves(events.GameConceded)
def game_conceded(state: AxisState, event: events.GameConceded) -> None:
    """Record the side that conceded."""
    state.conceded = event.side


@evolves(events.ForceChosen)
def force_chosen(state: AxisState, event: events.ForceChosen) -> None:
    """Record the force, and subtract its cost."""
    _show(state, event.side, [each.platoon for each in event.platoons])
    state.forces[event.side] = Force(list(event.platoons), event.points, event.extra, event.purchase, event.air)
    state.balance[event.side] -= event.cost


@evolves(events.WeatherRolled)
def weather_rolled(state: AxisState, event: events.WeatherRolled) -> None:
    """Set weather and mud."""
    state.weather, state.mud = event.weather, event.mud


@evolves(events.BattleBriefed)
def battle_briefed(_state: AxisState, _: events.BattleBriefed) -> None:
    """Change nothing, because the brief is computed from the state."""


@evolves(events.BattleFought)
def battle_fought(state: AxisState, event: events.BattleFought) -> None:
    """Record the result, the winner and the platoons that fought, and replace earlier losses of transports (AOA-R51).

    Immobile platoons get no replacements. After a concession no platoon has fought.
    """
    state.report, state.winner = event.result, event.result.winner
    state.recon_ahead = list(event.result.recon_ahead)
    for side, roster in state.rosters.items():
        for platoon in roster.values():
            if not platoon.immobile:
                platoon.transports = transports_needed(_kind(state, side, platoon), platoon.level)
    for side, force in state.forces.items():
        for each in force.platoons:
            state.rosters[side][each.platoon].fought = not event.result.conceded


@evolves(events.PointsScored)
def points_scored(state: AxisState, event: events.PointsScored) -> None:
    """Add the points to the balance; the bonus does not count for the next selection (AOA-8.02)."""
    state.balance[event.side] += event.points + event.bonus
    state.earned[event.side] += event.points + event.bonus
    state.raw[event.side] = event.points


@evolves(events.PointsSpent)
def points_spent(state: AxisState, event: events.PointsSpent) -> None:
    """Subtract the points."""
    state.balance[event.side] -= event.points


# --- after the game ---


@evolves(events.StrengthAssessed)
def strength_assessed(state: AxisState, event: events.StrengthAssessed) -> None:
    """Set level, teams and transports; a recon platoon below depleted no longer counts in the selection (AOA-8.05)."""
    platoon = state.rosters[event.side][event.platoon]
    platoon.level, platoon.teams, platoon.transports = event.level, event.teams, event.transports
    if event.side == state.winner and event.level < DEPLETED and event.platoon in state.recon_ahead:
        state.recon_ahead.remove(event.platoon)


@evolves(events.FrontMoved)
def front_moved(state: AxisState, event: events.FrontMoved) -> None:
    """Move the front, and record the battle; a move of two sectors binds the winner (AOA-7.05)."""
    points = {side: state.raw[side] for side in state.raw}
    state.track.append(
        Battle(
            state.turn,
            event.was,
            state.mission,
            state.attacker,
            state.defender,
            event.winner,
            points,
            event.result,
            state.weather,
            state.conceded,
        )
    )
    state.moved_two = abs(event.sector - event.was) == 2
    state.bound = event.winner if state.moved_two else ""
    state.sector, state.result = event.sector, event.result


@evolves(events.VehiclesTaken)
def vehicles_taken(state: AxisState, event: events.VehiclesTaken) -> None:
    """Move vehicles from the donor to the receiver."""
    roster = state.rosters[event.side]
    roster[event.donor].transports -= event.number
    roster[event.receiver].transports += event.number


@evolves(events.PlatoonLowered)
def platoon_lowered(state: AxisState, event: events.PlatoonLowered) -> None:
    """Lower the platoon's level; it keeps its vehicles."""
    platoon = state.rosters[event.side][event.platoon]
    platoon.level = event.level
    platoon.teams = available(_kind(state, event.side, platoon), event.level)


@evolves(events.MobilityAssessed)
def mobility_assessed(state: AxisState, event: events.MobilityAssessed) -> None:
    """Mark platoons as immobile or mobile."""
    roster = state.rosters[event.side]
    for each in event.immobile:
        roster[each].immobile = True
    for each in event.mobile:
        roster[each].immobile = False


def _kind(state: AxisState, side: str, platoon: Platoon) -> PlatoonType:
    board: Board = state.board
    return board.type_of(side, platoon.type)


def _raise(state: AxisState, side: str, platoon: Platoon, level: int) -> None:
    """Raise a platoon to a higher level: set its teams, and add the transports between the two levels (AOA-11.06)."""
    if level <= platoon.level:
        return
    kind = _kind(state, side, platoon)
    most = transports_needed(kind, level)
    more = most - transports_needed(kind, platoon.level)
    platoon.transports = max(platoon.transports, min(most, platoon.transports + more))
    platoon.level, platoon.teams = level, available(kind, level)


@evolves(events.PlatoonRaised)
def platoon_raised(state: AxisState, event: events.PlatoonRaised) -> None:
    """Raise the platoon without a roll, and subtract the dice."""
    _show(state, event.side, [event.platoon])
    platoon = state.rosters[event.side][event.platoon]
    _raise(state, event.side, platoon, event.level)
    platoon.raised = True
    state.dice[event.side] -= event.dice


@evolves(events.DiceBought)
def dice_bought(state: AxisState, event: events.DiceBought) -> None:
    """Set the dice, and subtract one victory point for each bought die."""
    state.dice[event.side] = event.dice
    state.balance[event.side] -= event.bought


@evolves(events.PlatoonReinforced)
def platoon_reinforced(state: AxisState, event: events.PlatoonReinforced) -> None:
    """Raise the platoon if its level rose, and subtract the dice."""
    _show(state, event.side, [event.platoon])
    _raise(state, event.side, state.rosters[event.side][event.platoon], event.level)
    state.dice[event.side] -= len(event.dice)


@evolves(events.PlatoonExchanged)
def platoon_exchanged(state: AxisState, event: events.PlatoonExchanged) -> None:
    """Replace the old platoon with the new one, and subtract the cost."""
    _show(state, event.side, [event.platoon])
    wanted = event.wanted
    state.rosters[event.side][event.platoon] = Platoon(
        type=wanted.type,
        bought=event.level,
        level=event.level,
        upgrades=dict(wanted.upgrades),
        teams=wanted.teams,
        transports=event.transports,
    )
    state.balance[event.side] -= event.cost


@evolves(events.GroundChanged)
def ground_changed(state: AxisState, event: events.GroundChanged) -> None:
    """Set the mud."""
    state.mud = event.mud


@evolves(events.TurnClosed)
def turn_closed(state: AxisState, _: events.TurnClosed) -> None:
    """Record the levels, and clear the marks, forces, dice and claims of the turn."""
    for side, roster in state.rosters.items():
        for each, platoon in roster.items():
            state.ladder[side].setdefault(each, []).append(platoon.level)
            platoon.fought = platoon.raised = False
    state.forces, state.dice, state.claims = {}, {}, {}
    state.conceded, state.report = "", None
