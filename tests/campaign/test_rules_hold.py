"""Rules are consistent: ten thousand random games of each ruleset, in any scenario and with any options.

No game crashes, gets stuck or loops. Folding its log from the initial state gives the final state of the rules, and the
view of every side can be drawn. Each ruleset also has an auditor, which keeps accounts of stacks, strength, money and
points while games are played.
"""

import resource
from collections.abc import Callable, Iterator

import pytest
from campaign_figures import Share
from tests.plugins.axis_attack import test_campaigns as axis_attack
from tests.plugins.damos import test_properties as damos
from tests.plugins.desert_aa import test_properties as desert_aa
from tests.plugins.kampfpanzer import test_properties as kampfpanzer
from tests.plugins.kampfpanzer.oracle.reference_model import ReferenceModel as KampfpanzerModel
from tests.plugins.khamsin import test_campaigns as khamsin

from sandtable.journal.fold import fold_steps
from sandtable.kernel.dice import Stream, key_from_seed
from sandtable.plugin.manager import Installed, Prepared, Rulesets
from sandtable.testing.fuzz import Fuzzed, fuzz_game

PROMISE = "rules hold together"
GAMES, AUDITED = 10_000, 500
TASK = 50
MAX_MEGABYTES = 500
"""Memory limit of a process after thousands of games. Caches are bounded."""
RULESETS = Rulesets()
INSTALLED = [name for name, each in RULESETS.load_all().items() if isinstance(each, Installed)]


def drawn(ruleset: str, stream: Stream) -> Prepared:
    """Return a ruleset with a random scenario that ends and random options, each drawn one time in three."""
    installed = RULESETS.load(ruleset)
    scenarios = [
        each for each in installed.scenario_ids() if not installed.scenario(each).data["scenario"].get("endless", False)
    ]
    known = {
        each.name: [value for value in each.values if value not in each.endless] for each in installed.manifest.options
    }
    options = {name: stream.pick(values) for name, values in known.items() if stream.one_in(3)}
    return installed.prepare(stream.pick(scenarios), options)


def share(ruleset: str, first: int, count: int, seed: str) -> list[str]:
    """Play games. Return their faults."""
    found = []
    for number in range(first, first + count):
        stream = Stream(key_from_seed(f"{seed}/{ruleset}/{number}"))
        prepared = drawn(ruleset, stream)
        played = fuzz_game(prepared, f"{seed}/{number}")
        found += [
            f"{number} ({prepared.scenario.id}, {prepared.options}): {wrong}" for wrong in _faults(prepared, played)
        ]
    taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return [*found, f"{first + count}: the process has used {taken} MiB"] if taken > MAX_MEGABYTES else found


def _setting(prepared: Prepared) -> str:
    """Return the scenario of a game and its options that differ from the default."""
    defaults = {each.name: each.default for each in prepared.installed.manifest.options}
    other = [f"{name}={value}" for name, value in prepared.options.items() if value != defaults[name]]
    return ", ".join([prepared.scenario.id, *other])


def _faults(prepared: Prepared, played: Fuzzed) -> Iterator[str]:
    """Yield the faults of a game."""
    if not played.ended:
        yield str(played)
        return
    to_bytes = prepared.ruleset.codec.to_bytes
    *_, (_, state) = fold_steps(list(played.game.records), prepared)
    if to_bytes(state) != to_bytes(played.game.state):
        yield "folding its log gives a different state from the rules"
    for side in prepared.ruleset.viewers:
        prepared.installed.draw(played.game.view(side), prepared.board, "svg", "")


def _audit_axis_attack(number: int, seed: str) -> None:
    auditor, game = axis_attack.played(("casebook", "eastern_front", "armoured_clash")[number % 3], f"{seed}/{number}")
    assert game.is_over
    assert auditor.complaints == []


def _audit_damos(number: int, seed: str) -> None:
    stream = Stream(key_from_seed(f"{seed}/{number}"))
    chosen = damos.some_options(stream)
    game = damos.melee(stream, chosen, turns=2) if number % 2 else damos.campaign(stream, chosen)
    assert damos.follow(game, stream).ending


def _audit_desert_aa(number: int, seed: str) -> None:
    desert_aa.audit(drawn("desert_aa", Stream(key_from_seed(f"{seed}/{number}"))), f"{seed}/{number}")


def _audit_kampfpanzer(number: int, seed: str) -> None:
    stream = Stream(key_from_seed(f"{seed}/{number}"))
    game = kampfpanzer.melee(stream, kampfpanzer.some_options(stream) if number % 2 else {})
    kampfpanzer.play(game, stream, KampfpanzerModel(game, strict=not number % 2))


def _audit_khamsin(number: int, seed: str) -> None:
    auditor, game = khamsin.played(("teaching", "fixture", "crusader")[number % 3], f"{seed}/{number}")
    assert auditor.violations == []
    assert game.is_over


AUDITS: dict[str, Callable[[int, str], None]] = {
    "axis_attack": _audit_axis_attack,
    "damos": _audit_damos,
    "desert_aa": _audit_desert_aa,
    "kampfpanzer": _audit_kampfpanzer,
    "khamsin": _audit_khamsin,
}


def audited(ruleset: str, first: int, count: int, seed: str) -> list[str]:
    """Play games with an auditor. Return its complaints."""
    found = []
    for number in range(first, first + count):
        try:
            AUDITS[ruleset](number, seed)
        except Exception as error:  # noqa: BLE001 - every error is a complaint
            found.append(f"{number}: {type(error).__name__}: {error}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", INSTALLED)
def test_random_games_have_no_fault(ruleset: str, campaign: Share) -> None:
    total = campaign.of(GAMES)
    failures = campaign.in_parts(share, ruleset, total, TASK, "forkserver")
    campaign.tried(PROMISE, f"games of {ruleset} at random", total, failures)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", AUDITS)
def test_random_games_pass_the_audit(ruleset: str, campaign: Share) -> None:
    total = campaign.of(AUDITED)
    failures = campaign.in_parts(audited, ruleset, total, TASK, "forkserver")
    campaign.tried(PROMISE, f"games of {ruleset} with an auditor", total, failures)
