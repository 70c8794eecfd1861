"""Hypothesis strategies for rulesets: maps, legal games, dice labels. Hypothesis is loaded on first use."""

from typing import TYPE_CHECKING

from sandtable.board.areas.map import Area, AreaMap, Connector
from sandtable.kernel.dice import KeyedDice, Stream, key_from_seed
from sandtable.kernel.play.game import Game
from sandtable.plugin.manager import Prepared
from sandtable.testing.fuzz import Given

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

LISTED = 30
"""Maximum number of options drawn from as a list, so that a failing example shrinks to the first of them."""


def area_maps(
    least: int = 2,
    most: int = 8,
    terrains: tuple[str, ...] = ("clear", "rough"),
    kinds: tuple[str, ...] = ("border",),
) -> "SearchStrategy[AreaMap]":
    """Return a strategy for connected maps of ``least`` to ``most`` areas called a, b, c and so on."""
    from hypothesis import strategies as st  # noqa: PLC0415 - see the module's docstring

    @st.composite
    def maps(draw: "DrawFn") -> AreaMap:
        ids = [chr(ord("a") + place) for place in range(draw(st.integers(least, most)))]
        areas = tuple(Area(each, each.upper(), draw(st.sampled_from(terrains))) for each in ids)
        tree = {(ids[draw(st.integers(0, place - 1))], ids[place]) for place in range(1, len(ids))}
        pairs = [(a, b) for place, a in enumerate(ids) for b in ids[place + 1 :]]
        joined = sorted(tree | draw(st.sets(st.sampled_from(pairs), max_size=len(ids)))) if pairs else []
        links = tuple(Connector(a, b, draw(st.sampled_from(kinds))) for a, b in joined)
        return AreaMap("drawn", areas, links)

    return maps()


def played_games(prepared: Prepared, most: int = 30) -> "SearchStrategy[tuple[Game, tuple[Given, ...]]]":
    """Return a strategy for games of ``prepared`` after up to ``most`` legal orders, with those orders.

    The seed of the dice is drawn as well. The game may be over. Each draw makes a separate game.
    """
    from hypothesis import strategies as st  # noqa: PLC0415 - see the module's docstring

    @st.composite
    def games(draw: "DrawFn") -> tuple[Game, tuple[Given, ...]]:
        game = prepared.new_game(KeyedDice(key_from_seed(f"drawn/{draw(st.integers(0, 999))}")))
        game.start()
        given: list[Given] = []
        for _ in range(draw(st.integers(0, most))):
            if not game.waiting():
                break
            decision = draw(st.sampled_from(game.waiting()))
            options = decision.options
            if options.count(LISTED + 1) <= LISTED:
                order = draw(st.sampled_from(list(options.values())))
            else:
                order = options.sample(Stream(draw(st.binary(min_size=1, max_size=4))))
            number = game.number + 1
            game.submit(order, decision.seat)
            given.append(Given(decision.seat, order, number))
        return game, tuple(given)

    return games()


def dice_labels() -> "SearchStrategy[str]":
    """Return a strategy for dice labels: turn, phase, purpose and number."""
    from hypothesis import strategies as st  # noqa: PLC0415 - see the module's docstring

    phase = st.from_regex(r"[a-z_]{1,12}(\.[a-z_]{1,12})?", fullmatch=True)
    purpose = st.from_regex(r"[A-Za-z0-9._:-]{1,24}", fullmatch=True)
    return st.builds(
        lambda turn, named, why, number: f"{turn}/{named}/{why}/{number}",
        st.integers(0, 99),
        phase,
        purpose,
        st.integers(1, 40),
    )
