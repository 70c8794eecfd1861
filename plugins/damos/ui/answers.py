"""What the rules say to a person's question about a position: problems, supply, the way, the odds of an attack."""

from collections.abc import Callable, Sequence

from damos.combat.chances import Strength, win_chance
from damos.fog.views import SideView
from damos.map.supply import has_supply_line
from damos.map.terrain import combat_strengths, ground_of
from damos.model.board import Board
from damos.model.forces import enemy_of, is_demoralized, stacks
from damos.model.state import DamosState
from damos.model.tables import UNSUPPLIED_ATTACK_PER_DIE, dice_of
from damos.movement.march import points
from damos.movement.steps import cheapest_way
from damos.ui.courses import hex_meant
from damos.ui.draw import stops_of, supply_words
from damos.ui.hints import MOST_NAMED, troubles
from damos.ui.overlays import find_supply_line, force_shown, state_of
from damos.ui.terms import place, side_of
from sandtable.errors import PlayError
from sandtable.plugin.manifest import Answer
from sandtable.viewer.narrate import counted

QUESTIONS = (
    "problems   who is out of supply and why, would surrender, stands too high, could rally; points that are saved",
    "supply 2829   the supply line of the force there, or what blocks it",
    "way 3pz to Minsk   the cheapest way of a unit, and what it costs",
    "odds 2829 2727   how an attack from there on the enemy beside it is likely to end",
)


def answer(view: SideView, board: Board, text: str) -> Answer | None:
    """Return what the rules say to a question, None for what is none; raise PlayError for what is not there."""
    words = text.split()
    if text.strip() == "?":
        return Answer(None, QUESTIONS)
    asked = ASKED.get(words[0].lower()) if words else None
    return asked(view, board, words[1:]) if asked else None


def _problems(view: SideView, board: Board, words: Sequence[str]) -> Answer | None:
    if words:
        return None
    state = state_of(view, board)
    sides = board.sides if view.side not in board.sides else (view.side,)
    lines: list[str] = []
    for side in sides:
        cut = [hex_ for hex_ in stacks(state, side) if not has_supply_line(state, side, hex_)]
        if cut and view.turn:
            number = sum(len(stacks(state, side)[hex_]) for hex_ in cut)
            lines.append(f"{counted(number, 'unit')} of the {side_of(side, board)} have no supply line")
            lines += [f"{place(hex_, board)}: {_why_cut(view, board, hex_)}" for hex_ in cut[:MOST_NAMED]]
            if len(cut) > MOST_NAMED:
                lines.append(f"and in {', '.join(cut[MOST_NAMED:])}")
        lines += troubles(state, side)
        if view.replacements.get(side):
            lines.append(f"{counted(view.replacements[side], 'replacement point')} saved")
    return Answer(bool(lines), tuple(lines) or ("nothing is amiss",), ("DM-2.10a",) if lines else ())


def _why_cut(view: SideView, board: Board, hex_: str) -> str:
    force = force_shown(view, board, hex_)
    return stops_of(find_supply_line(view, board, force), board) if force else ""


def _supply(view: SideView, board: Board, words: Sequence[str]) -> Answer | None:
    force = force_shown(view, board, " ".join(words)) if words else None
    if force is None:
        return None
    line = find_supply_line(view, board, force)
    return Answer(line.supplied, (supply_words(force, line, board),), ("DM-2.10a", "AGC-4.3.1a"))


def _way(view: SideView, board: Board, words: Sequence[str]) -> Answer | None:
    if len(words) < 3 or "to" not in words[1:]:
        return None
    cut = words.index("to", 1)
    force, target = force_shown(view, board, " ".join(words[:cut])), hex_meant(words[cut + 1 :], board)
    if force is None or not target:
        raise PlayError(f"{' '.join(words[cut + 1 :])!r} is no hex and no town of this map")
    state = state_of(view, board)
    named = [each for each in (words[0], f"{force.side[0]}-{words[0]}") if each in view.units]
    way = cheapest_way(state, named or stacks(state, force.side)[force.hex], force.hex, target)
    if not way:
        return Answer(yes=False, lines=(f"there is no way to {place(target, board)}",), rules=("DM-7.0j",))
    hexes = " ".join(hex_ for hex_, _ in way)
    told = f"{points(way[-1][1])} points to {place(target, board)}: {hexes}"
    return Answer(yes=True, lines=(told,), rules=("DM-7.0j",))


def _odds(view: SideView, board: Board, words: Sequence[str]) -> Answer | None:
    if len(words) != 2:
        return None
    start, target = (hex_meant([each], board) for each in words)
    state = state_of(view, board)
    side = next((each for each in board.sides if start in stacks(state, each)), "")
    if not side or target not in stacks(state, enemy_of(side)) or target not in board.around[start]:
        raise PlayError("name a hex with a force, and one beside it with the enemy: odds 2829 2727")
    force, enemies = stacks(state, side)[start], stacks(state, enemy_of(side))[target]
    return Answer(None, tuple(_chances(state, force, enemies, start, target)), ("DM-8.2b", "DM-8.6b"))


def _chances(state: DamosState, force: list[str], enemies: list[str], start: str, target: str) -> list[str]:
    attack, _ = combat_strengths(state, force, (), target, start)
    defence = sum(state.units[each].sp for each in enemies) + ground_of(state.board, target).defence
    attack, defence = max(1, attack), max(1, defence)
    supplied = has_supply_line(state, state.units[force[0]].side, target, (target,))
    modifier = (0 if supplied else UNSUPPLIED_ATTACK_PER_DIE * dice_of(attack)) + is_demoralized(state, enemies)
    told = f"{attack} against {defence} as the ground changes them, the enemy as printed"
    chance = win_chance(Strength(attack, modifier), Strength(defence))
    return [told, f"a standard attack wins {chance} in 100{'' if supplied else ', out of supply'}"]


ASKED: dict[str, Callable[[SideView, Board, Sequence[str]], Answer | None]] = {
    "problems": _problems,
    "supply": _supply,
    "way": _way,
    "odds": _odds,
}
