"""The manifest: facts that can be read without running anything."""

import msgspec
import pytest
from msgspec.structs import replace

from sandtable.plugin.manifest import Manifest, Option, RuleRow, may_sit, plays_any_side, seats_of
from sandtable.testing.toy import ruleset_manifest


@pytest.mark.parametrize(
    ("value", "listed", "number"),
    [
        ("stay", True, True),
        ("fall_back", True, True),
        *((value, False, False) for value in ("", "Stay", "stay ", "-1", "1.5", "٣", "²", "9" * 10)),
        *((value, False, True) for value in ("0", "7", "12")),
    ],
)
def test_option_allows_its_values_and_optionally_whole_numbers(value: str, listed: bool, number: bool) -> None:
    option = Option("tie", ("stay", "fall_back"), "What?")
    assert (option.allows(value), replace(option, number=True).allows(value)) == (listed, number)


def test_a_manifest_is_plain_data() -> None:
    manifest = ruleset_manifest()
    assert msgspec.json.decode(msgspec.json.encode(manifest), type=Manifest) == manifest
    with pytest.raises(AttributeError):
        manifest.id = "other"  # type: ignore[misc]  # a frozen field on purpose
    data = msgspec.to_builtins(manifest)
    for stage in ("draft", "playable", "complete"):
        assert msgspec.convert(data | {"stage": stage}, Manifest).stage == stage
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(data | {"stage": "perfect"}, Manifest)
    assert Option("tie", ("stay", "fall_back"), "What?").default == "stay"
    assert RuleRow("X-1", "text").state == "rule"


# --- seats

PLAIN = ruleset_manifest()
DESERT = replace(
    PLAIN,
    sides=("axis", "allies"),
    powers={"italy": "axis", "germany": "axis"},
    bots={"resolver": ("umpire",), "duce": ("italy",), "staff": ("axis", "umpire"), "random": ("allies",)},
)


def test_seats_are_powers_other_sides_and_the_umpire() -> None:
    assert seats_of(PLAIN) == ("north", "south", "umpire")
    assert seats_of(DESERT) == ("italy", "germany", "allies", "umpire")
    assert seats_of(replace(PLAIN, sides=("north", "umpire"))) == ("north", "umpire")


@pytest.mark.parametrize(
    ("bot", "seats"),
    [
        ("anyone", "italy germany allies"),
        ("search", "italy germany allies"),
        ("first", "italy germany allies umpire"),
        ("resolver", "umpire"),
        ("duce", "italy"),
        ("staff", "italy germany umpire"),
        ("random", "allies"),
    ],
)
def test_bot_plays_the_seats_of_the_manifest_or_every_side(bot: str, seats: str) -> None:
    assert [seat for seat in seats_of(DESERT) if may_sit(DESERT, bot, seat)] == seats.split()
    assert plays_any_side(DESERT, bot) == (seats.split()[:3] == ["italy", "germany", "allies"])


def test_random_bot_may_be_the_umpire_and_search_may_not() -> None:
    assert [bot for bot in ("random", "first", "search") if may_sit(PLAIN, bot, "umpire")] == ["random", "first"]
