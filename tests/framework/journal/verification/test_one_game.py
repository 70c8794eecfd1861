"""Several logs of one game."""

from collections.abc import Callable
from pathlib import Path

from msgspec import structs
from rechained import changed

from sandtable.journal.record import Recorded
from sandtable.journal.verification.one_game import same_games
from sandtable.journal.verification.verdicts import Verdict
from sandtable.plugin.manager import Prepared

Play = Callable[..., Recorded]


def test_two_logs_of_one_game_are_reported(game: Recorded, record: Play, tmp_path: Path, prepared: Prepared) -> None:
    lines = game.data.splitlines(keepends=True)
    files = {
        "whole": game.data,
        "again": game.data,
        "part": b"".join(lines[:5]),
        "other": record("b").data,
        "diverging": changed(game.data, 5, lambda line: line.update(by="z")).data,
        "none": b"",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)

    def relations(*names: str) -> list[str]:
        paths = [str(tmp_path / name) for name in names]
        verdicts = [Verdict(path, "verified", 1, game="" if "none" in path else "g") for path in paths]
        verdicts = [structs.replace(each, game="h") if each.log.endswith("other") else each for each in verdicts]
        return [each.replace(f"{tmp_path}/", "") for each in same_games(paths, verdicts)]

    assert relations("whole", "other", "none", "none") == []
    assert relations("whole", "again") == ["whole and again: the same game twice"]
    for pair in (("whole", "part"), ("part", "whole")):
        assert relations(*pair) == ["part: the beginning of whole, up to record 4"]
    (diverging,) = relations("whole", "diverging")
    assert diverging.startswith("whole and diverging: the same game up to record 4: ")
    (tmp_path / "part").unlink()
    assert relations("part", "whole", "again") == ["whole and again: the same game twice"]
