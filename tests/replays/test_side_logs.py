"""A side's slice answers every command with the bytes that the complete log gives for that side, at any record."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec import json
from shipped import complete_games
from unfinished import play_until_closed

from sandtable.cli.main import cli
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import prepare_for, read_records
from sandtable.journal.side_view.hints import side_file
from sandtable.kernel.decisions import PUBLIC, UMPIRE, EnterDice
from sandtable.kernel.dice import Stream
from sandtable.kernel.records import OrderRecord
from sandtable.players.players import best_for
from sandtable.plugin.manager import Prepared, Rulesets

pytestmark = pytest.mark.full

FOLDER = Path(__file__).parents[2] / "replays"
RULESETS = Rulesets()
SHORT = [
    "khamsin/allies-broken-teaching",
    "kampfpanzer/british-reached-arras",
    "damos/soviet-substantial-smolensk",
    "desert_aa/axis-capital_captured-ruled",
    "desert_aa/allies-capital_captured-frontier-signed",
    "axis_attack/german-home_sector-eastern_front",
]
LONG = [
    name
    for path in sorted(FOLDER.glob("*/*.jsonl"))
    if path.parent.name != "disputes" and (name := f"{path.parent.name}/{path.stem}") not in SHORT
]
FEW, MANY = 3, 12
"""Number of records that are drawn for each side, in the full set and in the campaign."""

Alike = Callable[..., Result]


def sides_of(prepared: Prepared) -> tuple[str, ...]:
    return (*prepared.ruleset.viewers, PUBLIC)


def drawn(log: Log, prepared: Prepared, side: str, number: int) -> Iterator[tuple[int, OrderRecord[Any] | None]]:
    """Yield records to look at, and the own order that follows one: some before own orders, some anywhere, the last."""
    stream, side_of = Stream(f"{log.header.game} {side}".encode()), prepared.ruleset.side_of
    records = read_records(log, prepared.ruleset)
    own = [
        each
        for each in records
        if isinstance(each, OrderRecord) and side_of(each.by) == side and not isinstance(each.order, EnterDice)
    ]
    for order in [stream.pick(own) for _ in range(number if own else 0)]:
        yield order.n - 1, order
    for _ in range(number):
        yield 1 + stream.below(log.records), None
    yield log.records, None


@pytest.fixture
def alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Alike:
    """Run a command on the complete log and on the slice; both must print the same and end in the same way."""

    def run(*words: object, side: str) -> Result:
        found = []
        for folder in ("whole", side):
            monkeypatch.chdir(tmp_path / folder)
            found.append(CliRunner().invoke(cli, [str(each) for each in (*words, "--side", side)]))
        whole, part = found
        assert (whole.exit_code, whole.stdout) == (part.exit_code, part.stdout), f"{words} for {side}: {part.stderr}"
        assert part.exit_code != 70, part.stderr
        return part

    return run


def compare(source: Path, tmp_path: Path, alike: Alike, number: int) -> None:
    """Compare every command at drawn records of the log in ``source``, for each side."""
    log = read_log(source)
    prepared = prepare_for(log, RULESETS)
    (tmp_path / "whole").mkdir()
    for file in (source, Path(f"{source}.private")):
        if file.exists():
            (tmp_path / "whole" / f"g.jsonl{file.suffix if file != source else ''}").write_bytes(file.read_bytes())
    for side in sides_of(prepared):
        (tmp_path / side).mkdir()
        (tmp_path / side / "g.jsonl").write_bytes(side_file(log, prepared, side))
        for at, order in drawn(log, prepared, side, number):
            alike("board", "g.jsonl", "--at", at, side=side)
            alike("ask", "g.jsonl", "?", "--at", at, side=side)
            alike("explain", "g.jsonl", "--at", max(1, at), side=side)
            alike("replay", "g.jsonl", "--full", "--numbers", "--board", "--at", at, side=side)
            for seat in [each for each, own in prepared.ruleset.seats.items() if own == side]:
                alike("ask", "g.jsonl", f"order {seat}: nonsense", "--at", at, side=side)
            if order is None:
                continue
            typed = json.encode(order.order).decode()
            asked = alike("ask", "g.jsonl", f"order {order.by}: {typed}", "--at", at, side=side)
            assert asked.stdout.startswith("yes\n"), (at, asked.stdout)
            bot = best_for(prepared.installed, order.by)
            told = alike("ask", "g.jsonl", f"bot {order.by}: {bot}", "--at", at, side=side)
            assert "decision: " in told.stdout, (at, told.stderr)
            explained = alike("explain", "g.jsonl", "--at", order.n, "--json", side=side)
            assert json.decode(explained.stdout)["decided"][0]["asked"], (at, "its own question is missing")
        alike("replay", "g.jsonl", side=side)
        for words in ((), ("--rolls", "--faces"), ("--json",)):
            alike("log", "luck", "g.jsonl", *words, side=side)
        alike("log", "page", "g.jsonl", "--out", "page.html", side=side)
        pages = [(tmp_path / folder / "page.html").read_bytes() for folder in ("whole", side)]
        assert pages[0] == pages[1], f"the pages for {side} differ"
        (tmp_path / "whole" / "page.html").unlink()


@pytest.mark.parametrize("name", SHORT)
def test_slice_gives_the_bytes_of_the_complete_log(name: str, tmp_path: Path, alike: Alike) -> None:
    compare(FOLDER / f"{name}.jsonl", tmp_path, alike, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SHORT, *LONG])
def test_slices_of_all_golden_games_give_the_bytes_of_their_logs(name: str, tmp_path: Path, alike: Alike) -> None:
    compare(FOLDER / f"{name}.jsonl", tmp_path, alike, MANY)


@pytest.mark.parametrize("name", [each for each in complete_games() if RULESETS.load(each).prepare().ruleset.hidden])
def test_slice_of_an_unfinished_game_gives_the_bytes_of_its_log(name: str, tmp_path: Path, alike: Alike) -> None:
    path = tmp_path / "game.jsonl"
    play_until_closed(RULESETS.load(name).prepare(), path)
    assert Path(f"{path}.private").exists()
    compare(path, tmp_path, alike, FEW)


def test_umpire_of_a_slice_is_refused(tmp_path: Path, alike: Alike) -> None:
    source = FOLDER / f"{SHORT[0]}.jsonl"
    log = read_log(source)
    path = tmp_path / "axis.jsonl"
    path.write_bytes(side_file(log, prepare_for(log, RULESETS), "axis"))
    for other in (UMPIRE, "allies", PUBLIC):
        result = CliRunner().invoke(cli, ["board", str(path), "--side", other])
        assert result.exit_code == 2
        assert f"it does not show what {other} saw" in result.stderr
