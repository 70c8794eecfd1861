"""The check of a ruleset's own bots: the manifest names existing bots, and each bot plays in the seats it may hold."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sandtable.errors import IllegalOrder
from sandtable.kernel.decisions import PUBLIC, UMPIRE, Decision, Sealed
from sandtable.kernel.dice import KeyedDice, ManualDice, Stream, key_from_seed
from sandtable.kernel.play.error_location import place_of
from sandtable.kernel.play.game import Game, Player
from sandtable.kernel.play.views import View
from sandtable.plugin.manager import Prepared
from sandtable.plugin.manifest import COMMON, Manifest, may_sit, seats_of
from sandtable.testing.checks.bench import FaultError, Harness, NotChecked
from sandtable.testing.fuzz import EndlessError, new_game, random_order, streams_of

MAX_ASKED = 20
"""Maximum number of decisions that a bot makes in each scenario."""

MAX_ORDERS = 20 * MAX_ASKED
"""Maximum number of orders in a game that tries a bot, including those of other seats."""

Maker = Callable[[str, Stream, Any], Player]


class Trying(NamedTuple):
    """A bot that is tried in ``seats`` of a game with ``dice``."""

    bench: Harness
    prepared: Prepared
    bot: str
    maker: Maker
    seats: Sequence[str]
    dice: type[KeyedDice]


def check_bots(bench: Harness) -> str:
    """Check that the manifest's ``bots`` and ``usual`` name existing bots, and that own bots play in their seats.

    Each bot is tried in every scenario, in all its seats, against random play. A bot that may be the umpire is also
    tried with manual dice. At each open question, two bots that are made alike must give the same answer.
    """
    manifest, own = bench.installed.manifest, bench.installed.bots.players
    problems = [*_in_bots(manifest, own), *_in_usual(manifest, own)]
    if problems:
        raise FaultError("; ".join(problems))
    decisions = 0
    for name, maker in own.items():
        for prepared in bench.usual_settings:
            seats = [seat for seat in prepared.ruleset.seats if may_sit(manifest, name, seat)]
            decisions += _try(Trying(bench, prepared, name, maker, seats, KeyedDice))
            if UMPIRE in seats:
                decisions += _try(Trying(bench, prepared, name, maker, [UMPIRE], ManualDice))
    if not own:
        return NotChecked("not checked: the ruleset has no bots")
    return f"{', '.join(own)}: {decisions} decisions made in the seats that they may hold"


def _in_bots(manifest: Manifest, own: Mapping[str, Maker]) -> Iterator[str]:
    known = (*own, *(name for name in COMMON if name not in own))
    places = dict.fromkeys([*manifest.sides, *seats_of(manifest)])
    for name, held in manifest.bots.items():
        if name not in known:
            yield f"manifest: bots.{name}: there is no such bot; choose from {', '.join(known)}"
        if not held:
            yield f"manifest: bots.{name}: names no seat: omit the bot, or name its seats"
        for place in held:
            if place not in places:
                yield f"manifest: bots.{name}: {place!r} is not a seat; choose from {', '.join(places)}"


def _in_usual(manifest: Manifest, own: Mapping[str, Maker]) -> Iterator[str]:
    for seat, name in manifest.usual.items():
        if seat not in seats_of(manifest):
            yield f"manifest: usual.{seat}: is not a seat; choose from {', '.join(seats_of(manifest))}"
        elif name not in own and name not in COMMON:
            yield f"manifest: usual.{seat}: there is no bot {name!r}; choose from {', '.join([*own, *COMMON])}"
        elif not may_sit(manifest, name, seat):
            yield f"manifest: usual.{seat}: {name} may not sit there according to the manifest's bots"


def _try(trying: Trying) -> int:
    """Let a bot make some decisions, with random play in the other seats; return their number."""
    prepared = trying.prepared
    seed = f"{trying.bench.seed}/{trying.bot}"
    game = new_game(prepared, seed, dice=trying.dice(key_from_seed(seed)), bound=trying.bench.bound)
    where = f"game {seed} ({prepared.scenario.id}, dice {game.dice.mode})"
    streams, decisions = streams_of(prepared, seed), 0
    players: dict[str, Player] = {}
    try:
        game.start()
        for _ in range(MAX_ORDERS):
            if game.is_over or decisions == MAX_ASKED:
                break
            decision = game.waiting()[0]
            seat = decision.seat
            if seat not in trying.seats:
                game.submit(random_order(decision, streams[seat]), seat)
                continue
            if seat not in players:
                players[seat] = trying.maker(seat, streams[seat], prepared.board)
            decisions += 1
            _check_repeats(trying, game, decision, where)
            _ask(players[seat], trying.bot, game, decision, where)
    except EndlessError:  # another check reports it
        return decisions
    return decisions


def _check_repeats(trying: Trying, game: Game, decision: Decision, where: str) -> None:
    """Raise FaultError if two bots that are made alike answer an open question differently: standing orders need one.

    Each sees what a spectator sees. It may fail, because it lacks the secrets of its side, but then both must.
    """
    if decision.secret or isinstance(game.pending, Sealed):
        return
    answers: list[Any] = []
    for _ in range(2):
        stream = Stream.for_player(key_from_seed(trying.bot), decision.seat)
        try:
            player = trying.maker(decision.seat, stream, game.state.board)
            answers.append(player.choose(decision, View(PUBLIC, game.view)))
        except Exception as error:  # noqa: BLE001 - a bot may rely on secrets of its side
            answers.append(type(error).__name__)
    if answers[0] != answers[1]:
        place = f"{where}, record {game.number + 1}: {trying.bot}, as {decision.seat} at {decision.prompt!r},"
        raise FaultError(
            f"{place} answers {answers[0]} and then {answers[1]}: draw random numbers from its stream only"
        )


def _ask(player: Player, bot: str, game: Game, decision: Decision, where: str) -> None:
    """Give the order that a bot chooses. Raises FaultError if the bot fails, or chooses an illegal order."""
    place = f"{where}, record {game.number + 1}: {bot}, as {decision.seat} at {decision.prompt!r},"
    view = View(game.ruleset.side_of(decision.seat), game.view, game.simulator)
    try:
        order = player.choose(decision, view)
    except Exception as error:
        raise FaultError(f"{place} fails: {type(error).__name__}: {error} ({place_of(error)})") from error
    try:
        decision.check(order)
    except IllegalOrder as error:
        raise FaultError(f"{place} gives {order}, which is refused: {error}") from error
    game.submit(order, decision.seat)
