"""What the battle is about, in sentences: who wins by what, how that stands, and what was counted at the end."""

from collections.abc import Callable, Iterator, Mapping

from kampfpanzer.fog.views import SideView
from kampfpanzer.model.board import Board
from kampfpanzer.victory.victory import exited, lost, undisrupted
from sandtable import Calculation, listing

COMBAT_UNITS = "undisrupted combat units (no trucks, no carriers)"


def aims(view: SideView, board: Board) -> Iterator[str]:
    """Yield how the game is won, and how that stands as ``view`` shows it (KP-14.0j)."""
    yield f"Victory: {TOLD[board.victory.kind](board)}"
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


def _end(board: Board) -> str:
    return f"as turn {board.last_turn} ends"


def _sides(board: Board) -> tuple[str, str]:
    """Return the side that must do something, and its enemy, by their titles."""
    own = board.victory.side or board.sides[0]
    return f"the {board.titles[own]}", f"the {board.titles[board.enemy_of(own)]}"


def _majority(board: Board) -> str:
    return f"whoever has more {COMBAT_UNITS} {_where(board)} {_end(board)}"


def _multiple(board: Board) -> str:
    own, enemy = _sides(board)
    needed = f"{own}, with {board.victory.needed} times as many {COMBAT_UNITS} {_where(board)} as {enemy}"
    return f"{needed} {_end(board)}; else {enemy}"


def _clear(board: Board) -> str:
    own, enemy = _sides(board)
    left = f"{own}, if fewer than {board.victory.needed} {COMBAT_UNITS} of {enemy} are {_where(board)}"
    return f"{left} {_end(board)}; else {enemy}"


def _reach(board: Board) -> str:
    own, enemy = _sides(board)
    there = f"{own}, with one of their {COMBAT_UNITS} {_where(board)} as turn {board.victory.from_turn} or a later ends"
    return f"{there}; else, {_end(board)}, {enemy}"


def _exit(board: Board) -> str:
    own, enemy = _sides(board)
    limit = board.victory.loss_limit
    spared = f", but a draw if they have lost {limit} or more" if limit else ""
    return f"{own}, when {board.victory.needed} of their combat units have left the map; else {enemy}{spared}"


def _destroy(board: Board) -> str:
    own, enemy = _sides(board)
    return f"{own}, when {board.victory.losses_needed} units of {enemy} are destroyed; else, {_end(board)}, {enemy}"


def _break_through(board: Board) -> str:
    own, enemy = _sides(board)
    victory = board.victory
    both = f"if {victory.needed} of their combat units have left the map and {victory.losses_needed} of {enemy} are"
    return f"{own}, {both} destroyed, with fewer than {victory.loss_limit} lost, {_end(board)}; else {enemy}"


TOLD: dict[str, Callable[[Board], str]] = {
    "majority": _majority,
    "multiple": _multiple,
    "clear": _clear,
    "reach": _reach,
    "exit": _exit,
    "destroy": _destroy,
    "break_through": _break_through,
}
"""By kind of victory, who wins by what."""


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
