"""Which bot may sit where: by the manifest, and for those that it does not name."""

import pytest
from msgspec.structs import replace

from sandtable.plugin.manifest import may_sit, plays_any_side, seats_of
from sandtable.testing.toy import ruleset_manifest

PLAIN = ruleset_manifest()
DESERT = replace(
    PLAIN,
    sides=("axis", "allies"),
    powers={"italy": "axis", "germany": "axis"},
    bots={"resolver": ("umpire",), "duce": ("italy",), "staff": ("axis", "umpire"), "random": ("allies",)},
)


def test_seats_are_powers_sides_without_and_the_umpire() -> None:
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
def test_a_bot_sits_where_the_manifest_says_or_else_for_every_side(bot: str, seats: str) -> None:
    assert [seat for seat in seats_of(DESERT) if may_sit(DESERT, bot, seat)] == seats.split()
    assert plays_any_side(DESERT, bot) == (seats.split()[:3] == ["italy", "germany", "allies"])


def test_chance_may_be_the_umpire_and_search_may_not() -> None:
    assert [bot for bot in ("random", "first", "search") if may_sit(PLAIN, bot, "umpire")] == ["random", "first"]
