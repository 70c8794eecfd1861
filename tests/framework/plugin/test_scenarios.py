"""Scenario files: errors are reported with file and key, in one line."""

import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.errors import DataError, raise_all
from sandtable.files.document import MAX_BYTES, Problems
from sandtable.plugin.manager import Installed
from sandtable.plugin.manifest import Option
from sandtable.plugin.scenarios import chosen, load_scenario, merged, on_map, scenario_of
from sandtable.testing import tictactoe

MINE = '[scenario]\nid = "mine"\ntitle = "Mine"\nturns = 3\ntroops = 4\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    return path


def refusal(name: str | Path, shipped: dict[str, Path] | None = None) -> str:
    with pytest.raises(DataError) as caught:
        load_scenario(str(name), shipped or {})
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_default_scenario_is_the_first(toy: Installed) -> None:
    assert toy.scenario().id == "toy"
    assert toy.scenario_ids() == ("toy",)
    assert not toy.scenario().own
    with pytest.raises(DataError, match=r"crusader: no such scenario: choose toy, or the path of a \.toml file"):
        toy.prepare("crusader")


def test_change_of_read_tables_does_not_change_the_next_read(file: Path) -> None:
    load_scenario("mine", {"mine": file}).data["scenario"]["troops"] = 5
    assert load_scenario("mine", {"mine": file}).data["scenario"]["troops"] == 4


def test_user_file_is_read_and_marked_as_own(toy: Installed, file: Path) -> None:
    scenario = toy.scenario(str(file))
    assert (scenario.id, scenario.title, scenario.own, scenario.source) == ("mine", "Mine", True, str(file))
    assert toy.prepare(str(file)).board == {"turns": 3}


def test_a_ruleset_without_scenarios_has_a_standard_game() -> None:
    installed = Installed("tictactoe", tictactoe, "")
    assert installed.scenario_ids() == ("standard",)
    assert installed.prepare().scenario.id == installed.prepare("standard").scenario.id == "standard"
    with pytest.raises(DataError, match="no such scenario"):
        installed.prepare("other")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        *(
            (text, "is not TOML")
            for text in ("[scenario", "id = \n", "a = 1\na = 2\n", "x = 2020-99-99\n", "= 1", "\x00")
        ),
        (b'[scenario]\ntitle = "\xff"\n', ": line 2: is not UTF-8 text; save the file as UTF-8"),
        ("# " + "x" * MAX_BYTES, f"larger than {MAX_BYTES} bytes"),
        ("x = " + "[" * 5000 + "]" * 5000, "nested too deep"),
        (MINE + ".".join(["a"] * 20_000) + " = 1\n", "has more than 64 dots"),
        (f"{MINE}x = {'9' * 5000}\n", ": has a number with too many digits; use at most 18"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(file: Path, content: str | bytes, message: str) -> None:
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert refusal(file).startswith(str(file))
    assert message in refusal(file)


def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    assert "cannot be read: No such file" in refusal(tmp_path / "nowhere.toml")
    assert "cannot be read" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "scenario: the table [scenario] is missing"),
        ("scenario = 3\n", "scenario: the table [scenario] is missing"),
        ('[scenario]\ntitle = "x"\n', "scenario.id: must be 1 to 40 characters: a-z, 0-9 or _"),
        *(
            (f'[scenario]\nid = {ident}\ntitle = "x"\n', "scenario.id")
            for ident in ('""', '"../etc"', '"Mine"', '"mïne"', f'"{"x" * 41}"', "7")
        ),
        ('[scenario]\nid = "mine"\n', "scenario.title: must be a text"),
        ('[scenario]\nid = "mine"\ntitle = ""\n', "scenario.title"),
        ('[scenario]\nid = "mine"\ntitle = 7\n', "scenario.title"),
        ('[scenario]\nbase = "other"\nid = "mine"\ntitle = "x"\n', "scenario.base: no such scenario"),
        ("[scenario]\nbase = 7\n", "scenario.base"),
        ('[scenario]\nbase = ["toy"]\n', "scenario.base"),
        # files for the map and for further tables
        (f"{MINE}map = 3", "scenario.map: must name a .toml file"),
        (f'{MINE}map = "map.png"', "scenario.map: must name a .toml file"),
        (f'{MINE}map = "gone.toml"', "gone.toml: cannot be read"),
        (f'{MINE}map = "mine.toml"\n[map]\nx = 1', "scenario.map: there is also a table [map]"),
        (f"{MINE}files = 3", "scenario.files: must be a table"),
        (f"{MINE}files = {{ forces = 3 }}", "scenario.files.forces: must name a .toml file"),
        (
            f'{MINE}files = {{ forces = "gone.toml" }}',
            "gone.toml: cannot be read: No such file or directory; check the path",
        ),
        (f'{MINE}files = {{ forces = "a\\u0000b.toml" }}', "is not a path: embedded null byte; correct it"),
        (f'{MINE}files = {{ scenario = "mine.toml" }}', "scenario.files.scenario: there is also a table [scenario]"),
        (f'{MINE}files = {{ "no word" = "mine.toml" }}', "scenario.files: names of tables must be 1 to 40 characters:"),
        (
            f'{MINE}map = "mine.toml"\nfiles = {{ map = "mine.toml" }}',
            "scenario.files.map: scenario.map already names the map",
        ),
        (
            f'{MINE}files = {{ forces = "mine.toml" }}\n[forces]\nx = 1',
            "scenario.files.forces: there is also a table [forces]",
        ),
    ],
)
def test_invalid_scenario_table_is_refused(file: Path, text: str, expected: str) -> None:
    file.write_text(text)
    assert expected in refusal(file)


def test_cyclic_bases_are_refused(tmp_path: Path) -> None:
    shipped = {name: tmp_path / f"{name}.toml" for name in ("a", "b")}
    for name, other in (("a", "b"), ("b", "a")):
        shipped[name].write_text(f'[scenario]\nid = "{name}"\ntitle = "x"\nbase = "{other}"\n')
    assert "scenario.base" in refusal("a", shipped)
    shipped["a"].write_text('[scenario]\nid = "a"\ntitle = "x"\nbase = "a"\n')
    assert "scenario.base" in refusal("a", shipped)


def test_scenario_is_merged_over_its_base(toy: Installed, file: Path) -> None:
    file.write_text('[scenario]\nbase = "toy"\nid = "short"\nturns = 2\n')
    scenario = toy.scenario(str(file))
    assert scenario.data["scenario"] == {"id": "short", "title": "The ford", "turns": 2, "troops": 12}
    assert toy.scenario().data["scenario"]["turns"] == 8


# ---------------------------------------------------------------- map files


def with_map(folder: Path, name: str, head: str, ground: str) -> Path:
    """Write a scenario and the map file that it names."""
    (folder / f"{name}_map.toml").write_text(f"[terrain]\n{ground}\n")
    path = folder / f"{name}.toml"
    path.write_text(f'[scenario]\nid = "{name}"\ntitle = "x"\nmap = "{name}_map.toml"\n{head}')
    return path


def test_scenario_includes_its_map_file(tmp_path: Path) -> None:
    scenario = load_scenario(str(with_map(tmp_path, "mine", "", 'wood = "0101"')), {})
    assert scenario.data == {"scenario": {"id": "mine", "title": "x"}, "map": {"terrain": {"wood": "0101"}}}
    other = load_scenario(str(with_map(tmp_path, "mine", "", 'wood = "0102"')), {})
    assert scenario.digest != other.digest


def test_map_file_replaces_the_map_of_the_base(tmp_path: Path) -> None:
    below = with_map(tmp_path, "below", "", 'wood = "0101"')
    mine = with_map(tmp_path, "mine", 'base = "below"\n', 'hill = "0202"')
    assert load_scenario(str(mine), {"below": below}).data["map"] == {"terrain": {"hill": "0202"}}


# ---------------------------------------------------------------- files for further tables


def with_files(folder: Path, name: str, head: str, **tables: str) -> Path:
    """Write a scenario and the files that it names for separate tables."""
    for table, text in tables.items():
        (folder / f"{name}_{table}.toml").write_text(text)
    files = "".join(f'{table} = "{name}_{table}.toml"\n' for table in tables)
    path = folder / f"{name}.toml"
    path.write_text(f'[scenario]\nid = "{name}"\ntitle = "x"\n{head}\n[scenario.files]\n{files}')
    return path


def test_scenario_includes_its_files(tmp_path: Path) -> None:
    path = with_files(tmp_path, "mine", "", map="[terrain]\nx = 1", forces="tanks = 2")
    assert load_scenario(str(path), {}).data == {
        "scenario": {"id": "mine", "title": "x"},
        "map": {"terrain": {"x": 1}},
        "forces": {"tanks": 2},
    }


def test_file_replaces_only_its_table_of_the_base(tmp_path: Path) -> None:
    below = with_files(tmp_path, "below", "", map="hill = 1", forces="tanks = 2\ntrucks = 1")
    mine = with_files(tmp_path, "mine", 'base = "below"', forces="trucks = 3")
    data = load_scenario(str(mine), {"below": below}).data
    assert (data["map"], data["forces"]) == ({"hill": 1}, {"trucks": 3})
    mine.write_text(MINE + 'base = "below"\n[forces]\ntrucks = 9\n')
    assert load_scenario(str(mine), {"below": below}).data["forces"] == {"tanks": 2, "trucks": 9}


def test_key_is_located_in_the_file_of_its_table(tmp_path: Path) -> None:
    below = with_files(tmp_path, "below", "", map="hill = 1", forces="tanks = 2", weather="rain = 1")
    mine = with_files(tmp_path, "mine", 'base = "below"', forces="trucks = 3")
    mine.write_text(mine.read_text() + "[weather]\nrain = 0\n")
    scenario = load_scenario(str(mine), {"below": below})
    assert scenario.place("map.hill") == ("below_map.toml", "hill")
    assert scenario.place("forces.trucks[0]") == (str(tmp_path / "mine_forces.toml"), "trucks[0]")
    assert scenario.place("weather.rain") == (str(mine), "weather.rain")
    assert scenario.place("scenario.turns") == (str(mine), "scenario.turns")


def test_on_map_replaces_the_map_file(tmp_path: Path) -> None:
    base = load_scenario(str(with_map(tmp_path, "one", "", "size = 3")), {})
    (tmp_path / "my.toml").write_text("size = 9\n")
    mine = on_map(base, str(tmp_path / "my.toml"))
    assert (mine.data["map"], mine.own, mine.id) == ({"size": 9}, True, base.id)
    assert mine.digest != base.digest
    assert mine.place("map.size") == (str(tmp_path / "my.toml"), "size")
    assert mine.place("turns") == (f"{tmp_path / 'my.toml'} on {base.source}", "turns")


def test_on_map_replaces_tables_of_the_same_names(tmp_path: Path) -> None:
    head = {"id": "small", "title": "Small"}
    base = scenario_of({"scenario": head, "map": {"id": "a"}, "areas": {"x": 1}, "troops": 4}, "small.toml", own=False)
    file = tmp_path / "my.toml"
    file.write_text('[map]\nid = "b"\n[areas]\ny = 2\n')
    mine = on_map(base, str(file))
    assert mine.data == {"scenario": head, "map": {"id": "b"}, "areas": {"y": 2}, "troops": 4}
    assert mine.place("areas.y") == (f"{file} on small.toml", "areas.y")
    file.write_text("[areas]\ny = 2\n")
    with pytest.raises(DataError, match=r"my\.toml: map: the table \[map\] is missing"):
        on_map(base, str(file))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x =", "end of document: is not TOML"),
        (MINE, "scenario: is not a table of a map: this is a scenario, so name it as one"),
        ("[map]\n", "the scenario toy has no map that can be replaced"),
    ],
)
def test_on_map_refuses_an_unsuitable_file(toy: Installed, file: Path, text: str, expected: str) -> None:
    file.write_text(text)
    with pytest.raises(DataError) as caught:
        on_map(toy.scenario(), str(file))
    assert str(caught.value).startswith(f"{file}: {expected}")


def test_data_error_is_pickled_with_also() -> None:
    with pytest.raises(DataError) as caught:
        raise_all([DataError("a", "b", "c"), DataError("d", "", "e")])
    raise_all([])
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert [str(each) for each in (copy, *copy.also)] == ["a: b: c", "d: e"]


def test_digest_depends_on_data_but_not_on_order() -> None:
    one = {"scenario": {"id": "x", "title": "X"}, "a": 1, "b": 2}
    other = {"b": 2, "a": 1, "scenario": {"title": "X", "id": "x"}}
    digests = [scenario_of(data, "f", own=True).digest for data in (one, other, one | {"a": 2})]
    assert digests[0] == digests[1] != digests[2]
    with pytest.raises(DataError, match="contains data that a scenario cannot have"):
        scenario_of(one | {"a": object()}, "f", own=True)


TABLES = st.recursive(
    st.integers(), lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3), max_leaves=6
)


@pytest.mark.full
@given(st.dictionaries(st.sampled_from("abc"), TABLES), st.dictionaries(st.sampled_from("abc"), TABLES))
def test_merged_takes_the_upper_value_and_changes_neither(base: dict[str, Any], over: dict[str, Any]) -> None:
    before = repr((base, over))
    result = merged(base, over)
    assert repr((base, over)) == before
    assert set(result) == set(base) | set(over)
    for key, value in over.items():
        if not (isinstance(value, dict) and isinstance(base.get(key), dict)):
            assert result[key] == value
    assert merged(result, over) == result


# ---------------------------------------------------------------- values that depend on an option

OPTIONS = {"calendar": "long", "edge": "west"}


def taken(value: Any) -> tuple[Any, list[str]]:
    """Return the chosen value, and the noted problems."""
    problems = Problems("mine.toml")
    return chosen(value, "scenario", OPTIONS, problems), [str(each) for each in problems.found]


@pytest.mark.parametrize("plain", [3, "x", True, None, [1, [2]], {"a": {"b": [1]}}, {}, []])
def test_chosen_keeps_values_without_options(plain: Any) -> None:
    assert taken(plain) == (plain, [])


def test_chosen_token_is_replaced_at_any_depth() -> None:
    turns = {"by_option": "calendar", "short": 12, "long": 13}
    assert taken({"turns": turns, "rows": [{"at": turns}, 1]}) == ({"turns": 13, "rows": [{"at": 13}, 1]}, [])


def test_choice_may_contain_a_choice() -> None:
    inner = {"by_option": "edge", "west": [1], "east": [2]}
    assert taken({"by_option": "calendar", "short": 0, "long": {"exits": inner}}) == ({"exits": [1]}, [])


def test_unknown_token_of_a_known_option_is_noted() -> None:
    known = [Option("calendar", ("short", "long"), ""), Option("most", ("1",), "", number=True)]
    problems = Problems("mine.toml")
    value = [{"by_option": "calendar", "short": 1, "long": 2, "longer": 3}, {"by_option": "most", "1": 1, "20": 4}]
    assert chosen(value, "turns", OPTIONS | {"most": "20"}, problems, known) == [2, 4]
    expected = "mine.toml: turns[0].longer: is not a value of calendar; it has short, long"
    assert [str(each) for each in problems.found] == [expected]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({"by_option": "weather", "rain": 1}, "by_option: is 'weather', which is not an option of the game"),
        ({"by_option": "calendar", "short": 1}, "by_option: has no value for calendar = long; add long = .."),
        ({"by_option": 3}, "by_option: is 3; write text"),
    ],
)
def test_impossible_choice_is_noted_by_key(table: Any, expected: str) -> None:
    value, noted = taken({"turns": [table]})
    assert value == {"turns": [None]}
    assert noted[0].startswith("mine.toml: scenario.turns[0].")
    assert expected in noted[0]
