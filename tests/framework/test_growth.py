"""Time and memory of readers by size, smaller than in the campaign (``tests/campaign/test_growth.py``)."""

import pytest
from growing_files import FILES, scenarios
from growing_logs import CLAIMED, PLAIN, command, kinds
from growth import growth_faults

KINDS = {name: (make, size) for name, make, size in kinds()}
LESS = 8


@pytest.mark.full
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("words", ["verify LOG", "log redact LOG --side axis"])
def test_a_log_is_read_in_linear_time_and_memory(words: str, name: str) -> None:
    make, size = KINDS[name]
    read = command(words)
    read(PLAIN.read_bytes())
    assert not list(growth_faults(make, read, max(4, size // LESS)))


@pytest.mark.full
@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_in_linear_time_and_memory(name: str) -> None:
    make, read, size = FILES[name]
    assert not list(growth_faults(make, read, max(4, size // 3)))


TABLES = {"axis_attack": "sectors", "damos": "map.places", "desert_aa": "", "kampfpanzer": "", "khamsin": ""}


@pytest.mark.full
@pytest.mark.parametrize("game", TABLES)
def test_a_table_of_a_scenario_is_read_in_linear_time_and_memory(game: str) -> None:
    rows = dict(scenarios(game))
    row = rows[TABLES[game] or next(iter(rows))]
    assert not list(growth_faults(row.make, row.read, row.size // 2))


def test_a_repeated_part_makes_a_longer_log() -> None:
    for name, (make, _) in KINDS.items():
        if name not in {"battles", CLAIMED}:
            assert len(make(2)) < len(make(4)), name


BLOCK = 60_000
"""Bytes that the C library allocates in its heap, and keeps there when they are freed below a block in use."""


def blocks(count: int) -> list[bytes]:
    return [b"x" * BLOCK for _ in range(count)]


@pytest.mark.full
def test_memory_freed_before_a_measurement_does_not_hide_growth() -> None:
    *freed, pin = blocks(1_000)
    freed.clear()
    assert not list(growth_faults(bytes, lambda data: blocks(96 * len(data) // BLOCK), 500_000))
    assert pin
