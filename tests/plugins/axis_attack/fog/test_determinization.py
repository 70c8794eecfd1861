"""Deals of hidden information that agree with a view."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.plugins.axis_attack.positions import installed

from axis_attack.fog.determinization import deal
from axis_attack.fog.views import view
from axis_attack.forces.company import Companies, starting_force
from axis_attack.model.cards import COMBAT, DEPLETED, ENEMY, MOTOR, SIDES
from axis_attack.model.events import PlatoonExchanged
from axis_attack.model.orders import BuildCompany, Wanted
from axis_attack.model.state import AxisState, Fielded, Force, Platoon, Purchase
from axis_attack.model.strength import levels_of, size_of_level, teams_available
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.session import AnsweringGame
from sandtable.kernel.play.simulator import Simulator
from sandtable.kernel.play.views import View
from sandtable.kernel.records import EventRecord
from sandtable.players.players import seat_players
from sandtable.plugin.groups import nothing

CLOCK = ("turn", "phase", "phasing_side", "phasing_power", "position", "in_phase", "outcome", "ending", "options")
SCENARIOS = ("eastern_front", "armoured_clash")
OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"roster_visibility": "all"},
    {"strength_memory": "exact_teams"},
    {"vp_start": "20", "exchange_when": "before_reinforcement"},
    {"start_total": "2000", "breakthrough_mobility": "next_game_only"},
)


def questions(scenario: str, bot: str, seed: str, **options: str) -> Iterator[Game]:
    """Play a campaign, and yield it at each decision of a side."""
    prepared, key = installed().prepare(scenario, options), key_from_seed(seed)
    game = prepared.new_game(KeyedDice(key))
    players = seat_players(prepared, {**dict.fromkeys(SIDES, bot), UMPIRE: "resolver"}, key)
    game.start()
    while not game.is_over:
        decision = game.waiting()[0]
        if decision.seat != UMPIRE:
            yield game
        seen = View(prepared.ruleset.side_of(decision.seat), game.view, game.simulator)
        game.submit(players[decision.seat].choose(decision, seen), decision.seat)


def state_of(game: AnsweringGame) -> AxisState:
    assert isinstance(game.state, AxisState)
    return game.state


def dealt_like(state: AxisState, side: str, stream: Stream) -> AxisState:
    """Return a state dealt from the view of ``side``, with turn and phase as the kernel sets them."""
    dealt = deal(view(state, side), state.board, stream)
    for name in CLOCK:
        setattr(dealt, name, getattr(state, name))
    return dealt


def hook(seen: Any, side: str, board: Any, stream: Stream, now: Any) -> Any:
    return (installed().bots.deal or nothing)(seen, side, board, stream, now)


def simulator(game: Game) -> Simulator:
    return game.simulator(game.waiting()[0])


def company_of(state: AxisState, side: str) -> BuildCompany:
    """Return the cheapest company with this roster: each platoon at the size of its bought level."""
    wanted = {}
    for name, each in state.rosters[side].items():
        kind = state.board.lists[side].types[each.type]
        size = size_of_level(kind, each.bought)
        assert size is not None
        wanted[name] = Wanted(each.type, size.teams, each.upgrades)
    return BuildCompany(wanted, state.aircraft[side])


def why_not_built(state: AxisState, side: str) -> object:
    return Companies(state.board.lists[side], state.board.points_of(side)).why_not(company_of(state, side))


def in_a_campaign(turn: int = 2, seed: str = "laid", **options: str) -> AxisState:
    """Return a campaign of two commanders at the beginning of a turn."""
    for game in questions("eastern_front", "commander", seed, **options):
        if game.state.turn == turn:
            return state_of(game)
    raise AssertionError("the campaign was over sooner")


@pytest.mark.full
@pytest.mark.rule("AOA-O1", "AOA-1.03", "AOA-R14")
@pytest.mark.parametrize("bot", ["random", "commander"])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda each: "+".join(each) or "usual")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_deal_has_the_same_view_as_the_campaign(scenario: str, options: dict[str, str], bot: str) -> None:
    stream, exchanged = Stream(b"alike"), 0
    for game in questions(scenario, bot, "alike", **options):
        state = state_of(game)
        exchanged += sum(
            isinstance(each.event, PlatoonExchanged) for each in game.records if isinstance(each, EventRecord)
        )
        for side in SIDES:
            dealt, seen = dealt_like(state, side, stream), view(state, side)
            assert view(dealt, side) == seen, (state.turn, state.phase, side)
            if state.rosters[side] and not exchanged:
                assert why_not_built(dealt, ENEMY[side]) is None, (state.turn, state.phase, side)


@pytest.mark.full
@pytest.mark.rule("AOA-R28")
@pytest.mark.parametrize("bot", ["random", "commander"])
def test_every_decision_can_be_dealt(bot: str) -> None:
    """At the concession after forces are shown, a deal keeps these forces."""
    stream, prompts = Stream(b"asked"), set()
    for game in questions("eastern_front", bot, "asked"):
        twin = simulator(game).deal(stream, hook)
        asked, again = game.waiting()[0], next(each for each in twin.waiting() if each.seat == game.waiting()[0].seat)
        assert again.prompt == asked.prompt
        assert view(state_of(twin), asked.side) == view(state_of(game), asked.side)
        prompts.add(asked.prompt)
        if state_of(twin).forces:
            assert state_of(twin).forces.keys() == state_of(game).forces.keys()
    assert "play with these forces, or concede the game" in prompts


@pytest.mark.rule("AOA-O1")
def test_unseen_enemy_may_have_any_company() -> None:
    state = in_a_campaign(1)
    assert view(state, "german").rosters["soviet"] == {}
    dealt = [dealt_like(state, "german", Stream(bytes([number]))) for number in range(40)]
    assert len({str(company_of(each, "soviet")) for each in dealt}) > 4
    printed = starting_force(state.board.lists["soviet"])
    assert sum(each.rosters["soviet"].keys() == printed.platoons.keys() for each in dealt) > 20
    assert all(each.rosters["german"] == state.rosters["german"] for each in dealt)


@pytest.mark.rule("AOA-3.16", "AOA-R56")
def test_unseen_platoons_keep_their_bought_level() -> None:
    state = in_a_campaign(2)
    shown = view(state, "soviet").rosters["german"]
    assert 0 < len(shown) < len(state.rosters["german"])
    for number in range(20):
        dealt = dealt_like(state, "soviet", Stream(bytes([number])))
        for name, each in dealt.rosters["german"].items():
            if name not in shown:
                assert each.level == each.bought >= DEPLETED
                assert not each.immobile
            assert len(dealt.ladder["german"][name]) == state.turn


@pytest.mark.rule("AOA-1.13", "AOA-11.08")
def test_weakened_platoon_is_dealt_with_any_bought_level_above() -> None:
    """The ids are not those of the list's force, so the enemy built its own, at unknown sizes."""
    state = in_a_campaign(1)
    state.rosters["soviet"] = {
        name: Platoon("strelkovy", 4, 2, teams=10, fought=True) for name in ("odd-1", "odd-2", "odd-3")
    }
    kind = state.board.lists["soviet"].types["strelkovy"]
    state.shown["soviet"] = ["odd-1", "odd-2"]
    bought = set()
    for number in range(40):
        dealt = dealt_like(state, "german", Stream(bytes([number])))
        assert why_not_built(dealt, "soviet") is None
        bought.add(dealt.rosters["soviet"]["odd-1"].bought)
        assert "odd-3" not in dealt.rosters["soviet"]
    assert bought == {level for level in levels_of(kind) if level >= DEPLETED}


@pytest.mark.rule("AOA-3.01")
def test_deal_with_one_seen_platoon_is_a_legal_company() -> None:
    """Only a support platoon was seen; the deal adds the combat platoons that a company needs."""
    state = in_a_campaign(1)
    company = state.board.lists["soviet"]
    support = next(name for name, kind in company.types.items() if kind.slot == "support")
    state.rosters["soviet"]["strange"] = Platoon(support, 4, 4)
    state.shown["soviet"] = ["strange"]
    for number in range(20):
        dealt = dealt_like(state, "german", Stream(bytes([number])))
        combat = [each for each in dealt.rosters["soviet"].values() if company.types[each.type].slot == COMBAT]
        assert company.least <= len(combat) <= company.most
        assert why_not_built(dealt, "soviet") is None


@pytest.mark.rule("AOA-R10")
def test_dealt_platoons_have_the_strength_that_they_field() -> None:
    for game in questions("eastern_front", "random", "table", strength_memory="exact_teams"):
        state = state_of(game)
        for side in SIDES if state.forces else ():
            dealt, enemy = dealt_like(state, side, Stream(b"table")), ENEMY[side]
            for each in state.forces[enemy].platoons:
                fought = state.rosters[enemy][each.platoon].fought
                assert fought or teams_available(dealt, enemy, each.platoon) >= each.teams
                bought = dealt.rosters[enemy][each.platoon].upgrades
                assert all(number <= bought.get(name, 0) for name, number in each.upgrades.items())
            air = state.forces[enemy].air
            assert not air.aircraft or air.aircraft in dealt.aircraft[enemy]


@pytest.mark.full
@pytest.mark.rule("AOA-7.05", "AOA-10.15")
def test_enemy_platoon_may_be_immobile_after_two_sectors() -> None:
    state = in_a_campaign(2)
    types = state.board.lists["german"].types
    motor = next(name for name, each in state.rosters["german"].items() if types[each.type].transport == MOTOR)
    state.shown["german"] = list(state.rosters["german"])

    def immobile() -> set[bool]:
        dealt = (dealt_like(state, "soviet", Stream(bytes([number]))) for number in range(60))
        return {each.rosters["german"][motor].immobile for each in dealt}

    assert immobile() == {False}
    state.bound, state.moved_two = "german", True
    assert immobile() == {False, True}
    state.forces = {"german": Force([Fielded(motor, 5)]), "soviet": Force()}
    assert immobile() == {False}


@pytest.mark.rule("AOA-9.17")
def test_written_targets_of_the_enemy_are_not_dealt() -> None:
    state = in_a_campaign(2)
    shoots = {side: Purchase("battalion_shoot", 1, (), (f"the {side} mill, turn 3",)) for side in SIDES}
    state.forces = {side: Force(purchase=shoots[side]) for side in SIDES}
    dealt = dealt_like(state, "german", Stream(b"targets"))
    assert dealt.forces["german"].purchase == shoots["german"]
    assert dealt.forces["soviet"].purchase == Purchase("battalion_shoot", 1)


@pytest.mark.rule("AOA-O1")
def test_unchanged_own_platoons_are_known_to_the_enemy_at_random() -> None:
    """A view does not record what the enemy saw. Changed platoons are known, others at random."""
    state = in_a_campaign(2)
    levels = state.ladder["german"]
    changed = {name for name, each in state.rosters["german"].items() if each.level != levels[name][0]}
    assert changed
    known = [set(dealt_like(state, "german", Stream(bytes([number]))).shown["german"]) for number in range(20)]
    assert all(changed <= each for each in known)
    assert len({len(each) for each in known}) > 1
    opening = in_a_campaign(1)
    assert dealt_like(opening, "german", Stream(b"opening")).shown["german"] == []


@pytest.mark.full
@pytest.mark.rule("AOA-11.21", "AOA-R64")
def test_two_hundred_positions_with_sealed_exchanges_are_dealt() -> None:
    """Exchanges are sealed, and shown when all are in: a deal gives those that were shown, so that none contradicts."""
    asked = exchanged = 0
    for number in range(20):
        seed, options = f"exchange {number}", {"exchange_when": "before_reinforcement", "vp_start": "20"}
        for game in questions(SCENARIOS[number % 2], "random", seed, **options):
            if asked == 200:
                break
            exchanged += any(isinstance(getattr(each, "event", None), PlatoonExchanged) for each in game.trail)
            side = game.waiting()[0].side
            simulated = simulator(game).deal(Stream(key_from_seed(f"{seed}/{asked}")), hook)
            assert view(state_of(simulated), side) == view(state_of(game), side)
            asked += 1
    assert asked == 200
    assert exchanged > 20
