"""The check that rules touch no clock, and no chance but the kernel's dice."""

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import get_ident
from typing import Any

from sandtable.errors import SandtableError
from sandtable.testing.checks.bench import FaultError, Harness
from sandtable.testing.fuzz import play_on, streams_of

POISONED = {
    "random": "random randint randrange choice choices shuffle sample uniform gauss triangular betavariate seed "
    "expovariate normalvariate getrandbits randbytes",
    "secrets": "token_bytes token_hex token_urlsafe randbelow randbits choice",
    "uuid": "uuid1 uuid4",
    "os": "urandom",
    "time": "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time sleep localtime gmtime",
}
_GAMES = 5


class PoisonError(SandtableError):
    """Rules reached for something that is not the same in every run."""


def check_purity(bench: Harness) -> str:
    """Play with clock and chance poisoned: rules that reach for them are told so."""
    trials = bench.whole(_GAMES) if any(trial.played.ended for trial in bench.trials) else bench.trials[:_GAMES]
    chance = import_module("random")
    for trial in trials:
        game = trial.new_game()
        before = chance.getstate()
        try:
            with poisoned(bench.installed.module.__name__):
                for given in play_on(game, streams_of(trial.prepared, trial.played.seed)):
                    if given.number > trial.played.game.number:
                        break
        except PoisonError as error:
            raise FaultError(f"{trial.name}, after record {game.number}: {error}") from error
        except SandtableError:
            continue  # the check games_end tells
        if chance.getstate() != before:
            raise FaultError(f"{trial.name}: the rules use the global random numbers: roll dice by yielding a Roll")
    return f"{len(trials)} games asked neither clock nor chance"


@contextmanager
def poisoned(module: str) -> Iterator[None]:
    """Make clock and chance raise PoisonError in this thread, also under the names that ``module`` imported them by."""
    collecting = gc.isenabled()
    gc.disable()  # what others hang on the collector may look at the clock
    undo: list[tuple[Any, str, Any]] = []
    try:
        rooms = [room for name, room in list(sys.modules.items()) if name == module or name.startswith(f"{module}.")]
        for home, names in POISONED.items():
            source = import_module(home)
            for name in names.split():
                original = getattr(source, name)
                trap = _trap(f"{home}.{name}", original)
                for room in (source, *rooms):
                    held = [key for key, value in list(vars(room).items()) if value is original]
                    undo += [(room, key, original) for key in held]
                    for key in held:
                        setattr(room, key, trap)
        generator = import_module("random").Random
        undo.append((generator, "seed", generator.seed))
        generator.seed = _trap("random.Random", generator.seed)
        yield
    finally:
        for room, key, original in reversed(undo):
            setattr(room, key, original)
        if collecting:
            gc.enable()


def _trap(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """Return what stands in for ``original``: it raises in this thread, and lets the others have it."""
    owner = get_ident()

    def trap(*args: Any, **named: Any) -> Any:
        if get_ident() != owner:
            return original(*args, **named)
        caller = sys._getframe(1)  # noqa: SLF001 - to say who it was
        place = f"{caller.f_globals.get('__name__')}, line {caller.f_lineno}"
        raise PoisonError(f"{place}, calls {name}: rules take chance from a Roll and time from the turn")

    return trap
