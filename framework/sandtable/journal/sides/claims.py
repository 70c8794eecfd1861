"""Games without a keeper: what all replicas share, openings that prove claims at once, and the proof at the close.

A side commits to its secret facts after its secret orders, as the root of a tree with a leaf for every fact, each with
its own salt. A claim that equals a fact is proven by the opening of that leaf, so its maker can neither deny nor invent
it. All other claims are proven when the secret orders of the side are opened: then a replica that holds the side
computes them again.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import DecodeError, Struct, json, to_builtins
from msgspec.structs import replace

from sandtable.errors import PlayError, SandtableError
from sandtable.journal.file.log import Log
from sandtable.journal.format.secrecy import split
from sandtable.journal.format.trees import Tree, leaf_hash, place_in, root_from
from sandtable.kernel.decisions import UMPIRE, Claim
from sandtable.kernel.dice import Dice, hmac_of
from sandtable.kernel.play.game import Game
from sandtable.kernel.questions import MARK, settled
from sandtable.kernel.records import ClaimRecord, EndRecord, OrderRecord, RulingRecord, UndoRecord
from sandtable.kernel.replicas.replica import Replica
from sandtable.kernel.ruleset import Ruleset
from sandtable.plugin.manager import Prepared
from sandtable.quoting import shortened

MAX_OPENING = 4096
"""Maximum length of the opening of a fact in bytes."""
_encode = json.Encoder(order="deterministic").encode


def public_part(record: Any, ruleset: Ruleset) -> bytes:
    """Return the public part of ``record``, as JSON; it is the same in every replica of the game.

    A question shows its label only, because its options may depend on secrets.
    """
    record = settled(record)
    if isinstance(record, OrderRecord) and ruleset.hidden:
        record = replace(record, asked=record.asked.partition(MARK)[0])
    parts = split(record, ruleset)
    if parts is None:
        return _encode(to_builtins(record))
    kind = "closed" if parts.public is None else record.__struct_config__.tag
    return _encode(to_builtins({"kind": kind, "n": record.n, **(parts.public or {})}))


# --- facts ---


class FactOpening(Struct, frozen=True, tag_field="kind", tag="fact", forbid_unknown_fields=True):
    """The opening of the fact ``name`` of commitment ``n``: value, salt, and the ``path`` to the root, in hex."""

    n: int
    name: str
    value: Any
    salt: str
    path: str = ""

    def leaf(self) -> bytes:
        """Return the leaf that the tree commits to."""
        return _encode(replace(self, path=""))


_decode_opening = json.Decoder(FactOpening).decode


class FactTree:
    """The tree over the secret ``facts`` of a side after record ``n``; ``source`` is its secret source of salts."""

    def __init__(self, facts: Mapping[str, Any], n: int, source: bytes) -> None:
        self.facts = dict(facts)
        self.names, salt = sorted(facts), hmac_of(source)
        self._openings = {
            name: FactOpening(n, name, facts[name], salt(f"fact/{n}/{name}".encode()).hex()[:32]) for name in self.names
        }
        leaves = [leaf_hash(each.leaf()) for each in self._openings.values()]
        self._tree = Tree(_names_hash(self.names, n), leaves)
        self.root = self._tree.root().hex()

    def opening(self, name: str) -> bytes:
        """Return the line that opens the fact ``name``; raises KeyError if there is none."""
        return _encode(replace(self._openings[name], path=self._tree.path(self.names.index(name)).hex()))


def _names_hash(names: Sequence[str], n: int) -> bytes:
    return leaf_hash(_encode(["facts", n, list(names)]))


class Committed(NamedTuple):
    """The commitment of ``side`` after record ``n`` to its facts, whose ``names`` all know."""

    side: str
    n: int
    names: tuple[str, ...]
    root: str

    def value_of(self, name: str, line: bytes) -> Any:
        """Return the value of the fact ``name`` that ``line`` opens; raise PlayError if it is not its opening."""
        what = f"the opening of {name} by {self.side}"
        if len(line) > MAX_OPENING:
            raise PlayError(f"{what} is longer than {MAX_OPENING:,} bytes")
        try:
            found = _decode_opening(line)
            path = bytes.fromhex(found.path)
        except (DecodeError, ValueError) as error:
            raise PlayError(f"{what} cannot be read: {error}") from None
        if (found.n, found.name) != (self.n, name) or name not in self.names:
            raise PlayError(f"{what} is that of another fact")
        index, steps = place_in(self.names, name)
        root = root_from(leaf_hash(found.leaf()), index, path) if len(path) == 32 * steps else None
        if root is None or root.hex() != self.root or path[-32:] != _names_hash(self.names, self.n):
            raise PlayError(f"{what} does not fit the commitment after record {self.n}")
        return found.value


# --- the proof at the close ---


class OpenedSecrets(NamedTuple):
    """The secrets of a side, opened at the close: its secret orders by record, and its source of salts."""

    orders: Mapping[int, Any]
    source: bytes = b""


class ClaimsJudged(NamedTuple):
    """The verdict on the claims of a game: the first ``false`` one, and the sides whose claims are ``not_proven``."""

    false: str = ""
    not_proven: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.false or ", ".join(self.not_proven) or "proven"


def judge_claims(
    prepared: Prepared,
    records: Sequence[Any],
    dice: Dice,
    opened: Mapping[str, OpenedSecrets],
    committed: Sequence[Committed] = (),
) -> ClaimsJudged:
    """Return the verdict on the claims and commitments in the ``records`` of a replica.

    ``opened`` has the secrets that the sides opened. The claims of a side that did not open all of its secret orders
    are not proven. Opened orders that do not lead to the claims of their side make it false.
    """
    ruleset = prepared.ruleset
    secret = {record.n: ruleset.side_of(record.by) for record in records if _is_secret(record)}
    holds = [
        side
        for side in ruleset.viewers
        if all(n in opened.get(side, OpenedSecrets({})).orders for n, by in secret.items() if by == side)
    ]
    claimed = {record.by for record in records if isinstance(record, ClaimRecord)} | {each.side for each in committed}
    secrets = prepared.installed.manifest.secrets or "secrets"
    withheld = tuple(
        f"not proven: {secrets} of {side}" for side in ruleset.viewers if side in claimed and side not in holds
    )
    game = prepared.new_replica(dice, holds)
    due = {(each.side, each.n): each for each in committed if each.side in holds}
    try:
        game.start()
        for number, record in enumerate(records, start=1):
            missing = f"record {number} is missing" if record.n != number else ""
            false = missing or _false_claim(game, record) or _false_facts(game, due, opened)
            if false:
                return ClaimsJudged(false, withheld)
            _repeat(game, record, opened)
        false = _false_facts(game, due, opened) or _never_reached(game, due)
    except SandtableError as error:
        return ClaimsJudged(f"record {game.number + 1}: the opened orders do not lead to it: {error}", withheld)
    return ClaimsJudged(false, withheld)


def _never_reached(game: Replica, due: Mapping[tuple[str, int], Committed]) -> str:
    """Return which commitment was made where the game does not wait for an answer, or ""."""
    past = next((each for each in due.values() if each.n <= game.number), None)
    return f"record {past.n}: {past.side} committed to facts where no order was expected" if past else ""


def _is_secret(record: Any) -> bool:
    return isinstance(record, OrderRecord) and record.secret


def _repeat(game: Replica, record: Any, opened: Mapping[str, OpenedSecrets]) -> None:
    """Give ``game`` the next input from ``record``: an order, undo, ruling, or a claim of a side that did not open."""
    if record.n != game.number + 1:
        return
    if isinstance(record, ClaimRecord):
        game.resolve_claim(record.value)
    elif isinstance(record, OrderRecord):
        side = game.ruleset.side_of(record.by)
        if not record.secret:
            game.submit(record.order, record.by)
        elif side in game.holds:
            game.submit(opened[side].orders[record.n], record.by)
        else:
            game.submit_hidden(record.by)
    elif isinstance(record, UndoRecord):
        game.undo(record.by)
    elif isinstance(record, RulingRecord):
        game.apply(record)


def _false_claim(game: Replica, record: Any) -> str:
    """Return how a record differs from the one that the replica has made already, or ""."""
    if record.n > game.number:
        return ""
    made = game.records[record.n - 1]
    if public_part(made, game.ruleset) == public_part(record, game.ruleset):
        return ""
    if isinstance(record, ClaimRecord) and isinstance(made, ClaimRecord):
        claimed = f"record {record.n}: {record.by} claimed {record.value!r} for {record.purpose}"
        return f"{claimed}; the opened orders give {made.value!r}"
    return f"record {record.n}: the opened orders lead to another record"


def _false_facts(game: Replica, due: dict[tuple[str, int], Committed], opened: Mapping[str, OpenedSecrets]) -> str:
    """Return which commitment after the newest record does not fit the facts, or ""."""
    for side in sorted(game.holds):
        commitment = due.pop((side, game.number), None)
        if commitment is None or game.ruleset.facts is None:
            continue
        tree = FactTree(game.ruleset.facts(game.state, side), game.number, opened.get(side, OpenedSecrets({})).source)
        if tree.root != commitment.root:
            return f"record {game.number}: the facts that {side} committed to do not follow from its opened orders"
    return ""


# --- the proof in a log ---


def sides_shown(log: Log, records: Sequence[Any], ruleset: Ruleset) -> frozenset[str]:
    """Return the sides whose secrets a rerun of ``log``, a game without a keeper, can hold.

    These are the sides whose secret orders are all in the file. If the file shows the key, or a part of what another
    side keeps secret, all sides are returned: a replica without that side would contradict that part, so the rerun must
    stop at the first order that is missing.
    """
    is_shown: dict[str, set[bool]] = {side: set() for side in ruleset.viewers}
    for record in records:
        if getattr(record, "secret", False):
            is_shown[ruleset.side_of(record.by)].add(isinstance(record, OrderRecord))
    holds = frozenset(side for side, found in is_shown.items() if False not in found)
    mixed = any(len(found) > 1 for found in is_shown.values())
    orders = {each.n for each in records if isinstance(each, OrderRecord)}  # a shown order has no other secrets
    strange = any(to not in holds and not (to == UMPIRE and number in orders) for number, to in log.openings)
    return frozenset(ruleset.viewers) if mixed or strange else holds


def sides_unproven(records: Sequence[Any], ruleset: Ruleset) -> list[str]:
    """Return the sides that made claims and of which a secret order is closed in the file."""
    closed = {
        ruleset.side_of(each.by)
        for each in records
        if getattr(each, "secret", False) and not isinstance(each, OrderRecord)
    }
    claimed = {each.by for each in records if isinstance(each, ClaimRecord)}
    return [side for side in ruleset.viewers if side in closed & claimed]


def pass_secret(game: Game, record: Any) -> bool:
    """Continue a replica past ``record``, a claim or a closed secret order of a side that it does not hold.

    Return whether it was one. Raises PlayError if public facts do not allow the claim, or if a claim is due instead.
    """
    if not isinstance(game, Replica):
        return False
    claim = game.pending
    if isinstance(claim, Claim) and isinstance(record, ClaimRecord):
        refusal = claim.why_not(record.value)
        if refusal is not None:
            what = f"{claim.side} claims {shortened(record.value)} for {claim.purpose}"
            raise PlayError(f"{what}, which public facts exclude: {refusal.reason} ({refusal.rule})")
        game.resolve_claim(record.value)
        return True
    if isinstance(claim, Claim) and not isinstance(record, UndoRecord | RulingRecord | EndRecord):
        raise PlayError(f"the rules wait for the claim {claim.purpose} of {claim.side} here")
    by = getattr(record, "by", "")
    hidden = [each for each in game.waiting() if each.seat == by and each.secret and not game.is_own(each)]
    if hidden and not isinstance(record, OrderRecord) and getattr(record, "secret", False):
        game.submit_hidden(by)
        return True
    return False
