"""The two layouts of a grid of hexes, straight columns or straight rows, and which of its fields belong to which."""

from collections.abc import Collection

CHOICES = {
    "layout": ("columns", "rows"),
    "lower_columns": ("even", "odd"),
    "columns_grow": ("east", "west"),
    "eastern_rows": ("even", "odd"),
}
"""The fields of a grid that are words, and the words."""

ONLY_IN = {
    "lower_columns": "columns",
    "lower_rows": "columns",
    "columns_grow": "rows",
    "eastern_rows": "rows",
    "eastern_columns": "rows",
}
"""The fields that only grids of one layout have."""

UNSAID = {
    "lower_columns": "even",
    "lower_rows": None,
    "columns_grow": "east",
    "eastern_rows": "odd",
    "eastern_columns": None,
}
"""What stands in them if nothing is said."""


def find_layout_problem(layout: str, fields: Collection[str]) -> tuple[str, str] | None:
    """Return the first of the fields that the layout does not have, and what is wrong with it."""
    for key, owner in ONLY_IN.items():
        if owner != layout and key in fields:
            own = ", ".join(each for each, other in ONLY_IN.items() if other == layout)
            cure = f'take it out, or write the layout "{owner}"'
            return key, f"means nothing where {layout} are straight; {cure}; with {layout} go: {own}"
    return None
