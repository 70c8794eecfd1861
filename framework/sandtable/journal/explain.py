"""Why a record happened: the order, the rolls, and the live procedures with the rules they cite."""

import re
from typing import Any

from msgspec import Struct, to_builtins

from sandtable.errors import LogError
from sandtable.journal.file.log import Log
from sandtable.journal.fold import effective, prepare_for, read_records
from sandtable.journal.verification.edits import refusal
from sandtable.journal.verification.rerun import Rerun
from sandtable.journal.verification.stored import dice_of, shown_key
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import OrderRecord, RollRecord, SealRecord
from sandtable.plugin.manager import Rulesets

_RULE_ID = re.compile(r"\b[A-Z][A-Z0-9]{0,4}-[A-Z]?\d+(?:\.\d+)?[a-z]?\b")


class Frame(Struct, frozen=True):
    """A live procedure: its name, what its docstring says first, and the rule ids it cites."""

    procedure: str
    summary: str
    rules: tuple[str, ...]


class ExplainedRoll(Struct, frozen=True):
    """A roll, and how anyone can compute it again: ``command`` for a shell, where the key is known."""

    record: int
    label: str
    sides: int
    dice: tuple[int, ...]
    needs: tuple[int, ...]
    rule: str
    command: str


class Explanation(Struct, frozen=True):
    """Why record ``record`` of a log happened."""

    log: str
    record: int
    kind: str
    what: dict[str, Any]
    turn: int
    phase: str
    rule: str
    order: dict[str, Any] | None
    asked: str
    rolls: tuple[ExplainedRoll, ...]
    procedures: tuple[Frame, ...]
    rules: dict[str, str]


def explain(log: Log, number: int, rulesets: Rulesets) -> Explanation:
    """Return why record ``number`` of ``log`` happened; raises LogError when there is no such record.

    Where the rules do not lead to it, raises LogDamaged, or RulesetMissing if they were edited since.
    """
    if not 1 <= number <= log.records:
        raise LogError(f"{log.name}: has records 1 to {log.records}, no {number}")
    prepared = prepare_for(log, rulesets)
    records = read_records(log, prepared.ruleset)
    seen: list[tuple[tuple[Frame, ...], int, str]] = []
    asked: list[str] = []

    def look(record: Any) -> None:
        if record.n == number:
            seen.append((_frames(game), game.state.turn, game.state.phase))

    rerun = Rerun(prepared, log, records[:number], dice_of(log, records), seen=look)
    game = rerun.game
    found = rerun.run(before=lambda decision: asked.append(decision.prompt))
    if found is not None:
        raise refusal(found, log, prepared, f"record {number} cannot be explained: ")
    frames, turn, phase = seen[-1] if seen else ((), game.state.turn, game.state.phase)
    record = records[number - 1]
    before = effective(records[:number])
    orders = [each for each in before if isinstance(each, OrderRecord)]
    start = orders[-1].n if orders else 0
    key = shown_key(log, records)
    rolls = tuple(_roll(each, key) for each in before if isinstance(each, RollRecord) and each.n > start)
    rule = getattr(record, "rule", "") or getattr(getattr(record, "event", None), "rule", "")
    cited = {*[rule] * bool(rule), *(rule for frame in frames for rule in frame.rules), *(roll.rule for roll in rolls)}
    index = prepared.installed.hook.ruleset_index() or ()
    return Explanation(
        log=log.name,
        record=number,
        kind=type(record).__name__.removesuffix("Record").lower(),
        what={key: value for key, value in to_builtins(record).items() if key not in {"hash", "kind", "n"}},
        turn=turn,
        phase=phase,
        rule=rule,
        order=to_builtins(orders[-1]) if orders and not isinstance(record, SealRecord) else None,
        asked=asked[-1] if asked and orders else "",
        rolls=rolls,
        procedures=frames,
        rules={row.id: row.text for row in index if row.id in cited},
    )


def _frames(game: Game) -> tuple[Frame, ...]:
    found = []
    for name, live in game.procedures():
        if name == "walk":
            continue
        first = live.gi_code.co_consts[0] if live.gi_code.co_consts else ""  # type: ignore[attr-defined]
        text = first if isinstance(first, str) else ""
        found.append(Frame(name, text.strip().split("\n")[0], tuple(dict.fromkeys(_RULE_ID.findall(text)))))
    return tuple(found)


def _roll(record: RollRecord, key: bytes | None) -> ExplainedRoll:
    hexkey = key.hex() if key else "<key shown at the close>"
    command = f"printf %s '{record.label}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:{hexkey}"
    return ExplainedRoll(record.n, record.label, record.sides, record.dice, record.needs, record.rule, command)
