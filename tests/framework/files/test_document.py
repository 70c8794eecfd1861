"""Problems of a TOML file: the maximum number that is kept."""

from sandtable.files.document import MAX_PROBLEMS, Problems


def test_more_than_100_problems_are_truncated_with_a_note() -> None:
    problems = Problems("my.toml")
    for number in range(1, 1_001):
        problems.refuse(f"k{number}", "is wrong")
        assert problems.count == number
        assert len(problems.found) == min(number, MAX_PROBLEMS + 1)
    assert str(problems.found[MAX_PROBLEMS - 1]) == "my.toml: k100: is wrong"
    assert str(problems.found[-1]).startswith("my.toml: has more problems than these 100")
