"""Whether a replay page tells what its log makes, for ``sandtable log page --check``."""

from typing import Any

import click
from msgspec import json

from sandtable.cli.context import CliContext
from sandtable.cli.inputs import prepare_to_look
from sandtable.cli.output import count, say
from sandtable.cli.page.making import page_bytes
from sandtable.errors import DataError, SandtableError
from sandtable.files.reading import read_file
from sandtable.journal.file.log import parse_log, read_log
from sandtable.journal.sides.slices import check_slice, shown_records
from sandtable.viewer.page import assets
from sandtable.viewer.page.comparing import compared, restored
from sandtable.viewer.page.document import islands_of, page_of, story_markup
from sandtable.viewer.page.page_data import Slice, story_data, tell_slice
from sandtable.viewer.story import story_of

MOST_PAGE = 256 << 20
"""Maximum number of bytes of a page: it holds two logs at most, and what is drawn of them."""


def check_page(context: CliContext, path: str, log: str | None) -> int:
    """Make a page again and say whether it is the same; 0 yes, 1 no.

    Without the whole ``log`` a side's page is made again from the slice in it: all but the questions of that side.
    """
    page = read_file(path, MOST_PAGE)
    if len(page) > MOST_PAGE:
        raise DataError(path, "", f"is larger than {MOST_PAGE >> 20} MiB: no page of a game is")
    islands = islands_of(page, path)
    told: Any = json.decode(islands["data"])
    side = str(told["games"][0].get("side", ""))
    if side and log and "log-1" in islands:
        raise click.UsageError(
            f"{path} compares two games: it is made again from what {side} saw of both, without a LOG"
        )
    if side and log is None:
        return _check_slices(context, path, page, islands, told["games"])
    whole = read_log(log) if log else parse_log(islands["log-0"], f"{path}: its log")
    other = parse_log(islands["log-1"], f"{path}: the other log") if "log-1" in islands else None
    again = page_bytes(context, whole, side, other)
    found = _differing(page, again, path)
    if found:
        say(f"{path}: NOT what this Sandtable makes of its log: {found}; another version makes other pages")
        return 1
    packed = "" if again == page else "; it was packed by another zlib"
    say(f"{path}: {'all that is in it' if packed else 'every byte'} is what its log makes{packed}")
    return 0


def _differing(page: bytes, again: bytes, path: str) -> str:
    """Return what of a page is another where it is made ``again``; "" where nothing is."""
    islands, mine = islands_of(page, path), islands_of(again, path)
    parts = [ident for ident in islands if islands[ident] != mine.get(ident)]
    if not parts and _bare(again) == _bare(page):
        return ""
    where = [{"data": "its pictures and words"}.get(each, "its log") for each in parts] or ["its page"]
    return f"{' and '.join(where)} {'differs' if where == ['its page'] else 'differ'}"


def _check_slices(context: CliContext, path: str, page: bytes, islands: dict[str, bytes], games: list[Any]) -> int:
    """Make a side's page again from the slice in it, or from the two, and say how far that proves it."""
    told = [games[0], *(restored(each, games[0]) for each in games[1:])]
    cuts = [_slice(context, islands[f"log-{place}"], f"{path}: its log") for place in range(len(told))]
    wrong = _wrong_words(page, f"{path}: its log", cuts[0], told[0]["views"][0])
    if wrong:
        say(f"{path}: NOT what this Sandtable makes of the slice in it: {' and '.join(wrong)} differ")
        return 1
    sentences = sum(kind for kind, *_ in told[0]["views"][0]["story"])
    words = f"{path}: its slice holds, and its {count(sentences, 'sentence')} are what that makes"
    try:
        made = [tell_slice(cuts[0], told[0])]
        made += [tell_slice(cut, each, made[0]) for cut, each in zip(cuts[1:], told[1:], strict=True)]
        again = page_of(made, compared(made[0], made[1]) if len(made) > 1 else None)
    except SandtableError as error:
        say(f"{words}; its pictures are drawn from more than it shows ({error}): name the whole log, too")
        return 0
    if _differing(page, again, path):
        say(f"{path}: its sentences are what its slice makes, its pictures and counts are NOT: name the whole log, too")
        return 1
    asked = count(sum(len(each["views"][0]["why"]["questions"]) for each in told), "question")
    say(f"{words}; so are its pictures and counts. Only the whole log can prove the {asked} that its side was asked")
    return 0


def _slice(context: CliContext, data: bytes, name: str) -> "Slice":
    """Return a slice as it is read."""
    last = check_slice(data, name)
    log = parse_log(data, name)
    prepared = prepare_to_look(context, log)
    return Slice(log.header, last, data, prepared, shown_records(log, prepared))


def _wrong_words(page: bytes, name: str, cut: "Slice", view: dict[str, Any]) -> list[str]:
    """Return what of the words of a side's page its slice does not make."""
    known, lines = story_of(cut.shown, cut.prepared, "", name)
    due = story_data(known, lines)
    wrong = [what for what in due if due[what] != view[what]]
    texts = {"the story in it": story_markup(lines), "its script": assets.script(), "its style": assets.style()}
    return wrong + [what for what, text in texts.items() if text.encode("utf-8", "replace") not in page]


def _bare(page: bytes) -> bytes:
    """Return a page without its packed data."""
    head, _, rest = page.partition(b'id="data"')
    return head + rest.partition(b"</script>")[2]
