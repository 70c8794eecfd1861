"""Rulings in a log: their author, their signature, and whether their rule exists."""

import sys
from pathlib import Path

import pytest
from msgspec import structs

from sandtable.errors import SignaturesUnchecked
from sandtable.journal.anchors import anchors, signing
from sandtable.journal.anchors.rulings import signed
from sandtable.journal.anchors.signing import new_key
from sandtable.journal.file.log import Log
from sandtable.journal.verification.ruled import known_rules, ruling_text, unknown_rule, wrong_ruling
from sandtable.kernel.records import RulingRecord
from sandtable.plugin.manager import Prepared

RULING: RulingRecord[object] = RulingRecord(3, "umpire", "it is late")


@pytest.mark.parametrize(
    ("changes", "field"),
    [({}, ""), ({"by": "x"}, "signature"), ({"by": "arbiter"}, "signature"), ({"rule": "NO-1"}, "rule")],
)
def test_ruling_must_be_the_umpires_and_cite_an_existing_rule(
    changes: dict[str, str], field: str, log: Log, prepared: Prepared
) -> None:
    ruling = structs.replace(RULING, **changes)
    found = wrong_ruling([ruling], log, prepared)
    assert (found.field if found else "") == field
    assert found is None or (found.kind, found.record) == ("ruling", 3)


def test_rule_of_the_index_is_known(prepared: Prepared) -> None:
    rule = min(known_rules(prepared))
    assert unknown_rule(rule, prepared) == unknown_rule("", prepared) == ""
    assert "NO-1" in unknown_rule("NO-1", prepared)


def test_ruling_text_includes_the_signature(log: Log, tmp_path: Path) -> None:
    assert ruling_text(RULING, log) == "record 3 by umpire, unsigned: it is late"
    forged = structs.replace(RULING, signature="0" * 128, rule="T3-1")
    assert ruling_text(forged, log).startswith(
        "record 3 by umpire, with a signature that no key in the header proves: "
    )
    assert ruling_text(forged, log).endswith(" by T3-1")
    key = new_key(tmp_path / "umpire.pem")
    log.header = structs.replace(log.header, keys={"umpire": key.public})
    assert "not signed by the key of the header" in ruling_text(forged, log)
    head = log.lines[2][-66:-2].decode()
    assert ruling_text(signed(RULING, head, key, log.header.keys), log) == "record 3 by umpire, signed: it is late"


def test_unknown_rule_is_found_behind_a_signature_that_cannot_be_checked(
    log: Log, prepared: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = new_key(tmp_path / "umpire.pem")
    log.header = structs.replace(log.header, keys={"umpire": key.public})
    first = signed(RULING, log.lines[2][-66:-2].decode(), key, log.header.keys)
    for name in [each for each in sys.modules if each.partition(".")[0] == "cryptography"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(SignaturesUnchecked):
        wrong_ruling([first], log, prepared)
    found = wrong_ruling([first, structs.replace(first, n=4, rule="NO-1")], log, prepared)
    assert found is not None
    assert (found.record, found.field) == (4, "rule")


def test_signature_of_a_ruling_is_checked_once_for_all_that_need_it(
    log: Log, prepared: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = new_key(tmp_path / "umpire.pem")
    log.header = structs.replace(log.header, keys={"umpire": key.public})
    ruling = signed(RULING, log.lines[2][-66:-2].decode(), key, log.header.keys)
    checked: list[str] = []

    def is_signed(public: str, message: bytes, signature: str) -> bool:
        checked.append(signature)
        return signing.is_signed(public, message, signature)

    monkeypatch.setattr(anchors, "is_signed", is_signed)
    for _ in range(2):
        assert wrong_ruling([ruling], log, prepared) is None
        assert ", signed: " in ruling_text(ruling, log)
    assert checked == [ruling.signature]
    forged = structs.replace(ruling, reason="it is early")
    assert wrong_ruling([forged], log, prepared) is not None
    assert len(checked) == 2
