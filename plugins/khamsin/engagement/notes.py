"""What a brief tells people in words, besides its fields: special rules that follow from the campaign."""

from khamsin.engagement.advantage import rerolls
from khamsin.model.board import Board
from khamsin.model.cards import ENEMY, SIDES
from khamsin.model.forces import card, nation, strength
from khamsin.model.state import LINKED, TOTAL_WAR, Engagement, Fielded, KhamsinState


def battle_notes(state: KhamsinState, engagement: Engagement) -> tuple[str, ...]:
    """Return the notes for both sides."""
    notes: list[str] = []
    if engagement.on_connector:
        notes.append("Use the most open of the terrains named (KH-12.14).")
        notes.append(
            f"{_road_layer(state, engagement)} lays a road between two opposite edges, last of all (KH-12.15)."
        )
    if state.options["small_table"] == "yes" and engagement.mode != TOTAL_WAR:
        notes.append("The table is 4 ft by 4 ft for wide missions, 3 ft by 6 ft for long ones (KH-17.08).")
    if engagement.mode == TOTAL_WAR:
        notes.append("The table's size is that of the Total War guidelines for these forces (KH-14.06).")
        notes.append("Roll terrain for each square of 2 ft (KH-14.07). A flight is 1 to 3 aircraft (KH-14.04).")
        if engagement.stationary:
            notes.append("The attacker sets no objective within 6 in of the centre line: there are 5 (KH-14.10).")
    if engagement.mode == LINKED:
        notes.append("Commanders in chief may give support platoons to any table; they enter as reserves (KH-15.07).")
        notes.append("Roll air support on each table, when forces are deployed (KH-15.09).")
        notes.append("A force that leaves for a near table is rolled for there from the next turn of it (KH-15.14).")
    return tuple(notes)


def _road_layer(state: KhamsinState, engagement: Engagement) -> str:
    """Return who lays the road of a connector (KH-R22)."""
    board: Board = state.board
    own = {side: strength(state, engagement.forces[side]) for side in SIDES}
    weaker = next((side for side in SIDES if own[side] < own[ENEMY[side]]), "")
    if state.options["connector_road_by"] == "weaker_side" and weaker:
        return board.sides[weaker]
    return "The mission's defender"


def party_notes(
    state: KhamsinState, engagement: Engagement, side: str, fielded: list[Fielded], guns: list[str]
) -> tuple[str, ...]:
    """Return the notes for one side."""
    notes: list[str] = []
    for each in dict.fromkeys(one.formation for one in fielded):
        lists = nation(state, each).lists
        if lists:
            notes.append(f"{card(state, each).title}: lists of {lists} (KH-1.12).")
        if not state.formations[each].supplied:
            title = card(state, each).title
            notes.append(f"{title} is out of supply: its vehicles make half moves (KH-10.08).")
            notes.append(f"{title}: no march moves, and none at the double (KH-10.09).")
            notes.append(f"{title}: -1 to firepower, a 6 always succeeds (KH-10.10).")
    if rerolls(engagement, side):
        any_die = state.options["reroll_scope"] == "any_die"
        whose = "any die of the action" if any_die else "a die of your own, none of them twice"
        notes.append(f"A re-roll is of {whose} (KH-16.13).")
    notes += [f"{card(state, each).title} bombards for you." for each in guns]
    return tuple(notes)
