"""The page's data of a game as plain data, made only from the log: its films, reasons, luck and facts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from sandtable.errors import LogDamaged
from sandtable.journal.file.log import Log
from sandtable.journal.fold import read_records
from sandtable.journal.format.header import Header
from sandtable.journal.side_view.hints import side_file
from sandtable.journal.sides.merging import whole_file
from sandtable.journal.sides.side_log import SideLog, side_log
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.events import GameEnded
from sandtable.kernel.play.game import Game
from sandtable.kernel.records import CloseRecord, OrderRecord, RulingRecord, UndoRecord
from sandtable.plugin.manager import Prepared
from sandtable.viewer.film.frames import SharedParts
from sandtable.viewer.narrate import StoryLine, as_seen_by, capital, ended_sentence, in_words
from sandtable.viewer.page.timeline import Timeline, films_of, moments_of
from sandtable.viewer.page.why import AnsweredOrder, Reasons, as_data, reasons_of, reasons_of_slice

_DICE = {
    "open": "open: from a published key",
    "host": "from the host's key",
    "manual": "rolled by hand",
    "shared": "from secrets of all sides",
}
RARE = 2.0
"""Minimum number of standard deviations at which a roll is a notable moment."""

LuckOf = Callable[[Game, Prepared], Sequence[tuple[int, str, float, float]]]
"""A function that returns the luck in a rerun game: record, side, hits above expectation, standard deviations."""


class GameData(Struct):
    """A game that is ready for a page: ``data`` for the scripts, the first film for the markup, ``log`` to embed.

    ``lost`` is the number of decisions that were taken from a page, because a slice did not give them.
    """

    log: bytes
    stock: SharedParts
    film: Timeline
    data: dict[str, Any]
    title: str
    subtitle: str
    result: str
    facts: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...]
    moments: tuple[tuple[int, str], ...]
    prepared: Prepared
    records: list[Any]
    last: int
    fault: str
    lost: int = 0


def tell(
    log: Log,
    prepared: Prepared,
    side: str = "",
    luck_of: LuckOf | None = None,
    beside: "GameData | None" = None,
) -> GameData:
    """Return the game in ``log``: all of it, or only what ``side`` saw.

    A slice gives what its own side saw. ``beside`` is a game on the same page; common data, such as drawings, are in
    one stock. Raises LogError for a log that is damaged, and PlayError for a slice of another side.
    """
    ruleset = prepared.ruleset
    if log.broken is not None:
        raise LogDamaged(f"{log.where(log.broken)}: was altered: no page can be made")
    own = side_log(log, prepared, side or None)
    if own is not None:
        return tell_slice(own, beside)
    records = read_records(log, ruleset)
    reasons = reasons_of(log, records, prepared)
    viewers = [side] if side else [UMPIRE, *(ruleset.viewers if ruleset.hidden else ())]
    stock = _stock_of(prepared, beside)
    films = films_of(records, prepared, viewers, stock, log.name)
    luck = list(luck_of(reasons.game, prepared)) if luck_of and reasons.game and not (side or reasons.fault) else []
    cut = side_file(log, prepared, side, reasons.noted) if side else whole_file(log)
    source = _Source(log.header, log.records, cut, side, prepared)
    return _told(source, stock, films, reasons, luck, _rules_words(reasons, prepared, log, side))


def tell_slice(own: SideLog, beside: GameData | None = None, page: Mapping[str, Any] | None = None) -> GameData:
    """Return the game in a slice, made only from the records that it shows.

    The decisions of its side for which no possible state is found are taken from the ``page``, if given. Raises
    LogError if the slice does not show enough to draw the board. ``beside`` is a game on the same page.
    """
    log, prepared, side = own.log, own.prepared, own.side
    stock = _stock_of(prepared, beside)
    films = films_of(own.course().filled, prepared, [side], stock, log.name, own.shown)
    reasons = reasons_of_slice(own)
    if page is not None:
        _add_lost(reasons, own, page["views"][0]["why"]["questions"])
    source = _Source(log.header, log.records, whole_file(log), side, prepared)
    return _told(source, stock, films, reasons, [], _rules_words(reasons, prepared, log, side))


def _add_lost(reasons: Reasons, own: SideLog, told: Mapping[str, Any]) -> None:
    """Add decisions that were not found in the slice, from those that a page contains (``told``)."""
    for each in own.known:
        found = told.get(str(each.n))
        if isinstance(each, OrderRecord) and found is not None and each.n not in reasons.questions:
            prompt, rule, others, more = found
            reasons.questions[each.n] = AnsweredOrder(each.by, prompt, rule, tuple(others), more)
            reasons.lost += 1
    reasons.questions = dict(sorted(reasons.questions.items()))


class _Source(NamedTuple):
    """The material of a page: the header, the number of the last record, the log to embed, and the viewing side."""

    header: Header
    last: int
    log: bytes
    side: str
    prepared: Prepared


def _told(
    source: _Source,
    stock: SharedParts,
    films: Sequence[Timeline],
    reasons: Reasons,
    luck: Sequence[tuple[int, str, float, float]],
    rules: str,
) -> GameData:
    header, prepared, side, film = source.header, source.prepared, source.side, films[0]
    result = _ending(film)
    moments = _notable(film, luck, result)
    told = {
        "views": [_view(each, place, reasons, prepared) for place, each in enumerate(films)],
        "luck": [[number, who, round(hits, 4)] for number, who, hits, _ in luck if who],
        "moments": moments,
        "rules": rules,
        "fault": bool(reasons.fault),
        "file": f"{header.ruleset}-{header.game}{f'-{side}' if side else ''}.jsonl",
        "side": side,
    }
    return GameData(
        log=source.log,
        stock=stock,
        film=film,
        data=told,
        title=prepared.scenario.title,
        subtitle=" · ".join(_words(prepared, header, side)),
        result=result,
        facts=tuple(_facts(header, prepared)),
        options=tuple((in_words(name), in_words(value)) for name, value in sorted(header.options.items())),
        moments=tuple(moments),
        prepared=prepared,
        records=film.records,
        last=source.last,
        fault=reasons.fault,
        lost=reasons.lost,
    )


def _stock_of(prepared: Prepared, beside: GameData | None) -> SharedParts:
    """Return a new stock, or the stock of the game beside it if both have the same scenario."""
    if beside is None:
        return SharedParts()
    mine, other = ((each.ruleset.id, each.scenario.digest) for each in (prepared, beside.prepared))
    return beside.stock if mine == other else SharedParts("w")


def _view(film: Timeline, place: int, reasons: Reasons, prepared: Prepared) -> dict[str, Any]:
    return {
        "ident": f"v{place}",
        "viewer": film.viewer,
        "title": film.title,
        "isWhole": film.viewer == UMPIRE,
        "facts": film.facts,
        "frames": film.frames.as_data(),
        **story_data(film.records, film.lines),
        "samples": [[each.record, each.turn, each.counts] for each in film.samples],
        "why": as_data(reasons, film.records, prepared, film.viewer),
    }


def story_data(records: Sequence[Any], lines: Sequence[StoryLine]) -> dict[str, Any]:
    """Return the story and its moments, which depend only on the records that a viewer saw."""
    return {
        "story": [[int(line.kind == "sentence"), line.text, line.number] for line in lines],
        "moments": [[each.record, each.turn, each.heading] for each in moments_of(records)],
    }


def _notable(film: Timeline, luck: Sequence[tuple[int, str, float, float]], result: str) -> list[tuple[int, str]]:
    """Return notable moments: rulings, undone orders, unlikely dice, and the end."""
    found = []
    for record in film.records:
        if isinstance(record, RulingRecord):
            found.append((record.n, f"A ruling: {record.reason}"))
        elif isinstance(getattr(record, "event", None), GameEnded):
            found.append((record.n, result))
        elif isinstance(record, UndoRecord):
            found.append((record.n, f"{capital(in_words(record.by))} undoes an order"))
    for number, who, hits, sigmas in luck:
        if who and abs(sigmas) >= RARE:
            kind = "Lucky" if sigmas > 0 else "Unlucky"
            found.append(
                (
                    number,
                    f"{kind} dice, {capital(in_words(who))}: {abs(hits):.1f} hits {_direction(hits)} than expected",
                )
            )
    return sorted(found)


def _direction(hits: float) -> str:
    return "more" if hits > 0 else "fewer"


def _ending(film: Timeline) -> str:
    """Return the sentence that ends the game's story."""
    number = next((each.n for each in film.records if isinstance(getattr(each, "event", None), GameEnded)), 0)
    told = [line.text for line in film.lines if line.number == number and line.kind == "sentence"]
    if told and number:
        return told[-1]
    closing = film.records[-1] if film.records else None
    if not isinstance(closing, CloseRecord):
        return "Not over yet."
    return ended_sentence(closing.outcome, closing.ending, closing.shares)


def _words(prepared: Prepared, header: Header, side: str) -> list[str]:
    """Return the ruleset, the players, and the side whose view the page shows."""
    return [prepared.installed.manifest.title, _players(header), *([as_seen_by(side)] if side else [])]


def _players(header: Header) -> str:
    return ", ".join(f"{capital(in_words(seat))}: {name}" for seat, name in header.players.items())


def _rules_words(reasons: Reasons, prepared: Prepared, log: Log, side: str) -> str:
    version = f"{prepared.installed.manifest.title} {prepared.installed.manifest.version}"
    if side and prepared.ruleset.hidden and not reasons.fault:
        return f"made by {version} from the part of the game that {as_seen_by(side)} shows"
    if reasons.game is None:
        played_version = f"{log.header.ruleset} {log.header.ruleset_version}"
        return f"shown by {version} from its records only: it was played with {played_version}, and no rules were run"
    if reasons.fault:
        return f"its orders do NOT give this game under {version}: {reasons.fault}"
    run = f"when this page was made, {version} reproduced every record from the orders"
    return run if log.records else f"{run}; there are no records yet"


def _facts(header: Header, prepared: Prepared) -> list[tuple[str, str]]:
    manifest = prepared.installed.manifest
    branch = f"game {header.parent.game}, from record {header.parent.record}" if header.parent else ""
    rows = [
        ("ruleset", f"{manifest.title} ({header.ruleset} {header.ruleset_version})"),
        ("scenario", f"{prepared.scenario.title} ({header.scenario})"),
        ("players", _players(header)),
        ("dice", _DICE.get(header.dice, header.dice)),
        ("variants", ", ".join(header.variants)),
        ("branch of", branch),
    ]
    return [(name, value) for name, value in rows if value]
