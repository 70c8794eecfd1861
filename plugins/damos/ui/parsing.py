"""Typed orders: "activate 2829", "go 2727", "attack 2727", "lose 2 3pz 1 7", "end".

Units are named by id or by their hex (``notation.py``). Set-up and reinforcements are typed line by line.
"""

from collections.abc import Callable, Sequence
from typing import Any

from damos.combat.losses import LossShare
from damos.map.retreat import Retreats
from damos.map.stacking import LeftOut
from damos.model import orders
from damos.model.board import Board
from damos.model.state import DamosState
from damos.model.tables import GRAND, MEETING, PENETRATION, STANDARD
from damos.movement.march import March, Menu, printed_rate
from damos.movement.planning import FreshForces, Plans, ready_stacks
from damos.movement.steps import NextHex
from damos.movement.strategic import Movers
from damos.ui import hints
from damos.ui.courses import along, hex_meant, towards, whole
from damos.ui.notation import DamosLine, by_hex, with_start
from sandtable import Course, Decision, Order, Refusal, RefusalCollector, Space, shown
from sandtable.notation import Notation, Verb, parts_of
from sandtable.pictures import listed

AT_ONCE = "now"
"""The word that confirms an order which excludes others, leaves tasks undone or over-stacks a hex."""
MAX_LINES = 500

Reader = Callable[[DamosLine], Order | Course | None]


def read_order(decision: Decision, text: str, board: Board) -> Order | Course | Refusal | str | None:
    """Return the order that ``text`` stands for, or None if it does not begin with a word of this notation.

    Returns the possible inputs for "?", and a request for confirmation for an order that would exclude others or leave
    tasks undone. Raises IllegalOrder, with the position in the text, if the rest cannot be parsed or the word is not
    possible now.
    """
    bare = text.strip()
    at_once = bare.lower().endswith(f" {AT_ONCE}")
    order: Order | Course | str | None = NOTATION.read_order(
        decision, bare[: -len(AT_ONCE)] if at_once else text, board
    )
    typed = order.orders if isinstance(order, Course) else (order,) if isinstance(order, Order) else ()
    found = None if at_once else _doubt(typed, decision)
    return order if found is None else Refusal(found.rule, f"{found.reason}. To confirm, type: {bare} {AT_ONCE}")


def doubt(order: Order, decision: Decision) -> Refusal | None:
    """Return what an order that cannot be undone would exclude, leave undone or over-stack, or None."""
    return _doubt((order,), decision)


def _doubt(typed: Sequence[Order], decision: Decision) -> Refusal | None:
    """Return the doubts about consecutive orders, with the rule of the first, or None."""
    warnings = (_warning(typed[0], decision), _crowding(typed, decision)) if typed else ()
    found = [each for each in warnings if each is not None]
    return Refusal(found[0].rule, ", and ".join(each.reason for each in found)) if found else None


def _warning(order: Order, decision: Decision) -> Refusal | None:
    """Return what an order that cannot be undone would leave undone or exclude, or None."""
    form: Any = NOTATION.kinds(decision.options).get(orders.Activate)
    if form is None or decision.options.why_not(order) is not None:
        return None
    forces = form.fields["units"]
    if isinstance(order, orders.EndPhase):
        left = hints.undone(forces.state, decision.side)
        return Refusal("DM-7.0i", f"operations would end with {listed(left)}") if left else None
    shut = ""
    if isinstance(order, orders.Activate):
        shut = hints.closes(forces, order.units)
    elif isinstance(order, orders.DeclareAttack):
        ready = ready_stacks(forces.state, decision.side).values()
        shut = hints.closes(forces, [each for units in ready for each in units])
    return Refusal("DM-7.0d", f"this would shut out {shut} for the rest of the turn") if shut else None


def _crowding(typed: Sequence[Order], decision: Decision) -> Refusal | None:
    """Return how many units would exceed the limit in the hex where a force stops, or None (DM-2.3e)."""
    kinds = NOTATION.kinds(decision.options)
    first, steps = typed[0], [each.hex for each in typed if isinstance(each, orders.Step)]
    form: Any = kinds.get(orders.Activate if isinstance(first, orders.Activate) else orders.Step)
    if form is None or not isinstance(typed[-1], orders.EndActivation):
        return None
    if isinstance(first, orders.Activate):
        state, units, hex_ = form.fields["units"].state, first.units, ""
    else:
        march = form.fields["hex"].march
        state, units, hex_ = form.fields["hex"].state, march.units, march.hex
    crowding = hints.crowding(state, units, steps[-1] if steps else hex_)
    return Refusal("DM-2.3e", crowding) if crowding else None


# --- sheets ---


def _sheet(kind: Callable[[dict[str, str]], Order]) -> Reader:
    """Return a reader of the hex of each unit, "3pz 2829; 4pz: 2829"; a line without a hex is ignored."""

    def read(line: DamosLine) -> Order | None:
        if not line.find_unit():
            return None
        found: dict[str, str] = {}
        wrong = RefusalCollector()
        for part in parts_of(line.text, line.asked.rule, MAX_LINES, "lines"):
            row = DamosLine(part.text, line.asked)
            with wrong.part():
                unit_id = row.unit()
                if unit_id in found:
                    raise line.asked.refuse(f"{shown(part.text)}: {unit_id} is written twice")
                if row.word:
                    found[unit_id] = row.hex()
                row.end()
        wrong.refuse()
        return kind(found)

    return read


# --- marches ---


def _go(line: DamosLine) -> Order | Course:
    """Read the hexes of a march, or "to" and its destination.

    "stop" after it ends the activation. A plan after it, with or without "noair" or "stay", answers the decisions of
    its attack.
    """
    space = line.asked.field("hex")
    if not isinstance(space, NextHex):
        raise line.asked.refuse("the force cannot move now")
    last = _last(line)
    march = _march(line, space.state, space.march)
    return whole(None, march, last) if last else march


def _last(line: DamosLine) -> tuple[Order, ...]:
    """Take the words after a march: "stop", or the plan of its attack, and "noair" or "stay".

    Without the air unit the dice are rolled at once (AGC-4.4a); a force that stays does not exploit either (DM-8.12a).
    """
    if line.cut_off("stop"):
        return (orders.EndActivation(),)
    stays = line.cut_off("stay")
    alone = line.cut_off("noair") or stays
    plan = next((each for each in (STANDARD, MEETING) if line.cut_off(each)), "")
    if alone and not plan:
        raise line.asked.refuse(f"name the plan first: {STANDARD} noair, or {MEETING} stay")
    return (orders.ChoosePlan(plan), *[orders.Decline()] * (alone + stays)) if plan else ()


def _march(line: DamosLine, state: DamosState, march: March) -> Order | Course:
    if not line.takes("to"):
        return along(line.path())
    words = line.words[line.place :]
    target = hex_meant(words, line.board)
    if not target:
        raise line.wrong("type the number or the name of a hex, such as 2727 or Minsk")
    line.place += len(words)
    return towards(state, march, target, line.board)


def _activate(line: DamosLine) -> Order | Course:
    """Read a force and its orders in one line: "activate 2829 go 2828 2827 stop"."""
    words = [each.lower() for each in line.words]
    if "go" not in words:
        return orders.Activate(line.force())
    last, cut = _last(line), words.index("go")
    behind, line.words = line.words[cut + 1 :], line.words[:cut]
    first = orders.Activate(line.force())
    line.end()
    line.words += behind
    forces = line.asked.field("units")
    if not isinstance(forces, FreshForces) or forces.why_not(first.units) is not None:
        line.place = len(line.words)
        return first
    march = March(forces.state, first.units, printed_rate(forces.state))
    if line.is_hex() and line.word not in line.board.around[march.hex]:
        raise line.wrong(f"{line.word} is not adjacent to {march.hex}: type go to {line.word} for the cheapest path")
    return whole(first, _march(line, forces.state, march), last)


def _along(kind: type[orders.MoveStrategically | orders.React | orders.AvoidCombat]) -> Reader:
    """Return a reader of a force and its path; if only the path is typed, all units that can go from its start go.

    The first hex of the path may be left out. The force may be left out if only one can go.
    """

    def read(line: DamosLine) -> Order:
        if not line.is_hex():
            units = line.force()
            return kind(units, line.path_of(units))
        groups, space = by_hex(line.asked.field("units")), line.asked.field("units")
        if len(groups) == 1 and line.word not in groups and line.word in line.board.around.get(next(iter(groups)), ()):
            start = next(iter(groups))
            return kind(list(groups[start]), [start, *line.hexes()])
        if isinstance(space, Movers) and "to" in (each.lower() for each in line.words):
            units = line.force()
            return kind(units, line.path_of(units))
        place, units = line.place, list[str]()
        with line.part(1):
            units = line.force()
        line.place = place
        return kind(units, line.hexes())

    return read


# --- losses and the like ---


def _replace(line: DamosLine) -> Order:
    shares: dict[str, int] = {}
    if not line.word:
        line.unit()
    while line.word:
        with line.part(2):
            unit_id, number = line.share()
            if unit_id in shares:
                raise line.wrong(f"{unit_id} is written twice")
            shares[unit_id] = number
    return orders.Replace(shares)


def _lose(line: DamosLine) -> Order:
    """Read "2 g-3pz 1 g-7 rp 1", or "g-3pz=2 rp=1"."""
    losses: dict[str, int] = {}
    paid: list[int] = []
    if line.says_nothing():
        return orders.TakeLosses({}, 0)
    while line.word:
        with line.part(2):
            if line.takes("rp"):
                if paid:
                    raise line.wrong("rp is written twice")
                paid.append(line.number())
            else:
                unit_id, number = line.share()
                losses[unit_id] = losses.get(unit_id, 0) + number
    return orders.TakeLosses({each: number for each, number in losses.items() if number}, sum(paid))


def _retreat(line: DamosLine) -> Order:
    """Read the hexes of a retreat, with or without the first."""
    return orders.Retreat(with_start(line.hexes(), getattr(line.asked.space, "start", ""), line.board))


def _rout(line: DamosLine) -> Order:
    """Read "s-6mc 2702 2801 2901"; by default, the unit is the strongest, or the first of several."""
    unit_id = line.unit() if line.find_unit() else next(line.asked.field("unit").values())
    return orders.Rout(line.hexes(), unit_id)


def _plan(plan: str) -> Reader:
    return lambda line: orders.PlanAttack(plan, line.force())


class DamosNotation(Notation):
    """The notation. It also reads orders that are closed now, so that the refusal cites the rule that closes them."""

    def answered(self, space: Space) -> dict[type[Order], Space]:
        """Return the types of order that a space offers, and those that are closed."""
        return (dict.fromkeys(space.closed, space) if isinstance(space, Menu) else {}) | self.kinds(space)


force = DamosLine.force
NOTATION = DamosNotation(
    Verb("", orders.SetUp, reads=_sheet(orders.SetUp), examples=hints.sheet),
    Verb("", orders.PlaceReinforcements, reads=_sheet(orders.PlaceReinforcements), examples=hints.sheet),
    Verb("cossacks", orders.ChooseHex, DamosLine.hex),
    Verb("replace", orders.Replace, reads=_replace, examples=hints.replacements),
    Verb("rail", orders.ExtendRail, lambda line: [] if line.says_nothing() else line.path()),
    Verb("march", orders.MoveStrategically, reads=_along(orders.MoveStrategically), examples=hints.march),
    Verb("activate", orders.Activate, reads=_activate, examples=hints.activation),
    Verb("attack", orders.DeclareAttack, DamosLine.hex),
    Verb("grand", orders.PlanAttack, reads=_plan(GRAND), examples=hints.plan),
    Verb("penetration", orders.PlanAttack, reads=_plan(PENETRATION), examples=lambda _: ()),
    Verb("go", orders.Step, reads=_go, examples=hints.steps),
    Verb("take", orders.PickUp, force),
    Verb("drop", orders.DropOff, force),
    Verb("rally", orders.Rally()),
    Verb("stop, end", orders.EndActivation()),  # stopping a force never ends a phase
    Verb("end", orders.EndPhase()),
    Verb("decline, no, end", orders.Decline()),
    Verb("plan", orders.ChoosePlan, DamosLine.text_word),
    Verb(MEETING, orders.ChoosePlan(MEETING), examples=lambda _: ()),
    Verb(STANDARD, orders.ChoosePlan(STANDARD), examples=lambda _: ()),
    Verb("posture", orders.ChoosePosture, DamosLine.text_word),
    Verb("react", orders.React, reads=_along(orders.React)),
    Verb("avoid", orders.AvoidCombat, reads=_along(orders.AvoidCombat)),
    Verb("leave", orders.LeaveOut, force),
    Verb("air shift", orders.UseAir(shift=True)),
    Verb("air reroll", orders.UseAir(reroll=True)),
    Verb("air both", orders.UseAir(shift=True, reroll=True)),
    Verb("reroll", orders.Reroll, DamosLine.number),
    Verb("keep", orders.KeepBenefit, DamosLine.text_word),
    Verb("lose", orders.TakeLosses, reads=_lose, examples=hints.losses),
    Verb("retreat", orders.Retreat, reads=_retreat),
    Verb("rout", orders.Rout, reads=_rout, examples=hints.rout),
    Verb("exploit", orders.Exploit, force),
    Verb("pause yes", orders.Pause(keep_still=True)),
    Verb("pause no", orders.Pause(keep_still=False)),
    asks={
        Plans: (orders.PlanAttack,),
        LossShare: (orders.TakeLosses,),
        LeftOut: (orders.LeaveOut,),
        Retreats: (orders.Retreat,),
    },
    line=DamosLine,
)
