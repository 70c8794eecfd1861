"""What the questions hold: the spaces of their forms, and the forces that can be made of the units that they offer."""

from typing import Any

from damos.bots.position import Outlook
from sandtable.kernel.decisions import Decision, Order
from sandtable.kernel.options import Form


def field_of(decision: Decision, kind: type[Order], field: str) -> Any:
    """Return the space of a field of the form for orders of a kind, None where there is none."""
    spaces = getattr(decision.options, "spaces", ())
    return next((each.fields[field] for each in spaces if isinstance(each, Form) and each.order is kind), None)


def groups_of(outlook: Outlook, fresh: list[str]) -> list[tuple[str, ...]]:
    """Return the forces of a hex: foot, mobile, and of each those who are demoralised, apart."""
    groups: dict[tuple[bool, bool], list[str]] = {}
    for each in fresh:
        groups.setdefault((outlook.is_mobile(each), outlook.units[each].demoralized), []).append(each)
    return [tuple(units) for _, units in sorted(groups.items())]
