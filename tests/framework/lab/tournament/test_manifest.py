"""The manifest: what it means, and one clear line for whatever is wrong in it."""

from pathlib import Path

import pytest
from tournaments import RULESETS, TEXT

from sandtable.errors import DataError
from sandtable.lab.plan import Contest, Entrant, StopRule
from sandtable.lab.tournament.manifest import canonical, differences, parse_manifest, read_manifest
from sandtable.lab.tournament.preparing import set_stage
from sandtable.players.processes.limits import Budget
from sandtable.plugin.manager import Rulesets

FULL = """
[tournament]
title = "Spring"
seed = "tobruk"
schedule = "gauntlet"
games = 20
dice = "host"
logs = "full"

[[contest]]
ruleset = "skirmish"
scenario = "mill"
options = { fords = 2, fog = true }

[[entrant]]
name = "mine"
command = ["python3", "mine.py"]

[[entrant]]
name = "theirs"
player = "random"
players = { skirmish = "brave" }
settings = { nodes = 200 }

[budget]
decisions = 500
memory_mb = 64

[stop]
elo0 = 0
elo1 = 20
alpha = 0.01
"""
BAD = {
    "not toml": ("[tournament", "is not TOML"),
    "unknown key": (FULL.replace("dice =", "dices ="), "tournament.dices: is no key of this table"),
    "wrong type": (FULL.replace("games = 20", 'games = "x"'), "tournament.games: is 'x'; write a whole number"),
    "no seed": (FULL.replace('seed = "tobruk"', ""), "tournament.seed: is missing; add text"),
    "odd games": (FULL.replace("games = 20", "games = 3"), "games: is 3: must be an even number"),
    "no games": (FULL.replace("games = 20", "games = 0"), "games: is 0: must be an even number"),
    "schedule": (FULL.replace("gauntlet", "knockout"), "schedule: is 'knockout'; choose round_robin, gauntlet"),
    "rounds": (FULL.replace("games = 20", "rounds = 3"), "rounds: is for Swiss tournaments"),
    "no rounds": (FULL.replace("gauntlet", "swiss"), "rounds: is 0: a Swiss tournament wants"),
    "dice": (FULL.replace('"host"', '"manual"'), "dice: is 'manual'; choose open, host"),
    "same name": (FULL.replace('"theirs"', '"mine"'), "'mine' is there twice"),
    "both": (FULL.replace("command =", 'player = "x"\ncommand ='), "either player .* not both"),
    "neither": (FULL.replace('command = ["python3", "mine.py"]', ""), "'mine' wants either player"),
    "alpha": (FULL.replace("0.01", "0.7"), "stop.alpha: is 0.7"),
    "elo": (FULL.replace("elo1 = 20", "elo1 = -5"), "elo1: is -5: must be above elo0"),
    "budget": (FULL.replace("500", "-1"), "budget.decisions: is -1"),
    "seed": (FULL.replace('"tobruk"', '"a\\nb"'), "seed: must be 1 to"),
    "one entrant": (FULL[: FULL.index('[[entrant]]\nname = "theirs"')], "entrant: there are 1"),
}


def test_everything_that_a_manifest_may_say() -> None:
    read = parse_manifest(FULL, "x")
    assert (read.title, read.seed, read.scheduling, read.games) == ("Spring", "tobruk", "gauntlet", 20)
    assert (read.dice, read.logs) == ("host", "full")
    assert read.contests == (Contest("skirmish", "mill", {"fords": "2", "fog": "yes"}),)
    assert read.entrants[0] == Entrant("mine", command=("python3", "mine.py"))
    assert read.entrants[1] == Entrant("theirs", {"*": "random", "skirmish": "brave"}, settings={"nodes": 200})
    assert read.budget == Budget(decisions=500, memory_mb=64)
    assert read.stop == StopRule(0, 20, 10, 50)


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_is_said_in_one_line(case: str) -> None:
    text, problem = BAD[case]
    with pytest.raises(DataError, match=problem) as found:
        parse_manifest(text, "spring.toml")
    assert str(found.value).startswith("spring.toml: ")
    assert "\n" not in str(found.value)


TABLES = "tournament, contest, entrant, budget, stop, provenance, reason, note"
LIMITS = "decisions, nodes, seconds, cpu_seconds, memory_mb, output_kb, provenance, reason, note"
WRONG = """
[tournament]
title = 3
schedule = true
games = 1000000000000000000000000000000
rounds = "two"
logs = "some"

[[contest]]
options = { fog = 0.5, "two words" = [] }

[[entrant]]
name = "mine"
player = 1
command = ["python3", 3]

[budget]
nodes = 1000000000000000000000000000000
minutes = 3

[stop]
alpha = nan
beta = "0.05"

[prizes]
first = 100
"""


def test_all_that_is_wrong_is_found_at_once_each_with_its_key() -> None:
    with pytest.raises(DataError) as found:
        parse_manifest(WRONG, "spring.toml")
    told = [(each.key, each.problem) for each in (found.value, *found.value.also)]
    assert told == [
        ("prizes", f"is no key of this table; correct it or take it out, known are: {TABLES}"),
        ("tournament.schedule", "is True; write text"),
        ("tournament.title", "is 3; write text"),
        ("tournament.seed", "is missing; add text"),
        ("tournament.games", f"is {10**30}: must be an even number from 2 to 1,000,000"),
        ("tournament.rounds", "is 'two'; write a whole number"),
        ("tournament.logs", "is 'some'; choose orders, full"),
        ("contest[0].ruleset", "is missing; add text"),
        ("contest[0].options.fog", "is 0.5; write text, a whole number, true or false"),
        ("contest[0].options.'two words'", "is []; write text, a whole number, true or false"),
        ("entrant", "there are 1: a tournament wants at least two"),
        ("entrant[0].player", "is 1; write text"),
        ("entrant[0].command[1]", "is 3; write text"),
        ("budget.minutes", f"is no key of this table; correct it or take it out, known are: {LIMITS}"),
        ("budget.nodes", f"is {10**30}; use 0 to {10**15}"),
        ("stop.alpha", "is nan: must be in thousandths, 0.001 to 0.499"),
        ("stop.beta", "is '0.05'; write a number such as 0.05"),
    ]


@pytest.mark.parametrize(
    ("text", "key", "problem"),
    [
        ("", "tournament", "is missing; add a table"),
        (FULL.replace("[[contest]]", "[contest]"), "contest", "is {'ruleset': 'skirmish', "),
        (FULL.replace('ruleset = "skirmish"', "ruleset = 1"), "contest[0].ruleset", "is 1; write text"),
        ("contest = []\n" + FULL.replace("[[contest]]", "[old]"), "old", "is no key of this table"),
        (FULL.replace('{ skirmish = "brave" }', "{ skirmish = 1 }"), "entrant[1].players.skirmish", "is 1; write text"),
        (FULL.replace("nodes = 200", "nodes = true"), "entrant[1].settings.nodes", "is True; write a whole number"),
        (FULL.replace('["python3", "mine.py"]', '["python3", ""]'), "entrant[0].command", "has an empty word"),
        (FULL.replace('"mine"', '" "'), "entrant[0].name", "must be 1 to 60 printable characters"),
        (FULL.replace("[tournament]", "[tournament"), "line 2, column 12", "is not TOML"),
    ],
)
def test_the_key_of_what_is_wrong_is_named(text: str, key: str, problem: str) -> None:
    with pytest.raises(DataError) as found:
        parse_manifest(text, "spring.toml")
    assert found.value.key == key
    assert found.value.problem.startswith(problem)


def test_a_note_for_readers_may_stand_in_any_table_and_changes_nothing() -> None:
    told = FULL.replace("[budget]", '[budget]\nnote = "as last year"').replace("[stop]", '[stop]\nreason = "short"')
    assert parse_manifest(told, "x") == parse_manifest(FULL, "x")


def test_the_digest_is_of_the_meaning_not_of_the_text() -> None:
    digest = parse_manifest(FULL, "x").digest
    assert parse_manifest("# a remark\n" + FULL.replace(" = ", "="), "y").digest == digest
    assert parse_manifest(FULL.replace("memory_mb = 64", "memory_mb = 65"), "x").digest != digest


def test_differences_are_named_by_key() -> None:
    one = canonical(parse_manifest(FULL, "x"))
    other = canonical(parse_manifest(FULL.replace("games = 20", "games = 22").replace("mine.py", "mine2.py"), "x"))
    assert list(differences(one, other)) == [
        'entrants[0].command[1]: "mine.py" there, "mine2.py" here',
        "games: 20 there, 22 here",
    ]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"skirmish"\n', '"chess"\n', r"contest\[0\]: the ruleset 'chess' is not installed"),
        ('"skirmish_dawn.toml"', '"noon"', r"contest\[1\]: skirmish: has no scenario 'noon'"),
        ('"skirmish_dawn.toml"', '"noon.toml"', r"contest\[1\]: .*noon\.toml"),
        ('player = "brave"', 'player = "genius"', r"entrant\[0\]\.player: skirmish has no player 'genius'"),
        ('player = "brave"', 'player = "human"', "a tournament is for bots"),
        ('player = "brave"', 'players = { toy = "x" }', r"entrant\[0\]\.players: 'bold' has no player for skirmish"),
        ('player = "brave"', 'player = "brave"\nsettings = { nodes = 3 }', "'bold' takes no settings"),
        (
            'ruleset = "skirmish"\n\n',
            'ruleset = "skirmish"\noptions = { moon = true }\n',
            r"\.options\.moon: .* no such",
        ),
    ],
)
def test_what_is_not_installed_is_named(old: str, new: str, problem: str, rulesets: Rulesets) -> None:
    with pytest.raises(DataError, match=problem):
        set_stage(parse_manifest(TEXT.replace(old, new, 1), "x"), rulesets, str(RULESETS), "x.toml")


@pytest.mark.parametrize("case", ["missing", "folder", "bytes", "large"])
def test_files_that_are_no_manifest(case: str, tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    problem = {"missing": "is no file", "folder": "is no file", "bytes": "is not UTF-8", "large": "larger than 1048576"}
    if case == "folder":
        file.mkdir()
    elif case == "bytes":
        file.write_bytes(b"\xff\xfe")
    elif case == "large":
        file.write_bytes(b"#" * (1 << 20) + b"#")
    with pytest.raises(DataError, match=problem[case]):
        read_manifest(file)
