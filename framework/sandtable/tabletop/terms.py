"""The campaign's rulings about results, and the quantities that can be counted in one."""

import re
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from sandtable.tabletop.brief import Brief, Company, Platoon
from sandtable.tabletop.result import PlatoonLosses, Result
from sandtable.tabletop.scoring import Draws

ARMOR = frozenset({"afv", "light_afv"})
"""The kinds of platoon that have armor."""

Count = Literal["whole_platoon", "destroyed_only"]
"""Which vehicles of a lost platoon count as lost: all, or only those destroyed."""

MAX_SHORT = 500
"""Maximum attrition of one kind in short form, if the platoons are not known."""


ANY_RULESET = "*"
"""Represents every ruleset in the sources of ``Terms``."""

_ID = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)


class Terms(Struct, frozen=True, gc=False):
    """A brief, and the campaign's interpretation of its results.

    ``draws`` is the scoring of a draw, and ``draws_in`` the missions that may have one: those with the flag
    ``fair_fight``, or any. ``afv_count`` defines which vehicles get recovery dice. ``concessions`` means that a side
    may concede without playing. ``sources`` may have fought the battle: "table", "resolver", ids of rulesets, or
    ``ANY_RULESET`` for all rulesets.
    """

    brief: Brief
    draws: Draws = "one_plus_lost"
    draws_in: Literal["fair_fight", "any"] = "fair_fight"
    afv_count: Count = "whole_platoon"
    concessions: bool = False
    sources: tuple[str, ...] = ("table", "resolver")

    def takes(self, source: str) -> bool:
        """Return whether a result of ``source`` is accepted."""
        return source in self.sources or (ANY_RULESET in self.sources and _ID.fullmatch(source) is not None)

    @property
    def may_be_drawn(self) -> bool:
        """Whether the battle can end in a draw."""
        return self.draws_in == "any" or "fair_fight" in self.brief.flags


def platoons_lost(result: Result, side: str) -> int:
    """Return the number of platoons of a side that count as lost."""
    return sum(each.lost for each in result.platoons.get(side, {}).values())


def armor_lost(platoons: Mapping[str, Platoon], losses: Mapping[str, PlatoonLosses], count: Count) -> int:
    """Return the number of armored vehicles that one side lost, light ones too: each gets a recovery die (KH-22.02)."""
    total = 0
    for name, each in losses.items():
        platoon = platoons.get(name)
        if platoon is not None and platoon.kind in ARMOR:
            total += platoon.fielded if each.lost and count == "whole_platoon" else each.destroyed
    return total


def most_attrition(companies: Mapping[str, list[Company]], parent: str) -> tuple[int, int]:
    """Return the maximum armor and general attrition that the companies of ``parent`` can cause it in one battle.

    It is computed by the most generous interpretation of every ruling, or ``MAX_SHORT`` without platoons.
    """
    armor = general = 0
    for company in companies[parent]:
        if not company.platoons:
            return MAX_SHORT, MAX_SHORT
        for each in company.platoons:
            armor += each.teams + 2 if each.kind in ARMOR else 0
            general += each.teams if each.independent else 0 if each.kind == "afv" else 4
    return armor, general


def companies_by_parent(brief: Brief, side: str) -> dict[str, list[Company]]:
    """Return the companies of a side by the id of their parent formation."""
    found: dict[str, list[Company]] = {}
    for company in brief.parties[side].companies:
        found.setdefault(company.parent, []).append(company)
    return found
