"""Claims of games without a keeper: openings of facts, and the proof at the close."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from sandtable.errors import PlayError
from sandtable.journal.sides.claims import MAX_OPENING, Committed, FactTree, OpenedSecrets, judge_claims, public_part
from sandtable.kernel.dice import KeyedDice, Stream
from sandtable.kernel.records import ClaimRecord, OrderRecord
from sandtable.plugin.manager import Prepared
from sandtable.testing.checks.replicas import Replicas, play_apart
from sandtable.testing.fuzz import random_order

FACTS = {"TOB": "italy", "GUB": "", "SAL": ""}


def tree(facts: dict[str, str] | None = None, source: bytes = b"axis", n: int = 7) -> FactTree:
    return FactTree(FACTS if facts is None else facts, n, source)


def commitment(of: FactTree, n: int = 7) -> Committed:
    return Committed("axis", n, tuple(of.names), of.root)


# --- openings ---


@pytest.mark.parametrize("number", [1, 2, 3, 5, 22])
def test_each_fact_is_opened_alone(number: int) -> None:
    facts = {f"space {each}": each % 2 for each in range(number)}
    made = FactTree(facts, 7, b"axis")
    assert {name: commitment(made).value_of(name, made.opening(name)) for name in made.names} == facts


def test_opening_shows_no_other_fact() -> None:
    line = tree().opening("GUB")
    assert b"italy" not in line
    assert b"TOB" not in line


def test_root_of_facts_depends_on_source_and_record() -> None:
    roots = {tree().root, tree(source=b"allies").root, tree(n=8).root, tree({**FACTS, "GUB": "italy"}).root}
    assert len(roots) == 4


def changed(line: bytes, **fields: Any) -> bytes:
    return msgspec.json.encode(msgspec.json.decode(line) | fields)


FORGERIES: dict[str, Callable[[], bytes]] = {
    "mine denied": lambda: changed(tree().opening("TOB"), value=""),
    "mine invented": lambda: changed(tree().opening("GUB"), name="TOB", value="germany"),
    "other tree": lambda: tree({**FACTS, "TOB": ""}).opening("TOB"),
    "other record": lambda: tree(n=8).opening("TOB"),
    "other salt": lambda: changed(tree().opening("TOB"), salt="0" * 32),
    "other fact": lambda: tree().opening("GUB"),
    "path of another fact": lambda: changed(
        tree().opening("TOB"), path=msgspec.json.decode(tree().opening("SAL"))["path"]
    ),
    "no path": lambda: changed(tree().opening("TOB"), path=""),
    "path too long": lambda: changed(
        tree().opening("TOB"), path=msgspec.json.decode(tree().opening("TOB"))["path"] * 2
    ),
    "path is no hex": lambda: changed(tree().opening("TOB"), path="zz"),
    "unknown field": lambda: changed(tree().opening("TOB"), more=1),
    "no opening": lambda: b"[]",
    "no JSON": lambda: b"{",
    "too long": lambda: changed(tree().opening("TOB"), value="x" * MAX_OPENING),
    "too deep": lambda: b"[" * 4000,
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_opening_is_refused(name: str) -> None:
    with pytest.raises(PlayError, match=r"^the opening of TOB by axis "):
        commitment(tree()).value_of("TOB", FORGERIES[name]())


def test_commitment_covers_the_names_of_all_facts() -> None:
    made = tree()
    fewer = Committed("axis", 7, ("GUB", "TOB"), made.root)
    with pytest.raises(PlayError, match="does not fit the commitment"):
        fewer.value_of("GUB", made.opening("GUB"))


# --- the proof at the close ---


@pytest.fixture
def apart(toy: Prepared) -> Replicas:
    """Return a game of the toy in two replicas, in which both sides made claims."""
    for number in range(50):
        found = play_apart(toy, lambda: KeyedDice(bytes(32)), Drawn(number).choose)
        if {each.by for each in found.first.records if isinstance(each, ClaimRecord)} == {"north", "south"}:
            return found
    raise AssertionError("no game has claims of both sides")


class Drawn:
    """A player of every seat that draws its orders."""

    def __init__(self, number: int) -> None:
        self._stream = Stream.for_player(bytes([number] * 32), "all")

    def choose(self, _: Any, asked: Any) -> Any:
        return random_order(asked, self._stream)


def judged(apart: Replicas, opened: dict[str, OpenedSecrets], records: list[Any] | None = None) -> Any:
    made = apart.first.records if records is None else records
    return judge_claims(apart.prepared, made, KeyedDice(bytes(32)), opened)


def test_opened_orders_prove_all_claims(apart: Replicas) -> None:
    for replica in apart.by_side.values():
        assert str(judged(apart, apart.opened, replica.records)) == "proven"


def test_withheld_opening_leaves_claims_of_that_side_unproven(apart: Replicas) -> None:
    found = judged(apart, {"north": apart.opened["north"]})
    assert found.false == ""
    assert found.not_proven == ("not proven: secrets of south",)
    assert judged(apart, {}).not_proven == ("not proven: secrets of north", "not proven: secrets of south")


def test_opened_order_that_leads_to_other_claims_is_false(apart: Replicas) -> None:
    first = next(each for each in apart.first.records if isinstance(each, ClaimRecord))
    (n,) = apart.opened[first.by].orders
    results = []
    for space in range(1, 6):
        other = {n: type(apart.opened[first.by].orders[n])(space)}
        results.append(judged(apart, {**apart.opened, first.by: OpenedSecrets(other)}).false)
    told = f"{first.by} claimed {first.value!r} for ambush; the opened orders give {not first.value!r}"
    assert any(told in each for each in results), results
    assert results[apart.opened[first.by].orders[n].space - 1] == ""


def test_changed_claim_is_false(apart: Replicas) -> None:
    records = list(apart.first.records)
    place, claim = next((at, each) for at, each in enumerate(records) if isinstance(each, ClaimRecord))
    records[place] = replace(claim, value=not claim.value)
    found = judged(apart, apart.opened, records)
    assert found.false == (
        f"record {claim.n}: {claim.by} claimed {not claim.value} for ambush; the opened orders give {claim.value}"
    )


def test_missing_claim_is_false(apart: Replicas) -> None:
    records = [each for each in apart.first.records if not isinstance(each, ClaimRecord)]
    assert judged(apart, apart.opened, records).false


def test_public_parts_are_equal_and_hide_the_orders(apart: Replicas) -> None:
    north, south = (apart.head(side) for side in ("north", "south"))
    assert north == south
    assert b'"space"' not in north
    own, other = (
        next(each for each in apart.by_side[side].records if isinstance(each, OrderRecord) and each.by == "north")
        for side in ("north", "south")
    )
    assert own.order != other.order
    assert public_part(own, apart.ruleset) == public_part(other, apart.ruleset)
