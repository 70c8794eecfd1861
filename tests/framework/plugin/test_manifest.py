"""The manifest: facts that can be read without running anything."""

import msgspec
import pytest

from sandtable.plugin.manifest import Manifest, Option, RuleRow
from sandtable.testing.toy import ruleset_manifest


def test_the_first_value_of_an_option_is_the_usual_one() -> None:
    assert Option("tie", ("stay", "fall_back"), "What?").default == "stay"


@pytest.mark.parametrize("value", ["stay", "fall_back"])
def test_an_option_allows_its_values(value: str) -> None:
    assert Option("tie", ("stay", "fall_back"), "What?").allows(value)


@pytest.mark.parametrize("value", ["", "Stay", "7", "stay "])
def test_an_option_allows_nothing_else(value: str) -> None:
    assert not Option("tie", ("stay", "fall_back"), "What?").allows(value)


@pytest.mark.parametrize(
    ("value", "allowed"),
    [
        ("none", True),
        ("0", True),
        ("12", True),
        ("-1", False),
        ("1.5", False),
        ("٣", False),
        ("²", False),
        ("9" * 10, False),
    ],
)
def test_an_option_with_a_number_allows_whole_numbers(value: str, allowed: bool) -> None:
    assert Option("rounds", ("none",), "How many?", number=True).allows(value) is allowed


def test_a_manifest_is_plain_data() -> None:
    manifest = ruleset_manifest()
    assert msgspec.json.decode(msgspec.json.encode(manifest), type=Manifest) == manifest
    with pytest.raises(AttributeError):
        manifest.id = "other"  # type: ignore[misc]


def test_a_stage_is_one_of_three() -> None:
    data = msgspec.to_builtins(ruleset_manifest())
    for stage in ("draft", "playable", "complete"):
        assert msgspec.convert(data | {"stage": stage}, Manifest).stage == stage
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(data | {"stage": "perfect"}, Manifest)


def test_a_rule_is_a_rule_unless_it_says_otherwise() -> None:
    assert RuleRow("X-1", "text").state == "rule"
