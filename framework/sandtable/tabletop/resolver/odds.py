"""The exact odds of the resolver SR-1, computed without dice: the winner and the points."""

from collections.abc import Mapping

from sandtable.tabletop.brief import Brief
from sandtable.tabletop.resolver.constants import SR1
from sandtable.tabletop.resolver.logit import MILLION, logistic
from sandtable.tabletop.resolver.strength import has_roles, log_odds
from sandtable.tabletop.scoring import DRAW, WON


def bands(odds: int, *, fair_fight: bool = False) -> dict[str, int]:
    """Return the probabilities, in millionths, of a win of each band and of a draw; ``odds`` are the log-odds."""
    edges = [SR1.draw * 1000 if fair_fight else 0, SR1.narrow * 1000, SR1.clear * 1000]
    above = [logistic(odds - edge) for edge in edges]
    drawn = logistic(odds + edges[0]) - above[0] if fair_fight else 0
    return {
        "narrow": above[0] - above[1],
        "clear": above[1] - above[2],
        "decisive": above[2],
        "draw": drawn,
    }


def won_by(odds: int, *, fair_fight: bool = False) -> tuple[int, int, int]:
    """Return the probabilities, in millionths, of winning 6-1, 5-2 and 4-3 with these log-odds (in millionths)."""
    found = [0] * len(WON)
    for band, chance in bands(odds, fair_fight=fair_fight).items():
        if band == DRAW:
            continue
        for lost in SR1.winner_lost[band]:
            found[min(lost, 2)] += chance
    first, second, third = (each // 6 for each in found)
    return first, second, third


def chances(brief: Brief) -> Mapping[str, int]:
    """Return the probabilities of a battle in millionths: of a win of each side, and of a draw.

    If the mission rolls for the attacker, it is the mean of both cases.
    """
    side, enemy = brief.sides
    fair = "fair_fight" in brief.flags
    attackers = [brief.attacker] if brief.attacker or not has_roles(brief) else [side, enemy]
    found = {side: 0, enemy: 0, DRAW: 0}
    for attacker in attackers:
        split = bands(log_odds(brief, side, attacker), fair_fight=fair)
        won = split["narrow"] + split["clear"] + split["decisive"]
        found[side] += won
        found[DRAW] += split["draw"]
        found[enemy] += MILLION - won - split["draw"]
    return {each: total // len(attackers) for each, total in found.items()}
