"""The superiority and odds of fire that is being plotted or grouped, with all units in their current hexes."""

from collections.abc import Mapping, Sequence

from kampfpanzer.fire.superiority import WRONG_WEAPON, compute_attack
from kampfpanzer.model.state import KampfState
from kampfpanzer.model.tables import MAX_SUPERIORITY, combat_result
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.plotting.situation import Situation
from sandtable import listing
from sandtable.questions import chances

DIRECT = "direct"
FACES = range(1, 7)


def attack_odds(state: KampfState, firers: Sequence[str], targets: Sequence[str], hex_: str) -> str:
    """Return the superiority and odds of an attack, such as "4+4 - 8 = 0: D2 1/6, D1 1/3, P 1/2" (KP-9.0e, KP-9.7a)."""
    attack = compute_attack(state, firers, targets, hex_)
    total = f"{'+'.join(map(str, attack.strengths))} - {attack.defense} = {attack.superiority}"
    if attack.barred == WRONG_WEAPON:
        return "small arms may not fire at a hard target"
    if attack.barred:
        return f"{total}: too weak to fire"
    return f"{total}: {column_odds(min(attack.superiority, MAX_SUPERIORITY))}"


def column_odds(column: int) -> str:
    """Return the results of a column of the combat table with their odds."""
    found = [combat_result(column, die) for die in FACES]
    return chances(count_results(found), len(found))


def count_results(results: Sequence[str]) -> dict[str, int]:
    """Return the number of each result, worst first; "" is shown as "no effect"."""
    worst_first = sorted(dict.fromkeys(results), reverse=True, key=lambda each: (each[:1] == "D", each))
    return {each or "no effect": results.count(each) for each in worst_first}


def echo_of_fire(situation: Situation, unit_id: str, sheet: Mapping[str, str]) -> str:
    """Return the target and odds of a line of direct fire with all units of the same plot, or "" for other lines."""
    plot = parse_plot(sheet[unit_id])
    targets = [plot.target] if plot.target else situation.targets_at(plot.hex)
    if plot.kind != DIRECT or not targets or any(each not in situation.units for each in targets):
        return ""
    alike = sorted((each for each, text in sheet.items() if text == sheet[unit_id]), key=int)
    others = [each for each in alike if each != unit_id]
    together = f" with {listing(others)}" if others else ""
    at = f"at {' and '.join(map(situation.name, targets))}{together}"
    return f"{at}, {attack_odds(situation.state, alike, targets, plot.hex)}"
