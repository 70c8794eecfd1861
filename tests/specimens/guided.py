"""One reader under Atheris: inputs that reach new code are spoiled further. Started as a program of its own.

    python guided.py KIND RUNS SEED FOLDER

``FOLDER`` begins empty and keeps the inputs that reached something. It ends with 0, or with another number and the
fault where a reader broke, was slow, or took much memory.
"""

import sys
from pathlib import Path

import atheris

HERE = Path(__file__).parent
SECONDS, MEGABYTES, BYTES = 20, 1_500, 100_000
"""Where a reader stands still, or has taken all there is; the finer measure is the campaign's own."""

sys.path[:0] = [str(HERE), str(HERE.parents[1])]
with atheris.instrument_imports(include=["sandtable"]):
    from tests.campaign import test_hostile_input as campaign


def main(kind: str, runs: str, seed: str, folder: str) -> None:
    """Read so many inputs of a kind."""
    _, read, sources = campaign.PARSERS[kind]
    for number, good in enumerate(sources()):
        (Path(folder) / f"good-{number}").write_bytes(good)

    def one(data: bytes) -> None:
        faults = list(campaign.faults(read, data))
        if faults:
            raise RuntimeError(faults[0])

    limits = [
        f"-runs={runs}",
        f"-seed={seed}",
        f"-timeout={SECONDS}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-max_len={BYTES}",
    ]
    atheris.Setup([sys.argv[0], *limits, "-print_final_stats=1", f"-artifact_prefix={folder}/broken-", folder], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
