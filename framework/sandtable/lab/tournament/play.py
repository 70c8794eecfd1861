"""Playing one game of a tournament: seats are taken, a row is made of what came of it. Who fails, forfeits."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import thread_time_ns

from sandtable.errors import BotFault, IllegalOrder, PlayError, SandtableError
from sandtable.journal.format.header import make_dice, make_header
from sandtable.journal.luck.ledger import by_entrant, luck_milli, whose_luck
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.kernel.play.game import Player
from sandtable.kernel.play.views import View
from sandtable.lab.plan import Entrant, Forfeit, GamePlan, Row
from sandtable.lab.tournament.annexes import Aside
from sandtable.lab.tournament.payloads import full_body, orders_body
from sandtable.lab.tournament.preparing import Stage, configured, player_of
from sandtable.players.players import USUAL, name_seats, seat_players
from sandtable.players.processes.bot import ProcessBot
from sandtable.players.processes.limits import Limits, Verdict
from sandtable.players.processes.protocol import try_order
from sandtable.players.processes.supervised import SupervisedBot, play_guarded


@dataclass(frozen=True)
class Played:
    """A game that was played: its row, its log, the body of it that is kept, and what is told beside these."""

    row: Row
    log: bytes = field(repr=False)
    body: bytes = field(repr=False)
    aside: Aside


class Seated:
    """An entrant's player for one side: counts decisions, keeps to the budget of them, turns failures into faults.

    ``nanoseconds`` is what his decisions took of the processor. ``careful`` looks at every order before the rules do,
    so that an illegal one is his fault and not a failure.
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
        """Return the player's order; raises BotFault for whatever goes wrong."""
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
            raise self._fault("crash", f"failed when asked {decision.prompt!r}: {problem}") from error
        finally:
            self.nanoseconds += thread_time_ns() - began
        if self._careful and (refusal := try_order(decision, order)):
            raise self._fault("illegal", str(IllegalOrder(*refusal)))
        return order

    @property
    def spent(self) -> tuple[str, int]:
        """The entrant, and the nanoseconds of processor that he has had: those of his program, where he is one."""
        own = self.player.fate.get("cpu_ms", 0) * 1_000_000 if isinstance(self.player, ProcessBot) else self.nanoseconds
        return self._entrant.name, own

    @property
    def nodes(self) -> tuple[str, int] | None:
        """The entrant and how many nodes its search has had; None for who does not search."""
        spent = getattr(self.player, "nodes_spent", None)
        return None if spent is None else (self._entrant.name, spent)

    @property
    def battles(self) -> list[object]:
        """The battles that the player has had fought."""
        return list(getattr(self.player, "battles", ()))

    def _fault(self, verdict: Verdict, reason: str) -> BotFault:
        return BotFault(self._entrant.name, self._side, verdict, reason)


def play_planned(stage: Stage, plan: GamePlan) -> Played:
    """Play the game ``plan`` to its end, or to a forfeit.

    Raises PlayError, with how to play it again, when the rules themselves fail: then no result can be trusted.
    """
    try:
        try:
            return _play(stage, plan, careful=False)
        except IllegalOrder:  # somebody's: the same game again tells whose
            return _play(stage, plan, careful=True)
    except SandtableError as error:
        again = f"game {plan.number} (seed {plan.seed}) of {stage.tournament.title!r} failed"
        raise PlayError(f"{again}: {error}: the rules of {_ruleset(stage, plan)} must be fixed first") from error


def _ruleset(stage: Stage, plan: GamePlan) -> str:
    return stage.tournament.contests[plan.contest].ruleset


def _play(stage: Stage, plan: GamePlan, *, careful: bool) -> Played:
    prepared, tournament = stage.prepared[plan.contest], stage.tournament
    key = key_from_seed(plan.seed)
    dice = make_dice(tournament.dice, key)
    counts: dict[str, list[int]] = {name: [0] for name in plan.lineup.values()}
    with ExitStack() as leaving:
        players, names = _seats(stage, plan, key, counts, leaving, careful=careful)
        played = play_guarded(prepared, players, dice, make_header(prepared, names, dice))
        for bot in {id(each): each for each in _processes(players)}.values():
            bot.end(played.outcome, played.ending)
    records = played.recorded.game.records
    full = tournament.logs == "full" or any(getattr(player, "battles", ()) for player in players.values())
    header = played.recorded.header
    body = full_body(played.recorded.data) if full else orders_body(header, records)
    whose = whose_luck(prepared.ruleset, played.recorded.game.favours)
    luck = by_entrant(luck_milli(records, whose), plan.lineup)
    row = _row(plan, played, counts, _nodes(players), luck)
    return Played(row, played.recorded.data, body, _aside(plan, played, players))


def _aside(plan: GamePlan, played: SupervisedBot, players: Mapping[str, Player]) -> Aside:
    spent: dict[str, int] = {}
    counted: set[int] = set()  # a program sits for a side once, in all its seats
    for player in players.values():
        if isinstance(player, Seated) and id(player.player) not in counted:
            counted.add(id(player.player))
            name, own = player.spent
            spent[name] = spent.get(name, 0) + own
    fault = played.fault
    if fault is None:
        return Aside(None, spent)
    who = plan.lineup[fault.side]
    return Aside(Forfeit(plan.number, who, fault.side, fault.verdict, fault.reason, fault.tail), spent)


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
    )


def _seats(
    stage: Stage, plan: GamePlan, key: bytes, counts: Mapping[str, list[int]], leaving: ExitStack, *, careful: bool
) -> tuple[dict[str, Player], dict[str, str]]:
    """Return the players of all seats and their names as the header has them; processes are closed by ``leaving``."""
    prepared, tournament = stage.prepared[plan.contest], stage.tournament
    contest = tournament.contests[plan.contest]
    entrants = {side: stage.entrant(name) for side, name in plan.lineup.items()}
    wanted = {side: player_of(each, contest) or USUAL for side, each in entrants.items()}
    names = name_seats(prepared, wanted)
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
            leaving.callback(process.close)
        seats = [seat for seat, its in prepared.ruleset.seats.items() if its == side]
        most, nodes = tournament.budget.decisions, tournament.budget.nodes
        each = max(1, nodes // len(seats)) if nodes else 0  # who has several seats shares his nodes among them
        for seat in seats:
            own = Seated(entrant, side, most, counts[entrant.name], careful=careful and process is None)
            own.player = process or configured(players[seat], entrant, each)
            players[seat] = own
            if process is not None or entrant.settings or (nodes and hasattr(own.player, "game_nodes")):
                names[seat] = entrant.name
    return players, names


def _nodes(players: Mapping[str, Player]) -> dict[str, int]:
    """Return the nodes of those who searched, by entrant: the sum over his seats."""
    spent: dict[str, int] = {}
    for player in players.values():
        if isinstance(player, Seated) and (own := player.nodes):
            spent[own[0]] = spent.get(own[0], 0) + own[1]
    return spent


def _processes(players: Mapping[str, Player]) -> list[ProcessBot]:
    inner = [player.player for player in players.values() if isinstance(player, Seated)]
    return [player for player in inner if isinstance(player, ProcessBot)]
