"""Tournaments small enough to play in a test."""

from pathlib import Path

from sandtable.arena.tournament.manifest import TournamentManifest, parse_manifest
from sandtable.arena.tournament.stage import Stage, set_stage
from sandtable.plugin.manager import Rulesets

RULESETS = Path(__file__).parents[1] / "framework" / "arena" / "tournament" / "rulesets"
TEXT = """
[tournament]
title = "Skirmishes"
seed = "m"
games = 6

[[contest]]
ruleset = "skirmish"

[[contest]]
ruleset = "skirmish"
scenario = "skirmish_dawn.toml"

[[entrant]]
name = "bold"
player = "brave"

[[entrant]]
name = "blind"
players = { skirmish = "random" }

[[entrant]]
name = "stubborn"
player = "first"
"""
HEAP = """
[tournament]
title = "Heaps"
seed = "h"
games = 4
[[contest]]
ruleset = "heap"
[[entrant]]
name = "a"
player = "random"
[[entrant]]
name = "b"
player = "tuned"
settings = { stones = 2 }
[[entrant]]
name = "c"
player = "tuned"
[[entrant]]
name = "d"
player = "random"
"""


def manifest_of(text: str) -> TournamentManifest:
    return TournamentManifest(text, str(RULESETS), parse_manifest(text, "manifest"))


def stage_of(text: str, rulesets: Rulesets) -> Stage:
    return set_stage(parse_manifest(text, "manifest"), rulesets, str(RULESETS))
