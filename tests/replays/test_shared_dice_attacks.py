"""A catalog of attacks on shared dice, each with its number and name; every one is refused and named.

The attacker can compute hashes: chain, commitments and game id fit in every forged log here.
"""

import json
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from rechained import rechained, tables_of
from shared_games import Held, Lines, shared_dice, shared_game, shares_in

from sandtable.errors import DataError, NothingToUndo, PlayError
from sandtable.journal.epochs.links_file import LinksFile
from sandtable.journal.file.reading import parse_log
from sandtable.journal.record import log_bytes
from sandtable.journal.verification.one_game import same_games
from sandtable.journal.verification.verdicts import Verdict
from sandtable.journal.verification.verify import verify
from sandtable.kernel.decisions import UMPIRE, Roll
from sandtable.kernel.dice import key_from_seed, roll_dice
from sandtable.kernel.play.endings import ABANDONMENT
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import BurntRecord, EndRecord, OrderRecord, RollRecord, SharesRecord
from sandtable.kernel.shared.chains import Chain, epoch_key
from sandtable.kernel.shared.epochs import Due
from sandtable.kernel.shared.local import LocalLinks
from sandtable.players.players import seat_players
from sandtable.plugin.manager import Installed, Prepared
from sandtable.testing import toy

VERIFIER = Path(__file__).with_name("verify.js")
SECRETS = {"north": b"n" * 32, "south": b"s" * 32}


@cache
def prepared() -> Prepared:
    return Installed("toy", toy, "the toy").prepare()


@cache
def game_of(seed: str = "casebook") -> bytes:
    return shared_game(prepared(), seed).data


def verdict_on(lines: Lines) -> Verdict:
    return verify(parse_log(rechained(lines), "forged"), prepared())


def refused(lines: Lines, kind: str, record: int, field: str, *words: str) -> None:
    """Check that the verdict is false, and that it names the kind, the record, the field and the words."""
    verdict = verdict_on(lines)
    found = verdict.first_difference
    assert (verdict.verdict, verdict.exit_code) == ("false", 1), verdict.text
    assert found is not None
    assert (found.kind, found.record, found.field) == (kind, record, field), found.text
    assert all(word in found.text for word in words), found.text


def with_links(lines: Lines, number: int, links: dict[str, str], **fields: Any) -> Lines:
    line = {**lines[number], **fields, "links": {**lines[number]["links"], **links}}
    return [*lines[:number], line, *lines[number + 1 :]]


def chain_of(seed: str, side: str) -> Chain:
    """Return the whole chain of a side in ``game_of`` a seed."""
    dice, _ = shared_dice(prepared(), seed)
    source: Any = dice.epochs.source  # type: ignore[attr-defined]  # shared dice
    found: Chain = source._chain(side, 1)
    return found


def played(source: Any = None, orders: int = 99) -> tuple[Any, Game, Any]:
    """Return the header, game and players of a game after a number of orders, with links from ``source``."""
    dice, header = shared_dice(prepared(), "casebook")
    shared: Any = dice
    if source is not None:
        shared.epochs.source = source(shared.epochs.source)
    game = prepared().new_game(dice)
    players = seat_players(prepared(), header.players, key_from_seed("casebook"))
    game.start()
    for _ in range(orders):
        while isinstance(game.pending, Roll):
            if game.share():
                return header, game, players
        if not game.waiting():
            break
        asked = game.waiting()[0]
        game.submit(players[asked.seat].choose(asked, game.seat_view(asked.side)), asked.seat)
    return header, game, players


def test_01_forged_share_is_refused() -> None:
    lines = tables_of(game_of())
    for number in shares_in(game_of()):
        for side in ("north", "south"):
            forged = with_links(lines, number, {side: "12" * 32})
            refused(forged, "shares", number, f"links.{side}", f"the share of {side} is not link", "of the chain")


def test_02_later_link_is_refused() -> None:
    lines, number = tables_of(game_of()), shares_in(game_of())[1]
    later = chain_of("casebook", "south")[3].hex()
    refused(with_links(lines, number, {"south": later}), "shares", number, "links.south", "is not link 2")


def test_03_wrong_epoch_number_is_refused() -> None:
    lines, (first, second, *_) = tables_of(game_of()), shares_in(game_of())
    links = {side: chain_of("casebook", side)[3].hex() for side in ("north", "south")}
    forged = with_links(lines, second, links, epoch=3)
    refused(forged, "shares", second, "epoch", "epoch 2 is next")
    again = with_links(lines, second, lines[first]["links"], epoch=1)
    refused(again, "shares", second, "epoch", "shares of epoch 1: epoch 2 is next")


def test_04_links_of_another_game_are_refused() -> None:
    lines, other = tables_of(game_of()), tables_of(game_of("another"))
    number = shares_in(game_of())[0]
    forged = with_links(lines, number, other[shares_in(game_of("another"))[0]]["links"])
    refused(forged, "shares", number, "links.north", "the share of north is not link 1")


def test_05_shares_under_a_different_header_give_altered_dice() -> None:
    """The chains and every share are genuine; the game id, and so every key, is a different one."""
    lines = tables_of(game_of())
    forged = [{**lines[0], "players": {**lines[0]["players"], "north": "somebody"}}, *lines[1:]]
    roll = next(n for n, line in enumerate(lines) if line["kind"] == "roll" and line["dice"])
    verdict = verdict_on(forged)
    assert verdict.verdict == "false"
    assert verdict.first_difference is not None
    assert verdict.first_difference.kind == "altered dice"
    assert verdict.first_difference.record >= roll


def test_06_link_of_the_wrong_side_is_refused() -> None:
    lines, number = tables_of(game_of()), shares_in(game_of())[0]
    links = lines[number]["links"]
    forged = with_links(lines, number, {"north": links["south"], "south": links["north"]})
    refused(forged, "shares", number, "links.north", "the share of north")


@pytest.mark.parametrize("side", ["north", "south"])
def test_06_share_of_only_one_side_is_refused(side: str) -> None:
    lines, number = tables_of(game_of()), shares_in(game_of())[0]
    alone = {**lines[number], "links": {side: lines[number]["links"][side]}}
    refused([*lines[:number], alone, *lines[number + 1 :]], "shares", number, "links", f"shares of {side}: those of")


def test_06_side_without_a_chain_is_refused() -> None:
    lines = tables_of(game_of())
    header = {**lines[0], "chains": {"north": lines[0]["chains"]["north"]}}
    refused([header, *lines[1:]], "altered record", 0, "chains", "south has no chain")
    header = {**lines[0], "chains": {**lines[0]["chains"], "zed": lines[0]["chains"]["north"]}}
    refused([header, *lines[1:]], "altered record", 0, "chains", "zed has a chain, but is not a side")


def test_06_share_bound_to_another_record_is_refused() -> None:
    lines = tables_of(game_of())
    for number in shares_in(game_of()):
        at = lines[number]["at"]
        for wrong in (0, at - 1, at + 1, number):
            forged = with_links(lines, number, {}, at=wrong)
            refused(forged, "shares", number, "at", f"for record {wrong}: the last answer is record {at}")


def test_21_withheld_share_is_pending_and_only_people_can_end_the_game() -> None:
    header, game, _ = played(lambda source: Held(source, "south", 2))
    assert game.share() == ("south",)
    data, _ = log_bytes(header, game)
    verdict = verify(parse_log(data, "log"), prepared())
    assert (verdict.verdict, verdict.exit_code) == ("verified so far", 0), verdict.text
    last = max(each.n for each in game.records if isinstance(each, OrderRecord))
    assert isinstance(game.pending, Roll)
    assert f"the shares of epoch 2 (for {game.pending.purpose}, after record {last})" in verdict.pending
    with pytest.raises(PlayError, match="no order is expected now"):
        game.submit(None)  # type: ignore[arg-type]  # never looked at
    with pytest.raises(NothingToUndo):
        game.undo()
    with pytest.raises(PlayError, match="until the shares"):
        game.amend(last, game.records[last - 1].order, "once more")
    reason = "south gave no share of epoch 2"
    game.end(EndRecord(game.number + 1, UMPIRE, ABANDONMENT, "north", reason, ("south",)))
    verdict = verify(parse_log(log_bytes(header, game)[0], "log"), prepared())
    assert (verdict.verdict, verdict.pending) == ("verified", ()), verdict.text
    assert reason in verdict.ended


def test_22_a_link_is_given_once_so_no_two_orders_can_be_tried(tmp_path: Path) -> None:
    """The opponent tries orders against one link: the program gives it for the first head only."""
    log = tmp_path / "game.jsonl"
    links = LinksFile.create(log, SECRETS, notes=True)
    first = Due(1, 30, "ab" * 32, 1, 1)
    assert links.link("north", first) == LocalLinks(SECRETS).link("north", first)
    for number in range(200):
        for source in (links, LinksFile.reopen(log, notes=True)):
            with pytest.raises(PlayError, match="already given for another order"):
                source.link("north", first._replace(head=f"{number:064x}"))
    again = LinksFile.reopen(log, notes=True)
    assert again.link("north", first) == links.link("north", first)
    assert again.link("south", first._replace(epoch=2, head="cd" * 32, place=2))
    with pytest.raises(PlayError, match="older copy"):
        again.link("north", first)


def test_22_game_asks_only_for_the_epoch_that_is_due() -> None:
    sources: list[Held] = []

    def noted(source: Any) -> Held:
        sources.append(Held(source, "", 0))
        return sources[0]

    _, game, _ = played(noted)
    shares = [each for each in game.records if isinstance(each, SharesRecord)]
    assert [due.epoch for _, due in sources[0].asked] == [each.epoch for each in shares for _ in each.links]
    assert [due.at for _, due in sources[0].asked] == [each.at for each in shares for _ in each.links]


def test_24_chain_used_in_two_games_is_named() -> None:
    lines = tables_of(game_of())
    verdicts = [verdict_on(lines), verdict_on([{**lines[0], "players": {}}, *lines[1:]])]
    assert verdicts[0].game != verdicts[1].game
    found = list(same_games(["one", "two", "three"], [*verdicts, verdict_on(tables_of(game_of("another")))]))
    assert [each.partition(" use the same chain")[0] for each in found] == ["one and two: two games"] * 2
    assert "chain of north" in found[0]
    assert "chain of south" in found[1]
    assert not list(same_games(["one"], verdicts[:1]))


def test_27_epoch_burnt_without_a_record_is_refused() -> None:
    lines, number = tables_of(game_of()), shares_in(game_of())[0]
    links = {side: chain_of("casebook", side)[2].hex() for side in ("north", "south")}
    refused(with_links(lines, number, links, epoch=2), "shares", number, "epoch", "epoch 1 is next")


def test_27_epoch_burnt_to_avoid_its_dice_is_refused() -> None:
    """The last to give sees the dice, burns the epoch and rolls with the next one."""
    lines, number = tables_of(game_of()), shares_in(game_of())[0]
    burnt = {"kind": "burnt", "n": number, "epoch": 1}
    links = {side: chain_of("casebook", side)[2].hex() for side in ("north", "south")}
    later = with_links(lines, number, links, epoch=2)[number:]
    forged = [*lines[:number], burnt, {**later[0], "n": number + 1}]
    refused(
        forged, "rules diverge", number, "", "the rules need the shares of epoch 1", "the log has the burnt epoch 1"
    )


def test_27_second_epoch_after_one_answer_is_refused() -> None:
    lines, number = tables_of(game_of()), shares_in(game_of())[0]
    links = {side: chain_of("casebook", side)[2].hex() for side in ("north", "south")}
    second = {"kind": "shares", "n": number + 1, "epoch": 2, "at": lines[number]["at"], "links": links}
    forged = [*lines[: number + 1], second, *({**line, "n": line["n"] + 1} for line in lines[number + 1 :])]
    refused(forged, "shares", number + 1, "at", "a second epoch after the answer")


def amended() -> tuple[Any, Game]:
    """Return a game in which the umpire amended an order after whose roll another order was given."""
    header, game, _ = played(orders=6)
    while isinstance(game.pending, Roll):
        game.share()
    roll = next(each for each in game.trail if isinstance(each, RollRecord) and each.dice)
    order = next(each for each in reversed(game.trail[: roll.n]) if isinstance(each, OrderRecord))
    game.amend(order.n, order.order, "read again")
    while isinstance(game.pending, Roll):
        game.share()
    return header, game


def test_28_amendment_gives_no_new_dice_for_an_old_label() -> None:
    header, game = amended()
    data, _ = log_bytes(header, game)
    assert verify(parse_log(data, "log"), prepared()).verdict == "verified so far"
    rolls = [each for each in game.records if isinstance(each, RollRecord) and each.dice]
    again = [each for each in rolls if [other.label for other in rolls].count(each.label) > 1]
    old, new = again[0], again[len(again) // 2]
    assert (old.label, old.dice) == (new.label, new.dice)
    lines = tables_of(data)
    links = {side: chain_of("casebook", side) for side in ("north", "south")}
    epoch = 1 + max(line["epoch"] for line in lines if line["kind"] == "shares")
    at = max(number for number, line in enumerate(lines) if line["kind"] == "order" and number < new.n)
    heads = parse_log(data, "log").heads
    key = epoch_key(header.game, epoch, heads[at].decode(), {side: each[epoch] for side, each in links.items()})
    other = list(roll_dice(key, new.label, len(new.dice), new.sides))
    share = {
        "kind": "shares",
        "n": new.n,
        "epoch": epoch,
        "at": at,
        "links": {side: each[epoch].hex() for side, each in links.items()},
    }
    head = [*lines[: new.n], share, {**lines[new.n], "n": new.n + 1, "dice": other}]
    verdict = verdict_on(head)
    assert verdict.verdict == "false", verdict.text
    stored = verdict.first_difference
    assert stored is not None
    assert (stored.kind, stored.record) == ("altered dice", new.n + 1) if other != list(new.dice) else stored


REMOVED = {
    "shares": lambda lines: [number for number, line in enumerate(lines) if line["kind"] == "shares"],
    "burnt": lambda lines: [number for number, line in enumerate(lines) if line["kind"] == "burnt"],
}


@cache
def burnt_game() -> bytes:
    """Return a game in which an epoch is burnt: both sides gave links for a sealed group after which nothing fell."""
    rules = Installed("toy", toy, "the toy")
    dice, header = shared_dice(rules.prepare(), "burnt")
    game = rules.prepare().new_game(dice)
    game.start()
    while not game.is_over:
        if isinstance(game.pending, Roll):
            game.share()
            continue
        answers = [each for each in game.records if isinstance(each, OrderRecord)]
        burnt = [each for each in game.records if isinstance(each, BurntRecord)]
        shares: Any = dice
        if answers and answers[-1].missing == 1 and not burnt and _nothing_rolled(game):
            game.burn(BurntRecord(game.number + 1, shares.epochs.number + 1))
        asked = game.waiting()[0]
        game.submit(_quietly(asked, len(answers)), asked.seat)
    return log_bytes(header, game)[0]


def _nothing_rolled(game: Game) -> bool:
    newest = next(each for each in reversed(game.records) if isinstance(each, OrderRecord | SharesRecord))
    return isinstance(newest, OrderRecord)


def _quietly(asked: Any, number: int) -> Any:
    """Return an order that commits no troops in the first battle and one in the later ones."""
    if hasattr(asked.options.values().__iter__().__next__(), "space"):
        return next(iter(asked.options.values()))
    return toy.Commit(0 if number < 4 else min(1, max(each.troops for each in asked.options.values())))


def test_40_burnt_epoch_is_verified() -> None:
    verdict = verify(parse_log(burnt_game(), "log"), prepared())
    assert verdict.verdict == "verified", verdict.text
    assert sum(line["kind"] == "burnt" for line in tables_of(burnt_game())) == 1


@pytest.mark.parametrize("renumber", [False, True])
@pytest.mark.parametrize("of", [game_of, burnt_game])
def test_40_log_without_shares_or_burnt_records_is_not_verified(of: Callable[[], bytes], renumber: bool) -> None:
    lines = tables_of(of())
    spots = [number for number, line in enumerate(lines) if line["kind"] in ("shares", "burnt")]
    for gone in [*((each,) for each in spots), *combinations(spots, 2)]:
        left = [line for number, line in enumerate(lines) if number not in gone]
        if renumber:
            left = [left[0], *({**line, "n": number} for number, line in enumerate(left[1:], start=1))]
        verdict = verdict_on(left)
        assert verdict.exit_code, f"without {gone}: {verdict.text}"


def test_40_log_without_a_field_of_the_shares_is_not_verified() -> None:
    lines = tables_of(burnt_game())
    for number, line in enumerate(lines):
        if line["kind"] not in ("shares", "burnt"):
            continue
        for name in [each for each in line if each != "kind"]:
            bare = {key: value for key, value in line.items() if key != name}
            data = rechained([*lines[:number], bare, *lines[number + 1 :]])
            with pytest.raises(Exception, match=r"."):
                assert verify(parse_log(data, "log"), prepared()).exit_code == 0


def _mutants(data: bytes) -> list[tuple[str, bytes]]:
    """Return logs with one altered field of shares, rolls or burnt epochs, each with a valid chain of hashes."""
    lines, found = tables_of(data), []
    for number, line in enumerate(lines):
        for name, value in line.items() if line["kind"] in ("shares", "burnt", "roll") else ():
            if name in ("epoch", "at"):
                wrong: list[Any] = [value + 1, value - 1]
            elif name == "links":
                wrong = [{**value, side: "00" * 32} for side in value] + [dict(list(value.items())[:1])]
            elif name == "dice" and value:
                wrong = [[value[0] % line["sides"] + 1, *value[1:]]]
            elif name == "label" and line["dice"]:
                wrong = [f"{value}1"]
            else:
                wrong = []
            for each in wrong:
                altered = [*lines[:number], {**line, name: each}, *lines[number + 1 :]]
                found.append((f"{name} of {number}: {json.dumps(each)[:40]}", rechained(altered)))
    return found


@pytest.mark.full
def test_39_second_verifier_refuses_the_same_mutants(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    path = tmp_path / "log.jsonl"

    def confirms(data: bytes) -> bool:
        path.write_bytes(data)
        result = subprocess.run([node, VERIFIER, path], capture_output=True, text=True, check=False)
        assert "Error" not in result.stderr, result.stderr
        return result.returncode == 0

    for data in (game_of(), burnt_game(), log_bytes(*amended())[0]):
        assert confirms(data)
    for what, data in [*_mutants(burnt_game())[::2], *_mutants(game_of())[::4]]:
        assert verify(parse_log(data, "log"), prepared()).verdict == "false", what
        assert not confirms(data), what


def test_links_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    with pytest.raises(PlayError, match="the links for the shared dice of this game are missing"):
        LinksFile.reopen(log, notes=True).check()
    assert LinksFile.reopen(log, notes=True).link("north", Due(1, 0, "ab" * 32, 1, 1)) is None
    for content in (b"", b"{}", b'{"format":"sandtable-links","secrets":{"north":"ab"}}', b"\xff"):
        Path(f"{log}.links").write_bytes(content)
        with pytest.raises(DataError, match="holds no links"):
            LinksFile.reopen(log, notes=True)
