"""The shipped modules: Operation Crusader compared with its sources, and the teaching module with its purpose."""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.plugins.khamsin.cases import NewCase
from tests.plugins.khamsin.modules import HOME, SHIPPED, board, scenario
from tests.plugins.khamsin.positions import installed, shipped
from transcripts import Transcript

from khamsin.model.cards import ENEMY, SIDES, Board
from khamsin.model.state import WAITING
from khamsin.setup.reading import opening_state


@pytest.mark.rule("KH-1.02", "KH-1.05", "KH-1.06", "KH-1.07", "KH-1.12", "KH-1.13", "KH-26.03", "KH-2.02", "KH-26.05")
def test_module_is_loaded_from_data(new_case: NewCase) -> None:
    found = {name: shipped(name).board for name in ("crusader", "teaching", "fixture")}
    assert {each.ruleset.id for each in map(shipped, found)} == {"khamsin"}
    for each in found.values():
        for card in each.formations.values():
            assert card.options or card.bombards
            assert all(option in each.companies for option in card.options)
            assert each.nations[card.nation].side == card.side
    assert found["crusader"].turns == 21
    assert all(nation.lists for nation in found["crusader"].nations.values())
    assert installed().manifest.hidden


@pytest.mark.rule("KH-11.01", "KH-11.04", "KH-10.04", "KH-25.01")
def test_every_area_has_one_controller_from_the_start() -> None:
    for name in ("crusader", "teaching", "fixture"):
        assert set(board(name).control) == set(board(name).areas)
        assert set(board(name).control.values()) <= {"axis", "allies"}


@pytest.mark.rule("KH-2.06", "KH-17.03", "KH-24.02")
@pytest.mark.parametrize("name", ["crusader", "crusader_full", "teaching"])
def test_no_player_has_the_name_of_a_leader(name: str) -> None:
    of = board(name)
    players = {player.lower() for names in of.commanders.values() for player in names}
    leaders = {word for key, each in of.leaders.items() for word in (key, each.title.lower())}
    assert not [(player, leader) for player in players for leader in leaders if player.startswith(leader)]
    assert {each.commander.lower() for each in of.formations.values() if each.commander} <= players


@pytest.mark.rule("KH-13.01")
def test_fifteenth_panzer_fields_the_companies_of_the_example() -> None:
    of = board("crusader")
    named = [of.companies[each].title.lower() for each in of.formations["15_pz_div"].options]
    assert named == ["panzer company", "panzer grenadier company", "panzer engineer company"]


ALLOWANCE = {"recon": 6, "motor": 4, "semi_motor": 2, "leg": 1}
FOUND = {  # mobility, activation and strength from the opening of the printed module
    "21_pz_div": ("motor", 4, 3),
    "15_pz_div": ("motor", 4, 3),
    "panzer_recon": ("recon", 4, 1),
    "90_light_div": ("leg", 5, 3),
    "arko_104": ("motor", 6, 0),
    "savona": ("leg", 6, 2),
    "trieste": ("motor", 4, 3),
    "ariete": ("motor", 4, 3),
    "recam": ("motor", 4, 2),
    "pavia": ("leg", 6, 2),
    "7_armd_bde": ("motor", 3, 2),
    "4_armd_bde": ("motor", 3, 2),
    "22_armd_bde": ("motor", 2, 2),
    "7_support_group": ("motor", 4, 2),
    "1_sa_div": ("motor", 5, 2),
    "30_corps_recon": ("recon", 4, 2),
    "22_guards_bde": ("motor", 4, 1),
}
OPTIONAL = {"bologna", "trento", "brescia", "marmarica", "oasis_force"}
SOURCES = ("seed", "found", "reconstructed")


def days_needed(ground: Board, start: str, end: str, mobility: str) -> int:
    """Return the days of a march in clear weather, by a plain search over areas and points used."""
    best = {start: (0, 0)}  # days begun, and points used on the last day
    edge = [start]
    while edge:
        here = min(edge, key=lambda area: best[area])
        edge.remove(here)
        for there in ground.neighbors[here]:
            cost = ground.cost[ground.kind_between[here, there]][mobility]
            day, used = best[here]
            fits = day > 0 and used + cost <= ALLOWANCE[mobility]
            reached = (day, used + cost) if fits else (day + 1, cost)
            if there not in best or reached < best[there]:
                best[there] = reached
                edge.append(there)
    return best[end][0]


def facts(ground: Board) -> str:
    """Return a board as text, a line for each fact."""
    rows = [f"turn {turn}: {label}" for turn, label in enumerate(ground.calendar, 1)]
    for key, card in ground.formations.items():
        rows += [f"{key}: {card.title}, {card.side} {card.nation} {card.corps}, {card.commander}"]
        rows += [f"  {card.mobility} {card.activation} {card.strength}: {', '.join(card.options)}"]
        rows += [
            f"  {card.enters} {card.held_until} {' '.join(card.entries)}; {' '.join(card.start)}; {card.historical}"
        ]
    rows += [f"{key}: {each}" for key, each in ground.leaders.items()]
    rows += [
        f"{area}: {side} {ground.supply.get(area, '')} {ground.stocks.get(area, '')}"
        for area, side in ground.control.items()
    ]
    rows += [f"{each}" for each in (ground.base, ground.closed, ground.fortress, ground.cost, *ground.pools)]
    rows += [f"{each}" for each in (*ground.nations.values(), *ground.companies.values(), *ground.air.values())]
    rows += [f"{ground.weather}", f"{ground.victory}"]
    return "\n".join(rows)


def records(table: Mapping[str, Any], key: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the rows of a table that are tables themselves, with their keys."""
    for name, row in table.items():
        if isinstance(row, dict):
            yield f"{key}.{name}", row


@pytest.mark.rule(
    "KH-2.07",
    "KH-1.04",
    "KH-1.05",
    "KH-1.09",
    "KH-4.03",
    "KH-7.03",
    "KH-10.04",
    "KH-22.14",
    "KH-11.04",
    "KH-5.01",
    "KH-5.10",
    "KH-4.02",
    "KH-7.04",
    "KH-7.06",
    "KH-25.01",
    "KH-25.03",
    "KH-R111",
    "KH-9.03",
    "KH-2.02",
    "KH-2.03",
    "KH-1.06",
    "KH-2.09",
    "KH-13.01",
    "KH-1.08",
)
@pytest.mark.parametrize("name", ["crusader", "crusader_full"])
def test_crusader_has_the_values_of_its_sources(name: str, transcript: Transcript) -> None:
    """Includes KH-X01 to KH-X04; the values of FOUND come from the printed module."""
    cards = board(name).formations
    assert {key: (cards[key].mobility, cards[key].activation, cards[key].strength) for key in FOUND} == FOUND
    transcript(facts(board(name)))


def test_uncertain_formations_are_only_in_the_full_module() -> None:
    usual, full = board("crusader"), board("crusader_full")
    assert full.formations.keys() - usual.formations.keys() == OPTIONAL
    assert set(full.areas) - set(usual.areas) == {"giarabub"}
    assert "giarabub" not in usual.neighbors["maddalena"]
    assert usual.turns == full.turns


@pytest.mark.rule("KH-8.09", "KH-8.10")
def test_marching_times_match_the_campaign() -> None:
    crusader = board("crusader")
    assert crusader.cost["escarpment"]["leg"] == 3
    assert days_needed(crusader, "assembly_area", "gabr_saleh", "motor") == 1
    assert days_needed(crusader, "gabr_saleh", "sidi_rezegh", "motor") == 1
    assert days_needed(crusader, "sidi_rezegh", "sidi_omar", "motor") == 1  # the dash to the wire
    assert days_needed(crusader, "gazala", "tobruk", "leg") == 2


@pytest.mark.parametrize("name", ["crusader", "crusader_full"])
def test_every_crusader_entry_has_a_provenance(name: str) -> None:
    data = scenario(name).data
    rows = [row for table in ("areas",) for row in records(data["map"][table], table)]
    rows += [row for table in data["forces"] for row in records(data["forces"][table], table)]
    rows += [row for table in ("sides", "air", "replacements") for row in records(data[table], table)]
    rows += [(table, data[table]) for table in ("calendar", "movement", "weather", "victory")]
    assert len(rows) > 90
    for key, row in rows:
        assert row["provenance"].startswith(SOURCES), key


@pytest.mark.parametrize("name", [*SHIPPED, "fixture"])
def test_module_is_consistent(name: str) -> None:
    ground = board(name)
    assert all(len(row) == len(ground.areas) for row in ground.distances.values())
    for card in ground.formations.values():
        assert card.historical in (card.start or card.entries)
        assert card.commander in ground.commanders[card.side]
    for side in SIDES:
        reached = {area for card in ground.formations.values() if card.side == side for area in card.start}
        assert reached
        assert all(ground.control[area] != ENEMY[side] for area in reached)
    assert set(ground.terrain.values()) <= set(ground.guides) or name == "fixture"
    assert list(ground.formations) == sorted(ground.formations)


@pytest.mark.parametrize("name", [*SHIPPED, "fixture"])
def test_campaign_opens_with_every_piece_off_the_map(name: str) -> None:
    ground = board(name)
    state = opening_state(ground, {})
    assert {formation.standing for formation in state.formations.values()} == {WAITING}
    assert state.formations.keys() == ground.formations.keys()
    assert state.leaders.keys() == ground.leaders.keys()
    assert state.control == ground.control
    assert set(state.honor) == {name for side in SIDES for name in ground.commanders[side]}


def test_teaching_module_is_small_and_even() -> None:
    teaching = board("teaching")
    assert (len(teaching.areas), teaching.turns) == (4, 9)
    sides = {side: [card for card in teaching.formations.values() if card.side == side] for side in SIDES}
    values = [sorted((card.mobility, card.activation, card.strength) for card in cards) for cards in sides.values()]
    assert values[0] == values[1]
    kinds = [{aim.kind for aim in teaching.victory.conditions if aim.side == side} for side in SIDES]
    assert kinds == [{"chain", "area", "ineffective"}] * 2


def test_every_shipped_file_is_used() -> None:
    used = set(SHIPPED) | {f"crusader_{part}" for part in ("map", "forces")}
    assert {path.stem for path in (HOME / "scenarios").glob("*.toml")} == used
    for path in (HOME / "scenarios").glob("*.toml"):
        assert tomllib.loads(path.read_text(encoding="utf-8"))
