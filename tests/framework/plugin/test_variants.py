"""Variants: small plugins that wrap the hooks of a ruleset, named after it and in the header of the log."""

from pathlib import Path

import pytest
from recording import recorded

from sandtable.errors import RulesetError, RulesetMissing, VariantAlone
from sandtable.journal.verification.verify import verify_log
from sandtable.plugin.manager import Installed, Rulesets

TOY = "from sandtable.testing.toy import *\n"
DUSK = """
from msgspec.structs import replace

import sandtable as st
from sandtable.testing.toy import FrontMoved

@st.hookimpl
def variant_manifest():
    return st.Variant("dusk", "toy", "The ford at dusk", "{version}")

@st.evolves(FrontMoved)
def front_rushed(state, event):
    state.front = max(1, min(7, 2 * event.front - state.front))

@st.hookimpl(wrapper=True)
def ruleset_parts(scenario, options):
    parts = yield
    return replace(parts, handlers=(*parts.handlers, front_rushed))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "toy.py").write_text(TOY)
    (tmp_path / "dusk.py").write_text(DUSK.format(version="1"))
    return tmp_path


def played(rulesets: Rulesets, name: str, log: Path) -> int:
    """Play a game at random, write its log, and return its number of turns."""
    game = recorded(rulesets.load(name).prepare(), "dusk")
    log.write_bytes(game.data)
    return int(game.game.state.turn)


def test_variant_changes_only_its_game(folder: Path, tmp_path: Path) -> None:
    rulesets = Rulesets(folder)
    plain, varied = tmp_path / "plain.jsonl", tmp_path / "dusk.jsonl"
    assert played(rulesets, "toy+dusk", varied) != played(rulesets, "toy", plain)
    assert b'"variants":["dusk 1"]' in varied.read_bytes()
    assert b"variants" not in plain.read_bytes()
    assert rulesets.load("toy").variants == ()
    assert rulesets.load("toy+dusk").name == "toy+dusk"
    assert rulesets.load("toy+dusk").content_hash != rulesets.load("toy").content_hash
    assert verify_log(varied, Rulesets(folder)).verdict == "verified"
    (folder / "dusk.py").write_text(DUSK.format(version="2"))
    verdict = verify_log(varied, Rulesets(folder))
    assert (verdict.verdict, verdict.exit_code) == ("ruleset missing", 4)
    assert "was played with dusk 1; installed is dusk 2" in str(verdict.first_difference)
    (folder / "dusk.py").unlink()
    assert "the variant 'dusk' of toy is not installed" in str(verify_log(varied, Rulesets(folder)).first_difference)


def test_variants_are_not_rulesets(folder: Path) -> None:
    rulesets = Rulesets(folder)
    found = rulesets.load_all()
    assert isinstance(found["toy"], Installed)
    assert "dusk" not in found
    assert {name: each.title for name, each in rulesets.variants().items()} == {"toy+dusk": "The ford at dusk"}
    with pytest.raises(VariantAlone, match=r"^dusk is a variant of toy: name it as toy\+dusk$"):
        rulesets.load("dusk")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("toy+noon", "the variant 'noon' of toy is not installed"),
        ("ford+dusk", "the ruleset 'ford' is not installed"),
        ("toy+toy", "toy is not a variant: it has no hook variant_manifest"),
        ("toy+dusk+dusk", "a variant is named twice"),
        ("toy+", "the variant '' of toy is not installed"),
        ("toy+other", "other is a variant of chess, not of toy"),
        ("toy+wrong", "wrong: its manifest has the id 'dusk'"),
        ("toy+broken", "broken: its manifest fails: KeyError"),
        ("toy+odd", "odd: variant_manifest must return a Variant, not int"),
    ],
)
def test_invalid_combination_is_refused_in_one_line(folder: Path, name: str, expected: str) -> None:
    head = "import sandtable as st\n@st.hookimpl\ndef variant_manifest():\n"
    (folder / "other.py").write_text(head + "    return st.Variant('other', 'chess', 'Other')\n")
    (folder / "wrong.py").write_text(DUSK.format(version="1"))
    (folder / "broken.py").write_text(head + "    raise KeyError('x')\n")
    (folder / "odd.py").write_text(head + "    return 3\n")
    with pytest.raises((RulesetError, RulesetMissing)) as caught:
        Rulesets(folder).load(name)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)
