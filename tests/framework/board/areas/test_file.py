"""Map files: accepted files, and every message for an invalid one."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sandtable.board.areas.checks import MapRules
from sandtable.board.areas.file import find_problems, parse_map, read_map
from sandtable.board.areas.map import AreaMap, Connector
from sandtable.errors import DataError, RulesetError

HEAD = """
[map]
id = "gazala"
title = "Gazala to Tobruk"
provenance = "reconstructed"
reason = "for tests"
"""

GAZALA = f"""{HEAD}
adjacent_kind = "desert"

[areas.TOB]
name = "Tobruk"
terrain = "desert"
lon_milli = 23960
lat_milli = 32080
value = 3
city = true
adjacent = ["HAC"]

[areas.HAC]
name = "Bir Hacheim"
terrain = "rough"
x = 10
y = -20
value = 0
city = false
owner = "Axis"
adjacent = ["TOB", "GAZ"]

[areas.GAZ]
name = "Gazala"
terrain = "desert"
value = 0
city = false
adjacent = ["HAC"]

[[connectors]]
between = ["TOB", "GAZ"]
kind = "road"
"""


class Facts(msgspec.Struct, kw_only=True):
    value: Annotated[int, msgspec.Meta(ge=0)]
    city: bool
    owner: Literal["", "Axis", "Allies"] = ""
    note: str | None = None


def problems_of(text: str | bytes, tmp_path: Path, facts: type[msgspec.Struct] | None = None) -> list[str]:
    """Write the file and return its problems without the folder name; reading it raises the first."""
    path = tmp_path / "gazala.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = find_problems(path, facts=facts)
    if found:
        with pytest.raises(DataError) as refusal:
            read_map(path, facts=facts)
        assert str(refusal.value) == found[0]
        assert refusal.value.where == str(path)
    else:
        assert isinstance(read_map(path, facts=facts), AreaMap)
    assert all("\n" not in problem and problem.isprintable() for problem in found)
    return [problem.removeprefix(f"{tmp_path}/") for problem in found]


def area(area_id: str, more: str = "") -> str:
    return f'[areas.{area_id}]\nname = "Somewhere"\nterrain = "desert"\n{more}\n'


def test_map_file_is_read_as_a_map() -> None:
    area_map = parse_map(GAZALA.encode(), "gazala.toml", facts=Facts)
    assert (area_map.id, area_map.title, area_map.provenance) == ("gazala", "Gazala to Tobruk", "reconstructed")
    assert area_map.reason == "for tests"
    assert area_map.ids == ("GAZ", "HAC", "TOB")
    assert area_map.connectors == (
        Connector("GAZ", "HAC", "desert"),
        Connector("GAZ", "TOB", "road"),
        Connector("HAC", "TOB", "desert"),
    )
    tobruk, hacheim = area_map.area("TOB"), area_map.area("HAC")
    assert (tobruk.name, tobruk.terrain, tobruk.lon_milli, tobruk.lat_milli) == ("Tobruk", "desert", 23960, 32080)
    assert (hacheim.x, hacheim.y, hacheim.lon_milli, hacheim.lat_milli) == (10, -20, None, None)
    assert dict(area_map.area("TOB").facts) == {"city": True, "owner": "", "value": 3}
    assert dict(area_map.area("HAC").facts) == {"city": False, "owner": "Axis", "value": 0}


def test_undeclared_facts_are_kept_unchanged() -> None:
    area_map = parse_map(GAZALA.encode(), "gazala.toml")
    assert dict(area_map.area("TOB").facts) == {"city": True, "value": 3}


def test_adjacent_makes_plain_connectors_by_default() -> None:
    text = HEAD + area("A", 'adjacent = ["B"]') + area("B", 'adjacent = ["A"]')
    assert parse_map(text.encode(), "x").connectors == (Connector("A", "B", "plain"),)


@pytest.mark.parametrize("text", ["\ufeff" + GAZALA, GAZALA.replace("\n", "\r\n")], ids=["mark", "crlf"])
def test_crlf_and_byte_order_mark_are_accepted(text: str) -> None:
    assert parse_map(text.encode(), "x") == parse_map(GAZALA.encode(), "x")


def test_reason_may_span_lines_and_name_may_have_any_letters() -> None:
    text = GAZALA.replace('"for tests"', '"""two\n\tlines"""').replace('"Tobruk"', '"Ṭubruq / طبرق"')
    area_map = parse_map(text.encode(), "x")
    assert area_map.reason == "two\n\tlines"
    assert area_map.area("TOB").name == "Ṭubruq / طبرق"


def test_id_with_a_dot_is_quoted(tmp_path: Path) -> None:
    assert parse_map((HEAD + area('"A.1"')).encode(), "x").ids == ("A.1",)
    assert problems_of(HEAD + area('"A.1"', "lon_milli = 1"), tmp_path) == [
        "gazala.toml: areas.'A.1'.lon_milli: is incomplete; give both lon_milli and lat_milli, or neither"
    ]


WRONG = [
    (
        HEAD + "[areas.A\n",
        "line 7, column 9",
        "is not TOML: Expected ']' at the end of a table declaration; correct it",
    ),
    (HEAD + "areas = [1,", "end of document", "is not TOML: Invalid value; correct it there"),
    (HEAD + area("A") + area("A"), "line 11, column 9", "is not TOML: Cannot declare ('areas', 'A') twice; correct it"),
    (HEAD + "x = " + "[" * 5000, "", "has lists or tables nested too deeply; three levels are enough"),
    (HEAD + "x = " + "9" * 5000, "", "has a number with too many digits; use at most 18"),
    (HEAD + "a." * 65 + "a = 1", "line 7", "has more than 64 dots; break the line"),
    ("# " + "é" * 3, "map", "is missing; add a table"),
    (b"a = 1\n# \xff", "line 2", "is not UTF-8 text; save the file as UTF-8"),
    (b"#" * (2**20 + 1), "", "is larger than 1048576 bytes, the maximum; shorten it"),
    (area("A"), "map", "is missing; add a table"),
    ("map = 3\n" + area("A"), "map", "is 3; write a table"),
    (
        HEAD.replace("title", "titel") + area("A"),
        "map.titel",
        "is not a key of this table; correct or remove it, kno",
    ),
    (HEAD.replace('title = "Gazala to Tobruk"', "") + area("A"), "map.title", "is missing; add text"),
    (HEAD.replace('"Gazala to Tobruk"', "3") + area("A"), "map.title", "is 3; write text"),
    (HEAD.replace('"Gazala to Tobruk"', '" "') + area("A"), "map.title", "is blank; write something"),
    (
        HEAD.replace("Gazala to", "\\u001b[2J") + area("A"),
        "map.title",
        r"contains the character '\x1b'; use printable text",
    ),
    (HEAD.replace("Gazala to", "\\n") + area("A"), "map.title", r"contains the character '\n'; use printable text"),
    (
        HEAD.replace('"for tests"', '"\\u0000"') + area("A"),
        "map.reason",
        r"contains the character '\x00'; use printable",
    ),
    (HEAD.replace('"gazala"', '"gazálá"') + area("A"), "map.id", "is 'gazálá'; use 1 to 32 of the characters A-Z a-z"),
    (HEAD.replace('"gazala"', "true") + area("A"), "map.id", "is True; write text"),
    (HEAD + 'adjacent_kind = ""\n' + area("A"), "map.adjacent_kind", "is ''; use 1 to 32 of the characters"),
    (HEAD, "areas", "is missing; add a table"),
    (HEAD + "[areas]", "areas", "is empty; add [areas.ID] tables"),
    (HEAD + "[[areas]]\nid = 'A'", "areas", "is [{'id': 'A'}]; write a table"),
    (HEAD + "[areas]\nA = 1", "areas.A", "is 1; write a table"),
    (HEAD + area('"Bône"'), "areas.'Bône'", "the id is not allowed; use 1 to 32 of the characters A-Z a-z 0-9 _ . -"),
    (HEAD + area('"A\\nB"'), r"areas.'A\nB'", "the id is not allowed"),
    (HEAD + area("A" * 33), f"areas.{'A' * 33}", "the id is not allowed"),
    (HEAD + '[areas.A]\nterrain = "desert"', "areas.A.name", "is missing; add text"),
    (HEAD + '[areas.A]\nname = "A"', "areas.A.terrain", "is missing; add text"),
    (HEAD + '[areas.A]\nname = "A"\nterrain = "deep sand"', "areas.A.terrain", "is 'deep sand'; use 1 to 32 of"),
    (HEAD + '[areas.A]\nname = []\nterrain = "sand"', "areas.A.name", "is []; write text"),
    (HEAD + area("A", 'adjacent = "B"') + area("B"), "areas.A.adjacent", "is 'B'; write a list"),
    (
        HEAD + area("B", 'adjacent = ["A"]'),
        "areas.B.adjacent[0]",
        "there is no area 'A'; correct the id or add the area",
    ),
    (
        HEAD + area("A", 'adjacent = ["B", "B"]') + area("B", 'adjacent = ["A"]'),
        "areas.A.adjacent[1]",
        "names 'B' a second time; remove it",
    ),
    (
        HEAD + area("A", 'adjacent = ["B", "C"]') + area("B", 'adjacent = ["A"]') + area("C"),
        "areas.A.adjacent[1]",
        "is one-sided, 'C' does not list 'A'; add 'A' to areas.C.adjacent, or remove 'C' here",
    ),
    (
        HEAD + area("A") + area("B", 'adjacent = ["A"]'),
        "areas.B.adjacent[0]",
        "is one-sided, 'A' does not list 'B'; add 'B' to areas.A.adjacent, or remove 'A' here",
    ),
    (HEAD + area("A") + "[connectors]", "connectors", "is {}; write a list"),
    ("connectors = [3]\n" + HEAD + area("A"), "connectors[0]", "is 3; write a table"),
    (
        HEAD
        + area("A")
        + area("B")
        + '[[connectors]]\nbetween = ["A", "B"]\nkind = "road"\n'
        + '[[connectors]]\nbetween = ["B", "A"]\nkind = "track"\n',
        "connectors[1].between",
        "'A' and 'B' are already joined by connectors[0].between; keep one of the two",
    ),
    (
        GAZALA.replace('["TOB", "GAZ"]\nkind', '["TOB", "HAC"]\nkind'),
        "connectors[0].between",
        "'HAC' and 'TOB' are already joined by areas.HAC.adjacent[0]; keep one of the two",
    ),
    (
        HEAD + area("A") + "[units]",
        "units",
        "is not a key of this table; correct or remove it, known are: map, areas,",
    ),
    (
        HEAD + area("A") + area("A.1"),
        "areas.A.1",
        "is a table, which is not a fact; put an area id with a dot in quotes: ",
    ),
]

WRONG_AREA = [
    ("lon_milli = 1.5\nlat_milli = 1", "lon_milli", "is 1.5; write a whole number"),
    ("lon_milli = true\nlat_milli = 1", "lon_milli", "is True; write a whole number"),
    (f"x = '{'7' * 99}'\ny = 1", "x", f"is '{'7' * 55} ...; write a whole number"),
    (f"x = 0x{'f' * 9000}\ny = 1", "x", "is a number with thousands of digits; use -1000000 to"),
    ("adjacent = [1]", "adjacent[0]", "is 1; write text"),
    ('adjacent = ["A"]', "adjacent[0]", "joins 'A' to itself; name two areas"),
    ('adjacent = ["C"]', "adjacent[0]", "there is no area 'C'; correct the id or add the area"),
    ("value = 1.0", "value", "is 1.0; a fact is text, a whole number, or true or false"),
    ("since = 1941-11-18", "since", "is datetime.date(1941, 11, 18); a fact is text, a whole"),
    ("owners = ['Axis']", "owners", "is ['Axis']; a fact is text, a whole number, or true or"),
    ('note = "\\u001b"', "note", r"contains the character '\x1b'; use printable text"),
]
"""Lines of area A, its key that is reported, and the problem."""

WRONG_CONNECTOR = [
    (
        'between = ["A", "B"]\nkind = "road"\nlength = 3',
        "length",
        "is not a key of this table; correct or remove it, known are: between, kind",
    ),
    ('between = ["A", "B"]', "kind", "is missing; add text"),
    ('kind = "road"', "between", "is missing; add a list"),
    ('between = ["A"]\nkind = "road"', "between", "is ['A']; write the ids of two areas"),
    ('between = ["A", 1]\nkind = "road"', "between", "is ['A', 1]; write the ids of two areas"),
    ('between = "AB"\nkind = "road"', "between", "is 'AB'; write a list"),
    ('between = ["A", "C"]\nkind = "road"', "between", "there is no area 'C'; correct the id or add the area"),
    ('between = ["A", "A"]\nkind = "road"', "between", "joins 'A' to itself; name two areas"),
]
"""Lines of a connector on a map of areas A and B, its key that is reported, and the problem."""

WRONG += [
    *((HEAD + area("A", lines), f"areas.A.{key}", problem) for lines, key, problem in WRONG_AREA),
    *(
        (f"{HEAD}{area('A')}{area('B')}[[connectors]]\n{lines}", f"connectors[0].{key}", problem)
        for lines, key, problem in WRONG_CONNECTOR
    ),
]


@pytest.mark.parametrize(("text", "key", "problem"), WRONG)
def test_map_error_is_reported_with_file_and_key(text: str | bytes, key: str, problem: str, tmp_path: Path) -> None:
    found = problems_of(text, tmp_path)
    assert found[0].startswith(f"gazala.toml: {key}: {problem}" if key else f"gazala.toml: {problem}")


KNOWN_KEYS = "name, terrain, lon_milli, lat_milli, x, y, adjacent, value, city, owner, note"
ONE_AREA = HEAD + area("A", "value = 1\ncity = true")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (ONE_AREA.replace("value = 1", ""), "areas.A.value: is missing; the game requires this fact for every area"),
        (ONE_AREA.replace("= 1", '= "1"'), "areas.A.value: is '1': Expected `int`, got `str`; correct it"),
        (ONE_AREA.replace("= 1", "= true"), "areas.A.value: is True: Expected `int`, got `bool`; correct it"),
        (ONE_AREA.replace("= 1", "= -1"), "areas.A.value: is -1: Expected `int` >= 0; correct it"),
        (ONE_AREA.replace("= true", "= 1"), "areas.A.city: is 1: Expected `bool`, got `int`; correct it"),
        (ONE_AREA + "owner = 'Axes'", "areas.A.owner: is 'Axes': Invalid enum value 'Axes'; correct it"),
        (
            ONE_AREA + "owner = 'A\\nB'".replace("'", '"'),
            r"areas.A.owner: is 'A\nB': Invalid enum value 'A",
        ),
        (
            ONE_AREA + "onwer = 'Axis'",
            f"areas.A.onwer: is not a key of an area; correct or remove it, known are: {KNOWN_KEYS}",
        ),
    ],
)
def test_fact_that_breaks_its_declaration_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    assert len(problems_of(text, tmp_path, Facts)) == 1
    assert problems_of(text, tmp_path, Facts)[0].startswith(f"gazala.toml: {problem}")


def test_contradictory_facts_are_refused_by_the_game(tmp_path: Path) -> None:
    class Port(msgspec.Struct):
        port: bool
        capacity: int = 0

        def __post_init__(self) -> None:
            if self.capacity and not self.port:
                raise ValueError("only a port\nhas a capacity")

    text = HEAD + area("A", "port = false\ncapacity = 3") + area("B", "port = true\ncapacity = 3")
    assert problems_of(text, tmp_path, Port) == [
        "gazala.toml: areas.A: only a port has a capacity; correct the facts of this area"
    ]


def test_fact_named_like_a_key_of_the_format_is_refused() -> None:
    class Terrain(msgspec.Struct):
        terrain: str

    with pytest.raises(RulesetError, match="fact 'terrain' is a key of the map format; rename the field"):
        parse_map(GAZALA.encode(), "x", facts=Terrain)


def test_fact_without_a_plain_value_is_refused() -> None:
    class Listed(msgspec.Struct):
        owners: tuple[str, ...] = ("Axis",)

    with pytest.raises(RulesetError, match=r"fact 'owners' of Listed is .*'Axis'.*; use text, whole numbers or bools"):
        parse_map((HEAD + area("A")).encode(), "x", facts=Listed)


def test_all_problems_of_a_file_are_reported_in_format_order(tmp_path: Path) -> None:
    text = (
        HEAD.replace("for tests", "")
        + area("B", 'adjacent = ["A", "C"]\nvalue = 1')
        + area("A", 'value = "x"\ncity = true\ncolour = 3')
        + '[[connectors]]\nbetween = ["A", "D"]\n'
    )
    assert [problem.split(": ")[1] for problem in problems_of(text, tmp_path, Facts)] == [
        "map.reason",
        "areas.B.city",
        "areas.A.value",
        "areas.A.colour",
        "areas.B.adjacent[0]",
        "connectors[0].kind",
        "areas.B.adjacent[1]",
        "connectors[0].between",
    ]


def test_connectors_after_an_invalid_one_are_read(tmp_path: Path) -> None:
    text = 'connectors = [3, { between = ["A"], kind = "road" }]\n' + HEAD + area("A")
    assert problems_of(text, tmp_path) == [
        "gazala.toml: connectors[0]: is 3; write a table",
        "gazala.toml: connectors[1].between: is ['A']; write the ids of two areas",
    ]


def test_broken_map_rules_are_reported_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "gazala.toml"
    path.write_text(GAZALA)
    rules = MapRules(terrains=("desert",), chains=("track",))
    found = find_problems(path, rules=rules)
    assert found == [
        f"{path}: areas.HAC.terrain: 'rough' is not one of desert",
        f"{path}: connectors: no connector is of kind 'track', which must form a chain",
    ]
    with pytest.raises(DataError) as refusal:
        read_map(path, rules=rules)
    assert str(refusal.value) == found[0]
    assert find_problems(path, rules=MapRules(chains=("road",))) == []


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "none.toml"
    assert find_problems(missing) == [f"{missing}: cannot be read: No such file or directory; check the path"]
    with pytest.raises(DataError, match=r"none\.toml: cannot be read: No such file"):
        read_map(missing)
    assert find_problems(tmp_path) == [f"{tmp_path}: cannot be read: Is a directory; check the path"]


def test_file_of_the_maximum_size_is_read() -> None:
    full = GAZALA.encode().ljust(2**20, b"#")
    assert parse_map(full, "x").id == "gazala"


ids = st.from_regex(r"[A-Za-z0-9_.-]{1,32}", fullmatch=True)
fact_values = st.one_of(st.booleans(), st.integers(-(2**63) + 1, 2**63 - 1), st.text("abc é'", max_size=5))


@pytest.mark.full
@given(st.data())
def test_map_written_as_toml_is_read_back(data: st.DataObject) -> None:
    areas = data.draw(st.dictionaries(ids, st.dictionaries(st.from_regex("f[a-z]{1,3}", fullmatch=True), fact_values)))
    pairs = [(a, b) for a in areas for b in areas if a < b]
    joined = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    listed = data.draw(st.lists(st.sampled_from(joined), unique=True)) if joined else []
    lines = [HEAD, 'adjacent_kind = "desert"']
    for area_id, facts in areas.items():
        near = [b for a, b in listed if a == area_id] + [a for a, b in listed if b == area_id]
        lines += [f'[areas."{area_id}"]', f'name = "the {area_id}"', 'terrain = "rough"', f"adjacent = {near}"]
        lines += [f"{name} = {msgspec.json.encode(value).decode()}" for name, value in facts.items()]
    for a, b in joined:
        lines += [] if (a, b) in listed else ["[[connectors]]", f'between = ["{b}", "{a}"]', 'kind = "road"']
    text = "\n".join(lines).encode()
    if not areas:
        with pytest.raises(DataError, match="areas: is missing"):
            parse_map(text, "x")
        return
    area_map = parse_map(text, "x")
    assert {area.id: (area.name, dict(area.facts)) for area in area_map.areas} == {
        area_id: (f"the {area_id}", facts) for area_id, facts in areas.items()
    }
    assert {(link.a, link.b): link.kind for link in area_map.connectors} == {
        pair: "desert" if pair in listed else "road" for pair in joined
    }


def outcome(text: bytes) -> str:
    """Return ``map``, or the message; any other exception fails the test."""
    try:
        parse_map(text, "x.toml", facts=Facts)
    except DataError as refusal:
        return str(refusal)
    return "map"


@given(st.binary(max_size=200))
@example(b"a = 2024-13-45")
@example(b'[areas]\n"\\ud800" = 1')
def test_arbitrary_bytes_are_refused_without_a_crash(text: bytes) -> None:
    message = outcome(text)
    assert message.startswith("x.toml: ")
    assert message.isprintable()


@pytest.mark.full
@given(st.integers(0, len(GAZALA) - 1), st.integers(0, 12), st.text("[]{}\"'=.,\n#\\1aé\x00", max_size=3))
def test_valid_file_with_one_change_is_read_or_refused(place: int, length: int, scratch: str) -> None:
    scratched = GAZALA[:place] + scratch + GAZALA[place + length :]
    message = outcome(scratched.encode())
    assert message == "map" or message.startswith("x.toml: ")
    assert message.isprintable()
