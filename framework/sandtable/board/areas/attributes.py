"""The facts that a game adds to its areas, declared as a msgspec Struct and checked field by field."""

from typing import Any

import msgspec

from sandtable.board.areas.map import Fact
from sandtable.errors import RulesetError
from sandtable.files.document import TomlTable
from sandtable.files.words import quoted, unprintable

LARGEST_NUMBER = 2**63 - 1
"""Largest number in a fact: states and logs store 64-bit integers."""


class FactReader:
    """A reader that checks the facts of areas.

    ``struct`` declares them: a field without a default is required, and its type may narrow the values (``Literal``,
    ``Annotated[int, Meta(ge=0)]``). Its default applies to areas without the fact; a default of None leaves the fact
    out. Without a struct any text, whole number, true or false is accepted. ``own_keys`` are those of the map format.
    Raises RulesetError if a field of the struct has the name of such a key.
    """

    def __init__(self, struct: type[msgspec.Struct] | None, own_keys: tuple[str, ...]) -> None:
        fields = () if struct is None else msgspec.structs.fields(struct)
        self._struct = struct
        self._own_keys = own_keys
        self._declared = {info.encode_name: info for info in fields}
        for name in self._declared:
            if name in own_keys:
                raise RulesetError(f"fact {name!r} is a key of the map format; rename the field")

    def read(self, table: TomlTable) -> dict[str, Fact]:
        """Return the facts of an area with defaults filled in; errors are noted in the table's problems."""
        noted = table.problems.count
        given = {name: value for name, value in table.values.items() if name not in self._own_keys}
        for name, value in given.items():
            self._check(table, name, value)
        for name, info in self._declared.items():
            if info.required and name not in given:
                table.refuse(name, "is missing; the game requires this fact for every area")
        if self._struct is None or table.problems.count > noted:
            return given
        return self._convert(self._struct, table, given)

    def _check(self, table: TomlTable, name: str, value: object) -> None:
        """Note the errors of a single fact."""
        if isinstance(value, dict):
            table.refuse(name, "is a table, which is not a fact; put an area id with a dot in quotes: [areas.'A.1']")
        elif self._struct is not None and name not in self._declared:
            known = ", ".join((*self._own_keys, *self._declared))
            table.refuse(name, f"is not a key of an area; correct or remove it, known are: {known}")
        elif type(value) not in (str, int, bool):
            table.refuse(name, f"is {quoted(value)}; a fact is text, a whole number, or true or false")
        elif isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            table.refuse(name, f"is {quoted(value)}; use a whole number of at most 64 bits")
        elif isinstance(value, str) and (character := unprintable(value, "\n\t")):
            table.refuse(name, f"contains the character {character!r}; use printable text")
        elif self._struct is not None:
            try:
                msgspec.convert(value, self._declared[name].type)
            except msgspec.ValidationError as error:
                table.refuse(name, f"is {quoted(value)}: {_one_line(error)}; correct it")

    def _convert(self, struct: type[msgspec.Struct], table: TomlTable, given: dict[str, Any]) -> dict[str, Fact]:
        """Let the struct check all facts together and fill in defaults."""
        try:
            plain = msgspec.to_builtins(msgspec.convert(given, struct))
        except msgspec.ValidationError as error:
            table.problems.refuse(table.key, f"{_one_line(error)}; correct the facts of this area")
            return given
        facts = {name: plain[name] for name in self._declared if plain.get(name) is not None}
        for name, value in facts.items():
            if type(value) not in (str, int, bool):
                raise RulesetError(f"fact {name!r} of {struct.__name__} is {value!r}; use text, whole numbers or bools")
        return facts


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
