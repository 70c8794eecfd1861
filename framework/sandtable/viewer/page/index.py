"""The index of a gallery: a page that lists the pages of games, by ruleset, with result and length."""

import base64
import hashlib
from collections.abc import Iterable
from itertools import groupby

from msgspec import Struct

from sandtable.viewer.page import assets
from sandtable.viewer.svg import escape


class GalleryGame(Struct, frozen=True):
    """A game of a gallery: its page, and the facts that the index shows."""

    page: str
    ruleset: str
    title: str
    players: str
    result: str
    records: int
    turns: int


def index_of(games: Iterable[GalleryGame], title: str, problems: Iterable[str] = ()) -> bytes:
    """Return the index as a page without script; ``problems`` are logs for which no page could be made."""
    style = assets.index_style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        '<body class="index">',
        f"<header><h1>{escape(title)}</h1></header>",
        "<main>",
    ]
    ordered = sorted(games, key=lambda each: (each.ruleset, each.title, each.page))
    for ruleset, played in groupby(ordered, key=lambda each: each.ruleset):
        parts += [f"<section><h2>{escape(ruleset)}</h2>", '<ul class="games">', *map(_entry, played), "</ul></section>"]
    found = [f"<li>{escape(problem)}</li>" for problem in problems]
    if found:
        parts += ["<section><h2>No page</h2><ul>", *found, "</ul></section>"]
    if not ordered and not found:
        parts.append("<p>There is no log here.</p>")
    return "\n".join([*parts, "</main>", "</body>", "</html>", ""]).encode("utf-8", "replace")


def _entry(game: GalleryGame) -> str:
    length = (
        f"{game.turns} turn{'s' if game.turns != 1 else ''}, {game.records:,} record{'s' if game.records != 1 else ''}"
    )
    return (
        f'<li><a href="{escape(game.page)}"><strong>{escape(game.title)}</strong></a>'
        f"<p>{escape(game.result)}</p><p>{escape(game.players)} · {length} · {escape(_named(game.page))}</p></li>"
    )


def _named(page: str) -> str:
    """Return the log name of a page, which distinguishes games of one scenario."""
    return page.rpartition("/")[2].removesuffix(".html")
