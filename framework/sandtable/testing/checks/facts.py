"""Checks of the declarations of a ruleset: manifest, messages, sequence of play, map, rule ids."""

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import msgspec

from sandtable.board.areas.map import AreaMap
from sandtable.board.hexes.map import HexMap
from sandtable.journal.format.codec import RecordCodec
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.events import KERNEL_EVENTS, GameEnded, SideEliminated
from sandtable.kernel.play.endings import BY_PEOPLE, DRAW, shares_of, wrong_shares
from sandtable.kernel.records import EventRecord, OrderRecord, RollRecord
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import Manifest, Stage
from sandtable.testing.checks.bench import FaultError, Harness, NotChecked, Trial
from sandtable.testing.checks.code.source import never_run

_TOKEN = re.compile(r"[a-z0-9_]{1,40}", re.ASCII)
_VERSION = re.compile(r"[A-Za-z0-9._+\-]{1,40}", re.ASCII)
_STATES = ("rule", "ruling", "info")


def check_facts(bench: Harness) -> str:
    """Check that manifest, options, index, messages and sequence of play agree, in every setting."""
    manifest = bench.installed.manifest
    problems = [*_in_manifest(manifest), *_in_index(bench), *never_run(bench.installed)]
    for prepared in () if problems else bench.settings:
        problems += _in_messages(prepared)
        problems += _in_sequence(prepared, manifest)
    if problems:
        raise FaultError("; ".join(dict.fromkeys(problems)))
    return f"{len(bench.settings)} settings of scenarios and options can be prepared"


def _doubled(names: Iterable[str]) -> list[str]:
    listed = list(names)
    return sorted({name for name in listed if listed.count(name) > 1})


def _in_texts(manifest: Manifest) -> Iterator[str]:
    for name in ("title", "version", "edition"):
        told = getattr(manifest, name)
        if not isinstance(told, str) or not told.strip():
            yield f"manifest: {name} is {told!r}: it must be a text"
    if isinstance(manifest.version, str) and manifest.version and not _VERSION.fullmatch(manifest.version):
        yield f"manifest: version is {manifest.version!r}: use letters, digits, . _ + -, such as 1 or 0.2"
    if manifest.stage not in get_args(Stage):
        yield f"manifest: stage is {manifest.stage!r}: choose {', '.join(get_args(Stage))}"


def _in_manifest(manifest: Manifest) -> Iterator[str]:
    yield from _in_texts(manifest)
    groups = ([*manifest.sides, *manifest.powers], manifest.endings, [option.name for option in manifest.options])
    for tokens in ([manifest.id], *groups):
        yield from (
            f"manifest: {token!r} must consist of a-z, 0-9, _" for token in tokens if not _TOKEN.fullmatch(token)
        )
        yield from (f"manifest: the name {name} occurs twice" for name in _doubled(tokens))
    if not manifest.sides:
        yield "manifest: sides: a game needs at least one"
    for power, side in manifest.powers.items():
        if side not in manifest.sides:
            yield f"manifest: powers.{power}: {side!r} is not a side"
    if manifest.newcomer and manifest.newcomer not in manifest.sides:
        yield f"manifest: newcomer: {manifest.newcomer!r} is not a side"
    for option in manifest.options:
        if not option.values or _doubled(option.values):
            yield f"manifest: options.{option.name}: must have at least one value, each once, the default first"
        if not option.text:
            yield f"manifest: options.{option.name}: must have a text that explains it"


def _in_index(bench: Harness) -> Iterator[str]:
    rows = bench.installed.hook.ruleset_index() or ()
    yield from (f"index: the rule {name} occurs twice" for name in _doubled(row.id for row in rows))
    yield from (
        f"index: {row.id}: state is {row.state!r}, not one of {_STATES}" for row in rows if row.state not in _STATES
    )
    for option in bench.installed.manifest.options:
        if option.ruling and rows and option.ruling not in bench.rule_ids:
            yield f"manifest: options.{option.name}: its ruling {option.ruling} is not in the index"


def _in_messages(prepared: Prepared) -> Iterator[str]:
    ruleset = prepared.ruleset
    names = [kind.__name__ for kind in (*ruleset.all_orders, *ruleset.all_events)]
    yield from (f"messages: two have the name {name}" for name in _doubled(names))
    for kind in (*ruleset.orders, *ruleset.events):
        if not kind.__struct_config__.frozen:
            yield f"messages: {kind.__name__} is not frozen: write class {kind.__name__}(..., frozen=True)"
    yield from _in_handlers(ruleset.functions)
    for event in ruleset.events:
        if "rule" not in event.__struct_fields__:
            yield f"messages: the event {event.__name__} has no field `rule`"
    for kind in (*ruleset.secret_events, *ruleset.reveals):
        if kind not in ruleset.events:
            yield f"messages: {kind.__name__} is secret or a reveal, but not in the list of events"
    if ruleset.secret_events and not ruleset.hidden:
        yield "manifest: hidden must be true: there are secret events"
    try:
        RecordCodec(ruleset)
    except (TypeError, ValueError) as error:
        yield f"messages: they cannot be written to a log: {error}"


def _in_handlers(functions: Iterable[Any]) -> Iterator[str]:
    """Yield a problem for each handler that is a generator."""
    for function in functions:
        if hasattr(function, "_evolves") and inspect.isgeneratorfunction(function):
            yield f"handlers: {_named(function)} yields: a handler must change the state, and is not a procedure"


def _named(function: Any) -> str:
    code = getattr(function, "__code__", None)
    return f"{function.__name__} (line {code.co_firstlineno})" if code else str(function)


def _in_sequence(prepared: Prepared, manifest: Manifest) -> Iterator[str]:
    for phase in prepared.ruleset.sequence.steps:
        if phase.side not in {"", UMPIRE, *manifest.sides}:
            yield f"sequence of play: {phase.name}: {phase.side!r} is not a side"
        owner = manifest.powers.get(phase.power)
        if phase.power and (owner is None or phase.side not in {"", owner}):
            yield f"sequence of play: {phase.name}: {phase.power!r} is not a power of {phase.side or 'any side'}"


def check_seats(bench: Harness) -> str:
    """Check that only seats of the manifest have decisions and give orders, and that only sides win.

    The result gives all of the game to its sides, and nothing to an eliminated one.
    """
    asked = 0
    for trial in bench.whole():
        for number, problem in _in_records(trial, bench.installed.manifest):
            raise FaultError(f"{trial.name}, record {number}: {problem}")
    for trial in bench.whole(5):
        for turning in trial.replay():
            asked += 1
            decision, seats = turning.decision, trial.ruleset.seats
            if seats.get(decision.seat) != decision.side:
                raise FaultError(
                    f"{trial.name}, {turning.place}: no such seat of the side {decision.side!r}: {dict(seats)}"
                )
            if not decision.prompt:
                raise FaultError(
                    f"{trial.name}, record {turning.game.number + 1}: the decision of {decision.seat} has no prompt"
                )
    return f"{asked} decisions belonged to existing seats"


def _in_records(trial: Trial, manifest: Manifest) -> Iterator[tuple[int, str]]:
    """Yield each order of no seat, and each ending that no side can have, with the number of its record."""
    out: list[str] = []
    for record in trial.records:
        if isinstance(record, OrderRecord) and record.by not in trial.ruleset.seats:
            yield record.n, f"{record.by!r} gave an order, but is not a seat"
        event = record.event if isinstance(record, EventRecord) else None
        if isinstance(event, SideEliminated):
            out.append(event.side)  # type: ignore[attr-defined]  # a field of every subclass
        if isinstance(event, GameEnded) and (problem := _ill_ended(event, trial.ruleset.viewers, manifest, out)):
            yield record.n, problem


def _ill_ended(event: GameEnded, sides: tuple[str, ...], manifest: Manifest, out: Iterable[str]) -> str:
    if event.outcome not in (*sides, DRAW):
        return f"{event.outcome!r} is neither a side nor a draw"
    if manifest.endings and event.ending not in manifest.endings:
        return f"the manifest has no ending {event.ending!r}"
    if event.ending in BY_PEOPLE:
        return f"the ending {event.ending!r} is reserved for endings that people make: give it another name"
    shares = shares_of(event.outcome, event.shares or {}, sides)
    paid = next((side for side in out if shares.get(side)), "")
    if paid:
        return (
            f"{paid} was eliminated, but has a share of {shares[paid]}: state the shares of the others, as in "
            'GameEnded("draw", ..., shares=equal_shares(survivors, sides))'
        )
    return wrong_shares(event.outcome, event.shares or {}, sides)


def check_rule_ids(bench: Harness) -> str:
    """Check that each event of the ruleset names its rule, and that named rules are in the index."""
    cited: set[str] = set()
    for trial in bench.trials:
        for record in trial.records:
            named = record.event if isinstance(record, EventRecord) else record
            rule = getattr(named, "rule", "")
            own = isinstance(record, EventRecord) and (type(named) not in KERNEL_EVENTS or type(named) is GameEnded)
            if own and not rule:
                raise FaultError(f"{trial.name}, record {record.n}: the event {named} names no rule")
            if isinstance(record, RollRecord) and not rule:
                raise FaultError(f"{trial.name}, record {record.n}: the roll {record.label} names no rule")
            if rule and bench.rule_ids and rule not in bench.rule_ids:
                raise FaultError(f"{trial.name}, record {record.n}: {rule!r} is not in the rule index")
            cited.add(rule)
    for trial in bench.whole(5):
        for turning in trial.replay():
            rule = turning.decision.rule
            if not rule or (bench.rule_ids and rule not in bench.rule_ids):
                raise FaultError(
                    f"{trial.name}, {turning.place}: the decision names {rule or 'no rule'}, not in the index"
                )
    told = f"{len(cited - {''})} rules were cited"
    rules = [row.id for row in bench.installed.hook.ruleset_index() or () if row.state == "rule"]
    return told + named_few(", never", [each for each in rules if each not in cited])


def named_few(what: str, names: list[str], most: int = 4) -> str:
    """Return ``what`` with some of ``names`` and the number of the others, or "" if there are no names."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{what}: {', '.join(names[:most])}{more}" if names else ""


def check_map(bench: Harness) -> str:
    """Check that borders are mutual: between areas with the same connector, between hexes with the same hexside."""
    found = {id(each): each for prepared in bench.settings for each in maps_in(prepared.board)}
    areas = [each for each in found.values() if isinstance(each, AreaMap)]
    hexes = [each for each in found.values() if isinstance(each, HexMap)]
    for area_map in areas:
        check_symmetry(area_map)
    for hexmap in hexes:
        check_hexes(hexmap)
    ids = {"areas": sorted({each.id for each in areas}), "hexes": sorted({each.id for each in hexes})}
    told = [f"every border of {', '.join(names)} is mutual ({kind})" for kind, names in ids.items() if names]
    return "; ".join(told) or NotChecked("not checked: the board has no map of areas or hexes")


def check_symmetry(area_map: AreaMap) -> None:
    """Raise FaultError for a connector of ``area_map`` that leads one way, or from a space to itself."""
    for here, row in enumerate(area_map.neighbors):
        for there, kind in zip(row, area_map.kinds[here], strict=True):
            back = area_map.neighbors[there]
            if here == there or here not in back or area_map.kinds[there][back.index(here)] != kind:
                a, b = area_map.ids_of((here, there))
                raise FaultError(
                    f"map {area_map.id}: {a} borders on {b} ({kind}), but {b} does not border on {a} in the same way"
                )


def check_hexes(hexmap: HexMap) -> None:
    """Raise FaultError for a hex whose borders are not mutual, or on which the look-ups disagree.

    ``HexMap`` guarantees both; this finds a map that a ruleset changed or replaced.
    """
    for here, number in enumerate(hexmap.numbers):
        near = [each for each in hexmap.around[number] if each]
        if sorted(hexmap.index[each] for each in near) != list(hexmap.adjacency[here]):
            raise FaultError(f"map {hexmap.id}: {number} has different neighbors in adjacency and in around")
        for direction, other in enumerate(hexmap.around[number]):
            if other and hexmap.around[other][(direction + 3) % 6] != number:
                raise FaultError(
                    f"map {hexmap.id}: {number} has {other} as a neighbor, but {other} does not have {number} on the "
                    "opposite side"
                )
    for (a, b), features in hexmap.sides.items():
        if hexmap.sides.get((b, a)) != features or b not in hexmap.around[a]:
            told = f"{a}/{b} has {', '.join(features)}, but not {b}/{a}"
            raise FaultError(f"map {hexmap.id}: the hexside {told}")


def maps_in(board: Any) -> Iterator[AreaMap | HexMap]:
    """Yield the maps that are the board, or are in its fields or entries."""
    if isinstance(board, AreaMap | HexMap):
        yield board
        return
    values: list[Any] = []
    if isinstance(board, dict):
        values = list(board.values())
    elif isinstance(board, msgspec.Struct):
        values = [getattr(board, name) for name in board.__struct_fields__]
    else:
        names = [*getattr(board, "__dict__", ()), *getattr(board, "__slots__", ())]
        values = [getattr(board, name, None) for name in names]
    yield from (value for value in values if isinstance(value, AreaMap | HexMap))
