"""Pages for all readers: code that runs over its box can be scrolled with the keyboard."""

from typing import Any

from sphinx.application import Sphinx


def let_scroll(*page: Any) -> None:
    """Let each block of code be reached by the tabulator key."""
    context = page[3]
    if "body" in context:
        context["body"] = context["body"].replace("<pre>", '<pre tabindex="0">')


def setup(app: Sphinx) -> dict[str, bool]:
    """Register."""
    app.connect("html-page-context", let_scroll)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
