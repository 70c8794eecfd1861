"""A bot in a seat that it may not hold is refused before a game begins: one line names bot, seat and who may."""

from pathlib import Path

import pytest
from command_line import Refused, Run, RunJson
from cutting import writes_in
from tournaments import event_of

from sandtable.cli.author.timing_players import time_players
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.record import play_into_file
from sandtable.kernel.dice import key_from_seed
from sandtable.players.players import best_for, name_seats, seat_players
from sandtable.plugin.manager import Rulesets


@pytest.mark.parametrize(
    ("ruleset", "player", "told"),
    [
        (
            "khamsin",
            "umpire=commander",
            "khamsin: commander cannot hold the seat umpire: choose resolver, random, first, human, kampfpanzer",
        ),
        ("axis_attack", "umpire=commander", "axis_attack: commander cannot hold the seat umpire: choose resolver,"),
        ("axis_attack", "umpire=search", "axis_attack: search cannot hold the seat umpire: choose resolver,"),
        (
            "khamsin",
            "axis=resolver",
            "khamsin: resolver cannot hold the seat axis: choose commander, random, first, search, human",
        ),
        (
            "desert_aa",
            "umpire=commander",
            "desert_aa: commander cannot hold the seat umpire: choose random, first, human",
        ),
        ("desert_aa", "umpire=kampfpanzer", "kampfpanzer cannot be the umpire: desert_aa has no battles"),
    ],
)
def test_play_refuses_an_ineligible_player(refused: Refused, ruleset: str, player: str, told: str) -> None:
    line = refused(2, "play", ruleset, "--player", player)
    assert line.startswith(f"sandtable play: {told}")
    assert list(Path().iterdir()) == []


@pytest.mark.full
@pytest.mark.parametrize("player", ["umpire=resolver", "umpire=random", "umpire=first", "umpire=kampfpanzer:captain"])
def test_eligible_player_is_seated(run: Run, player: str) -> None:
    run("play", "khamsin", "--scenario", "teaching", "--player", player, "--seed", "1", "--out", "x.jsonl", code=0)


def test_search_without_a_deal_is_refused_before_a_log_is_created(run: Run, refused: Refused) -> None:
    Path("games").mkdir()
    Path("games", "toy.py").write_text("from sandtable.testing.toy import *\ndel ruleset_bots\n", encoding="utf-8")
    told = "toy: search cannot play it: it has secrets, and its ruleset_bots has no deal"
    assert told in refused(2, "play", "toy", "--player", "north=search", "--plugins-dir", "games")
    match = ("match", "toy", "--player", "search", "--player", "random", "--plugins-dir", "games")
    assert told in refused(2, *match)
    assert [path.name for path in Path().iterdir()] == ["games"]
    shown = run("ruleset", "show", "toy", "--plugins-dir", "games").stdout
    assert ["search", "none"] in [line.split() for line in shown.splitlines()]


@pytest.mark.parametrize("pair", [("resolver", "commander"), ("commander", "resolver")])
def test_match_refuses_a_bot_that_cannot_play_both_sides(refused: Refused, pair: tuple[str, str]) -> None:
    line = refused(2, "match", "khamsin", "--player", pair[0], "--player", pair[1], "--games", "1")
    assert "khamsin: resolver cannot hold the seat a" in line


def event(player: str) -> str:
    return event_of("khamsin", head='logs = "full"', contest='scenario = "teaching"', staff=player, chance="random")


def test_tournament_refuses_an_ineligible_bot_before_it_makes_a_folder(refused: Refused) -> None:
    Path("event.toml").write_text(event("resolver"), encoding="utf-8")
    line = refused(3, "tournament", "run", "event.toml", "--out", "event")
    assert "event.toml: entrant[0].player: khamsin: resolver cannot hold the seat axis: choose commander," in line
    assert not Path("event").exists()


@pytest.mark.full
def test_entrants_play_the_sides_and_the_default_umpire_judges(run: Run) -> None:
    Path("event.toml").write_text(event("commander"), encoding="utf-8")
    run("tournament", "run", "event.toml", "--out", "event", "--workers", "1", code=0)
    run("tournament", "export", "event", "--logs", "logs", code=0)
    headers = [file.read_text(encoding="utf-8").splitlines()[0] for file in sorted(Path("logs").iterdir())]
    assert len(headers) == 2
    assert all('"umpire":"resolver"' in header for header in headers)


def interrupted(ruleset: str, **wrong: str) -> str:
    """Write a log whose header names bots that were not kept from their seats when it was begun; return its name."""
    prepared = Rulesets().load(ruleset).prepare()
    key = key_from_seed("half")
    names, dice = name_seats(prepared, {}), make_dice("open", key)
    path = Path("half.jsonl")
    play_into_file(prepared, seat_players(prepared, names, key), dice, make_header(prepared, names | wrong, dice), path)
    writes = writes_in(path.read_bytes())
    path.write_bytes(b"".join(writes[: len(writes) // 4]))
    return str(path)


@pytest.mark.full
def test_resume_refuses_ineligible_players_of_the_log(run: Run, refused: Refused) -> None:
    log = interrupted("axis_attack", umpire="commander", german="resolver")
    before = Path(log).read_bytes()
    assert "resolver cannot hold the seat german" in refused(2, "resume", log)
    assert "commander cannot hold the seat umpire" in refused(2, "resume", log, "--player", "german=commander")
    assert Path(log).read_bytes() == before
    run("resume", log, "--player", "german=commander", "--player", "umpire=resolver", code=0)


def test_resume_refuses_an_ineligible_new_player(refused: Refused) -> None:
    words = ("resume", interrupted("axis_attack"), "--player", "umpire=commander")
    assert "commander cannot hold the seat umpire: choose resolver" in refused(2, *words)


@pytest.mark.full
@pytest.mark.parametrize(("ruleset", "bots"), [("khamsin", "commander resolver"), ("desert_aa", "commander")])
def test_bench_times_each_bot_in_its_eligible_seats(ruleset: str, bots: str) -> None:
    figures = time_players(Rulesets().load(ruleset))
    assert list(figures) == [f"{bot}_{figure}_ms" for bot in bots.split() for figure in ("mean", "longest")]


def test_default_bot_of_a_seat_is_the_first_eligible_bot() -> None:
    khamsin = Rulesets().load("khamsin")
    assert [best_for(khamsin, seat) for seat in ("axis", "umpire")] == ["commander", "resolver"]
    assert best_for(Rulesets().load("desert_aa"), "umpire") == "random"


def test_ruleset_show_lists_the_players_of_each_seat(run: Run, run_json: RunJson) -> None:
    told = run_json("ruleset", "show", "khamsin")["seats"]
    assert told == {
        "commander": ["axis", "allies"],
        "resolver": ["umpire"],
        "random": ["axis", "allies", "umpire"],
        "first": ["axis", "allies", "umpire"],
        "search": ["axis", "allies"],
        "kampfpanzer": ["umpire"],
    }
    assert set(run_json("ruleset", "show", "desert_aa")["seats"]) == {"commander", "random", "first", "search"}
    rows = [line.split(maxsplit=1) for line in run("ruleset", "show", "khamsin").stdout.splitlines() if line]
    for row in (["commander", "every side"], ["resolver", "umpire"], ["human", "every side, umpire"]):
        assert row in rows
