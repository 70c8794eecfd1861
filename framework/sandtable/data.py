"""The public names for reading a ruleset's files: TOML with all its problems reported at once, fields of a table."""

from sandtable.files.document import Problems, TomlTable, decode_toml, read_toml
from sandtable.files.fields import (
    ID,
    NAME,
    choice_of,
    flag_of,
    id_of,
    ids_of,
    inner,
    listed_rows,
    noted,
    number_of,
    rows_of,
    text_of,
    texts_of,
    words_of,
)
from sandtable.files.words import joined_key, quoted

__all__ = [
    "ID",
    "NAME",
    "Problems",
    "TomlTable",
    "choice_of",
    "decode_toml",
    "flag_of",
    "id_of",
    "ids_of",
    "inner",
    "joined_key",
    "listed_rows",
    "noted",
    "number_of",
    "quoted",
    "read_toml",
    "rows_of",
    "text_of",
    "texts_of",
    "words_of",
]
