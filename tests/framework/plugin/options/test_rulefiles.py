"""Rulings and rule index as files."""

from pathlib import Path

import pytest

from sandtable.errors import DataError
from sandtable.plugin.manifest import Option, RuleRow
from sandtable.plugin.options.rulefiles import read_index, read_options


def test_ruling_is_an_option_with_its_default_first(tmp_path: Path) -> None:
    path = tmp_path / "rulings.toml"
    path.write_text(
        '[[ruling]]\nid = "X-1"\noption = "tie"\nquestion = "Who?"\nreason = "-"\n'
        'values = [{ token = "none", text = "-" }, { token = "first", text = "-" }]\n'
        '[[ruling]]\nid = "X-2"\noption = "end"\nquestion = "When?"\nkind = "number_or_token"\n'
        'values = [{ token = "never", text = "-" }]\nendless = ["never"]\nfixed = true\n'
        'keeper = { never = "claims" }\n'
    )
    assert read_options(path) == (
        Option("tie", ("none", "first"), "Who?", "X-1"),
        Option(
            "end", ("never",), "When?", "X-2", number=True, endless=("never",), fixed=True, keeper={"never": "claims"}
        ),
    )


@pytest.mark.parametrize("keeper", ['{ never = "maybe" }', '{ always = "needed" }', '{ never = "" }', "{ never = 1 }"])
def test_keeper_of_an_unknown_value_or_kind_is_refused(tmp_path: Path, keeper: str) -> None:
    path = tmp_path / "rulings.toml"
    values = 'values = [{ token = "never", text = "-" }]'
    path.write_text(f'[[ruling]]\nid = "X-2"\noption = "end"\nquestion = "When?"\n{values}\nkeeper = {keeper}\n')
    with pytest.raises(DataError, match="keeper: expected VALUE = KEEPER"):
        read_options(path)


def test_the_rule_index_keeps_the_order_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    rows = (("X-2", "b", "rule"), ("X-1", "a", "info"))
    path.write_text(
        "".join(f'[[rule]]\nid = "{ident}"\ntext = "{text}"\nstate = "{state}"\n' for ident, text, state in rows)
    )
    assert read_index(path) == tuple(RuleRow(*row) for row in rows)


RULES = """
rule = [
  { id = "X-1", text = "a", state = "rules" },
  { text = " ", state = "rule" },
  { id = 3, text = "c" },
  "X-4",
]
"""
RULINGS = """
[[ruling]]
id = "X-1"
option = "tie"
values = [{ token = "none" }, { text = "first" }, "last"]

[[ruling]]
id = "X-2"
option = "end"
question = "When?"
values = "never"
endless = "never"
fixed = "yes"
"""


def test_error_in_a_rule_file_is_reported_with_file_and_key(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(RULES, encoding="utf-8")
    with pytest.raises(DataError) as found:
        read_index(path)
    assert [str(each).removeprefix(f"{path}: ") for each in (found.value, *found.value.also)] == [
        "rule[3]: is 'X-4'; write a table",
        "rule[0].state: is 'rules'; choose rule, ruling, info",
        "rule[1].id: is missing; add text",
        "rule[1].text: is blank; write something",
        "rule[2].id: is 3; write text",
        "rule[2].state: is missing; add text",
    ]
    path.write_text(RULINGS, encoding="utf-8")
    with pytest.raises(DataError) as found:
        read_options(path)
    assert [str(each).removeprefix(f"{path}: ") for each in (found.value, *found.value.also)] == [
        "ruling[0].values[2]: is 'last'; write a table",
        "ruling[0].values[1].token: is missing; add text",
        "ruling[0].question: is missing; add text",
        "ruling[1].values: is 'never'; write a list",
        "ruling[1].endless: is 'never'; write a list",
        "ruling[1].fixed: is 'yes'; write true or false",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[rule]]\nid = 1 2", "line 2, column 8: is not TOML"),
        ("[rule]\n", "rule: is {}; write a list"),
        ("", "rule: is missing"),
    ],
)
def test_a_file_without_rows_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as found:
        read_index(path)
    assert str(found.value).startswith(f"{path}: {problem}")
