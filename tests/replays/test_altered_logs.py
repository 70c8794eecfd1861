"""Golden games with one altered field, rechained so that they can be read: no command crashes.

A log comes from someone else: its hashes may fit although its events do not. Every command then reports that in one
line. The exit code is 0 or 1 if the log can be used, 3 if it cannot be read, 4 if the ruleset is not installed, and 5
if the log is not proven.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rechained import Place, altered, lines_of, places, rechained, strange, value_at

from sandtable.cli.main import cli

REPLAYS = Path(__file__).parents[2] / "replays"
GAMES = {
    "axis_attack": ("german-home_sector-eastern_front", "german"),
    "damos": ("soviet-substantial-smolensk", "german"),
    "desert_aa": ("axis-capital_captured", "axis"),
    "kampfpanzer": ("russians-exited-summa", "finns"),
    "khamsin": ("allies-broken-teaching", "axis"),
}
"""A short game of each ruleset, and one of its sides."""

LONGEST_LINE = 2_600
"""Maximum number of characters of a line of prose: the file's name and a message."""

Tried = Callable[..., dict[str, int]]


def source_of(ruleset: str) -> Path:
    return REPLAYS / ruleset / f"{GAMES[ruleset][0]}.jsonl"


@pytest.fixture
def tried(tmp_path: Path) -> Tried:
    """Return a function that runs every log command on altered lines and returns the exit codes."""

    def trying(ruleset: str, lines: list[dict[str, Any]], record: int) -> dict[str, int]:
        log = tmp_path / "log.jsonl"
        log.write_bytes(rechained(lines))
        side = GAMES[ruleset][1]
        words: dict[str, list[str]] = {
            "board": ["board", str(log)],
            "diff": ["log", "diff", str(source_of(ruleset)), str(log)],
            "replay": ["replay", str(log), "--board"],
            "replay for a side": ["replay", str(log), "--side", side],
            "slice": ["log", "redact", str(log), "--side", side],
            "luck": ["log", "luck", str(log)],
            "explain": ["explain", str(log), "--at", str(record)],
            "verify": ["verify", str(log)],
        }
        codes = {}
        for name, each in words.items():
            result = CliRunner().invoke(cli, each, prog_name="sandtable")
            codes[name] = result.exit_code
            assert result.exit_code in {0, 1, 3, 4, 5}, (name, result.stderr)
            assert max(map(len, result.stderr.splitlines()), default=0) < LONGEST_LINE, (name, result.stderr[:500])
        return codes

    return trying


SAMPLE = [
    ("axis_attack", "CompanyBuilt", ("platoons", "pak38", "type"), "nowhere"),
    ("axis_attack", "WeatherRolled", ("mud",), 99),
    ("axis_attack", "CampaignOpened", ("balance",), {}),
    ("damos", "ForceMovedStrategically", ("path",), []),
    ("desert_aa", "GrantReceived", ("purse",), "nowhere"),
    ("desert_aa", "CombatsDeclared", ("combats",), {}),
    ("kampfpanzer", "FacingChanged", ("unit",), "nowhere"),
    ("kampfpanzer", "ForceDeployed", ("entrenchments", 0), ""),
    ("khamsin", "EngagementDecided", ("engagement",), "nowhere"),
    ("khamsin", "GameEnded", ("outcome",), "nobody"),
]
"""Events that no rules make; each once crashed a handler, a drawing or a narration."""


@pytest.mark.full
@pytest.mark.parametrize(("ruleset", "event", "keys", "value"), SAMPLE)
def test_event_that_does_not_fit_is_reported_in_one_line(
    tried: Tried, ruleset: str, event: str, keys: tuple[Any, ...], value: Any
) -> None:
    lines = lines_of(source_of(ruleset))
    number, held = next((n, held) for n, line in enumerate(lines) if (held := _holders(line, event)))
    for before in held:
        lines = altered(lines, (number, (*before, "event", *keys)), value)
    codes = tried(ruleset, lines, number)
    assert 3 in {codes["board"], codes["replay"]}
    assert codes["verify"] in {1, 4}  # 4: the rules were edited since, which verify reports first


def _holders(line: dict[str, Any], event: str) -> list[tuple[str, ...]]:
    """Return the paths to the parts of ``line`` that hold an event of the type ``event``."""
    parts: dict[tuple[str, ...], Any] = {(): line}
    parts |= {("opened", to): part for to, part in line.get("opened", {}).items()}
    return [keys for keys, part in parts.items() if part.get("event", {}).get("type") == event]


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", GAMES)
def test_altered_field_of_any_kind_crashes_no_command(tried: Tried, ruleset: str) -> None:
    lines = lines_of(source_of(ruleset))
    dice = random.Random(ruleset)  # noqa: S311 - fields and values to try, not secrets
    for place in one_of_each_kind(lines, dice):
        before = value_at(lines, place)
        values = [value for value in strange(before) if value != before]
        if values:
            tried(ruleset, altered(lines, place, dice.choice(values)), dice.randrange(1, len(lines)))


def one_of_each_kind(lines: list[dict[str, Any]], dice: random.Random) -> list[Place]:
    """Return one path for each kind of field: the same keys in lines of the same kind and type."""
    kinds: dict[tuple[Any, ...], list[Place]] = {}
    for number, keys in places(lines):
        line = lines[number]
        inner = line.get("event") or line.get("order") or {}
        words = tuple("" if isinstance(key, int) else key for key in keys)
        kinds.setdefault((line["kind"], inner.get("type", ""), *words), []).append((number, keys))
    return [dice.choice(found) for found in kinds.values()]
