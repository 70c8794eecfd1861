"""A campaign in the middle of a turn, with something of everything in it, and short ones played at random."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.plugins.khamsin.modules import USUAL, board
from tests.plugins.khamsin.positions import shipped

from khamsin.model.cards import Board
from khamsin.model.state import ON_MAP, Action, Engagement, Fielded, KhamsinState, Report, Sheet, Summary
from khamsin.setup.reading import opening_state
from sandtable.kernel.dice import KeyedDice, Stream
from sandtable.tabletop.result import Attrition

SIDES = ("axis", "allies")


def crusader(**options: str) -> tuple[KhamsinState, Board]:
    """Return the third turn of Operation Crusader: both sides deployed as they stood, a fight at Sidi Rezegh."""
    the_board = board("crusader")
    state = opening_state(the_board, USUAL | options)
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
        {"gabr_saleh": {"infantry": 2, "armour": 3}},
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
        companies={"axis": {"infantry": 3}, "allies": {"armour": 2}},
        mission="Encounter",
        number=2,
        fielded={
            "axis": [Fielded("90_light_div", "afrika_schuetzen", "Cruewell")],
            "allies": [Fielded("7_armd_bde", "crusader", "Norrie")],
        },
        actions=[
            Action(
                1, {"axis": 5, "allies": 2}, "axis", {"90_light_div": Attrition(0, 3), "7_armd_bde": Attrition(9, 1)}
            )
        ],
    )


@cache
def played(module: str, seed: int, **options: str) -> Any:
    """Return a campaign played at random to its end: what was made ready, and the game."""
    prepared = shipped(module, tuple(sorted(options.items())))
    game = prepared.new_game(KeyedDice(bytes([seed]) * 32))
    game.start()
    stream = Stream.for_player(bytes([seed]) * 32, "anybody")
    while not game.is_over:
        decision = game.waiting()[0]
        game.submit(decision.options.sample(stream), decision.seat)
    return prepared, game
