"""The printed figures: of the campaign map in movement and attrition points, of engagements in points of the lists."""

ALLOWANCE = {"recon": 6, "motor": 4, "semi_motor": 2, "leg": 1}
"""Movement points a turn (KH-8.01 to KH-8.04)."""

LEADER_MOBILITY = "recon"
"""How a leader moves (KH-8.15)."""

TIRED, WORN, INEFFECTIVE = 40, 60, 120
"""Total attrition from which activation suffers (KH-9.09, KH-9.10), and from which nothing is left (KH-22.13)."""

OUT_OF_SUPPLY = -1
TIRED_MODIFIER, WORN_MODIFIER = -1, -2
"""Modifiers of activation (KH-9.08 to KH-9.10); the second tier of attrition replaces the first."""

TURNS_WITHOUT_SUPPLY = 3
"""After more turns than these a formation may surrender (KH-10.11)."""

STATIONARY_PRICE, MOVING_PRICE = 1, 2
"""Replacement points for a point of attrition (KH-5.04, KH-5.06)."""

DEDICATED_LIMIT = 3
"""Replacements a turn in the dedicated system (KH-5.11)."""

ASSIMILATES_ABOVE = 2
"""In the pool system a formation with more replacements than these assimilates them (KH-5.14)."""

MOVING_LIMIT = 1
"""A moving formation integrates so many of each type (KH-5.15)."""

DOCTRINE_GENERAL = 10
"""General attrition for moving instead of regrouping (KH-20.08, KH-20.10)."""


FREE_FOR_ALL, FIGHTING_WITHDRAWAL, TOTAL_VICTORY = "Free for All", "Fighting Withdrawal", "Total Victory"

MISSIONS: dict[str, tuple[str, ...]] = {
    "moving": (FREE_FOR_ALL, FREE_FOR_ALL, "Encounter", "Encounter", "Encounter", "The Cauldron"),
    "stationary": ("Hold the Line", "Hold the Line", "No Retreat", "No Retreat", "Breakthrough", "Hasty Assault"),
    "fortified": ("Trench Fight", "Trench Fight", "The Big Push", "The Big Push", "The Big Push", "Breakout"),
}
"""Missions by column and d6 (KH-12.06 to KH-12.09)."""

COLUMN_RULES = {"moving": "KH-12.07", "stationary": "KH-12.08", "fortified": "KH-12.09"}

FAIR_FIGHT, DEFENSIVE_BATTLE = "fair_fight", "defensive_battle"

FLAGS: dict[str, tuple[str, ...]] = {
    FREE_FOR_ALL: (FAIR_FIGHT,),
    "Encounter": (FAIR_FIGHT,),
    "Hold the Line": (DEFENSIVE_BATTLE,),
    "No Retreat": (DEFENSIVE_BATTLE,),
    "Hasty Assault": (DEFENSIVE_BATTLE,),
    "Trench Fight": (DEFENSIVE_BATTLE,),
    "The Big Push": (DEFENSIVE_BATTLE,),
    FIGHTING_WITHDRAWAL: (DEFENSIVE_BATTLE,),
}
"""Special rules by mission: they are the tabletop's, not the campaign's book's. Missions without any are left out."""

USUAL_MOST, LARGEST = 4, 12
"""Actions of an engagement: by strength at most (KH-R27), and at all."""

STRENGTH_TIERS = ((6, 6, 4), (4, 4, 3), (2, 2, 2))
"""Advantage for strength: at least so many companies, so many times the enemy's, points (KH-16.04 to KH-16.06)."""

TIER_RULES = {6: "KH-16.06", 4: "KH-16.05", 2: "KH-16.04"}
"""The rules of the tiers, by how many times the enemy's strength is wanted."""

USUAL_BASE, SMALL_BASE = 1_500, 1_200
"""Points of a company on a table of the usual size, and on a small one (KH-17.02, KH-17.08)."""

BID_POINTS = 10
BID_RULES = {"axis": "KH-R120", "allies": "KH-R121"}
"""What one of a bid adds to a company of a side, and the ruling that says so."""

STRATEGIC_PART, SIGNIFICANT_PART = 30, 15
"""The parts of the basic company that an advantage brings: 50 and 100 points of 1,500 (KH-17.04, KH-17.05)."""

LARGE_UNIT = 1_500
"""In a large battle a flight, and a re-roll, for so many points of the smaller force (KH-14.04, KH-14.05)."""

OBJECTIVES, OBJECTIVES_IF_STATIONARY = 6, 5
"""Objectives of Total Victory (KH-14.10)."""

PRECIPITOUS_DICE, PRECIPITOUS_PLUS = 2, 1
RECON_GENERAL = 3
"""Attrition of withdrawals (KH-19.10, KH-19.16)."""

AFV_LOST, AFV_PLATOON = 1, 2
LIGHT_PLATOON_ARMOR, LIGHT_PLATOON_GENERAL = 1, 3
BELOW_HALF, PLATOON_LOST, INDEPENDENT_LOST = 1, 3, 1
"""Attrition of losses (KH-21.04 to KH-21.09)."""

RECOVERS, RECOVERS_IN_CONTROL = 6, 5
"""What a die must show at least for a vehicle to be recovered (KH-22.02, KH-22.03)."""

AFV_LESS_FROM, AFV_LESS_TWO_FROM, STAND_LESS_FROM = 15, 30, 60
"""Armor attrition that reduces armoured platoons, total attrition that takes a stand of each (KH-22.05 to KH-22.12)."""

OVERWHELMS = {"six": 6, "two": 2}
"""On a connector: how many times the enemy's points are overwhelming (KH-R20)."""
