"""The historical set-up: where each unit of the shipped order of battle stood, for a sheet to start from."""

from functools import cache
from importlib.resources import files

from sandtable.files.document import decode_toml, read_toml

WORD = "historical"
"""What is typed on a sheet of the set-up."""


@cache
def historical_hexes() -> dict[str, str]:
    """Return by unit the hex where it stood. Raises DataError if the file that tells so cannot be read."""
    file = files("damos") / "scenarios" / "historical.toml"
    sides = decode_toml(read_toml(file), str(file))
    return {
        f"{side[0]}-{unit}": hex_ for side, stacks in sides.items() for hex_, units in stacks.items() for unit in units
    }
