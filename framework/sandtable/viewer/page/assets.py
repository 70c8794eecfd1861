"""The page's scripts and styles: plain ES modules and CSS in this folder, joined into one text each."""

import base64
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from sandtable.viewer.style import night

SCRIPTS = (
    *("proof/hashing", "proof/dice", "proof/shares", "proof/hands", "proof/chain", "proof/islands"),
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
"""The modules, each after those that it imports."""
STYLES = ("base", "board", "panels", "graphs", "print")
INDEX_STYLES = ("base", "index")

_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_COLOUR = re.compile(r'(?:fill|stroke)="(#[0-9a-f]{6})"')
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) )", re.MULTILINE)


@cache
def script() -> str:
    """Return all modules as one, because modules cannot import each other inside the page."""
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
    """Return the page without its contents, which replace the names in double braces."""
    return _read("skeleton.html")


def night_style(drawn: Iterable[str]) -> str:
    """Return the map colors of dark mode; counters keep their printed colors."""
    colors = sorted({color for each in drawn for color in _COLOUR.findall(each)})
    maps = ".board [data-layer]:not([data-layer=counters], [data-layer=signs])"
    rules = "".join(
        f"{maps} [{what}='{color}']:not(.as-printed *),.board .ground>[{what}='{color}']{{{what}:{night(color)}}}\n"
        for color in colors
        for what in ("fill", "stroke")
    )
    rules += f".board [data-layer=drawing]{{fill:{night('#000000')}}}\n" if rules else ""
    return f"\n@media screen and (prefers-color-scheme: dark) {{\n{rules}}}\n" if rules else ""


def policy(styles: str) -> str:
    """Return the page's content security policy: its own script and ``styles``, and no requests."""
    sources = f"script-src '{_digest(script())}'; style-src '{_digest(styles)}'; img-src data:"
    return f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
