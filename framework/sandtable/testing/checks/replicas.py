"""The check of games without a keeper: replicas that lack each other's secrets must agree on all that is public."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.errors import IllegalOrder, PlayError, RulesetError
from sandtable.journal.format.codec import ENCODER, RecordCodec
from sandtable.journal.sides.claims import Committed, FactTree, OpenedSecrets, judge_claims, public_part
from sandtable.journal.sides.slices import seen_records
from sandtable.kernel.decisions import UMPIRE, Claim, Decision, Order, Sealed
from sandtable.kernel.dice import Dice
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import text_of
from sandtable.kernel.records import ClaimRecord
from sandtable.kernel.replicas.replica import Replica
from sandtable.plugin.manager import Prepared
from sandtable.plugin.options.keepers import keeper_for, without_keeper
from sandtable.testing.checks.bench import FaultError, Harness, NotChecked, Trial, parting
from sandtable.testing.fuzz import fuzz_game

USUAL_GAMES = 6
ADVICE = "the rules use a secret that not every replica holds: yield a Claim"
Choose = Callable[[Replica, Decision], Order]
"""A function that returns the order for a decision that is pending in the replica of its side."""


class Replicas:
    """One game in several replicas, each with the secrets of one side. They exchange only what all may know.

    ``opened`` are the secrets of each side, which no other replica reads; they are for the proof at the close.
    ``committed`` are the sides' commitments to their facts, ``openings`` counts the claims that were proven at once.
    """

    def __init__(self, prepared: Prepared, dice: Callable[[], Dice]) -> None:
        self.prepared = prepared
        self.ruleset = prepared.ruleset
        self.by_side = {side: prepared.new_replica(dice(), (side,)) for side in self.ruleset.viewers}
        self.opened = {side: OpenedSecrets({}, side.encode()) for side in self.by_side}
        self.committed: list[Committed] = []
        self.openings = 0
        self._trees: dict[str, FactTree] = {}
        self._group: list[tuple[str, Order]] = []
        self._compared = 0

    @property
    def first(self) -> Replica:
        """One of the replicas, for public data, which are the same in all."""
        return next(iter(self.by_side.values()))

    def start(self) -> None:
        """Begin the game in all replicas."""
        for replica in self.by_side.values():
            replica.start()
        self._settle()

    def waiting(self) -> tuple[Decision, ...]:
        """Return the decisions that still have no order, each from the replica of its side."""
        given = [seat for seat, _ in self._group]
        seats = [each.seat for each in self.first.waiting() if each.seat not in given]
        return tuple(self._own(seat, next(_asked(self.of(seat), seat))) for seat in seats)

    def _own(self, seat: str, decision: Decision) -> Decision:
        if self.ruleset.side_of(seat) not in self.by_side:
            raise FaultError(f"{seat} must {decision.prompt!r}, but without a keeper there is no {UMPIRE}")
        return decision

    def of(self, seat: str) -> Replica:
        """Return the replica of the side of ``seat``."""
        return self.by_side.get(self.ruleset.side_of(seat), self.first)

    def give(self, seat: str, order: Order) -> None:
        """Give ``order`` in the replica of its side, and what others may know of it in theirs.

        Orders of a sealed group are opened together. Raises IllegalOrder if the replica of the side refuses the order.
        """
        if isinstance(self.first.pending, Sealed):
            next(_asked(self.of(seat), seat)).check(order)
            self._group.append((seat, order))
            if len(self._group) < len(self.first.pending.decisions):
                return
            group, self._group = self._group, []
        else:
            group = [(seat, order)]
        for by, given in group:
            self._send(by, given)
        self._settle()

    def _send(self, seat: str, order: Order) -> None:
        owner = self.of(seat)
        decision = next(_asked(owner, seat))
        side = self.ruleset.side_of(seat)
        if decision.secret:
            self.opened[side] = OpenedSecrets({**self.opened[side].orders, owner.number + 1: order}, side.encode())
            self._trees.pop(side, None)
        owner.submit(order, seat)
        sent = RecordCodec.of(self.ruleset).order.decode(ENCODER.encode(order))
        for replica in self.by_side.values():
            if replica is owner:
                continue
            if decision.secret:
                replica.submit_hidden(seat)
            else:
                self._take(replica, seat, sent)

    def _take(self, replica: Replica, seat: str, order: Order) -> None:
        try:
            replica.submit(order, seat)
        except IllegalOrder as error:
            holds = ", ".join(sorted(replica.holds))
            raise FaultError(
                f"record {replica.number + 1}: the replica of {holds} refuses {order!r} of {seat}: {error}: if the "
                "options depend on secrets, give the decision its options as others can judge them (outside)"
            ) from error

    # ------------------------------------------------------------------ claims

    def _settle(self) -> None:
        """Exchange claims until no replica waits for one, compare the records, and commit to changed facts."""
        while self._exchange():
            pass
        self._compare()
        facts = self.ruleset.facts
        if facts is None:
            return
        for side, replica in self.by_side.items():
            tree = FactTree(facts(replica.state, side), replica.number, self.opened[side].source)
            if side not in self._trees or tree.facts != self._trees[side].facts:
                self._trees[side] = tree
                self.committed.append(Committed(side, replica.number, tuple(tree.names), tree.root))

    def _exchange(self) -> bool:
        """Resolve a pending claim; return whether there was one."""
        pending = [each for each in self.by_side.values() if isinstance(each.pending, Claim)]
        behind = min(pending, key=lambda each: each.number, default=None)  # its claim is made, or will never be
        if behind is None:
            return False
        claim: Any = behind.pending
        behind.resolve_claim(self._stated(behind, claim))
        return True

    def _stated(self, replica: Replica, claim: Claim) -> Any:
        """Return the value that the side of ``claim`` states, as it would be sent."""
        owner, n = self.by_side[claim.side], replica.number + 1
        made = owner.records[n - 1] if n <= owner.number else None
        holds = ", ".join(sorted(replica.holds))
        if not isinstance(made, ClaimRecord) or (made.by, made.purpose) != (claim.side, claim.purpose):
            raise FaultError(
                f"record {n}: the replica of {holds} waits for the claim {claim.purpose} ({claim.rule}) of "
                f"{claim.side}, which makes {_named(made)}: whether a claim is made must depend on public facts"
            )
        value = ENCODER.encode(made.value)
        tree = self._trees.get(claim.side)
        if claim.fact and tree is not None:
            commitment = next(each for each in reversed(self.committed) if each.side == claim.side)
            proven = ENCODER.encode(commitment.value_of(claim.fact, tree.opening(claim.fact)))
            if proven != value:
                raise FaultError(f"record {n}: {claim.side} claims {made.value!r}; its fact {claim.fact} is {proven!r}")
            self.openings += 1
        return msgspec.json.decode(value)

    # ------------------------------------------------------------------ comparison

    def _compare(self) -> None:
        """Compare the public parts of the new records of all replicas. Raises FaultError at the first difference."""
        (first, one), *others = self.by_side.items()
        for side, other in others:
            for a, b in zip(one.records[self._compared :], other.records[self._compared :], strict=False):
                parts = [public_part(each, self.ruleset) for each in (a, b)]
                if parts[0] != parts[1]:
                    difference = parting(*map(msgspec.json.decode, parts))
                    raise FaultError(f"record {a.n} differs between {first} and {side}: {difference}: {ADVICE}")
            if one.number != other.number:
                number = min(one.number, other.number) + 1
                raise FaultError(f"record {number} is in only one replica of {first} and {side}: {ADVICE}")
        self._compared = one.number

    def head(self, side: str) -> bytes:
        """Return what all may see of the records in the replica of ``side``, line by line."""
        return b"\n".join(public_part(each, self.ruleset) for each in self.by_side[side].records)


def _asked(replica: Replica, seat: str) -> Iterator[Decision]:
    return (each for each in replica.waiting() if each.seat == seat)


def _named(record: Any) -> str:
    if record is None:
        return "no record"
    inner = getattr(record, "event", None) or record
    return f"{type(inner).__name__} {getattr(inner, 'purpose', '')}".rstrip()


def play_apart(prepared: Prepared, dice: Callable[[], Dice], choose: Choose) -> Replicas:
    """Play a game in replicas, with ``choose`` for every decision, and return them when it is over."""
    game = Replicas(prepared, dice)
    game.start()
    while waiting := game.waiting():
        decision = waiting[0]
        game.give(decision.seat, choose(game.of(decision.seat), decision))
    return game


# --- the check ---


def check_replicas(bench: Harness) -> str:
    """Play games again in replicas that lack each other's secrets; each must equal the game as its side sees it."""
    played = claims = openings = 0
    for trial in _trials(bench):
        found = _played_apart(trial)
        made = sum(isinstance(each, ClaimRecord) for each in found.first.records)
        if made and keeper_for(bench.installed.manifest, trial.prepared.options).keeper == "none":
            raise FaultError(f"{trial.name}: makes claims, so its manifest must say claims, not none")
        played, claims, openings = played + 1, claims + made, openings + found.openings
    if not played:
        return NotChecked("not checked: every game needs a keeper, or has one side only")
    proven = f", {openings} of them proven at once" if openings else ""
    return f"{played} games played by replicas that lack each other's secrets, with {claims} claims{proven}"


def _trials(bench: Harness) -> Iterator[Trial]:
    """Yield random games of settings that need no keeper, if necessary with other values of some options."""
    manifest = bench.installed.manifest
    for number in range(max(USUAL_GAMES, bench.games // 2)):
        usual = bench.played_settings[number % len(bench.played_settings)]
        options = without_keeper(manifest, usual.options)
        if options is None or len(usual.ruleset.viewers) < 2:
            continue
        prepared = usual if options == usual.options else bench.installed.prepare(usual.scenario, options)
        played = fuzz_game(prepared, f"{bench.seed}/apart/{number}", bound=bench.bound)
        if played.ended:
            yield Trial(prepared, played)


def _played_apart(trial: Trial) -> Replicas:
    """Play the orders of ``trial`` in replicas and compare each with the game at every order and at the end."""
    apart = Replicas(trial.prepared, trial.dice)
    try:
        apart.start()
        for point in trial.replay():
            seat = point.decision.seat
            own = next((each for each in apart.waiting() if each.seat == seat), None)
            if own is None:
                raise FaultError(f"{point.place}, but not without a keeper")
            _compare_question(point.game, point.decision, apart.of(seat), own)
            apart.give(seat, point.order)
        for side, replica in apart.by_side.items():
            _compare_records(trial, side, replica)
        judged = judge_claims(trial.prepared, apart.first.records, trial.dice(), apart.opened, apart.committed)
    except FaultError as error:
        raise FaultError(f"{trial.name}: {error}") from error
    except (RulesetError, PlayError, IllegalOrder) as error:
        raise FaultError(f"{trial.name}: without a keeper: {error}") from error
    if str(judged) != "proven":
        raise FaultError(f"{trial.name}: the claims are not proven by the opened orders: {judged}")
    return apart


def _compare_question(game: Game, there: Decision, replica: Replica, here: Decision) -> None:
    """Raise FaultError unless a side has the same view and question in its replica as in the game."""
    side = replica.ruleset.side_of(here.seat)
    where = f"record {replica.number + 1}: {here.seat}"
    views = [each.view(side) for each in (game, replica)]
    if views[0] != views[1]:
        raise FaultError(f"{where} sees another position without a keeper: {parting(*views)}")
    texts = [text_of(each.question_of(asked)) for each, asked in ((game, there), (replica, here))]
    if texts[0] != texts[1] or here.prompt != there.prompt:
        raise FaultError(f"{where} has another question without a keeper: {here.prompt!r}, not {there.prompt!r}")


def _compare_records(trial: Trial, side: str, replica: Replica) -> None:
    """Raise FaultError unless the records of ``replica`` show its side what those of the game do."""
    made = [each for each in replica.records if not isinstance(each, ClaimRecord)]
    seen = [seen_records(each, trial.prepared, side) for each in (trial.records, made)]
    for there, here in zip(*seen, strict=False):
        same = replace(here, n=there.n)  # claims are numbered, too
        if there != same:
            raise FaultError(f"{side} reads other records without a keeper: {parting(there, same)}")
    if len(seen[0]) != len(seen[1]):
        raise FaultError(f"{side} reads {len(seen[1])} records without a keeper, not {len(seen[0])}")
