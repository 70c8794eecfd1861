"""The two layouts of a grid of hexes, straight columns or straight rows, and the fields of each."""

from collections.abc import Collection

CHOICES = {
    "layout": ("columns", "rows"),
    "lower_columns": ("even", "odd"),
    "columns_grow": ("east", "west"),
    "eastern_rows": ("even", "odd"),
}
"""The fields of a grid that are words, and their values."""

ONLY_IN = {
    "lower_columns": "columns",
    "lower_rows": "columns",
    "columns_grow": "rows",
    "eastern_rows": "rows",
    "eastern_columns": "rows",
}
"""The fields that exist only in one layout, and that layout."""

UNSAID = {
    "lower_columns": "even",
    "lower_rows": None,
    "columns_grow": "east",
    "eastern_rows": "odd",
    "eastern_columns": None,
}
"""The default values of these fields."""


def find_layout_problem(layout: str, fields: Collection[str]) -> tuple[str, str] | None:
    """Return the first field that the layout does not have, and the problem, or None if it has all fields."""
    for key, owner in ONLY_IN.items():
        if owner != layout and key in fields:
            own = ", ".join(each for each, other in ONLY_IN.items() if other == layout)
            fix = f'remove it, or set the layout "{owner}"'
            return key, f"is not used if {layout} are straight; {fix}; {layout} use: {own}"
    return None
