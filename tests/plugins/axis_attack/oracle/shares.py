"""Shares of a campaign computed in fractions from the rules, without the code of the bots."""

from fractions import Fraction
from functools import cache

from axis_attack.bots.evaluation import strength
from axis_attack.model.cards import GERMAN, SIDES, SOVIET
from axis_attack.model.state import AxisState
from sandtable.tabletop.resolver.logit import logistic

MILLION = 1_000_000
NEAR = 60
"""Maximum rounding error of the computation in whole numbers, in millionths."""
RESULTS = {  # results if the attacker wins, if the defender wins (AOA-7.07 to AOA-7.12)
    "encounter": ("advance", "advance"),
    "hold_the_line": ("advance", "hold"),
    "breakthrough": ("breakthrough", "hold"),
    "cauldron": ("hold", "advance"),
    "fighting_withdrawal": ("retreat", "retreat"),
    "trench_fight": ("advance", "hold"),
}
BIAS = {"hold_the_line": -150, "trench_fight": -350, "fighting_withdrawal": 100, "cauldron": -100}
"""The attacker's bias by mission, in thousandths of log-odds, from the table of SR-1."""
LOST = {"narrow": (1, 1, 2, 2, 2, 3), "clear": (0, 0, 1, 1, 2, 2), "decisive": (0, 0, 0, 0, 1, 1)}
WON = {6: 1, 5: 2, 4: 3}


def moved(sector: int, result: str, winner: str, attacker: str) -> int:
    """Return the sector after a move by one, from 1 (German home) to 7 (AOA-7.02 to AOA-7.06)."""
    if result == "hold":
        return sector
    to_the_east = (attacker if result == "retreat" else winner) == GERMAN
    return min(7, sector + 1) if to_the_east else max(1, sector - 1)


def ladder(total: int) -> str:
    names = {7: "cauldron", 6: "fighting_withdrawal", 5: "hold_the_line"}
    if total >= 8:
        return "breakthrough" if total >= 10 else "encounter"
    return names.get(total, "trench_fight")


class Shares:
    """The Germans' shares by plain recursion. ``wheels`` are the sides that can break through by two sectors."""

    def __init__(self, odds: int, wheels: tuple[str, ...] = SIDES) -> None:
        self.odds, self.wheels = odds, wheels
        self.before, self.expected, self.of_game = cache(self._before), cache(self._expected), cache(self._of_game)

    def _of_game(self, mission: str, attacker: str) -> dict[tuple[str, int], float]:
        """Return the probability of each result: the winner and its points, ("", 0) for a draw."""
        odds = self.odds + (1 if attacker == GERMAN else -1) * 1000 * BIAS.get(mission, 0)
        found: dict[tuple[str, int], float] = {}
        fair = mission == "encounter"
        for side, own in ((GERMAN, odds), (SOVIET, -odds)):
            edges = [200_000 if fair else 0, 750_000, 2_000_000]
            above = [logistic(own - edge) / MILLION for edge in edges]
            bands = {"narrow": above[0] - above[1], "clear": above[1] - above[2], "decisive": above[2]}
            for band, chance in bands.items():
                for lost in LOST[band]:
                    key = (side, (6, 5, 4, 4)[lost])
                    found[key] = found.get(key, 0.0) + chance / 6
        return {**found, ("", 0): 1 - sum(found.values())}

    def _before(self, games: int, sector: int, winner: str, points: int, modifier: int) -> float:
        if not games:
            return 0.0 if sector <= 2 else 1.0 if sector >= 6 else 0.5
        total = 0.0
        for first in range(1, 7):
            for second in range(1, 7):
                totals = {GERMAN: first, SOVIET: second}
                for side in SIDES:
                    totals[side] += points + modifier if side == winner else WON.get(points, 1)
                mission = ladder(max(totals.values()))
                if totals[GERMAN] != totals[SOVIET]:
                    either = [max(SIDES, key=lambda side: totals[side])]
                else:  # the mechanized company attacks infantry in a defensive battle (AOA-8.09)
                    defensive = mission in {"fighting_withdrawal", "hold_the_line", "trench_fight"}
                    either = [GERMAN] if defensive else list(SIDES)
                for side in either:
                    total += self.expected(games, sector, mission, side) / len(either)
        return total / 36

    def _expected(self, games: int, sector: int, mission: str, attacker: str) -> float:
        rows = self.of_game(mission, attacker).items()
        return sum(chance * self.after(games, sector, mission, attacker, *each) for each, chance in rows)

    def after(self, games: int, sector: int, mission: str, attacker: str, winner: str, points: int) -> float:
        if not winner:
            return self.before(games - 1, sector, "", 0, 0)
        attacked = mission == "encounter" or winner == attacker
        if attacked and sector == {GERMAN: 7, SOVIET: 1}[winner]:
            return float(winner == GERMAN)
        result = RESULTS[mission][not attacked]
        modifier = -2 if not attacked else 0
        ways = [moved(sector, result, winner, attacker)]
        if result == "breakthrough" and winner in self.wheels:
            ways.append(moved(ways[0], result, winner, attacker))
        shares = [self.before(games - 1, way, winner, points, modifier) for way in ways]
        return max(shares) if winner == GERMAN else min(shares)


def evaluated(state: AxisState, games: int, *, mission: str = "") -> Fraction:
    """Return the Germans' share if the advantage of the stronger side shrinks by a fifth per game."""
    board = state.board
    own, theirs = (Fraction(strength(state, board, side)) ** 3 for side in SIDES)
    advantage = (own - theirs) / (2 * (own + theirs))
    chance = [Fraction(1, 2) + advantage * Fraction(4, 5) ** number for number in range(games)]

    @cache
    def before(number: int, sector: int) -> Fraction:
        if sector < 1 or sector > 7:
            return Fraction(sector > 7)
        if number == games:
            return Fraction(0 if sector <= 2 else 1 if sector >= 6 else Fraction(1, 2))
        won, lost = before(number + 1, sector + 1), before(number + 1, sector - 1)
        gone = chance[number] * won + (1 - chance[number]) * lost
        return Fraction(3, 4) * gone + Fraction(1, 4) * before(number + 1, sector)

    if not mission:
        return before(0, state.sector)
    total = Fraction(0)
    roles = [state.attacker] if state.attacker else list(SIDES)
    for attacker in roles:
        for winner in SIDES:
            attacked = mission == "encounter" or winner == attacker
            to = moved(state.sector, RESULTS[mission][not attacked], winner, attacker)
            ends = attacked and state.sector == {GERMAN: 7, SOVIET: 1}[winner]
            after = Fraction(winner == GERMAN) if ends else before(1, to)
            total += (chance[0] if winner == GERMAN else 1 - chance[0]) * after / len(roles)
    return total
