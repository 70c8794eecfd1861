"""Links from documents of the repository to their pages: links in included files, and names of files.

A game's README is included in a page of this site, and its links are relative to its own folder. In prose the documents
name each other as files, such as ``docs/search.md``; on the site such a name is a link.
"""

from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

ROOT = Path(__file__).parents[2]
GAMES = ("desert_aa", "kampfpanzer", "damos", "khamsin", "axis_attack")
PAGES = {
    "README.md": "index",
    "ARCHITECTURE.md": "explanation/architecture",
    "CONTRIBUTING.md": "reference/contributing",
    "CHANGELOG.md": "reference/changelog",
    "plugins/README.md": "howto/by_hooks",
    "replays/README.md": "reference/log",
    "docs/search.md": "guides/search_player",
    **{f"plugins/{game}/README.md": f"reference/games/{game}" for game in GAMES},
}
"""The page of each document whose path differs from that of its page."""


def page_of(env: BuildEnvironment, path: str) -> str:
    """Return the page of a document, given by its path in the repository, or "" if it does not have one."""
    page = PAGES.get(path, path.removeprefix("docs/").removesuffix(".md") if path.startswith("docs/") else "")
    return page if page in env.found_docs else ""


def lead_links(app: Sphinx, doctree: nodes.document) -> None:
    """Resolve the links of an included document from its own folder."""
    for node in doctree.findall(pending_xref):
        if node.get("reftype") == "myst" and not node.get("refdomain"):
            file = next((each.source for each in (node, node.parent) if each is not None and each.source), "")
            target, _, heading = str(node["reftarget"]).partition("#")
            path = (Path(file).parent / target).resolve()
            page = page_of(app.env, path.relative_to(ROOT).as_posix()) if path.is_relative_to(ROOT) else ""
            if page:
                node.attributes |= {"refdomain": "doc", "reftarget": page, "reftargetid": heading or None}


def link_names(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Turn the name of a document in prose into a link."""
    for literal in list(doctree.findall(nodes.literal)):
        target = page_of(app.env, literal.astext()) if literal.astext().endswith(".md") else ""
        if target and target != page and not isinstance(literal.parent, nodes.reference):
            literal.replace_self(make_refnode(app.builder, page, target, "", literal.deepcopy()))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the event handlers."""
    app.connect("doctree-read", lead_links)
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True}
