"""The ledgers of several logs: each roll of a game and of its branches counts once."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from sandtable.cli.main import cli
from sandtable.journal.luck.logs import LogLedger, read_ledgers
from sandtable.plugin.manager import Rulesets

REPLAYS = Path(__file__).parents[4] / "replays"
GAME = str(REPLAYS / "desert_aa" / "draw-round_limit.jsonl")
RIVALS = [str(REPLAYS / "disputes" / f"{name}.jsonl") for name in ("frontier", "frontier_rival")]
LOADED = [str(REPLAYS / "disputes" / f"loaded_{number}.jsonl") for number in (1, 2)]
FIRST, OTHER = "33:1=1", "33:2=1"

pytestmark = pytest.mark.full


@pytest.fixture
def branch(tmp_path: Path) -> str:
    """Return a branch of the game in which the first roll has other faces and bots answer from there on."""
    return branched(GAME, FIRST, tmp_path / "branch.jsonl")


def branched(log: str, die: str, out: Path) -> str:
    words = ("dispute", "whatif", log, "--die", die, "--then", "bots", "--out", str(out))
    assert CliRunner().invoke(cli, words, prog_name="sandtable").exit_code == 0
    return str(out)


def ledgers(*paths: str) -> list[LogLedger]:
    return read_ledgers(paths, Rulesets())


def labels(found: LogLedger) -> list[str]:
    return [each.label for each in found.entries]


def test_branch_alone_counts_all_rolls_except_its_set_roll(branch: str) -> None:
    (whole,), (alone,) = ledgers(GAME), ledgers(branch)
    assert (alone.faces_set, alone.shared, alone.is_branch) == (1, 0, True)
    assert whole.entries[0].label not in labels(alone)
    assert sum(each.dice for each in alone.faces if not each.side) == sum(each.dice for each in alone.entries)


def test_branch_listed_with_its_game_counts_only_new_rolls(branch: str) -> None:
    (whole,), (alone,) = ledgers(GAME), ledgers(branch)
    game, beside = ledgers(GAME, branch)
    assert game == whole
    shared = set(labels(alone)) & set(labels(whole))
    assert shared
    assert beside.shared == len(shared)
    assert labels(beside) == [label for label in labels(alone) if label not in shared]
    assert (beside.same_as, beside.game) == ((GAME,), game.game)


def test_game_counts_before_its_branches_in_any_listed_order(branch: str) -> None:
    game, beside = ledgers(GAME, branch)
    assert ledgers(branch, GAME) == [beside, game]


def test_branch_of_a_branch_belongs_to_the_same_game(branch: str, tmp_path: Path) -> None:
    twig = branched(branch, OTHER, tmp_path / "twig.jsonl")
    found = ledgers(twig, branch, GAME)
    assert len({each.game for each in found}) == 1
    counted = [label for each in found for label in labels(each)]
    assert len(counted) == len(set(counted))


def test_log_listed_twice_counts_once() -> None:
    once, twice = ledgers(GAME, GAME)
    assert (len(twice.entries), twice.shared) == (0, len(once.entries))


def test_two_continuations_share_rolls_with_equal_labels() -> None:
    one, other = ledgers(*RIVALS)
    assert not set(labels(one)) & set(labels(other))
    assert other.shared
    assert one.game == other.game


def test_two_games_share_no_rolls() -> None:
    one, other = ledgers(*LOADED)
    assert (one.shared, other.shared, one.game != other.game) == (0, 0, True)


def test_copies_with_manual_dice_share_only_common_records(tmp_path: Path) -> None:
    """Physical dice are rolled again in a continued copy, even under the same label."""
    lines = Path(LOADED[0]).read_bytes().splitlines(keepends=True)
    half = tmp_path / "half.jsonl"
    half.write_bytes(b"".join(lines[: len(lines) // 2]))
    whole, copy = ledgers(LOADED[0], str(half))
    assert not copy.entries
    assert copy.shared
    part, rest = ledgers(str(half), LOADED[0])
    assert rest.shared == len(part.entries) == copy.shared
    assert len(part.entries) + len(rest.entries) == len(whole.entries)
