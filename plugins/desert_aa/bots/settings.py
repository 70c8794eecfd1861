"""The commander's settings. Each was tested in paired games against the commander without it."""

from typing import NamedTuple


class Settings(NamedTuple):
    """The commander's preferences. Probabilities are in thousandths. ``keep`` and ``safe`` are off at 0.

    ``spare``: an attack must leave one in ``spare`` of its units on average. ``chance`` and ``press``: minimum
    probability of winning for an attack, and for another round of a battle. ``hold``: maximum probability that the
    enemy takes the capital. ``strip``: armor takes empty ground with a value and comes back. ``blitz``: armor passes
    through empty ground to the space behind it. ``cut``: points of a target for each enemy unit whose supply is cut
    from it. ``raid``: free bombers raid. ``mines``: maximum number of a side's minefields. ``mine``: minimum points of
    a space for a minefield. ``flak``: cost, in IPC, of units in reach of enemy planes for which a gun is bought.
    ``wings``: number of planes up to which a power buys more. ``keep``: income of a space, in IPC, from which one unit
    stays there if enemy armor is near. ``safe``: maximum probability that the enemy destroys the units at the end of a
    march.
    """

    spare: int = 3
    chance: int = 700
    press: int = 400
    hold: int = 300
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
