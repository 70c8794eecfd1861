"""The numbers that the commander plays by: each was tried in paired games against the commander without it."""

from typing import NamedTuple


class Settings(NamedTuple):
    """What the commander wants and dares, in IPC where nothing else is said.

    ``spare``: an attack leaves one in so many of its units, by average dice. ``chance``, in thousandths: so likely an
    attack must be to win; ``press``: so likely a battle, to go on with it. ``hold``: what defends a space is enough if
    the enemy would win there no more often. ``road``: an extra space along the road is
    used to attack, since it costs no fuel. ``strip``: armour takes empty ground that pays and comes back. ``blitz``:
    armour runs through empty ground to what lies behind. ``cut``: worth of a space from which a unit's supply is cut.
    ``raid``: idle bombers raid. ``mines`` at most of a side, where a field is worth ``mine`` or more. ``flak``: a gun
    where so much stands within reach of enemy planes. ``wings``: planes of a power at most. ``keep``: one unit stays
    where ground pays so much and armour could run in. ``safe``: no march ends where the enemy would destroy it.
    """

    spare: int = 3
    chance: int = 700
    press: int = 400
    hold: int = 300
    road: int = 1
    strip: int = 1
    blitz: int = 1
    cut: int = 3
    raid: int = 1
    mines: int = 2
    mine: int = 8
    flak: int = 12
    wings: int = 0
    keep: int = 0
    safe: int = 0


MOST = 1000
"""No setting is more: chances are in thousandths."""

USUAL = Settings()
