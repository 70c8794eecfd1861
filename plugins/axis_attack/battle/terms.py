"""The notes of a brief: ground, weather, air support, purchases (AOA-3.13, AOA-4.01 to AOA-6.26, AOA-9.01).

The campaign decides the facts; the players apply them on the table, so each note has a figure and a rule.
"""

from axis_attack.model.cards import GERMAN, SIDES, SOVIET, Board, Mission
from axis_attack.model.state import AxisState
from axis_attack.model.strength import kind_of
from axis_attack.model.tables import GROUNDED, MUD, OFFERS, SHOWERS

GROUND = (
    ("Fields are clear terrain (AOA-6.15).", "Stream beds and gullies are difficult (AOA-6.16)."),
    (
        "The first player to enter a plowed field rolls for it: 1-2 difficult, 3-6 clear, for the game (AOA-6.17).",
        "Stream beds and gullies are difficult (AOA-6.18).",
    ),
    ("Plowed fields are difficult (AOA-6.19).", "Stream beds and gullies are very difficult (AOA-6.20)."),
    (
        "The first player to enter a plowed field rolls for it: 1-2 very difficult, 3-6 difficult (AOA-6.21).",
        "Stream beds and gullies are very difficult (AOA-6.22).",
    ),
    (
        "Plowed fields are very difficult (AOA-6.23).",
        "All cross-country terrain is difficult (AOA-6.24).",
        "Streams and gullies are impassable (AOA-6.25).",
    ),
)
"""The effects of each level of mud."""

FLOODED_ROADS = {
    "cross_country": "Roads count as normal cross-country terrain (AOA-6.26).",
    "difficult": "Roads count as cross-country terrain, so they are difficult (AOA-6.26).",
}

IN_RAIN = {
    "ground_and_interdiction": "Ground support and interdiction need 1 more; interception does not (AOA-6.09).",
    "all": "Ground support, interdiction and interception need 1 more (AOA-6.09).",
}

PROFILES = {
    "close_support": ("Close Air Support: the standard rules (AOA-4.02).",),
    "superiority": (
        "Air Superiority: ground support needs a 6 (AOA-4.03).",
        "Air Superiority: interception succeeds on 5-6 (AOA-4.04).",
    ),
    "interdiction": (
        "Battlefield Interdiction: you may use it in the enemy's turn, before the reserve dice (AOA-4.05).",
        "Battlefield Interdiction: the enemy may try to intercept as usual (AOA-4.06).",
        "Battlefield Interdiction: any 5-6 succeeds (AOA-4.07).",
        "Battlefield Interdiction: a success that is not intercepted cancels one enemy reserve (AOA-4.08).",
        "Battlefield Interdiction: your own interception needs a 6 (AOA-4.10).",
    ),
}

RANGING = {
    "to_score_required": "ranging needs 1 more if an observer of a battery with a staff team sees it, otherwise 2 more",
    "bonus_to_roll": "add 1 to the ranging roll if an observer of a battery with a staff team sees it, otherwise 2",
}

BOUGHT = {
    "smoke": ("Each of these platoons has one more smoke bombardment (AOA-9.06).",),
    "night_attack": ("The rules of the British Night Attack apply (AOA-9.07).",),
    "counterbattery": (
        "After an enemy turn with a bombardment, try in your shooting step against the battery that fired (AOA-9.09).",
        "A success is a bombardment with AT 5 and firepower 2+ (AOA-9.11).",
        "On the table: a double-width template over as many of its tubes as possible (AOA-9.12).",
        "Off the table: roll for each team, a hit on 4+, with the ranging modifiers (AOA-9.13).",
        "One successful ranging roll in the game (AOA-9.14).",
    ),
    "battalion_shoot": (
        "Write point and turn after the objectives are placed and before the defender deploys (AOA-9.17).",
        "It arrives in its turn: a double-width template centered on the point (AOA-9.18).",
        "Teams under it are hit on 3+, AT 5, firepower 2+ (AOA-9.19).",
        "The commander, or an observer of a battery with a staff team, may cancel it by a skill test (AOA-9.20).",
    ),
    "preregistered": ("Each of these hits with 1 less as long as observer and platoon have not moved (AOA-9.23).",),
    "aerial_bombardment": ("A preliminary bombardment by the fortification rules (AOA-9.25).",),
}


def effects(state: AxisState) -> tuple[str, ...]:
    """Return the effects of weather and ground in this game (AOA-6.08 to AOA-6.26)."""
    notes = [f"The ground is {MUD[state.mud]}.", *GROUND[state.mud]]
    if state.mud == len(MUD) - 1:
        notes.append(FLOODED_ROADS[state.options["flood_roads"]])
    if state.weather in GROUNDED:
        notes.append("Neither side has air support (AOA-6.08).")
    elif state.weather == SHOWERS:
        notes.append(IN_RAIN[state.options["rain_air_scope"]])
        if any(state.forces[side].air.profile == "superiority" for side in SIDES):
            notes.append("Air Superiority brings no ground support (AOA-R23).")
    return tuple(notes)


def battle_notes(state: AxisState, mission: Mission) -> tuple[str, ...]:
    """Return the special rules of every game: edges, table, artillery off it, smoke, bunkers (AOA-5.01 to AOA-5.15)."""
    board: Board = state.board
    column, row = state.corner
    wide, deep = board.table
    kill = "at least" if state.options["bunker_kill"] == "at_least_double" else "more than"
    smoke = (
        "An attacking platoon may fire two smoke bombardments, any other platoon one (AOA-5.09, AOA-5.10)."
        if mission.defensive_battle
        else "Each platoon may fire one smoke bombardment (AOA-5.10)."
    )
    corner = f"column {column + 1}, row {row + 1}"
    return (
        f"The west edge belongs to the {board.sides[GERMAN]}, the east edge to the {board.sides[SOVIET]} (AOA-2.04).",
        f"The table is {wide} by {deep} squares of the sector's map, its north-west corner in {corner} (AOA-8.21).",
        "A battery off the table has a marker at the edge, from which its ranges are measured (AOA-5.02).",
        "Only its observers are deployed (AOA-5.03). It does not count for company morale (AOA-5.04).",
        "It may be one of the platoons in reserve (AOA-5.05), and fires from the turn after it arrives (AOA-5.06).",
        "Smoke may be aimed at any point (AOA-5.07); for ranging the point counts as concealed conscripts (AOA-5.08).",
        smoke,
        "A log-and-earth bunker costs 4 fortification points (AOA-5.15) and is a bunker (AOA-5.11), but:",
        "A skill test hits it (AOA-5.12).",
        f"Firepower of {kill} double the rating kills (AOA-5.13), a lower roll that makes the rating pins (AOA-5.14).",
    )


def party_notes(state: AxisState, side: str) -> tuple[str, ...]:
    """Return a side's notes: upgrades, carried platoons, off-table artillery, air support, purchases (AOA-9.01)."""
    notes: list[str] = []
    for each in state.forces[side].platoons:
        kind = kind_of(state, side, each.platoon)
        titles = {upgrade.id: upgrade.title for upgrade in kind.upgrades}
        named = [f"{titles[name]} ({number})" for name, number in sorted(each.upgrades.items()) if number]
        if named:
            notes.append(f"{each.platoon} ({kind.title}): {', '.join(named)} (AOA-3.08).")
        if each.carried_by:
            notes.append(f"{each.platoon} rides with {each.carried_by}, without its own vehicles (AOA-3.13).")
        if each.off_table:
            notes.append(f"{each.platoon} is off the table (AOA-5.01).")
    return (*notes, *_air(state, side), *_bought(state, side))


def _air(state: AxisState, side: str) -> list[str]:
    air = state.forces[side].air
    if not air.aircraft:
        return []
    load = f", with {air.load} (AOA-4.09)" if air.load else ""
    return [f"{air.aircraft}: {air.level} air support{load} (AOA-4.01).", *PROFILES[air.profile]]


def _bought(state: AxisState, side: str) -> list[str]:
    """Return the notes of a purchased special rule; targets and turns of shoots stay secret (AOA-9.17)."""
    bought = state.forces[side].purchase
    if not bought.kind:
        return []
    offer = OFFERS[bought.kind]
    number = f" ({bought.number})" if bought.number > 1 else ""
    named = f": {', '.join(bought.platoons)}" if bought.platoons else ""
    notes = [f"Bought: {offer.title}{number}{named} ({offer.rule}).", *BOUGHT[bought.kind]]
    if bought.kind == "counterbattery":
        notes.insert(2, f"Against it {RANGING[state.options['counterbattery_mod']]} (AOA-9.10).")
    return notes
