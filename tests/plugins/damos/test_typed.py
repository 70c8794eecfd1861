"""Orders as a person types them: what is typed means the order, whatever is asked (``damos.ui.parsing``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from refused import assert_all_named, reasons

from damos.model import orders
from damos.ui.notation import by_hex
from damos.ui.parsing import NOTATION, read_order
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed

if TYPE_CHECKING:
    from tests.plugins.damos.conftest import Lay, Prepare

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
