"""Honor points of players, for battles and withdrawals (KH-24)."""

from collections.abc import Iterable

from khamsin.model.cards import RECON, Board
from khamsin.model.events import HonorGained
from khamsin.model.forces import card
from khamsin.model.state import DEFENDS, PRECIPITOUS, Fielded, KhamsinState
from sandtable import Procedure
from sandtable.tabletop import Result

OWN_TROOPS, HEROISM, WITHDRAWAL, CONDUCT = 1, 2, -1, -5


def player_of(state: KhamsinState, side: str, fielded: Fielded) -> str:
    """Return the player of a company: the named one, the commander of its formation, or the commander in chief."""
    return fielded.player or card(state, fielded.formation).commander or commander_in_chief(state, side)


def commander_in_chief(state: KhamsinState, side: str) -> str:
    """Return the first player of a side, or "" if it names no players."""
    board: Board = state.board
    return next(iter(board.commanders.get(side, ())), "")


def pay_for_withdrawal(state: KhamsinState, formation_id: str, how: str) -> Procedure:
    """Subtract honor for a formation that was ordered to withdraw (KH-24.06, KH-24.07, KH-R62, KH-R69).

    The player who gave the order loses it: the commander in chief if they write the orders, or else the formation's
    commander (KH-R70).
    """
    if how == DEFENDS:
        return
    side, its_card = state.formations[formation_id].side, card(state, formation_id)
    player = commander_in_chief(state, side)
    if state.options["orders_by"] == "formation_commanders" and its_card.commander:
        player = its_card.commander
    yield from _gain(side, player, WITHDRAWAL, "withdrawal", "KH-24.06")
    is_worse = how == PRECIPITOUS and its_card.mobility != RECON
    if is_worse and state.options["honor_precip"] == "two":
        yield from _gain(side, player, WITHDRAWAL, "precipitous", "KH-24.07")


def honor_battle(state: KhamsinState, result: Result, fielded: dict[str, list[Fielded]]) -> Procedure:
    """Give honor for an action (KH-24.01 to KH-24.08): for points, own troops led and heroism, less bad conduct.

    ``fielded`` are the companies of the action by side, with their players. If a side has several companies in a
    battle, each of its players gains.
    """
    is_judged = result.source == "table"
    for side, companies in sorted(fielded.items()):
        players = _unique(each.player for each in companies if each.player)
        for player in players:
            yield from _gain(side, player, result.points.get(side, 0), "points", "KH-24.01")
            led = [each for each in companies if each.player == player]
            if any(card(state, each.formation).commander == player for each in led):
                yield from _gain(side, player, OWN_TROOPS, "own_troops", "KH-24.02")
        for player in players if is_judged or state.options["honor_auto"] == "resolver" else ():  # KH-R113
            for _ in range(result.heroic.count(player)):
                yield from _gain(side, player, HEROISM, "heroism", "KH-24.03")
        for player in players if is_judged else ():
            for _ in range(result.unchivalrous.count(player)):
                yield from _gain(side, player, CONDUCT, "conduct", "KH-24.08")


def _unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _gain(side: str, player: str, points: int, reason: str, rule: str) -> Procedure:
    if player and points:
        yield HonorGained(player, side, points, reason, rule)
