"""Problems of a TOML file: how many are kept."""

from sandtable.files.document import MAX_PROBLEMS, Problems


def test_a_file_has_a_hundred_problems_at_most_and_a_word_that_there_are_more() -> None:
    problems = Problems("my.toml")
    for number in range(1, 1_001):
        problems.refuse(f"k{number}", "is wrong")
        assert problems.count == number
        assert len(problems.found) == min(number, MAX_PROBLEMS + 1)
    assert str(problems.found[MAX_PROBLEMS - 1]) == "my.toml: k100: is wrong"
    assert str(problems.found[-1]).startswith("my.toml: has more problems than these 100")
