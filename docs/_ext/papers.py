"""Papers of the repository, wherever they lie, lead to their pages: links in what is included, and names of files.

A game's README is included in a page of this site, and its links are meant from where it lies. In prose the papers name
each other as files, ``docs/search.md``; here such a name is a link.
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
"""The page of each paper that does not lie where its page does."""


def page_of(env: BuildEnvironment, paper: str) -> str:
    """Return the page of a paper, named from the top of the repository; "" where it has none."""
    page = PAGES.get(paper, paper.removeprefix("docs/").removesuffix(".md") if paper.startswith("docs/") else "")
    return page if page in env.found_docs else ""


def lead_links(app: Sphinx, doctree: nodes.document) -> None:
    """Let the links of an included paper lead from where the paper lies."""
    for node in doctree.findall(pending_xref):
        if node.get("reftype") == "myst" and not node.get("refdomain"):
            file = next((each.source for each in (node, node.parent) if each is not None and each.source), "")
            target, _, heading = str(node["reftarget"]).partition("#")
            path = (Path(file).parent / target).resolve()
            page = page_of(app.env, path.relative_to(ROOT).as_posix()) if path.is_relative_to(ROOT) else ""
            if page:
                node.attributes |= {"refdomain": "doc", "reftarget": page, "reftargetid": heading or None}


def link_names(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Make a link of each paper that prose names as a file."""
    for literal in list(doctree.findall(nodes.literal)):
        target = page_of(app.env, literal.astext()) if literal.astext().endswith(".md") else ""
        if target and target != page and not isinstance(literal.parent, nodes.reference):
            literal.replace_self(make_refnode(app.builder, page, target, "", literal.deepcopy()))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register."""
    app.connect("doctree-read", lead_links)
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True}
