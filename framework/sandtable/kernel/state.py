"""The state of a game: plain data, its clone and its digest."""

import hashlib
from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar
from weakref import WeakSet

from msgspec import MsgspecError, Struct, inspect
from msgspec.msgpack import Decoder, Encoder
from msgspec.structs import force_setattr

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
        self._type = state_type
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

    def copy(self, state: S) -> S:
        """Return a state independent of ``state``, on the same board, as ``from_bytes`` makes one of its bytes."""
        copied: S = _state_copier(self._type)(state)
        copied.place_board(state.board)
        return copied

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


_Copy = Callable[[Any], Any]


def _shared(value: Any) -> Any:
    """Return an immutable ``value``: copies may share it."""
    return value


@lru_cache(maxsize=64)
def _state_copier(state_type: type[State]) -> _Copy:
    """Return a function that copies states of ``state_type``; it looks at the types of their fields only once."""
    return _copier(inspect.type_info(state_type), {})


def _copier(kind: Any, known: dict[type, _Copy]) -> _Copy:
    """Return a function that copies values of a type.

    ``known`` are the copiers of structs; one that contains itself finds its own there when it is called.
    """
    if isinstance(kind, inspect.StructType):
        return _struct_copier(kind, known)
    if isinstance(kind, inspect.DictType):
        of_value = _copier(kind.value_type, known)
        return dict if of_value is _shared else lambda table: {key: of_value(each) for key, each in table.items()}
    if isinstance(kind, inspect.ListType):
        of_item = _copier(kind.item_type, known)
        return list if of_item is _shared else lambda items: [of_item(each) for each in items]
    if isinstance(kind, inspect.UnionType):
        return _shared if all(_copier(each, known) is _shared for each in kind.types) else deepcopy
    if isinstance(kind, inspect.TupleType | inspect.VarTupleType):
        parts = kind.item_types if isinstance(kind, inspect.TupleType) else (kind.item_type,)
        return _shared if all(_copier(each, known) is _shared for each in parts) else deepcopy
    return deepcopy if isinstance(kind, inspect.AnyType) else _shared


def _struct_copier(kind: inspect.StructType, known: dict[type, _Copy]) -> _Copy:
    cls: Any = kind.cls
    if cls not in known:
        known[cls] = lambda value: known[cls](value)  # noqa: PLW0108 - it is replaced below
        fields = [(field.name, _copier(field.type, known)) for field in kind.fields]
        parts = [(name, copy) for name, copy in fields if copy is not _shared]

        shallow, is_frozen = cls.__copy__, cls.__struct_config__.frozen
        put = force_setattr if is_frozen else setattr

        def copied(value: Any) -> Any:
            new = shallow(value)
            for name, copy in parts:
                put(new, name, copy(getattr(value, name)))
            return new

        known[cls] = copied if parts else _shared if is_frozen else shallow
    return known[cls]


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
