"""The positions of both sides on 22 June 1941, as a set-up to start from. They bind no player (AGC-6.0c, AGC-6.0d).

They are reconstructed, like the order of battle. German corps are along the border from the Suwalki corner to Brest,
Soviet units on it by army. The reserves of the front are in the towns of their staffs.
"""

from collections.abc import Collection, Mapping

from damos.model.board import Counter

WORD = "historical"

CORPS: dict[tuple[str, str], str] = {
    ("PzGr 3", "XXXIX mot"): "2526",
    ("PzGr 3", "LVII mot"): "2528",
    ("PzGr 3", "V"): "2529",
    ("PzGr 3", "VI"): "2529",
    ("9 Army", "VIII"): "2629",
    ("9 Army", "XX"): "2630",
    ("9 Army", "XLII"): "2730",
    ("9 Army", "rear"): "2530",
    ("4 Army", "VII"): "2829",
    ("4 Army", "XIII"): "2830",
    ("4 Army", "IX"): "2929",
    ("4 Army", "XLIII"): "3028",
    ("4 Army", "rear"): "2930",
    ("PzGr 2", "XLVII mot"): "3128",
    ("PzGr 2", "XXIV mot"): "3228",
    ("PzGr 2", "XII"): "3129",
    ("PzGr 2", "XLVI mot"): "3130",
    ("PzGr 2", "reserve"): "3129",
}
"""The hex of each German corps, by its army."""

UNITS = {
    "g-221sec": "2830",
    "g-267": "3229",
    "s-4rc": "2525",
    "s-155rd": "2527",
    "s-11mc": "2625",
    "s-6cc": "2626",
    "s-6mc": "2627",
    "s-5rc": "2628",
    "s-1rc": "2729",
    "s-13mc": "2828",
    "s-49rd": "2928",
    "s-14mc": "3027",
    "s-28rc": "3127",
    "s-75rd": "3227",
    "s-21rc": "2723",
    "s-17mc": "2923",
    "s-24cavd": "2924",
    "s-2rc": "2819",
    "s-44rc": "2819",
    "s-20mc": "2817",
    "s-47rc": "3117",
    "s-4abnc": "2915",
    "s-50rd": "2416",
    "s-1nkvd": "2811",
    "s-2nkvd": "2514",
}
"""The hex of single units: the Soviets, and Germans that were apart from their corps."""


def historical(units: Collection[str], hexes: Collection[str], counters: Mapping[str, Counter]) -> list[str]:
    """Return the lines of a set-up sheet for the units whose historical hex is in ``hexes``."""
    found = []
    for unit_id in units:
        counter = counters[unit_id]
        hex_ = UNITS.get(unit_id) or CORPS.get((counter.army, counter.corps), "")
        if hex_ in hexes:
            found.append(f"{unit_id}: {hex_}")
    return found
