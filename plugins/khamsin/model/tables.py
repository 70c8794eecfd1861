"""Numbers of the rules: movement and attrition points of the campaign, and points of companies in battles."""

ALLOWANCE = {"recon": 6, "motor": 4, "semi_motor": 2, "leg": 1}
"""Movement points per turn (KH-8.01 to KH-8.04)."""

LEADER_MOBILITY = "recon"
"""Mobility class of leaders (KH-8.15)."""

TIRED, WORN, INEFFECTIVE = 40, 60, 120
"""Total attrition that reduces activation (KH-9.09, KH-9.10) or makes a formation ineffective (KH-22.13)."""

OUT_OF_SUPPLY = -1
TIRED_MODIFIER, WORN_MODIFIER = -1, -2
"""Modifiers of activation rolls (KH-9.08 to KH-9.10). The second level of attrition replaces the first."""

TURNS_WITHOUT_SUPPLY = 3
"""Number of turns out of supply beyond which a formation may surrender (KH-10.11)."""

STATIONARY_PRICE, MOVING_PRICE = 1, 2
"""Replacement points per point of attrition (KH-5.04, KH-5.06)."""

DEDICATED_LIMIT = 3
"""Maximum number of replacements per turn in the dedicated system (KH-5.11)."""

ASSIMILATES_ABOVE = 2
"""Number of replacements beyond which a formation of the pool system assimilates (KH-5.14)."""

MOVING_LIMIT = 1
"""Maximum number of replacements of each type that a moving formation integrates (KH-5.15)."""

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
"""Special rules of missions, defined by the tabletop game. Missions without special rules have no entry."""

USUAL_MOST, LARGEST = 4, 12
"""Maximum number of actions of an engagement: by strength (KH-R27), and in general."""

STRENGTH_TIERS = ((6, 6, 4), (4, 4, 3), (2, 2, 2))
"""Minimum companies, multiple of the enemy's strength, and advantage points (KH-16.04 to KH-16.06)."""

TIER_RULES = {6: "KH-16.06", 4: "KH-16.05", 2: "KH-16.04"}
"""Rules of the strength tiers, by the required multiple of the enemy's strength."""

USUAL_BASE, SMALL_BASE = 1_500, 1_200
"""Points of a company on a standard table and on a small one (KH-17.02, KH-17.08)."""

BID_POINTS = 10
BID_RULES = {"axis": "KH-R120", "allies": "KH-R121"}
"""Points that each step of a side's bid adds to its companies, and the ruling by side."""

STRATEGIC_PART, SIGNIFICANT_PART = 30, 15
"""Divisors of the basic company for the bonus of an advantage: 50 and 100 of 1,500 points (KH-17.04, KH-17.05)."""

LARGE_UNIT = 1_500
"""Points of the smaller force for one flight or one re-roll in a large battle (KH-14.04, KH-14.05)."""

OBJECTIVES, OBJECTIVES_IF_STATIONARY = 6, 5
"""Number of objectives of Total Victory (KH-14.10)."""

PRECIPITOUS_DICE, PRECIPITOUS_PLUS = 2, 1
RECON_GENERAL = 3
"""Attrition of withdrawals: dice and addition (KH-19.10), or fixed for recon (KH-19.16)."""

AFV_LOST, AFV_PLATOON = 1, 2
LIGHT_PLATOON_ARMOR, LIGHT_PLATOON_GENERAL = 1, 3
BELOW_HALF, PLATOON_LOST, INDEPENDENT_LOST = 1, 3, 1
"""Attrition points of losses (KH-21.04 to KH-21.09)."""

RECOVERS, RECOVERS_IN_CONTROL = 6, 5
"""Lowest face that recovers a vehicle (KH-22.02, KH-22.03)."""

AFV_LESS_FROM, AFV_LESS_TWO_FROM, STAND_LESS_FROM = 15, 30, 60
"""Armor attrition that removes vehicles, and total attrition that removes stands (KH-22.05 to KH-22.12)."""

OVERWHELMS = {"six": 6, "two": 2}
"""Ratio of points that is overwhelming on a connector, by option value (KH-R20)."""
