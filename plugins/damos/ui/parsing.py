"""What a person may type for an order: "activate 2829", "go 2727", "attack 2727", "lose 2 3pz 1 7", "end".

Units are named by id or by the hex where they stand (``notation.py``). Set-up and reinforcements are written line by
line, "3pz 2829; 4pz 2829".
"""

from collections.abc import Callable

from damos.model import orders
from damos.model.board import Board
from damos.model.tables import GRAND, MEETING, PENETRATION, STANDARD
from damos.ui.notation import NOTHING, Line, answered, asked, field_of
from sandtable.errors import IllegalOrder, Wrongs
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options.choices import shown

HINTS: dict[type[Order], str] = {
    orders.SetUp: "g-3pz 2829; g-4pz 2829",
    orders.ChooseHex: "cossacks 2702",
    orders.Replace: "replace g-3pz 2 g-7 1",
    orders.PlaceReinforcements: "g-52 2830; g-197 2930",
    orders.ExtendRail: "rail 2928 2927, or: rail none",
    orders.MoveStrategically: "march 2829 2828 2827 (all in 2829), or: march g-7 g-23 2829 2828",
    orders.Activate: "activate 2829 (all fresh units there), or: activate g-3pz g-4pz",
    orders.DeclareAttack: "attack 2727",
    orders.PlanAttack: "grand 2829, or: penetration g-3pz g-4pz",
    orders.Step: "go 2727",
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


def read_order(decision: Decision, text: str, board: Board) -> Order | str | None:
    """Return the order that ``text`` means for ``decision``, None if it does not begin with a word of this notation.

    For "?" return what can be typed. Raises IllegalOrder, with the place in the text, when the rest makes no sense or
    the word is not asked for now.
    """
    kinds = asked(decision.options)
    hint = "; ".join(HINTS[kind] for kind in dict.fromkeys(kinds) if kind in HINTS)
    if text.strip() == "?":
        return hint
    line = Line(text, decision, board)
    verb = line.words[0].lower() if line.words else ""
    if verb not in VERBS:
        sheet = next((kind for kind in SHEETS if kind in kinds), None)
        line.place = 0
        return SHEETS[sheet](read_lines(text, decision, board)) if sheet is not None and line.find_unit() else None
    open_ = answered(decision.options)
    read = next((read for kind, read in VERBS[verb] if kind in open_), None)
    if read is None:
        raise IllegalOrder(decision.rule, f"that is not asked now: {decision.prompt}; type for example: {hint}")
    order = None
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

Reader = Callable[[Line], Order]


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
    kind: type[orders.Activate | orders.PickUp | orders.DropOff | orders.LeaveOut | orders.Exploit],
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
ENDS: tuple[tuple[type[Order], Reader], ...] = (
    (orders.EndActivation, lambda _: orders.EndActivation()),
    (orders.EndPhase, lambda _: orders.EndPhase()),
    (orders.Decline, lambda _: orders.Decline()),
)

VERBS: dict[str, tuple[tuple[type[Order], Reader], ...]] = {
    "cossacks": ((orders.ChooseHex, lambda line: orders.ChooseHex(line.hex())),),
    "replace": ((orders.Replace, _replace),),
    "rail": ((orders.ExtendRail, _rail),),
    "march": ((orders.MoveStrategically, _along(orders.MoveStrategically)),),
    "activate": ((orders.Activate, _with_units(orders.Activate)),),
    "attack": ((orders.DeclareAttack, lambda line: orders.DeclareAttack(line.hex())),),
    "grand": ((orders.PlanAttack, _plan(GRAND)),),
    "penetration": ((orders.PlanAttack, _plan(PENETRATION)),),
    "go": ((orders.Step, lambda line: orders.Step(line.hex())),),
    "take": ((orders.PickUp, _with_units(orders.PickUp)),),
    "drop": ((orders.DropOff, _with_units(orders.DropOff)),),
    "rally": ((orders.Rally, lambda _: orders.Rally()),),
    **dict.fromkeys(("end", "stop", "decline", "no"), ENDS),
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
