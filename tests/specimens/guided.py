"""One reader under Atheris, which mutates inputs that reach new code further. Run it as a separate program.

    python guided.py KIND RUNS SEED FOLDER

``FOLDER`` is empty at first and keeps the inputs that reached something new. The exit status is 0, or nonzero with the
fault if a reader crashed, was slow, or took much memory.
"""

import sys
from pathlib import Path

import atheris

HERE = Path(__file__).parent
SECONDS, MEGABYTES, BYTES = 20, 1_500, 100_000
"""Limits at which a reader hangs or has exhausted memory. The campaign itself measures more finely."""

sys.path[:0] = [str(HERE), str(HERE.parents[1])]
with atheris.instrument_imports(include=["sandtable"]):
    from tests.campaign import test_hostile_input as campaign


def main(kind: str, runs: str, seed: str, folder: str) -> None:
    """Read ``runs`` inputs of a kind."""
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
