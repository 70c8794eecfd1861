"""Results read from a file, and typed on a line."""

import battles
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from refused import assert_all_named, reasons

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
    """Results of a campaign that counts no attrition."""

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


def test_a_file_gives_the_fields_by_their_names() -> None:
    assert read(FULL) == FULL_RESULT


def test_the_short_forms_say_the_same() -> None:
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
    assert read(text) == Result(
        "axis",
        {"axis": 5, "allies": 2},
        {"allies": lost},
        recovery={"allies": (6,)},
        casualties={"allies": ("gott",)},
        heroic=("Gary",),
        recon_ahead=("rec",),
        turns=6,
        note="mines",
    )


@pytest.mark.parametrize(
    "losses",
    [
        '[axis]\nattrition = "5/4"\n[allies]\nattrition = "3/8"',
        '[axis.attrition]\n15_pz_div = "5/4"\n[allies.attrition]\n7th_armd_bde = "3 / 8"',
        '[short.axis]\n15_pz_div = "5/4"\n[short.allies]\n7th_armd_bde = { armor = 3, general = 8 }',
    ],
)
def test_attrition_in_short(losses: str) -> None:
    short = {"axis": {"15_pz_div": Attrition(5, 4)}, "allies": {"7th_armd_bde": Attrition(3, 8)}}
    assert read(f'winner = "axis"\npoints = "4-3"\n{losses}') == Result("axis", {"axis": 4, "allies": 3}, short=short)


BAD_FILES = [
    ("", "sidi.toml: winner: is missing; add text"),
    ('winner = "red"', "sidi.toml: winner: is red; write axis, allies or draw"),
    ('winner = "axis"\npoints = "4:x"', "sidi.toml: points: is 4:x; write the winner's and the loser's, as in \"4-3\""),
    (
        'winner = "axis"\npoints = "7-0"',
        "sidi.toml: points: axis 7, allies 0: axis won: points are 6-1, 5-2 or 4-3 (KH",
    ),
    ('winner = "axis"\nbrief = "2:gambut:1"', "sidi.toml: brief: is 2:gambut:1, but the battle is 3:sidi_rezegh:1"),
    ('winner = "axis"\nmood = 1', "sidi.toml: mood: is no key of this table"),
    (
        'winner = "axis"\n[platoons.axis]\nt9 = {}',
        "sidi.toml: platoons.axis.t9: is nothing that axis fielded; choose hq",
    ),
    ('winner = "axis"\n[platoons.axis]\nt = {shot = 1}', "sidi.toml: platoons.axis.t.shot: is no key of this table"),
    (
        'winner = "axis"\n[platoons.axis]\nt = {destroyed = "x"}',
        "platoons.axis.t.destroyed: is 'x'; write a whole number",
    ),
    ('winner = "axis"\n[platoons.axis]\nt = {exited = [1]}', "platoons.axis.t.exited: is no list of pairs"),
    ('winner = "axis"\n[axis]\nlost = ["t9"]', "sidi.toml: axis.lost.t9: is nothing that axis fielded"),
    ('winner = "axis"\n[axis]\nlost = [3]', "sidi.toml: axis.lost[0]: is 3; write text"),
    ('winner = "axis"\n[axis]\nattrition = "5"', "15_pz_div: is 5; write armor and general attrition"),
    ('winner = "axis"\n[axis]\nlost = ["t"]\n[platoons.axis]\nt = {}', "axis.lost: is written in [platoons] too"),
    ('winner = "axis"\ntransfers = [1]', "sidi.toml: transfers[0]: is 1; write a table"),
    ('winner = "axis', "sidi.toml: end of document: is not TOML"),
    ("winner == 1", "sidi.toml: line 1, column"),
    ("winner = 4", "sidi.toml: winner: is 4; write text"),
    ('winner = "\ud800"', "sidi.toml: line 1: is not UTF-8 text"),
]


@pytest.mark.parametrize(("text", "problem"), BAD_FILES, ids=range(len(BAD_FILES)))
def test_what_is_wrong_is_told_by_file_key_and_reason(text: str, problem: str) -> None:
    found = problems(text)
    assert any(problem in each for each in found), found
    assert all("\n" not in each for each in found)


@given(
    st.dictionaries(
        st.sampled_from([*Result.__struct_fields__, "axis", "allies"]),
        st.sampled_from(
            [
                "1",
                '"x"',
                "[]",
                "[1]",
                '["x"]',
                "{}",
                "{ axis = 1 }",
                "{ axis = [1] }",
                "{ axis = { t = 1 } }",
                "true",
                "1.5",
                "{ axis = { t = { destroyed = [] } } }",
                "{ lost = 1 }",
                "{ attrition = 1 }",
                "{ destroyed = { t = -1 } }",
            ]
        ),
    )
)
def test_no_file_brings_anything_but_a_result_or_a_refusal(values: dict[str, str]) -> None:
    try:
        result = read("\n".join(f"{key} = {value}" for key, value in values.items()))
    except DataError:
        return
    assert space().why_not(result) is None


def test_a_transfer_is_read() -> None:
    text = 'winner = "axis"\npoints = "6-1"\ntransfers = [{ side = "axis", platoon = "t", turn = 2, to = 3 }]'
    assert read_result(text, "x", RICH).transfers == (Transfer("axis", "t", 2, 3),)


def test_the_template_names_all_platoons_and_can_be_read_once_it_is_filled_in() -> None:
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
    with pytest.raises(DataError, match=r"digest: is [0-9a-f]{16}, but the battle is [0-9a-f]{16}; take its own file"):
        read_result(filled, "sidi.toml", other)


def test_a_campaign_without_attrition_is_shown_no_way_to_write_it() -> None:
    text = template(RICH, attrition=False)
    assert not any(word in text for word in ("short", "recovery", "heroic", "ecovery dice"))
    hint = examples(RICH, attrition=False)
    assert "5/4" not in hint
    assert " dice " not in hint
    assert space().why_not(typed("; ".join(hint.split("; ")[:4]))) is None
    by_platoon = ByPlatoon(space().terms, {}, "KH-12.05")
    with pytest.raises(IllegalOrder, match="say what allies lost: destroyed, routed"):
        typed_result(by_platoon, "axis 6-1; allies 3/8", "KH-12.05")


def test_a_template_of_strange_names_is_still_toml() -> None:
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
def test_a_line_means_a_result_that_fits(text: str, result: Result) -> None:
    assert typed(text) == result
    assert space().why_not(result) is None


def test_a_draw_is_written_in_the_order_of_the_sides() -> None:
    assert typed("draw 2-1").points == {"axis": 2, "allies": 1}
    assert typed("axis concedes") == Result("allies", conceded="axis")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("axis", "begin with the winner and the points, as in axis 4-3"),
        ("axis x", "begin with the winner and the points"),
        ("axis 4-3; gnomes 3/4", "a part begins with axis, allies, heroic"),
        ("axis 4-3; axis lost t9", "axis fielded no t9: choose hq, p1"),
        ("axis 4-3; axis destroyed t", "each platoon wants its number, as in destroyed t1 2"),
        ("axis 4-3; axis destroyed t x", "x is no number"),
        ("axis 4-3; axis 54", "say what axis lost: 5/4"),
        ("axis 4-3; axis 21_pz_div 5/4", "name the formation: 15_pz_div"),
        ("axis 4-3;" * 201, "201 parts are more than a battle needs"),
    ],
)
def test_what_cannot_be_read_is_told_by_its_part(text: str, reason: str) -> None:
    with pytest.raises(IllegalOrder, match=r"KH-12\.05") as caught:
        read_typed(ASKED, text)
    assert reason in caught.value.reason


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("axis x; gnomes 3/4; axis lost t9", ["begin with the winner", "a part begins with axis", "fielded no t9"]),
        ("axis 4-3; axis 5/4; axis 6/4", ["axis 15_pz_div is written twice"]),
        ("axis 4-3; axis destroyed t 2 t 3", ["axis destroyed t is written twice"]),
        ("axis 4-3; axis dice 1; axis dice 2; turns 5; turns 6", ["axis dice is written", "turns is written twice"]),
        (
            "axis 4-3; note one; note two; axis hit a; axis hit b",
            ["note is written twice", "axis hit is written twice"],
        ),
        ("axis 4-3; turns 5 6", ["5 6 is no number"]),
    ],
)
def test_all_that_is_wrong_with_a_line_is_told_and_nothing_is_lost(text: str, wrong: list[str]) -> None:
    assert_all_named(reasons(lambda: read_typed(ASKED, text)), wrong)


def test_other_words_and_other_questions_are_left_alone() -> None:
    assert read_typed(ASKED, "press on") is None
    assert read_typed(ASKED, "") is None
    assert read_typed(Decision("umpire", "?", OneOf(["x"])), "axis 4-3") is None


def test_help_is_given_by_examples_that_can_be_typed() -> None:
    hint = read_typed(ASKED, "?")
    assert hint == examples(RICH)
    assert isinstance(hint, str)
    first = hint.split("  (")[0]
    assert space().why_not(typed(first)) is None
    typed(hint.split("by platoon: ")[1])
