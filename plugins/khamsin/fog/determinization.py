"""Deals of hidden information: positions, wear and reports of the enemy.

A deal agrees with all that the side knows. Enemies are in the areas of its last report and its engagements, with as
many companies by class. Other formations are in areas that their side controls. A view has only the last report and
no losses of the enemy, so the enemy is dealt with the same wear as the side itself.
"""

from khamsin.fog.placement import MOVED, NOT_YET, place
from khamsin.fog.views import EngagementSeen, FormationSeen, SideView
from khamsin.model.cards import DEDICATED, ENEMY, SIDES, Board
from khamsin.model.forces import nation, on_map, total_attrition
from khamsin.model.state import (
    DEAD,
    DOUBLE,
    ON_MAP,
    TOTAL_WAR,
    WAITING,
    Action,
    Engagement,
    Formation,
    KhamsinState,
    Leader,
    Report,
    Sheet,
)
from khamsin.model.tables import ASSIMILATES_ABOVE, INEFFECTIVE, TURNS_WITHOUT_SUPPLY
from khamsin.supply.replacements import STATIONARY, points_of
from khamsin.supply.supply import cut_off, stocks_now
from khamsin.turn.victory import compositions, occupied_areas
from sandtable import Stream


def deal(view: SideView, board: Board, stream: Stream) -> KhamsinState:
    """Return a state that gives ``view.side`` this view; the kernel fills in turn and phase.

    Raises NoDeal if no forces fit its report and its engagements.
    """
    state = _public(view, board)
    state.place_board(board)
    if view.phase != "setup.deploy":
        place(state, view, stream)
        condition = _Condition(state, view, stream)
        for step in (
            condition.wear,
            condition.supply,
            condition.after_battle,
            condition.refit,
            condition.lead,
            condition.write_orders,
        ):
            step()
    return state


def _public(view: SideView, board: Board) -> KhamsinState:
    """Return the state that the side knows, with no enemies on the map."""
    enemy = ENEMY[view.side]
    formations = {key: _own(seen) for key, seen in view.formations.items()}
    formations |= {key: Formation(enemy, it.strength) for key, it in board.formations.items() if it.side == enemy}
    leaders = {
        key: Leader(it.side, it.standing, it.area, it.returns, list(it.path)) for key, it in view.leaders.items()
    }
    leaders |= {key: Leader(enemy) for key, it in board.leaders.items() if it.side == enemy}
    sheets = {
        owner: Sheet(
            {key: list(path) for key, path in it.moves.items()},
            {key: list(path) for key, path in it.leaders.items()},
            list(it.interdict),
            dict(it.detach),
            it.plan,
        )
        for owner, it in view.sheets.items()
    }
    reports = {
        owner: Report(it.turn, list(it.occupied), {area: dict(n) for area, n in it.seen.items()}, list(it.fought))
        for owner, it in view.reports.items()
    }
    return KhamsinState(
        turn=view.turn,
        phase=view.phase,
        options=dict(view.options),
        formations=dict(sorted(formations.items())),
        leaders=dict(sorted(leaders.items())),
        control=dict(view.control),
        interdicted=dict(view.interdicted),
        weather=view.weather,
        sheets=sheets,
        air_used=dict(view.air_used),
        air_level=dict(view.air_level),
        reports=reports | {enemy: Report()},
        engagements={key: _engagement(it) for key, it in view.engagements.items()},
        honor=dict(view.honor),
        supply_on=list(view.supply_on),
        supply_off=list(view.supply_off),
        stocks=dict(view.stocks),
        held=dict(view.held),
    )


def _own(seen: FormationSeen) -> Formation:
    values = {name: getattr(seen, name) for name in FormationSeen.__struct_fields__}
    return Formation(**values | {"path": list(values["path"])})


def _engagement(seen: EngagementSeen) -> Engagement:
    values = {name: getattr(seen, name) for name in Engagement.__struct_fields__}
    return Engagement(
        **values
        | {
            "forces": {side: list(seen.forces.get(side, ())) for side in SIDES},
            "origins": dict(seen.origins),
            "companies": {side: dict(classes) for side, classes in seen.companies.items()},
            "withdrawing": dict(seen.withdrawing),
            "left": dict(seen.left),
            "fielded": {side: list(companies) for side, companies in seen.fielded.items()},
            "actions": [Action(it.number, dict(it.points), it.winner, dict(it.attrition)) for it in seen.actions],
            "points": dict(seen.points),
        }
    )


class _Condition:
    """The condition of the enemy's pieces after placement, guessed from the side's own and from public facts."""

    def __init__(self, state: KhamsinState, view: SideView, stream: Stream) -> None:
        self.state, self.view, self.stream = state, view, stream
        self.board: Board = state.board
        self.enemy = ENEMY[view.side]
        self.report = view.reports[view.side]
        self.there = on_map(state, self.enemy)

    def wear(self) -> None:
        """Give each enemy formation the attrition of one of the side's own formations with the same standing.

        A formation on the map gets fewer than INEFFECTIVE points. Waiting formations and parts keep theirs.
        """
        own = [it for it in self.view.formations.values() if not it.parent]
        for it in self.state.formations.values():
            alike = [each for each in own if each.standing == it.standing]
            if it.side == self.enemy and alike and it.standing != WAITING and not it.parent:
                like = self.stream.pick(alike)
                it.armor, it.general = like.armor, like.general
                over = max(0, it.armor + it.general + 1 - INEFFECTIVE) if it.standing == ON_MAP else 0
                it.armor, it.general = max(0, it.armor - over), it.general - max(0, over - it.armor)

    def supply(self) -> None:
        """Find formations out of supply; the number of turns is random, because it is not known (KH-10)."""
        stocks = stocks_now(self.state, self.enemy)
        self.state.stocks |= {f"{self.enemy}:{area}": turns for area, turns in stocks.items()}
        for each in cut_off(self.state, self.enemy, stocks):
            it = self.state.formations[each]
            it.supplied, it.cut = False, 1 + self.stream.below(TURNS_WITHOUT_SUPPLY)

    def after_battle(self) -> None:
        """Let one formation near each fight of the last turn owe a rest, or have overwhelmed its enemy (KH-18)."""
        is_new = self.report.turn == self.view.turn
        for fight in self.report.fought:
            ends = fight.engagement.split("~")
            near = [each for each in self.there if self._was_near(each, ends)]
            if not fight.scale or not near:
                continue
            it = self.state.formations[self.stream.pick(near)]
            if fight.scale == DOUBLE and fight.winner == self.enemy:
                it.overwhelmed, it.overwhelmed_now = not is_new, is_new
            else:
                it.regroup, it.regroup_next = not is_new, is_new

    def _was_near(self, each: str, ends: list[str]) -> bool:
        it = self.state.formations[each]
        return any(self.board.distance(end, it.path[0] if it.path else it.area) <= 1 for end in ends)

    def refit(self) -> None:
        """Let up to one formation per pool of the enemy's points assimilate, each with probability 1/2 (KH-5.14).

        The formation has no path, uses the pool system, and can receive more than 2 points. Nothing happens before the
        replacements of the turn are assigned.
        """
        if self.view.phase in (*NOT_YET, "start.replacements"):
            return
        for pool in points_of(self.state, self.enemy):
            able = [
                each
                for each in self.there
                if min(total_attrition(self.state, each), pool.armor + pool.general) > ASSIMILATES_ABOVE
                and not self.state.formations[each].path
                and nation(self.state, each).id in pool.nations
                and nation(self.state, each).system != DEDICATED
            ]
            if able and self.stream.one_in(2):
                it = self.state.formations[self.stream.pick(able)]
                it.mark, it.assimilating = STATIONARY, True

    def lead(self) -> None:
        """Put each leader with a formation, or off the map as one of the side's own leaders is (KH-23).

        Command teams on a table show that a leader is there, and their absence that no leader is (KH-17.03).
        """
        fates = [it for it in self.view.leaders.values() if it.standing != WAITING]
        areas = sorted({self.state.formations[each].area for each in self.there})
        fought = {it.area: it for it in self.view.engagements.values() if self._shows_people(it)}
        led = [area for area, it in fought.items() if any(each.command for each in it.fielded[self.enemy])]
        empty = [area for area in fought if area not in led]
        for each, it in self.state.leaders.items():
            if it.side != self.enemy:
                continue
            its_card = self.board.leaders[each]
            shows = its_card.command or its_card.character
            open_ = [area for area in areas if not shows or area not in empty]
            fate = self.stream.pick(fates) if fates else None
            if shows and led:
                it.standing, it.area = ON_MAP, led.pop()
            elif not open_:
                it.standing = DEAD
            elif fate is not None and fate.standing != ON_MAP:
                it.standing, it.returns = fate.standing, fate.returns
            else:
                it.standing, it.area = ON_MAP, self.stream.pick(open_)

    def _shows_people(self, it: EngagementSeen) -> bool:
        is_here = self.view.phase in MOVED and not it.settled and not it.other
        return is_here and bool(it.fielded.get(self.enemy)) and it.mode != TOTAL_WAR

    def write_orders(self) -> None:
        """Write the enemy's orders of the turn, its last report, and the use of its air force."""
        state, enemy = self.state, self.enemy
        if self.view.sheets:
            moves = {each: list(state.formations[each].path) for each in self.there if state.formations[each].path}
            stopped = sorted(area for area, side in state.interdicted.items() if side == enemy)
            state.sheets[enemy] = Sheet(moves, interdict=stopped)
        if self.report.turn:
            report = Report(self.report.turn, occupied_areas(state, enemy), compositions(state, enemy))
            report.fought = list(self.report.fought)
            state.reports[enemy] = report
        flown = [it.fielded[enemy] for it in self.view.engagements.values() if enemy in it.fielded]
        if flown:
            state.air_used[enemy] = sum(any(each.air for each in companies) for companies in flown)
