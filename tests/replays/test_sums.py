"""Figures of events without calculations are computed again from recorded games, with the same results."""

from pathlib import Path

import pytest
from msgspec import to_builtins

from sandtable.journal.explain import sums_of
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import prepare_for, read_records
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.records import EventRecord
from sandtable.plugin.manager import Rulesets

REPLAYS = Path(__file__).parents[2] / "replays"
KINDS = {
    "khamsin/axis-position-teaching": {"HonorGained", "WeatherSet"},
    "damos/german-gates-smolensk": {"LossesTaken", "UndyingRolled"},
    "desert_aa/draw-round_limit": {"GrantReceived"},
    "axis_attack/draw-stalemate-armoured_clash": {"RolesRolled", "ChoiceRolled"},
}


@pytest.mark.full
@pytest.mark.parametrize("name", KINDS)
def test_computed_figure_equals_the_recorded_figure(name: str) -> None:
    log = read_log(REPLAYS / f"{name}.jsonl")
    prepared = prepare_for(log, Rulesets())
    records = read_records(log, prepared.ruleset)
    kinds = set()
    for place, record in enumerate(records):
        plain = to_builtins(record.event) if isinstance(record, EventRecord) else {}
        sums = sums_of(prepared, records[: place + 1])
        assert bool(sums) == (not plain.get("calculations") and plain.get("type") in KINDS[name]), plain
        kinds |= {plain["type"]} if sums else set()
        for each in sums:
            value = plain.get(each.name, each.total)
            if each.table:
                table = prepared.installed.table(each.table[0], prepared.board)
                around = table.around(*each.table[1:]) if table else None
                assert around is not None
                assert around[0] == value
            else:
                assert each.total == value
    assert kinds == KINDS[name]


@pytest.mark.rule("DM-2.4c")
def test_loss_calculations_show_the_enemy_no_unit() -> None:
    log = read_log(REPLAYS / "damos/german-gates-smolensk.jsonl")
    prepared = prepare_for(log, Rulesets())
    records = read_records(log, prepared.ruleset)
    lost = [n for n, each in enumerate(records) if type(getattr(each, "event", None)).__name__ == "LossesTaken"]
    place = next(n for n in lost if sums_of(prepared, records[: n + 1]))
    whole = sums_of(prepared, records[: place + 1])
    assert [each.name for each in whole] == ["points", "paid"]
    enemy = "german" if records[place].event.side == "soviet" else "soviet"
    seen = seen_records(records[: place + 1], prepared, enemy)
    assert [each.name for each in sums_of(prepared, seen)] == ["points"]
