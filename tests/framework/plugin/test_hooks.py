"""Every hook is called with what its specification says, and has a page in ``plugins/README.md`` and a test here."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from battles import brief

from sandtable.errors import DataError, IllegalOrder, PlayError, RulesetMissing
from sandtable.journal.battles import report, stage
from sandtable.journal.explain import sums_of
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import KeyedDice, Stream
from sandtable.kernel.events import Calculation
from sandtable.kernel.play.views import View
from sandtable.kernel.records import EventRecord, OrderRecord
from sandtable.kernel.ruleset import Upcast
from sandtable.plugin import hookspecs
from sandtable.plugin.hookspecs import hookimpl
from sandtable.plugin.manager import Installed
from sandtable.plugin.manifest import Answer, Manifest, Parts, PrintedTable, Staged, Variant
from sandtable.rules.chance.battlefield import OddsBattle
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.result import Result
from sandtable.tabletop.terms import Terms
from sandtable.testing import toy as module
from sandtable.testing.scratch import Said, Say, ScratchState, ask
from sandtable.testing.toy import Commit, Ford
from sandtable.viewer.narrate import narrate
from sandtable.viewer.picture import Picture

PAGE = Path(__file__).parents[3] / "plugins" / "README.md"
HOOKS = {name: spec for name, spec in vars(hookspecs).items() if hasattr(spec, f"{hookspecs.PROJECT}_spec")}

With = Callable[..., Installed]


@pytest.fixture
def toy_with() -> With:
    """Return a maker of the toy with hooks put in, or put in place of its own."""

    def build(**hooks: Callable[..., Any]) -> Installed:
        changed = ModuleType("toy")
        vars(changed).update(vars(module))
        vars(changed).update({name: hookimpl(hook) for name, hook in hooks.items()})
        return Installed("toy", changed, "")

    return build


# ---------------------------------------------------------------- the law


def test_there_are_hooks() -> None:
    assert len(HOOKS) == 23
    assert all(name.startswith("ruleset_") for name in HOOKS if name != "variant_manifest")


@pytest.mark.parametrize("name", HOOKS)
def test_each_hook_has_a_test_of_its_name(name: str) -> None:
    assert f"test_hook_{name}" in globals()


@pytest.mark.parametrize("name", HOOKS)
def test_each_hook_has_a_page_with_its_signature(name: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    sections = re.split(r"^### ", text, flags=re.MULTILINE)
    (section,) = [each for each in sections if each.startswith(f"`{name}`")]
    arguments = ", ".join(inspect.signature(HOOKS[name]).parameters)
    assert f"{name}({arguments})" in section
    for word in ("Called", "Return"):
        assert word in section
    assert "```python" in section


def test_no_page_tells_of_a_hook_that_is_not() -> None:
    told = re.findall(r"^### `((?:ruleset|variant)_\w+)`", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert told == list(HOOKS)


@pytest.mark.parametrize("name", HOOKS)
def test_each_hook_says_when_it_is_asked_and_what_it_returns(name: str) -> None:
    text = inspect.getdoc(HOOKS[name]) or ""
    assert text.startswith("Asked ")
    assert "Return " in text


# ---------------------------------------------------------------- one by one


def test_hook_ruleset_manifest(toy: Installed) -> None:
    assert isinstance(toy.manifest, Manifest)
    assert (toy.manifest.id, toy.manifest.sides) == ("toy", ("north", "south"))


def test_hook_ruleset_index(toy: Installed, toy_with: With) -> None:
    assert [row.id for row in toy.hook.ruleset_index()] == ["TOY-1", "TOY-2", "TOY-3", "TOY-3a", "TOY-4", "TOY-5"]
    assert {row.state for row in toy.hook.ruleset_index()} == {"rule", "ruling"}
    assert toy_with(ruleset_index=lambda: None).hook.ruleset_index() is None


def test_hook_ruleset_scenarios(toy: Installed, toy_with: With) -> None:
    assert list(toy.hook.ruleset_scenarios()) == ["toy"]

    def ruleset_scenarios() -> dict[str, Path]:
        return {}

    assert toy_with(ruleset_scenarios=ruleset_scenarios).scenario_ids() == ("standard",)


def test_hook_ruleset_parts(toy: Installed, toy_with: With) -> None:
    asked: list[Any] = []

    def ruleset_parts(scenario: Any, options: Any) -> Parts:
        asked.append((scenario.id, dict(options)))
        return module.ruleset_parts(options)

    prepared = toy_with(ruleset_parts=ruleset_parts).prepare(options={"tie": "fall_back"})
    assert asked == [("toy", {"tie": "fall_back"})]
    assert [step.name for step in prepared.ruleset.sequence.steps] == ["ambush", "battle", "dusk"]
    assert prepared.ruleset.reveals == (module.AmbushSprung,)


def test_hook_ruleset_setup(toy: Installed, toy_with: With) -> None:
    prepared = toy.prepare()
    state = prepared.new_game(KeyedDice(bytes(32))).state
    assert isinstance(state, Ford)
    assert state.troops == {"north": 12, "south": 12}
    assert state.options == {"tie": "stay"}
    assert prepared.board == {"turns": 8}

    def ruleset_setup(scenario: Any) -> Any:
        raise DataError(scenario.source, "forces", "none")

    with pytest.raises(DataError, match=r"toy\.toml: forces: none"):
        toy_with(ruleset_setup=ruleset_setup).prepare()


def test_hook_ruleset_players(toy: Installed, toy_with: With) -> None:
    assert toy.hook.ruleset_players() is None

    class Bold:
        def __init__(self, seat: str, stream: Stream, board: Any) -> None:
            self.seat, self.board = seat, board

        def choose(self, decision: Decision, view: View) -> Any:
            return list(decision.options.values())[-1]

    installed = toy_with(ruleset_players=lambda: {"bold": Bold})
    makers = installed.hook.ruleset_players()
    prepared = installed.prepare()
    game = prepared.new_game(KeyedDice(bytes(32)))
    game.play({seat: makers["bold"](seat, Stream(b""), prepared.board) for seat in ("north", "south")})
    assert game.is_over
    assert [record.order for record in game.records if hasattr(record, "order")][2] == Commit(3)


def test_hook_ruleset_deal(toy: Installed, toy_with: With) -> None:
    view = {"front": 4, "troops": {"north": 3, "south": 5}, "ambush": 2}
    dealt = [
        toy.hook.ruleset_deal(view=view, side="north", board=None, stream=Stream(bytes([number])), now=view)
        for number in range(60)
    ]
    assert all(module.view(state, "north") == view for state in dealt)
    assert {state.ambush["south"] for state in dealt} == set(module.ROAD)
    nothing = toy_with(ruleset_deal=lambda: None).hook
    assert nothing.ruleset_deal(view=view, side="", board=None, stream=None, now=None) is None


def test_hook_ruleset_upcasts(toy: Installed, toy_with: With) -> None:
    assert toy.hook.ruleset_upcasts() is None
    steps = {"0": Upcast("1", dict)}
    assert toy_with(ruleset_upcasts=lambda: steps).prepare().ruleset.upcasts == steps


def test_hook_ruleset_evaluate(toy: Installed, toy_with: With) -> None:
    def told(**facts: Any) -> Any:
        return toy.hook.ruleset_evaluate(state=Ford(troops={"north": 12, "south": 12}, **facts), board=None)

    assert told() == {"north": 500, "south": 500}
    assert told(front=4) == {"north": 650, "south": 350}
    nothing = toy_with(ruleset_evaluate=lambda: None)
    assert nothing.hook.ruleset_evaluate(state=None, board=None) is None


def test_hook_ruleset_narrate(toy: Installed) -> None:
    records = [type("Record", (), {"event": event}) for event in (module.FrontMoved(4, "TOY-3"), Said("x"))]
    told = [toy.hook.ruleset_narrate(record=record, board=None) for record in [*records, object()]]
    assert told == ["The front moves to space 4.", None, None]


def test_hook_ruleset_digest(toy: Installed, toy_with: With) -> None:
    def ruleset_digest(records: list[Any]) -> dict[int, str]:
        return {1: "", 2: "The front moves twice.\nNobody is left."}

    moved = [EventRecord(number, module.FrontMoved(number, "TOY-3")) for number in (1, 2, 3)]
    told = toy_with(ruleset_digest=ruleset_digest).hook.ruleset_digest(records=moved, board=None)
    lines = list(narrate(moved, lambda record: f"to {record.event.front}", digest=told))
    assert lines == ["  The front moves twice.", "  Nobody is left.", "  to 3"]
    assert toy.hook.ruleset_digest(records=moved, board=None) is None


def test_hook_ruleset_fill_in(toy: Installed, toy_with: With) -> None:
    def ruleset_fill_in(records: list[Any], side: str) -> list[Any]:
        return [EventRecord(1, Said(side)), *records]

    moved = [EventRecord(2, module.FrontMoved(2, "TOY-3"))]
    filled = toy_with(ruleset_fill_in=ruleset_fill_in).hook.ruleset_fill_in(records=moved, side="north", board=None)
    assert filled == [EventRecord(1, Said("north")), *moved]
    assert toy.hook.ruleset_fill_in(records=moved, side="north", board=None) is None


def test_hook_ruleset_draw(toy: Installed) -> None:
    assert toy.draw({"front": 1}, None, "text") == "X----"
    assert toy.draw({"front": 1}, None, "svg") is None


def test_hook_ruleset_picture(toy: Installed, toy_with: With) -> None:
    def ruleset_picture(view: dict[str, Any], board: Any) -> Picture:
        return Picture(f"the front at {view['front']}", 600, 200, (), (), ())

    shown = toy_with(ruleset_picture=ruleset_picture).hook.ruleset_picture(view={"front": 1}, board=None)
    assert shown.title == "the front at 1"
    assert toy.hook.ruleset_picture(view={"front": 1}, board=None) is None


def test_a_focus_is_for_rulesets_that_know_one(toy: Installed, toy_with: With) -> None:
    with pytest.raises(PlayError, match="toy shows nothing more of 'the ford': ask for the board without it"):
        toy.draw({"front": 1}, None, "text", "the ford")
    assert toy_with(ruleset_draw=lambda style, focus: f"{style} of {focus}").draw({}, None, "text", "x") == "text of x"


def test_hook_ruleset_read_order(toy: Installed, toy_with: With) -> None:
    def ruleset_read_order(decision: Decision, text: str) -> Commit | None:
        if not text.startswith("commit "):
            return None
        if not text[7:].isdigit():
            raise IllegalOrder("TOY-2", f"{text[7:]!r} is no number of troops")
        return Commit(int(text[7:]))

    decision = ask("north", "a")
    assert toy.hook.ruleset_read_order(decision=decision, text="commit 2", board=None) is None
    read = toy_with(ruleset_read_order=ruleset_read_order).hook.ruleset_read_order
    assert read(decision=decision, text="commit 2", board=None) == Commit(2)
    assert read(decision=decision, text="help", board=None) is None
    with pytest.raises(IllegalOrder, match="'two' is no number of troops"):
        read(decision=decision, text="commit two", board=None)


def test_hook_ruleset_answer(toy: Installed, toy_with: With) -> None:
    def ruleset_answer(view: dict[str, Any], text: str) -> Answer | None:
        return Answer(None, (f"the front is at {view['front']}",), ("TOY-1",)) if text == "front" else None

    asked = toy_with(ruleset_answer=ruleset_answer)
    assert asked.answer({"front": 1}, None, "front") == Answer(None, ("the front is at 1",), ("TOY-1",))
    assert asked.answer({"front": 1}, None, "weather") is None
    assert toy.answer({"front": 1}, None, "front") is None


def test_hook_ruleset_table(toy: Installed, toy_with: With) -> None:
    printed = PrintedTable(("a", "b"), {"1": ("hold", "push"), "2": ("hold", "hold")})

    def ruleset_table(name: str) -> PrintedTable | None:
        return printed if name == "push" else None

    shown = toy_with(ruleset_table=ruleset_table)
    assert shown.table("push", None) == printed
    assert shown.table("pull", None) is None
    assert toy.table("push", None) is None
    assert printed.around("1", "b") == ("push", {"row 2": "hold", "column a": "hold"})
    assert printed.around("2", "a") == ("hold", {"row 1": "hold"}), "a row that is the same all over has no neighbours"
    assert printed.around("1", "") == ("", {"column a": "hold", "column b": "push"})
    assert printed.around("3", "a") is None


def test_hook_ruleset_sums(toy: Installed, toy_with: With) -> None:
    def ruleset_sums(records: list[Any]) -> tuple[Calculation, ...]:
        return (Calculation("front", (("all moves", records[-1].event.front, "TOY-3"),)),)

    summed = toy_with(ruleset_sums=ruleset_sums)
    moved = EventRecord(1, module.FrontMoved(4, "TOY-3"))
    assert [each.total for each in sums_of(summed.prepare(), [moved])] == [4]
    assert sums_of(summed.prepare(), [OrderRecord(2, "north", Commit(1))]) == (), "an order has no figures"
    assert sums_of(toy.prepare(), [moved]) == ()


def test_hook_ruleset_words(toy: Installed, toy_with: With) -> None:
    def ruleset_words(value: Any, view: Any) -> str | None:
        return f"commit {value.troops} of {view['troops']}" if isinstance(value, Commit) else None

    assert toy.hook.ruleset_words(value=Commit(2), view={"troops": 3}, board=None) is None
    words = toy_with(ruleset_words=ruleset_words).hook.ruleset_words
    assert words(value=Commit(2), view={"troops": 3}, board=None) == "commit 2 of 3"
    assert words(value="a", view={"troops": 3}, board=None) is None


def test_hook_ruleset_battle(toy: Installed, toy_with: With) -> None:
    def ruleset_battle(attack: str, defend: str, options: Any) -> OddsBattle:
        state = ScratchState(said=[attack, defend, options["tie"]])
        return OddsBattle(state, None, lambda _: Say("on"), lambda _: None, lambda each: tuple(each.said))

    assert toy.hook.ruleset_battle(attack="3", defend="2", options={"tie": "stay"}) is None
    battle = toy_with(ruleset_battle=ruleset_battle).hook.ruleset_battle(
        attack="3", defend="2", options={"tie": "stay"}
    )
    assert battle.key(battle.state) == ("3", "2", "stay")


def test_hook_ruleset_stage(toy: Installed, toy_with: With) -> None:
    def ruleset_stage(brief: Brief) -> Staged:
        return Staged(
            {"scenario": {"id": "ford", "title": brief.place_title, "troops": 5, "turns": 2}}, {"tie": "stay"}
        )

    def ruleset_report(terms: Any) -> Any:
        return None

    with pytest.raises(RulesetMissing, match="toy fights no battles for others: it has no hook ruleset_stage"):
        stage(toy, brief())
    prepared = stage(toy_with(ruleset_stage=ruleset_stage, ruleset_report=ruleset_report), brief())
    assert (prepared.scenario.title, prepared.scenario.own, prepared.board) == ("Sidi Rezegh", True, {"turns": 2})


def test_hook_ruleset_report(toy_with: With) -> None:
    def ruleset_report(terms: Terms, state: Any, board: Any) -> Result:
        assert board == {"turns": 2}
        return Result(terms.brief.sides[state.turn], {"axis": 1, "allies": 6})

    state = ScratchState(turn=1)
    state.place_board({"turns": 2})
    told = report(toy_with(ruleset_report=ruleset_report), Terms(brief()), state, "ab" * 32)
    assert told == Result("allies", {"axis": 1, "allies": 6}, source="toy", battle="ab" * 32)


def test_hook_variant_manifest() -> None:
    dusk = ModuleType("dusk")
    vars(dusk)["variant_manifest"] = hookimpl(lambda: Variant("dusk", "toy", "The ford at dusk", "2"))
    assert Installed("toy", module, "", {"dusk": dusk}).variants == ("dusk 2",)


def test_a_variant_wraps_the_hooks_of_a_ruleset(toy: Installed) -> None:
    """A second plugin beside the ruleset: the first answer is its, made of the ruleset's own."""

    class Dusk:
        @hookimpl(wrapper=True)
        def ruleset_narrate(self) -> Any:
            told = yield
            return told and f"At dusk: {told}"

    toy._plugins.register(Dusk())
    record = type("Record", (), {"event": module.FrontMoved(4, "TOY-3")})
    assert toy.hook.ruleset_narrate(record=record, board=None) == "At dusk: The front moves to space 4."
