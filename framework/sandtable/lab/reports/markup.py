"""HTML as text: elements and escaped words. Only ``element`` and ``text_node`` make ``Markup``."""

from collections.abc import Iterable
from html import escape
from typing import NewType

Markup = NewType("Markup", str)
Attribute = str | int | float

VOID = frozenset({"meta", "line", "rect", "circle"})
"""Elements without content."""


def text_node(text: str) -> Markup:
    """Return ``text`` escaped. Unprintable characters become U+FFFD."""
    return Markup(escape("".join(letter if letter.isprintable() else "\ufffd" for letter in text)))


def element(tag: str, *content: Markup, **attributes: Attribute) -> Markup:
    """Return an element. ``class_`` is written ``class``, ``stroke_width`` ``stroke-width``."""
    written = "".join(f' {_name(name)}="{text_node(str(value))}"' for name, value in attributes.items())
    inside = "".join(content)
    return Markup(f"<{tag}{written}/>" if tag in VOID else f"<{tag}{written}>{inside}</{tag}>")


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def joined(parts: Iterable[Markup]) -> Markup:
    """Return several pieces, one per line."""
    return Markup("\n".join(part for part in parts if part))
