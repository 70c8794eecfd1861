"""A reference checker: it follows a campaign by its events, keeps its own state, and reports illegal events.

It knows only the default rulings. Its figures were written independently, from the rulebook.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from axis_attack.model import events
from axis_attack.model.cards import DEPLETED, DESTROYED, FULL, GUTTED, MISSIONS, SIDES, UNDER, Board
from axis_attack.model.state import AxisState
from sandtable.kernel.events import GameEnded, TurnBegan

ENEMY = {"german": "soviet", "soviet": "german"}
NEEDS = {"combat": 3, "hq": 4, "weapons": 4, "support": 5}
CHART = {"clear": "ccccoi", "cloudy": "cccois", "intermittent_rain": "cccoss", "steady_rain": "ccoosi"}
SHORT = {"c": "clear", "o": "cloudy", "i": "intermittent_rain", "s": "steady_rain"}
MUD = {"clear": -2, "cloudy": -1, "intermittent_rain": 1, "steady_rain": 2}
PRICES = {
    "smoke": 1,
    "night_attack": 5,
    "counterbattery": 3,
    "battalion_shoot": 3,
    "preregistered": 2,
    "aerial_bombardment": 7,
}
ATTACKERS_ONLY = {"smoke", "night_attack", "aerial_bombardment"}


class Entry:
    """A platoon in the checker's state."""

    def __init__(self, kind: Any, level: int) -> None:
        self.kind, self.bought, self.level, self.before = kind, level, level, level
        self.raised = self.reinforced = 0


class Checker:
    """A campaign computed from its events, with complaints about illegal ones."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.rosters: dict[str, dict[str, Entry]] = {side: {} for side in SIDES}
        self.balance: dict[str, int] = {}
        self.raw = dict.fromkeys(SIDES, 0)
        self.points = dict.fromkeys(SIDES, 0)
        self.fielded: dict[str, list[Any]] = {side: [] for side in SIDES}
        self.dice = dict.fromkeys(SIDES, 4)
        self.spent = dict.fromkeys(SIDES, 0)
        self.sector, self.turn, self.mud, self.weather = 0, 0, 0, ""
        self.mission = self.attacker = self.defender = self.winner = self.conceded = ""
        self.over = ""
        self.complaints: list[str] = []
        self.seen: Counter[str] = Counter()

    def read(self, event: Any) -> None:
        self.seen[type(event).__name__] += 1
        reader = getattr(self, f"on_{type(event).__name__}", None)
        if reader:
            reader(event)
        for side, left in self.balance.items():
            self.expect(left >= 0, f"{side} has {left} points after {type(event).__name__}")

    def expect(self, fact: bool, complaint: str) -> None:
        if not fact:
            self.complaints.append(f"turn {self.turn}: {complaint}")

    # --- set-up ---

    def on_CompanyBuilt(self, event: events.CompanyBuilt) -> None:
        company = self.board.lists[event.side]
        total = company.hq_points + sum(company.air_points[level] for level in event.aircraft.values())
        for name, wanted in event.platoons.items():
            kind = company.types[wanted.type]
            prices = {each.id: each.points for each in kind.upgrades}
            total += next(size.points for size in kind.sizes if size.teams == wanted.teams)
            total += sum(prices[each] * number for each, number in wanted.upgrades.items())
            self.rosters[event.side][name] = Entry(kind, event.levels[name])
            self.expect(event.levels[name] == self.level(kind, wanted.teams), f"level of {name}")
        self.expect(
            total == event.points <= self.board.points_of(event.side),
            f"{event.side} builds for {total}, not {event.points}",
        )

    def on_CampaignOpened(self, event: events.CampaignOpened) -> None:
        self.balance = dict(event.balance)
        self.sector, self.mission, self.weather = event.sector, event.mission, event.weather
        self.expect(event.mission == "encounter", "the first mission")

    @staticmethod
    def level(kind: Any, teams: int) -> int:
        least, most = kind.sizes[0].teams, kind.sizes[-1].teams
        half = (least + most) // 2
        if teams >= most:
            return FULL
        if teams >= half and least < half and half in [size.teams for size in kind.sizes]:
            return UNDER
        return DEPLETED if teams >= least else GUTTED

    @staticmethod
    def size(kind: Any, level: int) -> int:
        least, most = kind.sizes[0].teams, kind.sizes[-1].teams
        teams: int = {FULL: most, UNDER: (least + most) // 2, DEPLETED: least}.get(level, 0)
        return teams

    # --- the mission ---

    def on_TurnBegan(self, event: TurnBegan) -> None:
        self.turn = event.turn
        self.expect(not self.over, "continues after the end")
        self.expect(event.turn <= 9, "more than nine turns")
        self.dice, self.spent = dict.fromkeys(SIDES, 4), dict.fromkeys(SIDES, 0)
        self.conceded = ""
        self.fielded = {side: [] for side in SIDES}
        for entry in [each for roster in self.rosters.values() for each in roster.values()]:
            entry.raised = entry.reinforced = 0
            entry.before = entry.level

    def on_SelectionRolled(self, event: events.SelectionRolled) -> None:
        mission = self.board.missions[self.mission]
        for side in SIDES:
            base = event.dice[side] + self.raw[side] + (self.balance[side] > self.balance[ENEMY[side]])
            if side == self.winner == self.defender and not mission.fair_fight:
                base -= 2
            extra = event.totals[side] - base
            self.expect(
                extra == 0 or (side == self.winner and extra > 0), f"total of {side}: {event.totals[side]}, not {base}"
            )
        self.totals = dict(event.totals)

    def on_TotalAdjusted(self, event: events.TotalAdjusted) -> None:
        held = self.winner == self.defender == event.side and self.mission in {"breakthrough", "fighting_withdrawal"}
        self.expect(held and abs(event.by) == 1, f"{event.side} adjusts a total")
        self.expect(self.totals[event.of] >= self.totals[ENEMY[event.of]], "the lower total is adjusted")
        self.totals[event.of] += event.by

    def on_MissionSelected(self, event: events.MissionSelected) -> None:
        score = max(self.totals.values())
        right = (
            MISSIONS[min(5, max(0, 10 - score if score >= 10 else 1 if score >= 8 else 9 - score))]
            if score < 10
            else MISSIONS[0]
        )
        self.expect(event.mission == right, f"{event.mission} by {score}, not {right}")
        ahead = [side for side in SIDES if self.totals[side] > self.totals[ENEMY[side]]]
        self.expect(event.attacker == (ahead[0] if ahead else ""), f"attacker {event.attacker}")
        self.mission, self.attacker, self.defender = event.mission, event.attacker, event.defender

    def on_MissionChanged(self, event: events.MissionChanged) -> None:
        step = abs(MISSIONS.index(event.mission) - MISSIONS.index(self.mission))
        self.expect(step == 1 and event.cost == 5, f"the mission moves {step} steps for {event.cost}")
        self.mission = event.mission
        self.balance[event.side] -= 5

    def on_RolesRolled(self, event: events.RolesRolled) -> None:
        self.attacker, self.defender = event.attacker, event.defender

    def on_TableShifted(self, event: events.TableShifted) -> None:
        self.balance[event.side] -= event.cost

    # --- the game ---

    def on_GameConceded(self, event: events.GameConceded) -> None:
        self.conceded = event.side

    def on_ForceChosen(self, event: events.ForceChosen) -> None:
        company, roster = self.board.lists[event.side], self.rosters[event.side]
        total = company.hq_points + (company.air_points[event.air.level] if event.air.aircraft else 0)
        for each in event.platoons:
            entry = roster[each.platoon]
            self.expect(entry.level >= DEPLETED, f"{each.platoon} is fielded at level {entry.level}")
            self.expect(
                entry.kind.sizes[0].teams <= each.teams <= self.size(entry.kind, entry.level),
                f"{each.platoon} fields {each.teams}",
            )
            prices = {one.id: one.points for one in entry.kind.upgrades}
            total += next(size.points for size in entry.kind.sizes if size.teams == each.teams)
            total += sum(prices[name] * number for name, number in each.upgrades.items())
            self.expect(not each.off_table or entry.kind.bombards, f"{each.platoon} off the table")
        self.expect(
            total == event.points <= 1500 + 75 * event.extra, f"{event.side} fields {total}, not {event.points}"
        )
        self.expect(0 <= event.extra <= 3, f"{event.extra} points for the limit")
        bought = event.purchase
        cost = event.extra + PRICES.get(bought.kind, 0) * bought.number
        self.expect(cost == event.cost, f"{event.side} pays {event.cost}, not {cost}")
        if bought.kind not in {"", "counterbattery"}:
            self.expect(self.board.missions[self.mission].defensive_battle, f"{bought.kind} in {self.mission}")
        self.expect(bought.kind not in ATTACKERS_ONLY or event.side == self.attacker, f"{bought.kind} for a defender")
        self.expect(bought.kind != "preregistered" or event.side == self.defender, "preregistered for an attacker")
        self.balance[event.side] -= cost
        self.points[event.side], self.fielded[event.side] = total, list(event.platoons)

    def on_WeatherRolled(self, event: events.WeatherRolled) -> None:
        right = SHORT[CHART[self.weather][event.die - 1]]
        self.expect(event.weather == right, f"{event.weather} after {self.weather} by {event.die}")
        self.expect(event.side == self.defender, f"{event.side} rolls for the weather")
        self.weather, self.mud = right, min(4, max(0, self.mud + MUD[right]))
        self.expect(event.mud == self.mud, f"mud {event.mud}, not {self.mud}")

    def on_BattleFought(self, event: events.BattleFought) -> None:
        self.result, self.winner = event.result, event.result.winner

    def on_PointsScored(self, event: events.PointsScored) -> None:
        low = self.points[ENEMY[event.side]] - self.points[event.side]
        bonus = 3 if low > 300 else 2 if low > 150 else 1 if low > 50 else 0
        if self.conceded:
            self.expect(
                event.points == (1 if event.side == self.conceded else 6), f"{event.side} scores {event.points}"
            )
            self.expect(event.side != self.conceded or not event.bonus, "a bonus for a concession")
        else:
            self.expect(event.points == self.result.points[event.side], f"{event.side} scores {event.points}")
            self.expect(event.bonus == bonus, f"bonus {event.bonus} of {event.side}, not {bonus}")
        self.raw[event.side] = event.points
        self.balance[event.side] += event.points + event.bonus

    # --- what follows ---

    def on_StrengthAssessed(self, event: events.StrengthAssessed) -> None:
        self.expect(not self.conceded, "casualties of a game that was not played")
        entry = self.rosters[event.side][event.platoon]
        each = next(one for one in self.fielded[event.side] if one.platoon == event.platoon)
        lost = self.result.platoons.get(event.side, {}).get(event.platoon)
        teams, gone = self.size(entry.kind, entry.level), 0
        if lost is not None:
            kept = lost.bailed if self.winner == event.side else sum(die >= 4 for die in event.dice)
            gone = lost.destroyed + lost.bailed - kept
            teams -= gone + lost.routed + sum(number for turn, number in lost.exited if turn <= 3)
        destroyed = gone == each.teams == self.size(entry.kind, entry.level)
        right = DESTROYED if destroyed else min(entry.level, self.level(entry.kind, teams))
        self.expect(event.level == right, f"{event.platoon} falls to {event.level}, not {right}")
        entry.level = event.level

    def on_FrontMoved(self, event: events.FrontMoved) -> None:
        forward = {"german": 1, "soviet": -1}
        mission, won = self.board.missions[self.mission], self.winner
        code = "hold"
        if won in SIDES:
            code = mission.attacker if won == self.attacker or self.mission == "encounter" else mission.defender
        moves = {"hold": {0}, "advance": {1}, "breakthrough": {1, 2}, "retreat": {1}}[code]
        way = forward[ENEMY[self.defender]] if code == "retreat" else forward.get(won, 0)
        self.expect(event.result == code and event.was == self.sector, f"result {event.result}, not {code}")
        self.expect(
            event.sector in {min(7, max(1, self.sector + way * step)) for step in moves},
            f"the front goes to {event.sector}",
        )
        attacked = won in SIDES and (won == self.attacker or self.mission == "encounter")
        if attacked and self.sector == {"german": 7, "soviet": 1}[won]:
            self.over = won
        self.sector = event.sector

    def on_PlatoonLowered(self, event: events.PlatoonLowered) -> None:
        entry = self.rosters[event.side][event.platoon]
        self.expect(DEPLETED <= event.level < entry.level, f"{event.platoon} is lowered to {event.level}")
        entry.level = event.level

    def on_DiceBought(self, event: events.DiceBought) -> None:
        self.expect(event.dice == 4 + event.bought and event.bought >= 0, f"{event.dice} dice")
        self.dice[event.side] = event.dice
        self.balance[event.side] -= event.bought

    def on_PlatoonRaised(self, event: events.PlatoonRaised) -> None:
        entry = self.rosters[event.side][event.platoon]
        fit = sum(each.kind.slot == "combat" and each.level >= DEPLETED for each in self.rosters[event.side].values())
        self.expect(fit < 2 and entry.kind.slot == "combat", f"{event.platoon} is raised beside {fit}")
        steps = DEPLETED - entry.level
        self.expect(
            event.dice == steps > 0 or len(entry.kind.sizes) == 1, f"{event.platoon} is raised for {event.dice} dice"
        )
        self.spent[event.side] += event.dice
        entry.level, entry.raised = event.level, 1

    def on_PlatoonReinforced(self, event: events.PlatoonReinforced) -> None:
        entry = self.rosters[event.side][event.platoon]
        needs = NEEDS[entry.kind.slot] + entry.kind.all_tanks
        self.expect(
            event.needs == needs and not entry.raised and not entry.reinforced, f"{event.platoon} needs {event.needs}"
        )
        ladder = [
            DESTROYED,
            GUTTED,
            *(
                level
                for level in (DEPLETED, UNDER, FULL)
                if self.level(entry.kind, self.size(entry.kind, level)) == level
            ),
        ]
        above = next((level for level in ladder if level > entry.level), entry.level)
        right = above if max(event.dice) >= needs else entry.level
        self.expect(event.level == right <= entry.bought, f"{event.platoon} rises to {event.level}, not {right}")
        self.spent[event.side] += len(event.dice)
        entry.level, entry.reinforced = event.level, 1

    def on_PlatoonExchanged(self, event: events.PlatoonExchanged) -> None:
        entry = self.rosters[event.side][event.platoon]
        new = self.board.lists[event.side].types[event.wanted.type]
        self.expect(
            entry.kind.slot == new.slot == "support" and entry.level >= DEPLETED and event.cost == 5,
            f"{event.platoon} is exchanged",
        )
        self.balance[event.side] -= 5
        self.rosters[event.side][event.platoon] = Entry(new, event.level)

    def on_TurnClosed(self, _: events.TurnClosed) -> None:
        for side in SIDES:
            spent, dice = self.spent[side], self.dice[side]
            able = any(each.level < each.bought and not each.raised for each in self.rosters[side].values())
            self.expect(spent <= dice, f"{side} rolls {spent} of {dice} dice")
            self.expect(spent in {0, dice} or not able, f"{side} keeps {dice - spent} dice")

    def on_GameEnded(self, event: GameEnded) -> None:
        if event.ending == "home_sector":
            self.expect(event.outcome == self.over, f"{event.outcome} wins in the home sector")
            return
        self.expect(self.turn == 9 and not self.over, f"it ends in turn {self.turn}")
        right = "german" if self.sector >= 6 else "soviet" if self.sector <= 2 else "draw"
        self.expect(event.outcome == right, f"{event.outcome} in sector {self.sector}")

    def compare(self, state: AxisState) -> None:
        """Compare the checker's state with the state of the game."""
        if not self.balance:
            return
        self.expect(state.balance == self.balance, f"balance {state.balance}, in the roster {self.balance}")
        self.expect((state.sector, state.mud) == (self.sector, self.mud), f"sector {state.sector}, mud {state.mud}")
        for side, roster in state.rosters.items():
            levels = {name: each.level for name, each in roster.items()}
            kept = {name: each.level for name, each in self.rosters[side].items()}
            self.expect(levels == kept, f"levels of {side}: {levels}, in the roster {kept}")
