"""What the battle is about, in sentences: who wins by what, how that stands, and what was counted at the end."""

from collections.abc import Iterator, Mapping

from kampfpanzer.fog.views import SideView
from kampfpanzer.model.board import Board
from kampfpanzer.victory.victory import exited, lost, undisrupted
from sandtable import Calculation, listing


def aims(view: SideView, board: Board) -> Iterator[str]:
    """Yield how the game is won, and how that stands as ``view`` shows it (KP-14.0j)."""
    yield f"Victory: {_aim(board)}"
    if board.victory.bid:
        yield f"A bid of {abs(board.victory.bid)} is reckoned in"
    if view.turn and not view.outcome:
        yield f"So far: {_standing(view, board)}"


def _where(board: Board) -> str:
    """Return where it is to be: "on Hill 3", "in 2019"."""
    place, hexes = board.victory.place, board.victory.hexes
    if place:
        return f"{'on' if place.startswith('Hill') else 'in'} {place}"
    return f"in {listing(list(hexes))}" if len(hexes) < 4 else "in the hexes named here"


def _aim(board: Board) -> str:
    victory = board.victory
    own = victory.side or board.sides[0]
    return TOLD[victory.kind].format(
        victory=victory,
        own=f"the {board.titles[own]}",
        enemy=f"the {board.titles[board.enemy_of(own)]}",
        where=_where(board),
        end=f"as turn {board.last_turn} ends",
        spared=f", but a draw if they have lost {victory.loss_limit} or more" if victory.loss_limit else "",
    )


UNITS = "undisrupted combat units (no trucks, no carriers)"
LEFT = "of their combat units have left the map"
TOLD = {
    "majority": f"whoever has more {UNITS} {{where}} {{end}}",
    "multiple": f"{{own}}, with {{victory.needed}} times as many {UNITS} {{where}} as {{enemy}} {{end}}; "
    "else {enemy}",
    "clear": f"{{own}}, if fewer than {{victory.needed}} {UNITS} of {{enemy}} are {{where}} {{end}}; else {{enemy}}",
    "reach": f"{{own}}, with one of their {UNITS} {{where}} as turn {{victory.from_turn}} or a later ends; "
    "else, {end}, {enemy}",
    "exit": f"{{own}}, when {{victory.needed}} {LEFT}; else {{enemy}}{{spared}}",
    "destroy": "{own}, when {victory.losses_needed} units of {enemy} are destroyed; else, {end}, {enemy}",
    "break_through": f"{{own}}, if {{victory.needed}} {LEFT} and {{victory.losses_needed}} of {{enemy}} are destroyed, "
    "with fewer than {victory.loss_limit} lost, {end}; else {enemy}",
}
"""The winner and the condition, by kind of victory."""


def _standing(view: SideView, board: Board) -> str:
    """Return what would be counted now, side by side."""
    victory, told = board.victory, list[str]()
    if victory.hexes:
        told += [f"{board.titles[each]} {undisrupted(view, board, each, victory.hexes)}" for each in board.sides]
        told = [f"{', '.join(told)} {_where(board)}"]
    if victory.needed and not victory.hexes:
        told.append(f"{board.titles[victory.side]} off the map {exited(view, board, victory.side)}")
    if victory.losses_needed or victory.loss_limit:
        told += [f"{board.titles[each]} destroyed {lost(view, board, each)}" for each in board.sides]
    return "; ".join(told)


# --- at the end ---

COUNTED: Mapping[str, str] = {
    "undisrupted": "{side} undisrupted {where}",
    "needed": "asked of {side}",
    "exited": "{side} off the map",
    "exits_needed": "asked of {side}",
    "lost": "{side} destroyed",
    "losses_needed": "asked",
    "loss_limit": "from {side} on it is too many",
    "bid": "bid of {side}",
}
"""By the first word of a count, what it counts; see ``victory.tally``."""


def counted(calculations: tuple[Calculation, ...], board: Board) -> str:
    """Return what was counted as the game ended: "Germans undisrupted on Hill 3: 7; asked of Germans: 3"."""
    told = []
    for each in calculations:
        what, _, side = each.name.partition(".")
        total = sum(amount for _, amount, _ in each.steps)
        words = COUNTED.get(what, "{side} " + what).format(side=board.titles.get(side, side), where=_where(board))
        told.append(f"{words}: {total}")
    return "; ".join(told)
