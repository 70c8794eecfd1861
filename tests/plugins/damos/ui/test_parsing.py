"""Typed orders: each is read as the order that was meant (``damos.ui.parsing``)."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tests.plugins.damos.cases import Case
from tests.plugins.damos.conftest import Lay, Prepare
from transcripts import Transcript

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
    """A random player that types its orders; ``seen`` counts them by kind."""

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
            self.check_examples(decision)
        return order

    def check_examples(self, decision: Decision) -> None:
        """Assert that the examples are legal now and cover all kinds of orders of the decision."""
        kinds = {type(each) for each in _offered(decision)}
        for example in NOTATION.examples(decision, self.board):
            if example[0] != "(":
                order = NOTATION.read_order(decision, example.partition(" (")[0], self.board)
                assert not isinstance(order, Order) or not decision.options.wrong_alone(order), example
                kinds.discard(type(order))
        assert not kinds, (decision.prompt, kinds)


@pytest.mark.full
def test_each_typed_order_is_read_as_meant(prepare: Prepare) -> None:
    seen: Counter[str] = Counter()
    for number in range(6):
        prepared = prepare("agc", optional_rules=("off", "on_with_pause")[number % 2])
        game = prepared.new_game(KeyedDice(key_from_seed(f"typed{number}")))
        board = prepared.board
        game.play({side: Typist(f"{side}{number}", board, seen) for side in ("german", "soviet")})
    assert len(seen) > 22, seen


# --- short forms ---


@pytest.mark.parametrize(("text", "shares"), [
    ("replace I1 2", {"I1": 2}), ("replace I1 2 I2 1", {"I1": 2, "I2": 1}), ("replace I2=1, I1=1", {"I2": 1, "I1": 1}),
])  # fmt: skip
def test_replacement_points_are_shared_in_one_line(lay: Lay, text: str, shares: dict[str, int]) -> None:
    case = lay("2820 I1:3/6 I2:4/6", phase="reinforcement", replacements={"german": 3})
    assert read_order(case.pending, text, case.prepared.board) == orders.Replace(shares)


@pytest.mark.rule("R-DM-15")
@pytest.mark.parametrize(("text", "unit"), [("rout 2815 2814 2813", "i1"), ("rout i2 2815 2814 2813", "i2")])
def test_a_rout_without_a_unit_means_the_strongest(lay: Lay, text: str, unit: str) -> None:
    case = lay("2816 I1:6 I2:6; 2815 i1:6 i2:6", dice="attack 66; defense 111", major="2815")
    case.march("I1 I2", "2815", orders.ChoosePlan("standard")).to_losses("soviet")
    case.submit(orders.TakeLosses({"i1": 2, "i2": 2})).to(orders.Rout)
    assert read_order(case.pending, text, case.prepared.board) == orders.Rout(["2815", "2814", "2813"], unit)


@pytest.mark.parametrize(("text", "order"), [
    ("activate 2820", orders.Activate(["A1", "I1"])), ("activate I1", orders.Activate(["I1"])),
    ("ACTIVATE I1, A1", orders.Activate(["I1", "A1"])), ("end now", orders.EndPhase()),
    ("attack 2815", orders.DeclareAttack("2815")),
])  # fmt: skip
def test_hex_selects_its_units(lay: Lay, text: str, order: Order) -> None:
    case = lay("2820 A1:6 I1:6; 2824 I9:6~")
    assert read_order(case.pending, text, case.prepared.board) == order


def test_the_letter_of_the_side_may_be_omitted(prepare: Prepare) -> None:
    prepared = prepare()
    game = prepared.new_game(KeyedDice(key_from_seed("short")))
    players = {side: Typist(side, prepared.board, Counter()) for side in ("german", "soviet")}
    game.start()
    while orders.Activate not in [type(each) for each in _offered(game.waiting()[0])]:
        decision = game.waiting()[0]
        game.submit(decision.done or players[decision.seat].choose(decision, None), decision.seat)
    decision = game.waiting()[0]
    stacks = by_hex(NOTATION.kinds(decision.options)[orders.Activate].fields["units"])  # type: ignore[attr-defined]  # a form
    hex_, units = next(iter(stacks.items()))
    assert read_order(decision, f"activate {hex_} now", prepared.board) == orders.Activate(list(units))
    short = " ".join(each.removeprefix("g-") for each in units)
    assert read_order(decision, f"activate {short} now", prepared.board) == orders.Activate(list(units))


def _offered(decision: Decision) -> list[Order]:
    stream = Stream(b"offered")
    return [decision.options.sample(stream) for _ in range(12)]


def test_unknown_words_are_not_read(lay: Lay) -> None:
    case = lay("2820 A1:6 I1:6")
    for text in ("hello", "2820", "", "   "):
        assert read_order(case.pending, text, case.prepared.board) is None


def test_a_line_that_begins_with_a_hex_is_not_a_sheet(lay: Lay) -> None:
    case = lay("pool I1:6 I2:6", phase="reinforcement")
    assert read_order(case.pending, "2530 I1", case.prepared.board) is None


DICE = dict.fromkeys(("attack", "defense", "counter", "reaction", "attrition"), "*")


def type_in(case: Case, *lines: str) -> Case:
    """Type lines that are all accepted."""
    for line in lines:
        give(case, f"{line} now")
    return case


def give(case: Case, line: str) -> None:
    order = read_order(case.pending, line, case.prepared.board)
    assert isinstance(order, Order), (line, order)
    case.game.submit(order, case.pending.seat)


def refused(case: Case, line: str) -> str:
    """Type a line that is refused, and return the reasons, each in one line. Nothing must change."""
    before = msgspec.json.encode(case.state)
    with pytest.raises(IllegalOrder) as caught:
        give(case, line)
    found = [str(each) for each in (caught.value, *caught.value.also)]
    for reason in found:
        assert "\n" not in reason
        assert len(reason) < 240, reason
        assert not [part for part in ("['", "None", "Struct", "{", "='", "=[") if part in reason], reason
    assert msgspec.json.encode(case.state) == before
    return "\n".join(found)


GERMANS = "2820 A1:6 I1:6; 2824 I9:6~; 2822 A2:6! I2:6!; 2826 A3:6 I3:6~"
REACTING = "2815 a1:6 i1:6 a2:6~; 2717 a3:6!; 2715 a4:6; 2811 a9:3/9"
PLANNING = "2817 A1:14 I1:6; 2717 A3:6; 2818 I9:6~ A2:6!; 2827 A8:6"
MARCHING = "2820 A1:6 I3:6~ I2:6! I4:6; 2824 I9:6"
ASSAULT = {"german": "2818 A1:14 I1:6; 2816 A3:6", "movement": {"A1": 5, "I1": 5}, "dice": DICE}
BEATEN = {"german": "2816 A1:9 A2:9; 2716 A3:6", "soviet": "2815 a1:12"}


def case_of(name: str, rules: str, setup: dict[str, Any], typed: str, refused: str, until: Any = None) -> Any:
    """Return a case: accepted lines, the decision to play to, and the lines that are refused there."""
    given = {"soviet": "2815 i1:6"} | setup
    return pytest.param(
        given, typed, until, refused, id=name, marks=[pytest.mark.rule(*rules.split())] if rules else []
    )


def accepts(kind: type[Order]) -> Any:
    return lambda case: case.accepts(kind)


@pytest.mark.parametrize(
    ("setup", "typed", "until", "lines"),
    [
        case_of(
            "activation",
            "DM-2.1d DM-2.1f DM-2.6c DM-7.0a DM-8.1a DM-2.8d",
            {"german": GERMANS},
            "",
            "activate I9; activate 2824; activate A3 I3; activate A1 A2; activate A1 A1; activate i1; activate 2815;"
            "activate 9999; attack 2816; attack 2802; go 2819",
        ),
        case_of(
            "strategic",
            "DM-6.0a DM-6.0b DM-6.0c DM-6.0d DM-2.1d",
            {"german": GERMANS, "phase": "strategic", "marsh": "2720"},
            "",
            "march I9 2824 2825; march 2824 2825; march I1 A3 2820 2821; march I1 2820 2822; march I1 2820 9999;"
            "march I1 2820 2819 2818 2817 2816; march A1 2820 2720",
        ),
        case_of("demoralized", "DM-2.6c", {"german": "2817 I2:6!; 2820 A1:6 I1:6!"}, "", "activate A1 I1"),
        case_of("demoralized_march", "DM-2.8d DM-2.8g", {"german": "2817 I2:6!"}, "activate I2", "go 2816"),
        case_of(
            "march",
            "DM-3.0a DM-7.0j DM-7.0n DM-7.0p DM-2.8g DM-2.1f",
            {"german": MARCHING, "marsh": "2720"},
            "activate A1",
            "go 2720; go 2815; go 9999; go; rally; take I3; take I9; take I2; take A1; take i1; drop A1; plan standard",
        ),
        case_of(
            "cost",
            "DM-7.0j DM-7.0o",
            {"german": "2820 A1:6", "movement": {"A1": 2}, "forest": "2822"},
            "activate A1; go 2821",
            "go 2822",
        ),
        case_of(
            "full_hex",
            "DM-2.3a AGC-4.9a",
            {"german": "pool I1:6; 2830 I2:6 I3:6 I4:6 I5:6", "soviet": "", "phase": "reinforcement"},
            "",
            "I1 2830",
        ),
        case_of(
            "reaction",
            "DM-2.6.1r DM-2.6.1b DM-2.6.1c DM-2.6.1f R-DM-10",
            {"german": "2817 A1:6", "soviet": REACTING, "dice": DICE},
            "activate A1; go 2816",
            "react a2 2815 2816; react a3 2717 2816; react a1 a4 2815 2816; react a9 2811 2816; react i1 2815 2816;"
            "react a1 2815 2814",
            accepts(React),
        ),
        case_of(
            "plan",
            "DM-8.1a DM-8.1b DM-8.1g DM-8.1h DM-2.8d DM-2.1f",
            {"german": PLANNING, "dice": DICE},
            "attack 2815",
            "grand I1; grand I9; grand A2; grand A1 A3; penetration A1; grand A8; standard A1; plan meeting; end",
            accepts(PlanAttack),
        ),
        case_of(
            "assault",
            "DM-8.3d DM-8.1h",
            ASSAULT,
            "attack 2815; grand A1 I1",
            "stop; rally; drop I1; go 2819",
            lambda case: case.pending.seat == "german" and not case.accepts(PlanAttack),
        ),
        case_of(
            "plan_on_entering",
            "DM-8.0b",
            {"german": "2816 A1:6", "soviet": "2815 a1:6", "dice": DICE},
            "activate A1; go 2815",
            "plan grand; plan",
            lambda case: case.accepts(ChoosePlan) and case.pending.seat == "german",
        ),
        case_of(
            "avoiding",
            "DM-8.11a DM-8.11d DM-2.6.1g",
            BEATEN | {"dice": DICE},
            "activate A1 A2; go 2815",
            "avoid a1 2815 2814; avoid a1 2815 2816 2817; avoid a9 2814 2813 2812",
            accepts(AvoidCombat),
        ),
        case_of(
            "retreat",
            "DM-8.11a DM-8.11d DM-2.6.1g",
            BEATEN | {"dice": DICE | {"attack": "666"}},
            "activate A1 A2; go 2815",
            "retreat 2815 2816; retreat 2815; retreat 2815 9999",
            accepts(Retreat),
        ),
        case_of(
            "unreadable",
            "",
            {"german": "2820 A1:6 I1:6"},
            "",
            "activate; activate 2825; activate nobody; attack nowhere; attack 2815 2816; go 2815; rally;"
            "activate nobody I1 somebody; activate I1 9999 nobody",
        ),
        case_of(
            "unreadable_march",
            "",
            {"german": "2820 A1:6 I1:6", "phase": "strategic"},
            "",
            "march nobody I1 2820 9999 2818 there; march 2825 9999",
        ),
        case_of(
            "unreadable_shares",
            "",
            {"german": "2820 I1:3/6 I2:4/6", "phase": "reinforcement", "replacements": {"german": 3}},
            "",
            "replace; replace I1; replace I1 1 I1 2; replace I1 1 nobody 2; replace nobody 2 I1 many I2 1;"
            "replace I1 1 I1 2 nobody 1",
        ),
        case_of(
            "unreadable_sheet",
            "",
            {"german": "pool I1:6 I2:6", "phase": "reinforcement"},
            "",
            "I1 elsewhere | nobody 2530 | I2 2530 | I2 2430 | I1 9999; I1 2530 | I1 2530; I1 elsewhere; I1 2530 2430",
        ),
    ],
)
def test_refused_orders_are_explained(
    lay: Lay, transcript: Transcript, setup: dict[str, Any], typed: str, until: Any, lines: str
) -> None:
    case = type_in(lay(**setup), *filter(None, typed.split("; ")))
    if until is not None:
        case.until(until)
    typed_in = [line.strip().replace(" |", ";") for line in lines.split(";")]
    transcript("\n".join(f"> {line}\n{refused(case, line)}" for line in typed_in))
    if case.state.active:
        case.rest()
    else:
        case.end()


@pytest.mark.rule("DM-8.4a")
def test_a_posture_that_is_not_available_is_refused(lay: Lay) -> None:
    case = lay("2816 A1:6; 2815 a1:6", side="soviet", dice=DICE)
    type_in(case, "activate a1", "go 2816").until(accepts(ChoosePosture)).submit(ChoosePlan("standard"))
    message = refused(case, "posture hedgehog")
    assert message == "the defender of 2816 can choose: steadfast or counterattack (DM-8.4a)"


@pytest.mark.rule("DM-2.3f", "DM-2.3e")
def test_a_wrong_choice_of_excess_units_is_refused(lay: Lay) -> None:
    case = lay("2820 I1:6 I2:6 I3:6 I4:6 I5:6; 2824 I9:6").until(accepts(LeaveOut))
    for line in ("leave I1 I2", "leave i1", "leave I9", "leave", "leave all"):
        assert "(DM-2.3e)" in refused(case, line)
    type_in(case, "leave I5")
    assert case.standing("I5") == "eliminated"
