"""Every repeatable element, at n, 2n and 4n: its reader takes linear time and memory, or refuses it.

A quadratic step shows only at some size. The largest of the three is about as large as the format allows.
"""

import pytest
from campaign_figures import Share
from growing_files import FILES, GAMES, Growing, scenarios, typed
from growing_logs import COMMANDS, PLAIN, command, kinds
from growth import growth_faults

PROMISE = "hostile input does no harm"


def chosen(campaign: Share, name: str, rows: dict[str, Growing]) -> list[str]:
    """Return the faults of randomly chosen rows, as many as the share says, at n, 2n and 4n."""
    names = campaign.rng("growth", name).sample(sorted(rows), campaign.of(len(rows)))
    return [f"{name}: {each}: {fault}" for each in names for fault in growth_faults(*rows[each])]


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS)
def test_command_reads_a_log_in_linear_time_and_memory(words: str, campaign: Share) -> None:
    read = command(words)
    read(PLAIN.read_bytes())
    rows = {name: Growing(make, read, size) for name, make, size in kinds()}
    campaign.tried(
        PROMISE, "kinds of logs doubled twice, for each command", campaign.of(len(rows)), chosen(campaign, words, rows)
    )


@pytest.mark.slow
def test_files_are_read_in_linear_time_and_memory(campaign: Share) -> None:
    campaign.tried(PROMISE, "kinds of files doubled twice", campaign.of(len(FILES)), chosen(campaign, "files", FILES))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_scenarios_and_typed_lines_take_linear_resources(game: str, campaign: Share) -> None:
    rows = dict([*scenarios(game), *typed(game)])
    campaign.tried(
        PROMISE,
        "tables of scenarios and typed lines doubled twice",
        campaign.of(len(rows)),
        chosen(campaign, game, rows),
    )
