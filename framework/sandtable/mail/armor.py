"""Packets as text that survives a mail program: quoting, wrapping, other line ends, HTML.

A block has a first and a last line, and between them lines of 64 characters. They hold the data, compressed by zlib, as
base64url without padding, then ``.`` and the first 8 hex digits of the SHA-256 of the text before the point. A reader
ignores all other characters, so a quoted or wrapped block is read like the original.
"""

import base64
import binascii
import html
import re
import zlib
from hashlib import sha256

from sandtable.errors import DataError

BEGIN, END = "----- begin sandtable packet -----", "----- end sandtable packet -----"
MAX_TEXT = 2 << 20
"""Maximum length of a text with a packet, in bytes."""
MAX_DATA = 1 << 20
"""Maximum length of the data of a packet, in bytes."""
_WIDTH = 64
_BEGIN = re.compile(r"-----\s*begin\s+sandtable\s+packet\s*-----")
_END = re.compile(r"-----\s*end\s+sandtable\s+packet\s*-----")
_MARKUP = re.compile(r"<[^<>]{0,2000}>")
_STRANGE = re.compile(r"[^A-Za-z0-9_.-]+")
_CHECKED = re.compile(r"([A-Za-z0-9_-]+)\.([0-9a-f]{8})")


def armored(data: bytes, title: str) -> str:
    """Return ``data`` as a block of text, with the line ``title`` for people before it."""
    body = base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")
    text = f"{body}.{_check_sum(body)}"
    lines = [text[place : place + _WIDTH] for place in range(0, len(text), _WIDTH)]
    return "\n".join([title, BEGIN, *lines, END, ""])


def unarmored(text: str, name: str) -> bytes:
    """Return the data of the one block in ``text``; ``name`` names its source. Raises DataError."""
    if len(text) > MAX_TEXT:
        raise DataError(name, "", f"is longer than {MAX_TEXT >> 20} MiB, so it is not a packet")
    plain = _MARKUP.sub(" ", html.unescape(text)) if "<" in text or "&" in text else text
    plain = plain.replace("=\r\n", "").replace("=\n", "")  # soft line breaks of quoted-printable
    plain = re.sub(r"(?m)^[>|\s]+", "", plain)
    begins, ends = [*_BEGIN.finditer(plain)], [*_END.finditer(plain)]
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() < begins[0].end():
        raise DataError(
            name,
            "",
            "does not contain exactly one complete packet: copy the text from its `begin` line to its `end` line",
        )
    checked = _CHECKED.fullmatch(_STRANGE.sub("", plain[begins[0].end() : ends[0].start()]))
    if checked is None or _check_sum(checked[1]) != checked[2]:
        raise DataError(name, "", "the packet was damaged in transit: ask the sender for it again")
    return _unpacked(checked[1], name)


def _unpacked(body: str, name: str) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)), MAX_DATA)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise DataError(name, "", f"the packet cannot be unpacked: {error}") from error
    if not unpacker.eof or unpacker.unused_data:
        raise DataError(name, "", f"the packet is incomplete, or holds more than {MAX_DATA >> 20} MiB")
    return data


def _check_sum(body: str) -> str:
    return sha256(body.encode()).hexdigest()[:8]
