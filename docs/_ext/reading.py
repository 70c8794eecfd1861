"""Accessible pages: code that is wider than its box can be scrolled with the keyboard."""

from typing import Any

from sphinx.application import Sphinx


def let_scroll(*page: Any) -> None:
    """Make each code block reachable by the Tab key."""
    context = page[3]
    if "body" in context:
        context["body"] = context["body"].replace("<pre>", '<pre tabindex="0">')


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the event handler."""
    app.connect("html-page-context", let_scroll)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
