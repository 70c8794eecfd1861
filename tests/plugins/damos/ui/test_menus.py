"""A person's turn at the terminal: marches, sheets, warnings, queries and menus."""

import contextlib
import io
import re
from typing import Any

import pytest
from msgspec import structs
from rich.console import Console as Screen
from tests.plugins.damos.cases import Case, activate, quiet_order
from tests.plugins.damos.conftest import Lay, Prepare, Stage
from tests.plugins.damos.positions import GERMAN, SOVIET

from damos.model import orders
from damos.turn.setup import one_by_one, unit_meant
from damos.ui.asking.answers import answer
from damos.ui.hints import undone
from damos.ui.menus import words
from damos.ui.notation import DamosLine, with_numbers
from damos.ui.parsing import NOTATION, read_order
from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import KeyedDice, key_from_seed
from sandtable.kernel.options import OneOf, Refusal
from sandtable.players.players import seat_bot, seat_players
from sandtable.plugin.manifest import Answer, Course
from sandtable.rules.notation.line import OrderQuestion
from sandtable.terminal.console import Console
from sandtable.terminal.hotseat import ConsolePlayer, play_with_people
from sandtable.terminal.prompt import PlayerLeft


def type_in(case: Case, *lines: str, react: bool = False) -> str:
    """Type lines for the Germans and return the output. The Soviets do little, or ``react`` if they can."""
    typed, out = iter(lines), io.StringIO()

    def read(prompt: str) -> str | None:
        line = next(typed, None)
        out.write(f"{prompt}{line}\n")
        return line

    console = Console(case.prepared, read, Screen(file=out, highlight=False, markup=False, soft_wrap=True, width=200))
    console.game = case.game
    player = ConsolePlayer(console, GERMAN)
    try:
        while not case.game.is_over:
            decision = case.pending
            is_german = decision.seat == GERMAN
            able = case.offered(orders.React)[:1] if react and not is_german else []
            other = able[0] if able else quiet_order(decision)
            order = player.choose(decision, case.game.seat_view(GERMAN)) if is_german else other
            case.game.submit(order, decision.seat)
    except PlayerLeft:
        pass
    return out.getvalue()


def query(case: Case, text: str) -> Answer:
    shown = answer(case.game.view(GERMAN), case.prepared.board, text)
    assert shown is not None
    return shown


# --- marches ---


@pytest.mark.rule("DM-7.0j")
def test_a_march_is_typed_in_one_line(lay: Lay) -> None:
    case = lay("2820 I1:6; 2824 I9:6")
    type_in(case, "activate I1", "go 2819 2818 2817")
    assert case.at("I1") == "2817"
    assert not case.spent("I1")[0], "it may continue"


@pytest.mark.rule("DM-7.0b")
def test_a_force_is_activated_moved_and_stopped_in_one_line(lay: Lay) -> None:
    case = lay("2820 I1:6; 2824 I9:6")
    shown = type_in(case, "activate I1 go 2819 2818 stop", "activate 2824 go to 2820 stop")
    assert case.at("I1 I9") == "2818 2820"
    assert case.spent("I1 I9") == [True, True]
    assert "it goes no further" not in shown


@pytest.mark.rule("DM-7.0j")
def test_the_cheapest_path_is_found_and_its_cost_shown(lay: Lay) -> None:
    case = lay("2820 I1:6", forest="2819 2818", river="2820/2720")
    way = read_order(case.go(activate("I1")).pending, "go to 2817", case.prepared.board)
    assert isinstance(way, Course)
    steps = [order.hex for order in way.orders if isinstance(order, orders.Step)]
    assert steps[-1] == "2817"
    assert not {"2819", "2818"} & set(steps)
    assert way.said == f"{' '.join(steps)}: 4 of 4 points"
    far = read_order(case.pending, "go to Moscow", case.prepared.board)
    assert isinstance(far, Course)
    assert "Moscow (2102) would cost" in far.said or "would cost" in far.said


WALL = "; ".join(f"{column}19 i{column}:9" for column in range(25, 32))


@pytest.mark.rule("DM-7.0j")
@pytest.mark.parametrize("typed", ["activate I1 go to 2815", "activate I1 go to 2815 stop"])
def test_a_march_to_a_hex_out_of_reach_suggests_the_closest_hex(lay: Lay, typed: str) -> None:
    case = lay("2820 I1:6; 2824 I9:6; " + WALL)
    with pytest.raises(IllegalOrder, match=r"out of reach.*go to 2\d19 leads closest .*an attack") as refused:
        read_order(case.pending, typed, case.prepared.board)
    assert refused.value.rule == "DM-7.0j"
    detour = re.search(r"; (go [\d ]+) begins", refused.value.reason)
    assert detour is not None
    course = read_order(case.pending, f"activate I1 {detour[1]}", case.prepared.board)
    assert isinstance(course, Course), "the suggested detour can be typed"


@pytest.mark.rule("DM-7.0j")
def test_a_march_out_of_reach_suggests_the_hex_of_the_path_query(lay: Lay) -> None:
    case = lay("2820 I1:6; 2824 I9:6; " + WALL)
    with pytest.raises(IllegalOrder, match="go to 2") as refused:
        read_order(case.pending, "activate I1 go to 2815", case.prepared.board)
    shown = query(case, "path I1 to 2815").lines[0]
    assert shown.split("than ")[1].split()[0] == refused.value.reason.split("go to ")[1].split()[0]


@pytest.mark.rule("DM-2.6.1c")
def test_a_march_stops_at_an_enemy_reaction(lay: Lay) -> None:
    case = lay("2818 I1:6; 2824 I9:6; 2814 a1:6", dice="reaction 66; * *")
    shown = type_in(case, "activate I1", "go 2817 2816 2815 2715", react=True)
    assert "not carried out: something else happened first" in shown
    assert case.at("I1") != "2715"


@pytest.mark.rule("DM-7.0j")
def test_a_march_stops_at_a_refused_step(lay: Lay) -> None:
    case = lay("2820 I1:6; 2824 I9:6")
    shown = type_in(case, "activate I1", "go 2819 2817")
    assert case.at("I1") == "2819"
    assert "not carried out: 2817 is not adjacent to 2819" in shown


# --- orders that cannot be taken back ---


@pytest.mark.rule("DM-7.0i")
def test_stop_never_ends_the_phase(lay: Lay) -> None:
    case = lay("2820 I1:6; 2824 I9:6")
    shown = type_in(case, "stop")
    assert case.phase == "german.operations"
    assert "that order does not apply now" in shown


@pytest.mark.rule("DM-7.0i", "DM-10.0a", "DM-2.3e", "DM-2.8g")
def test_unfinished_business_is_listed_before_operations_end(lay: Lay) -> None:
    german = "2820 I1:6 I2:6 I3:6 I4:6 I5:6; 2824 I9:6!"
    case = lay(german=german)
    shown = undone(case.state, GERMAN)
    assert shown[0] == "seven units still fresh"
    assert "too many units are in 2820" in shown
    assert "demoralized units could rally in 2824" in shown
    warning = read_order(case.pending, "end", case.prepared.board)
    assert isinstance(warning, Refusal)
    assert warning.rule == "DM-7.0i"
    assert warning.reason.endswith("To confirm, type: end now")
    assert read_order(case.pending, "end now", case.prepared.board) == orders.EndPhase()


@pytest.mark.rule("DM-7.0d")
def test_activation_that_ends_infantry_activations_needs_confirmation(lay: Lay) -> None:
    case = lay("2820 A1:6; 2824 I9:6")
    shown = (
        "this would shut out one fresh unit without a zone of influence for the rest of the turn. "
        "To confirm, type: activate A1 now"
    )
    warning = read_order(case.pending, "activate A1", case.prepared.board)
    assert isinstance(warning, Refusal)
    assert warning.rule == "DM-7.0d"
    assert warning.reason.startswith(shown)
    assert read_order(case.pending, "activate A1 now", case.prepared.board) == orders.Activate(["A1"])
    assert read_order(case.pending, "activate I9", case.prepared.board) == orders.Activate(["I9"])
    assert "DM-7.0d:" in type_in(case, "activate A1", "why")


@pytest.mark.rule("DM-8.2e")
def test_odds_of_a_march_equal_the_odds_of_its_attack(lay: Lay) -> None:
    shown = type_in(lay("2820 I1:3; 2824 I9:6; 2818 i1:3"), "odds activate I1 go 2819 2818 standard noair")
    assert "method: exact" in shown or "method: sampled" in shown
    assert "otal loss points" in shown


@pytest.mark.rule("DM-7.0d")
def test_the_odds_of_an_order_with_a_warning_show_the_warning(lay: Lay) -> None:
    shown = type_in(lay("2820 A1:6; 2824 I9:6"), "odds activate A1")
    assert "refused: this would shut out one fresh unit without a zone of influence for the rest of the turn" in shown


# --- sheets ---


def test_several_units_are_placed_in_one_line() -> None:
    units = ["g-3pz", "g-4pz", "g-10mot", "g-7"]
    three = ["g-3pz: 3128", "g-4pz: 3128", "g-10mot: 3128"]
    assert one_by_one("3128: 3pz 4pz 10mot", units) == three
    assert one_by_one("g-3pz, 4pz 10mot: 3128", units) == three
    assert one_by_one("7: 3128", units) == ["g-7: 3128"]
    assert one_by_one("g-9pz: 3128", units) == ["g-9pz: 3128"], "the sheet reports the unknown unit"
    assert unit_meant("3PZ", units) == "g-3pz"


@pytest.mark.rule("AGC-6.0d")
def test_a_set_up_sheet_accepts_several_units_per_line(stage: Stage) -> None:
    case = stage("pool g-3pz g-4pz; 2819 s-4rc", phase="setup.german", turn=0)
    shown = type_in(case, "3128: 3pz 4pz", "show")
    assert "g-3pz: 3128" in shown
    assert "g-4pz: 3128" in shown


@pytest.mark.rule("AGC-4.9a")
def test_examples_name_units_that_can_be_placed(stage: Stage) -> None:
    case = stage("pool g-293 g-52; 2819 s-4rc", phase="reinforcement", turn=1)
    hint = read_order(case.pending, "?", case.prepared.board)
    assert isinstance(hint, str)
    first = hint.partition(";")[0]
    assert first.startswith("g-293: ")
    assert case.why_not(orders.PlaceReinforcements(dict([first.split(": ")]))) == ""


@pytest.mark.rule("DM-8.0b")
def test_the_menu_of_a_march_shows_cost_terrain_and_enemies(lay: Lay) -> None:
    case = lay("2816 I1:6; 2815 i1:3", forest="2716").go(activate("I1"))
    hint = str(read_order(case.pending, "?", case.prepared.board))
    assert "go 2716 (2 points; forest)" in hint
    assert "go 2815 (1 point; i1, an attack wins" in hint


# --- queries ---


@pytest.mark.rule("DM-2.10a")
def test_problems_are_listed_at_the_prompt(lay: Lay) -> None:
    case = lay("2816 I1:6; 2310 I2:6", replacements={GERMAN: 2})
    shown = query(case, "problems")
    assert shown.yes is None
    assert "one unit of Germans have no supply line" in shown.lines[0] or "no supply line" in shown.lines[0]
    assert any("2310" in line for line in shown.lines)
    assert any("replacement point" in line for line in shown.lines)
    assert answer(case.game.view(SOVIET), case.prepared.board, "problems") != shown


@pytest.mark.rule("DM-2.10a", "DM-7.0j", "DM-8.2b")
def test_supply_path_and_odds_are_answered(lay: Lay) -> None:
    case = lay("2816 I1:9; 2310 I2:6; 2815 i1:3")
    assert query(case, "supply 2816").yes
    assert not query(case, "supply 2310").yes
    assert query(case, "path I1 2818").yes
    assert query(case, "odds I1 2815").lines
    assert answer(case.game.view(GERMAN), case.prepared.board, "weather") is None


# --- the historical set-up, and menus ---


@pytest.mark.rule("AGC-6.0b", "AGC-6.0c", "AGC-6.0d")
@pytest.mark.parametrize("scenario", ["smolensk", "agc"])
def test_the_historical_set_up_is_complete_and_legal(prepare: Prepare, scenario: str) -> None:
    game = prepare(scenario).new_game(KeyedDice(key_from_seed("historical")))
    game.start()
    for side in (SOVIET, GERMAN):
        assert isinstance(game.pending, Decision)
        sheet: Any = NOTATION.kinds(game.pending.options)[orders.SetUp].fields["hexes"]  # type: ignore[attr-defined]  # a form
        hexes = dict(line.split(": ") for line in sheet.parts("Historical"))
        game.submit(orders.SetUp(hexes), side)
    assert game.state.turn == 1
    assert len(hexes) == 50


def test_a_menu_shows_costs_enemies_and_unfinished_business(lay: Lay) -> None:
    case = lay("2820 I1:6; 2824 I9:6; 2720 i1:2", forest="2819")
    shown = type_in(case, "1", "activate 2820", "stop")
    assert "1  end operations, with three units still fresh" in shown
    assert "operations would end with three units still fresh. To confirm, type: end now" in shown
    assert "go 2720: 1 point; i1, an attack wins 63 % at printed strengths" in shown
    assert "go 2819: 2 points; forest" in shown
    assert "stop: end the activation" in shown


@pytest.mark.rule("DM-2.6.1k", "DM-2.6.1l", "AGC-4.2a")
def test_a_reaction_is_offered_with_its_probability(lay: Lay) -> None:
    case = lay("2816 I1:6; 2824 I9:6; 2814 a1:6")
    case.go(activate("I1"))
    react = orders.React(["a1"], ["2814", "2815"])
    shown = words(react, case.game.view(SOVIET), case.prepared.board)
    # +1 against a force without a zone of influence
    chance = "needs 8 or more on 2 dice: 42 %, or 58 % if the reacting mobile units are stronger"
    assert shown == f"react: a1 from 2814 to 2815 ({chance})"


# --- a whole turn ---

SPEARHEADS = {"3228": "3224", "3128": "3024", "2528": "2524", "2526": "2421", "3130": "3027"}
"""The hexes of the mobile divisions on 22 June, and their destinations."""
ANSWERS = {
    "set_up": ("historical", "done"),
    "arrive": ("draft", "done"),
    "plan": ("plan standard",),
    "exploit_from": ("exploit all",),
    "move": ("stop",),
    "exploit": ("stop",),
}
"""The lines that a hurried player types, by the kind of decision. The staff decides everything else."""


class HurriedPlayer:
    """A German player who commands the mobile divisions. The staff does the rest. ``typed`` are the lines."""

    def __init__(self, units: list[str]) -> None:
        self.typed: list[str] = []
        self.console: Console
        self._waiting = [f"staff phase but {' '.join(units)}"]
        self._waiting += [f"activate {start} go to {goal} stop" for start, goal in SPEARHEADS.items()] + ["end now"]

    def read(self, prompt: str) -> str | None:
        game = self.console.game
        assert game is not None
        if game.state.turn > 1 or len(self.typed) > 60:
            return None
        kind = game.waiting()[0].purpose.partition(".")[0]
        if kind == "activate":
            line = self._waiting.pop(0)
        else:
            lines = ANSWERS.get(kind, ("staff",))
            line = lines[self.typed[-1:] == [lines[0]]] if len(lines) > 1 else lines[0]
            line = "staff" if self.typed[-1:] == [line] else line
        self.typed.append(line)
        return line


@pytest.mark.full
def test_a_turn_with_typed_orders_for_mobile_divisions_takes_few_prompts(prepare: Prepare) -> None:
    prepared = prepare("agc")
    key, mobile = (
        key_from_seed("hurry"),
        [each for each, it in prepared.board.counters.items() if it.zoi and not it.arrives],
    )
    person = HurriedPlayer([each for each in mobile if each.startswith("g-")])
    screen = Screen(file=io.StringIO(), highlight=False, markup=False, soft_wrap=True, width=200)
    staff = seat_bot(prepared, GERMAN, "staff", key)
    console = person.console = Console(prepared, person.read, screen, staff=lambda _: staff)
    game = prepared.new_game(KeyedDice(key))
    people = seat_players(prepared, {GERMAN: "human", SOVIET: "staff"}, key, lambda seat: ConsolePlayer(console, seat))
    with contextlib.suppress(PlayerLeft):
        play_with_people(game, people, console)
    assert game.state.turn == 2
    assert len(person.typed) <= 40, person.typed


# --- reports from a game of Smolensk ---


def test_a_menu_lists_each_reaction_of_a_whole_stack_once(lay: Lay) -> None:
    case = lay("2816 I1:6; 2824 I9:6; 2814 a1:6 a2:6")
    case.go(activate("I1"))
    seen, board = case.game.view(SOVIET), case.prepared.board
    assert words(orders.React(["a1"], ["2814", "2815"]), seen, board) == "", "the whole stack can react as well"
    assert str(words(orders.React(["a1", "a2"], ["2814", "2815"]), seen, board)).startswith(
        "react: a1 and a2 from 2814 to 2815 ("
    )
    away = [orders.AvoidCombat(["a1", "a2"], ["2814", *way, "2912"]) for way in (["2813"], ["2914", "2913"])]
    shown = {words(each, seen, board) for each in away}
    assert len(shown) == 1
    assert "% if the reacting mobile units are stronger" in str(shown.pop()), "the line has the probability"


@pytest.mark.rule("DM-2.3e")
def test_a_stop_that_loses_units_requires_confirmation(lay: Lay) -> None:
    case = lay("2820 I1:6 I2:6; 2818 I3:6 I4:6 I5:6 I6:6; 2824 I9:6")
    line = "activate I1 I2 go 2819 2818 stop"
    assert isinstance(read_order(case.pending, line, case.prepared.board), Course), "the others may still leave the hex"
    case.go(activate("I3 I4 I5 I6"), orders.EndActivation())
    shown = "2818 would hold two units too many, which would be lost at the end of the turn. To confirm"

    def warned(text: str) -> bool:
        warning = read_order(case.pending, text, case.prepared.board)
        return isinstance(warning, Refusal) and warning.rule == "DM-2.3e" and warning.reason.startswith(shown)

    assert warned(line)
    assert isinstance(read_order(case.pending, f"{line} now", case.prepared.board), Course)
    case.go(activate("I1 I2"), orders.Step("2819"), orders.Step("2818"))
    assert warned("stop")
    assert read_order(case.pending, "stop now", case.prepared.board) == orders.EndActivation()


@pytest.mark.rule("DM-8.0b", "AGC-4.4a")
def test_an_attack_is_typed_in_one_line_with_its_plan(lay: Lay) -> None:
    case = lay("2820 I1:6 I2:6; 2824 I9:6; 2818 i1:4", dice="* *")
    shown = type_in(case, "activate 2820 go 2819 2818 standard noair")
    assert "Plans in 2818: standard attack against" in shown
    assert "choose the plan" not in shown
    assert "use the air unit" not in shown
    assert shown.count("I2 move") == 1, "the path is shown once"
    with pytest.raises(IllegalOrder, match="name the plan first"):
        read_order(lay("2820 I1:6").pending, "activate 2820 go 2819 noair", case.prepared.board)


@pytest.mark.rule("DM-7.0j")
def test_no_force_is_activated_for_a_march_that_cannot_begin(lay: Lay) -> None:
    case = lay("2820 I1:6; 2824 I9:6")
    with pytest.raises(IllegalOrder, match="2817 is not adjacent to 2820: type go to 2817 for the cheapest path"):
        read_order(case.pending, "activate I1 go 2817 stop", case.prepared.board)


@pytest.mark.rule("DM-8.12a")
@pytest.mark.parametrize(("strength", "dice"), [(1, {}), (3, {"attack": "66", "*": "*"})])
def test_a_force_that_is_to_stay_has_no_decisions_after_its_attack(
    lay: Lay, strength: int, dice: dict[str, str]
) -> None:
    case = lay(f"2820 I1:6 I2:6; 2824 I9:6; 2818 i1:{strength}", dice=dice)
    shown = type_in(case, "activate 2820 go 2819 2818 standard stay")
    assert "the attacker wins" in shown.lower()
    assert "exploit" not in shown
    assert case.spent("I1 I2") == [True, True]
    assert "is no order" not in shown


@pytest.mark.rule("DM-5.0b")
def test_a_numeric_unit_id_may_precede_or_follow_its_points(prepare: Prepare) -> None:
    board = prepare("smolensk").board
    for text in ("31 1", "1 31", "g-31 1"):
        line = DamosLine(
            text, OrderQuestion(Decision(GERMAN, "", OneOf([orders.Decline()])), orders.Replace, None, board)
        )
        assert line.share() == ("g-31", 1)


@pytest.mark.full
@pytest.mark.rule("DM-6.0b")
def test_strategic_march_may_be_typed_with_a_town(stage: Stage) -> None:
    case = stage("2829 g-7 g-23; 2102 s-6mc", phase="strategic", control={GERMAN: "2828 2827 2727"}, dice="rail *")
    case.until(lambda case: bool(case.offered(orders.MoveStrategically)))
    for text in ("march 7 23 to Bialystok", "march 2829 to bialystok", "march 2829 2828 2827 Bialystok"):
        order = read_order(case.pending, text, case.prepared.board)
        assert order == orders.MoveStrategically(["g-23", "g-7"], ["2829", "2828", "2827", "2727"]) or order == (
            orders.MoveStrategically(["g-7", "g-23"], ["2829", "2828", "2827", "2727"])
        )
    with pytest.raises(IllegalOrder, match="is out of reach"):
        read_order(case.pending, "march g-7 to Moscow", case.prepared.board)


def test_town_names_are_replaced_by_their_hexes() -> None:
    towns = {"2727": "Bialystok", "2212": "Velikiye Luki"}
    assert with_numbers(["attack", "Velikiye", "luki", "bialystok"], towns) == ["attack", "2212", "2727"]


def test_a_divided_exploiting_force_sees_the_costs_from_its_hex(lay: Lay) -> None:
    case = lay("2820 A1:6 A2:6; 2824 I9:6", river="2820/2720")
    case.go(activate("A1 A2"))
    seen = case.game.view(GERMAN)
    units = seen.units | {"A1": structs.replace(seen.units["A1"], hex="2620")}
    shown = words(orders.Step("2819"), structs.replace(seen, units=units), case.prepared.board)
    assert shown == "go 2819: 1 point", "A1 is in another hex"


@pytest.mark.rule("DM-2.1f")
def test_a_hex_in_a_query_means_its_fresh_units(lay: Lay) -> None:
    case = lay("2820 I1:6 I2:6; 2824 I9:6")
    case.go(activate("I1"), orders.EndActivation())
    assert query(case, "reach 2820").lines[0].startswith("I2 with 4 points can reach")
    assert query(case, "reach I1").yes is False, "a unit that is named is meant"


@pytest.mark.rule("AGC-4.6.3a")
def test_missing_attacks_are_listed_before_soviet_operations_end(lay: Lay) -> None:
    case = lay("2620 i1:6; 2624 i9:6", side=SOVIET, turn=2)
    case.state.attacks_owed, case.state.attacks_made = 2, 1
    assert "one required attack not made" in undone(case.state, SOVIET)


def test_a_sheet_accepts_names_of_units_and_towns(prepare: Prepare) -> None:
    game = prepare("smolensk").new_game(KeyedDice(key_from_seed("names")))
    game.start()
    warning: Any = game.waiting()[0].options
    sheet = warning.fields["hexes"]
    assert sheet.key_of("11 MC") == "s-11mc"
    assert sheet.parts("Minsk: 2rc 44rc") == ["s-2rc: 2819", "s-44rc: 2819"]
    assert sheet.read("s-2rc", "minsk") == "2819"
