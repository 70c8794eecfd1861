"""Check that a replay page matches its log, for ``sandtable log page --check``."""

from typing import Any

import click
from msgspec import json

from sandtable.cli.context import CliContext
from sandtable.cli.inputs import prepare_for_viewing
from sandtable.cli.output import say
from sandtable.cli.page.making import page_bytes
from sandtable.errors import DataError, SandtableError
from sandtable.files.reading import read_file
from sandtable.journal.file.reading import parse_log, read_log
from sandtable.journal.fold import EventUnfit
from sandtable.journal.sides.side_log import SideLog
from sandtable.journal.sides.slices import check_slice
from sandtable.quoting import count
from sandtable.viewer.page import assets
from sandtable.viewer.page.comparing import compared, restored
from sandtable.viewer.page.document import islands_of, page_of, story_markup
from sandtable.viewer.page.page_data import story_data, tell_slice
from sandtable.viewer.story import story_of

MAX_PAGE = 256 << 20
"""Maximum number of bytes of a page, which holds at most two logs and their drawings."""


def check_page(context: CliContext, path: str, log: str | None) -> int:
    """Rebuild a page and report whether it is the same. Returns 0 if it is, 1 if not.

    Without the complete ``log``, a side's page is rebuilt from the slice in it.
    """
    page = read_file(path, MAX_PAGE)
    if len(page) > MAX_PAGE:
        raise DataError(path, "", f"is larger than {MAX_PAGE >> 20} MiB, the maximum for a page")
    islands = islands_of(page, path)
    told: Any = json.decode(islands["data"])
    side = str(told["games"][0].get("side", ""))
    if side and log and "log-1" in islands:
        raise click.UsageError(f"{path} compares two games: it is rebuilt from what {side} saw of both; omit the LOG")
    if side and log is None:
        return _check_slices(context, path, page, islands, told["games"])
    whole = read_log(log) if log else parse_log(islands["log-0"], f"{path}: its log")
    other = parse_log(islands["log-1"], f"{path}: the other log") if "log-1" in islands else None
    again = page_bytes(context, whole, side, other)
    found = _differing(page, again, path)
    if found:
        say(f"{path}: does NOT match its log: {found} (another version of Sandtable writes different pages)")
        return 1
    packed = "" if again == page else "; it was compressed by a different version of zlib"
    say(f"{path}: {'all content' if packed else 'every byte'} matches its log{packed}")
    return 0


def _differing(page: bytes, again: bytes, path: str) -> str:
    """Return which parts of a page differ from the page made ``again``, or "" if none does."""
    islands, mine = islands_of(page, path), islands_of(again, path)
    parts = [ident for ident in islands if islands[ident] != mine.get(ident)]
    if not parts and _bare(again) == _bare(page):
        return ""
    where = [{"data": "its pictures and words"}.get(each, "its log") for each in parts] or ["its page"]
    return f"{' and '.join(where)} {'differs' if where == ['its page'] else 'differ'}"


def _check_slices(context: CliContext, path: str, page: bytes, islands: dict[str, bytes], games: list[Any]) -> int:
    """Rebuild a side's page from the slice or slices in it, and report how much of it that proves."""
    told = [games[0], *(restored(each, games[0]) for each in games[1:])]
    names = [f"{path}: its log"] * len(told)
    cuts = [_slice(context, islands[f"log-{at}"], name, str(told[at]["side"])) for at, name in enumerate(names)]
    wrong = _wrong_words(page, f"{path}: its log", cuts[0], told[0]["views"][0])
    if wrong:
        say(f"{path}: does NOT match the slice in it: {' and '.join(wrong)} differ")
        return 1
    sentences = sum(kind for kind, *_ in told[0]["views"][0]["story"])
    words = f"{path}: its slice is intact, and its {count(sentences, 'sentence')} match it"
    try:
        made = [tell_slice(cuts[0], page=told[0])]
        made += [tell_slice(cut, made[0], each) for cut, each in zip(cuts[1:], told[1:], strict=True)]
        again = page_of(made, compared(made[0], made[1]) if len(made) > 1 else None)
    except EventUnfit as error:
        more = "its pictures use data that the slice does not show"
        say(f"{words}; {more}, from record {error.record} ({error.event}) on: also name the complete log")
        return 0
    except SandtableError as error:
        say(f"{words}; its pictures cannot be rebuilt ({error}): also name the complete log")
        return 0
    if _differing(page, again, path):
        say(f"{path}: its sentences match its slice, but its pictures, counts or decisions do NOT")
        return 1
    lost = sum(each.lost for each in made)
    rest = f". Only the complete log can prove {count(lost, 'decision')} of its side" if lost else ""
    say(f"{words}; so do its pictures, counts and decisions{rest}")
    return 0


def _slice(context: CliContext, data: bytes, name: str, side: str) -> SideLog:
    """Return the slice in ``data`` as its side knows it."""
    check_slice(data, name)
    log = parse_log(data, name)
    return SideLog(log, prepare_for_viewing(context, log), side)


def _wrong_words(page: bytes, name: str, cut: SideLog, view: dict[str, Any]) -> list[str]:
    """Return which parts of a side's page, as words, do not match its slice."""
    known, lines = story_of(cut.shown, cut.prepared, "", name)
    due = story_data(known, lines)
    wrong = [what for what in due if due[what] != view[what]]
    texts = {"the story in it": story_markup(lines), "its script": assets.script(), "its style": assets.style()}
    return wrong + [what for what, text in texts.items() if text.encode("utf-8", "replace") not in page]


def _bare(page: bytes) -> bytes:
    """Return a page without its packed data."""
    head, _, rest = page.partition(b'id="data"')
    return head + rest.partition(b"</script>")[2]
