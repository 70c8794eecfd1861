"""Wrong orders: each field changed, in every way in which players get it wrong."""

from sandtable.kernel.decisions import Order
from sandtable.testing import mutants_of
from sandtable.testing.mutants import foreign_values
from sandtable.testing.scratch import Say


class March(Order, frozen=True):
    unit: str
    path: list[str]
    cost: dict[str, int]
    miles: int
    forced: bool = False


ORDER = March("1/A", ["a", "b"], {"fuel": 2}, 3)


def test_each_mutant_changes_exactly_one_field() -> None:
    for mutant in mutants_of(ORDER):
        changed = [name for name in ORDER.__struct_fields__ if getattr(mutant.value, name) != getattr(ORDER, name)]
        same_but_other_type = [
            name
            for name in ORDER.__struct_fields__
            if type(getattr(mutant.value, name)) is not type(getattr(ORDER, name))
        ]
        assert len(set(changed + same_but_other_type)) == 1, mutant.how
    assert March("1/A", ["a", "b"], {"fuel": 2}, 3) == ORDER


def test_mutants_change_numbers_texts_lists_and_tables() -> None:
    values = [mutant.value for mutant in mutants_of(ORDER)]
    miles = {value.miles for value in values if type(value.miles) is int}
    assert miles >= {-1, 0, 2, 4, 1 << 40, 10**30}
    units = {value.unit for value in values if type(value.unit) is str}
    assert units >= {"", "1/Ax", "1/", "nowhere"}
    paths = [value.path for value in values]
    for path in (["b"], ["a", "a", "b"], [], ["a", "b"] * 50, ["nowhere", "b"], [None, "b"]):
        assert path in paths
    costs = [value.cost for value in values]
    for cost in ({}, {"fuelx": 2}, {"fuel": -1}, {"fuel": 2, "nobody": 2}):
        assert cost in costs
    assert any(value.forced is True for value in values)


def test_mutants_distinguish_changed_types_from_changed_values() -> None:
    for mutant in mutants_of(ORDER):
        if mutant.shape:
            assert type(mutant.value.miles) is int
            assert type(mutant.value.unit) is str
    assert any(mutant.value.miles is None and not mutant.shape for mutant in mutants_of(ORDER))


def test_foreign_values_are_of_a_different_kind() -> None:
    found = [mutant.value for mutant in foreign_values(ORDER, [ORDER, Say("a")])]
    assert found[0] == Say("a")
    assert ORDER not in found
    assert None in found
    assert not any(mutant.shape for mutant in foreign_values(ORDER, [Say("a")]))
