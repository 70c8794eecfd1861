"""Data that depend on an option: where a scenario gives a value for each token, the one that is chosen is taken.

    turns = { by_option = "calendar", short = 12, long = 13 }

Such a table may stand for any value of a scenario.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.files.document import Problems, TomlTable
from sandtable.files.words import quoted
from sandtable.plugin.manifest import Option


def chosen(value: Any, key: str, options: Mapping[str, str], problems: Problems, known: Sequence[Option] = ()) -> Any:
    """Return a value with every table that depends on an option replaced by what the option says.

    ``key`` is that of the value in its file. An option that does not exist, or a token for which nothing is given, is
    noted, and None stands in. So is, of the options that are ``known``, a token that an option does not have.
    """
    if isinstance(value, list):
        return [chosen(each, f"{key}[{place}]", options, problems, known) for place, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    table = TomlTable(problems, key, value)
    if "by_option" not in value:
        return {name: chosen(each, table.key_of(name), options, problems, known) for name, each in value.items()}
    name = table.get(str, "by_option")
    if name not in options:
        table.refuse("by_option", f"is {quoted(name)}, which is no option of the game")
        return None
    for option in known:
        for word in value if option.name == name else ():
            if word != "by_option" and not option.allows(word):
                table.refuse(word, f"is no choice of {name}; it has {', '.join(option.values)}")
    if options[name] not in value:
        table.refuse("by_option", f"nothing is given for {name} = {options[name]}; add {options[name]} = ..")
        return None
    return chosen(value[options[name]], table.key_of(options[name]), options, problems, known)
