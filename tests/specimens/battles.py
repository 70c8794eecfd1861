"""Briefs of battles: two companies, with as few or as many details as a test needs."""

from typing import Any

from sandtable.tabletop.brief import Brief, Company, Party, Table
from sandtable.tabletop.rosters import roster

FAIR_FIGHTS = {"Free for All", "Encounter"}


def company(archetype: str = "armor", points: int = 1500, parent: str = "", **fields: Any) -> Company:
    """Return a company of an archetype in the formation ``parent``."""
    built = roster(archetype, points, fields.get("afv_less", 0), stand_less=fields.get("stand_less", False))
    parent = parent or archetype
    return Company(parent, parent.replace("_", " ").title(), archetype, "German", archetype, points, built, **fields)


def party(side: str, archetype: str = "armor", points: int = 1500, **fields: Any) -> Party:
    """Return a side with one company. ``company=`` holds fields of the company."""
    inner = fields.pop("company", {})
    companies = fields.pop("companies", None) or (company(archetype, points, **inner),)
    player = fields.pop("player", f"{side}_cic")
    return Party(side, side.title(), player, companies, points, **fields)


def brief(
    axis: Party | None = None, allies: Party | None = None, mission: str = "Free for All", **fields: Any
) -> Brief:
    """Return a battle of two armored companies at Sidi Rezegh by default, in which the axis attacks."""
    fair = mission in FAIR_FIGHTS
    fields.setdefault("flags", ("fair_fight",) if fair else ())
    if not fair:
        fields = {"attacker": "axis", "defender": "allies"} | fields
    parties = {"axis": axis or party("axis"), "allies": allies or party("allies")}
    fields = {"id": "3:sidi_rezegh:1", "place_title": "Sidi Rezegh"} | fields
    return Brief(
        campaign="crusader",
        turn=3,
        place="sidi_rezegh",
        mission=mission,
        parties=parties,
        **fields,
    )


def rich_brief() -> Brief:
    """Return a battle with a value in every field."""
    axis = party(
        "axis",
        "mechanized",
        1600,
        company={"parent": "15_pz_div", "skill": "veteran", "supplied": False, "afv_less": 1},
        stationary=False,
        own_troops=True,
        rerolls=2,
        air="limited",
        command=("Divisional command team",),
        characters=("rommel", "cruewell"),
        extras={"smoke": 2},
        notes=("+50 points for strategic advantage", "+100 points go to this action"),
        player="Gary",
    )
    allies = party(
        "allies",
        "infantry",
        1500,
        company={"parent": "7th_armd_bde", "stand_less": True, "motivation": "fearless"},
        stationary=True,
        characters=("gott",),
        player="Bart & <b>Aaron</b>",
        notes=("a stand less in each platoon",),
    )
    return brief(
        axis,
        allies,
        "Hold the Line",
        action=2,
        actions=4,
        objectives=2,
        flags=("defensive_battle",),
        weather="rain",
        mud=1,
        effects=("no air support", "streams and gullies are difficult"),
        table=Table(terrain="open desert, an airfield", guide="desert", road=True, fortified="allies"),
        notes=("The road leads north.",),
        rules=("KH-12.08", "KH-17.01"),
    )
