"""Results read from a file, and typed on a line."""

import re

import battles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from transcripts import Transcript

from sandtable.errors import DataError, IllegalOrder
from sandtable.kernel.decisions import Decision
from sandtable.kernel.options import OneOf
from sandtable.tabletop.checking import Results, results_in, space_for
from sandtable.tabletop.report.form import read_result
from sandtable.tabletop.report.parsing import examples, read_typed, typed_result
from sandtable.tabletop.report.template import template
from sandtable.tabletop.result import Attrition, PlatoonLosses, ReportBattle, Result, Transfer

RICH = battles.rich_brief()
ASKED = Decision("umpire", "what came of it", space_for(RICH, rule="KH-12.05"), "KH-12.05")


class ByPlatoon(Results):
    """Results of a campaign that does not count attrition."""

    counts_attrition = False


def space() -> Results:
    found = results_in(ASKED.options)
    assert found is not None
    return found


def read(text: str) -> Result:
    return read_result(text, "sidi.toml", RICH, space())


def typed(text: str) -> Result:
    order = read_typed(ASKED, text)
    assert isinstance(order, ReportBattle)
    assert order.brief == RICH.id
    return order.result


def problems(text: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        read(text)
    return [str(each) for each in (caught.value, *caught.value.also)]


FULL = """
winner = "axis"
turns = 6
note = "mines"
heroic = ["Gary"]
recon_ahead = ["rec"]
[points]
axis = 5
allies = 2
[platoons.allies]
p1 = { destroyed = 3, lost = true }
t = { destroyed = 1, bailed = 1 }
at = { transports = 2, exited = [[4, 1]] }
[recovery]
allies = [6]
[casualties]
allies = ["gott"]
"""
FULL_RESULT = Result(
    "axis",
    {"axis": 5, "allies": 2},
    {
        "allies": {
            "p1": PlatoonLosses(3, 5, lost=True),
            "t": PlatoonLosses(1, 0, 1),
            "at": PlatoonLosses(transports=2, exited=((4, 1),)),
        }
    },
    recovery={"allies": (6,)},
    casualties={"allies": ("gott",)},
    heroic=("Gary",),
    recon_ahead=("rec",),
    turns=6,
    note="mines",
)


def test_file_fields_are_read_by_name() -> None:
    assert read(FULL) == FULL_RESULT


def test_short_forms_are_equivalent() -> None:
    text = """
winner = "axis"
points = "5-2"
turns = 6
note = "mines"
heroic = ["Gary"]
recon_ahead = ["rec"]
[allies]
lost = ["p1"]
destroyed = { p1 = 3, t = 1 }
bailed = { t = 1 }
transports = { at = 2 }
recovery = [6]
hit = ["gott"]
"""
    lost = dict(FULL_RESULT.platoons["allies"]) | {"at": PlatoonLosses(transports=2)}
    assert read(text) == replace(FULL_RESULT, platoons={"allies": lost})


@pytest.mark.parametrize(
    "losses",
    [
        '[axis]\nattrition = "5/4"\n[allies]\nattrition = "3/8"',
        '[axis.attrition]\n15_pz_div = "5/4"\n[allies.attrition]\n7th_armd_bde = "3 / 8"',
        '[short.axis]\n15_pz_div = "5/4"\n[short.allies]\n7th_armd_bde = { armor = 3, general = 8 }',
    ],
)
def test_short_attrition_is_read(losses: str) -> None:
    short = {"axis": {"15_pz_div": Attrition(5, 4)}, "allies": {"7th_armd_bde": Attrition(3, 8)}}
    assert read(f'winner = "axis"\npoints = "4-3"\n{losses}') == Result("axis", {"axis": 4, "allies": 3}, short=short)


BAD_FILES = [
    "",
    'winner = "red"',
    'winner = "axis"\npoints = "4:x"',
    'winner = "axis"\npoints = "7-0"',
    'winner = "axis"\nbrief = "2:gambut:1"',
    'winner = "axis"\nmood = 1',
    'winner = "axis"\n[platoons.axis]\nt9 = {}',
    'winner = "axis"\n[platoons.axis]\nt = {shot = 1}',
    'winner = "axis"\n[platoons.axis]\nt = {destroyed = "x"}',
    'winner = "axis"\n[platoons.axis]\nt = {exited = [1]}',
    'winner = "axis"\n[axis]\nlost = ["t9"]',
    'winner = "axis"\n[axis]\nlost = [3]',
    'winner = "axis"\n[axis]\nattrition = "5"',
    'winner = "axis"\n[axis]\nlost = ["t"]\n[platoons.axis]\nt = {}',
    'winner = "axis"\ntransfers = [1]',
    'winner = "axis',
    "winner == 1",
    "winner = 4",
    'winner = "\ud800"',
]


def test_files_that_cannot_be_read_are_refused_with_key_and_reason(transcript: Transcript) -> None:
    found = [problems(text) for text in BAD_FILES]
    assert all("\n" not in each for refused in found for each in refused)
    shown = "\n".join(each for refused in found for each in refused)
    transcript(re.sub(r"is not TOML: [^;]*", "is not TOML", shown))


SCALARS = ["1", '"x"', "true", "1.5", "[]", "[1]", '["x"]', "{}"]
TABLES = ["axis = 1", "axis = [1]", "axis = { t = 1 }", "lost = 1", "attrition = 1", "destroyed = { t = -1 }"]
VALUES = [*SCALARS, *(f"{{ {each} }}" for each in (*TABLES, "axis = { t = { destroyed = [] } }"))]


@given(st.dictionaries(st.sampled_from([*Result.__struct_fields__, "axis", "allies"]), st.sampled_from(VALUES)))
def test_any_file_gives_a_result_or_a_refusal(values: dict[str, str]) -> None:
    try:
        result = read("\n".join(f"{key} = {value}" for key, value in values.items()))
    except DataError:
        return
    assert space().why_not(result) is None


def test_a_transfer_is_read() -> None:
    text = 'winner = "axis"\npoints = "6-1"\ntransfers = [{ side = "axis", platoon = "t", turn = 2, to = 3 }]'
    assert read_result(text, "x", RICH).transfers == (Transfer("axis", "t", 2, 3),)


def test_filled_in_template_names_all_platoons_and_is_read() -> None:
    text = template(RICH)
    assert problems(text)[0] == "sidi.toml: winner: is empty; write axis, allies or draw"
    for side in RICH.sides:
        block = text.split(f"[platoons.{side}]")[1]
        assert all(f"\n{name} " in block for name in RICH.platoons(side))
    filled = text.replace('winner = ""', 'winner = "allies"').replace('points = ""', 'points = "6-1"')
    assert read(filled) == Result("allies", {"axis": 1, "allies": 6})
    filled = filled.replace(
        "t    = { destroyed = 0, routed = 0, bailed = 0, lost = false }   # Tank platoon, 3",
        "t    = { destroyed = 2, routed = 0, bailed = 0, lost = true }   # Tank platoon, 3",
    )
    assert read(filled).platoons == {"axis": {"t": PlatoonLosses(2, 1, lost=True)}}
    assert all(len(line) <= 120 for line in text.splitlines())
    other = replace(RICH, mission="Free for All")
    with pytest.raises(
        DataError, match=r"digest: is [0-9a-f]{16}, but the battle is [0-9a-f]{16}; use the file of this battle"
    ):
        read_result(filled, "sidi.toml", other)


def test_forms_without_attrition_do_not_mention_it() -> None:
    text = template(RICH, attrition=False)
    assert not any(word in text for word in ("short", "recovery", "heroic", "ecovery dice"))
    hint = examples(RICH, attrition=False)
    assert "5/4" not in hint
    assert " dice " not in hint
    assert space().why_not(typed("; ".join(hint.split("; ")[:4]))) is None
    by_platoon = ByPlatoon(space().terms, {}, "KH-12.05")
    with pytest.raises(IllegalOrder, match="type the losses of allies: destroyed, routed"):
        typed_result(by_platoon, "axis 6-1; allies 3/8", "KH-12.05")


def test_template_with_unusual_names_is_valid_toml() -> None:
    odd = battles.brief(battles.party("axis", player='Q"\n[x]', company={"parent": "a b"}), id='x"\ny')
    text = template(odd).replace('winner = ""', 'winner = "axis"').replace('points = ""', 'points = "6-1"')
    assert read_result(text, "x", odd) == Result("axis", {"axis": 6, "allies": 1})


# ---------------------------------------------------------------------- typed lines


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("axis 4-3", Result("axis", {"axis": 4, "allies": 3})),
        (
            "axis 4-3; axis 5/4; allies 3/8",
            Result(
                "axis",
                {"axis": 4, "allies": 3},
                short={"axis": {"15_pz_div": Attrition(5, 4)}, "allies": {"7th_armd_bde": Attrition(3, 8)}},
            ),
        ),
        (
            "Allies 6-1; ax lost t p1; axis destroyed t 2 p1 3; axis dice 1 2 6; ax hit rommel",
            Result(
                "allies",
                {"allies": 6, "axis": 1},
                {"axis": {"t": PlatoonLosses(2, 1, lost=True), "p1": PlatoonLosses(3, 4, lost=True)}},
                recovery={"axis": (1, 2, 6)},
                casualties={"axis": ("rommel",)},
            ),
        ),
        (
            "axis 6-1; heroic Gary; heroic Bart & <b>Aaron</b>; ahead rec; turns 5; note all well",
            Result(
                "axis",
                {"axis": 6, "allies": 1},
                heroic=("Gary", "Bart & <b>Aaron</b>"),
                recon_ahead=("rec",),
                turns=5,
                note="all well",
            ),
        ),
    ],
)
def test_typed_line_gives_a_result_that_fits(text: str, result: Result) -> None:
    assert typed(text) == result
    assert space().why_not(result) is None


def test_draw_concession_and_unrelated_lines_are_recognized() -> None:
    assert typed("draw 2-1").points == {"axis": 2, "allies": 1}, "in the order of the sides"
    assert typed("axis concedes") == Result("allies", conceded="axis")
    assert read_typed(ASKED, "press on") is read_typed(ASKED, "") is None
    assert read_typed(Decision("umpire", "?", OneOf(["x"])), "axis 4-3") is None


BAD_LINES = [
    "axis",
    "axis x",
    "axis 4-3; gnomes 3/4",
    "axis 4-3; axis lost t9",
    "axis 4-3; axis destroyed t",
    "axis 4-3; axis destroyed t x",
    "axis 4-3; axis 54",
    "axis 4-3; axis 21_pz_div 5/4",
    "axis 4-3;" * 201,
    "axis x; gnomes 3/4; axis lost t9",
    "axis 4-3; axis 5/4; axis 6/4",
    "axis 4-3; axis destroyed t 2 t 3",
    "axis 4-3; axis dice 1; axis dice 2; turns 5; turns 6",
    "axis 4-3; note one; note two; axis hit a; axis hit b",
    "axis 4-3; turns 5 6",
]


def test_all_errors_of_a_line_are_reported(transcript: Transcript) -> None:
    found = []
    for text in BAD_LINES:
        with pytest.raises(IllegalOrder, match=r"KH-12\.05") as caught:
            read_typed(ASKED, text)
        found += [text[:40], *(f"  {each}" for each in (caught.value, *caught.value.also))]
    transcript("\n".join(found))


def test_help_is_given_by_examples_that_can_be_typed() -> None:
    hint = read_typed(ASKED, "?")
    assert hint == examples(RICH)
    assert isinstance(hint, str)
    first = hint.split("  (")[0]
    assert space().why_not(typed(first)) is None
    typed(hint.split("by platoon: ")[1])
