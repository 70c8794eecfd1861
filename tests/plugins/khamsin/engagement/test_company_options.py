"""The space of companies: its refusals, its values and the probability of each sample."""

import re
from fractions import Fraction
from itertools import islice, product
from typing import Any

import pytest
from every_draw import chances_of
from msgspec.structs import replace
from transcripts import Transcript

from khamsin.engagement.company_options import Companies
from khamsin.model.state import Fielded
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.options import Space

TYPES = {"15_pz_div": ("panzer", "panzer_grenadier", "panzer_engineer")}
WRONG: Any = 1


def space(number: int, types: dict[str, tuple[str, ...]] | None = None, **rest: Any) -> Companies:
    able = types or TYPES
    bounds = rest.pop("bounds", dict.fromkeys(able, (0, number)))
    return Companies(number, able, bounds, "KH-R29", rest.pop("players", ()), **rest)


def stream(name: str = "companies") -> Stream:
    return Stream.for_player(key_from_seed("khamsin"), name)


SPACES = {
    "one": space(1),
    "players": space(2, players=("Gary", "Ann")),
    "people": space(3, has_people=True, has_team=True, has_bonus=True),
    "a character": space(2, has_people=True, has_bonus=True),
    "extras": space(2, has_air=True, may_trade=True),
    "large": space(4, large=True, kinds=3, stratagems=("Model",), has_people=True, has_bonus=True),
    "too few": space(2, large=True, kinds=2),
    "shared": space(3, {"a": ("x",), "b": ("x", "y")}, bounds={"a": (1, 2), "b": (1, 2)}),
}


@pytest.mark.full
@pytest.mark.rule("KH-13.01", "KH-17.03", "KH-17.05", "KH-17.06", "KH-16.16", "KH-14.11")
@pytest.mark.parametrize("name", SPACES)
def test_listed_and_drawn_companies_are_legal(name: str) -> None:
    options = SPACES[name]
    listed = list(islice(options.values(), 20_000))
    assert listed
    assert all(options.is_legal(each) for each in listed)
    keys = [str(each) for each in listed]
    assert len(set(keys)) == len(keys)
    draws = [options.sample(stream(f"{name}{number}")) for number in range(300)]
    assert all(options.is_legal(each) for each in draws)
    if len(listed) < 20_000:
        assert {str(each) for each in draws} <= set(keys)
    if len(listed) < 40:
        assert {str(each) for each in draws} == set(keys)


WRONG_VALUES: list[Any] = [
    None,
    3,
    "panzer",
    {},
    [1, 2],
    [Fielded("15_pz_div", "panzer")],
    [Fielded("nobody", "panzer")] * 2,
    [Fielded("15_pz_div", "panzer", "Stranger")] * 2,
    [Fielded("15_pz_div", "panzer", air=True)] * 2,
    [Fielded("15_pz_div", "panzer", trade=True)] * 2,
    [Fielded("15_pz_div", "panzer", stratagems="Model")] * 2,
    [Fielded("15_pz_div", "panzer", command=WRONG)] * 2,
    [Fielded(WRONG, "panzer")] * 2,
]


AB = {"a": ("x", "y"), "b": ("z",)}


def refused(options: Space, value: Any) -> str:
    """Return rule and reason of a refusal without quotes, or "" if the value is legal."""
    refusal = options.why_not(value)
    return f"{refusal.rule} {refusal.reason}".replace("'", "") if refusal else ""


def pair(**first: Any) -> list[Fielded]:
    return [Fielded("a", "x", **first), Fielded("a", "y")]


WITH_ALL: dict[str, Any] = {"has_people": True, "has_team": True, "has_bonus": True, "has_air": True, "may_trade": True}


CHOICES: list[tuple[dict[str, Any], Any]] = [
    ({}, 3),
    ({}, pair()[:1]),
    ({}, [*pair(), *pair()]),
    ({}, [*pair()[:1], Fielded("c", "x")]),
    ({}, [Fielded("a", "z"), *pair()[:1]]),
    ({"players": ("P", "Q")}, pair(player="R")),
    ({"players": ("P",)}, pair(player="P")),
    ({}, pair(trade=1)),
    ({}, pair(air=True)),
    ({}, pair(trade=True)),
    ({}, pair(command=True)),
    ({}, pair(bonus=True)),
    ({}, pair(stratagems="M")),
    ({"stratagems": ("N",)}, pair(stratagems="M")),
    ({"stratagems": ("M",)}, pair(stratagems="M")),
    ({"stratagems": ("M",)}, [Fielded("a", "x", stratagems="M")] * 2),
    ({"bounds": {"a": (1, 1), "b": (0, 2)}}, pair()),
    ({"bounds": {"a": (0, 2), "b": (1, 2)}}, pair()),
    ({"bounds": {"a": (2, 2), "b": (0, 0)}}, pair()),
    ({"large": True, "kinds": 2}, [Fielded("a", "x")] * 2),
    ({"large": True, "kinds": 2}, pair()),
    ({"large": True, **WITH_ALL}, [Fielded("a", "x", command=True, bonus=True)] * 2),
    (WITH_ALL, pair()),
    (WITH_ALL, [Fielded("a", "x", command=True)] * 2),
    ({"has_bonus": True}, [Fielded("a", "x", bonus=True)] * 2),
    (WITH_ALL, [Fielded("a", "x", command=True), Fielded("a", "x", bonus=True)]),
    (WITH_ALL | {"has_team": False}, [Fielded("a", "x", command=True), Fielded("a", "x", bonus=True)]),
    (WITH_ALL, pair(command=True, bonus=True, air=True, trade=True)),
]


@pytest.mark.rule(
    "KH-7.04", "KH-12.05", "KH-13.01", "KH-13.03", "KH-14.11", "KH-16.16", "KH-17.03", "KH-17.05", "KH-17.06"
)
def test_companies_are_refused_by_their_rule(transcript: Transcript) -> None:
    shown = [(more, value, refused(space(2, AB, **more), value)) for more, value in CHOICES]
    wrong: list[Any] = [({}, value, refused(space(2), value)) for value in WRONG_VALUES]
    rows = [f"> {more} {value}\n{refusal or 'legal'}" for more, value, refusal in (*shown, *wrong)]
    transcript(re.sub(r", \w+=(?:''|False)", "", "\n".join(rows)))
    assert all(refusal.startswith("KH-") for *_, refusal in wrong)


@pytest.mark.rule("KH-13.01", "KH-17.03", "KH-17.06")
@pytest.mark.parametrize(
    "more",
    [
        {"players": ("P",), "has_air": True, "bounds": {"a": (1, 2), "b": (0, 1)}},
        {"has_people": True, "has_team": True, "has_bonus": True},
        {"has_people": True, "has_bonus": True, "large": True, "kinds": 2},
        {"may_trade": True, "stratagems": ("M",)},
        {"has_bonus": True, "has_team": True},
    ],
)
def test_listed_companies_are_exactly_the_legal_ones(more: dict[str, Any]) -> None:
    """A large battle always has its people and bonus, whichever company names them."""
    options, flags = space(2, AB, **more), (False, True)
    rows = product("ab", "xyz", ("", "P"), flags, flags, flags, flags, ("", "M"))
    each = [
        it for it in (Fielded(*row) for row in rows if row[1] in AB[row[0]]) if options._why_not_company(it) is None
    ]

    def names(found: Any) -> list[str]:
        bare = [[replace(it, command=False, bonus=False) for it in both] if options.large else both for both in found]
        return [str(both) for both in bare]

    listed = names(options.values())
    assert options.large or len(listed) == len(set(listed))
    assert set(listed) == set(names(list(both) for both in product(each, repeat=2) if options.is_legal(list(both))))


def drawn(options: Any) -> dict[Any, Fraction]:
    def named(companies: list[Fielded]) -> Any:
        assert options.is_legal(companies)
        return tuple(companies)

    return chances_of(options.sample, named)


@pytest.mark.full
@pytest.mark.rule("KH-17.03", "KH-17.06", "KH-7.04")
def test_samples_fly_2_in_3_and_take_the_bonus_5_in_6() -> None:
    """The command team and the bonus go to the same action; actions, types and players are uniform."""
    options = space(2, {"a": ("x", "y")}, players=("P",), has_people=True, has_team=True, has_bonus=True, has_air=True)
    found = drawn(options)
    wanted: dict[Any, Fraction] = {}
    air = {True: Fraction(2, 3), False: Fraction(1, 3)}
    for place, bonus in product(range(2), (True, False)):
        for rows in product(product("xy", ("", "P"), (True, False)), repeat=2):
            companies, chance = [], Fraction(1, 2) * Fraction(5 if bonus else 1, 6)
            for number, (kind, player, flies) in enumerate(rows):
                there = number == place
                companies.append(Fielded("a", kind, player, there, there and bonus, flies))
                chance *= air[flies] / 4
            wanted[tuple(companies)] = chance
    assert found == wanted


@pytest.mark.rule("KH-16.16", "KH-14.11")
def test_samples_trade_1_in_6_and_put_stratagems_first() -> None:
    found = drawn(space(2, {"a": ("x",)}, may_trade=True, stratagems=("M",)))
    sixth, other = Fraction(1, 6), Fraction(5, 6)
    for first, second, named in product((True, False), (True, False), ("", "M")):
        companies = (Fielded("a", "x", trade=first, stratagems=named), Fielded("a", "x", trade=second))
        assert found.pop(companies) == Fraction(1, 2) * (sixth if first else other) * (sixth if second else other)
    assert not found


@pytest.mark.rule("KH-R28", "KH-13.03")
def test_samples_field_minimums_then_any_within_bounds() -> None:
    found = drawn(space(2, {"a": ("x",), "b": ("z",)}, bounds={"a": (1, 2), "b": (0, 1)}))
    names = {tuple(each.formation for each in companies): chance for companies, chance in found.items()}
    assert names == {("a", "a"): Fraction(1, 2), ("a", "b"): Fraction(1, 4), ("b", "a"): Fraction(1, 4)}
    found = drawn(space(3, {"a": ("x",), "b": ("z",)}, bounds={"a": (1, 2), "b": (1, 1)}))
    names = {tuple(each.formation for each in companies): chance for companies, chance in found.items()}
    assert names == dict.fromkeys((("a", "a", "b"), ("a", "b", "a"), ("b", "a", "a")), Fraction(1, 3))
    large = drawn(space(2, {"a": ("x", "y", "z")}, large=True, kinds=2, has_people=True, has_bonus=True))
    kinds = {tuple(each.company for each in companies): chance for companies, chance in large.items()}
    assert kinds == {(one, two): Fraction(1, 6) for one, two in product("xyz", repeat=2) if one != two}
    assert not any(each.command or each.bonus for companies in large for each in companies)
    free = drawn(space(3, {"a": ("x", "y")}, large=True, kinds=2))
    kinds = {tuple(each.company for each in companies): chance for companies, chance in free.items()}
    assert kinds == {(one, two, three): Fraction(1, 4) for one, two, three in product("xy", repeat=3) if one != two}


def test_sampling_fails_if_no_companies_fit() -> None:
    none = space(2, {"a": ("x",)}, bounds={"a": (0, 1)})
    assert list(none.values()) == []
    with pytest.raises(ValueError, match="no companies can be chosen"):
        chances_of(none.sample)
