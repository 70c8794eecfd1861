"""Activation: the roll to enter an enemy-occupied area, or to avoid surrender without supply (KH-9)."""

from khamsin.model.cards import SIDES, Board
from khamsin.model.events import ActivationRolled
from khamsin.model.forces import card, total_attrition
from khamsin.model.state import ON_MAP, KhamsinState
from khamsin.model.tables import OUT_OF_SUPPLY, TIRED, TIRED_MODIFIER, WORN, WORN_MODIFIER
from sandtable import Calculation, Procedure, Roll

Modifiers = list[tuple[str, int]]

MODIFIER_RULES = {"out_of_supply": "KH-9.08", "attrition_40": "KH-9.09", "attrition_60": "KH-9.10"}
"""Rules of the modifiers. All other modifiers are leaders (KH-9.02)."""


def needs(state: KhamsinState, formation_id: str) -> int:
    """Return the activation number of a formation (KH-9.01)."""
    return card(state, formation_id).activation


def modifiers(state: KhamsinState, formation_id: str, target: str = "") -> Modifiers:
    """Return the modifiers of an activation roll by name: out_of_supply, attrition_40, attrition_60, or a leader's id.

    ``target`` is the area to be entered. It matters only for the option ``leader_at``.
    """
    formation = state.formations[formation_id]
    penalties: Modifiers = [] if formation.supplied else [("out_of_supply", OUT_OF_SUPPLY)]
    total = total_attrition(state, formation_id)
    if total >= WORN:
        penalties.append(("attrition_60", WORN_MODIFIER))
    elif total >= TIRED:
        penalties.append(("attrition_40", TIRED_MODIFIER))
    if state.options["activation_stack"] == "worst_only" and penalties:  # KH-R06
        penalties = [min(penalties, key=lambda each: each[1])]
    return penalties + _leaders(state, formation_id, target)


def _leaders(state: KhamsinState, formation_id: str, target: str) -> Modifiers:
    """Return the modifiers of leaders: the best one, or all of them (KH-9.02, KH-R07)."""
    board: Board = state.board
    side, corps = state.formations[formation_id].side, card(state, formation_id).corps
    there = state.formations[formation_id].area
    at_target = bool(target) and state.options["leader_at"] == "destination"  # KH-R08
    found: Modifiers = []
    for leader_id in sorted(state.leaders):
        leader, its_card = state.leaders[leader_id], board.leaders[leader_id]
        if leader.side != side or leader.standing != ON_MAP or its_card.corps not in ("", corps):
            continue
        ends = _ordered_end(state, leader_id) if at_target else leader.area
        if ends == (target if at_target else there) and its_card.bonus:
            found.append((leader_id, its_card.bonus))
    if state.options["leader_stack"] == "best_one" and found:
        return [max(found, key=lambda each: each[1])]
    return found


def _ordered_end(state: KhamsinState, leader_id: str) -> str:
    """Return the last area of a leader's ordered path, or the current area without orders."""
    leader = state.leaders[leader_id]
    sheet = state.sheets.get(leader.side)
    return sheet.leaders[leader_id][-1] if sheet and sheet.leaders.get(leader_id) else leader.area


Try = tuple[Calculation, bool]
"""Total of an activation roll, and whether it succeeds."""


def check(state: KhamsinState, formation_id: str, by_name: Modifiers, die: tuple[str, int, str]) -> Try:
    """Return the total of a formation's activation roll, and whether it succeeds.

    ``die`` is the name of the total, the face, and the rule of the roll. If a natural face overrides the total, the
    calculation has a step of 0 for it.
    """
    name, face, rule = die
    added = [(what, value, MODIFIER_RULES.get(what, "KH-9.02")) for what, value in by_name]
    total = Calculation(name, (("die", face, rule), *added))
    number = needs(state, formation_id)
    succeeds = is_success(state, face, total.total, number)
    if succeeds is not (total.total >= number):
        what = "a natural six succeeds" if succeeds else "a natural one fails"
        total = Calculation(name, (*total.steps, (what, 0, "KH-R05")))
    return total, succeeds


def is_success(state: KhamsinState, die: int, total: int, number: int) -> bool:
    """Return whether a roll activates: the total reaches the number, or a natural face decides (KH-R05)."""
    natural = state.options["activation_natural"]
    if die == 6 and natural in ("six_succeeds", "both"):
        return True
    if die == 1 and natural in ("one_fails", "both"):
        return False
    return total >= number


def roster(state: KhamsinState, side: str) -> list[str]:
    """Return all formations of a side in the order of their activation dice: whole formations, then parts."""
    board: Board = state.board
    whole = sorted(each for each, its_card in board.formations.items() if its_card.side == side)
    return [*whole, *sorted(each for each, it in state.formations.items() if it.parent and it.side == side)]


def roll_for_all(state: KhamsinState) -> Procedure:
    """Roll a die for each formation of both sides, and return the faces by id.

    Most formations do not need their die. All roll so that the enemy does not learn which of them attack (KH-3.06,
    KH-9.06).
    """
    dice: dict[str, int] = {}
    for side in SIDES:
        names = roster(state, side)
        faces = yield Roll(len(names), 6, f"activation:{side}", "KH-9.01", side=side, units=tuple(names))
        dice |= zip(names, faces, strict=True)
    return dice


def activate(state: KhamsinState, formation_id: str, area: str, die: int) -> ActivationRolled:
    """Return the event of a formation's activation roll for an enemy-occupied area (KH-9.01, KH-9.04)."""
    formation = state.formations[formation_id]
    by_name = modifiers(state, formation_id, area)
    number = needs(state, formation_id)
    total, activated = check(state, formation_id, by_name, ("total", die, "KH-9.01"))
    rule, side = "KH-9.01" if activated else "KH-9.06", formation.side
    return ActivationRolled(formation_id, side, area, die, by_name, total.total, number, activated, rule, (total,))
