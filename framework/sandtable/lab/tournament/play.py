"""Play one game of a tournament: seat the players and make a row of the result. An entrant that fails forfeits."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import thread_time_ns

from sandtable.errors import BotFault, IllegalOrder, PlayError, SandtableError
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.luck.ledger import by_entrant, luck_milli, luck_side_of
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.views import View
from sandtable.lab.plan import Entrant, Forfeit, GamePlan, Row
from sandtable.lab.tournament.annexes import Aside
from sandtable.lab.tournament.payloads import full_body, orders_body
from sandtable.lab.tournament.preparing import Stage, configured, player_of
from sandtable.players.players import DEFAULT_PLAYER, name_seats, seat_players
from sandtable.players.processes.bot import ProcessBot
from sandtable.players.processes.limits import Limits, Verdict
from sandtable.players.processes.protocol import try_order
from sandtable.players.processes.supervised import SupervisedBot, play_guarded


@dataclass(frozen=True)
class Played:
    """A game that was played: its row, its log, the log's body to be stored, and the aside."""

    row: Row
    log: bytes = field(repr=False)
    body: bytes = field(repr=False)
    aside: Aside


class Seated:
    """An entrant's player for one side: counts decisions, enforces their budget, and turns failures into faults.

    ``nanoseconds`` is the processor time of its decisions. With ``careful`` every order is checked before the rules
    apply it, so that an illegal order is the entrant's fault and not an error of the rules.
    """

    def __init__(self, entrant: Entrant, side: str, most: int, count: list[int], *, careful: bool) -> None:
        self.player: Player | None = None
        self.nanoseconds = 0
        self._entrant = entrant
        self._side = side
        self._most = most
        self._count = count
        self._careful = careful

    def choose(self, decision: Decision, view: View) -> Order:
        """Return the player's order. Raises BotFault for any failure."""
        count = self._count
        if count[0] == self._most > 0:
            raise self._fault("time", f"has used up its {self._most:,} decisions")
        count[0] += 1
        assert self.player is not None  # noqa: S101 - seated before the game begins
        began = thread_time_ns()
        try:
            order = self.player.choose(decision, view)
        except BotFault:
            raise
        except MemoryError as error:
            raise self._fault("memory", "ran out of memory") from error
        except Exception as error:
            problem = " ".join(f"{type(error).__name__}: {error}".split())
            raise self._fault("crash", f"failed at the decision {decision.prompt!r}: {problem}") from error
        finally:
            self.nanoseconds += thread_time_ns() - began
        if self._careful and (refusal := try_order(decision, order)):
            raise self._fault("illegal", str(IllegalOrder(*refusal)))
        return order

    @property
    def spent(self) -> tuple[str, int]:
        """The entrant and its processor time in nanoseconds, measured on its program if it is one."""
        own = (
            self.player.exit_report.get("cpu_ms", 0) * 1_000_000
            if isinstance(self.player, ProcessBot)
            else self.nanoseconds
        )
        return self._entrant.name, own

    @property
    def nodes(self) -> tuple[str, int] | None:
        """The entrant and the number of nodes of its search, or None if it does not search."""
        spent = getattr(self.player, "nodes_spent", None)
        return None if spent is None else (self._entrant.name, spent)

    @property
    def battles(self) -> list[object]:
        """The battles that were fought for the player."""
        return list(getattr(self.player, "battles", ()))

    def _fault(self, verdict: Verdict, reason: str) -> BotFault:
        return BotFault(self._entrant.name, self._side, verdict, reason)


def play_planned(stage: Stage, plan: GamePlan) -> Played:
    """Play the game ``plan`` to its end or to a forfeit.

    Raises PlayError, with how to replay the game, if the rules themselves fail: no result can be trusted then.
    """
    try:
        try:
            return _play(stage, plan, careful=False)
        except IllegalOrder:  # play the same game failed_game, carefully, to find the entrant that ordered it
            return _play(stage, plan, careful=True)
    except SandtableError as error:
        failed_game = f"game {plan.number} (seed {plan.seed}) of {stage.tournament.title!r} failed"
        raise PlayError(f"{failed_game}: {error}: the rules of {_ruleset(stage, plan)} must be fixed first") from error


def _ruleset(stage: Stage, plan: GamePlan) -> str:
    return stage.tournament.contests[plan.contest].ruleset


def _play(stage: Stage, plan: GamePlan, *, careful: bool) -> Played:
    prepared, tournament = stage.prepared[plan.contest], stage.tournament
    key = key_from_seed(plan.seed)
    dice = make_dice(tournament.dice, key)
    counts: dict[str, list[int]] = {name: [0] for name in plan.lineup.values()}
    with ExitStack() as stack:
        players, names = _seats(stage, plan, key, counts, stack, careful=careful)
        played = play_guarded(prepared, players, dice, make_header(prepared, names, dice))
        for bot in {id(each): each for each in _processes(players)}.values():
            bot.end(played.outcome, played.ending)
    records = played.recorded.game.records
    full = tournament.logs == "full" or any(getattr(player, "battles", ()) for player in players.values())
    header = played.recorded.header
    body = full_body(played.recorded.data) if full else orders_body(header, records)
    lucky_side = luck_side_of(prepared.ruleset, played.recorded.game.favors)
    luck = by_entrant(luck_milli(records, lucky_side), plan.lineup)
    row = _row(plan, played, counts, _nodes(players), luck)
    return Played(row, played.recorded.data, body, _aside(plan, played, players))


def _aside(plan: GamePlan, played: SupervisedBot, players: Mapping[str, Player]) -> Aside:
    spent: dict[str, int] = {}
    counted: set[int] = set()  # a program plays a side once, in all its seats
    for player in players.values():
        if isinstance(player, Seated) and id(player.player) not in counted:
            counted.add(id(player.player))
            name, own = player.spent
            spent[name] = spent.get(name, 0) + own
    fault = played.fault
    if fault is None:
        return Aside(None, spent)
    forfeiter = plan.lineup[fault.side]
    return Aside(Forfeit(plan.number, forfeiter, fault.side, fault.verdict, fault.reason, fault.tail), spent)


def _row(
    plan: GamePlan, played: SupervisedBot, counts: Mapping[str, list[int]], nodes: dict[str, int], luck: dict[str, int]
) -> Row:
    game, fault = played.recorded.game, played.fault
    verdicts: dict[str, Verdict] = dict.fromkeys(plan.lineup.values(), "ok")
    if fault is not None:
        failed: Verdict = fault.verdict  # type: ignore[assignment]  # sandtable.errors may not import Verdict
        verdicts[plan.lineup[fault.side]] = failed
    return Row(
        number=plan.number,
        outcome=played.outcome,
        winner=plan.lineup.get(played.outcome, ""),
        ending=played.ending,
        turns=game.state.turn,
        records=game.number,
        head=played.recorded.head.hex(),
        verdicts=verdicts,
        decisions={name: count[0] for name, count in counts.items()},
        nodes=nodes,
        luck_milli=luck,
        shares=played.shares,
    )


def _seats(
    stage: Stage, plan: GamePlan, key: bytes, counts: Mapping[str, list[int]], stack: ExitStack, *, careful: bool
) -> tuple[dict[str, Player], dict[str, str]]:
    """Return the players of all seats and their names for the header. ``stack`` closes the processes."""
    prepared, tournament = stage.prepared[plan.contest], stage.tournament
    contest = tournament.contests[plan.contest]
    entrants = {side: stage.entrant(name) for side, name in plan.lineup.items()}
    requested = {side: player_of(each, contest) or DEFAULT_PLAYER for side, each in entrants.items()}
    names = name_seats(prepared, requested)
    players = seat_players(prepared, names, key)
    for side, entrant in entrants.items():
        process: ProcessBot | None = None
        if entrant.command:
            limits, base = Limits.of(tournament.budget), Path(stage.base)
            hidden = [Path(each) for each in (stage.base, stage.folder) if each]
            stream = Stream.for_player(key, side)
            process = ProcessBot(
                entrant.command, prepared, side, stream, limits, name=entrant.name, base=base, hidden=hidden
            )
            stack.callback(process.close)
        seats = [seat for seat, its in prepared.ruleset.seats.items() if its == side]
        most, nodes = tournament.budget.decisions, tournament.budget.nodes
        each = max(1, nodes // len(seats)) if nodes else 0  # several seats of an entrant share its nodes
        for seat in seats:
            own = Seated(entrant, side, most, counts[entrant.name], careful=careful and process is None)
            own.player = process or configured(players[seat], entrant, each)
            players[seat] = own
            if process is not None or entrant.settings or (nodes and hasattr(own.player, "game_nodes")):
                names[seat] = entrant.name
    return players, names


def _nodes(players: Mapping[str, Player]) -> dict[str, int]:
    """Return the nodes of the entrants that searched, summed over their seats."""
    spent: dict[str, int] = {}
    for player in players.values():
        if isinstance(player, Seated) and (own := player.nodes):
            spent[own[0]] = spent.get(own[0], 0) + own[1]
    return spent


def _processes(players: Mapping[str, Player]) -> list[ProcessBot]:
    inner = [player.player for player in players.values() if isinstance(player, Seated)]
    return [player for player in inner if isinstance(player, ProcessBot)]
