"""Every mark on the boards of recorded games names an existing rule."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import fold_steps, prepare_for, read_records
from sandtable.kernel.decisions import UMPIRE
from sandtable.plugin.groups import nothing
from sandtable.plugin.manager import Prepared, Rulesets
from sandtable.viewer.hexes.picture import HexPicture
from sandtable.viewer.picture import Picture

FOLDER = Path(__file__).parents[2] / "replays"
RULESETS = Rulesets()
GAMES = [
    "khamsin/allies-broken-teaching",
    "kampfpanzer/british-reached-arras",
    "damos/soviet-substantial-smolensk",
    "desert_aa/draw-round_limit",
]
STEP = 9
"""Every ninth state is checked."""


@pytest.mark.full
@pytest.mark.parametrize("name", GAMES)
def test_every_mark_on_the_board_names_its_rule(name: str) -> None:
    log = read_log(FOLDER / f"{name}.jsonl")
    prepared = prepare_for(log, RULESETS)
    rules = {row.id for row in prepared.installed.hook.ruleset_index()}
    found: dict[str, str] = {}
    for record, state in fold_steps(read_records(log, prepared.ruleset), prepared):
        if record.n % STEP == 1:
            for viewer in (UMPIRE, *prepared.ruleset.viewers):
                view = prepared.ruleset.view(state, viewer)
                found |= marks((prepared.installed.ui.picture or nothing)(view, prepared.board))
    assert found
    assert {words: rule for words, rule in found.items() if rule not in rules} == {}


def test_drawing_of_a_campaign_names_its_rules() -> None:
    log = read_log(FOLDER / "axis_attack/draw-stalemate-armoured_clash.jsonl")
    prepared = prepare_for(log, RULESETS)
    rules = {row.id for row in prepared.installed.hook.ruleset_index()}
    *_, (_, state) = fold_steps(read_records(log, prepared.ruleset, 400), prepared)
    found = titles(prepared, state, "german")
    kinds = ("Weather", "The ground", "Center", "Turn 2", "The table", "Panzer III J", "Medium tank company")
    for kind in kinds:
        (line, *_) = [each for each in found if re.match(rf"([0-9]+\w\w )?{kind}", each)]
        cited = re.findall(r"\[(AOA-[R0-9.]+)\]", line)
        assert cited, line
        assert rules.issuperset(cited), line


def titles(prepared: Prepared, state: Any, side: str) -> list[str]:
    """Return the titles of the parts of a campaign's drawing."""
    drawing = prepared.installed.draw(prepared.ruleset.view(state, side), prepared.board, "svg")
    assert drawing is not None
    return re.findall(r"<title>([^<]*)</title>", drawing)[1:]


def marks(picture: Any) -> dict[str, str]:
    """Return the rule of each mark with a title, by title."""
    return dict(_of_hexes(picture) if isinstance(picture, HexPicture) else _of_areas(picture))


def _of_hexes(picture: HexPicture) -> Iterator[tuple[str, str]]:
    for counter in (*picture.counters, *(each for tray in picture.trays for each in tray.counters)):
        yield from ((tab.note, tab.rule) for tab in counter.tabs)
        yield from ((counter.note, rule) for rule in counter.note_rules or ("",) if counter.note)
    yield from ((mark.note, mark.rule) for mark in picture.marks)
    yield from ((area.note or f"{area.kind} by {area.owner}", area.rule) for area in picture.areas)


def _of_areas(picture: Picture) -> Iterator[tuple[str, str]]:
    for place in picture.places:
        yield from ((badge.note, badge.rule) for badge in place.badges)
        yield from ((f"{each.name}: {each.mark}", each.rule) for each in place.counters if each.mark)
