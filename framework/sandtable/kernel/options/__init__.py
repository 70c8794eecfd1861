"""Composable spaces of legal choices; see ``space`` for their common interface."""

from sandtable.kernel.options.choices import ListOf, OneOf, Range, SomeOf
from sandtable.kernel.options.forms import AnyOf, Form, OneForEach
from sandtable.kernel.options.paths import Path
from sandtable.kernel.options.shares import ShareOut
from sandtable.kernel.options.sheets import Groups, Sheet
from sandtable.kernel.options.space import Refusal, Space
from sandtable.kernel.options.words import Words

__all__ = [
    "AnyOf",
    "Form",
    "Groups",
    "ListOf",
    "OneForEach",
    "OneOf",
    "Path",
    "Range",
    "Refusal",
    "ShareOut",
    "Sheet",
    "SomeOf",
    "Space",
    "Words",
]
