"""The printed figures of the campaign map. Movement is in points, attrition in attrition points."""

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
