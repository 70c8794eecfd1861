"""Errors in hooks and handlers: each is planted, and refused in one line with its name, its place and the fix."""

from pathlib import Path

import pytest

from sandtable.errors import RulesetError
from sandtable.plugin.checking import check_places
from sandtable.plugin.manager import Rulesets
from sandtable.testing import toy

TOY = "import sandtable as st\nfrom sandtable.testing.toy import *\nfrom sandtable.testing import toy\n"
OPEN = f"""{TOY}
from msgspec.structs import replace

@st.hookimpl
def ruleset_manifest():
    return replace(toy.ruleset_manifest(), hidden=False)
"""
PARTS = f"""{TOY}
from msgspec.structs import replace
@st.evolves({{event}})
def again(state, event):
    pass

@st.hookimpl
def ruleset_parts(options):
    parts = toy.ruleset_parts(options)
    return replace(parts, handlers=(*parts.handlers, again))
"""
VARIANT = """
import sandtable as st

@st.hookimpl
def variant_manifest():
    return st.Variant(id="dusk", ruleset="toy", title="Dusk")
"""


def hook(name: str, body: str = "return None", mark: str = "@st.hookimpl", base: str = TOY) -> str:
    return f"{base}\n{mark}\ndef {name}:\n    {body}\n"


FAULTS = {
    "misspelled": (hook("ruleset_setups(scenario)"), "ruleset_setups is not a hook. Did you mean ruleset_setup?"),
    "misspelled and not marked": (
        hook("ruleset_manifets()", mark=""),
        "ruleset_manifets is not a hook. Did you mean ruleset_manifest?",
    ),
    "a member as a hook": (
        hook("ruleset_narate(record)"),
        "ruleset_narate is not a hook. Did you mean the function narrate that ruleset_ui returns?",
    ),
    "marked, but not a hook": (hook("weather()"), "weather is not a hook."),
    "misspelled variant": (
        hook("variant_manifests()"),
        "variant_manifests is not a hook. Did you mean variant_manifest?",
    ),
    "misspelled by specname": (
        hook("bots()", mark="@st.hookimpl(specname='ruleset_bot')"),
        "ruleset_bot is not a hook. Did you mean ruleset_bots?",
    ),
    "not marked": (
        hook("ruleset_upcasts()", mark=""),
        "ruleset_upcasts is not marked as a hook: write @hookimpl above it",
    ),
    "a wrapper in a ruleset": (
        hook("ruleset_ui()", "return (yield)", "@st.hookimpl(wrapper=True)"),
        "ruleset_ui is marked wrapper=True: only a variant wraps hooks, those of its ruleset",
    ),
    "an unknown argument": (
        hook("ruleset_setup(scenaro)"),
        "ruleset_setup has no argument scenaro. Did you mean scenario? It has: scenario, options.",
    ),
    "an argument of a hook without any": (
        hook("ruleset_ui(board)"),
        "ruleset_ui has no argument board. It has no arguments.",
    ),
    "an unknown argument of a member": (
        hook("ruleset_ui()", "return st.Ui(draw=lambda veiw, style: '')"),
        "ruleset_ui: draw has no argument veiw. Did you mean view? It has: view, board, style, focus.",
    ),
    "a member that is not a function": (
        hook("ruleset_bots()", "return st.Bots(evaluate=500)"),
        "ruleset_bots: evaluate is not a function: 500",
    ),
    "a member without known arguments": (
        hook("ruleset_bots()", "return st.Bots(deal=str)"),
        "ruleset_bots: deal is not a function with known arguments: no signature found for builtin type",
    ),
    "another group": (hook("ruleset_ui()", "return st.Bots()"), "ruleset_ui must return a Ui, not Bots"),
    "no group": (hook("ruleset_battles()"), "ruleset_battles must return a Battles, not NoneType"),
    "a group that fails": (hook("ruleset_bots()", "1 / 0"), "ruleset_bots fails: ZeroDivisionError: division by zero"),
    "deal without secrets": (
        OPEN,
        "deal is never called, because nothing is hidden: remove it, or set hidden=True in the manifest",
    ),
    "fill_in without secrets": (
        hook(
            "ruleset_ui()",
            "return st.Ui(fill_in=lambda: None)",
            base=hook("ruleset_bots()", "return st.Bots()", base=OPEN),
        ),
        "fill_in is never called, because nothing is hidden",
    ),
    "stage without report": (
        hook("ruleset_battles()", "return st.Battles(stage=lambda: None)"),
        "stage is never called without report: give both in ruleset_battles, or neither",
    ),
    "report without stage": (
        hook("ruleset_battles()", "return st.Battles(report=lambda: None)"),
        "report is never called without stage",
    ),
    "a handler of the kernel's event": (
        PARTS.format(event="st.PhaseBegan"),
        "the handler toy.again replaces the kernel's handler of PhaseBegan, which keeps turn and phase: write a",
    ),
    "two handlers of an event": (
        PARTS.format(event="FrontMoved"),
        "two handlers of FrontMoved: sandtable.testing.toy.front_moved and toy.again. Remove one.",
    ),
}


def refusal(folder: Path, name: str = "toy", **files: str) -> str:
    """Write modules into a folder of rulesets, and return the refusal of one of them."""
    for module, source in files.items():
        (folder / f"{module}.py").write_text(source)
    with pytest.raises(RulesetError) as refused:
        Rulesets(folder).load(name).prepare()
    return str(refused.value)


@pytest.mark.parametrize("fault", FAULTS)
def test_faulty_hook_is_refused(tmp_path: Path, fault: str) -> None:
    source, message = FAULTS[fault]
    assert refusal(tmp_path, toy=source).startswith(f"toy: {message}")


SWAP = (
    VARIANT
    + """
from msgspec.structs import replace
from sandtable.testing.toy import FrontMoved

@st.evolves({event})
def again(state, event):
    state.front = 5

@st.evolves({event})
def more(state, event):
    pass

@st.hookimpl(wrapper=True)
def ruleset_parts():
    parts = yield
    return replace(parts, handlers=(*parts.handlers, {handlers}))
"""
)
IN_VARIANT = {
    "a manifest of its own": (
        hook("ruleset_manifest()", base=VARIANT),
        "dusk: a variant cannot define ruleset_manifest: mark it @hookimpl(wrapper=True) to change that of the",
    ),
    "misspelled": (hook("ruleset_iu()", base=VARIANT), "dusk: ruleset_iu is not a hook. Did you mean ruleset_ui?"),
    "a wrapper of its manifest": (
        VARIANT.replace("@st.hookimpl\n", "@st.hookimpl(wrapper=True)\n"),
        "dusk: variant_manifest is marked wrapper=True",
    ),
    "a handler of the kernel's event": (
        SWAP.format(event="st.GameEnded", handlers="again"),
        "toy: the handler dusk.again replaces the kernel's handler of GameEnded",
    ),
    "two handlers of an event": (
        SWAP.format(event="FrontMoved", handlers="again, more"),
        "toy: two handlers of FrontMoved: dusk.again and dusk.more. Remove one.",
    ),
}


@pytest.mark.parametrize("fault", IN_VARIANT)
def test_faulty_variant_is_refused(tmp_path: Path, fault: str) -> None:
    source, message = IN_VARIANT[fault]
    assert refusal(tmp_path, "toy+dusk", toy=TOY, dusk=source).startswith(message)


def test_a_handler_of_a_variant_replaces_that_of_the_ruleset(tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text(TOY)
    (tmp_path / "dusk.py").write_text(SWAP.format(event="FrontMoved", handlers="again"))
    table = Rulesets(tmp_path).load("toy+dusk").prepare().ruleset.table
    state = toy.Ford(troops={})
    table[toy.FrontMoved].handler(state, toy.FrontMoved(1, "TOY-3"))
    assert state.front == 5


MISPLACED = hook("ruleset_ui()", "return st.Ui()", base="import sandtable as st\nraise NotImplementedError\n")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            MISPLACED,
            "toy: the hook ruleset_ui is in ui/shown.py, where hooks are never called. Define it in toy/__init__.py",
        ),
        (MISPLACED.replace("@st.hookimpl\n", ""), "toy: the hook ruleset_ui is in ui/shown.py"),
        (
            MISPLACED.replace("ruleset_ui", "table"),
            "toy: the hook table is in ui/shown.py, where hooks are never called. table is not a hook.",
        ),
        (MISPLACED.replace("ruleset_ui", "ruleset_helper").replace("@st.hookimpl\n", ""), ""),
        (MISPLACED + VARIANT, ""),
        ("def of_ruleset(): ...\n", ""),
    ],
)
def test_hook_in_a_submodule_is_refused_without_an_import(tmp_path: Path, source: str, message: str) -> None:
    (tmp_path / "toy" / "ui").mkdir(parents=True)
    (tmp_path / "toy" / "__init__.py").write_text(TOY)
    (tmp_path / "toy" / "ui" / "shown.py").write_text(source)
    installed = Rulesets(tmp_path).load("toy")
    if message:
        with pytest.raises(RulesetError) as refused:
            installed.prepare()
        assert str(refused.value).startswith(message)
    else:
        installed.prepare()


def test_a_hook_of_a_submodule_may_be_imported_or_be_a_view(tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "__init__.py").write_text(f"{TOY}from toy.shown import ruleset_battles\n")
    (tmp_path / "toy" / "shown.py").write_text(
        hook("ruleset_battles()", "return st.Battles(odds=lambda: None)", base="import sandtable as st\n")
    )
    installed = Rulesets(tmp_path).load("toy")
    installed.prepare()
    assert installed.battles.members() == ["odds"]
    (tmp_path / "toy" / "wood.py").write_text(MISPLACED)
    check_places("toy", installed.module, ["toy.wood"])
    with pytest.raises(RulesetError):
        check_places("toy", installed.module)
