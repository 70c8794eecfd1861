"""The suite as authors call it: a report, a test for pytest, expected failures."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sandtable.errors import RulesetError, RulesetLoops
from sandtable.kernel.play import watchdog
from sandtable.plugin.manager import Installed, Rulesets
from sandtable.testing import CHECKS, Finding, Report, check_ruleset, contract, ruleset_contract, tictactoe
from sandtable.testing import toy as module
from sandtable.testing.checks.bench import Harness

UNSEEN = ("map_is_symmetric", "bots_hold_their_seats", "typed_orders_are_read", "secret_dice_are_kept")
"""The checks that have nothing to check in the toy."""

AUTHOR = """
import toy_of_mine
from sandtable.testing.contract import ruleset_contract

test_contract = ruleset_contract(toy_of_mine, games=4{more})
"""


def test_module_or_loaded_ruleset_is_accepted(toy: Installed) -> None:
    of_module, of_installed = (check_ruleset(each, 4, checks=["facts_agree", "games_end"]) for each in (module, toy))
    assert of_module == of_installed
    assert [finding.check for finding in of_module] == ["facts_agree", "games_end"]


def test_module_without_a_ruleset_is_refused() -> None:
    with pytest.raises((RulesetError, AttributeError)):
        check_ruleset(sys)


def test_an_unknown_check_is_refused(toy: Installed) -> None:
    with pytest.raises(KeyError):
        check_ruleset(toy, 1, checks=["all_is_well"])
    with pytest.raises(KeyError, match="no such check: all_is_well"):
        ruleset_contract(toy, expected_failures={"all_is_well": "never"})


def test_report_lists_failures() -> None:
    report = Report([Finding("a", ok=True, detail="fine"), Finding("b", ok=False, detail="game 1, record 2: wrong")])
    assert not report
    assert not report.ok
    assert report.broken == (Finding("b", ok=False, detail="game 1, record 2: wrong"),)
    assert str(report) == "ok   a: fine\nFAIL b: game 1, record 2: wrong"
    assert Report([Finding("a", ok=True, detail="")])


@pytest.mark.full
def test_the_same_seed_gives_the_same_report(toy: Installed) -> None:
    names = [name for name in CHECKS if name != "same_bytes_in_two_processes"]
    assert check_ruleset(toy, 5, "x", names) == check_ruleset(toy, 5, "x", names)


def test_every_setting_of_the_options_is_played(toy: Installed) -> None:
    (finding,) = check_ruleset(toy, 2, checks=["facts_agree"])
    assert finding.detail == "2 settings of scenarios and options can be prepared"


def endless_toy(folder: Path, *scenarios: str) -> Installed:
    """Return the toy with the option "fall_back" declared endless, and these scenarios besides its own."""
    (folder / "toy.py").write_text(
        "from sandtable.testing.toy import *\nfrom msgspec.structs import replace\nfrom pathlib import Path\n"
        "import sandtable as st\nfrom sandtable.testing import toy\n"
        "@st.hookimpl\ndef ruleset_manifest():\n"
        "    tie = replace(toy.ruleset_manifest().options[0], endless=('fall_back',))\n"
        "    return replace(toy.ruleset_manifest(), options=(tie,))\n"
        "@st.hookimpl\ndef ruleset_scenarios():\n"
        f"    return {{name: Path(__file__).with_name(name + '.toml') for name in {scenarios}}}\n"
    )
    for name in scenarios:
        endless = "endless = true\n" if name == "endless" else ""
        table = f'[scenario]\nid = "{name}"\ntitle = "x"\nturns = 2\ntroops = 3\n{endless}'
        (folder / f"{name}.toml").write_text(table)
    return Rulesets(folder).load("toy")


def test_endless_settings_are_prepared_but_not_played(tmp_path: Path) -> None:
    bench = Harness(endless_toy(tmp_path, "short", "endless"), games=6)
    assert [(each.scenario.id, each.options["tie"]) for each in bench.settings] == [
        ("short", "stay"),
        ("endless", "stay"),
        ("short", "fall_back"),
    ]
    assert {trial.prepared.scenario.id for trial in bench.trials} == {"short"}
    assert {trial.prepared.options["tie"] for trial in bench.trials} == {"stay"}


def test_ruleset_with_only_endless_settings_is_refused(tmp_path: Path) -> None:
    (finding,) = check_ruleset(endless_toy(tmp_path, "endless"), checks=["games_end"])
    assert not finding.ok
    assert "every setting is declared endless" in finding.detail


def looping_toy(folder: Path, when: str) -> Installed:
    """Return the toy with a loop at dusk, entered ``when`` that is true of the state."""
    source = Path(module.__file__)
    loop = f'    while {when}:\n        yield FrontMoved(state.front, "TOY-5")\n'
    turn = '    if state.turn == state.board["turns"]:\n'
    text = source.read_text(encoding="utf-8")
    assert turn in text
    (folder / "toy.py").write_text(text.replace(turn, loop + turn, 1), encoding="utf-8")
    (folder / "toy.toml").write_bytes(source.with_suffix(".toml").read_bytes())
    return Rulesets(folder).load("toy")


@pytest.mark.full
@pytest.mark.parametrize("when", ["True", "state.front == 5"])
def test_rules_that_loop_are_one_failure_that_names_phase_and_rule(
    when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "RUN", 2_000)
    names = [name for name in CHECKS if name != "same_bytes_in_two_processes"]
    report = check_ruleset(looping_toy(tmp_path, when), 16, checks=names)
    (failed,) = [finding for finding in report if finding.word == "FAIL"]
    assert failed.check == "games_end"
    where = r"turn \d, phase dusk \(TOY-5\), in dusk < walk, last FrontMoved \(TOY-5\): the rules loop there"
    since = r"no question in 2,000 steps, [\d,]+ records since the answer in record \d+"
    assert re.fullmatch(
        rf"game contract/\d \(toy\): endless: toy: {since}: {where} \(1 of \d games played\)", failed.detail
    )
    skipped = {finding.check: finding.detail for finding in report if finding.skipped}
    assert skipped["options_are_sound"] == "the rules loop: see the check games_end"
    assert ("log_verifies" in skipped) == (when == "True")
    assert not report.ok
    assert "\nskip options_are_sound: " in str(report)


def test_check_that_finds_a_new_loop_fails(toy: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def meets(bench: Harness) -> str:
        raise RulesetLoops("the rules loop there")

    monkeypatch.setitem(contract.CHECKS, "log_verifies", meets)
    (finding,) = check_ruleset(toy, 2, checks=["log_verifies"])
    assert (finding.word, finding.detail) == ("FAIL", "endless: the rules loop there")


def test_check_without_a_finished_game_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchdog, "RUN", 2_000)
    looping = looping_toy(tmp_path, "True")
    report = check_ruleset(looping, 2, checks=["log_verifies"])
    assert [(finding.word, finding.ok) for finding in report] == [("skip", False)]
    assert not report.ok
    test = ruleset_contract(looping, games=2)
    with pytest.raises(pytest.skip.Exception, match="no game ended"):
        test(looping, "log_verifies")


def run_pytest(folder: Path, more: str) -> str:
    (folder / "toy_of_mine.py").write_text("from sandtable.testing.toy import *\n")
    (folder / "test_mine.py").write_text(AUTHOR.format(more=more))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-rA",
            "--rootdir",
            str(folder),
            "test_mine.py",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


@pytest.mark.full
def test_authors_get_one_test_for_each_check(tmp_path: Path) -> None:
    told = run_pytest(tmp_path, "")
    passed, skipped = (int(re.search(rf"(\d+) {word}", told)[1]) for word in ("passed", "skipped"))  # type: ignore[index]  # the words are in the output
    assert passed + skipped == len(CHECKS)
    assert skipped == 3, "no map, no bots, no secret dice"
    assert all(f"test_contract[{name}]" in told for name in CHECKS if name not in UNSEEN)


@pytest.mark.full
def test_expected_failures_are_strict(tmp_path: Path) -> None:
    told = run_pytest(tmp_path, ', expected_failures={"games_end": "never does"}')
    assert "1 failed" in told
    assert "[XPASS(strict)] never does" in told


def test_several_rulesets_have_distinct_ids() -> None:
    test = ruleset_contract(module, tictactoe)
    (mark,) = test.pytestmark  # type: ignore[attr-defined]  # pytest adds it
    idents = [case.id for case in mark.args[1]]
    assert idents[0] == "toy-facts_agree"
    assert len(set(idents)) == 2 * len(CHECKS)


RAID = '''"""A guard, and a raider who may see whether the guard stands by the river: with two villages he sees all."""
import sandtable as st

game = st.Ruleset("raid", title="The raid", sides=("guard", "raider"), endings=("raid",), rules="""
    RA-1  The guard chooses a village in secret.
    RA-2  The raider sees whether he is by the river, and chooses one.
""")
VILLAGES = ("Ash", "Elm", "Oak")


@game.state
class Country(st.State, kw_only=True):
    guarded: str = ""


@game.order
class Choose(st.Order, frozen=True):
    village: str


@game.event(seen_by="side")
class Guarded(st.Event, frozen=True):
    side: str
    village: str
    rule: str = "RA-1"

    def apply(self, country):
        country.guarded = self.village


@game.phase("RA-1")
def raid(country):
    (die,) = yield st.Roll(1, 6, purpose="villages", rule="RA-1")
    villages = st.Form(Choose, {"village": st.OneOf(VILLAGES[: 3 if die > HIGH else 2], "RA-1")})
    order = yield st.Decision("guard", "choose the village to guard", villages, "RA-1", secret=True)
    yield Guarded("guard", order.village)
    order = yield st.Decision("raider", "choose the village to raid", villages, "RA-2")
    yield st.GameEnded("guard" if order.village == country.guarded else "raider", "raid", "RA-2")


@game.view
def view(country, side):
    return {"guarded": country.guarded if side == "guard" else str(country.guarded == "Ash")}
'''


@pytest.mark.parametrize(
    ("high", "word"), [(2, "ok"), (6, "FAIL")], ids=["where a third village would not show", "where each shows"]
)
def test_order_visible_in_one_game_is_searched_for_in_more(tmp_path: Path, high: int, word: str) -> None:
    (tmp_path / f"raid{high}.py").write_text(
        RAID.replace("HIGH", str(high)).replace('"raid", title', f'"raid{high}", title')
    )
    ruleset = Rulesets(tmp_path).load(f"raid{high}")
    told = {check_ruleset(ruleset, 1, f"seed {n}", ["secrets_are_kept"])[0].word for n in range(4)}
    assert told == {word}, "whatever falls in the one game that was asked for"
