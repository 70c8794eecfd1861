"""Orders as a person types them: what is typed means the order, whatever is asked (``damos.ui.parsing``)."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from refused import assert_all_named, reasons
from tests.plugins.damos.cases import Case
from tests.plugins.damos.conftest import Lay, Prepare

from damos.model import orders
from damos.model.orders import AvoidCombat, ChoosePlan, ChoosePosture, LeaveOut, PlanAttack, React, Retreat
from damos.ui.notation import by_hex
from damos.ui.parsing import NOTATION, read_order
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed

AIR = {(True, False): "shift", (False, True): "reroll", (True, True): "both"}


def row(words: list[str]) -> str:
    return " ".join(words)


WRITERS: dict[type[Order], Callable[[Any], str]] = {
    orders.SetUp: lambda order: "; ".join(f"{unit} {hex_}" for unit, hex_ in order.hexes.items()),
    orders.PlaceReinforcements: lambda order: "\n".join(f"{unit}: {hex_}" for unit, hex_ in order.hexes.items()),
    orders.ChooseHex: lambda order: f"cossacks {order.hex}",
    orders.Replace: lambda order: f"replace {row([f'{unit} {n}' for unit, n in order.points.items()])}",
    orders.ExtendRail: lambda order: f"rail {row(order.hexes) or 'none'}",
    orders.MoveStrategically: lambda order: f"march {row(order.units)} {row(order.path)}",
    orders.Activate: lambda order: f"activate {row(order.units)}",
    orders.DeclareAttack: lambda order: f"attack {order.target}",
    orders.PlanAttack: lambda order: f"{order.plan} {row(order.units)}",
    orders.Step: lambda order: f"go {order.hex}",
    orders.PickUp: lambda order: f"take {row(order.units)}",
    orders.DropOff: lambda order: f"drop {row(order.units)}",
    orders.Rally: lambda _: "rally",
    orders.EndActivation: lambda _: "stop",
    orders.EndPhase: lambda _: "end",
    orders.ChoosePlan: lambda order: f"plan {order.plan}",
    orders.ChoosePosture: lambda order: f"posture {order.posture}",
    orders.React: lambda order: f"react {row(order.units)} {row(order.path)}",
    orders.AvoidCombat: lambda order: f"avoid {row(order.units)} {' > '.join(order.path)}",
    orders.Decline: lambda _: "decline",
    orders.LeaveOut: lambda order: f"leave {row(order.units)}",
    orders.UseAir: lambda order: f"air {AIR[order.shift, order.reroll]}",
    orders.Reroll: lambda order: f"reroll {order.number}",
    orders.KeepBenefit: lambda order: f"keep {order.benefit}",
    orders.TakeLosses: lambda order: (
        f"lose {row([f'{n} {unit}' for unit, n in order.losses.items()])} rp {order.replacements}"
    ),
    orders.Retreat: lambda order: f"retreat {row(order.path)}",
    orders.Rout: lambda order: f"rout {order.unit} {row(order.path)}",
    orders.Exploit: lambda order: f"exploit {row(order.units)}",
    orders.Pause: lambda order: f"pause {'yes' if order.keep_still else 'no'}",
}


def test_every_order_can_be_typed() -> None:
    assert set(WRITERS) == {verb.kind for verb in NOTATION.verbs} == set(orders.ORDERS)


class Typist:
    """Plays at random, but types what he orders; ``seen`` counts the kinds."""

    def __init__(self, seed: str, board: Any, seen: Counter[str]) -> None:
        self.stream, self.board, self.seen = Stream(seed.encode()), board, seen

    def choose(self, decision: Decision, view: object) -> Order:
        done = decision.done
        if done is not None and self.stream.one_in(12):
            return done
        order: Order = decision.options.sample(self.stream)
        text = WRITERS[type(order)](order)
        if isinstance(order, orders.EndPhase | orders.EndActivation | orders.Activate | orders.DeclareAttack):
            text = f"{text} now"
        read = read_order(decision, text, self.board) if text else order
        assert read == order, (decision.prompt, text)
        self.seen[type(order).__name__] += 1
        if self.seen[type(order).__name__] <= 4:
            self.look_at_examples(decision)
        return order

    def look_at_examples(self, decision: Decision) -> None:
        """They are orders that are allowed now, of all types that are asked for."""
        kinds = {type(each) for each in _offered(decision)}
        for example in NOTATION.examples(decision, self.board):
            if example[0] != "(":
                order = NOTATION.read_order(decision, example.partition(" (")[0], self.board)
                assert not isinstance(order, Order) or not decision.options.wrong_alone(order), example
                kinds.discard(type(order))
        assert not kinds, (decision.prompt, kinds)


@pytest.mark.full
def test_what_is_typed_is_what_was_meant(prepare: Prepare) -> None:
    seen: Counter[str] = Counter()
    for number in range(6):
        prepared = prepare("agc", optional_rules=("off", "on_with_pause")[number % 2])
        game = prepared.new_game(KeyedDice(key_from_seed(f"typed{number}")))
        board = prepared.board
        game.play({side: Typist(f"{side}{number}", board, seen) for side in ("german", "soviet")})
    assert len(seen) > 22, seen


# --- short forms ---


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("replace I1 2", {"I1": 2}),
        ("replace I1 2 I2 1", {"I1": 2, "I2": 1}),
        ("replace I2=1, I1=1", {"I2": 1, "I1": 1}),
    ],
)
def test_replacement_points_are_shared_out_in_one_line(lay: Lay, text: str, shares: dict[str, int]) -> None:
    case = lay(german="2820 I1:3/6 I2:4/6", phase="reinforcement", replacements={"german": 3})
    assert read_order(case.asked, text, case.prepared.board) == orders.Replace(shares)
    case.end()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("replace", "at the end: the id of a unit is wanted"),
        ("replace I1", "at the end: a number is wanted"),
        ("replace I1 1 I1 2", "I1 is written twice"),
        ("replace I1 1 nobody 2", "word 4, nobody: the id of a unit is wanted"),
    ],
)
def test_shares_that_cannot_be_read(lay: Lay, text: str, problem: str) -> None:
    case = lay(german="2820 I1:3/6 I2:4/6", phase="reinforcement", replacements={"german": 3})
    with pytest.raises(IllegalOrder, match=problem):
        read_order(case.asked, text, case.prepared.board)
    case.end()


@pytest.mark.rule("R-DM-15")
@pytest.mark.parametrize(("text", "unit"), [("rout 2815 2814 2813", "i1"), ("rout i2 2815 2814 2813", "i2")])
def test_the_strongest_routs_where_none_is_named(lay: Lay, text: str, unit: str) -> None:
    dice = {"attack": "66", "defence": "111"}
    case = lay(german="2816 I1:6 I2:6", soviet="2815 i1:6 i2:6", dice=dice, major="2815")
    case.march("I1 I2", "2815", orders.ChoosePlan("standard")).to_losses("soviet")
    case.submit(orders.TakeLosses({"i1": 2, "i2": 2})).to(orders.Rout)
    assert read_order(case.asked, text, case.prepared.board) == orders.Rout(["2815", "2814", "2813"], unit)
    case.rest()


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("activate 2820", orders.Activate(["A1", "I1"])),
        ("activate I1", orders.Activate(["I1"])),
        ("ACTIVATE I1, A1", orders.Activate(["I1", "A1"])),
        ("end now", orders.EndPhase()),
        ("attack 2815", orders.DeclareAttack("2815")),
    ],
)
def test_forces_by_hex(lay: Lay, text: str, order: Order) -> None:
    case = lay(german="2820 A1:6 I1:6; 2824 I9:6~")
    assert read_order(case.asked, text, case.prepared.board) == order
    case.end()


def test_the_letter_of_the_side_may_be_left_out_and_a_hex_stands_for_its_units(prepare: Prepare) -> None:
    prepared = prepare()
    game = prepared.new_game(KeyedDice(key_from_seed("short")))
    players = {side: Typist(side, prepared.board, Counter()) for side in ("german", "soviet")}
    game.start()
    while orders.Activate not in [type(each) for each in _offered(game.waiting()[0])]:
        decision = game.waiting()[0]
        game.submit(decision.done or players[decision.seat].choose(decision, None), decision.seat)
    decision = game.waiting()[0]
    stacks = by_hex(NOTATION.kinds(decision.options)[orders.Activate].fields["units"])  # type: ignore[attr-defined]
    hex_, units = next(iter(stacks.items()))
    assert read_order(decision, f"activate {hex_} now", prepared.board) == orders.Activate(list(units))
    short = " ".join(each.removeprefix("g-") for each in units)
    assert read_order(decision, f"activate {short} now", prepared.board) == orders.Activate(list(units))


def _offered(decision: Decision) -> list[Order]:
    stream = Stream(b"offered")
    return [decision.options.sample(stream) for _ in range(12)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("activate", "at the end: the id of a unit is wanted"),
        ("activate 2825", "no units of yours can be chosen in 2825"),
        ("activate nobody", "word 2, nobody: the id of a unit is wanted"),
        ("attack nowhere", "the number of a hex is wanted"),
        ("attack 2815 2816", "word 3, 2816: nothing more is wanted here"),
        ("go 2815", "that is not asked now"),
        ("rally", "that is not asked now"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_place(lay: Lay, text: str, problem: str) -> None:
    case = lay(german="2820 A1:6 I1:6")
    with pytest.raises(IllegalOrder, match=problem):
        read_order(case.asked, text, case.prepared.board)
    case.end()


def test_other_words_are_none_of_this_notation(lay: Lay) -> None:
    case = lay(german="2820 A1:6 I1:6")
    for text in ("hello", "2820", "", "   "):
        assert read_order(case.asked, text, case.prepared.board) is None
    case.end()


@pytest.mark.parametrize("text", ["I1 2530; I1 2530", "I1 elsewhere", "I1 2530 2430", "2530 I1"])
def test_lines_that_cannot_be_read(lay: Lay, text: str) -> None:
    case = lay(german="pool I1:6 I2:6", phase="reinforcement")
    if text.startswith("2530"):
        assert read_order(case.asked, text, case.prepared.board) is None
    else:
        with pytest.raises(IllegalOrder):
            read_order(case.asked, text, case.prepared.board)
    case.end()


# --- a text of which several parts are wrong ---


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("activate nobody I1 somebody", ["word 2, nobody: the id of a unit", "word 4, somebody: the id of a unit"]),
        ("activate I1 9999 nobody", ["there is no hex 9999", "word 4, nobody: the id of a unit"]),
        ("march nobody I1 2820 9999 2818 there", ["word 2, nobody", "there is no hex 9999", "word 7, there: the num"]),
        ("march 2825 9999", ["no units of yours can be chosen in 2825", "there is no hex 9999"]),
    ],
)
def test_all_that_is_wrong_with_a_line_is_told(lay: Lay, text: str, wrong: list[str]) -> None:
    phase = "strategic" if text.startswith("march") else "operations"
    case = lay(german="2820 A1:6 I1:6", phase=phase)
    assert_all_named(reasons(lambda: read_order(case.asked, text, case.prepared.board)), wrong)
    case.end()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("replace nobody 2 I1 many I2 1", ["word 2, nobody: the id of a unit", "word 5, many: a number is wanted"]),
        ("replace I1 1 I1 2 nobody 1", ["I1 is written twice", "nobody: the id of a unit is wanted"]),
    ],
)
def test_all_that_is_wrong_with_shares_is_told(lay: Lay, text: str, wrong: list[str]) -> None:
    case = lay(german="2820 I1:3/6 I2:4/6", phase="reinforcement", replacements={"german": 3})
    assert_all_named(reasons(lambda: read_order(case.asked, text, case.prepared.board)), wrong)
    case.end()


def test_all_that_is_wrong_with_a_sheet_is_told(lay: Lay) -> None:
    case = lay(german="pool I1:6 I2:6", phase="reinforcement")
    text = "I1 elsewhere; nobody 2530; I2 2530; I2 2430; I1 9999"
    wrong = ["elsewhere: the number of a hex", "nobody: the id of a unit", "I2 is written twice", "no hex 9999"]
    assert_all_named(reasons(lambda: read_order(case.asked, text, case.prepared.board)), wrong)
    case.end()


DICE = dict.fromkeys(("attack", "defence", "counter", "reaction", "attrition"), "*")


def type_in(case: Case, *lines: str) -> Case:
    """Type lines that are all taken."""
    for line in lines:
        order = read_order(case.asked, f"{line} now", case.prepared.board)
        assert isinstance(order, Order), (line, order)
        case.submit(order)
    return case


def refused(case: Case, line: str) -> str:
    """Type a line that is refused; return the message, which is one line for a person. Nothing has changed."""
    before = msgspec.json.encode(case.state)
    with pytest.raises(IllegalOrder) as caught:
        case.game.submit(read_order(case.asked, line, case.prepared.board), case.asked.seat)  # type: ignore[arg-type]
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 240, message
    assert not [part for part in ("['", "None", "Struct", "{", "='", "=[") if part in message], message
    assert msgspec.json.encode(case.state) == before
    return message


# ---------------------------------------------------------------------- the spent and the demoralised

GERMANS = "2820 A1:6 I1:6; 2824 I9:6~; 2822 A2:6! I2:6!; 2826 A3:6 I3:6~"


@pytest.mark.rule("DM-2.1d", "DM-2.1f", "DM-2.6c", "DM-7.0a", "DM-8.1a", "DM-2.8d")
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("activate I9", "I9 is spent till the reset of its side: leave it out (DM-2.1f)"),
        ("activate 2824", "I9 is spent till the reset of its side: leave it out (DM-2.1f)"),
        ("activate A3 I3", "I3 is spent till the reset of its side: leave it out (DM-2.1f)"),
        ("activate A1 A2", "A2 is in 2822 and A1 in 2820: a force stands in one hex (DM-2.1d)"),
        ("activate A1 A1", "A1 is named twice (DM-7.0a)"),
        ("activate i1", "i1 is no unit of yours (DM-7.0a)"),
        ("activate 2815", "word 2, 2815: no units of yours can be chosen in 2815 (DM-7.0a)"),
        ("activate 9999", "word 2, 9999: there is no hex 9999 on this map (DM-7.0a)"),
        ("attack 2816", "there is no enemy force in 2816 (DM-8.1c)"),
        ("attack 2802", "2802 is in no zone of influence of a fresh force (DM-8.1c)"),
        ("go 2819", "that is not asked now: activate a force"),
    ],
)
def test_who_is_not_activated(lay: Lay, line: str, told: str) -> None:
    case = lay(german=GERMANS, soviet="2815 i1:6")
    assert refused(case, line).startswith(told)
    case.end()


@pytest.mark.rule("DM-6.0a", "DM-6.0b", "DM-6.0c", "DM-6.0d", "DM-2.1d")
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("march I9 2824 2825", "I9 is spent till the reset of its side: leave it out (DM-6.0a)"),
        ("march 2824 2825", "I9 is spent till the reset of its side: leave it out (DM-6.0a)"),
        ("march I1 A3 2820 2821", "A3 is in 2826 and I1 in 2820: a force stands in one hex (DM-2.1d)"),
        ("march I1 2820 2822", "2822 is not next to 2820: that touches "),
        ("march I1 2820 9999", "word 4, 9999: there is no hex 9999 on this map (DM-6.0a)"),
        ("march I1 2820 2819 2818 2817 2816", "2816 is next to an enemy (DM-6.0d)"),
        ("march A1 2820 2720", "the ground between 2820 and 2720 is closed to this force (DM-3.0a)"),
    ],
)
def test_who_does_not_move_strategically(lay: Lay, line: str, told: str) -> None:
    case = lay(german=GERMANS, soviet="2815 i1:6", phase="strategic", marsh="2720")
    assert refused(case, line).startswith(told)
    case.end()


@pytest.mark.rule("DM-2.8d", "DM-2.8g", "DM-2.6c")
def test_the_demoralised_do_not_go_to_the_enemy(lay: Lay) -> None:
    case = lay(german="2817 I2:6!; 2820 A1:6 I1:6!", soviet="2815 i1:6")
    told = refused(case, "activate A1 I1")
    assert told == (
        "I1: demoralised units cannot act with a force that has a zone of influence; leave them out (DM-2.6c)"
    )
    type_in(case, "activate I2")
    told = refused(case, "go 2816")
    assert told == "the force is demoralised: it cannot enter the enemy zone of control in 2816 (DM-2.8d)"
    case.rest()


# ---------------------------------------------------------------------- on the march


@pytest.mark.rule("DM-3.0a", "DM-7.0j", "DM-7.0n", "DM-7.0p", "DM-2.8g", "DM-2.1f")
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("go 2720", "the ground between 2820 and 2720 is closed to this force (DM-3.0a)"),
        ("go 2815", "2815 is not next to 2820 (DM-7.0j)"),
        ("go 9999", "word 2, 9999: there is no hex 9999 on this map (DM-7.0b)"),
        ("go", "at the end: the number of a hex is wanted, such as 2727 (DM-7.0b)"),
        ("rally", "the force is not demoralised (DM-2.8g)"),
        ("take I3", "I3 is spent till the reset of its side: leave it out (DM-2.1f)"),
        ("take I9", "I9 is in 2824: the force picks up where it is, in 2820 (DM-7.0n)"),
        ("take I2", "I2 is demoralised: it has to rally first (DM-7.0n)"),
        ("take A1", "A1 is of the force already (DM-7.0n)"),
        ("take i1", "i1 is no unit of yours (DM-7.0n)"),
        ("drop A1", "A1 is all of the force: end its activation instead (DM-7.0p)"),
        ("plan standard", "that is not asked now: move with A1 in 2820"),
    ],
)
def test_what_a_force_on_the_march_does_not_do(lay: Lay, line: str, told: str) -> None:
    case = lay(german="2820 A1:6 I3:6~ I2:6! I4:6; 2824 I9:6", soviet="2815 i1:6", marsh="2720")
    type_in(case, "activate A1")
    assert refused(case, line).startswith(told)
    case.rest()


@pytest.mark.rule("DM-7.0j", "DM-7.0o")
def test_what_costs_too_much(lay: Lay) -> None:
    case = lay(german="2820 A1:6", movement={"A1": 2}, soviet="2815 i1:6", forest="2822")
    type_in(case, "activate A1", "go 2821")
    assert refused(case, "go 2822") == "2822 takes 2 movement points: 1 are left (DM-7.0j)"
    case.rest()


# ---------------------------------------------------------------------- over-stacking


@pytest.mark.rule("DM-2.3a", "AGC-4.9a")
def test_reinforcements_find_no_room_in_a_full_hex(lay: Lay) -> None:
    case = lay(german="pool I1:6; 2830 I2:6 I3:6 I4:6 I5:6", phase="reinforcement")
    told = refused(case, "I1 2830")
    assert told == "I1: 2830 is full: I2, I3, I4 or I5 (DM-2.3a)"
    case.end()


@pytest.mark.rule("DM-2.6.1r", "DM-2.6.1b", "DM-2.6.1c", "DM-2.6.1f", "R-DM-10")
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("react a2 2815 2816", "a2 is spent: it cannot react (DM-2.6.1b)"),
        ("react a3 2717 2816", "a3 is demoralised: it cannot react (DM-2.6.1b)"),
        ("react a1 a4 2815 2816", "they stand in 2715 and 2815: units of one hex react together (DM-2.6.1f)"),
        ("react a9 2811 2816", "no zone of influence reaches from 2811 to 2816 (DM-2.6.1c)"),
        ("react i1 2815 2816", "none of them has a zone of influence (DM-2.6.1a)"),
        ("react a1 2815 2814", "the way in is 2815 2816 (R-DM-10)"),
    ],
)
def test_who_does_not_react(lay: Lay, line: str, told: str) -> None:
    soviet = "2815 a1:6 i1:6 a2:6~; 2717 a3:6!; 2715 a4:6; 2811 a9:3/9"
    case = lay(german="2817 A1:6", soviet=soviet, dice=DICE)
    type_in(case, "activate A1", "go 2816")
    assert case.asks(React)
    assert refused(case, line).startswith(told)
    case.rest()


@pytest.mark.rule("DM-2.3f", "DM-2.3e")
@pytest.mark.parametrize("line", ["leave I1 I2", "leave i1", "leave I9", "leave", "leave all"])
def test_who_is_left_out_of_a_full_hex(lay: Lay, line: str) -> None:
    case = lay(german="2820 I1:6 I2:6 I3:6 I4:6 I5:6; 2824 I9:6")
    case.until(lambda case: case.asks(LeaveOut))
    assert "(DM-2.3e)" in refused(case, line)
    type_in(case, "leave I5")
    assert case.standing("I5") == "eliminated"


# ---------------------------------------------------------------------- plans


@pytest.mark.rule("DM-8.1a", "DM-8.1b", "DM-8.1g", "DM-8.1h", "DM-2.8d", "DM-2.1f")
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("grand I1", "I1: no zone of influence; a concerted attack takes a unit that has one (DM-8.1a)"),
        ("grand I9", "I9 is spent till the reset of its side: leave it out (DM-2.1f)"),
        ("grand A2", "A2: demoralised units cannot attack; leave them out, or rally first (DM-2.8d)"),
        ("grand A1 A3", "A3 is in 2717 and A1 in 2817: a force stands in one hex (DM-2.1d)"),
        ("penetration A1", "2817 is not next to 2815: from there only a grand assault is possible (DM-8.1g)"),
        ("grand A8", "the force cannot get from 2827 to 2815 and have 2 points left (DM-8.1h)"),
        ("standard A1", "that is not asked now: plan the concerted attack on 2815"),
        ("plan meeting", "that is not asked now: plan the concerted attack on 2815"),
        ("end", "that is not asked now: plan the concerted attack on 2815"),
    ],
)
def test_plans_that_a_force_may_not_choose(lay: Lay, line: str, told: str) -> None:
    german = "2817 A1:14 I1:6; 2717 A3:6; 2818 I9:6~ A2:6!; 2827 A8:6"
    case = lay(german=german, soviet="2815 i1:6", dice=DICE)
    type_in(case, "attack 2815")
    assert case.asks(PlanAttack)
    assert refused(case, line).startswith(told)
    type_in(case, "grand A1")
    case.rest()


@pytest.mark.rule("DM-8.3d", "DM-8.1h")
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("stop", "the attack on 2815 was announced: the force goes on as long as it can (DM-8.3d)"),
        ("rally", "a grand assault does nothing else (DM-8.3d)"),
        ("drop I1", "a grand assault leaves nobody behind (DM-8.3d)"),
        ("go 2819", "by 2819 the force cannot attack 2815 any more (DM-8.1h)"),
    ],
)
def test_a_grand_assault_goes_on(lay: Lay, line: str, told: str) -> None:
    case = lay(german="2818 A1:14 I1:6; 2816 A3:6", soviet="2815 i1:6", movement={"A1": 5, "I1": 5}, dice=DICE)
    type_in(case, "attack 2815", "grand A1 I1")
    case.until(lambda case: case.asked.seat == "german" and not case.asks(PlanAttack))
    assert refused(case, line).startswith(told)
    case.rest()


@pytest.mark.rule("DM-8.0b", "DM-8.4a")
def test_plans_and_postures_that_are_not_open(lay: Lay) -> None:
    case = lay(german="2816 A1:6", soviet="2815 a1:6", dice=DICE)
    type_in(case, "activate A1", "go 2815")
    case.until(lambda case: case.asks(ChoosePlan) and case.asked.seat == "german")
    assert refused(case, "plan grand") == "on entering 2815 the force can choose: meeting or standard (DM-8.0b)"
    assert refused(case, "plan").startswith("at the end: a word is wanted")
    case.rest()
    case = lay(german="2816 A1:6", soviet="2815 a1:6", side="soviet", dice=DICE)
    type_in(case, "activate a1", "go 2816")
    case.until(lambda case: case.asks(ChoosePosture))
    case.submit(ChoosePlan("standard"))
    told = refused(case, "posture hedgehog")
    assert told == "the defender of 2816 can choose: steadfast or counterattack (DM-8.4a)"
    case.rest()


# ---------------------------------------------------------------------- ways out


@pytest.mark.rule("DM-8.11a", "DM-8.11d", "DM-2.6.1g")
@pytest.mark.parametrize(
    ("kind", "line", "part"),
    [
        (AvoidCombat, "avoid a1 2815 2814", "(DM-8.11"),
        (AvoidCombat, "avoid a1 2815 2816 2817", "(DM-8.11"),
        (AvoidCombat, "avoid a9 2814 2813 2812", "(DM-2.6.1"),
        (Retreat, "retreat 2815 2816", "(DM-8.11"),
        (Retreat, "retreat 2815", "(DM-8.11"),
        (Retreat, "retreat 2815 9999", "there is no hex 9999 on this map"),
    ],
)
def test_ways_that_lead_nowhere(lay: Lay, kind: Any, line: str, part: str) -> None:
    case = lay(
        german="2816 A1:9 A2:9; 2716 A3:6",
        soviet="2815 a1:12",
        dice=DICE | ({"attack": "666"} if kind is Retreat else {}),
    )
    type_in(case, "activate A1 A2", "go 2815")
    case.until(lambda case: case.asks(kind))
    assert part in refused(case, line)
    case.rest()
