"""What a person may type for an order: "activate 2829", "go 2727", "attack 2727", "lose 2 3pz 1 7", "end".

Units are named by id or by the hex where they stand (``notation.py``). Set-up and reinforcements are written line by
line, "3pz 2829; 4pz 2829".
"""

from collections.abc import Callable

from damos.model import orders
from damos.model.board import Board
from damos.model.state import DamosState
from damos.model.tables import GRAND, MEETING, PENETRATION, STANDARD
from damos.movement.march import March, printed_rate
from damos.movement.planning import FreshForces, ready_stacks
from damos.movement.steps import NextHex
from damos.ui.courses import along, hex_meant, towards, whole
from damos.ui.hints import closes, example, undone
from damos.ui.notation import NOTHING, Line, answered, asked, field_of
from sandtable.errors import IllegalOrder, Wrongs
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options.choices import shown
from sandtable.plugin.manifest import Course
from sandtable.viewer.narrate import listed

HINTS: dict[type[Order], str] = {
    orders.SetUp: "g-3pz 2829; g-4pz 2829",
    orders.ChooseHex: "cossacks 2702",
    orders.Replace: "replace g-3pz 2 g-7 1",
    orders.PlaceReinforcements: "g-52 2830; g-197 2930",
    orders.ExtendRail: "rail 2928 2927, or: rail none",
    orders.MoveStrategically: "march 2829 2828 2827 (all in 2829), or: march g-7 g-23 2829 2828",
    orders.Activate: "activate 2829 (all fresh units there), or: activate g-3pz g-4pz go to Minsk stop",
    orders.DeclareAttack: "attack 2727",
    orders.PlanAttack: "grand 2829, or: penetration g-3pz g-4pz",
    orders.Step: "go 2727, go 2727 2726, or: go to Minsk stop",
    orders.PickUp: "take g-267, or: take all",
    orders.DropOff: "drop g-267",
    orders.Rally: "rally",
    orders.EndActivation: "stop",
    orders.EndPhase: "end",
    orders.ChoosePlan: "plan standard",
    orders.ChoosePosture: "posture steadfast",
    orders.React: "react 2717 2616 2515 (all that can in 2717), or: react s-20mc 2717 2616",
    orders.AvoidCombat: "avoid 2717 2716 2715",
    orders.Decline: "decline",
    orders.LeaveOut: "leave g-7",
    orders.UseAir: "air shift, air reroll, or: air both",
    orders.Reroll: "reroll 2",
    orders.KeepBenefit: "keep shift",
    orders.TakeLosses: "lose 2 g-3pz 1 g-7 rp 1",
    orders.Retreat: "retreat 2717 2716 2715",
    orders.Rout: "rout 2702 2801 2901 (the strongest unit), or: rout s-6mc 2702 2801 2901",
    orders.Exploit: "exploit g-3pz g-4pz, or: exploit all",
    orders.Pause: "pause yes, or: pause no",
}
"""How each order is typed, by example."""


AT_ONCE = "now"
"""The word behind an order that closes others or ends a phase: without it such an order is asked about first."""


def read_order(decision: Decision, text: str, board: Board) -> Order | Course | str | None:
    """Return the order that ``text`` means for ``decision``, None if it does not begin with a word of this notation.

    For "?" return what can be typed, and for an order that would close others, or leave much undone, what that is.
    Raises IllegalOrder, with the place in the text, when the rest makes no sense or the word is not asked for now.
    """
    kinds = asked(decision.options)
    if text.strip() == "?":
        return _hint(decision)
    bare = text.strip()
    at_once = bare.lower().endswith(f" {AT_ONCE}")
    order = _read(decision, bare[: -len(AT_ONCE)] if at_once else text, board, kinds)
    first = order.orders[0] if isinstance(order, Course) else order
    warning = "" if at_once or first is None else _warning(first, decision)
    return f"{warning}: type {bare} {AT_ONCE} if you mean it" if warning else order


def _hint(decision: Decision) -> str:
    kinds = dict.fromkeys(asked(decision.options))
    return "; ".join(example(kind, decision, HINTS[kind]) for kind in kinds if kind in HINTS)


def _warning(order: Order, decision: Decision) -> str:
    """Return what an order cannot take back would leave undone or close, "" for nothing."""
    if decision.options.why_not(order) is not None:
        return ""
    forces = field_of(decision.options, orders.Activate, "units")
    if not isinstance(forces, FreshForces):
        return ""
    if isinstance(order, orders.EndPhase):
        left = undone(forces.state, decision.side)
        return f"operations end with {listed(left)}" if left else ""
    shut = ""
    if isinstance(order, orders.Activate):
        shut = closes(forces, order.units)
    elif isinstance(order, orders.DeclareAttack):
        shut = closes(forces, [each for units in ready_stacks(forces.state, decision.side).values() for each in units])
    return f"{shut} cannot be activated any more this turn" if shut else ""


def _read(decision: Decision, text: str, board: Board, kinds: tuple[type[Order], ...]) -> Order | Course | None:
    line = Line(text, decision, board)
    verb = line.words[0].lower() if line.words else ""
    if verb not in VERBS:
        sheet = next((kind for kind in SHEETS if kind in kinds), None)
        line.place = 0
        return SHEETS[sheet](read_lines(text, decision, board)) if sheet is not None and line.find_unit() else None
    open_ = answered(decision.options)
    read = next((read for kind, read in VERBS[verb] if kind in open_), None)
    if read is None:
        raise IllegalOrder(
            decision.rule, f"that is not asked now: {decision.prompt}; type for example: {_hint(decision)}"
        )
    order: Order | Course | None = None
    with line.wrongs.part():
        order = read(line)
        line.end()
    line.wrongs.refuse()
    return order


# --- sheets ---


def read_lines(text: str, decision: Decision, board: Board) -> dict[str, str]:
    """Return the hex of each unit that is written, "3pz 2829; 4pz: 2829"; a line without a hex says nothing."""
    found: dict[str, str] = {}
    wrong = Wrongs()
    for each in text.replace(";", "\n").splitlines():
        line = Line(each, decision, board)
        line.place = 0
        with wrong.part():
            if not line.word:
                continue
            unit_id = line.unit()
            if unit_id in found:
                raise IllegalOrder(decision.rule, f"{shown(each)}: {unit_id} is written twice")
            if line.word:
                found[unit_id] = line.hex()
            line.end()
    wrong.refuse()
    return found


SHEETS: dict[type[Order], Callable[[dict[str, str]], Order]] = {
    orders.SetUp: orders.SetUp,
    orders.PlaceReinforcements: orders.PlaceReinforcements,
}

# --- the words, and what follows them ---

Reader = Callable[[Line], Order | Course]


def _go(line: Line) -> Order | Course:
    """Read the hexes of a march, or "to" and where it is to lead; it ends with "stop" if that is written behind it."""
    space = field_of(line.decision.options, orders.Step, "hex")
    if not isinstance(space, NextHex):
        raise IllegalOrder(line.decision.rule, "the force cannot go on")
    stops = line.cut_off("stop")
    march = _march(line, space.state, space.march)
    return whole(None, march, stops=True) if stops else march


def _march(line: Line, state: DamosState, march: March) -> Order | Course:
    if line.word != "to":
        return along([line.hex(), *line.hexes()])
    line.place += 1
    words, target = line.words[line.place :], hex_meant(line.words[line.place :], line.board)
    if not target:
        raise line.wrong("the number or the name of a hex is wanted, such as 2727 or Minsk")
    line.place += len(words)
    return towards(state, march, target, line.board)


def _activate(line: Line) -> Order | Course:
    """Read a force, and what it does at once: "activate 2829 go 2828 2827 stop"."""
    words = [each.lower() for each in line.words]
    if "go" not in words:
        return orders.Activate(line.force(orders.Activate))
    stops, cut = line.cut_off("stop"), words.index("go")
    behind, line.words = line.words[cut + 1 :], line.words[:cut]
    first = orders.Activate(line.force(orders.Activate))
    line.end()
    line.words += behind
    forces = field_of(line.decision.options, orders.Activate, "units")
    if not isinstance(forces, FreshForces) or forces.why_not(first.units) is not None:
        line.place = len(line.words)
        return first
    march = March(forces.state, first.units, printed_rate(forces.state))
    return whole(first, _march(line, forces.state, march), stops=stops)


def _rail(line: Line) -> Order:
    if line.word in NOTHING:
        line.place += 1
        return orders.ExtendRail([])
    return orders.ExtendRail([line.hex(), *line.hexes()])


def _along(kind: type[orders.MoveStrategically | orders.React | orders.AvoidCombat]) -> Reader:
    """Read a force and its path; where the path alone is written, all go that can from where it begins."""

    def read(line: Line) -> Order:
        if not line.is_hex():
            return kind(line.force(kind), [line.hex(), *line.hexes()])
        place, units = line.place, list[str]()
        with line.part(1):
            units = line.force(kind)
        line.place = place
        return kind(units, line.hexes())

    return read


def _with_units(
    kind: type[orders.PickUp | orders.DropOff | orders.LeaveOut | orders.Exploit],
) -> Reader:
    return lambda line: kind(line.force(kind))


def _plan(plan: str) -> Reader:
    return lambda line: orders.PlanAttack(plan, line.force(orders.PlanAttack))


def _replace(line: Line) -> Order:
    shares: dict[str, int] = {}
    if not line.word:
        line.unit()
    while line.word:
        with line.part(2):
            unit_id = line.unit()
            if unit_id in shares:
                raise line.wrong(f"{unit_id} is written twice")
            shares[unit_id] = line.number()
    return orders.Replace(shares)


def _word(kind: type[orders.ChoosePlan | orders.ChoosePosture | orders.KeepBenefit]) -> Reader:
    def read(line: Line) -> Order:
        if not line.word:
            raise line.wrong("a word is wanted")
        line.place += 1
        return kind(line.words[line.place - 1].lower())

    return read


def _lose(line: Line) -> Order:
    """Read "2 g-3pz 1 g-7 rp 1", or "g-3pz=2 rp=1"."""
    losses: dict[str, int] = {}
    paid: list[int] = []
    if line.word in NOTHING:
        line.place += 1
        return orders.TakeLosses({}, 0)
    while line.word:
        with line.part(2):
            if line.word == "rp":
                if paid:
                    raise line.wrong("rp is written twice")
                line.place += 1
                paid.append(line.number())
            elif line.find_unit() and not line.word.isdigit():
                unit_id = line.unit()
                losses[unit_id] = losses.get(unit_id, 0) + line.number()
            else:
                number = line.number()
                unit_id = line.unit()
                losses[unit_id] = losses.get(unit_id, 0) + number
    return orders.TakeLosses({each: number for each, number in losses.items() if number}, sum(paid))


def _end_phase(line: Line) -> Order:
    """Read "end", or "end phase" as the menu has it."""
    if line.word == "phase":
        line.place += 1
    return orders.EndPhase()


def _rout(line: Line) -> Order:
    """Read "s-6mc 2702 2801 2901"; without a unit the strongest, of several the first."""
    strongest = field_of(line.decision.options, orders.Rout, "unit")
    unit_id = line.unit() if line.find_unit() else next(strongest.values())
    return orders.Rout(line.hexes(), unit_id)


AIR = {
    "shift": orders.UseAir(shift=True),
    "reroll": orders.UseAir(reroll=True),
    "both": orders.UseAir(shift=True, reroll=True),
}
YES_OR_NO = {"yes": orders.Pause(keep_still=True), "no": orders.Pause(keep_still=False)}
STOP: tuple[tuple[type[Order], Reader], ...] = ((orders.EndActivation, lambda _: orders.EndActivation()),)
DECLINE: tuple[tuple[type[Order], Reader], ...] = ((orders.Decline, lambda _: orders.Decline()),)
END: tuple[tuple[type[Order], Reader], ...] = (*STOP, (orders.EndPhase, _end_phase), *DECLINE)
"""What ends a question. To stop a force never ends a phase, whatever is asked when the word is typed."""

VERBS: dict[str, tuple[tuple[type[Order], Reader], ...]] = {
    "cossacks": ((orders.ChooseHex, lambda line: orders.ChooseHex(line.hex())),),
    "replace": ((orders.Replace, _replace),),
    "rail": ((orders.ExtendRail, _rail),),
    "march": ((orders.MoveStrategically, _along(orders.MoveStrategically)),),
    "activate": ((orders.Activate, _activate),),
    "attack": ((orders.DeclareAttack, lambda line: orders.DeclareAttack(line.hex())),),
    "grand": ((orders.PlanAttack, _plan(GRAND)),),
    "penetration": ((orders.PlanAttack, _plan(PENETRATION)),),
    "go": ((orders.Step, _go),),
    "take": ((orders.PickUp, _with_units(orders.PickUp)),),
    "drop": ((orders.DropOff, _with_units(orders.DropOff)),),
    "rally": ((orders.Rally, lambda _: orders.Rally()),),
    "stop": STOP,
    "end": END,
    **dict.fromkeys(("decline", "no"), DECLINE),
    "plan": ((orders.ChoosePlan, _word(orders.ChoosePlan)),),
    "posture": ((orders.ChoosePosture, _word(orders.ChoosePosture)),),
    "react": ((orders.React, _along(orders.React)),),
    "avoid": ((orders.AvoidCombat, _along(orders.AvoidCombat)),),
    "leave": ((orders.LeaveOut, _with_units(orders.LeaveOut)),),
    "air": ((orders.UseAir, lambda line: line.one_of(AIR)),),
    "reroll": ((orders.Reroll, lambda line: orders.Reroll(line.number())),),
    "keep": ((orders.KeepBenefit, _word(orders.KeepBenefit)),),
    "lose": ((orders.TakeLosses, _lose),),
    "retreat": ((orders.Retreat, lambda line: orders.Retreat(line.hexes())),),
    "rout": ((orders.Rout, _rout),),
    "exploit": ((orders.Exploit, _with_units(orders.Exploit)),),
    "pause": ((orders.Pause, lambda line: line.one_of(YES_OR_NO)),),
    MEETING: ((orders.ChoosePlan, lambda _: orders.ChoosePlan(MEETING)),),
    STANDARD: ((orders.ChoosePlan, lambda _: orders.ChoosePlan(STANDARD)),),
}
"""The words of the notation, each with the orders that it can mean and how what follows is read."""
