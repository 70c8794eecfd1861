import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.players.processes.protocol import Judged, Ready, Reply, Sample, decode, encode


def test_protocol_message_is_one_line() -> None:
    assert encode(Judged(3, legal=True)) == b'{"type":"judged","id":3,"legal":true,"rule":"","reason":""}\n'


def test_bot_messages_are_decoded() -> None:
    assert decode(b'{"type":"ready","protocol":1,"name":"x"}') == Ready(1, "x")
    assert decode(b' { "id": 4, "type": "sample" } ') == Sample(4, 1)
    answer = decode(b'{"type":"answer","id":1,"order":{"a":[1]}}')
    assert isinstance(answer, Reply)
    assert msgspec.json.decode(answer.order) == {"a": [1]}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "truncated"),
        (b"[]", "Expected `object`"),
        (b'{"type":"hello"}', "Invalid value 'hello'"),
        (b'{"id":1}', "missing required field"),
        (b'{"type":"sample","id":"1"}', "Expected `int`, got `str`"),
        (b'{"type":"sample","id":1.5}', "Expected `int`"),
        (b'{"type":"sample","id":1,"why":2}', "unknown field"),
        (b'{"type":"answer","id":1,"order":' + b"[" * 40 + b"]" * 40 + b"}", "nested too deep"),
        (b'{"type":"sample","id":' + b"1" * 30 + b"}", "too many digits"),
        (b'{"type":"ready","protocol":1,"name":"\xff"}', "(?i)utf-8"),
        (b'{"type":"ready","protocol":1}{}', "trailing"),
    ],
)
def test_invalid_bot_message_is_refused_in_a_line(line: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        decode(line)
    assert "\n" not in str(caught.value)


@given(st.binary(max_size=200))
def test_any_bot_bytes_are_decoded_or_refused(line: bytes) -> None:
    problem = ""
    try:
        decode(line)
    except ValueError as error:
        problem = str(error)
    assert problem.isprintable()
