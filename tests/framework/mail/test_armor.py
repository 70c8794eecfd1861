"""Packets as text: what mail programs do to them does no harm, and what does harm is noticed."""

import base64
import textwrap
import zlib
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as some

from sandtable.errors import DataError
from sandtable.mail.armor import BEGIN, END, MAX_DATA, MAX_TEXT, armored, unarmored

DATA = b'{"kind":"packet","order":"From the hill, -- march"}' * 20
TEXT = armored(DATA, "Sandtable: a packet")


def quoted(text: str, mark: str = "> ") -> str:
    return "".join(mark + line + "\n" for line in text.splitlines())


HARMLESS = {
    "as it is": TEXT,
    "quoted": quoted(TEXT),
    "quoted twice": quoted(quoted(TEXT), ">"),
    "CRLF": TEXT.replace("\n", "\r\n"),
    "trailing blanks": TEXT.replace("\n", "  \n"),
    "footer": f"Hello,\nmy orders:\n{TEXT}\n-- \nYours\n",
    "blank lines": TEXT.replace("\n", "\n\n"),
    "HTML breaks": TEXT.replace("\n", "<br>\n"),
    "HTML paragraphs": "".join(f"<p class='x'>{line}</p>" for line in TEXT.splitlines()),
    "HTML quotes": "".join(f"&gt; {line}<br/>\n" for line in TEXT.splitlines()),
    "one line": TEXT.replace("\n", " "),
    "wrapped at 40": "\n".join(part for line in TEXT.splitlines() for part in textwrap.wrap(line, 40)),
    "format=flowed": TEXT.replace("\n", " \n"),
    "quoted-printable": "=\n".join(TEXT[place : place + 70] for place in range(0, len(TEXT), 70)),
    "indented": textwrap.indent(TEXT, "    | "),
}


@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS)
def test_packet_survives_changes_by_mail_programs(text: str) -> None:
    assert unarmored(text, "mail") == DATA


def test_lines_have_at_most_64_characters() -> None:
    assert max(map(len, TEXT.splitlines()[1:])) <= 64


@given(some.binary(max_size=3_000))
def test_any_data_survive_armor(data: bytes) -> None:
    assert unarmored(armored(data, "x"), "mail") == data


@pytest.mark.parametrize("place", range(80, len(TEXT) - len(END) - 2, 17))
def test_changed_character_is_detected(place: int) -> None:
    other = "A" if TEXT[place] != "A" else "B"
    with pytest.raises(DataError):
        unarmored(TEXT[:place] + other + TEXT[place + 1 :], "mail")


@pytest.mark.parametrize("lost", range(1, len(TEXT.splitlines())))
def test_lost_line_is_detected(lost: int) -> None:
    lines = TEXT.splitlines()
    with pytest.raises(DataError):
        unarmored("\n".join(lines[:lost] + lines[lost + 1 :]), "mail")


def block(body: str) -> str:
    return f"{BEGIN}\n{body}.{sha256(body.encode()).hexdigest()[:8]}\n{END}\n"


HOSTILE = {
    "empty": "",
    "no packet": "Dear friend, it is your turn.",
    "two packets": TEXT + TEXT,
    "end before begin": f"{END}\n{BEGIN}\n",
    "many begins": BEGIN * 50_000,
    "not base64": block("A"),
    "not compressed": block(base64.urlsafe_b64encode(b"plain").decode().rstrip("=")),
    "more than allowed": armored(bytes(MAX_DATA + 1), "x"),
    "something behind": block(base64.urlsafe_b64encode(zlib.compress(b"a") + b"more").decode().rstrip("=")),
    "too long": "x" * (MAX_TEXT + 1),
    "many tags": "<" * 1_000_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_text_without_one_complete_packet_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(DataError) as refused:
        unarmored(text, "mail")
    assert "\n" not in str(refused.value)
