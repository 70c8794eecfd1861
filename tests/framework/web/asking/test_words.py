"""The table shows names to people: no id appears in a question, on a button, on the board or in the story."""

import json
import re
from pathlib import Path

import pytest
from paper_table import PaperTable, people_play

from sandtable.plugin.manager import Rulesets

pytestmark = pytest.mark.full

EXAMPLES = Path(__file__).parents[4] / "docs" / "examples"
SMALL = ("toy", "tictactoe", "league3", "league7", "kuhn", "connect4", "hill")
SHIPPED = ("desert_aa", "kampfpanzer", "damos", "khamsin", "axis_attack")
ORDERS = 160

ID = re.compile(r"(?<![\w-])(?:[a-z0-9]+(?:_[a-z0-9]+)+|[a-z]+[a-z0-9]*-[a-z0-9-]*[0-9]\w*|[a-z]+[0-9]+)(?![\w-])")
"""The look of an id: "fort_capuzzo", "it-inf-1", "g-12pz", "r3"."""


def table_of(ruleset: str, folder: Path, orders: int = ORDERS) -> PaperTable:
    """Return the table of a game in which robots answered up to ``orders`` questions."""
    source = EXAMPLES / ruleset / "src"
    prepared = Rulesets(source if source.is_dir() else None).load(ruleset).prepare()
    table = PaperTable(people_play(prepared, folder, "words"), "words")
    table.play(orders)
    table.read_boards()
    return table


def ids_read(table: PaperTable) -> dict[tuple[str, str], str]:
    """Return the labels in which a person reads an id, by kind and text.

    An id may be read if it is printed on the board in the same form: the number of a hex or of a counter.
    """
    ids, printed = table.ids(), {text for kind, text, _ in table.labels if kind == "board"}
    found = {}
    for kind, text, pick in table.labels:
        value = json.loads(pick) if pick.startswith('"') else ""
        looks = [each for each in ID.findall(text) if each not in printed]
        if looks or (value == text and text in ids - printed):
            found[kind, text] = (looks or [text])[0]
    return found


@pytest.mark.parametrize("ruleset", [*SMALL, *SHIPPED])
def test_no_label_at_the_table_is_an_id(ruleset: str, tmp_path: Path) -> None:
    table = table_of(ruleset, tmp_path)
    assert len(table.labels) > 10
    assert ids_read(table) == {}
