"""The rule index of a game as a page: each id with its line, and a target to link to."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from sandtable.plugin.manifest import RuleRow
from sandtable.plugin.options.rulefiles import read_index

GAMES = Path(__file__).parents[2] / "plugins"


class Rules(SphinxDirective):
    """Lists the rules of a game, or nothing if ``games_rules`` is off, for a faster build."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the index as a table."""
        if not self.config.games_rules:
            return []
        source = GAMES / self.arguments[0] / "rules.toml"
        self.env.note_dependency(str(source))
        table = nodes.table(classes=["rules"])
        group = nodes.tgroup(cols=2)
        group += [nodes.colspec(colwidth=18), nodes.colspec(colwidth=82)]
        body = nodes.tbody()
        body += [row_of(each) for each in read_index(source)]
        group += body
        table += group
        return [table]


def row_of(rule: RuleRow) -> nodes.row:
    """Return a row of the table."""
    ident = nodes.paragraph("", "", nodes.literal(text=rule.id))
    text = nodes.paragraph(text=rule.text)
    if rule.state != "rule":
        text += [nodes.Text(" "), nodes.inline(text=rule.state, classes=["state"])]
    return nodes.row("", nodes.entry("", ident), nodes.entry("", text), ids=[f"rule-{nodes.make_id(rule.id)}"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the option and the directive."""
    app.add_config_value("games_rules", True, "env")  # noqa: FBT003 - its default
    app.add_directive("rules", Rules)
    return {"parallel_read_safe": True}
