"""A reference model that follows a campaign by its events alone, and records violations of the rules.

It supports the default options only. ``compare`` checks its own state against that of the game.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from tests.plugins.khamsin.positions import single

from khamsin.model import battle_events as battle
from khamsin.model import events
from khamsin.model.cards import ENEMY, SIDES
from khamsin.model.state import KhamsinState
from sandtable.kernel.events import PhaseBegan, PhaseEnded, TurnBegan

ALLOWANCE = {"recon": 6, "motor": 4, "semi_motor": 2, "leg": 1}


class Piece:
    """A formation, or a part of one, as the model knows it."""

    def __init__(self, side: str, strength: int) -> None:
        self.side, self.strength = side, strength
        self.standing, self.area = "waiting", ""
        self.armor = self.general = 0
        self.supplied, self.regroup, self.owes, self.doctrine = True, False, False, False
        self.spent, self.steps, self.failed, self.activated, self.marked = 0, 0, False, "", ""
        self.parent = ""


class ReferenceModel:
    """A state computed from events, and the violations found."""

    def __init__(self, state: KhamsinState) -> None:
        self.board: Any = state.board
        self.pieces = {name: Piece(each.side, each.strength) for name, each in state.formations.items()}
        self.control = dict(state.control)
        self.honor = dict(state.honor)
        self.turn, self.phase = 0, ""
        self.occupied: dict[str, set[str]] = {side: set() for side in SIDES}
        self.paid: Counter[tuple[str, str]] = Counter()
        self.fought: dict[str, list[dict[str, int]]] = defaultdict(list)
        self.tolls: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        self.forces: dict[str, dict[str, list[str]]] = {}
        self.violations: list[str] = []
        self.seen: Counter[str] = Counter()

    # --- events ---

    def read(self, record: Any) -> None:
        for event in single([record]):
            self._read(event)

    def _read(self, event: Any) -> None:
        self.seen[type(event).__name__] += 1
        reader = getattr(self, f"on_{type(event).__name__}", None)
        if reader:
            reader(event)

    def require(self, condition: bool, violation: str) -> None:
        if not condition:
            self.violations.append(f"turn {self.turn}, {self.phase}: {violation}")

    def card(self, name: str) -> Any:
        return self.board.formations[self.pieces[name].parent or name]

    def ledger(self, name: str) -> Piece:
        return self.pieces[self.pieces[name].parent or name]

    def all_in(self, side: str, area: str) -> list[str]:
        """Return the formations of a side in an area."""
        return [n for n, p in self.pieces.items() if (p.standing, p.side, p.area) == ("map", side, area)]

    def on_map(self, side: str, area: str) -> list[str]:
        """Return the formations of a side in an area that can fight; a formation without strength only bombards."""
        return [name for name in self.all_in(side, area) if self.pieces[name].strength]

    # --- the turn ---

    def on_TurnBegan(self, event: TurnBegan) -> None:
        self.turn = event.turn
        self.require(self.turn <= self.board.turns, "continues after the last turn")
        self.paid.clear()

    def on_PhaseBegan(self, event: PhaseBegan) -> None:
        self.phase = event.phase
        if self.phase == "action":
            for side in SIDES:
                self.occupied[side] = {
                    p.area for n, p in self.pieces.items() if p.standing == "map" and p.side == side and p.strength
                }

    def on_PhaseEnded(self, event: PhaseEnded) -> None:
        if event.phase == "end":
            for area in self.board.areas:
                there = [side for side in SIDES if self.all_in(side, area)]
                self.require(len(there) < 2, f"both sides are in {area}")
                holds = [side for side in there if self.on_map(side, area)]
                fact = holds in ([], [self.control[area]])
                self.require(fact, f"{holds} are in {area}, which {self.control[area]} controls")

    def on_TurnOpened(self, event: Any) -> None:
        for piece in self.pieces.values():
            piece.regroup, piece.owes = piece.owes, False
            piece.spent, piece.steps, piece.failed, piece.activated, piece.marked = 0, 0, False, "", ""
        self.fought.clear()
        self.tolls.clear()
        self.forces.clear()

    def on_SideDeployed(self, event: events.SideDeployed) -> None:
        for name, area in event.areas.items():
            card = self.board.formations[name]
            self.require(area in card.start and card.side == event.side, f"{name} is deployed in {area}")
            self.pieces[name].standing, self.pieces[name].area = "map", area

    def on_SituationChanged(self, event: events.SituationChanged) -> None:
        if event.kind == "control":
            self.control[event.area] = event.side

    # --- supply, arrivals, replacements ---

    def on_SupplyChecked(self, event: events.SupplyChecked) -> None:
        for name, piece in self.pieces.items():
            if piece.side == event.side:
                piece.supplied = name not in event.cut
        for name in event.cut:
            self.require(self.pieces[name].standing == "map", f"{name} is out of supply off the map")
        if not self.board.stocks and not self.board.events:
            for name, piece in self.pieces.items():
                if piece.side == event.side and piece.standing == "map":
                    self.require(piece.supplied is self.has_line(piece), f"supply of {name} in {piece.area}")

    def has_line(self, piece: Piece) -> bool:
        """Return whether a supply line exists, by a search area by area."""
        if piece.side in self.board.supply.get(piece.area, ()):
            return True
        seen, ways = {piece.area}, [piece.area]
        while ways:
            for area in self.board.neighbors[ways.pop()]:
                if area in seen or self.control[area] != piece.side or self.on_map(ENEMY[piece.side], area):
                    continue
                if piece.side in self.board.supply.get(area, ()):
                    return True
                seen.add(area)
                ways.append(area)
        return False

    def on_FormationArrived(self, event: events.FormationArrived) -> None:
        piece, card = self.pieces[event.formation], self.board.formations[event.formation]
        self.require(piece.standing == "waiting" and self.turn >= card.enters > 0, f"{event.formation} arrives")
        self.require(event.area in card.entries, f"{event.formation} arrives in {event.area}")
        self.require(self.control[event.area] == piece.side, f"{event.formation} arrives in the enemy's {event.area}")
        piece.standing, piece.area = "map", event.area

    def on_ReplacementsGiven(self, event: events.ReplacementsGiven) -> None:
        name, piece = event.formation, self.pieces[event.formation]
        nation = self.board.nations[self.card(name).nation]
        self.require(piece.supplied and piece.standing in {"map", "base"}, f"{name} has replacements")
        price = 2 if event.mark == "moving" else 1
        fact = (event.paid_armor, event.paid_general) == (price * event.armor, price * event.general)
        self.require(fact, f"{name} pays")
        self.require(price == 1 or max(event.armor, event.general) <= 1, f"{name} moves and integrates")
        if nation.system == "dedicated":
            fact = event.armor + event.general <= 3 and not event.assimilating
            self.require(fact, f"{name} has dedicated replacements")
        else:
            self.require(event.assimilating is (event.armor + event.general > 2), f"{name} assimilates")
        self.paid[event.side, "armor"] += event.paid_armor
        self.paid[event.side, "general"] += event.paid_general
        for kind in ("armor", "general"):
            granted = sum(
                getattr(pool, kind)
                for pool in self.board.pools
                if pool.side == event.side and pool.first <= self.turn <= pool.last
            )
            granted += sum(
                getattr(each, kind)
                for each in self.board.events.get(self.turn, ())
                if (each.kind, each.side) == ("replacements", event.side)
            )
            fact = self.paid[event.side, kind] <= granted
            self.require(fact, f"{event.side} pays {self.paid[event.side, kind]} {kind} of {granted}")
        piece.marked = event.mark
        self.add(name, -event.armor, -event.general)

    # --- moves ---

    def on_ActivationRolled(self, event: events.ActivationRolled) -> None:
        piece = self.pieces[event.formation]
        total = event.die + sum(value for _, value in event.modifiers)
        fact = event.total == total and event.needs == self.card(event.formation).activation
        self.require(fact, f"activation of {event.formation}")
        self.require(event.activated is (total >= event.needs), f"activation of {event.formation}")
        fact = event.area in self.occupied[ENEMY[event.side]] or piece.standing == "waiting"
        self.require(fact, f"{event.formation} rolls for {event.area}")
        piece.failed, piece.activated = not event.activated, event.area if event.activated else ""

    def on_FormationMoved(self, event: events.FormationMoved) -> None:
        name, piece = event.formation, self.pieces[event.formation]
        piece.steps += 1
        piece.spent += event.cost
        self.require(not piece.failed, f"{name} moves without activation")
        self.require(piece.marked != "stationary", f"{name} moves though it was to stay")
        self.require(self.turn >= self.card(name).held_until, f"{name} moves before it may")
        self.require(not piece.regroup or self.is_mobile(name), f"{name} moves though it must regroup")
        enemy = event.area in self.occupied[ENEMY[piece.side]]
        self.require(not enemy or (piece.steps == 1 and piece.activated == event.area), f"{name} enters {event.area}")
        if event.start:
            self.require((piece.standing, piece.area) == ("map", event.start), f"{name} is not in {event.start}")
            self.require(event.area in self.board.neighbors[event.start], f"{name} jumps to {event.area}")
            kind = self.board.kind_between[event.start, event.area]
            mobility = self.card(name).mobility if piece.supplied else "leg"
            self.require(event.cost >= self.board.cost[kind][mobility], f"{name} pays {event.cost} for {kind}")
            self.require(piece.steps == 1 or piece.spent <= ALLOWANCE[mobility], f"{name} has spent {piece.spent}")
        piece.standing, piece.area = "map", event.area

    def is_mobile(self, name: str) -> bool:
        card = self.card(name)
        return (
            self.board.nations[card.nation].doctrine
            and card.mobility in {"recon", "motor"}
            and self.pieces[name].supplied
        )

    def on_DoctrineInvoked(self, event: events.DoctrineInvoked) -> None:
        fact = self.is_mobile(event.formation) and event.general == 10 and event.armor >= 0
        self.require(fact, f"doctrine of {event.formation}")
        self.add(event.formation, event.armor, event.general)

    def on_FormationDivided(self, event: events.FormationDivided) -> None:
        whole = self.pieces[event.formation]
        fact = 0 < event.strength < whole.strength and event.area in self.board.fortress
        self.require(fact, f"{event.formation} is divided")
        part = self.pieces[event.piece] = Piece(event.side, event.strength)
        part.parent, part.area, part.standing, part.supplied = event.formation, event.area, "map", whole.supplied
        part.regroup = whole.regroup
        whole.strength -= event.strength

    def on_FormationJoined(self, event: events.FormationJoined) -> None:
        self.require(
            self.pieces[event.piece].area == self.pieces[event.formation].area, f"{event.piece} joins from afar"
        )
        self.pieces[event.formation].strength += self.pieces.pop(event.piece).strength

    def on_ControlChanged(self, event: events.ControlChanged) -> None:
        self.require(self.control[event.area] != event.side, f"{event.area} is {event.side}'s already")
        self.control[event.area] = event.side

    # --- engagements ---

    def on_EngagementFound(self, event: battle.EngagementFound) -> None:
        self.forces[event.engagement] = {side: list(event.forces[side]) for side in SIDES}
        for side in SIDES:
            force = event.forces[side]
            self.require(bool(force), f"{event.engagement} has no formation of {side}")
            strength = sum(self.pieces[each].strength for each in force)
            self.require(sum(event.composition[side].values()) == strength, f"composition at {event.engagement}")
            if not event.other:
                fact = {self.pieces[each].area for each in force} <= {event.area}
                self.require(fact, f"{force} are not at {event.area}")

    def on_FormationWithdrew(self, event: battle.FormationWithdrew) -> None:
        cost = 3 if event.how == "recon" else sum(event.dice) + 1
        fact = event.armor + event.general == cost
        self.require(fact, f"{event.formation} withdraws at a cost of {event.armor + event.general}")
        fact = event.how != "recon" or self.card(event.formation).mobility == "recon"
        self.require(fact, f"{event.formation} withdraws as recon")
        self.add(event.formation, event.armor, event.general)

    def on_AdvantageAssessed(self, event: battle.AdvantageAssessed) -> None:
        axis, allies = (sum(value for _, value in event.points.get(side, [])) for side in SIDES)
        self.require(event.net == abs(axis - allies), f"net advantage at {event.engagement}")
        fact = event.favored == ("" if axis == allies else SIDES[axis < allies])
        self.require(fact, f"favored at {event.engagement}")

    def on_CompaniesFielded(self, event: battle.CompaniesFielded) -> None:
        for each in event.companies:
            fact = each.formation in self.forces[event.engagement][event.side]
            self.require(fact, f"{each.formation} is not at {event.engagement}")
            self.require(each.company in self.card(each.formation).options, f"{each.formation} fields {each.company}")
        self.require(sum(each.command for each in event.companies) <= 1, "two command teams")
        self.require(sum(each.bonus for each in event.companies) <= 1, "two bonuses")

    def on_BattleFought(self, event: battle.BattleFought) -> None:
        points = event.result.points
        self.require(event.result.winner == "draw" or sum(points.values()) == 7, f"points {points}")
        self.fought[event.engagement].append(dict(points))

    def on_ActionCounted(self, event: battle.ActionCounted) -> None:
        self.require(min(event.armor, event.general) >= 0, f"{event.formation} has negative losses")
        self.tolls[event.engagement, event.formation].append((event.armor, event.general))

    def on_AttritionTaken(self, event: battle.AttritionTaken) -> None:
        tolls = self.tolls[event.engagement, event.formation]
        if tolls:
            mean = tuple(-(-sum(each) // len(tolls)) for each in zip(*tolls, strict=True))
            fact = (event.armor, event.general) == mean
            self.require(fact, f"{event.formation} takes {event.armor}/{event.general}, not {mean}")
        self.add(event.formation, event.armor, event.general)

    def on_EngagementDecided(self, event: battle.EngagementDecided) -> None:
        fought = self.fought[event.engagement]
        if not fought:
            return
        axis, allies = (sum(each[side] for each in fought) for side in SIDES)
        self.require(event.points == {"axis": axis, "allies": allies}, f"points of {event.engagement}")
        self.require(event.winner == ("" if axis == allies else SIDES[axis < allies]), f"winner of {event.engagement}")
        scale = "even" if axis == allies else "double" if max(axis, allies) >= 2 * min(axis, allies) else "more"
        self.require(event.scale == scale, f"scale of {event.engagement}")

    def on_RegroupOwed(self, event: battle.RegroupOwed) -> None:
        for name in event.formations:
            self.pieces[name].owes = True

    def goes(self, event: Any, how: str) -> None:
        piece = self.pieces[event.formation]
        self.require(piece.standing == "map", f"{event.formation} {how} off the map")
        fact = event.area == event.start or event.area in self.board.neighbors[event.start]
        self.require(fact, f"{event.formation} {how} too far")
        back = event.rule in {
            "KH-12.16",
            "KH-12.17",
        }  # from a connector to its origin, and further if enemies are there
        enemies = self.on_map(ENEMY[piece.side], event.area)
        unseen = self.phase == "action"  # unseen acts of both sides are in one record for each side
        self.require(back or unseen or not enemies, f"{event.formation} {how} into enemies in {event.area}")
        piece.area = event.area

    def on_FormationRetreated(self, event: battle.FormationRetreated) -> None:
        self.goes(event, "retreats")

    def on_FormationAdvanced(self, event: battle.FormationAdvanced) -> None:
        self.pieces[event.formation].area = event.start
        self.goes(event, "advances")

    # --- attrition, losses and returns ---

    def add(self, name: str, armor: int, general: int) -> None:
        books = self.ledger(name)
        books.armor += armor
        books.general += general
        self.require(min(books.armor, books.general) >= 0, f"{name} has {books.armor}/{books.general}")

    def on_FormationLost(self, event: events.FormationLost) -> None:
        self.require(self.pieces[event.formation].standing in {"map", "base"}, f"{event.formation} is lost twice")
        self.pieces[event.formation].standing = "lost"

    def on_FormationDisabled(self, event: events.FormationDisabled) -> None:
        self.add(event.formation, 0, event.general)
        books = self.ledger(event.formation)
        self.require(books.armor + books.general >= 120, f"{event.formation} is fit enough")
        self.require(event.base == self.board.base[event.side], f"{event.formation} goes to {event.base}")
        piece = self.pieces[event.formation]
        piece.standing, piece.area = "base", event.base

    def on_FormationReturned(self, event: events.FormationReturned) -> None:
        piece, books = self.pieces[event.formation], self.ledger(event.formation)
        self.require(piece.standing == "base" and books.armor + books.general < 120, f"{event.formation} returns")
        self.require(self.control[event.area] == event.side, f"{event.formation} returns to a base of the enemy")
        piece.standing, piece.area = "map", event.area

    def on_HonorGained(self, event: events.HonorGained) -> None:
        self.honor[event.player] += event.points

    def on_ReportIssued(self, event: events.ReportIssued) -> None:
        own = {p.area for p in self.pieces.values() if p.standing == "map" and p.side == event.side}
        near = {area for each in own for area in self.board.neighbors[each]}
        enemies = sorted(area for area in near if self.all_in(ENEMY[event.side], area))
        self.require(
            sorted(event.occupied) == enemies, f"the report of {event.side} has {event.occupied}, not {enemies}"
        )
        self.require(set(event.seen) <= set(enemies), f"{event.side} sees {sorted(event.seen)}")
        for area, classes in event.seen.items():
            there = self.on_map(ENEMY[event.side], area)
            fact = sum(classes.values()) == sum(self.pieces[each].strength for each in there)
            self.require(fact, f"companies in {area}")

    # --- comparison ---

    def compare(self, state: KhamsinState) -> None:
        """Record each difference between this model and the state of the game."""
        self.require(self.control == state.control, "control differs")
        self.require(self.honor == state.honor, f"honor differs: {self.honor} {state.honor}")
        gone = {
            name for name, piece in self.pieces.items() if name not in state.formations and piece.standing != "lost"
        }
        self.require(not gone, f"{gone} are missing from the game")
        for name, each in state.formations.items():
            piece = self.pieces[name]
            where = each.area if each.standing == "map" else ""
            fact = (piece.standing, piece.area if where else "") == (each.standing, where)
            self.require(fact, f"{name} is {each.standing} {each.area}")
            if not each.parent:
                self.require((piece.armor, piece.general) == (each.armor, each.general), f"attrition of {name}")
            self.require(piece.strength == each.strength, f"strength of {name}")
