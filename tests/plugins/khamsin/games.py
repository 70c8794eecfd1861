"""A campaign in the middle of a turn that uses every kind of state, and finished campaigns."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.plugins.khamsin.modules import DEFAULTS, board
from tests.plugins.khamsin.positions import shipped

from khamsin.model.cards import Board
from khamsin.model.state import ON_MAP, Action, Engagement, Fielded, KhamsinState, Report, Sheet, Summary
from khamsin.setup.reading import opening_state
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.players.players import seat_players
from sandtable.plugin.manager import Prepared
from sandtable.tabletop.result import Attrition

SIDES = ("axis", "allies")


def crusader(**options: str) -> tuple[KhamsinState, Board]:
    """Return the third turn of Operation Crusader: historical deployment and an engagement at Sidi Rezegh."""
    the_board = board("crusader")
    state = opening_state(the_board, DEFAULTS | options)
    state.place_board(the_board)
    state.turn, state.phase, state.weather = 3, "engagements", "clear"
    for key, card in the_board.formations.items():
        if not card.enters and card.start:
            state.formations[key].standing = ON_MAP
            state.formations[key].area = card.historical or card.start[0]
    for key, leader in the_board.leaders.items():
        if leader.start:
            state.leaders[key].standing, state.leaders[key].area = ON_MAP, leader.start[0]
    _fill(state)
    return state, the_board


def _fill(state: KhamsinState) -> None:
    worn = state.formations["15_pz_div"]
    worn.armor, worn.general, worn.regroup, worn.supplied, worn.cut = 22, 30, True, False, 2
    state.formations["7_armd_bde"].area = "sidi_rezegh"
    state.reports["axis"] = Report(
        2,
        ["bir_el_gubi", "gabr_saleh", "tobruk"],
        {"gabr_saleh": {"infantry": 2, "armor": 3}},
        [Summary("gambut", {"axis": 5, "allies": 2}, "axis", "double"), Summary("el_adem~tobruk")],
    )
    state.reports["allies"] = Report(2, ["el_adem"], {})
    state.sheets["axis"] = Sheet({"21_pz_div": ["gambut", "gasr_el_arid"]}, {}, ["tobruk"], {}, "Hold the ring")
    state.sheets["allies"] = Sheet({"7_armd_bde": ["gabr_saleh", "sidi_rezegh"]}, {}, [], {}, "To Tobruk")
    state.interdicted["halfaya"] = "allies"
    state.air_used = {"axis": 1, "allies": 2}
    state.engagements["sidi_rezegh"] = Engagement(
        "sidi_rezegh",
        "sidi_rezegh",
        forces={"axis": ["90_light_div"], "allies": ["7_armd_bde"]},
        companies={"axis": {"infantry": 3}, "allies": {"armor": 2}},
        mission="Encounter",
        number=2,
        fielded={
            "axis": [Fielded("90_light_div", "afrika_schuetzen", "Afrika Korps player")],
            "allies": [Fielded("7_armd_bde", "crusader_squadron", "30 Corps player")],
        },
        actions=[
            Action(
                1, {"axis": 5, "allies": 2}, "axis", {"90_light_div": Attrition(0, 3), "7_armd_bde": Attrition(9, 1)}
            )
        ],
    )


def played(module: str, seed: str = "wadi", **options: str) -> tuple[Prepared, Any]:
    """Return a finished campaign of random orders."""
    return _played(module, seed, tuple(sorted(options.items())))


@cache
def _played(module: str, seed: str, options: tuple[tuple[str, str], ...]) -> tuple[Prepared, Any]:
    prepared = shipped(module, options)
    key = key_from_seed(seed)
    game = prepared.new_game(KeyedDice(key))
    game.start()
    streams = {seat: Stream.for_player(key, seat) for seat in (*SIDES, "umpire")}
    while not game.is_over:
        for each in game.waiting():
            game.submit(each.options.sample(streams[each.seat]), each.seat)
    return prepared, game


@cache
def played_by(player: str, module: str, seed: str, options: tuple[tuple[str, str], ...] = ()) -> Game:
    """Return a finished campaign of a bot against itself."""
    prepared = shipped(module, options)
    key = key_from_seed(seed)
    game = prepared.new_game(KeyedDice(key))
    game.play(seat_players(prepared, {**dict.fromkeys(SIDES, player), "umpire": "resolver"}, key))
    return game


def change_secrets(state: KhamsinState, side: str) -> None:
    """Change everything of a side that is secret from its enemy, and no public field."""
    for formation in state.formations.values():
        if formation.side == side:
            formation.armor, formation.general, formation.supplied, formation.cut = 77, 3, False, 9
            formation.regroup, formation.mark, formation.overwhelmed, formation.recovered = True, "moving", True, 5
            formation.path, formation.area, formation.activated = ["gazala", "tmimi"], "tmimi", "tobruk"
            formation.strength += 2
    for leader in state.leaders.values():
        if leader.side == side:
            leader.standing, leader.area, leader.returns = "wounded", "", 6
    state.sheets[side] = Sheet({"nobody": ["tmimi"]}, {}, ["tmimi"], {"nobody": 1}, "another plan")
    state.reports[side] = Report(2, ["mechili"], {"mechili": {"armor": 9}})
    state.air_used[side] = 7
    state.stocks[f"{side}:bardia"] = 4
    for it in state.engagements.values():
        it.forces[side] = [*it.forces[side], "tmimi_force"]
        it.left["15_pz_div" if side == "axis" else "7_armd_bde"] = "recon"
        it.fielded[side] = [Fielded("another", each.company, each.player) for each in it.fielded[side]]
        for action in it.actions:
            action.attrition = {
                key: lost for key, lost in action.attrition.items() if state.formations[key].side != side
            }
