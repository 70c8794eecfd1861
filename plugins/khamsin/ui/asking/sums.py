"""Calculations for events without their own: honor, and weather for which no die was rolled."""

from collections.abc import Sequence
from typing import Any

from khamsin.leaders.honor import CONDUCT, HEROISM, OWN_TROOPS, WITHDRAWAL
from khamsin.model.battle_events import BattleFought, CompaniesFielded, WithdrawalChosen
from khamsin.model.cards import Board
from khamsin.model.events import HonorGained, WeatherSet
from sandtable import Calculation, TurnBegan


def sums(records: Sequence[Any], board: Board) -> Sequence[Calculation]:
    """Return the calculations of the last of the ``records``, as far as the earlier records allow."""
    event = records[-1].event
    before = [each.event for each in records[:-1] if hasattr(each, "event")]
    if isinstance(event, HonorGained):
        return _honor(event, before, board)
    if isinstance(event, WeatherSet):
        turn = next((each.turn for each in reversed(before) if isinstance(each, TurnBegan)), 1)
        return (Calculation("weather", table=("schedule", f"turn {turn}", "weather")),)
    return ()


def _honor(event: HonorGained, before: Sequence[Any], board: Board) -> Sequence[Calculation]:
    """Return the reasons for points of honor, and the player's new total (KH-24)."""
    battle = next((each for each in reversed(before) if isinstance(each, BattleFought | WithdrawalChosen)), None)
    place = board.names.get(battle.engagement, battle.engagement) if battle is not None else "this engagement"
    led = ", ".join(_led(event, before, board)) or "their formation"
    reasons = {
        "points": (f"victory points of the {event.side} in the battle at {place}", event.points),
        "own_troops": (f"led companies of {led}, under their own command, at {place}", OWN_TROOPS),
        "heroism": (f"a heroic deed at {place}", HEROISM),
        "conduct": (f"unchivalrous conduct at {place}", CONDUCT),
        "withdrawal": (f"a formation was ordered to withdraw from {place}", WITHDRAWAL),
        "precipitous": (f"precipitous withdrawal from {place}, not by a reconnaissance unit", WITHDRAWAL),
    }
    steps = [(*reasons[event.reason], event.rule)] if event.reason in reasons else []
    own = [each.points for each in before if isinstance(each, HonorGained) and each.player == event.player]
    totals = (f"{event.player} had", sum(own), "KH-24.01"), ("now", event.points, event.rule)
    return Calculation("points", tuple(steps)), Calculation(f"honor of {event.player}", totals)


def _led(event: HonorGained, before: Sequence[Any], board: Board) -> list[str]:
    """Return the titles of the player's own formations that fielded companies in the last battle."""
    fielded = next(
        (each for each in reversed(before) if isinstance(each, CompaniesFielded) and each.side == event.side), None
    )
    cards = [board.formations.get(each.formation) for each in (fielded.companies if fielded else ())]
    return list(dict.fromkeys(each.title for each in cards if each and each.commander == event.player))
