"""The page for authors: its ten steps make a ruleset that meets the contract, and its examples work."""

import doctest
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from battles import brief

from sandtable.errors import IllegalOrder, PlayError
from sandtable.journal.fold import fold_steps
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.options import Form, Range
from sandtable.kernel.play.views import View
from sandtable.kernel.records import EventRecord
from sandtable.players.players import seat_players
from sandtable.players.umpires import RulesetUmpire
from sandtable.plugin.groups import Battles
from sandtable.plugin.hookspecs import hookimpl
from sandtable.plugin.manager import Installed, Rulesets
from sandtable.rules.chance.battles import battle_odds
from sandtable.tabletop.checking import space_for
from sandtable.testing import check_ruleset, fuzz_game, toy

PAGE = Path(__file__).parents[3] / "plugins" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
STEPS, HOOKS = TEXT.split("## The hooks")
NOT_IN_THE_TOY = {
    *("ruleset_upcasts", "ruleset_battles", "Bots.players", "Battles.odds", "Battles.stage", "Battles.report"),
    *(
        f"Ui.{name}"
        for name in ["digest", "picture", "fill_in", "read_order", "doubt", "words", "answer", "table", "sums"]
    ),
}


def samples(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def hook_sample(name: str) -> str:
    (section,) = re.findall(rf"^####? `{name}`\n(.*?)(?=^####? |\Z)", HOOKS, flags=re.MULTILINE | re.DOTALL)
    (sample,) = samples(section)
    return sample


def run(name: str) -> dict[str, Any]:
    """Return the names of the toy with the sample ``name`` run among them."""
    names = {**vars(toy), "EventRecord": EventRecord}
    exec(hook_sample(name), names)  # noqa: S102 - our own page
    return names


@pytest.fixture
def duel(tmp_path: Path) -> Installed:
    (tmp_path / "duel.py").write_text("\n".join(samples(STEPS)), encoding="utf-8")
    return Rulesets(tmp_path).load("duel")


@pytest.mark.full
def test_ten_steps_make_a_ruleset_that_passes_the_contract(duel: Installed) -> None:
    report = check_ruleset(duel, games=10, bound=5_000)
    assert report.ok, str(report.broken)


def test_duel_has_both_endings_after_ten_steps(duel: Installed) -> None:
    assert re.findall(r"^### (\d+)\. ", STEPS, flags=re.MULTILINE) == [str(number) for number in range(1, 11)]
    prepared = duel.prepare()
    endings = {fuzz_game(prepared, str(number)).game.state.ending for number in range(60)}
    assert endings == set(duel.manifest.endings)


@pytest.mark.parametrize("name", re.findall(r"^####? `(ruleset_\w+|\w+\.\w+)`", HOOKS, flags=re.MULTILINE))
def test_hook_examples_match_the_toy(name: str) -> None:
    own = getattr(toy, name.rpartition(".")[2], None)
    assert (own is None) == (name in NOT_IN_THE_TOY)
    if own is not None:
        assert hook_sample(name) == inspect.getsource(own)


@pytest.mark.full
def test_variant_example_works(tmp_path: Path) -> None:
    head = (
        "from collections.abc import Generator, Mapping\n\nfrom msgspec.structs import replace\n\n"
        "import sandtable as st\nfrom sandtable.testing.toy import ROAD, Ford, FrontMoved\n\n"
    )
    (tmp_path / "toy.py").write_text("from sandtable.testing.toy import *\n", encoding="utf-8")
    (tmp_path / "dusk.py").write_text(head + hook_sample("variant_manifest"), encoding="utf-8")
    dusk = Rulesets(tmp_path).load("toy+dusk")
    state = toy.Ford(troops={}, front=3)
    table = {event: entry.handler for event, entry in dusk.prepare().ruleset.table.items()}
    table[toy.FrontMoved](state, toy.FrontMoved(4, "TOY-3"))
    assert state.front == 5
    assert check_ruleset(dusk, games=5, bound=5_000).ok


def test_player_example_works() -> None:
    makers = run("Bots.players")["ruleset_bots"]().players
    prepared = Installed("toy", toy, "").prepare()
    game = prepared.new_game(KeyedDice(key_from_seed("bold")))
    game.play({seat: makers["bold"](seat, Stream(seat.encode()), prepared.board) for seat in ("north", "south")})
    assert game.is_over


def test_doubt_example_asks_about_an_empty_order() -> None:
    doubt = run("Ui.doubt")["doubt"]
    assert doubt(toy.Commit(0)) == "no troops would fight"
    assert doubt(toy.Commit(1)) is None


def test_fill_in_example_builds_the_view_of_a_side() -> None:
    prepared = Installed("toy", toy, "").prepare()
    game = fuzz_game(prepared, "fill in").game
    fill_in = run("Ui.fill_in")["fill_in"]
    for side in toy.FORWARD:
        *_, (_, state) = fold_steps(fill_in(seen_records(game.records, prepared, side), side), prepared)
        assert prepared.ruleset.view(state, side) == game.view(side)


def test_read_order_example_works() -> None:
    read = run("Ui.read_order")["read_order"]
    decision = Decision("north", "commit troops", Form(toy.Commit, {"troops": Range(0, 3)}), "TOY-2")
    assert read(decision, "commit 2", None) == read(decision, "send 2", None) == toy.Commit(2)
    assert read(decision, "hold", None) == toy.Commit(0)
    assert read(decision, "help", None) is None
    assert re.fullmatch(r"commit [0-3], or: hold", read(decision, "?", None))
    with pytest.raises(IllegalOrder, match="expected a whole number from 0 to 3"):
        read(decision, "commit many", None)


def test_answer_example_works() -> None:
    answer = run("Ui.answer")["answer"]
    assert answer({"front": 1}, "far east").lines == ("the front is 3 spaces from the east",)
    assert answer({"front": 1}, "where is it") is None
    assert [line.split(" ")[0] for line in answer({"front": 1}, "?").lines] == ["far"]
    with pytest.raises(PlayError, match="'north' is not a side"):
        answer({"front": 1}, "far north")


def test_sums_example_works() -> None:
    sums = run("Ui.sums")["sums"]
    records = [EventRecord(n, toy.FrontMoved(front, "TOY-3")) for n, front in enumerate((3, 4, 3), start=1)]
    assert [sum_.total for sum_ in sums(records)] == [3]
    assert sums(records)[0].steps == (("it was at", 4, "TOY-3"), ("it moved", -1, "TOY-3"))
    assert sums([EventRecord(1, toy.TroopsSpent({}, "TOY-2"))]) == ()


def test_table_example_works() -> None:
    table = run("Ui.table")["table"]
    assert table("weather") is None
    assert table("push").around("2", "1") == (
        "push",
        {"row 1": "hold", "row 3": "push", "column 0": "push", "column 2": "hold"},
    )


def test_battle_example_has_odds() -> None:
    prepared = Installed("toy", toy, "").prepare()
    battle = run("Battles.odds")["odds"]("2", "1", {"tie": "stay"})
    odds = battle_odds(battle, prepared.ruleset)
    assert odds.method == "exact"
    assert [round(each * 8) for each in (odds.attacker, odds.defender, odds.draw)] == [4, 1, 3]


def test_stage_and_report_examples_work() -> None:
    fighting = ModuleType("toy")
    vars(fighting).update(vars(toy))
    battles = Battles(stage=run("Battles.stage")["stage"], report=run("Battles.report")["report"])
    vars(fighting)["ruleset_battles"] = hookimpl(lambda: battles)
    installed = Installed("toy", fighting, "")
    umpire = RulesetUmpire(Stream(b"page"), installed, "random", seat_players)
    space = space_for(brief(), sources=("toy",))
    order = umpire.choose(Decision("umpire", "report", space), View("umpire", lambda _: None))
    assert space.why_not(order) is None
    assert len(umpire.battles) == 1


def test_prompt_examples_of_the_page_are_correct() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 5) == (0, True)


def test_upcast_example_makes_a_current_record() -> None:
    (step,) = run("ruleset_upcasts")["ruleset_upcasts"]().values()
    old = {"kind": "event", "n": 7, "event": {"type": "Grew", "men": 3}}
    assert step.to == "2"
    assert step.record(old) == {"kind": "event", "n": 7, "event": {"type": "Grew", "troops": 3}}
