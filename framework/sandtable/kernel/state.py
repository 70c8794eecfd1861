"""The state of a game: plain data, its clone and its digest."""

import hashlib
from typing import Any, ClassVar, Generic, TypeVar
from weakref import WeakSet

from msgspec import MsgspecError, Struct, inspect
from msgspec.msgpack import Decoder, Encoder

from sandtable.errors import RulesetError


class State(Struct, kw_only=True, dict=True, forbid_unknown_fields=True):
    """The state of a game at one moment. Subclass it with the game's own fields and ``kw_only=True``.

    Plain data only: int, str, bool, None, lists, tuples, dicts with str keys, and structs of these. No floats or sets.
    Only handlers change it. ``board`` contains what the scenario fixes (map, tables): it is not part of the state's
    bytes and must not be changed.
    """

    turn: int = 0
    phase: str = ""
    phasing_side: str = ""
    phasing_power: str = ""
    position: int = 0
    in_phase: bool = False
    outcome: str = ""
    ending: str = ""
    options: dict[str, str] = {}

    board: ClassVar[Any] = None
    """The fixed data of the scenario, or None if the ruleset has none. It is read often, so it is not a property."""

    def place_board(self, board: object) -> None:
        """Set the board of the state; the kernel does this whenever it makes a state."""
        self.__dict__["board"] = board


S = TypeVar("S", bound=State)
_sound: WeakSet[type[State]] = WeakSet()
"""Types of states that were checked and contain only plain data."""


class StateCodec(Generic[S]):
    """Clones and digests states of one type."""

    def __init__(self, state_type: type[S], label: str) -> None:
        """Prepare the codec; raises RulesetError if a field of ``state_type`` may contain floats or sets."""
        self.label = label
        self._label = b"sandtable state\n" + label.encode() + b"\n"
        if state_type not in _sound:
            _check_type(inspect.type_info(state_type), f"the state of {label}", [])
            _sound.add(state_type)
        self._decoder = Decoder(state_type)
        self._encoder = Encoder()
        self._canonical = Encoder(order="deterministic")

    def to_bytes(self, state: S) -> bytes:
        """Return ``state`` as bytes for ``from_bytes``; not canonical."""
        return self._encoder.encode(state)

    def from_bytes(self, data: bytes, board: object) -> S:
        """Return a state independent of the one that ``data`` came from, on the same board."""
        state = self._decoder.decode(data)
        state.place_board(board)
        return state

    def canonical(self, state: S) -> bytes:
        """Return the canonical bytes, equal for equal states (MessagePack; fields as declared, keys sorted).

        Raises RulesetError if the state contains data that is not plain.
        """
        try:
            return self._canonical.encode(state)
        except TypeError as error:
            raise RulesetError(f"the state of {self.label} contains data that is not plain: {error}") from error

    def digest(self, state: S) -> str:
        """Return the SHA-256, in hex, of the label and the canonical bytes (log format, section 6).

        Raises RulesetError if the state contains data that its type does not allow.
        """
        data = self.canonical(state)
        try:
            self._decoder.decode(data)
        except (MsgspecError, ValueError) as error:
            raise RulesetError(f"the state of {self.label} contains data that is not plain: {error}") from error
        return hashlib.sha256(self._label + data).hexdigest()

    def quick_digest(self, state: S) -> str:
        """Return the digest without checking types: for seals, because the close checks the whole state again."""
        return hashlib.sha256(self._label + self.canonical(state)).hexdigest()


def _check_type(kind: Any, where: str, seen: list[Any]) -> None:
    """Raise RulesetError if a type may contain a float or a set; ``seen`` are the structs already checked."""
    if isinstance(kind, inspect.FloatType | inspect.SetType | inspect.FrozenSetType | inspect.DecimalType):
        name = type(kind).__name__.removesuffix("Type").lower()
        raise RulesetError(
            f"{where} may contain a {name}: use only plain data (int, str, bool, None, lists, dicts, structs)"
        )
    if isinstance(kind, inspect.StructType):
        if kind.cls not in seen:
            seen.append(kind.cls)
            for field in kind.fields:
                _check_type(field.type, f"{where}: {field.name}", seen)
        return
    parts = [getattr(kind, name, None) for name in ("value_type", "item_type")]
    for part in (*parts, *getattr(kind, "types", ()), *getattr(kind, "item_types", ())):
        if part is not None:
            _check_type(part, where, seen)
