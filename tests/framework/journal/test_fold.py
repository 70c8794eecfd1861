"""Reading and folding records: upcasts, undone orders, rulings, and records that do not fit."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from cutting import cut_after
from msgspec import structs

from sandtable.errors import LogClosed, LogDamaged, PlayError, RulesetMissing
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log, private_file
from sandtable.journal.fold import (
    effective,
    fitting,
    fold_lines,
    fold_log,
    fold_steps,
    other_version,
    plain,
    prepare_for,
    prepare_with,
    read_records,
    steps_from,
    upcast_line,
)
from sandtable.journal.format.chain import START, chain, parted
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import Recorded, log_bytes
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.verify import verify
from sandtable.kernel.dice import key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import EventRecord, OrderRecord, RulingRecord, UndoRecord
from sandtable.kernel.ruleset import Ruleset, Upcast
from sandtable.kernel.sequence import Procedure
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.scratch import Said, Say, scratch_rules
from sandtable.testing.tictactoe import Mark, Marked


def nothing(_: Any) -> Procedure:
    """Ask no question."""
    yield Said("x")


def same(record: dict[str, Any]) -> dict[str, Any]:
    return record


def rules(version: str, **upcasts: str) -> Ruleset:
    """Return rules with upcasts between versions: ``v1="2"``."""
    return scratch_rules(nothing, version=version, upcasts={a[1:]: Upcast(b, same) for a, b in upcasts.items()})


def test_upcasts_lead_step_by_step_to_the_installed_version() -> None:
    three = rules("3", v1="2", v2="3")
    assert [step.to for step in steps_from("1", three)] == ["2", "3"]
    assert [step.to for step in steps_from("2", three)] == ["3"]
    assert steps_from("3", three) == steps_from("0", three) == []
    assert steps_from("1", rules("4", v1="2", v2="3")) == []  # the steps do not reach version 4
    assert steps_from("1", rules("3", v1="2", v2="1")) == []  # the steps form a circle


def test_upcast_changes_a_record_but_not_its_kind_or_number() -> None:
    def with_fields(**fields: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
        return lambda record: {**record, **fields}

    line = b'{"kind":"event","n":7,"event":{"type":"A"}}'
    steps = [
        Upcast("2", with_fields(event={"type": "B"})),
        Upcast("3", lambda record: {"x": record.pop("event"), **record}),
    ]
    assert upcast_line(line, steps, "log: line 8") == b'{"kind":"event","x":{"type":"B"},"n":7}'
    for wrong in (with_fields(n=8), with_fields(kind="roll")):
        with pytest.raises(RulesetMissing, match=r"^log: line 8: the upcast to version 9 changes its kind or number$"):
            upcast_line(line, [Upcast("9", wrong)], "log: line 8")
    for fails in (lambda record: record["none"], lambda record: {"n": 7}):
        with pytest.raises(
            RulesetMissing, match=r"^log: line 8: the upcast to version 9 fails: KeyError: '(none|kind)'$"
        ):
            upcast_line(line, [Upcast("9", fails)], "log: line 8")


def event(n: int, word: str = "x") -> EventRecord[Any]:
    return EventRecord(n, Said(word))


def test_undone_or_replaced_record_no_longer_counts() -> None:
    order: OrderRecord[Any] = OrderRecord(2, "red", Say("go"))
    played = [event(1), order, event(3), event(4)]
    assert effective(played) == played
    assert effective([*played, UndoRecord(5, "red", 2), event(6)]) == [event(1), event(6)]
    assert effective([*played, UndoRecord(5, "red", 4)]) == played[:3]
    amends: RulingRecord[Any] = RulingRecord(5, "umpire", "so", amends=2)
    assert effective([*played, amends, event(6)]) == [event(1), amends, event(6)]
    happened: RulingRecord[Any] = RulingRecord(5, "umpire", "so", Said("y"))
    assert effective([*played, happened]) == [*played, happened]
    assert effective([*played, UndoRecord(5, "red", 2), UndoRecord(6, "red", 1), event(7)]) == [event(7)]


def with_header(log: Log, **fields: Any) -> Log:
    log.header = structs.replace(log.header, **fields)
    return log


def test_prepare_for_follows_the_header_or_names_missing_parts(
    log: Log, prepared: Prepared, rulesets: Rulesets
) -> None:
    installed = prepared.installed
    header = log.header
    assert prepare_for(log, rulesets).options == prepared.options
    cases: list[tuple[dict[str, Any], str]] = [
        ({"ruleset": "toy"}, r"^log: no ruleset has the id 'toy'$"),
        ({"variants": ("snow 1", "mud 2")}, r"^log: was played with snow 1, mud 2; installed is $"),
        ({"scenario": "none"}, r"^log: its scenario 'none' is not part of the installed ruleset$"),
        (
            {"scenario_hash": "0" * 64},
            rf"^log: the scenario '{header.scenario}' has changed since: install the tictactoe that it was played",
        ),
    ]
    for fields, reason in cases:
        with pytest.raises(RulesetMissing, match=reason):
            prepare_with(with_header(log, **fields), installed)
        log.header = header
    reason = r"^log: was played with tictactoe 7; installed is 1: install version 7 .* as "
    with pytest.raises(RulesetMissing, match=reason + "tictactoe@7$"):
        prepare_for(with_header(log, ruleset_version="7"), rulesets)
    assert prepare_for(log, rulesets, any_version=True).ruleset.version == "1"


def test_known_options_of_another_version_are_kept(toy_log: Log, rulesets: Rulesets) -> None:
    installed = rulesets.load("toy")
    options = {"tie": "fall_back", "weather": "fine"}
    assert prepare_with(with_header(toy_log, options=options, ruleset_version="7"), installed).options == {
        "tie": "fall_back"
    }
    stays = {"tie": "stay"}
    assert prepare_with(with_header(toy_log, options={"tie": "never"}), installed).options == stays


def test_other_version_is_described(log: Log, prepared: Prepared) -> None:
    assert other_version(log, prepared.ruleset) == ""
    with_header(log, ruleset_version="7")
    assert other_version(log, prepared.ruleset) == "log: was played with tictactoe 7; version 1 reads it here"


def test_invalid_record_is_refused_with_line_and_likely_cause(log: Log, prepared: Prepared) -> None:
    log.lines[4] = b'{"kind":"event","n":4,"event":{"type":"Other"},"hash":""}'
    with pytest.raises(LogDamaged, match=r"^log: line 5: is not a record of tictactoe: Invalid value 'Other'"):
        read_records(log, prepared.ruleset)
    assert len(read_records(log, prepared.ruleset, 3)) == 3
    with_header(log, ruleset_version="7")
    reason = (
        "is not a record of tictactoe 1, but the log was played with 7: install that, or give the ruleset an upcast: "
    )
    with pytest.raises(RulesetMissing, match=rf"^log: line 5: {reason}Invalid"):
        read_records(log, prepared.ruleset)
    log.lines[4] = b'{"kind":"undo","n":5,"by":"x","to":1,"hash":""}'
    with pytest.raises(LogDamaged, match=r"^log: line 5: is record 5, expected record 4$"):
        read_records(log, prepared.ruleset)


def test_reason_for_a_closed_record_is_given(toy_game: Recorded, toy: Prepared, tmp_path: Path) -> None:
    name = str(tmp_path / "log")
    merge = "`sandtable log join` joins the files of one game"
    missing = ", or log.private, which must be next to it until the game is over, is missing"
    for cut, beside, why in ((False, False, ""), (True, False, missing), (True, True, "")):
        log = parse_log(
            slice_log(parse_log(cut_after(toy_game.data, 12) if cut else toy_game.data, name), toy, "north"), name
        )
        if beside:
            private_file(name).touch()
        reason = f"this file holds what one side may see{why}; {merge}"
        with pytest.raises(LogClosed, match=rf"^{name}: line \d+: record \d+ is closed here: {reason}$"):
            read_records(log, toy.ruleset)
        with pytest.raises(LogClosed, match=rf"^{name}: record \d+ is closed here: {reason}$"):
            fold_log(log, toy)


def test_log_that_cannot_be_folded_is_refused(log: Log, prepared: Prepared) -> None:
    bodies = [parted(line)[0] for line in log.lines[:3]]
    number = len(bodies)
    strange = parse_log(chain([*bodies, b'{"kind":"event","n":3,"event":{"type":"Other"}'], START)[0], "x")
    with pytest.raises(LogDamaged, match=r"^x: a record does not belong to tictactoe: Invalid value 'Other'"):
        fold_log(strange, prepared)
    sealed = parse_log(chain([*bodies, b'{"kind":"event","n":3,"sealed":{x'], START)[0], "x")
    with pytest.raises(LogDamaged, match=r"^x: a record does not belong to tictactoe: "):
        fold_log(sealed, prepared)
    assert fold_log(strange, prepared, number - 1).cells == [""] * 9  # type: ignore[attr-defined]  # a State of this game
    unfit = parse_log(
        chain([*bodies, b'{"kind":"event","n":3,"event":{"type":"Marked","side":"z","cell":1}'], START)[0], "x"
    )
    reason = r"^x: record 3 does not fit the state before it: Marked: KeyError: 'z'"
    with pytest.raises(LogDamaged, match=reason + "$"):
        fold_log(unfit, prepared)
    with pytest.raises(RulesetMissing, match=reason + ": x: was played with tictactoe 7; .*: install"):
        fold_log(with_header(unfit, ruleset_version="7"), prepared)
    records = read_records(parse_log(unfit.data, "x"), prepared.ruleset)
    with pytest.raises(LogDamaged, match=reason + "$"):
        list(fold_steps(records, prepared, "x"))


def test_only_events_and_rulings_are_folded(prepared: Prepared) -> None:
    records: list[Any] = [
        EventRecord(1, Marked("x", 0)),
        OrderRecord(2, "o", SimpleNamespace()),
        RulingRecord(3, "umpire", "so", Marked("o", 1)),
        RulingRecord(4, "umpire", "so", amends=9),
        EventRecord(5, Marked("x", 2)),
        UndoRecord(6, "x", 5),
    ]
    steps: list[tuple[int, list[str]]] = []
    state: Any
    for each, state in fold_steps(records, prepared):
        steps.append((each.n, state.cells[:3]))
    assert [n for n, _ in steps] == [1, 2, 3, 4]
    assert steps[-1][1] == ["x", "o", ""]
    lines = [msgspec.json.encode(each) for each in records if not isinstance(each, OrderRecord)]
    assert fold_lines(lines, prepared).cells[:3] == ["x", "o", ""]  # type: ignore[attr-defined]  # a State of this game
    assert fold_lines(lines[:1], prepared).cells[:3] == ["x", "", ""]  # type: ignore[attr-defined]  # a State of this game
    for broken in (lines[0][:-3], lines[1][:-3]):
        with pytest.raises(LogDamaged, match=r"^the log: a record does not belong to tictactoe: "):
            fold_lines([broken], prepared)


def test_failure_of_ruleset_code_is_reported_with_a_hint() -> None:
    with pytest.raises(LogDamaged) as caught, fitting("log", "it cannot be drawn"):
        raise KeyError("z")
    assert str(caught.value) == (
        "log: it cannot be drawn: KeyError: 'z': `sandtable verify` shows whether log or ruleset is at fault"
    )
    with pytest.raises(PlayError, match=r"^ours$"), fitting("log", "x"):
        raise PlayError("ours")


def test_folding_to_each_record_gives_its_state(game: Recorded, log: Log, prepared: Prepared) -> None:
    again = prepared.new_game(make_dice("open", key_from_seed("a")))
    again.start()
    orders = [record.order for record in game.game.records if hasattr(record, "order")]
    for order in orders:
        again.submit(order)
        assert fold_log(log, prepared, len(again.records)) == again.state
    assert again.is_over


def finish(game: Game) -> None:
    while game.pending is not None:
        game.submit(next(iter(game.waiting()[0].options.values())))


def test_undone_orders_stay_in_the_log_without_counting(prepared: Prepared) -> None:
    dice = make_dice("open", key_from_seed("u"))
    game = prepared.new_game(dice)
    game.start()
    for cell in (0, 1, 2):
        game.submit(Mark(cell))
    game.undo("x")
    game.undo("o")
    assert plain(game.state)["cells"] == ["x", *[""] * 8]
    game.submit(Mark(8))
    header = make_header(prepared, {"x": "human", "o": "human"}, dice)
    log = parse_log(log_bytes(header, game)[0], "log")
    assert fold_log(log, prepared) == game.state
    finish(game)
    log = parse_log(log_bytes(header, game)[0], "log")
    assert verify(log, prepared, deep=True).verdict == "verified"
    assert sum(b'"kind":"undo"' in line for line in log.lines) == 2


def test_log_with_a_ruling_is_verified(prepared: Prepared) -> None:
    dice = make_dice("open", key_from_seed("r"))
    game = prepared.new_game(dice)
    game.start()
    game.rule(Marked("x", 4), "x's pen had run dry")
    assert plain(game.state)["cells"][4] == "x"
    assert Mark(4) not in list(game.waiting()[0].options.values())
    finish(game)
    log = parse_log(log_bytes(make_header(prepared, {}, dice), game)[0], "log")
    assert verify(log, prepared, deep=True).verdict == "verified"
    assert fold_log(log, prepared) == game.state
