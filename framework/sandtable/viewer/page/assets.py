"""The page's scripts and styles: plain ES modules and CSS beside this one, joined into one text each."""

import base64
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from sandtable.viewer.style import night

SCRIPTS = (
    *("proof/hashing", "proof/dice", "proof/chain", "proof/islands"),
    *("board/tracks", "board/outline", "board/scene", "board/motion", "board/zoom"),
    *(
        "page/make",
        "board/explore",
        "page/game",
        "page/links",
        "page/timeline",
        "page/player",
        "page/keys",
        "page/tabs",
        "page/pointer",
    ),
    *("panels/story", "panels/why", "panels/graphs", "panels/forces", "panels/compare", "panels/badge"),
    "page/main",
)
"""The modules, each behind those that it imports."""
STYLES = ("base", "board", "panels", "print")
INDEX_STYLES = ("base", "index")

_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_COLOUR = re.compile(r'(?:fill|stroke)="(#[0-9a-f]{6})"')
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) )", re.MULTILINE)


@cache
def script() -> str:
    """Return all modules as one: in the page no module can import another."""
    texts = (_read(f"scripts/{name}.js") for name in SCRIPTS)
    return "\n" + "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)).strip() + "\n" for text in texts)


@cache
def style() -> str:
    """Return all styles as one."""
    return "\n" + "\n".join(_read(f"styles/{name}.css") for name in STYLES)


@cache
def index_style() -> str:
    """Return the styles of a gallery's index."""
    return "\n" + "\n".join(_read(f"styles/{name}.css") for name in INDEX_STYLES)


@cache
def skeleton() -> str:
    """Return the page without its contents: names in double braces stand for them."""
    return _read("skeleton.html")


def night_style(drawn: Iterable[str]) -> str:
    """Return the colours of maps for readers who want dark ones; counters look as they are printed."""
    colours = sorted({colour for each in drawn for colour in _COLOUR.findall(each)})
    maps = ".board [data-layer]:not([data-layer=counters], [data-layer=signs])"
    rules = "".join(
        f"{maps} [{what}='{colour}']:not(.as-printed *),.board .ground>[{what}='{colour}']{{{what}:{night(colour)}}}\n"
        for colour in colours
        for what in ("fill", "stroke")
    )
    rules += f".board [data-layer=drawing]{{fill:{night('#000000')}}}\n" if rules else ""
    return f"\n@media screen and (prefers-color-scheme: dark) {{\n{rules}}}\n" if rules else ""


def policy(styles: str) -> str:
    """Return what the page may do: run its own script, use its own ``styles``, ask nobody for anything."""
    sources = f"script-src '{_digest(script())}'; style-src '{_digest(styles)}'; img-src data:"
    return f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
