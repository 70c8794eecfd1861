"""The location of an error in the rules."""

import sys
from typing import Any

import pytest

from sandtable.kernel.play.error_location import is_of_rules, place_of


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/games/chess/zugzwang.py", "zugzwang.py"),
        ("/games/chess/__init__.py", "chess/__init__.py"),
        ("/games/chess/Attacks.py", "Attacks.py"),
    ],
)
def test_error_of_rules_names_file_line_and_init_folder(path: str, expected: str) -> None:
    scope: dict[str, Any] = {"__name__": "chess.rules"}
    exec(compile("def walk():\n    return 1 // 0\n", path, "exec"), scope)  # noqa: S102 - a file of a stranger
    with pytest.raises(ZeroDivisionError) as raised:
        scope["walk"]()
    assert place_of(raised.value) == f"{expected}:2, in walk"


@pytest.mark.parametrize(
    ("module", "is_rules"),
    [
        ("chess.rules", True),
        ("sandtable_games", True),
        ("", True),
        ("sandtable.testing.toy", True),
        ("sandtable.testing.scratch", True),
        ("sandtable.testing.checks.bench", False),
        ("sandtable.kernel.state", False),
        ("json.decoder", False),
        ("msgspec._core", False),
        ("hypothesis.core", False),
    ],
)
def test_code_outside_sandtable_and_libraries_counts_as_rules(module: str, is_rules: bool) -> None:
    scope: dict[str, Any] = {"__name__": module, "sys": sys}
    exec("def frame():\n    return sys._getframe()\n", scope)  # noqa: S102 - a file of a stranger
    assert is_of_rules(scope["frame"]()) == is_rules


def failing(module: str, path: str, source: str, **facts: Any) -> Any:
    scope: dict[str, Any] = {"__name__": module, **facts}
    exec(compile(source, path, "exec"), scope)  # noqa: S102 - a file of a stranger
    return scope["act"]


WRAPS = "def act():\n    try: call()\n    except Exception as error: raise KeyError('x') from error\n"


def test_error_names_the_innermost_place_of_its_cause() -> None:
    library = failing("json.decoder", "decoder.py", "def act():\n    return 1 // 0\n")
    inner = failing("chess.moves", "moves.py", "def act():\n\n    return call()\n", call=library)
    house = failing("sandtable.kernel.x", "x.py", WRAPS, call=inner)
    outer = failing("chess.rules", "rules.py", "def act():\n    call()\n", call=house)
    late = failing("chess.rules", "rules.py", WRAPS, call=library)
    for act, expected in (
        (library, ""),
        (inner, "moves.py:3, in act"),
        (house, "moves.py:3, in act"),
        (outer, "moves.py:3, in act"),
        (late, "rules.py:2, in act"),
    ):
        with pytest.raises((ZeroDivisionError, KeyError)) as raised:
            act()
        without_this_test = raised.value.with_traceback(raised.value.__traceback__.tb_next)  # type: ignore[union-attr]  # what was raised has a traceback
        assert place_of(without_this_test) == expected
