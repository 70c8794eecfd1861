"""Options that a ruling sets from a record on, in all rulesets: they apply later, not before, and are withdrawn."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rechained import lines_of, rechained
from removals import renumbered

from sandtable.errors import IllegalOrder, PlayError
from sandtable.hosting.ruling import Ruled, Ruling, make_ruling
from sandtable.journal.file.reading import parse_log, read_log
from sandtable.journal.fold import fold_log, prepare_for, read_records
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import battle_annexes, log_bytes
from sandtable.journal.resume import Resumed, resume
from sandtable.journal.verification.verdicts import Verdict
from sandtable.journal.verification.verify import verify, verify_log
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.events import OptionSet
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import text_of
from sandtable.kernel.records import OrderRecord, RulingRecord, SealRecord
from sandtable.players.players import best_for, name_seats, seat_players
from sandtable.plugin.manager import Rulesets

RULESETS = Rulesets()


class Case(NamedTuple):
    """An option set after record ``at`` of a game of bots.

    The order in record ``parts`` is the first that is no longer an answer: it is refused by ``rule``, or its question
    has changed if that is "". If ``before`` is set, a question of that record would have changed too.
    """

    ruleset: str
    scenario: str
    option: str
    value: str
    at: int
    parts: int
    rule: str = ""
    before: int = 0


CASES = [
    Case("axis_attack", "armoured_clash", "exchange_when", "before_reinforcement", 130, 147, before=65),
    Case("damos", "smolensk", "pickup_limits", "same_class", 40, 59, before=28),
    Case("desert_aa", "frontier", "retreat_rule", "own_origin", 44, 46, before=40),
    Case("kampfpanzer", "spain", "spain_entry", "entry_3653", 250, 348, "KP-14.0d"),
    Case("khamsin", "teaching", "withdraw_noarea", "surrender", 90, 96, before=65),
]
each_case = pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=pytest.mark.full if case.ruleset in ("damos", "kampfpanzer") else ()) for case in CASES],
    ids=lambda case: case.ruleset,
)


class Enough(Exception):
    """The game has as many records as the test needs."""


class Cut(NamedTuple):
    """A resumed game at the question after ``case.at``, and the orders that the recorded game continued with."""

    case: Case
    resumed: Resumed
    path: Path
    later: list[OrderRecord[Any]]

    @property
    def game(self) -> Game:
        return self.resumed.game

    def rule(self, **words: Any) -> Ruled:
        usual = {"event": None, "amends": 0, "order": None, "reason": "agreed", "disputed": 0, "claim": "", "rule": ""}
        return make_ruling(self.resumed, Ruling(**usual | words), None)

    def set_option(self) -> int:
        return self.rule(sets=(self.case.option, self.case.value)).record

    def verdict(self) -> Verdict:
        self.resumed.writer.put(self.game.records)
        return verify_log(self.path, RULESETS, deep=True)


def recorded(case: Case) -> Game:
    """Return a game of the best bots, a little longer than the case needs."""
    prepared = RULESETS.load(case.ruleset).prepare(case.scenario)
    key = key_from_seed("a")
    seats = [seat for seat, side in prepared.ruleset.seats.items() if side in prepared.ruleset.viewers]
    names = name_seats(prepared, {seat: best_for(prepared.installed, seat) for seat in seats})
    game = prepared.new_game(make_dice("open", key))

    def after() -> None:
        if game.number > case.parts + 20:
            raise Enough

    with pytest.raises(Enough):
        game.play(seat_players(prepared, names, key), after)
    return game


@pytest.fixture
def cut(case: Case, tmp_path: Path) -> Any:
    whole = recorded(case)
    prepared = RULESETS.load(case.ruleset).prepare(case.scenario)
    names = name_seats(prepared, {})
    dice = make_dice("open", key_from_seed("a"))
    game = prepared.new_game(dice)
    game.start()
    orders = [each for each in whole.records if isinstance(each, OrderRecord)]
    while game.number < case.at:
        order = orders.pop(0)
        game.submit(order.order, order.by)
    path = tmp_path / "game.jsonl"
    path.write_bytes(log_bytes(make_header(prepared, names, dice), game, battle_annexes({}))[0])
    resumed = resume(path, RULESETS)
    with resumed.writer:
        yield Cut(case, resumed, path, orders)


def parting(game: Game, orders: list[OrderRecord[Any]]) -> tuple[int, str] | None:
    """Give ``orders`` as recorded; return the first that is no longer an answer, and the rule that refuses it."""
    for record in orders:
        asked = next((each for each in game.waiting() if each.seat == record.by), None)
        if asked is None or text_of(game.question_of(asked)) != text_of(record.asked):  # type: ignore[arg-type]  # live
            return record.n, ""
        try:
            game.submit(record.order, record.by)
        except IllegalOrder as error:
            return record.n, error.rule
    return None


@each_case
def test_set_option_applies_to_later_questions_only(cut: Cut) -> None:
    case, before = cut.case, list(cut.game.records)
    number = cut.set_option()
    assert cut.game.records[: len(before)] == before
    assert parting(cut.game, cut.later) == (case.parts, case.rule)
    verdict = cut.verdict()
    assert (verdict.verdict, verdict.exit_code) == ("verified so far", 0), verdict.text
    assert verdict.rulings == (f"record {number} by umpire, unsigned, {case.option} is {case.value}: agreed",)
    log = read_log(cut.path)
    prepared = prepare_for(log, RULESETS)
    for at, value in ((number - 1, prepared.options[case.option]), (number, case.value)):
        state = fold_log(log, prepared, at)
        assert state.options[case.option] == value
        assert (state.board is prepared.board) == (at < number)


@each_case
def test_option_from_the_start_would_have_changed_an_earlier_question(case: Case) -> None:
    if not case.before:
        pytest.skip("its first effect is the one after the ruling")
    prepared = RULESETS.load(case.ruleset).prepare(case.scenario, {case.option: case.value})
    orders = [each for each in recorded(case).records if isinstance(each, OrderRecord)]
    game = prepared.new_game(make_dice("open", key_from_seed("a")))
    game.start()
    assert parting(game, orders) == (case.before, "")


@each_case
def test_withdrawn_setting_restores_every_later_question(cut: Cut) -> None:
    number, digest = cut.set_option(), cut.game.ruleset.codec.digest
    assert parting(cut.game, cut.later) is not None
    given = [each for each in cut.game.trail if isinstance(each, OrderRecord) and each.n > number]
    ruled = cut.rule(withdraws=number)
    assert ruled.kept == ruled.later == len(given)
    assert cut.game.state.options[cut.case.option] != cut.case.value
    assert parting(cut.game, cut.later[len(given) :]) is None
    assert cut.verdict().verdict == "verified so far"
    whole = recorded(cut.case)
    assert digest(cut.game.state) == digest(whole.state)


def play_to_seal(game: Game, after: int) -> None:
    """Give random orders until a phase has ended after record ``after``."""
    stream = Stream(key_from_seed("any"))
    while not any(isinstance(each, SealRecord) and each.n > after for each in game.records):
        asked = game.waiting()[0]
        game.submit(asked.options.sample(stream), asked.seat)


@each_case
def test_changed_or_removed_setting_is_false_once_a_phase_has_ended(cut: Cut) -> None:
    number = cut.set_option()
    play_to_seal(cut.game, number)
    cut.resumed.writer.put(cut.game.records)
    lines = lines_of(cut.path)
    prepared = prepare_for(read_log(cut.path), RULESETS)
    option = next(each for each in prepared.installed.manifest.options if each.name == cut.case.option)
    others: list[list[dict[str, Any]]] = [renumbered([*lines[:number], *lines[number + 1 :]])]
    for event in ({"value": option.default}, {"value": "nonsense"}, {"option": "nonsense"}):
        line = {**lines[number], "event": lines[number]["event"] | event}
        others.append([*lines[:number], line, *lines[number + 1 :]])
    others.append([*lines[:number], {**lines[number], "by": "nobody"}, *lines[number + 1 :]])
    for other in others:
        verdict = verify(parse_log(rechained(other), "log"), prepared)
        assert verdict.exit_code == 1, verdict.text


@each_case
def test_game_resumed_forked_and_undone_keeps_the_setting(cut: Cut) -> None:
    cut.set_option()
    assert parting(cut.game, cut.later) is not None
    cut.resumed.writer.put(cut.game.records)
    cut.resumed.writer.close()
    again = resume(cut.path, RULESETS)
    with again.writer:
        assert again.game.state == cut.game.state
        assert again.prepared.board is again.game.state.board is not prepare_for(read_log(cut.path), RULESETS).board
        twin = again.game.fork()
        assert twin.state.options == again.game.state.options
        assert twin.state.board is again.game.state.board
        assert [each.prompt for each in twin.waiting()] == [each.prompt for each in again.game.waiting()]


@pytest.mark.parametrize("case", [CASES[2]], ids=["desert_aa"])
@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("retreat_rule", "any_friendly", "is any_friendly already"),
        ("retreat_rule", "nowhere", "choose one of"),
        ("nonsense", "yes", "has no option 'nonsense'"),
        ("axis_treasury", "per_nation", "it changes the first position"),
        ("mine_secrecy", "all_secret", "what each side may see"),
        ("axis_bid", "3", "it belongs to the set-up"),
    ],
)
def test_option_of_the_set_up_is_refused_in_one_line(cut: Cut, option: str, value: str, why: str) -> None:
    before = cut.path.read_bytes()
    if option == "retreat_rule" and value == "any_friendly":
        value = cut.game.state.options[option]
        why = f"is {value} already"
    with pytest.raises(PlayError, match=why) as refused:
        cut.rule(sets=(option, value))
    assert "\n" not in str(refused.value)
    assert cut.path.read_bytes() == before


@pytest.mark.parametrize("case", [CASES[2]], ids=["desert_aa"])
def test_two_options_are_set_separately_and_reset(cut: Cut) -> None:
    old = cut.game.state.options["retreat_rule"]
    first = cut.set_option()
    cut.rule(sets=("air_land_ally", "own_only"))
    cut.rule(sets=("retreat_rule", old))
    assert parting(cut.game, cut.later[:3]) is None
    assert cut.game.state.options["air_land_ally"] == "own_only"
    assert len(cut.verdict().rulings) == 3
    records = read_records(read_log(cut.path), cut.game.ruleset)
    settings = [each.event for each in records if isinstance(each, RulingRecord)]
    assert settings[0] == OptionSet("retreat_rule", "own_origin")
    cut.rule(withdraws=first)
    assert cut.game.state.options["air_land_ally"] != "own_only"
