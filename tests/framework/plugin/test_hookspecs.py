"""Every hook is called as its specification says, and has a page in ``plugins/README.md``."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from battles import brief
from msgspec.structs import replace

from sandtable.errors import DataError, PlayError, RulesetMissing
from sandtable.journal.battles import report, stage
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import KeyedDice, Stream
from sandtable.kernel.play.views import View
from sandtable.kernel.ruleset import Upcast
from sandtable.plugin.groups import Battles, Bots, Ui, nothing
from sandtable.plugin.hookspecs import GROUPS, HOOKS, hookimpl
from sandtable.plugin.manager import Installed
from sandtable.plugin.manifest import Answer, Manifest, Parts, PrintedTable, Staged, Variant
from sandtable.tabletop.brief import Brief
from sandtable.tabletop.result import Result
from sandtable.tabletop.terms import Terms
from sandtable.testing import toy as module
from sandtable.testing.scratch import ScratchState
from sandtable.testing.toy import Commit, Ford

PAGE = Path(__file__).parents[3] / "plugins" / "README.md"
MEMBERS = {f"{group.__name__}.{spec.__name__}": spec for group in GROUPS.values() for spec in group.SPECS}

With = Callable[..., Installed]


@pytest.fixture
def toy_with() -> With:
    """Return a maker of the toy with added or replaced hooks."""

    def build(**hooks: Callable[..., Any]) -> Installed:
        changed = ModuleType("toy")
        vars(changed).update(vars(module))
        vars(changed).update({name: hookimpl(hook) for name, hook in hooks.items()})
        return Installed("toy", changed, "")

    return build


def no_ui() -> Ui:
    return Ui()


def variant(name: str, hook: Callable[..., Any] | None = None) -> dict[str, ModuleType]:
    """Return a variant of the toy that wraps one hook, which is called as ``hook`` is."""
    made = ModuleType(name)
    vars(made)["variant_manifest"] = hookimpl(lambda: Variant(name, "toy", f"The ford at {name}", "2"))
    if hook:
        vars(made)[hook.__name__] = hookimpl(hook, wrapper=True)
    return {name: made}


# ---------------------------------------------------------------- documentation


def test_there_are_ten_hooks_and_sixteen_group_functions() -> None:
    assert (len(HOOKS), len(MEMBERS)) == (10, 16)
    assert all(name.startswith("ruleset_") for name in HOOKS if name != "variant_manifest")


@pytest.mark.parametrize("name", [*HOOKS, *MEMBERS])
def test_each_hook_has_a_section_with_its_signature(name: str) -> None:
    sections = re.split(r"^####? ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (section,) = [each for each in sections if each.startswith(f"`{name}`")]
    spec = {**HOOKS, **MEMBERS}[name]
    assert f"{name.rpartition('.')[2]}({', '.join(inspect.signature(spec).parameters)})" in section
    for word in ("Called", "Return", "```python"):
        assert word in section
    text = inspect.getdoc(spec) or ""
    assert text.startswith("Return ")
    assert "Called " in text


def test_hook_page_describes_only_existing_hooks() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^### `((?:ruleset|variant)_\w+)`", text, flags=re.MULTILINE) == list(HOOKS)
    assert re.findall(r"^#### `(\w+\.\w+)`", text, flags=re.MULTILINE) == ["Bots.players", *MEMBERS]


# ---------------------------------------------------------------- one by one


def test_ruleset_manifest_hook_supplies_the_manifest(toy: Installed) -> None:
    assert isinstance(toy.manifest, Manifest)
    assert (toy.manifest.id, toy.manifest.sides) == ("toy", ("north", "south"))


def test_ruleset_index_hook_supplies_the_rule_index(toy: Installed, toy_with: With) -> None:
    assert [row.id for row in toy.hook.ruleset_index()] == ["TOY-1", "TOY-2", "TOY-3", "TOY-3a", "TOY-4", "TOY-5"]
    assert {row.state for row in toy.hook.ruleset_index()} == {"rule", "ruling"}
    assert toy_with(ruleset_index=lambda: None).hook.ruleset_index() is None


def test_ruleset_scenarios_hook_supplies_the_scenarios(toy: Installed, toy_with: With) -> None:
    assert list(toy.hook.ruleset_scenarios()) == ["toy"]

    def ruleset_scenarios() -> dict[str, Path]:
        return {}

    assert toy_with(ruleset_scenarios=ruleset_scenarios).scenario_ids() == ("standard",)


def test_ruleset_parts_hook_supplies_the_parts(toy: Installed, toy_with: With) -> None:
    asked: list[Any] = []

    def ruleset_parts(scenario: Any, options: Any) -> Parts:
        asked.append((scenario.id, dict(options)))
        return module.ruleset_parts(options)

    prepared = toy_with(ruleset_parts=ruleset_parts).prepare(options={"tie": "fall_back"})
    assert asked == [("toy", {"tie": "fall_back"})]
    assert [step.name for step in prepared.ruleset.sequence.steps] == ["ambush", "battle", "dusk"]
    assert prepared.ruleset.reveals == (module.AmbushSprung,)


def test_ruleset_setup_hook_returns_state_and_board(toy: Installed, toy_with: With) -> None:
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


def test_ruleset_upcasts_hook_supplies_the_upcasts(toy: Installed, toy_with: With) -> None:
    assert toy.hook.ruleset_upcasts() is None
    steps = {"0": Upcast("1", dict)}
    assert toy_with(ruleset_upcasts=lambda: steps).prepare().ruleset.upcasts == steps


def test_ruleset_bots_hook_supplies_the_bots(toy: Installed, toy_with: With) -> None:
    assert toy.bots.players == {}

    class Bold:
        def __init__(self, seat: str, stream: Stream, board: Any) -> None:
            self.seat, self.board = seat, board

        def choose(self, decision: Decision, view: View) -> Any:
            return list(decision.options.values())[-1]

    installed = toy_with(ruleset_bots=lambda: Bots({"bold": Bold}))
    prepared = installed.prepare()
    game = prepared.new_game(KeyedDice(bytes(32)))
    game.play({seat: installed.bots.players["bold"](seat, Stream(b""), prepared.board) for seat in ("north", "south")})
    assert game.is_over
    assert [record.order for record in game.records if hasattr(record, "order")][2] == Commit(3)


def test_ruleset_ui_hook_supplies_the_interface(toy: Installed, toy_with: With) -> None:
    assert toy.ui.members() == ["narrate", "draw"]
    assert toy_with(ruleset_ui=no_ui).ui.members() == []


def test_ruleset_battles_hook_supplies_the_battles(toy: Installed, toy_with: With) -> None:
    assert toy.battles == Battles()
    assert toy_with(ruleset_battles=lambda: Battles(odds=lambda: None)).battles.members() == ["odds"]


def test_draw_function_draws_text_or_returns_none(toy: Installed, toy_with: With) -> None:
    plain = toy_with(ruleset_ui=no_ui)
    assert toy.draw({"front": 1}, None, "text") == "X----"
    assert toy.draw({"front": 1}, None, "svg") is plain.draw({"front": 1}, None, "text") is None
    for without in (toy, plain):
        with pytest.raises(PlayError, match="toy cannot show 'the ford' in detail: show the board without it"):
            without.draw({"front": 1}, None, "text", "the ford")
    focusing = toy_with(ruleset_ui=lambda: Ui(draw=lambda style, focus: f"{style} of {focus}"))
    assert focusing.draw({}, None, "text", "x") == "text of x"


def test_answer_function_answers_queries(toy: Installed, toy_with: With) -> None:
    def answer(view: dict[str, Any], text: str) -> Answer | None:
        return Answer(None, (f"the front is at {view['front']}",), ("TOY-1",)) if text == "front" else None

    asked = toy_with(ruleset_ui=lambda: Ui(answer=answer))
    assert asked.answer({"front": 1}, None, "front") == Answer(None, ("the front is at 1",), ("TOY-1",))
    assert asked.answer({"front": 1}, None, "weather") is None
    assert toy.answer({"front": 1}, None, "front") is None


def test_table_function_returns_printed_tables(toy: Installed, toy_with: With) -> None:
    printed = PrintedTable(("a", "b"), {"1": ("hold", "push"), "2": ("hold", "hold")})

    shown = toy_with(ruleset_ui=lambda: Ui(table=lambda name: printed if name == "push" else None))
    assert shown.table("push", None) == printed
    assert shown.table("pull", None) is None
    assert toy.table("push", None) is None
    assert printed.around("1", "b") == ("push", {"row 2": "hold", "column a": "hold"})
    assert printed.around("2", "a") == ("hold", {"row 1": "hold"}), "a row that is the same all over has no neighbours"
    assert printed.around("1", "") == ("", {"column a": "hold", "column b": "push"})
    assert printed.around("3", "a") is None


def test_stage_function_is_called_with_the_brief(toy: Installed, toy_with: With) -> None:
    def stage_ford(brief: Brief) -> Staged:
        return Staged(
            {"scenario": {"id": "ford", "title": brief.place_title, "troops": 5, "turns": 2}}, {"tie": "stay"}
        )

    with pytest.raises(RulesetMissing, match="toy fights no battles for others: its ruleset_battles has no stage"):
        stage(toy, brief())
    fights = toy_with(ruleset_battles=lambda: Battles(stage=stage_ford, report=lambda terms: Result("draw", {})))
    prepared = stage(fights, brief())
    assert (prepared.scenario.title, prepared.scenario.own, prepared.board) == ("Sidi Rezegh", True, {"turns": 2})


def test_report_function_returns_a_result(toy_with: With) -> None:
    def report_ford(terms: Terms, state: Any, board: Any) -> Result:
        assert board == {"turns": 2}
        return Result(terms.brief.sides[state.turn], {"axis": 1, "allies": 6})

    state = ScratchState(turn=1)
    state.place_board({"turns": 2})
    fights = toy_with(ruleset_battles=lambda: Battles(stage=lambda: Staged({}), report=report_ford))
    expected = report(fights, Terms(brief()), state, "ab" * 32)
    assert expected == Result("allies", {"axis": 1, "allies": 6}, source="toy", battle="ab" * 32)


def test_variant_manifest_hook_names_the_variant() -> None:
    assert Installed("toy", module, "", variant("dusk")).variants == ("dusk 2",)


def test_a_variant_changes_one_function_of_a_group() -> None:
    """It is called with all arguments, although the ruleset's own takes fewer."""

    def ruleset_ui() -> Any:
        ui: Ui = yield
        own = ui.narrate or nothing
        return replace(ui, narrate=lambda record, board: own(record, board) and f"At dusk: {own(record, board)}")

    ui = Installed("toy", module, "", variant("dusk", ruleset_ui)).ui
    record = type("Record", (), {"event": module.FrontMoved(4, "TOY-3")})
    assert (ui.narrate or nothing)(record, None) == "At dusk: The front moves to space 4."
    assert (ui.draw or nothing)({"front": 1}, None, "text", "") == "X----"


def test_a_variant_wraps_a_group_that_the_ruleset_lacks() -> None:
    def ruleset_battles() -> Any:
        return replace((yield), odds=lambda: None)

    assert Installed("toy", module, "", variant("night", ruleset_battles)).battles.members() == ["odds"]


def test_group_function_accepts_arguments_by_name() -> None:
    functions: dict[str, Any] = {
        "table": lambda _board, name: (name, _board),
        "sums": lambda **given: given,
        "words": lambda view, more=3: (view, more),
    }
    ui: Any = Ui(**functions)
    assert ui.table("a", board=2) == ("a", 2)
    assert ui.sums([1], 2) == {"records": [1], "board": 2}
    assert ui.words(1, 2, 3) == (2, 3)
