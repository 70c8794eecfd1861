"""The manifest: its meaning, and one clear line for each fault in it."""

import re
from pathlib import Path

import pytest
from tournaments import HEAP, RULESETS, TEXT, stage_of
from transcripts import Transcript

from sandtable.errors import DataError
from sandtable.lab.plan import Contest, Entrant, StopRule
from sandtable.lab.tournament.manifest import canonical, differences, parse_manifest, read_manifest
from sandtable.lab.tournament.preparing import set_stage
from sandtable.lab.tournament.schedule import opening
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
BAD = {
    "not toml": "[tournament",
    "unknown key": FULL.replace("dice =", "dices ="),
    "wrong type": FULL.replace("games = 20", 'games = "x"'),
    "no seed": FULL.replace('seed = "tobruk"', ""),
    "no games": FULL.replace("games = 20", "games = 0"),
    "schedule": FULL.replace("gauntlet", "knockout"),
    "rounds": FULL.replace("games = 20", "rounds = 3"),
    "no rounds": FULL.replace("gauntlet", "swiss"),
    "dice": FULL.replace('"host"', '"manual"'),
    "same name": FULL.replace('"theirs"', '"mine"'),
    "both": FULL.replace("command =", 'player = "x"\ncommand ='),
    "neither": FULL.replace('command = ["python3", "mine.py"]', ""),
    "alpha": FULL.replace("0.01", "0.7"),
    "elo": FULL.replace("elo1 = 20", "elo1 = -5"),
    "budget": FULL.replace("500", "-1"),
    "seed": FULL.replace('"tobruk"', '"a\\nb"'),
    "one entrant": FULL[: FULL.index('[[entrant]]\nname = "theirs"')],
    "nothing": "",
    "contest as a table": FULL.replace("[[contest]]", "[contest]"),
    "ruleset as a number": FULL.replace('ruleset = "skirmish"', "ruleset = 1"),
    "contests as nothing": "contest = []\n" + FULL.replace("[[contest]]", "[old]"),
    "player as a number": FULL.replace('{ skirmish = "brave" }', "{ skirmish = 1 }"),
    "nodes as a flag": FULL.replace("nodes = 200", "nodes = true"),
    "empty word": FULL.replace('["python3", "mine.py"]', '["python3", ""]'),
    "blank name": FULL.replace('"mine"', '" "'),
    "a broken head": FULL.replace("[tournament]", "[tournament"),
    "everything": WRONG,
}


def test_manifest_with_every_key_is_read() -> None:
    read = parse_manifest(FULL, "x")
    assert (read.title, read.seed, read.scheduling, read.games) == ("Spring", "tobruk", "gauntlet", 20)
    assert (read.dice, read.logs) == ("host", "full")
    assert read.contests == (Contest("skirmish", "mill", {"fords": "2", "fog": "yes"}),)
    assert read.entrants[0] == Entrant("mine", command=("python3", "mine.py"))
    assert read.entrants[1] == Entrant("theirs", {"*": "random", "skirmish": "brave"}, settings={"nodes": 200})
    assert read.budget == Budget(decisions=500, memory_mb=64)
    assert read.stop == StopRule(0, 20, 10, 50)


def test_manifest_faults_are_named_with_their_keys(transcript: Transcript) -> None:
    found = []
    for case, text in BAD.items():
        with pytest.raises(DataError) as caught:
            parse_manifest(text, "spring.toml")
        faults = [str(each) for each in (caught.value, *caught.value.also)]
        assert all(each.startswith("spring.toml: ") and "\n" not in each for each in faults)
        found += [case, *(f"  {each}" for each in faults)]
    transcript(re.sub(r"is not TOML: [^;]*", "is not TOML", "\n".join(found)))


def test_notes_in_a_manifest_do_not_change_it() -> None:
    annotated = FULL.replace("[budget]", '[budget]\nnote = "as last year"').replace(
        "[stop]", '[stop]\nreason = "short"'
    )
    assert parse_manifest(annotated, "x") == parse_manifest(FULL, "x")


def test_manifest_digest_ignores_comments_and_spaces() -> None:
    digest = parse_manifest(FULL, "x").digest
    assert parse_manifest("# a remark\n" + FULL.replace(" = ", "="), "y").digest == digest
    assert parse_manifest(FULL.replace("memory_mb = 64", "memory_mb = 65"), "x").digest != digest


def test_manifest_differences_are_named_by_key() -> None:
    one = canonical(parse_manifest(FULL, "x"))
    other = canonical(parse_manifest(FULL.replace("games = 20", "games = 22").replace("mine.py", "mine2.py"), "x"))
    assert list(differences(one, other)) == [
        'entrants[0].command[1]: "mine.py" there, "mine2.py" here',
        "games: 20 there, 22 here",
    ]


NOT_INSTALLED = [
    ('"skirmish"\n', '"chess"\n'),
    ('"skirmish_dawn.toml"', '"noon"'),
    ('"skirmish_dawn.toml"', '"noon.toml"'),
    ('player = "brave"', 'player = "genius"'),
    ('player = "brave"', 'player = "human"'),
    ('player = "brave"', 'players = { toy = "x" }'),
    ('player = "brave"', 'player = "brave"\nsettings = { nodes = 3 }'),
    ('ruleset = "skirmish"\n\n', 'ruleset = "skirmish"\noptions = { moon = true }\n'),
]


def test_missing_rulesets_players_and_options_are_named(rulesets: Rulesets, transcript: Transcript) -> None:
    found = []
    for old, new in NOT_INSTALLED:
        with pytest.raises(DataError) as caught:
            set_stage(parse_manifest(TEXT.replace(old, new, 1), "x"), rulesets, str(RULESETS), "x.toml")
        found.append(re.sub(r"installed: .*", "installed", str(caught.value)).replace(str(RULESETS), "RULESETS"))
    transcript("\n".join(found))


@pytest.mark.parametrize("case", ["missing", "folder", "bytes", "large"])
def test_invalid_manifest_files_are_refused(case: str, tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    problem = {
        "missing": "is not a file",
        "folder": "is not a file",
        "bytes": "is not UTF-8",
        "large": "larger than 1048576 bytes",
    }
    if case == "folder":
        file.mkdir()
    elif case == "bytes":
        file.write_bytes(b"\xff\xfe")
    elif case == "large":
        file.write_bytes(b"#" * (1 << 20) + b"#")
    with pytest.raises(DataError, match=problem[case]):
        read_manifest(file)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (TEXT.replace("games = 6", "games = 7"), "tournament.games"),
        (HEAP + "[stop]\nelo1 = 20\n", "stop"),
        (HEAP.replace("games = 4", 'games = 4\nschedule = "swiss"\nrounds = 2'), r"contest\[0\]"),
        (HEAP[: HEAP.index('[[entrant]]\nname = "c"')], r"contest\[0\]"),
    ],
)
def test_tournament_that_does_not_fit_the_sides_is_refused(text: str, key: str, rulesets: Rulesets) -> None:
    with pytest.raises(DataError, match=f"{key}.* (pairs|sides)") as caught:
        stage_of(text, rulesets)
    assert "\n" not in str(caught.value)


def test_odd_number_of_games_for_three_sides_is_rounded_up_to_whole_sets(rulesets: Rulesets) -> None:
    stage = stage_of(HEAP.replace("games = 4", "games = 7"), rulesets)
    assert len(opening(stage.tournament, stage.sides)) == 4 * 9
