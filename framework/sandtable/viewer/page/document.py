"""Write the page: the skeleton with first board, story and islands. The same game gives the same bytes."""

import base64
import hashlib
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import json

from sandtable.errors import LogError
from sandtable.viewer.film.frames import SharedParts
from sandtable.viewer.narrate import StoryLine, capital
from sandtable.viewer.page import assets
from sandtable.viewer.page.comparing import lean, lean_log, whole_log
from sandtable.viewer.page.page_data import GameData
from sandtable.viewer.page.timeline import Timeline
from sandtable.viewer.svg import Svg, element, escape, group, joined, text_node

_HOLE = re.compile(r"\{\{([a-z_]+)\}\}")
_ISLAND = re.compile(
    rb'<script type="text/plain" id="([a-z]+(?:-\d)?)"(?: data-sha256="[0-9a-f]{64}")?>([A-Za-z0-9+/=\n]*)</script>'
)
_USED = re.compile(r'href="#([^"]+)"')
LONGEST_TITLE = 120
_DRAWN_BY_SCRIPT = {"a", "h"}


def page_of(games: Sequence[GameData], comparison: Mapping[str, Any] | None = None) -> bytes:
    """Return the page of a game, or of two games with their ``comparison``."""
    game = games[0]
    film = game.film
    data = json.encode(_data(games, comparison))
    boards = _boards(games)
    styles = assets.style() + assets.night_style(_maps(games))
    used = set(_USED.findall(boards + film.legend))
    filled = {
        "policy": escape(assets.policy(styles)).replace("&#39;", "'"),
        "title": escape(f"{game.title}: {game.result}"[:LONGEST_TITLE]),
        "style": styles,
        "script": assets.script(),
        "heading": escape(game.title),
        "subtitle": escape(game.subtitle),
        "result": escape(game.result),
        "view": escape(film.title),
        "faces": joined([stock.defined(used) for stock in _stocks(games)]),
        "boards": boards,
        "several": " two" if len(games) > 1 else "",
        "bare": "" if film.facts else ' class="bare"',
        "last": str(game.last),
        "moments": _moments(game),
        "story": story_markup(film.lines),
        "compare_tab": _COMPARE_TAB if comparison else "",
        "compare_panel": _COMPARE_PANEL if comparison else "",
        "proof": escape(f"{capital(game.data['rules'])}."),
        "legend": film.legend,
        "facts": _facts(game.facts),
        "options": _facts(game.options),
        "islands": "\n".join([_packed(data), *map(_log, range(len(games)), _lean_logs(games))]),
    }
    # In a single pass, so that inserted text is not searched for placeholders.
    return _HOLE.sub(lambda found: filled[found[1]], assets.skeleton()).encode("utf-8", "replace")


def _maps(games: Sequence[GameData]) -> Iterator[str]:
    """Yield the markup of maps, and of everything drawn over them except counters."""
    for game in games:
        yield f'fill="{game.film.facts.get("paper", "")}"'
        yield from map(str, game.film.facts.get("held", {}).values())
    for stock in _stocks(games):
        for value in stock.values:
            markup = value[0] if isinstance(value, list) and value else value
            if isinstance(markup, str) and markup.startswith("<") and not markup.startswith("<g data-counter"):
                yield markup


def _stocks(games: Sequence[GameData]) -> list[SharedParts]:
    return list({id(game.stock): game.stock for game in games}.values())


def _data(games: Sequence[GameData], comparison: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the data for the scripts; a second game has only its differences from the first."""
    stocks = _stocks(games)
    told = [{**each.data, "stock": stocks.index(each.stock)} for each in games]
    return {
        "page": 2,
        "stocks": [{"values": each.values, "defined": each.defined()} for each in stocks],
        "games": [told[0], *(lean(each, told[0]) for each in told[1:])],
        "compare": comparison,
    }


_COMPARE_TAB = '<button type="button" role="tab" id="tab-compare" aria-controls="panel-compare">Compare</button>\n'
_COMPARE_PANEL = (
    '<div class="panel" id="panel-compare" role="tabpanel" aria-labelledby="tab-compare" tabindex="0">'
    '<h2>Two games</h2><div id="comparison"></div></div>'
)


def _packed(data: bytes) -> str:
    packed = zlib.compress(data, 9)
    digest = hashlib.sha256(packed).hexdigest()
    return f'<script type="text/plain" id="data" data-sha256="{digest}">{base64.b64encode(packed).decode()}</script>'


def _lean_logs(games: Sequence[GameData]) -> list[bytes]:
    return [games[0].log, *(lean_log(each.log, games[0].log) for each in games[1:])]


def _log(place: int, log: bytes) -> str:
    """Return a log as an island. It is not packed, so that an altered byte can be traced to its record."""
    return f'<script type="text/plain" id="log-{place}">{base64.b64encode(log).decode()}</script>'


def islands_of(page: bytes, name: str) -> dict[str, bytes]:
    """Return the islands of a page: its "data", unpacked, and its complete logs as "log-0" and "log-1".

    Raises LogError if the file is not such a page.
    """
    found: dict[str, bytes] = {}
    try:
        for ident, text in _ISLAND.findall(page):
            raw = base64.b64decode(text, validate=True)
            found[ident.decode()] = zlib.decompress(raw) if ident == b"data" else raw
    except (ValueError, zlib.error) as error:
        raise LogError(f"{name}: its data are damaged: {error}") from error
    if not {"data", "log-0"} <= found.keys():
        raise LogError(f"{name}: is not a page written by `sandtable log page`")
    if "log-1" in found:
        found["log-1"] = whole_log(found["log-1"], found["log-0"])
    return found


def _boards(games: Sequence[GameData]) -> str:
    several = len(games) > 1
    parts = []
    for place, game in enumerate(games):
        film = game.film
        inside = _first_board(film) if film.facts else Svg('<p class="none">This ruleset draws no board.</p>')
        named = f"<figcaption>{'This game' if place == 0 else 'The other'}</figcaption>" if several else ""
        tip = '<p id="tip" hidden></p>' if place == 0 else ""
        words = "board; key x explores it place by place, arrows with Shift pan, plus and minus zoom"
        label = f'tabindex="0" role="group" aria-label="{words}"' if place == 0 else ""
        parts.append(f'<figure class="board" {label}>{named}<div class="box">{inside}</div>{tip}</figure>')
    return "\n".join(parts)


def _first_board(film: Timeline) -> Svg:
    """Return the board before the first record as markup, from which the scripts continue."""
    facts, parts = film.facts, film.frames.first()
    layers: dict[str, list[Svg]] = {name: [] for name in (*facts["ground"], *facts["live"])}
    for key, value in parts.items():
        prefix, name = key[0], key[2:]
        if prefix == "g":
            layers[name].append(Svg(value))
        elif prefix in facts["prefixes"] and prefix not in _DRAWN_BY_SCRIPT:
            layers[facts["prefixes"][prefix]].append(_piece(key, value, parts, facts))
    left, top, wide, high = facts["box"]
    box = f"{left} {top} {wide} {high}"
    paper = element("rect", x=left, y=top, width=wide, height=high, fill=facts["paper"])
    ground = [paper, *(_layer(name, layers[name], facts) for name in facts["ground"])]
    live = [_layer(name, layers[name], facts) for name in facts["live"]]
    family = {"font_family": facts["family"]} if facts.get("family") else {}
    frame = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "role": "img", "aria_label": "the board"}
    return joined(
        [
            element("svg", joined(ground), class_="ground", data_view="v0", **frame),
            element("svg", joined(live), class_="live", **frame, **family),
        ]
    )


def _layer(name: str, parts: Sequence[Svg], facts: Mapping[str, Any]) -> Svg:
    attributes: dict[str, str] = {"data_layer": name}
    if name in facts.get("serif", ()):
        attributes["font_family"] = "Georgia, 'DejaVu Serif', serif"
    if name in facts.get("clip", {}):
        attributes["clip_path"] = f"url(#{facts['clip'][name]})"
    return element("g", joined(parts), **attributes) if parts else Svg(element("g", Svg(" "), **attributes))


def _piece(key: str, value: Any, parts: Mapping[str, Any], facts: Mapping[str, Any]) -> Svg:
    markup = Svg(value if isinstance(value, str) else value[0])
    attributes = {"data_part": key}
    if key.startswith("c:"):
        place = parts.get(f"@{key[2:]}") or "="
        if place.startswith("="):
            return Svg("")
        x, y, size, *_ = place.split(" ")
        attributes["transform"] = f"translate({x} {y}) scale({int(size) / facts['size']:.4f})"
    return group([markup], **attributes)


def _facts(rows: Sequence[tuple[str, str]]) -> str:
    return "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows)


def _moments(game: GameData) -> str:
    rows = [f'<li><a href="#record={number}">{escape(text)}</a></li>' for number, text in game.moments]
    if not rows:
        return ""
    count = f"{len(rows)} notable moment{'s' if len(rows) != 1 else ''}"
    return f'<details class="moments"><summary>{count}</summary><ul>{"".join(rows)}</ul></details>'


def story_markup(lines: Sequence[StoryLine]) -> str:
    """Return the story: a section for each heading, a line for each sentence, each a link to its record."""
    parts: list[str] = []
    is_open = False
    for line in lines:
        if line.kind == "heading" or not is_open:
            parts.append("</ol></section>" if is_open else "")
            heading = line.text if line.kind == "heading" else "The story"
            parts.append(f"<section>{element('h3', text_node(heading))}<ol>")
            is_open = True
        if line.kind == "sentence":
            link = f'<a href="#record={line.number}">{escape(line.text)}</a>'
            parts.append(f'<li data-n="{line.number}">{link}</li>')
    return "\n".join([*filter(None, parts), "</ol></section>" if is_open else "<p>There is no story yet.</p>"])
