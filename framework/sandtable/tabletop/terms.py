"""What a campaign's rulings say of results, and what can be counted in one."""

import re
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from sandtable.tabletop.brief import Brief, Company, Platoon
from sandtable.tabletop.result import PlatoonLosses, Result
from sandtable.tabletop.scoring import Draws

ARMOUR = frozenset({"afv", "light_afv"})

Count = Literal["whole_platoon", "destroyed_only"]
"""Which vehicles of a platoon that counts as lost are lost: all, or those destroyed."""

MOST_SHORT = 500
"""The most attrition of one kind that is taken in short where the platoons are not known."""


ANY_RULESET = "*"
"""Stands among the sources of ``Terms`` for every ruleset."""

_ID = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)


class Terms(Struct, frozen=True, gc=False):
    """A brief, and how the campaign reads what comes back from it.

    ``draws`` is how a draw scores, ``draws_in`` where there can be one: in missions with the flag ``fair_fight``, or in
    any. ``afv_count`` says which vehicles get recovery dice. ``concessions`` tells that a side may stay away.
    ``sources`` are who may have fought it: "table", "resolver", the ids of rulesets, ``ANY_RULESET`` for all of these.
    """

    brief: Brief
    draws: Draws = "one_plus_lost"
    draws_in: Literal["fair_fight", "any"] = "fair_fight"
    afv_count: Count = "whole_platoon"
    concessions: bool = False
    sources: tuple[str, ...] = ("table", "resolver")

    def takes(self, source: str) -> bool:
        """Return whether a result of ``source`` is taken."""
        return source in self.sources or (ANY_RULESET in self.sources and _ID.fullmatch(source) is not None)

    @property
    def may_be_drawn(self) -> bool:
        """Whether the battle can end in a draw."""
        return self.draws_in == "any" or "fair_fight" in self.brief.flags


def platoons_lost(result: Result, side: str) -> int:
    """Return how many platoons of a side count as lost."""
    return sum(each.lost for each in result.platoons.get(side, {}).values())


def armour_lost(platoons: Mapping[str, Platoon], losses: Mapping[str, PlatoonLosses], count: Count) -> int:
    """Return how many armoured vehicles one side lost, light ones too: each gets a recovery die (KH-22.02)."""
    total = 0
    for name, each in losses.items():
        platoon = platoons.get(name)
        if platoon is not None and platoon.kind in ARMOUR:
            total += platoon.fielded if each.lost and count == "whole_platoon" else each.destroyed
    return total


def most_attrition(companies: Mapping[str, list[Company]], parent: str) -> tuple[int, int]:
    """Return the most armor and general attrition that the companies of ``parent`` can bring it in one battle.

    Computed by the most generous reading of every ruling; without platoons by ``MOST_SHORT``.
    """
    armor = general = 0
    for company in companies[parent]:
        if not company.platoons:
            return MOST_SHORT, MOST_SHORT
        for each in company.platoons:
            armor += each.teams + 2 if each.kind in ARMOUR else 0
            general += each.teams if each.independent else 0 if each.kind == "afv" else 4
    return armor, general


def companies_by_parent(brief: Brief, side: str) -> dict[str, list[Company]]:
    """Return the companies of a side by the id of what fields them."""
    found: dict[str, list[Company]] = {}
    for company in brief.parties[side].companies:
        found.setdefault(company.parent, []).append(company)
    return found
