"""Tables of decisions, recomputed from stored orders.

They are independent of the workers and limited to information that a player could have.
"""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest
from click.testing import CliRunner
from tournaments import RULESETS, is_open, noted_bases

from sandtable.cli.main import cli
from sandtable.files.databases import refuse_foreign
from sandtable.journal.file.reading import parse_log
from sandtable.journal.fold import read_records
from sandtable.kernel.records import OrderRecord
from sandtable.lab.datasets.decisions import DecisionRow, all_decisions
from sandtable.lab.tournament import store as store_module
from sandtable.lab.tournament.preparing import set_stage
from sandtable.lab.tournament.rerun import stored_log
from sandtable.lab.tournament.store import Store
from sandtable.plugin.manager import Rulesets

Play = Callable[..., Store]

TEXT = """
[tournament]
title = "Two"
seed = "decisions"
games = 2

[[contest]]
ruleset = "skirmish"

[[contest]]
ruleset = "toy"

[[entrant]]
name = "one"
player = "random"

[[entrant]]
name = "other"
player = "first"
"""


def rows_of(store: Store, workers: int) -> list[DecisionRow]:
    found: list[DecisionRow] = []
    all_decisions(store, str(RULESETS), workers, found.extend)
    return found


def test_decision_rows_match_the_orders_of_all_logs(play: Play, rulesets: Rulesets) -> None:
    store = play(TEXT)
    stage = set_stage(store.manifest.tournament, rulesets, store.manifest.base)
    rows = rows_of(store, 1)
    for plan, row in store.games():
        log = parse_log(stored_log(store, stage, plan.number), "stored")
        orders = [
            record
            for record in read_records(log, stage.prepared[plan.contest].ruleset)
            if isinstance(record, OrderRecord)
        ]
        own_rows = [each for each in rows if each.game == plan.number]
        assert [each.record for each in own_rows] == [record.n for record in orders]
        assert [json.loads(each.chosen) for each in own_rows] == [
            msgspec.to_builtins(record.order) for record in orders
        ]
        assert {each.player for each in own_rows} <= {*plan.lineup.values()}
        assert {each.outcome for each in own_rows} == {row.outcome}
        results = {each.side: each.result for each in own_rows}
        assert sum(results.values()) == 1000


def test_decision_row_holds_only_what_its_side_saw(play: Play) -> None:
    """Each side of the toy sees its own ambush, and never the other's."""
    rows = [each for each in rows_of(play(TEXT), 1) if each.ruleset == "toy"]
    hidden = {(each.game, each.side): json.loads(each.chosen)["space"] for each in rows if "LayAmbush" in each.chosen}
    seen = {(each.game, each.side): json.loads(each.view) for each in rows if each.turn == 1}
    assert len(seen) == 4
    assert {key: view["ambush"] for key, view in seen.items()} == hidden


@pytest.mark.full
def test_decision_rows_are_the_same_for_any_workers(play: Play) -> None:
    store = play(TEXT)
    assert rows_of(store, 1) == rows_of(store, 2)


@pytest.mark.full
def test_parquet_csv_and_jsonl_hold_the_same_rows(play: Play, tmp_path: Path) -> None:
    store = play(TEXT)
    for ending in ("parquet", "csv", "jsonl"):
        words = ["tournament", "export", str(store.folder), "--decisions", str(tmp_path / f"rows.{ending}")]
        done = CliRunner().invoke(cli, [*words, "--workers", "1", "--plugins-dir", str(RULESETS)])
        assert done.exit_code == 0, done.stderr
        assert "decisions of 4 games" in done.stderr
    lines = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert pl.read_parquet(tmp_path / "rows.parquet").to_dicts() == lines
    with (tmp_path / "rows.csv").open(newline="") as file:
        assert [{**row} for row in csv.DictReader(file)] == [
            {name: str(value) for name, value in line.items()} for line in lines
        ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--decisions", "rows.txt"], "must be a .parquet, .csv, .jsonl file"),
        (["--decisions", "here.csv"], "here.csv: already exists: name another file"),
        (["--decisions", "rows.csv", "--logs", "x"], "--logs and --decisions cannot be combined"),
    ],
)
def test_decisions_export_to_invalid_file_is_refused(
    words: list[str], message: str, play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = play(TEXT)
    monkeypatch.chdir(tmp_path)
    Path("here.csv").write_text("mine")
    done = CliRunner().invoke(cli, ["tournament", "export", str(store.folder), *words, "--plugins-dir", str(RULESETS)])
    assert done.exit_code == 2
    assert message in done.stderr
    assert Path("here.csv").read_text() == "mine"


@pytest.mark.full
def test_no_file_stays_open_after_reading_decisions(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    store = play(TEXT)
    opened = noted_bases(monkeypatch)
    assert rows_of(store, 1)
    assert opened
    assert not any(map(is_open, opened))


@pytest.mark.full
def test_decisions_notebook_runs(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the cells in order, on a file of the toy and the skirmish."""
    store = play(TEXT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "svg")
    words = ["tournament", "export", str(store.folder), "--decisions", "decisions.parquet", "--workers", "1"]
    assert CliRunner().invoke(cli, [*words, "--plugins-dir", str(RULESETS)]).exit_code == 0
    notebook = json.loads((Path(__file__).parents[4] / "docs" / "decisions.ipynb").read_text())
    names: dict[str, object] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)  # noqa: S102 - our own cells
    for plot in ("options.svg", "games.svg"):
        assert "</svg>" in (tmp_path / plot).read_text()


def test_store_values_are_checked_once_for_all_games(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each game is read through its own connection. Checking the store each time would take quadratic time."""
    folder, checked = play(TEXT).folder, list[int]()

    def counted_check(*words: Any) -> None:
        checked.append(len(words[2]))
        refuse_foreign(*words)

    monkeypatch.setattr(store_module, "refuse_foreign", counted_check)
    with Store.open(folder) as store:
        rows_of(store, 1)
        assert len(checked) == 1 + store.count()
    assert checked[0] > 0
    assert set(checked[1:]) == {0}
