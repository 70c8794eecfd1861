"""Defaults are left out of the log, whatever the origin of a text: equal briefs and results have equal bytes."""

from typing import Any

import msgspec

from sandtable.tabletop.brief import Brief, Company, Party, Platoon
from sandtable.tabletop.result import Result

ENCODE, DECODE = msgspec.json.Encoder().encode, msgspec.json.decode


def another(text: str) -> Any:
    """Return an equal text that is a different object."""
    made = "".join(list(text))
    assert made == text
    assert made is not text
    return made


def test_defaults_are_left_out_of_the_log() -> None:
    role, skill, motivation = another("combat"), another("trained"), another("confident")
    platoon = Platoon("p1", "Platoon", "infantry", 7, 7, 100, role=role)
    company = Company("a", "A", "rifle", "british", "infantry", 100, (platoon,), skill, motivation)
    party = Party("axis", "Axis", "Rommel", (company,), 1500, air=another("none"))
    brief = Brief("b", "c", 1, "x", "X", "Encounter", {"axis": party}, mode=another("ordinary"))
    result = Result("axis", source=another("table"))
    for record in (platoon, company, party, brief, result):
        data = ENCODE(record)
        assert ENCODE(DECODE(data, type=type(record))) == data
        for word in (b"combat", b"trained", b"confident", b'"none"', b"ordinary", b"table"):
            assert word not in data


def test_values_other_than_the_default_are_written() -> None:
    data = ENCODE(Platoon("p1", "Platoon", "gun", 4, 4, 100, role="support"))
    assert b'"role":"support"' in data
    assert DECODE(data, type=Platoon).role == "support"
