"""The commander's numbers. Each was tested in paired games against the commander without it."""

from typing import NamedTuple


class Settings(NamedTuple):
    """The commander's preferences, in IPC unless stated differently.

    ``spare``: an attack must leave one in ``spare`` of its units on average. ``chance``, in thousandths: the minimum
    probability of an attack, ``press`` that of another round of a battle. ``hold``: a defense is enough if the enemy
    wins with no higher probability. ``road``: attackers use a free extra space along the road. ``strip``: armor takes
    empty ground with a value and comes back. ``blitz``: armor runs through empty ground to the space behind it.
    ``cut``: value of a space from which a unit's supply is cut. ``raid``: free bombers raid. ``mines``: maximum number
    of a side's minefields, each of at least the value ``mine``. ``flak``: value of units in reach of enemy planes for
    which a gun is bought. ``wings``: maximum number of planes of a power. ``keep``: value of ground in which one unit
    stays if enemy armor could enter. ``safe``, in thousandths: a march ends only where the enemy's probability to
    destroy the units is no higher; 0 switches this off.
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
"""Maximum value of a setting, because probabilities are in thousandths."""

USUAL = Settings()
