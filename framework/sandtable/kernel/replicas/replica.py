"""Replicas: one game run by several programs, each of which holds only the secrets of its own sides.

A replica runs the rules on a state that has placeholders for unknown data: secret orders of other sides are replaced
with their ``stand_in``, and facts that follow from them come from outside, as claims. The public part of the records is
the same in every replica. Its state differs from that of the game only in data that its sides may not see.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from msgspec import json
from msgspec.structs import replace

from sandtable.errors import IllegalOrder, PlayError, RulesetError
from sandtable.kernel.decisions import PUBLIC, Claim, Decision, Order, Roll, Secret
from sandtable.kernel.dice import Dice
from sandtable.kernel.play.engine import Seat
from sandtable.kernel.play.game import Game
from sandtable.kernel.play.rewind import Snapshot
from sandtable.kernel.records import ClaimRecord, SealRecord
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import State


def public_digest(ruleset: Ruleset, state: State) -> str:
    """Return the digest of what all may see of ``state``."""
    if not ruleset.hidden:
        return ruleset.codec.digest(state)
    return sha256(json.encode(ruleset.view(state, PUBLIC), order="deterministic")).hexdigest()


class Replica(Game):
    """A game without a keeper, as the program of the sides ``holds`` runs it.

    Claims are recorded, because other holders of the log cannot compute them. A claim of another side is ``pending``
    until ``resolve_claim``, and a secret order of another side until ``submit_hidden``. Digests are those of the public
    view. A replica that holds all sides computes every claim: it proves those that others recorded.
    """

    __slots__ = ("_stated", "holds")

    def __init__(
        self, ruleset: Ruleset, state: State, dice: Dice, first: bytes | None = None, *, holds: Iterable[str]
    ) -> None:
        super().__init__(ruleset, state, dice, first)
        self.holds = frozenset(holds)
        self._stated: list[Any] = []
        strange = sorted(self.holds.difference(ruleset.sides))
        if strange:
            raise PlayError(f"{ruleset.id} has no side {strange[0]!r}: choose {', '.join(ruleset.sides)}")

    def is_own(self, decision: Decision) -> bool:
        """Return whether the replica holds the secrets of the side that makes ``decision``."""
        return self.ruleset.side_of(decision.seat) in self.holds

    def submit_hidden(self, by: str) -> None:
        """Continue after a secret order of seat ``by`` that this replica does not know.

        Raises PlayError if no secret decision of another side's seat is pending, and RulesetError if the rules have no
        stand-in for the order.
        """
        decision = self._pending_of(by)
        if not decision.secret or self.is_own(decision):
            raise PlayError(f"the order of {by} is not hidden: submit it")
        if decision.stand_in is None:
            raise RulesetError(
                f"{self.ruleset.id}: the secret decision {decision.purpose or by} ({decision.rule}) has no stand_in: "
                "without a keeper, other sides cannot run the rules past it"
            )
        self._take(decision, decision.stand_in)

    def resolve_claim(self, value: Any) -> None:
        """Use ``value`` as the value of the pending Claim.

        Raises PlayError if none is pending, and IllegalOrder, which leaves the game unchanged, if the facts known to
        all do not allow the value.
        """
        claim = self.pending
        if not isinstance(claim, Claim):
            raise PlayError("no claim is pending")
        refusal = claim.why_not(value)
        if refusal is not None:
            raise IllegalOrder(refusal.rule, refusal.reason)
        self._record_claim(claim, value)
        self._advance(value)

    # ------------------------------------------------------------------ what the engine calls

    def _give(self, decision: Decision, order: Order, at_table: Any = None) -> None:
        """Check and take an order; one of another side is judged as far as this replica can judge it."""
        if not self.is_own(decision):
            if decision.secret and self.ruleset.side_of(decision.seat) in self.ruleset.sides:
                raise PlayError(f"the order of {decision.seat} is secret: this replica may not hold it")
            if decision.outside is not None:
                replace(decision, options=decision.outside).check(order)
                self._take(decision, order, at_table)
                return
        super()._give(decision, order, at_table)

    def seats_of(self, players: Any) -> dict[str, Seat]:
        """Return the seats that ``players`` take: only those of the replica's own sides."""
        own = {each for each, side in self.ruleset.seats.items() if side in self.holds} | self.holds
        return {seat: given for seat, given in super().seats_of(players).items() if seat in own}

    def _claimed(self, claim: Claim) -> Any:
        if self._stated:  # the rules are run again: the value was recorded
            value = self._stated.pop()
        elif claim.side in self.holds:
            value = claim.value()
            refusal = claim.why_not(value)
            if refusal is not None:
                raise RulesetError(
                    f"{self.ruleset.id}: the claim {claim.purpose} of {claim.side} is {value!r}, which its options "
                    f"refuse: {refusal.reason}"
                )
        else:
            self.pending = claim
            return None
        self._record_claim(claim, value)
        return value

    def _known(self, secret: Secret) -> Any:
        return super()._known(secret) if secret.side in self.holds else secret.stand_in

    def _record_claim(self, claim: Claim, value: Any) -> None:
        self._number += 1
        self._append(ClaimRecord(self._number, claim.side, claim.purpose, value, claim.rule, claim.fact))

    def _uncommon(self, item: Any, kind: type[Any]) -> Any:
        if kind is Roll and item.side and item.side not in self.holds:
            roll = f"{item.purpose} ({item.rule})"
            raise RulesetError(f"{self.ruleset.id}: the roll {roll} is secret: without a keeper no side can make it")
        return super()._uncommon(item, kind)

    def _seal(self) -> None:
        self._number += 1
        self._append(SealRecord(self._number, public_digest(self.ruleset, self.state)))

    def _last_digest(self) -> str:
        return public_digest(self.ruleset, self.state)

    def _empty(self, state: State, dice: Dice, first: bytes | None = None) -> "Replica":
        return Replica(self.ruleset, state, dice, first, holds=self.holds)

    def _restore(self, state: State, snapshot: Snapshot, tail: list[Any], start: int = 0, *, stop: bool = False) -> Any:
        self._stated = [record.value for record in tail if isinstance(record, ClaimRecord)][::-1]
        try:
            return super()._restore(state, snapshot, tail, start, stop=stop)
        finally:
            self._stated = []
