"""Dice are fair: faces are equally frequent, whatever came before, and anyone can compute them.

The statistics are Pearson's chi-squared of faces and of pairs of dice (serial test: Knuth, The Art of Computer
Programming 2, 3.3.2), with the normal approximation of Wilson and Hilferty for its tail. All tests of a run together
fail by chance once in ten thousand runs.
"""

import math
import shutil
import subprocess
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

import pytest
from campaign_figures import Share

from sandtable.kernel.dice import key_from_seed, roll_dice

VERIFIERS = Path(__file__).parent / "verifiers"
SIDES = (2, 3, 4, 6, 8, 10, 12, 20, 52, 100)
DICE = 100_000_000
ROLLS = 100_000
PER_ROLL = 64
CHUNK = 2_000
"""Rolls of one task. Each task has its own key."""
ALARM = 4.3
"""Maximum deviation of a test in standard deviations. By chance alone, thirty tests exceed it once in 4,000 runs."""

Tally = tuple[Counter[int], Counter[tuple[int, int]], Counter[tuple[int, int]]]


def tally(sides: int, rolls: int, seed: str) -> Tally:
    """Return the counts of faces, of pairs of dice in one roll, and of pairs of first dice of two rolls."""
    key = key_from_seed(seed)
    faces: Counter[int] = Counter()
    serial: Counter[tuple[int, int]] = Counter()
    across: Counter[tuple[int, int]] = Counter()
    before = 0
    for number in range(rolls):
        dice = roll_dice(key, f"{number % 40}/combat.{number % 7}/attack/{number}", PER_ROLL, sides)
        faces.update(dice)
        serial.update(zip(dice[::2], dice[1::2], strict=True))
        if before:
            across[before, dice[0]] += 1
        before = 0 if before else dice[0]
    return faces, serial, across


def deviations(counts: Counter[int] | Counter[tuple[int, int]], cells: int) -> float:
    """Return the deviation of chi-squared of ``counts`` over equal ``cells``, in standard errors."""
    expected = counts.total() / cells
    squared = sum((count - expected) ** 2 for count in counts.values()) / expected + (cells - len(counts)) * expected
    free = cells - 1
    off: float = ((squared / free) ** (1 / 3) - (1 - 2 / (9 * free))) / math.sqrt(2 / (9 * free))
    return off


@pytest.mark.slow
@pytest.mark.parametrize("sides", SIDES)
def test_faces_and_pairs_are_equally_frequent(sides: int, campaign: Share) -> None:
    rolls = campaign.of(DICE) // len(SIDES) // PER_ROLL + 1
    tasks = [(min(CHUNK, rolls - at), f"{campaign.seed}/d{sides}/{at}") for at in range(0, rolls, CHUNK)]
    faces, serial, across = Counter[int](), Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    with ProcessPoolExecutor(max_workers=2) as pool:
        for part in pool.map(tally, [sides] * len(tasks), *zip(*tasks, strict=True)):
            faces.update(part[0])
            serial.update(part[1])
            across.update(part[2])
    off = {"faces": deviations(faces, sides), "dice of a roll": deviations(serial, sides**2)}
    if across.total() >= 5 * sides**2:  # chi-squared requires five in each cell
        off["rolls"] = deviations(across, sides**2)
    wrong = [f"d{sides}: {name} {value:.1f} deviations off" for name, value in off.items() if abs(value) > ALARM]
    assert set(faces) == set(range(1, sides + 1))
    campaign.tried("dice are fair", "dice, faces and pairs by chi-squared", faces.total(), wrong)


def labels(rng: Random, count: int) -> list[str]:
    """Return lines of a key, a realistic label, a number of dice, and sides, including unusual ones."""
    lines = []
    for _ in range(count):
        purpose = rng.choice(["attack", "attack.TOB", "mine.GUB", "weather", "x"])
        label = f"{rng.randrange(60)}/{rng.choice(['', 'axis.'])}combat/{purpose}/{rng.randrange(1, 400)}"
        sides = rng.choice([*SIDES, rng.randrange(2, 65_537), 65_536, 65_535])
        lines.append(f"{rng.randbytes(32).hex()} {label} {rng.choice([1, 1, 2, 3, 8, 9, 30])} {sides}")
    return lines


def ours(line: str) -> str:
    """Return the dice of a line as the kernel computes them."""
    key, label, count, sides = line.split()
    return " ".join(map(str, roll_dice(bytes.fromhex(key), label, int(count), int(sides))))


@pytest.mark.slow
@pytest.mark.parametrize("command", [("node", "dice.js"), ("perl", "dice.pl"), ("sh", "dice.sh")], ids=" ".join)
def test_other_languages_compute_the_same_dice(command: tuple[str, str], campaign: Share) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} here")
    lines = labels(campaign.rng("verifiers"), campaign.of(ROLLS))
    script = str(VERIFIERS / command[1])
    done = subprocess.run(
        [command[0], script], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    )
    outputs = done.stdout.splitlines()
    wrong = [f"{line}: {its}" for line, its in zip(lines, outputs, strict=True) if its != ours(line)]
    campaign.tried("dice are fair", f"rolls computed again by {command[0]}", len(lines), wrong)
