"""The objective in sentences: the victory condition, the current count and the final count."""

from collections.abc import Iterator, Mapping

from kampfpanzer.fog.views import SideView
from kampfpanzer.model.board import Board
from kampfpanzer.victory.victory import exited, lost, undisrupted
from sandtable import Calculation, listing


def aims(view: SideView, board: Board) -> Iterator[str]:
    """Yield the victory condition and the current count as ``view`` shows it (KP-14.0j)."""
    yield f"Victory: {_aim(board)}"
    if board.victory.bid:
        yield f"This includes a bid of {abs(board.victory.bid)}"
    if view.turn and not view.outcome:
        yield f"So far: {_standing(view, board)}"


def _where(board: Board) -> str:
    """Return the objective as a place, such as "on Hill 3" or "in 2019"."""
    place, hexes = board.victory.place, board.victory.hexes
    if place:
        return f"{'on' if place.startswith('Hill') else 'in'} {place}"
    return f"in {listing(list(hexes))}" if len(hexes) < 4 else "in the objective hexes"


def _aim(board: Board) -> str:
    victory = board.victory
    own = victory.side or board.sides[0]
    return CONDITIONS[victory.kind].format(
        victory=victory,
        own=f"the {board.titles[own]}",
        enemy=f"the {board.titles[board.enemy_of(own)]}",
        where=_where(board),
        end=f"at the end of turn {board.last_turn}",
        spared=f", or draw if they have lost {victory.loss_limit} or more units" if victory.loss_limit else "",
    )


UNITS = "undisrupted combat units (no trucks, no carriers)"
LEFT = "of their combat units have left the map"
CONDITIONS = {
    "majority": f"the side with more {UNITS} {{where}} {{end}}",
    "multiple": f"{{own}}, if they have {{victory.needed}} times as many {UNITS} {{where}} as {{enemy}} {{end}}. "
    "If not, {enemy} win",
    "clear": f"{{own}}, if fewer than {{victory.needed}} {UNITS} of {{enemy}} are {{where}} {{end}}. "
    "If not, {enemy} win",
    "reach": f"{{own}}, if one of their {UNITS} is {{where}} at the end of turn {{victory.from_turn}} or later. "
    "If not, {enemy} win {end}",
    "exit": f"{{own}}, as soon as {{victory.needed}} {LEFT}. If not, {{enemy}} win{{spared}}",
    "destroy": "{own}, as soon as {victory.losses_needed} units of {enemy} are destroyed. If not, {enemy} win {end}",
    "break_through": f"{{own}}, if {{victory.needed}} {LEFT}, {{victory.losses_needed}} units of {{enemy}} are "
    "destroyed and fewer than {victory.loss_limit} of their own are lost {end}. If not, {enemy} win",
}
"""By kind of victory, the text that names winner and condition."""


def _standing(view: SideView, board: Board) -> str:
    """Return the current counts that decide the game.

    They are the undisrupted units of both sides on the ground, or the exits of the side that must leave. The losses of
    both sides follow if the scenario sets a number for losses.
    """
    victory, counts = board.victory, list[str]()
    if victory.hexes:
        counts += [f"{board.titles[each]} {undisrupted(view, board, each, victory.hexes)}" for each in board.sides]
        counts = [f"{', '.join(counts)} {_where(board)}"]
    if victory.needed and not victory.hexes:
        counts.append(f"{board.titles[victory.side]} off the map {exited(view, board, victory.side)}")
    if victory.losses_needed or victory.loss_limit:
        counts += [f"{board.titles[each]} lost {lost(view, board, each)}" for each in board.sides]
    return "; ".join(counts)


# --- at the end ---

COUNTED: Mapping[str, str] = {
    "undisrupted": "{side} undisrupted {where}",
    "needed": "{side} need",
    "exited": "{side} off the map",
    "exits_needed": "{side} need",
    "lost": "{side} destroyed",
    "losses_needed": "needed",
    "loss_limit": "loss limit of {side}",
    "bid": "bid of {side}",
}
"""Labels by the first word of a count; see ``victory.tally``."""


def final_count(calculations: tuple[Calculation, ...], board: Board) -> str:
    """Return the count at the end of the game, such as "Germans undisrupted on Hill 3: 7, Germans need: 3"."""
    counts = []
    for each in calculations:
        what, _, side = each.name.partition(".")
        total = sum(amount for _, amount, _ in each.steps)
        words = COUNTED.get(what, "{side} " + what).format(side=board.titles.get(side, side), where=_where(board))
        counts.append(f"{words}: {total}")
    return ", ".join(counts)
