"""Rulings and rule index as files."""

from pathlib import Path

from sandtable.plugin.manifest import Option, RuleRow
from sandtable.plugin.rulefiles import read_index, read_options


def test_a_ruling_is_an_option_with_its_usual_value_first(tmp_path: Path) -> None:
    path = tmp_path / "rulings.toml"
    path.write_text(
        '[[ruling]]\nid = "X-1"\noption = "tie"\nquestion = "Who?"\nreason = "-"\n'
        'values = [{ token = "none", text = "-" }, { token = "first", text = "-" }]\n'
        '[[ruling]]\nid = "X-2"\noption = "end"\nquestion = "When?"\nkind = "number_or_token"\n'
        'values = [{ token = "never", text = "-" }]\nendless = ["never"]\n'
    )
    assert read_options(path) == (
        Option("tie", ("none", "first"), "Who?", "X-1"),
        Option("end", ("never",), "When?", "X-2", number=True, endless=("never",)),
    )


def test_the_rule_index_keeps_the_order_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    rows = (("X-2", "b", "rule"), ("X-1", "a", "info"))
    path.write_text(
        "".join(f'[[rule]]\nid = "{ident}"\ntext = "{text}"\nstate = "{state}"\n' for ident, text, state in rows)
    )
    assert read_index(path) == tuple(RuleRow(*row) for row in rows)
