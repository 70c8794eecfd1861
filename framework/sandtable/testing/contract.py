"""The contract suite: the checks that every ruleset must pass.

With pytest, one option makes a test of each check: ``pytest --sandtable-ruleset my_game`` (``pytest_plugin.py``). A
test file with other numbers of games, or with expected failures, has two lines::

    from sandtable.testing.contract import ruleset_contract
    test_contract = ruleset_contract(my_game)

``check_ruleset`` runs all checks and reports, for tools.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple

from sandtable.errors import RulesetLoops
from sandtable.kernel.play.error_location import place_of
from sandtable.plugin.manager import Installed
from sandtable.plugin.scenarios import Scenario
from sandtable.testing.checks import bots, copies, facts, logs, notation, orders, outlines, replicas, states
from sandtable.testing.checks.bench import FaultError, Harness, NotChecked, NothingToJudgeError, installed_from
from sandtable.testing.checks.code import purity
from sandtable.testing.checks.code.standstill import PATIENCE, StandstillError, stopped_when_still
from sandtable.testing.checks.secrets import dealing, faces, worlds
from sandtable.testing.checks.secrets import orders as secret_orders
from sandtable.testing.fuzz import MAX_RECORDS

Check = Callable[[Harness], str]

CHECKS: Mapping[str, Check] = {
    "facts_agree": facts.check_facts,
    "games_end": orders.check_games_end,
    "seats_exist": facts.check_seats,
    "bots_hold_their_seats": bots.check_bots,
    "typed_orders_are_read": notation.check_notation,
    "rules_are_named": facts.check_rule_ids,
    "map_is_symmetric": facts.check_map,
    "state_is_plain_data": states.check_plain_data,
    "options_are_sound": orders.check_options,
    "wrong_orders_are_refused": orders.check_mutants,
    "fold_equals_run": states.check_fold,
    "clones_play_on": copies.check_play_on,
    "clones_are_independent": copies.check_clones,
    "undo_restores": copies.check_undo,
    "looking_changes_nothing": states.check_looking,
    "secrets_are_kept": secret_orders.check_secrets,
    "secret_dice_are_kept": faces.check_faces,
    "worlds_look_alike": worlds.check_worlds,
    "replicas_agree": replicas.check_replicas,
    "secrets_are_dealt_again": dealing.check_dealing,
    "evaluation_is_shares": dealing.check_evaluation,
    "log_verifies": logs.check_log,
    "questions_are_told_apart": logs.check_questions,
    "outlines_hold_no_prose": outlines.check_outlines,
    "same_bytes_in_two_processes": logs.check_two_processes,
    "games_do_not_mix": copies.check_interleaved,
    "no_clock_no_chance": purity.check_purity,
}
"""Every check by name, in the order in which problems are best fixed."""


NEED_NO_GAME = ("facts_agree", "map_is_symmetric")
"""Checks that play no game, and so run even if the rules hang."""


class Finding(NamedTuple):
    """The outcome of one check. ``detail`` is the result or, if not ``ok``, the problem and its game.

    A check is ``skipped``, and not ok, if a problem that another check reports left it nothing to check. It has not
    ``looked`` if there was nothing to check, for no fault of the ruleset.
    """

    check: str
    ok: bool
    detail: str
    skipped: bool = False
    looked: bool = True

    @property
    def word(self) -> str:
        """The word in the table: "ok", "FAIL", "skip", or "-" if nothing was checked."""
        return "FAIL" if not (self.ok or self.skipped) else "skip" if self.skipped else "ok" if self.looked else "-"


class Report(tuple[Finding, ...]):
    """The findings of a run. It is true if all checks passed, and prints one line per check."""

    __slots__ = ()

    @property
    def ok(self) -> bool:
        """Whether every check passed."""
        return all(finding.ok for finding in self)

    @property
    def broken(self) -> "Report":
        """The findings that are not ok."""
        return Report(finding for finding in self if not finding.ok)

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return "\n".join(f"{each.word:4} {each.check}: {each.detail}" for each in self)


def check_ruleset(
    ruleset: Installed | ModuleType,
    games: int = 20,
    seed: str = "contract",
    checks: Iterable[str] | None = None,
    bound: int = MAX_RECORDS,
    scenario: str | Scenario = "",
    **more: Any,
) -> Report:
    """Run ``checks`` (default: all) on ``games`` random games from ``seed``. Problems found do not raise.

    The games are spread over the scenarios and options of the ruleset. A game of more than ``bound`` records counts as
    endless. ``scenario`` (an id, a path or a Scenario) restricts the games to one scenario. ``more`` is as in
    ``findings``. Raises RulesetError if ``ruleset`` is not a ruleset, KeyError for an unknown check.
    """
    return Report(findings(ruleset, games, seed, checks, bound=bound, scenario=scenario, **more))


def findings(
    ruleset: Installed | ModuleType,
    games: int = 20,
    seed: str = "contract",
    checks: Iterable[str] | None = None,
    *,
    patience: float = PATIENCE,
    **facts: Any,
) -> Iterator[Finding]:
    """Yield the finding of each check as soon as it is known, as in ``check_ruleset``.

    Rules without progress for ``patience`` seconds are stopped, and the file and line reported. ``facts`` are the
    fields of ``Harness``, such as ``pairs`` of worlds for the secrecy checks.
    """
    bench = Harness(installed_from(ruleset), games, seed, **facts)
    for name in CHECKS if checks is None else checks:
        check = CHECKS[name]
        yield _run(name, check, bench, patience)


def _run(name: str, check: Check, bench: Harness, patience: float = PATIENCE) -> Finding:
    if bench.stopped and name not in NEED_NO_GAME:
        return Finding(name, ok=False, detail=f"the rules hang: see the check {bench.stopped}", skipped=True)
    try:
        with stopped_when_still(patience):
            detail = check(bench)
        return Finding(name, ok=True, detail=str(detail), looked=not isinstance(detail, NotChecked))
    except StandstillError as error:
        bench.stopped = name
        return Finding(name, ok=False, detail=str(error))
    except NothingToJudgeError as error:
        return Finding(name, ok=False, detail=str(error), skipped=True)
    except RulesetLoops as error:
        known = bench.is_endless
        detail = "the rules loop: see the check games_end" if known else f"endless: {error}"
        return Finding(name, ok=False, detail=detail, skipped=known)
    except FaultError as error:
        return Finding(name, ok=False, detail=str(error))
    except Exception as error:  # noqa: BLE001 - any exception of the rules is a finding
        return _crashed(name, bench, error)


def _crashed(name: str, bench: Harness, error: Exception) -> Finding:
    """Report a crash once, by its place; another check with the same crash is skipped."""
    place = place_of(error)
    detail = f"{type(error).__name__}: {error}"
    if place and place not in detail:
        detail = f"{detail} ({place})"
    first = bench.crashes.setdefault(place or detail, name)
    if first != name:
        return Finding(name, ok=False, detail=f"the same crash as in the check {first}", skipped=True)
    return Finding(name, ok=False, detail=detail)


def shared_finding(
    ruleset: Installed | ModuleType,
    check: str,
    games: int = 20,
    seed: str = "contract",
    bound: int = MAX_RECORDS,
) -> Finding:
    """Run one check as ``check_ruleset`` does; the games are kept for the next check of the ruleset."""
    return _run(check, CHECKS[check], _shared_bench(ruleset, games, seed, bound))


@lru_cache(maxsize=8)
def _shared_bench(ruleset: Installed | ModuleType, games: int, seed: str, bound: int) -> Harness:
    """Return the shared harness of a ruleset, so that its games are played only once."""
    return Harness(installed_from(ruleset), games, seed, bound)


def ruleset_contract(
    *rulesets: Installed | ModuleType,
    games: int = 20,
    seed: str = "contract",
    bound: int = MAX_RECORDS,
    expected_failures: Mapping[str, str] | None = None,
) -> Callable[..., None]:
    """Return a pytest test, parametrized by check (and by ruleset, if there are several).

    ``expected_failures`` gives the reason for each check that is known to fail. An unexpected pass is an error.
    Raises KeyError if it names an unknown check.
    """
    import pytest  # noqa: PLC0415 - needed only by authors who run tests

    reasons = expected_failures or {}
    unknown = sorted(set(reasons) - set(CHECKS))
    if unknown:
        raise KeyError(f"no such check: {unknown[0]}; choose from {', '.join(CHECKS)}")

    def cases() -> Iterator[Any]:
        for ruleset in rulesets:
            for name in CHECKS:
                marks = [pytest.mark.xfail(reason=reasons[name], strict=True)] if name in reasons else []
                ident = name if len(rulesets) == 1 else f"{_name(ruleset)}-{name}"
                yield pytest.param(ruleset, name, marks=marks, id=ident)

    @pytest.mark.parametrize(("ruleset", "check"), list(cases()))
    def test_contract(ruleset: Installed | ModuleType, check: str) -> None:
        finding = shared_finding(ruleset, check, games, seed, bound)
        if finding.skipped or not finding.looked:
            pytest.skip(finding.detail)
        assert finding.ok, finding.detail

    return test_contract


def _name(ruleset: Installed | ModuleType) -> str:
    return ruleset.manifest.id if isinstance(ruleset, Installed) else ruleset.__name__.rpartition(".")[2]


__all__: Sequence[str] = ["CHECKS", "Finding", "Report", "check_ruleset", "ruleset_contract"]
