"""Third-party parts: bots, drawings, commands; and a third-party ruleset that fights khamsin's battles."""

import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
from click.testing import CliRunner
from recording import recorded

from sandtable.cli.main import cli
from sandtable.errors import PlayError, RulesetError
from sandtable.journal.verification.verdicts import VERIFIED
from sandtable.journal.verification.verify import verify_log
from sandtable.kernel.dice import Stream
from sandtable.players.players import admit, makers, name_seats
from sandtable.plugin import third_party as third_party_bots
from sandtable.plugin.groups import Ui
from sandtable.plugin.hookspecs import hookimpl
from sandtable.plugin.manager import Installed, Rulesets
from sandtable.testing import toy as toy_module
from sandtable.testing.toy import Commit, LayAmbush

Point = Callable[[str, str, str], None]


class Clever:
    """A bot that sets its ambush in the middle and commits nothing."""

    def __init__(self, seat: str, stream: Stream, board: Any) -> None:
        self.seat = seat

    def choose(self, decision: Any, view: Any) -> Any:
        return LayAmbush(3) if decision.secret else Commit(0)


@pytest.fixture
def point(monkeypatch: pytest.MonkeyPatch) -> Point:
    """Return a function that installs a third-party package with this entry point; its module is ``clever``."""
    found: list[EntryPoint] = []
    module = ModuleType("clever")
    vars(module)["Middle"] = Clever
    monkeypatch.setitem(sys.modules, "clever", module)
    monkeypatch.setattr(third_party_bots, "entry_points", lambda group: [each for each in found if each.group == group])
    return lambda group, name, value: found.append(EntryPoint(name, value, group))


def test_third_party_bot_plays_only_its_game(toy: Installed, point: Point) -> None:
    point("sandtable.players", "middle@toy", "clever:Middle")
    point("sandtable.players", "other@chess", "clever:Middle")
    point("sandtable.players", "broken", "nowhere_at_all:Bot")
    bots = makers(toy)
    assert "middle" in bots
    assert "other" not in bots
    assert isinstance(bots["middle"]("north", Stream(b""), None), Clever)
    assert name_seats(toy.prepare(), {"north": "middle"})["north"] == "middle"
    with pytest.raises(PlayError, match="cannot hold the seat umpire"):
        name_seats(toy.prepare(), {"umpire": "middle"})
    with pytest.raises(PlayError, match=r"the bot broken \(nowhere_at_all:Bot\) cannot be loaded: ModuleNotFound"):
        bots["broken"]("north", Stream(b""), None)


def test_bot_may_be_named_by_module_on_the_command_line(toy: Installed, point: Point) -> None:
    with pytest.raises(PlayError, match="has no player 'clever:Middle'"):
        name_seats(toy.prepare(), {"north": "clever:Middle"})
    admit(toy, ["clever:Middle", "random", "kampfpanzer"])
    assert name_seats(toy.prepare(), {"north": "clever:Middle"})["north"] == "clever:Middle"
    with pytest.raises(PlayError, match="'clever:Nobody' is not a bot: AttributeError"):
        admit(toy, ["clever:Nobody"])


def test_view_draws_and_narrates_without_a_trace_in_the_log(toy: Installed, point: Point) -> None:
    before = toy.content_hash, toy.name
    other = Installed("toy", toy_module, "the toy")
    other.show_by(Ui(draw=lambda view, style, focus: f"wood {focus}" if view and style == "text" else None))
    view = {"front": 3}
    assert (other.draw(view, None, "text"), toy.draw(view, None, "text")) == ("wood ", "--X--")
    assert other.draw(view, None, "text", "the ford") == "wood the ford"
    assert other.draw({}, None, "svg") is None
    assert other.ui.members() == ["narrate", "draw"]
    assert (other.content_hash, other.name) == before


def test_a_view_that_has_rules_is_refused(point: Point, monkeypatch: pytest.MonkeyPatch) -> None:
    bold = ModuleType("bold")
    vars(bold)["ruleset_ui"] = hookimpl(lambda: Ui(words=lambda: "", **more))
    monkeypatch.setitem(sys.modules, "bold", bold)
    point("sandtable.views", "bold@toy", "bold")
    more: dict[str, Any] = {}
    assert [view.members() for view in third_party_bots.views_for("toy")] == [["words"]]
    more["answer"] = lambda: None
    with pytest.raises(RulesetError, match="the view bold@toy has answer: a view has ruleset_ui with draw, narrate"):
        list(third_party_bots.views_for("toy"))
    more.clear()
    vars(bold)["ruleset_parts"] = hookimpl(lambda: None)
    with pytest.raises(RulesetError, match="the view bold@toy has ruleset_parts: a view has ruleset_ui"):
        list(third_party_bots.views_for("toy"))


def test_third_party_commands_are_listed_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:

    module = ModuleType("heat")
    vars(module)["command"] = click.Command("heatmap", callback=lambda: click.echo("warm"))
    monkeypatch.setitem(sys.modules, "heat", module)
    points = [EntryPoint(name, "heat:command", "sandtable.commands") for name in ("heatmap", "play")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    runner = CliRunner()
    assert runner.invoke(cli, ["heatmap"], standalone_mode=False).output == "warm\n"
    expected = runner.invoke(cli, ["--help"], standalone_mode=False).output
    assert "Commands of other packages" in expected
    assert expected.count("heat:command") == 1, "the house's own names are the house's"


KUHN = Path(__file__).parents[3] / "docs/examples/kuhn/src/kuhn/__init__.py"
FIGHTS = '''

from sandtable.tabletop.result import Result
from sandtable.tabletop.scoring import won_points


@game.hook("stage")
def stage(brief):
    """Deal a hand for the battle."""
    return st.Staged({"scenario": {"id": "hand", "title": brief.place_title}})


@game.hook("report")
def report(terms, state):
    """First plays for the first side of the brief."""
    winner = terms.brief.sides[0 if state.outcome == "first" else 1]
    return Result(winner, won_points(terms.brief, winner, 0))
'''


@pytest.mark.full
def test_third_party_ruleset_fights_battles_of_khamsin(tmp_path: Path) -> None:
    text = KUHN.read_text(encoding="utf-8").replace('"kuhn",', '"kuhnres",', 1)
    (tmp_path / "kuhnres.py").write_text(text + FIGHTS, encoding="utf-8")
    rulesets = Rulesets(tmp_path)
    prepared = rulesets.load("khamsin").prepare("teaching")
    played = recorded(prepared, "third", umpire="kuhnres")
    assert b'"source":"kuhnres"' in played.data, "it fought at least one battle"
    (tmp_path / "campaign.jsonl").write_bytes(played.data)
    assert verify_log(tmp_path / "campaign.jsonl", rulesets).verdict == VERIFIED
