"""Answers about sight, fire and plots in a position, by the rules that judge plots.

An answer uses only the view of the side that asks. Hidden plots are ignored: an answer holds for a plot written now,
with all units in their current hexes.
"""

from collections.abc import Sequence

from kampfpanzer.fire.calculations import attack_calculations, column_title
from kampfpanzer.fire.echoes import FACES, column_odds, count_results
from kampfpanzer.fire.indirect import HIGHEST, LOOSE, SHELL_TABLES, TIGHT, column_of, falls_on
from kampfpanzer.fire.superiority import compute_attack
from kampfpanzer.fog.views import SideView
from kampfpanzer.model.board import Board
from kampfpanzer.model.state import Impact, KampfState
from kampfpanzer.model.tables import MAX_SUPERIORITY, MIN_SUPERIORITY, shell_result
from kampfpanzer.plotting.fire_and_boarding import HIGH_EXPLOSIVE
from kampfpanzer.plotting.legality import why_impossible
from kampfpanzer.plotting.notation import parse_plot
from kampfpanzer.plotting.situation import Situation
from kampfpanzer.ui.asking.paths import path, reach, zone
from kampfpanzer.ui.asking.problems import problems
from kampfpanzer.ui.asking.scene import Scene, refused
from sandtable import Answer, PlayError, Refusal, listing
from sandtable.questions import NO, YES, Query, chances, named, replied


def answer(view: SideView, board: Board, text: str) -> Answer | None:
    """Return the answer to a question, or None if ``text`` is not a question."""
    return replied(named(QUESTIONS, _examples(view, board)), text, lambda: Scene.of(view, board), Answer)


def _examples(view: SideView, board: Board) -> dict[str, str]:
    """Return names for the examples: a unit of the side that asks, an enemy, a hex."""
    there = [each for each, unit in view.units.items() if unit.hex]
    own = [each for each in there if view.units[each].side == view.side]
    unit = next(iter(own or there), "")
    pairs = [(one, other) for one in own or there for other in there if view.units[one].side != view.units[other].side]
    if pairs:
        distance = board.hexmap.range_hexes
        unit, enemy = min(pairs, key=lambda pair: distance(view.units[pair[0]].hex, view.units[pair[1]].hex))
    else:
        enemy = ""
    hex_ = view.units[enemy].hex if enemy else ""
    return {"unit": unit, "enemy": enemy, "hex": hex_ or board.hexmap.numbers[0]}


# --- sight ---


def _sees(scene: Scene, words: list[str]) -> Answer:
    """Answer whether one hex is in sight of another for direct fire (KP-9.13a to KP-9.16g)."""
    here, there = map(scene.place, words[:2])
    ground = scene.situation(next(iter(scene.state.units))).ground
    if here == there:
        return Answer(YES, (f"both are in {here}",))
    refusal = ground.why_unseen(here, there, False)  # noqa: FBT003 - the brief form
    if refusal is not None:
        shells = refusal.rule == "KP-9.16f"
        return refused(refusal, *(("high explosive may still be aimed there (KP-9.37a)",) if shells else ()))
    distance = ground.range_hexes(here, there)
    line = ground.fire_path(here, there)
    between = [each for each in line.hexes if each != there]
    passed = f"the line passes {' '.join(between)}" if between else "no hex is between them"
    lines = [f"{there} is {distance} hex{'es' if distance > 1 else ''} from {here} and in sight: {passed}"]
    sides = sorted("/".join(side) for side in line.hexsides)
    if sides:
        lines.append(f"the line runs along {' '.join(sides)}, which do not block it")
    return Answer(YES, tuple(lines), ("KP-9.14a", "R-KP-32") if distance == 1 else ("KP-9.14a", "KP-9.15a"))


SIGHT_RANGE = 12
"""Maximum distance in hexes of the hexes that `sight` lists."""


def _sight(scene: Scene, words: list[str]) -> Answer:
    """List the hexes in sight of a unit or hex for direct fire, by distance (KP-9.13a to KP-9.16g)."""
    here = scene.place(words[0])
    ground = scene.situation(next(iter(scene.state.units))).ground
    rows: dict[int, list[str]] = {}
    for there in scene.board.hexmap.within(here, SIGHT_RANGE):
        if there != here and ground.sees(here, there, high_explosive=False):
            rows.setdefault(ground.range_hexes(here, there), []).append(there)
    count = sum(map(len, rows.values()))
    summary = f"{count} hex{'' if count == 1 else 'es'} within {SIGHT_RANGE} of {here} in sight for direct fire"
    lines = (f"{distance}: {' '.join(sorted(row))}" for distance, row in sorted(rows.items()))
    return Answer(None, (summary, *lines), ("KP-9.14a", "KP-9.15a", "KP-9.16f"))


# --- fire ---


def _fires(scene: Scene, words: list[str]) -> Answer:
    """Answer whether units ("94", or "94+95" together) may fire at a unit or a hex, with the odds."""
    firers = [scene.unit(each) for each in words[0].split("+")]
    hex_ = scene.place(words[1])
    target = words[1] if words[1] in scene.state.units else ""
    if len(dict.fromkeys(firers)) < len(firers) or len({scene.state.units[each].side for each in firers}) > 1:
        raise PlayError("units that fire together belong to one side, and each is named once: fires 94+95 38")
    situation = scene.situation(firers[0])
    explosive = [situation.kind(each).weapon == HIGH_EXPLOSIVE for each in firers]
    if any(explosive):
        if len(firers) > 1:
            return refused(Refusal("KP-9.35a", "high explosive fire is never combined: ask for one firer at a time"))
        return _shells(scene, situation, firers[0], hex_, target)
    empty = not situation.targets_at(hex_)
    text = f"P {hex_}" if empty and not target else f"N {hex_}{'/' if target else ''}{target}"
    for each in firers:
        refusal = _why_not(situation, each, text)
        if refusal is not None:
            return refused(refusal)
    if empty:
        return Answer(YES, (f"no enemy is in {hex_} now; {text} waits for one",), ("KP-9.0h",))
    targets = [target] if target else situation.targets_at(hex_)
    return _direct(scene, firers, targets, hex_, text)


def _why_not(situation: Situation, unit_id: str, text: str) -> Refusal | None:
    """Return the refusal of a plot, as the sheet gives it, or None."""
    refusal = situation.why_no_line(unit_id)
    return refusal if refusal is not None else why_impossible(situation, unit_id, parse_plot(text))


def _direct(scene: Scene, firers: Sequence[str], targets: Sequence[str], hex_: str, text: str) -> Answer:
    """Return the strengths of one attack and the odds of its column (KP-9.0e, KP-9.7a)."""
    state = scene.state
    attack = compute_attack(state, firers, targets, hex_)
    *parts, _ = attack_calculations(state, attack)
    sums, rules = [], ["KP-9.0e"]
    for part, points in zip(parts, (*attack.strengths, attack.defense), strict=True):
        who = part.name.removeprefix("strength.")
        steps = [f"{_named(scene, name)} {amount:+}" for name, amount, _ in part.steps]
        rules += [rule for _, _, rule in part.steps]
        sums.append(f"{scene.name(who) if who in state.units else who} {points} ({', '.join(steps)})")
    total = f"{' + '.join(map(str, attack.strengths))} - {attack.defense} = {attack.superiority}"
    if attack.barred:
        why = f"superiority {total}: below the minimum of {MIN_SUPERIORITY}, the fire has no effect"
        return Answer(NO, (f"{text} is legal but too weak now", *sums, why), (attack.barred, *_once(rules)))
    column = min(attack.superiority, MAX_SUPERIORITY)
    lines = f"superiority {total}, column {column_title(column)}: {column_odds(column)}"
    return Answer(YES, (f"{text}: {lines}", *sums), ("KP-9.7a", *_once(rules)))


def _named(scene: Scene, name: str) -> str:
    return scene.name(name) if name in scene.state.units else name


def _once(rules: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rules))


def _shells(scene: Scene, situation: Situation, firer: str, hex_: str, target: str) -> Answer:
    """Return the odds of tight and loose fire on a hex against each unit there, if it stays or moves (KP-9.34a)."""
    refusal = _why_not(situation, firer, f"T {hex_}")
    if refusal is not None:
        return refused(refusal)
    state, lines, rules = scene.state, [], ["KP-9.34a"]
    around = [each for each in situation.ground.around(hex_) if each]
    for pattern, hexes in ((TIGHT, [hex_]), (LOOSE, [hex_, *around])):
        impact = Impact(firer, hex_, pattern, hexes)
        there = [each for each, unit in state.units.items() if unit.hex in hexes and target in ("", each)]
        struck = [each for each in there if falls_on(state, each, impact, state.units[each].hex)]
        lines += [f"{pattern} {hex_} on {_shelled(state, scene, each, pattern, rules)}" for each in struck]
        if not struck:
            lines.append(f"{pattern} {hex_} cannot hit {listing([scene.name(each) for each in there]) or 'any unit'}")
    return Answer(YES, tuple(lines), _once(rules))


def _shelled(state: KampfState, scene: Scene, unit_id: str, pattern: str, rules: list[str]) -> str:
    lines = []
    for what, plots in (("if it stays", {}), ("if it moves", {unit_id: "A1"})):
        state.plots = dict(plots)
        column, added = column_of(state, unit_id, pattern, state.units[unit_id].hex)
        rules.append(SHELL_TABLES[column])
        found = [shell_result(column, min(die + added, HIGHEST)) for die in FACES]
        lines.append(f"{what} {chances(count_results(found), len(found))}")
    return f"{scene.name(unit_id)}: {'; '.join(lines)}"


LETTERS_OF_PLOTS = (
    "A to F are the directions: A is north, the others follow clockwise; a hex number is column, then row",
    "D5 C2: move 5 hexes in direction D, then 2 in C; D5 S2 D1: halt for 2 points; 0501 D3: enter the map at 0501",
    "D5 VD: move, then overrun the next hex in direction D",
    "N 0704: fire at all enemies in 0704; N 0704/38: fire at unit 38 there",
    "P 0603: opportunity fire at the first enemy that enters a hex on the line to 0603",
    "T 0304, L 0304: high explosive at 0304, in a tight or loose pattern",
    "M for the unit and M 0506 for its vehicle: embark in 0506, the hex of the unit",
    "Q for the unit and Q 0506 for its vehicle: debark, and the vehicle moves to 0506; Q C: a gun that then faces C",
    "C: turn a gun to face C",
    "to 1503: the cheapest path to 1503; 94-99 A4, or 94, 95: A4: the same plot for several units",
    "results: P pinned, cannot move this turn; D1 to D3 disrupted, no plot until it recovers; a total of D4 destroyed",
)
"""The notation of plots (KP-5.4a)."""


def _letters(_: Scene, __: list[str]) -> Answer:
    """Return the notation of plots."""
    return Answer(None, LETTERS_OF_PLOTS, ("KP-5.4a",))


QUESTIONS = {
    "letters": Query("", "the letters of a plot and their meaning", _letters, 0),
    "sees": Query("{unit} {hex}", "line of sight between two units or hexes, and what blocks it", _sees, 2),
    "sight": Query("{unit}", f"hexes up to {SIGHT_RANGE} away in sight of a unit or hex", _sight),
    "zone": Query("{unit}", "hexes in the zone of control of a unit", zone),
    "fires": Query("{unit} {enemy}", "whether units may fire at a unit or hex, and the odds", _fires, 2),
    "reach": Query("{unit}", "hexes that a unit can reach, with their cost in points", reach),
    "path": Query("{unit} {hex}", "cheapest path of a unit to a hex, as a plot, with its cost", path, 2),
    "problems": Query("", "units that are disrupted, pinned, panicked or not yet on the map", problems, 0),
}
