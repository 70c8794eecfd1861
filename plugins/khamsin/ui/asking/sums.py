"""How figures came about that events tell without a calculation: honour, and weather for which no die was rolled."""

from collections.abc import Sequence
from typing import Any

from khamsin.leaders.honour import CONDUCT, HEROISM, OWN_TROOPS, WITHDRAWAL
from khamsin.model.battle_events import BattleFought, CompaniesFielded, WithdrawalChosen
from khamsin.model.cards import Board
from khamsin.model.events import HonourGained, WeatherSet
from sandtable import Calculation, TurnBegan


def sums(records: Sequence[Any], board: Board) -> Sequence[Calculation]:
    """Return how the figures of the last of the ``records`` came about, as far as those before it tell."""
    event = records[-1].event
    before = [each.event for each in records[:-1] if hasattr(each, "event")]
    if isinstance(event, HonourGained):
        return _honour(event, before, board)
    if isinstance(event, WeatherSet):
        turn = next((each.turn for each in reversed(before) if isinstance(each, TurnBegan)), 1)
        return (Calculation("weather", table=("schedule", f"turn {turn}", "weather")),)
    return ()


def _honour(event: HonourGained, before: Sequence[Any], board: Board) -> Sequence[Calculation]:
    """Return for what points were given, and with how many the player stands now (KH-24)."""
    battle = next((each for each in reversed(before) if isinstance(each, BattleFought | WithdrawalChosen)), None)
    place = board.names.get(battle.engagement, battle.engagement) if battle is not None else "this engagement"
    led = ", ".join(_led(event, before, board)) or "his formation"
    reasons = {
        "points": (f"victory points of the {event.side} in the battle at {place}", event.points),
        "own_troops": (f"led companies of {led}, which he commands, at {place}", OWN_TROOPS),
        "heroism": (f"a heroic deed at {place}", HEROISM),
        "conduct": (f"unchivalrous conduct at {place}", CONDUCT),
        "withdrawal": (f"a formation was ordered to withdraw from {place}", WITHDRAWAL),
        "precipitous": (f"precipitously, from {place}, and it is no reconnaissance unit", WITHDRAWAL),
    }
    steps = [(*reasons[event.reason], event.rule)] if event.reason in reasons else []
    own = [each.points for each in before if isinstance(each, HonourGained) and each.player == event.player]
    stands = (f"{event.player} had", sum(own), "KH-24.01"), ("now", event.points, event.rule)
    return Calculation("points", tuple(steps)), Calculation(f"honour of {event.player}", stands)


def _led(event: HonourGained, before: Sequence[Any], board: Board) -> list[str]:
    """Return the formations of the player that he led in the last battle, by title."""
    fielded = next(
        (each for each in reversed(before) if isinstance(each, CompaniesFielded) and each.side == event.side), None
    )
    cards = [board.formations.get(each.formation) for each in (fielded.companies if fielded else ())]
    return list(dict.fromkeys(each.title for each in cards if each and each.commander == event.player))
