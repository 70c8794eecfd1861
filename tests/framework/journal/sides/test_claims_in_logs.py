"""Logs of games without a keeper: the verdict on claims that are false, withheld, removed or impossible."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import prepare_with
from sandtable.journal.format.header import Header, game_id, make_header
from sandtable.journal.record import log_lines
from sandtable.journal.sides.merging import merged
from sandtable.journal.sides.slices import slice_log
from sandtable.journal.verification.rerun import RerunObserver
from sandtable.journal.verification.verdicts import Verdict
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import UMPIRE, Claim
from sandtable.kernel.dice import KeyedDice, Stream
from sandtable.kernel.records import ClaimRecord, OrderRecord
from sandtable.kernel.replicas.replica import Replica
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.testing.fuzz import random_order

SEEDS = 50
"""Maximum number of games that are tried until both sides have made a claim."""


class Liar(Replica):
    """A replica of all sides in which one side states the contrary of its first fact."""

    __slots__ = ("lies_for",)
    lies_for: str

    def _claimed(self, claim: Claim) -> Any:
        if claim.side != self.lies_for:
            return super()._claimed(claim)
        self.lies_for = ""
        return super()._claimed(replace(claim, value=lambda: not claim.value()))


class Written(SimpleNamespace):
    """A header and the records of a game, from which a log can be written."""

    header: Header
    records: list[Any]
    prepared: Prepared
    dice: KeyedDice

    def log(self, records: Sequence[Any] | None = None, header: Header | None = None) -> Log:
        """Return the log of these ``records``, numbered again."""
        given = self.records if records is None else records
        numbered = [replace(each, n=number) for number, each in enumerate(given, start=1)]
        game: Any = SimpleNamespace(records=numbered, ruleset=self.prepared.ruleset, dice=self.dice)
        first, rest, _ = log_lines(header or self.header, game)
        return parse_log(first + rest, "log")

    def verdict(self, log: Log, side: str = "", *, deep: bool = False) -> Verdict:
        return verify(log, prepare_with(log, self.prepared.installed), side=side, deep=deep)

    def slice(self, side: str, log: Log | None = None) -> Log:
        return parse_log(slice_log(log or self.log(), self.prepared, side), f"the slice of {side}")

    def claim_of(self, side: str) -> ClaimRecord:
        found: ClaimRecord = next(each for each in self.records if isinstance(each, ClaimRecord) and each.by == side)
        return found


def played(toy: Prepared, liar: str = "", mode: str = "host") -> Written:
    """Return a game of the toy without a keeper in which both sides made claims; ``liar`` lied in its first one."""
    for number in range(SEEDS):
        dice = KeyedDice(bytes(32), mode)
        state = toy.ruleset.codec.from_bytes(toy.first_state, toy.board)
        game = Liar(toy.ruleset, state, dice, toy.first_state, holds=toy.ruleset.viewers)
        game.lies_for = liar
        game.start()
        stream = Stream.for_player(bytes([number] * 32), "all")
        while waiting := game.waiting():
            game.submit(random_order(waiting[0], stream), waiting[0].seat)
        if {each.by for each in game.records if isinstance(each, ClaimRecord)} == {"north", "south"}:
            header = make_header(toy.apart(toy.ruleset.viewers), {"north": "a", "south": "b"}, dice)
            return Written(header=header, records=game.records, prepared=toy, dice=dice)
    raise AssertionError("no game has claims of both sides")


@pytest.fixture
def game(toy: Prepared) -> Written:
    return played(toy)


@pytest.mark.parametrize("mode", ["open", "host"])
def test_log_of_a_game_without_a_keeper_is_verified(toy: Prepared, mode: str) -> None:
    game = played(toy, mode=mode)
    log = game.log()
    watched = verify(log, prepare_with(log, toy.installed), watch=RerunObserver())
    assert watched.text == f"verified: {len(game.records)} records"
    assert game.verdict(game.log(), deep=True).text == f"verified: {len(game.records)} records"


@pytest.mark.parametrize("side", ["north", "south"])
def test_rules_run_through_the_whole_slice_of_a_side(game: Written, side: str) -> None:
    found = game.verdict(game.slice(side), side)
    other = "north" if side == "south" else "south"
    assert (found.verdict, found.first_difference, found.note) == ("verified so far", None, "")
    assert f"the claims of {other} (secrets)" in found.pending
    assert not any(f"the claims of {side}" in each for each in found.pending)


def test_slice_for_spectators_proves_the_claims_of_no_side(game: Written) -> None:
    found = game.verdict(game.slice("public"), "public")
    assert found.verdict == "verified so far"
    assert found.note == ""
    assert {"the claims of north (secrets)", "the claims of south (secrets)"} <= set(found.pending)


# --- a side that lies ---


@pytest.mark.parametrize("liar", ["north", "south"])
def test_false_claim_is_named_if_the_secrets_of_its_side_are_in_the_file(toy: Prepared, liar: str) -> None:
    game = played(toy, liar)
    claim = game.claim_of(liar)
    text = (
        f"record {claim.n}: the claim ambush of {liar}: value is stored as {str(claim.value).lower()}; "
        f"the rules give {str(not claim.value).lower()}"
    )
    for file, side in ((game.log(), ""), (game.slice(liar), liar)):
        found = game.verdict(file, side)
        assert found.verdict == "false"
        assert found.first_difference is not None
        assert (found.first_difference.text, found.first_difference.rule) == (text, "TOY-1")


@pytest.mark.parametrize("liar", ["north", "south"])
def test_false_claim_is_pending_in_the_slice_of_the_other_side(toy: Prepared, liar: str) -> None:
    game = played(toy, liar)
    other = "north" if liar == "south" else "south"
    found = game.verdict(game.slice(other), other)
    assert found.verdict == "verified so far"
    assert f"the claims of {liar} (secrets)" in found.pending


def test_impossible_claim_is_false_in_every_slice(game: Written) -> None:
    claim = game.claim_of("south")
    records = [replace(each, value=7) if each is claim else each for each in game.records]
    found = game.verdict(game.slice("north", game.log(records)), "north")
    assert found.verdict == "false"
    assert found.text.partition("; ")[0].startswith(
        f"false: rules diverge: record {claim.n}: south claims 7 for ambush, which public facts exclude: "
    )


@pytest.mark.parametrize("liar", ["", "north", "south"])
def test_joined_slices_reveal_every_false_claim_but_lack_the_key(toy: Prepared, liar: str) -> None:
    game = played(toy, liar)
    joined = merged([game.slice("north"), game.slice("south")])
    found = game.verdict(parse_log(joined, "log"))
    assert found.verdict == ("false" if liar else "not proven")
    assert not any("claims" in each for each in found.missing)


# --- claims and openings that are removed or added ---


@pytest.mark.parametrize("side", ["", "north", "south", "public"])
def test_removed_claim_is_false_in_every_file(game: Written, side: str) -> None:
    claim = game.claim_of("south")
    log = game.log([each for each in game.records if each is not claim])
    found = game.verdict(game.slice(side, log) if side else log, side)
    assert found.verdict == "false"
    assert found.first_difference is not None
    assert found.first_difference.record == claim.n
    assert "the claim ambush of south" in found.text


CHANGES: dict[str, Callable[[ClaimRecord], list[ClaimRecord]]] = {
    "twice": lambda claim: [claim, claim],
    "of another side": lambda claim: [replace(claim, by="north")],
    "of no side": lambda claim: [replace(claim, by="nobody")],
    "for another purpose": lambda claim: [replace(claim, purpose="retreat")],
    "with another rule": lambda claim: [replace(claim, rule="TOY-2")],
    "with a fact": lambda claim: [replace(claim, fact="3")],
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("side", ["", "north", "south"])
def test_changed_claim_is_false_in_every_file(game: Written, change: str, side: str) -> None:
    claim = game.claim_of("south")
    records = [made for each in game.records for made in (CHANGES[change](claim) if each is claim else [each])]
    log = game.log(records)
    found = game.verdict(game.slice(side, log) if side else log, side)
    assert found.verdict == "false"
    assert found.first_difference is not None
    assert found.first_difference.record in (claim.n, claim.n + 1)


def test_withheld_order_leaves_the_claims_of_its_side_unproven(game: Written) -> None:
    log = game.log()
    number = next(each.n for each in game.records if isinstance(each, OrderRecord) and each.by == "south")
    lines = [line for line in log.data.splitlines(keepends=True) if line.rstrip(b"\n") != log.openings[number, UMPIRE]]
    found = game.verdict(parse_log(b"".join(lines), "log"))
    assert found.verdict == "not proven"
    assert "the claims of south (secrets)" in found.missing
    assert "the claims of north (secrets)" not in found.missing


def test_slice_of_a_side_is_not_proven_as_a_complete_log(game: Written) -> None:
    found = game.verdict(game.slice("north"))
    assert found.verdict == "not proven"
    assert "the claims of south (secrets)" in found.missing


@pytest.mark.parametrize("mode", ["open", "host"])
def test_additional_opening_never_makes_a_slice_false(toy: Prepared, mode: str) -> None:
    game = played(toy, mode=mode)
    log, mine = game.log(), game.slice("north")
    for (number, to), line in log.openings.items():
        if (number, to) not in mine.openings:
            place = mine.data.index(b"\n", mine.data.index(b'"n":%d' % number) if number else 0) + 1
            more = parse_log(mine.data[:place] + line + b"\n" + mine.data[place:], "slice")
            assert game.verdict(more, "north").first_difference is None, (number, to)


def test_slice_that_ends_before_a_claim_is_verified_so_far(game: Written) -> None:
    mine = game.slice("north")
    claim = game.claim_of("south")
    data = mine.data[: mine.data.index(b'{"kind":"claim","n":%d,' % claim.n)]
    found = game.verdict(parse_log(data, "slice"), "north")
    assert found.verdict == "verified so far"
    assert found.note == f"the game is not finished: it ends after record {found.records}"
    assert 0 < found.records < claim.n


# --- games with and without a keeper ---


def test_claim_in_a_game_with_a_keeper_is_false(game: Written) -> None:
    header = replace(game.header, keeper="", game="")
    header = replace(header, game=game_id(header))
    found = game.verdict(game.log(header=header))
    assert found.verdict == "false"


def test_game_with_a_keeper_is_false_if_marked_as_without_one(toy: Prepared) -> None:
    dice = KeyedDice(bytes(32), "host")
    table = toy.new_game(dice)
    table.start()
    stream = Stream.for_player(bytes(32), "all")
    while waiting := table.waiting():
        table.submit(random_order(waiting[0], stream), waiting[0].seat)
    header = make_header(toy.apart(toy.ruleset.viewers), {"north": "a", "south": "b"}, dice)
    game = Written(header=header, records=table.records, prepared=toy, dice=dice)
    assert game.verdict(game.log()).verdict == "false"


def test_unknown_keeper_is_false(game: Written) -> None:
    header = replace(game.header, keeper="me", game="")
    header = replace(header, game=game_id(header))
    found = game.verdict(game.log(header=header))
    assert found.text == "false: altered record: log: line 1: 'me' is not a kind of keeper"


def test_game_that_needs_a_keeper_is_false_without_one() -> None:
    prepared = Rulesets().load("league7").prepare()
    dice = KeyedDice(bytes(32), "host")
    header = make_header(prepared.apart(prepared.ruleset.viewers), {}, dice)
    found = Written(header=header, records=[], prepared=prepared, dice=dice)
    text = found.verdict(found.log()).text
    assert "the header says that the game had no keeper, but it needs one: what the sides keep secret" in text
