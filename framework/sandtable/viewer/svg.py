"""SVG as text: elements, escaped words, paths. All text is escaped.

``Svg`` marks finished markup, so that the type checker distinguishes it from text. Only ``element`` and ``text_node``
make it.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NewType

from sandtable.viewer.picture import Point

Svg = NewType("Svg", str)
"""Markup in which all text is escaped."""
Attribute = str | int
"""The value of an attribute of an element."""

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


_STRANGE = re.compile("[^ !#-%(-;=?-~\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Markup, and characters that XML cannot hold or browsers drop: controls, lone surrogates, U+FFFE and U+FFFF."""


def escape(text: str) -> str:
    """Return ``text`` escaped for content and attributes; characters that XML cannot hold become U+FFFD."""
    return _STRANGE.sub(lambda found: _ENTITIES.get(found[0], "\ufffd"), text)


def text_node(text: str) -> Svg:
    """Return ``text`` as content of an element."""
    return Svg(escape(text))


def element(tag: str, *content: Svg, **attributes: Attribute) -> Svg:
    """Return an element. Attributes keep the given order; ``stroke_width`` is written as ``stroke-width``."""
    written = "".join(
        [
            f' {_name(name)}="{value if value.__class__ is int else escape(str(value))}"'
            for name, value in attributes.items()
        ]
    )
    return Svg(f"<{tag}{written}>{''.join(content)}</{tag}>" if content else f"<{tag}{written}/>")


@cache
def _name(name: str) -> str:
    return name if name in {"viewBox", "patternUnits", "patternTransform"} else name.rstrip("_").replace("_", "-")


def joined(parts: Iterable[Svg]) -> Svg:
    """Return several pieces of markup as one, one per line."""
    return Svg("\n".join(part for part in parts if part))


def group(parts: Iterable[Svg], **attributes: Attribute) -> Svg:
    """Return pieces of markup under common attributes, or "" if there are no pieces."""
    inside = joined(parts)
    return element("g", Svg(f"\n{inside}\n"), **attributes) if inside else Svg("")


def label(text: str, at: Point, size: int, style: Mapping[str, Attribute], halo: str = "") -> Svg:
    """Return ``text`` centered at ``at`` (baseline), with an outline in the color ``halo`` if one is given.

    ``style`` overrides the default ``text_anchor`` "middle".
    """
    settings: dict[str, Attribute] = {"x": at[0], "y": at[1], "font_size": size, "text_anchor": "middle", **style}
    drawn = element("text", text_node(text), **settings)
    if not halo:
        return drawn
    # Drawn twice, because several viewers do not support paint-order.
    outline = settings | {"fill": halo, "stroke": halo, "stroke_width": max(5, size // 5), "stroke_linejoin": "round"}
    return Svg(element("text", text_node(text), **outline, aria_hidden="true") + drawn)


def legend_svg(inner: Svg, box: str) -> Svg:
    """Return the legend of a map as a separate drawing; ``box`` is its view box."""
    namespace = "http://www.w3.org/2000/svg"
    return element("svg", inner, xmlns=namespace, viewBox=box, role="img", aria_label="what the signs mean")


def polygon_path(points: Iterable[Point]) -> str:
    """Return path data of a closed outline."""
    return "M" + "L".join(f"{x} {y}" for x, y in points) + "Z"


def line_path(points: Iterable[Point]) -> str:
    """Return path data of an open line."""
    return "M" + "L".join(f"{x} {y}" for x, y in points)


def mixed(color: str, other: str, percent: int) -> str:
    """Return ``color`` with ``percent`` of ``other`` mixed in; both ``#rrggbb``."""
    parts = ((int(color[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{(a * (100 - percent) + b * percent) // 100:02x}" for a, b in parts)
