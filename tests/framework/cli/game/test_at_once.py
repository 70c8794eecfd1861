"""Programs that write the same file or folder at once: those that say they did it did, one after the other."""

import shutil
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from at_once import Ended, Starter
from shared_log import COMMANDS, Folder, what_is_wrong
from tournaments import TEXT

FRAMEWORK = Path(__file__).parents[2]
PAIRS = list(combinations_with_replacement(COMMANDS, 2))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("at_once")


@pytest.fixture(scope="module")
def starter(place: Path) -> Iterator[Starter]:
    with Starter(place, FRAMEWORK / "rulesets") as started:
        yield started


@pytest.fixture(scope="module")
def folder(place: Path, starter: Starter) -> Folder:
    return Folder(place, starter)


@pytest.mark.full
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_two_programs_on_one_log_do_not_damage_it(pair: tuple[str, str], folder: Folder, starter: Starter) -> None:
    commands = [*pair, *pair]
    folder.tear()
    wrong = what_is_wrong(folder, commands, starter.run([COMMANDS[command] for command in commands]))
    assert not wrong, wrong


# ---------------------------------------------------------------- new files, and folders


def only_one(ended: list[Ended]) -> Ended:
    """Return what became of the one that did it; the others were refused in a line."""
    assert sorted(each.code for each in ended) == [0] + [2] * (len(ended) - 1), ended
    assert all(len(each.stderr.splitlines()) == 1 for each in ended if each.code), ended
    return next(each for each in ended if each.code == 0)


@pytest.mark.full
def test_only_one_process_creates_a_new_log(place: Path, starter: Starter) -> None:
    words = ["play", "skirmish", "--seed", "a", "--out", "new.jsonl"]
    only_one(starter.run([words] * 4))
    starter.do("verify", "new.jsonl")


@pytest.fixture(scope="module")
def event(place: Path, starter: Starter) -> tuple[Path, str]:
    """Return the manifest of a tournament that was played, in the folder ``spring``, and its rows."""
    (place / "spring.toml").write_text(TEXT)
    (place / "skirmish_dawn.toml").write_bytes((FRAMEWORK / "rulesets" / "skirmish_dawn.toml").read_bytes())
    starter.do("tournament", "run", "spring.toml", "--out", "spring", "--workers", "1")
    return place / "spring.toml", starter.do("tournament", "export", "spring").stdout


@pytest.mark.full
def test_only_one_process_fills_a_folder_of_logs(event: tuple[Path, str], place: Path, starter: Starter) -> None:
    match = ["match", "skirmish", "--player", "brave", "--player", "random", "--games", "8", "--seed", "m"]
    export = ["tournament", "export", "spring"]
    done = only_one(starter.run([[*match, "--workers", "1", "--out", "logs"], [*export, "--logs", "logs"]] * 2))
    logs = sorted(file.name for file in (place / "logs").iterdir())
    assert len(logs) == (36 if done.stdout == event[1] else 8)
    starter.do("verify", *(f"logs/{name}" for name in logs))


@pytest.mark.full
def test_only_one_process_plays_a_tournament(event: tuple[Path, str], place: Path, starter: Starter) -> None:
    shutil.rmtree(place / "out", ignore_errors=True)
    go = [["tournament", "run", "spring.toml", "--out", "out"], ["tournament", "resume", "out"]]
    ended = starter.run([[*words, "--workers", "1"] for words in go * 2])
    done = [each for each in ended if each.code == 0]
    assert done, ended
    assert all("36 games in out" in each.stderr for each in done), ended
    for each in ended:
        assert each.code in {0, 1, 3}, ended  # 3: it was not begun yet
        assert each.code == 0 or len(each.stderr.splitlines()) == 1, ended
    assert starter.do("tournament", "export", "out").stdout == event[1]
    starter.do("tournament", "verify", "out")


@pytest.mark.full
def test_only_one_process_writes_a_rerun_game(event: tuple[Path, str], starter: Starter) -> None:
    ended = starter.run([["tournament", "rerun", "spring", "3", "--out", "3.jsonl"]] * 4)
    assert "game 3: the same" in only_one(ended).stdout
    starter.do("verify", "3.jsonl")


@pytest.mark.full
def test_concurrent_reports_leave_a_complete_page_and_logs(
    event: tuple[Path, str], place: Path, starter: Starter
) -> None:
    shutil.rmtree(place / "spring" / "logs", ignore_errors=True)
    ended = starter.run([["tournament", "report", "spring", "--html"]] * 4)
    assert any(each.code == 0 for each in ended), ended
    for each in ended:
        assert each.code in {0, 1}, ended
        assert len(each.stderr.splitlines()) == 1, ended
        assert each.code == 0 or "another process" in each.stderr, ended
    page = (place / "spring" / "report.html").read_text()
    logs = sorted((place / "spring" / "logs").glob("*.jsonl"))
    pages = sorted((place / "spring" / "logs").glob("*.html"))
    assert page.endswith("</html>\n")
    assert [each.stem for each in pages] == [each.stem for each in logs] != []
    assert all(f'href="logs/{each.name}"' in page for each in pages)
    starter.do("verify", *map(str, logs))
    assert not list((place / "spring").rglob("*.part"))
