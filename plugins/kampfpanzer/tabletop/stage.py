"""The scenario of a brief; equal briefs result in equal tables on every machine."""

from typing import Any

from kampfpanzer.model.forces import ARTILLERY, INFANTRY
from kampfpanzer.tabletop.mapping import bridge, by_word, map_tables
from kampfpanzer.tabletop.plans import Plan, plan_of, stream_of
from kampfpanzer.tabletop.rosters import Squad, panic_level, squads
from sandtable import PlayError, Staged
from sandtable.tabletop import Brief

MAX_COUNTERS = 150
"""Maximum number of counters of a side; a larger battle would take minutes."""


def stage(brief: Brief) -> Staged:
    """Return the scenario of a brief. Raises PlayError for a battle that is too large, or a side without teams."""
    mustered = squads(brief)
    for side, own in mustered.items():
        if not any(each.fights for each in own):
            raise PlayError(f"the battle {brief.id} cannot be fought: {side} has no team")
        if sum(each.number for each in own) > MAX_COUNTERS:
            raise PlayError(f"the battle {brief.id} is too large: {side} would have more than {MAX_COUNTERS} counters")
    mobile = {side: _mobile(own) for side, own in mustered.items()}
    plan = plan_of(brief, mobile)
    names = sides_of(brief)
    victory = plan.victory | ({"side": names[plan.victory["side"]]} if "side" in plan.victory else {})
    return Staged(
        {
            "scenario": {
                "id": "battle",
                "title": f"{brief.place_title}: {brief.mission}"[:120],
                "provenance": f"made from the brief {brief.id}",
                "turns": bridge()["battle"]["turns"],
                "sides": [names[plan.defender], names[plan.attacker]],
                "riders": True,
            },
            "counters": {each.name: each.row for side in brief.sides for each in mustered[side]},
            "forces": {names[side]: _force(brief, side, mustered[side], plan) for side in brief.sides},
            "victory": victory,
            "map": map_tables(brief, plan.feature, stream_of(brief).branch("map")),
        }
    )


def sides_of(brief: Brief) -> dict[str, str]:
    """Return the side of the game for each side of the brief: that of its nation, or the default."""
    table = bridge()["sides"]
    usual: list[str] = table["usual"]
    words = {key: value for key, value in table.items() if key != "usual"}
    found = {}
    for side, other in zip(brief.sides, usual, strict=True):
        party = brief.parties[side]
        text = " ".join([party.title, *(company.nation for company in party.companies)])
        found[side] = by_word(words, text) or other
    first, second = found.values()
    return found if first != second else dict(zip(brief.sides, usual, strict=True))


def _mobile(own: list[Squad]) -> int:
    """Return the number of combat units that are not on foot."""
    carried = {each.platoon for each in own if each.what == "truck"}
    return sum(each.number for each in own if each.fights and (each.row["movement"] > 1 or each.platoon in carried))


def _force(brief: Brief, side: str, own: list[Squad], plan: Plan) -> dict[str, Any]:
    zones = plan.zones[side]
    parts = [own[place :: len(zones)] for place in range(len(zones))]
    force: dict[str, Any] = {"title": brief.parties[side].title or side, "panic": panic_level(brief.parties[side])}
    if side in plan.exits:
        force["exits"] = {"edge": plan.exits[side]}
    both = zip(zones, parts, strict=True)
    force["groups"] = [_group(part, zone, dug_in=plan.dug_in == side) for zone, part in both if part]
    return force


def _group(part: list[Squad], zone: tuple[int, int], *, dug_in: bool) -> dict[str, Any]:
    """Return the group of a zone, which may be entrenched if it has foot units."""
    group: dict[str, Any] = {"units": {each.name: each.number for each in part}, "rows": list(zone)}
    if dug_in and any(each.row["category"] in (INFANTRY, ARTILLERY) for each in part):
        group["may_entrench"] = True
    return group
