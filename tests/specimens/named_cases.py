"""207 ways to write JSON that have broken readers elsewhere, by name and kind.

A case replaces the first order of a good log: ``LINE`` with another cell, or another line altogether. Each has a valid
hash, so that the reader of records sees it and not only the chain.
"""

LINE = b'{"kind":"order","n":3,"by":"x","order":{"type":"Mark","cell":%s},"asked":"1/play/x/1#8c67ade485975061"'
ORDER = b'"order":{"type":"Mark","cell":0}'
GOOD = LINE % b"0"
MOST = (1 << 20) - 300
"""Size limit: a line may have a megabyte, including the rest of the line and its hash."""

OPENERS = {"arrays": (b"[", b"]"), "tables": (b'{"a":', b"}"), "both": (b'[{"a":', b"}]")}
DEPTHS = (33, 65, 500, 997, 1_498, 9_999, 80_000)


def _nesting() -> dict[str, bytes]:
    found = {}
    for shape, (begin, end) in OPENERS.items():
        for depth in DEPTHS:
            found[f"{depth} {shape}"] = LINE % (begin * depth + b"1" + end * depth)
            found[f"{depth} {shape}, open"] = LINE % (begin * depth)
    deep = b"[" * 2_000 + b"]" * 2_000
    return found | {
        "in an unknown field": GOOD + b',"x":' + deep,
        "in the place of a name": GOOD.replace(b'"by":"x"', b'"by":' + deep),
        "in the place of the record": deep,
    }


INTEGERS = (
    *(b"%d" % (sign * value) for sign in (1, -1) for value in (9, 255, 2**31, 2**32, 2**53 + 1, 2**63, 2**64, 10**19)),
    *(sign + b"9" * digits for sign in (b"", b"-") for digits in (20, 309, 4_300, 4_301, 100_000, 1_000_000)),
    *(b"-1", b"-0", b"00", b"01", b"+1", b"0x1", b"0b1", b"0o1", b"1_000", b"1 000", b'"0"', b"true", b"null"),
)
FLOATS = (
    *(
        b"0.0",
        b"0.5",
        b"1.0",
        b"-0.0",
        b"1e0",
        b"0e0",
        b"1E2",
        b"1e+2",
        b"1e-2",
        b"1e308",
        b"1e309",
        b"1e400",
        b"-1e400",
    ),
    *(b"1e-400", b"5e-324", b"1e999999999", b"1e-999999999", b"0." + b"0" * 5_000 + b"1", b"0." + b"3" * 100_000),
    *(
        b"NaN",
        b"nan",
        b"Infinity",
        b"-Infinity",
        b"inf",
        b"Inf",
        b"+Infinity",
        b".5",
        b"5.",
        b"1e",
        b"1.e1",
        b"--1",
        b"1,5",
    ),
)
LENGTHS = {
    "arrays": b"[" + b"[]," * (MOST // 3 - 1) + b"0]",
    "tables": b"[" + b"{}," * (MOST // 3 - 1) + b"0]",
    "numbers": b"[" + b"0," * (MOST // 2 - 1) + b"0]",
    "nulls": b"[" + b"null," * (MOST // 5 - 1) + b"0]",
    "texts": b"[" + b'"",' * (MOST // 3 - 1) + b"0]",
    "keys": b"{" + b",".join(b'"%d":0' % number for number in range(90_000)) + b"}",
    "one key again": b"{" + b'"a":0,' * (MOST // 6 - 1) + b'"a":0}',
    "pairs": b"[" + b"[0,0]," * (MOST // 6 - 1) + b"0]",
    "escapes": b'"' + b"\\u0041" * (MOST // 6 - 1) + b'"',
    "backslashes": b'"' + b"\\\\" * (MOST // 2 - 1) + b'"',
    "quotes": b'"' + b'\\"' * (MOST // 2 - 1) + b'"',
    "blanks": b" " * MOST + b"0",
    "blanks in a table": b"{" + b" " * MOST + b"}",
    "a text": b'"' + b"a" * MOST + b'"',
    "a text of three-byte letters": b'"' + "\u20ac".encode() * (MOST // 3 - 1) + b'"',
    "a key": b'{"' + b"a" * MOST + b'":0}',
    "orders": b"[" + b'{"type":"Mark","cell":0},' * (MOST // 25 - 1) + b"0]",
    "an open text": b'"' + b"a" * MOST,
    "commas": b"[" + b"," * MOST + b"]",
    "colons": b"{" + b":" * MOST + b"}",
    "minus": b"-" * MOST,
    "brackets in a text": b'"' + b"[" * MOST + b'"',
    "zeros of a fraction": b"0." + b"0" * MOST,
    "zeros of a power": b"1e" + b"0" * MOST,
    "digits": b"1" * MOST,
    "fields": b"0}," + b",".join(b'"f%d":0' % number for number in range(70_000)) + b',"x":{"a":0',
}
TEXTS = (
    *(
        b"\xff",
        b"\xfe",
        b"\x80",
        b"\xc0\x80",
        b"\xe2\x82",
        b"\xf5\x80\x80\x80",
        b"\xed\xa0\x80",
        b"\xf8\x88\x80\x80\x80",
    ),
    *(b"\\ud800", b"\\udc00", b"\\ud800\\ud800", b"\\u12", b"\\uZZZZ", b"\\x41", b"\\", b"\x00", b"\x1f", b"\n", b"\t"),
    *(b"\\u0000", "\u202ex".encode(), "e\u0301".encode()),
)


def _cut_and_odd() -> dict[str, bytes]:
    cuts = {f"cut at {at} of {len(GOOD)}": GOOD[:at] for at in range(1, len(GOOD), len(GOOD) // 9)}
    return cuts | {
        "more behind": GOOD + b"}",
        "a comma behind": GOOD + b",",
        "another record behind": GOOD + b"}" + GOOD,
        "a comment": GOOD + b"/* */",
        "a key that is a number": GOOD + b",1:0",
        "a key that is null": GOOD + b",null:0",
        "a key without quotes": GOOD + b",a:0",
        "a key in other quotes": GOOD + b",'a':0",
        "a key alone": GOOD + b',"a"',
        "an empty key": GOOD + b',"":0',
        "a mark of byte order": b"\xef\xbb\xbf" + GOOD,
    }


STRUCTURES = {
    "kind twice": GOOD.replace(b'"n":3', b'"kind":"event","n":3'),
    "kind twice, the same": GOOD.replace(b'"n":3', b'"kind":"order","n":3'),
    "number twice": GOOD.replace(b'"n":3', b'"n":3,"n":3'),
    "order twice": GOOD + b"," + ORDER,
    "type twice": GOOD.replace(b'"cell"', b'"type":"Mark","cell"'),
    "cell twice": GOOD.replace(b'"cell":0', b'"cell":1,"cell":0'),
    "no kind": GOOD.replace(b'"kind":"order",', b""),
    "no number": GOOD.replace(b'"n":3,', b""),
    "no side": GOOD.replace(b'"by":"x",', b""),
    "no order": GOOD.replace(ORDER + b",", b""),
    "no type": GOOD.replace(b'"type":"Mark",', b""),
    "no cell": GOOD.replace(b',"cell":0', b""),
    "another type": GOOD.replace(b'"Mark"', b'"__class__"'),
    "a type that is a number": GOOD.replace(b'"Mark"', b"7"),
    "a field nobody knows": GOOD + b',"import":"os"',
    "a field of an order nobody knows": GOOD.replace(b'"cell":0', b'"cell":0,"rank":1'),
    "an order that is a list": GOOD.replace(ORDER, b'"order":["Mark",0]'),
    "an order that is a text": GOOD.replace(ORDER, b'"order":"Mark 0"'),
    "a side that is none": GOOD.replace(b'"by":"x"', b'"by":"z"'),
    "fields in another order": b'{"n":3,"kind":"order"' + GOOD[len(b'{"kind":"order","n":3') :],
}

CASES: dict[str, dict[str, bytes]] = {
    "nesting": _nesting(),
    "integers": {shown.decode()[:24] + f" ({len(shown)})": LINE % shown for shown in INTEGERS},
    "floats": {shown.decode()[:24] + f" ({len(shown)})": LINE % shown for shown in FLOATS},
    "lengths": {name: LINE % value for name, value in LENGTHS.items()},
    "texts": {repr(each): GOOD.replace(b'"by":"x"', b'"by":"%s"' % each) for each in TEXTS},
    "cut and odd": _cut_and_odd(),
    "structure": STRUCTURES,
}
